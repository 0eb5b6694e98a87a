"""Statistics on results of real games."""

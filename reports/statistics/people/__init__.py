"""Statistics of results of real games."""

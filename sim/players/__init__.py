"""Players: finding and compiling strategies, Python players, search, the sandbox. No rules or run files."""

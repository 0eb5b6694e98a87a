"""Players: finds and compiles strategies; Python players, search, the sandbox. Contains no rules and no run files."""

"""Who decides: strategies found and compiled, Python players, search, the sandbox. No rules and no files of runs."""

"""One package per game; `shared`: code that games share outside kernels; `plain`: users' games in plain Python."""

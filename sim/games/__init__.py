"""One package for each game. `shared` holds the code outside kernels that games share; `plain` plays users' games."""

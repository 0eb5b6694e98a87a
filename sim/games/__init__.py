"""One package for each game, and `shared` for what games share outside their kernels. Nothing else."""

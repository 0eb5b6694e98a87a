"""One package for each game, `shared` for code that games share outside kernels, `plain` for games of users."""

"""What games share outside their kernels: position files, stepping, narration. No rule and no name of a game."""

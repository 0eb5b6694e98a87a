"""Code outside kernels that games share: positions, stepping, narration. Nothing is specific to one game."""

"""Code that games share outside kernels: loading, positions, stepping, narration. Nothing is specific to one game."""

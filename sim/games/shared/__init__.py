"""Code that games share outside kernels: loading, positions, stepping, narration. Contains no code for single games."""

"""Shared by games outside their kernels: loading, positions, stepping, narration. No rule and no name of a game."""

"""Kernels that several games share."""

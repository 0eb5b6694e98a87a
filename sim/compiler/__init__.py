"""Compiles, links and caches kernels. Contains nothing specific to a game or player."""

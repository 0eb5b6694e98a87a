"""Compiles, links and caches kernels. Knows no game and no player."""

"""Compiles, links and caches kernels. Contains nothing about single games or players."""

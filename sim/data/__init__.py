"""Reads, validates, changes and writes TOML and JSON files. Contains nothing about kernels or particular games."""

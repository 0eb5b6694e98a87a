"""Reads, validates, changes and writes TOML and JSON files. Nothing here depends on kernels or on a particular game."""

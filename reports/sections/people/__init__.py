"""Sections on results of real games."""

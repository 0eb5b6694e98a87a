"""Scripted players, one file for each game."""

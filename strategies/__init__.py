"""Scripted players, one folder for each game."""

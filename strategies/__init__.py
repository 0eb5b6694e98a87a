"""Scripted players, with one folder for each game."""

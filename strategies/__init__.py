"""Scripted players, with one package per game."""

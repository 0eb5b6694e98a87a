"""Positions, moves, views and narration of Imperium, for people and programs. No kernel imports it."""

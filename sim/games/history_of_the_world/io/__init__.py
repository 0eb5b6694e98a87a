"""Positions, moves, views and narration of History of the World, for people and programs. No kernel imports it."""

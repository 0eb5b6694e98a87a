"""Positions, moves, views and narration of Imperial Settlers, for people and programs. No kernel imports it."""

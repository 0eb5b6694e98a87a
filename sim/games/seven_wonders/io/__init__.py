"""Positions, moves, views and narration of 7 Wonders, for people and programs. No kernel imports it."""

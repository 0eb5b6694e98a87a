"""Positions, moves, views and narration of The Glory of Rome, for people and programs. No kernel imports it."""

"""Estimates and tests on factions: why they win, what they should pay. Contains no sentences or figures."""

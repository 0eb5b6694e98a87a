"""Estimates and tests on the course of games: luck, leads, endings. Contains no sentences or figures."""

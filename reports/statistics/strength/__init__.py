"""Estimates and tests on strength: ratings, matchups, ladder, equilibria. Contains no sentences or figures."""

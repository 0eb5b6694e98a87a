"""Estimates and tests of changes between runs, conditions and sides. Contains no sentences or figures."""

"""Computes estimates, errors and tests, by subject, from sums over blocks. Contains no sentences or figures."""

"""Estimates with errors and tests, by subject, from sums over blocks. No sentences and no figures."""

"""Engines: games, batches, runs and the command line."""

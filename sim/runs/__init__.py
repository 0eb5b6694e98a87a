"""Runs of many games: plans, play, progress, replay. `store` handles run folders, `remote` clusters and URLs."""

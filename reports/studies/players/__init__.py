"""Ladders, equilibria, tuned and distilled players. Plays games through `sim.runs`; draws no page."""

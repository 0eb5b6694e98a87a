"""Ladders, equilibria, tuned and distilled players. Plays games through `sim.runs`; does not render pages."""

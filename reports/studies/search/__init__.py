"""Searches for changed numbers that make factions fair. Plays games through `sim.runs`; draws no page."""

"""Removes or changes parts of a faction, and single pieces. Plays games through `sim.runs`; does not render pages."""

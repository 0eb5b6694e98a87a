"""Plays many values of one or two parameters. Plays games through `sim.runs`; does not render pages."""

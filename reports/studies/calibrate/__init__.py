"""Checks what short runs promised against later runs. Plays games through `sim.runs`; does not render pages."""

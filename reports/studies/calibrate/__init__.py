"""Compares what short runs promised with later runs. Plays games through `sim.runs`; does not render pages."""

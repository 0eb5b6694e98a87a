"""Arms played on the same deals, and comparisons of runs. Plays games through `sim.runs`; does not render pages."""

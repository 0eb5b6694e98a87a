"""Says how many games a question needs, and stops runs when they answer one. Plays games through `sim.runs`; does not render pages."""

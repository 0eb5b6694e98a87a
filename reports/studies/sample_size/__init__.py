"""How many games a question needs, and stopping rules. Plays games through `sim.runs`; does not render pages."""

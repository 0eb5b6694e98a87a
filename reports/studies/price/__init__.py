"""What factions should pay, in points or in goods. Plays games through `sim.runs`; does not render pages."""

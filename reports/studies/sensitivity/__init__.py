"""What a verdict owes to stand-ins and open rules. Plays games through `sim.runs`; draws no page."""

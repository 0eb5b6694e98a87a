"""One number over many values. Plays games through `sim.runs`; draws no page."""

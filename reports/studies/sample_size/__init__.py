"""Says how many games a question needs, and stops runs that have enough. Plays through `sim.runs`; renders no pages."""

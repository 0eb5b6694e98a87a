"""What short runs promised, held against later runs. Plays games through `sim.runs`; does not render pages."""

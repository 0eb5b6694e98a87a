"""Parts of a faction taken away or changed, and interventions. Plays games through `sim.runs`; draws no page."""

"""Tests how verdicts depend on stand-ins and open rules. Plays games through `sim.runs`; does not render pages."""

"""Imperium: Classics and Legends."""

LOOPS_STAY = True
"""Its loops are compiled as they are (`sim.sources.loops_stay`): most go over the few cards of a hand."""

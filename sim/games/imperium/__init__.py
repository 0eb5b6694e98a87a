"""Imperium (Classics and Legends): rules as kernels, data, positions."""

LOOPS_STAY = True
"""Loops are compiled without unrolling (`sim.compiler.source_digest.loops_stay`), because most of them run over the few
cards in a hand."""

"""Kernels: the rules of 7 Wonders, by chapter. They import only rules, `sim.engine` and `sim.compiler`."""

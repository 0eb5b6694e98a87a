"""Kernels: the rules of Imperium, by chapter. They import only rules, `sim.engine` and `sim.compiler`."""

"""Kernels: the rules of History of the World, by chapter. They import only rules, `sim.engine` and `sim.compiler`."""

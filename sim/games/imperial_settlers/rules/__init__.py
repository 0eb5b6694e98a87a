"""Kernels: the rules of Imperial Settlers, by chapter. They import only rules, `sim.engine` and `sim.compiler`."""

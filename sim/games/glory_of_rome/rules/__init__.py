"""Kernels: the rules of The Glory of Rome, by chapter. They import only rules, `sim.engine` and `sim.compiler`."""

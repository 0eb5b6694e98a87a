"""Imperial Settlers: rules as kernels, data, positions."""

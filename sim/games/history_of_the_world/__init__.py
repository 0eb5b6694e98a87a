"""History of the World: rules as kernels, data, positions."""

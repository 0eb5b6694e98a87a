"""7 Wonders, first edition: rules as kernels, data, positions, recorded games."""

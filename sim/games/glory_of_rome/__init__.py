"""The Glory of Rome: rules as kernels, data, positions."""

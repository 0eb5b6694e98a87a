"""Individual terms of the evaluation function of The Glory of Rome's players, used by `decisions`."""

"""Run folders on disk: manifest, parts, locks, checkpoints, atomic writes. Only `repair` and `resume` play games."""

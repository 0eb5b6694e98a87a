"""Run folders on disk: manifest, parts, locks, checkpoints, atomic writes. Only `repair` plays games."""

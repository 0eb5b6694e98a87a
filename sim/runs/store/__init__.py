"""Run folders on disk: manifest, parts, locks, checkpoints, atomic writes. Nothing here plays a game but `repair`."""

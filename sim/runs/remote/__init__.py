"""Runs played by a cluster or stored at a URL. How a local run is played and stored is in `runs` and `runs/store`."""

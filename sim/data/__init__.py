"""Data under `configs/` and of users: read, checked, changed and told, in plain Python."""

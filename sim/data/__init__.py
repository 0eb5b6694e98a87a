"""TOML and JSON: files read, validated, changed and written. Knows no kernel and no game."""

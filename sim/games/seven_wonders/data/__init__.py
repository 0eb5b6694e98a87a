"""The TOML files of 7 Wonders: row models, checks, and compilation to tables. It contains no rules."""

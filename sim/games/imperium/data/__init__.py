"""The TOML files of Imperium: row models, checks, and compilation to tables. It contains no rules."""

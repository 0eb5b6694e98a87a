"""The TOML files of Imperium: row models, checks, and compilation to tables. This package contains no rules."""

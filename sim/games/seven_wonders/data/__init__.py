"""The TOML files of 7 Wonders: row models, checks and compilation to tables. There are no rules here."""

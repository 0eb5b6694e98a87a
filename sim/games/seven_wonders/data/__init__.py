"""The TOML files of 7 Wonders: row models, checks, and how they become tables. No rules are played here."""

"""The TOML files of History of the World: row models, checks, and how they become tables. No rules are played here."""

"""The TOML files of Imperial Settlers: row models, checks, and how they become tables. No rules are played here."""

"""The TOML files of Imperium: row models, checks, and how they become tables. No rules are played here."""

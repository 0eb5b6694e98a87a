"""The TOML files of The Glory of Rome: row models, checks, and how they become tables. No rules are played here."""

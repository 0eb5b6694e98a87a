"""The TOML files of The Glory of Rome: row models, checks and compilation to tables. There are no rules here."""

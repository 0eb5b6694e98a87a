"""The TOML files of History of the World: row models, checks and compilation to tables. There are no rules here."""

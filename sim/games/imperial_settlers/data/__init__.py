"""The TOML files of Imperial Settlers: row models, checks, and compilation to tables. Contains no rules."""

"""The TOML files of Imperial Settlers: row models, checks, and compilation to tables. It contains no rules."""

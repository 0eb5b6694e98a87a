"""The TOML files of Imperial Settlers: row models, checks, compilation to tables. This package contains no rules."""

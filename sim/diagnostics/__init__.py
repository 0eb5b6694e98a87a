"""Tools for developers: soak, invariants, benchmarks, fits of learned bonuses. No command of a study needs them."""

"""Tools for developers: soak, invariants, benchmarks, fits of learned bonuses. Studies do not need them."""

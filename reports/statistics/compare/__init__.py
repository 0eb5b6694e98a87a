"""Numbers, errors and tests on what changes between runs, conditions and sides. No sentences and no figures."""

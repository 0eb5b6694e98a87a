"""Numbers, errors and tests on win rates, balance and decisions. No sentences and no figures."""

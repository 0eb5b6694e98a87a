"""Win rates with intervals and families of tests, balance, decisions, power, SPRT. No sentences and no figures."""

"""Numbers, errors and tests on factions: why they win, what they should pay. No sentences and no figures."""

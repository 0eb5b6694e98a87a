"""Numbers, errors and tests on the course of games: luck, leads, endings. No sentences and no figures."""

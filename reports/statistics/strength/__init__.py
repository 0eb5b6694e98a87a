"""Numbers, errors and tests on strength: ratings, matchups, ladder, equilibria. No sentences and no figures."""

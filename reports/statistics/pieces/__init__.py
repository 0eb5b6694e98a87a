"""Numbers, errors and tests on cards and other pieces, and picks. No sentences and no figures."""

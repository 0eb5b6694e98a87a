"""Win rates with intervals and families of tests, balance, decisions, power, SPRT. Contains no sentences or figures."""

"""Estimates and tests on cards and other pieces, and on picks. Contains no sentences or figures."""

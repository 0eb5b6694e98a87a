"""Estimates and tests on how games develop: luck, leads, endings. Contains no sentences or figures."""

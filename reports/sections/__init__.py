"""Makes sentences, tables and figures from statistics, by subject. Makes no estimates and plays no games.

Arguments of the same name mean the same everywhere: `run` is from `load_run`, `manifest` its `run.json`, `margin` the
fraction up to which an edge counts as balanced, `rate` the error rate of all that a section says, `family` the name of
the tests that limits are corrected for, and `ax` the axes to draw on, new ones by default.
"""

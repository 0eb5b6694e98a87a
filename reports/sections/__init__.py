"""Makes sentences, tables and figures from statistics, by subject. Makes no estimates and plays no games.

Arguments of the same name have the same meaning everywhere: `run` comes from `load_run`. `manifest` is its `run.json`.
An edge is a win rate minus the fair share; up to the fraction `margin` it counts as balanced. `rate` is the error rate
of all claims of a section. `family` names the tests for which limits are corrected. `ax` are the axes to draw on; by
default new ones are made.
"""

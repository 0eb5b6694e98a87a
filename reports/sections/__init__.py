"""Makes sentences, tables and figures from statistics, by subject. Makes no estimates and plays no games.

Arguments of the same name have the same meaning everywhere: `run` is from `load_run`, `manifest` its `run.json`,
`margin` the fraction up to which an edge counts as balanced, `rate` the error rate of all claims of a section, `family`
the name of the tests for which limits are corrected, and `ax` the axes to draw on, by default new ones.
"""

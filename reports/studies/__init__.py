"""Studies that play games: comparisons, searches, sweeps, prices, ladders. They do not render pages.

Parameters that studies share are described here only. `jobs` is the number of workers (-1 for all cores). Results do
not depend on it. `say` takes messages, `progress` takes the number of games just finished, and `expect` takes the
largest number of games still to come. `store` keeps sums, so that a search can be resumed. `overwrite` says whether
other runs may be replaced. `command` is written to manifests.
"""

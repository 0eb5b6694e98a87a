"""Studies that play games: comparisons, searches, sweeps, prices, ladders. They do not render pages.

Parameters that studies share are described here only. `jobs` is the number of workers (-1 for all cores). Results do
not depend on it. `say` takes messages, `progress` takes the number of games just finished, and `expect` takes the
largest number of games still to come. `bar` takes a label and a number of games, and returns a context that takes the
number of games just finished. `store` keeps sums, so that a search can be resumed. `trust` says whether Python players
of a run may be executed, and `overwrite` whether other runs may be replaced. `command` is written to manifests.
"""

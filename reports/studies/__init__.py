"""Studies that play games: comparisons, searches, sweeps, prices, ladders. They do not render pages.

Parameters that studies share are described here only: `jobs` is the number of workers (-1 for all cores; results are
the same for any), `say` takes messages, `progress` the number of games just finished, `expect` the largest number still
to come. `store` keeps sums for a resumed search, `overwrite` replaces other runs, `command` goes into manifests.
"""

"""Studies that play games: comparisons, searches, sweeps, prices, ladders. They do not render pages.

An arm is one version of a game, played on the same deals as the other arms. An edge is a win rate minus the fair share,
which is 1/players. A block is one deal, played in all rotations of the seats, or one game if players do not rotate.

Parameters that studies share are described here only. `jobs` is the number of workers (-1 for all cores). Results do
not depend on it. `say` takes messages, `progress` takes the number of games just finished, and `expect` takes the
largest number of games still to come. `bar` takes a label and a number of games, and returns a context manager for a
progress bar. It yields a function that advances the bar by a number of games. `store` saves the sums of played games on
disk, so that a search can be resumed. `trust` says whether Python players of a run may be executed, and `overwrite`
whether other runs may be replaced. `command` is written to manifests.
"""

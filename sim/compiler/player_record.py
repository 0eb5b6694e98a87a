"""The players of a run as kernels see them: weights, temperatures, addresses of scoring functions."""

from __future__ import annotations

import numpy as np

from sim.compiler.fast_record import FieldRecord

MAX_WEIGHTS = 64
"""Weights a script may have."""
MAX_PREPARED = 4608
"""Numbers a script may prepare from its weights: a few for each card of a large game."""
ALL_NOTES = 1 << 20
"""More notes than any game has."""
STRATEGY_SLOTS = 32
"""Strategies one run can hold; `LINEUP` always has this size, so one compiled kernel serves all runs."""

MAX_DECISIONS = 64
"""Kinds of decisions of a game that can be searched."""
MAX_ROUNDS_LEFT, MAX_PROSPECTS = 8, 12
"""Rounds left at a search horizon at most, and quantities counted there to judge the game (`Game.prospects`)."""

SEARCH = np.dtype(
    (
        FieldRecord,
        [
            ("rollouts", np.int64),  # at most for each option; 0: no search
            # By kind of decision: options rolled out, the best by the base's scores; rounds of a rollout, 0 for all;
            # value of one unit of the base's score
            ("options", np.int64, (MAX_DECISIONS,)),
            ("horizon", np.int64, (MAX_DECISIONS,)),
            ("prior", np.float64, (MAX_DECISIONS,)),
            ("halves", np.int64),  # 1: sequential halving of the options
            ("value", np.int64),  # place in `sim.players.strategy.VALUES`
            ("lead_scale", np.float64),
            ("looks_out", np.int64),  # 1: a kernel of the game judges the horizon
            # Weight of each of the game's prospects, by rounds left, from 1
            ("outlook", np.float64, (MAX_ROUNDS_LEFT, MAX_PROSPECTS)),
            ("model_temperature", np.float64),  # of all players in rollouts
            ("decisions", np.int64),  # bit d: decision d is searched
            # Addresses: the base's scoring function, kernels of the game, and `sim.players.search_memory`
            ("own_score", np.uint64),
            ("forced", np.uint64),
            ("play_rest", np.uint64),
            ("redeal", np.uint64),
            ("room", np.uint64),
        ],
    )
)
"""How a strategy searches (`sim.players.search`)."""

WEIGHTS = np.dtype(
    (
        FieldRecord,
        [
            ("weight", np.float64, (MAX_WEIGHTS,)),  # in the order of the script's parameters
            ("prepared", np.float64, (MAX_PREPARED,)),  # computed once for the run by `Script.prepare`
            ("temperature", np.float64),
            ("kept_notes", np.int64),  # first notes that stay from one decision to the next
            ("script", np.int64),  # number of the script in the run, from 1
            # Addresses of the function that scores all options at once, and of the one that scores a single option
            ("score_all", np.uint64),
            ("score_one", np.uint64),
            # In a checked run: addresses of the strategy's own function, and of memory (`sim.players.readonly_check`)
            ("own_score", np.uint64),
            ("scratch", np.uint64),
            # In a guarded run: address of a user's function, and of the mark that is set while it runs
            ("guarded", np.uint64),
            ("mark", np.uint64),
            ("search", SEARCH),
        ],
    )
)
"""dtype of one strategy at a table; a scoring function gets the record as its last argument `w`."""

# A record, not an array: passing arrays on costs kernels a tenth of the time, for counting references.
LINEUP = np.dtype((FieldRecord, [("seats", WEIGHTS, (STRATEGY_SLOTS,))]))
"""The weights of all strategies of a run."""

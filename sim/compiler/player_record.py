"""The players of a run as kernels see them: scoring functions, weights, temperatures."""

from __future__ import annotations

import numpy as np

from sim.compiler.fast_record import FieldRecord

MAX_WEIGHTS = 64
"""Weights a script may have."""
MAX_PREPARED = 4608
"""Numbers a script may prepare from them: some for each card of a large game."""
ALL_NOTES = 1 << 20
"""More notes than any game has."""
STRATEGY_SLOTS = 32
"""Strategies one run can hold; `LINEUP` always has room for so many, so one compiled kernel serves all."""

MAX_DECISIONS = 64
"""Kinds of decisions that a game may have to be searched."""
MAX_ROUNDS_LEFT, MAX_PROSPECTS = 8, 12
"""Rounds that may be left at a horizon, and things counted there that make up the chance to win (`Game.prospects`)."""

SEARCH = np.dtype(
    (
        FieldRecord,
        [
            ("rollouts", np.int64),  # at most for each option; 0: the player does not look ahead
            # By the number of the decision: how many options are played on, the best by the base's own scores; rounds
            # played on, 0 to the end of the game; worth of one unit of the base's score
            ("options", np.int64, (MAX_DECISIONS,)),
            ("horizon", np.int64, (MAX_DECISIONS,)),
            ("prior", np.float64, (MAX_DECISIONS,)),
            ("halves", np.int64),  # whether the worse half of them is dropped from time to time
            ("value", np.int64),  # place in `sim.players.strategy.VALUES`
            ("lead_scale", np.float64),
            ("looks_out", np.int64),  # whether the chance to win is judged at the horizon
            # What each of the game's prospects counts for it, by rounds left, from 1
            ("outlook", np.float64, (MAX_ROUNDS_LEFT, MAX_PROSPECTS)),
            ("model_temperature", np.float64),  # of all players in what is played on
            ("decisions", np.int64),  # bit d: decision d is searched
            # Addresses: the base's scoring function, the game's kernels, and memory (`sim.players.search_memory`) for
            ("own_score", np.uint64),
            ("forced", np.uint64),
            ("play_rest", np.uint64),
            ("redeal", np.uint64),
            ("room", np.uint64),
        ],
    )
)
"""How a strategy looks ahead (`sim.players.search`)."""

WEIGHTS = np.dtype(
    (
        FieldRecord,
        [
            ("weight", np.float64, (MAX_WEIGHTS,)),  # in the order of the script's parameters
            ("prepared", np.float64, (MAX_PREPARED,)),  # worked out once for the run, see `Script.prepare`
            ("temperature", np.float64),
            ("kept_notes", np.int64),  # how many of the first notes stay from one decision to the next
            ("script", np.int64),  # number of the script in the run, from 1
            # Address of what scores all options of a decision at once, and of the function whose scores it gives
            ("score_all", np.uint64),
            ("score_one", np.uint64),
            # In a checked run: addresses of the strategy's own function, and of memory (`sim.players.readonly_check`)
            ("own_score", np.uint64),
            ("scratch", np.uint64),
            # In a guarded run: address of a user's own function, and of the mark that tells when it is at work
            ("guarded", np.uint64),
            ("mark", np.uint64),
            ("search", SEARCH),
        ],
    )
)
"""What one strategy brings to the table; a scoring function gets it as its last argument `w`."""

# A record, not an array: kernels hand it on without counting references, which would cost a tenth of the time.
LINEUP = np.dtype((FieldRecord, [("seats", WEIGHTS, (STRATEGY_SLOTS,))]))
"""The weights of all strategies of a run."""

"""The players of a run as kernels see them: scoring functions, weights, temperatures."""

from __future__ import annotations

import numpy as np

MAX_WEIGHTS = 64
"""Weights a script may have."""
MAX_PREPARED = 4096
"""Numbers a script may prepare from them: some for each card of a large game."""
ALL_NOTES = 1 << 20
"""More notes than any game has."""
STRATEGY_SLOTS = 32
"""Strategies one run can hold; `LINEUP` always has room for so many, so one compiled kernel serves all."""

WEIGHTS = np.dtype(
    (
        np.record,
        [
            ("weight", np.float64, (MAX_WEIGHTS,)),  # in the order of the script's parameters
            ("prepared", np.float64, (MAX_PREPARED,)),  # worked out once for the run, see `Script.prepare`
            ("temperature", np.float64),
            ("kept_notes", np.int64),  # how many of the first notes stay from one decision to the next
            ("script", np.int64),  # number of the script in the run, from 1
            # In a checked run: addresses of the strategy's own function, and of memory (`sim.checking`)
            ("own_score", np.uint64),
            ("scratch", np.uint64),
        ],
    )
)
"""What one strategy brings to the table; a scoring function gets it as its last argument `w`."""

# A record, not an array: kernels hand it on without counting references, which would cost a tenth of the time.
LINEUP = np.dtype((np.record, [("seats", WEIGHTS, (STRATEGY_SLOTS,))]))
"""The weights of all strategies of a run."""

"""What Goofspiel supplies to the harness of hidden information: see `tests/kit/hidden.py`."""

from typing import Any

import numpy as np

from docs.examples.goofspiel.turns import BID, NO_CARD

CHANGED, POSITIONS = 1 / 5, 20
KINDS = (BID,)
DEALT = {"deck", "bid", "rng_words", "rng_drawn"}
LEFT_OVER = {"answer", "answer_drawn", "notes", "option_card", "option_count", "option_score", "rng_words"}


def seen(g: Any, _t: Any, me: int) -> Any:
    """The prizes that have been turned up, and the seat's own bid."""
    return g.deck[: g.turned].tolist(), int(g.bid[me])


def pieces(g: Any, t: Any) -> Any:
    """All prizes."""
    return sorted(g.deck[: t.ranks].tolist())


def scramble(g: Any, _before: Any, _t: Any, me: int, random: np.random.Generator) -> None:
    """Let some others have bid again."""
    for seat in range(g.players):
        held = np.flatnonzero(g.holds[seat])
        if seat != me and held.size:
            g.bid[seat] = random.choice([NO_CARD, *held])
    g.rng_drawn[:] = random.integers(0, 100, g.rng_drawn.shape)


def sees_the_next_prize(g: Any, t: Any, _me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.deck[min(g.turned, t.ranks - 1)])


def sees_bids(g: Any, _t: Any, me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(sum(g.bid[seat] for seat in range(g.players) if seat != me))


CHEATS = (sees_the_next_prize, sees_bids)


def honest(g: Any, _t: Any, me: int, _decision: int, option: int, _w: Any) -> float:
    return float(g.holds[me].sum() + g.at_stake + g.deck[g.turned - 1] + g.option_card[option])

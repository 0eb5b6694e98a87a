"""What Imperial Settlers supplies to the harness of hidden information: see `tests/kit/hidden.py`."""

from collections import Counter
from typing import Any

import numpy as np

from sim.games.imperial_settlers.rules.constants import (
    BRANCH,
    DECK,
    DRAW,
    FOUNDATIONS,
    GIVE_UP,
    HAND,
    KEEP,
    LOOKED,
    MARKERS,
    MORE_PAIRS,
    PACK,
    PAY,
    PICK,
    SOURCE,
    TABLE,
    TAKE,
    TUCKED,
    TURN,
    ZONES,
)
from tests.kit.hidden import cards_in, scramble_beyond_zones

HIDDEN = (HAND, DECK, FOUNDATIONS, TUCKED, PACK, LOOKED, MARKERS)
"""Zones in which cards may lie unseen."""
CHANGED, POSITIONS = 1 / 3, 100
KINDS = (TURN, TAKE, DRAW, GIVE_UP, PAY, BRANCH, KEEP, MORE_PAIRS, SOURCE)
DEALT = {
    *("zone", "knows", "knows_deck", "heap", "came", "laid", "host", "unseen"),
    *("rng_game", "rng_drawn", "rng_words", "notes"),
}
LEFT_OVER = {"rng_words", "unseen"}
"""Words in stock are those last drawn of a stream, `unseen` is for the dealing alone."""


def seen(g: Any, _t: Any, me: int) -> Any:
    """All open zones, and of the others the cards that the seat knows to lie there."""
    found: dict[object, object] = {}
    for owner in range(TABLE + 1):
        for zone in range(ZONES):
            cards = cards_in(g, owner, zone)
            if zone not in HIDDEN or (owner == me and zone in (HAND, PACK, LOOKED)):
                found[owner, zone] = cards
            else:
                found[owner, zone] = sorted(card for card in cards if g.knows[card] & (1 << me))
    return found


def pieces(g: Any, t: Any) -> Any:
    """Cards that may lie unseen, and how many of each back lie where: backs show the deck."""
    hidden = [(owner, zone) for owner in range(TABLE + 1) for zone in HIDDEN]
    backs = {place: Counter(int(t.deck[card]) for card in cards_in(g, *place)) for place in hidden}
    return Counter(card for place in hidden for card in cards_in(g, *place)), backs


def kind_of_decision(g: Any, decision: int) -> object:
    """Kind of a decision; of a card picked also what it is picked for."""
    return (decision, int(g.asked)) if decision == PICK else decision


def scramble(g: Any, _before: Any, t: Any, _me: int, random: np.random.Generator) -> None:
    """Draw anew what players neither see nor remember, but for hidden cards."""
    scramble_beyond_zones(g, t, random)
    g.score[:] = random.integers(0, 60, g.score.shape)
    for field in ("unseen", "heap", "came", "laid"):
        g[field] = random.integers(0, 60, g[field].shape)


# ---- Cheats ----


def top_of(g: Any, owner: int) -> float:
    """Number of the top card of a deck."""
    size = g.zone_size[owner, DECK]
    return float(g.zone[owner, DECK, size - 1]) if size else 0.0


def sees_own_deck(g: Any, _t: Any, me: int, _decision: int, _option: int, _w: Any) -> float:
    return top_of(g, me)


def sees_the_common_deck(g: Any, _t: Any, _me: int, _decision: int, _option: int, _w: Any) -> float:
    return top_of(g, TABLE)


def sees_a_deck(g: Any, _t: Any, me: int, _decision: int, _option: int, _w: Any) -> float:
    return top_of(g, (me + 1) % g.players)


def sees_a_hand(g: Any, _t: Any, me: int, _decision: int, _option: int, _w: Any) -> float:
    other = (me + 1) % g.players
    return float(g.zone[other, HAND, : g.zone_size[other, HAND]].sum())


CHEATS = (sees_own_deck, sees_the_common_deck, sees_a_deck, sees_a_hand)


def honest(g: Any, _t: Any, me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.zone[me, HAND, : g.zone_size[me, HAND]].sum() + g.zone_size.sum() + g.goods.sum())

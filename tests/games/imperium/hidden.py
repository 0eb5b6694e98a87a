"""What Imperium supplies to the harness of hidden information: see `tests/kit/hidden.py`."""

from collections import Counter
from typing import Any

import numpy as np

from sim.games.imperium.rules.constants import (
    DECISIONS,
    DECK,
    FAME_DECK,
    HAND,
    MAIN_DECK,
    NATION,
    PICK,
    REGION_DECK,
    REMOVED,
    TABLE,
    UNREST_PILE,
    ZONES,
)
from tests.kit.hidden import cards_in, scramble_beyond_zones

HIDDEN_OF_SEATS = (HAND, DECK, NATION)
HIDDEN_OF_TABLE = (*range(REGION_DECK, UNREST_PILE), REMOVED)
CHANGED, POSITIONS = 1 / 3, 100
KINDS = tuple(DECISIONS.index(name) for name in ("turn", "market", "option", "innovate"))
DEALT = {
    *("zone", "knows_zone", "knows_place", "held", "put_back", "unseen"),
    *("rng_game", "rng_drawn", "rng_words", "notes"),
}
LEFT_OVER = {"rng_words", "unseen"}
"""Words in stock are those last drawn of a stream, `unseen` is for the dealing alone."""


def may_hide(owner: int, zone: int) -> bool:
    """Tell whether cards may lie unseen in a zone."""
    return zone in (HIDDEN_OF_TABLE if owner == TABLE else HIDDEN_OF_SEATS)


def seen(g: Any, t: Any, me: int) -> Any:
    """All open zones and the seat's hand, the cards of its deck, and where cards lie that it knows the place of."""
    found: dict[object, object] = {"deck": sorted(cards_in(g, me, DECK))}
    knows_zone, knows_place = (g[name] & (1 << me) for name in ("knows_zone", "knows_place"))
    for owner in range(TABLE + 1):
        for zone in range(ZONES):
            cards = cards_in(g, owner, zone)
            if not may_hide(owner, zone) or (owner == me and zone == HAND):
                found[owner, zone] = cards
                continue
            known = [(place, card) for place, card in enumerate(cards) if knows_zone[card]]
            found[owner, zone] = sorted(card for _, card in known)
            found[owner, zone, "places"] = [
                (place, card) for place, card in known if zone != HAND and knows_place[card]
            ]
    return found


def pieces(g: Any, t: Any) -> Any:
    """All cards that may lie unseen, and of each seat those of its nation deck, and which heaps small decks are of."""
    hidden = [(TABLE, zone) for zone in HIDDEN_OF_TABLE]
    hidden += [(seat, zone) for seat in range(g.players) for zone in HIDDEN_OF_SEATS]
    heaps = [sorted(int(g.heap[card]) for card in cards_in(g, TABLE, deck)) for deck in range(REGION_DECK, MAIN_DECK)]
    nations = [sorted(cards_in(g, seat, NATION)) for seat in range(g.players)]
    return Counter(card for owner, zone in hidden for card in cards_in(g, owner, zone)), nations, heaps


def kind_of_decision(g: Any, decision: int) -> object:
    """Kind of a decision; of a card picked also what it is picked for."""
    return (decision, int(g.asked)) if decision == PICK else decision


def scramble(g: Any, _before: Any, t: Any, _me: int, random: np.random.Generator) -> None:
    """Draw anew what players neither see nor remember, but for hidden cards."""
    scramble_beyond_zones(g, t, random)
    g.score[:] = random.integers(0, 60, g.score.shape)
    g.unseen[:] = random.integers(0, 60, g.unseen.shape)
    for field in ("heap", "held", "put_back"):
        g[field] = random.integers(0, 2, g[field].shape)


# ---- Cheats ----


def sees_own_deck(g: Any, _t: Any, me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.zone[me, DECK, g.zone_size[me, DECK] - 1]) if g.zone_size[me, DECK] else 0.0


def sees_a_hand(g: Any, _t: Any, me: int, _decision: int, _option: int, _w: Any) -> float:
    other = (me + 1) % g.players
    return float(g.zone[other, HAND, : g.zone_size[other, HAND]].sum())


def sees_a_nation_deck(g: Any, _t: Any, me: int, _decision: int, _option: int, _w: Any) -> float:
    other = (me + 1) % g.players
    return float(g.zone[other, NATION, g.zone_size[other, NATION] - 1]) if g.zone_size[other, NATION] else 0.0


def sees_a_market_deck(g: Any, _t: Any, _me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.zone[TABLE, REGION_DECK, g.zone_size[TABLE, REGION_DECK] - 1])


def sees_the_main_deck(g: Any, _t: Any, _me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.zone[TABLE, MAIN_DECK, g.zone_size[TABLE, MAIN_DECK] - 1])


def sees_fame(g: Any, _t: Any, _me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.zone[TABLE, FAME_DECK, 0])


CHEATS = (sees_own_deck, sees_a_hand, sees_a_nation_deck, sees_a_market_deck, sees_the_main_deck, sees_fame)


def honest(g: Any, _t: Any, me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.zone[me, HAND, : g.zone_size[me, HAND]].sum() + g.zone_size.sum() + g.resource.sum())

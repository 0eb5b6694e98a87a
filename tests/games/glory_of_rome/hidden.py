"""What The Glory of Rome supplies to the harness of hidden information: see `tests/kit/hidden.py`."""

from collections import Counter
from typing import Any

import numpy as np

from sim.games.glory_of_rome.rules.constants import ASK_LEVEL, DECISIONS
from sim.games.glory_of_rome.rules.determinize import token_is_hidden

CHANGED, POSITIONS = 1 / 3, 100
KINDS = tuple(kind for kind in range(len(DECISIONS)) if kind != ASK_LEVEL)
"""All but the level of a Pantheon piece, which a setting alone lets players choose."""
DEALT = {
    *("hand", "fresh", "trade_deck", "missions", "mission_deck", "event_deck", "token", "pool", "moved"),
    *("rng_game", "rng_drawn", "rng_words", "notes"),
}
LEFT_OVER = {"rng_words", "pool", "moved"}
"""Words in stock are those last drawn of a stream, `pool` and `moved` are for the dealing alone."""


def cards_in(g: Any, zone: str, seat: int | None = None) -> list[int]:
    """Cards of a deck or a hand, from the bottom up."""
    sizes = {"hand": "hand_size", "missions": "mission_count", "trade_deck": "trade_size", "discard": "discard_size"}
    size = g[sizes.get(zone, zone.replace("deck", "size"))]
    cards = g[zone][:size] if seat is None else g[zone][seat, : size[seat]]
    found: list[int] = cards.tolist()
    return found


def seen(g: Any, t: Any, me: int) -> Any:
    """The seat's cards, those it knows in other hands and of the missions, and a token that it has put itself."""
    found: dict[object, object] = {
        "hand": (cards_in(g, "hand", me), g.fresh[me, : g.hand_size[me]].tolist()),
        "missions": cards_in(g, "missions", me),
        "token": None if token_is_hidden(g, me) else int(g.token),
        "under": [(place, card) for place, card in enumerate(cards_in(g, "mission_deck")) if g.known[me, card]],
    }
    for seat in range(g.players):
        if seat != me:
            doubtful = Counter({card: int(g.doubtful[me, seat, card]) for card in range(t.cards)})
            taker = int(g.taker[seat])
            both = cards_in(g, "hand", seat) + (cards_in(g, "hand", taker) if taker >= 0 else [])
            found["hands", seat] = doubtful & Counter(both)
            known = Counter({card: int(g.seen[me, seat, card]) for card in range(t.cards) if g.seen[me, seat, card]})
            found["hand", seat] = known & Counter(cards_in(g, "hand", seat))
            found["missions", seat] = [card for card in cards_in(g, "missions", seat) if g.known[me, card]]
    return found


def pieces(g: Any, t: Any) -> Any:
    """Trade cards that lie in the deck or in hands, missions likewise, and events to come."""
    hands = Counter(card for seat in range(g.players) for card in cards_in(g, "hand", seat))
    missions = Counter(card for seat in range(g.players) for card in cards_in(g, "missions", seat))
    return (
        Counter(cards_in(g, "trade_deck")) + hands,
        Counter(cards_in(g, "mission_deck")) + missions,
        Counter(cards_in(g, "event_deck")),
    )


def scramble(g: Any, _before: Any, t: Any, me: int, random: np.random.Generator) -> None:
    """Draw anew what players neither see nor remember, but for hidden cards."""
    for field in ("option_kind", "option_card", "option_value", "option_seat", "option_place"):
        g[field][g.option_count :] = random.integers(0, 6, g[field].shape[0] - g.option_count)
    for field, size in (("trade_deck", g.trade_size), ("mission_deck", g.mission_size), ("event_deck", g.event_size)):
        g[field][size:] = random.integers(0, t.cards, g[field].shape[0] - size)
    for seat in range(g.players):
        for field, size in (("hand", g.hand_size[seat]), ("missions", g.mission_count[seat])):
            g[field][seat, size:] = random.integers(0, t.cards, g[field].shape[1] - size)
        # What others have seen is for the dealing alone.
        if seat != me:
            for field in ("seen", "doubtful", "gone", "strangers", "blurred"):
                g[field][seat] = random.integers(0, 2, g[field][seat].shape)
            g.known[seat] = random.integers(0, 2, g.known[seat].shape)
    # Points count the missions of all.
    for field in ("score", "score_after", "pool", "moved"):
        g[field][:] = random.integers(0, 60, g[field].shape)


# ---- Cheats ----


def sees_a_hand(g: Any, _t: Any, me: int, _decision: int, _option: int, _w: Any) -> float:
    other = (me + 1) % g.players
    return float(g.hand[other, : g.hand_size[other]].sum())


def sees_missions(g: Any, _t: Any, me: int, _decision: int, _option: int, _w: Any) -> float:
    other = (me + 1) % g.players
    return float(g.missions[other, : g.mission_count[other]].sum())


def sees_points(g: Any, _t: Any, _me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.score.sum() + g.score_after.sum())


def sees_the_trade_deck(g: Any, _t: Any, _me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.trade_deck[g.trade_size - 1]) if g.trade_size else 0.0


def sees_the_mission_deck(g: Any, _t: Any, _me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.mission_deck[g.mission_size - 1]) if g.mission_size else 0.0


def sees_events_to_come(g: Any, _t: Any, _me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.event_deck[g.event_size - 1]) if g.event_size else 0.0


CHEATS = (sees_a_hand, sees_missions, sees_points, sees_the_trade_deck, sees_the_mission_deck, sees_events_to_come)


def honest(g: Any, _t: Any, me: int, _decision: int, option: int, _w: Any) -> float:
    own = g.hand[me, : g.hand_size[me]].sum() + g.missions[me, : g.mission_count[me]].sum() + g.seen[me].sum()
    return float(own + g.glory.sum() + g.denarii.sum() + g.hand_size.sum() + g.discard_size + g.option_card[option])

"""What History of the World supplies to the harness of hidden information: see `tests/kit/hidden.py`."""

from collections import Counter
from typing import Any

import numpy as np

from sim.games.history_of_the_world.rules.constants import (
    ACT,
    AFTER_LOSS,
    BEGIN,
    CHOOSE_WAY,
    EMPIRE,
    GIVE,
    KEEP_EMPIRE,
    KEEP_EVENT,
    LANDING,
    NO_CARD,
    PLACE,
    REROLL,
    SITE,
)

CHANGED, POSITIONS = 1 / 3, 100
KINDS = (KEEP_EVENT, KEEP_EMPIRE, GIVE, BEGIN, ACT, CHOOSE_WAY, REROLL, AFTER_LOSS, SITE, PLACE, LANDING)
DEALT = {
    *("event_stack", "empire_stack", "empire", "event", "holds", "drafted", "pool", "pool_place"),
    *("rng_game", "rng_drawn", "rng_words", "notes"),
}
LEFT_OVER = {"rng_words", "pool", "pool_place"}
"""Words in stock are those last drawn of a stream, `pool` and `pool_place` are for the dealing alone."""


def cards_of(stack: Any) -> list[int]:
    """Cards of a stack."""
    return [int(card) for card in stack if card != NO_CARD]


def seen(g: Any, t: Any, me: int) -> Any:
    """The cards of the seat, those it has seen pass, empires that were called, and how many cards others have."""
    found: dict[object, object] = {}
    mine = [card for card in range(t.cards) if g.holds[card] == 1 + me]
    found["own"] = (int(g.empire[me]), int(g.event[me]), mine, [int(g.drafted[card]) for card in mine])
    seen_by_me = [card for card in range(t.cards) if g.seen[card] & (1 << me)]
    passed = [card for card in seen_by_me if g.holds[card] or is_out(g, card) or lies_in_a_stack(g, t, card)]
    found["passed"] = passed
    found["open"] = [int(g.empire[seat]) for seat in range(g.players) if g.called[seat]]
    hands = [Counter(int(t.epoch[card]) for card in range(t.cards) if g.holds[card] == 1 + s) for s in range(g.players)]
    found["others"] = (hands, [bool(card == NO_CARD) for card in (*g.empire, *g.event)])
    if g.classic:
        found["given"] = [(card, int(g.holds[card]), (g.empire == card).tolist()) for card in seen_by_me]
    return found


def is_out(g: Any, card: int) -> bool:
    """Tell whether a card is an empire that a seat has chosen."""
    return bool((g.empire == card).any())


def lies_in_a_stack(g: Any, t: Any, card: int) -> bool:
    """Tell whether a card lies in the stack of its epoch."""
    stack = g.empire_stack if t.kind[card] == EMPIRE else g.event_stack
    return card in cards_of(stack[t.epoch[card]])


def pieces(g: Any, t: Any) -> Any:
    """How many cards of each epoch and kind lie in stacks and hands, and that none lies twice."""
    hidden = [card for stacks in (g.event_stack, g.empire_stack) for stack in stacks for card in cards_of(stack)]
    hidden += [card for card in range(t.cards) if g.holds[card]]
    hidden += [int(card) for card in g.empire if card != NO_CARD]
    return Counter((int(t.epoch[card]), t.kind[card] == EMPIRE) for card in hidden), max(Counter(hidden).values())


def scramble(g: Any, _before: Any, t: Any, me: int, random: np.random.Generator) -> None:
    """Draw anew what players neither see nor remember, but for hidden cards."""
    for field in ("option_kind", "option_card", "option_value", "option_seat", "option_land"):
        g[field][g.option_count :] = random.integers(0, 6, g[field].shape[0] - g.option_count)
    # Who else has seen which card is for the dealing alone.
    g.seen[:] = (g.seen & (1 << me)) | (random.integers(0, 64, g.seen.shape) & ~(1 << me))
    g.score[:] = random.integers(0, 60, g.score.shape)
    g.pool[:] = random.integers(0, t.cards, g.pool.shape)
    g.pool_place[:] = random.integers(0, t.cards, g.pool_place.shape)


# ---- Cheats ----


def sees_an_event(g: Any, t: Any, me: int, _decision: int, _option: int, _w: Any) -> float:
    other = 1 + (me + 1) % g.players
    return float(sum(card for card in range(t.empires, t.cards) if g.holds[card] == other))


def sees_who_drafted_what(g: Any, _t: Any, me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.event[(me + 1) % g.players])


def sees_an_empire(g: Any, _t: Any, me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.empire[(me + 1) % g.players])


def sees_empires_to_come(g: Any, t: Any, _me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.empire_stack[t.epochs - 1, 0])


def sees_events_to_come(g: Any, t: Any, _me: int, _decision: int, _option: int, _w: Any) -> float:
    return float(g.event_stack[t.epochs - 1].sum())


CHEATS = (sees_an_event, sees_who_drafted_what, sees_an_empire, sees_empires_to_come, sees_events_to_come)


def honest(g: Any, t: Any, me: int, _decision: int, option: int, _w: Any) -> float:
    mine = sum(card for card in range(t.cards) if g.holds[card] == 1 + me)
    return float(mine + g.empire[me] + g.points.sum() + g.army.sum() + g.armies + g.option_card[option])

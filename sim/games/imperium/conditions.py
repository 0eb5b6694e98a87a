"""Conditions and counters of effects, and what a card requires to be played."""

from __future__ import annotations

from sim.games.imperium.counting import active_quest, count_garrisoned, count_icons, count_of
from sim.games.imperium.stack import count_in_play, is_in_zone
from sim.games.imperium.state import (
    ABANDONED,
    ABANDONED_CARD,
    DRAWN,
    EXILED_CARD,
    GARRISON,
    HISTORY,
    NO_CARD,
    PLAY,
    RETURNED,
)
from sim.games.imperium.words import (
    ABANDONED_CARDS,
    ABANDONED_LACKS,
    CARDS_GARRISONED,
    CARDS_IN_PLAY,
    COUNT_IN_PLAY_AT_LEAST,
    EXILED_WAS,
    GARRISONED_HERE_AT_LEAST,
    HAS_DRAWN,
    ICONS_IN_PLAY,
    IN_HISTORY,
    IN_PLAY,
    NO_ACTIVE_QUEST,
    NOTHING,
    OPERATION,
    REQUIRE,
    REQUIRE_PROGRAM,
    RESOURCE_AT_LEAST,
    STATE_IS,
    A,
    B,
    C,
)
from sim.jit import Record, kernel


@kernel
def holds(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether the condition of an instruction holds for a seat."""
    condition = t.code[at, A]
    first = int(t.code[at, B])
    second = t.code[at, C]
    if condition == STATE_IS:
        return bool(g.state[seat] == first)
    if condition == IN_PLAY:
        return is_in_zone(g, t, seat, PLAY, first)
    if condition == IN_HISTORY:
        return is_in_zone(g, t, seat, HISTORY, first)
    if condition == COUNT_IN_PLAY_AT_LEAST:
        return bool(count_in_play(g, t, seat, first) >= second)
    if condition == NO_ACTIVE_QUEST:
        return active_quest(g, t, seat) == NO_CARD
    if condition == RESOURCE_AT_LEAST:
        return bool(g.resource[seat, first] >= second)
    if condition == GARRISONED_HERE_AT_LEAST:
        return bool(count_garrisoned(g, t, seat, first, own, NOTHING) >= second)
    return effect_holds(g, t, root, condition, first)


@kernel
def effect_holds(g: Record, t: Record, root: int, condition: int, selector: int) -> bool:
    """Tell whether a condition on what the effect has done so far holds."""
    if condition == ABANDONED_LACKS:
        return bool(g.frame[root, ABANDONED] > 0 and t.selector[selector, g.frame[root, ABANDONED_CARD]] == 0)
    if condition == EXILED_WAS:
        card = g.frame[root, EXILED_CARD] - 1
        return bool(card >= 0 and t.selector[selector, card] != 0)
    return bool(condition == HAS_DRAWN and g.frame[root, DRAWN] > 0)


@kernel
def counted(g: Record, t: Record, root: int, seat: int, counter: int, argument: int) -> int:
    """Count what an effect gives something for."""
    if counter == CARDS_IN_PLAY:
        return count_in_play(g, t, seat, argument)
    if counter == ICONS_IN_PLAY:
        return count_icons(g, t, seat, argument)
    if counter == CARDS_GARRISONED:
        return count_of(g, t, seat, argument, 1 << GARRISON)
    return int(g.frame[root, ABANDONED if counter == ABANDONED_CARDS else RETURNED])


@kernel
def meets_requirements(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether what a card requires to be played holds."""
    at = int(t.program[card, REQUIRE_PROGRAM])
    if at != 0:
        while t.code[at, OPERATION] == REQUIRE:
            if not holds(g, t, 0, seat, card, at):
                return False
            at += 1
    return True

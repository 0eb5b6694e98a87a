"""Conditions and counters of effects, and what a card requires to be played."""

from __future__ import annotations

from sim.games.imperium import words
from sim.games.imperium.counting import active_quest, count_garrisoned, count_icons, count_of
from sim.games.imperium.stack import count_in_play, is_in_zone
from sim.jit import Record, kernel


@kernel
def holds(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether the condition of an instruction holds for a seat."""
    condition = t.code[at, words.A]
    first = int(t.code[at, words.B])
    second = t.code[at, words.C]
    if condition == words.STATE_IS:
        return bool(g.state[seat] == first)
    if condition == words.IN_PLAY:
        return is_in_zone(g, t, seat, words.PLAY, first)
    if condition == words.IN_HISTORY:
        return is_in_zone(g, t, seat, words.HISTORY, first)
    if condition == words.COUNT_IN_PLAY_AT_LEAST:
        return bool(count_in_play(g, t, seat, first) >= second)
    if condition == words.NO_ACTIVE_QUEST:
        return active_quest(g, t, seat) == words.NO_CARD
    if condition == words.RESOURCE_AT_LEAST:
        return bool(g.resource[seat, first] >= second)
    if condition == words.GARRISONED_HERE_AT_LEAST:
        return bool(count_garrisoned(g, t, seat, first, own, words.NOTHING) >= second)
    return effect_holds(g, t, root, condition, first)


@kernel
def effect_holds(g: Record, t: Record, root: int, condition: int, selector: int) -> bool:
    """Tell whether a condition on what the effect has done so far holds."""
    if condition == words.ABANDONED_LACKS:
        return bool(
            g.frame[root, words.ABANDONED] > 0 and t.selector[selector, g.frame[root, words.ABANDONED_CARD]] == 0
        )
    if condition == words.EXILED_WAS:
        card = g.frame[root, words.EXILED_CARD] - 1
        return bool(card >= 0 and t.selector[selector, card] != 0)
    return bool(condition == words.HAS_DRAWN and g.frame[root, words.DRAWN] > 0)


@kernel
def counted(g: Record, t: Record, root: int, seat: int, counter: int, argument: int) -> int:
    """Count what an effect gives something for."""
    if counter == words.CARDS_IN_PLAY:
        return count_in_play(g, t, seat, argument)
    if counter == words.ICONS_IN_PLAY:
        return count_icons(g, t, seat, argument)
    if counter == words.CARDS_GARRISONED:
        return count_of(g, t, seat, argument, 1 << words.GARRISON)
    return int(g.frame[root, words.ABANDONED if counter == words.ABANDONED_CARDS else words.RETURNED])


@kernel
def meets_requirements(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether what a card requires to be played holds."""
    at = int(t.program[card, words.REQUIRE_PROGRAM])
    if at != 0:
        while t.code[at, words.OPERATION] == words.REQUIRE:
            if not holds(g, t, 0, seat, card, at):
                return False
            at += 1
    return True

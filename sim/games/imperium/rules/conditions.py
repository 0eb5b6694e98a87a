"""Conditions and counters of effects, and requirements for playing a card.

`own` is the card with the effect, `root` the frame in which the effect began, and `at` a row of the effect code.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.counting import active_quest, count_garrisoned, count_icons, count_of
from sim.games.imperium.rules.stack import count_in_play, is_in_zone


@kernel
def holds(g: Record, t: Record, root: int, seat: int, own: int, at: int) -> bool:
    """Tell whether the condition of an instruction holds for a seat."""
    condition = t.code[at, constants.A]
    first = int(t.code[at, constants.B])
    second = t.code[at, constants.C]
    if condition == constants.STATE_IS:
        return bool(g.state[seat] == first)
    if condition == constants.IN_PLAY:
        return is_in_zone(g, t, seat, constants.PLAY, first)
    if condition == constants.IN_HISTORY:
        return is_in_zone(g, t, seat, constants.HISTORY, first)
    if condition == constants.COUNT_IN_PLAY_AT_LEAST:
        return bool(count_in_play(g, t, seat, first) >= second)
    if condition == constants.NO_ACTIVE_QUEST:
        return active_quest(g, t, seat) == constants.NO_CARD
    if condition == constants.RESOURCE_AT_LEAST:
        return bool(g.resource[seat, first] >= second)
    if condition == constants.GARRISONED_HERE_AT_LEAST:
        return bool(count_garrisoned(g, t, seat, first, own, constants.NOTHING) >= second)
    return effect_holds(g, t, root, condition, first)


@kernel
def effect_holds(g: Record, t: Record, root: int, condition: int, selector: int) -> bool:
    """Tell whether a condition holds. The condition is about what the effect has done so far."""
    if condition == constants.ABANDONED_LACKS:
        return bool(
            g.frame[root, constants.ABANDONED] > 0
            and t.selector[selector, g.frame[root, constants.ABANDONED_CARD]] == 0
        )
    if condition == constants.EXILED_WAS:
        card = g.frame[root, constants.EXILED_CARD] - 1
        return bool(card >= 0 and t.selector[selector, card] != 0)
    return bool(condition == constants.HAS_DRAWN and g.frame[root, constants.DRAWN] > 0)


@kernel
def count_things(g: Record, t: Record, root: int, seat: int, counter: int, argument: int) -> int:
    """Return the value of a counter, such as the number of cards in play that match a selector."""
    if counter == constants.CARDS_IN_PLAY:
        return count_in_play(g, t, seat, argument)
    if counter == constants.ICONS_IN_PLAY:
        return count_icons(g, t, seat, argument)
    if counter == constants.CARDS_GARRISONED:
        return count_of(g, t, seat, argument, 1 << constants.GARRISON)
    if counter == constants.CARDS_IN_DEVELOPMENT:
        return count_of(g, t, seat, argument, 1 << constants.DEVELOPMENT)
    return int(g.frame[root, constants.ABANDONED if counter == constants.ABANDONED_CARDS else constants.RETURNED])


@kernel
def meets_requirements(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether a seat meets the requirements for playing a card."""
    at = int(t.program[card, constants.REQUIRE_PROGRAM])
    if at != 0:
        while t.code[at, constants.OPERATION] == constants.REQUIRE:
            if not holds(g, t, 0, seat, card, at):
                return False
            at += 1
    return True

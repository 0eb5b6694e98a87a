"""Possible targets of a seat's actions and cards (rulebook: Pass, Protection)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.options import offer
from sim.games.imperial_settlers.rules import constants


@kernel
def is_open_to(g: Record, seat: int, other: int) -> bool:
    """Tell whether another seat may be targeted: an opponent who has not passed, or the virtual player."""
    if g.solo != 0:
        return other == constants.VIRTUAL
    return bool(other != seat and other < g.players and g.passed[other] == 0)


@kernel
def protection(g: Record, card: int) -> int:
    """Return how many more raze tokens a defence token and a samurai on a location require."""
    return int(g.defence[card] + g.samurai[card])


@kernel
def may_be_razed(t: Record, card: int) -> bool:
    """Tell whether a location can be razed, by its raze field and its text."""
    return bool(t.razeable[card] != 0)


@kernel
def may_be_razed_by_effect(t: Record, card: int) -> bool:
    """Tell whether an effect can raze a location (open point U16 in rules.toml)."""
    return bool(t.razeable[card] != 0 or (t.raze_effects_need_field == 0 and t.raze_goods[card] == 0))


@kernel
def may_be_removed(t: Record, card: int) -> bool:
    """Tell whether an effect may remove a location from the game (open point U15 in rules.toml)."""
    return bool(t.removal_targets == 0 or t.deck[card] == constants.COMMON)


@kernel
def offer_locations_of_others(g: Record, t: Record, seat: int, operation: int) -> None:
    """Offer the opponents' locations that an operation may target."""
    for other in range(constants.MAX_SEATS):
        if not is_open_to(g, seat, other):
            continue
        for place in range(g.zone_size[other, constants.LOCATIONS]):
            card = int(g.zone[other, constants.LOCATIONS, place])
            if fits(g, t, operation, card):
                offer(g, 0, card, 0, other)


@kernel
def fits(g: Record, t: Record, operation: int, card: int) -> bool:
    """Tell whether an operation may target a certain location of an opponent."""
    if operation == constants.RAZE_OPPONENT:
        return may_be_razed_by_effect(t, card)
    if operation == constants.REMOVE_LOCATION:
        return may_be_removed(t, card)
    if operation == constants.BLOCK_ACTION:
        # Even a location that has been used up can be blocked, because it might be reset.
        open_to_block = g.blocked[card] == 0 and (t.blocked_for == 0 or g.used[card] < t.uses[card])
        return bool(t.kind[card] == constants.ACTION and open_to_block)
    return bool(g.holder[card] == g.owner[card])

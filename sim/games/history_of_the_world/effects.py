"""What abilities and events do (rulebook: Events, Empire abilities): the operations of a card, one after the other."""

from __future__ import annotations

from sim.choosing import Players, choose
from sim.games.history_of_the_world import words
from sim.games.history_of_the_world.log import DISC_PLACED, GAINED_ARMIES, SWAPPED, note
from sim.games.history_of_the_world.options import offer_land
from sim.games.history_of_the_world.scoring import gain_points
from sim.games.history_of_the_world.state import opponents_hold
from sim.games.history_of_the_world.structures import (
    build_fort,
    destroy_structure,
    has_structure,
    icons_of,
    may_get_fort,
    place_capital,
)
from sim.jit import Record, kernel
from sim.kit.options import clear_options
from sim.record import NO_ERROR

LASTING = (
    (1 << words.SPARES_FORTS) | (1 << words.IGNORES_TERRAIN) | (1 << words.IGNORES_MARITIME) | (1 << words.WINS_TIES)
    | (1 << words.SPARES_STRUCTURES) | (1 << words.FIGHTS_AGAIN)
)  # fmt: skip
"""Operations that are in force until the end of the turn, as bits."""
BY_ABILITY, BY_ENHANCEMENT = 0, 1
"""Entries of `g.bonus`, `g.rerolls` and `g.in_force`."""
AT_FOUNDING = (
    LASTING | (1 << words.ICONS_PER_MONUMENT) | (1 << words.BATTLE_BONUS) | (1 << words.ATTACKER_REROLLS)
)  # fmt: skip
"""Operations of an ability that hold from the founding on, without being used."""


@kernel
def waits_to_be_used(t: Record, card: int, step: int) -> bool:
    """Tell whether a card has an ability that is used by itself in a step of the turn."""
    for entry in range(t.effect.shape[1]):
        operation = int(t.effect[card, entry, words.OPERATION])
        if operation == words.NOTHING:
            break
        if (AT_FOUNDING >> operation) & 1 == 0:
            late = operation in (words.FORTS, words.FORTS_PER_ICON) and t.ability_forts == 0
            if step == (words.INACTIVATE if late else words.CONQUEST):
                return True
    return False


@kernel
def can_follow(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether every operation of a card can have its full effect where the rules demand it."""
    for entry in range(t.effect.shape[1]):
        operation = int(t.effect[card, entry, words.OPERATION])
        number = int(t.effect[card, entry, words.A])
        if operation == words.SWAP_ARMIES and (g.supply[seat] < number or lands_meant(g, t, seat, operation) < number):
            return False
        if operation == words.DESTROY and lands_meant(g, t, seat, operation) < number:
            return False
    return True


@kernel
def lands_meant(g: Record, t: Record, seat: int, operation: int) -> int:
    """How many lands an operation could act on."""
    count = 0
    for land in range(t.lands):
        count += int(is_meant(g, seat, operation, land))
    return count


@kernel
def is_meant(g: Record, seat: int, operation: int, land: int) -> bool:
    """Tell whether an operation can act on a land."""
    if operation == words.SWAP_ARMIES:
        return opponents_hold(g, seat, land)
    if operation == words.DESTROY:
        return has_structure(g, land)
    if operation == words.CITIES:
        free = g.capital[land] + g.city[land] == 0 and g.pieces[words.CAPITAL_CITY] > 0
        return bool(free and g.army[land] == seat and g.active[land] != 0)
    return may_get_fort(g, seat, land)


@kernel
def follow_card(g: Record, t: Record, players: Players, seat: int, card: int, founding: bool) -> None:
    """Follow the operations of a card: those that hold from the founding on, or all others."""
    for entry in range(t.effect.shape[1]):
        operation = int(t.effect[card, entry, words.OPERATION])
        if operation == words.NOTHING:
            return
        holds = (AT_FOUNDING >> operation) & 1 != 0
        if t.kind[card] == words.ENHANCEMENT or holds == founding:
            follow(g, t, players, seat, card, operation, int(t.effect[card, entry, words.A]))


@kernel
def follow(g: Record, t: Record, players: Players, seat: int, card: int, operation: int, number: int) -> None:
    """Follow one operation."""
    g.asked_card = card
    # What an enhancement brings does not help a kingdom, what an ability brings ends with its card.
    whose = BY_ENHANCEMENT if t.kind[card] == words.ENHANCEMENT else BY_ABILITY
    if (LASTING >> operation) & 1 != 0:
        g.in_force[whose] |= 1 << operation
    elif operation == words.ICONS_PER_MONUMENT:
        g.icons_needed[whose] = number
    elif operation == words.BATTLE_BONUS:
        g.bonus[whose] += number
    elif operation == words.ATTACKER_REROLLS:
        g.rerolls[whose] += number
    elif operation == words.ARMIES:
        gain_armies(g, seat, number)
    elif operation == words.SIEGE_TOKENS:
        g.siege_tokens += number
        note(g, GAINED_ARMIES, seat, words.NO_LAND, card, number, 0)
    elif operation == words.POINTS:
        gain_points(g, t, players, seat, number, words.EFFECTS)
    elif operation == words.DISCS:
        place_discs(g, t, players, seat, number)
    elif operation == words.FORTS_PER_ICON:
        icons = icons_of(g, t, seat, t.ramparts_count_inactive != 0)
        act_on_lands(g, t, players, seat, card, words.FORTS, number * icons, False)
    elif operation in (words.FORTS, words.CITIES):
        act_on_lands(g, t, players, seat, card, operation, number, False)
    elif operation in (words.SWAP_ARMIES, words.DESTROY):
        act_on_lands(g, t, players, seat, card, operation, number, True)


@kernel
def gain_armies(g: Record, seat: int, number: int) -> None:
    """Gain armies from the supply onto the card; missing ones are siege tokens."""
    armies = min(number, int(g.supply[seat]))
    g.supply[seat] -= armies
    g.armies += armies
    g.siege_tokens += number - armies
    note(g, GAINED_ARMIES, seat, words.NO_LAND, int(g.card), number - armies, armies)


@kernel
def act_on_lands(
    g: Record, t: Record, players: Players, seat: int, card: int, operation: int, number: int, exactly: bool
) -> None:
    """Let a seat name lands, each once, and act on them: exactly so many, or up to so many."""
    g.named[:] = 0
    for _ in range(number):
        clear_options(g)
        for land in range(t.lands):
            if g.named[land] == 0 and is_meant(g, seat, operation, land):
                offer_land(g, operation, land, 0, seat)
        if g.option_count == 0:
            return
        if not exactly:
            offer_land(g, operation, words.NO_LAND, 0, seat)
        land = int(g.option_land[choose(g, t, players, seat, words.TARGET if exactly else words.PLACE)])
        # In a game that has stopped, such as one looked at from outside, the options are still those before.
        if land == words.NO_LAND or g.error != NO_ERROR:
            return
        g.named[land] = 1
        act_on(g, seat, card, operation, land)


@kernel
def act_on(g: Record, seat: int, card: int, operation: int, land: int) -> None:
    """Build in a land, swap its army, or destroy one of its structures without a battle."""
    if operation == words.FORTS:
        build_fort(g, seat, land, card)
    elif operation == words.CITIES:
        place_capital(g, land, True)
    elif operation == words.DESTROY:
        destroy_structure(g, seat, land)
    else:
        owner = int(g.army[land])
        note(g, SWAPPED, seat, land, card, owner, 0)
        g.supply[owner] += 1
        g.supply[seat] -= 1
        g.army[land] = seat
        g.active[land] = int(g.step < words.SCORE)
        g.placed_by[land] = g.card


@kernel
def place_discs(g: Record, t: Record, players: Players, seat: int, number: int) -> None:
    """Place more fleets or caravans, each in a body that a land of an active army touches."""
    for _ in range(number):
        clear_options(g)
        for body in range(t.bodies):
            if g.disc[body] == 0 and touches(g, t, seat, body):
                offer_land(g, words.DISCS, words.NO_LAND, body, seat)
        if g.option_count == 0:
            return
        offer_land(g, words.DISCS, words.NO_LAND, words.NOWHERE, seat)
        body = int(g.option_value[choose(g, t, players, seat, words.PLACE)])
        if body == words.NOWHERE or g.error != NO_ERROR:
            return
        g.disc[body] = 1
        note(g, DISC_PLACED, seat, words.NO_LAND, words.NO_CARD, body, 0)


@kernel
def touches(g: Record, t: Record, seat: int, body: int) -> bool:
    """Tell whether an active army of a seat stands at a body."""
    for entry in range(t.shores.shape[1]):
        land = t.shores[body, entry]
        if land < 0:
            return False
        if g.army[land] == seat and g.active[land] != 0:
            return True
    return False

"""Carries out abilities and events (rulebook: Events, Empire abilities): the operations of a card in order."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.options import clear_options
from sim.engine.state import NO_ERROR
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.log import DISC_PLACED, GAINED_ARMIES, SWAPPED, log_event
from sim.games.history_of_the_world.rules.options import offer_land
from sim.games.history_of_the_world.rules.scoring import gain_points
from sim.games.history_of_the_world.rules.state import opponents_hold
from sim.games.history_of_the_world.rules.structures import (
    build_fort,
    destroy_structure,
    has_structure,
    icons_of,
    may_get_fort,
    place_capital,
)

LASTING = (
    (1 << constants.SPARES_FORTS)
    | (1 << constants.IGNORES_TERRAIN)
    | (1 << constants.IGNORES_MARITIME)
    | (1 << constants.WINS_TIES)
    | (1 << constants.SPARES_STRUCTURES) | (1 << constants.FIGHTS_AGAIN)
)  # fmt: skip
"""Operations that are in force until the end of the turn: bit i stands for operation i."""
BY_ABILITY, BY_ENHANCEMENT = 0, 1
"""Indices into `g.bonus`, `g.rerolls`, `g.in_force` and `g.icons_needed`."""
AT_FOUNDING = (
    LASTING | (1 << constants.ICONS_PER_MONUMENT) | (1 << constants.BATTLE_BONUS) | (1 << constants.ATTACKER_REROLLS)
)  # fmt: skip
"""Operations of an ability that take effect at founding, without a separate action (bits, as in `LASTING`)."""


@kernel
def waits_to_be_used(t: Record, card: int, step: int) -> bool:
    """Tell whether a card has an ability that its player can use, as a separate action, in a step of the turn."""
    for entry in range(t.effect.shape[1]):
        operation = int(t.effect[card, entry, constants.OPERATION])
        if operation == constants.NOTHING:
            break
        if (AT_FOUNDING >> operation) & 1 == 0:
            late = operation in (constants.FORTS, constants.FORTS_PER_ICON) and t.ability_forts == 0
            if step == (constants.INACTIVATE if late else constants.CONQUEST):
                return True
    return False


@kernel
def can_follow(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether a seat can use a card.

    If the card swaps armies or destroys structures, this must be possible in full. Other effects may be partial.
    """
    for entry in range(t.effect.shape[1]):
        operation = int(t.effect[card, entry, constants.OPERATION])
        number = int(t.effect[card, entry, constants.A])
        if operation == constants.SWAP_ARMIES and (
            g.supply[seat] < number or lands_meant(g, t, seat, operation) < number
        ):
            return False
        if operation == constants.DESTROY and lands_meant(g, t, seat, operation) < number:
            return False
    return True


@kernel
def lands_meant(g: Record, t: Record, seat: int, operation: int) -> int:
    """Return the number of lands on which an operation can act."""
    count = 0
    for land in range(t.lands):
        count += int(is_meant(g, seat, operation, land))
    return count


@kernel
def is_meant(g: Record, seat: int, operation: int, land: int) -> bool:
    """Tell whether an operation can act on a land."""
    if operation == constants.SWAP_ARMIES:
        return opponents_hold(g, seat, land)
    if operation == constants.DESTROY:
        return has_structure(g, land)
    if operation == constants.CITIES:
        free = g.capital[land] + g.city[land] == 0 and g.pieces[constants.CAPITAL_CITY] > 0
        return bool(free and g.army[land] == seat and g.active[land] != 0)
    return may_get_fort(g, seat, land)


@kernel
def follow_card(g: Record, t: Record, players: Players, seat: int, card: int, founding: bool) -> None:
    """Carry out a card's operations.

    For an enhancement, carry out all operations. For an ability, carry out only some of them: with `founding`, those
    that take effect at founding; without `founding`, all others.
    """
    for entry in range(t.effect.shape[1]):
        operation = int(t.effect[card, entry, constants.OPERATION])
        if operation == constants.NOTHING:
            return
        holds = (AT_FOUNDING >> operation) & 1 != 0
        if t.kind[card] == constants.ENHANCEMENT or holds == founding:
            follow(g, t, players, seat, card, operation, int(t.effect[card, entry, constants.A]))


@kernel
def follow(g: Record, t: Record, players: Players, seat: int, card: int, operation: int, number: int) -> None:
    """Carry out one operation of a card. `number` is the A of the operation (see `constants`)."""
    g.asked_card = card
    # Effects of enhancements and of abilities are stored separately. Those of an enhancement do not help a kingdom, and
    # those of an ability end when its card has been played.
    whose = BY_ENHANCEMENT if t.kind[card] == constants.ENHANCEMENT else BY_ABILITY
    if (LASTING >> operation) & 1 != 0:
        g.in_force[whose] |= 1 << operation
    elif operation == constants.ICONS_PER_MONUMENT:
        g.icons_needed[whose] = number
    elif operation == constants.BATTLE_BONUS:
        g.bonus[whose] += number
    elif operation == constants.ATTACKER_REROLLS:
        g.rerolls[whose] += number
    elif operation == constants.ARMIES:
        gain_armies(g, seat, number)
    elif operation == constants.SIEGE_TOKENS:
        g.siege_tokens += number
        log_event(g, GAINED_ARMIES, seat, constants.NO_LAND, card, number, 0)
    elif operation == constants.POINTS:
        gain_points(g, t, players, seat, number, constants.EFFECTS)
    elif operation == constants.DISCS:
        place_discs(g, t, players, seat, number)
    elif operation == constants.FORTS_PER_ICON:
        icons = icons_of(g, t, seat, t.ramparts_count_inactive != 0)
        act_on_lands(g, t, players, seat, card, constants.FORTS, number * icons, False)
    elif operation in (constants.FORTS, constants.CITIES):
        act_on_lands(g, t, players, seat, card, operation, number, False)
    elif operation in (constants.SWAP_ARMIES, constants.DESTROY):
        act_on_lands(g, t, players, seat, card, operation, number, True)


@kernel
def gain_armies(g: Record, seat: int, number: int) -> None:
    """Move `number` armies from the supply onto the current card. A siege token replaces each missing army."""
    armies = min(number, int(g.supply[seat]))
    g.supply[seat] -= armies
    g.armies += armies
    g.siege_tokens += number - armies
    log_event(g, GAINED_ARMIES, seat, constants.NO_LAND, int(g.card), number - armies, armies)


@kernel
def act_on_lands(
    g: Record, t: Record, players: Players, seat: int, card: int, operation: int, number: int, exactly: bool
) -> None:
    """Let a seat choose `number` different lands, and act on each. Without `exactly`, the seat may stop earlier."""
    g.named[:] = 0
    for _ in range(number):
        clear_options(g)
        for land in range(t.lands):
            if g.named[land] == 0 and is_meant(g, seat, operation, land):
                offer_land(g, operation, land, 0, seat)
        if g.option_count == 0:
            return
        if not exactly:
            offer_land(g, operation, constants.NO_LAND, 0, seat)
        land = int(g.option_land[choose(g, t, players, seat, constants.TARGET if exactly else constants.PLACE)])
        # If an inspected game has paused, the options are still those of the decision at which it paused: do not act.
        if land == constants.NO_LAND or g.error != NO_ERROR:
            return
        g.named[land] = 1
        act_on(g, seat, card, operation, land)


@kernel
def act_on(g: Record, seat: int, card: int, operation: int, land: int) -> None:
    """Build in a land, swap its army, or destroy one of its structures without a battle."""
    if operation == constants.FORTS:
        build_fort(g, seat, land, card)
    elif operation == constants.CITIES:
        place_capital(g, land, True)
    elif operation == constants.DESTROY:
        destroy_structure(g, seat, land)
    else:
        owner = int(g.army[land])
        log_event(g, SWAPPED, seat, land, card, owner, 0)
        g.supply[owner] += 1
        g.supply[seat] -= 1
        g.army[land] = seat
        g.active[land] = int(g.step < constants.SCORE)
        g.placed_by[land] = g.card


@kernel
def place_discs(g: Record, t: Record, players: Players, seat: int, number: int) -> None:
    """Let a seat place up to `number` fleets or caravans, each in a body that touches a land with its active army."""
    for _ in range(number):
        clear_options(g)
        for body in range(t.bodies):
            if g.disc[body] == 0 and touches(g, t, seat, body):
                offer_land(g, constants.DISCS, constants.NO_LAND, body, seat)
        if g.option_count == 0:
            return
        offer_land(g, constants.DISCS, constants.NO_LAND, constants.NOWHERE, seat)
        body = int(g.option_value[choose(g, t, players, seat, constants.PLACE)])
        if body == constants.NOWHERE or g.error != NO_ERROR:
            return
        g.disc[body] = 1
        log_event(g, DISC_PLACED, seat, constants.NO_LAND, constants.NO_CARD, body, 0)


@kernel
def touches(g: Record, t: Record, seat: int, body: int) -> bool:
    """Tell whether a seat has an active army in a land that touches a body."""
    for entry in range(t.shores.shape[1]):
        land = t.shores[body, entry]
        if land < 0:
            return False
        if g.army[land] == seat and g.active[land] != 0:
            return True
    return False

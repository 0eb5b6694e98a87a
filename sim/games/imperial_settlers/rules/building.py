"""Building locations (rulebook: Build)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.effect_stack import push, push_step
from sim.engine.options import clear_options, offer
from sim.engine.zones import take_out, take_top
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.log import BUILT, BUILT_ROUND, GAVE_UP, GIVEN_UP_ROUND, log_event, note_card
from sim.games.imperial_settlers.rules.moving import discard, enter_empire, leave_empire
from sim.games.imperial_settlers.rules.payment import add_due, can_pay, nothing_due, pay_due


@kernel
def can_build(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether a seat can pay for a hand card, and has a location to give up if the cost requires one."""
    affordable = can_pay(g, seat, t.cost[card], 0)
    return affordable and (t.cost_location[card] == 0 or has_something_to_give_up(g, seat))


@kernel
def may_be_given_up(g: Record, seat: int, card: int) -> bool:
    """Tell whether a seat may discard one of its locations: no other seat may control the location (Temple of Ra)."""
    return bool(g.holder[card] == seat)


@kernel
def has_something_to_give_up(g: Record, seat: int) -> bool:
    """Tell whether a seat has a location or a foundation that it may discard."""
    if g.zone_size[seat, constants.FOUNDATIONS] > 0:
        return True
    for place in range(g.zone_size[seat, constants.LOCATIONS]):
        if may_be_given_up(g, seat, int(g.zone[seat, constants.LOCATIONS, place])):
            return True
    return False


@kernel
def build_from_hand(g: Record, t: Record, players: Players, seat: int, card: int, waived: int) -> None:
    """Build a hand card. `waived` is 1 if the location part of the card's cost is waived."""
    take_out(g, seat, constants.HAND, card)
    build(g, t, players, seat, card, waived)


@kernel
def build(g: Record, t: Record, players: Players, seat: int, card: int, waived: int) -> None:
    """Pay for a card that is in no zone, place it as a location, and push its effects onto the stack.

    `waived` is 1 if the location part of the cost is waived.
    """
    log_event(g, BUILT, seat, card, waived, 0)
    nothing_due(g)
    add_due(g, t.cost[card])
    pay_due(g, t, players, seat, card, False)
    if t.cost_location[card] != 0 and waived == 0:
        give_up(g, t, players, seat, card)
    enter_empire(g, t, seat, card)
    g.built[seat, int(t.deck[card] != constants.COMMON)] += 1
    note_card(g, seat, card, BUILT_ROUND)
    if t.build_order == 0:
        push_step(g, constants.STEP_TRIGGERS, seat, card, constants.ON_BUILD, 0)
        push_effects(g, t, seat, card)
    else:
        push_effects(g, t, seat, card)
        push_step(g, constants.STEP_TRIGGERS, seat, card, constants.ON_BUILD, 0)


@kernel
def push_effects(g: Record, t: Record, seat: int, card: int) -> None:
    """Push the production and the bonus of a newly built location onto the stack."""
    for program in (constants.BONUS, constants.PRODUCES):
        if t.program[card, program] != constants.NO_PROGRAM:
            push(g, int(t.program[card, program]), seat, card, -1)


@kernel
def give_up(g: Record, t: Record, players: Players, seat: int, built: int) -> None:
    """Let a seat discard a location or a foundation, as part of the cost of the card `built`."""
    clear_options(g)
    for place in range(g.zone_size[seat, constants.LOCATIONS]):
        card = int(g.zone[seat, constants.LOCATIONS, place])
        if may_be_given_up(g, seat, card):
            offer(g, 0, card, 0, seat)
    if g.zone_size[seat, constants.FOUNDATIONS] > 0:
        offer(g, constants.FOUNDATION, constants.NO_CARD, 0, seat)
    g.asked_card = built
    option = choose(g, t, players, seat, constants.GIVE_UP)
    g.given_up[seat] += 1
    if g.option_kind[option] == constants.FOUNDATION:
        card = take_top(g, seat, constants.FOUNDATIONS)
        log_event(g, GAVE_UP, seat, card, 1, 0)
    else:
        card = int(g.option_card[option])
        log_event(g, GAVE_UP, seat, card, 0, 0)
        note_card(g, seat, card, GIVEN_UP_ROUND)
        leave_empire(g, t, card)
    discard(g, t, card)


@kernel
def answers_to_building(t: Record, feature: int, built: int) -> bool:
    """Tell whether building `built` triggers the feature of the card `feature`, by the colours and deck of `built`."""
    if t.build_fires_all_colours == 0 and t.colours[built] & (t.colours[built] - 1) != 0:
        return bool(t.feature_decks[feature] & deck_bit(t, built) != 0)
    by_colour = t.feature_colours[feature] & t.colours[built] != 0
    return bool(by_colour or t.feature_decks[feature] & deck_bit(t, built) != 0)


@kernel
def deck_bit(t: Record, card: int) -> int:
    """Return the bit of a card's deck (see `constants.DECK_BITS`)."""
    return constants.OF_COMMON if t.deck[card] == constants.COMMON else constants.OF_FACTION

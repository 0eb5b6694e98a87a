"""Attack phase of the solo game (docs/rules-imperial-settlers.md: Solo).

The virtual player collects its own locations, then takes locations of the player.
"""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.decide import Players, choose
from sim.engine.options import clear_options, offer
from sim.engine.zones import put, put_below, take_out
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.cleanup import next_round
from sim.games.imperial_settlers.rules.log import ATTACK_MISSES, ATTACK_TAKES, LEFT_PLAY, PHASE_BEGINS, log_event
from sim.games.imperial_settlers.rules.moving import leave_empire
from sim.games.imperial_settlers.rules.setup import reveal_attack

ATTACKS = 2
"""Number of attacks in an attack phase."""
TO_PILE = 2
"""VALUE of a LEFT_PLAY row in the log for a location that goes to the virtual player's pile."""
NO_PLACE = -1
DEAL_ORDER = (
    constants.CARD,
    constants.RAZE,
    constants.GOLD,
    constants.VP,
    constants.STONE,
    constants.WORKER,
    constants.FOOD,
    constants.WOOD,
)
"""Goods, in the order in which the virtual player prefers them in the deal fields of Japanese locations."""
KIND_ORDER = (constants.ACTION, constants.FEATURE, constants.PRODUCTION)
"""Kinds of locations, in the order in which the virtual player prefers them."""


@kernel
def attack(g: Record, t: Record, players: Players) -> None:
    """Let the virtual player collect its locations and attack twice. Then begin the next round or end the game."""
    log_event(g, PHASE_BEGINS, constants.NO_SEAT, constants.NO_CARD, constants.ATTACK, 0)
    collect(g, t)
    for _ in range(ATTACKS):
        attack_once(g, t, players)
    if g.rounds < constants.ROUNDS:
        next_round(g, t)
    else:
        g.phase = constants.END


@kernel
def collect(g: Record, t: Record) -> None:
    """Put the locations of the virtual player onto its pile."""
    while g.zone_size[constants.VIRTUAL, constants.LOCATIONS] > 0:
        card = int(g.zone[constants.VIRTUAL, constants.LOCATIONS, 0])
        log_event(g, LEFT_PLAY, constants.VIRTUAL, card, TO_PILE, 0)
        leave_empire(g, t, card)
        put(g, constants.VIRTUAL, constants.PILE, card)


@kernel
def attack_once(g: Record, t: Record, players: Players) -> None:
    """Reveal an attack card. If a location matches this card and another card of the row, take the location."""
    if reveal_attack(g) == constants.NO_CARD:
        return
    if t.solo_faction_attack == 0 and attack_faction(g, t, players):
        return
    if attack_common(g, t, players):
        return
    if t.solo_faction_attack != 0 and attack_faction(g, t, players):
        return
    log_event(g, ATTACK_MISSES, constants.VIRTUAL, int(g.zone[constants.VIRTUAL, constants.ROW, newest(g)]), 0, 0)


# ---- Targets ----


@kernel
def newest(g: Record) -> int:
    """Return the index of the newest attack card in the row."""
    return int(g.zone_size[constants.VIRTUAL, constants.ROW]) - 1


@kernel
def target_at(g: Record, t: Record, place: int) -> int:
    """Return the target, a good, of an attack card in the row."""
    return int(t.deal_good[g.zone[constants.VIRTUAL, constants.ROW, place]])


@kernel
def fits(t: Record, card: int, first: int, second: int) -> bool:
    """Tell whether the raze field of a location shows both target goods.

    If the two goods are equal, the field must show this good at least twice.
    """
    if first == second:
        return bool(t.raze[card, first] >= 2)
    return bool(t.raze[card, first] > 0 and t.raze[card, second] > 0)


@kernel
def attack_common(g: Record, t: Record, players: Players) -> bool:
    """Attack a common location that fits the newest attack card and another one; tell whether it was taken.

    The other attack card is the newest one for which such a location exists.
    """
    first = target_at(g, t, newest(g))
    for place in range(newest(g) - 1, -1, -1):
        second = target_at(g, t, place)
        clear_options(g)
        for at in range(g.zone_size[0, constants.LOCATIONS]):
            card = int(g.zone[0, constants.LOCATIONS, at])
            if t.deck[card] == constants.COMMON and fits(t, card, first, second):
                offer_if_wanted_most(g, t, card, False)
        if g.option_count > 0:
            lose(g, t, players, place)
            return True
    return False


@kernel
def attack_faction(g: Record, t: Record, players: Players) -> bool:
    """Attack a Japanese location; tell whether a location was taken.

    There is an attack only if the newest card and another card of the row show points.
    """
    if target_at(g, t, newest(g)) != constants.VP:
        return False
    place = newest(g) - 1
    while place >= 0 and target_at(g, t, place) != constants.VP:
        place -= 1
    if place < 0:
        return False
    clear_options(g)
    for at in range(g.zone_size[0, constants.LOCATIONS]):
        card = int(g.zone[0, constants.LOCATIONS, at])
        if t.deck[card] >= 0 and t.razeable[card] != 0:
            offer_if_wanted_most(g, t, card, True)
    if g.option_count == 0:
        return False
    lose(g, t, players, place)
    return True


# ---- Choice among several locations ----


@kernel
def offer_if_wanted_most(g: Record, t: Record, card: int, by_deal: bool) -> None:
    """Keep the options to the locations that the virtual player wants most, now that `card` is a candidate.

    If the virtual player wants `card` more than the offered locations, remove those. Then offer `card`, unless the
    virtual player wants the offered locations more.
    """
    wanted = want_of(t, card, by_deal)
    if g.option_count > 0:
        most = want_of(t, int(g.option_card[0]), by_deal)
        if wanted < most:
            return
        if wanted > most:
            clear_options(g)
    offer(g, 0, card, 0, 0)


@kernel
def want_of(t: Record, card: int, by_deal: bool) -> int:
    """Return how much the virtual player wants a location: by its kind, then its cost, then the stone in its cost.

    If `by_deal` is set, the deal field counts before all of these.
    """
    want = 0
    if by_deal:
        for place in range(len(DEAL_ORDER)):
            if DEAL_ORDER[place] == t.deal_good[card]:
                want = len(DEAL_ORDER) - place
    want *= len(KIND_ORDER) + 1
    for place in range(len(KIND_ORDER)):
        if KIND_ORDER[place] == t.kind[card]:
            want += len(KIND_ORDER) - place
    return (want * 100 + cost_in_resources(t, card)) * 100 + int(t.cost[card, constants.STONE])


@kernel
def cost_in_resources(t: Record, card: int) -> int:
    """Return the number of resources that a location costs."""
    total = 0
    for good in range(constants.RESOURCES):
        total += t.cost[card, good]
    return int(total)


@kernel
def lose(g: Record, t: Record, players: Players, place: int) -> None:
    """Move one of the offered locations to the pile. The two attack cards used become the oldest in their row."""
    g.asked_card = constants.NO_CARD
    card = int(g.option_card[choose(g, t, players, 0, constants.LOSE)])
    log_event(g, ATTACK_TAKES, constants.VIRTUAL, card, 0, 0)
    leave_empire(g, t, card)
    put(g, constants.VIRTUAL, constants.PILE, card)
    used = int(g.zone[constants.VIRTUAL, constants.ROW, place])
    front = int(g.zone[constants.VIRTUAL, constants.ROW, newest(g)])
    take_out(g, constants.VIRTUAL, constants.ROW, front)
    take_out(g, constants.VIRTUAL, constants.ROW, used)
    put_below(g, constants.VIRTUAL, constants.ROW, used)
    put_below(g, constants.VIRTUAL, constants.ROW, front)

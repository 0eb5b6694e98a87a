"""Features of a seat when a round begins: points, goods, production, cards, faction.

They are the input of a learned judge: a small net that estimates each seat's chance to win (`sim.players.judge`).
The lookout and the production of the round are still to come. So production means what the empire will bring in
each round from now on.
"""

from __future__ import annotations

from typing import Any

from sim.compiler.kernel import Record, kernel
from sim.engine.features import add_feature, blank_counts, count_feature, drop_zeros
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.moving import works_for
from sim.games.imperial_settlers.rules.scoring import points_on

COUNTS = (
    *(f"points: {part}" for part in constants.SCORE_PARTS),
    "points behind the leader",
    "lead",
    *(f"goods: {good}" for good in constants.GOODS[: constants.SUPPLY]),
    *(f"produces: {good}" for good in constants.GOODS),
    *(f"deals: {good}" for good in constants.GOODS),
    *(f"locations: {colour}" for colour in constants.COLOURS),
    *(f"locations: {kind}" for kind in constants.KINDS),
    "common locations",
    "faction locations",
    "locations others may raze",
    "foundations",
    "samurai",
    "common cards in hand",
    "faction cards in hand",
    "faction deck",
    "first player",
)
"""Names of the counts. Points are those that the seat would score now.

The lead is the distance to the best other seat. It is 0 unless the seat leads.
"""
POINTS = 0
BEHIND = POINTS + len(constants.SCORE_PARTS)
LEAD = BEHIND + 1
GOODS = LEAD + 1
PRODUCES = GOODS + constants.SUPPLY
DEALS = PRODUCES + len(constants.GOODS)
COLOUR = DEALS + len(constants.GOODS)
KIND = COLOUR + len(constants.COLOURS)
(
    COMMONS,
    OF_FACTION,
    RAZEABLE,
    FOUNDATIONS,
    SAMURAI,
    COMMON_HAND,
    FACTION_HAND,
    DECK,
    IS_FIRST,
) = range(KIND + len(constants.KINDS), len(COUNTS))

PLACES = ("built", "hand")
"""Places where cards are counted by name. Each name has a feature for each place: the number of copies there."""
BUILT, IN_HAND = range(len(PLACES))

MAX_FEATURES = 160
PHASES = 4
"""Number of phases into which a learned judge divides the game: rounds 1 and 2, then round 3, round 4 and round 5."""


@kernel
def phase_of(g: Record, t: Record) -> int:
    """Return the number of the phase to which the current round belongs (see `PHASES`), counted from 0."""
    return int(max(g.rounds - 2, 0))


@kernel
def may_stop(g: Record) -> int:
    """Tell whether a round begins now, so that a rollout may stop."""
    return int(g.phase == constants.LOOKOUT and g.lookout_step == 0)


@kernel
def describe_seat(g: Record, t: Record, seat: int, index: Any, value: Any) -> int:
    """Write the index and the value of each feature of a seat that is not zero; return the number of these features."""
    blank_counts(index, value, len(COUNTS))
    count_score(g, t, seat, value)
    count_supply(g, t, seat, value)
    for place in range(g.zone_size[seat, constants.LOCATIONS]):
        count_location(g, t, seat, int(g.zone[seat, constants.LOCATIONS, place]), value)
    count_deals(g, t, seat, value)
    count = drop_zeros(index, value, len(COUNTS))
    count = add_feature(index, value, count, len(COUNTS) + int(g.faction[seat]))
    count = add_names(g, t, seat, constants.LOCATIONS, BUILT, index, value, count)
    return add_names(g, t, seat, constants.HAND, IN_HAND, index, value, count)


# ---- Points ----


@kernel
def count_score(g: Record, t: Record, seat: int, value: Any) -> None:
    """Write the points by score part, and how far the total is behind or ahead of that of the best other seat."""
    best = 0.0
    for other in range(g.players):
        if other != seat:
            count_parts(g, t, other, value)
            best = max(best, total_of(value))
    count_parts(g, t, seat, value)
    total = total_of(value)
    value[BEHIND] = max(best - total, 0.0)
    value[LEAD] = max(total - best, 0.0)


@kernel
def total_of(value: Any) -> float:
    """Return the sum of the parts that `count_parts` counted last."""
    total = 0.0
    for part in range(constants.TOTAL):
        total += value[POINTS + part]
    return total


@kernel
def count_parts(g: Record, t: Record, seat: int, value: Any) -> None:
    """Write the parts of a seat's score as if the game ended now."""
    for part in range(constants.TOTAL):
        value[POINTS + part] = 0
    value[POINTS + constants.TRACK] = g.points[seat]
    for place in range(g.zone_size[seat, constants.LOCATIONS]):
        card = int(g.zone[seat, constants.LOCATIONS, place])
        part = constants.COMMON_LOCATIONS if t.deck[card] == constants.COMMON else constants.FACTION_LOCATIONS
        value[POINTS + part] += t.points_end[card]
        if g.tucked[card] != 0 or t.trigger[card] == constants.BANKS:
            value[POINTS + constants.BANKED] += points_on(g, t, card)
    if t.foundations_score != 0:
        value[POINTS + constants.COMMON_LOCATIONS] += g.zone_size[seat, constants.FOUNDATIONS]


# ---- Goods and cards ----


@kernel
def count_supply(g: Record, t: Record, seat: int, value: Any) -> None:
    """Count goods, what the board produces, hand cards, and other possessions of a seat."""
    faction = int(g.faction[seat])
    for good in range(constants.SUPPLY):
        value[GOODS + good] = g.goods[seat, good]
    for good in range(len(constants.GOODS)):
        value[PRODUCES + good] = t.board[faction, good]
    for colour in range(len(constants.COLOURS)):
        value[COLOUR + colour] = g.colours[seat, colour]
    for place in range(g.zone_size[seat, constants.HAND]):
        common = t.deck[g.zone[seat, constants.HAND, place]] == constants.COMMON
        value[COMMON_HAND if common else FACTION_HAND] += 1
    value[FOUNDATIONS] = g.zone_size[seat, constants.FOUNDATIONS]
    value[DECK] = g.zone_size[seat, constants.DECK]
    value[IS_FIRST] = int(seat == g.first_seat)


@kernel
def count_location(g: Record, t: Record, seat: int, card: int, value: Any) -> None:
    """Count a location, and what it produces for its owner."""
    value[KIND + t.kind[card]] += 1
    value[COMMONS if t.deck[card] == constants.COMMON else OF_FACTION] += 1
    value[RAZEABLE] += t.razeable[card]
    value[SAMURAI] += g.samurai[card]
    at = int(t.program[card, constants.PRODUCES])
    if at == constants.NO_PROGRAM or t.kind[card] != constants.PRODUCTION or not works_for(g, card, seat):
        return
    while adds_to_production(int(t.code[at, constants.OPERATION])):
        count_operation(g, t, seat, at, value)
        at = int(t.code[at, constants.NEXT])


@kernel
def adds_to_production(operation: int) -> bool:
    """Tell whether an operation gains goods or draws cards in an amount that does not depend on choices."""
    return operation in (constants.GAIN, constants.GAIN_PER_COLOUR, constants.DRAW_CARDS)


@kernel
def count_operation(g: Record, t: Record, seat: int, at: int, value: Any) -> None:
    """Count the goods or cards that an operation of a production program brings."""
    row = t.code[at]
    number = int(row[constants.B])
    if row[constants.OPERATION] == constants.DRAW_CARDS:
        value[PRODUCES + constants.CARD] += number
    elif row[constants.OPERATION] == constants.GAIN:
        value[PRODUCES + row[constants.A]] += number
    else:
        value[PRODUCES + row[constants.A]] += min(number * g.colours[seat, row[constants.C]], int(row[constants.D]))


@kernel
def count_deals(g: Record, t: Record, seat: int, value: Any) -> None:
    """Count a seat's deals by the good that they bring. Deals by Trade Route are included."""
    for zone in (constants.DEALS, constants.TRADES):
        for place in range(g.zone_size[seat, zone]):
            card = int(g.zone[seat, zone, place])
            good = int(t.deal_good[card])
            if good >= 0:
                value[DEALS + good] += 1
                value[PRODUCES + good] += t.deal[card, good]


@kernel
def add_names(g: Record, t: Record, seat: int, zone: int, place: int, index: Any, value: Any, count: int) -> int:
    """Add a feature for each card name in a zone: the number of copies there. Return the new number of features.

    `place` is the index in `PLACES` for the zone; `count` is the number of features before.
    """
    first, names = count, len(COUNTS) + int(t.factions)
    for entry in range(g.zone_size[seat, zone]):
        name = int(t.name[g.zone[seat, zone, entry]])
        count = count_feature(index, value, first, count, names + name * len(PLACES) + place)
    return count

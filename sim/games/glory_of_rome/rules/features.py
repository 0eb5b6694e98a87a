"""Features of a seat for a learned judge at the beginning of a round: points, resources, province, pieces, cards.

The board has already been turned, so the province in front of a seat is the one in which it acts in this round. The
event is still to come. It decides how the board turns next.
"""

from __future__ import annotations

from typing import Any

from sim.compiler.kernel import Record, kernel
from sim.engine.features import add_feature, blank_counts, count_feature, drop_zeros
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.conditions import medals_of, mission_points, population, province_before
from sim.games.glory_of_rome.rules.hands import sets_laid
from sim.games.glory_of_rome.rules.income import penalty
from sim.games.glory_of_rome.rules.intrigue import bonus_is_covered
from sim.games.glory_of_rome.rules.pantheon import is_finished, pantheon_points
from sim.games.glory_of_rome.rules.regions import place_in_region, region_points
from sim.games.glory_of_rome.rules.scoring import denarii_rate, set_points
from sim.games.glory_of_rome.rules.senate import senate_points, votes_on_top

COUNTS = (
    *(f"points: {part}" for part in constants.SCORE_PARTS),
    "points behind the leader",
    "lead",
    "denarii",
    "followers",
    "legions to place",
    "votes to place",
    "discord",
    "anchor card",
    "set limit",
    "sets",
    "medals",
    "intrigue tokens to place",
    "intrigue tokens placed",
    "intrigue tokens of others before it",
    "votes in a row on top",
    "Pantheon base pieces",
    "Pantheon roof pieces",
    "Pantheon base finished",
    "Pantheon roof finished",
    "glory to the next milestone",
    "population before it",
    "population clockwise",
    "population counter-clockwise",
    "glory lost by taxing twice",
    "hand",
    "missions",
    "turns before its first",
    "rounds played",
    *(f"medal: {kind}" for kind in constants.BUILDINGS),
    *(f"level before it: {kind}" for kind in constants.BUILDINGS),
    *(f"bonus: {kind}" for kind in constants.BUILDINGS[: constants.BONUSES]),
    *(f"legions: {region}" for region in constants.REGIONS),
    *(f"first in: {region}" for region in constants.REGIONS),
    *(f"vote at place {place}" for place in range(1, constants.SENATE_SIZE + 1)),
    *(f"sets: {kind}" for kind in constants.TRADE_TYPES),
    *(f"in hand: {kind}" for kind in constants.TRADE_TYPES),
)
"""Names of the features that are counts. Points are as if the game ended now. The lead is 0 unless the seat leads."""
POINTS = 0
(
    BEHIND,
    LEAD,
    DENARII,
    FOLLOWERS,
    LEGIONS_LEFT,
    VOTES_LEFT,
    DISCORD,
    ANCHOR,
    SET_LIMIT,
    SETS_LAID,
    MEDALS,
    INTRIGUE_LEFT,
    INTRIGUE_PLACED,
    INTRIGUE_BEFORE,
    VOTES_ON_TOP,
    BASE_PIECES,
    ROOF_PIECES,
    BASE_FINISHED,
    ROOF_FINISHED,
    TO_MILESTONE,
    POPULATION,
    POPULATION_CLOCKWISE,
    POPULATION_COUNTER,
    PENALTY,
    HAND,
    MISSIONS,
    TURNS_BEFORE,
    ROUNDS,
    MEDAL,
) = range(len(constants.SCORE_PARTS), len(constants.SCORE_PARTS) + 29)
LEVEL = MEDAL + len(constants.BUILDINGS)
BONUS = LEVEL + len(constants.BUILDINGS)
LEGIONS = BONUS + constants.BONUSES
FIRST_IN = LEGIONS + len(constants.REGIONS)
VOTE_AT = FIRST_IN + len(constants.REGIONS)
SETS = VOTE_AT + constants.SENATE_SIZE
IN_HAND = SETS + len(constants.TRADE_TYPES)

MAX_FEATURES = 128
PHASES = 3
FIRST_ROUNDS = (4, 7)
"""Number of rounds played when the second and the third part of the game begin. A judge has a neural network for each
part."""


@kernel
def phase_of(g: Record, t: Record) -> int:
    """Return the part of the game, from 0, according to the number of rounds played."""
    return int(g.rounds >= FIRST_ROUNDS[0]) + int(g.rounds >= FIRST_ROUNDS[1])


@kernel
def may_stop(g: Record) -> int:
    """Tell whether a rollout may stop here to be judged: a round is beginning."""
    return int(g.phase == constants.EVENT_PHASE)


@kernel
def describe_seat(g: Record, t: Record, seat: int, index: Any, value: Any) -> int:
    """Write the features of a seat that are not zero. Return their number."""
    blank_counts(index, value, len(COUNTS))
    count_score(g, t, seat, value)
    count_means(g, t, seat, value)
    count_board(g, t, seat, value)
    count_places(g, t, seat, value)
    count = drop_zeros(index, value, len(COUNTS))
    count = add_feature(index, value, count, len(COUNTS) + int(g.faction[seat]))
    first, cards = count, len(COUNTS) + int(t.characters)
    for place in range(g.hand_size[seat]):
        count = count_feature(index, value, first, count, cards + int(g.hand[seat, place]))
    for place in range(g.mission_count[seat]):
        count = count_feature(index, value, first, count, cards + int(g.missions[seat, place]))
    return count


# ---- Points ----


@kernel
def count_score(g: Record, t: Record, seat: int, value: Any) -> None:
    """Write a seat's points by part, and how many points it is ahead of or behind the best other seat."""
    best = 0.0
    for other in range(g.players):
        if other != seat:
            best = max(best, count_parts(g, t, other, value))
    total = count_parts(g, t, seat, value)
    value[BEHIND] = max(best - total, 0.0)
    value[LEAD] = max(total - best, 0.0)


@kernel
def count_parts(g: Record, t: Record, seat: int, value: Any) -> float:
    """Write the parts of a seat's score, as if the game ended now. Return their sum."""
    military, missions = 0, 0
    for region in range(len(constants.REGIONS)):
        military += region_points(g, t, region, seat)
    for place in range(g.mission_count[seat]):
        missions += mission_points(g, t, seat, int(g.missions[seat, place]))
    value[POINTS + constants.PART_TRACK] = g.glory[seat]
    value[POINTS + constants.PART_MILITARY] = military
    value[POINTS + constants.PART_POLITICS] = senate_points(g, t, seat)
    value[POINTS + constants.PART_COMMERCE] = set_points(g, t, seat)
    value[POINTS + constants.PART_RELIGION] = pantheon_points(g, t, seat)
    value[POINTS + constants.PART_MISSIONS] = missions
    value[POINTS + constants.PART_DENARII] = g.denarii[seat] // denarii_rate(g, t, seat)
    total = 0.0
    for part in range(constants.TOTAL):
        total += value[POINTS + part]
    return total


# ---- Resources ----


@kernel
def count_means(g: Record, t: Record, seat: int, value: Any) -> None:
    """Write the resources that a seat can act with: denarii, followers, cards, bonuses, medals and the like."""
    value[DENARII] = g.denarii[seat]
    value[FOLLOWERS] = g.followers[seat]
    value[LEGIONS_LEFT] = g.board_legions[seat]
    value[VOTES_LEFT] = g.board_votes[seat]
    value[DISCORD] = g.discord[seat]
    value[ANCHOR] = g.anchor[seat]
    value[SET_LIMIT] = g.set_limit[seat]
    value[SETS_LAID] = sets_laid(g, seat)
    value[MEDALS] = medals_of(g, seat)
    value[INTRIGUE_LEFT] = g.intrigue_left[seat]
    for province in range(len(constants.PROVINCES)):
        value[INTRIGUE_PLACED] += g.intrigue[province, seat]
    value[HAND] = g.hand_size[seat]
    value[MISSIONS] = g.mission_count[seat]
    for bonus in range(constants.BONUSES):
        value[BONUS + bonus] = int(not bonus_is_covered(g, seat, bonus))
    for kind in range(len(constants.BUILDINGS)):
        value[MEDAL + kind] = int(g.medal[kind] == seat)
    for kind in range(len(constants.TRADE_TYPES)):
        value[SETS + kind] = g.sets[seat, kind]
    for place in range(g.hand_size[seat]):
        value[IN_HAND + t.type[g.hand[seat, place]]] += 1
    value[TO_MILESTONE] = to_milestone(g, seat)


@kernel
def to_milestone(g: Record, seat: int) -> int:
    """Return the glory that a seat needs for the nearest milestone ahead that it has not reached.

    If there is no such milestone, return 0.
    """
    least = 0
    for milestone in range(g.marker.shape[0]):
        missing = int(g.marker[milestone] - g.glory[seat])
        if g.reached[seat, milestone] == 0 and missing > 0 and (least == 0 or missing < least):
            least = missing
    return least


# ---- Places ----


@kernel
def count_board(g: Record, t: Record, seat: int, value: Any) -> None:
    """Write what is in the province in front of a seat.

    Also write the population there if the board turns one place clockwise or counter-clockwise, the glory that double
    taxing costs, the seats that play before this one, and the rounds played.
    """
    province, place, places = province_before(g, seat), int(g.place[seat]), len(constants.PROVINCES)
    for kind in range(len(constants.BUILDINGS)):
        value[LEVEL + kind] = g.building[province, kind]
    for other in range(g.players):
        if other != seat:
            value[INTRIGUE_BEFORE] += g.intrigue[province, other]
    value[POPULATION] = population(g, province)
    value[POPULATION_CLOCKWISE] = population(g, int(g.board[(place + places - 1) % places]))
    value[POPULATION_COUNTER] = population(g, int(g.board[(place + 1) % places]))
    value[PENALTY] = penalty(g, t, seat)
    after = seat - g.starting_player if g.direction == constants.CLOCKWISE else g.starting_player - seat
    value[TURNS_BEFORE] = (after + g.players) % g.players
    value[ROUNDS] = g.rounds


@kernel
def count_places(g: Record, t: Record, seat: int, value: Any) -> None:
    """Write what a seat has placed in regions, in the senate column and in its Pantheon."""
    for region in range(len(constants.REGIONS)):
        value[LEGIONS + region] = g.legions[region, seat]
        value[FIRST_IN + region] = int(place_in_region(g, region, seat) == 0)
    for place in range(g.senate_size):
        value[VOTE_AT + place] = int(g.senate[place] == seat)
    value[VOTES_ON_TOP] = votes_on_top(g, seat)
    value[BASE_PIECES] = g.pantheon_own[seat, constants.BASE]
    value[ROOF_PIECES] = g.pantheon_own[seat, constants.ROOF]
    value[BASE_FINISHED] = int(is_finished(g, t, seat, constants.BASE))
    value[ROOF_FINISHED] = int(is_finished(g, t, seat, constants.ROOF))

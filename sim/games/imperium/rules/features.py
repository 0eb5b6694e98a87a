"""Features of a seat when a round begins: counts, the nation, and where each card is.

They are the input of a learned judge: a small net that estimates each seat's chance to win (`sim.players.judge`).
`COUNTS` names the counts. For a judge, the hand, the draw deck and the discard pile are together one place. The hand is
also a place of its own, because it is played next.
"""

from __future__ import annotations

from typing import Any

from sim.compiler.kernel import Record, kernel
from sim.engine.features import add_feature, blank_counts, drop_zeros
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.scoring import card_points, part_of

COUNTS = (
    *(f"points: {part}" for part in constants.SCORE_PARTS),
    *constants.RESOURCES,
    "progress on cards in play",
    "material on cards in play",
    *(f"cards: {zone}" for zone in constants.ZONE_NAMES),
    *(f"suit: {suit}" for suit in constants.SUITS),
    "regions in play",
    *(f"in play: {icon} icons" for icon in constants.ICONS),
    "unrest in hand",
    "unrest in draw deck",
    "empire",
    "nation deck is empty",
    "developments within its means",
    "exhaust tokens",
    "first seat",
    "King of Kings used",
    "rounds played",
    "rounds left to play",
    "end is triggered",
    "main deck",
    "main deck below six",
    "fame deck",
    "unrest pile",
    "unrest pile below four",
    "exile pile",
    "King of Kings turned",
)
"""Names of the counts. Points are what the seat would score now. Suits are numbers of cards: all cards of the seat,
except for those in its nation deck and development area."""
POINTS = 0
RESOURCE = POINTS + len(constants.SCORE_PARTS)
STORED = RESOURCE + len(constants.RESOURCES)
MATERIAL_STORED = STORED + 1
CARDS_IN = MATERIAL_STORED + 1
SUIT = CARDS_IN + constants.ZONES
REGIONS_IN_PLAY = SUIT + len(constants.SUITS)
ICON = REGIONS_IN_PLAY + 1
(
    UNREST_IN_HAND,
    UNREST_IN_DECK,
    IS_EMPIRE,
    NATION_EMPTY,
    AFFORDABLE,
    EXHAUSTS,
    IS_FIRST,
    KING_USED,
    ROUNDS,
    ROUNDS_LEFT,
    ENDING,
    MAIN_DECK,
    MAIN_DECK_LOW,
    FAME_DECK,
    UNREST_PILE,
    UNREST_LOW,
    EXILE_PILE,
    KING_TURNED,
) = range(ICON + len(constants.ICONS), len(COUNTS))

PLACES = ("deck", "in play", "history", "nation deck", "development area", "garrison", "hand")
"""Places where a card may be. Each card has a feature for each place."""
IN_DECK, IN_PLAY, IN_HISTORY, IN_NATION, IN_DEVELOPMENT, IN_GARRISON, IN_HAND = range(len(PLACES))

MAX_FEATURES = 128
PHASES = 3
FIRST_ROUNDS = (4, 8)
"""The second and the third phase begin when these numbers of rounds have been completed."""
LOW_MAIN_DECK, LOW_UNREST_PILE = 6, 4


@kernel
def phase_of(g: Record, t: Record) -> int:
    """Return the phase of the game, 0 to `PHASES` - 1. It depends on the number of completed rounds."""
    return int(g.rounds >= FIRST_ROUNDS[0]) + int(g.rounds >= FIRST_ROUNDS[1])


@kernel
def may_stop(g: Record) -> int:
    """Tell whether a turn begins, so that a rollout may stop. Rollouts ask only once their last round is completed."""
    return int(g.phase == constants.START_TURN)


@kernel
def describe_seat(g: Record, t: Record, seat: int, index: Any, value: Any) -> int:
    """Write the index and the value of each feature of a seat that is not zero; return the number of these features."""
    blank_counts(index, value, len(COUNTS))
    count_table(g, seat, value)
    for zone in range(constants.ZONES):
        value[CARDS_IN + zone] = g.zone_size[seat, zone]
        for place in range(g.zone_size[seat, zone]):
            count_card(g, t, seat, int(g.zone[seat, zone, place]), zone, value)
    value[POINTS] += g.resource[seat, constants.PROGRESS]
    for resource in range(len(constants.RESOURCES)):
        value[RESOURCE + resource] = g.resource[seat, resource]
    value[IS_EMPIRE] = int(g.state[seat] == constants.EMPIRE)
    value[NATION_EMPTY] = int(g.zone_size[seat, constants.NATION] == 0)
    value[EXHAUSTS] = g.exhausts[seat]
    value[KING_USED] = g.king_used[seat]
    count = drop_zeros(index, value, len(COUNTS))
    count = add_feature(index, value, count, len(COUNTS) + int(g.faction[seat]))
    return add_cards(g, t, seat, index, value, count)


@kernel
def count_table(g: Record, seat: int, value: Any) -> None:
    """Write the counts about the table, which are equal for all seats, and whether this seat is first in each round."""
    value[IS_FIRST] = int(seat == g.first_seat)
    value[ROUNDS] = g.rounds
    value[ENDING] = int(g.ending != constants.NOT_ENDING)
    value[ROUNDS_LEFT] = g.rounds_left if g.ending != constants.NOT_ENDING else 0
    value[MAIN_DECK] = g.zone_size[constants.TABLE, constants.MAIN_DECK]
    value[MAIN_DECK_LOW] = int(value[MAIN_DECK] < LOW_MAIN_DECK)
    value[FAME_DECK] = g.zone_size[constants.TABLE, constants.FAME_DECK]
    value[UNREST_PILE] = g.zone_size[constants.TABLE, constants.UNREST_PILE]
    value[UNREST_LOW] = int(value[UNREST_PILE] < LOW_UNREST_PILE)
    value[EXILE_PILE] = g.zone_size[constants.TABLE, constants.EXILE_PILE]
    value[KING_TURNED] = g.king_turned


@kernel
def count_card(g: Record, t: Record, seat: int, card: int, zone: int, value: Any) -> None:
    """Add one card of a seat to the counts."""
    if zone == constants.DEVELOPMENT:
        value[AFFORDABLE] += int(can_afford(g, t, seat, card))
        return
    if zone == constants.NATION:
        return
    value[POINTS + part_of(t, card, zone)] += card_points(g, t, seat, card, zone)
    for suit in range(len(constants.SUITS)):
        value[SUIT + suit] += (t.suits[card] >> suit) & 1
    is_unrest = int(t.suits[card] & constants.UNREST != 0)
    if zone == constants.HAND:
        value[UNREST_IN_HAND] += is_unrest
    elif zone == constants.DECK:
        value[UNREST_IN_DECK] += is_unrest
    elif zone == constants.PLAY:
        if t.stores[card] == constants.PROGRESS:
            value[STORED] += g.stored[card]
            value[POINTS] += g.stored[card] if t.tokens_on_cards_score != 0 else 0
        elif t.stores[card] == constants.MATERIAL:
            value[MATERIAL_STORED] += g.stored[card]
        value[REGIONS_IN_PLAY] += t.suits[card] & constants.REGION
        for icon in range(len(constants.ICONS)):
            value[ICON + icon] += t.icons[card, icon]


@kernel
def can_afford(g: Record, t: Record, seat: int, card: int) -> bool:
    """Tell whether a seat has the printed cost of a card of its development area."""
    for resource in range(len(constants.RESOURCES)):
        if g.resource[seat, resource] < t.cost[card, resource]:
            return False
    return True


@kernel
def place_of(zone: int) -> int:
    """Return the index in `PLACES` of the place to which a zone belongs."""
    if zone == constants.PLAY:
        return IN_PLAY
    if zone in (constants.HISTORY, constants.SUNKEN):
        return IN_HISTORY
    if zone == constants.NATION:
        return IN_NATION
    if zone == constants.DEVELOPMENT:
        return IN_DEVELOPMENT
    return IN_GARRISON if zone == constants.GARRISON else IN_DECK


@kernel
def add_cards(g: Record, t: Record, seat: int, index: Any, value: Any, count: int) -> int:
    """Add a feature for each card of a seat in its place, and return the new number of features (before: `count`).

    A hand card has two features (see `PLACES`). Unrest cards are all alike and have none.
    """
    first = len(COUNTS) + int(t.factions)
    for zone in range(constants.ZONES):
        for place in range(g.zone_size[seat, zone]):
            card = int(g.zone[seat, zone, place])
            if t.suits[card] & constants.UNREST == 0:
                count = add_feature(index, value, count, first + place_of(zone) * int(t.cards) + card)
                if zone == constants.HAND:
                    count = add_feature(index, value, count, first + IN_HAND * int(t.cards) + card)
    return count

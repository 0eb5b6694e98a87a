"""Names and indices of the weights, notes and prepared numbers of the schools of 7 Wonders."""

from __future__ import annotations

from itertools import accumulate

from sim.engine.script import weight_names
from sim.games.seven_wonders.rules.state import MOMENTS
from sim.games.seven_wonders.rules.tables import MAX_CARDS, MAX_NEED_LEVELS, MAX_STAGES

(
    # weight of a point of each kind
    P_BLUE, P_SCIENCE, P_COMMERCE, P_MILITARY, P_GUILDS, P_WONDER,
    # goods: worth of a unit for later cards, share of the other goods of a choice, worth of a unit that nobody sells,
    # needs of own stages; discounts
    P_GOODS, P_GOODS_CHOICE, P_GOODS_BLOCKED, P_GOODS_FOR_STAGES, P_DISCOUNT,
    # coins: their worth at the end, and while a city still has to buy; harm of paying, and of paying a leader
    P_COIN_END, P_COIN_NEED, P_COIN_SCALE, P_FEED, P_FEED_LEADER,
    # military: uncertainty of the next conflict and of later ones, weight of later conflicts
    P_DOUBT_NOW, P_DOUBT, P_LATER_CONFLICTS,
    # science: expected further symbols, more of them for collectors, expected sets, fewer symbols if rivals collect
    P_HOPE, P_DEVOTION, P_SET_HOPE, P_RIVALS,
    # things that effects count and that are still to come; cards that can be built free
    P_GROWTH, P_CHAIN,
    # powers of the wonders, points for each use
    P_FREE_BUILD, P_LAST_CARD, P_DISCARD_BUILD, P_COPIED_GUILD,
    # denial to the next receiver and to the left neighbour; points above which a card is worth denying
    P_DENY_NEXT, P_DENY_LEFT, P_DENY_OVER,
    # factors on the weight of a point of each kind in ages I and III, relative to age II
    P_BLUE_EARLY, P_BLUE_LATE, P_SCIENCE_EARLY, P_SCIENCE_LATE, P_COMMERCE_EARLY, P_COMMERCE_LATE, P_MILITARY_EARLY,
    P_MILITARY_LATE, P_WONDER_EARLY, P_WONDER_LATE, P_GOODS_EARLY, P_GOODS_LATE,
    # stages behind the next one
    P_STAGES_BEHIND,
    # weight of the lessons of cards and wonders
    P_LESSONS,
) = range(46)  # fmt: skip
PARAMETERS = weight_names(globals())

SCIENCE_TASTE, MILITARY_TASTE, WONDER_TASTE, GOODS_TASTE = 3, 5, 7, 8
TASTE_WEIGHTS = (None, None, P_BLUE, P_SCIENCE, P_COMMERCE, P_MILITARY, P_GUILDS, P_WONDER, P_GOODS)
"""Weight of a point by card colour, then from the wonder and from goods; None for brown and grey cards."""
EARLY = (
    None,
    None,
    P_BLUE_EARLY,
    P_SCIENCE_EARLY,
    P_COMMERCE_EARLY,
    P_MILITARY_EARLY,
    None,
    P_WONDER_EARLY,
    P_GOODS_EARLY,
)
LATE = (None, None, P_BLUE_LATE, P_SCIENCE_LATE, P_COMMERCE_LATE, P_MILITARY_LATE, None, P_WONDER_LATE, P_GOODS_LATE)
"""Factors on the weights of a point in age I (`EARLY`) and age III (`LATE`)."""
KINDS = len(TASTE_WEIGHTS)
NEED_LEVELS = MAX_NEED_LEVELS
STAGES_IN_NEED = MAX_STAGES + 1
SHARE_LEFT, COIN_AT_END, COIN_SCARCE, GROWTH, DOUBTS, STAKES, TASTES, NEEDS, TURN_NUMBERS = accumulate(
    (0, 1, 1, 1, 1, 3, 3, KINDS, 7 * NEED_LEVELS * STAGES_IN_NEED)
)
"""Offsets in the numbers that a school prepares for each turn of the game, and their length (see `prepare.py`)."""
MOST_DENIED = 3 * MOMENTS * TURN_NUMBERS
"""Indices of upper bounds for each card: of the worth of its denial, and of its chains (`bounds.py`)."""
MOST_CHAINED = MOST_DENIED + MAX_CARDS

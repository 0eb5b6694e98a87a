"""Names and indices of the weights and prepared numbers of the schools (players that appraise cards) of 7 Wonders."""

from __future__ import annotations

from itertools import accumulate

from sim.engine.script import weight_names
from sim.games.seven_wonders.rules.state import MOMENTS
from sim.games.seven_wonders.rules.tables import MAX_CARDS, MAX_NEED_LEVELS, MAX_STAGES

(
    # weight of a point by its source: the card's colour, or the wonder
    P_BLUE, P_SCIENCE, P_COMMERCE, P_MILITARY, P_GUILDS, P_WONDER,
    # weight of the points that goods bring
    P_GOODS,
    # if a source gives a choice of goods: the best one counts in full, and the others with this share of their worth
    P_GOODS_CHOICE,
    # worth of a unit of a good that neither neighbour sells
    P_GOODS_BLOCKED,
    # weight of a need of the city's own stages, relative to a need of future cards
    P_GOODS_FOR_STAGES,
    # factor on the coins that cheaper trade saves
    P_DISCOUNT,
    # factor on the points that coins score at the end
    P_COIN_END,
    # at the start of the game, additional worth of a coin to a city without coins, because the city has to buy goods
    P_COIN_NEED,
    # number of coins of a city at which the additional worth of a coin is half as large as in a city without coins
    P_COIN_SCALE,
    # harm of paying a coin, besides its loss
    P_FEED,
    # how strongly payments prefer the neighbour with fewer points
    P_FEED_LEADER,
    # uncertainty of a conflict, in shields, if it comes now; increase per square root of the turns until the conflict
    P_DOUBT_NOW, P_DOUBT,
    # weight of the conflicts of each later age, relative to the age before it
    P_LATER_CONFLICTS,
    # science: symbols that are expected in a whole game; how many more for each symbol that the city already has
    P_HOPE, P_DEVOTION,
    # science: chance, for each symbol still to come, that it completes a set
    P_SET_HOPE,
    # science: how many fewer symbols are expected for each green structure of a rival
    P_RIVALS,
    # things that an effect counts: how many a city is expected to add in each turn still to come
    P_GROWTH,
    # share of the worth of the cards that a card makes free which is added to its own worth
    P_CHAIN,
    # points for each use of a wonder's power
    P_FREE_BUILD, P_LAST_CARD, P_DISCARD_BUILD, P_COPIED_GUILD,
    # share that counts of another city's loss if it is denied a card: of the next receiver of the hand, of the left
    # neighbour
    P_DENY_NEXT, P_DENY_LEFT,
    # points deducted from a card's worth to another city, so that only good cards are denied
    P_DENY_OVER,
    # factors on the weight of a point of each kind in ages I and III, relative to age II
    P_BLUE_EARLY, P_BLUE_LATE, P_SCIENCE_EARLY, P_SCIENCE_LATE, P_COMMERCE_EARLY, P_COMMERCE_LATE, P_MILITARY_EARLY,
    P_MILITARY_LATE, P_WONDER_EARLY, P_WONDER_LATE, P_GOODS_EARLY, P_GOODS_LATE,
    # share of the worth of the stages after the next one that counts when the next one is appraised
    P_STAGES_BEHIND,
    # factor on the lessons (learned corrections) of cards and wonders
    P_LESSONS,
) = range(46)  # fmt: skip
PARAMETERS = weight_names(globals())

SCIENCE_TASTE, MILITARY_TASTE, WONDER_TASTE, GOODS_TASTE = 3, 5, 7, 8
TASTE_WEIGHTS = (None, None, P_BLUE, P_SCIENCE, P_COMMERCE, P_MILITARY, P_GUILDS, P_WONDER, P_GOODS)
"""Weights of a point, by the colour of its card (none for brown and grey), then from the wonder, then from goods."""
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
"""Indices of two upper bounds for each card: worth of denying it, and worth of its chains (`bounds.py`)."""
MOST_CHAINED = MOST_DENIED + MAX_CARDS

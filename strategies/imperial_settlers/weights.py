"""Names and indices of the weights, notes and prepared numbers of Imperial Settlers' scripted players."""

from __future__ import annotations

from sim.engine.script import weight_names
from sim.games.imperial_settlers.rules.constants import MAX_SEATS
from sim.games.imperial_settlers.rules.tables import MAX_CARDS, MAX_FACTIONS, MAX_HINTS, MAX_OPTIONS

(
    # Worth of a good of later rounds, in points
    P_WOOD, P_STONE, P_FOOD, P_GOLD, P_WORKER, P_RAZE, P_COMMON_CARD, P_FACTION_CARD,
    # Weights of the rounds to come
    P_EARLY, P_ENGINE, P_ACTION, P_FEATURE, P_DEAL,
    # Points for having a location, beyond the printed ones
    P_COMMON, P_OWN,
    # Others
    P_DENY, P_LEADER, P_TRAILING, P_THREAT,
    # Cards and goods that are kept
    P_HOLD, P_HOLD_ALONE, P_LAST_CARD, P_FOUNDATION, P_STORE, P_REST, P_BANK,
    # Discount for resources of which there are many
    P_PLENTY,
    # When things are done
    P_TEMPO, P_RAID, P_DEFEND, P_USE_NOW, P_SOLO,
    # Weights of the empire's own wishes, and of lessons of cards and moves
    P_HINT, P_LESSONS,
) = range(34)  # fmt: skip
PARAMETERS = weight_names(globals())

(
    H_PRODUCTION, H_ACTIONS, H_FEATURES, H_FACTION_CARDS, H_COMMONS, H_DEALS, H_RAZING, H_PROTECTION, H_CARDS,
    H_WOOD, H_STONE, H_FOOD, H_GOLD, H_WORKER, H_RAZE,
) = range(15)  # fmt: skip
"""Columns of `t.hint`, the order of `Hints` in the game's cards.py: what an empire wants, from -1 (avoids) to 1."""

# ---- Notes of the plays: a decision writes them before it reads them, so they need not be blank ----

PLAYS = 40
"""Plays of the round that are considered at most."""
PLAY_VALUE = 0  # points and other lasting worth
PLAY_COST = PLAY_VALUE + PLAYS  # goods, packed; from here to the key whole numbers, not floats
PLAY_GAIN = PLAY_COST + PLAYS  # goods gained at once, packed
PLAY_BIT = PLAY_GAIN + PLAYS  # bit of the place in the hand, 0 for none
PLAY_FLAGS = PLAY_BIT + PLAYS  # what it needs and leaves, see `plans.py`
PLAY_KEY = PLAY_FLAGS + PLAYS  # card and kind of play, see `appraisal.py`
PLAY_RANK = PLAY_KEY + PLAYS  # place among the ranked plays, UNRANKED where it is none of them
UNRANKED = -1
MOST_RANKED = 9
"""Plays that a plan tries, the best use of goods first; side by side, so that a plan reads them quickly:"""
RANKED_BIT = PLAY_RANK + PLAYS  # whole numbers, but for the value
RANKED_CARD = RANKED_BIT + MOST_RANKED
RANKED_FLAGS = RANKED_CARD + MOST_RANKED
RANKED_COST = RANKED_FLAGS + MOST_RANKED
RANKED_GAIN = RANKED_COST + MOST_RANKED
RANKED_VALUE = RANKED_GAIN + MOST_RANKED
KNOWN_SUPPLY = RANKED_VALUE + MOST_RANKED  # goods with a plan worked out,
MOST_KNOWN = 12
KNOWN_WORTH = KNOWN_SUPPLY + MOST_KNOWN  # and what it is worth

# ---- Notes of a game: the worth of the seat's cards stays the same from turn to turn if prices do ----

WORTHS = KNOWN_WORTH + MOST_KNOWN  # for each card: prices it was worked out for, worth, worth of a use
WORTH_FIELDS = 4
WORTH_KEY, WORTH, WORTH_OF_USE, FIRST_PLAY = range(WORTH_FIELDS)  # and where the plays of the decision begin
SEEN = WORTHS + WORTH_FIELDS * MAX_CARDS  # for each seat: what worths depend on when it last looked, and its number
SEEN_FIELDS = 11
SEEN_NUMBER, SEEN_COLOURS, SEEN_COLOURED = range(SEEN_FIELDS - 3, SEEN_FIELDS)  # the colours are a whole number
LAST_NUMBER = SEEN + SEEN_FIELDS * MAX_SEATS  # number given last

# ---- Notes of a decision whose options are all scored together, see `asked_plans.py` ----

SCORES = LAST_NUMBER + 1  # score of each option
MOST_WAITING = 32
"""Options that wait for a plan at most, before plans are worked out."""
MOST_ASKED = 2 * MOST_WAITING
"""Plans asked for: one for each of these, and another if that one takes the card which the option gives away."""
WAITING_OPTION = SCORES + MAX_OPTIONS
WAITING_PLAN = WAITING_OPTION + MOST_WAITING  # place of the plan
WAITING_BIT = WAITING_PLAN + MOST_WAITING  # hand card that it must not take, 0 for none
WAITING_BEHIND = WAITING_BIT + MOST_WAITING  # what is added behind its worth
LANES = 8
"""Plans worked out at the same time."""
ASKED_PLACES = MOST_ASKED + LANES
ASKED_SUPPLY = WAITING_BEHIND + MOST_WAITING  # numbers of `plans.fill`, as whole numbers, not as floats
ASKED_USED = ASKED_SUPPLY + ASKED_PLACES
ASKED_GIVEN = ASKED_USED + ASKED_PLACES
ASKED_BUT = ASKED_GIVEN + ASKED_PLACES
ASKED_TIMES = ASKED_BUT + ASKED_PLACES
ASKED_FRESH = ASKED_TIMES + ASKED_PLACES
ASKED_LEFT = ASKED_FRESH + ASKED_PLACES  # goods that the plan leaves
ASKED_TAKEN = ASKED_LEFT + ASKED_PLACES  # as N_TAKEN
ASKED_WORTH = ASKED_TAKEN + ASKED_PLACES  # worth of the plan, a float
ASKED_NEXT = ASKED_WORTH + ASKED_PLACES  # loss by giving up one more location
ASKED_LOSS = ASKED_NEXT + ASKED_PLACES  # as N_LOSS, with places for as many locations as all plays need
LOSSES_READ = MOST_RANKED + 2
CANDIDATE_PLAY = ASKED_SUPPLY  # before plans are asked for: plays that may be ranked, as whole numbers,
CANDIDATE_DENSITY = ASKED_USED  # and the worth of each for what it takes

KEPT_NOTES = ASKED_LOSS + LOSSES_READ
"""Notes that are not made blank before a decision: those of the plays and of the game."""

# ---- Notes of a decision ----

N_ROUNDS = KEPT_NOTES
"""Production phases still to come; a number here says that the notes up to N_COUNT are worked out."""
N_HORIZON = N_ROUNDS + 1  # the same, those after which much can still be done counting more
N_PRICE = N_ROUNDS + 2  # worth of a good of a later round, for each good: nine places
N_COMMON = N_ROUNDS + 11  # worth of a card drawn from the common deck
N_FACTION = N_ROUNDS + 12  # and from the own one
N_COLOUR = N_ROUNDS + 13  # points that own features give for building each colour: eight places
N_COLOURS = N_ROUNDS + 46  # bits of the colours that features reward
N_OF_COMMON = N_ROUNDS + 21  # and for building a common card
N_OF_FACTION = N_ROUNDS + 22  # or a faction card
N_RAZE = N_ROUNDS + 23  # points that features give for a raze
N_DEAL = N_ROUNDS + 24  # and for a deal
N_MORE = N_ROUNDS + 25  # and for two or more points at once
N_LEADER = N_ROUNDS + 26  # seat of the strongest opponent
N_THREAT = N_ROUNDS + 27  # chance that an unprotected location is razed before the next turn ends
N_LOSS = N_ROUNDS + 28  # least losses by giving locations or foundations up, from the least on: LOSSES places
LOSSES = 8
N_BASE = N_ROUNDS + 36  # worth of what can be done with the goods at hand
N_SUPPLY = N_ROUNDS + 37  # goods at hand, packed
N_SHORT = N_ROUNDS + 38  # of the plan worked out last: bits of the resources that gold or workers stand in for,
N_TAKEN = N_ROUNDS + 39  # and of the places in the order of plays that it takes
N_BASE_SHORT = N_ROUNDS + 42  # the same of the plan for the goods at hand
N_BASE_TAKEN = N_ROUNDS + 43
N_LEFT = N_ROUNDS + 45  # of the plan worked out last: goods that it leaves, packed,
N_BASE_USED = N_ROUNDS + 81
N_CANDIDATES = N_ROUNDS + 82  # plays that may be ranked
N_BASE_SPARE = N_ROUNDS + 78
N_BASE_FREE = N_ROUNDS + 79
N_BASE_LEFT = N_ROUNDS + 49  # the same of the plan for the goods at hand
N_BASE_WANTED = N_ROUNDS + 50
N_BASE_PLAYS = N_ROUNDS + 75  # worth of its plays, without what it leaves
N_SOON = N_ROUNDS + 44  # goods at hand with those that may still be gained to pay for what lacks, packed
N_KEPT = N_ROUNDS + 47  # bits of the goods that are kept in cleanup
N_PAIR = N_ROUNDS + 48  # worth of a pair of workers exchanged for a card
N_GATES = N_ROUNDS + 51  # Gates that work
N_AFTER_GOOD = N_ROUNDS + 63  # worth of what can be done after gaining one of each good: nine places
N_REST = N_ROUNDS + 57  # worth of each good that is left over in the end, wood to raze tokens: six places
N_KNOWN = N_ROUNDS + 56  # supplies with a plan worked out
N_SCORED = N_ROUNDS + 83  # a number here says that all options are scored
N_ASKED = N_ROUNDS + 84  # plans asked for
N_WAITING = N_ROUNDS + 85  # options that wait for one
N_DENIED = N_ROUNDS + 86  # share of each seat's losses that counts as gained, with `N_LEADER`: MAX_SEATS places
N_COUNT = N_ROUNDS + 52  # plays considered; a number here says that those are worked out
N_RANKED = N_ROUNDS + 54  # how many of them may be part of a plan
N_INCOME = N_ROUNDS + 72  # wood, stone and food of the next production phase: three places
N_PRICES = N_ROUNDS + 76  # number of what worths depend on, see SEEN
N_COLOURED = N_ROUNDS + 77  # the same, with the colours of the own empire
N_LOCATION_NOW = N_ROUNDS + 53  # best worth of a common location that may be defended

# ---- Numbers prepared once per run: a row for each card, so that numbers read together are adjacent ----

CARD_FIELDS = 6
PRODUCTION_OF = 0  # goods of the production program, packed as a bundle; dynamic ones below 0
ACTION_OF = PRODUCTION_OF  # the same of an action: no card has both
FEATURE_OF = PRODUCTION_OF  # and the good of a feature that gains nothing else, with its number times FEATURE_GOODS
FEATURE_GOODS = 16
BONUS_OF = 1
USUAL_PRODUCTION = 2  # goods of the production program, dynamic ones guessed
RAZE_OF = 3  # goods of the raze field
COST_OF = 4  # goods of the cost
USE_COST_OF = 5  # goods of one use of an action location, and whether it takes more than these:
OTHER_PRICE = 1 << 52
BY_PRICES = 1 << 51  # what it is worth follows from the prices of goods,
BY_COLOURS = 1 << 50  # or from these and the colours of the empire
WISHES = CARD_FIELDS * MAX_CARDS  # behind the cards: how much more a faction values something, a row for each faction
ALL_ADD = MAX_HINTS - 1  # behind these: 1 if what a location does never makes it worth less than having it
PREPARED = WISHES + MAX_FACTIONS * MAX_HINTS
DYNAMIC = -1.0
"""Prepared instead of goods where they depend on what lies in the empires."""

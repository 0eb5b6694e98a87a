"""Names and indices of the weights, notes and prepared numbers of Imperial Settlers' scripted players."""

from __future__ import annotations

from sim.engine.script import weight_names
from sim.games.imperial_settlers.rules.constants import MAX_SEATS
from sim.games.imperial_settlers.rules.tables import MAX_CARDS, MAX_FACTIONS, MAX_HINTS, MAX_OPTIONS

(
    # Worth of each good in later rounds, in points
    P_WOOD, P_STONE, P_FOOD, P_GOLD, P_WORKER, P_RAZE, P_COMMON_CARD, P_FACTION_CARD,
    # Weights of later rounds: early phases, production locations, action locations, features, deals
    P_EARLY, P_ENGINE, P_ACTION, P_FEATURE, P_DEAL,
    # Points for having a location of the common deck or of the own deck, beyond the printed points
    P_COMMON, P_OWN,
    # Opponents: their losses, a bonus for the leader, less for those that trail, the danger of being razed
    P_DENY, P_LEADER, P_TRAILING, P_THREAT,
    # Cards and goods that are kept: hand cards, hand cards in the solo game, cards drawn in the last round,
    # foundations, goods that cleanup keeps, other goods left, goods on a Shrine
    P_HOLD, P_HOLD_ALONE, P_LAST_CARD, P_FOUNDATION, P_STORE, P_REST, P_BANK,
    # Discount for resources that are plentiful
    P_PLENTY,
    # Preferences: plays that may change the plan, razing first, placing defence tokens first, using a new location at
    # once, locations in the solo game
    P_TEMPO, P_RAID, P_DEFEND, P_USE_NOW, P_SOLO,
    # Weights of the empire's hints, and of the lessons of cards and moves
    P_HINT, P_LESSONS,
) = range(34)  # fmt: skip
PARAMETERS = weight_names(globals())

(
    H_PRODUCTION, H_ACTIONS, H_FEATURES, H_FACTION_CARDS, H_COMMONS, H_DEALS, H_RAZING, H_PROTECTION, H_CARDS,
    H_WOOD, H_STONE, H_FOOD, H_GOLD, H_WORKER, H_RAZE,
) = range(15)  # fmt: skip
"""Columns of `t.hint`, in the order of `Hints` in the game's models.py.

A hint says how much an empire wants something, from -1 (avoids it) to 1.
"""

# ---- Notes of plays: every decision writes them before it reads them, so they need not be blanked ----

PLAYS = 40
"""Maximum number of plays of the round that are considered."""
PLAY_VALUE = 0  # points and other lasting worth
PLAY_COST = PLAY_VALUE + PLAYS  # goods, packed; from here to PLAY_KEY integers, not floats
PLAY_GAIN = PLAY_COST + PLAYS  # goods gained at once, packed
PLAY_BIT = PLAY_GAIN + PLAYS  # bit of the card's place in the hand, 0 for none
PLAY_FLAGS = PLAY_BIT + PLAYS  # needs and effects of the play, see `plans.py`
PLAY_KEY = PLAY_FLAGS + PLAYS  # card and kind of play, see `appraisal.py`
PLAY_RANK = PLAY_KEY + PLAYS  # index among the ranked plays, UNRANKED if the play is not ranked
UNRANKED = -1
MOST_RANKED = 9
"""Number of plays that a plan tries, best first; their fields are stored together so that plans read them quickly."""
RANKED_BIT = PLAY_RANK + PLAYS  # integers, except the value
RANKED_CARD = RANKED_BIT + MOST_RANKED
RANKED_FLAGS = RANKED_CARD + MOST_RANKED
RANKED_COST = RANKED_FLAGS + MOST_RANKED
RANKED_GAIN = RANKED_COST + MOST_RANKED
RANKED_VALUE = RANKED_GAIN + MOST_RANKED
KNOWN_SUPPLY = RANKED_VALUE + MOST_RANKED  # goods for which a plan has been computed
MOST_KNOWN = 12
KNOWN_WORTH = KNOWN_SUPPLY + MOST_KNOWN  # worth of that plan

# ---- Notes of a game: worths of the seat's cards, which do not change between turns unless prices do ----

WORTHS = KNOWN_WORTH + MOST_KNOWN  # for each card: number that identifies the inputs, worth, worth of one use
WORTH_FIELDS = 4
WORTH_KEY, WORTH, WORTH_OF_USE, FIRST_PLAY = range(WORTH_FIELDS)  # FIRST_PLAY: index of the card's first play
SEEN = WORTHS + WORTH_FIELDS * MAX_CARDS  # for each seat: inputs of the worths computed last, and their numbers
SEEN_FIELDS = 11
SEEN_NUMBER, SEEN_COLOURS, SEEN_COLOURED = range(SEEN_FIELDS - 3, SEEN_FIELDS)  # the colours are stored as an integer
LAST_NUMBER = SEEN + SEEN_FIELDS * MAX_SEATS  # number given to inputs last

# ---- Notes of a decision whose options are all scored together, see `asked_plans.py` ----

SCORES = LAST_NUMBER + 1  # score of each option
MOST_WAITING = 32
"""Maximum number of options that wait for a plan before plans are computed."""
MOST_ASKED = 2 * MOST_WAITING
"""Maximum number of requested plans.

A waiting option requests one plan, and a second if the first uses the card that is given away.
"""
WAITING_OPTION = SCORES + MAX_OPTIONS
WAITING_PLAN = WAITING_OPTION + MOST_WAITING  # index of the plan
WAITING_BIT = WAITING_PLAN + MOST_WAITING  # bit of the hand card that the plan must not use, 0 for none
WAITING_BEHIND = WAITING_BIT + MOST_WAITING  # added after the plan's worth
LANES = 8
"""Number of plans that are computed at the same time."""
ASKED_PLACES = MOST_ASKED + LANES
ASKED_SUPPLY = WAITING_BEHIND + MOST_WAITING  # the arguments of `plans.fill`, as integers, not floats
ASKED_USED = ASKED_SUPPLY + ASKED_PLACES
ASKED_GIVEN = ASKED_USED + ASKED_PLACES
ASKED_BUT = ASKED_GIVEN + ASKED_PLACES
ASKED_TIMES = ASKED_BUT + ASKED_PLACES
ASKED_FRESH = ASKED_TIMES + ASKED_PLACES
ASKED_LEFT = ASKED_FRESH + ASKED_PLACES  # goods that the plan leaves
ASKED_TAKEN = ASKED_LEFT + ASKED_PLACES  # encoded as N_TAKEN
ASKED_WORTH = ASKED_TAKEN + ASKED_PLACES  # worth of the plan, a float
ASKED_NEXT = ASKED_WORTH + ASKED_PLACES  # loss from giving up one more location
ASKED_LOSS = ASKED_NEXT + ASKED_PLACES  # smallest losses as in N_LOSS, for as many locations as all plays need
LOSSES_READ = MOST_RANKED + 2
CANDIDATE_PLAY = ASKED_SUPPLY  # before plans are requested: plays that may be ranked, as integers
CANDIDATE_DENSITY = ASKED_USED  # and the worth of each of these plays in relation to its cost

KEPT_NOTES = ASKED_LOSS + LOSSES_READ
"""Notes that are not blanked before a decision: those of plays and of the game."""

# ---- Notes of a decision ----

N_ROUNDS = KEPT_NOTES
"""Production phases still to come.

It is set once the notes up to N_COUNT have been computed, and NaN before.
"""
N_HORIZON = N_ROUNDS + 1  # like N_ROUNDS, but early phases count more
N_PRICE = N_ROUNDS + 2  # worth of each good in later rounds: nine numbers
N_COMMON = N_ROUNDS + 11  # worth of a card drawn from the common deck
N_FACTION = N_ROUNDS + 12  # worth of a card drawn from the seat's faction deck
N_COLOUR = N_ROUNDS + 13  # points from own features for building each colour: eight numbers
N_COLOURS = N_ROUNDS + 46  # bits of the colours that features of the seat reward
N_OF_COMMON = N_ROUNDS + 21  # points from own features for building a common card
N_OF_FACTION = N_ROUNDS + 22  # points from own features for building a faction card
N_RAZE = N_ROUNDS + 23  # points from own features for razing
N_DEAL = N_ROUNDS + 24  # points from own features for making a deal
N_MORE = N_ROUNDS + 25  # points from own features for gaining two or more points at once
N_LEADER = N_ROUNDS + 26  # seat of the strongest opponent
N_THREAT = N_ROUNDS + 27  # chance that an unprotected location is razed before the next turn ends
N_LOSS = N_ROUNDS + 28  # smallest losses from giving up locations or foundations, in ascending order: LOSSES numbers
LOSSES = 8
N_BASE = N_ROUNDS + 36  # worth of the plan for the goods at hand
N_SUPPLY = N_ROUNDS + 37  # goods at hand, packed
N_SHORT = N_ROUNDS + 38  # in the plan computed last: bits of the resources that gold or workers replace
N_TAKEN = N_ROUNDS + 39  # in the plan computed last: bits of the ranks of the plays that it includes
N_BASE_SHORT = N_ROUNDS + 42  # N_BASE_...: numbers of the plan for the goods at hand, as above
N_BASE_TAKEN = N_ROUNDS + 43
N_LEFT = N_ROUNDS + 45  # in the plan computed last: goods that it leaves, packed
N_BASE_USED = N_ROUNDS + 81
N_CANDIDATES = N_ROUNDS + 82  # number of plays that may be ranked
N_BASE_SPARE = N_ROUNDS + 78
N_BASE_FREE = N_ROUNDS + 79
N_BASE_LEFT = N_ROUNDS + 49  # goods that the plan for the goods at hand leaves, packed
N_BASE_WANTED = N_ROUNDS + 50
N_BASE_PLAYS = N_ROUNDS + 75  # worth of the plays of this plan, without the goods that it leaves
N_SOON = N_ROUNDS + 44  # goods at hand plus those that may still be gained to pay for missing ones, packed
N_KEPT = N_ROUNDS + 47  # bits of the goods that cleanup keeps
N_PAIR = N_ROUNDS + 48  # worth of a pair of workers exchanged for a card
N_GATES = N_ROUNDS + 51  # number of working Gates
N_AFTER_GOOD = N_ROUNDS + 63  # worth of the plan after gaining one of each good: nine numbers
N_REST = N_ROUNDS + 57  # worth of each good that is left at the end of the round, wood to raze tokens: six numbers
N_KNOWN = N_ROUNDS + 56  # number of supplies for which a plan has been computed
N_SCORED = N_ROUNDS + 83  # set once all options have been scored; NaN before
N_ASKED = N_ROUNDS + 84  # number of requested plans
N_WAITING = N_ROUNDS + 85  # number of options waiting for a plan
N_DENIED = N_ROUNDS + 86  # share of each seat's losses that counts as a gain, noted with `N_LEADER`: MAX_SEATS numbers
N_COUNT = N_ROUNDS + 52  # number of plays noted; NaN until they have been computed
N_RANKED = N_ROUNDS + 54  # number of plays that may be part of a plan
N_INCOME = N_ROUNDS + 72  # wood, stone and food of the next production phase: three numbers
N_PRICES = N_ROUNDS + 76  # number that identifies the inputs of worths, see SEEN
N_COLOURED = N_ROUNDS + 77  # like N_PRICES, but the colours of the seat's empire are also inputs
N_LOCATION_NOW = N_ROUNDS + 53  # greatest loss from a razeable location that is in danger

# ---- Numbers prepared once per run: a row for each card, so that numbers read together are adjacent ----

CARD_FIELDS = 6
PRODUCTION_OF = 0  # goods of the production program, as a bundle; DYNAMIC if they vary
ACTION_OF = PRODUCTION_OF  # goods of the action program, in the same way; no card has both programs
FEATURE_OF = PRODUCTION_OF  # for a feature that gains one good only: this good, plus FEATURE_GOODS times its number
FEATURE_GOODS = 16
BONUS_OF = 1
USUAL_PRODUCTION = 2  # goods of the production program, as a bundle, estimated if they vary
RAZE_OF = 3  # goods of the raze field
COST_OF = 4  # goods of the cost
USE_COST_OF = 5  # goods of one use of an action location, plus at most one of these bits:
OTHER_PRICE = 1 << 52
BY_PRICES = 1 << 51  # the card's worth depends only on the prices of goods
BY_COLOURS = 1 << 50  # the card's worth also depends on the colours of the empire
WISHES = CARD_FIELDS * MAX_CARDS  # after the cards, one row per faction: its factors on the worth of things, see `wish`
ALL_ADD = MAX_HINTS - 1  # last column of these rows: 1 if no effect of a location can lower its worth
PREPARED = WISHES + MAX_FACTIONS * MAX_HINTS
DYNAMIC = -1.0
"""Stored in place of goods that depend on the empires."""

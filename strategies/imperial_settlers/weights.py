"""Names and indices of the weights, notes and prepared numbers of Imperial Settlers' scripted players.

Weights (`w.weight`) are tunable parameters. Notes (`g.notes`) cache values within a decision or a game; a blank note is
NaN. Prepared numbers (`w.prepared`) are computed once per run.
"""

from __future__ import annotations

from sim.engine.script import weight_names
from sim.games.imperial_settlers.rules.constants import MAX_SEATS
from sim.games.imperial_settlers.rules.tables import MAX_CARDS, MAX_FACTIONS, MAX_HINTS, MAX_OPTIONS

(
    # Worth of each good in later rounds, in points
    P_WOOD, P_STONE, P_FOOD, P_GOLD, P_WORKER, P_RAZE, P_COMMON_CARD, P_FACTION_CARD,
    # How much more the coming production phases count than the last ones of the game
    P_EARLY,
    # Factors on what production locations, action locations, features and deals bring in later rounds
    P_ENGINE, P_ACTION, P_FEATURE, P_DEAL,
    # Points for having a common location, and for having a faction location, beyond the printed points
    P_COMMON, P_OWN,
    # Worth of a point that an opponent loses. It is divided by the number of opponents
    P_DENY,
    # The worth P_DENY is raised by this fraction if the strongest opponent loses the point
    P_LEADER,
    # If another opponent loses the point, the worth P_DENY is lowered by this fraction for each point by which the
    # loser trails the strongest opponent
    P_TRAILING,
    # Factor on the chance that opponents raze a location
    P_THREAT,
    # Share of a card's worth as a location that counts while the card is kept in hand, and the same in the solo game
    P_HOLD, P_HOLD_ALONE,
    # Factor on the worth of cards drawn in the last round
    P_LAST_CARD,
    # Worth of a foundation
    P_FOUNDATION,
    # Share of a good's worth that is added at the end of the round if cleanup keeps the good
    P_STORE,
    # Share of the worth of goods, except workers, that still counts at the end of the round
    P_REST,
    # Factor on the worth of storing goods on a Shrine
    P_BANK,
    # Discount for resources that are plentiful
    P_PLENTY,
    # Bonus for making plays early if their gains may change the plan
    P_TEMPO,
    # Preference for razing locations of other seats before other plays
    P_RAID,
    # Preference for placing defence tokens before other plays
    P_DEFEND,
    # An action location not yet built can be used as soon as it is built: share of the worth of one use that this adds
    P_USE_NOW,
    # Points, in the solo game, for having a faction location and for razing one of the virtual player's locations
    P_SOLO,
    # How strongly the hints of an empire change the worth of things
    P_HINT,
    # Factor on the lessons (learned corrections) of cards and moves
    P_LESSONS,
) = range(34)  # fmt: skip
PARAMETERS = weight_names(globals())

(
    H_PRODUCTION, H_ACTIONS, H_FEATURES, H_FACTION_CARDS, H_COMMONS, H_DEALS, H_RAZING, H_PROTECTION, H_CARDS,
    H_WOOD, H_STONE, H_FOOD, H_GOLD, H_WORKER, H_RAZE,
) = range(15)  # fmt: skip
"""Columns of `t.hint`, in the order of `Hints` in the game's models.py.

A hint says how much an empire wants something: from -1 (it avoids the thing) to 1.
"""

# ---- Notes of plays: each decision writes them before reading, so they need no reset ----

PLAYS = 40
"""Maximum number of plays of the round that are considered."""
PLAY_VALUE = 0  # points and other lasting worth
PLAY_COST = PLAY_VALUE + PLAYS  # goods that the play costs, as a bundle; from here to PLAY_KEY, notes are integers
PLAY_GAIN = PLAY_COST + PLAYS  # goods that it gains at once, as a bundle
PLAY_BIT = PLAY_GAIN + PLAYS  # bit of the card's place in the hand; 0 if the card is not in hand
PLAY_FLAGS = PLAY_BIT + PLAYS  # needs and effects of the play, see `plans.py`
PLAY_KEY = PLAY_FLAGS + PLAYS  # card and kind of play, see `appraisal.py`
PLAY_RANK = PLAY_KEY + PLAYS  # index among the ranked plays, UNRANKED if the play is not ranked
UNRANKED = -1
MOST_RANKED = 9
"""Maximum number of plays that a plan tries, best first. Their fields are stored side by side, for speed."""
RANKED_BIT = PLAY_RANK + PLAYS  # these fields are integers, except the value
RANKED_CARD = RANKED_BIT + MOST_RANKED
RANKED_FLAGS = RANKED_CARD + MOST_RANKED
RANKED_COST = RANKED_FLAGS + MOST_RANKED
RANKED_GAIN = RANKED_COST + MOST_RANKED
RANKED_VALUE = RANKED_GAIN + MOST_RANKED
KNOWN_SUPPLY = RANKED_VALUE + MOST_RANKED  # supplies for which plans have been computed
MOST_KNOWN = 12
KNOWN_WORTH = KNOWN_SUPPLY + MOST_KNOWN  # worth of the plan for each of these supplies

# ---- Notes of a game: worths of the seat's cards, which do not change between turns unless prices do ----

WORTHS = KNOWN_WORTH + MOST_KNOWN  # WORTH_FIELDS numbers for each card
WORTH_FIELDS = 4
WORTH_KEY, WORTH, WORTH_OF_USE, FIRST_PLAY = range(WORTH_FIELDS)  # WORTH_KEY identifies the inputs
SEEN = WORTHS + WORTH_FIELDS * MAX_CARDS  # for each seat: the latest inputs of card worths, and their identifiers
SEEN_FIELDS = 11
SEEN_NUMBER, SEEN_COLOURS, SEEN_COLOURED = range(SEEN_FIELDS - 3, SEEN_FIELDS)  # colours are stored as an integer
LAST_NUMBER = SEEN + SEEN_FIELDS * MAX_SEATS  # the identifier that was assigned last

# ---- Notes for scoring all options of a decision together, see `asked_plans.py` ----

SCORES = LAST_NUMBER + 1  # score of each option
MOST_WAITING = 32
"""Maximum number of options that wait for a plan before plans are computed."""
MOST_ASKED = 2 * MOST_WAITING
"""Maximum number of requested plans.

A waiting option requests one plan, and a second if the first uses the card that is given away.
"""
WAITING_OPTION = SCORES + MAX_OPTIONS
WAITING_PLAN = WAITING_OPTION + MOST_WAITING  # index of the plan that the option waits for
WAITING_BIT = WAITING_PLAN + MOST_WAITING  # bit of the hand card that the plan must not use; 0 if it may use all
WAITING_BEHIND = WAITING_BIT + MOST_WAITING  # number that is added to the score after the plan's worth
LANES = 8
"""Number of plans that are computed at the same time."""
ASKED_PLACES = MOST_ASKED + LANES
ASKED_SUPPLY = WAITING_BEHIND + MOST_WAITING  # from here to ASKED_FRESH: arguments of `plans.fill`, as integers
ASKED_USED = ASKED_SUPPLY + ASKED_PLACES
ASKED_GIVEN = ASKED_USED + ASKED_PLACES
ASKED_BUT = ASKED_GIVEN + ASKED_PLACES
ASKED_TIMES = ASKED_BUT + ASKED_PLACES
ASKED_FRESH = ASKED_TIMES + ASKED_PLACES
ASKED_LEFT = ASKED_FRESH + ASKED_PLACES  # goods that the plan leaves
ASKED_TAKEN = ASKED_LEFT + ASKED_PLACES  # plays that the plan includes, encoded as in N_TAKEN
ASKED_WORTH = ASKED_TAKEN + ASKED_PLACES  # worth of the plan, a float
ASKED_NEXT = ASKED_WORTH + ASKED_PLACES  # loss from giving up the next location
ASKED_LOSS = ASKED_NEXT + ASKED_PLACES  # the smallest losses of N_LOSS; as many as all plays need
LOSSES_READ = MOST_RANKED + 2
CANDIDATE_PLAY = ASKED_SUPPLY  # used before plans are requested: plays that may be ranked, as integers
CANDIDATE_DENSITY = ASKED_USED  # worth of each of these plays in relation to its cost

KEPT_NOTES = ASKED_LOSS + LOSSES_READ
"""Number of notes that are not blanked before a decision: the notes of plays and of the game."""

# ---- Notes of a decision ----

N_ROUNDS = KEPT_NOTES
"""Production phases still to come; NaN until the notes up to N_COUNT have been computed."""
N_HORIZON = N_ROUNDS + 1  # production phases still to come, where early phases count more
N_PRICE = N_ROUNDS + 2  # worth of each good in later rounds: nine numbers
N_COMMON = N_ROUNDS + 11  # worth of a card drawn from the common deck
N_FACTION = N_ROUNDS + 12  # worth of a card drawn from the seat's faction deck
N_COLOUR = N_ROUNDS + 13  # what the seat's own features gain for building a card of each colour: eight numbers
N_COLOURS = N_ROUNDS + 46  # bits of the colours for which the seat's features gain something
N_OF_COMMON = N_ROUNDS + 21  # what own features gain for building a common card
N_OF_FACTION = N_ROUNDS + 22  # what own features gain for building a faction card
N_RAZE = N_ROUNDS + 23  # what own features gain for razing
N_DEAL = N_ROUNDS + 24  # what own features gain for making a deal
N_MORE = N_ROUNDS + 25  # what own features gain when two or more points are gained at once
N_LEADER = N_ROUNDS + 26  # seat of the strongest opponent
N_THREAT = N_ROUNDS + 27  # chance that an unprotected location is razed before the next turn ends
N_LOSS = N_ROUNDS + 28  # smallest losses from giving up locations or foundations, in ascending order
LOSSES = 8
N_BASE = N_ROUNDS + 36  # worth of the plan for the goods at hand
N_SUPPLY = N_ROUNDS + 37  # goods at hand, as a bundle
N_SHORT = N_ROUNDS + 38  # in the plan computed last: bits of the resources that gold or workers replace
N_TAKEN = N_ROUNDS + 39  # in the plan computed last: bits of the ranks of the plays that it includes
N_BASE_SHORT = N_ROUNDS + 42  # like N_SHORT, but of the plan for the goods at hand; so are all N_BASE_...
N_BASE_TAKEN = N_ROUNDS + 43
N_LEFT = N_ROUNDS + 45  # in the plan computed last: goods that it leaves, as a bundle
N_BASE_USED = N_ROUNDS + 81
N_CANDIDATES = N_ROUNDS + 82  # number of plays that may be ranked
N_BASE_SPARE = N_ROUNDS + 78
N_BASE_FREE = N_ROUNDS + 79
N_BASE_LEFT = N_ROUNDS + 49  # goods that the plan for the goods at hand leaves, as a bundle
N_BASE_WANTED = N_ROUNDS + 50
N_BASE_PLAYS = N_ROUNDS + 75  # worth of the plan for the goods at hand, without the goods that it leaves
N_SOON = N_ROUNDS + 44  # goods at hand, plus goods that the seat may still gain this round
N_KEPT = N_ROUNDS + 47  # bits of the goods that cleanup keeps
N_PAIR = N_ROUNDS + 48  # worth of a pair of workers exchanged for a card
N_GATES = N_ROUNDS + 51  # number of Gates that work for the seat
N_AFTER_GOOD = N_ROUNDS + 63  # for each good: worth of the plan after gaining one of it
N_REST = N_ROUNDS + 57  # worth of a good left at the end of the round: six numbers, from wood to raze tokens
N_KNOWN = N_ROUNDS + 56  # number of supplies for which a plan has been computed
N_SCORED = N_ROUNDS + 83  # set once all options have been scored; NaN before
N_ASKED = N_ROUNDS + 84  # number of requested plans
N_WAITING = N_ROUNDS + 85  # number of options waiting for a plan
N_DENIED = N_ROUNDS + 86  # for each seat: share of its loss that counts as a gain; set with N_LEADER
N_COUNT = N_ROUNDS + 52  # number of plays listed; NaN before they are listed
N_RANKED = N_ROUNDS + 54  # number of plays that may be part of a plan
N_INCOME = N_ROUNDS + 72  # wood, stone and food that each round brings: three numbers
N_PRICES = N_ROUNDS + 76  # number that identifies the inputs of card worths, see SEEN
N_COLOURED = N_ROUNDS + 77  # like N_PRICES, but the colours in the seat's empire are inputs, too
N_LOCATION_NOW = N_ROUNDS + 53  # greatest loss from a razeable location that is in danger

# ---- Numbers prepared once per run. Each card has a row, so that numbers that are read together are adjacent. ----

CARD_FIELDS = 6
PRODUCTION_OF = 0  # goods that the production program gains, as a bundle; DYNAMIC if they vary
ACTION_OF = PRODUCTION_OF  # the same for the action program; no card has both programs
FEATURE_OF = PRODUCTION_OF  # for a feature that gains one kind of good: the good plus FEATURE_GOODS times its number
FEATURE_GOODS = 16
BONUS_OF = 1
USUAL_PRODUCTION = 2  # like PRODUCTION_OF, but goods that vary are estimated
RAZE_OF = 3  # goods that razing the card gains, as a bundle
COST_OF = 4  # goods that the card costs, as a bundle
USE_COST_OF = 5  # goods that one use of an action location costs, as a bundle, plus at most one of these bits:
OTHER_PRICE = 1 << 52  # a use costs something besides these goods
BY_PRICES = 1 << 51  # the card's worth depends only on the prices of goods
BY_COLOURS = 1 << 50  # the card's worth depends only on the prices of goods and the colours of the empire
WISHES = CARD_FIELDS * MAX_CARDS  # after the cards, a row of factors for each faction, see `outlook.wish`
ALL_ADD = MAX_HINTS - 1  # last column of these rows: 1 if no effect can lower the worth of a location
PREPARED = WISHES + MAX_FACTIONS * MAX_HINTS
DYNAMIC = -1.0
"""Stored in place of goods whose number depends on the empires."""

"""Names and indices of the weights, notes and prepared numbers of History of the World's scripted players.

Weights (`w.weight`) are tunable parameters. Notes (`g.notes`) cache values within or across decisions; a blank note is
NaN. Prepared numbers (`w.prepared`) are computed once per run.
"""

from __future__ import annotations

from sim.engine.script import weight_names
from sim.games.history_of_the_world.rules.constants import MAX_SEATS
from sim.games.history_of_the_world.rules.tables import MAX_CARDS, MAX_EPOCHS, MAX_LANDS, MAX_REGIONS

(
    # Weight of points in later epochs, and the factor by which the weight changes with each epoch. The loss of holdings
    # from epoch to epoch makes the best factor lower. The price of early points makes it higher: the player with the
    # fewest points chooses an empire first.
    P_FUTURE, P_EPOCH_FACTOR,
    # Factors on the points for presence, dominance and control of a region
    P_PRESENCE, P_DOMINANCE, P_CONTROL,
    # Bonus for the first army in a region
    P_FIRST,
    # Factor on the points of structures in conquered lands
    P_STRUCTURE,
    # Factor on the points of monuments that resource icons bring
    P_RESOURCE,
    # Factor on the points of structures that other seats lose
    P_RAZE,
    # Worth of a point that another seat loses. It is divided by the number of other seats
    P_HURT,
    # The worth P_HURT is raised by this fraction if the seat that loses the point leads the other seats
    P_LEADER,
    # Factor on the worth of a fort
    P_FORT,
    # Factor on the gain from a land that comes into reach by a conquest
    P_CHAIN,
    # Factor on the worth of the armies that a siege costs
    P_SIEGE,
    # Points of an army for which an empire has no better use
    P_FILLER,
    # Points of an additional army from an event or ability
    P_EVENT,
    # Deduction from the worth of an empire, multiplied by its position in the order in which empires are called
    P_ORDER,
    # Factor on what other seats lose in a start land
    P_START,
    # Drafts: hundredths of a win per point of a card's worth in the present position, and per point of printed worth
    P_DRAFT, P_PRINTED,
    # Number of early epochs in which fewer points are better, because the player with the most points chooses last
    P_HELD_BACK,
    # Factor on the lessons (learned corrections) of lands and cards
    P_LESSONS,
) = range(22)  # fmt: skip
PARAMETERS = weight_names(globals())

# ---- Notes ----

# These notes are kept from one decision to the next. `outlook.look_ahead` updates them.
N_TURN = 0  # the situation that the notes were computed for: TURN_NOTES numbers, see `outlook.turn_has_changed`
TURN_NOTES = 13
N_AFTER = N_TURN + TURN_NOTES  # points that a structure worth one point brings in later epochs
N_LEADER = N_AFTER + 1  # the other seat with the most points
N_ICONS = N_LEADER + 1  # number of resource icons in lands with the seat's active armies
N_COST = N_ICONS + 1  # armies that each kind of battle costs; kinds differ by terrain, fort and fleet
BATTLES = 8
N_ODDS = N_COST + BATTLES  # index of the prepared odds of each kind of battle
N_REGION = N_ODDS + BATTLES
"""REGION_NOTES numbers for each region; the numbers from R_WORTH on are computed when needed."""
R_COUNT = 0  # armies of each seat: six numbers
R_WORTH = MAX_SEATS  # points per army of the best plan for the region
R_COST = R_WORTH + 1  # armies that the dearest land of that plan costs
R_GAIN = R_WORTH + 2  # points that the plan brings
R_ARMIES = R_WORTH + 3  # armies that the plan costs
R_BREAK = R_WORTH + 4  # worth of entering the region and so ending another seat's control
R_LATER = R_WORTH + 5  # weighted sum of the region's presence values in later epochs
R_BEAT = R_WORTH + 6  # for each seat: what its loss of a land in the region is worth to the deciding seat; NaN at first
REGION_NOTES = R_BEAT + MAX_SEATS
LAND_LOOK = N_REGION + REGION_NOTES * MAX_REGIONS  # code of each land's state, see `outlook.look_of`
LAND_COST = LAND_LOOK + MAX_LANDS  # armies that it costs to conquer each land
LAND_WORTH = LAND_COST + MAX_LANDS  # points that each land brings, not counting its resources
# These notes are recomputed for every decision or every region, so they need no reset to NaN.
LAND_SCORE = LAND_WORTH + MAX_LANDS  # score of conquering each land, valid once N_SCORED is set
N_PRICES = LAND_SCORE + MAX_LANDS  # armies that each opponents' land costs in the region being planned
N_HOLDERS = N_PRICES + MAX_LANDS  # holders of the same lands
N_PLANS = N_HOLDERS + MAX_LANDS  # points per army of each region's plan from a card's start lands
N_ICON = N_PLANS + MAX_REGIONS  # worth of one more resource icon
KEPT_NOTES = N_ICON + 1
# These notes are valid for one decision only.
N_READY = KEPT_NOTES
"""Set once the kept notes are up to date; NaN before."""
N_PRICE = N_READY + 1  # best score (points per army) of a land in reach other than the land under attack
N_SCORED = N_READY + 2  # set once the scores of the lands in reach have been computed; NaN before
N_BEST = N_READY + 3  # the land in reach with the highest score
NOTES = N_BEST + 1

# ---- Numbers prepared once per run ----

ADVANTAGES = 8  # number of different advantages of the attacker; the lowest is LEAST_ADVANTAGE
LEAST_ADVANTAGE = -1
MOST_REROLLS = 2
MOST_ARMIES = 5
ODDS_STEP = 2 * (MOST_ARMIES + 1)
"""Numbers in a row of odds.

They are the chance to hold the land in the end, and the armies spent until then, for every number of armies left on
the card.
"""
ODDS = 0
ODDS_ROWS = ADVANTAGES * 2 * 2 * (MOST_REROLLS + 1) * 2
LATER = ODDS + ODDS_ROWS * ODDS_STEP
"""Weighted sum of a region's presence values in later epochs, by epoch and region."""
AFTER = LATER + MAX_EPOCHS * MAX_REGIONS
"""Points that a structure worth one point brings in later epochs, by epoch."""
NEAR = AFTER + MAX_EPOCHS
"""Distances of all regions from each card's start lands, packed with NEAR_BITS per region."""
NEAR_BITS = 2
NEAR_STEPS = 1 << NEAR_BITS
FIRST_LAND = NEAR + MAX_CARDS
"""For each region, the index in LANDS_OF at which its lands begin. One more entry is the index after the last land."""
LANDS_OF = FIRST_LAND + MAX_REGIONS + 1
"""Lands, sorted by region."""
LASTING = LANDS_OF + MAX_LANDS
"""Later points of armies in a region, as a multiple of its presence value.

There are two numbers for each number of armies: without the majority, and with the majority.
"""
MOST_LASTING = 6
LEVEL_POINTS = LASTING + 2 * (MOST_LASTING + 1)
"""Points of each level, from none to control, as a multiple of the region's presence value."""
PREPARED = LEVEL_POINTS + 4

"""Names and indices of the weights, notes and prepared numbers of History of the World's scripted players."""

from __future__ import annotations

from sim.engine.script import weight_names
from sim.games.history_of_the_world.rules.constants import MAX_SEATS
from sim.games.history_of_the_world.rules.tables import MAX_CARDS, MAX_EPOCHS, MAX_LANDS, MAX_REGIONS

(
    # Weight of points in later epochs, and the factor by which it changes from epoch to epoch. The factor is lower
    # because holdings are lost. It is higher because early points have a price: the player with the fewest points
    # chooses an empire first.
    P_FUTURE, P_EPOCH_FACTOR,
    # Factors on the points of a region by level, and a bonus for the first army in a region
    P_PRESENCE, P_DOMINANCE, P_CONTROL, P_FIRST,
    # Structures in conquered lands, monuments for resources, structures that other seats lose
    P_STRUCTURE, P_RESOURCE, P_RAZE,
    # Points that others lose, with a bonus for the leader
    P_HURT, P_LEADER,
    # Forts, lands that come into reach by a conquest, and the price of an army in a siege
    P_FORT, P_CHAIN, P_SIEGE,
    # Cards: an army without a use, an army from an event, being called early, what others lose in a start land
    P_FILLER, P_EVENT, P_ORDER, P_START,
    # Drafts, in hundredths of a win: per point of a card's worth in the present position, and of its printed worth
    P_DRAFT, P_PRINTED,
    # Number of early epochs in which fewer points are better, because the leader chooses last; weight of lessons
    P_HELD_BACK, P_LESSONS,
) = range(22)  # fmt: skip
PARAMETERS = weight_names(globals())

# ---- Notes ----

# Kept from one decision to the next, and updated by `outlook.look_ahead`
N_TURN = 0  # the situation that the notes were computed for: TURN_NOTES numbers, see `outlook.turn_has_changed`
TURN_NOTES = 13
N_AFTER = N_TURN + TURN_NOTES  # points in later epochs per point of structures
N_LEADER = N_AFTER + 1  # the other seat with the most points
N_ICONS = N_LEADER + 1  # icons in lands with the seat's active armies
N_COST = N_ICONS + 1  # armies that each kind of battle costs, by terrain, fort and attack by fleet
BATTLES = 8
N_ODDS = N_COST + BATTLES  # index of the prepared odds of each of these battles
N_REGION = N_ODDS + BATTLES
"""REGION_NOTES numbers for each region; the numbers from R_WORTH on are computed when needed."""
R_COUNT = 0  # armies of each seat: six numbers
R_WORTH = MAX_SEATS  # points per army of the best plan for the region
R_COST = R_WORTH + 1  # cost of the dearest land in that plan
R_GAIN = R_WORTH + 2  # points of that plan
R_ARMIES = R_WORTH + 3  # armies that the plan costs
R_BREAK = R_WORTH + 4  # worth of ending another seat's control by entering the region
R_LATER = R_WORTH + 5  # weighted sum of the region's presence values in later epochs
R_BEAT = R_WORTH + 6  # worth of what each seat loses if it is beaten in the region, NaN until computed: six numbers
REGION_NOTES = R_BEAT + MAX_SEATS
LAND_LOOK = N_REGION + REGION_NOTES * MAX_REGIONS  # code of a land's state, see `outlook.look_of`
LAND_COST = LAND_LOOK + MAX_LANDS  # armies that a land costs
LAND_WORTH = LAND_COST + MAX_LANDS  # points that a land brings, not counting its resources
# Recomputed for every decision or every region, so they need not be blanked
LAND_SCORE = LAND_WORTH + MAX_LANDS  # score of conquering a land, valid once N_SCORED is set
N_PRICES = LAND_SCORE + MAX_LANDS  # for each land of opponents in the region being planned: armies that it costs
N_HOLDERS = N_PRICES + MAX_LANDS  # for each of the same lands: its holder
N_PLANS = N_HOLDERS + MAX_LANDS  # for each region: points per army of its plan from a card's start lands
N_ICON = N_PLANS + MAX_REGIONS  # worth of one more resource icon
KEPT_NOTES = N_ICON + 1
# Valid for one decision only
N_READY = KEPT_NOTES
"""Set once the kept notes are up to date; NaN before."""
N_PRICE = N_READY + 1  # highest worth of an army in any land other than the one under attack
N_SCORED = N_READY + 2  # set once the scores of the lands in reach have been computed; NaN before
N_BEST = N_READY + 3  # the land in reach with the highest score
NOTES = N_BEST + 1

# ---- Numbers prepared once per run ----

ADVANTAGES = 8  # advantages of the attacker over the defender that are told apart, from LEAST_ADVANTAGE up
LEAST_ADVANTAGE = -1
MOST_REROLLS = 2
MOST_ARMIES = 5
ODDS_STEP = 2 * (MOST_ARMIES + 1)
"""For every number of armies left on the card: chance to hold the land in the end, and armies spent until then."""
ODDS = 0
ODDS_ROWS = ADVANTAGES * 2 * 2 * (MOST_REROLLS + 1) * 2
LATER = ODDS + ODDS_ROWS * ODDS_STEP
"""Weighted sum of a region's presence values in later epochs, by epoch and region."""
AFTER = LATER + MAX_EPOCHS * MAX_REGIONS
"""Points in later epochs per point of structures, by epoch."""
NEAR = AFTER + MAX_EPOCHS
"""Distances of all regions from each card's start lands, packed with NEAR_BITS per region."""
NEAR_BITS = 2
NEAR_STEPS = 1 << NEAR_BITS
FIRST_LAND = NEAR + MAX_CARDS
"""For each region, the index in LANDS_OF at which its lands begin; at the end, the index after the last land."""
LANDS_OF = FIRST_LAND + MAX_REGIONS + 1
"""Lands, sorted by region."""
LASTING = LANDS_OF + MAX_LANDS
"""Later points of armies in a region, as a multiple of its presence value.

There is one number for each number of armies, without and with the majority.
"""
MOST_LASTING = 6
LEVEL_POINTS = LASTING + 2 * (MOST_LASTING + 1)
"""Points of each level, from none to control, as a multiple of the region's presence value."""
PREPARED = LEVEL_POINTS + 4

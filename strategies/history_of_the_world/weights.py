"""Names and indices of the weights, notes and prepared numbers of History of the World's scripted players."""

from __future__ import annotations

from sim.engine.script import weight_names
from sim.games.history_of_the_world.rules.constants import MAX_SEATS
from sim.games.history_of_the_world.rules.tables import MAX_CARDS, MAX_EPOCHS, MAX_LANDS, MAX_REGIONS

(
    # Weight of points of later epochs, and its change from epoch to epoch: less because holdings are lost, more because
    # the player with the fewest points chooses empires first, so that early points cost something
    P_FUTURE, P_EPOCH_FACTOR,
    # Points of a region by level, and a bonus for the first army in a region
    P_PRESENCE, P_DOMINANCE, P_CONTROL, P_FIRST,
    # Structures in lands, monuments for resources, structures of others that are destroyed
    P_STRUCTURE, P_RESOURCE, P_RAZE,
    # Points that others lose, with a bonus for the leader
    P_HURT, P_LEADER,
    # Forts, lands that are reached through others, and the price of an army in a siege
    P_FORT, P_CHAIN, P_SIEGE,
    # Cards: an army without a use, an army of an event, being called early, losses in a start land
    P_FILLER, P_EVENT, P_ORDER, P_START,
    # Drafts, in hundredths of a win: a point of a card's worth in the present situation, and of its printed worth
    P_DRAFT, P_PRINTED,
    # Number of first epochs in which fewer points are better, because the leader chooses last; weight of lessons
    P_HELD_BACK, P_LESSONS,
) = range(22)  # fmt: skip
PARAMETERS = weight_names(globals())

# ---- Notes ----

# Kept from one decision to the next; `outlook.look_ahead` keeps them up to date
N_TURN = 0  # what they were worked out for: TURN_NOTES places, see `outlook.look_ahead`
TURN_NOTES = 13
N_AFTER = N_TURN + TURN_NOTES  # what a point of structures brings in later epochs
N_LEADER = N_AFTER + 1  # seat with the most points beside the own one
N_ICONS = N_LEADER + 1  # icons in the lands of the own active armies
N_COST = N_ICONS + 1  # armies that a battle takes, by terrain and fort, and the same for a conquest by fleet
BATTLES = 8
N_ODDS = N_COST + BATTLES  # where the prepared odds of the same battles stand
N_REGION = N_ODDS + BATTLES
"""REGION_NOTES places for each region; those from R_WORTH on are worked out when they are asked for."""
R_COUNT = 0  # armies of each seat: six places
R_WORTH = MAX_SEATS  # worth of an army in the best plan for the region
R_COST = R_WORTH + 1  # the dearest land of that plan
R_GAIN = R_WORTH + 2  # points of that plan
R_ARMIES = R_WORTH + 3  # armies it takes
R_BREAK = R_WORTH + 4  # worth of ending the control of another by entering
R_LATER = R_WORTH + 5  # points of later epochs for each presence value
R_BEAT = R_WORTH + 6  # worth of what each seat loses with an army there, if it is worked out: six places
REGION_NOTES = R_BEAT + MAX_SEATS
LAND_LOOK = N_REGION + REGION_NOTES * MAX_REGIONS  # how a land looks, as `outlook.look_of` says it
LAND_COST = LAND_LOOK + MAX_LANDS  # armies that a land takes
LAND_WORTH = LAND_COST + MAX_LANDS  # points that it brings, but for its resources
# Recomputed for every decision, or for every region; these need not be blank before
LAND_SCORE = LAND_WORTH + MAX_LANDS  # score of the option, if N_SCORED says so
N_PRICES = LAND_SCORE + MAX_LANDS  # lands of opponents in the region being planned: armies that they take,
N_HOLDERS = N_PRICES + MAX_LANDS  # and who holds them
N_PLANS = N_HOLDERS + MAX_LANDS  # points for an army of each region's plan from a card's start lands
N_ICON = N_PLANS + MAX_REGIONS  # worth of a resource icon more
KEPT_NOTES = N_ICON + 1
# Of one decision
N_READY = KEPT_NOTES
"""A number here says that the kept notes are true."""
N_PRICE = N_READY + 1  # best worth of an army elsewhere than in the land under attack
N_SCORED = N_READY + 2  # a number here says that the scores of reached lands are worked out
N_BEST = N_READY + 3  # the one of them that scores most
NOTES = N_BEST + 1

# ---- Numbers prepared once for a run ----

ADVANTAGES = 8  # on the attacker's highest die, from LEAST_ADVANTAGE
LEAST_ADVANTAGE = -1
MOST_REROLLS = 2
MOST_ARMIES = 5
ODDS_STEP = 2 * (MOST_ARMIES + 1)
"""For every number of armies left on the card: chance that the land is held at last, and armies spent until then."""
ODDS = 0
ODDS_ROWS = ADVANTAGES * 2 * 2 * (MOST_REROLLS + 1) * 2
LATER = ODDS + ODDS_ROWS * ODDS_STEP
"""What a region brings in later epochs for an army there, by epoch and region."""
AFTER = LATER + MAX_EPOCHS * MAX_REGIONS
"""What a point of structures brings in later epochs, by epoch."""
NEAR = AFTER + MAX_EPOCHS
"""How far each region is from the start lands of a card, NEAR_BITS a region."""
NEAR_BITS = 2
NEAR_STEPS = 1 << NEAR_BITS
FIRST_LAND = NEAR + MAX_CARDS
"""For each region the place in LANDS_OF where its lands begin, and behind the last region where they end."""
LANDS_OF = FIRST_LAND + MAX_REGIONS + 1
"""Lands, sorted by their regions."""
LASTING = LANDS_OF + MAX_LANDS
"""What armies in a region bring later, in presence values, by their number and whether they are the most."""
MOST_LASTING = 6
LEVEL_POINTS = LASTING + 2 * (MOST_LASTING + 1)
"""Points of each level from none to control, in presence values."""
PREPARED = LEVEL_POINTS + 4

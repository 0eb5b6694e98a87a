"""Names and indices of the weights, notes and prepared numbers of The Glory of Rome's scripted players.

Weights (`w.weight`) are tunable parameters. Notes (`g.notes`) cache values within or across decisions; a blank note is
NaN. Prepared numbers (`w.prepared`) are computed once per run.
"""

from __future__ import annotations

from sim.engine.script import weight_names
from sim.games.glory_of_rome.rules.constants import BUILDINGS, CONDITIONS_OF_PLAY, COUNTS, MAX_SEATS, PLACES, REGIONS
from sim.games.glory_of_rome.rules.tables import MAX_CARDS

(
    # Points that a denarius brings while it can still pay for tiles
    P_DENARIUS,
    # Factor on the ratio of the price of all remaining tiles to the denarii of all players. If the product is below 1,
    # a denarius brings only that share of its points.
    P_SCARCE,
    # Share of the points of a denarius that counts if the seat can already pay for every tile of the next province
    P_EXCESS,
    # Factor on the points of a denarius in solo games. There, no other player takes tiles, and medals are a task.
    P_ALONE,
    # Points that a new follower brings in each action phase to come
    P_FOLLOWER,
    # Worth of progress towards a milestone that brings a follower, as a share of that follower's worth
    P_PROGRESS,
    # Factors on the worth of each kind of action. The factor on economic actions applies only before the last round.
    # The Colosseum has one factor before the last round (`P_COLOSSEUM`) and another in the last round (`P_LAST`).
    P_MILITARY, P_POLITICAL, P_COMMERCIAL, P_RELIGIOUS, P_ECONOMIC, P_COLOSSEUM, P_LAST, P_INTRIGUE,
    # Bonus for taking an action of each kind before the other actions of this round. An action with a negative bonus
    # is taken last.
    P_FIRST_MILITARY, P_FIRST_POLITICAL, P_FIRST_COMMERCIAL, P_FIRST_RELIGIOUS, P_FIRST_ECONOMIC, P_FIRST_COLOSSEUM,
    P_FIRST_INTRIGUE,
    # Factor on the worth of the place for a follower on a new tile
    P_TILE,
    # Points of a medal: once, and for each round to come
    P_MEDAL, P_MEDAL_ROUND,
    # Deduction from the worth of a tile for each round to come (at most three), because others will use the tile
    P_PASS_ON,
    # Share of a region's points that counts before the last round
    P_REGION,
    # Uncertainty of a lead in a region, in legions for each round to come
    P_LEAD,
    # Worth of keeping a legion for later
    P_LEGION,
    # Factors on the worth of later majorities to a seat: P_CHAIN if it has two or more votes on top of the senate
    # column, P_CHAIN_ONE if it has only one vote on top
    P_CHAIN, P_CHAIN_ONE,
    # Share of the points of the senate column that counts before the last round
    P_COLUMN,
    # In the last round, discount on the points of the senate column for each vote that others can still place
    P_PUSHED,
    # In the last round, penalty for voting while followers remain that could vote later
    P_LATE,
    # Points of an unknown trade card
    P_CARD,
    # Factor on the worth of a trade card as part of a set
    P_KEEP,
    # Share of the worth of a trade card's effect that counts while the card is kept for later
    P_HOLD,
    # Points of a trade card that may replace others in a set
    P_WILD,
    # Gain for which a card is sold in the building phase although no tile depends on the sale
    P_PATIENCE,
    # Points for finishing the base of the Pantheon
    P_PANTHEON,
    # Pantheon: share of the points of a level's common piece that counts when the seat places a piece of its own there
    P_METAL,
    # Pantheon: number of the seat's pieces that one intrigue token of another seat is expected to remove. Only tokens
    # in the province that the seat will use in the next round count.
    P_PULLED,
    # Factor on the points of the seat's missions
    P_MISSION,
    # Points for drawing a new mission
    P_NEW_MISSION,
    # Worth of a point that another seat loses. It is divided by the number of other seats
    P_HURT,
    # The worth P_HURT is raised by this fraction if the seat that loses the point leads the other seats
    P_LEADER,
    # Points per round of uncovering a bonus on the seat's own discord track, or of covering a bonus of another seat
    P_DISCORD,
    # Points of a legion or vote gained by the effect of a card
    P_RECRUIT,
    # Points, for each round to come, of removing the anchor by the effect of a card
    P_ANCHOR,
    # Treaties: expected points that an alliance brings the seat that accepts it, for each level of the building
    P_TRUST,
    # Points of fulfilling a task of the Imperial variant
    P_TASK,
    # Factor on the lessons (learned corrections) of placing followers and building tiles
    P_LESSONS,
) = range(51)  # fmt: skip
PARAMETERS = weight_names(globals())

# ---- Notes that are kept from one decision to the next: BALANCE_NOTES for each seat ----

B_STATE = 0
"""State for which a seat's balances (worths of legions) were computed: STATE_NOTES numbers, see `blank_balances`."""
STATE_NOTES = 4 + MAX_SEATS
B_OTHERS = B_STATE + STATE_NOTES  # for each region: the legions of the other seats, packed into one number
B_WORTH = B_OTHERS + len(REGIONS)
"""Worth of having 0 to MOST_LEGIONS legions in each region; NaN if it is not computed (see `legion_worth.balance`)."""
MOST_LEGIONS = 9
COUNTS_NOTED = MOST_LEGIONS + 1
BALANCE_NOTES = B_WORTH + len(REGIONS) * COUNTS_NOTED
KEPT_NOTES = MAX_SEATS * BALANCE_NOTES

# ---- Notes of a decision ----

N_READY = KEPT_NOTES
"""Set once the values that every decision needs have been computed; NaN before."""
N_LEFT = N_READY + 1  # number of rounds after this one
N_DENARIUS = N_READY + 2  # worth of a denarius
N_FOLLOWER = N_READY + 3  # worth of one more follower
N_CARD = N_READY + 4  # worth of an unknown trade card
N_ACTIONS = N_READY + 5  # set once the worths of the actions have been cached; NaN before
N_FLOOR = N_READY + 6  # worth of the least valuable action that the seat will still take this round
N_HANDS = N_READY + 7  # set once the hand has been appraised; NaN before
N_LEAST = N_READY + 8  # worth of the least valuable card in hand
N_HURT = N_READY + 9
"""For each seat: what the deciding seat gains if that seat loses a point; 0 for the deciding seat itself."""
N_COUNT = N_HURT + MAX_SEATS
"""Points that each count, such as the number of votes, brings through missions and tasks when it rises by one."""
N_GAIN = N_COUNT + len(COUNTS)
"""Gain from one more legion in each region (`N_GAIN`), and loss from one fewer (`N_LOSS`)."""
N_LOSS = N_GAIN + len(REGIONS)
N_ACTION = N_LOSS + len(REGIONS)
"""Worth of a follower on each action space (`N_ACTION`), and of the bonus on a space that has one (`N_BONUS`)."""
N_BONUS = N_ACTION + len(PLACES)
N_PLAY = N_BONUS + 3
"""For each condition under which cards can be played: gain from the best hand card that can be played under it."""
N_TILE = N_PLAY + len(CONDITIONS_OF_PLAY)
"""Worth of the next tile of each type in the seat's own province."""
NOTES = N_TILE + len(BUILDINGS)

# ---- Numbers prepared once per run ----

CARD_GLORY = 0
"""Worth of each trade card's effect, except denarii and drawn cards.

`CARD_GLORY` is the fixed part. `CARD_ROUND` is the part that counts once for each round to come.
"""
CARD_ROUND = MAX_CARDS
MISSION_WORTH = 2 * MAX_CARDS
"""Worth of each mission at the time when missions are dealt."""
PREPARED = 3 * MAX_CARDS

KINDS = len(BUILDINGS)

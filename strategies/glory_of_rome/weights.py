"""Names and indices of the weights, notes and prepared numbers of The Glory of Rome's scripted players."""

from __future__ import annotations

from sim.engine.script import weight_names
from sim.games.glory_of_rome.rules.constants import BUILDINGS, CONDITIONS_OF_PLAY, COUNTS, MAX_SEATS, PLACES, REGIONS
from sim.games.glory_of_rome.rules.tables import MAX_CARDS

(
    # Points that a denarius brings while it can still build something; factor on the price of the remaining tiles per
    # denarius, which limits this; share of it for denarii that the next province cannot use
    P_DENARIUS, P_SCARCE, P_EXCESS,
    # Factor for the worth of a denarius in solo games: no other player takes tiles, and medals are a task
    P_ALONE,
    # Points of a gained follower for each action phase to come; share that counts on the way to a milestone
    P_FOLLOWER, P_PROGRESS,
    # Factors for each kind of action; for the Colosseum also in the last round
    P_MILITARY, P_POLITICAL, P_COMMERCIAL, P_RELIGIOUS, P_ECONOMIC, P_COLOSSEUM, P_LAST, P_INTRIGUE,
    # Bonus for taking an action at each place before the other remaining actions; below 0: after them
    P_FIRST_MILITARY, P_FIRST_POLITICAL, P_FIRST_COMMERCIAL, P_FIRST_RELIGIOUS, P_FIRST_ECONOMIC, P_FIRST_COLOSSEUM,
    P_FIRST_INTRIGUE,
    # Worth of tiles beyond glory: a place for a follower, the medal now and for each round to come; and the next
    # player's benefit from them
    P_TILE, P_MEDAL, P_MEDAL_ROUND, P_PASS_ON,
    # Regions: share of points that counts before the end, uncertainty of a lead, worth of a legion that is kept
    P_REGION, P_LEAD, P_LEGION,
    # The senate: two votes on top, one vote on top, share of the column before the last round; in the last round the
    # discount for each vote to come, and the penalty for voting before the last followers
    P_CHAIN, P_CHAIN_ONE, P_COLUMN, P_PUSHED, P_LATE,
    # Trade cards: an unknown card, parts of sets, effects that wait for their moment, a wild card; minimum gain of a
    # sale
    P_CARD, P_KEEP, P_HOLD, P_WILD, P_PATIENCE,
    # The Pantheon: share of its points that counts before it is finished; pieces that each of the others' intrigue
    # tokens in the next round's province is expected to remove
    P_PANTHEON, P_METAL, P_PULLED,
    # Missions, and drawing a new one
    P_MISSION, P_NEW_MISSION,
    # Points that others lose, with a bonus for the leader; discord on one's own track and on others'
    P_HURT, P_LEADER, P_DISCORD,
    # Effects of cards: a recruit, the anchor card
    P_RECRUIT, P_ANCHOR,
    # Treaties: probability that others take a token for an alliance
    P_TRUST,
    # A task of the Imperial variant
    P_TASK,
    # Weight of lessons of placing followers and building tiles
    P_LESSONS,
) = range(51)  # fmt: skip
PARAMETERS = weight_names(globals())

# ---- Notes of a decision ----

N_READY = 0
"""Set once the values that every decision needs have been computed; NaN before."""
N_LEFT = 1  # rounds after this one
N_DENARIUS = 2  # worth of a denarius
N_FOLLOWER = 3  # worth of one more follower
N_CARD = 4  # worth of an unknown trade card
N_ACTIONS = 5  # set once the actions have been computed; NaN before
N_FLOOR = 6  # worth of the action that one more place for a follower would replace
N_HANDS = 7  # set once the hand has been computed; NaN before
N_LEAST = 8  # worth of the least valuable card in hand
N_HURT = 9
"""Worth of each seat's loss of a point; 0 for one's own."""
N_COUNT = N_HURT + MAX_SEATS
"""Points that one more of each count brings through missions and tasks."""
N_GAIN = N_COUNT + len(COUNTS)
"""Worth of one legion more in each region, and of one fewer."""
N_LOSS = N_GAIN + len(REGIONS)
N_ACTION = N_LOSS + len(REGIONS)
"""Worth of a follower on each place, and the additional worth of the bonus."""
N_BONUS = N_ACTION + len(PLACES)
N_PLAY = N_BONUS + 3
"""Gain from the best hand card that can be played under each condition."""
N_TILE = N_PLAY + len(CONDITIONS_OF_PLAY)
"""Worth of the next tile of each type in one's own province."""
NOTES = N_TILE + len(BUILDINGS)

# ---- Numbers prepared once per run ----

CARD_GLORY = 0
"""Worth of each trade card's effect, except denarii and drawn cards: a fixed part, and one per round to come."""
CARD_ROUND = MAX_CARDS
MISSION_WORTH = 2 * MAX_CARDS
"""Worth of each mission at the time when missions are dealt."""
PREPARED = 3 * MAX_CARDS

KINDS = len(BUILDINGS)

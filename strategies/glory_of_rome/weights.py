"""Names and indices of the weights, notes and prepared numbers of The Glory of Rome's scripted players."""

from __future__ import annotations

from sim.engine.script import weight_names
from sim.games.glory_of_rome.rules.constants import BUILDINGS, CONDITIONS_OF_PLAY, COUNTS, MAX_SEATS, PLACES, REGIONS
from sim.games.glory_of_rome.rules.tables import MAX_CARDS

(
    # Points that a denarius brings while it can still build something; total price of the remaining tiles for which
    # this holds; share of it for denarii that the next province cannot use
    P_DENARIUS, P_SCARCE, P_EXCESS,
    # Factor for the worth of a denarius in solo games: nobody else takes tiles, and medals are a task
    P_ALONE,
    # Points of a gained follower for each action phase to come; share that counts on the way to a milestone
    P_FOLLOWER, P_PROGRESS,
    # Factors of the kinds of actions; the Colosseum in the last round
    P_MILITARY, P_POLITICAL, P_COMMERCIAL, P_RELIGIOUS, P_ECONOMIC, P_COLOSSEUM, P_LAST, P_INTRIGUE,
    # Bonus for taking an action of each place before the other remaining actions; below 0: after them
    P_FIRST_MILITARY, P_FIRST_POLITICAL, P_FIRST_COMMERCIAL, P_FIRST_RELIGIOUS, P_FIRST_ECONOMIC, P_FIRST_COLOSSEUM,
    P_FIRST_INTRIGUE,
    # Worth of tiles beyond glory: a place for a follower, the medal now and for each round to come; and the next
    # player's benefit from them
    P_TILE, P_MEDAL, P_MEDAL_ROUND, P_PASS_ON,
    # Regions: share of points that counts before the end, how certain a lead is, a legion that is kept
    P_REGION, P_LEAD, P_LEGION,
    # The senate: two votes on top, one vote on top, share of the column before the last round; in the last round the
    # discount for each vote to come, and how long votes wait
    P_CHAIN, P_CHAIN_ONE, P_COLUMN, P_PUSHED, P_LATE,
    # Trade cards: an unknown card, parts of sets, effects that wait for their moment, a wild card; minimum gain of a
    # sale
    P_CARD, P_KEEP, P_HOLD, P_WILD, P_PATIENCE,
    # The Pantheon: share of its points that counts before it is finished; pieces that each of the others' intrigue
    # tokens in the next round's province is expected to remove
    P_PANTHEON, P_METAL, P_PULLED,
    # Missions, and a new one
    P_MISSION, P_NEW_MISSION,
    # Points that others lose, with a bonus for the leader; discord on one's own track and on others'
    P_HURT, P_LEADER, P_DISCORD,
    # Cards' effects: a recruit, the anchor card
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
"""A number here says that what every decision needs is worked out."""
N_LEFT = 1  # rounds after this one
N_DENARIUS = 2  # worth of a denarius
N_FOLLOWER = 3  # worth of one more follower
N_CARD = 4  # worth of an unknown trade card
N_ACTIONS = 5  # a number here says that the actions are worked out
N_FLOOR = 6  # worth of the action that one more place would take the place of
N_HANDS = 7  # a number here says that the hand is worked out
N_LEAST = 8  # worth of the card in the hand that is worth least
N_HURT = 9
"""Worth of a point that each seat loses, 0 for the own one."""
N_COUNT = N_HURT + MAX_SEATS
"""What one more of each count brings by missions."""
N_GAIN = N_COUNT + len(COUNTS)
"""Worth of a legion more in each region, and of one less."""
N_LOSS = N_GAIN + len(REGIONS)
N_ACTION = N_LOSS + len(REGIONS)
"""Worth of a follower on each place, and of the bonus on top of it."""
N_BONUS = N_ACTION + len(PLACES)
N_PLAY = N_BONUS + 3
"""Worth of the cards in the hand that can be played under each condition."""
N_TILE = N_PLAY + len(CONDITIONS_OF_PLAY)
"""Worth of the next tile of each type in the own province."""
NOTES = N_TILE + len(BUILDINGS)

# ---- Numbers prepared once for a run ----

CARD_GLORY = 0
"""Worth of the effect of each trade card, but for denarii and cards drawn: fixed, and for each round to come."""
CARD_ROUND = MAX_CARDS
MISSION_WORTH = 2 * MAX_CARDS
"""Worth of each mission when missions are dealt."""
PREPARED = 3 * MAX_CARDS

KINDS = len(BUILDINGS)

"""Names and indices of the weights, notes and prepared numbers of The Glory of Rome's scripted players."""

from __future__ import annotations

from sim.engine.script import weight_names
from sim.games.glory_of_rome.rules.constants import BUILDINGS, CONDITIONS_OF_PLAY, COUNTS, MAX_SEATS, PLACES, REGIONS
from sim.games.glory_of_rome.rules.tables import MAX_CARDS

(
    # Points that a denarius brings while it can still build something. Factor on the price of the remaining tiles per
    # denarius, which limits these points. Share of the points for denarii that the next province cannot use.
    P_DENARIUS, P_SCARCE, P_EXCESS,
    # Factor on the worth of a denarius in solo games, where no other player takes tiles and medals are a task
    P_ALONE,
    # Points of a gained follower for each action phase to come; share of them that counts on the way to a milestone
    P_FOLLOWER, P_PROGRESS,
    # Factors on the worth of each kind of action; the Colosseum has a second factor for the last round
    P_MILITARY, P_POLITICAL, P_COMMERCIAL, P_RELIGIOUS, P_ECONOMIC, P_COLOSSEUM, P_LAST, P_INTRIGUE,
    # Bonus for taking an action of each kind before the other remaining actions; a negative bonus puts it last
    P_FIRST_MILITARY, P_FIRST_POLITICAL, P_FIRST_COMMERCIAL, P_FIRST_RELIGIOUS, P_FIRST_ECONOMIC, P_FIRST_COLOSSEUM,
    P_FIRST_INTRIGUE,
    # Worth of tiles beyond glory: a place for a follower, the medal now, the medal in each round to come; deduction for
    # the next player's use of the tile
    P_TILE, P_MEDAL, P_MEDAL_ROUND, P_PASS_ON,
    # Regions: share of the points that counts before the end, uncertainty of a lead, worth of keeping a legion
    P_REGION, P_LEAD, P_LEGION,
    # The senate: two or more votes on top, one vote on top, share of the column's points before the last round. In the
    # last round: discount for each vote that others can still place, penalty for voting before the last followers.
    P_CHAIN, P_CHAIN_ONE, P_COLUMN, P_PUSHED, P_LATE,
    # Trade cards: an unknown card, parts of sets, effects that are kept for their moment, a wild card; minimum gain of
    # a sale
    P_CARD, P_KEEP, P_HOLD, P_WILD, P_PATIENCE,
    # The Pantheon: gain from finishing the base, share of the common piece's points before a level is finished, and
    # pieces that each intrigue token of others in the next round's province is expected to remove
    P_PANTHEON, P_METAL, P_PULLED,
    # Missions that a seat has, and the drawing of a new mission
    P_MISSION, P_NEW_MISSION,
    # Points that others lose, with a bonus for the leader; a bonus on the discord track, one's own or another seat's
    P_HURT, P_LEADER, P_DISCORD,
    # Effects of cards: gaining a legion or vote, removing the anchor
    P_RECRUIT, P_ANCHOR,
    # Treaties: probability that others accept a token for an alliance
    P_TRUST,
    # A task of the Imperial variant
    P_TASK,
    # Weight of the lessons of placing followers and building tiles
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
N_ACTIONS = 5  # set once the worths of the actions have been noted; NaN before
N_FLOOR = 6  # worth of the least valuable action that the seat will still take this round
N_HANDS = 7  # set once the hand has been appraised; NaN before
N_LEAST = 8  # worth of the least valuable card in hand
N_HURT = 9
"""For each seat: worth of its loss of a point to the deciding seat; 0 for the deciding seat itself."""
N_COUNT = N_HURT + MAX_SEATS
"""Points that each count brings through missions and tasks when it rises by one."""
N_GAIN = N_COUNT + len(COUNTS)
"""Gain from one more legion in each region (`N_GAIN`), and loss from one fewer (`N_LOSS`)."""
N_LOSS = N_GAIN + len(REGIONS)
N_ACTION = N_LOSS + len(REGIONS)
"""Worth of a follower on each place (`N_ACTION`), and what the bonus adds (`N_BONUS`)."""
N_BONUS = N_ACTION + len(PLACES)
N_PLAY = N_BONUS + 3
"""For each condition of play: gain from the best hand card that it allows."""
N_TILE = N_PLAY + len(CONDITIONS_OF_PLAY)
"""Worth of the next tile of each type in the seat's own province."""
NOTES = N_TILE + len(BUILDINGS)

# ---- Numbers prepared once per run ----

CARD_GLORY = 0
"""Worth of each trade card's effect, except denarii and drawn cards.

`CARD_GLORY` is the fixed part, `CARD_ROUND` the part for each round to come.
"""
CARD_ROUND = MAX_CARDS
MISSION_WORTH = 2 * MAX_CARDS
"""Worth of each mission at the time when missions are dealt."""
PREPARED = 3 * MAX_CARDS

KINDS = len(BUILDINGS)

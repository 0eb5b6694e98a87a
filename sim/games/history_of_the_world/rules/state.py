"""The record of one game in play.

In every kernel `g` is this record and `t` are the tables of `tables.py`. Hidden information: the players' events, their
chosen empires until these are called, the stacks, and cards that were put back unseen.
"""

from __future__ import annotations

import numpy as np

from sim.compiler.kernel import Record, kernel
from sim.engine.state import game_record, log_record
from sim.games.history_of_the_world.rules.constants import LAND_COUNTS, MAX_SEATS, PIECES, SCORE_PARTS
from sim.games.history_of_the_world.rules.tables import (
    MAX_BODIES,
    MAX_CARDS,
    MAX_EPOCHS,
    MAX_LANDS,
    MAX_REGIONS,
    ROLL_KINDS,
    STACK,
)

MAX_OPTIONS = 320
MOST_NOTES = 1264
LOG_ROWS = 6000
SEAT = (MAX_SEATS,)
LANDS = (MAX_LANDS,)
CARDS = (MAX_CARDS,)
DICE = (2,)

LOG = log_record(
    rows=(LOG_ROWS, 7),
    pieces=(MAX_SEATS, MAX_CARDS, 12),
    number=np.int16,
    # Counts by land and epoch, and rolls by kind and result (see `log.py`).
    tallies={"lands": (MAX_LANDS, LAND_COUNTS * MAX_EPOCHS), "rolls": (ROLL_KINDS, 3)},
)

STATE = game_record(
    [
        ("classic", np.int64),
        ("epoch", np.int64),  # from 0; the field `rounds` counts the epochs played
        ("phase", np.int64),
        # Public
        ("points", np.int64, SEAT),  # scores; `scoring.space_of` says where the marker stands
        ("part", np.int64, (MAX_SEATS, len(SCORE_PARTS))),
        ("supply", np.int64, SEAT),  # armies in the supply of a seat
        ("pieces", np.int64, (len(PIECES),)),  # common supply
        ("army", np.int8, LANDS),  # seat whose army is in a land, or NO_SEAT
        ("active", np.int8, LANDS),
        ("placed_by", np.int16, LANDS),  # card that brought the army, to be credited with later points
        ("capital", np.int8, LANDS),
        ("city", np.int8, LANDS),
        ("monument", np.int8, LANDS),
        ("fort", np.int8, LANDS),
        ("token", np.int64, (MAX_REGIONS,)),  # presence value of the token in a region, 0 if there is none
        # Cards; -1 ends a list
        ("event_stack", np.int16, (MAX_EPOCHS, STACK)),
        ("empire_stack", np.int16, (MAX_EPOCHS, STACK)),
        ("event_left", np.int64),  # cards left in the stack that is being drafted
        ("empire_left", np.int64),
        (
            "draft_round",
            np.int64,
        ),  # choices made from each stack; in the classic selection, the next round of drawing
        ("draft_order", np.int64, SEAT),  # seats from the most points to the fewest
        ("empire", np.int16, SEAT),  # card chosen this epoch, or NO_CARD
        ("event", np.int16, SEAT),  # event drafted this epoch, or NO_CARD
        ("holds", np.int8, CARDS),  # 1 + seat for each event in a hand
        ("drafted", np.int8, CARDS),  # epoch in which an event was drafted
        ("seen", np.int8, CARDS),  # bits of the seats that have seen a card
        ("called", np.int8, SEAT),  # 1 once the seat's empire has been called this epoch
        # The turn
        ("turn_seat", np.int64),
        ("card", np.int64),  # empire or kingdom being played
        ("waiting", np.int64),  # empire that is founded after a kingdom, or NO_CARD
        ("step", np.int64),
        ("armies", np.int64),  # armies on the empire or kingdom card
        ("siege_tokens", np.int64),
        ("aside", np.int64, (2,)),  # armies and siege tokens set aside on the card of the waiting empire
        ("disc", np.int8, (MAX_BODIES,)),  # 1: a fleet or caravan is there
        ("disc_aside", np.int8, (MAX_BODIES,)),  # discs of the waiting empire
        ("bonus", np.int64, (2,)),  # bonus of the attacker: [0] by the ability, [1] by enhancements
        ("rerolls", np.int64, (2,)),
        ("ability_used", np.int64),
        ("in_force", np.int64, (2,)),  # bits of operations in force until the end of the turn
        ("icons_needed", np.int64, (2,)),  # icons per monument: [0] by the ability, [1] by enhancements
        # The battle
        ("target", np.int64),
        ("way", np.int64),
        ("siege", np.int64),  # siege bonus, 0 to `t.siege_steps`
        ("besieging", np.int64),  # armies on the catapult
        ("attack_die", np.int64, DICE),
        ("defence_die", np.int64, DICE),
        ("rerolls_left", np.int64, (2,)),  # attacker, defender
        ("battle", np.int64),  # NO_BATTLE, TO_ROLL, LOST_ROLL of `constants`
        ("won_in", np.int64),  # land whose army has just won a battle and may fight again immediately, or NO_LAND
        ("named", np.int8, LANDS),  # 1: the current effect has already been used on this land
        # Scratch space for finding the lands in reach
        ("standing", np.int16, LANDS),  # lands with active armies of a seat, as found by `list_standing`
        ("standing_count", np.int64),
        ("carrier", np.int16, (MAX_BODIES,)),  # bodies that conquests can pass
        ("carrier_count", np.int64),
        ("reached", np.int8, (MAX_BODIES,)),
        ("reach", np.int8, LANDS),  # bits of WAYS by which a land can be conquered
        ("target_land", np.int16, LANDS),  # lands in reach, as found by `find_reach`
        ("target_count", np.int64),
        ("counted", np.int64, (MAX_REGIONS, MAX_SEATS)),  # armies in each region, as counted by `count_armies`
        ("pool", np.int16, CARDS),  # scratch space for cards and places in a redeal (`determinize.py`)
        ("pool_place", np.int16, CARDS),
        # The current decision
        ("asked_card", np.int64),
        ("option_kind", np.int64, (MAX_OPTIONS,)),
        ("option_card", np.int64, (MAX_OPTIONS,)),
        ("option_value", np.int64, (MAX_OPTIONS,)),
        ("option_seat", np.int64, (MAX_OPTIONS,)),
        ("option_land", np.int64, (MAX_OPTIONS,)),
        # For games that are inspected move by move: whether the game is paused, and at which decision
        ("paused", np.int64),
        ("paused_decision", np.int64),
        # Statistics of each seat's actions
        ("start_score", np.int64, SEAT),
        ("conquests", np.int64, SEAT),
        ("battles", np.int64, (MAX_SEATS, 3)),  # rolls as attacker: won, tied, lost
        ("sieges", np.int64, SEAT),
        ("forts_built", np.int64, SEAT),
        ("monuments_built", np.int64, SEAT),
        ("destroyed", np.int64, SEAT),
        ("armies_lost", np.int64, SEAT),
        ("score_after", np.int64, (MAX_SEATS, MAX_EPOCHS)),
    ],
    seats=MAX_SEATS,
    options=MAX_OPTIONS,
    notes=MOST_NOTES,
    score_parts=len(SCORE_PARTS),
    log=LOG,
)
"""dtype of a game record. It holds the whole state of a game, so a game can be continued from a copy."""


def new_games(count: int) -> np.ndarray:
    """Return `count` blank game records, shape (count,)."""
    return np.zeros(count, STATE)


@kernel
def opponents_hold(g: Record, seat: int, land: int) -> bool:
    """Tell whether another player has an army in a land."""
    return bool(g.army[land] >= 0 and g.army[land] != seat)


@kernel
def list_standing(g: Record, t: Record, seat: int) -> None:
    """List the lands with active armies of a seat in `g.standing`."""
    count = 0
    for land in range(t.lands):
        # The entry is written before the condition is known: a branch that is often mispredicted would cost more.
        g.standing[count] = land
        count += int((g.army[land] == seat) & (g.active[land] != 0))
    g.standing_count = count

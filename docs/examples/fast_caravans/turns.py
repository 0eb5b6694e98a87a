"""Caravans in play, compiled: every function does what the method of the same name does in caravans.py."""

import numpy as np

from sim.engine.api import (
    CHANCE,
    DEAL,
    SEARCH,
    FieldRecord,
    Players,
    Record,
    begin_game,
    begin_step,
    below,
    choose,
    game_record,
    kernel,
    log_record,
    rank_seats,
    seat_after,
    shuffle,
)

SEATS, FAMILIES, GOODS, BAG, ROW, LOAD = 4, 16, 16, 256, 16, 16  # at most
MOVE = 0  # the one kind of decision
TRAVEL = -1  # an option that is not a good

TABLES = np.dtype(
    (
        FieldRecord,
        [(name, np.int64) for name in ("rounds", "row", "die", "family_count", "good_count")]
        + [(f"family_{name}", np.int64, (FAMILIES,)) for name in ("coins", "camels", "guards")]
        + [(f"good_{name}", np.int64, (GOODS,)) for name in ("value", "copies")],
    )
)
FIELDS = [
    ("bag", np.int64, (BAG,)),  # hidden
    ("bag_count", np.int64),
    ("row", np.int64, (ROW,)),
    ("row_count", np.int64),
    ("coins", np.int64, (SEATS,)),
    ("load", np.int64, (SEATS, LOAD)),
    ("load_count", np.int64, (SEATS,)),
    ("turn", np.int64),
    ("seat", np.int64),
    ("option_good", np.int64, (GOODS + 1,)),
]
LOG = log_record(rows=(1, 1), pieces=(1, 1, 1), number=np.int16)
STATE = game_record(FIELDS, seats=SEATS, options=GOODS + 1, notes=GOODS + 1, score_parts=1, log=LOG)


@kernel
def set_up(g: Record, t: Record, plan: Record) -> None:
    """Shuffle the bag, lay out the row, and deal the families: last, as the plain game does not draw for them."""
    begin_game(g, plan.players)
    g.bag_count = g.row_count = g.turn = g.seat = 0
    for good in range(t.good_count):
        for _ in range(t.good_copies[good]):
            g.bag[g.bag_count] = good
            g.bag_count += 1
    shuffle(g, DEAL, g.bag, g.bag_count)
    for _ in range(t.row):
        draw_good(g)
    deal_families(g, plan)
    for seat in range(g.players):
        g.coins[seat] = t.family_coins[g.faction[seat]]
        g.load_count[seat] = 0


@kernel
def deal_families(g: Record, plan: Record) -> None:
    """Give each seat a family of the plan, none twice."""
    pool = g.bag[g.bag_count :]  # room that the bag does not need
    pool[: plan.faction_count] = plan.factions[: plan.faction_count]
    if plan.factions_fixed == 0:
        shuffle(g, DEAL, pool, plan.faction_count)
    for seat in range(g.players):
        g.faction[seat] = pool[seat]


@kernel
def draw_good(g: Record) -> None:
    """Move the last good of the bag to the end of the row."""
    g.bag_count -= 1
    g.row[g.row_count] = g.bag[g.bag_count]
    g.row_count += 1


@kernel
def list_options(g: Record, t: Record, me: int) -> None:
    """List each good of the row once, if a camel is free, and to travel."""
    g.option_count = 0
    if g.load_count[me] < t.family_camels[g.faction[me]]:
        for place in range(g.row_count):
            if not is_listed(g, g.row[place]):
                g.option_good[g.option_count] = g.row[place]
                g.option_count += 1
    g.option_good[g.option_count] = TRAVEL
    g.option_count += 1


@kernel
def is_listed(g: Record, good: int) -> bool:
    """Tell whether a good is among the options."""
    for option in range(g.option_count):
        if g.option_good[option] == good:
            return True
    return False


@kernel
def play_step(g: Record, t: Record, players: Players) -> None:
    """Play a turn."""
    begin_step(g)
    me = g.seat
    list_options(g, t, me)
    good = g.option_good[choose(g, t, players, me, MOVE)]
    if good == TRAVEL:
        travel(g, t, me)
    else:
        load_good(g, me, good)
    g.turn += 1
    g.seat = seat_after(g, me)
    g.rounds = (g.turn + g.players - 1) // g.players
    if g.turn == t.rounds * g.players:
        g.finished = 1
        score_game(g, t)


@kernel
def travel(g: Record, t: Record, me: int) -> None:
    """Turn the load into coins, without the best good if robbers come."""
    total = best = 0
    count = g.load_count[me]
    for place in range(count):
        value = t.good_value[g.load[me, place]]
        total += value
        best = max(best, value)
    if count > 0 and below(g, CHANCE, t.die) + 1 + t.family_guards[g.faction[me]] <= count:
        total -= best
    g.coins[me] += total
    g.load_count[me] = 0


@kernel
def load_good(g: Record, me: int, good: int) -> None:
    """Load a good of the row, and draw another one."""
    g.load[me, g.load_count[me]] = good
    g.load_count[me] += 1
    at = 0
    while g.row[at] != good:
        at += 1
    g.row_count -= 1
    for place in range(at, g.row_count):
        g.row[place] = g.row[place + 1]
    if g.bag_count > 0:
        draw_good(g)


@kernel
def score_game(g: Record, t: Record) -> None:
    """Rank the seats by their coins."""
    for seat in range(g.players):
        g.score[seat, :] = g.coins[seat]
    rank_seats(g, g.coins, g.coins)


@kernel
def redeal(g: Record, t: Record, me: int) -> None:
    """Shuffle what is in the bag."""
    bag = g.bag[: g.bag_count]
    bag.sort()
    shuffle(g, SEARCH, bag, g.bag_count)

"""Values cached once per decision (in `g.notes`): the worth of denarii, glory, missions, and harm to others."""

from __future__ import annotations

import math

from sim.compiler.kernel import Record, kernel
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.conditions import count_of, population, province_before
from sim.games.glory_of_rome.rules.scoring import (
    GLORY_TASK,
    MEDALS_TASK,
    MISSIONS_TASK,
    SETS_TASK,
    VOTES_TASK,
    denarii_rate,
    missions_fulfilled,
)
from strategies.glory_of_rome.weights import (
    N_CARD,
    N_COUNT,
    N_DENARIUS,
    N_FOLLOWER,
    N_HURT,
    N_LEFT,
    N_READY,
    P_ALONE,
    P_CARD,
    P_DENARIUS,
    P_EXCESS,
    P_FOLLOWER,
    P_HURT,
    P_LEADER,
    P_MISSION,
    P_PROGRESS,
    P_SCARCE,
    P_TASK,
)

CARD_ROUNDS = 3.0
"""Number of rounds that must be left for an unknown trade card to have its full worth."""
CARD_OF_SET = 0.2
"""Fraction of the points that missions give for a set which an unknown card is worth as a part of a set."""
FARTHER = 0.4
"""How quickly a mission becomes less likely with each step that is missing."""
AHEAD = 0.1
"""Fraction of a mission's points that one more step is worth to a seat that is already ahead."""
WHOLE_PANTHEON = 7
TAX_ADDED = 1.5
"""Denarii that a player gains each round in addition to taxes."""


@kernel
def look_ahead(g: Record, t: Record, me: int, w: Record) -> None:
    """Cache the values that all options of a decision share, unless they are cached already."""
    if not math.isnan(g.notes[N_READY]):
        return
    g.notes[N_READY] = 1.0
    left = float(t.rounds - g.round_number)
    g.notes[N_LEFT] = left
    g.notes[N_DENARIUS] = worth_of_denarius(g, t, me, w)
    phases = left + (1.0 if g.phase < constants.INCOME_PHASE else 0.0)
    g.notes[N_FOLLOWER] = w.weight[P_FOLLOWER] * phases
    note_harm(g, me, w)
    note_counts(g, t, me, w)
    worth = w.weight[P_CARD] + CARD_OF_SET * g.notes[N_COUNT + constants.COUNT_SETS]
    g.notes[N_CARD] = worth * min(1.0, (left + 0.5) / CARD_ROUNDS) + g.notes[N_COUNT + constants.COUNT_TRADE_CARDS]


@kernel
def worth_of_denarius(g: Record, t: Record, me: int, w: Record) -> float:
    """Return the worth of a denarius.

    The worth is lower if all remaining tiles cost little compared with the denarii of all players. It is also lower if
    the seat can already pay for all tiles of the next province.
    """
    last = 1.0 / denarii_rate(g, t, me)
    left = float(t.rounds - g.round_number)
    if left == 0.0 and g.phase > constants.BUILD_PHASE:
        return last
    prices, built, denarii = 0.0, 0.0, 0.0
    for kind in range(g.tiles.shape[0]):
        for level in range(g.tiles.shape[1]):
            prices += g.tiles[kind, level] * t.price[kind, level]
            built += t.tiles[g.small, kind, level] - g.tiles[kind, level]
    for seat in range(g.players):
        denarii += g.denarii[seat]
    taxes = g.players * (1.0 + (built + 2.0 * left) / len(constants.PROVINCES) + TAX_ADDED)
    denarii += left * taxes
    share = min(1.0, w.weight[P_SCARCE] * prices / (1.0 + denarii))
    if g.phase > constants.BUILD_PHASE:
        place = place_before_turn(g, int(g.place[me]))
        if g.denarii[me] + population(g, province_before(g, me)) >= prices_in(g, t, int(g.board[place])):
            share *= w.weight[P_EXCESS]
    worth = w.weight[P_DENARIUS]
    if g.variant & constants.IMPERIAL != 0:
        worth *= w.weight[P_ALONE]
    return float(last + (worth - last) * share)


@kernel
def turning(g: Record) -> int:
    """Return by how many places the board turns clockwise at the end of this round; negative if counter-clockwise."""
    if g.variant & constants.CLOCKWORK != 0:
        return 1
    return int(g.arrows if g.direction == constants.CLOCKWISE else -g.arrows)


@kernel
def place_before_turn(g: Record, place: int) -> int:
    """Return the place whose province moves to the given place at the end of the round."""
    return (place - turning(g)) % len(constants.PROVINCES)


@kernel
def place_to_come(g: Record, place: int) -> int:
    """Return the place to which the province at the given place moves at the end of the round."""
    return (place + turning(g)) % len(constants.PROVINCES)


@kernel
def prices_in(g: Record, t: Record, province: int) -> float:
    """Return the total price of the tiles that can still be placed in a province."""
    prices = 0.0
    for kind in range(g.tiles.shape[0]):
        for level in range(g.building[province, kind], g.tiles.shape[1]):
            if g.tiles[kind, level] == 0:
                break
            prices += t.price[kind, level]
    return prices


@kernel
def note_harm(g: Record, me: int, w: Record) -> None:
    """Cache, for each other seat, how much this seat gains if that seat loses a point.

    With more than two players, the gain is greater if the seat that loses the point leads the other seats.
    """
    most = 0
    for seat in range(g.players):
        if seat != me:
            most = max(most, int(g.glory[seat]))
    for seat in range(g.players):
        worth = w.weight[P_HURT] / max(1, g.players - 1)
        if g.players > 2 and g.glory[seat] == most:
            worth *= 1.0 + w.weight[P_LEADER]
        g.notes[N_HURT + seat] = 0.0 if seat == me else worth


# ---- Glory ----


@kernel
def glory_worth(g: Record, me: int, number: int, w: Record) -> float:
    """Return the worth of `number` points of glory, including the followers that milestones bring.

    A negative `number` is a loss. The game never offers a loss of more glory than the seat has.
    """
    worth = number * (1.0 + g.notes[N_COUNT + constants.COUNT_GLORY])
    before, after = float(g.glory[me]), float(g.glory[me] + number)
    progress = w.weight[P_PROGRESS]
    for milestone in range(g.marker.shape[0]):
        space = float(g.marker[milestone])
        if space > 0.0 and g.reached[me, milestone] == 0:
            stood = progress * before * before / (space * space)
            stands = 1.0 if after >= space else progress * after * after / (space * space)
            worth += g.notes[N_FOLLOWER] * (stands - stood)
    return float(worth)


# ---- Missions ----


@kernel
def note_counts(g: Record, t: Record, me: int, w: Record) -> None:
    """Cache how many points each count, such as the number of votes or medals, brings when it rises by one.

    The points come from missions and, in the Imperial variant, from tasks.
    """
    for count in range(len(constants.COUNTS)):
        g.notes[N_COUNT + count] = 0.0
    for place in range(g.mission_count[me]):
        mission = int(g.missions[me, place])
        if t.condition[mission] != constants.MEDAL:
            count = int(t.count[mission])
            g.notes[N_COUNT + count] += w.weight[P_MISSION] * step_worth(g, t, me, mission, count)
    if g.variant & constants.IMPERIAL != 0:
        note_tasks(g, t, me, w)


@kernel
def step_worth(g: Record, t: Record, me: int, mission: int, count: int) -> float:
    """Return the expected points that a mission brings when the count that it concerns rises by one."""
    points, condition = float(t.points[mission]), int(t.condition[mission])
    if condition == constants.PER:
        return points
    own = count_of(g, me, count)
    if condition == constants.AT_LEAST:
        return steps_to(g, points, int(t.number[mission]) - own)
    most, least = -1000, 1000
    for other in range(g.players):
        if other != me:
            theirs = count_of(g, other, count)
            most = max(most, theirs)
            least = min(least, theirs)
    if condition == constants.MOST:
        return AHEAD * points if own >= most else steps_to(g, points, most - own)
    if condition == constants.LEAST:
        return -AHEAD * points if own < least else -steps_to(g, points, own - least + 1)
    return 0.0


@kernel
def steps_to(g: Record, points: float, steps: int) -> float:
    """Return the worth of one step towards a goal that is `steps` steps away and brings `points` points."""
    if steps <= 0:
        return 0.0
    return float(points / (steps * (1.0 + FARTHER * (steps - 1) / (1.0 + g.notes[N_LEFT]))))


@kernel
def note_tasks(g: Record, t: Record, me: int, w: Record) -> None:
    """Add, for each count, the points that tasks of the Imperial variant bring when the count rises by one."""
    task = w.weight[P_TASK]
    add_task(g, me, constants.COUNT_GLORY, GLORY_TASK, task)
    add_task(g, me, constants.COUNT_MEDALS, MEDALS_TASK, task)
    add_task(g, me, constants.COUNT_VOTES, VOTES_TASK, task)
    add_task(g, me, constants.COUNT_SETS, SETS_TASK, task)
    add_task(g, me, constants.COUNT_PANTHEON, WHOLE_PANTHEON, task)
    if missions_fulfilled(g, t, me) < MISSIONS_TASK:
        for place in range(g.mission_count[me]):
            mission = int(g.missions[me, place])
            if t.condition[mission] not in (constants.MEDAL, constants.PER):
                count = int(t.count[mission])
                share = step_worth(g, t, me, mission, count) / max(1.0, float(t.points[mission]))
                g.notes[N_COUNT + count] += task / MISSIONS_TASK * share


@kernel
def add_task(g: Record, me: int, count: int, number: int, task: float) -> None:
    """Add to a count's note the worth of raising the count by one for a task.

    The task requires a count of `number` and brings `task` points.
    """
    g.notes[N_COUNT + count] += steps_to(g, task, number - count_of(g, me, count))

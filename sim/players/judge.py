"""The kernels of learned judges. A small net estimates every seat's chance to win from the features of a position.

Each part of a game has a net of its own. Every seat has hidden units, which add up the features of all seats. The
weights of a feature depend on its role, which says whose feature it is: the seat's own, another seat's, or a
neighbour's. The weighted sum of the hidden units is the seat's rating, and the softmax of the ratings gives the chances
(TD-Gammon: Tesauro, Communications of the ACM 38, 1995).

The weights are one array in single precision, which kernels only read. Its first three entries are the numbers of
features, of roles and of parts of the game. Then follow, for each part: a row of `UNITS` weights for each feature and
role, the biases of the units, and the weights of the units in the rating. The last unit is linear and has no weight:
the rating is this unit plus the weighted other units.
"""

from __future__ import annotations

import math
from typing import Any

from sim.compiler.kernel import Floats, Record, kernel
from sim.engine.state import NO_ERROR
from sim.players.search_memory import UNITS, floats_at, scores_at, searched_at

MODEL = 1
"""Index of the strategy that plays all seats in a rollout (`sim.players.search.MODEL`)."""
HEAD = 3
"""Number of entries of the array before the nets."""

play_step: Any = None
describe_seat: Any = None
phase_of: Any = None
may_stop: Any = None
clock: Any = None
"""`bind_kernels` replaces these names with a game's kernels."""


@kernel
def always_may_stop(g: Record) -> int:
    """Return 1. This is for games whose play can stop as soon as the round of a horizon is reached."""
    return 1


@kernel
def rounds_played(g: Record) -> int:
    """Return the number of rounds. It is the clock of games that have no clock of their own."""
    return int(g.rounds)


@kernel
def role_of(other: int, seat: int, players: int, roles: int) -> int:
    """Return the role of the seat `other` for the seat `seat`.

    0 is the seat itself. With two roles, 1 is another seat; with four, 1 the left neighbour, 2 the right, 3 another.
    """
    if other == seat:
        return 0
    if roles == 2 or (other + 1) % players == seat:
        return 1
    return 2 if (seat + 1) % players == other else 3


@kernel
def numbers_of_phase(features: int, roles: int) -> int:
    """Return the number of weights in the net of one part of the game."""
    return (features * roles + 2) * UNITS


@kernel
def numbers_at(address: int) -> int:
    """Return the length of the array of weights that begins at an address."""
    head = floats_at(address, HEAD)
    return HEAD + int(head[2]) * numbers_of_phase(int(head[0]), int(head[1]))


def judge_position(g: Record, t: Record, net: Any, found: Record) -> None:
    """Estimate every seat's chance to win with the net of the present part; write it into `found.chance`."""
    features, roles = int(net[0]), int(net[1])
    first = HEAD + phase_of(g, t) * numbers_of_phase(features, roles)
    width = roles * UNITS
    for other in range(g.players):
        count = describe_seat(g, t, other, found.feature, found.amount)
        add_up(net, first, width, count, found.feature, found.amount, found.parts[other])
    biases = first + features * width
    for seat in range(g.players):
        for unit in range(UNITS):
            found.hidden[unit] = net[biases + unit]
        for other in range(g.players):
            role = role_of(other, seat, g.players, roles) * UNITS
            for unit in range(UNITS):
                found.hidden[unit] += found.parts[other, role + unit]
        found.chance[seat] = rating_of(net, biases + UNITS, found.hidden)
    turn_to_chances(found.chance, g.players)


@kernel
def add_up(net: Any, first: int, width: int, count: int, feature: Any, amount: Any, total: Any) -> None:
    """Write into `total` the weighted sum of the weight rows of a seat's features.

    `feature` and `amount` hold the indices and amounts of the seat's `count` features. The row of a feature is
    multiplied by its amount. Rows begin in `net` at index `first`, and have `width` weights: `UNITS` for every role.
    """
    total[:width] = 0.0
    for place in range(count):
        value = amount[place]
        row = net[first + feature[place] * width :]
        for unit in range(width):
            total[unit] += value * row[unit]


@kernel
def rating_of(net: Any, weights: int, hidden: Any) -> float:
    """Return the rating of a seat, given the inputs `hidden` of its hidden units.

    `weights` is the index in `net` of the weights of the units in the rating.
    """
    rating = float(hidden[UNITS - 1])
    for unit in range(UNITS - 1):
        if hidden[unit] > 0.0:
            rating += float(hidden[unit] * net[weights + unit])
    return rating


@kernel
def turn_to_chances(ratings: Floats, players: int) -> None:
    """Replace the ratings of the seats by chances: their softmax."""
    most = -math.inf
    for seat in range(players):
        most = max(most, ratings[seat])
    total = 0.0
    for seat in range(players):
        ratings[seat] = math.exp(ratings[seat] - most)
        total += ratings[seat]
    for seat in range(players):
        ratings[seat] /= total


@kernel
def final_chances(g: Record, scale: float, chance: Floats) -> None:
    """Write each seat's chance to win into `chance`, given the points of a finished game.

    The chances are the softmax of points / `scale`. This is a softened result: a seat just behind the winner gets a
    chance too, because it might have won. Softened results tell positions apart better than wins do. If something other
    than points decided the game, or `scale` is 0, each winner gets 1 / (number of winners).
    """
    total = g.score.shape[1] - 1
    winners = 0
    most = -math.inf
    won_with = math.inf
    for seat in range(g.players):
        most = max(most, float(g.score[seat, total]))
        if g.rank[seat] == 1:
            winners += 1
            won_with = min(won_with, float(g.score[seat, total]))
    if scale > 0.0 and won_with == most:
        for seat in range(g.players):
            chance[seat] = g.score[seat, total] / scale
        turn_to_chances(chance, g.players)
    else:
        for seat in range(g.players):
            chance[seat] = 1.0 / winners if g.rank[seat] == 1 else 0.0


def play_to_judge(g: Record, t: Record, scores: int, lineup: Record, rounds: int) -> int:
    """Play a rollout to the horizon. Write every seat's chance to win into the state of the search; return 0.

    The net judges the position at the horizon. If the game ends earlier, the chances follow from its result.

    Parameters
    ----------
    scores
        Address of the state of the search (`searched_at`), which holds the players' scoring functions.
    lineup
        Weights of the two strategies of a rollout. Those of strategy `MODEL` contain the address of the net.
    rounds
        Value of `g.rounds` at the horizon. If the game has a clock of its own, the horizon is reached when this clock
        has advanced by `rounds - g.rounds`. In both cases, play then continues to the next point where the game may
        stop.
    """
    players = (scores_at(scores), lineup)
    end = clock(g) + rounds - g.rounds
    while g.finished == 0 and g.error == NO_ERROR and (clock(g) < end or may_stop(g) == 0):
        play_step(g, t, players)
    if g.error != NO_ERROR:
        return 0
    found, search = searched_at(scores), lineup.seats[MODEL].search
    if g.finished != 0:
        final_chances(g, search.lead_scale, found.chance)
    else:
        judge_position(g, t, floats_at(search.judge, numbers_at(search.judge)), found)
    return 0

"""The worth of votes in the senate column: majorities now and later, and the points of the column's places."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.conditions import province_before
from sim.games.glory_of_rome.rules.senate import MAJORITY_VOTES, majority_worth, votes_on_top
from strategies.glory_of_rome.outlook import glory_worth
from strategies.glory_of_rome.weights import N_COUNT, N_HURT, N_LEFT, P_CHAIN, P_CHAIN_ONE, P_COLUMN, P_PUSHED

STAYS = 0.35
"""Share of the points of a place in the senate column that is expected to last through one round."""


@kernel
def share_that_stays(g: Record, w: Record) -> float:
    """Return the share of the points of a place in the column that will probably last to the end.

    In the last round, this share is smaller if others can still vote.
    """
    if g.notes[N_LEFT] == 0.0:
        return 1.0 / (1.0 + w.weight[P_PUSHED] * votes_to_come(g))
    return float(w.weight[P_COLUMN] * STAYS ** g.notes[N_LEFT])


@kernel
def votes_to_come(g: Record) -> float:
    """Return how many votes the others can still place in the column with their remaining followers this round."""
    count = 0
    for seat in range(g.players):
        if seat != g.turn_seat:
            places = int(
                g.building[province_before(g, seat), constants.POLITICAL] - g.placed[seat, constants.POLITICAL]
            )
            count += max(0, min(places, int(g.followers_left[seat])))
    return float(count)


@kernel
def chain_worth(g: Record, t: Record, seat: int, votes: int, w: Record) -> float:
    """Return the worth of having `votes` votes on top of the column, which help towards majorities in later rounds."""
    if votes == 0:
        return 0.0
    worth = majority_worth(g, t, seat) * min(1.0, 0.4 + 0.3 * g.notes[N_LEFT])
    return float(worth * (w.weight[P_CHAIN] if votes > 1 else w.weight[P_CHAIN_ONE]))


@kernel
def column_change(g: Record, t: Record, me: int) -> float:
    """Return what a seat gains from the points of the column if it places a vote on top.

    In a full column, the new vote pushes all others down one place. Harm to other seats counts as a gain in part.
    """
    size = int(g.senate_size)
    if size < constants.SENATE_SIZE:
        return float(t.senate_values[size])
    change = float(t.senate_values[size - 1])
    for place in range(size):
        lower = t.senate_values[place - 1] if place > 0 else 0
        lost = float(t.senate_values[place] - lower)
        seat = int(g.senate[place])
        change += -lost if seat == me else lost * g.notes[N_HURT + seat]
    return change


@kernel
def top_owner(g: Record) -> int:
    """Return the seat whose vote is on top, or NO_SEAT if the column is empty."""
    return int(g.senate[g.senate_size - 1]) if g.senate_size > 0 else constants.NO_SEAT


@kernel
def votes_gained(g: Record, me: int) -> float:
    """Return how many more votes a seat has in the column once it votes: 0 if it pushes out its own vote, else 1."""
    pushes_own = g.senate_size == constants.SENATE_SIZE and g.senate[0] == me
    return 0.0 if pushes_own else 1.0


@kernel
def political_worth(g: Record, t: Record, me: int, w: Record) -> float:
    """Return the worth of placing one vote."""
    stays = share_that_stays(g, w)
    worth = stays * column_change(g, t, me)
    worth += votes_gained(g, me) * g.notes[N_COUNT + constants.COUNT_VOTES] * max(stays, 0.3)
    top = top_owner(g)
    own = votes_on_top(g, me)
    if own == 0 and top != constants.NO_SEAT:
        worth += g.notes[N_HURT + top] * chain_worth(g, t, top, votes_on_top(g, top), w)
    worth += chain_worth(g, t, me, own + 1, w) - chain_worth(g, t, me, own, w)
    if own >= MAJORITY_VOTES - 1:
        worth += glory_worth(g, me, majority_worth(g, t, me), w)
    return float(worth)


@kernel
def second_political_worth(g: Record, t: Record, me: int, w: Record) -> float:
    """Return the worth of placing a second vote immediately after the first."""
    stays = share_that_stays(g, w)
    worth = stays * 0.6 * t.senate_values[constants.SENATE_SIZE - 1]
    if g.senate_size < constants.SENATE_SIZE:
        worth += g.notes[N_COUNT + constants.COUNT_VOTES] * max(stays, 0.3)
    own = votes_on_top(g, me) + 1
    worth += chain_worth(g, t, me, own + 1, w) - chain_worth(g, t, me, own, w)
    if own >= MAJORITY_VOTES - 1:
        worth += glory_worth(g, me, majority_worth(g, t, me), w)
    return float(worth)

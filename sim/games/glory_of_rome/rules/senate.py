"""Votes in the senate column (rulebook: Senate column)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.glory import gain_glory
from sim.games.glory_of_rome.rules.log import MAJORITY, VOTE_PLACED, VOTE_PUSHED_OUT, VOTE_REMOVED, log_event

MAJORITY_VOTES = 3


@kernel
def place_vote(g: Record, t: Record, seat: int) -> None:
    """Place a vote on top of the column. A sixth vote pushes out the lowest. Three votes in a row are a majority."""
    g.board_votes[seat] -= 1
    g.senate[g.senate_size] = seat
    g.senate_size += 1
    log_event(g, VOTE_PLACED, seat, 0, constants.NO_CARD, 0, 0)
    has_majority = votes_on_top(g, seat) >= MAJORITY_VOTES
    if g.senate_size > constants.SENATE_SIZE:
        log_event(g, VOTE_PUSHED_OUT, int(g.senate[0]), 0, constants.NO_CARD, 0, 0)
        take_vote(g, 0)
    if has_majority:
        g.majorities[seat] += 1
        log_event(g, MAJORITY, seat, 0, constants.NO_CARD, 0, 0)
        gain_glory(g, t, seat, majority_worth(g, t, seat))


@kernel
def majority_worth(g: Record, t: Record, seat: int) -> int:
    """Return the glory of a majority. With the political medal it is more."""
    return int(t.majority_glory_with_medal if g.medal[constants.POLITICAL] == seat else t.majority_glory)


@kernel
def votes_on_top(g: Record, seat: int) -> int:
    """Return how many consecutive votes on top of the column belong to a seat."""
    count = 0
    while count < g.senate_size and g.senate[g.senate_size - 1 - count] == seat:
        count += 1
    return count


@kernel
def take_vote(g: Record, place: int) -> int:
    """Put a vote of the column back on its owner's board, and move the votes above it down. Return the owner."""
    owner = int(g.senate[place])
    for other in range(place, g.senate_size - 1):
        g.senate[other] = g.senate[other + 1]
    g.senate_size -= 1
    g.board_votes[owner] += 1
    return owner


@kernel
def remove_vote(g: Record, place: int) -> None:
    """Remove a vote by intrigue. Votes that become neighbours do not form a majority."""
    log_event(g, VOTE_REMOVED, int(g.senate[place]), place, constants.NO_CARD, 0, 0)
    take_vote(g, place)


@kernel
def senate_points(g: Record, t: Record, seat: int) -> int:
    """Return the end glory of a seat's votes, which depends on their places in the column."""
    points = 0
    for place in range(g.senate_size):
        if g.senate[place] == seat:
            points += int(t.senate_values[place])
    return points


@kernel
def votes_in_column(g: Record, seat: int) -> int:
    """Return the number of a seat's votes in the column."""
    count = 0
    for place in range(g.senate_size):
        count += int(g.senate[place] == seat)
    return count

"""Points as if the game ended now, titles, and the end of the game (docs/rules-imperial-settlers.md: End)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.ranking import rank_seats
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.log import PHASE_BEGINS, ROUND_ENDS, log_event

HANDS = 1000
"""More cards than a hand can hold. In the tie-break, goods therefore count before cards."""


# ---- Points ----


@kernel
def points_on(g: Record, t: Record, card: int) -> int:
    """Return the points at the end for the cards under a location and the resources on it.

    They are those of the highest tier (`t.end_tier`) that the number of these cards and resources reaches.
    """
    things = int(g.tucked[card])
    for good in range(constants.RESOURCES + 1):
        things += int(g.banked[card, good])
    points = 0
    for tier in range(t.end_tier.shape[1]):
        if 0 < t.end_tier[card, tier, 0] <= things:
            points = int(t.end_tier[card, tier, 1])
    return points


@kernel
def count_location(g: Record, t: Record, seat: int, card: int) -> None:
    """Add the points of a location, and of the things on it, to the score of a seat."""
    part = constants.COMMON_LOCATIONS if t.deck[card] == constants.COMMON else constants.FACTION_LOCATIONS
    g.score[seat, part] += t.points_end[card]
    if g.tucked[card] != 0 or t.trigger[card] == constants.BANKS:
        g.score[seat, constants.BANKED] += points_on(g, t, card)


@kernel
def count_points(g: Record, t: Record, seat: int) -> None:
    """Compute the score of a seat as if the game ended now: its parts and the total."""
    g.score[seat, :] = 0
    g.score[seat, constants.TRACK] = g.points[seat]
    for place in range(g.zone_size[seat, constants.LOCATIONS]):
        card = int(g.zone[seat, constants.LOCATIONS, place])
        if t.controlled_scores_for == 0 or g.holder[card] == seat:
            count_location(g, t, seat, card)
    if t.controlled_scores_for != 0:
        for place in range(g.zone_size[seat, constants.CONTROLLED]):
            count_location(g, t, seat, int(g.zone[seat, constants.CONTROLLED, place]))
    if t.foundations_score != 0:
        g.score[seat, constants.COMMON_LOCATIONS] += g.zone_size[seat, constants.FOUNDATIONS]
    total = 0
    for part in range(constants.TOTAL):
        total += g.score[seat, part]
    g.score[seat, constants.TOTAL] = total


@kernel
def note_round(g: Record, t: Record) -> None:
    """Record the points that each seat would have if the game ended now, after all seats have passed."""
    for seat in range(g.players):
        count_points(g, t, seat)
        g.score_after[seat, g.rounds - 1] = g.score[seat, constants.TOTAL]
        log_event(g, ROUND_ENDS, constants.NO_SEAT, constants.NO_CARD, seat, int(g.score[seat, constants.TOTAL]))


# ---- Ranks ----


@kernel
def tie_break(g: Record, t: Record, seat: int) -> int:
    """Return the number that breaks a tie between seats; more is better.

    It compares workers and resources left (with gold if a setting says so), then cards in hand.
    """
    left = g.goods[seat, constants.WORKER]
    for good in range(constants.RESOURCES):
        left += g.goods[seat, good]
    if t.gold_breaks_ties != 0:
        left += g.goods[seat, constants.GOLD]
    return int(left * HANDS + g.zone_size[seat, constants.HAND])


@kernel
def rank_as_if_ended(g: Record, t: Record) -> None:
    """Rank the seats, whose points have been counted. Seats that are tied even after the tie-break share a rank."""
    ties = g.option_value
    for seat in range(g.players):
        ties[seat] = tie_break(g, t, seat)
    rank_seats(g, g.score[:, constants.TOTAL], ties)


# ---- Solo ----


@kernel
def own_faction_locations(g: Record, t: Record) -> int:
    """Count the faction locations of the player of a solo game."""
    count = 0
    for place in range(g.zone_size[0, constants.LOCATIONS]):
        if t.deck[g.zone[0, constants.LOCATIONS, place]] >= 0:
            count += 1
    return count


@kernel
def has_won_solo(g: Record, t: Record) -> bool:
    """Tell whether the player has more faction locations than the virtual player has collected cards."""
    return own_faction_locations(g, t) > g.zone_size[constants.VIRTUAL, constants.PILE]


@kernel
def title_of(t: Record, points: int) -> int:
    """Return the title for the points of a won solo game, as an index into `constants.TITLES`."""
    title = 0
    for higher in range(1, len(constants.TITLES)):
        if points >= t.title_from[higher]:
            title = higher
    return title


# ---- The end ----


@kernel
def finish(g: Record, t: Record) -> None:
    """End the game: compute points and ranks. In a solo game, also decide whether it is won, and with which title."""
    log_event(g, PHASE_BEGINS, constants.NO_SEAT, constants.NO_CARD, constants.END, 0)
    for seat in range(g.players):
        count_points(g, t, seat)
    if g.solo == 0:
        rank_as_if_ended(g, t)
        g.end_reason = constants.FIVE_ROUNDS
    elif has_won_solo(g, t):
        g.rank[0] = 1
        g.end_reason = constants.SOLO_WON + title_of(t, int(g.score[0, constants.TOTAL]))
    else:
        g.rank[0] = 2
        g.end_reason = constants.SOLO_LOST
    g.phase = constants.END
    g.turn_seat = constants.NO_SEAT
    g.finished = 1

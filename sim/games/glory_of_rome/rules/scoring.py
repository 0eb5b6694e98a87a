"""Final scoring, achievements, and tasks and titles of the Imperial variant (rulebook: Final scoring)."""

from __future__ import annotations

from sim.compiler.kernel import Record, kernel
from sim.engine.ranking import rank_seats
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.conditions import is_fulfilled, medals_of, mission_points
from sim.games.glory_of_rome.rules.hands import sets_laid
from sim.games.glory_of_rome.rules.log import FULFILLED, MISSION_SCORED, POINTS, REGION_SCORED, log_event, mark
from sim.games.glory_of_rome.rules.pantheon import is_finished, pantheon_points
from sim.games.glory_of_rome.rules.regions import first_places, place_in_region, region_points
from sim.games.glory_of_rome.rules.senate import senate_points, votes_in_column

GLORY_TASK, MEDALS_TASK, REGIONS_TASK, VOTES_TASK, SETS_TASK, MISSIONS_TASK = 51, 3, 2, 4, 2, 2
"""Numbers that the tasks of the Imperial variant require."""
TITLE_FROM = (4, 6, 7)
"""Number of tasks required for each title."""


@kernel
def denarii_rate(g: Record, t: Record, seat: int) -> int:
    """Return how many denarii make a point of end glory. With the religious medal it takes fewer."""
    owns_medal = g.medal[constants.RELIGIOUS] == seat
    return int(t.denarii_for_point_with_medal if owns_medal else t.denarii_for_point)


@kernel
def set_points(g: Record, t: Record, seat: int) -> int:
    """Return the end glory of the sets that a seat has laid down."""
    points = 0
    for kind in range(g.sets.shape[1]):
        points += int(g.sets[seat, kind]) * int(t.set_points[kind])
    return points


@kernel
def count_points(g: Record, t: Record, seat: int) -> None:
    """Write the parts and the total of a seat's score into `g.score`, as if the game ended now."""
    score = g.score[seat]
    score[constants.PART_TRACK] = g.glory[seat]
    score[constants.PART_MILITARY] = 0
    for region in range(g.legions.shape[0]):
        score[constants.PART_MILITARY] += region_points(g, t, region, seat)
    score[constants.PART_POLITICS] = senate_points(g, t, seat)
    score[constants.PART_COMMERCE] = set_points(g, t, seat)
    score[constants.PART_RELIGION] = pantheon_points(g, t, seat)
    score[constants.PART_MISSIONS] = 0
    for place in range(g.mission_count[seat]):
        score[constants.PART_MISSIONS] += mission_points(g, t, seat, int(g.missions[seat, place]))
    score[constants.PART_DENARII] = g.denarii[seat] // denarii_rate(g, t, seat)
    total = 0
    for part in range(constants.TOTAL):
        total += int(score[part])
    score[constants.TOTAL] = total


@kernel
def points_now(g: Record, t: Record, seat: int) -> int:
    """Return the points that a seat would have if the game ended now."""
    count_points(g, t, seat)
    return int(g.score[seat, constants.TOTAL])


@kernel
def tie_break(g: Record, t: Record, seat: int) -> int:
    """Return the denarii that break a tie: those that gave no points; with `denarii_break_ties` "all", all denarii."""
    if t.denarii_break_ties != 0:
        return int(g.denarii[seat])
    return int(g.denarii[seat] % denarii_rate(g, t, seat))


@kernel
def rank_as_if_ended(g: Record, t: Record) -> None:
    """Count the points of all seats as if the game ended now, and rank the seats. This overwrites `g.option_value`."""
    ties = g.option_value
    for seat in range(g.players):
        count_points(g, t, seat)
        ties[seat] = tie_break(g, t, seat)
    rank_seats(g, g.score[:, constants.TOTAL], ties)


@kernel
def missions_fulfilled(g: Record, t: Record, seat: int) -> int:
    """Return the number of missions that a seat has fulfilled."""
    count = 0
    for place in range(g.mission_count[seat]):
        count += int(is_fulfilled(g, t, seat, int(g.missions[seat, place])))
    return count


@kernel
def finished_levels(g: Record, t: Record, seat: int) -> int:
    """Return the number of finished levels of a seat's Pantheon."""
    return int(is_finished(g, t, seat, constants.BASE)) + int(is_finished(g, t, seat, constants.ROOF))


# ---- The Imperial variant ----


@kernel
def tasks_of(g: Record, t: Record, seat: int) -> int:
    """Return the tasks of the Imperial variant that a seat has fulfilled, as bits of `constants.TASKS`."""
    conquered = 0
    for region in range(g.legions.shape[0]):
        conquered += int(g.conquered[region] != 0)
    tasks = int(g.glory[seat] >= GLORY_TASK)
    tasks |= int(medals_of(g, seat) >= MEDALS_TASK) << 1
    tasks |= int(conquered >= REGIONS_TASK) << 2
    tasks |= int(votes_in_column(g, seat) >= VOTES_TASK) << 3
    tasks |= int(sets_laid(g, seat) >= SETS_TASK) << 4
    tasks |= int(finished_levels(g, t, seat) == 2) << 5
    tasks |= int(missions_fulfilled(g, t, seat) >= MISSIONS_TASK) << 6
    return tasks


@kernel
def count_bits(bits: int) -> int:
    """Return how many bits of a number are set."""
    count = 0
    while bits > 0:
        count += bits & 1
        bits >>= 1
    return count


@kernel
def title_of(tasks: int) -> int:
    """Return the title for a number of tasks, as an index into `constants.TITLES`; -1 if there is none."""
    title = -1
    for place in range(len(TITLE_FROM)):
        if tasks >= TITLE_FROM[place]:
            title = place
    return title


# ---- Achievements ----


@kernel
def achievements_of(g: Record, t: Record, seat: int) -> int:
    """Return the achievements of a seat as bits of `constants.ACHIEVEMENTS`. Its points must have been counted."""
    total = g.score[seat, constants.TOTAL]
    most_of_a_kind = 0
    for kind in range(g.sets.shape[1]):
        most_of_a_kind = max(most_of_a_kind, int(g.sets[seat, kind]))
    golden = (
        g.pantheon_common[seat, constants.BASE] == constants.GOLD
        and g.pantheon_common[seat, constants.ROOF] == constants.GOLD
    )
    bits = int(total >= 100)
    bits |= int(g.sets[seat, constants.JEWELS] >= 2) << 1
    bits |= int(most_of_a_kind >= 3) << 2
    bits |= int(golden) << 3
    bits |= int(g.discord[seat] == 0) << 4
    bits |= int(medals_of(g, seat) == len(constants.BUILDINGS)) << 5
    bits |= int(g.glory[seat] >= 61) << 6
    bits |= int(first_places(g, seat) == len(constants.REGIONS)) << 7
    bits |= int(senate_points(g, t, seat) >= 12) << 8
    bits |= int(missions_fulfilled(g, t, seat) >= 4) << 9
    bits |= int(total >= 113) << 10
    return bits


# ---- The end ----


@kernel
def finish(g: Record, t: Record) -> None:
    """End the game: points, ranks, achievements, and in the Imperial variant tasks and title."""
    rank_as_if_ended(g, t)
    for seat in range(g.players):
        g.achievements[seat] = achievements_of(g, t, seat)
        g.fulfilled[seat] = missions_fulfilled(g, t, seat)
        write_down_points(g, t, seat)
    g.end_reason = constants.ENDED
    if g.variant & constants.IMPERIAL != 0:
        g.tasks[0] = tasks_of(g, t, 0)
        title = title_of(count_bits(int(g.tasks[0])))
        g.rank[0] = 1 if title >= 0 else 2
        g.end_reason = constants.UNTITLED + 1 + title
    g.finished = 1


@kernel
def write_down_points(g: Record, t: Record, seat: int) -> None:
    """Log a seat's points from regions and missions at the end."""
    for region in range(g.legions.shape[0]):
        place = place_in_region(g, region, seat)
        if place >= 0 and g.conquered[region] != 0:
            log_event(g, REGION_SCORED, seat, region, constants.NO_CARD, place, region_points(g, t, region, seat))
    for number in range(g.mission_count[seat]):
        mission = int(g.missions[seat, number])
        points = mission_points(g, t, seat, mission)
        log_event(g, MISSION_SCORED, seat, 0, mission, 0, points)
        mark(g, seat, mission, POINTS, points)
        mark(g, seat, mission, FULFILLED, int(is_fulfilled(g, t, seat, mission)) * int(g.rounds))

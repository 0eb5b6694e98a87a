"""Habits of scripted players that a good player would not have, counted over games: `python -m` this module.

Counts are per seat and game, and stand in docs/players.md.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

from sim.compiling import players_of
from sim.games.glory_of_rome import words
from sim.games.glory_of_rome.building import can_build
from sim.games.glory_of_rome.hands import SET_SIZE
from sim.games.glory_of_rome.log import (
    BUILT,
    CARD,
    CARD_SOLD,
    FOLLOWER_PLACED,
    KIND,
    LEGION_MOVED,
    LEGION_PLACED,
    PIECE_REMOVED,
    SEAT,
    VALUE,
    VOTE_PUSHED_OUT,
    WHAT,
)
from sim.games.glory_of_rome.conditions import province_before
from sim.games.glory_of_rome.followers import has_bonus
from sim.games.glory_of_rome.scoring import mission_points, region_points
from tests.kit.plans import plan_for
from tests.kit.steps import started

HABITS = {
    "sold_playable": "sells a trade card that it could play with a tile it builds in the same turn",
    "sold_in_vain": "sells a trade card in the build phase and builds nothing after it",
    "left_tile": "passes in the build phase of round 8 or 9 though it can pay for a tile",
    "vote_lost": "a vote that it puts in the column in the last round is pushed out",
    "idle_legion": "places or moves a legion in the last round that brings it no point and takes none",
    "no_bonus": "puts a follower on a building without the bonus that is free, and never uses it in that round",
    "piece_lost": "loses a piece of an unfinished level of the Pantheon",
    "unfinished": "ends the game with own pieces on an unfinished level",
    "token_left": "ends the game with an intrigue token that was never activated",
    "mission_failed": "ends the game with a mission that brings nothing",
    "card_left": "ends the game with a trade card that it could have sold",
    "set_left": "ends the game with three cards of a type that it could have laid down",
    "denarii_left": "ends the game with denarii for four points or more",
    "legion_left": "ends the game with a legion on its board",
}
"""Each habit by its name; those with most counts stand in the table."""
ENOUGH = 16
LATE = 8


def count_habits(games: int, players: int, strategy: str = "balanced", variant: str | None = None) -> Counter[str]:
    """Play games of one strategy and count its habits over all seats."""
    plan = plan_for("glory_of_rome", variant, players, strategies=[strategy], seed=21)
    table, found = players_of(plan), Counter[str]()
    for game in range(games):
        record = started(plan, game, keeps_log=True)
        g, before = record[0], record.copy()
        told: list[tuple[int, ...]] = []
        while not g.finished and not g.error:
            before[:] = record
            plan.game.play_step(g, plan.data.tables, table)
            rows = [tuple(map(int, row)) for row in g.log.rows[before[0].log.row_count : g.log.row_count]]
            count_step(before[0], g, plan.data.tables, rows, found)
            told += rows
            if g.log.row_count > g.log.rows.shape[0] // 2:
                g.log.row_count = 0
        assert not g.error, g.error
        count_end(g, plan.data.tables, found)
    return found


def count_step(before: Any, g: Any, t: Any, rows: list[tuple[int, ...]], found: Counter[str]) -> None:
    """Count the habits seen in one step of a game."""
    seat = int(before.turn_seat)
    for row in rows:
        if row[KIND] == CARD_SOLD and before.phase == words.BUILD_PHASE:
            found["sold"] += 1
            sold_now[row[SEAT]] = sold_now.get(row[SEAT], []) + [row[CARD]]
        elif row[KIND] == BUILT:
            for card in sold_now.pop(row[SEAT], []):
                found["sold_playable"] += int(t.when[card] == words.BUILD)
        elif row[KIND] == VOTE_PUSHED_OUT and g.round_number == t.rounds:
            found["vote_lost"] += int(row[SEAT] in votes_now)
        elif row[KIND] in (LEGION_PLACED, LEGION_MOVED) and g.round_number == t.rounds:
            found["idle_legion"] += int(all(points_of(before, t, other) == points_of(g, t, other) for other in range(g.players)))
        elif row[KIND] == FOLLOWER_PLACED and row[WHAT] < words.BONUSES and row[VALUE] == 0:
            found["no_bonus"] += int(has_bonus(before, row[SEAT], row[WHAT]))
        elif row[KIND] == PIECE_REMOVED:
            found["piece_lost"] += 1
    turn_ends = before.stage == words.TURN and g.stage == words.TURN_OVER
    if before.phase == words.BUILD_PHASE and turn_ends:
        found["sold_in_vain"] += len(sold_now.pop(seat, []))
        affordable = any(can_build(g, t, seat, kind, int(g.denarii[seat])) for kind in range(len(words.BUILDINGS)))
        found["left_tile"] += int(g.round_number >= LATE and affordable)


votes_now: set[int] = set(range(words.MAX_SEATS))
sold_now: dict[int, list[int]] = {}


def points_of(g: Any, t: Any, seat: int) -> list[int]:
    """Points of a seat for each region."""
    return [int(region_points(g, t, region, seat)) for region in range(len(words.REGIONS))]


def count_end(g: Any, t: Any, found: Counter[str]) -> None:
    """Count the habits seen at the end of a game."""
    for seat in range(g.players):
        for level in range(2):
            found["unfinished"] += int(g.pantheon_own[seat, level] > 0 and g.pantheon_common[seat, level] == 0)
        found["token_left"] += int(g.intrigue[:, seat].sum())
        missions = [int(mission) for mission in g.missions[seat, : g.mission_count[seat]]]
        found["mission_failed"] += sum(int(mission_points(g, t, seat, mission) <= 0) for mission in missions)
        found["card_left"] += int(g.hand_size[seat])
        types = Counter(int(t.type[card]) for card in g.hand[seat, : g.hand_size[seat]])
        laid = int(g.sets[seat].sum())
        found["set_left"] += int(laid < g.set_limit[seat] and any(types[kind] >= SET_SIZE for kind in range(words.CHEST)))
        found["denarii_left"] += int(g.denarii[seat] >= ENOUGH)
        found["legion_left"] += int(g.board_legions[seat])


def main(arguments: list[str]) -> None:
    """Print the counts of a strategy: games at each number of players, and its name."""
    games = int(arguments[0]) if arguments else 100
    strategy = arguments[1] if len(arguments) > 1 else "balanced"
    total, seats = Counter[str](), 0
    for players in (2, 3, 4):
        total += count_habits(games, players, strategy)
        seats += games * players
    for habit, words_of_it in HABITS.items():
        print(f"{total[habit] / seats:6.2f}  {words_of_it}")


if __name__ == "__main__":
    main(sys.argv[1:])

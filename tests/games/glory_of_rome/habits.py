"""Habits of scripted players that a good player would not have, counted over games.

`python -m tests.games.glory_of_rome.habits 100 balanced` counts them in 100 games each of 2, 3 and 4 players. They are
counts for each seat and game, and stand in docs/players.md.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.building import can_build
from sim.games.glory_of_rome.rules.conditions import province_before
from sim.games.glory_of_rome.rules.followers import bonus_is_possible, has_bonus
from sim.games.glory_of_rome.rules.hands import SET_SIZE, room
from sim.games.glory_of_rome.rules.log import (
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
    WHAT,
)
from sim.games.glory_of_rome.rules.scoring import mission_points, region_points
from sim.players.compile_players import players_of
from tests.kit.plans import plan_for
from tests.kit.steps import started

HABITS = {
    "legion_left": "ends the game with a legion on its board (each)",
    "piece_lost": "loses a piece of an unfinished level of the Pantheon to Demolition (each)",
    "sold_in_vain": "sells a trade card in the build phase and builds nothing after it (each)",
    "vote_early": "votes in the last round though a follower for another place is left",
    "mission_failed": "ends the game with a mission that brings nothing (each)",
    "denarii_left": "ends the game with 16 denarii or more",
    "token_idle": "puts an intrigue token where nobody has the province in the next round",
    "token_left": "ends the game with an intrigue token that was never activated (each)",
    "no_bonus": "puts a follower on a building without the bonus that is free",
    "unfinished": "ends the game with own pieces on an unfinished level of the Pantheon",
    "sold_playable": "sells a trade card that it could play with a tile it builds in the same turn",
    "idle_legion": "places or moves a legion in the last round that changes no points",
    "card_left": "ends the game with a trade card (each)",
    "left_tile": "builds nothing more in round 8 or 9 though it can pay for a tile",
    "set_left": "ends the game with three cards of a type that it could have laid down",
}
"""Each habit by its name."""
MANY_DENARII = 16
LATE = 8


def count_habits(games: int, players: int, strategy: str = "balanced", variant: str | None = None) -> Counter[str]:
    """Play games of one strategy and count its habits over all seats."""
    plan = plan_for("glory_of_rome", variant, players, strategies=[strategy], seed=21)
    table, t, found = players_of(plan), plan.data.tables, Counter[str]()
    for game in range(games):
        record = started(plan, game, keeps_log=True)
        g, before, sold = record[0], record.copy(), list[int]()
        while not g.finished and not g.error:
            before[:] = record
            plan.game.play_step(g, t, table)
            rows = [list(map(int, row)) for row in g.log.rows[before[0].log.row_count : g.log.row_count]]
            for row in rows:
                count_row(before[0], g, t, row, found)
            count_sales(before[0], g, t, rows, sold, found)
        assert not g.error, g.error
        count_end(g, t, found)
    return found


def count_row(before: Any, g: Any, t: Any, row: list[int], found: Counter[str]) -> None:
    """Count the habits seen in one row of the log."""
    seat, what = row[SEAT], row[WHAT]
    last = g.round_number == t.rounds
    if row[KIND] in (LEGION_PLACED, LEGION_MOVED):
        found["idle_legion"] += int(last and points_of_regions(before, t) == points_of_regions(g, t))
    elif row[KIND] == PIECE_REMOVED:
        found["piece_lost"] += 1
    elif row[KIND] == FOLLOWER_PLACED and what < constants.BONUSES and row[VALUE] == 0:
        possible = has_bonus(before, seat, what) and bonus_is_possible(before, seat, what)
        found["no_bonus"] += int(possible and (what != constants.COMMERCIAL or room(before, t, seat) > 1))
    elif row[KIND] == FOLLOWER_PLACED and what == constants.INTRIGUE_SPACE:
        turn = g.arrows if g.direction == constants.CLOCKWISE else -g.arrows
        found["token_idle"] += int(g.seat_at[(g.place[seat] + turn) % len(constants.PROVINCES)] == constants.NO_SEAT)
    if row[KIND] == FOLLOWER_PLACED and what == constants.POLITICAL and last:
        places = g.building[province_before(before, seat), what] - before.placed[seat, what]
        found["vote_early"] += int(before.followers_left[seat] > places)


def count_sales(before: Any, g: Any, t: Any, rows: list[list[int]], sold: list[int], found: Counter[str]) -> None:
    """Count trade cards sold in the build phase for nothing, and tiles not built; `sold` are the cards of this turn."""
    if before.phase != constants.BUILD_PHASE:
        return
    seat = int(before.turn_seat)
    for row in rows:
        if row[KIND] == CARD_SOLD:
            sold.append(row[CARD])
        elif row[KIND] == BUILT:
            found["sold_playable"] += sum(int(t.when[card] == constants.BUILD) for card in sold)
            sold.clear()
    if before.stage == constants.TURN and g.stage == constants.TURN_OVER:
        found["sold_in_vain"] += len(sold)
        sold.clear()
        payable = any(can_build(g, t, seat, kind, int(g.denarii[seat])) for kind in range(len(constants.BUILDINGS)))
        found["left_tile"] += int(g.round_number >= LATE and payable)


def points_of_regions(g: Any, t: Any) -> list[int]:
    """Points of all seats for the regions."""
    regions = range(len(constants.REGIONS))
    return [int(region_points(g, t, region, seat)) for seat in range(g.players) for region in regions]


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
        may_lay = g.sets[seat].sum() < g.set_limit[seat]
        found["set_left"] += int(may_lay and any(types[kind] >= SET_SIZE for kind in range(constants.CHEST)))
        found["denarii_left"] += int(g.denarii[seat] >= MANY_DENARII)
        found["legion_left"] += int(g.board_legions[seat])


def main(arguments: list[str]) -> None:
    """Print the counts of a strategy: games at each number of players, and its name."""
    games = int(arguments[0]) if arguments else 100
    strategy = arguments[1] if len(arguments) > 1 else "balanced"
    found, seats = Counter[str](), 0
    for players in (2, 3, 4):
        found += count_habits(games, players, strategy)
        seats += games * players
    for habit, what in HABITS.items():
        print(f"{found[habit] / seats:6.2f}  {what}")


if __name__ == "__main__":
    main(sys.argv[1:])

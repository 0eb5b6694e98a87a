"""What the log of a game tells leads an obvious table to where the game stands; every kind of row is told in words."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from sim.games.glory_of_rome.io.narrate import BEGINNINGS, FOLLOWING, PARTS, RomeNarrator, narrate
from sim.games.glory_of_rome.rules import constants, log
from sim.players.compile_players import players_of
from tests.games.glory_of_rome import golden
from tests.kit.plans import plan_for, variants_tried, with_player
from tests.kit.steps import started

GAME = "glory_of_rome"
KINDS = {
    name: number
    for name, number in vars(log).items()
    if name.isupper() and isinstance(number, int) and number < log.MISSION_SCORED + 1
}
"""Numbers of the log: kinds of rows come behind each other from 0, columns and marks are among the same numbers."""


def followed(variant: str, players: int, number: int, scrambles: bool) -> Counter[int]:
    """Play a game, at random or as golden ones are, and follow its log; return how many rows of each kind it had."""
    plan = plan_for(GAME, variant, players, seed=8)
    if scrambles:
        plan = with_player(plan, golden.PLAYER, golden.score)
    g: Any = started(plan, number, keeps_log=True)[0]
    plan.game.kernels.play_out(g, plan.data.tables, players_of(plan))
    assert (g.finished, g.error) == (1, 0)
    teller = RomeNarrator(g, plan.data.tables, plan.data.catalog, [])
    rows = [[int(value) for value in g.log.rows[place]] for place in range(g.log.row_count)]
    for row in rows:
        teller.follow(row)
    seats = range(players)
    assert teller.glory == g.glory[:players].tolist()
    assert teller.denarii == g.denarii[:players].tolist()
    assert teller.followers == g.followers[:players].tolist()
    assert teller.anchors == g.anchor[:players].tolist()
    assert teller.board == g.board.tolist()
    assert teller.buildings == g.building.tolist()
    assert [sorted(cards) for cards in teller.hands] == [sorted(g.hand[s, : g.hand_size[s]].tolist()) for s in seats]
    follow_pieces(g, rows)
    return Counter(row[log.KIND] for row in rows)


def follow_pieces(g: Any, rows: list[list[int]]) -> None:
    """Follow legions and votes through the rows of a game: they end as they stand."""
    legions = Counter[tuple[int, int]]()
    column: list[int] = []
    for kind, seat, what, _, value, _ in rows:
        if kind == log.LEGION_PLACED:
            legions[what, seat] += 1
        elif kind == log.LEGION_MOVED:
            legions[what, seat] -= 1
            legions[value, seat] += 1
        elif kind == log.LEGION_REMOVED:
            legions[what, seat] -= 1
            legions[what, value] += value != constants.NO_SEAT
        elif kind == log.VOTE_PLACED:
            column.append(seat)
        elif kind == log.VOTE_PUSHED_OUT:
            assert column.pop(0) == seat
        elif kind == log.VOTE_REMOVED:
            assert column.pop(what) == seat
    assert column == g.senate[: g.senate_size].tolist()
    standing = {(r, s): int(g.legions[r, s]) for r in range(3) for s in range(g.players) if g.legions[r, s]}
    assert {place: count for place, count in legions.items() if count and place[1] != constants.NO_SEAT} == standing


@pytest.mark.parametrize("scrambles", [False, True], ids=["random", "scrambled"])
def test_the_log_of_a_game_leads_an_obvious_table_to_the_same_end(scrambles: bool, scaled: Callable[..., int]) -> None:
    counted = Counter[int]()
    for number in range(scaled(3, 1, 100)):
        for variant in variants_tried(GAME):
            counted += followed(variant, 1 if "imperial" in variant else 2 + number % 3, number, scrambles)
    told = {*BEGINNINGS, *FOLLOWING, *PARTS, log.ACTS}
    assert set(counted) <= told
    if scrambles and scaled(1, 0):
        assert told - set(counted) <= {log.SETS_ALLOWED, log.DECK_RENEWED}


def test_every_kind_of_row_is_told() -> None:
    assert {*BEGINNINGS, *FOLLOWING, *PARTS, log.ACTS} == set(range(log.MISSION_SCORED + 1))
    assert set(range(log.MISSION_SCORED + 1)) <= set(KINDS.values())


def test_a_shared_win_and_a_win_by_denarii_are_told() -> None:
    plan = plan_for(GAME, "standard", 2, seed=8)
    g: Any = started(plan, 0, keeps_log=True)[0]
    plan.game.kernels.play_out(g, plan.data.tables, players_of(plan))
    names = [strategy.name for strategy in plan.strategies]
    g.score[:2, constants.TOTAL] = 50
    g.rank[:2] = 1
    assert " and " in narrate(g, plan.data, names)[-1]
    g.rank[:2] = 1, 2
    assert narrate(g, plan.data, names)[-1].endswith("(seat 0, random) by denarii")

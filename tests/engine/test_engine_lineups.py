"""Who sits where: rotated, random, fixed and mirror line-ups; pools of factions."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from sim.engine.result_rows import BLOCK, FACTION, GAME, SEAT, STRATEGY
from sim.engine.seating import games_per_block
from sim.errors import UserError
from sim.games.seven_wonders.game import GAME as SEVEN_WONDERS
from sim.players import compile_players
from sim.players.batch import Plan, plan_record
from sim.players.compile_players import lineup_record, prepared_numbers

Make = Callable[..., Plan]
SCHOOLS = ["balanced", "military", "science", "civil", "trade", "wonder", "guilds", "blocker"]


def started(plan: Plan, games: int, *fields: str, each: int = 1) -> np.ndarray:
    """Return fields of games as they begin, `each` numbers a seat; shape (games, fields * each * seats)."""
    g: Any = plan.game.new_games(1)[0]
    record = plan_record(plan)
    found = []
    for game in range(games):
        SEVEN_WONDERS.kernels.start_game(g, plan.data.tables, record, game)
        found.append(np.concatenate([g[field].ravel()[: each * plan.players] for field in fields]))
    return np.array(found)


def seated(plan: Plan, games: int) -> np.ndarray:
    """Strategy of every seat, shape (games, players), without playing."""
    return started(plan, games, "strategy")


def boards(plan: Plan, games: int) -> np.ndarray:
    """Names of the boards that the players of every game have."""
    names = np.array([faction.name for faction in plan.data.factions])
    return names[started(plan, games, "faction")]


@pytest.mark.parametrize("players", [2, 3, 5, 7])
def test_in_a_block_every_player_visits_every_seat_once(players: int, plan_of: Make) -> None:
    plan = plan_of(players=players, strategies=SCHOOLS)
    assert plan.block_games == players
    for block in seated(plan, 20 * players).reshape(20, players, players):
        # a rotation: what sits in seat s of one game sits in seat s - 1 of the next
        for game in range(players):
            assert block[game].tolist() == np.roll(block[0], -game).tolist()
        if players < len(SCHOOLS):
            assert all(len(set(seat)) == players for seat in block.T.tolist())


@pytest.mark.parametrize("players", [2, 4, 7])
def test_the_games_of_a_block_share_decks_boards_and_sides(players: int, plan_of: Make) -> None:
    plan = plan_of(players=players, strategies=SCHOOLS)
    deals = started(plan, 6 * players, "hand", "deck", each=8).reshape(6, players, -1)
    sides = started(plan, 6 * players, "faction").reshape(6, players, -1)
    assert all((block == block[0]).all() for block in (*deals, *sides))
    assert len({tuple(block[0].tolist()) for block in deals}) == 6, "blocks with one deal"


@pytest.mark.parametrize(("strategies", "players"), [(2, 3), (2, 4), (3, 7), (5, 3), (8, 2)])
def test_every_strategy_sits_as_often_as_any_other_as_far_as_the_seats_go(
    strategies: int, players: int, plan_of: Make, scaled: Callable[..., int]
) -> None:
    plan = plan_of(players=players, strategies=SCHOOLS[:strategies])
    rows = seated(plan, scaled(200, 40) * players)
    for row in rows:
        counts = Counter(row.tolist())
        assert max(counts.values()) - min(counts[number] for number in range(strategies)) <= 1
    blocks = rows[::players]
    assert chisquare(np.bincount(blocks.ravel(), minlength=strategies)).pvalue > 0.001
    pairs = {pair for row in blocks.tolist() for pair in combinations(sorted(set(row)), 2)}
    assert len(pairs) == comb(strategies, 2)


def test_a_random_line_up_is_drawn_anew_for_every_game(plan_of: Make, scaled: Callable[..., int]) -> None:
    plan = plan_of(players=4, strategies=SCHOOLS[:4], assign="random")
    assert plan.block_games == 1
    rows = seated(plan, scaled(480, 240))
    assert all(sorted(row) == [0, 1, 2, 3] for row in rows.tolist())
    found = Counter(map(tuple, rows.tolist()))
    assert len(found) == 24
    assert chisquare(list(found.values())).pvalue > 0.001


def test_a_fixed_line_up_seats_strategies_in_the_order_named(plan_of: Make) -> None:
    names = ["science", "random", "military"]
    plan = plan_of(players=3, strategies=names, assign="fixed")
    assert plan.block_games == 1
    assert (seated(plan, 50) == [0, 1, 2]).all()
    with pytest.raises(UserError, match="fixed line-up"):
        plan_of(players=4, strategies=names, assign="fixed")


@pytest.mark.parametrize("assign", ["rotate", "random", "fixed"])
def test_one_strategy_alone_sits_in_all_seats_and_every_game_is_a_deal_of_its_own(assign: str, plan_of: Make) -> None:
    plan = plan_of(players=5, strategies=["balanced"], assign=assign)
    assert plan.block_games == games_per_block(assign, 5, 1) == 1
    assert not seated(plan, 30).any()
    deals = started(plan, 30, "deck")
    assert len({tuple(row.tolist()) for row in deals}) == 30


def test_rows_carry_the_number_of_their_block(plan_of: Make, rows_of: Callable[..., np.ndarray]) -> None:
    plan = plan_of(players=3, strategies=["random", "greedy"])
    rows = rows_of(plan, 4, 5)
    assert (rows[:, BLOCK] == rows[:, GAME] // 3).all()
    assert rows[:, GAME].tolist() == [game for game in range(4, 9) for _ in range(3)]
    assert rows[:, SEAT].tolist() == [0, 1, 2] * 5


# ---- Factions ----


def test_every_side_is_dealt_as_often_as_any_other_to_every_seat(plan_of: Make, scaled: Callable[..., int]) -> None:
    dealt = boards(plan_of(players=3, strategies=["random"]), scaled(1400, 280))
    for seat in range(3):
        counts = Counter(dealt[:, seat].tolist())
        assert len(counts) == 14
        assert chisquare(list(counts.values())).pvalue > 0.001


@pytest.mark.parametrize("side", ["A", "B"])
def test_a_pool_of_one_side_deals_only_that_side(side: str, plan_of: Make) -> None:
    dealt = boards(plan_of(players=4, strategies=["random"], factions=[side]), 100)
    assert {name[-1] for name in dealt.ravel().tolist()} == {side}
    assert len(set(dealt.ravel().tolist())) == 7


def test_a_pool_of_factions_deals_no_others(plan_of: Make) -> None:
    pool = ["Gizah A", "Rhodos", "Babylon B", "Olympia A"]
    dealt = boards(plan_of(players=3, strategies=["random"], factions=pool), 100)
    assert set(dealt.ravel().tolist()) == {"Gizah A", "Rhodos A", "Rhodos B", "Babylon B", "Olympia A"}


@pytest.mark.parametrize("players", [3, 2])
def test_a_fixed_line_up_with_a_faction_for_each_board_fixes_them_too(players: int, plan_of: Make) -> None:
    names = ["Rhodos B", "Gizah A", "Olympia B"]  # with two players the third is the free city's
    plan = plan_of(players=players, strategies=["random"], assign="fixed", factions=names)
    assert plan.factions_fixed
    g: Any = plan.game.new_games(1)[0]
    for game in range(30):
        SEVEN_WONDERS.kernels.start_game(g, plan.data.tables, plan_record(plan), game)
        assert [plan.data.factions[number].name for number in g.faction[:3]] == names


def test_result_rows_name_the_faction_that_was_dealt(plan_of: Make, rows_of: Callable[..., np.ndarray]) -> None:
    plan = plan_of(players=4, strategies=["random"])
    rows = rows_of(plan, 0, 10)
    names = [plan.data.factions[number].name for number in rows[:, FACTION]]
    assert names == boards(plan, 10).ravel().tolist()
    assert not rows[:, STRATEGY].any()


# ---- Players ----


def test_scripts_are_told_apart_by_their_functions_not_by_their_names(
    plan_of: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_of(players=3, strategies=["random", "greedy", "balanced"])
    named_alike = tuple(
        replace(strategy, script=replace(strategy.script, name="my_player.py:score")) for strategy in plan.strategies
    )
    plan = replace(plan, strategies=(*named_alike, replace(named_alike[2], name="again")))
    monkeypatch.setattr(compile_players, "compile_script", lambda strategy, _: strategy.script.score)
    monkeypatch.setattr(compile_players, "strategy_slots", tuple)
    assert compile_players.compile_strategies(plan) == tuple(strategy.script.score for strategy in plan.strategies)
    lineup: Any = lineup_record(plan.strategies, plan.data, 3)
    assert lineup.seats["script"][:4].tolist() == [1, 2, 3, 3]


def test_what_is_prepared_once_for_all_cannot_be_written_to(plan_of: Make) -> None:
    plan = plan_of(players=3, strategies=["balanced"])
    prepare = plan.strategies[0].script.prepare
    assert prepare is not None
    lineup: Any = lineup_record(plan.strategies, plan.data, 3)
    one, again = (prepared_numbers(prepare, lineup.seats[0], plan.data.tables, 3) for _ in range(2))
    assert one is again
    with pytest.raises(ValueError, match="read-only"):
        one[0] = 0.0

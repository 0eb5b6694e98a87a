"""Game i of seed s is the same game: compiled or not, in any process, in any stretch, from any turn on."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sim.batch import Plan, plan_record, play
from sim.compiling import players_of
from sim.games.seven_wonders.play import start_game
from sim.games.seven_wonders.setup import FREE_CITY
from sim.games.seven_wonders.trade import begin_turn
from sim.games.seven_wonders.turns import choose_play, play_on, play_turn
from sim.jit import compiled
from sim.rng import SEATS
from sim.rows import GAME, SEAT, STRATEGY

MIXED = ["random", "greedy", "balanced", "balanced@0.7"]
RESULTS = """
import hashlib, json, sys
from sim.batch import play
from sim.compiling import players_of
from sim.jit import compiled
from sim.runs.config import RunConfig, make_plan
found = {}
for players in range(2, 8):
    plan = make_plan(RunConfig(game="seven_wonders", **json.loads(sys.argv[1]), players=players))
    rows, cards = play(plan, players_of(plan), 0, int(sys.argv[2]))
    found[players] = [rows.tobytes().hex(), hashlib.sha256(cards.tobytes()).hexdigest()]
print(json.dumps({"compiled": compiled(), "found": found}))
"""


def options(**changed: Any) -> dict[str, Any]:
    return {"strategies": MIXED, "seed": 4, "detail": "cards", **changed}


def rows_by_players(games: int, plan_of: Callable[..., Plan]) -> dict[str, str]:
    found = {}
    for players in range(2, 8):
        plan = plan_of(**options(players=players))
        found[str(players)] = play(plan, players_of(plan), 0, games)[0].tobytes().hex()
    return found


@pytest.mark.usefixtures("compiled_only")
def test_compiled_and_interpreted_games_are_the_same_bit_by_bit(in_new_process: Callable[..., str]) -> None:
    arguments = [RESULTS, json.dumps(options()), "5"]
    fast = json.loads(in_new_process(*arguments))
    slow = json.loads(in_new_process(*arguments, NUMBA_DISABLE_JIT="1"))
    assert (fast["compiled"], slow["compiled"]) == (True, False)
    for players, found in fast["found"].items():
        assert found == slow["found"][players], f"{players} players"


def test_a_new_process_plays_the_same_games(plan_of: Callable[..., Plan], in_new_process: Callable[..., str]) -> None:
    games = 4
    one = json.loads(in_new_process(RESULTS, json.dumps(options()), str(games)))
    assert one["compiled"] == compiled()
    assert {players: rows for players, (rows, _) in one["found"].items()} == rows_by_players(games, plan_of)


def test_another_seed_plays_other_games(plan_of: Callable[..., Plan], rows_of: Callable[..., np.ndarray]) -> None:
    one = rows_of(plan_of(**options(players=4, seed=1)), 0, 4)
    other = rows_of(plan_of(**options(players=4, seed=2)), 0, 4)
    assert (one != other).any()


def test_no_two_games_of_a_run_are_alike(
    plan_of: Callable[..., Plan], rows_of: Callable[..., np.ndarray], scaled: Callable[[int, int], int]
) -> None:
    games = scaled(3000, 30)
    rows = rows_of(plan_of(players=3, strategies=["balanced"]), 0, games)
    without_number = np.delete(rows, [GAME, 1], axis=1).reshape(games, -1)
    assert len(np.unique(without_number, axis=0)) == games


@pytest.mark.parametrize("players", [2, 5])
def test_a_game_is_the_same_in_any_stretch(players: int, plan_of: Callable[..., Plan]) -> None:
    plan = plan_of(**options(players=players))
    team = players_of(plan)
    rows, cards = play(plan, team, 0, 12)
    pieces = [play(plan, team, first, count) for first, count in ((0, 1), (1, 4), (5, 7))]
    assert (np.concatenate([piece[0] for piece in pieces]) == rows).all()
    assert (np.concatenate([piece[1] for piece in pieces]) == cards).all()
    backwards = [play(plan, team, game, 1)[0] for game in reversed(range(12))]
    assert (np.concatenate(backwards[::-1]) == rows).all()


def test_what_was_played_before_leaves_no_trace(plan_of: Callable[..., Plan]) -> None:
    big, small = plan_of(**options(players=7)), plan_of(**options(players=2))
    for plan, other in ((big, small), (small, big)):
        t, g = plan.data.tables, plan.game.new_games(1)[0]
        fresh = plan.game.new_games(1)[0]
        g.keeps_cards = fresh.keeps_cards = 1
        start_game(g, t, plan_record(other), 3)
        play_on(g, t, players_of(other))
        for record in (g, fresh):
            start_game(record, t, plan_record(plan), 8)
            play_on(record, t, players_of(plan))
        for field in ("score", "coins", "rank", "faction", "strategy"):
            assert (g[field][: plan.players] == fresh[field][: plan.players]).all(), field
        assert (g.seen[: plan.players, :, :7] == fresh.seen[: plan.players, :, :7]).all()


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_game_played_on_from_a_copy_ends_like_the_original(
    players: int, plan_of: Callable[..., Plan], scaled: Callable[[int, int], int]
) -> None:
    plan = plan_of(**options(players=players))
    t, team = plan.data.tables, players_of(plan)
    for game in range(scaled(3, 1)):
        games = plan.game.new_games(1)
        g = games[0]
        g.keeps_log = g.keeps_cards = 1
        start_game(g, t, plan_record(plan), game)
        copies = []
        while not g.finished:
            copies.append(games.copy())
            play_turn(g, t, team)
        assert len(copies) == 18
        for copy in copies[:: scaled(1, 5)]:
            play_on(copy[0], t, team)
            assert copy[0].score.tobytes() == g.score.tobytes()
            assert copy[0].log.tobytes() == g.log.tobytes()
            assert copy[0].seen.tobytes() == g.seen.tobytes()


@pytest.mark.parametrize("players", [2, 4])
def test_a_turn_goes_on_from_wherever_its_choices_have_got_to(players: int, plan_of: Callable[..., Plan]) -> None:
    plan = plan_of(**options(players=players))
    t, team = plan.data.tables, players_of(plan)
    whole, halted = plan.game.new_games(1)[0], plan.game.new_games(1)[0]
    for record in (whole, halted):
        start_game(record, t, plan_record(plan), 6)
    for turn in range(18):
        begin_turn(halted)
        if halted.holder >= 0:
            choose_play(halted, t, team, FREE_CITY, halted.holder)
        for seat in range(turn % players):
            choose_play(halted, t, team, seat, seat)
        play_turn(halted, t, team)
        play_turn(whole, t, team)
        for field in ("coins", "city_size", "hand_size", "stages_built", "rng_drawn"):
            assert (whole[field] == halted[field]).all(), field
    assert whole.score.tobytes() == halted.score.tobytes()


def test_a_copy_does_not_play_on_in_the_original(plan_of: Callable[..., Plan]) -> None:
    plan = plan_of(**options(players=3))
    games = plan.game.new_games(1)
    start_game(games[0], plan.data.tables, plan_record(plan), 0)
    before = games.tobytes()
    play_on(games.copy()[0], plan.data.tables, players_of(plan))
    assert games.tobytes() == before


# ---- One seat changed ----


@pytest.mark.parametrize("players", [3, 4])
def test_another_strategy_in_one_seat_leaves_the_deal_and_the_other_seats_lots_as_they_were(
    players: int, plan_of: Callable[..., Plan]
) -> None:
    distinct = [f"random@{1 + number}" for number in range(players - 1)]
    one = plan_of(players=players, strategies=[*distinct, "balanced"], assign="fixed", seed=9)
    other = plan_of(players=players, strategies=[*distinct, "greedy"], assign="fixed", seed=9)
    records = []
    for plan in (one, other):
        g = plan.game.new_games(1)[0]
        start_game(g, plan.data.tables, plan_record(plan), 17)
        records.append((g, players_of(plan)))
    (a, a_team), (b, b_team) = records
    assert a.deck.tobytes() == b.deck.tobytes()
    assert a.faction.tobytes() == b.faction.tobytes()
    t = one.data.tables
    play_turn(a, t, a_team)
    play_turn(b, t, b_team)
    # In the first turn nobody has seen what the changed seat does: all others did the same with the same lots.
    for seat in range(players - 1):
        assert a.rng_drawn[SEATS + seat] == b.rng_drawn[SEATS + seat]
        assert a.city_cards[seat].tolist() == b.city_cards[seat].tolist()
        assert (
            a.stage_cards[seat, : a.stages_built[seat]].tolist() == b.stage_cards[seat, : b.stages_built[seat]].tolist()
        )
    play_on(a, t, a_team)
    play_on(b, t, b_team)
    assert a.deck.tobytes() == b.deck.tobytes()
    assert a.score[:, 7].tolist() != b.score[:, 7].tolist()


def test_a_temperature_of_zero_is_no_noise_and_draws_nothing(
    plan_of: Callable[..., Plan], rows_of: Callable[..., np.ndarray]
) -> None:
    sharp = rows_of(plan_of(players=3, strategies=["balanced"]), 0, 5)
    zero = rows_of(plan_of(players=3, strategies=["balanced@0"]), 0, 5)
    warm = rows_of(plan_of(players=3, strategies=["balanced@3"]), 0, 5)
    assert (sharp == zero).all()
    assert (sharp != warm).any()


def test_a_tempered_strategy_plays_worse_the_hotter_it_is(
    plan_of: Callable[..., Plan], rows_of: Callable[..., np.ndarray], scaled: Callable[[int, int], int]
) -> None:
    names = ["balanced", "balanced@2", "balanced@20"]
    rows = rows_of(plan_of(players=3, strategies=names), 0, scaled(600, 30))
    means = [rows[rows[:, STRATEGY] == number][:, 5].mean() for number in range(3)]
    assert means[0] > means[1] > means[2]
    assert set(rows[:, SEAT].tolist()) == {0, 1, 2}

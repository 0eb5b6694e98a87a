"""Game i of seed s is the same game: compiled or not, in any process, in any stretch, from any turn on."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sim.batch import GAME, SEAT, STRATEGY, Plan, plan_record, play, players_of
from sim.games.seven_wonders.play import start_game
from sim.games.seven_wonders.turns import play_on, play_step
from sim.games.seven_wonders.words import CHOOSING, DISCARD_BUILDS, LAST_CARDS
from sim.jit import compiled
from sim.record import give_answers
from sim.rng import SEATS
from tests.games.seven_wonders.playing import play_turn

MIXED = ["random", "greedy", "balanced", "balanced@0.7"]
WITH_DECISIONS = ["Babylon B", "Halikarnassos B", "Olympia A", "Rhodos A", "Gizah A", "Ephesos A"]
"""Boards, the first of them those whose players decide after everybody's action."""
RESULTS = """
import hashlib, json, sys
from sim.batch import play, players_of
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
        g.log.keeps_pieces = fresh.log.keeps_pieces = 1
        start_game(g, t, plan_record(other), 3)
        play_on(g, t, players_of(other))
        for record in (g, fresh):
            start_game(record, t, plan_record(plan), 8)
            play_on(record, t, players_of(plan))
        for field in ("score", "coins", "rank", "faction", "strategy"):
            assert (g[field][: plan.players] == fresh[field][: plan.players]).all(), field
        assert (g.log.pieces[: plan.players, :, :7] == fresh.log.pieces[: plan.players, :, :7]).all()


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_copy_at_any_decision_plays_on_to_the_end_of_the_original(
    players: int, plan_of: Callable[..., Plan], scaled: Callable[[int, int], int]
) -> None:
    boards, settings = WITH_DECISIONS[: max(players, 3)], {"free_city_uses_wonder_powers": True}
    strategies = ["wonder", "wonder@1"]
    plan = plan_of(**options(players=players, strategies=strategies, factions=boards, settings=settings))
    t, team = plan.data.tables, players_of(plan)
    inside, phases, count_of_games = 0, set(), scaled(6, 1)
    for game in range(count_of_games):
        games = plan.game.new_games(1)
        g = games[0]
        g.log.keeps_rows = g.log.keeps_pieces = 1
        start_game(g, t, plan_record(plan), game)
        copies = []
        while not g.finished:
            start = games.copy()
            play_step(g, t, team)
            answers = int(g.decisions - g.step_decisions)
            for count in range(answers + 1):
                copies.append(start.copy())
                give_answers(copies[-1][0], g, count)
            inside += answers > 1
            if answers:
                phases.add(int(start[0].phase))
        for copy in copies[:: scaled(3, 23)]:
            play_on(copy[0], t, team)
            assert copy[0].score.tobytes() == g.score.tobytes()
            assert copy[0].log.tobytes() == g.log.tobytes()
            assert copy[0].rng_drawn.tobytes() == g.rng_drawn.tobytes()
    assert inside, "no step had a second decision"
    assert phases == {CHOOSING, LAST_CARDS, DISCARD_BUILDS} or count_of_games == 1


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

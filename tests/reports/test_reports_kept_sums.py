"""Sums of arms that are kept: an interrupted search goes on with what was played, and says what it found."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reports.studies.price.one_parameter import SEAT_ARRAYS, own_seats
from reports.studies.search import block_sums as module
from reports.studies.search.block_sums import ARRAYS, ArmSums, PackedSums, Watched, narrow, play_sums
from reports.studies.search.checkpoint import MARK_FILE, SumStore, search_checkpoint
from sim.errors import UserError
from sim.players.batch import Plan
from sim.runs.config import RunConfig, make_plan

WATCHED = Watched(0)
GAMES, SHARD = 60, 12


@pytest.fixture(scope="module")
def plan() -> Plan:
    return make_plan(RunConfig(game="seven_wonders", players=3, strategies=["random", "greedy"]))


@pytest.fixture(autouse=True)
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Shards of few games; the first game of each that is played."""
    stand, first_games = module.play, list[int]()

    def play(plan: Plan, players: Any, first: int, games: int) -> Any:
        first_games.append(first)
        return stand(plan, players, first, games)

    monkeypatch.setattr(module, "PIECE_STRETCH_GAMES", SHARD)
    monkeypatch.setattr(module, "play", play)
    return first_games


def interrupted_after(shards: int) -> Callable[[int], None]:
    calls = [0]

    def progress(games: int) -> None:
        calls[0] += games > 0
        if calls[0] > shards:
            raise KeyboardInterrupt

    return progress


def same(a: ArmSums, b: ArmSums) -> bool:
    return a.games == b.games and all(np.array_equal(getattr(a, name), getattr(b, name)) for name in ARRAYS)


def test_an_interrupted_arm_goes_on_where_it_stopped(plan: Plan, played: list[int], tmp_path: Path) -> None:
    whole = play_sums(plan, WATCHED, 0, GAMES, jobs=1)
    store = SumStore(tmp_path / "arms")
    with pytest.raises(KeyboardInterrupt):
        play_sums(plan, WATCHED, 0, GAMES, jobs=1, store=store, progress=interrupted_after(2))
    played.clear()
    told: list[int] = []
    assert same(play_sums(plan, WATCHED, 0, GAMES, jobs=1, store=store, progress=told.append), whole)
    assert played == [24, 36, 48]
    assert sum(told) == GAMES
    played.clear()
    assert same(play_sums(plan, WATCHED, 0, GAMES, jobs=1, store=SumStore(tmp_path / "arms")), whole)
    assert played == []


def test_other_games_are_not_taken_for_these(plan: Plan, played: list[int], tmp_path: Path) -> None:
    store = SumStore(tmp_path / "arms")
    play_sums(plan, WATCHED, 0, SHARD, jobs=1, store=store)
    others = [
        (replace(plan, seed=2), WATCHED, 0), (plan, Watched(1), 0), (plan, WATCHED, SHARD),
        (plan, Watched(0, (), ((0, 1),)), 0),
    ]  # fmt: skip
    for other, watched, first in others:
        played.clear()
        play_sums(other, watched, first, SHARD, jobs=1, store=store)
        assert played == [first]


def test_what_is_damaged_is_played_again(plan: Plan, played: list[int], tmp_path: Path) -> None:
    store = SumStore(tmp_path / "arms")
    whole = play_sums(plan, WATCHED, 0, SHARD, jobs=1, store=store)
    (path,) = store.folder.glob("*.npz")
    path.write_bytes(path.read_bytes()[:100])
    played.clear()
    assert same(play_sums(plan, WATCHED, 0, SHARD, jobs=1, store=store), whole)
    assert played == [0]


def test_a_finished_search_leaves_nothing_beside_its_file_and_an_interrupted_one_says_how_it_goes_on(
    plan: Plan, tmp_path: Path
) -> None:
    beside, said = tmp_path / "fair.toml", list[str]()

    def interrupted() -> None:
        with search_checkpoint(None, beside, said.append) as store:
            play_sums(plan, WATCHED, 0, SHARD, jobs=1, store=store)
            raise KeyboardInterrupt("two changes")

    told = r"two changes; finished games are saved in .*\.fair\.toml\.arms; run the"
    with pytest.raises(KeyboardInterrupt, match=told):
        interrupted()
    assert said == []
    with search_checkpoint(None, beside, said.append) as store:
        play_sums(plan, WATCHED, 0, SHARD, jobs=1, store=store)
    assert said[0].startswith("resuming with the games stored in")
    assert list(tmp_path.iterdir()) == []
    with search_checkpoint(tmp_path / "arms", beside, said.append) as store:
        play_sums(plan, WATCHED, 0, SHARD, jobs=1, store=store)
    assert [path.name for path in tmp_path.iterdir()] == ["arms"]
    with pytest.raises(KeyboardInterrupt, match="with --arms DIR"), search_checkpoint(None, None, said.append):
        raise KeyboardInterrupt


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UserError, match="something other"):
        SumStore(tmp_path)


def test_a_folder_with_what_a_kill_left_of_the_first_file_is_gone_on_with(plan: Plan, tmp_path: Path) -> None:
    folder = tmp_path / "arms"
    folder.mkdir()
    (folder / f".{MARK_FILE}.ab12cd_3").write_bytes(b"")
    (folder / f".{'0' * 32}-60.npz.x1y2z3w4").write_bytes(b"PK")
    store = SumStore(folder)
    whole = play_sums(plan, WATCHED, 0, SHARD, jobs=1, store=store)
    assert store.find(store.name_of(replace(plan, keeps_pieces=False), WATCHED, 0), SHARD)[0] == whole.games
    (folder / MARK_FILE).unlink()
    (folder / "other.txt").write_text("else")
    with pytest.raises(UserError, match="something other than a search"):
        SumStore(folder)


def test_seats_for_prices_go_on_where_they_stopped_too(plan: Plan, played: list[int], tmp_path: Path) -> None:
    whole = own_seats(plan, GAMES, 1, lambda games: None, only=3)[3]
    store = SumStore(tmp_path / "arms")
    with pytest.raises(KeyboardInterrupt):
        own_seats(plan, GAMES, 1, interrupted_after(2), only=3, store=store)
    played.clear()
    again = own_seats(plan, GAMES, 1, lambda games: None, only=3, store=store)[3]
    assert played == [24, 36, 48]
    assert all(np.array_equal(getattr(again, name), getattr(whole, name)) for name in SEAT_ARRAYS)


def test_held_sums_are_those_handed_over_and_take_less_room(plan: Plan) -> None:
    sums, held = play_sums(plan, Watched(0, (), ((0, 1),)), 0, 40, jobs=1), PackedSums()
    held["printed"] = sums
    assert held.get("changed") is None
    assert same(held["printed"], sums)
    assert held["printed"].games == sums.games
    assert all(values.dtype == np.float64 for values in held["printed"].arrays().values())
    arrays = held.data["printed"].arrays()
    assert 2 * sum(one.nbytes for one in arrays.values()) < sum(one.nbytes for one in sums.arrays().values())


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([0.0, -3.0, 127.0], np.int8),
        ([128.0], np.int16),
        ([40_000.0], np.int32),
        ([0.5], np.float32),
        ([2.0**40], np.float32),
        ([1 / 3], np.float64),
        ([2.0**40 + 1], np.float64),
        ([1e300], np.float64),
        ([np.nan], np.float64),
    ],
)
def test_numbers_are_held_in_a_type_that_has_all_their_digits(values: list[float], kind: type) -> None:
    found = narrow(np.array(values))
    assert found.dtype == kind
    assert np.array_equal(found.astype(np.float64), values, equal_nan=True)

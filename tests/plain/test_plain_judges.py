"""Learned judges of games in plain Python: what they are told, what training writes, and when they are refused."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import empirelab
from sim.cli import app
from sim.compiler.source_digest import GUARDED
from sim.diagnostics.judges import plain_self_play, plain_train, rounds
from sim.diagnostics.judges.fit import forward, roles_of_seats
from sim.diagnostics.judges.rounds import kept_positions
from sim.errors import UserError
from sim.game import name_game
from sim.games.plain.features import features_of, lists_of_seats
from sim.games.plain.judging import PlainJudge
from sim.games.plain.playing import Playing
from sim.players.batch import play_all
from sim.players.judge_files import read_judge
from sim.runs.config import RunConfig, make_plan
from tests.plain.conftest import command, edited

TRAIN = ["train", "trade.py", "--players", "3", "--games", "150", "--fresh", "6", "--quiet"]
HANDS = (
    "state.turn, state.seat = 0, 0",
    "state.hands = [[state.deck.pop()] for _ in range(state.players)]\n        state.turn, state.seat = 0, 0",
)


FEATURES = """    def features(self, state, seat):
        return {{"purse": {}}}

    def check(self"""


def playing_at(move: int, players: int = 3) -> tuple[Playing, Any]:
    """Return a game of the file after some moves."""
    name = name_game("trade.py")
    playing = Playing(make_plan(RunConfig(game=name, strategies=["saver"], players=players)))
    state = playing.start(0)
    playing.play_out(state, playing.seats, playing.streams, playing.chance, most=move)
    return playing, state


@pytest.fixture(scope="module")
def trained_once(folder_of_games: Path) -> Path:
    """The file of a judge's player; tests change a copy of it, `trained`."""
    told = command(" ".join(TRAIN), "--jobs", "2")
    assert "--code trade_judge.toml --strategies trade_judge+4,saver" in told
    return folder_of_games / "trade_judge.toml"


@pytest.fixture
def trained(trade: Path, trained_once: Path) -> Path:
    """The file of a judge's player, beside the game."""
    shutil.copy(trained_once.with_suffix(".npz"), trade.parent)
    return Path(shutil.copy(trained_once, trade.parent))


def test_features_are_the_numbers_of_the_state_and_those_of_a_seat_are_its_own(trade: Path) -> None:
    playing, state = playing_at(5)
    by_seat = lists_of_seats([state], 3)
    assert by_seat >= {"coins", "points", "got", "factions"}
    for seat, own in enumerate(features_of(playing, state, 1, by_seat)):
        assert own["coins"] == state.coins[seat]
        assert own["got entries"] == len(state.got[seat])
        assert own["deck entries"] == len(state.deck)
        assert own[f"factions={state.factions[seat].name}"] == 1.0
        assert own["lead"] == own["score"] - max(
            sum(playing.parts_of(state, other)) for other in range(3) if other != seat
        )
        assert ("observer" in own) == (seat == 1)


def test_a_judge_is_told_nothing_that_its_seat_cannot_see(trade: Path) -> None:
    edited(edited(trade, *HANDS), 'hidden = ("deck",)', 'hidden = ("deck", "hands")')
    playing, state = playing_at(4)
    by_seat = lists_of_seats([state], 3)
    told = features_of(playing, state, 0, by_seat)
    assert any(name.startswith("hands=") for name in told[0])
    assert not any(name.startswith("hands=") for name in [*told[1], *told[2]])
    for world in range(20):
        other = playing.game.copy(state)
        playing.game.redeal(other, 0, random.Random(world))
        assert features_of(playing, other, 0, by_seat) == told


def test_a_class_may_say_its_own_features(trade: Path) -> None:
    edited(trade, "    def check(self", FEATURES.format("state.coins[seat]"))
    playing, state = playing_at(4)
    told = features_of(playing, state, 0, frozenset())
    assert [own["purse"] for own in told] == state.coins
    assert "coins" not in told[0]


def test_features_that_are_no_numbers_are_told_with_the_line(trade: Path) -> None:
    edited(trade, "    def check(self", FEATURES.format(None))
    playing, state = playing_at(4)
    with pytest.raises(UserError, match=r"trade\.py:\d+, field purse: a feature is not a finite number"):
        features_of(playing, state, 0, frozenset())


def test_a_judge_computes_what_the_fit_computes(trained: Path) -> None:
    playing, state = playing_at(4)
    judge = read_judge(trained.with_suffix(".npz"))
    told = features_of(playing, state, 2, frozenset(judge.record.by_seat))
    inputs = np.array([[own.get(name, 0.0) for name in judge.features] for own in told], np.float32)
    net = {"rows": judge.rows[0], "biases": judge.biases[0], "ratings": judge.ratings[0]}
    wanted, _ = forward(net, inputs, roles_of_seats(3, 2))
    assert PlainJudge(judge).chances(playing, state, 2) == pytest.approx(wanted[0], abs=1e-4)


def test_training_writes_the_same_bytes_in_any_process_and_with_any_jobs(trained: Path) -> None:
    environment = os.environ | {"PYTHONHASHSEED": "2", "PYTHONPATH": str(Path(__file__).parents[2]), GUARDED: ""}
    words = [sys.executable, "-m", "sim.cli", *TRAIN, "--jobs", "1", "--out", "again.toml"]
    subprocess.run(words, env=environment, check=True, capture_output=True)
    one, two = (
        (file.with_suffix(".npz").read_bytes(), tomllib.loads(file.read_text())["record"])
        for file in (trained, Path("again.toml"))
    )
    assert one == two


def test_a_stopped_training_is_resumed_and_damaged_files_are_done_again(
    trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [*TRAIN[:-1], "--jobs", "1", "--out", "other.toml"]

    def stop_at_the_third(play: Any, first: int, count: int, file: Path) -> Any:
        if first == 100:
            raise KeyboardInterrupt
        return kept_positions(play, first, count, file)

    with monkeypatch.context() as patched:
        patched.setattr(rounds, "kept_positions", stop_at_the_third)
        CliRunner().invoke(app, words)
    (folder,) = Path().glob(".other.toml.unfinished-*")
    files = sorted(folder.glob("content/*.npz"))
    assert [file.name for file in files] == ["positions-0-0000000000.npz", "positions-0-0000000050.npz"]
    files[0].write_bytes(files[0].read_bytes()[:-100])
    done = CliRunner().invoke(app, words, catch_exceptions=False)
    assert f"{files[0].name} is damaged, so this part of the work is done again" in done.stderr
    assert "resumes after 50 of 150 games" in done.stderr
    assert Path("other.npz").read_bytes() == trained.with_suffix(".npz").read_bytes()
    assert not list(Path().glob(".other*"))


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "cut short": lambda content: content[:40],
    "empty": lambda content: b"",
    "one bit changed": lambda content: content[:60] + bytes([content[60] ^ 1]) + content[61:],
}


@pytest.mark.parametrize(
    "how", [pytest.param(how, marks=() if how == "one bit changed" else pytest.mark.sweep) for how in DAMAGE]
)
def test_work_whose_plan_or_nets_are_damaged_is_done_again(
    trained: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    words = [*TRAIN[:-1], "--jobs", "1", "--out", "other.toml", "--overwrite"]
    for name in ("net-0-0.npz", "plan.json"):
        with monkeypatch.context() as patched:
            patched.setattr(plain_train, "test_judge", stop)
            CliRunner().invoke(app, words)
        (file,) = Path().glob(f".other.toml.unfinished-*/**/{name}")
        file.write_bytes(DAMAGE[how](file.read_bytes()))
        done = CliRunner().invoke(app, words, catch_exceptions=False)
        assert ("the training starts over" if name == "plan.json" else f"{name} is damaged") in done.stderr
        assert Path("other.npz").read_bytes() == trained.with_suffix(".npz").read_bytes()


def stop(*_: object) -> None:
    raise KeyboardInterrupt


def play_judged(**options: Any) -> None:
    """Play a few games with the judge."""
    usual: dict[str, Any] = {"players": 3, "strategies": "trade_judge+2,saver", "code": "trade_judge.toml", "jobs": 1}
    empirelab.simulate("trade.py", games=9, progress=False, **usual | options)


def test_games_with_a_judge_are_the_same_for_any_jobs(trained: Path) -> None:
    for jobs in (1, 2):
        play_judged(out=f"run{jobs}", jobs=jobs)
    one, two = (Path(f"run{jobs}/seats/part-000000.parquet").read_bytes() for jobs in (1, 2))
    assert one == two


def test_a_judge_finds_better_moves_than_chance(trade: Path) -> None:
    edited(trade, "return patience if", "return 0.0 if")
    edited(trade, "def spender", "def idler(game, state, option):\n    return 0.0\n\n\ndef spender")
    command("train trade.py --players 3 --games 400 --base idler --fresh 6 --quiet --jobs 1")
    plan = make_plan(RunConfig(game=name_game("trade.py"), players=3, seed=7, code="trade_judge.toml",
                               strategies=["trade_judge+4", "idler", "idler"]))  # fmt: skip
    rows, *_ = play_all(plan, None, 0, 60)
    wins = rows[rows[:, 6] == 1]
    assert (wins[:, 4] == 0).mean() > 0.55


CHANGES = {
    "the rules": ("trade.py", "state.coins[state.seat]", "state.coins[state.seat] + 0", "other source"),
    "the numbers": ("trade.toml", "price = 2", "price = 1", "other data"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_judge_of_another_game_is_refused_with_the_command_that_trains_one(trained: Path, what: str) -> None:
    file, old, new, said = CHANGES[what]
    edited(Path(file), old, new)
    with pytest.raises(UserError, match=said) as told:
        play_judged()
    assert "empirelab train trade.py --players 3 --out" in str(told.value)


def test_a_judge_of_another_number_of_players_is_refused(trained: Path) -> None:
    with pytest.raises(UserError, match="another number of players"):
        play_judged(players=2)


def test_training_needs_a_player_that_scores_and_what_is_hidden(trade: Path) -> None:
    edited(trade, '    hidden = ("deck",)\n', "")
    assert "add `hidden`" in str(CliRunner().invoke(app, TRAIN).exception)
    edited(trade, "def saver(", "def _saver(")
    assert "player that scores options" in str(CliRunner().invoke(app, TRAIN).exception)


def test_a_judge_of_a_game_in_which_all_choose_at_once_is_trained_and_plays(bids: Path) -> None:
    command("train bids.py --players 2 --games 150 --fresh 6 --quiet --jobs 1")
    plan = make_plan(RunConfig(game=name_game("bids.py"), players=2, code="bids_judge.toml",
                               strategies=["bids_judge+4", "random"]))  # fmt: skip
    rows, *_ = play_all(plan, None, 0, 40)
    wins = rows[rows[:, 6] == 1]
    assert (wins[:, 4] == 0).sum() > (wins[:, 4] == 1).sum()


def test_a_judge_is_trained_for_one_variant(trade: Path) -> None:
    words = [*TRAIN[:2], "--players", "2", "--variant", "standard,long", "--quiet"]
    assert "can be trained for only one variant" in str(CliRunner().invoke(app, words).exception)


@pytest.mark.usefixtures("trade")
def test_a_judge_learns_from_positions_whose_hidden_piles_are_dealt_again(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = make_plan(RunConfig(game=name_game("trade.py"), strategies=["saver", "random"], players=3))
    sample = plain_self_play.GameSketch(("score",), frozenset(), 15.0, 1.0)
    monkeypatch.setattr(plain_self_play, "NOISE", {"": 0.5})
    decks: list[tuple[list[str], list[str]]] = []
    play, told = plain_self_play.self_play, plain_self_play.features_of

    def play_watched(playing: Playing, number: int, moves: float, keep: Any) -> Any:
        def kept(state: Any, lot: Any) -> None:
            decks.append(([good.name for good in state.deck], []))
            keep(state, lot)

        return play(playing, number, moves, kept)

    def tell_watched(playing: Playing, state: Any, observer: int, by_seat: frozenset[str]) -> Any:
        decks[-1][1].extend(good.name for good in state.deck)
        return told(playing, state, observer, by_seat)

    monkeypatch.setattr(plain_self_play, "self_play", play_watched)
    monkeypatch.setattr(plain_self_play, "features_of", tell_watched)
    plain_self_play.plain_positions(plan, sample, 0, 20)
    assert all(sorted(true) == sorted(seen) for true, seen in decks)
    assert any(true != seen for true, seen in decks)

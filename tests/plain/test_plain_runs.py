"""Runs of games in plain Python: the same games for any number of workers, process and interruption."""

from __future__ import annotations

import hashlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import numpy as np
import polars as pl
import pytest
from joblib.externals.loky import get_reusable_executor
from typer.testing import CliRunner

from reports.sections.compare.changes import what_differs
from sim.cli import SECONDS_TO_SAVE, app, interrupt_once
from sim.errors import UserError
from sim.game import GAMES, load_game, name_game
from sim.games.plain import loading
from sim.games.plain.source_files import import_file
from sim.players.batch import play_all
from sim.players.sandbox import end_workers
from sim.runs import run, shards
from sim.runs.config import RunConfig, make_plan
from sim.runs.replay import replay
from sim.runs.shards import play_shards, shards_of, share_out
from sim.runs.simulate import simulate
from sim.runs.store.manifest import changed_numbers, load_manifest
from sim.runs.store.merge import merge
from tests.plain.conftest import edited
from tests.runs.conftest import parts, table_of

ROOT = Path(__file__).resolve().parents[2]
PLAYERS = "saver,spender,greedy"


def digest(folder: Path) -> str:
    """Digest of the part files of a run."""
    return hashlib.sha256(b"".join(parts(folder).values())).hexdigest()


def played(game: object, out: str, **options: object) -> Path:
    """Play a run without a progress bar."""
    return simulate(game, **{"games": 60, "out": out, "progress": False, "jobs": 1} | options)  # type: ignore[arg-type]


def test_processes_play_the_same_bytes_as_this_one(trade: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = played("trade.py", "one", strategies=PLAYERS, games=600)
    monkeypatch.setattr(shards, "PATIENCE", 0.0)
    monkeypatch.setattr(run, "SHARD_GAMES_IN_PYTHON", 12)
    get_reusable_executor(max_workers=1).submit(os.getpid).result()  # started, so that they get most of the games
    two = played("trade.py", "two", strategies=PLAYERS, games=600, jobs=2)
    assert digest(one) == digest(two)


def test_the_first_error_of_a_run_is_told_whichever_process_meets_it(
    trade: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited(trade, "state.coins[seat] // 3", "state.coins[seat] // (3 if state.coins[seat] < 12 else 0)")
    with pytest.raises(UserError, match=r"game \d{2,} of seed 1 stops") as alone:
        played("trade.py", "one", strategies=PLAYERS, games=600)
    monkeypatch.setattr(shards, "PATIENCE", 0.0)
    monkeypatch.setattr(run, "SHARD_GAMES_IN_PYTHON", 6)
    get_reusable_executor(max_workers=1).submit(os.getpid).result()
    with pytest.raises(UserError) as together:
        played("trade.py", "two", strategies=PLAYERS, games=600, jobs=2)
    assert str(together.value) == str(alone.value)


def test_the_order_of_hashes_changes_no_byte(trade: Path) -> None:
    here = played("trade.py", "here", strategies=PLAYERS)
    words = ["simulate", "trade.py", "--games", "60", "--strategies", PLAYERS, "--out", "there", "--jobs", "1", "-q"]
    other = "1" if os.environ.get("PYTHONHASHSEED") == "2" else "2"
    environment = os.environ | {"PYTHONHASHSEED": other, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-P", "-m", "sim.cli", *words], check=True, env=environment)
    assert digest(here) == digest(Path("there"))


def test_games_of_a_block_share_the_deal_and_rotate_the_players(trade: Path) -> None:
    frame = table_of(played("trade.py", "run", strategies="saver,spender"))
    blocks = frame.group_by("block", "seat").agg(pl.col("faction").n_unique(), pl.col("strategy").len())
    assert blocks["faction"].max() == 1
    by_seat = frame.group_by("block", "strategy").agg(pl.len(), pl.col("seat").n_unique())
    assert (by_seat["len"] % 3 == 0).all()
    assert (by_seat["seat"] == 3).all()


def test_a_changed_choice_leaves_deal_and_dice_alone(trade: Path) -> None:
    plans = [make_plan(RunConfig(game="trade.py", strategies=[name], settings={"dice": True})) for name in
             ("spender", "random")]  # fmt: skip
    factions = [play_all(plan, None, 0, 20)[0][:, 3] for plan in plans]
    assert np.array_equal(*factions)


def interrupted(game: str, out: str, after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin a run and interrupt it after some games."""
    counted = 0
    usual = run.play_shards

    def stopping(shards: Sequence[object], jobs: int) -> object:
        nonlocal counted
        for rows in usual(shards, jobs):  # type: ignore[arg-type]
            if counted >= after:
                raise KeyboardInterrupt
            counted += len(rows[0]) // 3
            yield rows

    monkeypatch.setattr(run, "SHARD_GAMES_IN_PYTHON", 12)
    with monkeypatch.context() as patched:
        patched.setattr("sim.runs.simulate.play_shards", stopping)
        with pytest.raises(KeyboardInterrupt):
            played(game, out)


def test_a_resumed_run_has_the_bytes_of_one_that_was_not_interrupted(
    trade: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = played("trade.py", "whole")
    interrupted("trade.py", "cut", 24, monkeypatch)
    assert digest(played("trade.py", "cut")) == digest(whole)


def test_workers_end_at_once_even_if_some_of_their_work_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    broken: list[object] = []
    monkeypatch.setattr(threading, "excepthook", broken.append)
    workers = get_reusable_executor(max_workers=2)
    work = [workers.submit(time.sleep, 60) for _ in range(12)]
    processes = list(workers._processes.values())
    for piece in work[6:]:
        piece.cancel()
    before = time.monotonic()
    end_workers()
    assert time.monotonic() - before < 30
    assert not any(process.is_alive() for process in processes)
    assert broken == []


def test_a_second_signal_soon_after_an_interrupt_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    handle = interrupt_once()
    with pytest.raises(KeyboardInterrupt):
        handle(signal.SIGINT, None)
    handle(signal.SIGTERM, None)
    now += SECONDS_TO_SAVE + 1
    with pytest.raises(KeyboardInterrupt):
        handle(signal.SIGTERM, None)


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("trade.py", "state.coins[seat] // 3", "state.coins[seat] // 2"),
        ("trade.toml", "coins = 3", "coins = 2"),
        ("helper.py", "EXTRA = 0", "EXTRA = 1"),
    ],
)
def test_a_run_is_not_resumed_with_other_rules(
    trade: Path, monkeypatch: pytest.MonkeyPatch, file: str, old: str, new: str
) -> None:
    trade.with_name("helper.py").write_text("EXTRA = 0\n")
    edited(trade, "from empirelab import", "from helper import EXTRA\n\nfrom empirelab import")
    edited(trade, "state.coins[seat] // 3", "state.coins[seat] // 3 + EXTRA")
    interrupted("trade.py", "cut", 24, monkeypatch)
    edited(trade.with_name(file), old, new)
    with pytest.raises(UserError, match="an unfinished run of another plan"):
        played("trade.py", "cut")


def test_a_file_that_changes_during_a_run_ends_it(trade: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = make_plan(RunConfig(game="trade.py"))
    monkeypatch.setattr(shards, "PATIENCE", 0.0)
    played = play_shards(shards_of(share_out([plan], 60), [None], 6), 2)
    next(played)
    edited(trade, "state.coins[seat] // 3", "state.coins[seat] // 2")
    with pytest.raises(UserError, match="has changed since the run began"):
        list(played)


def test_a_file_that_changes_while_it_is_read_is_not_taken_for_the_new_one(
    trade: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_slowly(file: Path) -> ModuleType:
        module = import_file(file)
        edited(trade, "state.coins[seat] // 3", "state.coins[seat] // 2")
        return module

    with monkeypatch.context() as patched:
        patched.setattr(loading, "import_file", read_slowly)
        name_game("trade.py")
    assert not load_game("trade.py").plain.is_current(trade)
    name_game("trade.py")
    assert load_game("trade.py").plain.is_current(trade)


@pytest.mark.slow
def test_a_worker_of_an_earlier_run_plays_the_present_rules(trade: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "PATIENCE", 0.0)
    monkeypatch.setattr(run, "SHARD_GAMES_IN_PYTHON", 12)
    played("trade.py", "before", jobs=2)
    edited(trade, "state.coins[seat] // 3", "state.coins[seat] // 2")
    assert digest(played("trade.py", "after", jobs=2)) == digest(played("trade.py", "alone"))


def test_stretches_merge_to_the_whole_run(trade: Path) -> None:
    whole = played("trade.py", "whole")
    halves = [played("trade.py", "a", games_to=30), played("trade.py", "b", games_from=30)]
    merge(halves, Path("merged"), report=lambda games: None)
    assert table_of(Path("merged")).equals(table_of(whole))


def test_a_game_is_told_in_the_words_of_its_author(trade: Path) -> None:
    lines = replay(played("trade.py", "run", strategies=PLAYERS), 3, trust=True)
    assert lines[3] == "Round 1"
    assert any("buys Ale for 1" in line for line in lines)
    guilds = dict(re.findall(r"^Seat (\d): (\w+), ", "\n".join(lines), re.MULTILINE))
    told = re.findall(r"seat (\d) \((\w+)\): ", "\n".join(lines).lower())
    assert set(told) == {(seat, guild.lower()) for seat, guild in guilds.items()}
    assert len(told) == len(lines) - len(guilds) - sum(line.startswith("Round") for line in lines)


def test_replay_says_that_the_rules_have_changed(trade: Path) -> None:
    folder = played("trade.py", "run", strategies=PLAYERS)
    edited(trade, "state.coins[me] -= good.price", "state.coins[me] -= 0")
    with pytest.raises(UserError, match=r"trade\.py or a file beside it has changed"):
        [replay(folder, number, trust=True) for number in range(6)]


def test_replay_and_compare_name_the_numbers_and_the_file_that_have_changed(trade: Path) -> None:
    played("trade.py", "a", strategies=PLAYERS)
    edited(trade.with_suffix(".toml"), "die = 3", "die = 4\nfree = true")
    name_game("trade.py")
    changed = r"rules\.die: 3, then 4; rules\.free: none, then True"
    with pytest.raises(UserError, match=rf"field tables: trade\.toml has changed since this run \({changed}\)"):
        replay(Path("a"), 1)
    played("trade.py", "b", strategies=PLAYERS)
    edited(trade, "return patience if", "return patience + 1 if")
    played("trade.py", "c", strategies=PLAYERS)
    a, b, c = (load_manifest(Path(name)) for name in "abc")
    assert what_differs(a, b) == ["rules.die: 3, then 4", "rules.free: none, then True"]
    assert what_differs(b, c) == ["the code of the game's file"]


def test_of_many_changed_numbers_the_first_are_named() -> None:
    old, new = ({f"card.{number}": number + more for number in range(9)} for more in (0, 1))
    assert changed_numbers(old, new)[-2:] == ["card.4: 4, then 5", "4 more of the game's numbers"]
    assert changed_numbers({}, new) == []


def test_a_run_folder_runs_no_code_by_itself(trade: Path) -> None:
    played("trade.py", "run")
    edited(trade, "from empirelab import", "print('RUN')\nfrom empirelab import")
    for words in (["report", "run"], ["replay", "run", "--game", "1"], ["check", "run"], ["price", "run"]):
        assert "RUN" not in CliRunner().invoke(app, words).output, words
    assert "RUN" in CliRunner().invoke(app, ["simulate", "trade.py", "--games", "4", "--out", "again"]).output


def test_pieces_measures_checkpoints_and_endings_are_columns(trade: Path) -> None:
    folder = played("trade.py", "run", detail="goods", strategies=PLAYERS)
    frame = table_of(folder)
    assert {"goods", "coins", "bought", "after_round_2", "after_round_3"} <= set(frame.columns)
    assert (frame["score"] == frame["goods"] + frame["coins"]).all()
    assert (frame["rounds"] == 4).all()
    pieces = pl.read_parquet(folder / "goods" / "*.parquet")
    assert set(pieces["good"]) <= {"Cloth", "Ore", "Ale"}
    assert pieces["bought"].is_between(1, 4).all()
    assert load_manifest(folder).end_reasons == ["last round", "no goods left"]


def test_settings_and_variants_are_played(trade: Path) -> None:
    long = table_of(played("trade.py", "long", players=2, variant="long", settings={"dice": False}))
    assert (long["rounds"] == 6).all()
    with pytest.raises(UserError, match=r"dice.*allowed: True, False"):
        played("trade.py", "bad", settings={"dice": "maybe"})


def test_a_change_of_the_data_is_played_and_checked(trade: Path) -> None:
    rich = table_of(played("trade.py", "rich", changes=["trade.toml#Miners.coins=20"]))
    assert rich.filter(pl.col("faction") == "Miners")["score"].mean() > 8
    with pytest.raises(UserError, match=r"Miners.*coins.*greater than or equal to 0"):
        played("trade.py", "bad", changes=["trade.toml#Miners.coins=-1"])
    with pytest.raises(UserError, match=r"coinz.*did you mean"):
        played("trade.py", "bad", changes=["trade.toml#Miners.coinz=1"])


def test_numbers_in_the_class_can_be_changed_too(bids: Path) -> None:
    usual, more = (table_of(played("bids.py", name, changes=change, strategies="random")) for name, change in
                   (("usual", ()), ("more", ["bids.toml#constants.prizes=6"])))  # fmt: skip
    assert more["score"].sum() > usual["score"].sum()


def test_a_class_at_a_prompt_is_a_game_too(tmp_path: Path) -> None:
    source = (
        "import empirelab\n"
        "class Coin(empirelab.Game):\n"
        "    players = (2,)\n"
        "    def setup(self, state, deal): state.seat, state.points = 0, [deal.randint(0, 3), 0]\n"
        "    def options(self, state): return ['safe', 'bold']\n"
        "    def apply(self, state, option, chance):\n"
        "        state.points[state.seat] += chance.randint(0, 3) if option == 'bold' else 1\n"
        "        state.seat += 1\n"
        "        return state.seat == 2\n"
        "    def score(self, state, seat): return state.points[seat]\n"
        "def bold(game, state, option): return option == 'bold'\n"
        "if __name__ == '__main__':\n"
        "    run = empirelab.simulate(Coin, games=40, jobs=2, progress=False)\n"
        "    print(run.manifest['game'], run.manifest['lineup'], run.game(0).splitlines()[2])\n"
    )
    file = tmp_path / "prompt.py"
    file.write_text(source)
    done = subprocess.run(
        [sys.executable, str(file)], capture_output=True, text=True, check=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.stdout.strip() == "Coin ['bold']   seat 0: bold"


def test_a_game_with_no_file_given_is_not_found() -> None:
    with pytest.raises(UserError, match="runs only if you name it"):
        load_game("elsewhere.py")
    assert "elsewhere.py" not in GAMES

"""`empirelab train`: the judge and the player it writes, what it says, and what it and the player refuse."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from empirelab import train
from sim.diagnostics.judges import rounds
from sim.diagnostics.judges import trained as training
from sim.diagnostics.judges.duel import Duel
from sim.diagnostics.judges.rounds import kept_positions
from sim.players.judge_files import read_judge, write_judge
from tests.cli.conftest import Message, Program

CHANGE = ("--change", "cards.toml#pawnshop.vp=4")
"""A game for which no judge comes along, so that a small one is tested against `balanced`."""
TRAIN = ("train", "seven_wonders", "--players", 3, "--games", 300, "--fresh", 30, *CHANGE)
PLAY = ("simulate", "seven_wonders", "--code", "mine.toml", "--strategies", "mine+1,balanced", "--games", 6)


@pytest.fixture
def mine(once: Program, tmp_path: Path) -> Path:
    """A judge and its player, `mine.toml`."""
    once(*TRAIN, "--out", "mine.toml")
    return tmp_path


def test_training_says_how_long_it_takes_and_how_it_gets_on_and_writes_a_player(once: Program, mine: Path) -> None:
    done = once(*TRAIN, "--out", "mine.toml")
    for words in ("300 games of self-play at", "about", "here", "pass 20 of 20", "on held-out games", "even chances"):
        assert words in done.err
    assert "wins at tables with" in done.out
    assert "written: mine.toml and mine.npz" in done.out
    content = tomllib.loads((mine / "mine.toml").read_text("utf-8"))
    assert (content["name"], content["base"], content["search"]["judge"]) == ("mine", "balanced", "mine.npz")
    assert content["record"]["players"] == 3


def test_any_number_of_workers_and_python_write_the_same_bytes_and_a_second_judge_is_tested_against_the_first(
    empirelab: Program, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "SAVED_AT_A_TIME", 1)  # two pieces, so that two workers have something to share
    first = (mine / "mine.npz").read_bytes()
    done = empirelab(*TRAIN, "--out", "mine.toml", "--jobs", 1, "--quiet", "--overwrite", "--json")
    assert done.json["test"]["opponent"] == "the judge of mine.npz"
    assert (mine / "mine.npz").read_bytes() == first
    found = train("seven_wonders", mine / "two.toml", players=3, games=300, fresh=30, changes=CHANGE[1], jobs=2)
    assert found.weights.read_bytes() == first
    assert "wins at tables with balanced" in str(found)


def test_a_stopped_training_is_resumed_and_writes_the_same_files(
    empirelab: Program, mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[int] = []

    def stop_at_the_second(plays: Any, first: int, count: int, file: Path) -> Any:
        if len(played) == 1:
            raise KeyboardInterrupt
        played.append(first)
        return kept_positions(plays, first, count, file)

    monkeypatch.setattr(rounds, "SAVED_AT_A_TIME", 1)
    with monkeypatch.context() as patched:
        patched.setattr(rounds, "kept_positions", stop_at_the_second)
        empirelab(*TRAIN, "--out", "other.toml", "--jobs", 1, status=130)
    assert list(tmp_path.glob(".other.toml.unfinished-*/content/positions-0-*.npz"))
    done = empirelab(*TRAIN, "--out", "other.toml", "--jobs", 1)
    assert "resumes after 256 of 300 games" in done.err
    assert (tmp_path / "other.npz").read_bytes() == (mine / "mine.npz").read_bytes()
    assert not list(tmp_path.glob(".other*"))


def test_work_is_not_resumed_with_another_old_judge_or_other_code(
    empirelab: Program, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("--games", 0, "--rounds", 2, "--round-games", 300, "--out", "mine.toml", "--overwrite", "--jobs", 1)

    def stop_after_the_first(play: Any, first: int, count: int, file: Path) -> Any:
        if first or file.exists():
            raise KeyboardInterrupt
        return kept_positions(lambda first, count: play(first, 2), first, count, file)

    monkeypatch.setattr(rounds, "kept_positions", stop_after_the_first)
    for said in ("", "resumes after 256 of 300 games"):
        told = empirelab(*TRAIN, *words, status=130).err
        assert said in told
        assert "the training starts over" not in told
    judge = read_judge(mine / "mine.npz")
    write_judge(mine / "mine.npz", replace(judge, ratings=judge.ratings * 2))
    over = "another training or other code, so the training starts over"
    assert over in empirelab(*TRAIN, *words, status=130).err
    assert over not in empirelab(*TRAIN, *words, status=130).err
    monkeypatch.setattr(training, "digest_of_code", lambda functions: "other code")
    assert over in empirelab(*TRAIN, *words, status=130).err


def test_later_rounds_play_with_the_judge_before_and_end_when_one_does_not_win(empirelab: Program) -> None:
    later = ("--rounds", 3, "--round-games", 40)
    done = empirelab(*TRAIN, *later, "--out", "mine.toml")
    assert "2 more rounds of 40 games" in done.err
    assert "round 2: players look ahead with the judge of round 1" in done.err
    assert "round 3" not in done.err
    assert "the previous judge is kept" in done.err
    assert tomllib.loads(Path("mine.toml").read_text("utf-8"))["record"].get("rounds", 1) == 1
    written = Path("mine.npz").read_bytes()
    again = empirelab(*TRAIN, "--games", 0, *later, "--out", "mine.toml", "--overwrite", status=2)
    assert "no training round beat the previous judge, so nothing is written" in again.err
    assert Path("mine.npz").read_bytes() == written


def test_a_weaker_judge_replaces_the_old_one_only_if_asked(
    empirelab: Program, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = (mine / "mine.npz").read_bytes()
    monkeypatch.setattr(training, "duel_of", lambda *_: Duel("the judge of mine.npz", 10.0, 1.0, 33.3, 30))
    worse = ("--seed", 2, "--out", "mine.toml", "--overwrite")
    done = empirelab(*TRAIN, *worse, status=2)
    assert "the new judge is weaker than the judge of mine.npz, so nothing is written" in done.err
    assert (mine / "mine.npz").read_bytes() == old
    done = empirelab(*TRAIN, *worse, "--even-if-weaker")
    assert "pass 1" not in done.err  # the nets are kept
    assert (mine / "mine.npz").read_bytes() != old


def test_a_judge_plays_the_same_games_with_any_number_of_workers_and_is_told_again(
    empirelab: Program, mine: Path
) -> None:
    for jobs in (1, 2):
        words = ("--players", 3, *CHANGE, "--quiet", "--jobs", jobs, "--out", f"run{jobs}")
        empirelab(*PLAY, *words)
    one, two = ([path.read_bytes() for path in sorted((mine / f"run{jobs}").rglob("*.parquet"))] for jobs in (1, 2))
    assert one == two
    empirelab("replay", "run1", "--game", 2)
    (mine / "mine.npz").unlink()
    assert "judge" in empirelab("replay", "run1", "--game", 2, status=2).err


@pytest.mark.parametrize(
    ("words", "said"), [(("--players", 4, *CHANGE), "another number of players"), (("--players", 3), "other data")]
)
def test_a_judge_of_another_table_is_refused_with_the_command_that_trains_one(
    complaint: Message, mine: Path, words: tuple[object, ...], said: str
) -> None:
    told = complaint(*PLAY, *words, "--out", "run")
    assert said in told
    assert "empirelab train seven_wonders --players" in told


def test_a_file_that_is_no_judge_is_refused(complaint: Message, mine: Path) -> None:
    for content in (b"", b"not a judge", (mine / "mine.npz").read_bytes()[:-200]):
        (mine / "mine.npz").write_bytes(content)
        said = complaint(*PLAY, "--players", 3, *CHANGE, "--out", "run")
        assert "not the file of a judge, or it is damaged" in said


CHANGED = ("seven_wonders", "--change", "cards.toml#pawnshop.vp=4")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("chess", "--out", "mine.toml"), "unknown game"),
        (("seven_wonders", "--base", "nobody", "--out", "mine.toml"), "unknown strategy"),
        (("seven_wonders", "--base", "balanced+4", "--out", "mine.toml"), "without look-ahead"),
        (("seven_wonders", "--players", 9, "--out", "mine.toml"), "does not allow this number of players"),
        (("imperium", "--players", 1, "--out", "mine.toml"), "several players"),
        (("seven_wonders", "--games", 0, "--out", "mine.toml"), "0 with several rounds begins with the old judge"),
        (("seven_wonders", "--rounds", 0, "--out", "mine.toml"), "rounds"),
        ((*CHANGED, "--games", 0, "--rounds", 2, "--out", "mine.toml"), "there is no judge"),
        (("seven_wonders", "--out", "balanced.toml"), "a strategy of this name exists already"),
        (("seven_wonders", "--out", "nowhere/mine.toml"), "cannot be written"),
        (("seven_wonders", "--change", "cards.toml#pawnshop.vq=9", "--out", "mine.toml"), "vq"),
    ],
)
def test_what_cannot_be_trained_is_refused_at_once(complaint: Message, words: tuple[object, ...], said: str) -> None:
    assert said in complaint("train", *words)


def test_a_search_needs_a_horizon_and_wins_for_a_judge(complaint: Message, tmp_path: Path) -> None:
    for line, said in (
        ("horizon = 0", "need no judge"),
        ('horizon = 1\nvalue = "margin"', "estimates only the chance to win"),
    ):
        (tmp_path / "mine.toml").write_text(
            f'name = "mine"\nbase = "balanced"\ndescription = "x"\n[search]\nrollouts = 1\n{line}\njudge = "mine.npz"\n'
        )
        assert said in complaint(*PLAY, "--players", 3, "--out", "run")

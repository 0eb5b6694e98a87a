"""Learned judges know the printed game: comparisons, sweeps and searches of changed games train judges for them."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reports.data.ladder_rows import ladder_of
from reports.studies.api import sweep
from reports.studies.compare.arms import knowing_alike, play_arms
from reports.studies.compare.compare import compare_runs
from reports.studies.parts import own_judges
from reports.studies.parts.intervene import changed_plan, without_lessons
from reports.studies.parts.own_judges import bases_words, missing_judges, train_again, train_missing, with_bases
from reports.studies.players.ladder_config import ladder_config, rungs_for
from reports.studies.search.engine import search_changes
from reports.studies.search.goals import fair_goal
from reports.studies.search.search_report import search_sections
from sim.data import disk
from sim.data.files import MANIFEST
from sim.errors import UserError
from sim.game import load_game
from sim.players import judge_files
from sim.players.judge_files import judges_digest, read_judge
from sim.runs.config import RunConfig, make_plan
from sim.runs.replay import replay as replay_game
from sim.runs.store.repair import repair

CHANGE = "wonders.toml#Rhodos B.coins_start=9"
OWN = "Players with a learned judge have one for each of the games compared"


def brief(patch: pytest.MonkeyPatch, home: Path, games: int = 128) -> Path:
    """Train judges on few games; return the folder in which they are kept."""
    patch.setattr(own_judges, "ladder_of", lambda game: ladder_of(game).model_copy(update={"judge_games": games}))
    patch.setattr(judge_files, "cache_home", lambda: home)
    return home / "judges"


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return brief(monkeypatch, tmp_path)


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a comparison and of the two judges trained for it."""
    home = tmp_path_factory.mktemp("compared")
    with pytest.MonkeyPatch.context() as patch:
        brief(patch, home)
        said: list[str] = []
        play_both(home / "runs", said.append)
    assert any("training 2 judges, one for each game, 128 games of self-play each: about" in line for line in said)
    return home


def play_both(folder: Path, say: Callable[[str], None] = lambda _: None) -> list[Path]:
    """Play a comparison with judges of its own into a folder; return the folders of its runs."""
    arms = dict(zip("ab", knowing_alike(judged(), with_change(judged())), strict=True))
    with play_arms(arms, 6, folder, jobs=1, say=say) as runs:
        return [runs[name].folder for name in "ab"]


@pytest.fixture
def both(compared: Path, tmp_path: Path) -> list[Path]:
    """Copies of both runs and their judges."""
    shutil.copytree(compared, tmp_path, dirs_exist_ok=True)
    return play_both(tmp_path / "runs")


def judged(**options: Any) -> RunConfig:
    """A run of 7 Wonders whose players look ahead with the shipped judge."""
    return RunConfig.model_validate({"game": "seven_wonders", "players": 3, "strategies": ["judge+1"]} | options)


def with_change(config: RunConfig, change: str = CHANGE) -> RunConfig:
    return config.model_copy(update={"changes": [*config.changes, change]})


def test_both_games_of_a_comparison_have_judges_of_their_own_which_are_trained_once(
    both: list[Path], kept: Path
) -> None:
    with pytest.raises(UserError, match="trained with other data"):
        make_plan(with_change(judged()))
    text = repr(compare_runs(*both)).replace("\n", " ")
    assert OWN in text
    assert "weights or code" not in text
    files = sorted(kept.rglob("*.npz"))
    plans = [make_plan(arm) for arm in knowing_alike(judged(), with_change(judged()))]
    one, other = map(read_judge, files)
    assert sorted([one.record.tables, other.record.tables]) == sorted(plan.data.digest for plan in plans)
    assert one.record.games == other.record.games == 128
    assert not np.array_equal(one.ratings, other.ratings), "each learns from its own game"
    said: list[str] = []
    play_both(kept.parent / "again", said.append)
    plan = without_lessons(make_plan(judged()), [CHANGE])
    train_missing([plan, changed_plan(plan, [CHANGE])], said.append)
    assert not any("training" in line for line in said)
    before = [file.read_bytes() for file in files]
    shutil.rmtree(kept)
    train_missing(plans, said.append)
    assert [file.read_bytes() for file in files] == before
    codes = [judges_digest(plan.strategies[0].search, [3], plan.data.digest) for plan in plans]
    assert codes[0] != codes[1]


@pytest.mark.sweep
@pytest.mark.usefixtures("both")
def test_a_change_without_effect_on_the_games_changes_nothing() -> None:
    printed = judged(factions=["A"])  # side B is not dealt
    arms = knowing_alike(printed, with_change(printed))
    with play_arms(dict(zip("ab", arms, strict=True)), 12, jobs=1) as runs:
        assert runs["a"].manifest.tables != runs["b"].manifest.tables
        assert runs["a"].seats.collect().equals(runs["b"].seats.collect())


@pytest.mark.parametrize(
    "other", [judged(seed=2), judged(strategies=["balanced"]), with_change(judged(), "balanced.toml#temperature=1")]
)
def test_shipped_judges_play_where_the_game_is_the_same(other: RunConfig) -> None:
    assert knowing_alike(judged(), other) == (judged(), other)


def test_a_player_without_judge_needs_none() -> None:
    plain = judged(strategies=["balanced+1"])
    changed = make_plan(knowing_alike(plain, with_change(plain))[1])
    assert not list(missing_judges(changed))


@pytest.mark.sweep
def test_every_value_of_a_sweep_has_a_judge(kept: Path) -> None:
    done = sweep("seven_wonders", {"wonders.toml#Rhodos B.coins_start": [2, 3]}, games=6, jobs=1, players=3,
                 strategies=["judge+1"])  # fmt: skip
    assert len(list(kept.rglob("*.npz"))) == 2
    assert any(OWN in line for section in done.sections for line in section.sentences)


def test_a_search_of_many_values_is_played_by_the_base_and_its_result_by_the_judge(kept: Path) -> None:
    plan = make_plan(judged())
    assert [player.name for player in with_bases(plan).strategies] == ["balanced"]
    found = search_changes(plan, fair_goal(plan, 0.9), 60, jobs=1)
    assert found.top is not None
    assert found.top.players == "judge+1"
    lines = [line for section in search_sections(found) for line in section.sentences]
    (said,) = bases_words(plan)
    assert said.endswith("so balanced played in place of judge+1.")
    assert said in lines
    assert any(line.startswith(OWN) for line in lines)
    assert len(list(kept.rglob("*.npz"))) == 1 + bool(found.arm)


# ---- Ladders ----


@pytest.mark.parametrize("game", ["seven_wonders", "imperium", "imperial_settlers", "glory_of_rome"])
def test_the_top_rung_has_a_judge_where_one_is_shipped_for_the_table(game: str) -> None:
    row = ladder_of(load_game(game))
    config = RunConfig(game=game)
    top = rungs_for(config, row)[-1]
    assert top.startswith(("judge+", "expert+")) == (config.players in shipped(game))
    most = max(max(variant.players) for variant in load_game(game).variants)
    top = rungs_for(config.model_copy(update={"players": most}), row)[-1]
    assert top.startswith("judge+") == (most in shipped(game))
    assert top == row.instead or most in shipped(game)


def test_a_judge_that_does_not_know_the_table_is_no_rung_if_another_does() -> None:
    row = ladder_of(load_game("seven_wonders"))
    tops = {players: rungs_for(RunConfig(game="seven_wonders", players=players), row)[-2:] for players in (4, 5)}
    assert tops == {4: ["judge+8", "expert+8"], 5: ["balanced", "judge+8"]}


def shipped(game: str) -> set[int]:
    """Numbers of players for which a game has a judge."""
    folder = Path(own_judges.__file__).parents[3] / "configs" / "judges" / game
    return {int(file.stem) for file in folder.glob("*.npz")}


def test_a_ladder_of_a_changed_game_has_another_player_at_the_top() -> None:
    row = ladder_of(load_game("seven_wonders"))
    changed = ladder_config(with_change(judged()), row, [], None, None)
    printed = ladder_config(judged(), row, [], None, None)
    assert list(changed.rungs)[-1] == row.instead
    assert changed.rungs[row.instead].games == row.instead_games
    assert list(printed.rungs)[-1] == "expert+8"
    assert (printed.searcher, printed.base) == ("judge+8", "balanced")
    assert printed.rungs["judge+8"].games == row.search_games
    assert printed.mixed is not None
    assert printed.mixed.games == 3 * row.mixed_deals


def test_judges_of_another_version_of_the_rules_are_kept_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = make_plan(judged())
    before = own_judges.place_of_judges(plan, plan.strategies[0])
    assert own_judges.place_of_judges(plan, plan.strategies[0]) == before
    monkeypatch.setattr(own_judges, "code_of_training", lambda game, scripts: "other rules")
    assert own_judges.place_of_judges(plan, plan.strategies[0]) != before


def test_no_judge_is_trained_for_a_changed_game_in_plain_python() -> None:
    plan = make_plan(judged())
    plain = replace(plan, game=replace(plan.game, judge=None))
    with pytest.raises(UserError, match="none is trained for games in plain Python"):
        own_judges.own_judges(plain, [], [CHANGE])


# ---- Recorded runs whose judges are kept no more ----


def test_a_run_is_replayed_and_resumed_with_an_empty_cache_and_with_another_one(
    both: list[Path], kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = both
    told = list(replay_game(second, 3, train=partial(train_again, jobs=1)))
    text = (second / MANIFEST).read_text()
    assert str(tmp_path) not in text
    assert "{cache}/judges/seven_wonders-" in text
    before = {file.relative_to(kept): file.read_bytes() for file in kept.rglob("*.npz")}
    shutil.rmtree(kept)
    elsewhere = tmp_path / "elsewhere"
    monkeypatch.setattr(judge_files, "cache_home", lambda: elsewhere)
    said: list[str] = []
    assert list(replay_game(second, 3, train=partial(train_again, say=said.append, jobs=1))) == told
    assert [line.partition(":")[0] for line in said] == ["training a judge for this game, 128 games of self-play"]
    again = {file.relative_to(elsewhere / "judges"): file.read_bytes() for file in elsewhere.rglob("*.npz")}
    assert again.items() <= before.items()
    assert len(again) == 1
    shutil.rmtree(elsewhere)
    disk.remove(next(second.glob("seats/*.parquet")))
    assert repair(second, jobs=1, train=partial(train_again, jobs=1), say=said.append)
    shutil.rmtree(first)
    shutil.rmtree(elsewhere)
    assert play_both(tmp_path / "runs") == [first, second]  # the first is played again, the second is there


def test_a_judge_that_would_be_another_one_is_refused_and_not_kept(
    both: list[Path], kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(kept)
    brief(monkeypatch, kept.parent, games=256)
    with pytest.raises(UserError, match="another one comes of training it again"):
        replay_game(both[0], 0, train=partial(train_again, jobs=1))
    assert not list(kept.rglob("*.npz"))

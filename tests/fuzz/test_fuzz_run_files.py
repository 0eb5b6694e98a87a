"""Files of runs, sweeps and players changed at random are refused in words, leaving nothing, or played."""

import shutil
import tomllib
from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from hypothesis import strategies as st

from reports.studies.sweep.config import find_knobs, read_sweep, sweep_arms
from sim.players.find_strategies import folder_of_players
from sim.runs.config import RunConfig, RunRequest, make_plan, make_plans, read_runs
from sim.runs.simulate import play_request
from tests.fuzz.mutations import MUTATIONS, mutated, told, try_all, try_broken

CONFIGS = Path(__file__).parents[2] / "configs"
RUN: dict[str, Any] = {
    "game": "seven_wonders", "games": 12, "players": [3, 4], "strategies": ["balanced", "greedy@0.5", "my_player"],
    "factions": ["A", "Rhodos B"], "assign": "rotate", "seed": 5, "detail": "seats", "out": "runs/out", "jobs": 1,
    "code": str(Path(__file__).parents[2] / "docs" / "examples" / "my_player.py"),
    "settings": {"discounts_add_up": True},
    "changes": ["cards.toml#pawnshop.vp=4", "balanced.toml#weights.military=2"],
}  # fmt: skip
SEVERAL = RUN | {"run": [{"name": "one", "players": 3}, {"name": "two", "strategies": ["all"], "settings": {}}]}
IMPERIUM: dict[str, Any] = {
    "game": "imperium", "games": 4, "players": 2, "variant": ["classics", "legends"],
    "strategies": ["balanced", "greedy"], "changes": ["celts.toml#Celts B.vp_for.cap=20"],
}  # fmt: skip
IMPERIAL_SETTLERS: dict[str, Any] = {
    "game": "imperial_settlers", "games": 4, "players": [1, 2, 4], "variant": ["solo", "advanced", "peaceful"],
    "strategies": ["balanced", "greedy"], "settings": {"reshuffle": "all"},
    "changes": ["japanese.toml#Farm.cost.wood=2"],
}  # fmt: skip
SWEEPS = [tomllib.loads(path.read_text("utf-8")) for path in sorted((CONFIGS / "sweeps").glob("*.toml"))]
VARY = [
    {"change": "wonders.toml#Rhodos B.coins_start", "values": [1, 3]},
    {"change": "set#discounts_add_up", "values": [True, False]},
]
SWEEPS.append(RUN | {"players": 3, "watch": ["Rhodos B"], "vary": VARY})
MOST_GAMES = 6


def written(path: Path, document: Any, mutations: Any) -> Path | None:
    """Write a changed document as TOML; None where TOML cannot say it."""
    try:
        path.write_bytes(tomli_w.dumps(mutated(document, mutations)).encode("utf-8"))
    except (TypeError, ValueError, AttributeError, RecursionError, UnicodeError):
        return None
    return path


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def play_a_little(place: Path, config: RunConfig) -> None:
    """Play a few games of a run, all or none of it on disk."""
    out = place / "out"
    few = config.model_copy(update={"games": min(config.games, MOST_GAMES)})
    done = told(lambda: play_request(RunRequest(few, out, jobs=1), progress=False, say=lambda text: None))
    assert (done is not None) == out.exists()
    shutil.rmtree(out, ignore_errors=True)


@pytest.mark.parametrize(
    "document", [RUN, SEVERAL, IMPERIUM, IMPERIAL_SETTLERS], ids=["one run", "several runs", "variants", "solo"]
)
def test_changed_run_files_are_refused_in_words_or_played(
    document: dict[str, Any], place: Path, scaled: Callable[..., int]
) -> None:
    def check(mutations: Any) -> None:
        if (file := written(place / "run.toml", document, mutations)) is None:
            return
        for config in (told(lambda: read_runs(file)) or {}).values():
            if told(partial(make_plans, config)):
                play_a_little(place, config)
        assert [path.name for path in place.iterdir()] == ["run.toml"]

    try_all(MUTATIONS, check, scaled(6, 5, 300))


@pytest.mark.parametrize("document", SWEEPS, ids=["coins", "hand", "two parameters"])
def test_changed_sweep_files_are_refused_in_words_or_planned(
    document: dict[str, Any], place: Path, scaled: Callable[..., int]
) -> None:
    def check(mutations: Any) -> None:
        if (file := written(place / "sweep.toml", document, mutations)) is None:
            return
        if (config := told(lambda: read_sweep(file))) and (knobs := told(lambda: find_knobs(config))):
            for arm in islice((told(lambda: sweep_arms(config, knobs)) or {}).values(), 2):
                told(partial(make_plan, arm))

    try_all(MUTATIONS, check, scaled(7, 5, 300))


@pytest.mark.parametrize("game", ["seven_wonders", "imperium", "imperial_settlers"])
def test_changed_player_files_are_refused_in_words_or_played(
    game: str, place: Path, scaled: Callable[..., int]
) -> None:
    variant = {"name": "mine", "description": "tried", "base": "balanced", "temperature": 0.5, "weights": {}}
    whole = tomllib.loads((folder_of_players(game) / "balanced.toml").read_text("utf-8")) | {"name": "mine"}

    def check(example: Any) -> None:
        document, mutations = example
        if (file := written(place / "mine.toml", document, mutations)) is None:
            return
        config = RunConfig(game=game, code=str(file), strategies=["mine", "random"], players=2, games=2)
        if told(lambda: make_plan(config)):
            play_a_little(place, config)

    try_all(st.tuples(st.sampled_from((variant, whole)), MUTATIONS), check, scaled(7, 5, 300))


@pytest.mark.parametrize("document", [RUN, SWEEPS[0]], ids=["run", "sweep"])
def test_broken_run_files_are_refused_in_words_or_read(
    document: dict[str, Any], place: Path, scaled: Callable[..., int]
) -> None:
    file = place / "run.toml"

    def look() -> None:
        for config in (told(lambda: read_runs(file)) or {}).values():
            told(partial(make_plans, config))
        told(lambda: read_sweep(file))

    try_broken(file, tomli_w.dumps(document).encode("utf-8"), look, scaled(10, 10, 1000))

"""Tables of the games changed at random are refused in words, or read and compiled."""

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from sim.data.catalog import read_toml
from sim.data.changes import Addition, read_addition
from sim.game import load_game, with_additions
from tests.fuzz.mutations import BYTE_MUTATIONS, MUTATIONS, mutated, mutated_bytes, told, try_all

OTHERS = ("imperium", "imperial_settlers", "history_of_the_world", "glory_of_rome")
SAMPLES = {"seven_wonders": (12, 3000), **dict.fromkeys(OTHERS, (5, 1500))}
"""Files tried in every test and with --full: all tables of a game are read for each."""


@pytest.fixture(scope="module")
def files() -> dict[str, dict[Path, Any]]:
    """What the files of each game say."""
    return {
        name: {path: read_toml(path) for path in sorted(load_game(name).folder.rglob("*.toml"))} for name in SAMPLES
    }


def data_set_of(name: str, path: Path) -> Mapping[str, object]:
    """Return the setting by which a file is read, where a game has several data sets."""
    return next((of_set for of_set in load_game(name).data_sets if path.parent.name in of_set.values()), {})


@pytest.mark.parametrize("name", SAMPLES)
def test_changed_tables_are_refused_in_words_or_compiled(
    name: str, files: dict[str, dict[Path, Any]], scaled: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    read, compiled = (importlib.import_module(f"sim.games.{name}.data.{module}") for module in ("catalog", "compile"))

    def check(example: tuple[Path, Any]) -> None:
        path, mutations = example
        other = mutated(files[name][path], mutations)
        with monkeypatch.context() as patched:
            held = files[name] | {path: other}
            patched.setattr("sim.data.changes.read_toml", lambda asked: mutated(held[asked], ()))
            told(lambda: compiled.build_tables(read.load_catalog(settings=data_set_of(name, path))))

    few, many = SAMPLES[name]
    try_all(st.tuples(st.sampled_from(list(files[name])), MUTATIONS), check, scaled(few, few, many))


def test_changed_decks_of_a_users_own_are_refused_in_words_or_compiled(
    scaled: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    addition = read_addition(Path(__file__).parents[2] / "docs" / "examples" / "my_deck.toml")
    said = addition.tables()

    def check(mutations: Any) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(Addition, "tables", lambda _: mutated(said, mutations))
            # What was read of the same text must not be handed out again.
            added = Addition(addition.file, f"{addition.text}\n# {mutations!r}")
            told(lambda: with_additions(load_game("imperial_settlers"), [added]).load({}))

    try_all(MUTATIONS, check, scaled(8, 8, 1500))


@pytest.mark.parametrize("name", SAMPLES)
def test_broken_files_are_refused_in_words_or_read(
    name: str, files: dict[str, dict[Path, Any]], tmp_path: Path, scaled: Callable[..., int]
) -> None:
    file = tmp_path / "file.toml"

    def check(example: tuple[Path, Any]) -> None:
        path, mutations = example
        file.write_bytes(mutated_bytes(path.read_bytes(), mutations))
        told(lambda: read_toml(file))

    try_all(st.tuples(st.sampled_from(list(files[name])), BYTE_MUTATIONS), check, scaled(20, 20, 4000))

"""A game's data are read once, and again when a file, a setting or a change is another."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from sim.data.changes import Change, parse_change
from sim.data.declarations import GAMES
from sim.data.game_files import MOST_KEPT, read_once
from sim.errors import UserError
from sim.game import load_game


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "cards.toml"
    file.write_text("coins = 1", "utf-8")
    return file


@pytest.fixture
def load(file: Path) -> Callable[..., Any]:
    """A game's `load` that returns a list of its own with what it has read."""

    def read(settings: Mapping[str, object], changes: Sequence[Change]) -> Any:
        return [file.read_text("utf-8"), dict(settings), [change.text for change in changes]]

    return read_once(file.parent)(read)


def test_the_same_data_are_not_read_again(load: Callable[..., Any]) -> None:
    change = [parse_change("cards.toml#coins=2")]
    assert load({}) is load({})
    assert load({"open": True}, change) is load({"open": True}, change)


def test_an_edited_file_is_read_again(load: Callable[..., Any], file: Path) -> None:
    before = load({})
    file.write_text("coins = 2", "utf-8")
    assert before[0] == "coins = 1"
    assert load({})[0] == "coins = 2"


def test_a_new_file_and_an_edit_in_a_subfolder_make_all_be_read_again(load: Callable[..., Any], file: Path) -> None:
    before = load({})
    inner = file.parent / "other" / "map.toml"
    inner.parent.mkdir()
    inner.write_text("lands = 1", "utf-8")
    with_a_map = load({})
    inner.write_text("lands = 2", "utf-8")
    assert with_a_map is not before
    assert load({}) is not with_a_map


def test_other_settings_and_changes_are_read_for_themselves(load: Callable[..., Any]) -> None:
    changed = load({}, [parse_change("cards.toml#coins=2")])
    assert load({"open": True})[1] == {"open": True}
    assert load({"open": 1}) is not load({"open": True})
    assert changed[2] == ["cards.toml#coins=2"]


def test_only_so_many_are_kept_and_the_ones_asked_for_last(load: Callable[..., Any]) -> None:
    first, second = load({"number": 0}), load({"number": 1})
    for number in range(2, MOST_KEPT):
        load({"number": number})
    assert load({"number": 0}) is first
    load({"number": MOST_KEPT})
    assert load({"number": 0}) is first
    assert load({"number": 1}) is not second


@pytest.mark.parametrize("game", GAMES)
def test_an_error_is_told_every_time(game: str) -> None:
    for _ in range(2):
        with pytest.raises(UserError):
            load_game(game).load({"no such setting": 1})
    assert load_game(game).load({}) is load_game(game).load({})
    tables = load_game(game).load({}).tables
    with pytest.raises(ValueError, match="read-only"):
        tables[tables.dtype.names[0]] = 1

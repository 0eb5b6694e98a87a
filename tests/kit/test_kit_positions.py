"""Positions: what is told can be read by programs, and a wrong file is refused with one message that says where.

A game supplies `tests/games/<game>/positions.py` with `EXAMPLE`, a position as its JSON has it, and a page
`wrong_positions.txt` (`tests.kit.pages`): the way to a value of the example, the wrong value, and the message.
"""

import json
from copy import deepcopy
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from sim.cli import main
from sim.errors import UserError
from sim.game import load_game
from tests.kit.pages import check_page, check_text
from tests.kit.plans import KIT_GAMES, folder_of, supplied

READERS = [game for game in KIT_GAMES if "inspect" in load_game(game).tools]


def changed(position: dict[str, Any], path: tuple[str | int, ...], value: object) -> dict[str, Any]:
    """Return a position with one value replaced."""
    result = deepcopy(position)
    here: Any = result
    for key in path[:-1]:
        here = here.setdefault(key, {}) if isinstance(here, dict) else here[key]
    here[path[-1]] = value
    return result


class Inspect:
    """The program's `inspect --json`: writes a file, and returns exit status, output and message."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.monkeypatch, self.capsys = folder, monkeypatch, capsys

    def __call__(self, game: str, text: str, name: str = "position.json") -> tuple[int, str, str]:
        """Inspect a file of this text."""
        file = self.folder / name
        file.write_text(text, "utf-8")
        self.monkeypatch.setattr("sys.argv", ["empirelab", "inspect", game, str(file), "--json", "--quiet"])
        with pytest.raises(SystemExit) as end:
            main()
        printed = self.capsys.readouterr()
        assert isinstance(end.value.code, int)
        return end.value.code, printed.out, printed.err


@pytest.fixture
def inspect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Inspect:
    return Inspect(tmp_path, monkeypatch, capsys)


@pytest.mark.parametrize("game", READERS)
def test_the_example_is_told_as_it_always_was_and_is_not_changed_by_looking_at_it(game: str) -> None:
    data, tool = load_game(game).load({}), import_module(load_game(game).tools["inspect"])
    example, tables = supplied(game, "positions").EXAMPLE, data.tables.tobytes()
    position = deepcopy(example)
    result, again = (tool.inspect_position(position, data.catalog, data.tables) for _ in range(2))
    assert (position, data.tables.tobytes()) == (example, tables)
    assert json.loads(json.dumps(result)) == result == again
    values = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in result.items()]
    check_text(folder_of(game) / "example_position.txt", "\n".join([*tool.inspect_lines(result), "", *values, ""]))


@pytest.mark.parametrize("game", READERS)
def test_a_jsonl_file_has_a_position_a_line(game: str, inspect: Inspect) -> None:
    line = json.dumps(supplied(game, "positions").EXAMPLE)
    one, two = (inspect(game, text, "positions.jsonl")[1] for text in (line, f"{line}\n{line}\n"))
    alone = json.loads(inspect(game, line)[1])
    assert [json.loads(told) for told in one.splitlines()] == [alone]
    assert [json.loads(told) for told in two.splitlines()] == [alone, alone]


@pytest.mark.parametrize("game", READERS)
@pytest.mark.parametrize("name", ["position.json", "positions.jsonl"])
@pytest.mark.parametrize(
    ("text", "says"), [("", "empty"), ("[]", "not a JSON object"), ("{", "not valid JSON"), ('{"players": NaN}', "NaN")]
)
def test_a_file_that_is_no_position_is_refused(game: str, name: str, text: str, says: str, inspect: Inspect) -> None:
    status, told, message = inspect(game, text, name)
    assert status == 2
    assert says in message
    if told:  # a line has its error in its place
        assert says in json.loads(told)["error"]
        assert name == "positions.jsonl"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"players": [], "players": []}', "field players: this key occurs twice in one object (found: 'players')"),
        ('{"moves": [{"p": 0}, {"p": 0, "p": 1}]}', "field moves.2.p: this key occurs twice"),
        ('{"moves": {"p": 0, "p": 0}, "data": {}, "moves": 0}', "field moves: this key occurs twice"),
    ],
)
def test_a_key_that_stands_twice_is_named(text: str, says: str, inspect: Inspect) -> None:
    for name in ("position.json", "positions.jsonl"):
        status, _, message = inspect("seven_wonders", text, name)
        assert (status, says in message) == (2, True)


def wrong_position(game: str, line: str) -> dict[str, Any]:
    """Return the example with the value that a line of the page says."""
    way, _, value = line.partition(" = ")
    path = tuple(int(key) if key.isdigit() else key for key in way.split("."))
    return changed(supplied(game, "positions").EXAMPLE, path, json.loads(value))


@pytest.mark.parametrize("game", READERS)
def test_one_message_says_what_is_wrong_and_where(game: str) -> None:
    data, tool = load_game(game).load({}), import_module(load_game(game).tools["inspect"])

    def message_of(entry: list[str]) -> str:
        with pytest.raises(UserError) as error:
            tool.inspect_position(wrong_position(game, entry[0]), data.catalog, data.tables)
        return str(error.value)

    check_page(folder_of(game) / "wrong_positions.txt", message_of)


@pytest.mark.parametrize("game", READERS)
def test_an_error_in_a_file_of_several_names_the_line(game: str, inspect: Inspect) -> None:
    line, said = (folder_of(game) / "wrong_positions.txt").read_text("utf-8").splitlines()[2:4]
    says = said.partition("field ")[2].partition(" (")[0]
    right, wrong = json.dumps(supplied(game, "positions").EXAMPLE), json.dumps(wrong_position(game, line))
    status, told, message = inspect(game, wrong)
    assert (status, told, message.count("\n")) == (2, "", 1)
    assert "position.json" in message
    status, told, message = inspect(game, "\n".join([right, wrong, right]), "positions.jsonl")
    assert status == 2
    assert "positions.jsonl, row 2" in message
    assert says in message
    first, second, third = map(json.loads, told.splitlines())
    assert says in second["error"]
    assert first == third == json.loads(inspect(game, right)[1])

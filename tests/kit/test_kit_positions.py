"""Positions: what is told can be read by programs, and a wrong file is refused with one message that says where.

A game supplies `tests/games/<game>/positions.py` with `EXAMPLE`, a position as its JSON has it, and `WRONG`: by what is
wrong, the way to a value of the example, the wrong value, and what the message must say.
"""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from sim.cli import main
from sim.game import load_game
from tests.kit.plans import KIT_GAMES, supplied

READERS = [game for game in KIT_GAMES if "inspect" in load_game(game).tools]
WRONG = [(game, case) for game in READERS for case in supplied(game, "positions").WRONG]


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
def test_the_example_is_told_as_json(game: str, inspect: Inspect) -> None:
    status, told, message = inspect(game, json.dumps(supplied(game, "positions").EXAMPLE))
    assert (status, message) == (0, "")
    assert isinstance(json.loads(told), dict)


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
    ("text", "says"),
    [("", "empty"), ("[]", "not a JSON object"), ("{", "not valid JSON"), ('{"players": NaN}', "NaN")],
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


@pytest.mark.parametrize(("game", "case"), WRONG)
def test_one_message_says_what_is_wrong_and_where(game: str, case: str, inspect: Inspect) -> None:
    supply = supplied(game, "positions")
    path, value, says = supply.WRONG[case]
    status, told, message = inspect(game, json.dumps(changed(supply.EXAMPLE, path, value)))
    assert (status, told) == (2, "")
    assert "position.json" in message
    assert message.count("\n") == 1
    assert [part for part in says if part not in message] == []


@pytest.mark.parametrize("game", READERS)
def test_an_error_in_a_file_of_several_names_the_line(game: str, inspect: Inspect) -> None:
    supply = supplied(game, "positions")
    path, value, says = next(iter(supply.WRONG.values()))
    right, wrong = json.dumps(supply.EXAMPLE), json.dumps(changed(supply.EXAMPLE, path, value))
    status, told, message = inspect(game, "\n".join([right, wrong, right]), "positions.jsonl")
    assert status == 2
    assert "positions.jsonl, row 2" in message
    assert says[0] in message
    first, second, third = map(json.loads, told.splitlines())
    assert says[0] in second["error"]
    assert first == third == json.loads(inspect(game, right)[1])

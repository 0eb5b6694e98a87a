"""Mistakes in the data of a game are named with file, row, field, what was found and what is allowed.

`tests/games/<game>/mistakes.txt` is a page of them (`tests.kit.pages`). A mistake is lines `change FILE#...`,
or `edit FILE` with lines `-` that the lines `+` replace where they first stand below the head of the file, or `write
FILE` with all its lines, or `set` with settings as JSON.
"""

import importlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from sim.data.changes import parse_change
from sim.errors import UserError
from sim.game import load_game
from tests.kit.pages import check_page
from tests.kit.plans import folder_of

GAMES = ("seven_wonders", "imperium", "imperial_settlers", "history_of_the_world", "glory_of_rome")


def edited(text: str, lines: list[str]) -> str:
    """Return a file in which the lines `-` are replaced by the lines `+`; without any `-` these are added."""
    old, new = ("".join(f"{line[2:]}\n" for line in lines if line[0] == mark) for mark in "-+")
    if not old:
        return f"{text}\n{new}"
    head, blank, rest = text.partition("\n\n")
    assert old in rest, f"the file has no {old!r}"
    return head + blank + rest.replace(old, new, 1)


def message_of(game: str, folder: Path, mistake: list[str]) -> str:
    """Return how a game's data are refused with a mistake."""
    data = f"sim.games.{game}.data"
    load, build = (importlib.import_module(f"{data}.{name}") for name in ("catalog", "compile"))
    kind, _, rest = mistake[0].partition(" ")
    file = folder / rest

    def read() -> Any:
        if kind == "set":
            return load.load_catalog(settings=json.loads(rest))
        if before:
            return load.load_catalog(folder)
        return load.load_catalog(changes=[parse_change(line.removeprefix("change ")) for line in mistake])

    before = file.read_bytes() if kind in ("edit", "write") else b""
    if before:
        file.write_text(edited(before.decode() if kind == "edit" else "", mistake[1:]), encoding="utf-8")
    with pytest.raises(UserError) as error:
        build.build_tables(read())
    if before:
        file.write_bytes(before)
    said = str(error.value)
    for each in (folder, load_game(game).folder):
        said = said.replace(str(each), game)
    return said


@pytest.mark.parametrize("game", GAMES)
def test_every_mistake_is_named_as_its_page_says(game: str, tmp_path: Path) -> None:
    folder = tmp_path / game
    shutil.copytree(load_game(game).folder, folder)
    check_page(folder_of(game) / "mistakes.txt", lambda mistake: message_of(game, folder, mistake))

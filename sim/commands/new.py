"""Writes a small working game for an author to change."""

from __future__ import annotations

import importlib.util
import keyword
import re
import sysconfig
from pathlib import Path
from typing import Annotated

import typer

from sim.commands.console import print_json
from sim.commands.options import AsJson, Quiet
from sim.errors import UserError

MODEL = "my_game"
"""Name of the template game in `configs/new_game/`. In its files, the name of the new game replaces this name."""


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the game's file, such as my_game.")],
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write a small game of your own: NAME.py with its rules and players, NAME.toml with its numbers, and tests.

    Examples
    --------
    empirelab new my_game

    Notes
    -----
    The game plays as it is, and comments say which parts are optional. Existing files are never overwritten. The tests,
    `test_NAME.py`, run with `pytest`.
    """
    from sim.data.files import write_all

    files = new_game_files(Path(name.removesuffix(".py")))
    write_all([(path, text.encode()) for path, text in files.items()])
    if as_json:
        print_json({"files": list(map(str, files))})
    elif not quiet:
        rules, numbers, tests = files
        print(f"written: {rules} (rules and players), {numbers} (numbers), {tests} (tests, for pytest)")
        print(f"Play it: empirelab simulate {rules} --games 5000 --out runs/{rules.stem}")


def is_taken(name: str) -> bool:
    """Tell whether Python, an installed package or the program already has a module of this name."""
    from sim.data.catalog import CONFIGS

    spec = importlib.util.find_spec(name)
    folders = [*sysconfig.get_paths().values(), CONFIGS.parent]
    return spec is not None and (
        not spec.has_location or any(Path(str(spec.origin)).is_relative_to(str(folder)) for folder in folders)
    )


def new_game_files(place: Path) -> dict[Path, str]:
    """Return the paths and contents of the files of a new game.

    Raise UserError if the name cannot be that of a Python module, another module already has the name, or one of the
    files exists.
    """
    from sim.data.catalog import CONFIGS

    name, folder = place.name, place.parent
    if not re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII) or keyword.iskeyword(name):
        allowed = "letters, digits and _, first a letter, such as my_game"
        raise UserError("a game's name has to be that of a Python module", field="NAME", found=name, allowed=allowed)
    files = {folder / f"{name}.py": ".py", folder / f"{name}.toml": ".toml", folder / f"test_{name}.py": ""}
    if not folder.is_dir():
        raise UserError("no such folder", file=folder)
    for path in files:
        if path.exists() or path.is_symlink():
            raise UserError("this file exists already", file=path, allowed="another name")
    if is_taken(name):
        message = "a Python module of this name exists already, so imports would find the wrong one"
        raise UserError(message, field="NAME", found=name, allowed=f"another name, such as my_{name}")
    words = [word for word in name.split("_") if word]
    named = {MODEL: name, "MyGame": "".join(word[0].upper() + word[1:] for word in words)}
    named["My Game"] = " ".join(word[0].upper() + word[1:] for word in words)
    model = CONFIGS / "new_game"
    texts = {}
    for path, ending in files.items():
        text = (model / (f"{MODEL}{ending}" if ending else f"test_{MODEL}.py")).read_text("utf-8")
        for old, own in named.items():
            text = text.replace(old, own)
        texts[path] = text
    return texts

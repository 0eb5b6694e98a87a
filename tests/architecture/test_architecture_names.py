"""Two things never share a name."""

import functools
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from sim.cli import COMMANDS
from tests.architecture.importing import GAMES, PACKAGES, ROOT, module_of, sources

HOME = ROOT / "sim" / "games"
SHARED = [path for package in PACKAGES for path in sources(package) if not path.is_relative_to(HOME)]
OF_GAMES = tuple(HOME / game for game in GAMES)
"""Folders of the games."""
LESSONS = tuple(f"sim.diagnostics.lessons.{game}" for game in GAMES)
"""Modules with the lessons of each game. Their functions have the same names in all of them."""
CARRY_OUT = ("sim.runs.", "sim.diagnostics.", "reports.studies.api")
"""Beginnings of the modules whose functions carry out commands. Such a function is named like its command."""


@functools.cache
def classes_of(path: Path) -> list[str]:
    """Public classes that a file defines, but for those inside others."""
    return re.findall(r"^class ([^_\W]\w*)[(:\[]", path.read_text("utf-8"), re.MULTILINE)


@functools.cache
def functions_of(path: Path) -> list[str]:
    """Public functions at the top level of a file. A function with overloads counts once."""
    found = re.findall(r"^(?:async )?def ([^_\W]\w*)[(\[]", path.read_text("utf-8"), re.MULTILINE)
    return list(dict.fromkeys(found))


def defined_twice(paths: Iterable[Path], names: Callable[[Path], list[str]] = classes_of) -> dict[str, list[str]]:
    """Public classes or functions that several files define, or one file twice, with the modules that do."""
    found: dict[str, list[str]] = {}
    for path in paths:
        for name in names(path):
            found.setdefault(name, []).append(module_of(path))
    return {name: modules for name, modules in found.items() if len(modules) > 1}


def things_named(name: str, modules: Iterable[str]) -> set[str]:
    """Modules that define different things of this name, each thing once.

    The lessons of all games are one thing. So are a command and the function that carries it out.
    """
    found = {"lessons" if module in LESSONS else module for module in modules}
    command = name.replace("_", "-") in COMMANDS and any(module.startswith("sim.commands.") for module in found)
    carry_out = {module for module in found if module.startswith(CARRY_OUT)}
    return found - carry_out if command and len(carry_out) == 1 else found


def test_no_two_public_classes_share_a_name() -> None:
    assert not defined_twice(SHARED)


# Games call the same things by the same names, so each is looked at beside what they share.
@pytest.mark.parametrize("game", GAMES)
def test_a_game_names_no_class_like_one_that_games_share(game: str) -> None:
    assert not defined_twice([*SHARED, *sorted((HOME / game).rglob("*.py"))])


def test_no_two_public_functions_share_a_name_except_a_command_and_its_function() -> None:
    files = [path for package in ("sim", "reports") for path in sources(package)]
    shared = [path for path in files if not any(path.is_relative_to(home) for home in OF_GAMES)]
    named = {name: things_named(name, modules) for name, modules in defined_twice(shared, functions_of).items()}
    # `main` is the entry point of each file that is run as a program.
    assert not {name: things for name, things in named.items() if len(things) > 1 and name != "main"}


@pytest.mark.parametrize(
    ("name", "modules", "things"),
    [
        ("bench", ["sim.commands.bench", "sim.diagnostics.bench"], 1),
        ("price", ["sim.commands.price", "reports.studies.api"], 1),
        ("price", ["sim.commands.price", "reports.statistics.factions.price"], 2),
        ("price", ["sim.commands.price", "reports.studies.api", "sim.runs.run"], 3),
        ("named_game", ["sim.commands.options", "sim.runs.config"], 2),
        ("rows_of", LESSONS, 1),
        ("rows_of", ["sim.diagnostics.lessons.imperium", "sim.diagnostics.lessons.fit"], 2),
    ],
)
def test_a_command_and_its_function_are_one_thing_and_so_are_the_lessons_of_all_games(
    name: str, modules: list[str], things: int
) -> None:
    assert len(things_named(name, modules)) == things

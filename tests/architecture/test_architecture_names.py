"""Two things never share a name."""

import functools
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.architecture.importing import GAMES, PACKAGES, ROOT, module_of, sources

HOME = ROOT / "sim" / "games"
SHARED = [path for package in PACKAGES for path in sources(package) if not path.is_relative_to(HOME)]


@functools.cache
def classes_of(path: Path) -> list[str]:
    """Public classes that a file defines, but for those inside others."""
    return re.findall(r"^class ([^_\W]\w*)[(:\[]", path.read_text("utf-8"), re.MULTILINE)


def defined_twice(paths: Iterable[Path]) -> dict[str, list[str]]:
    """Public classes that several files, or one file twice, define, with the modules that do."""
    found: dict[str, list[str]] = {}
    for path in paths:
        for name in classes_of(path):
            found.setdefault(name, []).append(module_of(path))
    return {name: modules for name, modules in found.items() if len(modules) > 1}


def test_no_two_public_classes_share_a_name() -> None:
    assert not defined_twice(SHARED)


# Games call the same things by the same names, so each is looked at beside what they share.
@pytest.mark.parametrize("game", GAMES)
def test_a_game_names_no_class_like_one_that_games_share(game: str) -> None:
    assert not defined_twice([*SHARED, *sorted((HOME / game).rglob("*.py"))])

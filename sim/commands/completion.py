"""Shell completion: of games and run folders, and of a game's factions, cards, strategies, variants and settings."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from sim.data.files import MANIFEST
from sim.errors import UserError

if TYPE_CHECKING:
    from sim.game import Data

MAX_DEPTH = 3
"""How many levels below the typed folder are searched for runs."""
SPECIAL = re.compile(r"[^\w@%+=:,./-]")
"""Pattern for characters that have a special meaning in a shell."""


class Escaped(str):
    """A name with the backslashes that bash needs when it inserts the name. `startswith` ignores the backslashes."""

    plain: str

    def __new__(cls, plain: str) -> Escaped:
        """Return a name with its special characters escaped."""
        made = super().__new__(cls, SPECIAL.sub(lambda sign: "\\" + sign[0], plain))
        made.plain = plain
        return made

    def startswith(self, *prefix: Any) -> bool:
        """Tell whether the name without backslashes begins with a prefix."""
        return self.plain.startswith(*prefix)


def for_shell(names: Iterable[str]) -> list[str]:
    """Return names as the shell needs them: bash inserts names unchanged, so outside quotes they are escaped."""
    word = os.environ.get("COMP_WORDS", "").rpartition("\n")[2]
    if os.environ.get("_EMPIRELAB_COMPLETE") != "complete_bash" or word.startswith(("'", '"')):
        return list(names)
    return [Escaped(name) for name in names]


def complete_games(incomplete: str) -> list[str]:
    """Return the games that begin with the typed text."""
    from sim.data.declarations import GAMES, installed_games

    return [name for name in (*GAMES, *installed_games()) if name.startswith(incomplete)]


def complete_strategies(context: typer.Context, incomplete: str) -> list[str]:
    """Return completions of a line-up: the names before the last comma stay, and the last name is completed."""
    from sim.data.catalog import read_toml
    from sim.players.find_strategies import folder_of_players

    if (game := game_typed(context)) is None:
        return []
    names = [read_toml(path)["name"] for path in sorted(folder_of_players(game).glob("*.toml"))]
    return completed([*names, "all"], incomplete)


def complete_variants(context: typer.Context, incomplete: str) -> list[str]:
    """Return completions of the last name in a list of the game's variants."""
    from sim.data.declarations import variants_of

    game = game_typed(context)
    return [] if game is None else completed([variant.name for variant in variants_of(game)[1]], incomplete)


def complete_factions(context: typer.Context, incomplete: str) -> list[str]:
    """Return completions of the last name in a typed list: the factions of the game or run, and their attributes."""
    factions = () if (data := data_typed(context)) is None else data.factions
    shared = dict.fromkeys(value for faction in factions for value in faction.attributes.values())
    return completed([*(faction.name for faction in factions), *shared], incomplete)


def complete_cards(context: typer.Context, incomplete: str) -> list[str]:
    """Return the cards of the game that begin with the typed text."""
    pieces = () if (data := data_typed(context)) is None else data.pieces
    names = dict.fromkeys(name.partition(" (")[0] for name in pieces)
    return for_shell(name for name in names if name.startswith(incomplete))


def complete_settings(context: typer.Context, incomplete: str) -> list[str]:
    """Return NAME=VALUE for every value of the game's settings that is not the default."""
    if (game := game_typed(context)) is None:
        return []
    from sim.data.game_files import setting_rows
    from sim.game import load_game

    played = load_game(game)
    texts = (
        f"{row.name}={str(value).lower() if isinstance(value, bool) else value}"
        for row in setting_rows(played.folder, played.files)
        for value in row.allowed
        if value != row.value
    )
    return [text for text in texts if text.startswith(incomplete)]


def complete_runs(incomplete: str) -> list[str]:
    """Return the run folders whose paths begin with the typed text, in the typed folder and a few levels below."""

    def below(folder: Path, depth: int) -> Iterator[Path]:
        if (folder / MANIFEST).is_file():
            yield folder
        elif depth:
            for place in sorted(folder.iterdir()) if os.access(folder, os.R_OK | os.X_OK) else ():
                if place.is_dir() and not place.name.startswith("."):
                    yield from below(place, depth - 1)

    start = Path(incomplete) if incomplete.endswith("/") else Path(incomplete).parent
    found = below(start, MAX_DEPTH) if start.is_dir() else ()
    return for_shell(text for path in found if (text := path.as_posix()).startswith(incomplete))


def complete_games_and_runs(incomplete: str) -> list[str]:
    """Return the games, and the run folders, that begin with the typed text."""
    return [*complete_games(incomplete), *complete_runs(incomplete)]


def game_typed(context: typer.Context) -> str | None:
    """Return the game that is typed on the command line, or the game of the run folder typed there; otherwise None."""
    from sim.data.declarations import GAMES

    # While a command is being typed, some arguments are not yet assigned to parameters.
    words = [context.params.get(name) for name in ("game", "first", "folder")]
    for word in [*words, *context.args]:
        if word in GAMES:
            return str(word)
        if word is not None and (manifest := Path(word) / MANIFEST).is_file():
            from sim.data.json_input import read_limited_text, read_object

            with suppress(UserError):
                return str(read_object(manifest, read_limited_text(manifest), None).get("game"))
    return None


def data_typed(context: typer.Context) -> Data | None:
    """Return the data of the game that is typed on the command line, or None."""
    if (game := game_typed(context)) is None:
        return None
    from sim.game import load_game

    return load_game(game).load({})


def completed(names: Iterable[str], incomplete: str) -> list[str]:
    """Return completions of the last name in a comma-separated list. Names that the list already has are left out."""
    before, comma, last = incomplete.rpartition(",")
    taken = before.split(",")
    return for_shell(before + comma + name for name in names if name.startswith(last) and name not in taken)

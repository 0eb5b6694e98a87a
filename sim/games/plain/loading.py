"""Reads games in plain Python from the files that a user has named, and declares them to the rest of the program."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import sim.game as declared
from sim.compiler.source_digest import digest_of_code
from sim.data.catalog import digest, read_toml
from sim.errors import UserError
from sim.games.plain.class_checks import METHODS, Player, check_class, line_of, players_of_module
from sim.games.plain.content import as_file, as_given
from sim.games.plain.declaration import PlainGame, declaration_of
from sim.games.plain.failures import shown
from sim.games.plain.interface import Game, TomlFile, frozen
from sim.games.plain.playing import play_plain_games
from sim.games.plain.source_files import import_file, modules_beside, own_file, source_of, stamp_of


@dataclass
class Rules:
    """A game as its author wrote it, with its players by name.

    `name` is the game's name in commands and manifests: the path of its file, with ":Class" if the file has several
    games. `kind` is its class. `file` is its Python file; None for a class without a file, as in a notebook. `folder`
    holds the game's modules and data. `data_file` is the TOML file of the game's numbers, or a placeholder name if they
    are in the class. `given` are the numbers as the author wrote them. `stamp` is the SHA-256 of the game's files when
    they were read.
    """

    name: str
    kind: type[Game]
    file: Path | None
    folder: Path
    data_file: Path
    given: Mapping[str, Any]
    players: Mapping[str, Player]
    stamp: str
    games: dict[str, Game] = field(default_factory=dict)

    def has(self, method: str) -> bool:
        """Tell whether the author has defined this optional method."""
        return getattr(self.kind, method) is not getattr(Game, method)

    @property
    def place(self) -> str:
        """Return the path of the game's file in the form that messages use."""
        return shown(str(self.file or self.name))

    @property
    def data_place(self) -> str:
        """Return the path of the file with the game's numbers, in the form that messages use."""
        return shown(str(self.data_file)) if isinstance(self.kind.data, TomlFile) else self.place

    @property
    def hides(self) -> bool:
        """Tell whether the game declares what is hidden from seats, so that look-ahead is possible."""
        return self.kind.hidden is not None or self.has("redeal")

    @property
    def shows(self) -> bool:
        """Tell whether the game declares what a seat can see, so that players can be given views."""
        return self.kind.hidden is not None or self.has("view")

    def game_with(self, data: declared.Data) -> Game:
        """Return the game with these numbers. Within a process, the same numbers give the same object."""
        if data.digest not in self.games:
            game = self.kind()
            game.data = frozen(as_given(data.catalog, self.given))
            object.__setattr__(game, "_ready", True)
            self.games[data.digest] = game
        return self.games[data.digest]

    def is_current(self, file: Path) -> bool:
        """Tell whether the game comes from a file, and neither the file nor its data have changed since it was read."""
        if self.file != file.resolve() or self.stamp != stamp_of(file):
            return False
        return not isinstance(self.kind.data, TomlFile) or read_toml(self.data_file) == self.given

    def numbers(self) -> tuple[Path, dict[str, Any]]:
        """Return the file of the game's numbers (a placeholder if they are in the class), and their TOML form."""
        return self.data_file, as_file(self.given)

    def player_in(self, module: ModuleType, path: Path) -> Player:
        """Return the single player in a user's file; raise UserError if it has none or several."""
        players = [player for player in players_of_module(module).values() if player.function is not None]
        if len(players) != 1:
            allowed = "one function def NAME(game, state, option) or NAME(game, view, options)"
            found = ", ".join(player.name for player in players) or "none"
            raise UserError("the file must define exactly one player", file=path, found=found, allowed=allowed)
        return players[0]

    def digest(self) -> str:
        """Return the SHA-256 of the game's sources as they were read, and of the code that plays it."""
        return digest([self.stamp, digest_of_code([play_plain_games])])

    def files(self) -> list[Path]:
        """Return the game's file and the files beside or below it that it imports; empty for a class without a file."""
        return [] if self.file is None else modules_beside(self.file)


NAMED: dict[str, PlainGame] = {}
"""Games that the user has named in this process."""


@dataclass(frozen=True)
class Named:
    """Sends a named game to another process, which must load it before it unpickles anything of its module."""

    rules: Rules

    def __reduce__(self) -> Any:
        rules = self.rules
        unnamed = None if rules.file else replace(rules, games={})
        return name_again, (rules.name, Path.cwd(), rules.file, rules.stamp, unnamed)


def name_again(name: str, folder: Path, file: Path | None, stamp: str, rules: Rules | None) -> UserError | None:
    """Load the game `name` in a worker process, unless this version is loaded; make `folder` the working directory.

    `rules` is the game itself, or None if it is to be read from its file. Return the error if it cannot be read, or if
    `stamp` shows that its files have changed: all games of a run must be played with one version.
    """
    os.chdir(folder)
    try:
        # A reused worker may have loaded a file with the same name and content from another folder.
        if name not in NAMED or (NAMED[name].plain.file, NAMED[name].plain.stamp) != (file, stamp):
            if rules is None:
                name_plain_game(name)
            else:
                NAMED[name] = declaration_of(rules)
    except UserError as error:
        return error
    return None if NAMED[name].plain.stamp == stamp else changed_meanwhile(NAMED[name])


def changed_meanwhile(game: declared.GameSpec) -> UserError:
    """Return the error for a game whose files have changed since the run began."""
    message = "a file of the game has changed since the run began"
    return UserError(message, file=game.plain.file, allowed="the same command again")


def find_game(name: str) -> PlainGame:
    """Return a game that the user has named in this process; raise UserError if the user has not.

    Opening a run folder must never run a user's code.
    """
    if name in NAMED:
        return NAMED[name]
    message = f"this needs {name}, a Python file, which runs only if you name it"
    raise UserError(message, field="game", found=name, allowed="--trust, or the game itself as an argument")


def name_plain_game(wanted: Any) -> str:
    """Read the game from a Python file or class that the user has named, and return its name.

    Raise UserError if there is no such file, it cannot be imported, or it contains no game.
    """
    if inspect.isclass(wanted):
        return register(class_rules(wanted))
    name = usual_name(wanted)
    path, _, chosen = name.partition(".py:")
    file = Path(path if path.endswith(".py") else f"{path}.py")
    if name not in NAMED or not NAMED[name].plain.is_current(file):
        register(file_rules(name, file, chosen))
    return name


def usual_name(text: str) -> str:
    """Return the name of a game: the path of its file, relative to the working directory if the file lies inside."""
    path, colon, chosen = text.partition(".py:")
    whole = Path(f"{path}.py" if colon else path).absolute()
    here = Path.cwd()
    place = whole.relative_to(here) if whole.is_relative_to(here) else Path(os.path.normpath(whole))
    return f"{place}:{chosen}" if colon else str(place)


def register(rules: Rules) -> str:
    """Declare a game, keep the declaration under its name, and return the name."""
    NAMED[rules.name] = declaration_of(rules)
    return rules.name


# ---- Reading the file ----


def file_rules(name: str, file: Path, chosen: str) -> Rules:
    """Import a file and return its game; `chosen` names the class if there are several."""
    stamp = stamp_of(file)  # read the stamp first, so that a change of the file during the import is noticed later
    module = import_file(file)
    kinds = [kind for kind in vars(module).values() if is_game(kind, module)]
    if chosen:
        names = [kind.__name__ for kind in kinds]
        if chosen not in names:
            raise UserError("no game of this name", file=file, found=chosen, allowed=names)
        kinds = [kind for kind in kinds if kind.__name__ == chosen]
    if len(kinds) != 1:
        if not kinds:
            message = f"this file has no class with the methods {', '.join(METHODS)}"
            raise UserError(message, file=file, allowed="class MyGame(empirelab.Game)")
        options = [f"{file}:{kind.__name__}" for kind in kinds]
        raise UserError("this file has several games; name one", file=file, allowed=options)
    return rules_of(name, kinds[0], file.resolve(), module, stamp)


def is_game(kind: object, module: ModuleType) -> bool:
    """Tell whether an object is a game class defined in a module: it extends `Game` or has the required methods."""
    if not inspect.isclass(kind) or kind is Game or kind.__module__ != module.__name__:
        return False
    return issubclass(kind, Game) or all(hasattr(kind, method) for method in METHODS)


def class_rules(kind: type) -> Rules:
    """Return the game of a class. Its file is read if there is one; otherwise the class of this session is used."""
    file = own_file(kind)
    module = sys.modules[kind.__module__]
    if file is not None:
        name = usual_name(str(file))
        several = sum(is_game(each, module) for each in vars(module).values()) > 1
        return file_rules(f"{name}:{kind.__name__}" if several else name, file, kind.__name__)
    return rules_of(kind.__name__, kind, None, module)


# ---- Declarations of the class ----


def rules_of(name: str, kind: type, file: Path | None, module: ModuleType, stamp: str = "") -> Rules:
    """Check the declarations of a class and read its numbers.

    Raise UserError if a method is missing or a declaration is wrong.
    """
    place = f"{shown(str(file))}:{line_of(kind)}" if file else name
    own: type[Game] = kind
    if not issubclass(kind, Game):
        own = type(kind.__name__, (kind, Game), {"__module__": kind.__module__})
    check_class(own, place)
    folder = file.parent if file else Path.cwd()
    data = own.data
    if isinstance(data, TomlFile):
        data_file = folder / data.name
        given: dict[str, Any] = read_toml(data_file)
    elif isinstance(data, Mapping):
        data_file, given = folder / f"{file.stem if file else kind.__name__}.toml", dict(data)
    else:
        allowed = 'toml("my_game.toml"), or a dictionary'
        raise UserError("data must hold the numbers of the game", file=place, field="data", found=data, allowed=allowed)
    players = players_of_module(module)
    texts = {name: source_of(thing) for name, thing in [("", kind), *((p.name, p.function) for p in players.values())]}
    return Rules(name, own, file, folder, data_file, given, players, stamp or digest(texts))

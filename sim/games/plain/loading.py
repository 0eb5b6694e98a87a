"""Reads games in one plain Python file that a user has named, and declares them to the rest of the program."""

from __future__ import annotations

import ast
import difflib
import hashlib
import importlib.util
import inspect
import linecache
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

import sim.game as declared
from sim.compiler.source_digest import PACKAGES, digest_of_code
from sim.data.catalog import CERTAINTIES, digest, read_toml
from sim.data.changes import Change, apply_changes
from sim.data.declarations import Faction, PieceEvent, Variant
from sim.errors import UserError, nearest
from sim.games.plain.content import as_file, as_given, check_rows, kinds_of
from sim.games.plain.failures import shown, told_failure
from sim.games.plain.interface import Game, TomlFile, frozen
from sim.games.plain.playing import play_games

METHODS = ("setup", "options", "apply", "score")
"""Methods that every game has."""
SCORES, CHOOSES = ("game", "state", "option"), ("game", "view", "options")
"""First arguments of players: of one that scores an option, and of one that chooses an option."""
FREE_PLAYERS = {"random": "takes any option", "greedy": "takes the option after which its score leads by most"}
"""Players that come with every game."""
MODULE = "empirelab_game_"


@dataclass
class Player:
    """A player of a game's file: its function (None for those that come with every game), and its weights."""

    name: str
    function: Callable[..., Any] | None
    chooses: bool
    weights: dict[str, float]
    description: str


@dataclass
class Rules:
    """A game as its author wrote it.

    Attributes
    ----------
    name
        What commands and manifests call it: the path of its file, with ":Class" if the file has several games.
    kind
        Its class.
    file
        Its Python file; None for a class that stands in no file, as in a notebook.
    folder
        Folder of its modules and data.
    data_file
        Its TOML file, or a name for the numbers in the class.
    given
        Its numbers as the author wrote them.
    players
        Its players by name.
    stamp
        SHA-256 of its files as they were when it was read.
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
        """Tell whether the author has written an optional method."""
        return getattr(self.kind, method) is not getattr(Game, method)

    @property
    def hides(self) -> bool:
        """Tell whether the game says what seats do not see, so that it can be looked ahead."""
        return self.kind.hidden is not None or self.has("redeal")

    @property
    def shows(self) -> bool:
        """Tell whether the game says what a seat sees."""
        return self.kind.hidden is not None or self.has("view")

    def game_with(self, data: declared.Data) -> Game:
        """Return the game with these numbers, one object in a process."""
        if data.digest not in self.games:
            game = self.kind()
            game.data = frozen(as_given(data.catalog, self.given))
            object.__setattr__(game, "_ready", True)
            self.games[data.digest] = game
        return self.games[data.digest]

    def is_current(self, file: Path) -> bool:
        """Tell whether the game is that of a file, and the file and its data are still what was read."""
        if self.file != file.resolve() or self.stamp != stamp_of(file):
            return False
        return not isinstance(vars(self.kind).get("data"), TomlFile) or read_toml(self.data_file) == self.given

    def numbers(self) -> tuple[Path, dict[str, Any]]:
        """Return the file of the game's numbers and its content, also if they stand in the class."""
        return self.data_file, as_file(self.given)

    def player_in(self, module: ModuleType, path: Path) -> Player:
        """Return the player of a user's file.

        Raises
        ------
        UserError
            It has none, or several.
        """
        players = [player for player in players_of_module(module).values() if player.function is not None]
        if len(players) != 1:
            allowed = "one function def NAME(game, state, option) or NAME(game, view, options)"
            found = ", ".join(player.name for player in players) or "none"
            raise UserError("not a file of one player", file=path, found=found, allowed=allowed)
        return players[0]

    def digest(self) -> str:
        """Return the SHA-256 of the game's sources, as they were read, and of what plays it."""
        return digest([self.stamp, digest_of_code([play_games])])

    def files(self) -> list[Path]:
        """Return the game's file and the modules beside it; empty for a class that stands in no file."""
        return [] if self.file is None else modules_beside(self.file)


class PlainGame(declared.GameSpec):
    """The declaration of a game in one plain Python file; it travels to other processes by its name."""

    def __reduce__(self) -> Any:
        return declared.load_game, (self.name,)


NAMED: dict[str, PlainGame] = {}
"""Games that the user has named in this process."""


@dataclass(frozen=True)
class Named:
    """A named game on its way to another process, which reads it before anything that refers to its module."""

    rules: Rules

    def __reduce__(self) -> Any:
        rules = self.rules
        unnamed = None if rules.file else replace(rules, games={})
        return name_again, (rules.name, Path.cwd(), rules.file, rules.stamp, unnamed)


def named_for(game: declared.GameSpec) -> Named:
    """Return what tells another process of a game."""
    return Named(game.plain)


def name_again(name: str, folder: Path, file: Path | None, stamp: str, rules: Rules | None) -> UserError | None:
    """Read a game in a process that another one has started, unless it has been read already.

    Returns
    -------
    The error if the game cannot be read or its files have changed in the meantime: one run has games of one version.
    """
    os.chdir(folder)
    try:
        # A kept worker may have read a file of the same name and content in another folder.
        if name not in NAMED or (NAMED[name].plain.file, NAMED[name].plain.stamp) != (file, stamp):
            if rules is None:
                name_game(name)
            else:
                NAMED[name] = declaration_of(rules)
    except UserError as error:
        return error
    return None if NAMED[name].plain.stamp == stamp else changed_meanwhile(NAMED[name])


def changed_meanwhile(game: declared.GameSpec) -> UserError:
    """Return the error that the files of a game have changed since the run began."""
    message = "a file of the game has changed since the run began"
    return UserError(message, file=game.plain.file, allowed="the same command again")


def find_game(name: str) -> PlainGame:
    """Return a game that the user has named in this process.

    Raises
    ------
    UserError
        The user has not: a run folder runs no code by itself.
    """
    if name in NAMED:
        return NAMED[name]
    message = f"this needs {name}, a Python file, which runs only if you name it"
    raise UserError(message, field="game", found=name, allowed="--trust, or the game itself as an argument")


def name_game(wanted: Any) -> str:
    """Read the game of a Python file or a class that the user has named, and return its name.

    Raises
    ------
    UserError
        There is no such file, it does not import, or it holds no game.
    """
    if inspect.isclass(wanted):
        return register(class_rules(wanted))
    name = usual_name(wanted)
    path, _, chosen = name.partition(".py:")
    file = Path(path if path.endswith(".py") else f"{path}.py")
    if name not in NAMED or not NAMED[name].plain.is_current(file):
        register(file_rules(name, file, chosen))
    return name


def stamp_of(file: Path) -> str:
    """Return the SHA-256 of a game's file and of the modules beside it, by their paths from its folder."""
    if not file.is_file():
        return ""
    whole = file.resolve()
    return digest({os.path.relpath(path, whole.parent): path.read_text("utf-8") for path in modules_beside(whole)})


def usual_name(text: str) -> str:
    """Return the name of a game's file: its path from the working directory if it is below it."""
    path, colon, chosen = text.partition(".py:")
    whole = Path(f"{path}.py" if colon else path).absolute()
    here = Path.cwd()
    place = whole.relative_to(here) if whole.is_relative_to(here) else Path(os.path.normpath(whole))
    return f"{place}:{chosen}" if colon else str(place)


def register(rules: Rules) -> str:
    """Declare a game under its name."""
    NAMED[rules.name] = declaration_of(rules)
    return rules.name


# ---- Reading the file ----


def file_rules(name: str, file: Path, chosen: str) -> Rules:
    """Return the game of a file."""
    module = import_file(file)
    kinds = [kind for kind in vars(module).values() if is_game(kind, module)]
    if chosen:
        kinds = [kind for kind in kinds if kind.__name__ == chosen] or refuse_class(file, chosen, kinds)
    if len(kinds) != 1:
        if not kinds:
            message = f"this file has no class with the methods {', '.join(METHODS)}"
            raise UserError(message, file=file, allowed="class MyGame(empirelab.Game)")
        options = [f"{file}:{kind.__name__}" for kind in kinds]
        raise UserError("this file has several games; name one", file=file, allowed=options)
    return rules_of(name, kinds[0], file.resolve(), module)


def refuse_class(file: Path, chosen: str, kinds: Sequence[type]) -> list[type]:
    """Raise UserError, as a file has no game of this name."""
    raise UserError("no game of this name", file=file, found=chosen, allowed=[kind.__name__ for kind in kinds])


def is_game(kind: object, module: ModuleType) -> bool:
    """Tell whether something is a class of a module that may be a game: some of its methods, or the base class."""
    if not inspect.isclass(kind) or kind is Game or kind.__module__ != module.__name__:
        return False
    return issubclass(kind, Game) or all(hasattr(kind, method) for method in METHODS)


def class_rules(kind: type) -> Rules:
    """Return the game of a class: of its file, if it stands in one, else of this session."""
    file = own_file(kind)
    module = sys.modules[kind.__module__]
    if file is not None:
        name = usual_name(str(file))
        several = sum(is_game(each, module) for each in vars(module).values()) > 1
        return file_rules(f"{name}:{kind.__name__}" if several else name, file, kind.__name__)
    return rules_of(kind.__name__, kind, None, module)


def own_file(kind: type) -> Path | None:
    """Return the Python file of a class; None if it stands in none, as in a notebook or at a prompt."""
    try:
        path = Path(inspect.getfile(kind))
    except (TypeError, OSError):
        return None
    return path.resolve() if path.suffix == ".py" and path.is_file() and kind.__module__ != "__main__" else None


def import_file(file: Path) -> ModuleType:
    """Import a game's file that the user has named, with the modules beside it.

    Raises
    ------
    UserError
        There is no such file, or it does not import.
    """
    if not file.is_file():
        beside = sorted(path.name for path in file.parent.glob("*.py")) if file.parent.is_dir() else []
        raise UserError("no such game file", file=file, found=file.name, allowed=beside or "a Python file")
    whole = file.resolve()
    name = MODULE + hashlib.sha256(str(whole).encode()).hexdigest()[:8] + f"_{whole.stem}"
    spec = importlib.util.spec_from_file_location(name, whole)
    if spec is None or spec.loader is None:
        raise UserError("not a Python file", file=file, allowed="a file whose name ends in .py")
    module = importlib.util.module_from_spec(spec)
    known = set(map(str, modules_beside(whole)))
    for other in [key for key, each in sys.modules.items() if getattr(each, "__file__", None) in known]:
        del sys.modules[other]  # it may have changed since it was imported, as in a notebook
    sys.modules[name] = module
    linecache.checkcache(str(whole))
    folder = str(whole.parent)
    sys.path.insert(0, folder)
    try:
        exec(compile(whole.read_bytes(), str(whole), "exec", dont_inherit=True), vars(module))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        del sys.modules[name]
        raise told_failure(error, (str(whole),), "the file does not import", file) from error
    finally:
        sys.path.remove(folder)
        if folder not in sys.path:
            sys.path.append(folder)  # for imports inside functions
    return module


def modules_beside(file: Path) -> list[Path]:
    """Return a file and the files beside and below it that it imports, directly or not, as its text says."""
    found: list[Path] = []
    waiting = [file]
    while waiting:
        path = waiting.pop()
        if path not in found and path.is_file():
            found.append(path)
            waiting += imported_beside(path, file.parent)
    return sorted(found)


def imported_beside(path: Path, folder: Path) -> Iterator[Path]:
    """Yield the files in a folder that a Python file names in imports."""
    try:
        nodes = list(ast.walk(ast.parse(path.read_bytes())))
    except (SyntaxError, ValueError):  # told when it is imported
        return
    for node in nodes:
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            home = "." * node.level + (node.module or "")
            names = [home.lstrip("."), *(f"{home}.{alias.name}".lstrip(".") for alias in node.names)]
        for name in names:
            if name.partition(".")[0] in ("", "empirelab", *PACKAGES):
                continue
            parts = name.split(".")
            for length in range(1, len(parts) + 1):
                place = folder.joinpath(*parts[:length])
                yield place.with_suffix(".py")
                yield place / "__init__.py"


def source_of(thing: Any) -> str:
    """Return the text of a class or function that stands in no file; empty if it is unknown."""
    try:
        return inspect.getsource(thing)
    except (OSError, TypeError):
        return ""


# ---- What the class says ----


def rules_of(name: str, kind: type, file: Path | None, module: ModuleType) -> Rules:
    """Check what a class declares and read its numbers.

    Raises
    ------
    UserError
        A method is missing or a declaration is wrong.
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
        raise UserError("data are no table of numbers", file=place, field="data", found=data, allowed=allowed)
    players = players_of_module(module)
    texts = {name: source_of(thing) for name, thing in [("", kind), *((p.name, p.function) for p in players.values())]}
    stamp = digest(texts) if file is None else stamp_of(file)
    return Rules(name, own, file, folder, data_file, given, players, stamp)


def check_class(kind: type[Game], place: str) -> None:
    """Check the attributes and methods of a game's class.

    Raises
    ------
    UserError
        One is missing, unknown or of another kind.
    """
    known = [name for name in vars(Game) if not name.startswith("_")]
    for method in METHODS:
        if getattr(kind, method, None) is getattr(Game, method):
            near = nearest(method, [name for name in vars(kind) if name not in known])
            hint = f"; did you mean {near!r}?" if near else ""
            raise UserError(f"the game {kind.__name__} has no method {method}{hint}", file=place, field=method)
    for name, value in vars(Game).items():
        if callable(value) and not name.startswith("_"):
            check_arguments(kind, name, value, place)
    for name in vars(kind):
        near = nearest(name, known) if not name.startswith("_") and name not in known else None
        if near is not None and len(near) > 3 and close(name, near):
            raise UserError("this is not a part of a game", file=place, field=name, found=name, allowed=[near])
    if not kind.players or not all(type(count) is int and count >= 1 for count in kind.players):
        raise UserError("no numbers of players", file=place, field="players", found=kind.players, allowed="(2, 3, 4)")
    for attribute in ("score_parts", "measure_names", "end_reasons", "piece_events", "negative", "piece_price"):
        value = getattr(kind, attribute)
        if isinstance(value, str) or not all(isinstance(each, str) for each in value):
            raise UserError("not a list of names", file=place, field=attribute, found=value, allowed='("one", "two")')
    if kind.checkpoints and kind.round is Game.round:
        raise UserError(
            "checkpoints need the method round(state)", file=place, field="checkpoints", allowed="def round"
        )


def close(name: str, near: str) -> bool:
    """Tell whether a name is another one misspelt: as long but for a letter, and all but two letters the same."""
    return difflib.SequenceMatcher(None, name, near).ratio() > 0.85


def check_arguments(kind: type[Game], name: str, value: Callable[..., Any], place: str) -> None:
    """Check that a method takes the arguments with which it is called."""
    wanted = list(inspect.signature(value).parameters)
    method = getattr(kind, name)
    if not callable(method):
        raise UserError(f"{name} is not a method", file=place, field=name, allowed=f"def {name}({', '.join(wanted)})")
    try:
        inspect.signature(method).bind(*wanted)
    except TypeError:
        found = f"{name}({', '.join(inspect.signature(method).parameters)})"
        raise UserError(
            f"{name} takes other arguments", file=f"{shown(method.__code__.co_filename)}:{line_of(method)}", field=name,
            found=found, allowed=f"{name}({', '.join(wanted)})",
        ) from None  # fmt: skip


def line_of(thing: Any) -> int:
    """Return the line on which a class or a function begins; 1 if it is unknown."""
    try:
        return inspect.getsourcelines(thing)[1]
    except (OSError, TypeError):
        return 1


def players_of_module(module: ModuleType) -> dict[str, Player]:
    """Return the players of a game's file by name, its own first."""
    found = {}
    for name, function in vars(module).items():
        if isinstance(function, FunctionType) and not name.startswith("_"):
            arguments = tuple(inspect.signature(function).parameters)[:3]
            if arguments in (SCORES, CHOOSES):
                found[name] = player_of(name, function)
    free = {name: Player(name, None, False, {}, said) for name, said in FREE_PLAYERS.items() if name not in found}
    return found | free


def player_of(name: str, function: FunctionType) -> Player:
    """Return the player that a function is.

    Raises
    ------
    UserError
        A further argument is not a weight with a number.
    """
    _, _, _, *more = inspect.signature(function).parameters.values()
    place = f"{shown(function.__code__.co_filename)}:{function.__code__.co_firstlineno}"
    weights = {}
    for one in more:
        default = one.default
        if one.kind is not one.KEYWORD_ONLY or isinstance(default, bool) or not isinstance(default, int | float):
            allowed = f"*, {one.name}=1.0"
            raise UserError(
                f"player {name}: a weight is a keyword argument with a number", file=place, field=one.name,
                found=str(one), allowed=allowed,
            )  # fmt: skip
        weights[one.name] = float(default)
    description = ((function.__doc__ or "").strip() or "a player of the game's file").splitlines()[0]
    chooses = tuple(inspect.signature(function).parameters)[:3] == CHOOSES
    return Player(name, function, chooses, weights, description)


# ---- The declaration ----


def declaration_of(rules: Rules) -> PlainGame:
    """Return the declaration of a game for the rest of the program."""
    kind = rules.kind
    content = as_file(rules.given)
    kinds = kinds_of(rules.data_file, content, kind.negative)
    factions = faction_rows(rules, content)
    pieces = pieces_of(rules, content)
    measures = (*kind.measure_names, *(f"after_round_{number}" for number in kind.checkpoints))
    own = [name for name, player in rules.players.items() if player.function is not None]
    in_file = bool(kind.faction_word) and kind.faction_word in content
    label = kinds[kind.faction_word].label if in_file else ()
    variants = kind.variants or {"standard": None}

    def place_of(data: declared.Data, number: int) -> tuple[str, str]:
        return rules.data_file.name, str(data.catalog[kind.faction_word][number][label[0]])

    counts = tuple(sorted(kind.players))
    return PlainGame(
        name=rules.name,
        title=kind.title or kind.__name__,
        variants=tuple(Variant(name, tuple(some or counts), "") for name, some in variants.items()),
        folder=rules.folder,
        files={rules.data_file.name: kinds} if kinds else {},
        score_parts=tuple(kind.score_parts),
        measures=measures,
        checkpoints=tuple(f"after_round_{number}" for number in kind.checkpoints),
        end_reasons=tuple(kind.end_reasons),
        pieces=pieces,
        state=np.dtype(np.int8),
        tables=np.dtype(np.int8),
        load=Loader(rules, content, kinds, factions),
        set_up=not_compiled,
        play_step=not_compiled,
        redeal=not_compiled,
        score_game=not_compiled,
        decisions=("move",),
        narrate=not_compiled,
        faction_title=(kind.faction_word or "faction") if factions else "",
        faction_attributes=tuple(kind.faction_attributes) if factions else (),
        faction_place=place_of if in_file else None,
        default_players=kind.default_players or counts[-1],
        default_strategies=tuple(own) or ("greedy",),
        plain=rules,
    )  # fmt: skip


def not_compiled(*_: Any) -> Any:
    """Stand in for a kernel: the game has none.

    Raises
    ------
    UserError
        Always.
    """
    raise UserError("this needs a compiled game", allowed="a game of the project, or one as in docs/adding-a-game.md")


def named_rows(rules: Rules, content: Mapping[str, Any], field: str) -> Sequence[Mapping[str, Any]]:
    """Return the rows of the table that `faction_word` or `piece_word` names; raise UserError without such rows."""
    word = getattr(rules.kind, field)
    rows = content.get(word)
    if isinstance(rows, list | tuple):
        return rows
    place = f"{shown(str(rules.file or rules.name))}:{line_of(rules.kind)}"
    if rows is None:
        message = "the data have no table of this name"
        raise UserError(message, file=place, field=field, found=word, allowed=list(content))
    message = f"the table {word} must be a list of rows, each with a name"
    raise UserError(message, file=place, field=field, found=f"[{word}]", allowed=f'[[{word}]] with name = "..."')


def faction_rows(rules: Rules, content: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the rows of the factions, of the data or of the class; empty without factions."""
    kind = rules.kind
    if kind.factions:
        return [each if isinstance(each, Mapping) else {"name": str(each)} for each in kind.factions]
    if not kind.faction_word:
        return []
    rows = named_rows(rules, content, "faction_word")
    for row in rows:
        for name in kind.faction_attributes:
            if name not in row:
                raise UserError("a faction lacks this attribute", file=rules.data_file, row=row.get("name"), field=name)
    return list(rows)


def pieces_of(rules: Rules, content: Mapping[str, Any]) -> declared.Pieces | None:
    """Return the declaration of the pieces; None if the game records none."""
    kind = rules.kind
    if not kind.piece_word or not rules.has("pieces"):
        return None
    rows = named_rows(rules, content, "piece_word")
    label = kinds_of(rules.data_file, {kind.piece_word: rows}, ())[kind.piece_word].label[0]

    def numbers(data: declared.Data, piece: int, wanted: Callable[[str], bool]) -> dict[str, str]:
        row = data.catalog[kind.piece_word][piece]
        return {name: "0" for name, value in row.items() if type(value) in (int, float) and wanted(name)}

    plural = f"{kind.piece_word}s"
    return declared.Pieces(
        name=kind.piece_word,
        plural=plural,
        columns=(("offered", "uint8"), *((event, "uint8") for event in kind.piece_events)),
        rows=len(rows),
        offered="offered",
        events=tuple(
            PieceEvent(column=event, title=event.replace("_", " "), in_play=place == 0)
            for place, event in enumerate(kind.piece_events)
        ),
        in_files=declared.PiecesInFiles(
            nothing=lambda data, piece: numbers(data, piece, lambda name: name not in ("copies", *kind.piece_price)),
            free=(lambda data, piece: numbers(data, piece, lambda name: name in kind.piece_price))
            if kind.piece_price
            else None,
            place=lambda data, piece: (rules.data_file.name, str(data.catalog[kind.piece_word][piece][label])),
        ),
    )


@dataclass
class Loader:
    """The `load` of a game: its numbers with changes, and the values of its settings."""

    rules: Rules
    content: Mapping[str, Any]
    kinds: Mapping[str, Any]
    factions: Sequence[Mapping[str, Any]]

    def __call__(
        self, settings: Mapping[str, object], changes: Sequence[Change] = (), additions: Sequence[object] = ()
    ) -> declared.Data:
        """Return the data of a run.

        Raises
        ------
        UserError
            A change or a setting does not fit.
        """
        rules = self.rules
        content = apply_changes(rules.data_file, dict(self.content), self.kinds, changes)
        if changes:
            check_rows(rules.data_file, content, self.kinds)
        values = {name: allowed[0] for name, allowed in rules.kind.settings.items()}
        for name, value in settings.items():
            if name not in values:
                raise UserError(f"unknown setting of {rules.name}", found=name, allowed=list(values) or "none")
            if value not in rules.kind.settings[name]:
                allowed = list(rules.kind.settings[name])
                raise UserError(f"setting {name}: unknown value", found=value, allowed=allowed)
            values[name] = value
        word, label = rules.kind.faction_word, "name"
        rows = content[word] if not rules.kind.factions and word in content else self.factions
        certainty: dict[str, int] = dict.fromkeys(CERTAINTIES, 0)
        for table in content.values():
            for row in [table] if isinstance(table, dict) else table:
                said = row.get("certainty", "confirmed")
                certainty[said if said in certainty else "confirmed"] += 1
        if rows and label not in rows[0]:
            label = self.kinds[word].label[0]
        piece = rules.kind.piece_word
        return declared.Data(
            tables=np.zeros(1, np.int8),
            factions=tuple(
                Faction(name=str(row[label]), attributes={a: str(row[a]) for a in rules.kind.faction_attributes})
                for row in rows
            ),
            pieces=tuple(str(row[self.kinds[piece].label[0]]) for row in content.get(piece, ())) if piece else (),
            settings=values,
            certainty=certainty,
            settings_certainty={},
            digest=digest({"data": content, "factions": list(self.factions), "settings": values}),
            catalog=content,
        )

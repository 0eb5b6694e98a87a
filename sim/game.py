"""What a game declares to the rest of the program. So runs, commands and reports need no code for a particular game."""

from __future__ import annotations

import inspect
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import numpy as np

from sim.compiler.kernel import Record, kernel
from sim.compiler.source_digest import add_package, file_of, source_digest
from sim.data.catalog import CERTAINTIES, CONFIGS, Kind, read_toml
from sim.data.changes import Addition, Change
from sim.data.declarations import (
    GAMES,
    MAX_PLAYERS,
    Circumstance,
    Faction,
    Picks,
    PieceEvent,
    Tally,
    TallyRow,
    Variant,
    installed_games,
)
from sim.data.files import MANIFEST
from sim.data.game_files import LoadCatalog, read_once
from sim.data.place import own_lines
from sim.engine.play import GameKernels, game_kernels, play_games
from sim.errors import UserError, what_was_raised

PLAIN = "sim.games.plain.loading"
"""Module that reads games in one plain Python file. A user names such a game by the path of the file."""


PROJECT_GAMES, RULES = "sim.games.", "rules"
"""Package of the project's games, and the folder of a game's kernels."""
TOGETHER = "+"
"""Joins the names of variants that are played together. The order of the names does not matter."""


@dataclass(frozen=True)
class Data:
    """A game's tables as read from `configs/`.

    Attributes
    ----------
    tables
        The record that kernels read.
    factions
        The factions, in the order of their ids.
    pieces
        Names of the pieces, in the order of their ids.
    settings
        Values of all settings of the rules, by name.
    certainty, settings_certainty
        Number of rows by certainty ("confirmed", "single-source", "stand-in"): of pieces and factions, and of settings.
    digest
        SHA-256 of all data and settings.
    catalog
        The game's files as parsed objects, for narration and positions.
    """

    tables: Record
    certainty: Mapping[str, int]
    digest: str
    catalog: Any = None
    factions: tuple[Faction, ...] = ()
    pieces: tuple[str, ...] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    settings_certainty: Mapping[str, int] = field(default_factory=dict)


def piece_place(data: Data, piece: int) -> tuple[str, str]:
    """Return the TOML file of a piece and the label of its row. `piece` is the piece's number in the catalogue."""
    return data.catalog.files[piece], data.catalog.label(piece)


@dataclass(frozen=True)
class PiecesInFiles:
    """The rows of pieces in a game's files, and how to change a row.

    Attributes
    ----------
    nothing, free
        Functions that return fields of a piece's row with TOML values. The values of `nothing(data, piece)` remove the
        piece's effects, those of `free(data, piece)` its price. `free` is None if pieces have no price.
    place
        Function that returns the TOML file of a piece and the label of its row: `place(data, piece)`.
    """

    nothing: Callable[[Data, int], Mapping[str, str]]
    free: Callable[[Data, int], Mapping[str, str]] | None = None
    place: Callable[[Data, int], tuple[str, str]] = piece_place


@dataclass(frozen=True)
class FactionPart:
    """A part of a faction that is not a piece: a stage of a board, a power, a special rule.

    Attributes
    ----------
    name
        Name of the part in the game: "stage 1", "power".
    file, row
        TOML file, and the path of the part in this file, written as in a change: "Halikarnassos B.stage.1".
    nothing, free
        Fields of the part with TOML values. The values of `nothing` remove its effects, those of `free` its price;
        `free` is empty if the part has no price.
    event
        A column of the piece rows, and a number n. A seat has the part once n of its pieces have a value above 0 in
        this column: a board has its second stage once two cards lie below it. ("", 0) if piece rows do not show whether
        a seat has the part.
    """

    name: str
    file: str
    row: str
    nothing: Mapping[str, str]
    free: Mapping[str, str] = field(default_factory=dict)
    event: tuple[str, int] = ("", 0)


@dataclass(frozen=True)
class Pieces:
    """Pieces that a seat is offered or takes one by one (cards, empires, events), and the columns that record them.

    Attributes
    ----------
    name, plural
        Singular and plural, "card" and "cards". They name the column and the folder of the piece rows. The plural is
        also the value of the option `detail` that records these rows.
    columns
        Columns of a piece row after game, seat and piece: name and NumPy type of each.
    rows
        Maximum number of rows that a seat has in one game.
    offered
        Column with the number of times that the seat was offered the piece.
    events
        What can happen to a piece; at least one of them puts it in play.
    in_files
        How to find and change pieces in the game's files; None if the files have no rows for them.
    picks
        Description of the picks, if each seat takes one such piece per period; otherwise None.
    """

    name: str
    plural: str
    columns: tuple[tuple[str, str], ...]
    rows: int
    offered: str
    events: tuple[PieceEvent, ...]
    in_files: PiecesInFiles | None = None
    picks: Picks[Callable[[Data], Sequence[str]]] | None = None


class DeclaredTally(Tally[Callable[[Data], Sequence[TallyRow]]]):
    """A tally (counts of a game that belong to no seat) as a game declares it.

    `rows(data)` returns its rows, and `names(data)` only their names.
    """

    names: Callable[[Data], Sequence[str]]


@kernel
def redeal_nothing(_g: Record, _t: Record, _me: int) -> None:
    """Do nothing: this is the `redeal` of a game in which nothing is hidden."""


def tell_scores(g: Record, _data: Data, strategies: Sequence[str]) -> list[str]:
    """Narrate only the final scores. This is the default `narrate`, for games without a log."""
    return [
        f"Seat {seat} ({strategies[g.strategy[seat]]}): {g.score[seat].sum()} points" for seat in range(int(g.players))
    ]


def package_around(function: Callable[..., Any]) -> tuple[str, Path]:
    """Return the package of the game to which a kernel belongs, and the folder of this package."""
    module, folder = inspect.unwrap(function).__module__, file_of(function).parent
    parts = module.split(".")[:-1]
    if parts and parts[-1] == RULES:
        return ".".join(parts[:-1]), folder.parent
    return ".".join(parts), folder


@dataclass(frozen=True)
class JudgeFeatures:
    """Features of a position, from which a learned judge estimates the chance of every seat to win.

    A rollout with a horizon (a limited number of rounds, or units of `clock`) stops between two of them. The position
    there is described by these features.

    Attributes
    ----------
    describe_seat
        Kernel that writes those features of a seat that are not zero: `describe_seat(g, t, seat, index, value)` fills
        the first places of `index` (int32) and `value` (float32), and returns how many it has filled. It may read
        everything in `g`, including hidden information, because `g` is a determinized game. It does not change `g`.
    max_features
        Maximum number of features of one seat that are not zero.
    name_features
        Names of all features in the order of their indices: `name_features(data)`. Weights are stored by name.
    phase_of, phases
        Kernel that returns the number of the game's phase, from 0, and the number of phases: `phase_of(g, t)`. Each
        phase has a net of its own.
    may_stop
        Kernel that tells whether a rollout that has reached the round of its horizon may stop now, because the game
        stands between two rounds: `may_stop(g)` returns 1 or 0. None if every such rollout may stop.
    clock
        Kernel that returns the count that horizons are based on, such as turns: `clock(g)`. The count never decreases.
        None if horizons count rounds.
    roles
        Roles of the other seats, as seen from the seat whose chance is estimated: "others" (all alike) or "neighbours"
        (left, right, and all the rest).
    """

    describe_seat: Callable[..., int]
    max_features: int
    name_features: Callable[[Data], tuple[str, ...]]
    phase_of: Callable[..., int]
    phases: int
    may_stop: Callable[..., int] | None = None
    clock: Callable[..., int] | None = None
    roles: Literal["others", "neighbours"] = "others"


@dataclass(frozen=True, kw_only=True)
class GameSpec:
    """The declaration of a game for the rest of the program.

    A small game declares `title`, `variants`, `files`, `state`, `tables`, `load`, `set_up`, `play_step` and
    `score_game`; all else has a default. Modules and folders with the usual names are found automatically.

    Attributes
    ----------
    name
        Name of the game; by default that of its package.
    variants
        Variants of the rules. The default for a number of players is the first variant that allows this number.
    faction_title, faction_attributes, exclusive
        The word for a faction, the attributes by which reports group factions, and the attribute in which all factions
        of a table must differ. A game without factions leaves all fields about factions at their defaults.
    folder, files
        Folder of the game's TOML files, and the tables of each file. The default folder is `configs/games/<name>`, or
        that of the package.
    files_without_lessons
        Files for whose rows players learn no lessons (`sim.data.lessons`).
    addition
        Tables of a file by which a user adds factions to the data, such as decks; None if the game takes no such files.
        If it does, `load(settings, changes, additions=())` reads them as well.
    added
        Files of users that have been added by `with_additions`; empty in `GAME`.
    touching
        Whether neighbours at the table trade or fight. If they do, a neighbour may change a faction's win rate.
    faction_place
        Function that returns the TOML file of a faction's row and the label of the row: `faction_place(data, faction)`.
    faction_values
        Function that returns the defaults of those fields that a faction's row may leave out. Its call is
        `faction_values(data, faction)`.
    number_words
        Names for numbers that have no name in the files. The key is the path of the field in a row. For a list of
        effects, the key is the operation, and the names are in the order of the operation's numbers. In a name, {}
        stands for the other words of the operation.
    faction_parts
        Function that returns the parts of a faction that are not pieces and can be removed or changed one by one:
        `faction_parts(data, faction)`. Further parts are read from the files: pieces in the faction's own file, and
        numbers of its own row.
    boards
        Function that returns the number of factions at the table for a number of players; by default one per player.
    score_parts, measures, end_reasons
        Columns of the results: parts of the score, other numbers of a seat, and reasons why games end.
    default_players, default_strategies
        Number of players and strategies of a run that does not name them.
    bench_lineups
        Line-ups, by name, whose speed `bench` measures. The line-up with the most strategies is also used
        for the complete run that `bench` times.
    compile_seconds
        Rough time in seconds to compile the engine and the game's strategies.
    paired_attribute
        Attribute that tells apart factions with the same `exclusive`, such as the two sides of a board; empty if there
        is none. Reports compare each pair.
    errors
        Messages for those values of the record's `error` that only this game uses. `sim.engine.state` has the messages
        of all games.
    starting_place
        Measure or score part with a seat's place in the starting order, if this order is drawn by lot: 1 for the first
        turn or the lowest start score. Reports compare the places. Empty if the number of the seat determines the
        starting order, or if no seat moves first.
    checkpoints
        Measures with a seat's score as if the game had ended at certain moments, in chronological order; the last of
        these measures is `score`. Their names are `score_` or `after_` and the part of the game that ends:
        `score_age_1`, `after_epoch_2`.
    event_rounds
        Measures with the round in which something happened to a seat, or 0 if it never happened. Means leave out seats
        with 0.
    pieces
        Pieces that seats are offered and take one by one; None if the game records no pieces.
    tallies
        Counts of a game that do not belong to a seat.
    circumstances
        Measures that all seats of a game share and that nobody chooses. Reports compare factions and starting places by
        them.
    state, tables
        dtypes of the records that kernels use. The `variant` of a plan (see `sim.engine.seating.PLAN`) is an index of
        `variants`.
    load
        Function that reads the tables: `load(settings, changes=())`. The settings override rules.toml, and the changes
        are made to the files' content.
    data_sets
        Settings for several calls of `load` that together read every file.
    set_up
        Kernel that sets up a game of a plan, whose random streams have been started: `set_up(g, t, plan)`.
    play_step
        Kernel that plays one step of a game: `play_step(g, t, players)`.
    redeal
        Kernel that determinizes a game for a seat: `redeal(g, t, me)`. It redeals everything that the seat cannot know,
        consistent with everything that it has seen. The default redeals nothing, for games without hidden information.
    score_game
        Kernel that scores a game and ranks the seats as if the game ended now: `score_game(g, t)`. Afterwards the
        record need not be playable.
    evaluate_horizon, prospects
        Kernel that estimates win probabilities between two rounds, and the names of its features (at most
        `sim.compiler.kernel.MAX_PROSPECTS`). `evaluate_horizon(g, t, weights, chance)` writes the win probability of
        each seat into `chance`. `weights` (float64) is indexed by the number of rounds left minus one, and by feature.
        If no round is left, the kernel writes nothing. None if games are judged only at their end.
    judge
        Features for a learned judge; None if the game has none.
    decisions
        Names of the kinds of decisions, in the order of their numbers.
    write_measures, write_pieces, write_tallies
        Kernels that write the results of a finished game; `sim.engine.play` shows their signatures. None if a game has
        no measures, pieces or tallies.
    narrate
        Function that returns the story of a game as lines of text: `narrate(g, data, strategies)`. The game was played
        with its log kept, and `strategies` are the names of the strategies as `g.strategy` numbers them. The default
        narrates only the scores.
    strategies, strategies_folder
        Module with the game's scripts, and folder of the TOML files of its players. By default they are
        `strategies.<name>` and `configs/strategies/<name>`; for a game outside the project, `players.py` and
        `strategies/` of its package.
    view
        Name of the module that shows a seat what it may see, for players in plain Python
        (`sim.players.python_players`). The module is imported only if there is such a player. By default it is
        `view.py` or `io/view.py` of the package; empty if there is none.
    laws
        Name of the module with the invariants of every table (`sim.engine.invariants`), which `soak` checks. By default
        it is `invariants.py` or `rules/invariants.py` of the package; if there is neither, only the invariants of all
        games are checked.
    tools
        Modules of commands that not every game has, by command. A module is imported by its command only: "inspect"
        needs `inspect_position` and `inspect_lines`, "verify" needs `verify_file` and `summary_lines`.
    plain
        The rules, if an author has written the game in one plain Python file (`sim.games.plain.loading.Rules`); they
        are played instead of kernels. None for compiled games.
    """

    name: str = ""
    title: str
    variants: tuple[Variant, ...]
    folder: Path = Path()
    files: Mapping[str, Mapping[str, Kind]] = field(default_factory=dict)
    score_parts: tuple[str, ...] = ("points",)
    end_reasons: tuple[str, ...] = ("over",)
    state: np.dtype[Any]
    tables: np.dtype[Any]
    load: Callable[..., Data]
    set_up: Callable[..., None]
    play_step: Callable[..., None]
    redeal: Callable[..., None] = redeal_nothing
    score_game: Callable[..., None]
    decisions: tuple[str, ...] = ("move",)
    narrate: Callable[[Record, Data, Sequence[str]], Sequence[str]] = tell_scores
    evaluate_horizon: Callable[..., None] | None = None
    prospects: tuple[str, ...] = ()
    judge: JudgeFeatures | None = None
    measures: tuple[str, ...] = ()
    write_measures: Callable[..., None] | None = None
    write_pieces: Callable[..., int] | None = None
    write_tallies: Callable[..., None] | None = None
    checkpoints: tuple[str, ...] = ()
    event_rounds: tuple[str, ...] = ()
    pieces: Pieces | None = None
    tallies: tuple[DeclaredTally, ...] = ()
    circumstances: tuple[Circumstance, ...] = ()
    faction_title: str = ""
    faction_attributes: tuple[str, ...] = ()
    exclusive: str = ""
    touching: bool = False
    faction_place: Callable[[Data, int], tuple[str, str]] | None = None
    faction_values: Callable[[Data, int], Mapping[str, object]] | None = None
    faction_parts: Callable[[Data, int], Sequence[FactionPart]] | None = None
    number_words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    boards: Callable[[int], int] | None = None
    default_players: int = 4
    default_strategies: tuple[str, ...] = ("balanced",)
    bench_lineups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    compile_seconds: int = 15
    paired_attribute: str = ""
    starting_place: str = ""
    errors: Mapping[int, str] = field(default_factory=dict)
    tools: Mapping[str, str] = field(default_factory=dict)
    view: str = ""
    laws: str = ""
    strategies: str = ""
    strategies_folder: Path | None = None
    files_without_lessons: tuple[str, ...] = ()
    addition: Mapping[str, Kind] | None = None
    added: tuple[Addition, ...] = ()
    data_sets: tuple[Mapping[str, object], ...] = ({},)
    plain: Any = None

    def __post_init__(self) -> None:
        """Fill in the modules and folders that have their usual place in the game's package."""
        package, around = ("", Path()) if self.plain is not None else package_around(self.set_up)
        in_project = package.startswith(PROJECT_GAMES) or self.plain is not None
        name = self.name or package.rpartition(".")[2]

        def module(*usual: str) -> str:
            places = [one for one in usual if package and around.joinpath(*one.split(".")).with_suffix(".py").exists()]
            return f"{package}.{places[0]}" if places else ""

        found = {
            "name": name,
            "folder": self.folder if self.folder != Path() else CONFIGS / "games" / name if in_project else around,
            "view": self.view or module("view", "io.view"),
            "laws": self.laws or module("invariants", f"{RULES}.invariants") or "sim.engine.invariants",
            "strategies": self.strategies or ("" if in_project else f"{package}.players"),
            "strategies_folder": self.strategies_folder or (None if in_project else around / "strategies"),
        }
        for field_name, value in found.items():
            object.__setattr__(self, field_name, value)

    @property
    def kernels(self) -> GameKernels:
        """Kernels that start a game, play it to its end, and play consecutive games of a plan."""
        return game_kernels(self.set_up, self.play_step, self.write_measures, self.write_pieces, self.write_tallies)

    @property
    def source_functions(self) -> tuple[Callable[..., Any], ...]:
        """Functions whose source files, with all their imports, determine how games are played and what is recorded."""
        written = (self.write_measures, self.write_pieces, self.write_tallies)
        return (play_games, self.set_up, self.play_step, *(kernel for kernel in written if kernel is not None))

    def new_games(self, count: int) -> np.ndarray:
        """Return `count` blank game records, shape (count,)."""
        return np.zeros(count, self.state)


def load_game(name: str) -> GameSpec:
    """Return the game of this name.

    The name may also be that of a Python file or class which the user has registered (`name_game`).

    Raises
    ------
    UserError
        The game does not exist, or the user has not named the file.
    """
    if name in COMPILED:
        return COMPILED[name][0]
    if name in GAMES:
        game: GameSpec = import_module(GAMES[name]).GAME
        return game
    if is_game_file(name) or (PLAIN in sys.modules and name in import_module(PLAIN).NAMED):
        plain: GameSpec = import_module(PLAIN).find_game(name)
        return plain
    if name in installed_games():
        module = installed_games()[name]
        return declared_in(module, name, find_package(module))
    with suppress(OSError, ValueError):  # the name is too long for a folder, or has a null character
        if (Path(name) / MANIFEST).is_file():
            raise UserError("this folder is a run; name the game that it was played with", found=name, allowed=[*GAMES])
        if Path(name).is_dir() and compiled_game(name) is None:
            allowed = "game.py with a line GAME = GameSpec(...)"
            raise UserError("this folder has no compiled game", file=Path(name), allowed=allowed)
    raise UserError("unknown game", found=name, allowed=[*GAMES, *installed_games()])


def find_package(module: str) -> Path:
    """Return the folder that contains the installed package of a module.

    Raises
    ------
    UserError
        The package does not exist.
    """
    package = module.partition(".")[0]
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise UserError("the package of an installed game is missing", field="empirelab.games", found=module)
    return Path(next(iter(spec.submodule_search_locations))).resolve().parent


def declared_in(module: str, name: str, around: Path) -> GameSpec:
    """Import the compiled game of a package outside the project.

    Its code is cached and digested like that of the project.

    Raises
    ------
    UserError
        The module does not import, or declares no game.
    """
    package = module.partition(".")[0]
    file = around.joinpath(*module.split(".")).with_suffix(".py")
    known = sys.modules.get(package)
    if known is not None and Path(str(known.__file__ or next(iter(known.__path__)))).resolve().parent not in (
        around, around / package
    ):  # fmt: skip
        raise UserError("another Python package has this name", file=file, found=package, allowed="another folder name")
    add_package(package, around)
    if str(around) not in sys.path:
        sys.path.append(str(around))
    try:
        game = import_module(module).GAME
    except Exception as error:
        if isinstance(error, UserError):
            raise
        raise UserError(
            f"the game does not import: {what_was_raised(error)}", file=last_place(error, around)
        ) from error
    if not isinstance(game, GameSpec):
        raise UserError(
            "GAME is not a game", file=file, field="GAME", found=game, allowed="sim.engine.api.GameSpec(...)"
        )
    check_declared(game, file)
    game = replace(game, name=name)
    COMPILED[name] = game, source_digest((around / package).rglob("*.py"))
    return game


def check_declared(game: GameSpec, file: Path) -> None:
    """Check the declarations on which reports rely, in a compiled game from outside the project.

    No variant may have more than `MAX_PLAYERS` players. A field may name only columns and attributes that the game has.
    """
    for variant in game.variants:
        if max(variant.players) > MAX_PLAYERS:
            message = "too many players"
            raise UserError(
                message, file=file, row=variant.name, field="players", found=max(variant.players),
                allowed=f"up to {MAX_PLAYERS}",
            )  # fmt: skip
    columns = [*game.score_parts, *game.measures]
    for field_name, known in (
        ("starting_place", columns),
        ("exclusive", game.faction_attributes),
        ("paired_attribute", game.faction_attributes),
    ):
        found = getattr(game, field_name)
        if found and found not in known:
            raise UserError("not a name in this game", file=file, field=field_name, found=found, allowed=[*known])


def last_place(error: BaseException, around: Path) -> str:
    """Return the last place (file and line) in a game's package through which an error passed."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    lines = own_lines(error, lambda file: Path(file).is_relative_to(around))
    return f"{lines[-1][0]}:{lines[-1][1]}" if lines else str(around)


COMPILED: dict[str, tuple[GameSpec, str]] = {}
"""Compiled games outside the project that this process has imported, with the SHA-256 of their files."""


def compiled_game(wanted: object) -> Path | None:
    """Return the `game.py` of a compiled game that the user names by its folder or by this file; otherwise None."""
    if not isinstance(wanted, str | Path) or str(wanted) in GAMES:
        return None
    path = Path(wanted) if str(wanted).endswith(".py") else Path(wanted) / "game.py"
    return path if path.name == "game.py" and DECLARES.search(text_of(path)) else None


DECLARES = re.compile(r"^GAME\b.*=", re.MULTILINE)


def text_of(path: Path) -> str:
    """Return the text of a file; empty if it cannot be read."""
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError):
        return ""


def name_compiled(path: Path) -> str:
    """Import the compiled game of a folder that the user names; return the game's name.

    The name is the path of its `game.py`.

    Raises
    ------
    UserError
        The folder is not a package, the game does not import, or its files have changed since they were imported.
    """
    whole = path.resolve()
    package, around = whole.parent.name, whole.parent.parent
    if not package.isidentifier():
        raise UserError(
            "the folder of a game has to have the name of a Python package", file=path.parent, found=package
        )
    name = str(whole.relative_to(Path.cwd()) if whole.is_relative_to(Path.cwd()) else whole)
    if name not in COMPILED:
        declared_in(f"{package}.game", name, around)
    elif COMPILED[name][1] != source_digest(whole.parent.rglob("*.py")):
        raise UserError("a file of the game has changed since it was imported", file=path, allowed="a new process")
    return name


def is_game_file(name: object) -> bool:
    """Tell whether a name is that of a game in a plain Python file: `my_game.py` or `my_game.py:Class`."""
    return isinstance(name, str) and (name.endswith(".py") or ".py:" in name)


def name_game(wanted: Any) -> Any:
    """Return the name under which the program knows the game that a user asks for.

    If the user gives a Python file or a class, its code is run to load the game.

    Raises
    ------
    UserError
        The file cannot be read, or does not contain a game.
    """
    if (path := compiled_game(wanted)) is not None:
        return name_compiled(path)
    if not isinstance(wanted, type) and not is_game_file(wanted):
        return wanted
    return import_module(PLAIN).name_plain_game(wanted)


def is_known(name: str) -> bool:
    """Tell whether a game with this name belongs to the project, is installed, or has been named by the user."""
    return (
        name in GAMES
        or name in COMPILED
        or name in installed_games()
        or (PLAIN in sys.modules and name in import_module(PLAIN).NAMED)
    )


def is_touching(name: str) -> bool:
    """Tell whether neighbours matter in a game. False for a game in plain Python, which cannot declare it."""
    return not is_game_file(name) and name in GAMES and load_game(name).touching


def with_additions(game: GameSpec, additions: Sequence[Addition]) -> GameSpec:
    """Return a copy of a game whose files and data include some files of users (`additions`).

    Raises
    ------
    UserError
        The game does not take such files, or two files have the same name.
    """
    if not additions:
        return game
    if game.addition is None:
        raise UserError(f"{game.title} takes no user decks", field="decks", found=str(additions[0].file))
    names = Counter([*game.files, *(addition.file.name for addition in additions)])
    for addition in additions:
        if names[addition.file.name] > 1:
            raise UserError("another file of the game has this name", file=addition.file, allowed="another name")
    files = {**game.files, **{addition.file.name: game.addition for addition in additions}}
    return replace(game, files=files, load=partial(game.load, additions=additions), added=tuple(additions))


def tables_of_file(game: GameSpec, name: str) -> tuple[Path, dict[str, Any]]:
    """Return the path and parsed content of a file of a game. The file may be one that a user has added."""
    for addition in game.added:
        if addition.file.name == name:
            return addition.file, addition.tables()
    if game.plain is not None:
        return game.plain.numbers()
    return game.folder / name, read_toml(game.folder / name)


def variant_for(game: GameSpec, players: int, name: str | None) -> Variant:
    """Return the variant of this name. Without a name, return the default variant for this number of players.

    Raises
    ------
    UserError
        The variant does not exist, or does not allow this number of players.
    """
    if name is None:
        for variant in game.variants:
            if players in variant.players:
                return variant
        allowed = sorted({count for variant in game.variants for count in variant.players})
        raise UserError(f"{game.title} does not allow this number of players", found=players, allowed=allowed)
    for variant in game.variants:
        if sorted(variant.name.split(TOGETHER)) == sorted(name.split(TOGETHER)):
            if players not in variant.players:
                message = f"variant {name} of {game.title} does not allow this number of players"
                raise UserError(message, found=players, allowed=variant.players)
            return variant
    raise UserError("unknown variant", found=name, allowed=[variant.name for variant in game.variants])


def choose_factions(game: GameSpec, data: Data, names: Sequence[str]) -> tuple[int, ...]:
    """Return the ids of the selected factions. A name may be a faction, a value of an attribute, or "all".

    In a game without factions, "all" selects none.

    Raises
    ------
    UserError
        A name selects nothing; the message suggests the nearest.
    """
    if not data.factions:
        if named := [name for name in names if name.strip().casefold() != "all"]:
            raise UserError(f"{game.title} has no factions", field="factions", found=named[0], allowed="all")
        return ()
    chosen: list[int] = []
    for name in names:
        wanted = name.strip().casefold()
        found = [number for number, faction in enumerate(data.factions) if wanted == faction.name.casefold()] or [
            number
            for number, faction in enumerate(data.factions)
            if wanted in ("all", *(value.casefold() for value in faction.attributes.values()))
        ]
        if not found:
            values = [value for faction in data.factions for value in faction.attributes.values()]
            allowed = list(dict.fromkeys([*(faction.name for faction in data.factions), *values, "all"]))
            raise UserError(f"unknown {game.faction_title}", found=name, allowed=allowed)
        chosen.extend(number for number in found if number not in chosen)
    return tuple(chosen)


def check_table(game: GameSpec, data: Data, factions: Sequence[int], players: int) -> None:
    """Check that `factions` contains enough that may sit at the same table. A game without factions passes."""
    if not data.factions:
        return
    chosen = [data.factions[number] for number in factions]
    kinds = {faction.attributes[game.exclusive] if game.exclusive else faction.name for faction in chosen}
    needed = boards_needed(game, players)
    if len(kinds) < needed:
        different = f" of different {game.exclusive}s" if game.exclusive else ""
        message = f"{players} players need {needed} factions{different}"
        raise UserError(message, field="factions", found=", ".join(sorted(kinds)), allowed=f"at least {needed}")


def boards_needed(game: GameSpec, players: int) -> int:
    """Return the number of factions that a table needs. The game must have factions."""
    return players if game.boards is None else game.boards(players)


def data_loader(
    folder: Path,
    load_catalog: LoadCatalog[Any],
    build_tables: Callable[[Any], Any],
    pieces: Callable[[Any], Sequence[str]],
    factions: Callable[[Any], Iterable[Faction]] | None = None,
) -> Callable[..., Data]:
    """Return a `load` function for a game.

    Parameters
    ----------
    folder
        Folder of the game's TOML files.
    load_catalog, build_tables
        The game's functions that read the files and compile the catalogue for kernels.
    pieces, factions
        Functions that return the names of the pieces and the factions of a catalogue. `factions` is None for a game
        without factions.
    """

    @read_once(folder)
    def load(
        settings: Mapping[str, object], changes: Sequence[Change] = (), additions: Sequence[Addition] = ()
    ) -> Data:
        catalog = load_catalog(settings=settings, changes=changes, additions=additions)
        rows = catalog.certainty
        return Data(
            tables=build_tables(catalog),
            factions=() if factions is None else tuple(factions(catalog)),
            pieces=tuple(pieces(catalog)),
            settings=catalog.settings,
            certainty={level: sum(rows[kind][level] for kind in rows if kind != "settings") for level in CERTAINTIES},
            settings_certainty={level: rows["settings"][level] for level in CERTAINTIES},
            digest=catalog.digest,
            catalog=catalog,
        )

    return load

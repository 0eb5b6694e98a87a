"""What a game declares so that everything around it (batches, runs, commands, reports) can stay general."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.compiler.kernel import Record
from sim.data.catalog import Kind, read_toml
from sim.engine.play import GameKernels, game_kernels, play_games
from sim.errors import UserError

if TYPE_CHECKING:
    from sim.data.additions import Addition

GAMES = {
    "seven_wonders": "sim.games.seven_wonders.game",
    "imperium": "sim.games.imperium.game",
    "imperial_settlers": "sim.games.imperial_settlers.game",
    "history_of_the_world": "sim.games.history_of_the_world.game",
    "glory_of_rome": "sim.games.glory_of_rome.game",
}
"""Module of every game; each has a `GAME`."""


TOGETHER = "+"
"""Between the names of variants that are played together; their order does not matter."""


@dataclass(frozen=True)
class Variant:
    """A way to play a game, with the numbers of players it is for."""

    name: str
    players: tuple[int, ...]
    description: str


@dataclass(frozen=True)
class Faction:
    """A board, nation, empire or character that a seat can play."""

    name: str
    attributes: Mapping[str, str]
    certainty: str


@dataclass(frozen=True)
class Data:
    """A game's tables as read from `configs/`.

    Attributes
    ----------
    tables
        The record handed to kernels.
    factions
        Faction f is the one with id f.
    pieces
        Name of every piece by its id.
    settings
        Value of every setting of the rules.
    certainty, settings_certainty
        Rows of pieces and factions by certainty, and settings of the rules likewise.
    digest
        SHA-256 of all data and settings.
    catalog
        The game's own catalogue, for telling and checking games.
    """

    tables: Record
    certainty: Mapping[str, int]
    digest: str
    catalog: Any = None
    factions: tuple[Faction, ...] = ()
    pieces: tuple[str, ...] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    settings_certainty: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class PieceEvent:
    """Something that can become of a piece before a seat; a column of a piece row holds its turn (0: never).

    Attributes
    ----------
    column
        Column of a piece row.
    title
        What the seat did with the piece: "built".
    taken
        Whether the seat took the piece from what it was offered.
    in_play
        Whether the piece's effect counts for the seat from then on.
    """

    column: str
    title: str
    taken: bool = True
    in_play: bool = False


@dataclass(frozen=True)
class PiecesInFiles:
    """Where pieces stand in a game's files, and how one is changed there.

    Attributes
    ----------
    place
        TOML file that a piece stands in, and the label of its row there: `place(data, piece)`.
    nothing, free
        Fields of a piece's row, with the TOML values that take away its effects or its price: `nothing(data, piece)`.
        `free` is None where pieces have no price.
    """

    place: Callable[[Data, int], tuple[str, str]]
    nothing: Callable[[Data, int], Mapping[str, str]]
    free: Callable[[Data, int], Mapping[str, str]] | None = None


@dataclass(frozen=True)
class FactionPart:
    """A part of a faction that is no piece: a stage of a board, a power, a special rule.

    Attributes
    ----------
    name
        What the game calls it: "stage 1", "power".
    file, row
        TOML file, and the part's place in it as a change begins: "Halikarnassos B.stage.1".
    nothing, free
        Fields there with the TOML values that take away its effects or its price; `free` is empty without a price.
    event
        Column of piece rows and a number: the seat has the part if so many pieces have a turn there, as a board has
        its second stage when two cards lie below it. ("", 0) where rows of pieces do not tell.
    """

    name: str
    file: str
    row: str
    nothing: Mapping[str, str]
    free: Mapping[str, str] = field(default_factory=dict)
    event: tuple[str, int] = ("", 0)


@dataclass(frozen=True)
class Picks:
    """What makes pieces picks: a seat takes a new one of each kind in every period of the game, an empire each epoch.

    A game with picks has checkpoints, one for the end of each period but the last; after the last period of a game
    they hold its final score.

    Attributes
    ----------
    period
        What a part of the game is called: "epoch".
    kinds
        Kind of every piece, such as "empire" or "event": `kinds(data)`. Picks are compared with those of the same kind
        and period.
    start
        Score part with the points a seat begins with.
    taken
        Column of a piece's row with the period in which the seat took it, counted from 1; 0 for never.
    draft_place, turn_place
        Columns with the seat's place by points as it took the piece, 1 for the most, and its place in the order of
        turns; 0 for none.
    later, later_parts
        Column with the points that the pick brought the seat after its own turn, and how many of it make a point.
    draft
        How places in the draft come about in the first period and whom that favours, "by lot, the seat with the most
        points chooses last"; empty if there is no more to say.
    reading
        Sentences on what to bear in mind when reading what was found of the places; empty for none.
    """

    period: str
    kinds: Callable[[Data], tuple[str, ...]]
    start: str
    taken: str
    draft_place: str
    turn_place: str
    later: str
    later_parts: int
    draft: str = ""
    reading: str = ""


@dataclass(frozen=True)
class Pieces:
    """What a seat is offered or takes, one by one: cards, empires, events; and the rows of what became of them.

    Attributes
    ----------
    name, plural
        What one is called, "card", and several, "cards": the column and the folder of the rows, and the value of the
        option `detail` that keeps them.
    columns
        Columns of a row behind game, seat and piece: name and NumPy type.
    rows
        Rows a seat can have in one game at most.
    offered
        Column with the number of times the piece was before the seat.
    events
        What can become of it; one of them at least puts it in play.
    in_files
        Where the pieces stand in the game's files; None where they have no rows there.
    picks
        What makes them picks of a period; None where a seat takes them in any other way.
    """

    name: str
    plural: str
    columns: tuple[tuple[str, str], ...]
    rows: int
    offered: str
    events: tuple[PieceEvent, ...]
    in_files: PiecesInFiles | None = None
    picks: Picks | None = None


@dataclass(frozen=True)
class TallyRow:
    """What a tally counts of: a land, a kind of battle.

    Attributes
    ----------
    name
        Its name.
    values
        What is known of it; see `Tally.shows`.
    near
        Other rows that it stands beside.
    """

    name: str
    values: Mapping[str, float | str] = field(default_factory=dict)
    near: tuple[str, ...] = ()


@dataclass(frozen=True)
class Circumstance:
    """What befalls all seats of a game alike and nobody chooses, such as the direction of play: reports say who gains.

    Attributes
    ----------
    measure
        That measure that says how much of it there was, the same for all seats of a game.
    name, unit
        What it is called, "direction of play", and one of what the measure counts, "round clockwise".
    less, more
        How games with less and with more of it than on average are played: "mostly clockwise".
    """

    measure: str
    name: str
    unit: str
    less: str
    more: str


@dataclass(frozen=True)
class Tally:
    """Counts of a game that belong to no seat: what happened in each land, how each kind of battle ended.

    They are kept in a run that keeps pieces; `Game.write_tallies` writes them into an array for each tally.

    Attributes
    ----------
    name, plural
        What a row is called, "land", and several: the column and the folder of the counts.
    shows
        "map": columns are called by a measure and a period, `held_1`, and rows have places `x` (from the left) and `y`
        (from the top) and a `group`. "odds": columns are outcomes, of which each row has the exact odds under the
        same names, where they are known.
    columns
        Columns behind game and row.
    parts
        How many of a measure's counts make one, where they are counted in parts, such as tenths of points.
    names, rows
        What is counted of, in the order of the counts: `names(data)`, and with all that is known: `rows(data)`.
    reading
        Sentences on what the rows are and how to read the columns; empty for none.
    """

    name: str
    plural: str
    shows: str
    columns: tuple[str, ...]
    names: Callable[[Data], Sequence[str]]
    rows: Callable[[Data], Sequence[TallyRow]]
    parts: Mapping[str, int] = field(default_factory=dict)
    reading: str = ""


@dataclass(frozen=True)
class Game:
    """A game as the rest of the program sees it.

    Attributes
    ----------
    variants
        The first one that allows a number of players is its default.
    faction_title, faction_attributes, exclusive
        What a faction is called; the attributes reports group by; the one of which no table has two alike. A game whose
        seats all begin alike has no factions and leaves these and the following fields of factions as they are.
    folder, files
        Where the game's TOML files lie, and what the tables of each of them hold.
    files_without_lessons
        Those files of which lessons (`sim.data.lessons`) say nothing.
    addition
        What the tables of a file of a user's own hold that adds factions to the data, such as decks; None where the
        game takes no such files. Then `load(settings, changes, additions=())` reads these, too.
    added
        The files that have been added: none in `GAME`, see `with_additions`.
    touching
        Whether neighbours at the table trade or fight, so that who sits beside a faction may change what it is worth.
    faction_place
        TOML file in which a faction's row stands, and the row's label there: `faction_place(data, faction)`.
    faction_values
        Fields that a faction's row may leave out, with the values they then have: `faction_values(data, faction)`.
    number_words
        What numbers are called whose names in the files do not say it: those of a field by its path in a row, or of an
        operation in a list of effects by its name, in their order; {} stands for the other words of the operation.
    faction_parts
        Parts of a faction that are no pieces, to be taken away or changed one by one: `faction_parts(data, faction)`.
        Further ones are found in the files: pieces in the faction's own file, numbers of its own row.
    boards
        Factions a table of so many players needs; by default one for each of them.
    score_parts, measures, end_reasons
        Columns of the results: parts of the score, other numbers of a seat, why games end.
    default_players, default_strategies
        Players at the table and strategies that meet where nothing is said of them.
    bench_lineups
        Line-ups whose speed is measured, by what they are called; the longest of them also plays the whole run.
    compile_seconds
        About how long it takes to compile the engine and its strategies.
    paired_attribute
        An attribute that parts factions alike in `exclusive`, such as the two sides of a board, so that reports
        compare them with each other; empty where there is none.
    errors
        What the game's own values of the record's `error` mean, in words; those of `sim.engine.state` need none.
    starting_place
        That measure or score part that holds a seat's place in the order in which a game begins, 1 for who takes the
        first turn or has the lowest start score, where this is drawn by lot, so that reports compare places; empty
        where seats say it, or none begins.
    checkpoints
        Those measures that hold the score a seat would have had if the game had ended at certain moments, in the
        order of these moments; `score` is the last of them. They are called `score_` or `after_` and the part of the
        game that ends then: `score_age_1`, `after_epoch_2`.
    event_rounds
        Those measures that hold the round in which something happened to a seat, 0 where it never did: they have no
        mean over seats to which it did not happen.
    pieces
        What seats are offered and take one by one; None where nothing of the kind is counted.
    tallies
        What is counted of each game besides.
    circumstances
        Measures of what befalls all seats of a game alike, by which reports compare factions and starting places.
    state, tables
        dtypes of the kernels' records. A plan's `variant` (see `sim.engine.seating.PLAN`) is a place among `variants`.
    load
        Reads the tables, with settings that override those of the game's rules.toml, and with changes to what the
        files say: `load(settings, changes=())`.
    data_sets
        Settings that have to be loaded with, one after the other, so that every file is read.
    set_up
        Kernel that sets up a game of a plan, with its random streams started: `set_up(g, t, plan)`.
    play_step
        Kernel that plays one step of a game: `play_step(g, t, players)`.
    redeal
        Kernel that deals anew what a seat cannot know, in keeping with all it has seen: `redeal(g, t, me)`.
    score_game
        Kernel that scores a game and ranks the seats as if it ended now, which may spoil the record for play:
        `score_game(g, t)`.
    evaluate_horizon, prospects
        Kernel that judges a game between two rounds, and names of what it counts of every seat (at most
        `sim.compiler.player_record.MAX_PROSPECTS`): `evaluate_horizon(g, t, weights, chance)` writes each seat's chance
        to win into `chance`, by the weights of prospects, float64 of shape (rounds left less one, prospects), and
        nothing if no round is left. None if games are not judged before their end.
    decisions
        What the kinds of decisions are called, in the order of their numbers.
    write_measures, write_pieces, write_tallies
        Kernels that write what a finished game comes to, with the signatures of those in `sim.engine.play`; None where
        a game has no measures, pieces or tallies.
    tell
        Tells a game that was played with its log kept, in lines of words: `tell(g, data, strategies)` with the names of
        the strategies as `g.strategy` numbers them.
    strategies, strategies_folder
        Module with the game's scripts, and folder of the TOML files of its players; by default `strategies.<name>` and
        `configs/strategies/<name>`.
    view
        Module that says what a seat may see, for players in plain Python (`sim.players.python_players`); named, so that
        it is imported only when there is one. Empty where the game has none yet.
    laws
        Module with what must hold of every table (`sim.engine.invariants`), which `soak` checks.
    tools
        Module that answers a command which not every game has: "inspect" (`inspect_position`, `inspect_lines`) and
        "verify" (`verify_file`, `summary_lines`). Named, so that it is imported only when it is asked for.
    """

    name: str
    title: str
    variants: tuple[Variant, ...]
    folder: Path
    files: Mapping[str, Mapping[str, Kind]]
    score_parts: tuple[str, ...]
    end_reasons: tuple[str, ...]
    state: np.dtype[Any]
    tables: np.dtype[Any]
    load: Callable[..., Data]
    set_up: Callable[..., None]
    play_step: Callable[..., None]
    redeal: Callable[..., None]
    score_game: Callable[..., None]
    decisions: tuple[str, ...]
    tell: Callable[[Record, Data, Sequence[str]], Sequence[str]]
    evaluate_horizon: Callable[..., None] | None = None
    prospects: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    write_measures: Callable[..., None] | None = None
    write_pieces: Callable[..., int] | None = None
    write_tallies: Callable[..., None] | None = None
    checkpoints: tuple[str, ...] = ()
    event_rounds: tuple[str, ...] = ()
    pieces: Pieces | None = None
    tallies: tuple[Tally, ...] = ()
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

    @property
    def kernels(self) -> GameKernels:
        """Kernels that start a game, play it out and play stretches of a plan."""
        return game_kernels(self.set_up, self.play_step, self.write_measures, self.write_pieces, self.write_tallies)

    @property
    def source_functions(self) -> tuple[Callable[..., Any], ...]:
        """Functions whose files, with all that these import, decide how games go and what is written of them."""
        written = (self.write_measures, self.write_pieces, self.write_tallies)
        return (play_games, self.set_up, self.play_step, *(kernel for kernel in written if kernel is not None))

    def new_games(self, count: int) -> np.ndarray:
        """Return `count` blank game records, shape (count,)."""
        return np.zeros(count, self.state)


def load_game(name: str) -> Game:
    """Return the game of this name.

    Raises
    ------
    UserError
        There is no such game.
    """
    if name not in GAMES:
        raise UserError("unknown game", found=name, allowed=list(GAMES))
    game: Game = import_module(GAMES[name]).GAME
    return game


def with_additions(game: Game, additions: Sequence[Addition]) -> Game:
    """Return a game with files of a user's own added to its data: it has them among its files, and loads them.

    Raises
    ------
    UserError
        The game takes no such files, or a file is called like another.
    """
    if not additions:
        return game
    if game.addition is None:
        raise UserError(f"{game.title} takes no decks of a user's own", field="decks", found=str(additions[0].file))
    names = Counter([*game.files, *(addition.file.name for addition in additions)])
    for addition in additions:
        if names[addition.file.name] > 1:
            raise UserError("another file of the game is called so", file=addition.file, allowed="a name of its own")
    files = {**game.files, **{addition.file.name: game.addition for addition in additions}}
    return replace(game, files=files, load=partial(game.load, additions=additions), added=tuple(additions))


def tables_of_file(game: Game, name: str) -> tuple[Path, dict[str, Any]]:
    """Return where one of a game's files lies, and what it says; a file that was added, too.

    Raises
    ------
    UserError
        The file cannot be read.
    """
    for addition in game.added:
        if addition.file.name == name:
            return addition.file, addition.tables()
    return game.folder / name, read_toml(game.folder / name)


def variant_for(game: Game, players: int, name: str | None) -> Variant:
    """Return the variant of this name, or the default one for so many players.

    Raises
    ------
    UserError
        There is no such variant, or it is not for so many players.
    """
    if name is None:
        for variant in game.variants:
            if players in variant.players:
                return variant
        allowed = sorted({count for variant in game.variants for count in variant.players})
        raise UserError(f"{game.title} cannot be played by so many players", found=players, allowed=allowed)
    for variant in game.variants:
        if sorted(variant.name.split(TOGETHER)) == sorted(name.split(TOGETHER)):
            if players not in variant.players:
                message = f"variant {name} of {game.title} is not for so many players"
                raise UserError(message, found=players, allowed=variant.players)
            return variant
    raise UserError("unknown variant", found=name, allowed=[variant.name for variant in game.variants])


def choose_factions(game: Game, data: Data, names: Sequence[str]) -> tuple[int, ...]:
    """Return the ids of the factions that names stand for: a faction, else an attribute's value, or "all".

    In a game without factions "all" are none.

    Raises
    ------
    UserError
        A name stands for nothing; the nearest one is suggested.
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


def check_table(game: Game, data: Data, factions: Sequence[int], players: int) -> None:
    """Check that a table can be set from a pool of factions; a game without factions needs none.

    Raises
    ------
    UserError
        The pool has too few that may stand beside each other.
    """
    if not data.factions:
        return
    chosen = [data.factions[number] for number in factions]
    kinds = {faction.attributes[game.exclusive] if game.exclusive else faction.name for faction in chosen}
    needed = boards_needed(game, players)
    if len(kinds) < needed:
        different = f" of different {game.exclusive}s" if game.exclusive else ""
        message = f"{players} players need {needed} factions{different}"
        raise UserError(message, field="factions", found=", ".join(sorted(kinds)), allowed=f"at least {needed}")


def boards_needed(game: Game, players: int) -> int:
    """Return how many factions a table of so many players needs, in a game that has factions."""
    return players if game.boards is None else game.boards(players)

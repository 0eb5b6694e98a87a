"""Reads requests for runs from options or TOML files, checks the requests, and resolves them to plans."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from sim.data.catalog import Row, fault, no_repeats, read_toml, validate_row
from sim.data.changes import split_changes
from sim.errors import UserError, described_in
from sim.game import (
    GameSpec,
    boards_needed,
    check_table,
    choose_factions,
    is_known,
    load_game,
    name_game,
    variant_for,
    with_additions,
)
from sim.players.batch import Plan
from sim.players.find_strategies import ALL, load_strategies, pick_strategy, strategy_files
from sim.players.judge_files import check_judges
from sim.players.search_config import parted
from sim.runs.store.manifest import MAX_GAMES, MAX_SEED, SEAT_TABLE

MAX_NAME_LENGTH = 255
"""Maximum length of a file's name in most file systems, in bytes."""
MAX_TAG_LENGTH, MAX_NOTE_LENGTH, MAX_TAGS = 50, 2000, 50


def one_or_several(value: object, allowed_instead: Callable[[object], str]) -> object:
    """Check a value, or a list of different values; return it, or the only item of a list with one item.

    `allowed_instead` returns "" for a valid item. For any other item it returns what is allowed, as text for a message.
    """
    several = listed_values(value)
    for place, item in enumerate(several, start=1):
        if allowed := allowed_instead(item):
            field = str(place) if isinstance(value, list) else None
            fault("not allowed here", field=field, found=item, allowed=allowed)
    if not several:
        fault("wrong number of entries", found=0, allowed="at least 1")
    no_repeats(several)
    return several[0] if len(several) == 1 else several


def instead_of_players(item: object) -> str:
    """Return "" if an item is a valid number of players, otherwise text that says what is allowed."""
    if not isinstance(item, int) or isinstance(item, bool):
        return "a whole number"
    return "" if item >= 1 else "greater than or equal to 1"


def instead_of_variant(item: object) -> str:
    """Return "" if an item can be the name of a variant, otherwise text that says what is allowed."""
    return "" if isinstance(item, str) else "the name of a variant"


def listed_values(value: object) -> list[Any]:
    """Return a list unchanged, and any other value as the only item of a new list."""
    return value if isinstance(value, list) else [value]


def whole(value: object) -> object:
    """Return a whole float as an int, because 1e6 in a TOML file is a float. Other values are returned unchanged."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def path_text(value: str) -> str:
    """Validate a path: a string that operating systems accept."""
    if not value or "\0" in value or any(len(os.fsencode(part)) > MAX_NAME_LENGTH for part in value.split("/")):
        fault("not a path", found=value, allowed=f"names of at most {MAX_NAME_LENGTH} bytes, separated by slashes")
    return value


PathText = Annotated[str, AfterValidator(path_text)]
"""A path as a string, validated by `path_text`."""
Players = Annotated[int | list[int], BeforeValidator(partial(one_or_several, allowed_instead=instead_of_players))]
"""One number of players, or a list of different numbers; a list with one item becomes that item."""
Variants = Annotated[str | list[str], BeforeValidator(partial(one_or_several, allowed_instead=instead_of_variant))]
"""The name of a variant, or a list of different names; a list with one item becomes that item."""


class RunConfig(Row):
    """The run to play. Its fields are options of `empirelab simulate`.

    The defaults of `players` and `strategies` are those that the game declares.
    """

    game: str
    games: Annotated[int, BeforeValidator(whole)] = Field(default=10_000, ge=1, le=MAX_GAMES)
    players: Players = 4
    strategies: list[str] = Field(default=["balanced"])
    factions: list[str] = Field(default=["all"])
    variant: Variants | None = None
    assign: Literal["rotate", "random", "fixed"] = "rotate"
    seed: int = Field(default=1, ge=0, le=MAX_SEED)
    detail: str = SEAT_TABLE
    out: PathText | None = None
    jobs: int = -1
    code: PathText | None = None
    settings: dict[str, bool | int | float | str] = Field(default={})
    changes: list[str] = Field(default=[])
    decks: list[PathText] = Field(default=[])
    checked: bool = False

    @model_validator(mode="before")
    @classmethod
    def _defaults_of_the_game(cls, row: object) -> object:
        name = row.get("game") if isinstance(row, dict) else None
        if not isinstance(row, dict) or not (isinstance(name, str | type)):
            return row
        row = row | {"game": name_game(name)}
        if not is_known(row["game"]):
            return row
        game = load_game(row["game"])
        return {"players": game.default_players, "strategies": list(game.default_strategies)} | row

    @model_validator(mode="after")
    def _keeps_what_the_game_has(self) -> RunConfig:
        pieces = load_game(self.game).pieces if is_known(self.game) else None
        allowed = [SEAT_TABLE] if pieces is None else [SEAT_TABLE, pieces.plural]
        if is_known(self.game) and self.detail not in allowed:
            fault("unknown value", field="detail", found=self.detail, allowed=allowed)
        return self


@dataclass(frozen=True)
class Label:
    """Tags and a note on a run. They are saved in its manifest, and change neither games nor rows."""

    tags: tuple[str, ...] = ()
    note: str = ""


UNLABELLED = Label()


def label_of(tags: str | Sequence[str] | None, note: str | None) -> Label:
    """Return the label of a run. Tags may be a list, or one string with commas.

    Raise UserError if a tag is empty, too long or not on one line, there are too many tags, or the note is too long.
    """
    texts = [tags] if isinstance(tags, str) else list(tags or ())
    words = [word.strip() for text in texts for word in text.split(",")]
    for word in words:
        if not word or len(word) > MAX_TAG_LENGTH or not word.isprintable():
            raise UserError("not a tag", field="tag", found=word, allowed=f"1 to {MAX_TAG_LENGTH} letters on one line")
    if len(words) > MAX_TAGS:
        raise UserError("too many tags", field="tag", found=len(words), allowed=f"at most {MAX_TAGS}")
    text = (note or "").strip()
    if len(text) > MAX_NOTE_LENGTH:
        raise UserError("too long for a note", field="note", found=text, allowed=f"at most {MAX_NOTE_LENGTH} letters")
    return Label(tuple(dict.fromkeys(words)), text)


def merge_labels(labels: Sequence[Label]) -> Label:
    """Return the label of merged runs, with each tag and each note once."""
    tags = tuple(dict.fromkeys(tag for label in labels for tag in label.tags))
    return Label(tags, "\n".join(dict.fromkeys(label.note for label in labels if label.note)))


@dataclass(frozen=True)
class RunRequest:
    """A request from the command line, a run file or Python: what to play, how to play it, and where to write it.

    Attributes
    ----------
    out
        Folder of the run; or a URL, to which the workers of a cluster write.
    jobs
        Number of workers, -1 for all cores. The files are the same for any number.
    overwrite
        Whether to replace the run in `out`.
    command
        The command that the manifest gives for this run.
    games_from, games_to
        Play only the games from `games_from` up to, but not including, `games_to`; see `sim.runs.shards.stretch_of`.
    keep
        Whether an interrupt or a full disk leaves a checkpoint from which the same request resumes.
    cluster
        Address of the scheduler of a Dask cluster that plays the games. "local" starts a cluster of `jobs` processes.
    stop_rule
        Function from the plan to the rule that may end the run early (`sim.runs.run.StopRule`).
    """

    config: RunConfig
    out: Path | str
    jobs: int = -1
    overwrite: bool = False
    command: str = ""
    games_from: int | None = None
    games_to: int | None = None
    keep: bool = True
    cluster: str | None = None
    label: Label = UNLABELLED
    stop_rule: Callable[[Plan], Any] | None = None

    @property
    def stretch(self) -> tuple[int | None, int | None] | None:
        """The games to play, as the pair (`games_from`, `games_to`); None if both are None, for all games."""
        return None if self.games_from is None and self.games_to is None else (self.games_from, self.games_to)


class NamedRun(Row):
    """The key `name` of a `[[run]]` table in a run file. The other keys of the table are fields of `RunConfig`."""

    name: str = Field(pattern=r"^[^/\\\x00-\x1f.~-][^/\\\x00-\x1f]*$", max_length=100)


COMMAND_OF = {"run": "empirelab run FILE", "sweep": "empirelab sweep FILE", "player": "--code FILE with any command"}
"""For each kind of file, the command that reads it."""


def check_describes(path: Path, data: Mapping[str, object], wanted: str) -> None:
    """Check that a TOML file is of the kind `wanted`: "run", "sweep" or "player".

    The kind follows from the keys of `data`, the content of the file. Raise UserError if the file is of another
    kind; the message names the command that reads it.
    """
    found = "sweep" if "vary" in data else "player" if data.keys() & {"script", "base", "weights"} else "run"
    # A file with keys that no run has passes this check, so that reading the file reports the unknown key.
    is_run = "game" in data and data.keys() <= {*RunConfig.model_fields, "run"}
    if found != wanted and (found != "run" or is_run):
        message = f"this file describes a {found}, not a {wanted}"
        raise UserError(message, file=path, allowed=COMMAND_OF[found].replace("FILE", str(path)))


def read_runs(path: Path) -> dict[str, RunConfig]:
    """Read a file of one or more runs. Paths in the file are relative to the working directory.

    A file with `[[run]]` tables describes one run per table. Keys above the tables apply to all runs. Each table has a
    name and its own keys, which take precedence.

    Returns
    -------
    dict
        The runs by name, in the order of the file. The run of a file without `[[run]]` tables has the name "".

    Raises
    ------
    UserError
        The file cannot be read or describes something else, a field is unknown or has a wrong value, or two runs have
        the same name.
    """
    data = read_toml(path)
    check_describes(path, data, "run")
    if "run" not in data:
        config = validate_row(path, data, RunConfig, "run")
        with described_in(path):
            return {"": spelt_out(config)}
    rows, shared = data["run"], {field: value for field, value in data.items() if field != "run"}
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise UserError("not a list of runs", file=path, field="run", found=rows, allowed="one or more [[run]] tables")
    runs: dict[str, RunConfig] = {}
    for number, row in enumerate(rows, start=1):
        name = validate_row(path, {"name": row["name"]} if "name" in row else {}, NamedRun, f"run {number}").name
        if name.casefold() in map(str.casefold, runs):
            raise UserError("two runs have this name", file=path, row=f"run {number}", field="name", found=name)
        own = {field: value for field, value in row.items() if field != "name"}
        for field in ("out", "jobs"):
            if field in own:
                message = "this key belongs above the [[run]] tables, for all runs"
                raise UserError(message, file=path, row=f"run {name}", field=field, found=own[field])
        config = validate_row(path, shared | own, RunConfig, f"run {name}")
        with described_in(path, name):
            runs[name] = spelt_out(config)
    return runs


ConfigT = TypeVar("ConfigT", bound=RunConfig)


def spelt_out(config: ConfigT) -> ConfigT:
    """Return a configuration in which the names of all strategies of the game replace the name "all".

    In the same way `all@0.5` becomes every strategy with this temperature.
    """
    parts = [text.strip().partition("@") for text in config.strategies]
    if not is_known(config.game) or all(name != ALL for name, _, _ in parts):
        return config
    known = load_strategies(config.game, Path(config.code) if config.code is not None else None)
    names = [each + at + softness for name, at, softness in parts for each in (known if name == ALL else [name])]
    return config.model_copy(update={"strategies": names})


def make_plans(config: RunConfig) -> tuple[Plan, ...]:
    """Resolve a configuration to one plan for each number of players and variant, in the order of `conditions`."""
    (players, variant), *others = conditions(config)
    first = make_plan(config.model_copy(update={"players": players, "variant": variant}))
    return (first, *(for_condition(first, config, *condition) for condition in others))


def conditions(config: RunConfig) -> list[tuple[int, str | None]]:
    """Return all pairs of a requested number of players and a requested variant that allows this number.

    Raise UserError if a variant is unknown, a variant allows none of the numbers, or no variant allows one of the
    numbers.
    """
    counts = listed_values(config.players)
    if not isinstance(config.variant, list):
        return [(players, config.variant) for players in counts]
    game = load_game(config.game)
    for players in counts:
        if not any(players in variant.players for variant in game.variants if variant.name in config.variant):
            variant_for(game, players, config.variant[0])
    for name in config.variant:
        if not any(
            players in variant.players for variant in game.variants if variant.name == name for players in counts
        ):
            variant_for(game, counts[0], name)
    fit = {(players, variant.name) for variant in game.variants for players in variant.players}
    return [(players, name) for players in counts for name in config.variant if (players, name) in fit]


def for_condition(plan: Plan, config: RunConfig, players: int, name: str | None) -> Plan:
    """Return a plan like `plan`, for another number of players or another variant.

    Raise UserError if the variant, the line-up or the pool of factions does not allow that number of players.
    """
    variant = variant_for(plan.game, players, name)
    check_lineup(plan.assign, plan.lineup, players)
    check_table(plan.game, plan.data, plan.factions, players)
    check_judges(plan.strategies, plan.game, plan.data, players, variant.name)
    fixed = factions_are_fixed(plan.game, config, players, len(plan.factions))
    return replace(plan, players=players, variant=variant.name, factions_fixed=fixed)


def game_of(config: RunConfig) -> GameSpec:
    """Return the game of a configuration, extended by the user's decks that the configuration names.

    Raise UserError if the game does not exist or takes no decks, or a deck cannot be read.
    """
    game = load_game(config.game)
    if not config.decks:
        return game
    from sim.data.changes import read_addition  # noqa: PLC0415 - few runs have decks of the user

    return with_additions(game, [read_addition(Path(path)) for path in config.decks])


def make_plan(config: RunConfig, *, untrained: bool = False) -> Plan:
    """Resolve a configuration with one number of players and one variant to a plan.

    With `untrained`, learned judges that were trained for other data, numbers of players or variants are accepted. The
    caller must then train the right judges before any game is played. Raise UserError if a game, variant, strategy,
    faction or setting is unknown, the game does not allow the number of players, the pool of factions is too small for
    the table, a fixed line-up does not fit the seats, a strategy file does not work, a change does not fit the data, or
    there are several numbers of players or variants.
    """
    players = config.players
    if isinstance(players, list):
        raise UserError("a single number of players is needed here", field="players", found=players)
    if isinstance(config.variant, list):
        raise UserError("a single variant is needed here", field="variant", found=config.variant)
    game = game_of(config)
    variant = variant_for(game, players, config.variant)
    code = Path(config.code) if config.code is not None else None
    scripts = strategy_files(game.name, code)
    for addition in game.added:
        if addition.file.name in scripts:
            raise UserError("a strategy file has the same name", file=addition.file, allowed="a name of its own")
    data_changes, strategy_changes = split_changes(config.changes, list(game.files), scripts)
    data = game.load(config.settings, data_changes)
    known = load_strategies(game.name, code, changes=strategy_changes, judges=True)
    strategies, lineup = pick_strategy(game, known, config.strategies)
    own = list(known)[-1]  # the strategy from the user's own file comes last
    named = {strategy.name.partition("@")[0] for strategy in strategies}
    if code is not None and own not in named | {parted(name)[0] for name in named - known.keys()}:
        message = f"the strategy {own} of {code} does not play"
        raise UserError(message, field="strategies", found=", ".join(config.strategies), allowed=f"with {own}")
    check_lineup(config.assign, lineup, players)
    factions = choose_factions(game, data, config.factions)
    check_table(game, data, factions, players)
    if not untrained:
        check_judges(strategies, game, data, players, variant.name)
    return Plan(
        game=game,
        data=data,
        players=players,
        variant=variant.name,
        strategies=strategies,
        lineup=lineup,
        factions=factions,
        factions_fixed=factions_are_fixed(game, config, players, len(factions)),
        assign=config.assign,
        seed=config.seed,
        keeps_pieces=config.detail != SEAT_TABLE,
        changes=tuple(config.changes),
        checked=config.checked,
    )


def check_lineup(assign: str, lineup: Sequence[int], players: int) -> None:
    """Check that a fixed line-up fits the seats."""
    if assign == "fixed" and len(lineup) not in (1, players):
        message = "a fixed line-up needs one strategy for each seat, or one for all"
        raise UserError(message, field="strategies", found=len(lineup), allowed=f"1 or {players}")


def factions_are_fixed(game: GameSpec, config: RunConfig, players: int, factions: int) -> bool:
    """Tell whether seat i always plays the i-th faction that the configuration names.

    This is so if the line-up is fixed, and the configuration names exactly as many factions as the table needs.
    `factions` is the number of factions that may be dealt.
    """
    named = config.assign == "fixed" and 0 < factions == len(config.factions)
    return named and factions == boards_needed(game, players)

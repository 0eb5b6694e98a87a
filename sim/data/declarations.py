"""Declarations of games and players that are also saved in manifests, so that a run can be read without its game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

GAMES = {
    "seven_wonders": "sim.games.seven_wonders.game",
    "imperium": "sim.games.imperium.game",
    "imperial_settlers": "sim.games.imperial_settlers.game",
    "history_of_the_world": "sim.games.history_of_the_world.game",
    "glory_of_rome": "sim.games.glory_of_rome.game",
}
"""The module of every game. It has a `GAME`, and the module `about` next to it has `TITLE` and `VARIANTS`."""

MAX_PLAYERS = 12
"""Maximum number of players of a game that can be declared or read. Reports count wins in small units, so that up to
this many tied players can share a win evenly."""


@dataclass(frozen=True)
class Variant:
    """A way to play a game; `players` are the numbers of players that it allows."""

    name: str
    players: tuple[int, ...]
    description: str


@cache
def installed_games() -> dict[str, str]:
    """Return the modules of games in installed packages: the entry points in the group `empirelab.games`."""
    return {one.name: one.value for one in entry_points(group="empirelab.games") if one.name not in GAMES}


def variants_of(name: str) -> tuple[str, tuple[Variant, ...]]:
    """Return the title and the variants of a game without loading its rules, which would take a second."""
    module = (installed_games() | GAMES)[name]
    about = import_module(f"{module.rpartition('.')[0]}.about")
    return about.TITLE, about.VARIANTS


class Entry(BaseModel):
    """A table of a manifest: immutable, with exact types. Unknown fields are ignored: later versions may add some."""

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)


class Faction(Entry):
    """A board, nation, empire or character that a seat can play."""

    name: str = Field(min_length=1)
    attributes: dict[str, str]
    certainty: str = ""


class PieceEvent(Entry):
    """Something that can happen to a piece once a seat has been offered the piece, such as being built.

    A column of the piece rows holds the turn of the event; 0 means never.

    Attributes
    ----------
    column
        The column of the piece rows.
    title
        A word for what the seat did with the piece: "built".
    taken
        Whether the event shows that the seat took the piece; false for events such as "lost".
    in_play
        Whether the seat has the effect of the piece from this event on.
    """

    column: str
    title: str
    taken: bool = True
    in_play: bool = False


KindsT = TypeVar("KindsT")
RowsT = TypeVar("RowsT")


class Picks(Entry, Generic[KindsT]):
    """Pieces that seats pick.

    In each period of the game, every seat takes one piece of each kind, such as one empire in each epoch.

    At the end of each period except the last, a game with picks records the score of every seat
    (`GameSpec.checkpoints`). If the game ends early, the scores of the missing periods are the final score.

    Attributes
    ----------
    period
        The word for a period: "epoch".
    kinds
        In a game's declaration, a function: `kinds(data)` returns the kind of every piece, such as "empire" or "event".
        In a manifest, the names of the pieces by kind. Reports compare picks of the same kind and period.
    start
        The score part that holds the points with which a seat begins.
    taken
        The column of the piece rows with the period in which the seat took the piece, from 1; 0 for never.
    draft_place, turn_place
        The column with the seat's rank by points when it took the piece (1 for the most points), and the column with
        its place in the order of turns. 0 means none.
    later, later_parts
        The column with what the pick gained after the seat's own turn, and how many units of this column make a point.
    draft
        How the places in the draft of the first period are decided, and whom the order favours, in words: "by lot, the
        seat with the most points chooses last". May be empty.
    reading
        Sentences on how to read the results by place in the draft and in the order of turns; may be empty.
    """

    period: str = Field(min_length=1)
    kinds: KindsT
    start: str
    taken: str
    draft_place: str
    turn_place: str
    later: str
    later_parts: Annotated[int, Field(ge=1)]
    draft: str = ""
    reading: str = ""


class TallyRow(Entry):
    """A row of a tally, such as a land or a kind of battle.

    Attributes
    ----------
    name
        Name of the row.
    values
        Known facts about the row; see `Tally.shows`.
    near
        Names of neighbouring rows.
    """

    name: str
    values: Mapping[str, float | str] = Field(default={})
    near: list[str] = Field(default=[])


class Circumstance(Entry):
    """A condition of a game that holds for all seats and that nobody chooses, such as the direction of play.

    Attributes
    ----------
    measure
        The measure that records the condition. It is the same for all seats of a game.
    name, unit
        Name of the condition, such as "direction of play", and unit of the measure, such as "round clockwise".
    less, more
        Descriptions of games whose measure is below average and above average, such as "mostly clockwise".
    """

    measure: str
    name: str
    unit: str
    less: str
    more: str


class Tally(Entry, Generic[RowsT]):
    """Counts that do not belong to a seat, such as events in each land. Runs that record pieces also record tallies.

    Attributes
    ----------
    name, plural
        The word for a row, such as "land", and its plural. They also name a column and the folder of the counts.
    shows
        "map" or "odds". With "map", each column is a measure in a period, such as `held_1`, and each row has the values
        `x` (from the left), `y` (from the top) and `group`. With "odds", each column is an outcome, and the values of a
        row are the exact odds of outcomes, where known.
    columns
        The columns after those of the game and the row.
    parts
        How many parts make a whole, for each measure that is counted in parts such as tenths of points.
    rows
        The rows of the tally, in the order of the counts.
    reading
        Sentences on what the rows are, and on how to read the columns; may be empty.
    """

    name: str = Field(min_length=1)
    plural: str = Field(min_length=1)
    shows: str
    columns: list[str]
    parts: dict[str, Annotated[int, Field(ge=1)]] = Field(default={})
    rows: RowsT
    reading: str = ""


class SearchOfDecision(Entry):
    """Search parameters that differ for one kind of decision."""

    options: int | None = None
    prior: float | None = None
    horizon: int | None = None


class Search(Entry):
    """Search parameters of a strategy that looks ahead.

    Such a strategy rolls out its best options in determinized games, with its base strategy in all seats.

    Attributes
    ----------
    rollouts
        Maximum number of rollouts of each option.
    options
        How many options are rolled out: those with the best scores of the base strategy.
    halves
        Whether the search drops the worse half of the remaining options after each stage (sequential halving: Karnin,
        Koren and Somekh, ICML 2013).
    value
        How the end of a rollout is valued, one of `sim.engine.script.VALUES`.
    lead_scale
        Width, in points, of the logistic curve that turns a lead into a value. A lead says more about a game than the
        winner alone. With 0, only the win counts.
    prior
        Worth of one unit of the base strategy's score, in the unit of `value`.
    model_temperature
        Temperature of all seats in rollouts.
    horizon
        Number of rounds of a rollout. After them, the game is scored as if it had ended, or judged by `outlook` or
        `judge`. With 0, rollouts are played to the end.
    decisions
        Names of the decisions that are searched (`GameSpec.decisions`). All other decisions are left to the base
        strategy.
    each
        Parameters that differ for some decisions, by name of the decision.
    outlook
        Weights of some of `GameSpec.prospects`, which give the chance to win at the horizon. There is one row for each
        number of rounds left, from 1; the last row also applies to more rounds. If empty, the game is scored as if it
        had ended.
    judge
        File of the learned judge that evaluates the game at the horizon, relative to `configs/`; "" for no judge.
        {players} stands for the number of players, {tables} for the digest of the tables, and {cache} for the folder of
        the cache.
    """

    rollouts: int
    options: int
    value: str
    lead_scale: float
    prior: float
    model_temperature: float
    horizon: int
    halves: bool
    decisions: list[str]
    each: dict[str, SearchOfDecision] = Field(default={})
    outlook: list[dict[str, float]] = Field(default=[])
    judge: str = ""

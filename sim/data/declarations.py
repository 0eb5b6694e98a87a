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
"""Module of every game; each has a `GAME`, and a module `about` next to it has `TITLE` and `VARIANTS`."""

MAX_PLAYERS = 12
"""Most players of a game that can be declared or read: reports count wins in units that as many players can share."""


@dataclass(frozen=True)
class Variant:
    """A way to play a game, with the numbers of players that it allows."""

    name: str
    players: tuple[int, ...]
    description: str


@cache
def installed_games() -> dict[str, str]:
    """Return the modules of the games of installed packages: their entry points in the group `empirelab.games`."""
    return {one.name: one.value for one in entry_points(group="empirelab.games") if one.name not in GAMES}


def variants_of(name: str) -> tuple[str, tuple[Variant, ...]]:
    """Return the title and the variants of a game, without loading its rules, which would take a second."""
    module = (installed_games() | GAMES)[name]
    about = import_module(f"{module.rpartition('.')[0]}.about")
    return about.TITLE, about.VARIANTS


class Entry(BaseModel):
    """A table of a manifest: exact types, immutable; fields of later versions are ignored."""

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)


class Faction(Entry):
    """A board, nation, empire or character that a seat can play."""

    name: str = Field(min_length=1)
    attributes: dict[str, str]
    certainty: str = ""


class PieceEvent(Entry):
    """Something that can happen to a piece offered to a seat; a column of the piece row holds its turn (0: never).

    Attributes
    ----------
    column
        Column of a piece row.
    title
        What the seat did with the piece: "built".
    taken
        Whether the seat took the piece from those it was offered.
    in_play
        Whether the seat has the effect of the piece from then on.
    """

    column: str
    title: str
    taken: bool = True
    in_play: bool = False


KindsT = TypeVar("KindsT")
RowsT = TypeVar("RowsT")


class Picks(Entry, Generic[KindsT]):
    """Pieces of which every seat takes one of each kind in each period of the game, such as an empire in each epoch.

    A game with picks has a checkpoint for the end of each period but the last; checkpoints after the end of a game hold
    its final score.

    Attributes
    ----------
    period
        Name of a period: "epoch".
    kinds
        `kinds(data)` returns the kind of every piece, such as "empire" or "event"; in a manifest, the names of the
        pieces by kind. Picks are compared with those of the same kind and period.
    start
        Score part with the points a seat begins with.
    taken
        Column of a piece row with the period in which the seat took the piece, counted from 1; 0 for never.
    draft_place, turn_place
        Columns with the seat's place by points when it took the piece, 1 for the most, and its place in the order of
        turns; 0 for none.
    later, later_parts
        Column with the points that the pick gained after the seat's own turn, and how many units make a point.
    draft
        How places in the draft are decided in the first period and whom that favours, such as "by lot, the seat with
        the most points chooses last"; may be empty.
    reading
        Sentences on how to read the results by place; may be empty.
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
        Its name.
    values
        Known facts about it; see `Tally.shows`.
    near
        Names of neighbouring rows.
    """

    name: str
    values: Mapping[str, float | str] = Field(default={})
    near: list[str] = Field(default=[])


class Circumstance(Entry):
    """A condition that all seats of a game share and nobody chooses, such as the direction of play.

    Attributes
    ----------
    measure
        The measure that records it, the same for all seats of a game.
    name, unit
        Its name, "direction of play", and the unit of the measure, "round clockwise".
    less, more
        Descriptions of games with less and with more of it than average, such as "mostly clockwise".
    """

    measure: str
    name: str
    unit: str
    less: str
    more: str


class Tally(Entry, Generic[RowsT]):
    """Counts that do not belong to a seat, such as events in each land; runs that record pieces also record tallies.

    Attributes
    ----------
    name, plural
        Name of a row, "land", and its plural: the column and the folder of the counts.
    shows
        "map": columns are a measure and a period, `held_1`, and the values of rows are `x` (from the left), `y` (from
        the top) and `group`. "odds": columns are outcomes, and the values of rows are their exact odds where known.
    columns
        Columns after game and row.
    parts
        How many units of a measure make one, if it is counted in parts, such as tenths of points.
    rows
        The rows, in the order of the counts.
    reading
        Sentences on what the rows are and how to read the columns; may be empty.
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
    """Search parameters of a strategy: it rolls out its best options in determinized games, with its base in all seats.

    Attributes
    ----------
    rollouts
        Rollouts of each option, at most.
    options
        How many options are rolled out: the best by the base's own scores.
    halves
        Whether the search drops the worse half of the options at intervals (sequential halving: Karnin, Koren and
        Somekh, ICML 2013).
    value
        How the end of a rollout is valued, one of `sim.engine.script.VALUES`.
    lead_scale
        Width in points of the logistic curve that turns a lead into a value, which says more about each game than who
        won it. 0: only the win counts.
    prior
        Value of one unit of the base's score, in the unit of `value`.
    model_temperature
        Temperature of all seats in rollouts.
    horizon
        Rounds of a rollout, after which the game is scored as if it had ended, or judged by `outlook`; 0 plays to the
        end.
    decisions
        Names of the decisions that are searched (`GameSpec.decisions`); at all others the base decides.
    each
        Parameters that differ for particular decisions, by the name of the decision.
    outlook
        Weights of some of `GameSpec.prospects` that give the chance to win at the horizon, for each number of rounds
        left, from 1; the last row also applies to more rounds. Empty: the game is scored as if it had ended.
    judge
        File of the learned judge that judges the game at the horizon, relative to `configs/`; {players} stands for the
        number of players, {tables} for the digest of the tables, {cache} for the folder of the cache. Empty: none.
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

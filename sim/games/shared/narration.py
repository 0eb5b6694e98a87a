"""What the narrations of all games share: lines on who sits where, line breaks, the table of scores."""

from __future__ import annotations

import textwrap
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sim.compiler.kernel import Record
from sim.game import Data

WIDTH = 120
"""Maximum length of a line. Only a line without a place to break it may be longer."""


class Narrator(ABC):
    """Narrates a finished game from its log. Each game has a subclass that puts its log rows into words.

    Parameters
    ----------
    g
        Game record.
    t, catalog
        The tables that the game was played with, and the catalogue from which they were compiled.
    strategy_names
        Names of the strategies of the run, indexed by `g.strategy`.
    """

    def __init__(self, g: Record, t: Record, catalog: Any, strategy_names: Sequence[str]) -> None:
        self.g, self.t, self.catalog, self.strategy_names = g, t, catalog, strategy_names
        self.seats = range(int(g.players))

    def header(self) -> list[str]:
        """Return lines that say who sits where, and which variant is played."""
        return seat_lines(self.g, self.catalog.faction_names, self.strategy_names)

    @abstractmethod
    def lines(self) -> Iterable[str]:
        """Return the lines of the narration that follow the header."""

    def rows(self, first: int = 0) -> list[list[int]]:
        """Return the rows of the log from row `first` on."""
        return [[int(number) for number in row] for row in self.g.log.rows[first : self.g.log.row_count]]

    def player(self, seat: int) -> str:
        """Return the names of a seat's faction and player."""
        return player_name(self.g, seat, self.catalog.faction_names, self.strategy_names)


def narrate_with(narrator: Callable[..., Narrator]) -> Callable[[Record, Data, Sequence[str]], list[str]]:
    """Return the `narrate` function of a game that uses this narrator."""

    def narrate(g: Record, data: Data, strategies: Sequence[str]) -> list[str]:
        narrated = narrator(g, data.tables, data.catalog, strategies)
        return [*narrated.header(), *narrated.lines()]

    return narrate


def seat_lines(g: Record, faction_names: Sequence[str], strategy_names: Sequence[str]) -> list[str]:
    """Return one line for each seat that says who sits there.

    Parameters
    ----------
    g
        Game record.
    faction_names, strategy_names
        Names indexed by `g.faction` and `g.strategy`. A game without factions has no faction names.
    """
    who = [strategy_names[g.strategy[seat]] for seat in range(g.players)]
    if faction_names:
        who = [f"{faction_names[g.faction[seat]]}, {who[seat]}" for seat in range(g.players)]
    return [f"Seat {seat}: {name}" for seat, name in enumerate(who)]


def player_name(g: Record, seat: int, faction_names: Sequence[str], strategy_names: Sequence[str]) -> str:
    """Return a seat's faction, number and player, as in "Rhodos B (seat 0, balanced)".

    Parameters are as in `seat_lines`. Without factions, the result reads "seat 0 (balanced)".
    """
    if not faction_names:
        return f"seat {seat} ({strategy_names[g.strategy[seat]]})"
    return f"{faction_names[g.faction[seat]]} (seat {seat}, {strategy_names[g.strategy[seat]]})"


def score_table(names: Sequence[str], columns: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return the lines of a table of scores.

    Parameters
    ----------
    names
        Label of each row.
    rows
        The cells of each row, one for each column.

    Returns
    -------
    list of str
        A line of headings and a line for each row. Lines are indented, and cells are right-aligned under their
        headings.
    """
    width = max(map(len, names))
    lines = [f"  {'':{width}}  {'  '.join(columns)}"]
    for name, row in zip(names, rows, strict=True):
        cells = [f"{cell!s:>{len(column)}}" for column, cell in zip(columns, row, strict=True)]
        lines.append(f"  {name:{width}}  {'  '.join(cells)}")
    return lines


def wrapped(text: str, indent: int = 0) -> list[str]:
    """Break a line that is too long. Continuation lines are indented by four more columns."""
    margin = " " * indent
    return textwrap.wrap(text, WIDTH, initial_indent=margin, subsequent_indent=margin + "    ", break_on_hyphens=False)

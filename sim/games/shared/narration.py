"""Parts of narrations that all games share: the lines on who sits where, line breaks, the table of scores."""

from __future__ import annotations

import textwrap
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from sim.compiler.kernel import Record
from sim.game import Data

WIDTH = 120
"""Maximum length of a line. Only a line without a place to break it may be longer."""

LogRow = Sequence[int]
"""A row of the log."""


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
        who = [self.strategy_names[self.g.strategy[seat]] for seat in self.seats]
        if factions := self.catalog.faction_names:
            who = [f"{factions[self.g.faction[seat]]}, {who[seat]}" for seat in self.seats]
        return [f"Seat {seat}: {name}" for seat, name in enumerate(who)]

    @abstractmethod
    def lines(self) -> Iterable[str]:
        """Return the lines of the narration that follow the header."""

    def rows(self, first: int = 0) -> list[list[int]]:
        """Return the rows of the log from row `first` on."""
        return [[int(number) for number in row] for row in self.g.log.rows[first : self.g.log.row_count]]

    def player(self, seat: int) -> str:
        """Return a seat's faction, number and player, as in "Rhodos B (seat 0, balanced)".

        Without factions, the result reads "seat 0 (balanced)".
        """
        strategy = self.strategy_names[self.g.strategy[seat]]
        if not self.catalog.faction_names:
            return f"seat {seat} ({strategy})"
        return f"{self.catalog.faction_names[self.g.faction[seat]]} (seat {seat}, {strategy})"

    def winners(self, how: str, total: int | None = None) -> str:
        """Return a line with the winners, followed by the text `how`.

        Pass `total`, the score column of the total, if `how` names a tie-break. Then `how` is left out unless the
        tie-break has decided the game.
        """
        first = [seat for seat in self.seats if self.g.rank[seat] == 1]
        if total is not None:
            even = [seat for seat in self.seats if self.g.score[seat, total] == self.g.score[first[0], total]]
            how = how if len(even) > len(first) else ""
        return f"Winner: {' and '.join(map(self.player, first))}{how}"


NarratorT = TypeVar("NarratorT", bound=Narrator)


def of_each(words: Callable[[NarratorT, LogRow], str]) -> Callable[[NarratorT, Sequence[LogRow]], str]:
    """Return a function that puts several rows into words: those of `words` for each row, joined with commas."""
    return lambda teller, rows: ", ".join(words(teller, row) for row in rows)


def sums(rows: Iterable[LogRow], column: int, number: int, size: int) -> list[int]:
    """Add up the column `number`, separately for each value of another column. The values are 0 to `size` - 1."""
    added = [0] * size
    for row in rows:
        added[row[column]] += row[number]
    return added


def narrate_with(narrator: Callable[..., Narrator]) -> Callable[[Record, Data, Sequence[str]], list[str]]:
    """Return the `narrate` function of a game that uses this narrator."""

    def narrate(g: Record, data: Data, strategies: Sequence[str]) -> list[str]:
        narrated = narrator(g, data.tables, data.catalog, strategies)
        return [*narrated.header(), *narrated.lines()]

    return narrate


def score_table(names: Iterable[str], columns: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return the lines of a table of scores: a line of headings, and a line for each row.

    `names` are the labels of the rows, and each row has one cell for each column. Lines are indented, and cells are
    right-aligned under their headings.
    """
    labels = list(names)
    width = max(map(len, labels))
    lines = [f"  {'':{width}}  {'  '.join(columns)}"]
    for name, row in zip(labels, rows, strict=True):
        cells = [f"{cell!s:>{len(column)}}" for column, cell in zip(columns, row, strict=True)]
        lines.append(f"  {name:{width}}  {'  '.join(cells)}")
    return lines


def wrapped(text: str, indent: int = 0) -> list[str]:
    """Break a line that is too long. Continuation lines are indented by four more columns."""
    margin = " " * indent
    return textwrap.wrap(text, WIDTH, initial_indent=margin, subsequent_indent=margin + "    ", break_on_hyphens=False)

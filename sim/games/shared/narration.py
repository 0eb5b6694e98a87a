"""What told games have in common: who sits where, lines that are broken where they are long, the table of scores."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from sim.compiler.kernel import Record

WIDTH = 120
"""Longest line, where there is a place to break it."""


def tell_seats(g: Record, faction_names: Sequence[str], strategy_names: Sequence[str]) -> list[str]:
    """Tell who sits where, one line for each seat.

    Parameters
    ----------
    g
        Game record.
    faction_names, strategy_names
        Names as `g.faction` and `g.strategy` number them; a game without factions has no names of any.
    """
    who = [strategy_names[g.strategy[seat]] for seat in range(g.players)]
    if faction_names:
        who = [f"{faction_names[g.faction[seat]]}, {who[seat]}" for seat in range(g.players)]
    return [f"Seat {seat}: {name}" for seat, name in enumerate(who)]


def player_name(g: Record, seat: int, faction_names: Sequence[str], strategy_names: Sequence[str]) -> str:
    """Return the name of a seat's faction with who plays it, or of the seat; names are as in `tell_seats`."""
    if not faction_names:
        return f"seat {seat} ({strategy_names[g.strategy[seat]]})"
    return f"{faction_names[g.faction[seat]]} (seat {seat}, {strategy_names[g.strategy[seat]]})"


def tell_scores(names: Sequence[str], columns: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Tell scores as a table.

    Parameters
    ----------
    names
        What each row begins with.
    columns
        Headings.
    rows
        Cells of each row, one for each column.

    Returns
    -------
    list of str
        The headings and a line for each row, indented, cells below the ends of their headings.
    """
    width = max(map(len, names))
    lines = [f"  {'':{width}}  {'  '.join(columns)}"]
    for name, row in zip(names, rows, strict=True):
        cells = [f"{cell!s:>{len(column)}}" for column, cell in zip(columns, row, strict=True)]
        lines.append(f"  {name:{width}}  {'  '.join(cells)}")
    return lines


def wrapped(text: str, indent: int = 0) -> list[str]:
    """Break a line that is too long; what goes on below is indented by four more."""
    margin = " " * indent
    return textwrap.wrap(text, WIDTH, initial_indent=margin, subsequent_indent=margin + "    ", break_on_hyphens=False)

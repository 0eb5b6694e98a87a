"""Imports results of real games from a spreadsheet."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from sim.commands.options import AsJson, Quiet, option
from sim.errors import UserError

if TYPE_CHECKING:
    from sim.league.read import League

MAX_SIMILAR = 20


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Table of results: .csv, .xlsx or .parquet.")],
    out: Annotated[Path, option("Folder for the league.", "--out", "-o", of="DIR")],
    columns: Annotated[
        list[str] | None,
        option(
            "Which column holds what, if it is not found by name: game, date, event, player, faction, seat, "
            "place, score, winner, rating, players.",
            of="KIND=HEADING,...",
        ),
    ] = None,
    missing: Annotated[
        Literal["leave-out", "refuse"], option("What to do with games whose result is missing or wrong.", of=None)
    ] = "leave-out",
    anonymous: Annotated[bool, option("Replace names of players and events.", "--anonymous")] = False,
    overwrite: Annotated[bool, option("Replace the league in the output folder.", "--overwrite")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Import results of real games from a spreadsheet, for report, compare and view.

    Examples
    --------
    empirelab import docs/examples/playtests.csv --out runs/league
    empirelab import docs/examples/playtests.csv --out runs/named --columns player=Name,faction=Race --anonymous

    Notes
    -----
    The file has one row for each seat, or one for each game with columns Player 1, Faction 1, Score 1, Player 2 and so
    on. Columns are found by their headings. At a terminal they are shown, and nothing is written before you agree;
    `--quiet` and `--json` do not ask. The command lists every cell that it leaves out, with row and column.
    """
    from sim.commands.console import print_json
    from sim.league.folder import write_league
    from sim.league.manifest import check_league_place, load_league_manifest
    from sim.league.read import read_results
    from sim.runs.store.parquet import check_outside

    check_outside(out)
    check_league_place(out, overwrite)
    league = read_results(file, columns_said(columns or []), missing=missing, anonymous=anonymous)
    if not (quiet or as_json):
        print("\n".join(import_words(league)))
        if sys.stdin.isatty() and sys.stderr.isatty() and not typer.confirm("Are these the right columns?", True):
            raise UserError(
                "nothing was written", field="columns", allowed="--columns KIND=HEADING,... to say otherwise"
            )
    write_league(league, out)
    if as_json:
        print_json({"folder": str(out), **load_league_manifest(out).model_dump()})
        return
    print(f"written: {out}")
    if not quiet:
        print(f"Next: empirelab report {out}")


def columns_said(texts: list[str]) -> dict[str, str]:
    """Parse texts such as 'game=Match,player=Name' into headings by kind. Raise UserError for any other form."""
    said = {}
    for part in (part for text in texts for part in text.split(",")):
        kind, sign, heading = part.partition("=")
        if not sign or not heading.strip():
            raise UserError("not a kind and a heading", field="columns", found=part, allowed="game=Match,player=Name")
        said[kind.strip()] = heading.strip()
    return said


def import_words(league: League) -> list[str]:
    """Say which columns were found, how the file was read, and what was left out."""
    from reports.formatting import counted

    said = [repr(league), "", "Columns (--columns says otherwise):", *(f"  {line}" for line in league.columns)]
    if league.notes:
        said += ["", "How it was read:", *(f"  {line}" for line in league.notes)]
    if league.left_out:
        said += ["", "Left out (--missing refuse stops instead):", *(f"  {line}" for line in league.left_out)]
    unknown = {kind: int(league.seats[kind].null_count()) for kind in ("player", "faction")}
    said += [
        f"{counted(rows, 'row')} without a {kind}, counted as one unknown {kind}"
        for kind, rows in unknown.items()
        if 0 < rows < league.seats.height
    ]
    if league.similar:
        pairs = [f"  {one} | {other}" for one, other in league.similar[:MAX_SIMILAR]]
        more = len(league.similar) - MAX_SIMILAR
        said += ["", "Perhaps the same (correct the file if they are):", *pairs]
        said += [f"  and {more:,} more"] if more > 0 else []
    return [*said, ""]

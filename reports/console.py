"""The report on a terminal: the verdict, then one table per grouping."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid
from rich.text import Text

from reports import words
from reports.balance import Report, Table
from reports.verdict import Finding

PIPED_WIDTH = 100
STYLES = {"strong": "bold dark_orange", "weak": "bold blue", "": ""}
TONES = {"out": "bold dark_orange", "small": "bold", "fair": "bold", "silent": "dim", "caution": "yellow"}
COLUMNS: tuple[tuple[str, Callable[[dict[str, Any]], str]], ...] = (
    ("games", lambda row: words.count(row["games"])),
    ("wins %", lambda row: words.size(row["win_share"])),
    ("95 % interval", lambda row: words.interval(row["low"], row["high"])),
    ("fair %", lambda row: words.size(row["null"])),
    ("edge", lambda row: words.points(row["edge"], 2)),
    ("MDE", lambda row: words.size(row["mde"])),
    ("score", lambda row: words.number(row["mean_score"])),
    ("flag", lambda row: row["flag"]),
)
LEGEND = (
    "games: seat-games. fair: mean of 1/players. edge: wins minus fair, in percentage points. MDE: smallest edge that "
    "a test of that row alone finds four times in five. Intervals by block. flag: Holm-corrected p < 0.05."
)


def print_report(report: Report, console: Console | None = None) -> None:
    """Print verdict and tables.

    Parameters
    ----------
    report
        From `build_report`.
    console
        Where to print; by default standard output, 100 columns wide and without colour when piped.
    """
    if console is None:
        console = Console()
        if not console.is_terminal:
            console = Console(width=PIPED_WIDTH)
    manifest = report.manifest
    console.print(Text(f"{manifest['title']}, {manifest['variant']}: {words.run_size(manifest)}", style="bold"))
    console.print(words.certainty(manifest), highlight=False)
    if rules := words.open_points(manifest):
        console.print(rules, highlight=False)
    console.print()
    for finding in report.findings:
        print_finding(finding, console)
    for table in report.tables.values():
        # Pairs of levels run to hundreds of rows: they are in the page's heat maps and in the CSV file.
        if not table.crossed:
            console.print()
            console.print(grid(table))
    console.print(Text(LEGEND, style="dim"))


def print_finding(finding: Finding, console: Console) -> None:
    """Print a finding's headline and, indented, its details."""
    console.print(Text(finding.headline, style=TONES[finding.tone]))
    for detail in finding.details:
        console.print(Text(detail), highlight=False, soft_wrap=False, no_wrap=False)
    if finding.details:
        console.print()


def grid(table: Table) -> Grid:
    """Return a table as rich prints it; a table that can hold no finding says so under its title."""
    title = f"Win share by {table.noun}"
    result = Grid(
        title=escape(title),
        caption=escape(table.silence) or None,
        title_justify="left",
        caption_justify="left",
        title_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    result.add_column(escape(table.noun), no_wrap=True, overflow="ellipsis", min_width=8)
    for name, _ in COLUMNS:
        result.add_column(name, justify="left" if name == "flag" else "right", no_wrap=True)
    for row in table.frame.to_dicts():
        cells = [cell(row) for _, cell in COLUMNS]
        result.add_row(escape(row["level"]), *cells, style=STYLES[row["flag"]])
    return result

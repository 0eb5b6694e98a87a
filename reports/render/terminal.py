"""Prints reports on a terminal: the verdict, one table per grouping, then the sections."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich import box
from rich.table import Table as Grid

from reports import formatting
from reports.model import LEADING, Finding, Listing, Report, Section, Table, prints
from reports.render.format_cells import NOTE, Sheet, left_out, sheet
from reports.sections.core.next_step import OFF_PAGE, NextStep, next_step
from reports.sections.core.row_cards import row_cards
from reports.sections.core.summary import swayed_rows
from sim.runs.progress import SafeConsole

FIRST_WIDTH = 52
"""Maximum width of the first column in characters; longer texts are wrapped."""
PIPED_WIDTH = 100
DESCRIPTION = "description"
"""Heading of a column of descriptions. If this column is the last, it is always shown. Long cells are wrapped."""
MAX_ROWS = 15
FILES = "--html or --csv FOLDER/"
ELSEWHERE = f"--full, {FILES}"
FRAME = ".frame"
"""Where Python users find the rest of a table."""
STYLES = {"strong": "bold dark_orange", "weak": "bold blue", "": ""}
TONES = {"out": "bold dark_orange", "small": "bold", "fair": "bold", "silent": "dim", "caution": "yellow"}
COLUMNS: tuple[tuple[str, Callable[[dict[str, Any]], str]], ...] = (
    ("games", lambda row: formatting.count(row["games"])),
    ("win rate", lambda row: formatting.size(row["win_rate"])),
    ("95 % interval", lambda row: formatting.interval(row["low"], row["high"])),
    ("fair", lambda row: formatting.size(row["null"])),
    ("edge", lambda row: formatting.points(row["edge"], 2)),
    ("MDE", lambda row: formatting.size(row["mde"])),
    ("score", lambda row: formatting.number(row["mean_score"])),
    ("flag", lambda row: row["flag"]),
)
DECISION = ("decision", lambda row: formatting.decision(row).partition(" on ")[0])
"""Column that replaces the score in tables with decisions, because there is no room for both. It is kept short."""
PAIRS_WITHOUT = ("MDE", "score")
"""Columns for which tables of pairs have no room."""
GRID_STYLE: Any = {
    "title_justify": "left", "caption_justify": "left", "title_style": "bold", "box": box.SIMPLE_HEAD, "pad_edge": False
}  # fmt: skip
LEGEND = (
    "games: seat-games. win rate: in %. fair: {fair}. edge: win rate minus fair, in points. MDE: minimum "
    "detectable effect of a test of that row alone (80 % power). Intervals by block. flag: "
    "significantly different from fair, corrected for all rows judged together. decision: for a margin of {margin}; "
    "+1,000: about 1,000 more games to decide."
)


def print_report(report: Report, console: SafeConsole | None = None, full: bool = False) -> None:
    """Print the verdict, the tables and the sections of a report.

    Parameters
    ----------
    console
        Where to print. By default it is standard output; if that is piped, it has 100 columns and no colour.
    full
        Whether to print long tables as well, with all their rows.
    """
    console = console or standard_output()
    manifest = report.manifest
    console.print(
        f"{manifest.title}, {formatting.variant_words(manifest)}: {formatting.run_size(manifest)}", style="bold"
    )
    console.print(formatting.certainty(manifest.certainty))
    if rules := formatting.open_rules(manifest):
        console.print(rules)
    if ended := formatting.stop_words(manifest):
        console.print(ended)
    console.print()
    for finding in report.findings:
        print_finding(finding, console)
    print_step(next_step(report, row_cards(report, {}), OFF_PAGE), console)
    for section in report.sections:
        if section.name in LEADING:
            console.print()
            print_section(section, console, full, tables=full)
    for table in report.tables.values():
        # Crossed tables have hundreds of rows. The page and the CSV file show them.
        if full or not table.crossed:
            console.print()
            console.print(grid(table))
    legend = LEGEND.format(
        fair=formatting.fair_meaning(manifest), margin=formatting.margin_words(report.verdict.margin)
    )
    if any(swayed_rows(table) for table in report.tables.values()):
        legend += " depends: within the margin over all games, but not with one player left out."
    console.print(legend, style="dim")
    for section in report.sections:
        if section.name not in LEADING:
            console.print()
            print_section(section, console, full, tables=full)


def print_step(step: NextStep | None, console: SafeConsole) -> None:
    """Print the suggested next commands."""
    if step is not None:
        console.print()
        console.print(f"Next: {step.said}")
        for command in step.commands:
            console.print(f"  {command}", soft_wrap=True)


@prints(Table)
def table_text(table: Table) -> str:
    """Render the first rows of a table of win rates for a prompt."""
    return grid_as_text(grid(table.head(MAX_ROWS)), left_out(table, MAX_ROWS))


@prints(Listing)
def listing_text(listing: Listing) -> str:
    """Render a table of a section for a prompt: the columns that fit, and the first rows."""
    rows, said = listing_grid(listing, PIPED_WIDTH, files=FRAME, elsewhere=FRAME)
    return grid_as_text(rows, said)


def grid_as_text(rows: Grid, said: str) -> str:
    """Render a grid as plain text, with a note below it."""
    console = SafeConsole(width=PIPED_WIDTH, color_system=None, force_jupyter=False)
    with console.capture() as caught:
        console.print(rows)
        if said:
            console.print(said)
    return "\n".join(line.rstrip() for line in caught.get().splitlines()).strip("\n")


def win_rate_columns(table: Table) -> list[tuple[str, Callable[[dict[str, Any]], str]]]:
    """Return the columns of a table of win rates, each with the function that formats it."""
    if table.crossed:
        return [column for column in COLUMNS if column[0] not in PAIRS_WITHOUT]
    if not table.decides:
        return list(COLUMNS)
    return [DECISION if name == "score" else (name, written) for name, written in COLUMNS]


def standard_output() -> SafeConsole:
    """Return standard output as a console. If it is piped, it has 100 columns and no colour."""
    console = SafeConsole()
    return console if console.is_terminal else SafeConsole(width=PIPED_WIDTH)


def print_section(
    section: Section, console: SafeConsole | None = None, full: bool = False, tables: bool = True, files: str = FILES
) -> None:
    """Print a section: its heading, sentences and tables.

    Parameters
    ----------
    section
        A part of a report, or a result of a command.
    console
        By default as for `print_report`.
    full
        Whether to print long tables as well, with all their rows, and how to read the section.
    tables
        Whether to print tables. Tables that are not printed are listed by their titles.
    files
        Where readers find the columns that do not fit.
    """
    console = console or standard_output()
    console.print(section.title, style="bold underline")
    for sentence in section.sentences:
        console.print(sentence)
    if full and section.reading:
        console.print(section.reading, style="dim")
    left: list[str] = []
    for listing in section.listings:
        if not listing.frame.height:
            continue
        if not (full or (tables and not listing.folded)):
            left.append(listing.title)
            continue
        console.print()
        rows, said = listing_grid(listing, console.width, full, files)
        console.print(rows)
        if said:
            console.print(said, style="dim")
    if left:
        console.print(f"More: {'; '.join(left)} ({ELSEWHERE}).", style="dim")


def listing_grid(
    listing: Listing, width: int, full: bool = False, files: str = FILES, elsewhere: str = ELSEWHERE
) -> tuple[Grid, str]:
    """Return a listing as a grid, and the text below it.

    The grid has the columns that fit into `width`, and only the first rows unless `full`. The text says where to find
    the rest: further rows in `elsewhere`, further columns in `files`.
    """
    written = sheet(listing)
    columns = fitting(written, width)
    # One more row takes no more room than the sentence that says it is left out.
    shown = len(written.rows) if full or len(written.rows) == MAX_ROWS + 1 else min(MAX_ROWS, len(written.rows))
    said = [listing.note] if listing.note else []
    if shown < len(written.rows):
        said.append(f"And {len(written.rows) - shown} more rows ({elsewhere}).")
    missing = [head.title for number, head in enumerate(written.heads) if number not in columns]
    if missing:
        # Leave out columns of limits, because each follows the column that it belongs to.
        named = dict.fromkeys(title for title in missing if not title.startswith(("limits", "95 % interval")))
        said.append(f"Further columns ({', '.join(named or missing)}): {files}.")
    result = Grid(title=listing.title, **GRID_STYLE)
    for number in columns:
        head = written.heads[number]
        justify: Any = "left" if head.text else "right"
        wraps = number == 0 and len(columns) > 1 and column_width(written, 0) > FIRST_WIDTH
        whole = len(columns) > 1 and not wraps and head.title != DESCRIPTION
        widest = FIRST_WIDTH if wraps else None
        result.add_column(head.title, justify=justify, no_wrap=whole, overflow="fold", max_width=widest)
    for row, tone in zip(written.rows[:shown], written.tones[:shown], strict=True):
        result.add_row(*(row[number].text for number in columns), style=STYLES[tone])
    return result, " ".join(said)


def column_width(written: Sheet, number: int) -> int:
    """Return the width of a column: the length of its longest cell or of its heading."""
    return max([len(written.heads[number].title), *(len(row[number].text) for row in written.rows)])


def fitting(written: Sheet, width: int) -> list[int]:
    """Return the numbers of the columns that fit into a width, from left to right.

    The first column is always included. So is the last one, if it holds notes or descriptions.
    """
    widths = [3 + column_width(written, number) for number in range(len(written.heads))]
    widths[0] = min(widths[0], 3 + FIRST_WIDTH)
    last = len(widths) - 1
    notes = [last] if last > 0 and written.heads[last].title in (NOTE, DESCRIPTION) else []
    chosen, used = [0], widths[0] + sum(widths[number] for number in notes) - 1
    for number in range(1, len(widths) - len(notes)):
        used += widths[number]
        if used > width:
            break
        chosen.append(number)
    return chosen + notes


def print_finding(finding: Finding, console: SafeConsole) -> None:
    """Print a finding's headline and its details."""
    console.print(finding.headline, style=TONES[finding.tone])
    for detail in finding.details:
        console.print(detail, soft_wrap=False, no_wrap=False)
    if finding.details:
        console.print()


def grid(table: Table) -> Grid:
    """Return a table as a grid. If the table allows no finding, its caption says why."""
    caption = f"{table.silence} {table.note}".strip() or None
    result = Grid(title=table.heading, caption=caption, **GRID_STYLE)
    first = table.name.partition(" x ")[0] if table.crossed else table.noun
    result.add_column(first, no_wrap=True, overflow="ellipsis", min_width=8)
    if table.crossed:
        result.add_column("with", no_wrap=True)
    columns = win_rate_columns(table)
    for name, _ in columns:
        result.add_column(name, justify="left" if name == "flag" else "right", no_wrap=True)
    for row in table.frame.to_dicts():
        cells = [cell(row) for _, cell in columns]
        levels = [row["level"], row["level2"]] if table.crossed else [row["level"]]
        result.add_row(*levels, *cells, style=STYLES[row["flag"]])
    return result

"""The contents of a folder: its runs, comparisons, sweeps and leagues, with the question and the result of each."""

from __future__ import annotations

import html
import json
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import polars as pl

from reports.data.folders import ARMS, MAX_DEPTH, SWEEP_MANIFEST, FoundFolder, find_results
from reports.data.load import load_run
from reports.drawing import (
    INK,
    NARROW,
    NEUTRAL,
    STRONG,
    WEAK,
    Axes,
    label_rows,
    signed,
    styled,
    styled_axes,
    value_beside,
)
from reports.formatting import counted, edge_between, games_of, listed, points, some, typeset, variant_words
from reports.model import Column, Listing, Picture, Report, Section, TabledResults
from reports.render.page import sections_page, write_html
from reports.report import build_report
from reports.sections.compare.changes import comparison_sections, headlines, what_differs
from reports.sections.core.next_step import NextStep, command
from reports.sections.core.shares import share_report
from reports.sections.people.league import balance_headline
from reports.statistics.core.balance import MARGIN
from reports.statistics.people.results import people_results
from reports.studies.compare.change_words import changes_in_words, printed_values, turned_between
from reports.studies.compare.compare import compare_runs
from sim.data.arguments import checks_arguments
from sim.data.files import write_whole
from sim.data.json_input import read_limited_text, read_object
from sim.errors import UserError
from sim.game import load_game
from sim.league.folder import load_league
from sim.league.manifest import load_league_manifest
from sim.runs.progress import duration
from sim.runs.store.manifest import Manifest, load_manifest
from sim.runs.store.merge import whole_of

SHORT = re.compile(r"(?<=[a-z)])\. ")
"""Pattern of the end of a headline's first sentence. A decimal point does not match."""

PAGE, LISTS = "page", "Runs and reports"
"""`PAGE`: `ViewRow.what` of a page whose study has no folder. `LISTS`: title of a page that lists a folder."""
PAGE_TIMES = 6
"""Ratio of the time to make a run's page and the time to compute its verdict: 5 to 7 in 7 Wonders and Imperium."""
MAX_DRAWN = 16
"""Maximum number of rows in the figure, which has up to two rows for each run."""
MADE, MAX_HEAD = 'class="identity"', 100_000
"""A string in every page of this program, and the number of characters of a file in which it is searched for."""
PAGE_TEXT = {"title": re.compile(r"(?s)<title>(.*?)</title>"), "headline": re.compile(r"(?s)<h2>(.*?)</h2>")}


@dataclass(frozen=True)
class ViewEdge:
    """The edge of one faction or seat of a run, with the limits that the report of the run gives; all are fractions.

    `out` tells whether the verdict of the run names it as out of balance.
    """

    name: str
    edge: float
    low: float
    high: float
    out: bool


@dataclass(frozen=True)
class ViewRow:
    """An entry of a folder: a run, comparison, sweep or league, or another page.

    Attributes
    ----------
    what
        "run", "comparison", "sweep", "league" or "page".
    folder
        The folder of the entry; for a page, its file.
    game, asked
        The title of the game, and the question in words: players, variant and changes.
    verdict
        The result in one sentence, or the error message if the entry is damaged; empty if no result was computed.
    started
        Start time, ISO 8601.
    games, size
        Number of games (of each arm or value), and a text with this number and the numbers of players.
    tags, note
        The user's tags and note.
    pool
        Key that is equal for runs that differ in their seed only; empty for entries that cannot be merged.
    edges
        For a run: the rows farthest above and farthest below their fair share.
    page_seconds
        For a run: seconds to make its whole page on this machine, estimated from the time of its verdict. 0 without a
        verdict.
    """

    what: str
    folder: Path
    game: str = ""
    asked: str = ""
    verdict: str = ""
    started: str = ""
    games: int = 0
    size: str = ""
    tags: tuple[str, ...] = ()
    note: str = ""
    pool: str = ""
    seed: int = 0
    edges: tuple[ViewEdge, ...] = ()
    page_seconds: float = 0.0

    @property
    def page(self) -> Path:
        """The HTML page of the same name beside the folder; if there is no such page, the folder."""
        return self.own_page if self.own_page.is_file() else self.folder

    @property
    def own_page(self) -> Path:
        """The path at which the entry's own page is written; the page need not exist."""
        return self.folder if self.what == PAGE else self.folder.with_name(f"{self.folder.name}.html")

    @property
    def question(self) -> str:
        """The question, preceded by the title of the game."""
        return f"{self.game}: {self.asked}" if self.game else self.asked if self.what == PAGE else ""

    @property
    def date(self) -> str:
        """Day and minute of the start, as text."""
        return self.started[:16].replace("T", " ")


@dataclass(frozen=True)
class FolderView(TabledResults):
    """The contents of a folder, latest first. `tags` are the tags that all entries have, as requested."""

    folder: Path
    rows: tuple[ViewRow, ...]
    tags: tuple[str, ...] = ()

    @property
    def sections(self) -> tuple[Section, ...]:
        """One section with the list, whose links are relative to the folder."""
        return (view_section(self, self.folder),)

    def __repr__(self) -> str:
        return "\n".join(lines_of(self))


@checks_arguments
def view_folder(
    folder: str | os.PathLike[str],
    *,
    verdicts: bool = True,
    tags: Sequence[str] = (),
    say: Callable[[int], None] = lambda done: None,
) -> FolderView:
    """List all runs, comparisons, sweeps and pages of other studies in a folder and below it.

    Parameters
    ----------
    folder
        The folder.
    verdicts
        Whether to compute a verdict from the games; otherwise only manifests are read.
    tags
        List only entries that have all of these tags.
    say
        Called with 1 after each entry, for progress.

    Raises
    ------
    UserError
        No such folder. An error of a single run is reported in its row.
    """
    rows = []
    for found in find_results(Path(folder)):
        try:
            row = ROWS[found.what](found, verdicts, tags)
        except UserError as error:
            row = ViewRow(found.what, found.folder, verdict=f"cannot be read: {error}")
        if set(tags) <= set(row.tags):
            rows.append(row)
        say(1)
    linked = {row.own_page for row in rows}
    rows += [] if tags else [page for page in pages_of_studies(Path(folder)) if page.folder not in linked]
    return FolderView(Path(folder), tuple(sorted(rows, key=lambda row: row.started, reverse=True)), tuple(tags))


def pages_of_studies(folder: Path) -> Iterator[ViewRow]:
    """Yield a row for each page of a study in a folder and its subfolders, if this program has written the page.

    Pages that list the contents of a folder are left out.
    """
    for path in sorted(folder.rglob("*.html")):
        parts = path.relative_to(folder).parts
        if len(parts) > MAX_DEPTH or any(part.startswith(".") for part in parts) or not path.is_file():
            continue
        with path.open(encoding="utf-8", errors="replace") as file:
            text = file.read(MAX_HEAD)
        title, headline = (PAGE_TEXT[name].search(text) for name in ("title", "headline"))
        if title is None or headline is None or MADE not in text or LISTS in text:
            continue
        said, found = (html.unescape(re.sub(r"<[^>]+>", "", match[1])).strip() for match in (title, headline))
        begun = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat()
        yield ViewRow(PAGE, path, asked=said, verdict=found, started=begun)


def write_missing_pages(view: FolderView) -> list[Path]:
    """Write the pages that runs and comparisons lack, each beside its folder; return the new files."""
    written = []
    for row in lacking_pages(view):
        if row.what == "run":
            write_html(build_report(load_run(row.folder)), row.own_page)
        else:
            found = compare_runs(row.folder / ARMS[0], row.folder / ARMS[1])
            manifests = {"run a": found.manifest_a, "run b": found.manifest_b}
            text = sections_page(row.question, row.size, comparison_sections(found), manifests)
            write_whole(row.own_page, text.encode("utf-8"))
        written.append(row.own_page)
    return written


def lacking_pages(view: FolderView) -> list[ViewRow]:
    """Return the runs and comparisons that lack a page."""
    made = [row for row in view.rows if row.what in ("run", "comparison") and row.started]
    return [row for row in made if not row.own_page.is_file()]


def row_of_run(found: FoundFolder, verdicts: bool, tags: Sequence[str]) -> ViewRow:
    """Return the row of a run. It has a verdict if `verdicts` is set and the run has all of `tags`."""
    manifest = load_manifest(found.folder)
    row = written_on(found, manifest)
    # Do not read the games of entries that the tags exclude.
    if not verdicts or not set(tags) <= set(row.tags):
        return row
    before = time.perf_counter()
    report = share_report(load_run(found.folder))
    seconds = PAGE_TIMES * (time.perf_counter() - before)
    verdict = first_sentence(report.findings[0].headline)
    return replace(row, verdict=verdict, edges=outermost_edges(report), page_seconds=seconds)


def outermost_edges(report: Report) -> tuple[ViewEdge, ...]:
    """Return the rows farthest above and below their fair share in a run's table of factions, or else of seats."""
    table = next((report.tables[name] for name in ("faction", "seat") if name in report.tables), None)
    if table is None or table.silence:
        return ()
    rows = table.frame.drop_nulls(["edge", "family_low", "family_high"]).sort("edge", descending=True).to_dicts()
    out = {(row["table"], row["name"]) for row in report.verdict.rows}
    return tuple(
        ViewEdge(row["level"], row["edge"], row["family_low"], row["family_high"], (table.name, row["level"]) in out)
        for row in (rows if len(rows) < 2 else (rows[0], rows[-1]))
    )


def written_on(found: FoundFolder, manifest: Manifest) -> ViewRow:
    """Return the row of a run or comparison, filled from a manifest only: it has no verdict and no edges."""
    alone = manifest.stopped is None and all(count.seed is None for count in manifest.player_counts)
    return ViewRow(
        found.what, found.folder, manifest.title, question_of(manifest), started=manifest.started, games=manifest.games,
        size=games_of(manifest), tags=tuple(manifest.tags), note=manifest.note, seed=manifest.seed,
        pool=json.dumps(whole_of(manifest), sort_keys=True) if alone and manifest.player_counts else "",
    )  # fmt: skip


def question_of(manifest: Manifest) -> str:
    """Describe the question of a run: 'balanced, military; variant peaceful; Pawnshop 1, points: 3 to 8'."""
    said = [some([row.name for row in manifest.strategies])]
    if len(manifest.variants) > 1 or manifest.variant != "standard":
        said.append(f"variant {variant_words(manifest)}")
    if manifest.factions and len(manifest.factions_dealt) < len(manifest.factions):
        said.append(some(manifest.factions_dealt))
    said += changes_in_words(manifest)
    said += [f"deck {deck.file}" for deck in manifest.decks]
    return "; ".join(said)


def row_of_comparison(found: FoundFolder, verdicts: bool, tags: Sequence[str]) -> ViewRow:
    """Return the row of a comparison. It has a verdict if `verdicts` is set and the comparison has all of `tags`."""
    first, second = (load_manifest(found.folder / arm) for arm in ARMS)
    turned = turned_between(first, second)
    differing = [str(one) for one in turned] or what_differs(first, second)
    row = replace(written_on(found, first), asked="; ".join([question_of(first), *differing]), pool="")
    if not verdicts or not set(tags) <= set(row.tags):
        return row
    return replace(row, verdict=next(headlines(compare_runs(found.folder / "a", found.folder / "b"))))


def row_of_sweep(found: FoundFolder, verdicts: bool, tags: Sequence[str]) -> ViewRow:
    """Return the row of a sweep, whose manifest contains the result. Raise UserError if the manifest is unreadable."""
    path = found.folder / SWEEP_MANIFEST
    try:
        read = read_object(path, read_limited_text(path), None)
        config, started = read["config"], datetime.fromtimestamp(path.stat().st_mtime, UTC)
        changes = [vary["change"] for vary in config["vary"]]
        named = printed_values(config["game"], config["settings"], [], changes).values()
        values = [
            f"{', '.join(filter(None, name[:2]))} over {listed(vary['values'])}"
            for name, vary in zip(named, config["vary"], strict=True)
        ]
        games = int(config["games"])
        size = f"{counted(games, 'game')} of {config['players']} players at each value"
        asked = "; ".join([some(list(config["strategies"])), *values])
        said = " ".join(read.get("fair") or read.get("said") or []) if verdicts else ""
        game = load_game(config["game"]).title
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(f"not the manifest of a sweep ({type(error).__name__})", file=path) from error
    return ViewRow("sweep", found.folder, game, asked, said, started.isoformat(), games, size)


def row_of_league(found: FoundFolder, verdicts: bool, tags: Sequence[str]) -> ViewRow:
    """Return the row of a league. It has a verdict if `verdicts` is set and there are no `tags`: leagues have none."""
    manifest = load_league_manifest(found.folder)
    row = ViewRow(
        "league", found.folder, manifest.name, "results of real games", started=manifest.imported,
        games=manifest.games, size=counted(manifest.games, "game"),
    )  # fmt: skip
    if not verdicts or tags:
        return row
    return replace(row, verdict=balance_headline(people_results(load_league(found.folder), MARGIN))[0][0])


ROWS = {"run": row_of_run, "comparison": row_of_comparison, "sweep": row_of_sweep, "league": row_of_league}


def first_sentence(headline: str) -> str:
    """Return the first sentence of a headline."""
    return SHORT.split(headline)[0].removesuffix(".") + "."


def pools(view: FolderView) -> list[tuple[ViewRow, ...]]:
    """Group runs that differ in their seeds only, so that they can be merged."""
    groups: dict[str, list[ViewRow]] = {}
    for row in view.rows:
        if row.pool:
            groups.setdefault(row.pool, []).append(row)
    several = (sorted(rows, key=lambda row: row.seed) for rows in groups.values() if len(rows) > 1)
    return [tuple(rows) for rows in several if len({row.seed for row in rows}) == len(rows)]


def view_sentences(view: FolderView) -> list[str]:
    """Summarise the entries of a folder: their number, what is out of balance, and which runs can be merged."""
    counts = [(what, sum(row.what == what for row in view.rows)) for what in (*ROWS, PAGE)]
    there = [counted(count, what) for what, count in counts if count]
    bearing = f" with the tag {listed(view.tags)}" if view.tags else ""
    nothing = "No run, comparison, sweep or league"
    said = [f"{listed(there) if there else nothing} in {folder_title(view.folder)}{bearing}."]
    judged = [row for row in view.rows if row.edges]
    if (worst := worst_imbalance(view)) is not None:
        row, one = worst
        out = sum(any(edge.out for edge in row.edges) for row in judged)
        farthest = f"{one.name} in {relative(row.folder, view.folder)}, {edge_between(one.edge, one.low, one.high)}"
        said.insert(0, f"Out of balance: {out} of {counted(len(judged), 'run')}; most clearly off is {farthest}.")
    elif judged:
        said.insert(0, f"Out of balance: none of {counted(len(judged), 'run')}.")
    for rows in pools(view):
        names = listed([str(row.folder) for row in rows])
        said.append(f"Same plan, different seeds; `empirelab merge` pools them: {names}.")
    return said


def worst_imbalance(view: FolderView) -> tuple[ViewRow, ViewEdge] | None:
    """Return the edge out of balance whose interval is farthest from 0, with its run; None if no edge is."""
    out = [(row, edge) for row in view.rows for edge in row.edges if edge.out]
    return max(out, key=lambda one: max(one[1].low, -one[1].high), default=None)


def view_step(view: FolderView, place: Path) -> NextStep | None:
    """Suggest the next commands, which are shown below a list; None if there is nothing to suggest.

    One command makes the report of the run that is farthest out of balance, or explains its row if that report exists.
    Another makes the missing pages.
    """
    worst, said, commands = worst_imbalance(view), [], []
    if worst is not None:
        row, edge = worst
        if row.page == row.folder:
            said.append(f"Open the report of {row.folder}, which suggests what to change ({page_time([row])}).")
            commands.append(command("report", str(row.folder), "--html", str(row.own_page)))
        else:
            said.append(f"Find out why {edge.name} is off in {row.folder} ({page_time([row])}).")
            commands.append(command("explain", str(row.folder), "--faction", edge.name))
    if missing := lacking_pages(view):
        said.append(f"Write the {counted(len(missing), 'missing page')} ({page_time(missing)}).")
        commands.append(command("view", str(view.folder), "--reports", "--html", str(place / "index.html")))
    return NextStep(" ".join(said), tuple(commands)) if said else None


def page_time(rows: Sequence[ViewRow]) -> str:
    """Say how long it takes to make the pages of some entries.

    An entry without a time counts as the mean of the others.
    """
    known = [row.page_seconds for row in rows if row.page_seconds > 0]
    return f"about {duration(max(1.0, sum(known) / len(known) * len(rows)))} here" if known else "a few seconds each"


@styled
def draw_edges(view: FolderView, ax: Axes | None = None) -> Axes:
    """Draw for each of the latest runs the rows farthest above and below their fair share."""
    rows = [(row, edge) for row in view.rows if row.edges for edge in row.edges][:MAX_DRAWN]
    names = [f"{edge.name}\n{relative(row.folder, view.folder)}" for row, edge in rows]
    ax = styled_axes(ax, NARROW, 1.2 + 0.42 * len(rows))
    ax.axvspan(-100 * MARGIN, 100 * MARGIN, color=NEUTRAL, alpha=0.13, lw=0, zorder=0)
    ax.axvline(0, color=INK, lw=1.1, ls=(0, (4, 3)), zorder=1)
    for place, (_, edge) in enumerate(rows):
        colour = NEUTRAL if not edge.out else STRONG if edge.edge > 0 else WEAK
        ax.hlines(place, 100 * edge.low, 100 * edge.high, colour, lw=4, alpha=0.35, zorder=2)
        ax.plot(100 * edge.edge, place, "o", ms=6.5, color=colour, zorder=3)
        value_beside(ax, place, typeset(points(edge.edge)))
    label_rows(ax, names)
    ax.xaxis.set_major_formatter(signed)
    ax.set_xlabel("edge, points; bar: limits of the report\ncoloured: out of balance, grey area: margin", fontsize=8.5,
                  color=NEUTRAL)  # fmt: skip
    return ax


def folder_title(folder: Path) -> str:
    """Name a folder in titles and sentences. A folder without a name, such as `.`, is named by its full path."""
    return str(folder if folder.name else folder.resolve())


def view_section(view: FolderView, place: Path) -> Section:
    """Return the list of a folder as a section of a page that lies in the folder `place`."""
    columns = (
        Column("folder", "page", "link", meaning="the page of the same name; the folder if there is none"),
        Column("asked", "question", "text"),
        Column("verdict", "result", "text"),
        Column("date", "started", "text", meaning="in universal time", further=True),
        Column("what", "what", "text", further=True),
        Column("tags", "tags", "text"),
        Column("note", "your note", "text"),
    )
    lines = [
        {
            "folder": relative(row.folder, view.folder),
            "folder_href": link(row.page, place),
            "what": ", ".join(filter(None, [row.what, row.size])),
            "asked": row.question,
            "verdict": row.verdict,
            "date": row.date,
            "games": row.games,
            "tags": ", ".join(row.tags),
            "note": row.note,
        }
        for row in view.rows
    ]
    names = ("folder", "folder_href", "what", "asked", "verdict", "date", "tags", "note")
    schema: dict[str, Any] = dict.fromkeys(names, pl.String) | {"games": pl.Int64}
    left_out = {name for name in ("tags", "note") if not any(getattr(row, name) for row in view.rows)}
    shown = tuple(column for column in columns if column.name not in left_out)
    listing = Listing("folder", "Latest first", pl.DataFrame(lines, schema=schema), shown, whole=True)
    sentences = tuple(view_sentences(view))
    drawn = any(row.edges for row in view.rows)
    pictures = (Picture("runs", partial(draw_edges, view), sentences[0]),) if drawn else ()
    return Section("folder", LISTS, sentences, (listing,), pictures)


def relative(folder: Path, root: Path) -> str:
    """Return a folder's path relative to `root`, or the name of `root` for the folder itself."""
    return str(folder.relative_to(root)) if folder != root else folder.resolve().name


def link(target: Path, place: Path) -> str:
    """Return a link from the folder `place`. It begins with `./`, so no name with a colon reads as a URL scheme."""
    return "./" + quote(Path(os.path.relpath(target.resolve(), place.resolve())).as_posix())


def lines_of(view: FolderView) -> list[str]:
    """Return the list as lines for a terminal: a few lines per entry."""
    said = view_sentences(view)
    for row in view.rows:
        head = [row.what, row.date, row.size, *(f"#{tag}" for tag in row.tags)]
        said += ["", f"{row.folder}  ({', '.join(filter(None, head))})"]
        said += [f"    {text}" for text in (row.question, row.verdict, row.note and f"Note: {row.note}") if text]
    return said

"""The data model of reports, which terminal, page, JSON, figures and notebooks render.

A section has sentences, tables (frames whose columns declare their format) and figures. Renderers know only these
types, so a new statistic needs no new page. The types know no renderer: each registers itself with `shows` or `prints`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

import polars as pl
from matplotlib.axes import Axes

from reports.claims import Claim
from reports.formatting import capital
from sim.data.arguments import checks_arguments
from sim.errors import UserError
from sim.runs.store.manifest import Manifest

ColumnKind = Literal["text", "count", "share", "edge", "size", "number", "p", "flag", "link"]
"""How a column is written: a share 0.2514 as '25.14 %', an edge 0.031 as '+3.10', a size 0.031 as '3.10' points.

A link is a text; the column of the same name with `_href` behind it says where it leads."""

Item = TypeVar("Item")

LEADING = ("balance", "summary")
"""Sections that stand right below the verdict, before the tables they sum up."""

_SHOW: dict[type, Callable[[Any], str]] = {}
"""Notebook renderer of each type, once a page module is imported."""
_PRINT: dict[type, Callable[[Any], str]] = {}
"""Prompt renderer of each type, once the terminal module is imported."""


def shows(kind: type) -> Callable[[Callable[[Any], str]], Callable[[Any], str]]:
    """Register a function that renders one type in a notebook."""

    def register(show: Callable[[Any], str]) -> Callable[[Any], str]:
        _SHOW[kind] = show
        return show

    return register


def prints(kind: type) -> Callable[[Callable[[Any], str]], Callable[[Any], str]]:
    """Register a function that renders one type at a prompt."""

    def register(write: Callable[[Any], str]) -> Callable[[Any], str]:
        _PRINT[kind] = write
        return write

    return register


def render_prompt(shape: object) -> str | None:
    """Render a value for a prompt; None if the terminal module is not imported."""
    write = _PRINT.get(type(shape))
    return None if write is None else write(shape)


def render_notebook(shape: object) -> str | None:
    """Render a value for a notebook; None, which falls back to its `repr`, if no page module is imported."""
    show = _SHOW.get(type(shape))
    return None if show is None else show(shape)


class InNotebook:
    """Base of what a notebook shows as a piece of a page, once a page is imported."""

    def _repr_html_(self) -> str | None:
        return render_notebook(self)


class ByName(dict[str, Item]):
    """Tables, frames or figures by name; an unknown name raises UserError with the known ones."""

    def __missing__(self, name: str) -> Item:
        """Raise UserError with the known names."""
        raise UserError("nothing has this name", found=name, allowed=list(self))


@dataclass(frozen=True)
class Column:
    """A column of a listing.

    Attributes
    ----------
    name
        Name in the frame.
    title
        Heading.
    kind
        Format of the values.
    low, high
        Columns with the limits of its interval, shown beside it as 'a to b'; empty for none.
    meaning
        The heading explained in a few words.
    further
        Whether the page hides it on a screen as narrow as a phone's.
    limits
        Heading of the limits.
    """

    name: str
    title: str
    kind: ColumnKind
    low: str = ""
    high: str = ""
    meaning: str = ""
    further: bool = False
    limits: str = "95 % interval"


@dataclass(frozen=True)
class Listing(InNotebook):
    """A table of a section.

    Attributes
    ----------
    name
        Name in CSV and JSON: "strength faction".
    title
        Heading: "Adjusted strength by board".
    frame
        Shares and edges are fractions; unknown values are null, never NaN, and the `note` of the row or the listing
        says why.
    columns
        The columns shown, in order; the frame may have more, which CSV and JSON include.
    folded
        Whether it is too long for a terminal and folded on the page.
    note
        A sentence under the table.
    whole
        Whether the page shows all rows, however many.
    """

    name: str
    title: str
    frame: pl.DataFrame
    columns: tuple[Column, ...]
    folded: bool = False
    note: str = ""
    whole: bool = False

    def __repr__(self) -> str:
        return render_prompt(self) or f"<Listing {self.name!r}: {self.frame.height} rows>"


@dataclass(frozen=True)
class Picture:
    """A figure of a section.

    Attributes
    ----------
    name
        File name: "strength faction".
    draw
        `draw(ax=None)` draws it on the given or on new axes and returns them.
    alternative
        Text alternative.
    """

    name: str
    draw: Callable[..., Axes]
    alternative: str

    def __repr__(self) -> str:
        return f"<Picture {self.name!r}: {self.alternative}>"

    def _repr_svg_(self) -> str | None:
        return render_notebook(self)


@dataclass(frozen=True)
class Telling:
    """A long text, such as the narration of a game, which a page folds."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Section(InNotebook):
    """A part of a report beside the win rates.

    Attributes
    ----------
    name
        Short name, used in links and JSON: "strength".
    title
        Heading: "Adjusted strength".
    sentences
        Results, most important first.
    listings, pictures
        Tables and figures.
    reading
        How to read it, in two or three sentences.
    tellings
        Long texts that a page folds.
    claims
        Claims of its sentences; each is `said` in a sentence, a title or a note.
    """

    name: str
    title: str
    sentences: tuple[str, ...]
    listings: tuple[Listing, ...] = ()
    pictures: tuple[Picture, ...] = ()
    reading: str = ""
    tellings: tuple[Telling, ...] = ()
    claims: tuple[Claim, ...] = ()

    def __repr__(self) -> str:
        return "\n".join([self.title, *self.sentences])


@dataclass(frozen=True)
class Table(InNotebook):
    """Win rates of all levels of one grouping.

    Attributes
    ----------
    name
        Name in the CSV file: "faction", an attribute, "seat", "strategy", "strategy x faction", ...
    noun
        Name of a row in sentences: "wonder side".
    frame
        `level`, `level2` (null but for crossed tables), the columns of `win_rate.win_rates`, `mean_<part>` for each
        score part and measure, and those of `decisions.decided`; best edge first.
    silence
        Why the table allows no finding (a mirror match, one faction only); empty if it allows one.
    margins
        For a crossed table, the table of either column alone: `level` and the columns of `win_rate.win_rates`.
    note
        Certainty of the game data of its rows, if some factions are not confirmed.
    tests
        Number of independent tests that the rows judged together amount to; 0 if unknown.
    """

    name: str
    noun: str
    frame: pl.DataFrame
    silence: str = ""
    margins: tuple[pl.DataFrame, ...] = ()
    note: str = ""
    tests: float = 0.0

    @property
    def title(self) -> str:
        """The noun, capitalised."""
        return capital(self.noun)

    @property
    def crossed(self) -> bool:
        """Whether rows are pairs of levels."""
        return " x " in self.name

    @property
    def decides(self) -> bool:
        """Whether its rows have decisions by the margin: columns `decision` and `more_games`."""
        return "decision" in self.frame.columns and (self.frame["decision"] != "").any()

    def __repr__(self) -> str:
        return render_prompt(self) or f"<Table {self.name!r}: {self.frame.height} rows>"


@dataclass(frozen=True)
class Finding:
    """One statement of the verdict.

    Attributes
    ----------
    table
        Name of its table; empty for cautions.
    tone
        "out" (out of balance), "small" (real, but below the margin), "fair" (nothing found), "silent" (no finding
        possible) or "caution".
    details
        Confidence, further rows, and the power of this run.
    together
        Factors confounded with the table's levels in this run ("seat", "faction", "strategy").
    claims
        Claims of headline and details.
    """

    table: str
    tone: str
    headline: str
    details: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()


VerdictState = Literal["out of balance", "nothing found", "cannot tell"]


@dataclass(frozen=True)
class Verdict:
    """The verdict in machine-readable form.

    Attributes
    ----------
    state
        "cannot tell" if the run is too small, has nothing to compare, or confounds two factors.
    rows
        Rows out of balance: `table`, `name`, `edge`, `low`, `high`, fractions. The limits exclude 0 and hold for all
        rows of factions, attributes and seats at once. A table of two levels has only the one that wins too often.
    margin
        Edges up to this fraction count as balanced.
    """

    state: VerdictState
    rows: tuple[dict[str, Any], ...]
    margin: float


@dataclass(frozen=True)
class Report(InNotebook):
    """The report of a run, as page, console and CSV show it.

    Attributes
    ----------
    folder, manifest
        The run folder and its `run.json`.
    tables
        By name, in the order shown.
    omitted
        Sentences on tables that are left out because they would be empty or repeat another.
    findings
        The verdict, most important first.
    histogram
        `strategy`, `score`, `games`: how often each score was reached.
    quantiles
        `strategy` ("all" for the whole run), `games`, `mean`, `q05`, `q25`, `q50`, `q75`, `q95`.
    endings
        `end_reason`, `games`, `mean_rounds`.
    verdict
        Summary of the findings.
    sections
        Further statistics, in the order shown.
    underplayed
        Factions that the players of the run play worse than others.
    """

    folder: Path
    manifest: Manifest
    tables: dict[str, Table]
    omitted: tuple[str, ...]
    findings: tuple[Finding, ...]
    histogram: pl.DataFrame
    quantiles: pl.DataFrame
    endings: pl.DataFrame
    verdict: Verdict
    sections: tuple[Section, ...] = ()
    underplayed: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Make an unknown table name a UserError."""
        object.__setattr__(self, "tables", ByName(self.tables))

    @checks_arguments
    def section(self, name: str) -> Section:
        """Return the section of that name: `report.section("matchups")`.

        Raises
        ------
        UserError
            Unknown name; the message lists the known ones.
        """
        found = {section.name: section for section in self.sections}
        if name not in found:
            raise UserError("the report has no section of this name", found=name, allowed=list(found))
        return found[name]

    def __repr__(self) -> str:
        return "\n".join(finding.headline for finding in self.findings)

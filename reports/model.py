"""What reports are made of, whatever shows it: terminal, page, JSON, pictures or a notebook.

A section says what a statistic found in sentences, lists its rows in frames whose columns say how they are to be
written, and draws its figures. Terminal and page know only these shapes, so that a new statistic needs no new page; and
shapes know no page: a page registers how it shows them in a notebook.
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

Kind = Literal["text", "count", "share", "edge", "size", "number", "p", "flag", "link"]
"""How a column is written: a share 0.2514 as '25.14 %', an edge 0.031 as '+3.10', a size 0.031 as '3.10' points.

A link is a text; the column of the same name with `_href` behind it says where it leads."""

Part = TypeVar("Part")

LEADING = ("balance", "summary")
"""Names of sections that stand right below the verdict, before the tables they sum up."""

_SHOW: dict[type, Callable[[Any], str]] = {}
"""How each kind of shape is shown in a notebook, as far as the pages that can do so have been imported."""
_PRINT: dict[type, Callable[[Any], str]] = {}
"""How each kind of shape is written at a prompt, as far as the terminal has been imported."""


def shows(kind: type) -> Callable[[Callable[[Any], str]], Callable[[Any], str]]:
    """Register a function as what shows shapes of one kind in a notebook; its module knows the shapes, not they it."""

    def register(show: Callable[[Any], str]) -> Callable[[Any], str]:
        _SHOW[kind] = show
        return show

    return register


def prints(kind: type) -> Callable[[Callable[[Any], str]], Callable[[Any], str]]:
    """Register a function as what writes shapes of one kind at a prompt, as `shows` does for a notebook."""

    def register(write: Callable[[Any], str]) -> Callable[[Any], str]:
        _PRINT[kind] = write
        return write

    return register


def printed(shape: object) -> str | None:
    """Return a shape as a prompt writes it; None where the terminal is not imported."""
    write = _PRINT.get(type(shape))
    return None if write is None else write(shape)


def shown(shape: object) -> str | None:
    """Return a shape as a notebook shows it; None, for which its `repr` stands in, where no page is imported."""
    show = _SHOW.get(type(shape))
    return None if show is None else show(shape)


class ByName(dict[str, Part]):
    """Tables, frames or figures by name; an unknown name is answered with those there are."""

    def __missing__(self, name: str) -> Part:
        """Say which names there are.

        Raises
        ------
        UserError
            Always: this is only asked where nothing has the name.
        """
        raise UserError("nothing here has this name", found=name, allowed=list(self))


@dataclass(frozen=True)
class Column:
    """A column of a listing.

    Attributes
    ----------
    name
        Its name in the frame.
    title
        Its heading.
    kind
        How its values are written.
    low, high
        Columns with the limits of its interval, written beside it as 'a to b'; empty for none.
    meaning
        What the heading means, in a few words.
    further
        Whether the page leaves it out on a screen as narrow as a telephone's.
    limits
        Heading of the limits, where they are not 95 % intervals of one row each.
    """

    name: str
    title: str
    kind: Kind
    low: str = ""
    high: str = ""
    meaning: str = ""
    further: bool = False
    limits: str = "95 % interval"


@dataclass(frozen=True)
class Listing:
    """A table of a section.

    Attributes
    ----------
    name
        Name in CSV and JSON: "strength faction".
    title
        Heading: "Adjusted strength by board".
    frame
        One row per line. Shares and edges are fractions; unknown values are null, never NaN, and the row's `note`
        (or the listing's) says why.
    columns
        What is shown, in this order; the frame may hold more, which CSV and JSON give.
    folded
        Whether it is too long for a terminal and stands behind a fold on the page.
    note
        A sentence under the table.
    whole
        Whether the page shows all of it, however long it is.
    """

    name: str
    title: str
    frame: pl.DataFrame
    columns: tuple[Column, ...]
    folded: bool = False
    note: str = ""
    whole: bool = False

    def __repr__(self) -> str:
        """Show itself at a prompt, with its rows."""
        return printed(self) or f"<Listing {self.name!r}: {self.frame.height} rows>"

    def _repr_html_(self) -> str | None:
        """Show itself in a notebook."""
        return shown(self)


@dataclass(frozen=True)
class Picture:
    """A figure of a section.

    Attributes
    ----------
    name
        Name of its file: "strength faction".
    draw
        Draws it on new axes, or on those it is given, and returns them: `draw(ax=None)`.
    alternative
        What it shows, for readers who cannot see it.
    """

    name: str
    draw: Callable[..., Axes]
    alternative: str

    def __repr__(self) -> str:
        """Show itself at a prompt."""
        return f"<Picture {self.name!r}: {self.alternative}>"

    def _repr_svg_(self) -> str | None:
        """Show itself in a notebook."""
        return shown(self)


@dataclass(frozen=True)
class Telling:
    """A text of many lines, such as a game told turn by turn, which a page shows behind a fold.

    Attributes
    ----------
    title
        What is told: "typical win: game 12".
    lines
        Lines of words.
    """

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Section:
    """A part of a report beside the win shares.

    Attributes
    ----------
    name
        Short name, used in links and JSON: "strength".
    title
        Heading: "Adjusted strength".
    sentences
        What was found, most important first, as a designer would say it.
    listings, pictures
        Its tables and figures.
    reading
        How to read it, in two or three sentences.
    tellings
        Texts of many lines that a page shows behind folds.
    claims
        What its sentences claim about the truth; each of them is `said` in a sentence, a title or a note.
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
        """Show itself at a prompt."""
        return "\n".join([self.title, *self.sentences])

    def _repr_html_(self) -> str | None:
        """Show itself in a notebook."""
        return shown(self)


@dataclass(frozen=True)
class Table:
    """Win shares of all levels of one grouping.

    Attributes
    ----------
    name
        Name in the CSV file: "faction", an attribute, "seat", "strategy", "strategy x faction", ...
    noun
        What one row is called in a sentence: "wonder side".
    frame
        `level`, `level2` (null but for crossed tables), the columns of `winshare.win_shares`, `mean_<part>` for each
        score part and measure, and those of `decisions.decided`; best edge first.
    silence
        Why this table can hold no finding (a mirror match, one faction only); empty where it can.
    margins
        For a crossed table the same of either column alone: `level` and the columns of `winshare.win_shares`.
    note
        How sure the data of its rows is, where they are factions and some of them are not confirmed.
    tests
        How many independent tests the rows that are judged together are worth; 0 where nothing is known of them.
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
        """The noun with a capital, as a heading."""
        return capital(self.noun)

    @property
    def crossed(self) -> bool:
        """Whether a row is a pair of levels."""
        return " x " in self.name

    @property
    def decides(self) -> bool:
        """Whether a margin has decided its rows: columns `decision` and `more_games`."""
        return "decision" in self.frame.columns and (self.frame["decision"] != "").any()

    def __repr__(self) -> str:
        """Show itself at a prompt, with its rows."""
        return printed(self) or f"<Table {self.name!r}: {self.frame.height} rows>"

    def _repr_html_(self) -> str | None:
        """Show itself in a notebook."""
        return shown(self)


@dataclass(frozen=True)
class Finding:
    """One statement of the verdict.

    Attributes
    ----------
    table
        Name of the table it rests on; empty for cautions.
    tone
        "out" (out of balance), "small" (real, but below the margin), "fair" (nothing found), "silent" (no finding
        possible) or "caution".
    headline
        The statement.
    details
        How sure, how much else, and what this run could have seen.
    together
        What goes together with the table's levels in this run ("seat", "faction", "strategy"): its edges may be theirs.
    claims
        What headline and details claim about the truth.
    """

    table: str
    tone: str
    headline: str
    details: tuple[str, ...] = ()
    together: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()


State = Literal["out of balance", "nothing found", "cannot tell"]


@dataclass(frozen=True)
class Verdict:
    """The verdict as a program reads it.

    Attributes
    ----------
    state
        "out of balance" where a row is, "nothing found" where none was found to be, "cannot tell" where the run is too
        small, holds nothing to compare, or does not tell two things apart.
    rows
        What is out of balance: `table`, `name`, `edge`, `low`, `high`, fractions; the limits hold for all rows of all
        tables of factions, attributes and seats at once, and none of them reaches 0. Of a table of two levels the one
        that wins too often.
    margin
        Edges up to this one, a fraction, count as balanced.
    """

    state: State
    rows: tuple[dict[str, Any], ...]
    margin: float


@dataclass(frozen=True)
class Report:
    """All that page, console and CSV show of one run.

    Attributes
    ----------
    folder, manifest
        Where the run lies and its `run.json`.
    tables
        By name, in the order in which they are shown.
    omitted
        Sentences on tables that would say nothing or the same again.
    findings
        The verdict, most important first.
    histogram
        `strategy`, `score`, `games`: how often each score was reached.
    quantiles
        `strategy` ("all" for the whole run), `games`, `mean`, `q05`, `q25`, `q50`, `q75`, `q95`.
    endings
        `end_reason`, `games`, `mean_rounds`.
    verdict
        What the findings come to.
    sections
        Further statistics, in the order in which they are shown.
    underplayed
        Factions which players of the run play worse than others.
    """

    folder: Path
    manifest: dict[str, Any]
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
        """Let the tables answer an unknown name."""
        object.__setattr__(self, "tables", ByName(self.tables))

    @checks_arguments
    def section(self, name: str) -> Section:
        """Return the section of that name: `report.section("matchups")`.

        Raises
        ------
        UserError
            There is none; the message names those there are.
        """
        found = {section.name: section for section in self.sections}
        if name not in found:
            raise UserError("the report has no such section", found=name, allowed=list(found))
        return found[name]

    def __repr__(self) -> str:
        """Show itself at a prompt."""
        return "\n".join(finding.headline for finding in self.findings)

    def _repr_html_(self) -> str | None:
        """Show itself in a notebook."""
        return shown(self)

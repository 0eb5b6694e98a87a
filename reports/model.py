"""The data model of reports. Reports are shown on a terminal, as pages, JSON and figures, and in notebooks.

A section has sentences, tables (frames whose columns declare their format) and figures. Renderers know only these
types, so a new statistic needs no new page. The types do not know the renderers, which register themselves with `shows`
or `prints`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import polars as pl

from reports.claims import Claim, Said, split_claims
from reports.formatting import capital, margin_words, points
from sim.data.arguments import checks_arguments
from sim.errors import UserError
from sim.runs.store.manifest import Manifest

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

ColumnKind = Literal["text", "count", "share", "edge", "size", "number", "p", "flag", "link"]
"""How the values of a column are written.

A share of 0.2514 becomes '25.14 %', an edge of 0.031 '+3.10', and a size of 0.031 '3.10' points. A link is a string;
its target is in the column of the same name with `_href` appended.
"""

Item = TypeVar("Item")
Function = TypeVar("Function", bound=Callable[..., Any])

DECIDED = ("faction", "seat", "start")
"""Tables whose rows have decisions on the first screen."""
LEADING = ("balance", "summary")
"""Sections shown right below the verdict, before the tables that they summarise."""

_SHOW: dict[type, Callable[[Any], str]] = {}
"""By type: the function that shows its values in a notebook. Empty until a page module is imported."""
_PRINT: dict[type, Callable[[Any], str]] = {}
"""By type: the function that shows its values at a prompt. Empty until the terminal module is imported."""
_DRAW: dict[type, Callable[..., Any]] = {}
"""By type of table: the function that draws it. Empty until the module with its figures is imported."""


def _registers(known: dict[type, Callable[..., Any]], kind: type) -> Callable[[Function], Function]:
    """Return a decorator that sets `known[kind]` to the decorated function."""

    def register(function: Function) -> Function:
        known[kind] = function
        return function

    return register


shows = partial(_registers, _SHOW)
"""Register a function that shows a type in a notebook."""
prints = partial(_registers, _PRINT)
"""Register a function that shows a type at a prompt."""
draws = partial(_registers, _DRAW)
"""Register a function that draws a type of table on given or new axes."""


def render_prompt(shape: object) -> str | None:
    """Return a value as shown at a prompt; None if the terminal module is not imported."""
    write = _PRINT.get(type(shape))
    return None if write is None else write(shape)


def render_notebook(shape: object) -> str | None:
    """Return a value as shown in a notebook; None if no page module is imported, so that its `repr` is shown."""
    show = _SHOW.get(type(shape))
    return None if show is None else show(shape)


class InNotebook:
    """Base of classes that a notebook shows as a page would, once the page module is imported."""

    def _repr_html_(self) -> str | None:
        return render_notebook(self)


class ByName(dict[str, Item]):
    """Tables, frames or figures by name. An unknown name raises UserError, which lists the known names.

    Parameters
    ----------
    named
        The items by name, or pairs of a name and an item.
    also
        Synonyms of words in names: with `{"board": "faction"}`, "board" finds the item "faction".
    """

    def __init__(
        self, named: Mapping[str, Item] | Iterable[tuple[str, Item]] = (), also: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(named)
        self.also = dict(also or {})

    def __missing__(self, name: str) -> Item:
        """Find an item by another spelling of its name, or by its first words. Raise UserError if no item is found."""
        asked = " ".join(str(name).casefold().replace("_", " ").split())
        for other, own in self.also.items():
            asked = re.sub(rf"\b{re.escape(other.casefold())}\b", own, asked)
        known = {key.casefold(): key for key in self}
        found = known.get(asked) or next((key for text, key in known.items() if text.startswith(f"{asked} ")), None)
        if found is None or not asked:
            raise UserError("nothing here has this name", found=name, allowed=list(dict.fromkeys([*self, *self.also])))
        return self[found]

    def __repr__(self) -> str:
        """Return one line for each name, because whole tables would fill screens."""
        width = max(map(len, self), default=0)
        texts = (
            next((text for name in ("heading", "title", "alternative") if (text := getattr(item, name, ""))), "")
            or str(item).partition("\n")[0]
            for item in self.values()
        )
        return "\n".join(f"{name:{width}}  {text}" for name, text in zip(self, texts, strict=True))

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)


def unlike(names: Sequence[str]) -> list[str]:
    """Make names unique: 'a', 'a-2', 'a-3'."""
    chosen: dict[str, None] = {}
    for name in names:
        number, free = 1, name
        while free in chosen:
            number += 1
            free = f"{name}-{number}"
        chosen[free] = None
    return list(chosen)


def by_unique_name(items: Iterable[Item]) -> ByName[Item]:
    """Return tables or figures by their names, made unique."""
    held: list[Any] = list(items)
    return ByName(zip(unlike([one.name for one in held]), held, strict=True))


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
        Format of the column's values.
    low, high
        Columns with the limits of the value's interval, which is shown beside the value as 'a to b'; empty for none.
    meaning
        A short explanation of the heading.
    further
        Whether a page hides the column on screens as narrow as a phone's.
    limits
        Heading of the interval.
    """

    name: str
    title: str
    kind: ColumnKind
    low: str = ""
    high: str = ""
    meaning: str = ""
    further: bool = False
    limits: str = "95 % interval"


def limited(name: str, title: str, kind: ColumnKind, meaning: str = "", **more: Any) -> Column:
    """Return a column whose limits are in the columns `<name>_low` and `<name>_high`."""
    return Column(name, title, kind, f"{name}_low", f"{name}_high", meaning, **more)


class Tabular(InNotebook):
    """Base of tables. Columns are named as printed; shares and edges are fractions, unknown values are null.

    Available are `len(table)`, `for row in table`, `table[0]`, `table[:5]`, `table["edge"]` (a column),
    `table["Rhodos B"]` (a row) and `table[["board", "edge"]]` (a frame). `polars.DataFrame(table)` and
    `pandas.DataFrame(table)` work as well. `frame` has everything that was computed, under the names of
    `docs/results.md`; `table[...]` finds these columns, too.
    """

    frame: pl.DataFrame

    def _printed(self) -> Sequence[Column]:
        """Return the columns as they are printed; by default those of the frame."""
        return [Column(name, name, "text") for name in self.frame.columns]

    def _names(self) -> dict[str, str]:
        """Return a dict from the printed name of each shown column to its name in the frame."""
        found: dict[str, str] = {}
        noted = "note" in self.frame.columns and (self.frame["note"].cast(pl.String).fill_null("") != "").any()
        for column in (*self._printed(), *([Column("note", "note", "text")] if noted else [])):
            ends = {f"{column.title} low": column.low, f"{column.title} high": column.high}
            for title, name in {column.title: column.name, **ends}.items():
                if name in self.frame.columns and name not in found.values():
                    found[title if title and title not in found else name] = name
        return found

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._names())

    def _column(self, name: str) -> str | None:
        """Return the frame's name of a column, given in any spelling; None if the frame lacks the column."""
        names = {name: name for name in self.frame.columns} | self._names()
        loose = {_loosely(title): own for title, own in names.items()}
        return names.get(name) or loose.get(_loosely(name))

    def _known(self, name: str) -> str:
        """Return the frame's name of a column; raise UserError if the frame lacks the column."""
        found = self._column(name)
        if found is None:
            raise UserError("the table has no such column", found=name, allowed=self.columns)
        return found

    def __len__(self) -> int:
        return self.frame.height

    def __bool__(self) -> bool:
        """Return True: a table counts as true even without rows."""
        return True

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self.to_polars().iter_rows(named=True)

    def __getitem__(self, key: int | slice | str | list[str] | tuple[str, ...]) -> Any:
        """Return a row, some rows, a column, or some columns.

        Raises
        ------
        UserError
            No row or column has this name; the nearest one is suggested.
        IndexError
            There is no row of this number.
        """
        if isinstance(key, slice):
            return self._of(self.frame[key])
        if isinstance(key, str):
            return self._named(key)
        if isinstance(key, list | tuple):
            return self.frame.select(pl.col(self._known(str(name))).alias(str(name)) for name in key)
        if not -len(self) <= key < len(self):
            raise IndexError(f"the table has {len(self)} rows (found: {key})")
        return self.to_polars().row(int(key), named=True)

    def _named(self, name: str) -> Any:
        """Return a column, or the row whose first column holds this string (rows if several do)."""
        if (column := self._column(name)) is not None:
            return self.frame[column].alias(name)
        rows = self.frame[next(iter(self._names().values()))].cast(pl.String)
        same = (rows.str.to_lowercase() == name.lower()).arg_true()
        if not len(same):
            allowed = [*self.columns, *rows.drop_nulls().unique(maintain_order=True)]
            raise UserError("the table has no such column or row", found=name, allowed=allowed)
        return self[int(same[0])] if len(same) == 1 else self._of(self.frame[same])

    def _of(self, frame: pl.DataFrame) -> Self:
        """Return a copy of this table with the rows of another frame."""
        changed: Self = replace(self, frame=frame)  # type: ignore[type-var]
        return changed

    @checks_arguments
    def sort(self, by: str, descending: bool = False) -> Self:
        """Return the table ordered by a column; unknown values come last."""
        return self._of(self.frame.sort(self._known(by), descending=descending, nulls_last=True))

    @checks_arguments
    def head(self, rows: int = 10) -> Self:
        """Return the first rows."""
        return self._of(self.frame.head(rows))

    def to_polars(self) -> pl.DataFrame:
        """Return a Polars frame with the columns as printed."""
        return self.frame.select(pl.col(name).alias(title) for title, name in self._names().items())

    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas frame with the columns as printed."""
        return self.to_polars().to_pandas()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Pass the table to any library that reads Arrow."""
        return self.to_polars().__arrow_c_stream__(requested_schema)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the table on given axes, or on new ones, and return them."""
        axes: Axes = _DRAW[type(self)](self, ax)
        return axes

    def _ipython_key_completions_(self) -> list[str]:
        return self.columns


def _loosely(name: str) -> str:
    """Simplify a column's name for lookups: drop case, underscores and the unit."""
    return name.casefold().replace("_", " ").removesuffix(" %").strip()


WIN_RATES = (
    Column("games", "games", "count"),
    Column("win_rate", "win rate", "share", "low", "high"),
    Column("null", "fair", "share"),
    Column("edge", "edge", "edge"),
    Column("mde", "MDE", "size"),
    Column("decision", "decision", "text"),
    Column("fair_chance", "fair?", "share", meaning="chance that the true edge lies within the margin"),
    Column("mean_score", "score", "number"),
    Column("flag", "flag", "flag"),
)
"""Columns of a table of win rates that follow the names of its rows."""


@dataclass(frozen=True)
class Listing(Tabular):
    """A table of a section.

    Attributes
    ----------
    name
        Name in CSV and JSON: "strength faction".
    title
        Heading: "Adjusted strength by board".
    frame
        Shares and edges are fractions. Unknown values are null, never NaN; the `note` of the row or of the listing says
        why.
    shown
        The columns that are shown, in order. The frame may have further columns, which CSV and JSON include.
    folded
        Whether the table is too long for a terminal. On a page it is collapsed.
    note
        A sentence under the table.
    whole
        Whether the page shows all rows, even if there are many.
    """

    name: str
    title: str
    frame: pl.DataFrame
    shown: tuple[Column, ...]
    folded: bool = False
    note: str = ""
    whole: bool = False

    def _printed(self) -> Sequence[Column]:
        return self.shown

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
        `draw(ax=None)` draws the figure on the given axes, or on new ones, and returns the axes.
    alternative
        Text for readers who cannot see the figure.
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
    """A long text, such as the narration of a game. A page shows it collapsed."""

    title: str
    lines: tuple[str, ...]


class Results(InNotebook):
    """Base of results that have `sections`. It collects their figures and claims, and shows the first section."""

    sections: Any

    @property
    def figures(self) -> ByName[Picture]:
        """The figures of all sections by name."""
        return by_unique_name(picture for section in self.sections for picture in section.pictures)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims of all sections."""
        return tuple(claim for section in self.sections for claim in section.claims)

    @checks_arguments
    def section(self, name: str) -> Section:
        """Return the section of that name.

        Raises
        ------
        UserError
            The section does not exist; the message lists the existing ones.
        """
        found = {one.name: one for one in self.sections}
        if name not in found:
            raise UserError("no such section", found=name, allowed=list(found))
        return found[name]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the first figure on given axes, or on new ones, and return them; raise UserError if there is none."""
        pictures = list(self.figures.values())
        if not pictures:
            raise UserError("there is no figure here", field="plot", allowed="plot() of one of its tables")
        return pictures[0].draw(ax)

    def _repr_html_(self) -> str | None:
        return render_notebook(self) or render_notebook(self.sections[0])


class TabledResults(Results):
    """Base of results that also give access to the tables of their sections by name."""

    @property
    def tables(self) -> ByName[Listing]:
        """The tables of all sections by name."""
        return by_unique_name(listing for section in self.sections for listing in section.listings)


@dataclass(frozen=True)
class Section(InNotebook):
    """A part of a report, such as one further statistic.

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
        How to read the section, in two or three sentences.
    tellings
        Long texts, which a page shows collapsed.
    claims
        The claims of the section; each occurs in a sentence, a title or a note.
    """

    name: str
    title: str
    sentences: tuple[str, ...]
    listings: tuple[Listing, ...] = ()
    pictures: tuple[Picture, ...] = ()
    reading: str = ""
    tellings: tuple[Telling, ...] = ()
    claims: tuple[Claim, ...] = ()

    @property
    def tables(self) -> ByName[Listing]:
        """The tables of the section by name."""
        return ByName({listing.name: listing for listing in self.listings})

    @property
    def figures(self) -> ByName[Picture]:
        """The figures of the section by name."""
        return ByName({picture.name: picture for picture in self.pictures})

    def __repr__(self) -> str:
        return "\n".join([self.title, *self.sentences])


def said_section(
    name: str,
    title: str,
    parts: Iterable[Said],
    listings: Iterable[Listing] = (),
    pictures: Iterable[Picture] = (),
    reading: str = "",
) -> Section:
    """Return a section of sentences with their claims."""
    sentences, claims = split_claims(parts)
    return Section(name, title, sentences, tuple(listings), tuple(pictures), reading, claims=claims)


class Sections(tuple[Section, ...], TabledResults):
    """Results as a tuple of sections, shown at a prompt or in a notebook.

    `changes` are the changes that a search has found; `simulate(game, changes=found.changes)` plays them.
    """

    changes: tuple[str, ...] = ()

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections themselves."""
        return tuple(self)

    def __repr__(self) -> str:
        return "\n\n".join(map(repr, self))

    def _repr_html_(self) -> str:
        return "".join(f"<h3>{escape(one.title)}</h3>\n{one._repr_html_() or ''}" for one in self)


@dataclass(frozen=True)
class Table(Tabular):
    """Win rates of all levels of one grouping, such as all factions or all seats.

    Attributes
    ----------
    name
        Name in the CSV file: "faction", an attribute, "seat", "strategy", "strategy x faction", ...
    noun
        Name of a row in sentences: "wonder side".
    frame
        `level`, `level2` (null except in crossed tables), the columns of `win_rate.win_rates`, `mean_<part>` for each
        score part and measure, and the columns of `decisions.decided`. Rows with the best edge come first.
    silence
        Reason why the table allows no finding (a mirror match, one faction only); empty if it allows findings.
    margins
        For a crossed table: the marginal table of each of its two groupings, with `level` and the columns of
        `win_rate.win_rates`.
    note
        How certain the game data of the rows is, if some factions are not confirmed.
    tests
        Effective number of tests: correcting for this many independent tests is as strict as judging all rows
        together. 0 if unknown.
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
    def heading(self) -> str:
        """The title of the table as printed."""
        return f"Win rate by {self.noun}"

    def _printed(self) -> Sequence[Column]:
        first = self.name.partition(" x ")[0] if self.crossed else self.noun
        pair = [Column("level2", "with", "text")] if self.crossed else []
        left_out = () if self.decides else ("decision", "fair_chance")
        return [Column("level", first, "text"), *pair, *(one for one in WIN_RATES if one.name not in left_out)]

    @property
    def decides(self) -> bool:
        """Whether the rows have decisions that depend on the margin, in the columns `decision` and `more_games`."""
        return "decision" in self.frame.columns and (self.frame["decision"] != "").any()

    def __repr__(self) -> str:
        return render_prompt(self) or f"<Table {self.name!r}: {self.frame.height} rows>"


@dataclass(frozen=True)
class Finding:
    """One statement of the verdict.

    Attributes
    ----------
    table
        Name of the table that the finding is about; empty for cautions.
    tone
        "out" (out of balance), "small" (real, but below the margin), "fair" (nothing found), "silent" (no finding
        possible) or "caution".
    details
        Confidence, further rows, and the power of this run.
    together
        Factors that are confounded with the table's levels in this run ("seat", "faction", "strategy").
    claims
        Claims of the headline and the details.
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
        Rows out of balance: `table`, `name`, `edge`, `low`, `high`; edges and limits are fractions. The limits exclude
        0 and hold for all rows of factions, attributes and seats at once. Of a table with two levels, only the level
        that wins too often is listed.
    margin
        Edges up to this fraction count as balanced.
    """

    state: VerdictState
    rows: tuple[dict[str, Any], ...]
    margin: float

    def __repr__(self) -> str:
        named = [f"{row['name']} {points(row['edge'])}" for row in self.rows]
        whom = f": {', '.join(named)}" if named else ""
        return f"{self.state}{whom} (margin {margin_words(self.margin)})"


@dataclass(frozen=True)
class Report(Results):
    """The report of a run, ready to be shown as a page, on a terminal or as CSV.

    Attributes
    ----------
    folder, manifest
        The run folder and its `run.json`.
    tables
        Tables of win rates by name, in the order in which they are shown.
    omitted
        Sentences about tables that are left out because they would be empty or repeat another table.
    findings
        The findings of the verdict, most important first.
    histogram
        `strategy`, `score`, `games`: how often each score was reached.
    quantiles
        `strategy` ("all" for the whole run), `games`, `mean`, `q05`, `q25`, `q50`, `q75`, `q95`.
    endings
        `end_reason`, `games`, `mean_rounds`.
    verdict
        The findings in machine-readable form.
    sections
        Further statistics, in the order in which they are shown.
    underplayed
        Factions that the players of the run play worse than they play other factions.
    options
        Options of the command `report` that this report used, with their values: `("with", "runs/b")`.
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
    options: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        """Make `tables` raise UserError for unknown names."""
        object.__setattr__(self, "tables", ByName(self.tables, self.nouns))

    @property
    def nouns(self) -> dict[str, str]:
        """Names of tables by the game's own word for their rows: `{"board": "faction"}`."""
        return {table.noun: table.name for table in self.tables.values() if not table.crossed}

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims of the verdict and of all sections."""
        return (*(claim for finding in self.findings for claim in finding.claims), *super().claims)

    def __repr__(self) -> str:
        return "\n".join(finding.headline for finding in self.findings)

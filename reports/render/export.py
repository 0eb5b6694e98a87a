"""Exports reports as CSV, JSON and PNG files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

import polars as pl
from matplotlib.figure import Figure

from reports.claims import Claim, claim_rows
from reports.model import ByName, Picture, Report, Section, by_unique_name, unlike
from reports.render.chart import png
from reports.render.format_cells import finite
from reports.sections.core.win_rate_figures import win_rate_figures
from sim.data.arguments import checks_arguments
from sim.data.files import write_whole
from sim.errors import check_kind

FORMAT = "empirelab-report/2"
FORMULA = r"^[=+\-@\t\r]"
"""Pattern of strings that spreadsheets read as formulas."""


def write_csv(report: Report, path: Path) -> None:
    """Write all tables of win rates to one CSV file, with one row per table and level.

    Columns: `table`, `level`, `level2` (empty except in crossed tables), then those of `win_rate.win_rates`,
    `mean_<part>` of each score part and measure, and those of `robustness.with_players_left_out` and
    `decisions.decided`. Shares and edges are fractions in full precision; unknown values are empty.

    Parameters
    ----------
    path
        The file to write. An older file is replaced atomically.

    Raises
    ------
    UserError
        The file cannot be written; nothing is left behind.
    """
    write_whole(Path(path), csv_text(report).encode("utf-8"))


def csv_text(report: Report) -> str:
    """Return all tables of win rates as the text of one CSV file."""
    tables = [table.frame.select(pl.lit(table.name).alias("table"), pl.all()) for table in report.tables.values()]
    return as_csv(pl.concat(tables, how="diagonal_relaxed"))


def as_csv(frame: pl.DataFrame) -> str:
    """Return a frame as CSV. Strings that look like formulas (`FORMULA`) get an apostrophe (OWASP, CSV Injection)."""
    names = [
        pl.col(name).cast(pl.String)
        for name, kind in frame.schema.items()
        if kind in (pl.String, pl.Enum, pl.Categorical)
    ]
    plain = [pl.when(text.str.contains(FORMULA)).then(pl.lit("'") + text).otherwise(text).name.keep() for text in names]
    heads = {name: f"'{name}" for name in frame.columns if re.match(FORMULA, name)}
    return frame.with_columns(plain).rename(heads).write_csv()


class Held(Protocol):
    """Anything that has sections: a report, a comparison, a sweep, the search for a fair value."""

    @property
    def sections(self) -> tuple[Section, ...]:
        """The sections."""
        ...


class Reporting(Protocol):
    """A run that can build its report, as `empirelab.open` returns it."""

    def report(self) -> Report:
        """Return the report."""
        ...


def reported(held: Any) -> Any:
    """Return the report of a run; return anything else unchanged."""
    return held.report() if callable(getattr(held, "report", None)) else held


@checks_arguments
def frames(held: Held | Section | Reporting) -> ByName[pl.DataFrame]:
    """Return all tables of a run, of a report, or of anything with sections, as Polars frames by name.

    Returns
    -------
    For a report, first "win rate <table>" for each table of win rates, "scores" (quantiles), "score histogram" and
    "endings". Then each listing of each section, by its own name. `.to_pandas()` makes a pandas frame of any of them.
    """
    of: Any = reported(held)
    found: dict[str, pl.DataFrame] = {}
    nouns: dict[str, str] = {}
    if isinstance(of, Report):
        nouns = of.nouns
        found |= {f"win rate {name}": table.frame for name, table in of.tables.items()}
        found |= {"scores": of.quantiles, "score histogram": of.histogram, "endings": of.endings}
    listings = [listing for section in sections_of(of) for listing in section.listings]
    names = unlike([*found, *(listing.name for listing in listings)])[len(found) :]
    return ByName(found | {name: listing.frame for name, listing in zip(names, listings, strict=True)}, nouns)


@checks_arguments
def pictures(held: Held | Section | Reporting) -> ByName[Picture]:
    """Return all figures of a run, of a report, or of anything with sections, by name.

    Returns
    -------
    Pictures, which are drawn on demand. A notebook displays a picture that is the last value of a cell, and `.draw(ax)`
    draws a picture on your axes.
    """
    of: Any = reported(held)
    own = win_rate_figures(of) if isinstance(of, Report) else ()
    return by_unique_name([*own, *(picture for section in sections_of(of) for picture in section.pictures)])


def sections_of(held: Held | Section) -> tuple[Section, ...]:
    """Return the sections of an object, or a single section as a tuple. Raise UserError if it has no sections."""
    if not hasattr(held, "sections"):
        check_kind(held, Section, "a report, or anything else with sections")
    return (held,) if isinstance(held, Section) else held.sections


def csv_files(report: Report, folder: Path) -> list[tuple[Path, bytes]]:
    """Return a path in `folder` and the content of a CSV file, for each frame that `frames` returns. Writes nothing."""
    held = frames(report)
    named = zip(file_names(held), held.values(), strict=True)
    return [(folder / f"{name}.csv", as_csv(frame).encode("utf-8")) for name, frame in named]


def png_files(figures: Iterable[tuple[str, Figure]], folder: Path) -> list[tuple[Path, bytes]]:
    """Return a path in `folder` and the content of a PNG file, for each named figure. Writes nothing."""
    drawn = [(name, png(figure)) for name, figure in figures]
    names = file_names(name for name, _ in drawn)
    return [(folder / f"{name}.png", content) for name, (_, content) in zip(names, drawn, strict=True)]


def json_text(report: Report, more: Sequence[Claim] = ()) -> str:
    """Return the report as JSON. The claims in `more` are added to its own claims.

    Shares and edges are fractions in full precision; unknown values are null. Keys have a fixed order.
    """
    never_written = {"unfinished"} if report.manifest.unfinished is None else set()
    quantiles = report.quantiles.with_columns(pl.col("strategy").fill_null("all"))
    content = {
        "format": FORMAT,
        "run": report.manifest.model_dump(exclude={"shards"} | never_written),
        "verdict": fields_of(report.verdict, "state", "rows", "margin"),
        "findings": [fields_of(finding, "table", "tone", "headline", "details", "together")
                     for finding in report.findings],
        "tables": [fields_of(table, "name", "noun", "silence", "note") | {"rows": rows(table.frame)}
                   for table in report.tables.values()],
        "claims": claim_rows((*report.claims, *more)),
        "omitted": list(report.omitted),
        "scores": {"quantiles": rows(quantiles), "histogram": rows(report.histogram)},
        "endings": rows(report.endings),
        "sections": [section_content(section) for section in report.sections],
    }  # fmt: skip
    return json_written(content)


def fields_of(thing: object, *names: str) -> dict[str, Any]:
    """Return these attributes of an object by name. Tuples become lists."""
    values = {name: getattr(thing, name) for name in names}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def section_content(section: Section) -> dict[str, Any]:
    """Return a section as a JSON object."""
    shown = ("name", "title", "kind", "low", "high", "meaning")
    listings = [
        fields_of(listing, "name", "title", "note")
        | {"columns": [fields_of(column, *shown) for column in listing.shown], "rows": rows(listing.frame)}
        for listing in section.listings
    ]
    pictures = [fields_of(picture, "name", "alternative") for picture in section.pictures]
    return fields_of(section, "name", "title", "sentences", "reading") | {"listings": listings, "pictures": pictures}


def rows(frame: pl.DataFrame) -> list[dict[str, Any]]:
    """Return the rows of a frame, with None in place of NaN and infinity."""
    return [{name: finite(value) for name, value in row.items()} for row in frame.to_dicts()]


def json_written(content: Any) -> str:
    """Serialise a value as JSON text."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1, default=str)


def file_names(names: Iterable[str]) -> list[str]:
    """Turn names into unique file names: 'strategy x faction' becomes 'strategy-x-faction'."""
    return unlike([re.sub(r"\W+", "-", name.casefold()).strip("-") or "unnamed" for name in names])

"""Rolls of a run against their exact odds: how each kind of roll ended, and where players or dice made a difference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import polars as pl

from reports.claims import Said, claims_on, told
from reports.data.load import Run
from reports.data.tallies import tallies_shown, tally_sums
from reports.formatting import capital, counted, listed, percent, plural
from reports.model import Column, Listing, Section
from reports.statistics.course.odds import against_odds
from sim.runs.store.manifest import TallyEntry

NAMED = 3


def odds_sections(run: Run) -> tuple[Section, ...]:
    """Return a section for each tally of a run whose rows have exact odds."""
    return tuple(odds_section(run, entry) for entry in tallies_shown(run, "odds"))


def odds_section(run: Run, entry: TallyEntry) -> Section:
    """Say how each kind of roll ended, and how the exact odds are."""
    frame = against_odds(entry, tally_sums(run, entry))
    noun, outcomes = entry.name, entry.columns
    columns = (
        Column("row", noun, "text"),
        Column("rolls", plural(noun), "count"),
        *(column for name in outcomes for column in (
            Column(name, name, "share", f"{name}_low", f"{name}_high"),
            Column(f"{name}_exact", f"{name}, exact", "share"),
        )),
        Column("flag", "differs", "flag", meaning="whether shares differ from the odds, all kinds allowed for"),
        Column("p", "p", "p", meaning="chance of such a difference by luck alone (chi-square)"),
    )  # fmt: skip
    title = f"{capital(plural(noun))} against the exact odds"
    listing = Listing(f"{plural(noun)} odds", title, frame, columns, folded=True)
    said, claims = told(sentences(frame, noun, outcomes))
    return Section(plural(noun), title, said, (listing,), (), reading(entry), claims=claims)


def reading(entry: TallyEntry) -> str:
    """How to read the section: what the game says of its rows, and what the limits are."""
    return f"{entry.reading} Limits are those of independent {plural(entry.name)} (Clopper and Pearson 1934).".strip()


def sentences(frame: pl.DataFrame, noun: str, outcomes: list[str]) -> Iterator[Said]:
    """What all rolls came to, and which kinds differ from their odds."""
    known = frame.filter(pl.col(f"{outcomes[0]}_exact").is_not_null() & (pl.col("rolls") > 0))
    total = int(known["rolls"].sum())
    if not total:
        yield f"No {noun} was made whose odds are known.", ()
        return
    seen = listed([f"{percent(share(known, name, total), 2)} {name}" for name in outcomes])
    exact = listed([f"{percent(share(known, f'{name}_exact', total), 2)} {name}" for name in outcomes])
    yield (
        f"Of {counted(total, noun)} with known odds {seen}; the exact odds of the same {plural(noun)} are {exact}.",
        (),
    )
    sure = known.filter(pl.col("flag") != "").sort("p")
    if not sure.height:
        yield f"None of {counted(known.height, 'kind')} of {plural(noun)} was found to differ from its odds.", ()
        return
    ends = ", ".join(words_of(row, outcomes[0]) for row in sure.head(NAMED).to_dicts())
    said = f"{counted(sure.height, 'kind')} of {plural(noun)} differ from their odds; the clearest are {ends}."
    columns = ("distance", "distance_low", "distance_high")
    family = counted(known.height, "kind")
    yield said, claims_on("result", sure.to_dicts(), said, family, columns, lambda row: str(row["row"]))


def share(frame: pl.DataFrame, name: str, total: int) -> float:
    """Mean of a column over all rolls."""
    return float((frame[name] * frame["rolls"]).sum()) / total


def words_of(row: dict[str, Any], outcome: str) -> str:
    """A kind of roll with its share and its odds: 'open land, +0 (50.1 % won, exact 48.9 %)'."""
    return f"{row['row']} ({percent(row[outcome])} {outcome}, exact {percent(row[f'{outcome}_exact'])})"

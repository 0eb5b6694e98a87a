"""Factions that differ in one thing only, such as the two sides of a board: which of them wins more, pair by pair."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from scipy import stats

from reports.sections.certainty import faction_note
from reports.sections.summary import with_limits
from reports.shapes import Column, Listing, Section
from reports.statistics.winshare import ALPHA, blank_zero, family_probability, holm, known
from reports.words import capital, counted

if TYPE_CHECKING:
    from reports.sections.balance import Table

NAMED = 5
READING = (
    "Each row sets two against each other that are alike but for one thing. They never meet at a table, so each is "
    "measured against its own tables, and the difference of the two edges is given with an interval by block. A flag "
    "allows for all pairs at once."
)


def sides_section(tables: Mapping[str, Table], manifest: dict[str, Any]) -> Section | None:
    """Compare the factions of each pair: for every nation its side A with its side B.

    Parameters
    ----------
    tables
        The report's tables of win shares.
    manifest
        The run's `run.json`; `paired_attribute` names what differs within a pair, `exclusive` what it has in common.

    Returns
    -------
    None where the game has no such pairs, or the run holds none.
    """
    paired, alike = str(manifest.get("paired_attribute", "")), str(manifest.get("exclusive", ""))
    if not paired or not alike or "faction" not in tables:
        return None
    rows = pairs_of(tables["faction"].frame, manifest["factions"], paired, alike)
    if not rows:
        return None
    frame = compared(pl.DataFrame(rows, infer_schema_length=None))
    title = f"Pairs of one {alike}"
    columns = (
        Column("pair", alike, "text"),
        Column("flag", "flag", "flag", meaning="the first wins more (strong) or less (weak), all pairs allowed for"),
        Column("first", "first", "text"),
        Column("second", "second", "text"),
        Column("difference", "first minus second", "edge", "difference_low", "difference_high",
               "difference of the win shares, each against the fair share at its own tables, points"),
        Column("first_share", "wins of first", "share"),
        Column("second_share", "wins of second", "share"),
        Column("score_difference", "score", "number", meaning="difference of the mean scores"),
        Column("p", "p", "p", meaning="corrected for the number of pairs (Holm)"),
        Column("games", "games", "count", meaning="seat-games of both"),
    )  # fmt: skip
    note = faction_note([*frame["first_faction"], *frame["second_faction"]], manifest)
    listing = Listing("sides", f"Win share within each {alike}, by {paired}", frame, columns, note=note)
    return Section("sides", title, tuple(sentences(frame, paired, alike)), (listing,), (), READING)


def pairs_of(frame: pl.DataFrame, factions: list[dict[str, Any]], paired: str, alike: str) -> list[dict[str, Any]]:
    """Put the rows of every two factions that differ in `paired` and agree in `alike` beside each other."""
    shares = {row["level"]: row for row in frame.to_dicts()}
    groups: dict[str, list[dict[str, Any]]] = {}
    for faction in factions:
        if faction["name"] in shares and {paired, alike} <= faction["attributes"].keys():
            groups.setdefault(str(faction["attributes"][alike]), []).append(faction)
    found = []
    for name, members in groups.items():
        for one, two in combinations(members, 2):
            values = [str(faction["attributes"][paired]) for faction in (one, two)]
            if values[0] != values[1]:
                first, second = shares[one["name"]], shares[two["name"]]
                row = {"pair": name, "first": values[0], "second": values[1]}
                for place, share in (("first", first), ("second", second)):
                    row |= {f"{place}_{key}": share[key] for key in ("edge", "error", "blocks", "mean_score")}
                    row |= {f"{place}_share": share["win_share"], f"{place}_faction": share["level"]}
                found.append(row | {"games": first["games"] + second["games"]})
    return found


def compared(frame: pl.DataFrame) -> pl.DataFrame:
    """Difference of each pair, with its own limits, those of all pairs at once, and a test.

    The two of a pair share no block, so the variance of the difference is the sum of theirs; degrees of freedom by
    Satterthwaite. The test takes both variances about the mean edge of the pair, as it would be if they were equal,
    so that few blocks cannot shout (see `winshare.score_test`).

    Returns
    -------
    The frame with `difference`, `difference_low`, `difference_high`, `family_low`, `family_high`, `score_difference`,
    `p` (Holm), `flag` and `note`, largest difference first.
    """
    numbers = frame.with_columns(pl.col("^(first|second)_(edge|error|blocks)$").cast(pl.Float64).fill_null(np.nan))
    edge, error, blocks = (
        np.stack([numbers[f"first_{name}"].to_numpy(), numbers[f"second_{name}"].to_numpy()])
        for name in ("edge", "error", "blocks")
    )
    difference, variance = edge[0] - edge[1], error**2
    with np.errstate(divide="ignore", invalid="ignore"):
        total = blank_zero(np.sqrt(variance.sum(axis=0)))
        freedom = total**4 / (variance**2 / (blocks - 1)).sum(axis=0)
        middle = (edge * blocks).sum(axis=0) / blocks.sum(axis=0)
        null = (variance * (blocks - 1) / blocks + (edge - middle) ** 2 / blocks).sum(axis=0)
        p = holm(np.where(np.isfinite(total), 2 * stats.t.sf(np.abs(difference) / np.sqrt(null), freedom), np.nan))
        own, family = (
            stats.t.ppf(level, freedom) * total for level in (1 - ALPHA / 2, family_probability(frame.height))
        )
    sure = (p < ALPHA) & (np.abs(difference) > family)
    flag = np.where(sure, np.where(difference > 0, "strong", "weak"), "")
    note = np.where(np.isfinite(total), "", "too few blocks")
    limits = {"difference_low": difference - own, "difference_high": difference + own}
    limits |= {"family_low": difference - family, "family_high": difference + family}
    scores = pl.col("first_mean_score") - pl.col("second_mean_score")
    return frame.with_columns(
        *known({"difference": difference, **limits, "p": p}),
        scores.alias("score_difference"),
        pl.Series("flag", flag.astype(str)),
        pl.Series("note", note.astype(str)),
    ).sort("difference", "pair", descending=[True, False])


def sentences(frame: pl.DataFrame, paired: str, alike: str) -> list[str]:
    """Say in which pairs one wins more than the other, the widest difference first."""
    sure = frame.filter(pl.col("flag") != "").sort(pl.col("difference").abs(), descending=True).to_dicts()
    if not sure:
        return [f"No {alike} has a {paired} that surely wins more than its other one."]
    said = [f"In {len(sure)} of {counted(frame.height, 'pair')} of one {alike}, one {paired} surely wins more."]
    for row in sure[:NAMED]:
        turned = row["difference"] < 0
        better, worse = (row["second"], row["first"]) if turned else (row["first"], row["second"])
        low, high = (-row["family_high"], -row["family_low"]) if turned else (row["family_low"], row["family_high"])
        apart = with_limits(abs(row["difference"]), low, high, "+")
        said.append(f"{row['pair']}: {paired} {better} wins more than {worse}, {apart}.")
    if len(sure) > NAMED:
        said.append(f"{capital(counted(len(sure) - NAMED, 'more pair'))} in the table.")
    values = list(dict.fromkeys([*frame["first"], *frame["second"]]))
    if len(values) == 2 and (frame["first"] == frame["first"][0]).all():
        ahead = frame.filter(pl.col("difference") > 0).height
        said.append(f"{capital(paired)} {values[0]} is ahead in {ahead} of {counted(frame.height, 'pair')}.")
    return said

"""Reports which verdicts survive every plausible value of unconfirmed data: sentences, tables and a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import polars as pl

from reports.claims import Said, claims_on, split_claims
from reports.drawing import COLOURS, FAINT, INK, NEUTRAL, WIDTH, Axes, signed, styled, styled_axes
from reports.formatting import capital, counted, lessons_words, listed, margin_words, points
from reports.model import Column, Listing, Picture, Section
from reports.sections.compare.robustness import (
    COLUMNS,
    DETAILS,
    FORMAT,
    NAMED,
    READING,
    SHARED,
    SIGNS,
    Tried,
    claimed_under,
)
from reports.sections.core.summary import with_limits
from reports.statistics.compare.robustness import Robustness
from reports.studies.sensitivity.sensitivity import AS_PLAYED, Sensitivity

MOVED = (
    Column("level", "row", "text"),
    Column("alternative", "with", "text"),
    Column("change", "moves it", "edge", "low", "high", "change of its edge on the same deals, points"),
    Column("p", "p", "p", meaning="chance of such a change by luck, all rows and alternatives allowed for"),
)
AGREED = {"strong": "too strong", "weak": "too weak", "fair": "balanced"}


def sensitivity_section(result: Sensitivity) -> Section:
    """Return the section on what holds under every alternative, and on which alternative moves a row most."""
    parts = [said for name, judged in result.judged.items() for said in judged_statements(judged, result.moved[name])]
    if any(out_of_balance(judged) for judged in result.judged.values()):
        parts.append((SHARED, ()))
    parts += [(said, ()) for said in (*unchanged_words(result.unchanged), *lessons_words(result.config.changes))]
    sentences, claims = split_claims(parts)
    listings = []
    pictures = []
    for name, judged in result.judged.items():
        title = f"{capital(judged.noun)} over all alternatives"
        listings += [
            Listing(f"sensitivity {name}", f"{title}: what holds", judged.rows, COLUMNS),
            Listing(f"moved {name}", f"{title}: what moves them most", most_moved(result.moved[name]), MOVED),
            Listing(f"alternatives {name}", f"{title}: all edges", judged.edges, DETAILS, folded=True),
        ]
        text = f"Range of each {judged.noun}'s edge over all alternatives, and its edge as played."
        pictures.append(Picture(f"sensitivity {name}", partial(ranges, judged), text))
    title = "Does it rest on a guess?"
    return Section("sensitivity", title, sentences, tuple(listings), tuple(pictures), READING, claims=claims)


def as_played(judged: Robustness) -> dict[str, dict[str, Any]]:
    """Return the edge and the verdict of every level in the game as it stands, by level."""
    rows = judged.edges.filter(pl.col("condition") == AS_PLAYED).to_dicts()
    return {str(row["level"]): row for row in rows}


def out_of_balance(judged: Robustness) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Return the levels that are out of balance in the game as played, the largest edge first.

    Each item is a level, its row of `judged.rows` (a summary over all alternatives), and its row of `judged.edges` for
    the game as played.
    """
    rows = {str(row["level"]): row for row in judged.rows.to_dicts()}
    played = as_played(judged)
    out = [(level, row, played[level]) for level, row in rows.items() if played.get(level, {}).get("verdict") in SIGNS]
    return sorted(out, key=lambda one: -abs(one[2]["edge"]))


def judged_statements(judged: Robustness, moved: pl.DataFrame) -> Iterator[Said]:
    """Say under which alternatives each row that is out of balance as played stays so. Summarise the other rows."""
    number = judged.edges["condition"].n_unique() - 1
    family = f"{judged.edges['edge'].count()} cells and {moved.height} moves by {judged.noun}, and other tables"
    claimed = partial(claimed_under, judged, family)
    rows = {str(row["level"]): row for row in judged.rows.to_dicts()}
    out = []
    for level, row, played in out_of_balance(judged):
        out.append(level)
        edge = with_limits(played["edge"], played["edge_low"], played["edge_high"], "+")
        yield claimed(f"{level} ({edge} as played): {survival_words(row, played)}", [level])
    if not out:
        yield f"No {judged.noun} was found out of balance as played.", ()
    turned = [level for level, row in rows.items() if level not in out and (row["strong"] or row["weak"])]
    if turned:
        named = listed(turned) if len(turned) <= NAMED else counted(len(turned), judged.noun)
        verb = "is" if len(turned) == 1 else "are"
        yield claimed(f"{named} {verb} out of balance under some alternatives, not confirmed as played.", turned)
    steady = [level for level in rows if level not in out and level not in turned]
    if steady:
        yield f"{counted(len(steady), judged.noun)}: nothing found under any of the {number} alternatives.", ()
    widest = moved.filter(pl.col("flag") != "").sort(pl.col("change").abs(), descending=True).head(1).to_dicts()
    for row in widest:
        said = (
            f"The largest confirmed effect is that of {row['alternative']}: it moves {row['level']} by "
            f"{points(row['change'])} points ({points(row['family_low'])} to {points(row['family_high'])})."
        )
        yield said, claims_on(
            "alternative", [row], said, family, ("change", "family_low", "family_high"),
            lambda row: f"{row['level']} by {row['alternative']}",
        )  # fmt: skip


def unchanged_words(names: Sequence[str]) -> Iterator[str]:
    """Name the alternatives that are not counted because they change nothing."""
    if names:
        verb = "changes" if len(names) == 1 else "change"
        yield f"{counted(len(names), 'alternative')} {verb} nothing in these games: {listed(names)}."


def survival_words(row: Mapping[str, Any], played: Mapping[str, Any]) -> str:
    """Say under how many alternatives a finding holds, and between which edges, with the alternatives that cause them.

    `row` is a summary over all alternatives, and `played` the row of the game as played.
    """
    word = str(played["verdict"])
    other = "weak" if word == "strong" else "strong"
    all_of_them = row["strong"] + row["weak"] + row["fair"] + row["unknown"]
    ends = f"{points(row['lowest'])} ({row['lowest_under']}) to {points(row['highest'])} ({row['highest_under']})"
    ends = f"observed edges from {ends}"
    if row[word] == all_of_them:
        return f"{AGREED[word]} under every alternative, {ends}."
    if row[other]:
        return f"flips: {AGREED[other]} under {row[other]} of {all_of_them - 1} alternatives, {ends}."
    some_only = f"under {row[word] - 1} of {all_of_them - 1} alternatives, not confirmed under the others"
    return f"{AGREED[word]} {some_only}, {ends}."


def most_moved(moved: pl.DataFrame) -> pl.DataFrame:
    """Return one row for each level: the alternative that moves it most. The largest move comes first."""
    ordered = moved.sort(pl.col("change").abs(), descending=True, nulls_last=True)
    first = ordered.unique("level", keep="first", maintain_order=True)
    return first.select("level", "alternative", "change", "low", "high", "p")


@styled
def ranges(judged: Robustness, ax: Axes | None = None) -> Axes:
    """Draw each row's edge as played as a dot, its range over all alternatives as a bar, and the margin as a band."""
    rows = judged.rows.filter(pl.col("lowest").is_not_null()).to_dicts()
    played = as_played(judged)
    ax = styled_axes(ax, WIDTH, 1.3 + 0.32 * len(rows), f"Edge of each {judged.noun} over all alternatives, points")
    ax.axvspan(-100 * judged.margin, 100 * judged.margin, color=FAINT, alpha=0.55, lw=0)
    ax.axvline(0, color=INK, lw=1, ls=(0, (4, 3)))
    for place, row in enumerate(rows):
        colour = COLOURS.get(row["verdict"], NEUTRAL)
        ax.plot([100 * row["lowest"], 100 * row["highest"]], [place] * 2, color=colour, lw=5, alpha=0.55,
                solid_capstyle="butt")  # fmt: skip
        edge = played[str(row["level"])]["edge"]
        if edge is not None:
            ax.plot(100 * edge, place, "o", ms=6, color=colour, mec="white")
    ax.set_yticks(range(len(rows)), [f"{row['level']}: {row['verdict']}" for row in rows])
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.grid(axis="x", color=FAINT, lw=0.8)
    key = f"dot: as played; bar: over all alternatives; band: within {margin_words(judged.margin)}"
    ax.set_xlabel(key, fontsize=9, color=NEUTRAL)
    ax.xaxis.set_major_formatter(signed)
    return ax


def describe_tried(result: Sensitivity) -> dict[str, Any]:
    """Return the facts that reports on the same game need: what was played, and which verdicts survive."""
    manifest = result.manifest
    out = {name: out_of_balance(judged) for name, judged in result.judged.items()}
    tried = Tried(
        format=FORMAT,
        game=manifest.game,
        players=manifest.players,
        variant=manifest.variant,
        strategies=[row.name for row in manifest.strategies],
        factions=manifest.factions_dealt,
        settings=manifest.settings,
        tables=manifest.tables,
        games=manifest.games,
        changes=result.config.changes,
        alternatives=result.alternatives,
        unchanged=list(result.unchanged),
        survives={
            name: {level: survival_words(row, played) for level, row, played in rows} for name, rows in out.items()
        },
        limits={
            name: {
                level: (float(played["edge"]), float(played["edge_low"]), float(played["edge_high"]))
                for level, _, played in rows
            }
            for name, rows in out.items()
        },
    )
    return tried.model_dump()

"""Compute the tables of win rates and the verdict of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import polars as pl

from reports.data.cells import count_cells
from reports.data.load import Run
from reports.formatting import plural
from reports.model import Report, Table
from reports.sections.core.certainty import faction_note
from reports.sections.core.verdict import final_verdict, verdict
from reports.statistics.core.balance import MARGIN
from reports.statistics.core.decisions import decided, undecided
from reports.statistics.core.groupings import GroupedShares, attribute_levels, grouped_shares
from reports.statistics.core.leave_one_out import with_players_left_out
from reports.statistics.core.mixing import bound_groups
from reports.statistics.core.win_rate import ALPHA, FIRST_SCREEN_ALPHA, hopeless_players
from reports.statistics.course.endings import count_endings, score_histogram, score_quantiles
from sim.runs.store.manifest import Manifest
from sim.runs.store.verify import reading


def share_report(run: Run, margin: float = MARGIN, cells: pl.DataFrame | None = None) -> Report:
    """Compute the tables of win rates and the verdict of a run; `reports.report.build_report` adds everything else.

    Rows are read in batches.

    Parameters
    ----------
    cells
        From `count_cells`, if already computed.

    Raises
    ------
    UserError
        A part is damaged, or the rows are inconsistent (wins that do not add up to the number of games, empty cells).
    """
    manifest = run.manifest
    with reading(run.folder):
        cells = count_cells(run) if cells is None else cells
        tables, omitted = share_tables(run, cells, margin, FIRST_SCREEN_ALPHA)
        histogram = score_histogram(run.seats)
        endings = count_endings(run.seats)
    findings = verdict(list(tables.values()), manifest, cells, margin)
    quantiles = score_quantiles(histogram)
    found = final_verdict(findings, tables, margin)
    return Report(run.folder, manifest, tables, omitted, findings, histogram, quantiles, endings, found)


def share_tables(
    run: Run, cells: pl.DataFrame, margin: float = MARGIN, rate: float = ALPHA
) -> tuple[dict[str, Table], tuple[str, ...]]:
    """Return the win rates of every grouping, in the order of the report, and sentences on omitted tables.

    Parameters
    ----------
    margin
        Edges up to this one, a fraction, count as balanced; it decides each faction, attribute and seat.
    rate
        How often anything is wrongly flagged or decided.
    """
    tables = {}
    groups = {group.name: group for group in grouped_shares(run, cells, rate)}
    strategies = groups["strategy"].frame
    hopeless = hopeless_players(strategies)["level"].to_list()
    bound = {name for group in bound_groups(cells, run.manifest) for name in group}
    for group in groups.values():
        crossed = cells_by_strategy(groups, group.name, run.manifest)
        frame = undecided(with_players_left_out(group.frame, crossed, strategies, hopeless, group.tests))
        shown = [level for level, key in zip(("level", "level2"), group.keys, strict=False) if key == "faction"]
        note = faction_note(group.frame[shown[0]], run.manifest) if shown else ""
        silent = silence(group.name, group.frame, group.noun)
        if len(group.keys) == 1 and group.name != "strategy" and not silent:
            kind = group.name if group.name in ("seat", "start") else "faction"
            frame = decided(frame, margin, run.manifest.games, kind in bound, rate)
        tables[group.name] = Table(group.name, group.noun, frame, silent, group.margins, note, group.tests)
    return tables, tuple(omitted_tables(run.manifest, cells))


def cells_by_strategy(groups: Mapping[str, GroupedShares], name: str, manifest: Manifest) -> pl.DataFrame | None:
    """Return win rates of a table's levels under each strategy (`level`, `strategy`, ...); None if there are none.

    Seats of tables of several sizes are excluded: seats that only large tables have would stand out.
    """
    if name == "seat" and isinstance(manifest.players, list):
        return None
    names = {f"strategy x {name}": ("level2", "level"), f"{name} x strategy": ("level", "level2")}
    for crossed, (level, strategy) in names.items():
        if crossed in groups and name != "strategy":
            chosen = [pl.col(level).alias("level"), pl.col(strategy).alias("strategy")]
            return groups[crossed].frame.select(*chosen, pl.exclude("level", "level2"))
    return None


def omitted_tables(manifest: Manifest, cells: pl.DataFrame) -> Iterator[str]:
    """Say why an attribute has no table."""
    title = manifest.faction_title
    for name, levels in attribute_levels(manifest, cells).items():
        if len(set(levels)) == 1:
            yield f"No table by {name}: every {title} in this run has {levels[0]}."
        elif len(set(levels)) == len(levels):
            yield f"No table by {name}: it would repeat the one by {title}."


def silence(name: str, frame: pl.DataFrame, noun: str) -> str:
    """Say why a table allows no finding; empty if it allows one."""
    if frame.height > 1:
        return ""
    only = frame["level"][0]
    by_construction = "so its win rate equals the fair share by construction"
    if name == "strategy":
        return f"Mirror match: {only} plays every seat, {by_construction}. This run says nothing about strategies."
    return f"Every seat plays {only}, {by_construction}. This run cannot compare {plural(noun)}."

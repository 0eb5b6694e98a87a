"""Compares two runs of a game: the differences, how certain they are, and how many games shared deals save.

Runs on the same deals are compared block by block, which removes most of the luck
(`reports/statistics/compare/paired.py`). Runs on different deals are compared as independent samples of blocks.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from reports.data.cells import count_cells
from reports.data.common_games import GAME_FIELDS, HeldGames, games_held, games_in_common, only_games
from reports.data.load import Run, as_run
from reports.formatting import label, lessons_words
from reports.model import ByName, Finding, Table
from reports.sections.compare.changes import NAMES, Comparison, Same, compared_listing, what_differs
from reports.sections.core.opening import Standing, Standings, Stands
from reports.sections.core.shares import share_tables
from reports.sections.core.summary import range_of, swayed_claims
from reports.sections.core.verdict import final_verdict, verdict
from reports.statistics.compare.changes import STANDING_ALPHA, Compared, independent, of_changes, paired, with_flags
from reports.statistics.compare.paired import apart_in
from reports.statistics.core.balance import MARGIN, balance_of
from reports.statistics.core.decisions import LEAVE, SWAYED, fair_on_average_only, inside, margin_of
from reports.studies.compare.arms import changed_paths
from reports.studies.compare.change_words import turned_between
from reports.studies.compare.picks_compared import keeps_picks, picks_compared, picks_of_both
from reports.studies.parts.intervene import concerns_lessons
from reports.studies.search.parameters import readings_of_run
from sim.data.arguments import checks_arguments
from sim.data.lessons import WEIGHT
from sim.errors import UserError
from sim.game import load_game
from sim.runs.store.manifest import Manifest
from sim.runs.store.verify import reading


@checks_arguments
def compare_runs(
    run_a: Run | str | os.PathLike[str],
    run_b: Run | str | os.PathLike[str],
    title_a: str = "A",
    title_b: str = "B",
    margin: float = 100 * MARGIN,
    arms: int = 1,
) -> Comparison:
    """Compare two runs of the same game. If they share their deals, they are compared block by block.

    Parameters
    ----------
    run_a, run_b
        From `load_run`, or their folders. `run_a` is the base. If they share their deals, only common games count.
    title_a, title_b
        Names of the runs in tables and sentences.
    margin
        Edges up to this many percentage points count as balanced.
    arms
        How many runs are compared with the same base, `run_b` included. The claims of all comparisons hold at once.

    Raises
    ------
    UserError
        The runs are of different games, their rows cannot be read, or the margin is impossible.
    """
    near = margin_of(margin)
    run_a, run_b = as_run(run_a), as_run(run_b)
    first, second = run_a.manifest.game, run_b.manifest.game
    if first != second:
        message = "runs of different games cannot be compared"
        raise UserError(message, file=run_b.folder, field="game", found=second, allowed=first)
    whole_a, whole_b = run_a, run_b
    apart = apart_in(run_a, run_b)
    # Fields that only say which games a run holds may differ.
    common = [] if set(apart) - set(GAME_FIELDS) else games_in_common(run_a.manifest, run_b.manifest)
    if common:
        run_a, run_b = with_common_games(run_a, run_b, common)
        run_b = called_alike(run_a, run_b)
    same = sameness((whole_a, whole_b), (run_a, run_b), bool(common))
    picked = keeps_picks(run_a, run_b)
    reports = []
    for run in (run_a, run_b):
        with reading(run.folder):
            cells = count_cells(run)
            every = share_tables(run, cells, near, STANDING_ALPHA / (1 + picked) / arms)[0]
            tables = {name: table for name, table in every.items() if not table.crossed}
            findings = verdict(list(tables.values()), run.manifest, cells, near)
            reports.append((tables, findings[0], standings(tables, findings, near)))
    (tables_a, verdict_a, standing_a), (tables_b, verdict_b, standing_b) = reports
    shared = {name: (table, tables_b[name]) for name, table in tables_a.items() if name in tables_b}
    rows = sum(table.frame.height for table, _ in shared.values() if table.frame.height > 1)
    rows += picks_of_both(run_a, run_b) if picked else 0
    rows *= arms
    compared = {}
    for name, both in shared.items():
        frame = paired(run_a, run_b, *both, of_changes(rows)) if common else independent(*both, of_changes(rows))
        compared[name] = Compared(name, both[0].noun, with_flags(frame, rows))
    spreads = {
        name: (balance_of(tables_a[name].frame).spread, balance_of(tables_b[name].frame).spread) for name in compared
    }
    if picked:
        for name, of_kind in picks_compared(run_a, run_b, not common, rows, arms).items():
            compared[name], spreads[name] = of_kind.compared, of_kind.spreads
            found_a, found_b = (standings_of_picks(one, near) for one in of_kind.tables)
            standing_a, standing_b = standing_a | found_a, standing_b | found_b
    changed = sorted({*run_a.manifest.changes} ^ {*run_b.manifest.changes})
    readings = readings_of_run(run_b.manifest.game, run_b.manifest.settings, changed)
    both_manifests = whole_a.manifest, whole_b.manifest
    shown = {name: replace(table, shown=compared_listing(table).shown) for name, table in compared.items()}
    return Comparison(
        run_a.manifest,
        run_b.manifest,
        title_a,
        title_b,
        "" if common else ", ".join(NAMES.get(name, name) for name in apart),
        ByName(shown, {table.noun: name for name, table in compared.items()}),
        spreads,
        (verdict_a, verdict_b),
        both_manifests,
        same,
        turned_between(*both_manifests),
        (standing_a, standing_b),
        near,
        (*knowledge_words(*both_manifests), *readings),
        rows,
    )


def knowledge_words(a: Manifest, b: Manifest) -> tuple[str, ...]:
    """Say that players use no learned lessons, or warn that a change may invalidate lessons from the printed game.

    `a` and `b` are the manifests of the two runs. Empty if neither applies.
    """
    both = [text for text in a.changes if text in b.changes]
    if (said := lessons_words(both)) or not any(row.weights.get(WEIGHT) for run in (a, b) for row in run.strategies):
        return tuple(said)
    try:
        paths = changed_paths([a.changes, b.changes], [a.settings, b.settings], a.decks != b.decks)
        concerned = any(concerns_lessons(load_game(a.game), path) for path in paths)
    except UserError:  # this version does not have the game
        concerned = False
    how = f"`empirelab compare {a.game} --change ...` plays both games without lessons"
    warning = "The players rely on lessons that they learned from the printed game, so the true change may be larger or"
    return (f"{warning} smaller; {how}.",) if concerned else ()


def standings(tables: Mapping[str, Table], findings: Sequence[Finding], margin: float) -> Standings:
    """Return by table and row name whether each judged row of a run is out of balance, within the margin, or open.

    Rows of strategies are not judged.
    """
    out = {(row["table"], row["name"]) for row in final_verdict(findings, tables, margin).rows}
    result = {}
    for finding in findings:
        if finding.table and finding.table != "strategy" and finding.tone != "silent" and not finding.together:
            table = tables[finding.table]
            frame = table.frame.drop_nulls("family_low")
            for row, average in zip(frame.to_dicts(), fair_on_average_only(frame, margin).tolist(), strict=True):
                key, name = (finding.table, row["level"]), label(table, row)
                state: Stands = "out" if key in out else "within" if row["decision"] == LEAVE else "open"
                result[key[0], str(key[1])] = Standing(
                    row["edge"], row["family_low"], row["family_high"], state, row["more_games"],
                    range_of(row) if average and state == "open" else "",
                    tuple(swayed_claims([row], [name], "", "", margin)) if row["decision"] == SWAYED else (),
                )  # fmt: skip
    return result


def standings_of_picks(table: Table, margin: float) -> Standings:
    """Return which picks (pieces that each seat takes once per period) are out of balance or within the margin."""
    result: Standings = {}
    for row in table.frame.drop_nulls("family_low").to_dicts():
        edge, low, high = row["edge"], row["family_low"], row["family_high"]
        out = abs(edge) >= margin and not low <= 0 <= high
        state: Stands = "out" if out else "within" if inside(low, high, margin) else "open"
        result[table.name, str(row["level"])] = Standing(edge, low, high, state)
    return result


def with_common_games(run_a: Run, run_b: Run, common: Sequence[tuple[HeldGames, HeldGames]]) -> tuple[Run, Run]:
    """Return two runs reduced to their common games. A game gets the same number in both runs."""
    both = list(zip(*common, strict=True))
    if all(list(held) == games_held(run.manifest) for run, held in zip((run_a, run_b), both, strict=True)):
        return run_a, run_b
    first, second = (only_games(run, held) for run, held in zip((run_a, run_b), both, strict=True))
    return first, second


def sameness(whole: tuple[Run, Run], compared: tuple[Run, Run], common: bool) -> Same:
    """Return why the compared games of two runs are the same, as in `Comparison.same`. Empty if they differ.

    `whole` are the runs as they were played. `common` tells whether they have games in common, and `compared` are the
    runs reduced to these games. Without common games, the result is empty, unless both runs are the same folder.
    """
    if whole[0].folder.resolve() == whole[1].folder.resolve():
        return "run"
    # A change that affected no game leaves the files of rows identical, but the runs still count as different.
    if not common or what_differs(compared[0].manifest, compared[1].manifest):
        return ""
    if any(run.manifest.games > compared[0].manifest.games for run in whole):
        return "some games"
    parts = [[part.sha256 for part in run.manifest.shards] for run in whole]
    return "content" if parts[0] == parts[1] and all(parts[0]) else "plan"


def called_alike(run_a: Run, run_b: Run) -> Run:
    """Return the second of two runs on the same deals, with users' decks named like the factions that they replace.

    So a faction and the deck in its place share a row of the tables. If both runs deal the same factions, nothing
    changes.
    """
    dealt = run_b.manifest.factions_dealt
    names = {name: first for name, first in zip(dealt, run_a.manifest.factions_dealt, strict=True) if name != first}
    if not names:
        return run_b
    others = [row for row in run_b.manifest.factions if row.name not in names.values()]
    factions = [row.model_copy(update={"name": names.get(row.name, row.name)}) for row in others]
    seats = run_b.seats.with_columns(pl.col("faction").cast(pl.String).replace(names))
    seats = seats.with_columns(pl.col("faction").cast(pl.Enum([row.name for row in factions])))
    manifest = run_b.manifest.model_copy(
        update={"factions": factions, "factions_dealt": [names.get(name, name) for name in dealt]}
    )
    return replace(run_b, manifest=manifest, seats=seats)

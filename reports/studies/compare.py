"""What differs between two runs of a game: by how much, how sure, and what sharing their deals has saved.

Runs on the same deals are compared block by block, so that most of the luck falls out of the difference
(`reports/statistics/paired.py`). Other runs of the same game are compared as independent samples of blocks.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from reports.data.cells import count_cells
from reports.data.common_games import OF_GAMES, HeldGames, games_held, games_in_common, only_games
from reports.data.load import Run, as_run
from reports.sections.changes import NAMES, Comparison, Same, what_differs
from reports.sections.opening import Out
from reports.sections.shares import share_tables
from reports.sections.verdict import outcome, verdict
from reports.shapes import Table
from reports.statistics.balance import MARGIN, balance_of
from reports.statistics.changes import Compared, finished, independent, paired
from reports.statistics.decisions import margin_of
from reports.statistics.paired import apart_in
from reports.studies.arms import changed_paths
from reports.studies.change_words import turned_between
from reports.studies.intervene import concerns_lessons
from reports.studies.picks_compared import keeps_picks, picks_compared
from reports.words import lessons_words
from sim.arguments import checks_arguments
from sim.data.lessons import WEIGHT
from sim.errors import UserError
from sim.game import load_game
from sim.runs.parts import reading


@checks_arguments
def compare_runs(
    run_a: Run | str | os.PathLike[str],
    run_b: Run | str | os.PathLike[str],
    title_a: str = "A",
    title_b: str = "B",
    margin: float = 100 * MARGIN,
) -> Comparison:
    """Compare two runs of the same game, by block where they share their deals.

    Parameters
    ----------
    run_a, run_b
        From `load_run`, or their folders; A is what is compared with. Where they share their deals, only games that
        both have count.
    title_a, title_b
        What the runs are called in tables and sentences.
    margin
        Edges up to this one, in percentage points, count as balanced, before and after.

    Raises
    ------
    UserError
        The runs are of different games, their rows cannot be read, or the margin is impossible.
    """
    near = margin_of(margin)
    run_a, run_b = as_run(run_a), as_run(run_b)
    first, second = run_a.manifest["game"], run_b.manifest["game"]
    if first != second:
        message = "runs of different games cannot be compared"
        raise UserError(message, file=run_b.folder, field="game", found=second, allowed=first)
    whole_a, whole_b = run_a, run_b
    apart = apart_in(run_a, run_b)
    if common := games_to_pair(run_a, run_b, apart):
        run_a, run_b = with_games(run_a, run_b, common)
        run_b = called_alike(run_a, run_b)
    same = sameness((whole_a, whole_b), (run_a, run_b), bool(common))
    reports = []
    for run in (run_a, run_b):
        with reading(run.folder):
            cells = count_cells(run)
            tables = {name: table for name, table in share_tables(run, cells, near)[0].items() if not table.crossed}
            findings = verdict(list(tables.values()), run.manifest, cells, near)
            rows = outcome(findings, tables, near).rows
            out = frozenset((row["table"], str(row["name"])) for row in rows)
            reports.append((tables, findings[0].headline, out))
    (tables_a, verdict_a, out_a), (tables_b, verdict_b, out_b) = reports
    compared = {}
    for name, table in tables_a.items():
        if name in tables_b:
            frame = paired(run_a, run_b, table, tables_b[name]) if common else independent(table, tables_b[name])
            compared[name] = Compared(name, table.noun, finished(frame))
    spreads = {
        name: (balance_of(tables_a[name].frame).spread, balance_of(tables_b[name].frame).spread) for name in compared
    }
    if keeps_picks(run_a, run_b):
        for name, picked in picks_compared(run_a, run_b, not common).items():
            compared[name], spreads[name] = picked.compared, picked.spreads
            found_a, found_b = (out_of_balance(one, near) for one in picked.tables)
            out_a, out_b = out_a | found_a, out_b | found_b
    return Comparison(
        run_a.manifest,
        run_b.manifest,
        title_a,
        title_b,
        "" if common else why_apart(apart),
        compared,
        spreads,
        (verdict_a, verdict_b),
        (whole_a.manifest, whole_b.manifest),
        same,
        turned_between(whole_a.manifest, whole_b.manifest),
        (out_a, out_b),
        near,
        knowledge_words(whole_a.manifest, whole_b.manifest),
    )


def knowledge_words(a: Mapping[str, Any], b: Mapping[str, Any]) -> tuple[str, ...]:
    """Say of two runs that their players do without lessons, or that a change concerns those they have."""
    both = [text for text in a["changes"] if text in b["changes"]]
    if (said := lessons_words(both)) or not any(
        row["weights"].get(WEIGHT) for run in (a, b) for row in run["strategies"]
    ):
        return tuple(said)
    try:
        paths = changed_paths([a["changes"], b["changes"]], [a["settings"], b["settings"]], a["decks"] != b["decks"])
        concerned = any(concerns_lessons(load_game(a["game"]), path) for path in paths)
    except UserError:  # a game that this version does not have
        concerned = False
    how = f"`empirelab compare {a['game']} --change ...` plays both games without lessons"
    warning = "The players rely on lessons that they learned from the printed game, so the true change may be larger or"
    return (f"{warning} smaller; {how}.",) if concerned else ()


def out_of_balance(table: Table, margin: float) -> Out:
    """Name the rows of a table that surely win more or less than their fair share, by as much as the margin."""
    rows = table.frame.filter((pl.col("flag") != "") & (pl.col("edge").abs() >= margin))
    return frozenset((table.name, str(level)) for level in rows["level"])


def games_to_pair(run_a: Run, run_b: Run, apart: Sequence[str]) -> list[tuple[HeldGames, HeldGames]]:
    """Say which games of two runs have the same deals and players; none where anything but the games is `apart`."""
    return [] if set(apart) - set(OF_GAMES) else games_in_common(run_a.manifest, run_b.manifest)


def with_games(run_a: Run, run_b: Run, common: Sequence[tuple[HeldGames, HeldGames]]) -> tuple[Run, Run]:
    """Return two runs as if each had only the games that both have, numbered alike."""
    both = list(zip(*common, strict=True))
    if all(list(held) == games_held(run.manifest) for run, held in zip((run_a, run_b), both, strict=True)):
        return run_a, run_b
    first, second = (only_games(run, held) for run, held in zip((run_a, run_b), both, strict=True))
    return first, second


def sameness(whole: tuple[Run, Run], compared: tuple[Run, Run], common: bool) -> Same:
    """Say whether what is compared of two runs are the same games.

    Parameters
    ----------
    whole
        The runs as they were played.
    compared
        What is compared of them: the games that both have, where there are some.
    common
        Whether there are.
    """
    if whole[0].folder.resolve() == whole[1].folder.resolve():
        return "run"
    # A change that no game met leaves the parts as they are, yet is no less a change.
    if not common or what_differs(compared[0].manifest, compared[1].manifest):
        return ""
    if any(run.manifest["games"] > compared[0].manifest["games"] for run in whole):
        return "some games"
    parts = [[part["sha256"] for part in run.manifest["shards"]] for run in whole]
    return "content" if parts[0] == parts[1] and all(parts[0]) else "plan"


def why_apart(apart: Sequence[str]) -> str:
    """Say in what two runs of a game differ that keeps them from sharing their deals."""
    return ", ".join(NAMES.get(name, name) for name in apart)


def called_alike(run_a: Run, run_b: Run) -> Run:
    """Return the second of two runs on the same deals, decks of a user's own called like those whose place they take.

    So tables have a row for what a faction wins by another deck. Where both deal the same factions, nothing changes.
    """
    dealt = run_b.manifest["factions_dealt"]
    names = {name: first for name, first in zip(dealt, run_a.manifest["factions_dealt"], strict=True) if name != first}
    if not names:
        return run_b
    others = [row for row in run_b.manifest["factions"] if row["name"] not in names.values()]
    factions = [row | {"name": names.get(row["name"], row["name"])} for row in others]
    seats = run_b.seats.with_columns(pl.col("faction").cast(pl.String).replace(names))
    seats = seats.with_columns(pl.col("faction").cast(pl.Enum([row["name"] for row in factions])))
    manifest = run_b.manifest | {"factions": factions, "factions_dealt": [names.get(name, name) for name in dealt]}
    return replace(run_b, manifest=manifest, seats=seats)

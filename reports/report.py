"""Builds the report of a run: win rates and verdict, then a section for each further statistic."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

from reports.data.cells import CellSums
from reports.data.games import gather
from reports.data.load import Ladder, Run, as_run, held_seats, load_ladder
from reports.formatting import counted, label
from reports.model import Report, Section, Sections, Table
from reports.sections.compare.robustness import (
    Tried,
    read_sensitivity,
    robustness_section,
    sensitivity_finding,
    sides_section,
)
from reports.sections.core.shares import extreme_words, measures_section, noted, share_report
from reports.sections.core.summary import summary_section
from reports.sections.core.verdict import headline_rows, players_words
from reports.sections.course.luck import convergence_section, luck_section
from reports.sections.course.place_maps import heat_sections
from reports.sections.course.results import circumstances_section, endings_section, odds_sections, results_section
from reports.sections.pieces.pieces import picks_section, pieces_section
from reports.sections.strength.first_player import first_player_section, first_players_section
from reports.sections.strength.matchups import matchups_section
from reports.sections.strength.ratings import strength_section
from reports.sections.strength.skill import sections_by_skill
from reports.sections.strength.skill_findings import (
    headline_at_top,
    is_top_rung,
    judge_rows,
    judges_finding,
    ladder_finding,
    top_rung_words,
    underplayed_finding,
)
from reports.sections.strength.underplayed import badge_note, underplayed_of
from reports.statistics.compare.robustness import run_names
from reports.statistics.core.balance import MARGIN
from reports.statistics.core.decisions import margin_of
from reports.statistics.core.groupings import GroupSums, group_sums
from reports.statistics.core.win_rate import SECTIONS_ALPHA
from reports.statistics.course.endings import GameEnds
from reports.statistics.course.luck import LuckSums
from reports.statistics.strength.matchups import Pairings
from reports.statistics.strength.played_tables import RunOrders
from reports.statistics.strength.skill import skill_curves
from sim.data.arguments import checks_arguments, jobs_to_use
from sim.errors import UserError
from sim.league.manifest import is_league
from sim.runs.store.manifest import Manifest
from sim.runs.store.verify import reading

MIN_BLOCKS = 2

RUN_SECTIONS: tuple[Callable[[Run, float], Section | None], ...] = (
    strength_section,
    matchups_section,
    first_player_section,
    picks_section,
    pieces_section,
    luck_section,
    results_section,
    endings_section,
    circumstances_section,
)
"""Sections that need only the games of the run and make claims, in the order in which they are shown."""
SECTION_ALPHA = SECTIONS_ALPHA / len((*RUN_SECTIONS, robustness_section, sides_section, odds_sections))
"""Error rate of each section. It is the same whether a run has all sections or not; see `statistics.core.win_rate`."""


@checks_arguments
def build_report(
    run: Run | str | os.PathLike[str],
    others: Sequence[Run | str | os.PathLike[str]] = (),
    margin: float = 100 * MARGIN,
    sensitivity: Tried | None = None,
    ladder: Ladder | None = None,
) -> Report:
    """Compute the tables, the verdict and all sections of a report.

    Parameters
    ----------
    run
        From `load_run`, or its folder.
    others
        Further runs of the same game under other conditions. The findings should hold in these runs as well.
    margin
        Edges up to this many percentage points count as balanced.
    sensitivity
        Result of `reports.sections.compare.robustness.read_sensitivity`: the verdict under other plausible game data.
    ladder
        Result of `reports.data.load.load_ladder`: the verdict with less and with more skilled players.

    Raises
    ------
    UserError
        As for `share_report`. Also if the margin is impossible, if another run is of another game, or if the run has
        only one block, so that strength and luck cannot be separated.
    """
    run, further = as_run(run), [as_run(other) for other in others]
    check_other_conditions(run, further)
    near = margin_of(margin)
    if run.manifest.blocks < MIN_BLOCKS:
        message = "one block of games cannot separate strength from luck; play more games"
        raise UserError(message, file=run.folder, found=counted(run.manifest.games, "game"))
    with reading(run.folder):
        run = held_seats(run)
        report, of_a_run = counted_together(run, near)
        if sensitivity is not None:
            said = sensitivity_finding(sensitivity, report.verdict.rows)
            report = replace(report, findings=(*report.findings, said))
        skill: list[Section] = []
        if ladder is not None:
            report, skill = with_skill(report, run.manifest, ladder, near)
        if (extreme := extreme_words(report, ladder is not None)) is not None:
            (head, *rest), (played, caution) = report.findings, extreme
            head = replace(head, headline=f"{head.headline} {played}")
            report = replace(report, findings=(head, caution, *rest))
        found = [*further_statistics(run, report, of_a_run, further), *skill]
        sections = noted(found, run.manifest)
    options = [("with", str(other.folder)) for other in further]
    options += [] if ladder is None else [("ladder", str(ladder.folder))]
    return replace(report, sections=sections, options=tuple(options))


@checks_arguments
def open_report(
    run: Run | str | os.PathLike[str],
    *others: Run | str | os.PathLike[str],
    margin: float = 100 * MARGIN,
    sensitivity: str | os.PathLike[str] | None = None,
    ladder: str | os.PathLike[str] | None = None,
) -> Report | Sections:
    """Return everything that the command `report` shows of a run or a league.

    Parameters
    ----------
    run
        A run, or the folder of a run or of a league.
    others
        Further runs of the same game under other conditions. The findings should hold in these runs as well.
    margin
        Edges up to this many percentage points count as balanced.
    sensitivity, ladder
        The file of `sensitivity --json`, and the folder of `ladder --out`. The verdict says which findings survive
        them.

    Raises
    ------
    UserError
        As for `build_report`. Also if options for runs are given for a league.

    Examples
    --------
    >>> empirelab.report("runs/first").section("matchups").title
    'Matchups'
    """
    if isinstance(run, str | os.PathLike) and is_league(Path(run)):
        from reports.sections.people.league import league_sections  # noqa: PLC0415 - reports of runs need none of it
        from sim.league.folder import load_league  # noqa: PLC0415

        given = {"others": others, "sensitivity": sensitivity, "ladder": ladder}
        if needless := [name for name, value in given.items() if value]:
            raise UserError("this option needs a simulated run, not results of real games", field=needless[0])
        return Sections(league_sections(load_league(Path(run)), margin))
    opened = as_run(run)
    tried = None if sensitivity is None else read_sensitivity(Path(sensitivity), opened.manifest)
    rungs = None if ladder is None else load_ladder(Path(ladder), opened.manifest)
    built = build_report(opened, [as_run(other) for other in others], margin, tried, rungs)
    more = () if sensitivity is None else (("sensitivity", os.fspath(sensitivity)),)
    return replace(built, options=(*built.options, *more))


def check_other_conditions(run: Run, others: Sequence[Run]) -> None:
    """Raise UserError if `run` is among the `others`, or if a run occurs twice among them."""
    seen = [run.folder.resolve()]
    for other in others:
        place = other.folder.resolve()
        if place in seen:
            message, allowed = "--with lists the same run twice", "runs played under other conditions, each once"
            raise UserError(message, file=other.folder, field="with", allowed=allowed)
        seen.append(place)


def counted_together(run: Run, margin: float) -> tuple[Report, list[Section]]:
    """Return a report with win rates and verdict only, and the sections that need only the games of the run.

    Sums that several sections need are read first, in one pass. The rest runs in threads, because kernels and Polars
    release the GIL.
    """
    tasks = [*(partial(section, run, SECTION_ALPHA) for section in RUN_SECTIONS), partial(convergence_section, run)]
    with ThreadPoolExecutor(jobs_to_use(-1)) as workers:
        gather(run, GroupSums, CellSums, GameEnds, RunOrders, Pairings, LuckSums)
        group_sums(run)  # this also finds damaged rows, before a statistic fails on them
        report = workers.submit(share_report, run, margin)
        sections = list(filter(None, workers.map(lambda task: task(), tasks)))
    return report.result(), sections


def with_skill(report: Report, run: Manifest, ladder: Ladder, margin: float) -> tuple[Report, list[Section]]:
    """Return a copy of a report with findings on a ladder added to its own, and the sections on the ladder.

    The copy also names the underplayed factions, in `underplayed` and in the notes of its tables.
    """
    curves = skill_curves(ladder.rungs, margin)
    badges, section = underplayed_of(ladder)
    unknown = [
        claim for claim in section.claims if claim.kind == "underplayed" and claim.subject.rpartition(",")[0] in badges
    ]
    tables = [report.tables[row["table"]] for row in report.verdict.rows]
    rows = [
        {**row, "label": label(table, {"level": row["name"]}), "noun": table.noun}
        for row, table in zip(report.verdict.rows, tables, strict=True)
    ]
    judged = judge_rows(curves, rows)
    said = underplayed_finding(ladder_finding(ladder, run, judged, margin), badges, unknown)
    head, *rest = report.findings
    if not is_top_rung(run, ladder):
        names = headline_rows(report.findings, report.tables, margin)
        named = [one for one in judged if (one.row["table"], str(one.row["name"])) in names]
        head = headline_at_top(head, players_words(run), top_rung_words(ladder), named, margin)
    findings = (head, *rest, *filter(None, [judges_finding(run, ladder, curves, section, margin)]), said)
    badged = {name: with_badges(table, badges) for name, table in report.tables.items()}
    report = replace(report, findings=findings, tables=badged, underplayed=tuple(badges))
    return report, sections_by_skill(ladder, curves, badges, section, margin)


def with_badges(table: Table, badges: Sequence[str]) -> Table:
    """Return a copy of a table. Its note also names its rows that are in `badges`, the underplayed factions."""
    own = [] if table.crossed or table.name == "strategy" else table.frame["level"].to_list()
    return replace(table, note=f"{table.note} {badge_note([name for name in badges if name in own])}".strip())


def further_statistics(
    run: Run, report: Report, of_a_run: Sequence[Section], others: Sequence[Run]
) -> Iterator[Section]:
    """Yield the sections of a report in the order in which they are shown.

    `of_a_run` are the sections from `counted_together`. With `others`, first players are compared over all runs.
    """
    yield summary_section(report.tables.values(), report.verdict.margin)
    yield robustness_section(run, others, report.tables, report.verdict.margin, SECTION_ALPHA)
    sides = sides_section(report.tables, run.manifest, SECTION_ALPHA)
    yield from filter(None, (sides, measures_section(report.tables, run.manifest)))
    yield from of_a_run
    yield from heat_sections(run)
    yield from odds_sections(run, SECTION_ALPHA)
    if others:  # each run is named by how it differs from the others
        runs = [run, *others]
        named = dict(zip(run_names([one.manifest for one in runs]), runs, strict=True))
        yield from filter(None, [first_players_section(named, "run")])

"""Everything a report says of a run: win shares and verdict, then every further statistic as a section."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from joblib import Parallel, delayed

from reports.data.load import Run, as_run, reading
from reports.sections.certainty import noted
from reports.sections.circumstances import circumstances_section
from reports.sections.convergence import convergence_section
from reports.sections.endings import endings_section
from reports.sections.heat import heat_sections
from reports.sections.luck import luck_section
from reports.sections.matchups import matchups_section
from reports.sections.measures import measures_section
from reports.sections.odds import odds_sections
from reports.sections.picks import picks_section
from reports.sections.pieces import pieces_section
from reports.sections.ratings import strength_section
from reports.sections.results import results_section
from reports.sections.robustness import robustness_section
from reports.sections.sensitivity import Tried, sensitivity_finding
from reports.sections.shares import share_report
from reports.sections.sides import sides_section
from reports.sections.summary import summary_section
from reports.shapes import Report, Section
from reports.statistics.balance import MARGIN
from reports.statistics.decisions import margin_of
from reports.words import counted
from sim.errors import UserError
from sim.runs.run import jobs_to_use

LEAST_BLOCKS = 2

OF_A_RUN: tuple[Callable[[Run], Section | None], ...] = (
    strength_section,
    matchups_section,
    picks_section,
    pieces_section,
    luck_section,
    results_section,
    endings_section,
    circumstances_section,
    convergence_section,
)
"""Statistics that need the run's games only, in the order in which they are shown."""


def build_report(
    run: Run | str | Path,
    others: Sequence[Run | str | Path] = (),
    margin: float = 100 * MARGIN,
    sensitivity: Tried | None = None,
) -> Report:
    """Compute tables, verdict and every section.

    Parameters
    ----------
    run
        From `load_run`, or its folder.
    others
        Further runs of the same game: conditions under which the findings should hold, too.
    margin
        Edges up to this one, in percentage points, count as balanced.
    sensitivity
        From `reports.sections.sensitivity.read_sensitivity`: what becomes of the verdict where what no source tells is
        otherwise.

    Raises
    ------
    UserError
        As for `share_report`; an impossible margin; another run is of another game; or the run has one block only, so
        that nothing in it can tell strength from luck.
    """
    run, further = as_run(run), [as_run(other) for other in others]
    near = margin_of(margin)
    if run.manifest["blocks"] < LEAST_BLOCKS:
        message = "nothing can be said from one block of games: strength and luck cannot be told apart; play more"
        raise UserError(message, file=run.folder, found=counted(run.manifest["games"], "game"))
    report = share_report(run, near)
    if sensitivity is not None:
        said = sensitivity_finding(sensitivity, report.verdict.rows)
        report = replace(report, findings=(*report.findings, said))
    with reading(run.folder):
        sections = noted(further_statistics(run, report, further), run.manifest)
    return replace(report, sections=sections)


def further_statistics(run: Run, report: Report, others: Sequence[Run]) -> Iterator[Section]:
    """Yield the sections of a report in the order in which they are shown."""
    yield summary_section(report.tables.values(), report.verdict.margin)
    yield robustness_section(run, others, report.tables, report.verdict.margin)
    if (sides := sides_section(report.tables, run.manifest)) is not None:
        yield sides
    if (measures := measures_section(report.tables, run.manifest)) is not None:
        yield measures
    # Most of their time is spent in kernels and in Polars, which run beside each other.
    sections = Parallel(n_jobs=jobs_to_use(-1), backend="threading")(delayed(one)(run) for one in OF_A_RUN)
    yield from (section for section in sections if section is not None)
    yield from heat_sections(run)
    yield from odds_sections(run)

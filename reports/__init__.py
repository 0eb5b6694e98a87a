"""Statistics and pages made from run folders.

In a notebook:

    report = build_report(load_run("runs/first"))
    report                                     # the verdict
    report.section("matchups")                 # any further statistic
    frames(report)                             # every table by name, Polars; .to_pandas() for pandas
    pictures(report)                           # every figure by name; .draw(ax) draws on axes of your own
    compare_runs(run_a, run_b)                 # what changed, paired by deal
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reports.balance import Report, Table
    from reports.compare import compare_runs
    from reports.export import frames, pictures
    from reports.figures import forest, heat_map, part_bars, score_distributions
    from reports.html import write_html
    from reports.load import Run, load_run
    from reports.ratings import fit_strengths
    from reports.report import build_report
    from reports.section import Section
    from reports.study import fair_value, games_needed, sweep_values

_HOME = {
    "Report": "balance",
    "Run": "load",
    "Section": "section",
    "Table": "balance",
    "build_report": "report",
    "compare_runs": "compare",
    "fair_value": "study",
    "fit_strengths": "ratings",
    "forest": "figures",
    "frames": "export",
    "games_needed": "study",
    "heat_map": "figures",
    "load_run": "load",
    "part_bars": "figures",
    "pictures": "export",
    "score_distributions": "figures",
    "sweep_values": "study",
    "write_html": "html",
}

__all__ = [
    "Report",
    "Run",
    "Section",
    "Table",
    "build_report",
    "compare_runs",
    "fair_value",
    "fit_strengths",
    "forest",
    "frames",
    "games_needed",
    "heat_map",
    "load_run",
    "part_bars",
    "pictures",
    "score_distributions",
    "sweep_values",
    "write_html",
]


def __getattr__(name: str) -> Any:
    """Import polars, scipy and the rest only when asked for: the command line must start at once."""
    if name not in _HOME:
        raise AttributeError(f"module 'reports' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - part of the delayed import

    return getattr(import_module(f"reports.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    """What can be imported, for completion in a notebook."""
    return sorted(__all__)

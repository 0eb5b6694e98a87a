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
    from reports.data.load import Run, load_run
    from reports.report import build_report
    from reports.sections.share_pictures import forest, heat_map, part_bars, score_distributions
    from reports.shapes import Report, Section, Table
    from reports.show.export import frames, pictures
    from reports.show.page import write_html
    from reports.statistics.ratings import fit_strengths
    from reports.studies.compare import compare_runs
    from reports.studies.notebook import equilibria, fair_value, games_needed, sweep_values

_HOME = {
    "Report": "shapes",
    "Run": "data.load",
    "Section": "shapes",
    "Table": "shapes",
    "build_report": "report",
    "compare_runs": "studies.compare",
    "equilibria": "studies.notebook",
    "fair_value": "studies.notebook",
    "fit_strengths": "statistics.ratings",
    "forest": "sections.share_pictures",
    "frames": "show.export",
    "games_needed": "studies.notebook",
    "heat_map": "sections.share_pictures",
    "load_run": "data.load",
    "part_bars": "sections.share_pictures",
    "pictures": "show.export",
    "score_distributions": "sections.share_pictures",
    "sweep_values": "studies.notebook",
    "write_html": "show.page",
}

__all__ = [
    "Report",
    "Run",
    "Section",
    "Table",
    "build_report",
    "compare_runs",
    "equilibria",
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

    home = _HOME[name]
    if not home.startswith(("data.", "statistics.")):
        # With them reports, sections, tables and pictures show themselves in a notebook and at a prompt.
        import_module("reports.show.page")
        import_module("reports.show.terminal")
    return getattr(import_module(f"reports.{home}"), name)


def __dir__() -> list[str]:
    """What can be imported, for completion in a notebook."""
    return sorted(__all__)

"""Statistics and pages made from run folders.

In a notebook:

    report = build_report(load_run("runs/first"))
    report                                     # the verdict
    report.section("matchups")                 # one further statistic
    frames(report)                             # every table by name, Polars; .to_pandas() for pandas
    pictures(report)                           # every figure by name; .draw(ax) draws on your axes
    compare_runs(run_a, run_b)                 # what changed, paired by deal
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reports.data.load import Run, load_run
    from reports.model import Report, Section, Table
    from reports.render.export import frames, pictures
    from reports.render.page import write_html
    from reports.report import build_report
    from reports.sections.core.share_pictures import forest, heat_map, part_bars, score_distributions
    from reports.statistics.strength.ratings import fit_strengths
    from reports.studies.api import equilibria, fair_value, games_needed, sweep_values
    from reports.studies.compare.compare import compare_runs

_HOME = {
    "Report": "model",
    "Run": "data.load",
    "Section": "model",
    "Table": "model",
    "build_report": "report",
    "compare_runs": "studies.compare.compare",
    "equilibria": "studies.api",
    "fair_value": "studies.api",
    "fit_strengths": "statistics.strength.ratings",
    "forest": "sections.core.share_pictures",
    "frames": "render.export",
    "games_needed": "studies.api",
    "heat_map": "sections.core.share_pictures",
    "load_run": "data.load",
    "part_bars": "sections.core.share_pictures",
    "pictures": "render.export",
    "score_distributions": "sections.core.share_pictures",
    "sweep_values": "studies.api",
    "write_html": "render.page",
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
    """Import a name on first use: polars and scipy import slowly, and the command line must start fast."""
    if name not in _HOME:
        raise AttributeError(f"module 'reports' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - part of the delayed import

    home = _HOME[name]
    if not home.startswith(("data.", "statistics.")):
        # These modules register how reports, sections, tables and pictures look in a notebook and at a prompt.
        import_module("reports.render.page")
        import_module("reports.render.terminal")
    return getattr(import_module(f"reports.{home}"), name)


def __dir__() -> list[str]:
    """List the names that can be imported, for completion in a notebook."""
    return sorted(__all__)

"""Computes statistics from run folders and writes reports.

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
    from reports.folder_view import FolderView, view_folder
    from reports.model import Report, Section, Sections, Table
    from reports.render.export import frames, pictures
    from reports.render.page import run_card as run_card
    from reports.render.page import write_html
    from reports.report import build_report, open_report
    from reports.sections.compare.changes import Comparison
    from reports.sections.core.shares import share_report as share_report
    from reports.sections.core.win_rate_figures import forest, heat_map, part_bars, score_distributions
    from reports.statistics.strength.ratings import fit_strengths
    from reports.studies.api import (
        Comparisons,
        compare,
        drama,
        equilibria,
        explain,
        fair_value,
        games,
        ladder,
        plan,
        predict,
        price,
        restricted,
        strategies,
        sweep,
        validate,
        ways,
    )
    from reports.studies.compare.compare import compare_runs
    from reports.studies.players.tuning import tune_strategy

_NAMES = {
    "data.load": "Run load_run",
    "folder_view": "FolderView view_folder",
    "model": "Report Section Sections Table",
    "render.export": "frames pictures",
    "render.page": "run_card write_html",
    "report": "build_report open_report",
    "sections.compare.changes": "Comparison",
    "sections.core.win_rate_figures": "forest heat_map part_bars score_distributions",
    "sections.core.shares": "share_report",
    "statistics.strength.ratings": "fit_strengths",
    "studies.api": "Comparisons compare drama equilibria explain fair_value games ladder plan predict price restricted "
    "strategies sweep validate ways",
    "studies.compare.compare": "compare_runs",
    "studies.players.tuning": "tune_strategy",
}
_HOME = {name: home for home, names in _NAMES.items() for name in names.split()}

__all__ = [
    "Comparison", "Comparisons", "FolderView", "Report", "Run", "Section", "Sections", "Table", "build_report",
    "compare", "compare_runs", "drama", "equilibria", "explain", "fair_value", "fit_strengths", "forest", "frames",
    "games", "heat_map", "ladder", "load_run", "open_report", "part_bars", "pictures", "plan", "predict", "price",
    "restricted", "score_distributions", "strategies", "sweep", "tune_strategy", "validate", "view_folder", "ways",
    "write_html",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import a name when it is first used.

    polars and scipy take long to import, and the command line must start fast.
    """
    if name not in _HOME:
        raise AttributeError(f"module 'reports' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - part of the delayed import

    home = _HOME[name]
    if not home.startswith(("data.", "statistics.")):
        # These modules register how reports, sections, tables and figures are shown in a notebook and at a prompt.
        import_module("reports.render.page")
        import_module("reports.render.terminal")
    return getattr(import_module(f"reports.{home}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)

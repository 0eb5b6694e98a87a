"""Statistics and pages made from run folders.

In a notebook:

    report = build_report(load_run("runs/first"))
    report                                     # the verdict
    report.tables["faction"].frame             # Polars; .to_pandas() for pandas
    forest(report.tables["faction"]).figure    # matplotlib; forest(table, ax=ax) draws on axes of your own
    frames(report)                             # everything as frames, by name
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reports.balance import Report, Table
    from reports.export import frames
    from reports.figures import forest, heat_map, part_bars, score_distributions
    from reports.html import write_html
    from reports.load import Run, load_run
    from reports.report import build_report
    from reports.section import Section

_HOME = {
    "Report": "balance",
    "Run": "load",
    "Section": "section",
    "Table": "balance",
    "build_report": "report",
    "forest": "figures",
    "frames": "export",
    "heat_map": "figures",
    "load_run": "load",
    "part_bars": "figures",
    "score_distributions": "figures",
    "write_html": "html",
}

__all__ = [
    "Report",
    "Run",
    "Section",
    "Table",
    "build_report",
    "forest",
    "frames",
    "heat_map",
    "load_run",
    "part_bars",
    "score_distributions",
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

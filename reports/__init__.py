"""Statistics and pages made from run folders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reports.balance import Report, build_report
    from reports.load import Run, load_run

__all__ = ["Report", "Run", "build_report", "load_run"]

_HOME = {"Run": "load", "load_run": "load", "Report": "balance", "build_report": "balance"}


def __getattr__(name: str) -> Any:
    """Import polars, scipy and the rest only when asked for: the command line must start at once."""
    if name not in _HOME:
        raise AttributeError(f"module 'reports' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - part of the delayed import

    return getattr(import_module(f"reports.{_HOME[name]}"), name)

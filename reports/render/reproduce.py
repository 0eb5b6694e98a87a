"""The command and the Python call that reproduce a page. The page's script appends the reader's filters."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reports.model import Report


@dataclass(frozen=True)
class Again:
    """How to reproduce a page: a command and a Python call.

    `seats` is the glob pattern of the run's files, which have a row per seat and game; empty for a league.
    """

    command: str
    python: str
    seats: str


def again(folder: Path, margin: float, options: Sequence[tuple[str, str]] = (), league: bool = False) -> Again:
    """Return how to reproduce the report of a run or league.

    Parameters
    ----------
    folder
        Folder of the run or league.
    margin
        Margin of the report, as a fraction.
    options
        Further options of the command `report`, with their values: `("with", "runs/b")`, `("ladder", "runs/ladder")`.
    league
        Whether the report is about results of real games.
    """
    near = [] if margin == 0.01 else [("margin", f"{100 * margin:g}")]
    words = [word for name, value in (*near, *options) for word in (f"--{name}", value)]
    beside = [value for name, value in options if name == "with"]
    named = [f"{name}={value}" for name, value in near]
    named += [f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in options if name != "with"]
    given = [json.dumps(str(one), ensure_ascii=False) for one in (folder, *beside)]
    command = f"empirelab report {shlex.join([os.fspath(folder), *words])}"
    seats = "" if league else Path(folder, "seats/*.parquet").as_posix()
    return Again(command, f"empirelab.report({', '.join(given + named)})", seats)


def again_of(report: Report) -> Again:
    """Return how to reproduce a report."""
    return again(report.folder, report.verdict.margin, report.options)

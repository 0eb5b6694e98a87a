"""The report as one self-contained page: pictures, style and the few lines of script are inside."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from reports import figures, words
from reports.balance import Report, Table
from reports.export import write_whole

CERTAINTY_TONES = {"confirmed": "sure", "single-source": "half", "stand-in": "unsure"}


def write_html(report: Report, path: Path) -> None:
    """Write the page; an older one is replaced in one step.

    Parameters
    ----------
    report
        From `build_report`.
    path
        The file to write.

    Raises
    ------
    UserError
        The file cannot be written; nothing is left behind.
    """
    write_whole(Path(path), render(report).encode("utf-8"))


def render(report: Report) -> str:
    """Return the page as text. It loads nothing from anywhere."""
    environment = Environment(
        loader=PackageLoader("reports", "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    environment.globals["w"] = words
    environment.filters["minus"] = minus
    pictures = {name: picture(name, figure, report) for name, figure in figures.all_figures(report)}
    return environment.get_template("report.html.j2").render(
        report=report,
        manifest=report.manifest,
        pictures=pictures,
        plain=[table for table in report.tables.values() if not table.crossed],
        crossed=[table for table in report.tables.values() if table.crossed],
        rows={name: rows(table) for name, table in report.tables.items()},
        parts=report.manifest["score_parts"],
        measures=report.manifest["measures"],
        quantiles=report.quantiles.to_dicts(),
        endings=report.endings.to_dicts(),
        certainty=certainty_bar(report.manifest),
        settings=[(name, shown(value)) for name, value in sorted(report.manifest["settings"].items())],
        strategies=[{**row, "weights": shown(row.get("weights", {}))} for row in report.manifest["strategies"]],
    )


def rows(table: Table) -> list[dict[str, Any]]:
    """Rows of a table for the page."""
    return table.frame.to_dicts()


def picture(name: str, figure: Any, report: Report) -> dict[str, str | int]:
    """A figure as a data URI, with the width in inches that it was drawn for and a text in its place."""
    data = base64.b64encode(figures.png(figure)).decode("ascii")
    width = round(96 * figure.get_figwidth())
    return {"source": f"data:image/png;base64,{data}", "width": width, "alt": figures.alternative(name, report)}


def certainty_bar(manifest: dict[str, Any]) -> list[dict[str, Any]]:
    """Each certainty of game data with its rows, its share and the tone in which it is shown."""
    counts: dict[str, int] = manifest["certainty"]
    total = sum(counts.values())
    return [
        {"name": name, "rows": number, "share": number / total if total else 0.0, "tone": CERTAINTY_TONES.get(name, "half")}
        for name, number in counts.items()
    ]


def shown(value: Any) -> str:
    """A setting as text: words as they are, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def minus(text: str) -> str:
    """Set a true minus sign before numbers: '-7.0' as '−7.0'."""
    return re.sub(r"(?<![\w-])-(?=\d)", "−", text)

"""The report as one self-contained page: pictures, style and the few lines of script are inside."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from reports import figures, words
from reports.balance import Report
from reports.export import write_whole
from reports.verdict import flagged, headline_tables

SCREEN_DPI = 144
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
    environment.filters["minus"] = words.typeset
    pictures = {name: picture(name, figure, report) for name, figure in figures.all_figures(report)}
    return environment.get_template("report.html.j2").render(
        report=report,
        manifest=report.manifest,
        pictures=pictures,
        plain=[table for table in report.tables.values() if not table.crossed],
        crossed=[table for table in report.tables.values() if table.crossed],
        tiles=tiles(report),
        rows={name: table.frame.to_dicts() for name, table in report.tables.items()},
        parts=report.manifest["score_parts"],
        measures=report.manifest["measures"],
        quantiles=report.quantiles.to_dicts(),
        endings=report.endings.to_dicts(),
        certainty=certainty_bar(report.manifest),
        settings=[(name, shown(value)) for name, value in sorted(report.manifest["settings"].items())],
        strategies=[{**row, "weights": shown(row.get("weights", {}))} for row in report.manifest["strategies"]],
    )


def tiles(report: Report) -> list[dict[str, Any]]:
    """The verdict at a glance: strongest and weakest flagged row of each table that the headline names."""
    chosen = []
    for name in headline_tables(report.findings):
        table = report.tables[name]
        hits = flagged(table)
        for row in (hits[0], hits[-1])[: len(hits)]:
            half = words.half_width(row)
            digits = words.decimals(half)
            spread = "points" if half is None else f"± {words.size(half, digits)} points"
            if words.lopsided(row):
                spread = f"points, {' to '.join(words.edge_limits(row, digits))}"
            tile = {"title": table.title, "name": row["level"], "flag": row["flag"], "spread": spread}
            tile["edge"] = words.points(row["edge"], digits)
            tile["share"], tile["null"] = (words.percent(row[name], digits) for name in ("win_share", "null"))
            chosen.append(tile)
    return chosen


def picture(name: str, figure: Any, report: Report) -> dict[str, str | int]:
    """A figure as a data URI, with the width in inches that it was drawn for and a text in its place."""
    data = base64.b64encode(figures.png(figure)).decode("ascii")
    width = round(SCREEN_DPI * figure.get_figwidth())
    return {"source": f"data:image/png;base64,{data}", "width": width, "alt": figures.alternative(name, report)}


def certainty_bar(manifest: dict[str, Any]) -> list[dict[str, Any]]:
    """Each certainty of game data with its rows, its share and the tone in which it is shown."""
    counts: dict[str, int] = manifest["certainty"]
    total = sum(counts.values())
    return [
        {"name": name, "rows": rows, "share": rows / total if total else 0.0, "tone": CERTAINTY_TONES.get(name, "half")}
        for name, rows in counts.items()
    ]


def shown(value: Any) -> str:
    """A setting as text: words as they are, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

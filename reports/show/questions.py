"""What a page needs to answer questions: sums of the run, quantiles, a chart that follows, and the library that draws it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from typing import Any

from markupsafe import Markup
from scipy import stats

from reports.data.choices import Sums
from reports.drawing import FAINT, INK, NEUTRAL, STRONG, WEAK
from reports.statistics.choices import Choices
from reports.statistics.groupings import attribute_key
from reports.statistics.winshare import ALPHA
from reports.words import capital
from sim.files import write_whole
from sim.kernel_cache import cache_home

TABLED = 200
"""Degrees of freedom up to which quantiles stand in a table; beyond, an expansion has all digits of it."""
DIGITS = 10
"""Decimals of a sum of parts of wins: thirds of a win add up to whole ones."""


def page_data(choices: Choices, cards: Mapping[str, str]) -> dict[str, Any]:
    """Return what the page's script reads.

    Parameters
    ----------
    choices
        From `choices_of`.
    cards
        Where a faction is explained, by its name: a page, or a place on this one.
    """
    levels = {name: [level(name, value) for value in own] for name, own in choices.levels.items()}
    return {
        "levels": levels,
        "titles": {name: capital(title) for name, title in choices.titles.items()},
        "tables": [table_data(sums, choices.every_company) for sums in choices.sums],
        "quantiles": {
            "t": [round(float(stats.t.ppf(1 - ALPHA / 2, freedom)), 12) for freedom in range(1, TABLED + 1)],
            "z": float(stats.norm.ppf(1 - ALPHA / 2)),
        },
        "everyCompany": choices.every_company,
        "leftOut": choices.left_out,
        "cards": dict(cards),
        "chart": chart(),
    }


def level(column: str, value: Any) -> dict[str, Any]:
    """A level: its name, and the number of players that decides what is fair."""
    written = {"seat": f"seat {value}", "players": f"{value} players"}
    return {"name": written.get(column, str(value)), "value": value}


def table_data(sums: Sums, every_company: bool) -> dict[str, Any]:
    """Sums of a table with flat lists in place of pairs: how many blocks hold each company, in the order of these."""
    groups = []
    for group in sums.groups:
        blocks = [0] * (1 + max(place for place, _ in group["blocks"]))
        for place, number in group["blocks"]:
            blocks[place] = number
        flat = {name: [short(value) for entry in group[name] for value in entry] for name in ("wins", "products")}
        groups.append({"keys": group["keys"], "blocks": blocks, **flat})
    own = every_company and sums.question.rows != "strategy"
    asked = {"rows": sums.question.rows, "others": list(sums.question.others), "everyCompany": own}
    return {**asked, "companies": sums.companies, "groups": groups}


def short(value: float) -> float:
    """A sum without the digits that rounding has left; whole where it is."""
    rounded = round(value, DIGITS)
    return int(rounded) if float(rounded).is_integer() else rounded


def as_json(data: Any) -> Markup:
    """Data as JSON that can stand in a script element: no name in it ends the element."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


def chart() -> dict[str, Any]:
    """A forest plot in Vega-Lite's language: interval, share and fair share of each row, in the order of the rows."""
    tone = {
        "field": "tone", "type": "nominal", "legend": None,
        "scale": {"domain": ["strong", "weak", ""], "range": [STRONG, WEAK, NEUTRAL]},
    }  # fmt: skip
    y = {"field": "name", "type": "nominal", "sort": None, "axis": {"title": None, "labelLimit": 130}}
    x_axis = {"title": "share of games won, %", "gridColor": FAINT, "tickCount": 6}
    x = {"type": "quantitative", "scale": {"zero": False, "nice": True}, "axis": x_axis}
    told = {
        "name": "row", "wins": "wins", "interval": "95 % interval", "fairly": "fair", "points": "edge, points",
        "seatGames": "games", "blocksHeld": "blocks",
    }  # fmt: skip
    tooltip = [{"field": field, "type": "nominal", "title": title} for field, title in told.items()]
    fair = {"type": "tick", "color": INK, "thickness": 1.5, "size": 24}
    return {
        "width": "container",
        "autosize": {"type": "fit", "contains": "padding"},
        "data": {"name": "rows"},
        "encoding": {"y": y, "tooltip": tooltip},
        "layer": [
            {"mark": fair, "encoding": {"x": {**x, "field": "just"}}},
            {"mark": {"type": "rule", "strokeWidth": 3, "cursor": "pointer"},
             "encoding": {"x": {**x, "field": "from"}, "x2": {"field": "to"}, "color": tone}},
            {"mark": {"type": "point", "filled": True, "size": 80, "opacity": 1, "cursor": "pointer"},
             "encoding": {"x": {**x, "field": "at"}, "color": tone}},
            {"data": {"name": "middle"}, "mark": {"type": "rule", "strokeDash": [5, 4], "color": NEUTRAL},
             "encoding": {"x": {**x, "field": "mean"}, "y": None, "tooltip": {"value": "all that was chosen"}}},
        ],
        "config": {"font": "system-ui, sans-serif", "axis": {"labelFontSize": 12, "titleFontSize": 11, "titleFontWeight": "normal"},
                   "view": {"stroke": None}},
    }  # fmt: skip


@cache
def library() -> Markup:
    """Return Vega-Embed, Vega-Lite and Vega as one script, made once for each version of the package that holds them.

    Making it takes seconds; it is kept in the user's cache folder.
    """
    import vl_convert  # noqa: PLC0415  33 MB that only pages need

    kept = cache_home() / f"vega-embed-{version('vl-convert-python')}.js"
    if not kept.exists():
        script = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_whole(kept, script.encode("utf-8"))
    text = kept.read_text(encoding="utf-8")
    return Markup(text)

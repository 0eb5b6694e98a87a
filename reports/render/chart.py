"""The interactive chart of the page, and its script library."""

from __future__ import annotations

import json
from functools import cache
from importlib.metadata import version
from typing import Any

from markupsafe import Markup

from reports.drawing import FAINT, INK, NEUTRAL, STRONG, WEAK
from sim.compiler.cache import cache_home, read_cached, write_cached


def as_json(data: Any) -> Markup:
    """Serialise data as JSON that is safe inside a script element."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


def chart() -> dict[str, Any]:
    """Return a Vega-Lite forest plot: interval, share and fair share of each row."""
    tone = {
        "field": "tone", "type": "nominal", "legend": None,
        "scale": {"domain": ["strong", "weak", ""], "range": [STRONG, WEAK, NEUTRAL]},
    }  # fmt: skip
    y = {"field": "name", "type": "nominal", "sort": None, "axis": {"title": None, "labelLimit": 130}}
    x_axis = {"title": "win rate, %", "gridColor": FAINT, "tickCount": 6, "labelOverlap": True}
    x = {"type": "quantitative", "scale": {"zero": False, "nice": True}, "axis": x_axis}
    told = {
        "name": "row", "wins": "win rate", "interval": "95 % interval", "fairly": "fair", "points": "edge, points",
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
        "config": {
            "font": "system-ui, sans-serif",
            "axis": {"labelFontSize": 12, "titleFontSize": 11, "titleFontWeight": "normal"},
            "view": {"stroke": None},
        },
    }  # fmt: skip


@cache
def library() -> Markup:
    """Return Vega-Embed, Vega-Lite and Vega as one script; bundling takes seconds, so it is cached on disk."""
    place = cache_home() / f"vega-embed-{version('vl-convert-python')}.script"
    kept = read_cached(place)
    if kept is not None:
        return Markup(kept.decode("utf-8"))
    import vl_convert  # noqa: PLC0415  33 MB that only the first page needs

    script: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    write_cached(place, script.encode("utf-8"))
    return Markup(script)

"""The interactive chart of the page, and its script library.

Render figures of a report as PNG and SVG.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from typing import Any

from markupsafe import Markup
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from PIL import Image

from reports.drawing import FAINT, INK, NEUTRAL, STRONG, WEAK, figure_of, in_style
from reports.model import Picture, Report, shows
from reports.sections.core.share_pictures import share_pictures
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


DPI = 288


def all_figures(report: Report) -> Iterator[tuple[str, Figure]]:
    """Draw every figure of a report and of its sections, one at a time.

    Yields
    ------
    The picture's name and the figure.
    """
    for picture in (*share_pictures(report), *(picture for section in report.sections for picture in section.pictures)):
        yield picture.name, figure_of(picture.draw())


def png(figure: Figure) -> bytes:
    """Return the figure as a PNG file at more than twice the density of a common screen."""
    buffer = io.BytesIO()
    with in_style():
        # The file has no date or version, so that the same run gives the same bytes.
        figure.savefig(buffer, format="png", dpi=DPI, metadata={"Software": None})
    return buffer.getvalue()


def small_png(figure: Figure, dpi: float) -> bytes:
    """Return the figure as a PNG file of at most 256 colours, which makes a page of heat maps a third as large."""
    buffer, small = io.BytesIO(), io.BytesIO()
    with in_style():
        figure.savefig(buffer, format="png", dpi=dpi)
    with Image.open(buffer) as drawn:
        drawn.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(small, "png", optimize=True)
    return small.getvalue()


def svg(figure: Figure) -> bytes:
    """Return the figure as an SVG file, half as large and as slow as PNG; letters are outlines and need no font."""
    buffer, canvas = io.BytesIO(), figure.canvas
    with in_style(**{"svg.fonttype": "path", "svg.hashsalt": "empirelab"}):
        # Print through the canvas, because savefig would draw the figure twice.
        FigureCanvasSVG(figure).print_svg(buffer, metadata={"Date": None, "Creator": None})
    figure.set_canvas(canvas)
    return buffer.getvalue()


@shows(Picture)
def picture_svg(picture: Picture) -> str:
    """Return a section's picture as SVG for a notebook."""
    return svg(figure_of(picture.draw())).decode("utf-8")

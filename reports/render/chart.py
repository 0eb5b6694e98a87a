"""Renders the figures of a report as PNG and SVG, and provides the font of the figures of a page."""

from __future__ import annotations

import base64
import io
import json
import zlib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from markupsafe import Markup
from matplotlib import get_data_path
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from PIL import Image

from reports.drawing import figure_of, in_style
from reports.model import Picture, Report, shows
from reports.sections.core.win_rate_figures import win_rate_figures
from sim.compiler.cache import cache_home, read_cached, write_cached


def as_deflated(data: Any) -> str:
    """Serialise data as JSON, compress it with zlib, and encode it in base64."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode("utf-8"), 9)).decode("ascii")


FONTS = {"normal": "DejaVuSans.ttf", "bold": "DejaVuSans-Bold.ttf"}
"""Font files of figures, by weight."""
LETTERS = (*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x2010, 0x2027), 0x2190, 0x2192, 0x2212, 0x2264, 0x2265)
"""Code points of the characters embedded in a page: Latin letters and symbols in figures.

A browser takes other characters from its own fonts.
"""


@cache
def lettering() -> Markup:
    """Return the style that defines the font for the figures of a page.

    Making it takes a second, so it is cached on disk.
    """
    place = cache_home() / f"lettering-{version('matplotlib')}-{version('fonttools')}.css"
    kept = read_cached(place)
    if kept is None:
        kept = "\n".join(font_face(weight, file) for weight, file in FONTS.items()).encode("ascii")
        write_cached(place, kept)
    return Markup(kept.decode("ascii"))


def font_face(weight: str, file: str) -> str:
    """Return the style of a font that has `LETTERS` only, embedded as a data URI."""
    from fontTools import subset  # noqa: PLC0415 - only the first page needs it

    options = subset.Options(flavor="woff", hinting=False, layout_features=[], name_IDs=[], drop_tables=["FFTM"])
    font = subset.load_font(str(Path(get_data_path(), "fonts", "ttf", file)), options)
    chosen = subset.Subsetter(options)
    chosen.populate(unicodes=LETTERS)
    chosen.subset(font)
    written = io.BytesIO()
    subset.save_font(font, written, options)
    data = base64.b64encode(written.getvalue()).decode("ascii")
    return f"@font-face {{ font-family: figure; font-weight: {weight}; src: url(data:font/woff;base64,{data}); }}"


DPI = 288


def all_figures(report: Report) -> Iterator[tuple[str, Figure]]:
    """Draw all figures of a report and of its sections, one at a time; yield the picture's name and the figure."""
    for picture in (*win_rate_figures(report), *(one for section in report.sections for one in section.pictures)):
        yield picture.name, figure_of(picture.draw())


def png(figure: Figure) -> bytes:
    """Return a figure as a PNG file with more than twice the resolution of a common screen."""
    buffer = io.BytesIO()
    with in_style():
        # The file has neither date nor version, so that the same run gives the same bytes.
        figure.savefig(buffer, format="png", dpi=DPI, metadata={"Software": None})
    return buffer.getvalue()


def small_png(figure: Figure, dpi: float) -> bytes:
    """Return a figure as a PNG file of at most 256 colours.

    A page of heat maps with such files has a third of the size of a page with the files of `png`.
    """
    buffer, small = io.BytesIO(), io.BytesIO()
    with in_style():
        figure.savefig(buffer, format="png", dpi=dpi)
    with Image.open(buffer) as drawn:
        drawn.convert("RGB").quantize(256, dither=Image.Dither.NONE).save(small, "png", optimize=True)
    return small.getvalue()


def svg(figure: Figure, name: str = "") -> bytes:
    """Return a figure as an SVG file. It is half the size of the PNG file and takes half the time.

    Letters are outlines, so no font is needed. With a name, text uses the font of the page (`lettering`), which more
    than halves the size again. The name makes the identifiers in the file differ from those of other figures of the
    page.
    """
    buffer, canvas = io.BytesIO(), figure.canvas
    with in_style(**{"svg.fonttype": "none" if name else "path", "svg.hashsalt": name or "empirelab"}):
        # Print through the canvas, because `savefig` would draw the figure twice.
        FigureCanvasSVG(figure).print_svg(buffer, metadata={"Date": None, "Creator": None})
    figure.set_canvas(canvas)
    return buffer.getvalue()


@shows(Picture)
def picture_svg(picture: Picture) -> str:
    """Return a section's figure as SVG for a notebook."""
    return svg(figure_of(picture.draw())).decode("utf-8")

"""Render figures of a report as PNG and SVG."""

from __future__ import annotations

import io
from collections.abc import Iterator

from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from PIL import Image

from reports.drawing import figure_of, in_style
from reports.model import Picture, Report, shows
from reports.sections.core.share_pictures import share_pictures

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
        # No date or version in the file: the same run gives the same bytes.
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
        # Through the canvas, since savefig draws a figure twice to lay it out.
        FigureCanvasSVG(figure).print_svg(buffer, metadata={"Date": None, "Creator": None})
    figure.set_canvas(canvas)
    return buffer.getvalue()


@shows(Picture)
def picture_svg(picture: Picture) -> str:
    """Return a picture of a section as a notebook shows it."""
    return svg(figure_of(picture.draw())).decode("utf-8")

"""What a part of a report is made of, whatever shows it: terminal, page, JSON, pictures or a notebook.

A statistic says what it found in sentences, lists its rows in frames whose columns say how they are to be written, and
draws its figures. Terminal and page know only these shapes, so that a new statistic needs no new page.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import polars as pl
from matplotlib.axes import Axes

Kind = Literal["text", "count", "share", "edge", "size", "number", "p", "flag"]
"""How a column is written: a share 0.2514 as '25.14 %', an edge 0.031 as '+3.10', a size 0.031 as '3.10' points."""

LEADING = ("balance", "summary")
"""Names of sections that stand right below the verdict, before the tables they sum up."""


@dataclass(frozen=True)
class Column:
    """A column of a listing.

    Attributes
    ----------
    name
        Its name in the frame.
    title
        Its heading.
    kind
        How its values are written.
    low, high
        Columns with the limits of its 95 % interval, written beside it as 'a to b'; empty for none.
    meaning
        What the heading means, in a few words.
    """

    name: str
    title: str
    kind: Kind
    low: str = ""
    high: str = ""
    meaning: str = ""


@dataclass(frozen=True)
class Listing:
    """A table of a section.

    Attributes
    ----------
    name
        Name in CSV and JSON: "strength faction".
    title
        Heading: "Adjusted strength by board".
    frame
        One row per line. Shares and edges are fractions; unknown values are null, never NaN, and the row's `note`
        (or the listing's) says why.
    columns
        What is shown, in this order; the frame may hold more, which CSV and JSON give.
    folded
        Whether it is too long for a terminal and stands behind a fold on the page.
    note
        A sentence under the table.
    """

    name: str
    title: str
    frame: pl.DataFrame
    columns: tuple[Column, ...]
    folded: bool = False
    note: str = ""

    def __repr__(self) -> str:
        """Show itself at a prompt."""
        return f"<Listing {self.name!r}: {self.frame.height} rows>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        from reports.show.page import listing_card  # noqa: PLC0415 - pages build on sections

        return listing_card(self)


@dataclass(frozen=True)
class Picture:
    """A figure of a section.

    Attributes
    ----------
    name
        Name of its file: "strength faction".
    draw
        Draws it on new axes, or on those it is given, and returns them: `draw(ax=None)`.
    alternative
        What it shows, for readers who cannot see it.
    """

    name: str
    draw: Callable[..., Axes]
    alternative: str

    def __repr__(self) -> str:
        """Show itself at a prompt."""
        return f"<Picture {self.name!r}: {self.alternative}>"

    def _repr_svg_(self) -> str:
        """Show itself in a notebook."""
        from reports.show.figures import figure_of, svg  # noqa: PLC0415 - figures build on pictures

        return svg(figure_of(self.draw())).decode("utf-8")


@dataclass(frozen=True)
class Section:
    """A part of a report beside the win shares.

    Attributes
    ----------
    name
        Short name, used in links and JSON: "strength".
    title
        Heading: "Adjusted strength".
    sentences
        What was found, most important first, as a designer would say it.
    listings, pictures
        Its tables and figures.
    reading
        How to read it, in two or three sentences.
    """

    name: str
    title: str
    sentences: tuple[str, ...]
    listings: tuple[Listing, ...] = ()
    pictures: tuple[Picture, ...] = ()
    reading: str = ""

    def __repr__(self) -> str:
        """Show itself at a prompt."""
        return "\n".join([self.title, *self.sentences])

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        from reports.show.page import section_card  # noqa: PLC0415 - pages build on sections

        return section_card(self)

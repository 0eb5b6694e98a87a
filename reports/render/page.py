"""Reports as self-contained pages: pictures, style and the few lines of script are inside."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from reports import formatting
from reports.drawing import figure_of
from reports.model import LEADING, Listing, Picture, Report, Section, Table, shows
from reports.render.chart import as_json, chart, library
from reports.render.export import file_names
from reports.render.figures import small_png, svg
from reports.render.format_cells import sheet
from reports.sections.core.next_step import named_picks, next_step, search_commands
from reports.sections.core.page_filters import asked_of
from reports.sections.core.share_pictures import first_picture_of, share_pictures
from reports.sections.pieces.cards import cards_of, decided_groups, main_table
from sim.data.arguments import checks_arguments
from sim.data.files import write_whole
from sim.data.printing import printable
from sim.errors import check_kind

# Pixels of an inch of a figure on a wide screen: its letters are then as large as those of the page.
SCREEN_DPI = 116
WIDE = 7.0
# A longer listing stands behind a fold, and is cut in a notebook.
MAX_ROWS = 30
# A figure of many thousand strokes is smaller as a PNG file, two dots for each of a wide screen, than as a drawing;
# ordinary ones have 50,000 bytes.
MAX_DRAWN = 400_000
# Comments, which repeat what is written; digits below a hundredth of a point; white space; long names of letters, and
# long words for where they stand.
UNSEEN = (
    (r"(?s)<!--.*?-->", ""), (r"\b([1-9]\d*\.\d\d)\d+", r"\1"), (r"\s+", " "), (r"> <", "><"),
    (r" ?([MLQCz]) ?", r"\1"),
    (r"DejaVuSans-(Bold-)?", lambda found: "b" if found[1] else "s"),
    (r"(<use [^>]*)transform='translate\(([\d.]+) 0\)'", r"\1x='\2'"),
)  # fmt: skip
# What may stand in a data URI within double quotes as it is: all but %, #, quotes, and marks of protocols.
SAFE = " !$&'()*+,-./;<=>?@[]^_`{|}~"
CERTAINTY_TONES = {"confirmed": "sure", "single-source": "half", "stand-in": "unsure"}


@checks_arguments
def write_html(report: Report, path: str | os.PathLike[str]) -> None:
    """Write the page; an older one is replaced in one step.

    Parameters
    ----------
    report
        From `build_report`; its run is read again for what the page can be asked.
    path
        The file to write.

    Raises
    ------
    UserError
        The file cannot be written; nothing is left behind.
    """
    check_kind(report, Report, 'a report, such as build_report("runs/first")')
    write_whole(Path(path), render(report, asked=asked_of(report.folder)).encode("utf-8"))


def render(report: Report, explained: Mapping[str, str] | None = None, asked: dict[str, Any] | None = None) -> str:
    """Return the page of a run as text. It loads nothing from anywhere.

    Parameters
    ----------
    explained
        Where the page that explains a faction lies, by its name; its card and the chart link there.
    asked
        From `asked_of`: what the page can be asked; None for a page that answers nothing.
    """
    manifest, cards = report.manifest, cards_of(report, explained or {})
    plain = shown_tables(report)
    crossed = [table for table in report.tables.values() if table.crossed]
    named = identified(report.sections)
    leading = [(name, section) for name, section in named if section.name in LEADING]
    sections = [(name, section) for name, section in named if section.name not in LEADING]
    links = [("verdict", "Verdict")]
    links += [("ask", "Ask the games")] if asked else []
    links += [("rows", "Row by row")] if cards else []
    links += [*titles(leading), *((one.id, one.table.title) for one in plain)]
    links += [("pairs", "Pairs")] if crossed else []
    links += [*titles(sections), ("scores", "Scores"), ("reading", "How to read this"), ("repeat", "Settings")]
    main = main_table(report)
    places = {card.name: card.link for card in cards if card.name in map(str, faction_names(report))}
    return template_environment().get_template("report.html.j2").render(
        title=f"{manifest['title']}: balance report", heading=f"{manifest['title']}: who wins too often?",
        subtitle=subtitle(manifest), links=links, report=report, manifest=manifest, plain=plain,
        main=main, first_picture=None if main is None else first_picture_of(report, main),
        crossed=crossed, leading=leading, sections=sections, cards=cards, groups=decided_groups(cards),
        step=next_step(report, cards), searches=search_commands(report), picks=named_picks(report),
        pictures={picture.name: picture for picture in share_pictures(report)},
        asked=None if asked is None else {**asked, "cards": places, "chart": chart()},
    )  # fmt: skip


@dataclass(frozen=True)
class Shown:
    """A table of win shares on the page: where it stands, what its finding says, and the tables that sum it up."""

    id: str
    table: Table
    headline: str
    below: tuple[Shown, ...] = ()

    @property
    def name(self) -> str:
        """Name of the table."""
        return self.table.name


def shown_tables(report: Report) -> list[Shown]:
    """Return the tables that are not crossed; those by attributes of factions stand below the one by faction."""
    headlines = {finding.table: finding.headline for finding in report.findings if finding.table}
    plain = [table for table in report.tables.values() if not table.crossed]
    shown = [Shown(f"table-{n}", table, headlines.get(table.name, "")) for n, table in enumerate(plain, 1)]
    attributes = tuple(one for one in shown if one.name in report.manifest["faction_attributes"])
    return [replace(one, below=attributes) if one.name == "faction" else one for one in shown if one not in attributes]


def faction_names(report: Report) -> list[str]:
    """Names of the factions of a run."""
    return [row["name"] for row in report.manifest["factions"]]


def subtitle(manifest: dict[str, Any]) -> str:
    """What was played: variant, size, strategies and, in a game that has any, factions."""
    said = [f"Variant {formatting.variant_words(manifest)}", formatting.run_size(manifest)]
    said.append(formatting.counted(len(manifest["strategies"]), "strategy"))
    if manifest["factions"]:
        said.append(formatting.counted(formatting.dealt(manifest), manifest["faction_title"]))
    return " · ".join(said)


def sections_page(
    title: str,
    subtitle: str,
    sections: Sequence[Section],
    manifests: Mapping[str, dict[str, Any]] | None = None,
    certainty: Mapping[str, int] | None = None,
) -> str:
    """Return a page of sections as text, in the style of a report. It loads nothing from anywhere.

    Parameters
    ----------
    title, subtitle
        What stands at its head.
    sections
        What is shown, in this order.
    manifests
        `run.json` of each run it rests on, by what the run is called there ("run A"): the certainty of the first
        one's game data stands at the head, the settings of each, and how to repeat it, at the end.
    certainty
        Rows of game data of each certainty, for the head of a page that rests on no run.
    """
    manifests = manifests or {}
    data = next(iter(manifests.values()), {"certainty": dict(certainty)} if certainty else None)
    named = identified(sections)
    links = titles(named)
    links += [(f"settings-{number}", f"Settings of {name}") for number, name in enumerate(manifests, 1)]
    return template_environment().get_template("sections.html.j2").render(
        title=title, heading=title, subtitle=subtitle, links=links, sections=named, manifests=manifests, data=data
    )  # fmt: skip


@shows(Report)
def report_card(report: Report) -> str:
    """Return a report as a notebook shows it: the verdict and the table of factions, or of strategies without them."""
    sentences = [finding.headline for finding in report.findings]
    names = ", ".join([*report.tables, *(section.name for section in report.sections)])
    table = report.tables["faction" if "faction" in report.tables else "strategy"]
    return card(sentences, [table], (), f"Tables and sections: {names}.")


def run_card(report: Report) -> str:
    """Return a run as a notebook shows it: what was played, the verdict, and a figure of who wins too often."""
    known = {picture.name: picture for picture in share_pictures(report)}
    pictures = [known[name] for name in ("faction", "strategy") if name in known][:1]
    more = f"Tables: {', '.join(report.tables)}. Everything else: .report()."
    played = f"{report.manifest['title']} · {subtitle(report.manifest)}"
    return card([finding.headline for finding in report.findings], (), (), more, pictures, played)


@shows(Table)
def table_card(table: Table) -> str:
    """Return a table of win shares as a notebook shows it."""
    left = table.frame.height - MAX_ROWS
    shown = replace(table, frame=table.frame.head(MAX_ROWS))
    return card((), [shown], (), f"And {formatting.counted(left, 'row')} more in .frame." if left > 0 else "")


@shows(Section)
def section_card(section: Section) -> str:
    """Return a section as a notebook shows it: its sentences and its first table; the others by name."""
    shown = [listing for listing in section.listings if not listing.folded and listing.frame.height][:1]
    cut = [replace(listing, frame=listing.frame.head(MAX_ROWS)) for listing in shown]
    whole = [listing.name for listing in shown if listing.frame.height <= MAX_ROWS]
    names = [listing.name for listing in section.listings if listing.name not in whole]
    more = [f"Whole in .listings: {', '.join(names)}."] if names else []
    more += [f"Figures: {', '.join(picture.name for picture in section.pictures)}."] if section.pictures else []
    return card(section.sentences, (), cut, " ".join(more))


@shows(Listing)
def listing_card(listing: Listing) -> str:
    """Return a table of a section as a notebook shows it."""
    left = listing.frame.height - MAX_ROWS
    shown = replace(listing, frame=listing.frame.head(MAX_ROWS))
    return card((), (), [shown], f"And {formatting.counted(left, 'row')} more in .frame." if left > 0 else "")


def card(
    sentences: Sequence[str],
    tables: Sequence[Table],
    listings: Sequence[Listing],
    more: str,
    pictures: Sequence[Picture] = (),
    played: str = "",
) -> str:
    """Return what was played, sentences, figures and tables as a piece of a page, without style."""
    return template_environment().get_template("card.html.j2").render(
        sentences=sentences, tables=tables, listings=listings, more=more, pictures=pictures, played=played
    )  # fmt: skip


@cache
def template_environment() -> Environment:
    """Return what fills the templates."""
    made = Environment(
        loader=PackageLoader("reports.render", "templates"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True, finalize=lambda value: printable(value) if type(value) is str else value,
    )  # fmt: skip
    made.globals |= {"w": formatting, "drawn": drawn, "written": sheet, "certainty_of": certainty_bar}
    made.globals |= {
        "shown": setting_json,
        "weights": weights,
        "most_rows": MAX_ROWS,
        "library": library,
        "sorting": sorting,
    }
    made.filters["minus"] = formatting.typeset
    made.filters["prose"] = prose
    made.filters["json"] = as_json
    return made


def sorting(value: Any) -> str:
    """What a cell is sorted by: its value with the digits that tell it from others, '' where it is unknown."""
    if value is None:
        return ""
    return f"{value:.8g}" if isinstance(value, float) else str(value)


def prose(text: str) -> Markup:
    """A sentence as HTML: true minus signs, and what stands between backticks as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(printable(formatting.typeset(text))))))


def identified(sections: Sequence[Section]) -> list[tuple[str, Section]]:
    """Return sections with the names that links point to."""
    names = file_names(section.name for section in sections)
    return [(f"section-{name}", section) for name, section in zip(names, sections, strict=True)]


def titles(named: Sequence[tuple[str, Section]]) -> list[tuple[str, str]]:
    """Return links to sections: name and title."""
    return [(name, section.title) for name, section in named]


def drawn(picture: Picture) -> dict[str, Any]:
    """A picture as a data URI, with its width in inches and in pixels of a wide screen."""
    figure = figure_of(picture.draw())
    content = svg(figure)
    source = f"data:image/svg+xml,{quote(shortened(content.decode('utf-8')), safe=SAFE)}"
    if len(content) > MAX_DRAWN:
        source = f"data:image/png;base64,{base64.b64encode(small_png(figure, 2 * SCREEN_DPI)).decode('ascii')}"
    inches = figure.get_figwidth()
    return {
        "source": Markup(source),
        "inches": f"{inches:.2f}",
        "width": round(SCREEN_DPI * inches),
        "wide": inches > WIDE,
    }


def shortened(drawing: str) -> str:
    """An SVG file without what nobody sees, on one line.

    Numbers below 1 keep their digits: among them are factors by which letters are drawn smaller.
    """
    drawing = drawing[drawing.index("<svg") :].replace('"', "'")
    for seen, kept in UNSEEN:
        drawing = re.sub(seen, kept, drawing)
    return drawing


def certainty_bar(manifest: dict[str, Any]) -> list[dict[str, Any]]:
    """Each certainty of game data with its rows, its share and the tone in which it is shown."""
    counts: dict[str, int] = manifest["certainty"]
    total = sum(counts.values())
    return [
        {"name": name, "rows": rows, "share": rows / total if total else 0.0, "tone": CERTAINTY_TONES.get(name, "half")}
        for name, rows in counts.items()
    ]


def setting_json(value: Any) -> str:
    """A setting as text: words as they are, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def weights(values: dict[str, Any]) -> str:
    """A strategy's weights as text: 'blue 0.8, science 0.386'."""
    return ", ".join(f"{name} {setting_json(value)}" for name, value in values.items())

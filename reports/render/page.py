"""Renders reports as self-contained HTML pages with embedded figures, style and script."""

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
from reports.render.chart import as_deflated, lettering, small_png, svg
from reports.render.export import Reporting, file_names, reported
from reports.render.format_cells import left_out, sheet
from reports.render.reproduce import Again, again_of
from reports.sections.core.next_step import NextStep, named_picks, next_step, search_commands
from reports.sections.core.row_cards import decided_groups, main_table, row_cards
from reports.sections.core.shares import extreme_factions, filter_data
from reports.sections.core.verdict import HEADLINE_ERROR, HEADLINE_LEVEL
from reports.sections.core.win_rate_figures import first_picture_of, win_rate_figures
from sim.data.arguments import checks_arguments
from sim.data.files import write_whole
from sim.errors import check_kind, printable
from sim.runs.store.manifest import Manifest

# Pixels per inch of a figure on a wide screen. With it, the letters of a figure are as large as those of the page.
SCREEN_DPI = 116
WIDE = 7.0
# Number of rows above which a listing is collapsed on a page and cut in a notebook.
MAX_ROWS = 30
# Number of findings beside the first figure of a page; further findings are collapsed.
MAX_BULLETS = 3
# Number of columns above which a listing shows its further columns only on request.
MAX_COLUMNS = 8
# Bytes above which an SVG file is replaced by a PNG file of double resolution; most files have about 50,000 bytes.
MAX_DRAWN = 400_000
# Patterns and replacements that shorten tags of SVG files: excess digits, white space, names of glyphs.
UNSEEN = (
    (r"\b([1-9]\d*\.\d\d)\d+", r"\1"), (r"\s+", " "), (r" ?([MLQCz]) ?", r"\1"),
    (r"DejaVuSans-(Bold-)?", lambda found: "b" if found[1] else "s"),
    (r'(<use [^>]*)transform="translate\(([\d.]+) 0\)"', r'\1x="\2"'),
)  # fmt: skip
# Patterns and replacements that further shorten figures inside the page: group names, font, needless attributes.
OF_PAGE = (
    (r"font-family: 'DejaVu Sans'; |text-anchor: start; | transform=\"rotate\(-0 [^\"]*\"|(?<=<g) id=\"[^\"]*\"", ""),
    (r"xlink:href", "href"), (r"(\.\d)0(?!\d)", r"\1"), (r"(?<=[\d;]) (?=\")", ""), (r"([:;]) ", r"\1"),
)  # fmt: skip
# Characters that need not be escaped in a data URI between double quotes.
SAFE = " !$&'()*+,-./;<=>?@[]^_`{|}~"
CERTAINTY_TONES = {"confirmed": "sure", "single-source": "half", "stand-in": "unsure"}


@checks_arguments
def write_html(report: Report | Reporting, path: str | os.PathLike[str]) -> None:
    """Write the page of a report.

    Parameters
    ----------
    report
        Result of `build_report`, or a run. The run is read again for the filters of the page.
    path
        The file to write. An older file is replaced atomically.

    Raises
    ------
    UserError
        The file cannot be written; nothing is left behind.
    """
    of: Any = reported(report)
    check_kind(of, Report, 'a run or a report, such as build_report("runs/first")')
    write_whole(Path(path), render(of, asked=filter_data(of.folder)).encode("utf-8"))


def render(report: Report, explained: Mapping[str, str] | None = None, asked: dict[str, Any] | None = None) -> str:
    """Return the page of a run as self-contained HTML.

    Parameters
    ----------
    explained
        Links to the pages that explain factions, by the name of the faction.
    asked
        Data for the filters of the page, from `filter_data`; None for a page without filters.
    """
    manifest, cards = report.manifest, row_cards(report, explained or {})
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
    main, extreme = main_table(report), next((row["name"] for row in extreme_factions(report)), None)
    factions = {str(row.name) for row in manifest.factions}
    places = {card.name: card.link for card in cards if card.name in factions}
    page = template_environment().get_template("report.html.j2").render(
        title=f"{manifest.title}: balance report", heading=f"{manifest.title}: who wins too often?",
        subtitle=subtitle(manifest), links=links, report=report, manifest=manifest, plain=plain,
        main=main, first_picture=None if main is None else first_picture_of(report, main),
        crossed=crossed, pairs=", ".join(table.noun for table in crossed),
        pair_names="|".join(table.name for table in crossed), leading=leading, sections=sections,
        cards=cards, groups=decided_groups(cards), why=next((card for card in cards if card.name == extreme), None),
        step=next_step(report, cards), searches=search_commands(report), picks=named_picks(report),
        pictures={picture.name: picture for picture in win_rate_figures(report)},
        headline_level=HEADLINE_LEVEL, headline_error=HEADLINE_ERROR,
        asked=None if asked is None else {**asked, "cards": places}, again=again_of(report),
    )  # fmt: skip
    return compact(page)


@dataclass(frozen=True)
class Shown:
    """A table on the page, with an anchor (`id`), its finding's headline, and tables of attributes `below` it."""

    id: str
    table: Table
    headline: str
    below: tuple[Shown, ...] = ()

    @property
    def name(self) -> str:
        """Name of the table."""
        return self.table.name


def shown_tables(report: Report) -> list[Shown]:
    """Return the tables that are not crossed. Tables by faction attribute come below the table of factions."""
    headlines = {finding.table: finding.headline for finding in report.findings if finding.table}
    plain = [table for table in report.tables.values() if not table.crossed]
    shown = [Shown(f"table-{n}", table, headlines.get(table.name, "")) for n, table in enumerate(plain, 1)]
    attributes = tuple(one for one in shown if one.name in report.manifest.faction_attributes)
    return [replace(one, below=attributes) if one.name == "faction" else one for one in shown if one not in attributes]


def subtitle(manifest: Manifest) -> str:
    """Describe a run: variant, size, number of strategies, and number of factions if the game has factions."""
    said = [f"Variant {formatting.variant_words(manifest)}", formatting.run_size(manifest)]
    said.append(formatting.counted(len(manifest.strategies), "strategy"))
    if manifest.factions:
        said.append(formatting.counted(formatting.dealt(manifest), manifest.faction_title))
    return " · ".join(said)


def sections_page(
    title: str,
    subtitle: str,
    sections: Sequence[Section],
    manifests: Mapping[str, Manifest] | None = None,
    certainty: Mapping[str, int] | None = None,
    step: NextStep | None = None,
    asked: dict[str, Any] | None = None,
    again: Again | None = None,
) -> str:
    """Return a self-contained HTML page of sections in the style of a report.

    Parameters
    ----------
    manifests
        Manifest of each run, by the name of the run on the page ("run A"). The page begins with the certainty of the
        first run's game data, and ends with the settings of each run.
    certainty
        Number of rows of game data by certainty, for a page without runs.
    step
        The suggested next commands.
    asked
        Data for the filters of the page; None for a page without filters.
    again
        How to reproduce the page, if it is a page of `report`.
    """
    manifests = manifests or {}
    data = next(iter(manifests.values()), None)
    named = identified(sections)
    links = titles(named[:1]) + ([("ask", "Ask the games")] if asked else []) + titles(named[1:])
    links += [(f"settings-{number}", f"Settings: {name}") for number, name in enumerate(manifests, 1)]
    page = template_environment().get_template("sections.html.j2").render(
        title=title, heading=title, subtitle=subtitle, links=links, sections=named, manifests=manifests, data=data,
        certainty=data.certainty if data else certainty, step=step,
        asked=None if asked is None else {**asked, "cards": {}}, again=again,
    )  # fmt: skip
    return compact(page)


@shows(Report)
def report_card(report: Report) -> str:
    """Render a report for a notebook: its verdict, and its table of factions or else of strategies."""
    sentences = [finding.headline for finding in report.findings]
    names = ", ".join([*report.tables, *(section.name for section in report.sections)])
    table = report.tables["faction" if "faction" in report.tables else "strategy"]
    return card(sentences, [table], (), f"Tables and sections: {names}.")


def run_card(report: Report) -> str:
    """Render a run for a notebook: its facts, its verdict, and a figure of win rates."""
    known = {picture.name: picture for picture in win_rate_figures(report)}
    pictures = [known[name] for name in ("faction", "strategy") if name in known][:1]
    more = f"Tables: {', '.join(report.tables)}. Everything else: .report()."
    played = f"{report.manifest.title} · {subtitle(report.manifest)}"
    return card([finding.headline for finding in report.findings], (), (), more, pictures, played)


@shows(Table)
def table_card(table: Table) -> str:
    """Render a table of win rates for a notebook."""
    return card((), [table.head(MAX_ROWS)], (), left_out(table, MAX_ROWS))


@shows(Section)
def section_card(section: Section) -> str:
    """Render a section for a notebook: sentences, main columns of the first table, and names of the other tables."""
    shown = [listing for listing in section.listings if listing.frame.height][:1]
    cut = [replace(one.head(MAX_ROWS), shown=tuple(each for each in one.shown if not each.further)) for one in shown]
    whole = [old.name for old, new in zip(shown, cut, strict=True) if len(new) == len(old) and new.shown == old.shown]
    names = [listing.name for listing in section.listings if listing.name not in whole]
    more = [f"Whole tables: {', '.join(names)}."] if names else []
    more += [f"Figures: {', '.join(picture.name for picture in section.pictures)}."] if section.pictures else []
    return card(section.sentences, (), cut, " ".join(more))


@shows(Listing)
def listing_card(listing: Listing) -> str:
    """Render a table of a section for a notebook."""
    return card((), (), [listing.head(MAX_ROWS)], left_out(listing, MAX_ROWS))


def card(
    sentences: Sequence[str],
    tables: Sequence[Table],
    listings: Sequence[Listing],
    more: str,
    pictures: Sequence[Picture] = (),
    played: str = "",
) -> str:
    """Render sentences, figures and tables as HTML without style. `played` stands at the top, `more` at the end."""
    return template_environment().get_template("card.html.j2").render(
        sentences=sentences, tables=tables, listings=listings, more=more, pictures=pictures, played=played, card=True
    )  # fmt: skip


@cache
def template_environment() -> Environment:
    """Return the Jinja environment for the templates."""
    made = Environment(
        loader=PackageLoader("reports.render", "templates"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
        finalize=lambda value: printable(value) if type(value) is str else value,
    )  # fmt: skip
    made.globals |= {"w": formatting, "drawn": drawn, "written": sheet, "certainty_of": certainty_bar}
    made.globals |= {"shown": setting_json, "weights": weights, "lettering": lettering, "sorting": sorting}
    made.globals |= {"most_rows": MAX_ROWS, "most_bullets": MAX_BULLETS, "most_columns": MAX_COLUMNS}
    made.filters |= {"minus": formatting.typeset, "prose": prose, "deflated": as_deflated}
    return made


def sorting(value: Any) -> str:
    """Return a cell's value as the text by which the page's script sorts; empty for an unknown value."""
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def prose(text: str) -> Markup:
    """Render a sentence as HTML, with true minus signs, links, and code where it has backticks."""
    said = re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(printable(formatting.typeset(text)))))
    return Markup(re.sub(r"https://[\w./-]*[\w/]", r'<a href="\g<0>">\g<0></a>', said))


def identified(sections: Sequence[Section]) -> list[tuple[str, Section]]:
    """Return each section after its anchor: the name by which links on the page refer to it."""
    names = file_names(section.name for section in sections)
    return [(f"section-{name}", section) for name, section in zip(names, sections, strict=True)]


def titles(named: Sequence[tuple[str, Section]]) -> list[tuple[str, str]]:
    """Return the anchor and the title of each section."""
    return [(name, section.title) for name, section in named]


def drawn(picture: Picture, lettered: bool = False) -> dict[str, Any]:
    """Return a figure for a template, with its width in inches and in pixels of a wide screen.

    By default, `source` is a data URI and `svg` is empty. If `lettered`, text uses the font of the page. Then there is
    no `source`, and `svg` is the inline SVG element without its first characters `<svg`. A file of more than
    `MAX_DRAWN` bytes always becomes a data URI of a PNG file.
    """
    figure = figure_of(picture.draw())
    inches = figure.get_figwidth()
    sizes = {"inches": f"{inches:.2f}", "width": round(SCREEN_DPI * inches), "wide": inches > WIDE}
    content = svg(figure, picture.name if lettered else "")
    if len(content) > MAX_DRAWN:
        png = base64.b64encode(small_png(figure, 2 * SCREEN_DPI)).decode("ascii")
        return {"svg": "", "source": Markup(f"data:image/png;base64,{png}"), **sizes}
    drawing = shortened(content.decode("utf-8"), (*UNSEEN, *OF_PAGE) if lettered else UNSEEN)
    if not lettered:
        source = quote(drawing.replace('"', "'"), safe=SAFE)
        return {"svg": "", "source": Markup(f"data:image/svg+xml,{source}"), **sizes}
    drawing = re.sub(r"(?s)<metadata>.*?</metadata>|<defs><style.*?</style></defs>|<g/>", "", drawing)
    drawing = re.sub(r"<g>(<(?:path|use|rect)[^<>]*/>|<text[^<>]*>[^<]*</text>)</g>", r"\1", drawing)
    drawing = re.sub(r'(?<= d=")((?:[ML]-?[\d.]+ -?[\d.]+)+)(?=z?")', straight, drawing)
    (view,) = re.findall(r'^<svg[^>]* (viewBox="[^"]*")', drawing)
    return {"svg": Markup(f" {view}{drawing[drawing.index('>') :]}"), **sizes}


def straight(path: re.Match[str]) -> str:
    """Shorten an SVG path of lines: write horizontal ones with H, vertical ones with V, join consecutive ones."""
    x = y = text = ""
    for kind, to_x, to_y in re.findall(r"([ML])(-?[\d.]+) (-?[\d.]+)", path[0]):
        level, upright = kind == "L" and to_y == y, kind == "L" and to_x == x
        text += f"H{to_x}" if level else f"V{to_y}" if upright else f"{kind}{to_x} {to_y}"
        x, y = to_x, to_y
    return re.sub(r"(?:H-?[\d.]+){2,}|(?:V-?[\d.]+){2,}", onward, text)


def onward(strokes: re.Match[str]) -> str:
    """Return only the last of consecutive lines along one axis; all of them if one turns back."""
    ends = [float(end) for end in re.split("[HV]", strokes[0])[1:]]
    last = re.split("(?=[HV])", strokes[0])[-1]
    return last if ends in (sorted(ends), sorted(ends, reverse=True)) else strokes[0]


def compact(page: str) -> str:
    """Shorten the tables of a page.

    Quotes and end tags that HTML does not need are removed, and so are sort keys that repeat the text of their cell.
    """

    def table(found: re.Match[str]) -> str:
        text = re.sub(r' data-value="([^"]*)"(?=[^<>]*>\1<)', "", found[0])
        text = re.sub(r'( (?:class|scope|data-value)=)"([\w.+-]+)"', r"\1\2", text)
        return re.sub(r"</t[dr]>\s*", "", text)

    return re.sub(r"(?s)<table\b.*?</table>", table, page)


def shortened(drawing: str, rules: Sequence[tuple[str, Any]] = UNSEEN) -> str:
    """Shorten the tags of an SVG file without visible change. Numbers below 1 keep all digits: they scale letters."""

    def tag(found: re.Match[str]) -> str:
        text = found[0]
        for seen, kept in rules:
            text = re.sub(seen, kept, text)
        return text

    drawing = re.sub(r"(?s)<!--.*?-->", "", drawing[drawing.index("<svg") :])
    return re.sub(r"<[^>]*>", tag, re.sub(r">\s+<", "><", drawing))


def certainty_bar(counts: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return for each certainty of game data its name, the number of rows, their share, and its style."""
    total = sum(counts.values())
    return [
        {"name": name, "rows": rows, "share": rows / total if total else 0.0, "tone": CERTAINTY_TONES.get(name, "half")}
        for name, rows in counts.items()
    ]


def setting_json(value: Any) -> str:
    """Format the value of a setting: a string as it is, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def weights(values: dict[str, Any]) -> str:
    """Format a strategy's weights: 'blue 0.8, science 0.386'."""
    return ", ".join(f"{name} {setting_json(value)}" for name, value in values.items())

"""Sections are written alike on terminal and page, and whole in JSON, CSV and pictures."""

import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from pathlib import Path

import matplotlib as mpl
import polars as pl
import pytest
from made_up import EMPTY, LONG, PAIRS, SECTIONS, SILENT, STRENGTH
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from synthetic import Truth, write_run

import reports
from reports.data.load import load_run
from reports.drawing import NARROW, figure_of, styled_axes
from reports.model import ColumnKind, Picture, Report, Section
from reports.render.chart import all_figures, svg
from reports.render.export import csv_files, file_names, frames, json_text, png_files
from reports.render.format_cells import column_decimals, format_value, sheet
from reports.render.page import drawn, render, sections_page
from reports.render.terminal import print_section
from reports.sections.core.shares import share_report
from reports.sections.core.win_rate_figures import forest, win_rate_figures
from sim.data.files import write_all
from sim.errors import UserError
from sim.runs.progress import SafeConsole
from tests.reports.conftest import at_terminal

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def full(report: Report) -> Report:
    """The shared report with made-up sections."""
    return replace(report, sections=SECTIONS)


@pytest.fixture(scope="module")
def html(full: Report) -> str:
    """Its page with one table of rows, and with a summary of balance among the sections."""
    tables = {"faction": full.tables["faction"]}
    return render(replace(full, tables=tables, sections=(*SECTIONS, replace(SILENT, name="balance", title="In short"))))


def printed(section: Section, width: int = 100, all_of_it: bool = False) -> str:
    out = io.StringIO()
    print_section(section, SafeConsole(file=out, width=width), all_of_it)
    return out.getvalue()


def test_each_kind_of_column_is_written_as_a_reader_wants_it() -> None:
    written = sheet(STRENGTH.listings[0])
    heads = [head.title for head in written.heads]
    interval = "95 % interval"
    assert heads == ["board", "flag", "strength", interval, "share", "edge", interval, "games", "MDE", "p", "holds",
                     "note"]  # fmt: skip
    texts = [[cell.text for cell in row] for row in written.rows]
    assert texts[0] == ["Halikarnassos B", "strong", "0.42", "0.30 to 0.50", "33.30 %", "+8.31", "+7.00 to +9.00",
                        "1,000", "1.00", "<0.0001", "yes", ""]  # fmt: skip
    # An edge that rounds to nothing has no sign; a limit that is no number makes the interval unknown.
    assert texts[1][3:6] == ["-", "31.00 %", "0.00"]
    assert texts[2] == ["Ephesos B", "", "-", "-", "-", "-", "-", "3", "-", "-", "", "never met"]
    assert written.tones == ("strong", "", "", "weak")
    silent = replace(STRENGTH.listings[0], frame=STRENGTH.listings[0].frame.with_columns(note=pl.lit("")))
    assert "note" not in [head.title for head in sheet(silent).heads], "no column without notes"


def test_plain_numbers_have_two_decimals_at_most_unless_all_are_tiny() -> None:
    columns = ([1.0, 2000.0], [0.5, None], [51.63], [1234.5], [0.0123], [0.0012], [float("nan")], [])
    digits = [column_decimals(pl.Series(numbers, dtype=pl.Float64)) for numbers in columns]
    assert digits == [0, 2, 1, 1, 2, 4, 0, 0]


def test_unknown_true_and_whole_values_are_written_in_every_kind_of_column() -> None:
    kinds: tuple[ColumnKind, ...] = ("text", "flag", "count", "share", "edge", "size", "number", "p")
    three = ["3", "3", "3", "300.00 %", "+300.00", "300.00", "3.00", "3.0000"]
    for value, written in ((None, ["", "", *["-"] * 6]), (True, ["yes"] * 8), (3, three)):
        assert [format_value(value, kind) for kind in kinds] == written


def test_terminal_shows_sentences_and_small_tables_and_says_where_the_rest_is() -> None:
    text = printed(STRENGTH)
    for said in ("Halikarnassos B is the strongest", "0.30 to 0.50", "never met", "mean of all boards.", "All pairs"):
        assert said in text
    assert "pair 3" not in text
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 100


def test_terminal_cuts_long_tables_unless_asked_for_all() -> None:
    text = printed(LONG)
    assert "pair 14" in text
    assert "pair 15" not in text
    assert "And 35 more rows" in text
    one_more = replace(LONG, listings=(replace(LONG.listings[0], frame=LONG.listings[0].frame.head(16)),))
    assert "pair 15" in printed(one_more)
    assert "more row" not in printed(one_more)
    assert "pair 49" in printed(LONG, all_of_it=True)
    assert "pair 49" in printed(STRENGTH, all_of_it=True)


def test_terminal_leaves_out_columns_that_do_not_fit_and_names_them() -> None:
    text = printed(STRENGTH, 60)
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 60
    assert "Further columns" in text
    assert "never met" in text
    assert "…" not in text


@pytest.mark.parametrize("section", [SILENT, EMPTY])
def test_a_section_that_can_say_nothing_prints_its_words_and_no_empty_table(section: Section) -> None:
    text = printed(section)
    assert section.title in text
    assert "───" not in text
    assert "nan" not in text.lower()


def test_report_prints_what_its_sections_say_and_tables_only_if_asked(full: Report) -> None:
    summed = replace(full, sections=(*SECTIONS, replace(SILENT, name="balance", title="In short")))
    short, long = (at_terminal(summed, all_of_it) for all_of_it in (False, True))
    order = ["In short", "Win rate by strategy", "Adjusted strength & more", "More: Strength by board; All pairs"]
    places = [short.index(word) for word in order]
    assert places == sorted(places)
    assert short.count("\n") < 160
    assert "never met" not in short
    assert "never met" in long
    assert "Win rate by strategy with wonder side" in long


def test_page_shows_every_section_with_its_tables_and_figures(html: str) -> None:
    for section in SECTIONS:
        assert f'data-section="{section.name}"' in html
    for text in ("Adjusted strength &amp; more", "No pair met.", "\N{MINUS SIGN}7.2 ± 0.3"):
        assert text in html
    assert html.count('data-figure="strength faction"') == 1
    assert html.count('data-table="pairs"') == 2
    # Both tables of fifty rows stand behind a fold.
    assert html.count("(50 rows)</summary>") == 2
    assert html.count('id="section-pairs"') == 1
    # A summary of balance stands right below the verdict.
    assert html.index('id="verdict"') < html.index('id="section-balance"') < html.index('id="table-1"')
    assert html.index('id="section-luck"') > html.index('id="table-1"')


def test_page_of_sections_holds_the_settings_of_every_run(report: Report) -> None:
    html = sections_page("Two <runs>", "A & B", SECTIONS, {"run A": report.manifest, "run B": report.manifest})
    assert "<h1>Two &lt;runs&gt;</h1>" in html
    assert html.count('data-table="settings"') == 2
    assert html.count('id="certainty"') == 1
    bare = sections_page("One", "nothing known", (SILENT,))
    assert "nothing can be said on luck" in bare
    assert set(re.findall(r'href="#([^"]+)"', html)) <= set(re.findall(r'id="([^"]+)"', html))


def test_json_holds_everything_and_knows_no_nan(full: Report) -> None:
    text = json_text(full)
    content = json.loads(text, parse_constant=pytest.fail)
    keys = ["format", "run", "verdict", "findings", "tables", "claims", "omitted", "scores", "endings", "sections"]
    assert sorted(content) == sorted(keys)
    assert content["findings"][0]["headline"] == full.findings[0].headline
    assert {table["name"] for table in content["tables"]} == set(full.tables)
    rows = next(table["rows"] for table in content["tables"] if table["name"] == "faction")
    assert rows == full.tables["faction"].frame.to_dicts()
    assert content["run"]["seed"] == 1
    assert "shards" not in content["run"]
    strength = content["sections"][0]["listings"][0]
    assert [row["low"] for row in strength["rows"]] == [0.3, None, None, -0.4]
    assert strength["columns"][2]["meaning"] == "log odds against an average board"
    assert json_text(full) == text


def test_frames_hold_every_table_and_listing_by_name(full: Report) -> None:
    held = frames(full)
    assert list(held)[:2] == ["win rate faction", "win rate wonder"]
    assert {"scores", "endings", "strength faction", "pairs", "pairs-2"} <= set(held)
    assert held["win rate faction"].to_pandas().shape == full.tables["faction"].frame.shape


def test_a_folder_of_csv_files_holds_every_frame(full: Report, tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_text("mine")
    write_all(csv_files(full, tmp_path / "new" / "tables"), [tmp_path / "new" / "tables"])
    files = {path.name for path in (tmp_path / "new" / "tables").iterdir()}
    assert files >= {"win-rate-strategy-x-faction.csv", "strength-faction.csv", "pairs.csv", "pairs-2.csv"}
    assert len(files) == len(frames(full))
    assert file_names(["A x B", "a/x b", "$", "grün"]) == ["a-x-b", "a-x-b-2", "unnamed", "grün"]
    assert pl.read_csv(tmp_path / "new" / "tables" / "pairs.csv")["ahead"].to_list() == PAIRS["ahead"].to_list()


@pytest.mark.usefixtures("sketched_figures")
def test_every_figure_is_a_png_file(full: Report, tmp_path: Path) -> None:
    few = replace(full, tables={"faction": full.tables["faction"]})
    (tmp_path / "faction.png").write_bytes(b"old")
    write_all(png_files(all_figures(few), tmp_path), [tmp_path])
    files = {path.stem for path in tmp_path.iterdir()}
    assert files == {"faction", "scores", "strength-faction", "strength-strategy", "parts-faction"}
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in tmp_path.iterdir())


def test_several_files_are_written_all_or_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    files = [(tmp_path / "new" / "a", b"a"), (tmp_path / "file", b"new"), (tmp_path / "missing" / "b", b"b")]
    with pytest.raises(UserError, match="missing/b: cannot be written"):
        write_all(files, [tmp_path / "new"])
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "old"
    write_all(files[:2], [tmp_path / "new"])
    assert (tmp_path / "file").read_text() == "new"
    assert (tmp_path / "new" / "a").read_text() == "a"
    with pytest.raises(UserError, match="file: cannot be written"):
        write_all([], [tmp_path / "file"])


def test_every_drawing_takes_axes_of_ones_own_and_leaves_their_figure_as_it_was(report: Report) -> None:
    before, drawings = dict(mpl.rcParams), {picture.name: picture.draw for picture in win_rate_figures(report)}
    for name in ("faction", "strategy x wonder", "scores", "parts strategy"):
        own, figure = figure_of(drawings[name]()), Figure(figsize=(9, 7))
        # The card around a forest plot or the scores has the heading already.
        assert bool(own.get_suptitle()) == (name.startswith("parts ") or " x " in name), name
        FigureCanvasAgg(figure)
        ax = figure.add_subplot()
        assert drawings[name](ax=ax) is ax
        assert tuple(figure.get_size_inches()) == (9, 7)
        figure.canvas.draw()
        first = own.axes[0]
        assert {text.get_text() for text in ax.texts} == {text.get_text() for text in first.texts}
        labels = [[label.get_text() for label in axes.get_yticklabels()] for axes in (ax, first)]
        assert labels[0] == labels[1]
        assert (ax.get_title(loc="left") or "") == own.get_suptitle().replace("\n", " ")
    assert dict(mpl.rcParams) == before


DRAW = """
import hashlib
from reports.drawing import styled_axes, figure_of, in_style
from reports.render.chart import png, svg
with in_style():
    ax = styled_axes(None, 4, 3, "a title")
    ax.plot([1, 2], label="line")
    ax.legend()
print([hashlib.sha256(drawn(figure_of(ax))).hexdigest() for drawn in (png, svg)])
"""
SETTINGS = "text.usetex: True\nlines.linewidth: 9\nsavefig.facecolor: red\nlegend.fontsize: 30\nbackend: svg\n"


@pytest.mark.sweep
def test_settings_of_matplotlib_in_the_current_folder_change_no_figure(
    in_new_process: Callable[..., str], tmp_path: Path
) -> None:
    plain = in_new_process(DRAW, cwd=tmp_path, PYTHONPATH=str(ROOT))
    (tmp_path / "matplotlibrc").write_text(SETTINGS, "utf-8")
    assert in_new_process(DRAW, cwd=tmp_path, PYTHONPATH=str(ROOT)) == plain


def test_a_figure_is_the_same_file_every_time_and_keeps_its_layout(report: Report) -> None:
    one, two = (figure_of(forest(report.tables["faction"])) for _ in range(2))
    first = svg(one)
    assert first.startswith(b"<?xml")
    assert first == svg(two)
    assert one.get_layout_engine() is not None


def test_the_package_offers_what_a_notebook_needs() -> None:
    assert dir(reports) == sorted(reports.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        reports.nothing  # noqa: B018 - the access is what is tested


IMPORTS = """
import sys
def heavy(*names): print([name for name in names if name in sys.modules])
import reports
heavy('polars', 'scipy', 'numpy', 'matplotlib')
from reports import load_run
heavy('jinja2', 'matplotlib', 'scipy')
from reports import Section
print(Section('a', 'A', ('Said first.',))._repr_html_())
"""


def test_the_package_imports_nothing_heavy_until_a_page_is_shown(in_new_process: Callable[..., str]) -> None:
    package, reading, shown = in_new_process(IMPORTS).split("\n", 2)
    assert (package, reading) == ("[]", "[]")
    assert "<strong>Said first.</strong>" in shown


def test_reports_tables_and_sections_show_themselves_in_a_notebook(full: Report) -> None:
    shown = full._repr_html_()
    assert shown.index(full.findings[0].headline[:20]) < shown.index("<table")
    assert "<style" not in shown
    assert full.tables["strategy x faction"]._repr_html_().count("<tr") == 31
    section = STRENGTH._repr_html_()
    assert "0.30 to 0.50" in section
    assert "pair 1" not in section
    assert STRENGTH.pictures[0]._repr_svg_().lstrip().startswith("<?xml")


def test_a_report_without_sections_is_a_report_too(tmp_path: Path) -> None:
    poor = share_report(load_run(write_run(tmp_path / "run", Truth(blocks=1))))
    assert json.loads(json_text(poor))["sections"] == []
    assert poor._repr_html_()
    assert csv_files(poor, tmp_path)


def test_a_figure_of_many_strokes_is_a_png_file_in_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawn(STRENGTH.pictures[0])["source"].startswith("data:image/svg+xml,<svg")
    monkeypatch.setattr("reports.render.page.MAX_DRAWN", 1_000)
    for lettered in (False, True):
        assert drawn(STRENGTH.pictures[0], lettered)["source"].startswith("data:image/png;base64,")


def test_a_figure_of_a_page_says_what_is_drawn_and_shares_no_name_with_another() -> None:
    def rates(ax: Axes | None = None) -> Axes:
        ax = styled_axes(ax, NARROW, 2.0, 'Mean of 12.345 %, Q and L <z> "M"')
        ax.plot([0, 1], [0, 1], marker="o")
        return ax

    one, other = (drawn(Picture(name, rates, "a line"), lettered=True)["svg"] for name in ("one", "other"))
    said = [unescape(text) for text in re.findall(r"<text[^>]*>([^<]*)</text>", one)]
    assert 'Mean of 12.345 %, Q and L <z> "M"' in said
    names = [set(re.findall(r' id="([^"]*)"', drawing)) for drawing in (one, other)]
    assert names[0]
    assert not names[0] & names[1]
    assert set(re.findall(r'(?:href="|url\()#([^")]*)', one)) == names[0]

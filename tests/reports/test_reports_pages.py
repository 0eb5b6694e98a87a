"""Page, console, CSV and figures show what the tables hold."""

import re
from dataclasses import replace
from functools import partial
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from synthetic import Truth, typed_manifest, with_fields, write_run

from reports import formatting
from reports.data.load import load_run
from reports.drawing import edge_label
from reports.model import Report
from reports.render import chart
from reports.render.export import frames, pictures, write_csv
from reports.render.page import render, subtitle, write_html
from reports.render.terminal import print_report
from reports.sections.core.shares import share_report
from reports.sections.core.win_rate_figures import forest, heat_map, part_bars, win_rate_figures
from sim.data.files import write_whole
from sim.errors import UserError
from tests.reports.conftest import at_terminal

VOID = {"meta", "link", "img", "br", "input"}
ENDED = {"td": {"td", "th", "tr"}, "tr": {"tr"}}
"""Elements that HTML ends where another begins, or where the element around them ends."""


class Page(HTMLParser):
    """Collects what a page holds and checks that every element is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tables: list[str] = []
        self.figures: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.tables += [given["data-table"]] if "data-table" in given else []
        self.figures += [given["data-figure"]] if "data-figure" in given else []
        self.links += [given[name] for name in ("src", "href") if name in given]
        self.ids += [given["id"]] if "id" in given else []
        while self.open and tag in ENDED.get(self.open[-1], ()):
            self.open.pop()
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.open[-1] in ENDED and self.open[-1] != tag:
            self.open.pop()
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.fixture(scope="module")
def some(report: Report) -> Report:
    """The report with two tables of each kind: most of a page's time goes into its figures."""
    names = ("faction", "strategy", "strategy x wonder", "strategy x faction")
    return replace(report, tables={name: report.tables[name] for name in names})


@pytest.fixture(scope="module")
def html(some: Report) -> str:
    return render(some)


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    page = Page()
    page.feed(html)
    return page


def test_page_is_well_formed_loads_nothing_and_every_link_has_a_target(html: str, page: Page) -> None:
    assert page.open == []
    assert all(link.startswith(("data:", "#")) for link in page.links)
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.ids)
    words_only = re.sub(r'src="data:[^"]*"|url\((?:data:|#)[^)]*\)', "", html)
    assert not re.search(r"https?://|@import|url\(|fetch\(|\bNaN\b|None|Undefined", words_only)


def test_page_holds_every_table_and_figure_and_says_how_to_repeat_the_run(page: Page, some: Report) -> None:
    assert sorted(page.figures) == sorted(picture.name for picture in win_rate_figures(some))
    assert set(some.tables) | {"quantiles", "endings", "settings", "players", "factions"} <= set(page.tables)
    text = " ".join(page.text)
    for needed in (some.manifest.command, "seed 1", "numba 0.65.0", "workers", "hand-made", "at their skill"):
        assert needed in text


@pytest.mark.usefixtures("without_figures")
def test_names_are_text_never_markup(tmp_path: Path) -> None:
    names = {"<script>alert(1)</script>": 0.0, '[bold]x[/bold] & "y"': 1.0, "$\\frac$": 0.5}
    report = share_report(load_run(write_run(tmp_path / "run", Truth(blocks=50, strategies=names))))
    html = render(report)
    assert html.count("<script>") == 1
    assert "&lt;script&gt;" in html
    assert "[bold]x[/bold]" in at_terminal(report, width=140)


def test_cells_stand_below_their_heads(html: str, report: Report) -> None:
    row = report.tables["faction"].frame.to_dicts()[0]
    body = html[html.index('data-table="faction"') :]
    cells = re.findall(r"<td data-value=([^ >]*)", body[body.index("<tbody>") :])[:10]
    names = ("edge", "fair_chance", "win_rate", "low", "null", "mde", "p_family", "games", "mean_score", "mean_rank")
    assert list(map(float, cells)) == pytest.approx([row[name] for name in names], rel=1e-5)


def test_subtitle_counts_the_factions_dealt(report: Report) -> None:
    dealt = [row.name for row in report.manifest.factions[:8]]
    assert subtitle(with_fields(report.manifest, {"factions_dealt": dealt})).endswith("10 strategies · 8 wonder sides")
    assert subtitle(report.manifest).endswith("14 wonder sides")


ONE_GAME = typed_manifest(Truth(seed=3), 1, 1)
LOPSIDED = {"edge": -0.25, "edge_low": -0.25, "edge_high": -0.10}


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (LOPSIDED, "-25.0 points, between -25.0 and -10.0"),
        ({"edge": 0.081, "edge_low": 0.077, "edge_high": 0.085}, "+8.1 ± 0.4 points"),
        ({"edge": 0.081, "edge_low": None, "edge_high": None}, "+8.1 points"),
    ],
)
def test_an_interval_that_is_cut_off_is_given_by_its_limits(row: dict[str, float | None], expected: str) -> None:
    assert formatting.edge_words(row) == expected
    assert ("±" in edge_label(row)) == ("±" in expected)


@pytest.mark.usefixtures("without_figures")
def test_page_is_written_whole_or_not_at_all(some: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "report.html"
    path.write_text("old")
    monkeypatch.setattr("pathlib.Path.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(UserError, match=r"report.html: cannot be written \(No space left\)"):
        write_html(some, path)
    monkeypatch.undo()
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]
    assert path.read_text() == "old"


def test_files_are_as_public_as_any_other(tmp_path: Path) -> None:
    write_whole(tmp_path / "a", b"x")
    (tmp_path / "b").write_bytes(b"x")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


def test_csv_holds_every_row_with_all_digits(report: Report, tmp_path: Path) -> None:
    path = tmp_path / "report.csv"
    path.write_text("old")
    write_csv(report, path)
    back = pl.read_csv(path)
    assert back.columns[:6] == ["table", "level", "level2", "games", "blocks", "win_rate"]
    assert {"null", "low", "high", "edge", "mde", "p_holm", "flag", "mean_score", "mean_rank"} <= set(back.columns)
    for name, table in report.tables.items():
        rows = back.filter(pl.col("table") == name)
        assert rows["level"].to_list() == table.frame["level"].to_list()
        for column in ("win_rate", "low", "high", "edge", "mde", "p_holm", "mean_score", "mean_blue"):
            assert rows[column].to_list() == pytest.approx(table.frame[column].to_list(), rel=1e-12)


def test_piped_output_is_plain_and_wide_enough(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    print_report(report)
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "…" not in out
    assert out.isprintable() or out.replace("\n", "").isprintable()


def test_a_forest_plot_shows_the_tables_figures_and_keeps_its_labels_inside_a_users_figure(report: Report) -> None:
    table, figure = report.tables["faction"], Figure(figsize=(7, 4))
    ax = forest(table, figure.add_subplot())
    assert [label.get_text() for label in ax.get_yticklabels()] == table.frame["level"].to_list()
    (dots,) = [drawn.get_offsets()[:, 0] for drawn in ax.collections if isinstance(drawn, PathCollection)]
    assert list(dots) == pytest.approx([100 * share for share in table.frame["win_rate"]])
    assert "fair: 25.0 %" in {text.get_text() for text in ax.texts}
    figure.draw_without_rendering()
    assert all(text.get_window_extent().x1 <= figure.bbox.x1 for text in ax.texts)


def test_heat_map_writes_every_edge_in_its_cell_and_colours_the_flagged_ones_only(report: Report) -> None:
    rows = {(row["level"], row["level2"]): row for row in report.tables["strategy x wonder"].frame.to_dicts()}
    flagged = {levels for levels, row in rows.items() if row["flag"]}
    assert 0 < len(flagged) < len(rows)
    ax = heat_map(report.tables["strategy x wonder"])
    across, down = ([label.get_text() for label in axis.get_ticklabels()] for axis in (ax.xaxis, ax.yaxis))
    assert len(ax.texts) == len(rows)
    for text in ax.texts:
        x, y = text.get_position()
        edge = rows[across[int(x)], down[int(y)]]["edge"]
        assert text.get_text() == formatting.typeset(formatting.points(edge))
    painted = np.ma.getmaskarray(ax.images[0].get_array())
    assert {(across[x], down[y]) for (y, x), hidden in np.ndenumerate(painted) if not hidden} == flagged


def test_all_heat_maps_of_a_report_have_one_scale(report: Report) -> None:
    """A seat's edge of one point looks like one point beside a hopeless strategy's of twenty."""
    crossed = {name: table for name, table in report.tables.items() if table.crossed}
    assert len(crossed) > 1
    drawings = {picture.name: picture for picture in win_rate_figures(report)}
    ends = {tuple(drawings[name].draw().images[0].get_clim()) for name in crossed}
    assert len(ends) == 1
    ((low, high),) = ends
    widest = max(table.frame.filter(pl.col("flag") != "")["edge"].abs().max() or 0 for table in crossed.values())
    assert (-low, high) == pytest.approx((100 * widest, 100 * widest))


@pytest.mark.usefixtures("without_figures")
def test_the_flag_of_a_row_and_its_note_stand_apart(report: Report) -> None:
    table = report.tables["faction"]
    noted = replace(
        table, frame=table.frame.with_columns(pl.lit("strong").alias("flag"), pl.lit("one block").alias("note"))
    )
    page = render(replace(report, tables={**report.tables, "faction": noted}))
    assert ">strong</span> <span class=note>one block</span>" in page
    assert "strongone block" not in re.sub(r"<[^>]+>", "", page)


def test_figures_say_what_they_are_drawn_from(report: Report) -> None:
    plain, crossed = report.tables["faction"], report.tables["strategy x faction"]
    for draw in (forest, heat_map, partial(part_bars, parts=["blue"])):
        with pytest.raises(UserError, match=r"this is not a Table \(found: 'DataFrame'\); allowed: .*report.tables\["):
            draw(plain.frame)
    with pytest.raises(UserError, match=r"rows are single levels.*'strategy x faction'"):
        forest(crossed)
    with pytest.raises(UserError, match=r"rows are pairs of levels.*'faction'"):
        heat_map(plain)


def test_an_unknown_table_or_figure_is_answered_with_those_there_are(report: Report) -> None:
    with pytest.raises(UserError, match=r"found: 'wonders'.*did you mean 'wonder'\? Allowed: faction, wonder, side"):
        report.tables["wonders"]
    with pytest.raises(UserError, match="did you mean 'win rate faction'"):
        frames(report)["win rates faction"]
    with pytest.raises(UserError, match="did you mean 'scores'"):
        pictures(report)["score"]
    assert report.tables.get("wonders") is None
    assert "wonders" not in report.tables
    with pytest.raises(UserError, match="this is not a Section"):
        frames(report.tables["wonder"].frame)  # type: ignore[arg-type]


def test_pairs_that_never_met_are_marked(report: Report) -> None:
    table = report.tables["strategy x wonder"]
    ax = heat_map(replace(table, frame=table.frame.slice(1)))
    assert [text.get_text() for text in ax.texts].count("·") == 1


def test_negative_score_parts_stand_left_of_zero(report: Report) -> None:
    table = report.tables["strategy"]
    turned = replace(table, frame=table.frame.with_columns(-pl.col("mean_military")))
    ax = part_bars(turned, report.manifest.score_parts)
    first = ax.containers[0].patches[0]
    assert first.get_x() == 0
    assert first.get_width() < 0
    assert ax.get_xlim()[0] < first.get_width()


def test_numbers_are_written_as_a_reader_wants_them() -> None:
    assert formatting.percent(0.2514) == "25.1 %"
    assert [formatting.points(edge) for edge in (-0.0314, -0.0001, None)] == ["-3.1", "0.0", "-"]
    assert formatting.interval(0.241, None) == "-"
    assert [formatting.number(value) for value in (-0.04, -0.06)] == ["0.0", "-0.1"]
    assert [formatting.signed_number(value) for value in (0.04, -0.04, 2.5)] == ["0.0", "0.0", "+2.5"]
    assert [formatting.chance(share) for share in (1e-9, 0.025)] == ["fewer than 1 of 10,000", "1 of 40"]
    assert [formatting.p_value(p) for p in (0.00002, 0.0312)] == ["<0.0001", "0.0312"]
    one, several = ("strategy", "wonder side", "empress", "bay"), ["strategies", "wonder sides", "empresses", "bays"]
    assert [formatting.plural(noun) for noun in one] == several
    assert formatting.typeset("-7.0 points, part-1") == "\N{MINUS SIGN}7.0 points, part-1"
    assert [formatting.counted(1, "game"), formatting.counted(2000, "strategy")] == ["1 game", "2,000 strategies"]
    assert formatting.run_size(with_fields(ONE_GAME, {"players": 1})) == "1 game of 1 player in 1 block, seed 3"
    six = with_fields(ONE_GAME, {"games": 6, "blocks": 2, "players": [2, 4]})
    assert formatting.run_size(six) == "6 games of 2 or 4 players in 2 blocks, seed 3"
    assert formatting.round_up(156_250) == 160_000


def test_a_damaged_font_of_the_cache_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMPIRELAB_CACHE", str(tmp_path))
    monkeypatch.setattr(chart, "font_face", lambda weight, file: f"the {weight} font")
    made_or_kept = chart.lettering.__wrapped__
    assert made_or_kept() == "the normal font\nthe bold font"
    (file,) = tmp_path.glob("lettering-*")
    whole = file.read_bytes()
    for damaged in (b"", whole[:-3], whole.replace(b"bold", b"thin")):
        file.write_bytes(damaged)
        assert made_or_kept() == "the normal font\nthe bold font"
    assert file.read_bytes() == whole


def test_the_font_of_a_page_has_the_letters_of_its_figures(html: str) -> None:
    drawn = "".join(re.findall(r"(?s)<text[^>]*>(.*?)</text>", html))
    letters = set(unescape(re.sub(r"<[^>]*>", "", drawn)))
    assert len(letters) > 30
    assert letters <= {chr(code) for code in chart.LETTERS}

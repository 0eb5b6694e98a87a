"""The page in a browser: nothing goes wrong, tables sort, folds open, it fits a telephone and a printer."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from made_up import SECTIONS, many_rows
from synthetic import FACTIONS, Truth, write_run

from reports import formatting
from reports.data.load import load_run
from reports.model import Report
from reports.render.page import render, sections_page, template_environment
from reports.sections.core.next_step import NextStep
from reports.sections.core.shares import filter_data
from reports.sections.people.filters import IN_PARTS, UNADJUSTED, WHOLE, league_filters
from reports.studies.compare.compare import compare_runs
from tests.reports.leagues import MadeUpLeague

STRICT = (
    "content=\"default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    'img-src data:; font-src data:"'
)
"""Nothing from elsewhere, and no code made from text."""
NO_FIGURE = {"svg": "", "source": "data:,", "inches": "1.00", "width": 160, "wide": False}
STEP = NextStep("Play more games (about 40 s here).", ("empirelab compare seven_wonders --games 80000",))
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def files(report: Report, run_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The page of a run, one of sections only, one of a comparison, and one that answers questions."""
    folder = tmp_path_factory.mktemp("pages")
    pages = {
        "report": render(replace(report, sections=SECTIONS)),
        "sections": sections_page("Two runs", "A against B", SECTIONS, {"run A": report.manifest}),
    }
    truth = Truth(blocks=300, factions=dict.fromkeys(FACTIONS, 0.0))
    helped = replace(truth, factions=truth.factions | {"Halikarnassos B": 20.0})
    runs = [write_run(folder / name, one) for name, one in (("a", truth), ("b", helped))]
    compared = compare_runs(*runs, "as printed", "Halikarnassos B, stage 1 cost ore: 2 to 4")
    pages["compared"] = sections_page("A change", "on the same deals", compared.sections, step=STEP)
    tables = {"faction": many_rows(report), "seat": report.tables["seat"], "strategy": report.tables["strategy"]}
    pages["many"] = render(replace(report, sections=(), tables=tables))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(template_environment().globals, "drawn", lambda *_: NO_FIGURE)
        pages["asked"] = render(report, {"Rhodos A": "#reading"}, filter_data(load_run(run_folder)))
    league = MadeUpLeague(games=60, rated=1.0).made(3)[0]
    pages["league"] = sections_page("A league", "made up", SECTIONS, asked=league_filters(league))
    pages["strict"] = pages["asked"].replace("<head>", f'<head><meta http-equiv="Content-Security-Policy" {STRICT}>', 1)
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in pages}


@pytest.fixture
def visit(browser: Any, files: dict[str, Path]) -> Iterator[Any]:
    """Open a page; at the end nothing may have gone wrong in it."""
    troubles: list[str] = []
    opened = []

    def go(name: str = "report", size: dict[str, int] | None = None) -> Any:
        page = browser.new_page(viewport=size or DESK)
        page.set_default_timeout(60_000)  # a machine that is busy may take long
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("requestfailed", lambda request: troubles.append(request.url[:100]))
        page.on("request", lambda request: asked(request.url))
        page.goto(files[name].as_uri())
        opened.append(page)
        return page

    def asked(url: str) -> None:
        if not url.startswith(("file:", "data:")):
            troubles.append(url)

    yield go
    for page in opened:
        page.close()
    assert troubles == []


def column(page: Any, table: str, head: str) -> list[str]:
    """What a table's rows are sorted by, in their order."""
    script = """([table, head]) => {
        const found = document.querySelector(`table[data-table="${table}"]`);
        const at = [...found.tHead.rows[0].cells].findIndex(cell => cell.textContent === head);
        return [...found.tBodies[0].rows].map(row => row.cells[at].dataset.value ?? row.cells[at].textContent);
    }"""
    found: list[str] = page.evaluate(script, [table, head])
    return found


def head_of(page: Any, table: str, head: str) -> Any:
    return page.locator(f'table[data-table="{table}"] thead').get_by_role("button", name=head, exact=True)


def unfolded(page: Any) -> Any:
    """The page with its parts unfolded, not the folds within them."""
    page.eval_on_selector_all("details.part", "folds => folds.forEach(fold => fold.open = true)")
    return page


def fits(page: Any) -> bool:
    return bool(page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize("name", ["report", "sections"])
def test_every_picture_is_shown(visit: Any, name: str) -> None:
    page = visit(name)
    count = "figures => figures.map(one => one.querySelectorAll('path').length)"
    strokes = page.eval_on_selector_all("figure svg", count)
    assert len(strokes) >= 2
    assert min(strokes) >= 2
    for weight in ("", "bold "):
        assert page.evaluate(f"document.fonts.load('{weight}10px figure').then(fonts => fonts.length)") == 1


def test_a_click_on_a_head_sorts_the_table_and_another_turns_it_round(visit: Any) -> None:
    page = unfolded(visit())
    before = column(page, "faction", "games")
    head_of(page, "faction", "games").click()
    falling = sorted(before, key=float, reverse=True)
    assert column(page, "faction", "games") == falling
    head_of(page, "faction", "games").click()
    assert column(page, "faction", "games") == falling[::-1]


@pytest.mark.sweep
def test_words_sort_from_a_to_z_and_other_tables_stay(visit: Any) -> None:
    page = unfolded(visit())
    others = column(page, "seat", "seat")
    head_of(page, "faction", "wonder side").click()
    assert column(page, "faction", "wonder side") == sorted(column(page, "faction", "wonder side"))
    assert column(page, "seat", "seat") == others
    sorted_by = page.locator('table[data-table="faction"] th[aria-sort]')
    assert sorted_by.all_text_contents() == ["wonder side"]
    assert sorted_by.get_attribute("aria-sort") == "ascending"


@pytest.mark.sweep
def test_the_keyboard_sorts_too_and_the_unknown_stands_last_either_way(visit: Any) -> None:
    page = unfolded(visit())
    head = head_of(page, "strength faction", "strength")
    orders = []
    for key in ("Enter", "Space"):
        head.focus()
        page.keyboard.press(key)
        orders.append(column(page, "strength faction", "strength"))
    assert orders == [["0.4213", "0.3", "-0.3", ""], ["-0.3", "0.3", "0.4213", ""]]


def test_folds_open(visit: Any) -> None:
    page = visit()
    table = page.locator("section#section-strength details details table")
    page.get_by_text("Halikarnassos B is the strongest").click()
    assert not table.is_visible()
    page.get_by_text("All pairs (50 rows)").click()
    assert table.is_visible()


def test_navigation_leads_to_every_part(visit: Any) -> None:
    page = visit()
    names = page.locator("nav a").all_text_contents()
    assert names[:3] == ["Verdict", "Row by row", "Wonder side"]
    for name in ("Adjusted strength & more", "Luck", "Settings"):
        page.locator("nav a").get_by_text(name, exact=True).click()
        target = page.evaluate("document.querySelector(location.hash).getBoundingClientRect().top")
        assert -1 <= target < DESK["height"]


@pytest.mark.parametrize("name", ["report", "sections"])
def test_the_page_never_scrolls_sideways(visit: Any, name: str) -> None:
    page = visit(name)
    for opened in (False, True):
        page.eval_on_selector_all("details", f"folds => folds.forEach(fold => fold.open = {str(opened).lower()})")
        for width in (360, 414, 1280):
            page.set_viewport_size(PHONE | {"width": width})
            assert fits(page), (opened, width)


@pytest.mark.sweep
def test_a_telephone_has_room_for_tables_and_figures_of_a_comparison(visit: Any) -> None:
    page = visit("compared", PHONE)
    script = """boxes => boxes.filter(box => box.scrollWidth > box.clientWidth)
        .map(box => box.querySelector("table, figure svg").outerHTML.slice(0, 80))"""
    assert page.eval_on_selector_all(".scroll", script) == []
    board = page.locator('table[data-table="change faction"] thead th')
    assert [head.inner_text() for head in board.all() if head.is_visible()] == [
        "wonder side", "change", "95 % interval", "flag",
    ]  # fmt: skip
    page.set_viewport_size(DESK)
    page.get_by_label("all columns").first.check()
    assert "edge after" in [head.inner_text() for head in board.all() if head.is_visible()]


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_a_page_of_a_study_opens_with_headline_figure_and_next_step(visit: Any, size: dict[str, int]) -> None:
    page = visit("compared", size)
    places = [page.locator(place).first.bounding_box() for place in (".opening h2", ".opening figure", ".opening pre")]
    headline, figure, command = places
    assert headline["y"] + headline["height"] <= figure["y"]
    assert figure["y"] + figure["height"] / 2 <= size["height"]
    assert command["y"] >= headline["y"] + headline["height"]
    bullets = page.locator(".opening li").first.bounding_box()
    assert bullets["y"] >= headline["y"] + headline["height"]
    assert bullets["y"] >= figure["y"] + figure["height"] or bullets["x"] >= figure["x"] + figure["width"]


def test_a_telephone_shows_the_verdict_and_its_figure_first(visit: Any) -> None:
    page = visit(size=PHONE)
    for place in (".verdict h2", ".verdict figure"):
        box = page.locator(place).bounding_box()
        assert box["y"] + box["height"] <= PHONE["height"] + 60


def test_the_first_screen_says_what_to_do(visit: Any) -> None:
    page = visit(size=DESK)
    for place in (".verdict h2", ".verdict figure", ".decisions"):
        box = page.locator(place).bounding_box()
        assert box["y"] + box["height"] <= DESK["height"]
    assert "Halikarnassos B" in page.locator(".decisions h3:text('Change') + ul").text_content()


@pytest.mark.sweep
def test_the_first_screen_has_room_for_many_rows(visit: Any) -> None:
    page = visit("many", DESK)
    for place in (".verdict figure", ".decisions"):
        box = page.locator(place).bounding_box()
        assert box["y"] + box["height"] <= DESK["height"]
    page.get_by_role("link", name="All 32 rows").click()
    page.locator("#table-1 figure svg").wait_for(state="visible")
    small = visit("many", PHONE)
    box = small.locator(".verdict figure").bounding_box()
    assert box["y"] + box["height"] <= PHONE["height"]
    assert fits(small)


@pytest.mark.sweep
def test_a_page_is_short_until_it_is_unfolded(visit: Any) -> None:
    page = visit("asked")
    page.locator("#ask svg").wait_for()
    assert page.evaluate("document.body.innerText.split(/\\s+/).length") < 3000
    assert page.locator("main table:visible").count() == 1


@pytest.mark.sweep
def test_a_link_to_what_is_folded_opens_it(visit: Any) -> None:
    page = visit()
    page.locator(".decisions a").first.click()
    page.locator(page.evaluate("location.hash")).wait_for(state="visible")
    page.locator("nav a", has_text="Luck").click()
    page.locator("#section-luck details.part[open]").first.wait_for(state="attached")


def asked_rows(page: Any) -> dict[str, list[str]]:
    """Cells of the table of answers by row."""
    lines = page.locator('table[data-table="asked"] tbody tr').all()
    return {line.locator("th").inner_text(): line.locator("td").all_inner_texts() for line in lines}


def test_table_and_chart_follow_what_is_chosen_though_nothing_may_be_fetched(visit: Any, report: Report) -> None:
    page = visit("strict")
    page.locator("#ask svg").wait_for()
    rows, table = asked_rows(page), report.tables["faction"].frame
    assert list(rows) == table["level"].to_list()
    for row in table.to_dicts():
        edge, share = formatting.typeset(formatting.points(row["edge"], 2)), formatting.percent(row["win_rate"], 2)
        assert rows[row["level"]][:3] == [edge, share, formatting.interval(row["low"], row["high"])]
    page.get_by_role("button", name="none", exact=True).click()
    assert asked_rows(page) == {}
    page.get_by_label("science", exact=True).check()
    crossed = {
        row["level2"]: row for row in report.tables["strategy x faction"].frame.to_dicts() if row["level"] == "science"
    }
    rows = asked_rows(page)
    assert {level: cells[1] for level, cells in rows.items()} == {
        level: formatting.percent(row["win_rate"], 2) for level, row in crossed.items()
    }
    page.get_by_label("Compare", exact=True).select_option("Seat")
    page.locator("#ask svg text", has_text="seat 0").wait_for()
    assert sorted(asked_rows(page)) == [f"seat {place}" for place in range(4)]
    page.get_by_label("Wonder side", exact=True).select_option("Rhodos B")
    assert sum(int(cells[4].replace(",", "")) for cells in asked_rows(page).values()) == crossed["Rhodos B"]["games"]


@pytest.mark.sweep
def test_a_row_of_the_chart_tells_its_games_and_a_click_explains_it(visit: Any) -> None:
    page = visit("asked")
    line = page.locator("#ask svg .line").nth(3)
    line.wait_for()
    name, *told = line.locator("title").text_content().split("\n")
    assert {"games", "95 % interval"} <= {fact.split(":")[0] for fact in told}
    line.click()
    page.wait_for_function("location.hash.startsWith('#row-')")
    assert name in page.locator(page.evaluate("location.hash")).locator("h3").inner_text()


@pytest.mark.sweep
def test_every_choice_fits_a_telephone(visit: Any) -> None:
    page = visit("asked", PHONE)
    page.locator("#ask svg").wait_for()
    for number in range(page.locator("#ask select").count()):
        chosen = page.locator("#ask select").nth(number)
        for value in chosen.locator("option").evaluate_all("options => options.map(option => option.value)"):
            if chosen.is_enabled():
                chosen.select_option(value)
                assert fits(page)


@pytest.mark.sweep
def test_plain_win_rates_of_a_league_are_called_so_at_the_figure(visit: Any) -> None:
    page = visit("league")
    said = page.locator("#ask .cautions")
    assert said.text_content() == WHOLE
    page.select_option('#ask select[name="players"]', label="4 players")
    assert said.text_content() == IN_PARTS
    page.select_option('#ask select[name="rating"]', label="upper third")
    assert said.text_content() == UNADJUSTED
    assert page.locator("#ask tbody tr.strong, #ask tbody tr.weak").count() == 0


def test_without_scripts_the_page_has_its_tables_and_asks_nothing(browser: Any, files: dict[str, Path]) -> None:
    page = browser.new_page(java_script_enabled=False)
    page.goto(files["asked"].as_uri())
    assert not page.locator("#ask").is_visible()
    assert not page.locator('nav a[href="#ask"]').is_visible()
    assert page.locator(".decisions").is_visible()
    page.locator("#table-1 > details > summary").click()
    assert page.locator('table[data-table="faction"]').is_visible()
    page.close()


def test_a_printer_gets_all_tables_and_figures_and_no_navigation(visit: Any) -> None:
    page = visit()
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    tables = page.locator("main details.part > .scroll > table")
    assert tables.count() > 5
    for place in (tables, *map(page.locator, (".part > figure svg", ".part > .finding", ".cautions"))):
        assert all(item.is_visible() for item in place.all())
    pages = page.pdf(format="A4")
    assert pages.startswith(b"%PDF")


def told_by(fold: Any) -> list[str]:
    """The lines of an opened fold, which its script writes."""
    fold.locator("pre:not(:empty)").wait_for()
    return list(fold.locator("pre").inner_text().splitlines())


@pytest.mark.sweep
def test_each_part_says_what_gives_it_again(visit: Any, run_folder: Path) -> None:
    page = visit()
    for part, said in (
        ("#section-strength", '.section("strength")'),
        ("#table-1", '.tables["faction"]'),
        ("#scores", ".quantiles"),
        ("#verdict", ".verdict"),
    ):
        page.evaluate(f"location.hash = '{part}'")
        fold = page.locator(f"{part} details.again")
        fold.locator("summary").click()
        lines = told_by(fold)
        assert lines[0].endswith(part)
        assert lines[1].startswith(f"empirelab report {run_folder}")
        assert lines[2] == f'empirelab.report("{run_folder}"){said}'


@pytest.mark.sweep
def test_a_link_to_the_questions_keeps_the_choices(visit: Any) -> None:
    page = visit("asked")
    page.locator("#ask svg").wait_for()
    page.get_by_label("Compare", exact=True).select_option("Seat")
    page.get_by_label("Wonder side", exact=True).select_option("Rhodos B")
    page.get_by_role("checkbox", name="random").uncheck()
    rows = asked_rows(page)
    fold = page.locator("#ask details.again")
    fold.locator("summary").click()
    link, call = told_by(fold)
    frame = eval(call, {"pl": pl})
    assert {row[0]: row[1] for row in frame.rows()} == {
        name.removeprefix("seat "): int(cells[4].replace(",", "")) for name, cells in rows.items()
    }
    page.goto("about:blank")
    page.goto(link)
    page.locator("#ask svg").wait_for()
    assert asked_rows(page) == rows

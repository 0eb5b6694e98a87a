"""The page in a browser: nothing goes wrong, tables sort, folds open, it fits a telephone and a printer."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_up import SECTIONS

from reports.shapes import Report
from reports.show.page import render, sections_page

playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright is missing")
ARGUMENTS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser without a window."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("the browser chromium is not installed")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def files(report: Report, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The page of a run, and a page of sections only."""
    folder = tmp_path_factory.mktemp("pages")
    pages = {
        "report": render(replace(report, sections=SECTIONS)),
        "sections": sections_page("Two runs", "A against B", SECTIONS, {"run A": report.manifest}),
    }
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
        page.set_default_timeout(10_000)
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


def fits(page: Any) -> bool:
    return bool(page.evaluate("document.scrollingElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize("name", ["report", "sections"])
def test_every_picture_is_shown(visit: Any, name: str) -> None:
    page = visit(name)
    sizes = page.eval_on_selector_all("img", "images => images.map(image => image.complete && image.naturalWidth)")
    assert len(sizes) >= 2
    assert all(sizes)


def test_a_click_on_a_head_sorts_the_table_and_another_turns_it_round(visit: Any) -> None:
    page = visit()
    before = column(page, "faction", "games")
    head_of(page, "faction", "games").click()
    falling = sorted(before, key=float, reverse=True)
    assert column(page, "faction", "games") == falling
    head_of(page, "faction", "games").click()
    assert column(page, "faction", "games") == falling[::-1]


def test_words_sort_from_a_to_z_and_other_tables_stay(visit: Any) -> None:
    page = visit()
    others = column(page, "seat", "seat")
    head_of(page, "faction", "wonder side").click()
    assert column(page, "faction", "wonder side") == sorted(column(page, "faction", "wonder side"))
    assert column(page, "seat", "seat") == others
    sorted_by = page.locator('table[data-table="faction"] th[aria-sort]')
    assert sorted_by.all_text_contents() == ["wonder side"]
    assert sorted_by.get_attribute("aria-sort") == "ascending"


def test_the_keyboard_sorts_too_and_the_unknown_stands_last_either_way(visit: Any) -> None:
    page = visit()
    head = head_of(page, "strength faction", "strength")
    orders = []
    for key in ("Enter", "Space"):
        head.focus()
        page.keyboard.press(key)
        orders.append(column(page, "strength faction", "strength"))
    assert orders == [["0.4213", "0.3", "-0.3", ""], ["-0.3", "0.3", "0.4213", ""]]


def test_folds_open(visit: Any) -> None:
    page = visit()
    table = page.locator("section#section-strength details table")
    assert not table.is_visible()
    page.get_by_text("All pairs (50 rows)").click()
    assert table.is_visible()


def test_navigation_leads_to_every_part(visit: Any) -> None:
    page = visit()
    names = page.locator("nav a").all_text_contents()
    assert names[:2] == ["Verdict", "Wonder side"]
    for name in ("Adjusted strength & more", "Luck", "Settings"):
        page.locator("nav a").get_by_text(name, exact=True).click()
        target = page.evaluate("document.querySelector(location.hash).getBoundingClientRect().top")
        assert -1 <= target < DESK["height"]


@pytest.mark.parametrize("width", [360, 414, 1280])
@pytest.mark.parametrize("name", ["report", "sections"])
def test_the_page_never_scrolls_sideways(visit: Any, name: str, width: int) -> None:
    page = visit(name, PHONE | {"width": width})
    assert fits(page)
    page.eval_on_selector_all("details", "folds => folds.forEach(fold => fold.open = true)")
    assert fits(page)


def test_a_telephone_shows_the_verdict_and_the_size_of_the_edge_first(visit: Any) -> None:
    page = visit(size=PHONE)
    for place in (".verdict h2", ".tile >> nth=0"):
        box = page.locator(place).bounding_box()
        assert box["y"] + box["height"] <= PHONE["height"]
    assert "points" in page.locator(".tile").first.text_content()


def test_a_printer_gets_all_tables_and_figures_and_no_navigation(visit: Any) -> None:
    page = visit()
    page.emulate_media(media="print")
    assert not page.locator("nav").is_visible()
    unfolded = page.locator("main :not(details) > .scroll > table")
    assert unfolded.count() > 10
    for place in (unfolded, page.locator("img"), page.locator(".finding"), page.locator(".cautions")):
        assert all(item.is_visible() for item in place.all())
    pages = page.pdf(format="A4")
    assert pages.startswith(b"%PDF")

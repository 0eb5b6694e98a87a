"""One synthetic run and its report, shared by the tests of this folder."""

import io
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from synthetic import FACTIONS, Truth, write_run

from reports.data.load import load_run
from reports.model import Report, Section
from reports.render.format_cells import sheet
from reports.render.terminal import print_report
from reports.sections.core.shares import share_report
from sim.runs.progress import SafeConsole
from tests.kit.pages import check_text

BROWSER_OPTIONS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
STRENGTHS = dict.fromkeys(FACTIONS, 0.0) | {"Halikarnassos B": 5.0, "Gizah A": -4.0}


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """2,000 blocks in three parts; Halikarnassos B is too strong, Gizah A too weak, seat 0 a little too strong."""
    folder = tmp_path_factory.mktemp("runs") / "first"
    truth = Truth(blocks=2000, factions=STRENGTHS, seats=(1.5, 0, 0, 0))
    certainty = {"confirmed": 80, "single-source": 12, "stand-in": 8}
    return write_run(folder, truth, part_games=3000, certainty=certainty)


@pytest.fixture(scope="session")
def report(run_folder: Path) -> Report:
    return share_report(load_run(run_folder))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A browser without a window."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the package playwright is missing")
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("the browser chromium is not installed")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=program, args=list(BROWSER_OPTIONS))
        yield chromium
        chromium.close()


Kept = Callable[[str, Mapping[str, Sequence[Section | str]]], None]
SNAPSHOTS = Path(__file__).parent / "snapshots"
ROWS_KEPT = 4


def at_terminal(report: Report, full: bool = False, width: int = 100) -> str:
    """What a terminal shows of a report."""
    out = io.StringIO()
    print_report(report, SafeConsole(file=out, width=width), full)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def page_of(told: Sequence[Section | str]) -> str:
    """Sentences, and sections with all that they say, the first rows of their tables, and what stands for figures."""
    lines = []
    for one in told:
        if isinstance(one, str):
            lines.append(one)
            continue
        lines += ["", f"# {one.title} ({one.name})", *one.sentences, one.reading]
        for listing in one.listings:
            written = sheet(listing)
            lines += ["", f"{listing.title} ({listing.frame.height} rows)"]
            lines += ["  " + " | ".join(head.title for head in written.heads)]
            lines += ["  " + " | ".join(cell.text for cell in row) for row in written.rows[:ROWS_KEPT]]
            lines += [f"  {head.title}: {head.meaning}" for head in written.heads if head.meaning]
            lines += [listing.note] if listing.note else []
        lines += [f"[{picture.name}: {picture.alternative}]" for picture in one.pictures]
    return "\n".join(lines)


@pytest.fixture
def kept() -> Kept:
    """Compare what is said in some worlds with a page that is kept in `snapshots/`; `make golden` writes it again."""

    def compare(name: str, worlds: Mapping[str, Sequence[Section | str]]) -> None:
        text = "\n\n\n".join(f"==== {world} ====\n{page_of(told)}" for world, told in worlds.items())
        SNAPSHOTS.mkdir(exist_ok=True)
        check_text(SNAPSHOTS / f"{name.replace(', ', '-').replace(' ', '-')}.txt", f"{text}\n")

    return compare

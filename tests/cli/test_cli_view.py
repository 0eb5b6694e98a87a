"""`view` lists what lies in a folder, and tags and notes stand in manifests."""

import re
from pathlib import Path
from typing import Any

import pytest

from reports.folder_view import first_sentence, link, view_folder
from reports.model import Section
from reports.render.page import sections_page
from sim.runs.config import Label, label_of, merge_labels
from sim.runs.simulate import simulate
from sim.runs.store.manifest import read_manifest
from sim.runs.store.merge import merge
from tests.cli.conftest import Message, Program

pytestmark = pytest.mark.usefixtures("without_figures")

SMALL = {"games": 80, "strategies": "balanced,military", "jobs": 1, "progress": False}
CHANGE = "wonders.toml#Halikarnassos B.stage.1.cost.ore=4"
SWEEP = """
game = "seven_wonders"
strategies = ["balanced", "military"]
games = 40
watch = ["Halikarnassos B"]
[[vary]]
change = "wonders.toml#Halikarnassos B.stage.1.cost.ore"
values = [2, 4]
"""


@pytest.fixture
def shelf(tmp_path: Path, empirelab: Program) -> Path:
    """A folder with runs of two seeds, a changed and a damaged one, a comparison and a sweep."""
    for seed in (1, 2):
        simulate("seven_wonders", **SMALL, seed=seed, out=tmp_path / f"shelf/seed-{seed}")  # type: ignore[arg-type]
    changed: dict[str, Any] = {"changes": [CHANGE], "tags": "ore, second try", "note": "dearer stage"}
    simulate("seven_wonders", **SMALL, **changed, out=tmp_path / "shelf/deep/changed")
    (tmp_path / "shelf/bad").mkdir()
    (tmp_path / "shelf/bad/run.json").write_text("{}")
    (tmp_path / "shelf/notes").mkdir()
    empirelab("compare", "seven_wonders", "--change", CHANGE, "--games", 80, "--jobs", 1, "--out", "shelf/both")
    (tmp_path / "sweep.toml").write_text(SWEEP)
    empirelab("sweep", "sweep.toml", "--jobs", 1, "--out", "shelf/swept")
    (tmp_path / "shelf/seed-1.html").write_text("a page")
    return tmp_path / "shelf"


def test_everything_that_lies_in_a_folder_is_listed(shelf: Path, empirelab: Program) -> None:
    view = view_folder(shelf)
    rows = {str(row.folder.relative_to(shelf)): row for row in view.rows}
    assert {name: row.what for name, row in rows.items()} == {
        "seed-1": "run", "seed-2": "run", "deep/changed": "run", "bad": "run", "both": "comparison", "swept": "sweep",
    }  # fmt: skip
    assert rows["deep/changed"].asked == "balanced and military; Halikarnassos B, stage 1 cost ore: 2 to 4"
    assert rows["both"].asked == "balanced; Halikarnassos B, stage 1 cost ore: 2 to 4"
    assert rows["both"].verdict.startswith("Halikarnassos B: ")
    assert rows["swept"].asked == "balanced and military; Halikarnassos B, stage 1 cost ore over 2 and 4"
    assert "fair" in rows["swept"].verdict
    assert (rows["seed-1"].games, rows["seed-1"].size) == (80, "80 games of 4 players")
    assert rows["seed-1"].verdict.endswith(".")
    assert "not a run manifest of this version" in rows["bad"].verdict
    played = [row.started for row in view.rows]
    assert played == sorted(played, reverse=True)
    # Runs of one plan with other seeds can be joined, and are.
    (pool,) = [line for line in repr(view).splitlines() if "`empirelab merge` pools" in line]
    assert pool.endswith(f"{shelf / 'seed-1'} and {shelf / 'seed-2'}.")
    merge([shelf / "seed-1", shelf / "seed-2"], shelf / "pooled", report=lambda games: None)
    (shelf / "pooled.html").write_text("a page", encoding="utf-8")

    # The page leads to what it names.
    done = empirelab("view", "shelf", "--html", "index.html", "--csv", "all.csv", "--fast")
    page = (shelf.parent / "index.html").read_text("utf-8")
    links = re.findall(r'<a href="(\./[^"]+)">([^<]+)</a>', page)
    assert ("./shelf/seed-1.html", "seed-1") in links
    assert ("./shelf/deep/changed", "deep/changed") in links
    assert all((shelf.parent / target).exists() for target, _ in links)
    assert "dearer stage" in page
    assert "#ore, #second try" in done.said

    # Missing pages are written on demand, and pages of other studies are listed.
    (shelf / "seed-2.html").write_text("a page", encoding="utf-8")
    study = sections_page("7 Wonders: a study", "", [Section("study", "Study", ("Nothing is off.",))])
    (shelf / "study.html").write_text(study, encoding="utf-8")
    done = empirelab("view", "shelf", "--html", "index.html", "--reports")
    assert "written: shelf/both.html" in done.err
    assert "missing page" not in done.out
    page = (shelf.parent / "index.html").read_text("utf-8")
    links = re.findall(r'<a href="(\./[^"]+)">([^<]+)</a>', page)
    pages = {f"./shelf/{name}.html" for name in ("seed-1", "seed-2", "pooled", "deep/changed", "both", "study")}
    assert pages <= {target for target, _ in links}
    assert "Nothing is off." in page

    # Only what bears a tag, and only what the manifests say.
    told = empirelab("view", "shelf", "--tag", "ore", "--fast", "--json").json
    (row,) = told["sections"][0]["listings"][0]["rows"]
    assert (row["folder"], row["tags"], row["verdict"]) == ("deep/changed", "ore, second try", "")


def test_a_folder_without_runs_says_so(empirelab: Program, complaint: Message) -> None:
    assert "No run, comparison, sweep or league" in empirelab("view", ".").out
    assert "nowhere: no such folder" in complaint("view", "nowhere")


def test_tags_and_notes_change_no_byte_of_the_rows_and_not_the_plan(tmp_path: Path, empirelab: Program) -> None:
    plain = simulate("seven_wonders", **SMALL, out=tmp_path / "plain")  # type: ignore[arg-type]
    words = ("simulate", "seven_wonders", "--games", 80, "--strategies", "balanced,military", "--jobs", 1)
    empirelab(*words, "--tag", "one", "--tag", "two", "--note", "why", "--out", "noted")
    first, second = (read_manifest(folder) for folder in (plain, tmp_path / "noted"))
    assert (first["tags"], first["note"]) == ([], "")
    assert (second["tags"], second["note"]) == (["one", "two"], "why")
    assert first["shards"] == second["shards"]
    both = view_folder(tmp_path, verdicts=False)
    assert len({row.pool for row in both.rows}) == 1


def test_tags_are_words_and_joined_runs_keep_those_of_all() -> None:
    assert label_of(["a, b", "a"], " why ") == Label(("a", "b"), "why")
    assert label_of(None, None) == Label()
    assert merge_labels([Label(("a",), "x"), Label(("b", "a"), "x"), Label((), "y")]) == Label(("a", "b"), "x\ny")


def test_a_link_stays_a_path_whatever_a_folder_is_called(tmp_path: Path) -> None:
    assert link(tmp_path / "javascript:alert(1)", tmp_path) == "./javascript%3Aalert%281%29"
    assert link(tmp_path, tmp_path / "deep") == "./.."


def test_the_first_sentence_of_a_headline_ends_at_no_decimal_point() -> None:
    headline = "Out of balance: Rhodos B too strong by 10.0 ± 0.8 points, under these players. Confirmed within 1."
    assert first_sentence(headline) == "Out of balance: Rhodos B too strong by 10.0 ± 0.8 points, under these players."
    assert first_sentence("Nothing found.") == "Nothing found."


def test_the_page_of_a_folder_opens_with_the_edges_of_its_runs_and_the_next_command(empirelab: Program) -> None:
    Path("runs").mkdir()
    for seed in (1, 2):
        empirelab("simulate", "seven_wonders", "--games", 400, "--seed", seed, "--jobs", 1, "--out", f"runs/{seed}")
    done = empirelab("view", "runs", "--html", "index.html")
    page = Path("index.html").read_text("utf-8")
    assert page.partition("<h2>")[2].startswith("Out of balance: ")
    assert 'data-figure="runs"' in page
    assert "What to do next" in page
    assert "Write the 2 missing pages" in page
    assert "empirelab view runs --reports --html index.html" in done.out

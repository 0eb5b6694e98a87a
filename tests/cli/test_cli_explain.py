"""`explain`, `price`, and changes in words from the command line: what they print, write and refuse."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reports.studies.search import block_sums
from sim.commands.console import command_again, next_file
from sim.commands.rebalance import Left, confirming_command, fitting_run, patch_message
from sim.errors import UserError
from sim.runs.config import RunConfig
from sim.runs.store.manifest import read_manifest
from tests.cli.conftest import Message, Program

pytestmark = pytest.mark.usefixtures("sketched_figures")

TABLE = ("--players", "3", "--strategies", "greedy,random", "--jobs", "1", "--quiet")
GAME = "seven_wonders"


@pytest.fixture
def played(empirelab: Program, once: Program) -> Program:
    """The program, with a run in the folder `out`."""
    once("simulate", GAME, "--games", 360, *TABLE, "--detail", "cards", "--out", "out")
    return empirelab


def test_a_faction_is_explained_in_words_page_tables_and_json(played: Program, tmp_path: Path) -> None:
    asked = ("explain", "out", "--faction", "rhodos b")
    plain = played(*asked, "--html", "why.html", "--csv", "tables/", "--quiet")
    assert plain.err == ""
    found = played(*asked, "--json").json
    first = found["sections"][0]
    assert first["sentences"][0].startswith("Rhodos B wins ")
    page = (tmp_path / "why.html").read_text("utf-8")
    assert first["title"] in page
    assert "typical win: game" in page
    assert "Age I" in page or "age I" in page  # a game told turn by turn
    assert {"why.csv", "company.csv", "games.csv"} <= {path.name for path in (tmp_path / "tables").iterdir()}


@pytest.mark.usefixtures("played")
def test_numbers_of_games_that_have_no_use_or_are_too_small_are_refused(complaint: Message) -> None:
    asked = ("explain", "out", "--faction", "Rhodos B")
    assert "field games: this option needs --pieces or --budget" in complaint(*asked, "--games", 100)
    assert "too few games for an interval" in complaint(*asked, "--budget", 10)
    assert "prices in points play no games" in complaint("price", "out", "--games", 60)
    assert "not every board has a number of this name" in complaint("price", "out", "--in", "colour")


def test_parts_are_played_within_a_budget(played: Program) -> None:
    found = played("explain", "out", "--faction", "Rhodos B", "--budget", 1000, "--json", "--quiet").json
    parts = found["sections"][1]
    assert parts["name"] == "parts"
    assert {row["part"] for row in parts["listings"][0]["rows"]} == {"stage 1", "stage 2", "coins start"}


@pytest.mark.usefixtures("without_figures")
def test_the_report_links_a_page_of_every_faction(empirelab: Program, tmp_path: Path) -> None:
    few = ("--factions", "Rhodos B,Gizah A,Babylon A")
    empirelab("simulate", GAME, "--games", 360, *TABLE, *few, "--detail", "cards", "--out", "out")
    outcome = empirelab("report", "out", "--html", "first.html", "--explain", "--quiet", "--json")
    claims = [claim for claim in outcome.json["claims"] if claim["family"].endswith("of 3 pages")]
    assert len({claim["subject"].partition(":")[0] for claim in claims}) == 3
    page = (tmp_path / "first.html").read_text("utf-8")
    pages = sorted((tmp_path / "first-explained").iterdir())
    assert len(pages) == 3
    for own in pages:
        assert f'href="first-explained/{own.name}"' in page
        assert "wins" in own.read_text("utf-8")
    empirelab("report", "out", "--explain", status=2)


def test_prices_are_printed_for_every_number_of_players(played: Program) -> None:
    found = played("price", "out", "--faction", "Rhodos B", "--json").json
    rows = found["sections"][0]["listings"][0]["rows"]
    assert len(rows) == 14
    assert {row["players"] for row in rows} == {3}
    assert found["sections"][1]["title"] == "The price of Rhodos B beside each board"


def test_prices_in_goods_play_the_same_deals_again_and_are_kept_until_the_page_is_written(
    played: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = ("--in", "coins_start", "--faction", "Rhodos B", "--games", 60, "--jobs", 1)
    asked = ("price", "out", *table, "--html", "prices.html")

    def full_disk(*words: Any, **named: Any) -> None:
        raise UserError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr("sim.commands.price.emit_sections", full_disk)
        played(*asked, status=2)
    assert (tmp_path / ".prices.html.arms").is_dir()
    outcome = played(*asked, "--json")
    assert not (tmp_path / ".prices.html.arms").exists()
    assert "resuming with the games stored in" in outcome.err
    assert "3 players: Rhodos B: coins at the start" in outcome.err
    (row,) = outcome.json["sections"][0]["listings"][0]["rows"]
    assert (row["printed"], row["faction"], row["players"]) == (3, "Rhodos B", 3)


def test_a_part_named_in_words_is_taken_away(empirelab: Program) -> None:
    asked = ("intervene", GAME, "--games", 360, *TABLE, "--json")
    found = empirelab(*asked, "--without", "rhodos b stage 1", "--make", "free").json
    (row,) = found["sections"][0]["listings"][0]["rows"]
    assert (row["part"], row["way"], row["changes"]) == (
        "stage 1", "free", ["wonders.toml#Rhodos B.stage.1.cost={}"],
    )  # fmt: skip
    both = empirelab(*asked, "--without", "Loom (1)", "--without", "Rhodos B coins_start").json
    assert [section["name"] for section in both["sections"]] == ["intervention", "parts"]


def test_a_race_goes_on_after_an_interrupt_and_writes_changes_that_simulate_and_compare_play(
    empirelab: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = ("--players", 4, "--strategies", "balanced", "--jobs", 1, "--quiet")
    asked = ("rebalance", GAME, "--faction", "Rhodos B", "--knob", "stage 1", "--games", 2400, "--margin", 2, *table)
    calls = [0]

    def counting(stand: Callable[..., Any]) -> Callable[..., Any]:
        def play(*words: Any) -> Any:
            calls[0] += 1
            if calls[0] == 6:
                raise KeyboardInterrupt
            return stand(*words)

        return play

    for name in ("play", "play_chosen"):
        monkeypatch.setattr(block_sums, name, counting(getattr(block_sums, name)))
    stopped = empirelab(*asked, "--patch", "fair.toml", status=130)
    assert "finished games are saved in .fair.toml.arms; run the same command to resume" in stopped.err
    assert {path.name for path in tmp_path.iterdir()} == {".fair.toml.arms"}
    outcome = empirelab(*asked, "--patch", "fair.toml")
    gone_on, calls[0] = calls[0] - 6, 6
    assert {path.name for path in tmp_path.iterdir()} == {"fair.toml"}
    again = empirelab(*asked, "--patch", "again.toml")
    found, same = (done.out.partition("\nNext: ")[0] for done in (outcome, again))
    assert found == same
    assert gone_on == calls[0] - 6 - 5
    assert outcome.out.endswith("\nwritten: fair.toml\n")
    then = outcome.out.partition("\nNext: ")[2].splitlines()
    assert re.search(r"Play the change on fresh deals.* \(about \d+ (s|min) here\)", " ".join(then))
    (command,) = [line for line in then if line.startswith("  empirelab compare")]
    assert command.startswith("  empirelab compare seven_wonders --change @fair.toml --seed 4 ")
    assert re.search(r" --players 4 --strategies balanced --margin \d(\.5)?$", command)
    head = " ".join(outcome.out.split("\n\n")[0].split())
    assert head.startswith("7 Wonders: What to change on Rhodos B: 4 players, balanced, 2,400 games of each version, ")
    assert head.endswith("Game data: 92 rows, 100.0 % confirmed, 0.0 % single-source, 0.0 % stand-in")
    legend = "fair: the whole interval lies within the margin that you asked for (±2 points)"
    assert legend in outcome.said
    changes = tomllib.loads((tmp_path / "fair.toml").read_text("utf-8"))["changes"]
    again = empirelab("simulate", GAME, "--games", 12, *table, "--change", "@fair.toml", "--out", "changed")
    assert read_manifest(tmp_path / "changed")["changes"] == changes


def test_changes_for_all_factions_are_told_drawn_and_written(empirelab: Program, tmp_path: Path) -> None:
    asked = ("rebalance", GAME, "--all", "--margin", 20, "--games", 360, "--top-games", 0, *TABLE)
    outcome = empirelab(*asked, "--patch", "fair.toml", "--html", "fair.html")
    assert "as printed" in outcome.out
    changes = tomllib.loads((tmp_path / "fair.toml").read_text("utf-8"))["changes"]
    assert "before and after" in (tmp_path / "fair.html").read_text("utf-8")
    found = empirelab(*asked, "--json").json
    assert found["changes"] == changes
    (section,) = found["sections"]
    standing = next(listing for listing in section["listings"] if listing["name"] == "standing")
    assert len(standing["rows"]) == 14


def test_a_target_is_reached_from_a_file(empirelab: Program, tmp_path: Path) -> None:
    (tmp_path / "wanted.toml").write_text('[shares]\n"Rhodos B" = 0.34\n', encoding="utf-8")
    asked = ("rebalance", GAME, "--target", "wanted.toml", "--margin", 30, "--games", 360, "--top-games", 12, *TABLE)
    found = empirelab(*asked, "--json").json
    assert found["wanted"] == {"Rhodos B": 0.34}
    assert found["changes"] == []  # it lies within so wide a margin as printed
    said = " ".join(found["sections"][0]["sentences"])
    assert "No change is shown to be needed" in said
    assert "With balanced+8 in all seats" in said


def test_a_file_without_a_change_is_not_said_to_be_played(empirelab: Program) -> None:
    asked = ("rebalance", GAME, "--all", "--margin", 40, "--games", 60, "--top-games", 0, *TABLE)
    outcome = empirelab(*asked, "--patch", "none.toml")
    assert outcome.out.endswith("written: none.toml; it holds no change\n")
    assert "Next:" not in outcome.out


def test_the_command_that_confirms_a_change_plays_as_the_search_did(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["empirelab"])
    options = {"game": GAME, "players": 3, "strategies": ["greedy", "random"], "factions": ["Rhodos", "B"],
               "variant": "standard", "seed": 7, "code": "mine.py", "settings": {"discounts_add_up": True}}  # fmt: skip
    said = confirming_command(["@my fair.toml"], RunConfig(**options), 2.5)
    assert said == (
        "empirelab compare seven_wonders --change '@my fair.toml' --seed 10 --games 10000 --players 3 "
        "--strategies greedy,random --factions Rhodos,B --variant standard --code mine.py --margin 2.5 "
        "--set discounts_add_up=true"
    )
    usual = confirming_command(["@fair.toml"], RunConfig(game=GAME, games=20_000), 1.0)
    assert usual == "empirelab compare seven_wonders --change @fair.toml --seed 4"


def test_a_proposed_command_carries_what_was_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = ["empirelab", "rebalance", GAME, "-k", "4", "--strategies=balanced", "--games", "20000", "--jobs", "1"]
    monkeypatch.setattr("sys.argv", typed)
    config = RunConfig(game=GAME, games=20_000, seed=9, changes=["wonders.toml#Rhodos B.coins_start=2"])
    said = command_again(["rebalance", GAME, "--refine"], config, 1.0, 20_000)
    assert said == (
        "empirelab rebalance seven_wonders --refine --players 4 --strategies balanced --seed 9 "
        "--change 'wonders.toml#Rhodos B.coins_start=2'"
    )


def test_a_comparison_asks_for_the_margin_that_fitting_games_can_reach() -> None:
    config = RunConfig(game=GAME, games=1000, strategies=["balanced", "greedy"])
    near, far = Left("Rhodos B", 0.001, 0.002, 14), Left("Rhodos B", -0.023, 0.015, 14)
    assert fitting_run(near, config, 0.02, 1e-6) == (20_000, 0.02)
    assert fitting_run(far, config, 0.01, 0.01) == (12_000, 0.045)
    assert fitting_run(far, config, 0.06, 0.01) == (4_100, 0.06)  # what was asked for can be reached
    assert fitting_run(far, config, 0.01, 1.0)[0] == 1000  # no fewer than the search had


def test_the_next_file_of_changes_has_the_next_number(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    names = ("fair.toml", "a/fair-2.toml", "side-b.toml")
    assert [str(next_file(Path(name))) for name in names] == ["fair-2.toml", "a/fair-3.toml", "side-b-2.toml"]
    Path("fair-2.toml").touch()
    assert next_file(Path("fair.toml")) == Path("fair-3.toml")


@pytest.mark.sweep
def test_a_quick_search_says_what_it_may_miss_and_proposes_no_search_where_no_change_is_needed(
    empirelab: Program,
) -> None:
    asked = ("rebalance", GAME, "--faction", "Rhodos B", "--knob", "all", "--games", 60, *TABLE)
    quick = empirelab(*asked, "--json").json
    said = " ".join(quick["sections"][0]["sentences"])
    assert re.search(r"This was a quick search: it finds an effect of \d+\.\d points four times in five", said)
    assert quick["next"]["said"].startswith("Too few games to say how many decide whether Rhodos B is fair")
    assert quick["next"]["commands"] == []


def test_a_refuted_change_is_said_not_to_be_written() -> None:
    assert (
        patch_message(Path("fair.toml"), "")
        == "not written: fair.toml, because fresh deals did not confirm that a change is enough"
    )
    assert patch_message(Path("fair.toml"), 'changes = ["a.toml#b.c=1"]') == "written: fair.toml"

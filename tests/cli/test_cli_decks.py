"""`--deck` and `--with-deck`: decks of a user's own on the command line."""

import json
from pathlib import Path

from reports.studies.players.tuning import RunOptions, plan_to_tune
from sim.runs.store.manifest import read_manifest
from tests.cli.conftest import Message, Program

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "my_deck.toml"
RUN = """
game = "imperial_settlers"
games = 2
players = 2
strategies = ["random"]
decks = ["EXAMPLE"]
"""


def test_check_data_counts_the_rows_of_a_deck(empirelab: Program) -> None:
    outcome = empirelab("check-data", "imperial_settlers", "--deck", EXAMPLE)
    assert "my_deck.toml: 4 rows: 0 confirmed, 0 single-source, 4 stand-in" in outcome.out
    assert "stand-in: my_deck.toml, deck, Romans at the Coast" in outcome.out


def test_runs_files_and_comparisons_take_decks(empirelab: Program, tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(RUN.replace("EXAMPLE", str(EXAMPLE)), "utf-8")
    empirelab("run", "run.toml", "--out", "one", "--jobs", 1, "--quiet")
    options = ["--games", 2, "--players", 2, "--strategies", "random", "--deck", EXAMPLE, "--jobs", 1, "--quiet"]
    empirelab("simulate", "imperial_settlers", *options, "--out", "two")
    both = [read_manifest(tmp_path / name) for name in ("one", "two")]
    assert both[0]["shards"][0]["sha256"] == both[1]["shards"][0]["sha256"]
    table = ["--games", 4, "--players", 4, "--strategies", "random", "--jobs", 1]
    found = empirelab("compare", "imperial_settlers", "--with-deck", EXAMPLE, *table)
    assert "Imperial Settlers, Romans at the Coast as Romans: 4 games" in found.out
    assert "decks: none, then my_deck.toml" in found.out


def test_positions_name_a_faction_of_a_deck(empirelab: Program, tmp_path: Path) -> None:
    players = [{"faction": "Romans at the Coast", "locations": ["Aqueduct"]}, {"faction": "japanese"}]
    (tmp_path / "position.json").write_text(json.dumps({"round": 2, "players": players}), "utf-8")
    empirelab("inspect", "imperial_settlers", "position.json", status=2)
    outcome = empirelab("inspect", "imperial_settlers", "position.json", "--deck", EXAMPLE)
    assert "Seat 0: romans at the coast" in outcome.out


def test_weights_are_tuned_at_tables_that_are_dealt_a_deck() -> None:
    run = RunOptions(
        game="imperial_settlers", players=2, factions=["all"], variant=None, seed=1, code=None, decks=[EXAMPLE]
    )
    plan = plan_to_tune("balanced", "mine", ["greedy"], run)
    assert "Romans at the Coast" in [faction.name for faction in plan.data.factions]


def test_mistakes_are_one_message(complaint: Message) -> None:
    assert "7 Wonders takes no user decks" in complaint("simulate", "seven_wonders", "--deck", EXAMPLE)
    assert "none.toml: no such file" in complaint("simulate", "imperial_settlers", "--deck", "none.toml")
    assert "none.toml: no such file" in complaint("check-data", "imperial_settlers", "--deck", "none.toml")
    assert "none.toml: no such file" in complaint("tune", "imperial_settlers", "balanced", "--deck", "none.toml")
    assert "none.toml: no such file" in complaint("inspect", "imperial_settlers", "p.json", "--deck", "none.toml")
    compare = ["compare", "imperial_settlers", "--with-deck", EXAMPLE]
    said = complaint(*compare, "--players", 2, "--factions", "Japanese,Egyptians")
    assert "exactly one dealt faction must have the empire of this deck (found: 'Romans at the Coast')" in said
    assert "a sequential comparison needs the same factions" in complaint(*compare, "--sprt")
    assert "has this name" in complaint(*compare, "--deck", EXAMPLE)

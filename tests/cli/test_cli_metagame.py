"""`metagame` from the command line: what it prints, writes and refuses."""

from pathlib import Path

import pytest

from tests.cli.conftest import Message, Program

pytestmark = pytest.mark.usefixtures("sketched_figures")

ASKED = ("metagame", "seven_wonders", "--players", "3", "--games", "60", "--jobs", "1")
TWO = (*ASKED, "--strategies", "random,greedy")


def test_tables_equilibria_and_invaders_are_printed_and_pages_tables_and_json_say_the_same(
    empirelab: Program, tmp_path: Path
) -> None:
    outcome = empirelab(*TWO, "--html", "m.html", "--csv", "tables/", "--png", "m.png")
    said = outcome.said
    assert "3 players choose among random, greedy" in said
    assert "one symmetric equilibrium was found: all play greedy." in said
    assert "On 20 fresh deals random does best against it" in said
    assert "Alone among 2 random, greedy wins" in said
    assert "2 random, 1 greedy" in said
    assert "4 tables of 3, 2 of them with more than one strategy: 120 games, then up to 120 on fresh" in outcome.err
    exact = empirelab(*TWO, "--json", "--quiet")
    assert exact.err == ""
    found = exact.json
    assert found["equilibria"][0]["shares"] == {"random": 0.0, "greedy": 1.0}
    assert found["equilibria"][0]["best_invader"]["strategy"] == "random"
    assert (found["deals"], found["fresh_deals"], found["players"]) == (20, 20, 3)
    assert all(sentence in said for sentence in found["sections"][0]["sentences"])
    assert found["sections"][0]["sentences"][0] in (tmp_path / "m.html").read_text("utf-8")
    names = ["equilibria.csv", "invaders.csv", "one-among-others.csv", "tables.csv"]
    assert sorted(path.name for path in (tmp_path / "tables").iterdir()) == names
    assert (tmp_path / "m.png").read_bytes().startswith(b"\x89PNG")


def test_invaders_can_get_more_games_than_the_search(empirelab: Program) -> None:
    found = empirelab(*TWO, "--fresh", "90", "--json", "--quiet").json
    assert (found["deals"], found["fresh_deals"]) == (20, 30)


def test_an_answer_that_is_unknown_is_refused_with_the_nearest_name(complaint: Message) -> None:
    said = complaint(*ASKED, "--strategies", "greedy", "--answers", "balanced,militery")
    assert "field answers: unknown strategy (found: 'militery'); did you mean 'military'?" in said
    assert "Allowed: balanced, " in said


def test_answers_bound_how_exploitable_a_player_is(empirelab: Program) -> None:
    done = empirelab(*ASKED, "--strategies", "greedy", "--answers", "balanced", "--quiet", "--json")
    (row,) = done.json["answers"]
    assert (row["player"], row["strategy"], row["games"]) == ("greedy", "balanced", 60)
    assert row["low"] > 0.2

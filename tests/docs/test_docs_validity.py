"""The page of validity says what the files say, and the files name rows that exist."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reports.data import validity
from reports.data.validity import FOLDER, KeptPlay, plays_of, rungs_with_results, validity_of
from reports.sections.core.verdict import validity_words
from sim.commands.options import read_changes
from sim.data.changes import split_changes
from sim.errors import UserError
from sim.game import load_game
from tests.reports.synthetic import Truth, typed_manifest, with_fields

KEPT = sorted(path.stem for path in FOLDER.glob("*.toml"))


@pytest.fixture
def maker(script: Callable[[str], Any]) -> Any:
    return script("make_validity")


def test_the_page_says_what_the_files_say_and_one_that_is_older_is_found(
    maker: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = maker.page()
    assert made == maker.PAGE.read_text("utf-8")
    monkeypatch.setattr(maker, "page", lambda: made)
    monkeypatch.setattr(maker, "PAGE", tmp_path / "validity.md")
    maker.PAGE.write_text("older\n", "utf-8")
    monkeypatch.setattr(sys, "argv", ["make_validity.py", "--check"])
    with pytest.raises(SystemExit, match=r"run docs/make_validity\.py"):
        maker.main()
    assert maker.PAGE.read_text("utf-8") == "older\n"


def test_new_faces_that_change_nothing_are_not_said_to_change_anything(
    maker: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(1)
    printed = [play for play in plays_of("imperium") if not play.changes]

    def again(play: KeptPlay, changes: str) -> KeptPlay:
        edges = {name: [edge + rng.normal(0, error), error] for name, (edge, error) in play.edges.items()}
        return play.model_copy(update={"changes": changes, "edges": edges})

    made = [again(play, changes) for play in printed for changes in ("", "faces_2024")]
    monkeypatch.setattr(maker, "plays_of", lambda _: made)
    kept = validity_of("imperium")
    assert kept is not None
    said = maker.headline("imperium", kept.revision[0])
    assert "narrower in 0 of 20 conditions" in said
    assert "0 moved surely towards fair and 0 surely away" in said


@pytest.mark.parametrize("game", KEPT)
def test_all_that_is_said_of_people_is_of_factions_of_the_game(game: str) -> None:
    kept = validity_of(game)
    assert kept is not None
    loaded = load_game(game)
    levels = {faction.attributes[kept.attribute] for faction in loaded.load({}).factions}
    named = {row.faction for row in kept.finding} | {
        name for row in kept.revision for name in (*row.played, *row.left_out)
    }
    assert named <= levels
    assert all(set(play.edges) == levels for play in plays_of(game))


@pytest.mark.parametrize("game", KEPT)
def test_every_run_is_kept_with_the_command_that_plays_it(game: str) -> None:
    for play in plays_of(game):
        *trained, played = play.command.split(" && ")
        assert played.startswith(f"empirelab simulate {game} ")
        assert all(command.startswith(f"empirelab train {game} ") for command in trained)
        assert f"--games {play.games} " in played
        assert all((f"--change @{play.changes}" in command) == bool(play.changes) for command in (*trained, played))


@pytest.mark.parametrize(
    ("game", "strategies", "said"),
    [
        ("seven_wonders", ["balanced"], "docs/validity.md shows how far figures of these players agree"),
        ("seven_wonders", ["balanced", "military"], "No figures of military have been held against results of people"),
        ("history_of_the_world", ["balanced"], "No figures of these players have been held against"),
    ],
)
def test_a_verdict_says_whether_its_players_were_held_against_people(
    game: str, strategies: list[str], said: str
) -> None:
    truth = Truth(strategies=dict.fromkeys(strategies, 0.0))
    manifest = with_fields(typed_manifest(truth, 10, 10), {"game": game})
    assert validity_words(manifest).startswith(said)


def test_players_without_figures_are_not_said_to_have_any() -> None:
    assert "balanced" in rungs_with_results("seven_wonders")
    assert rungs_with_results("history_of_the_world") == ()


def test_a_finding_of_an_unknown_source_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (FOLDER / "seven_wonders.toml").read_text("utf-8")
    (tmp_path / "seven_wonders.toml").write_text(text.replace('source = "wbc2016"', 'source = "wbc"'), "utf-8")
    monkeypatch.setattr(validity, "FOLDER", tmp_path)
    validity_of.cache_clear()
    with pytest.raises(UserError, match="no such source") as error:
        validity_of("seven_wonders")
    validity_of.cache_clear()
    assert "wbc2016" in str(error.value)


def test_the_faces_of_2024_change_the_nations_that_the_page_names_and_no_others() -> None:
    game = load_game("imperium")
    texts = read_changes(["@faces_2024"], "imperium")
    changes, others = split_changes(texts, game.files, [])
    assert not others
    kept = validity_of("imperium")
    assert kept is not None
    assert {change.file.removesuffix(".toml").capitalize() for change in changes} == set(kept.revision[0].played)
    printed, changed = game.load({}).catalog.cards, game.load({}, changes).catalog.cards
    assert sum(one != other for one, other in zip(printed, changed, strict=True)) == len(
        {change.path.partition(".")[0] for change in changes}
    )


def test_changes_that_do_not_come_with_the_game_are_looked_for_among_the_users_files() -> None:
    with pytest.raises(UserError, match="no such file"):
        read_changes(["@faces_2024"], "seven_wonders")

"""Sensitivity: every plausible value of what no source tells is tried, and what survives is said."""

import re
from itertools import chain
from typing import Any

import polars as pl
import pytest

from empirelab import simulate
from reports.sections.compare.robustness import SHARED, Tried, sensitivity_finding
from reports.studies.api import configured
from reports.studies.sensitivity.report import describe_tried, out_of_balance, sensitivity_section, survival_words
from reports.studies.sensitivity.sensitivity import (
    AS_PLAYED,
    Alternative,
    OpenRows,
    Sensitivity,
    alternatives_of,
    group_alternatives,
    other_values,
    play_sensitivity,
    read_groups,
)
from sim.data.declarations import GAMES
from sim.data.game_files import setting_rows
from sim.errors import UserError
from sim.game import load_game
from sim.runs.config import make_plan
from tests.reports.claims import judged_alternatives, mirror_match
from tests.reports.conftest import Kept

OPTIONS: dict[str, Any] = {"games": 240, "players": 3, "strategies": "random", "seed": 5}
WITH_GROUPS = ("glory_of_rome", "history_of_the_world")
RICH = Alternative("Gizah A is rich", {}, ("wonders.toml#Gizah A.coins_start=90",))
OF_SIX_PLAYERS = Alternative("Tree Farm is dear", {}, ("cards.toml#Tree Farm.cost.coins=3",))


def test_every_other_value_of_every_open_setting_is_tried_and_no_confirmed_one() -> None:
    game = load_game("imperial_settlers")
    config = configured("test", game.name, {"games": 10})
    tried = list(other_values(game, config))
    catalog = game.load({}).catalog
    assert {next(iter(one.settings)) for one in tried} == set(catalog.open_settings)
    assert all(game.load({}).settings[name] != value for one in tried for name, value in one.settings.items())
    assert len({one.name for one in tried}) == len(tried)


def test_numbers_of_stand_ins_are_changed_together_and_confirmed_rows_are_left_alone() -> None:
    game = load_game("history_of_the_world")
    group = OpenRows(
        name="armies", file="reconstruction-2018/empires.toml", table="empire", fields=["armies"], add=[-1]
    )
    (one,) = group_alternatives(game, group)
    rows = {row.name: row for row in game.load({}).catalog.empires}
    changed = {text.partition("#")[2].partition(".armies=")[0]: int(text.partition("=")[2]) for text in one.changes}
    open_rows = {name for name, row in rows.items() if row.certainty != "confirmed" and "armies" not in row.known}
    assert set(changed) == open_rows
    assert all(number == rows[name].armies - 1 for name, number in changed.items())


def test_numbers_inside_lists_are_changed_too_and_none_falls_below_the_least() -> None:
    game = load_game("history_of_the_world")
    group = OpenRows(
        name="values", file="reconstruction-2018/map.toml", table="region", fields=["tokens"], times=[0.0], least=1
    )
    (one,) = group_alternatives(game, group)
    assert any(".tokens.2=" in text for text in one.changes)
    known = [row.name for row in game.load({}).catalog.regions if "tokens.1" in row.known]
    assert known
    assert not any(f"#{name}.tokens.1=" in text for name in known for text in one.changes)
    assert {text.partition("=")[2] for text in one.changes} == {"1"}


@pytest.mark.parametrize("name", GAMES)
def test_all_groups_of_a_game_fit_its_data(name: str) -> None:
    game = load_game(name)
    groups = read_groups(game)
    tried = [list(group_alternatives(game, group)) for group in groups]
    assert all(tried)
    assert groups or name not in WITH_GROUPS
    for one in chain.from_iterable(tried):
        configured("test", name, {"games": 1, "changes": list(one.changes)})


# ---- What is known to move results ----


def cautions(variant: str, **options: Any) -> str:
    """Cautions of the verdict on a few games that one player plays alone."""
    asked = {"games": 60, "players": 1, "variant": variant, "strategies": "random", **options}
    found = [one for one in simulate("glory_of_rome", **asked).report().findings if one.tone == "caution"]
    return "\n".join("\n".join((one.headline, *one.details)) for one in found)


def test_a_verdict_says_as_kept_which_open_point_moves_results_and_by_how_much(kept: Kept) -> None:
    ends = ("strong", "weak", "fair", "unknown")
    range_of = {"lowest": 0.01, "lowest_under": "one", "highest": 0.05, "highest_under": "other"}
    counts = [(4, 0, 0, 0), (3, 0, 0, 1), (2, 1, 1, 0), (3, 0, 1, 0)]
    rows = [dict(zip(ends, one, strict=True)) | range_of for one in counts]
    worlds = {
        "as the rulebook may be read": [cautions("imperial+hard-times")],
        "as it may be read otherwise": [
            cautions("imperial+hard-times", settings={"imperial_negative_events": "do nothing"})
        ],
        "what survives": [survival_words(row, {"verdict": "strong"}) for row in rows],
    }
    assert "imperial_negative_events" not in cautions("imperial"), "there are no negative events"
    kept("open points of the rules", worlds)


@pytest.mark.parametrize("name", GAMES)
def test_what_is_known_of_other_readings_is_of_open_points_and_of_games_that_can_be_played(name: str) -> None:
    game = load_game(name)
    for row in setting_rows(game.folder, game.files):
        assert row.certainty != "confirmed" or not row.measured
        for found in row.measured:
            assert found.low < found.points < found.high
            for players in found.players:
                assert f"--players {players}" in found.command
                variant = next(part for part in found.command.split("--variant ")[1:]).split()[0]
                assert set(found.variant.split("+")) <= set(variant.split("+"))
                make_plan(configured("test", name, {"games": 1, "players": players, "variant": variant}))


def test_a_reading_that_was_measured_is_another_value_of_its_setting() -> None:
    changes = ["rules.toml#imperial_negative_events.measured.1.value=apply"]
    with pytest.raises(UserError, match="not another value of this setting"):
        make_plan(configured("test", "glory_of_rome", {"games": 1, "changes": changes}))


@pytest.fixture(scope="module")
def found() -> Sensitivity:
    """A value that changes games, and one that does not."""
    return play_sensitivity(configured("test", "seven_wonders", OPTIONS), [RICH, OF_SIX_PLAYERS], jobs=1)


def test_what_a_change_does_is_seen_under_its_name(found: Sensitivity) -> None:
    moved = found.moved["faction"].sort(pl.col("change").abs(), descending=True, nulls_last=True)
    assert moved.row(0, named=True)["level"] == "Gizah A"
    judged = found.judged["faction"]
    played = judged.edges.filter((pl.col("condition") == AS_PLAYED) & pl.col("verdict").is_in(["strong", "weak"]))
    assert [level for level, _, _ in out_of_balance(judged)] == played["level"].to_list()
    section = sensitivity_section(found)
    assert any(RICH.name in said for said in section.sentences)
    assert section.pictures[0].draw() is not None


def test_what_changes_nothing_in_these_games_is_said_and_not_counted(found: Sensitivity) -> None:
    assert found.unchanged == (OF_SIX_PLAYERS.name,)
    assert set(found.judged["faction"].edges["condition"]) == {AS_PLAYED, RICH.name}
    assert set(found.moved["faction"]["alternative"]) == {RICH.name}
    said = f"1 alternative changes nothing in these games: {OF_SIX_PLAYERS.name}."
    assert said in sensitivity_section(found).sentences
    assert describe_tried(found)["alternatives"] == 1
    assert describe_tried(found)["unchanged"] == [OF_SIX_PLAYERS.name]


def test_games_in_which_no_alternative_changes_anything_say_so() -> None:
    config = configured("test", "seven_wonders", OPTIONS)
    with pytest.raises(UserError, match="no alternative changes anything in these games: Tree Farm is dear"):
        play_sensitivity(config, [OF_SIX_PLAYERS], jobs=1)


@pytest.mark.parametrize("add", [{"prices": [1, 1]}, {"prices": [1], "prices +1": []}, {AS_PLAYED: []}])
def test_two_alternatives_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch, add: dict[str, list[int]]) -> None:
    rows = {"file": "board.toml", "table": "building", "fields": ["price"]}
    groups = [
        OpenRows(name=name, add=steps, **rows) if steps else OpenRows(name=name, changes=["board.toml#Rome.price=1"])
        for name, steps in add.items()
    ]
    monkeypatch.setattr("reports.studies.sensitivity.sensitivity.read_groups", lambda _: groups)
    game = load_game("glory_of_rome")
    with pytest.raises(UserError, match=r"plausible.toml, field name: two alternatives share a name \(found"):
        alternatives_of(game, configured("test", game.name, {"games": 1}))


def test_a_report_says_of_which_run_a_row_was_not_found_and_of_which_none_was_looked_for(found: Sensitivity) -> None:
    tried = Tried.model_validate(describe_tried(found) | {"survives": {"faction": {"Gizah A": "holds."}}})
    rows = [{"table": "faction", "name": "Gizah A"}, {"table": "faction", "name": "Rhódos A"}]
    said = sensitivity_finding(tried, [*rows, {"table": "side", "name": "B"}]).headline
    assert said.startswith(
        "Uncertain rules and data were varied: 1 plausible value for what no source settles, 240 games"
    )
    assert "Gizah A: holds. Rhódos A: no imbalance found in that run of 240 games." in said
    assert "B: not judged in that run of 240 games." in said
    assert said.endswith("agreement between them is not additional evidence.")


def test_a_game_with_nothing_open_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("seven_wonders")
    monkeypatch.setattr("reports.studies.sensitivity.sensitivity.other_values", lambda *_: iter(()))
    monkeypatch.setattr("reports.studies.sensitivity.sensitivity.read_groups", lambda _: [])
    with pytest.raises(UserError, match="nothing in 7 Wonders is open"):
        alternatives_of(game, configured("test", game.name, OPTIONS))


def test_a_group_says_what_to_change_in_one_way() -> None:
    with pytest.raises(ValueError, match="a group has changes"):
        OpenRows(name="nothing")


def test_alternatives_that_agree_are_said_to_share_the_luck_of_the_deals() -> None:
    runs = {AS_PLAYED: mirror_match(6000), "the same": mirror_match(6000)}
    section = judged_alternatives(runs)
    board = next(said for said in section.sentences if said.startswith("Rhodos B (+"))
    assert re.match(
        r"Rhodos B \(\+\d\.\d ± \d\.\d points as played\): too strong under every alternative, observed edges from ",
        board,
    )
    assert SHARED in section.sentences
    assert {claim.said for claim in section.claims} >= {board}

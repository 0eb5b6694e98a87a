"""A comparison opens with what was asked and what became of it; its words lead back to the printed number."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import polars as pl
import pytest

from reports.claims import Claim, split_claims
from reports.sections.core.opening import Standing, Standings, Stands, Turned, change_claims, opening, standing_words
from reports.statistics.compare.changes import Compared
from reports.studies.compare.change_words import (
    both_words,
    changed_value_words,
    changes_in_words,
    plain_words,
    turned_between,
)
from reports.studies.parts.parts import parts_of
from reports.studies.search.parameter_names import numbers_of_row, path_of_words, with_paths
from reports.studies.search.parameters import distinct_names, find_knob, reading_sentences
from reports.studies.search.rebalance import find_faction_knob
from reports.studies.search.space import numbers_of_parts
from sim.commands.compare import players_step, step_on_top
from sim.errors import UserError
from sim.game import load_game
from sim.runs.config import RunConfig, make_plan
from sim.runs.shards import share_out
from sim.runs.store.build_manifest import planned_run
from sim.runs.store.manifest import PlannedRun
from tests.reports.conftest import Kept

ORE = Turned("Halikarnassos B", "stage 1 cost ore", "2", "4")
KEY = ("faction", "Halikarnassos B")


def table(*rows: tuple[str, float, float, float, str], name: str = "faction", noun: str = "board") -> Compared:
    """Rows of level, edge before, change and half its interval, in points, and flag."""
    return Compared(name, noun, pl.DataFrame([
        {"level": level, "edge_a": edge / 100, "change": change / 100, "low": (change - half) / 100,
         "high": (change + half) / 100, "family_low": (change - half) / 100, "family_high": (change + half) / 100,
         "flag": flag}
        for level, edge, change, half, flag in rows
    ]))  # fmt: skip


BOARDS = table(
    ("Halikarnassos B", 8.0, -10.0, 1.7, "down"),
    ("Ephesos A", 0.5, 1.6, 0.8, "up"),
    ("Gizah A", -1.0, -0.2, 0.9, ""),
)


def opened(
    *tables: Compared,
    turned: tuple[Turned, ...] = (ORE,),
    before: Standings | None = None,
    after: Standings | None = None,
) -> list[str]:
    named = {one.name: one for one in tables}
    return list(split_claims(opening(turned, named, before or {}, after or {}, 0.01, "all"))[0])


def stands(state: Stands, edge: float = 0.05) -> Standing:
    return Standing(edge, edge - 0.02, edge + 0.02, state)


def test_what_a_comparison_opens_with_is_as_kept(kept: Kept) -> None:
    empires = table(("Vikings", 26.0, -23.4, 3.1, "down"), ("Turks", 0.2, 5.7, 1.4, "up"), name="empire", noun="empire")
    empires = replace(empires, frame=empires.frame.with_columns(period=4), picks="epoch")
    out = {("empire", "Vikings"): stands("out")}
    players = table(
        ("civil", 1.0, 3.3, 0.9, "up"), ("military", 2.0, -3.3, 1.1, "down"), name="strategy", noun="strategy"
    )
    pawnshop = (Turned("Pawnshop", "points", "3", "8"),)
    alone = table(("Halikarnassos B", 8.0, -10.0, 1.7, "down"), ("Gizah A", -1.0, -0.2, 0.9, ""))
    states: tuple[Stands, ...] = ("out", "open", "within")
    kept(
        "opening of a comparison",
        {
            "the changed board": opened(BOARDS, before={KEY: stands("out")}, after={KEY: stands("open")}),
            "another is put out of balance": opened(BOARDS, after={("faction", "Ephesos A"): stands("out")}),
            "an empire": opened(empires, turned=(Turned("Vikings", "armies", "9", "3"),), before=out, after=out),
            "no sure side effect": opened(alone),
            "a card": opened(BOARDS, players, turned=pawnshop),
            "a card, and no boards": opened(players, turned=pawnshop),  # players are not judged for balance
            "nothing was changed": opened(table(("Gizah A", -1.0, -0.2, 0.9, "")), turned=()),
            "balance": [
                f"{before}, then {after}: {standing_words(stands(before), stands(after), 0.01)}"
                for before in states
                for after in states
            ],
        },
    )


def test_what_is_said_of_a_row_that_was_changed_is_claimed() -> None:
    before, after = {KEY: stands("out")}, {KEY: stands("within", 0.0)}
    said, claims = next(iter(opening((ORE,), {"faction": BOARDS}, before, after, 0.01, "all")))
    assert "now balanced (±1 point)" in said
    assert [(claim.kind, claim.subject) for claim in claims] == [
        ("change", "Halikarnassos B"), ("out of balance", "Halikarnassos B, before"),
        ("within the margin", "Halikarnassos B, after"), ("change", "Ephesos A"),
    ]  # fmt: skip
    assert {claim.said for claim in claims} == {said}
    sides = table(("A", 1.0, 2.0, 0.5, "up"), name="side", noun="wonder side")
    assert [claim.subject for claim in change_claims(sides, sides.frame.to_dicts(), "all")] == ["wonder side A"]


def test_a_row_that_a_player_left_out_keeps_open_is_balanced_over_all_games() -> None:
    claim = Claim("depends on players", "Halikarnassos B without civil", 0.02, 0.015, None, "", "")
    open_row = Standing(0.0, -0.008, 0.008, "open", None, "-1.2 without civil to +0.4 without science")
    for after, shown in ((replace(open_row, without=(claim,)), ""), (open_row, "shown to be ")):
        said, claims = next(iter(opening((ORE,), {"faction": BOARDS}, {KEY: stands("out")}, {KEY: after}, 0.01, "all")))
        assert f"now balanced over all games (±1 point), but not {shown}with one player left out (-1.2" in said
        assert ("depends on players" in {one.kind for one in claims}) == bool(after.without)


def test_the_side_effect_that_puts_a_row_out_of_balance_comes_before_a_larger_one() -> None:
    boards = table(("Halikarnassos B", 8.0, -10.0, 1.7, "down"), ("Gizah A", -9.0, 5.0, 0.9, "up"),
                   ("Ephesos A", 0.5, 1.6, 0.8, "up"))  # fmt: skip
    gizah, ephesos = ("faction", "Gizah A"), ("faction", "Ephesos A")
    before = {gizah: stands("out"), ephesos: stands("within", 0.005)}
    still = opened(boards, before=before, after={gizah: stands("out"), ephesos: stands("open")})
    assert "worst side effect Gizah A +5.0" in still[0]
    put_out = opened(boards, before=before, after={gizah: stands("out"), ephesos: stands("out", 0.021)})
    assert "worst side effect Ephesos A +1.6 ± 0.8, now out of balance (+2.1)" in put_out[0]
    turned = opened(boards, before={gizah: stands("out", -0.03)}, after={gizah: stands("out", 0.02)})
    assert "worst side effect Gizah A +5.0 ± 0.9, now out of balance (+2.0)" in turned[0]


def test_a_search_on_top_is_for_what_the_change_is_for_before_any_side_effect(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("reports.sections.core.next_step.rows_in_files", lambda _: True)
    monkeypatch.setattr("reports.sections.core.next_step.search_time", lambda _: "about 2 min")
    ephesos = ("faction", "Ephesos A")
    boards = table(("Halikarnassos B", 8.0, -10.0, 1.7, "down"), ("Ephesos A", 0.5, 1.6, 0.8, "up"))

    def step(own: Stands, other: Stands) -> Any:
        comparison: Any = SimpleNamespace(
            turned=(ORE,), tables={"faction": boards}, manifest_b=None,
            standings=({}, {KEY: stands(own), ephesos: stands(other)}),
        )  # fmt: skip
        return step_on_top(comparison, RunConfig(game="seven_wonders"), 0.01, ["@fair.toml"])

    (command,) = step("within", "out").commands
    assert "--faction 'Ephesos A' --knob all --change @fair.toml --patch fair-2.toml" in command
    assert step("within", "open") is None
    (command,) = step("out", "out").commands
    assert "--faction 'Halikarnassos B' --knob all --change @fair.toml" in command


def test_a_row_that_depends_on_players_is_compared_with_the_best_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["empirelab", "compare", "g.py", "--strategies", "a,b", "--out", "o"])
    frame = pl.DataFrame({"level": ["a", "b"], "edge_a": [-0.1, 0.1]})
    comparison: Any = SimpleNamespace(
        tables={"strategy": SimpleNamespace(frame=frame)},
        manifest_a=SimpleNamespace(lineup=["a", "b"]), manifest_b=SimpleNamespace(lineup=["a", "b"]),
    )  # fmt: skip
    step = players_step(comparison, ["Gizah A"])
    assert step.said.endswith("Choose which players count, such as b, who won most often here.")
    assert step.commands[0].endswith("--strategies b")
    comparison.manifest_b.lineup = ["b"]
    assert players_step(comparison, ["Gizah A"]).commands == ()


def manifest(**options: object) -> PlannedRun:
    """What the manifest of a run says of what was asked for."""
    plan = make_plan(RunConfig(**{"game": "seven_wonders"} | options))  # type: ignore[arg-type]
    return planned_run(share_out([plan], 8), "")


def changed(game: str, change: str) -> Turned:
    """What a comparison says of one change."""
    printed = manifest(game=game)
    (said,) = turned_between(printed, printed.model_copy(update={"changes": [change]}))
    return said


def words_between(first: dict[str, object], second: dict[str, object]) -> list[str]:
    return [str(one) for one in turned_between(manifest(**first), manifest(**second))]


def test_a_change_is_told_with_the_printed_value() -> None:
    dear = {"changes": ["wonders.toml#halikarnassos b.stage.1.cost.ore=4"]}
    assert words_between({}, dear) == ["Halikarnassos B, stage 1 cost ore: 2 to 4"]
    assert words_between(dear, {}) == ["Halikarnassos B, stage 1 cost ore: 4 to 2"]
    assert words_between(dear, dear) == []
    assert changes_in_words(manifest(**dear)) == ("Halikarnassos B, stage 1 cost ore: 2 to 4",)
    assert str(changed("seven_wonders", "gone.toml#Old Card.vp=4")) == "Old Card, points: now 4", "not in the files"


def test_effects_settings_and_weights_are_told_in_words_too() -> None:
    effects = {"changes": ["wonders.toml#Halikarnassos B.stage.1.effects=[{vp=2}]"]}
    assert words_between({}, effects) == ["Halikarnassos B, stage 1 effects: now without build from discard"]
    assert words_between({}, {"settings": {"discounts_add_up": True}}) == ["discounts add up: false to true"]
    (said,) = words_between({}, {"changes": ["balanced.toml#weights.military=2.5"]})
    assert re.fullmatch(r"balanced, weights military: [\d.]+ to 2.5", said)


def test_a_card_of_a_nation_belongs_to_both_of_its_sides_and_a_nameless_table_to_its_faction() -> None:
    myths = changed("imperium", "atlanteans.toml#ATL7 Myths and Legends.play.1.3.1.2=0")
    assert myths.owners == ("Atlanteans A", "Atlanteans B")
    sides = table(
        ("Atlanteans A", 36.5, -44.2, 2.9, "down"), ("Atlanteans B", 39.9, -37.4, 2.9, "down"),
        ("Macedonians B", 0.0, 5.3, 1.2, "up"), noun="nation side",
    )  # fmt: skip
    first, second = opened(sides, turned=(myths,))
    assert first.startswith("Atlanteans A: +36.5 to -7.7 points")
    assert "Atlanteans B: +39.9 to +2.5 points" in second
    assert "worst side effect Macedonians B +5.3" in second
    assert changed("seven_wonders", "cards.toml#pawnshop.vp=4").owners == (), "a card of several factions"
    board = changed("imperial_settlers", "romans.toml#faction.board.worker=3")
    assert (board.row, str(board)) == ("Romans", "Romans, workers from the board: 2 to 3")


def test_words_are_plain() -> None:
    assert plain_words("coins_start") == "coins start"
    assert changed_value_words([]) == "nothing"
    assert changed_value_words([["gain", "material", 3], ["draw", 1]]) == "gain 3 material, draw 1"
    alternatives = ["choose", [["draw", 1]], [["gain", "progress", 1]]]
    assert changed_value_words([alternatives]) == "choose: draw 1 or gain 1 progress"
    assert both_words([["draw", 1], ["draw", 2]], [["draw", 1], ["draw", 3]]) == ("draw 2", "draw 3")
    assert "toml" not in changed_value_words([{"produce": ["wood", "ore"]}])


MYTHS = "atlanteans.toml#ATL7 Myths and Legends"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (f"{MYTHS}.play.2.3", "play: gain progress"),
        (f"{MYTHS}.play.1.3.1.2", "play: fame cards looked at"),
        (f"{MYTHS}.play.1.3.1.3", "play: fame cards taken"),
        ("atlanteans.toml#ATL11 Themiscyra.play.3.2.3", "play: cards garrisoned here"),
        ("atlanteans.toml#ATL9 Kleito.play.1.3.2.3.times", "play: break through: times"),
    ],
)
def test_a_number_among_operations_is_named_by_its_operation(path: str, words: str) -> None:
    game = load_game("imperium")
    data = game.load({})
    file, _, row = path.partition("#")
    assert numbers_of_row(game, data, file, row.partition(".")[0])[path] == words
    assert find_knob(game, data, path).said == words
    assert path_of_words(game, data, f"{row.partition('.')[0]}: {words}") == path


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("imperium", f"{MYTHS}.play.2.3"),
        ("imperial_settlers", "romans.toml#faction.board.worker"),
        ("seven_wonders", "wonders.toml#Rhodos B.stage.1.cost.stone"),
    ],
)
def test_what_a_comparison_says_can_be_typed_again(name: str, path: str) -> None:
    said = changed(name, f"{path}=3")
    assert not re.search(r"\d \d", said.field)
    paths = [f"{path}=3", "cards.toml#pawnshop.vp=4", "nonsense"]
    assert with_paths(load_game(name), [f"{said.row}, {said.field} = 3", *paths]) == [paths[0], *paths]


def test_words_that_fit_no_number_are_answered_with_those_of_the_row() -> None:
    game = load_game("imperium")
    data, near = game.load({}), "ATL7 Myths and Legends: play: gain progress"
    with pytest.raises(UserError, match=rf"did you mean '{near}'\? Allowed: {near}, ATL7 Myths and Legends: "):
        path_of_words(game, data, "Myths and Legends: gain progres")
    with pytest.raises(UserError, match="unknown parameter name"):
        path_of_words(game, data, "No such card: points")
    knob = find_faction_knob(game, data, "Atlanteans B", "Myths and Legends: play: gain progress")
    assert (knob.text, knob.title) == (f"{MYTHS}.play.2.3", near)


def test_alike_words_say_which_of_them_is_meant() -> None:
    assert distinct_names(["gain", "pay", "gain"]) == ["gain (1 of 2)", "pay", "gain (2 of 2)"]


def test_an_effect_that_a_change_takes_away_is_told_in_words() -> None:
    printed = manifest(game="imperium")
    path = "atlanteans.toml#Myths and Legends.play"
    none, fewer = (
        changes_in_words(printed.model_copy(update={"changes": [f"{path}={effect}"]}))
        for effect in ("[]", '[["gain", "progress", 2]]')
    )
    assert none == ("Myths and Legends: its play effect, removed",)
    assert fewer[0].endswith("now gain 2 progress")


@pytest.mark.parametrize(
    ("reading", "names"), [("legions first", ["legions", "denarii"]), ("denarii first", ["denarii", "legions"])]
)
def test_numbers_have_their_printed_names_and_an_open_reading_is_said(reading: str, names: list[str]) -> None:
    game = load_game("glory_of_rome")
    data = game.load({"character_numbers": reading})
    turns = numbers_of_parts(game, data, parts_of(game, data, 0))
    assert [turn.name for turn in turns if ".numbers." in turn.text] == names
    (said,) = reading_sentences(game, data.settings, [turn.text for turn in turns])
    assert f"here: {reading}" in said
    assert reading_sentences(game, data.settings, ["characters.toml#Fulvia.votes"]) == []

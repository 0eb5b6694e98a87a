"""Changes of data and weights for one run: what they may look like, what they do, and what is said of mistakes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reports.data.load import load_run
from reports.studies.search.parameters import find_knob
from sim.data.changes import (
    apply_changes,
    find_field,
    limits_of,
    parse_change,
    parse_path,
    parse_value,
    read_changed,
    split_changes,
    toml_text,
    with_value,
)
from sim.errors import UserError
from sim.game import Data, load_game
from sim.games.seven_wonders.data.catalog import FILES, FOLDER
from sim.players.batch import Plan, play
from sim.players.compile_players import players_of
from sim.players.find_strategies import load_strategies
from sim.runs.config import RunConfig, make_plan
from sim.runs.replay import replay
from sim.runs.run import play_run

GAME = load_game("seven_wonders")
PRINTED = GAME.load({})


def changed(*texts: str) -> Data:
    return GAME.load({}, [parse_change(text) for text in texts])


def card(data: Data, name: str) -> Any:
    return next(card for card in data.catalog.cards if card.name == name)


def wonder(data: Data, name: str, side: str) -> Any:
    return next(one for one in data.catalog.wonders if (one.name, one.side) == (name, side))


def complaint(*texts: str) -> str:
    with pytest.raises(UserError) as error:
        changed(*texts)
    return str(error.value)


# ---- What changes do ----


def test_a_field_of_the_one_effect_is_named_without_its_way() -> None:
    assert card(changed("cards.toml#pawnshop.vp=4"), "Pawnshop").effects[0].vp == 4
    assert card(PRINTED, "Pawnshop").effects[0].vp == 3


def test_a_cost_may_be_taken_away_or_added() -> None:
    assert card(PRINTED, "Baths").cost.stone == 1
    assert card(changed("cards.toml#Baths.cost={}"), "Baths").cost.stone == 0
    assert card(changed("cards.toml#pawnshop.cost.clay=2"), "Pawnshop").cost.clay == 2


def test_a_card_may_lose_its_effects() -> None:
    data = changed("cards.toml#pawnshop.effects=[]")
    assert card(data, "Pawnshop").effects == []
    number = [one.name for one in data.catalog.cards].index("Pawnshop")
    assert data.tables.item_effect_count[number] == 0


@pytest.mark.parametrize("row", ["Rhodos B", "rhodos-b", "RHODOS_B", "rhodos  b"])
def test_rows_go_by_their_labels_whatever_the_case_and_the_gaps(row: str) -> None:
    assert wonder(changed(f"wonders.toml#{row}.coins_start=4"), "Rhodos", "B").coins_start == 4


def test_items_of_lists_are_counted_from_one() -> None:
    effects = wonder(changed("wonders.toml#rhodos-b.stage.2.vp=5"), "Rhodos", "B").stage[1].effects
    assert [effect.vp for effect in effects if hasattr(effect, "vp")] == [5]
    vineyard = card(changed("cards.toml#vineyard.coins_per.1=grey cards"), "Vineyard")
    assert vineyard.effects[0].coins_per == ["grey cards"]
    assert changed("rules.toml#constants.military_win_vp.2=4").catalog.constants.military_win_vp == [1, 4, 5]


def test_constants_and_settings_are_rows_too() -> None:
    assert changed("rules.toml#constants.start_coins=4").tables.faction_coins[0] == 4
    assert changed("rules.toml#discounts_add_up.value=true").settings["discounts_add_up"] is True


def test_the_ending_of_a_file_may_be_left_out() -> None:
    assert changed("cards#pawnshop.vp=4").digest == changed("cards.toml#pawnshop.vp=4").digest


def test_a_label_that_is_whole_wins_over_a_name_in_two_ages() -> None:
    data = changed("cards.toml#loom-1.effects=[{ vp = 1 }]")
    assert [hasattr(one.effects[0], "vp") for one in data.catalog.cards if one.name == "Loom"] == [True, False]


def test_several_changes_are_made_together_and_files_stay_as_they_are() -> None:
    before = (FOLDER / "cards.toml").read_bytes()
    data = changed("cards.toml#pawnshop.vp=4", "cards.toml#baths.vp=5", "wonders.toml#Rhodos B.coins_start=0")
    assert (card(data, "Pawnshop").effects[0].vp, card(data, "Baths").effects[0].vp) == (4, 5)
    assert (FOLDER / "cards.toml").read_bytes() == before
    assert GAME.load({}).digest == PRINTED.digest != data.digest


def test_what_was_read_is_left_alone() -> None:
    data = {"card": [{"name": "Inn", "age": 1, "cost": {"coins": 1}}]}
    kinds = FILES["cards.toml"]
    result = apply_changes(Path("cards.toml"), data, kinds, [parse_change("cards.toml#Inn.cost.coins=2")])
    assert (data["card"][0]["cost"], result["card"][0]["cost"]) == ({"coins": 1}, {"coins": 2})


def test_weights_of_a_strategy_and_of_those_based_on_it_change() -> None:
    change = [parse_change("balanced.toml#weights.military=2")]
    found, plain = load_strategies("seven_wonders", changes=change), load_strategies("seven_wonders")
    assert found["balanced"].weights == {**plain["balanced"].weights, "military": 2.0}
    warm = load_strategies("seven_wonders", changes=[parse_change("balanced.toml#temperature=0.5")])
    assert warm["balanced"].temperature == 0.5


# ---- Values ----


@pytest.mark.parametrize(
    ("text", "value"),
    [("4", 4), ("2.0", 2.0), ("true", True), ("[]", []), ("{}", {}), ('"left"', "left"), ("left", "left"),
     ("{ vp = 3 }", {"vp": 3}), ("1\nother = 2", "1\nother = 2")],
)  # fmt: skip
def test_values_are_toml_or_plain_words(text: str, value: object) -> None:
    assert parse_value(text) == value


@pytest.mark.parametrize("value", [3, -2, 0.25, True, "left", 'a "b"', [1, "x"], {"vp": 3, "b c": [True]}, [], {}])
def test_a_value_is_written_so_that_it_is_read_again(value: object) -> None:
    assert parse_value(toml_text(value)) == value
    assert parse_change(with_value("cards.toml#Inn.vp", value)).value == value


def test_the_numbers_a_field_takes_are_known() -> None:
    def limits(file: str, path: str) -> Any:
        return limits_of(find_field(FOLDER / file, read_changed(FOLDER / file, FILES[file]), FILES[file], path))

    coins = limits("wonders.toml", "Rhodos B.coins_start")
    assert (coins.whole, coins.low, coins.high) == (True, 0, 999)
    assert (limits("cards.toml", "pawnshop.vp").low, limits("rules.toml", "constants.hand_size").high) == (0, 7)
    assert limits("rules.toml", "constants.military_win_vp.2").whole
    for path in ("pawnshop.copies", "pawnshop.colour", "pawnshop.guild", "pawnshop.cost", "pawnshop.effects"):
        assert limits("cards.toml", path) is None


# ---- Mistakes ----


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cards.toml#pawnshop.vp", ["a change needs a value", "FILE#ROW.FIELD=VALUE"]),
        ("cards.toml#pawnshop.vp=", ["a change needs a value"]),
        ("pawnshop.vp=4", ["needs a file, a row and a field"]),
        ("cards.toml#=4", ["needs a file, a row and a field"]),
        ("cards.toml#pawnshop..vp=4", ["needs a file, a row and a field"]),
        ("cards.toml#pawnshop=4", ["row pawnshop", "a change needs a field of the row"]),
        ("cards.toml#lom-1.vp=3", ["no such row", "'lom-1'", "did you mean 'Loom 1'?"]),
        ("cards.toml#loom.vp=3", ["loom fits 2 rows: Loom (1), Loom (2)"]),
        ("wonders.toml#Rhodos.coins_start=3", ["Rhodos fits 2 rows: Rhodos (A), Rhodos (B)"]),
        ("cards.toml#pawnshop.vps=3", ["row Pawnshop 1: no such field", "did you mean 'vp'?"]),
        ("wonders.toml#Rhodos B.vp=3", ["several fields match", "stage.1.effects.1.vp, stage.2.effects.1.vp"]),
        ("cards.toml#pawnshop.vp.much=3", ["field effects.1.vp: this field has no nested fields", "much"]),
        ("wonders.toml#Rhodos B.stage.3.vp=3", ["field stage: not the position", "allowed: 1 to 2"]),
        ("wonders.toml#Rhodos B.stage.one.vp=3", ["field stage: not the position", "allowed: 1 to 2"]),
        ("cards.toml#pawnshop.cost.cly=1", ["field cost: no such field", "did you mean 'clay'?"]),
        ("cards.toml#pawnshop.vp=-1", ["cards.toml, row Pawnshop 1, field effects.1.vp: not allowed", "found: -1"]),
        ("cards.toml#pawnshop.vp=four", ["row Pawnshop 1, field effects.1.vp", "a whole number"]),
        ("cards.toml#pawnshop.copies=[3]", ["wrong number of cards in the deck of age 1"]),
        ("wonders.toml#Rhodos B.coins_start=1.5", ["row Rhodos B, field coins_start", "a whole number"]),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_what_is_allowed(text: str, words: list[str]) -> None:
    message = complaint(text)
    for word in words:
        assert word in message


def test_two_changes_of_one_field_are_refused() -> None:
    for first, second in (
        ("cards.toml#pawnshop.vp=4", "cards.toml#Pawnshop.effects.1.vp=5"),
        ("cards.toml#pawnshop.effects=[]", "cards.toml#pawnshop.effects.1.vp=5"),
        ("cards.toml#pawnshop.cost={}", "cards.toml#pawnshop.cost.clay=1"),
    ):
        message = complaint(first, second)
        assert "row Pawnshop 1" in message
        assert f"{second} and {first} change the same field" in message


def test_a_file_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(UserError, match=r"'card\.toml'\); did you mean 'cards\.toml'\? .*balanced\.toml"):
        make_plan(RunConfig(game="seven_wonders", changes=["card.toml#pawnshop.vp=4"]))
    with pytest.raises(UserError, match="no such file"):
        split_changes(["x.toml#a.b=1"], ["cards.toml"], [])


def test_an_unknown_weight_is_named() -> None:
    with pytest.raises(UserError, match=r"balanced\.toml.*unknown weight.*did you mean 'military'"):
        make_plan(RunConfig(game="seven_wonders", changes=["balanced.toml#weights.militry=2.0"]))


def test_a_path_is_split_at_the_first_hash() -> None:
    assert parse_path(" cards # Inn.vp ") == ("cards.toml", "Inn.vp")


# ---- Starting coins of a board ----


def test_a_board_starts_with_the_constant_unless_it_has_coins_of_its_own() -> None:
    assert set(PRINTED.tables.faction_coins[: len(PRINTED.factions)]) == {3}
    data = changed("wonders.toml#Gizah A.coins_start=7", "rules.toml#constants.start_coins=2")
    gizah = [faction.name for faction in data.factions].index("Gizah A")
    coins = list(data.tables.faction_coins[: len(data.factions)])
    assert coins.pop(gizah) == 7
    assert set(coins) == {2}
    assert GAME.faction_values(data, gizah) == {"coins_start": 7}
    assert GAME.faction_values(data, gizah - 1) == {"coins_start": 2}


def test_coins_of_the_same_amount_change_no_game(plan_of: Callable[..., Plan]) -> None:
    plain = plan_of(seed=5)
    same = plan_of(seed=5, changes=["wonders.toml#Rhodos B.coins_start=3"])
    more = plan_of(seed=5, changes=["rules.toml#constants.start_coins=9"])
    rows = [play(plan, players_of(plan), 0, 6)[0].tolist() for plan in (plain, same, more)]
    assert rows[0] == rows[1] != rows[2]


# ---- Runs ----


def test_the_manifest_keeps_changes_and_replay_makes_them(tmp_path: Path) -> None:
    texts = ["wonders.toml#Rhodos B.coins_start=9", "balanced.toml#weights.military=2.5"]
    factions = ["Rhodos B", "Gizah A", "Olympia A"]
    config = RunConfig(game="seven_wonders", games=6, players=3, factions=factions, seed=3, changes=texts)
    play_run(make_plan(config), 6, tmp_path / "run", jobs=1)
    manifest = load_run(tmp_path / "run").manifest
    assert manifest.changes == texts
    assert manifest.strategies[0].weights["military"] == 2.5
    # A replay checks that the game ends as it was recorded.
    assert len(replay(tmp_path / "run", 0)) > 20
    path = tmp_path / "run" / "run.json"
    path.write_text(json.dumps({**manifest.model_dump(), "changes": texts[1:]}))
    with pytest.raises(UserError, match="tables have changed"):
        replay(tmp_path / "run", 0)


# ---- What no change may touch ----


@pytest.mark.parametrize("field", ["base", "BASE", "script"])
def test_no_change_says_which_code_is_run(tmp_path: Path, field: str) -> None:
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'was run')!r}, 'w')\n", "utf-8")
    change = f"balanced.toml#{field}={tmp_path / 'evil.py'}"
    with pytest.raises(UserError, match=r"balanced\.toml, row balanced: a change must not choose the code that runs"):
        make_plan(RunConfig(game="seven_wonders", changes=[change]))
    with pytest.raises(UserError, match="a change must not choose the code that runs"):
        find_knob(GAME, PRINTED, f"balanced.toml#{field}")
    assert not (tmp_path / "was run").exists()

"""Mistakes in the files of 7 Wonders are named with file, row, field, what was found and what is allowed."""

import shutil
from pathlib import Path

import pytest

from sim.errors import UserError
from sim.games.seven_wonders.data.catalog import FOLDER, load_catalog
from sim.games.seven_wonders.data.compile import build_tables
from sim.games.seven_wonders.rules.constants import COLOURS, MANUFACTURED_GOODS, RAW_GOODS, RESOURCES
from sim.games.seven_wonders.rules.tables import TABLES

CATALOG = load_catalog()
T = build_tables(CATALOG)


def edited(folder: Path, file: str, old: str, new: str) -> Path:
    """A copy of the configs in which the first `old` below the head comment of a file is `new`."""
    copy = folder / "seven_wonders"
    shutil.copytree(FOLDER, copy)
    head, blank, text = (copy / file).read_text(encoding="utf-8").partition("\n\n")
    assert old in text, f"{file} has no {old!r}"
    (copy / file).write_text(head + blank + text.replace(old, new, 1), encoding="utf-8")
    return copy


def error_of(folder: Path, file: str, old: str, new: str) -> str:
    with pytest.raises(UserError) as error:
        load_catalog(edited(folder, file, old, new))
    assert file in str(error.value)
    return str(error.value)


LUMBER_YARD = 'name = "Lumber Yard"\nage = 1\ncolour = "brown"\ncopies = [3, 4]\n'
TAVERN = "effects = [{ coins = 5 }]"
BATHS = "cost = { stone = 1 }"

CARD_MISTAKES = {
    "unknown colour": (
        'colour = "brown"',
        'colour = "browm"',
        ["row Lumber Yard 1, field colour", "'browm'", "did you mean 'brown'"],
    ),
    "unknown good in a cost": (
        BATHS,
        "cost = { stones = 1 }",
        ["row Baths 1, field cost.stones", "'stones'", "did you mean 'stone'"],
    ),
    "unknown good produced": (
        '["wood"]',
        '["woods"]',
        ["row Lumber Yard 1, field effects.1.produce.1", "'woods'", "did you mean 'wood'"],
    ),
    "unknown symbol": (
        'science = "compass"',
        'science = "compas"',
        ["row Apothecary 1, field effects.1.science", "'compas'", "did you mean 'compass'"],
    ),
    "unknown operation": (
        TAVERN,
        "effects = [{ coin = 5 }]",
        ["row Tavern 1, field effects.1: unknown effect", "'coin'", "did you mean 'coins'"],
    ),
    "two operations in one effect": (
        TAVERN,
        "effects = [{ coins = 5, vp = 1 }]",
        ["row Tavern 1, field effects.1: one effect names one operation", "['coins', 'vp']", "inline table for each"],
    ),
    "effect that is no table": (
        TAVERN,
        "effects = [5]",
        ["row Tavern 1, field effects.1: an effect is an inline table", "5", "{ vp = 3 }"],
    ),
    "empty effect": (TAVERN, "effects = [{}]", ["row Tavern 1, field effects.1: unknown effect", "allowed: produce"]),
    "too many effects": (
        TAVERN,
        f"effects = [{', '.join(['{ vp = 1 }'] * 5)}]",
        ["row Tavern 1, field effects: ", "at most 4"],
    ),
    "unknown field of an effect": (
        "amount = 2",
        "amonut = 2",
        ["row Sawmill 2, field effects.1.produce.amonut", "'amonut'", "did you mean 'amount'"],
    ),
    "discount on single goods": (
        'discount = ["raw"]',
        'discount = ["wood"]',
        ["row East Trading Post 1, field effects.1.discount.1", "'wood'", "raw, manufactured"],
    ),
    "discount from an unknown side": (
        'from = ["right"]',
        'from = ["rigth"]',
        ["row East Trading Post 1, field effects.1.discount.from.1", "'rigth'", "did you mean 'right'"],
    ),
    "unknown thing counted": (
        '["brown cards"]',
        '["brown card"]',
        ["row Vineyard 2, field effects.1.coins_per.1", "'brown card'", "did you mean 'brown cards'"],
    ),
    "cards and stages counted together": (
        '["brown cards"]',
        '["brown cards", "wonder stages"]',
        ["row Vineyard 2, field effects.1.coins_per: several things", "'wonder stages'", "or one thing"],
    ),
    "good named twice": (
        '["wood", "clay"]',
        '["wood", "wood"]',
        ["row Tree Farm 1, field effects.1.produce: named twice", "'wood'", "each name once"],
    ),
    "raw and manufactured mixed": (
        '["wood", "clay"]',
        '["wood", "glass"]',
        ["row Tree Farm 1, field effects.1.produce: raw and manufactured goods mixed", "'glass'", "raw goods only"],
    ),
    "two units of a choice": (
        '["wood", "clay"]',
        '["wood", "clay"], amount = 2',
        ["row Tree Farm 1, field effects.1.produce.amount: a choice gives one unit", "found: 2", "single good"],
    ),
    "cost too high for the lanes": (
        BATHS,
        "cost = { stone = 5, ore = 3 }",
        ["row Baths 1, field cost: cost too high", "found: 8", "at most 7 units of wood, stone, clay, ore"],
    ),
    "negative cost": (
        BATHS,
        "cost = { stone = -1 }",
        ["row Baths 1, field cost.stone", "found: -1", "greater than or equal to 0"],
    ),
    "negative coins": (
        TAVERN,
        "effects = [{ coins = -5 }]",
        ["row Tavern 1, field effects.1.coins", "found: -5", "greater than or equal to 0"],
    ),
    "number that is no number": (
        BATHS,
        'cost = { stone = "1" }',
        ["row Baths 1, field cost.stone", "found: '1'", "whole number"],
    ),
    "age out of range": ("age = 1", "age = 4", ["row Lumber Yard 4, field age", "found: 4", "less than or equal to 3"]),
    "copies for two players": (
        "copies = [3, 4]",
        "copies = [2, 4]",
        ["row Lumber Yard 1, field copies.1", "found: 2", "greater than or equal to 3"],
    ),
    "no copies": (
        LUMBER_YARD,
        LUMBER_YARD.replace("[3, 4]", "[]"),
        ["row Lumber Yard 1, field copies: wrong number of copies", "found: []", "one number for each copy"],
    ),
    "guild with copies": (
        "guild = true",
        "guild = true\ncopies = [3]",
        ["row Workers Guild 3, field copies", "found: [3]", "none for a guild"],
    ),
    "guild in age one": (
        'name = "Workers Guild"\nage = 3',
        'name = "Workers Guild"\nage = 1',
        ["row Workers Guild 1, field age", "found: 1", "allowed: 3"],
    ),
    "guild of another colour": (
        'colour = "purple"',
        'colour = "red"',
        ["row Workers Guild 3, field colour: guilds are the purple cards", "'red'", "allowed: purple"],
    ),
    "purple card that is no guild": (
        "guild = true",
        "copies = [3]",
        ["row Workers Guild 3, field colour", "'purple'", "or guild = true"],
    ),
    "unknown certainty": (
        'certainty = "confirmed"',
        'certainty = "confirm"',
        ["row Lumber Yard 1, field certainty", "'confirm'", "did you mean 'confirmed'"],
    ),
    "missing certainty": (
        'certainty = "confirmed"',
        "",
        ["row Lumber Yard 1, field certainty: this field is missing"],
    ),
    "missing name": ('name = "Stone Pit"\n', "", ["row 2, field name: this field is missing"]),
    "chain from an unknown card": (
        'chain_from = ["Baths"]',
        'chain_from = ["Bath"]',
        ["row Aqueduct 2, field chain_from: no such card", "'Bath'", "did you mean 'Baths'"],
    ),
    "chain from the same age": (
        'chain_from = ["Baths"]',
        'chain_from = ["Walls"]',
        ["row Aqueduct 2, field chain_from: Walls is of age 2, not earlier than age 2", "'Walls'", "Baths"],
    ),
    "chain in age one": (
        'name = "Baths"\nage = 1\n',
        'name = "Baths"\nage = 1\nchain_from = ["Altar"]\n',
        ["row Baths 1, field chain_from", "'Altar'", "allowed: none"],
    ),
    "three chains to one card": (
        '["East Trading Post", "West Trading Post"]',
        '["East Trading Post", "West Trading Post", "Marketplace"]',
        ["row Forum 2, field chain_from", "at most 2"],
    ),
    "row given twice": (
        'name = "Stone Pit"',
        'name = "Lumber Yard"',
        ["row Lumber Yard 1, field name: in age 1 twice", "'Lumber Yard'", "one row for each age"],
    ),
    "one name in two colours": (
        'name = "Sawmill"',
        'name = "Loom"',
        ["row Loom 2, field colour", "'brown'", "another colour in age 1", "allowed: grey"],
    ),
    "copy too few": (
        "copies = [3, 4]",
        "copies = [3]",
        ["row age 1, field copies", "deck of age 1 for 4 players", "found: 27", "28 = hand_size 7 x 4 players"],
    ),
    "copy too few in age three": (
        'name = "Arsenal"\nage = 3\ncolour = "red"\ncopies = [3, 4, 7]',
        'name = "Arsenal"\nage = 3\ncolour = "red"\ncopies = [3, 7]',
        ["deck of age 3 for 4 players, 6 guilds included", "found: 27", "28 = hand_size 7 x 4 players"],
    ),
    "table of another name": ("[[card]]", "[[cards]]", ["unknown table", "'cards'", "did you mean 'card'"]),
    "not TOML": (
        'name = "Stone Pit"',
        "name = Stone Pit",
        ["not valid TOML", "line 35"],
    ),
}


@pytest.mark.parametrize("mistake", CARD_MISTAKES)
def test_a_mistake_in_the_cards_is_named_with_what_is_allowed(mistake: str, tmp_path: Path) -> None:
    old, new, parts = CARD_MISTAKES[mistake]
    text = error_of(tmp_path, "cards.toml", old, new)
    assert [part for part in parts if part not in text] == [], text


WONDER_MISTAKES = {
    "unknown start good": (
        'resource = "glass"',
        'resource = "glas"',
        ["row Alexandria A, field resource", "'glas'", "did you mean 'glass'"],
    ),
    "sides with different goods": (
        'resource = "glass"',
        'resource = "ore"',
        ["row Alexandria B, field resource: both sides", "'glass'", "allowed: ore"],
    ),
    "side given twice": ('side = "B"', 'side = "A"', ["row Alexandria A, field side: side given twice", "'A'"]),
    "unknown side": ('side = "B"', 'side = "C"', ["row Alexandria C, field side", "'C'", "A, B"]),
    "unknown good in a stage": (
        "cost = { ore = 2 }",
        "cost = { ores = 2 }",
        ["row Alexandria A, field stage.2.cost.ores", "'ores'", "did you mean 'ore'"],
    ),
    "five stages": (
        "[[wonder.stage]]",
        "[[wonder.stage]]\neffects = [{ vp = 1 }]\n" * 2 + "[[wonder.stage]]",
        ["row Alexandria A, field stage", "at most 4"],
    ),
}


@pytest.mark.parametrize("mistake", WONDER_MISTAKES)
def test_a_mistake_in_the_wonders_is_named_with_what_is_allowed(mistake: str, tmp_path: Path) -> None:
    old, new, parts = WONDER_MISTAKES[mistake]
    text = error_of(tmp_path, "wonders.toml", old, new)
    assert [part for part in parts if part not in text] == [], text


FIRST_SETTING = 'name = "choice_card_sells"'

RULE_MISTAKES = {
    "unknown constant": (
        "start_coins = 3",
        "start_coin = 3",
        ["row constants, field start_coin", "did you mean 'start_coins'"],
    ),
    "negative constant": ("trade_price = 2", "trade_price = -2", ["row constants, field trade_price", "found: -2"]),
    "points divided by nothing": (
        "coins_per_vp = 3",
        "coins_per_vp = 0",
        ["row constants, field coins_per_vp", "found: 0", "greater than or equal to 1"],
    ),
    "ages missing": ("[1, 3, 5]", "[1, 3]", ["row constants, field military_win_vp", "at least 3"]),
    "unknown direction": (
        '["left", "right", "left"]',
        '["left", "rihgt", "left"]',
        ["row constants, field pass_direction.2", "'rihgt'", "did you mean 'right'"],
    ),
    "as many turns as cards": (
        "hand_size = 7",
        "hand_size = 6",
        ["row constants, field turns_per_age: too many turns", "found: 6", "fewer turns than hand_size = 6"],
    ),
    "more guilds than there are": (
        "guilds_beyond_players = 2",
        "guilds_beyond_players = 4",
        ["cards.toml", "field guild: too few guilds for 7 players", "found: 10", "11 or more"],
    ),
    "unknown setting": (
        FIRST_SETTING,
        'name = "choice_cards_sell"',
        ["row choice_cards_sell, field name", "did you mean 'choice_card_sells'"],
    ),
    "setting given twice": (
        FIRST_SETTING,
        'name = "discounts_add_up"\nvalue = true\nallowed = [false, true]\nquestion = "q"\nsource = "s"\n'
        'certainty = "stand-in"\n[[setting]]\n' + FIRST_SETTING,
        ["row discounts_add_up, field name: setting given twice"],
    ),
    "unknown value": (
        'value = "one-good"',
        'value = "one good"',
        ["row choice_card_sells, field value", "'one good'", "did you mean 'one-good'"],
    ),
    "number for a boolean": (
        "value = true",
        "value = 1",
        ["row instant_income_counts_same_turn, field value", "found: 1"],
    ),
    "value the engine does not know": (
        'allowed = ["one-good", "each-good"]',
        'allowed = ["one-good", "no-good"]',
        ["not the values that the engine implements", "'no-good'", "one-good, each-good"],
    ),
}


@pytest.mark.parametrize("mistake", RULE_MISTAKES)
def test_a_mistake_in_the_rules_is_named_with_what_is_allowed(mistake: str, tmp_path: Path) -> None:
    old, new, parts = RULE_MISTAKES[mistake]
    with pytest.raises(UserError) as error:
        load_catalog(edited(tmp_path, "rules.toml", old, new))
    missing = [part for part in parts if part not in str(error.value)]
    assert missing == [], str(error.value)


def test_a_setting_that_is_missing_is_named(tmp_path: Path) -> None:
    text = (FOLDER / "rules.toml").read_text(encoding="utf-8")
    last = text[text.rindex("[[setting]]") :]
    assert "row free_city_uses_wonder_powers: this setting is missing" in error_of(tmp_path, "rules.toml", last, "")


def test_more_cards_than_the_tables_hold_are_refused(tmp_path: Path) -> None:
    row = (
        '\n[[card]]\nname = "Extra {}"\nage = 1\ncolour = "blue"\ncopies = [3]\n'
        'effects = [{{ vp = 1 }}]\ncertainty = "stand-in"\n'
    )
    folder = edited(tmp_path, "cards.toml", "", "".join(row.format(number) for number in range(19)))
    with pytest.raises(UserError, match=r"cards\.toml, field card: too many rows \(found: 97\); allowed: at most 96"):
        load_catalog(folder)


def test_more_boards_than_the_tables_hold_are_refused(tmp_path: Path) -> None:
    row = '\n[[wonder]]\nname = "Extra {}"\nside = "A"\nfull_name = "x"\nresource = "ore"\ncertainty = "stand-in"\n'
    stage = "[[wonder.stage]]\neffects = [{ vp = 1 }]\n"
    rows = "".join(row.format(number) + stage for number in range(7))
    with pytest.raises(UserError, match=r"wonders\.toml, field wonder: too many rows \(found: 21\)"):
        load_catalog(edited(tmp_path, "wonders.toml", "", rows))


def test_more_chains_from_one_name_than_the_tables_hold_are_refused(tmp_path: Path) -> None:
    folder = edited(tmp_path, "cards.toml", "", "")
    text = (folder / "cards.toml").read_text(encoding="utf-8")
    for child in ("Aqueduct", "Temple", "Statue", "Courthouse", "Walls"):
        head = f'name = "{child}"\nage = 2\n'
        block = text[text.index(head) :].split("\n\n", 1)[0]
        lines = [line for line in block.splitlines() if not line.startswith("chain_from")]
        text = text.replace(block, "\n".join([*lines, 'chain_from = ["Tavern"]']))
    (folder / "cards.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"row Walls 2, field chain_from: Tavern makes too many .*found: 5.*at most 4"):
        load_catalog(folder)


def test_an_unknown_override_is_named_with_the_nearest() -> None:
    with pytest.raises(UserError, match=r"found: 'discount_adds_up'\); did you mean 'discounts_add_up'"):
        load_catalog(settings={"discount_adds_up": True})


@pytest.mark.parametrize("value", ["each", 1, None])
def test_an_override_must_be_an_allowed_value(value: object) -> None:
    with pytest.raises(UserError, match=r"setting choice_card_sells: unknown value.*one-good, each-good"):
        load_catalog(settings={"choice_card_sells": value})


def test_one_is_not_true() -> None:
    with pytest.raises(UserError, match=r"setting discounts_add_up: unknown value \(found: 1\); allowed: false, true"):
        load_catalog(settings={"discounts_add_up": 1})


def test_the_words_are_in_the_order_of_the_tables() -> None:
    assert RESOURCES == RAW_GOODS + MANUFACTURED_GOODS
    assert COLOURS == ("brown", "grey", "blue", "green", "yellow", "red", "purple")


def test_an_edited_value_changes_no_dtype_but_the_digest(tmp_path: Path) -> None:
    folder = edited(tmp_path, "rules.toml", "trade_price = 2", "trade_price = 3")
    catalog = load_catalog(folder)
    assert build_tables(catalog).dtype == TABLES
    assert build_tables(catalog).trade_price == 3
    assert catalog.digest != CATALOG.digest == load_catalog().digest

"""What the files may say: the cards of the box, changes, and mistakes that are named."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.data.catalog import CERTAINTIES
from sim.data.certainty import certainty_of_rows
from sim.data.changes import parse_change
from sim.errors import UserError
from sim.game import load_game
from sim.games.imperial_settlers.data.catalog import FILES, FOLDER, load_catalog
from sim.games.imperial_settlers.data.compile import build_tables
from sim.games.imperial_settlers.data.language import effect_listing
from sim.games.imperial_settlers.data.models import HINTS
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.constants import (
    ACTION,
    ACTS,
    BONUS,
    COMMON,
    FEATURE,
    FEATURES,
    FOOD,
    GOLD,
    NEXT,
    NO_PROGRAM,
    OP_BRANCH,
    OP_END,
    OPERATION,
    PRODUCES,
    PRODUCTION,
    STONE,
    VP,
    WOOD,
    WORKER,
    A,
    B,
    D,
)
from sim.games.imperial_settlers.rules.tables import MAX_HINTS, MAX_ZONE, TABLES

CATALOG = load_catalog()
T = build_tables(CATALOG)


def code_of(code: str) -> int:
    """Row of the card table that a printed code stands for."""
    return CATALOG.codes.index(code)


def changed(*texts: str) -> Any:
    return build_tables(load_catalog(changes=[parse_change(text) for text in texts]))


# ---- The cards of the box ----


@pytest.mark.parametrize(
    ("deck", "kinds"),
    [
        (COMMON, (28, 17, 39)),
        (constants.BARBARIANS, (8, 6, 16)),
        (constants.JAPANESE, (10, 7, 13)),
        (constants.ROMANS, (12, 8, 10)),
        (constants.EGYPTIANS, (9, 4, 17)),
    ],
)
def test_decks_have_the_cards_of_the_box(deck: int, kinds: tuple[int, int, int]) -> None:
    own = [card for card in range(len(CATALOG.cards)) if T.deck[card] == deck]
    assert tuple(sum(T.kind[card] == kind for card in own) for kind in (PRODUCTION, FEATURE, ACTION)) == kinds
    copies = Counter(CATALOG.cards[card].name for card in own)
    if deck == COMMON:
        assert (len(copies), len(own)) == (54, 84)
        assert own == list(range(84))
    else:
        assert Counter(copies.values()) == {1: 9, 2: 6, 3: 3}
        assert own == list(range(T.deck_first[deck], T.deck_first[deck] + T.deck_size[deck]))


def test_common_colours_are_those_of_the_box() -> None:
    bits = T.colours[: T.commons]
    found = {colour: int(sum(bits >> number & 1)) for number, colour in enumerate(constants.COLOURS)}
    assert found == {
        "brown": 16, "grey": 13, "red": 12, "pink": 12, "gold": 10, "blue": 8, "black": 6, "purple": 1,
    }  # fmt: skip
    assert sum(bits == 0) == 6
    trade_colony = T.colours[code_of("ROM023")]
    assert trade_colony == 1 << constants.BROWN | 1 << constants.GREY | 1 << constants.RED


def test_attack_cards_are_sixteen_with_seven_targets() -> None:
    targets = Counter(constants.GOODS[good] for good in T.deal_good[T.attack_first : T.cards])
    assert targets == {"wood": 3, "gold": 3, "card": 3, "stone": 2, "worker": 2, "vp": 2, "food": 1}
    assert (T.attack_cards, T.cards) == (16, 220)
    assert set(T.kind[T.attack_first : T.cards]) == {constants.ATTACK_CARD}
    assert set(T.deck[T.attack_first : T.cards]) == {constants.SOLO}


@pytest.mark.parametrize(
    ("faction", "board", "stored"),
    [
        (constants.BARBARIANS, {"worker": 5, "raze": 1, "defence": 1}, "worker"),
        (constants.JAPANESE, {"wood": 1, "worker": 4, "raze": 1, "defence": 1}, "food"),
        (constants.ROMANS, {"wood": 1, "stone": 1, "worker": 2, "raze": 1, "defence": 1}, "raze"),
        (constants.EGYPTIANS, {"gold": 1, "worker": 3, "raze": 1, "defence": 1}, "gold"),
    ],
)
def test_boards_produce_and_store_what_is_printed(faction: int, board: dict[str, int], stored: str) -> None:
    assert {good: n for good, n in zip(constants.GOODS, T.board[faction], strict=True) if n} == board
    assert [good for good, kept in zip(constants.GOODS, T.stores[faction], strict=True) if kept] == [stored]
    assert T.empire[faction] == faction
    assert (T.samurai[faction], T.own_deck_razeable[faction]) == ((1, 1) if faction == constants.JAPANESE else (0, 0))


def test_every_row_says_how_sure_it_is() -> None:
    rows = certainty_of_rows(FOLDER, FILES)
    assert Counter(row.table for row in rows) == {
        "card": 126, "faction": 4, "attack": 7, "constants": 1, "setting": len(constants.SETTINGS)
    }  # fmt: skip
    assert {row.certainty for row in rows} <= set(CERTAINTIES)
    assert sum(CATALOG.certainty["cards"].values()) == 126 + 7
    assert sum(CATALOG.certainty["factions"].values()) == 4


def test_copies_of_another_print_have_its_values_and_the_same_name() -> None:
    castles = [code_of(f"COM0{number}") for number in (46, 47, 48)]
    assert [(T.cost[card, WOOD], T.cost[card, STONE]) for card in castles] == [(1, 1), (1, 1), (0, 2)]
    assert len({int(T.name[card]) for card in castles}) == 1
    routes = [code_of(f"JAP0{number}") for number in (21, 22, 23)]
    assert [T.deal_good[card] for card in routes] == [FOOD, WORKER, VP]
    village, mason = code_of("COM014"), code_of("COM035")
    assert (T.raze[village, WORKER], T.raze[village, WOOD]) == (1, 1)
    assert (T.raze[mason, VP], T.raze[mason, STONE], T.raze[mason, WOOD]) == (1, 1, 0)
    assert CATALOG.card_names[castles[2]] == "Castle (COM048)"
    assert (CATALOG.files[castles[2]], CATALOG.label(castles[2])) == ("common.toml", "Castle")


def test_locations_of_opponents_that_can_be_razed() -> None:
    razeable = [card for card in range(T.cards) if T.razeable[card]]
    decks = Counter(int(T.deck[card]) for card in razeable)
    assert decks == {COMMON: 84 - 6, constants.JAPANESE: 30 - 3}
    exempt = {CATALOG.cards[card].name for card in range(len(CATALOG.cards)) if CATALOG.cards[card].cannot_be_razed}
    assert exempt == {"Ruins", "Gate", "Shrine"}
    assert T.raze_goods[code_of("JAP013")] == 1, "a Gate in the hand can be razed"


def test_names_number_the_cards_and_the_attack_cards_behind_them() -> None:
    names = CATALOG.names
    assert len(names) == 126 + 7
    assert [names[number] for number in T.name[: T.cards]] == [
        *(card.name for card in CATALOG.cards),
        *(card.name for card in CATALOG.attacks),
    ]
    assert [CATALOG.cards[card].name for card in CATALOG.first_copies] == list(names[:126])
    assert load_game("imperial_settlers").load({}).pieces == names[:126]


# ---- Programs ----


def program(t: Any, card: int, which: int) -> list[str]:
    return [line.partition(" ")[2] for line in effect_listing(t, int(t.program[card, which]))]


def test_programs_read_in_words_as_the_files_say() -> None:
    assert program(T, code_of("COM001"), BONUS) == ["gain_per_colour vp 1 grey 6", "draw any 1", "end"]
    assert program(T, code_of("BAR028"), ACTS) == ["look any 2 1 discarded", "end"]
    assert program(T, code_of("BAR010"), ACTS) == ["take_resource wood+stone+food", "end"]
    assert program(T, code_of("JAP026"), ACTS) == ["discard_deal gained", "end"]
    assert program(T, code_of("EGY014"), ACTS) == ["found_from_hand common", "gain stone 1", "gain vp 1", "end"]
    assert program(T, code_of("COM007"), FEATURES) == []
    assert [int(T.program[code_of("COM007"), which]) for which in (BONUS, ACTS, FEATURES)] == [NO_PROGRAM] * 3


def test_every_branch_of_a_choice_goes_on_behind_it() -> None:
    start = int(T.program[code_of("EGY004"), PRODUCES])
    rows = T.code[start : start + 6]
    assert rows[0, A] == 2
    assert rows[0, NEXT] == start + 5
    assert [row for row in range(6) if rows[row, OPERATION] == OP_BRANCH] == [1, 3]
    assert rows[1, NEXT] == start + 3
    assert {int(row[NEXT]) for row in (rows[2], rows[3], rows[4])} == {start + 5}
    assert {int(rows[row, D]) for row in (1, 3)} == {start + 5}
    assert rows[5, OPERATION] == OP_END


def test_a_choice_that_ends_a_branch_goes_on_behind_the_outer_one() -> None:
    inner = '["may", [["gain", "wood", 1]]]'
    outer = f'[["choose", [["gain", "vp", 1], {inner}], [["draw", "any", 1]]], ["gain", "gold", 1]]'
    t = changed(f"common.toml#Statue.bonus={outer}")
    start = int(t.program[code_of("COM001"), BONUS])
    words_of = [line.partition(" ")[2] for line in effect_listing(t, start)]
    assert [word.split()[0] for word in words_of] == [
        "choose", "branch", "gain", "may", "branch", "gain", "branch", "draw", "gain", "end"
    ]  # fmt: skip
    behind = start + 8
    for row in (0, 3, 4, 5, 6, 7):
        assert t.code[start + row, NEXT] == behind, words_of[row]
    assert [int(t.code[start + row, D]) for row in (1, 4, 6)] == [behind] * 3
    assert t.code[start + 1, NEXT] == start + 6


def test_what_is_said_twice_is_written_once() -> None:
    assert T.program[code_of("COM046"), ACTS] == T.program[code_of("COM048"), ACTS] != NO_PROGRAM
    assert T.program[code_of("COM046"), ACTS] == T.program[code_of("COM065"), PRODUCES]


def test_programs_whose_moment_matters_are_marked() -> None:
    marked = {CATALOG.cards[card].name for card in range(len(CATALOG.cards)) if T.draws[card, PRODUCES]}
    assert marked == {
        "Watchtower", "Farmers at Work", "Legion", "Architect", "Buddha's Temple", "Pharaoh's Guard",
    }  # fmt: skip


def test_an_action_or_feature_that_does_nothing_has_a_program_all_the_same() -> None:
    t = changed("common.toml#Castle.action.do=[]", "common.toml#Supplier.feature.do=[]")
    for code, which in (("COM046", ACTS), ("COM002", FEATURES)):
        assert t.code[t.program[code_of(code), which], OPERATION] == OP_END


def test_features_say_what_they_wait_for() -> None:
    slaver, oasis, gate, shrine = (code_of(code) for code in ("EGY006", "EGY005", "JAP013", "JAP015"))
    assert (T.trigger[slaver], T.feature_decks[slaver]) == (constants.ON_BUILD, constants.OF_FACTION)
    assert (T.trigger[oasis], T.feature_number[oasis]) == (constants.ON_EXCHANGE, 4)
    assert (T.trigger[gate], T.feature_number[gate], T.end_tier[gate, 0].tolist()) == (constants.TUCKS, 1, [3, 2])
    assert T.end_tier[shrine].tolist() == [[3, 2], [7, 5], [12, 10], [0, 0]]
    assert T.feature_goods[shrine] == 1 << WOOD | 1 << STONE | 1 << FOOD
    sphinx = code_of("EGY019")
    assert T.feature_number[sphinx] == 2
    assert T.code[T.program[sphinx, FEATURES]][[OPERATION, A, B]].tolist() == [constants.GAIN, VP, 1]
    assert np.count_nonzero(T.trigger[: T.commons] == constants.ON_BUILD) == 5


# ---- Rules ----


def test_numbers_are_those_of_the_rulebook() -> None:
    assert (T.start_common, T.start_faction, T.raze_cost_hand, T.raze_cost_location) == (2, 2, 1, 2)
    assert (T.deal_cost, T.foundation_wood, T.pair) == (1, 1, 2)
    assert T.title_from[: len(constants.TITLES)].tolist() == [0, 30, 40, 50, 60, 70, 80]
    assert {int(points) for points in T.points_end[: T.commons]} == {1}
    assert {int(points) for points in T.points_end[T.commons : T.attack_first]} == {2}


def test_settings_have_the_defaults_of_the_rules_digest_and_reach_the_tables() -> None:
    assert (T.reshuffle, T.draw_one_by_one, T.free_step_before_pass, T.gold_breaks_ties) == (0, 1, 1, 0)
    assert [CATALOG.settings[name] for name in ("build_order", "reset_uses", "sanctuary_takes", "desert_chooser")] == [
        "effects first", "all", "common", "opponent",
    ]  # fmt: skip
    other = load_catalog(settings={"reshuffle": "all", "gold_breaks_ties": True})
    t = build_tables(other)
    assert (t.reshuffle, t.gold_breaks_ties) == (1, 1)
    assert other.digest != CATALOG.digest


def test_an_unknown_setting_is_told_with_the_nearest() -> None:
    with pytest.raises(UserError, match="did you mean 'gold_breaks_ties'"):
        load_catalog(settings={"gold_breaks_tie": True})


def test_the_tables_are_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        T.cards = 1
    assert T.dtype == TABLES


def test_hints_fit_the_tables() -> None:
    assert len(HINTS) <= MAX_HINTS
    assert T.hint[constants.EGYPTIANS, HINTS.index("gold")] == 1.0


# ---- Changes ----


@pytest.mark.parametrize(
    ("text", "field", "index", "value"),
    [
        ("common.toml#Castle.cost.wood=3", "cost", ("COM046", WOOD), 3),
        ("common.toml#Castle.variants.1.cost.stone=1", "cost", ("COM048", STONE), 1),
        ("common.toml#castle.action.pay.worker=2", "pay", ("COM046", WORKER), 2),
        ("common.toml#castle.uses=1", "uses", ("COM046",), 1),
        ("common.toml#Town.points=3", "points_end", ("COM015",), 3),
        ("egyptians.toml#oasis.number=2", "feature_number", ("EGY005",), 2),
        ("japanese.toml#Shrine.end.2.2=7", "end_tier", ("JAP015", 1, 1), 7),
        ("romans.toml#Legion.deal=gold", "deal_good", ("ROM017",), GOLD),
        ("japanese.toml#Gate.cannot_be_razed=false", "razeable", ("JAP013",), 1),
        ("rules.toml#constants.faction_points=3", "points_end", ("ROM017",), 3),
    ],
)
def test_a_changed_number_changes_the_table(text: str, field: str, index: tuple[Any, ...], value: int) -> None:
    t = changed(text)
    place = (code_of(index[0]), *index[1:])
    assert t[field][place] == value != T[field][place]


def test_boards_constants_and_numbers_inside_effects_can_be_changed() -> None:
    t = changed(
        "romans.toml#faction.board.worker=3", "rules.toml#constants.pair=3", "attack.toml#wood.copies=4",
        "common.toml#Town.production.1.3=5", "romans.toml#faction.hints.stone=-1",
    )  # fmt: skip
    assert (t.board[constants.ROMANS, WORKER], t.pair, t.attack_cards) == (3, 3, 17)
    assert t.code[t.program[code_of("COM015"), PRODUCES], B] == 5
    assert t.hint[constants.ROMANS, HINTS.index("stone")] == -1


# ---- Mistakes in the files ----


def complaint(change: str) -> str:
    with pytest.raises(UserError) as error:
        changed(change)
    return str(error.value)


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ('Statue.bonus=[["gian", "vp", 1]]', ["row Statue, field bonus.1: unknown operation", "did you mean 'gain'?"]),
        ('Statue.bonus=[["gain", "vpp", 1]]', ["field bonus.1.2: unknown word (found: 'vpp'); did you mean 'vp'?"]),
        ('Statue.bonus=[["gain", "card", 1]]', ["field bonus.1.2: unknown word (found: 'card')"]),
        ('Statue.bonus=[["gain", "vp", 0]]', ["field bonus.1.3", "a number from 1 to 99"]),
        ('Statue.bonus=[["gain", "vp", true]]', ["field bonus.1.3", "a number from 1 to 99"]),
        ('Statue.bonus=[["gain", "vp"]]', ["wrong number of arguments", '["gain", GOOD, N]']),
        ('Statue.bonus=[["gain", 07:32:00, 1]]', ["field bonus.1.2: unknown word"]),
        ('Statue.bonus=["gain"]', ["field bonus.1: not a valid operation (found: 'gain')"]),
        ("Statue.bonus=3", ["field bonus: not allowed here (found: 3); allowed: a valid list"]),
        ('Statue.bonus=[["choose"]]', ["wrong number of arguments", '["choose", OPS, ...], at most 8 of them']),
        ('Statue.bonus=[["choose", []]]', ["field bonus.1.2: not a list of operations"]),
        ('Statue.bonus=[["may", ["gain", "vp", 1]]]', ["field bonus.1.2.1: not a valid operation (found: 'gain')"]),
        ('Statue.bonus=[["look", "any", 1, 2, "discarded"]]', ["bonus.1.4: more cards kept than looked at", "1 to 1"]),
        ('Statue.bonus=[["draw", "own", 1]]', ["unknown word (found: 'own'); allowed: common, faction, any"]),
        ('Statue.bonus=[["take_resource", ["vp"]]]', ["field bonus.1.2.1: unknown word (found: 'vp')"]),
        ('Statue.bonus=[["swap", "vp", 1, "gold", 1]]', ["field bonus.1.2: unknown word (found: 'vp')"]),
        ('Statue.bonus=[["gain_per_colour", "vp", 1, "green", 6]]', ["found: 'green'); did you mean 'grey'?"]),
        ('Town.production=[["gain", "vp", 1], ["run_production", "any"]]', ["row Town, field production: a prod"]),
        ('Town.production=[["may", [["run_production", "any"]]]]', ["allowed: as the first operation"]),
        ('Statue.kind="action"', ["field kind: an action location needs the field action (found: 'action')"]),
        ('Statue.production=[["gain", "vp", 1]]', ["field production: only for cards of the kind production"]),
        ('Statue.colours=["grey", "grey"]', ["field colours: named twice"]),
        ("Statue.cost.wood=13", ["field cost.wood: not allowed here (found: 13)"]),
        ("Statue.cost={ wood = 6, stone = 7 }", ["field cost: cost too high (found: 13); allowed: at most 12"]),
        ("Castle.action.pay={ wood = 6, any = 7 }", ["field action.pay: cost too high (found: 13)"]),
        ("Statue.cost={ clay = 1 }", ["field cost.clay: unknown field (found: 'clay')"]),
        ('Statue.deal="gold"', ["field deal: a common card has no deal field (found: 'gold')"]),
        ('Castle.variants.1.deal="gold"', ["field variants.1.deal: a common card has no deal field"]),
        ("Castle.variants=[{ number = 50 }]", ["field variants.1.number: not the number of a copy", "46, 47, 48"]),
        ("Castle.variants=[{ number = 48 }, { number = 48 }]", ["field variants.2.number: not the number of a copy"]),
        ("Statue.numbers=[1, 2]", ["row Supplier, field numbers: number of Statue (found: 2)"]),
        ("Statue.numbers=[]", ["field numbers: wrong number of entries"]),
        ('Statue.name="Town"', ["row Town, field name: card given twice"]),
        ('Statue.name="Legion"', ["romans.toml, row Legion, field name: another card of common.toml has this name"]),
        ("Castle.uses=3", ["field action.uses: not allowed here (found: 3); allowed: less than or equal to 2"]),
        ("Castle.action.pay.hand=2", ["field action.pay.hand: not allowed here"]),
        ("Castle.action={}", ["field action.do: this field is missing"]),
        ('Supplier.feature={ on = "when" }', ["field feature.on: unknown value (found: 'when')"]),
        ('Supplier.feature={ on = "build", do = [] }', ["field feature.on: a feature lacks a field of its trigger"]),
        ('Supplier.feature={ on = "raze" }', ["field feature.on: a feature lacks", "allowed: with do"]),
        ('Supplier.feature={ on = "none", do = [] }', ["field feature.do: not for a feature on none (found: [])"]),
        (
            'Supplier.feature={ on = "points", number = 2, do = [["gain", "gold", 1]] }',
            ["field feature.do: not what a feature on points can do", '[["gain", "vp", N]]'],
        ),
        (
            'Supplier.feature={ on = "exchange", number = 2, do = [["draw", "any", 1]] }',
            ["field feature.do: not what a feature on exchange can do", '[["gain", GOOD, N]]'],
        ),
        (
            'Supplier.feature={ on = "bank", goods = ["worker"], end = [[3, 2]] }',
            ["field feature.goods: cannot be banked (found: 'worker')"],
        ),
        (
            'Supplier.feature={ on = "bank", goods = ["wood"], end = [[3, 2], [3, 4]] }',
            ["field feature.end: the numbers must rise"],
        ),
        (
            'Supplier.feature={ on = "tuck", number = 1, end = [[1, 1], [2, 1], [3, 1], [4, 1], [5, 1]] }',
            ["field feature.end: wrong number of entries (found: 5); allowed: at most 4"],
        ),
        ('Supplier.certainty="sure"', ["field certainty: unknown value", "confirmed, single-source, stand-in"]),
    ],
)
def test_mistakes_in_a_card_are_named(change: str, parts: list[str]) -> None:
    message = complaint(f"common.toml#{change}")
    for part in parts:
        assert part in message


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        (
            "romans.toml#Legion.numbers=[17]",
            ["10 names x1, 5 names x2, 3 names x3: 29 cards", "9 names x1, 6 names x2"],
        ),
        (
            "romans.toml#Legion.numbers=[17, 18, 31, 32]",
            ["row Legion, field numbers: wrong number of copies (found: 4)"],
        ),
        ("romans.toml#Legion.raze={ vp = 1 }", ["row Legion, field raze: cards of the Romans have no raze field"]),
        (
            "japanese.toml#faction.cards_can_be_razed=false",
            ["row Farm, field raze: cards of the Japanese have no raze"],
        ),
        ('romans.toml#Legion.deal="defence"', ["field deal: unknown value (found: 'defence')"]),
        ('romans.toml#Engineers.name="Garrison"', ["field name: another card of japanese.toml has this name"]),
        ('romans.toml#faction.name="barbarians"', ["field name: name of another faction (found: 'barbarians')"]),
        ('romans.toml#faction.code="BAR"', ["field code: code of another faction (found: 'BAR')"]),
        ('romans.toml#faction.code="COM"', ["field code: the common cards have this code"]),
        ('romans.toml#faction.stores=["vp"]', ["field stores.1: unknown value (found: 'vp')"]),
        ("romans.toml#faction.hints.stone=2", ["field hints.stone: not allowed here (found: 2)"]),
        ("romans.toml#faction.board={ vp = 1 }", ["field board.vp: unknown field (found: 'vp')"]),
        ("attack.toml#wood.copies=0", ["row wood, field copies: not allowed here"]),
        ('attack.toml#wood.target="stone"', ["row stone, field target: target given twice"]),
        ("rules.toml#constants.pair=0", ["row constants, field pair: not allowed here"]),
        ("rules.toml#constants.deck_names=[9, 6]", ["field deck_names: wrong number of entries"]),
        ("rules.toml#constants.title_from=[0, 30, 20, 50, 60, 70, 80]", ["field title_from: titles must rise"]),
        ('rules.toml#reshuffle.value="none"', ["row reshuffle, field value: unknown value (found: 'none')"]),
        ('rules.toml#reshuffle.allowed=["common"]', ["not the values that the engine implements"]),
    ],
)
def test_mistakes_elsewhere_are_named(change: str, parts: list[str]) -> None:
    message = complaint(change)
    for part in parts:
        assert part in message


def folder_with(tmp_path: Path, file: str, text: str) -> Path:
    folder = tmp_path / "imperial_settlers"
    shutil.copytree(FOLDER, folder)
    (folder / file).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("file", "text", "parts"),
    [
        ("common.toml", "", ["common.toml: the table card is missing"]),
        ("common.toml", "card = []", ["common.toml, field card: no rows; allowed: one or more [[card]] tables"]),
        ("romans.toml", "[faction]\n", ["romans.toml: the table card is missing"]),
        ("romans.toml", "[[crad]]\n", ["romans.toml: unknown table (found: 'crad'); did you mean 'card'?"]),
        ("attack.toml", "[[attack", ["attack.toml: not valid TOML"]),
        (
            "attack.toml",
            '[[attack]]\ntarget = "wood"\ncopies = 10\ncertainty = "stand-in"\n',
            ["attack.toml, field copies: wrong number of attack cards (found: 10); allowed: 11 to 128"],
        ),
    ],
)
def test_mistakes_in_a_whole_file_are_named(tmp_path: Path, file: str, text: str, parts: list[str]) -> None:
    with pytest.raises(UserError) as error:
        load_catalog(folder_with(tmp_path, file, text))
    for part in parts:
        assert part in str(error.value)


# ---- What fits the tables ----


def common_cards(count: int) -> str:
    """A common.toml of so many cards that cost nothing and do nothing."""
    row = '[[card]]\nname = "Hut {0}"\nnumbers = [{0}]\nkind = "production"\ncolours = []\ncost = {{}}\n'
    return "".join(row.format(number) + 'certainty = "stand-in"\n' for number in range(1, count + 1))


def folder_of_huts(tmp_path: Path, count: int) -> Path:
    """The game's folder with so many other common cards, of one of which something is learnt."""
    folder = folder_with(tmp_path, "common.toml", common_cards(count))
    lessons = '[[lesson]]\nname = "Hut 1"\n[[move]]\nmove = "pass"\npoints = [0, 0, 0, 0, 0]\n'
    (folder / "lessons.toml").write_text(lessons, encoding="utf-8")
    return folder


def test_the_common_cards_are_enough_for_a_table_and_not_too_many_for_a_hand(tmp_path: Path) -> None:
    most = MAX_ZONE - 30
    assert build_tables(load_catalog(folder_of_huts(tmp_path / "most", most))).commons == most
    assert build_tables(load_catalog(folder_of_huts(tmp_path / "least", 18))).commons == 18
    with pytest.raises(UserError, match=r"too many common cards \(found: 99\); allowed: at most 98"):
        load_catalog(folder_with(tmp_path / "more", "common.toml", common_cards(most + 1)))
    with pytest.raises(UserError, match=r"too few common cards .*\(found: 17\); allowed: at least 18"):
        load_catalog(folder_with(tmp_path / "fewer", "common.toml", common_cards(17)))


def test_more_operations_than_fit_the_code_are_refused() -> None:
    many = ", ".join(['["gain", "vp", 1]'] * 2100)
    assert "too many operations in all files" in complaint(f"common.toml#Statue.bonus=[{many}]")

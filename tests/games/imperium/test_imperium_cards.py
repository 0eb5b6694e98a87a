"""What the cards say, and how it stands in the tables."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.data.place import Place
from sim.data.programs import Code, program_end
from sim.errors import UserError
from sim.games.imperium.data.arguments import Context, read_selector
from sim.games.imperium.data.catalog import FILES, HINTS, STARTS, card_number, load_catalog
from sim.games.imperium.data.compile import PROGRAM_FIELDS, build_tables, selector_names
from sim.games.imperium.data.language import FORMS, LANGUAGE, OPERATION_NAMES, effect_listing
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.constants import (
    ABANDONED,
    BARBARIAN,
    COURT,
    DISCARDED,
    EMPIRE,
    GRAAL,
    HAND,
    JOURNEY,
    KING_OF_KINGS,
    MATERIAL,
    NEXT,
    NO_STATE,
    OPERATION,
    PAID,
    PLAY,
    POPULATION,
    POWER,
    PROGRESS,
    REGIONS,
    SUITS,
    ZONE_NAMES,
    A,
    B,
    C,
    D,
)
from sim.games.imperium.rules.tables import MAX_CODE

CATALOG = load_catalog()
T = build_tables(CATALOG)
IDS = [card.id for card in CATALOG.cards]

NATION_CARDS = {
    "Carthaginians": (23, 10, 6, 6, 0),
    "Celts": (28, 10, 7, 5, 5),
    "Greeks": (23, 10, 4, 8, 0),
    "Macedonians": (23, 11, 4, 7, 0),
    "Persians": (23, 10, 5, 7, 0),
    "Romans": (23, 10, 6, 6, 0),
    "Scythians": (24, 11, 8, 4, 0),
    "Vikings": (26, 9, 14, 0, 2),
    "Arthurians": (29, 10, 8, 5, 4),
    "Atlanteans": (22, 11, 0, 10, 0),
    "Egyptians": (23, 10, 4, 8, 0),
    "Mauryans": (24, 8, 9, 6, 0),
    "Minoans": (23, 10, 5, 7, 0),
    "Olmecs": (26, 10, 6, 6, 3),
    "Qin": (25, 9, 5, 8, 2),
    "Utopians": (21, 13, 0, 0, 5),
}
"""Cards, draw deck, nation deck with its bottom card, development area, unrest pile, as the rulebook counts them."""


def number(name: str) -> int:
    return card_number(CATALOG, name)


def code_of(card: str, program: int) -> list[list[int]]:
    """Instructions of a program, where they go on counted from its start."""
    start = int(T.program[number(card), program])
    rows = T.code[start : program_end(LANGUAGE, T.code, start) + 1].tolist()
    for row in rows:
        row[NEXT] -= start
        row[A] -= start if row[OPERATION] == constants.COST else 0
    return rows


def words_of(card: str, program: int) -> list[str]:
    return [line.split(" ", 1)[1] for line in effect_listing(T, int(T.program[number(card), program]))]


def meant(what: object) -> list[str]:
    """Ids of the cards a selector means."""
    code = Code(LANGUAGE, MAX_CODE, Context(CATALOG.cards))
    read_selector(code, what, Place(Path("test.toml"), "row", "play"))
    (cards,) = code.context.selectors
    return [card_id for card_id, is_meant in zip(IDS, cards, strict=True) if is_meant]


def selected(row: int) -> list[str]:
    """Ids of the cards of a selector of the tables."""
    return [IDS[card] for card in np.flatnonzero(T.selector[row])]


# ---- What the boxes hold ----


def test_both_boxes_are_558_rows() -> None:
    assert T.cards == len(CATALOG.cards) == len(set(IDS)) == 558


@pytest.mark.parametrize("nation", NATION_CARDS)
def test_a_nation_has_the_cards_the_rulebook_counts(nation: str) -> None:
    rows = [card for card, of in enumerate(CATALOG.nation_of) if of >= 0 and CATALOG.nations[of].name == nation]
    printed = [card for card in rows if CATALOG.cards[card].side != "B"]
    starts = Counter(STARTS[T.start[card]] for card in printed)
    nation_deck = starts["nation"] + starts["accession"]
    counted = (len(printed), starts["deck"], nation_deck, starts["development"], starts["unrest_pile"])
    assert counted == NATION_CARDS[nation]


@pytest.mark.parametrize("box", [1, 2])
def test_a_box_has_83_commons(box: int) -> None:
    printed = [card for card in CATALOG.cards[: T.cards] if T.box[number(card.id)] & box and card.side != "B"]
    first_suit = Counter(card.suits[0] for card in printed)
    assert first_suit == {"uncivilised": 22, "civilised": 15, "region": 14, "tributary": 11, "fame": 9, "unrest": 12}
    assert len(printed) == 83


def test_only_unrest_and_king_of_kings_are_in_both_boxes() -> None:
    both = [card.name for number, card in enumerate(CATALOG.cards) if T.box[number] == 3]
    assert Counter(both) == {"Unrest": 12, "King of Kings": 2}


@pytest.mark.parametrize(("players", "unrest"), [(2, 8), (3, 10), (4, 12)])
def test_commons_have_8_10_or_12_unrest_cards_by_players(players: int, unrest: int) -> None:
    pile = (T.box[:558] == 3) & (T.suits[:558] == 32) & (T.min_players[:558] <= players)
    assert pile.sum() == unrest


def test_cards_of_two_suits_are_uncivilised_and_civilised() -> None:
    assert {tuple(card.suits) for card in CATALOG.cards if len(card.suits) > 1} == {("uncivilised", "civilised")}


def test_sides_point_at_each_other() -> None:
    pairs = [(card, int(T.other_side[card])) for card in range(558) if T.other_side[card] >= 0]
    assert len(pairs) == 2 * (16 + 2 + 1)
    assert all(T.other_side[other] == card and IDS[card][:-1] == IDS[other][:-1] for card, other in pairs)


def test_cards_that_are_more_than_cards_are_marked() -> None:
    def of_kind(kind: int) -> list[str]:
        return [IDS[card] for card in np.flatnonzero(T.kind[:558] == kind)]

    assert len(of_kind(POWER)) == 32
    assert of_kind(JOURNEY) == ["UTO2A", "UTO2B", "UTO3A", "UTO3B"]
    assert of_kind(COURT) == ["ART2"]
    assert of_kind(KING_OF_KINGS) == ["FAM9A", "FAM9B"]
    assert IDS[T.king_of_kings] == "FAM9A"
    assert [IDS[card] for card in np.flatnonzero(T.comes_last)] == ["ART3"]


def test_an_accession_card_lies_below_every_nation_deck() -> None:
    without = {"Atlanteans", "Utopians"}
    lowest = Counter(CATALOG.nations[T.nation[card]].name for card in np.flatnonzero(T.start[:558] == 2))
    assert lowest == {nation: 1 for nation in NATION_CARDS if nation not in without}


def test_legends_nations_have_a_single_source_and_most_commons_several() -> None:
    legends = [card for card, of in zip(CATALOG.cards, CATALOG.nation_of, strict=True) if of >= 8]
    assert {card.certainty for card in legends} == {"single-source"}
    assert CATALOG.certainty["cards"] == {"confirmed": 337, "single-source": 221, "stand-in": 0}


# ---- Names ----


def test_a_name_that_several_rows_have_is_told_by_its_id() -> None:
    names = CATALOG.card_names
    assert len(set(names)) == 558
    assert names[number("CAR11")] == "Advance (CAR11)"
    assert names[number("CAR6")] == "Hannibal"


def test_cards_are_found_by_id_name_and_both() -> None:
    assert number("Hannibal") == number("CAR6")
    assert number("Advance (CAR11)") == number("CAR11")


def test_an_unknown_card_is_told_with_the_nearest() -> None:
    with pytest.raises(UserError, match="did you mean 'Hannibal'"):
        number("Hanibal")
    with pytest.raises(UserError, match=r"several cards have the name Conquer.*CAR17"):
        number("Conquer")


def test_cards_of_one_name_share_its_number() -> None:
    assert T.name[number("CAR11")] == T.name[number("CEL16")] != T.name[number("CAR17")]


def test_factions_are_nations_with_a_side_of_their_power_card() -> None:
    assert T.factions == 32
    assert CATALOG.faction_names[:3] == ("Carthaginians A", "Carthaginians B", "Celts A")
    assert [CATALOG.nations[n].name for n in T.faction_nation[:32:2]] == list(NATION_CARDS)
    assert [IDS[power] for power in T.faction_power[2:4]] == ["CEL1A", "CEL1B"]


def test_exceptions_of_nations_are_those_of_the_rulebook() -> None:
    def of(field: str, value: int) -> set[str]:
        return {CATALOG.faction_names[faction][:-2] for faction in np.flatnonzero(T[field][:32] == value)}

    assert of("faction_has_history", 0) == {"Vikings", "Atlanteans"}
    assert of("faction_sinks", 1) == {"Atlanteans"}
    assert of("faction_develops", 0) == {"Vikings", "Arthurians", "Utopians"}
    assert of("faction_becomes_empire", 0) == {"Vikings", "Arthurians", "Atlanteans", "Utopians"}
    assert of("faction_starts_empire", 1) == {"Atlanteans"}
    assert of("faction_exhausts", 3) == {"Utopians"}
    assert of("faction_exhausts", 5) == set(NATION_CARDS) - {"Utopians"}


def test_every_nation_has_hints() -> None:
    hints = T.faction_hint[:32, : len(HINTS)]
    assert len(HINTS) == 15
    assert (np.abs(hints) <= 1).all()
    assert (np.abs(hints).max(axis=1) >= 0.7).all()


# ---- Effects as code ----

HELD = {
    "may": ["MAY"],
    "choose": ["CHOOSE"],
    "cost": ["COST"],
    "if": ["IF"],
    "if_state": ["IF"],
    "require": ["REQUIRE"],
    "others": ["OTHERS", "END"],
    "all_players": ["ALL_PLAYERS", "END"],
    "others_may": ["OTHERS", "MAY", "END"],
    "all_players_may": ["ALL_PLAYERS", "MAY", "END"],
    "for_each_paid": ["FOR_EACH", "END"],
    "for_each_abandoned": ["FOR_EACH", "END"],
    "for_each_discarded": ["FOR_EACH", "END"],
}


def operations_in(said: Any) -> Counter[str]:
    """Instructions that a list of operations needs, counted without the compiler."""
    found: Counter[str] = Counter()
    if not isinstance(said, list):
        return found
    name = said[0] if said and isinstance(said[0], str) else None
    if name == "cost_one_of":
        for cost in said[1]:
            found.update(["OPTION", "JUMP", "COST"])
            found += operations_in(cost) + operations_in(said[2])
        return found + Counter(["CHOOSE"])
    if name in HELD:
        found.update(HELD[name])
        found.update(["OPTION", "JUMP"] * (len(said) - 1) if name == "choose" else [])
        inner = (
            said[1:] if name in ("choose", "cost") else said[1 if name not in ("if", "if_state", "require") else 2 :]
        )
        return found + sum(map(operations_in, inner), Counter())
    if name is not None:
        return Counter([OPERATION_NAMES[FORMS[name].operation]])
    return sum(map(operations_in, said), Counter())


@pytest.mark.parametrize("file", [name for name in FILES if name != "rules.toml"])
def test_every_operation_of_every_card_is_in_its_code(file: str) -> None:
    for card, row in enumerate(CATALOG.cards):
        if CATALOG.files[card] != file:
            continue
        effects = [getattr(row, name) for name in PROGRAM_FIELDS]
        effects += [[["require", condition] for condition in row.require]]
        effects += [row.when.do] if row.when else []
        if row.react and row.id != "OLM3":
            effects += [[["cost", row.react.cost, row.react.do]]] if row.react.cost else [row.react.do]
        effects += [passive[2] for passive in row.passive if passive[0] == "replace_gain"]
        said: Counter[str] = sum(map(operations_in, effects), Counter())
        said["END"] += sum(bool(effect) for effect in effects)
        written = Counter(line.split()[1] for program in T.program[card] for line in effect_listing(T, int(program)))
        assert +said == written, row.id


def test_programs_go_on_inside_themselves() -> None:
    for start in set(T.program[:558].ravel().tolist()) - {0}:
        end = program_end(LANGUAGE, T.code, start)
        inside = T.code[start:end]
        assert T.code[end, OPERATION] == constants.END
        assert (inside[inside[:, OPERATION] != constants.END][:, NEXT] <= end).all()
        assert (inside[inside[:, OPERATION] != constants.END][:, NEXT] > start).all()


def test_no_program_starts_at_row_0() -> None:
    assert T.code[0].tolist() == [constants.END, 0, 0, 0, 0, 1]
    assert T.program[number("CAR2"), constants.PLAY_PROGRAM] == 0
    assert effect_listing(T, 0) == []


def test_the_same_effect_is_written_once() -> None:
    assert T.program[number("CAR22"), constants.PLAY_PROGRAM] == T.program[number("UNR1"), constants.PLAY_PROGRAM]


def test_a_choice_of_costs() -> None:
    assert code_of("CAR11", constants.PLAY_PROGRAM) == [
        [constants.CHOOSE, 2, 0, 0, 0, 11],
        [constants.OPTION, 0, 0, 0, 0, 6],
        [constants.COST, 4, 0, 0, 0, 5],
        [constants.PAY, MATERIAL, 3, 0, 0, 4],
        [constants.ACQUIRE, 2 + 4, 1, 0, 0, 5],
        [constants.JUMP, 0, 0, 0, 0, 11],
        [constants.OPTION, 0, 0, 0, 0, 11],
        [constants.COST, 9, 0, 0, 0, 10],
        [constants.PAY, MATERIAL, 5, 0, 0, 9],
        [constants.BREAK_THROUGH, 2 + 4, 1, 0, 0, 10],
        [constants.JUMP, 0, 0, 0, 0, 11],
        [constants.END, 0, 0, 0, 0, 12],
    ]


def test_unrest_is_a_choice_of_three_payments_for_its_return() -> None:
    names = [line.split()[0] for line in words_of("UNR1", constants.PLAY_PROGRAM)]
    assert names.count("COST") == names.count("RETURN_SELF") == names.count("OPTION") == 3


def test_what_others_do_ends_by_itself_and_knows_of_attacks() -> None:
    elephants = code_of("CAR3", constants.PLAY_PROGRAM)
    assert elephants[:3] == [
        [constants.OTHERS, 1, 0, 0, 0, 3],
        [constants.ABANDON, REGIONS, 1, 0, constants.NOTHING, 2],
        [constants.END, 0, 0, 0, 0, 3],
    ]
    assert code_of("UTO9", constants.PLAY_PROGRAM)[1:4] == [
        [constants.OTHERS, 0, 0, 0, 0, 5],
        [constants.MAY, 0, 0, 0, 0, 4],
        [constants.GAIN, MATERIAL, 2, 0, 0, 4],
    ]


def test_an_option_that_requires_something_goes_on_behind_itself() -> None:
    rows = code_of("EGY14", constants.PLAY_PROGRAM)
    (at,) = [place for place, row in enumerate(rows) if row[OPERATION] == constants.REQUIRE]
    assert rows[at][:4] == [constants.REQUIRE, constants.STATE_IS, EMPIRE, 0]
    assert rows[rows[at][NEXT]][OPERATION] == constants.JUMP
    first = code_of("QIN5", constants.EXHAUST_PROGRAM)
    assert first[0][:2] == [constants.REQUIRE, constants.COUNT_IN_PLAY_AT_LEAST]
    assert first[0][C] == 3
    assert first[first[0][NEXT]][OPERATION] == constants.END


def test_requirements_of_a_card_are_a_program() -> None:
    rows = code_of("VIK7", constants.REQUIRE_PROGRAM)
    assert [row[:2] for row in rows[:2]] == [[constants.REQUIRE, constants.IN_PLAY]] * 2
    assert [selected(row[B]) for row in rows[:2]] == [["VIK10"], ["VIK5"]]
    assert rows[2][OPERATION] == constants.END


def test_drawn_cards_are_remembered_where_they_are_spoken_of() -> None:
    assert code_of("1UNC9", constants.PLAY_PROGRAM)[0][:3] == [constants.DRAW, 2, constants.REMEMBER]
    assert code_of("OLM12", constants.PLAY_PROGRAM)[0][:3] == [constants.DRAW, 3, constants.UP_TO | constants.IF_ABLE]
    marvellous = code_of("1FAM4", constants.PLAY_PROGRAM)
    assert marvellous[0][:3] == [constants.DRAW, 1, constants.IF_ABLE | constants.REMEMBER]
    assert marvellous[1][:2] == [constants.IF, constants.HAS_DRAWN]
    spoken = [row[:4] for row in marvellous if row[A] == constants.DRAWN_IT]
    hand = 1 << HAND
    assert spoken == [
        [constants.DISCARD, constants.DRAWN_IT, 1, 0],
        [constants.TOP_DECK, constants.DRAWN_IT, HAND, 1],
        [constants.TO_HISTORY, constants.DRAWN_IT, hand, 1],
    ]


@pytest.mark.parametrize(
    ("card", "instruction"),
    [
        ("CAR7", [constants.ACQUIRE, 63, 1, MATERIAL + 1 << constants.TOKEN_SHIFT, 0]),
        ("CAR18", [constants.ACQUIRE, 1, 1, constants.PLAYS_IT, 0]),
        ("MAC6", [constants.ACQUIRE, 1, 2, constants.ALSO_EXILE, 0]),
        ("2FAM1", [constants.BREAK_THROUGH, 15, 1, constants.ALSO_EXILE, 0]),
        ("CEL19", [constants.STEAL, PROGRESS, 1, constants.IN_EMPIRE, 0]),
        ("VIK13", [constants.STEAL, MATERIAL, 2, constants.EACH_OTHER, 1]),
        ("QIN8", [constants.FOR_EACH, PAID, 0, 0, 0]),
        ("QIN17", [constants.FOR_EACH, ABANDONED, 0, 0, 0]),
        ("MAU9", [constants.FOR_EACH, DISCARDED, 0, 0, 0]),
        ("QIN22", [constants.ABANDON, constants.SELF, 1, 0, constants.NOTHING]),
        ("CEL2", [constants.GAIN_PER, MATERIAL, 4, constants.ICONS_IN_PLAY, 1]),
        ("ART3", [constants.TRIGGER_SCORING, GRAAL, 0, 0, 0]),
        ("UTO2A", [constants.PAY_ALL, PROGRESS, 5, 0, 0]),
        ("UTO11", [constants.RETURN_UNREST, constants.ALL_OF, 0, 0, 1]),
        ("1TRI7", [constants.RETURN_UNREST, 2, 0b11111, constants.UP_TO, 0]),
        ("ROM7", [constants.CHOOSE, 3, 0, 0, 0]),
        ("VIK3", [constants.GARRISON_HERE, 0, 1, 0, 0]),
        ("CAR19", [constants.PLACE_ON_MARKET, MATERIAL, 1, 0, 0]),
        ("1UNC18", [constants.GAMBLE, 15, 0, 0, 0]),
        ("1UNC10", [constants.TREAT_ICON, 1, 0, 3, 0]),
        ("FAM9A", [constants.DEVELOP_CARD, 1, 0, 0, 0]),
        ("ATL12", [constants.SINK, REGIONS, PLAY, 1, 0]),
        ("MAC17", [constants.PLAY_FROM_DISCARD, REGIONS, 1, 0, 0]),
        ("CAR8", [constants.GIVE_CARD, 0b101, constants.NOTHING, 0, 0]),
    ],
)
def test_an_operation_has_the_arguments_of_the_vocabulary(card: str, instruction: list[int]) -> None:
    programs = [program for program in range(constants.PROGRAMS) if T.program[number(card), program]]
    assert instruction in [row[:NEXT] for program in programs for row in code_of(card, program)]


def test_ops_that_name_cards_name_the_right_ones() -> None:
    (give,) = [row for row in code_of("OLM5", constants.PLAY_PROGRAM) if row[OPERATION] == constants.GIVE_CARD]
    assert selected(give[B]) == meant("mask")
    (abandon,) = [row for row in code_of("ART19", constants.PLAY_PROGRAM) if row[OPERATION] == constants.ABANDON]
    assert abandon[1:5] == [REGIONS, 1, 0, abandon[D]]
    assert selected(abandon[D]) == meant("knight")
    (acquire,) = [row for row in code_of("ART3", constants.PLAY_PROGRAM) if row[OPERATION] == constants.ACQUIRE]
    assert acquire[C] == constants.ONLY_EXILE
    assert selected(acquire[D]) == [card for card in IDS if card not in meant("knight")]
    (draw,) = [row for row in code_of("GRE3", constants.PLAY_PROGRAM) if row[OPERATION] == constants.DRAW_PER]
    assert [draw[A], draw[C], selected(draw[D])] == [1, constants.CARDS_IN_PLAY, meant("city|metropolis")]
    (find,) = [row for row in code_of("VIK21", constants.PLAY_PROGRAM) if row[OPERATION] == constants.FIND]
    assert find[1:4] == [REGIONS, 0b100111, HAND]


def test_a_program_reads_in_words() -> None:
    assert words_of("CAR3", constants.PLAY_PROGRAM)[-2:] == ["TO_HISTORY self nowhere 1", "END"]
    assert words_of("CEL20", constants.EXHAUST_PROGRAM)[1:3] == ["PAY progress 1", "GAIN population 2"]
    names = selector_names(CATALOG)
    gold = effect_listing(T, int(T.program[number("CEL2"), constants.PLAY_PROGRAM]), names)
    assert gold[-2].endswith("GAIN_PER material 4 ICONS_IN_PLAY fertile")
    camelot = effect_listing(T, int(T.program[number("ART2"), constants.EXHAUST_PROGRAM]), names)
    assert "REQUIRE IN_PLAY [City of Camelot], else to" in camelot[0]
    assert "ACQUIRE region+uncivilised+civilised+tributary+fame+unrest 1 2 [not knight]" in " ".join(
        effect_listing(T, int(T.program[number("ART3"), constants.PLAY_PROGRAM]), names)
    )


# ---- Selectors ----


def test_the_first_selectors_are_all_cards_and_the_suits() -> None:
    assert selected(constants.ANYTHING) == IDS
    for place, suit in enumerate(SUITS):
        assert selected(REGIONS + place) == meant(suit)
    assert REGIONS + SUITS.index("region") == REGIONS


def test_selectors_mean_what_they_say() -> None:
    assert meant("card:Alexander") == ["MAC2"]
    assert meant("named:Long Walls") == ["QIN2", "QIN3", "QIN4", "QIN5"]
    assert set(meant("river|fertile")) == set(meant("river")) | set(meant("fertile"))
    assert set(meant({"not": "pinned"})) == set(IDS) - set(meant("pinned"))
    assert set(meant("pinned_not_region")) == set(meant("pinned")) - set(meant("region"))
    assert {"CIV" in card or "UNC" in card for card in meant("civilised") if card[0] in "12"} == {True}
    assert len(meant("mask")) == 10
    assert "CEL18" in meant("attack")
    assert "CAR11" in meant("state:barbarian")
    assert "CAR1A" in meant("vp_icon:variable")
    assert "CAR6" not in meant("vp_icon:variable")


def test_selectors_of_the_same_cards_are_one() -> None:
    code = Code(LANGUAGE, MAX_CODE, Context(CATALOG.cards))
    place = Place(Path("test.toml"), "row", "play")
    assert read_selector(code, "river|fertile", place) == read_selector(code, "fertile|river", place)


# ---- Reactions and passives ----


def test_reactions_wait_for_their_trigger() -> None:
    tents = number("SCY21")
    assert (T.react_on[tents], T.react_to[tents]) == (constants.YOU_PLAY, REGIONS)
    shaduf = number("1UNC12")
    assert (T.react_on[shaduf], T.react_to[shaduf]) == (constants.YOU_GAIN_FROM_ICON, 2)
    reaction = [line.split()[0] for line in words_of("UTO2A", constants.REACT_PROGRAM)]
    assert reaction == ["COST", "SPEND_ACTION", "GAIN", "END"]
    assert T.react_any_turn[number("SCY20")] == 1


def test_romans_look_at_one_more_fame_card() -> None:
    romans = number("ROM1A")
    assert T.look_extra[romans] == 1
    assert T.when[romans] == constants.YOU_LOOK_AT_FAME
    assert words_of("ROM1A", constants.WHEN_PROGRAM) == ["GAIN progress 1", "END"]


@pytest.mark.parametrize(
    ("card", "shield", "argument"),
    [
        ("SCY20", constants.SHIELD_BY_EXHAUST, 0),
        ("2REG12", constants.SHIELD_BY_EXHAUST, 1),
        ("1REG1", constants.SHIELD_BY_RECALL, constants.SELF),
        ("UTO6", constants.SHIELD_BY_PAYING, 1),
        ("1UNC1", constants.SHIELD_ALWAYS, PROGRESS),
        ("CAR2", constants.NO_SHIELD, 0),
    ],
)
def test_attacks_are_kept_away_by_some_cards(card: str, shield: int, argument: int) -> None:
    assert (T.shield[number(card)], T.shield_arg[number(card)]) == (shield, argument)


def test_long_walls_are_recalled_to_keep_an_attack_away() -> None:
    assert T.shield[number("QIN3")] == constants.SHIELD_BY_RECALL
    assert selected(T.shield_arg[number("QIN3")]) == meant("named:Long Walls")


def test_passives_fill_their_tables() -> None:
    assert [IDS[card] for card in np.flatnonzero(T.no_history)] == ["VIK1A", "VIK1B", "ATL1A", "ATL1B"]
    assert T.market_token[number("CAR1B")].tolist() == [MATERIAL, 2]
    assert T.market_token[number("QIN1A")].tolist() == [POPULATION, 1]
    assert T.market_token[number("CEL1A"), 0] == -1
    assert T.unrest_cost[number("QIN2")].tolist() == [-2, 0]
    assert T.unrest_cost[number("EGY9")].tolist() == [-1, -1]
    assert T.development_cost[number("ATL8")].tolist() == [-2, 0, 0]
    assert T.region_weight[number("MAU4")] == 2
    assert T.region_weight[number("1REG1")] == 1
    assert T.exile_suits[number("2CIV8")] == 1 + 8
    assert T.replaces_gain[number("UTO3B")] == MATERIAL
    assert T.replaces_gain[number("UTO3A")] == -1
    assert [T.discard_relief[number(card)] for card in ("OLM3", "OLM7")] == [1, 2]
    assert selected(T.relief_of[number("OLM7")]) == selected(T.relief_of[number("OLM3")]) == meant("mask")
    assert selected(T.sinks_with[number("ATL3")]) == ["ATL10"]
    assert set(selected(T.plays_free[number("2CIV9")])) == set(meant("city|metropolis"))


def test_chariots_ignore_the_barbarian_icon_of_conquer_and_of_attacks() -> None:
    conquer, attack, none = T.ignores[number("CEL5")].tolist()
    assert [selected(conquer[0]), conquer[1]] == [meant("card:Conquer"), BARBARIAN]
    assert [selected(attack[0]), attack[1]] == [meant("attack"), BARBARIAN]
    assert none[0] == constants.NOTHING


def test_state_icons_are_barbarian_empire_or_none() -> None:
    assert [int(T.state[number(card)]) for card in ("CAR11", "CAR3", "CAR2")] == [BARBARIAN, EMPIRE, NO_STATE]


# ---- Points ----


def points(card: str) -> dict[str, int]:
    return dict(zip(ZONE_NAMES, T.points_at[number(card)].tolist(), strict=True))


def test_fixed_points_hold_wherever_a_card_is_scored() -> None:
    assert T.points_kind[number("CEL3")] == constants.FIXED_POINTS
    assert set(points("CEL3").values()) == {4, 0}
    assert [zone for zone, vp in points("CEL3").items() if vp == 0] == ["nation", "development"]
    assert points("UNR1")["hand"] == -2


def test_conditional_points_go_by_place_and_a_garrisoned_card_is_not_in_play() -> None:
    assert T.points_kind[number("2FAM5")] == constants.CONDITIONAL_POINTS
    proud = points("2FAM5")
    assert (proud["garrisoned"], proud["history"], proud["in_play"], proud["hand"]) == (12, 8, 3, 3)
    mandate = points("QIN22")
    assert (mandate["in_play"], mandate["garrisoned"], mandate["discard"]) == (0, -2, -2)
    assert (points("VIK7")["in_play"], points("VIK7")["garrisoned"]) == (6, 0)


@pytest.mark.parametrize(
    ("card", "expected", "of", "what"),
    [
        ("CAR1A", (1, 6, 10), constants.OF_RESOURCE, MATERIAL),
        ("CEL1B", (2, 1, 10), constants.OF_CARDS, "uncivilised"),
        ("GRE1A", (1, 7, 10), constants.OF_CARDS, "any"),
        ("VIK1B", (2, 1, 10), constants.OF_CARDS, "vp_icon:variable"),
        ("MAU1A", (1, 1, 10), constants.OF_CARDS_IN_PLAY, "region"),
        ("MAU1B", (2, 1, 10), constants.OF_CARDS_IN_HISTORY, "any"),
        ("VIK8", (1, 1, 10), constants.OF_CARDS_GARRISONED_HERE, "any"),
        ("QIN1A", (1, 1, 10), constants.OF_CARDS_IN_PLAY, "pinned_not_region"),
        ("QIN2", (1, 1, 10), constants.OF_CARDS_IN_PLAY, "named:Long Walls"),
        ("2CIV9", (2, 1, 10), constants.OF_CARDS_IN_PLAY, "city|metropolis"),
        ("1CIV12", (2, 1, 10), constants.OF_CARDS, "city|metropolis"),
        ("1UNC11", (1, 1, 10), constants.OF_ICONS, 0b110),
        ("UTO4", (1, 4, 10), constants.OF_EXILE_PILE, 0),
        ("1FAM3", (1, 1, 10), constants.OF_OTHERS_UNREST, 0),
        ("2REG7", (2, 1, 10), constants.OF_PLAYERS_WITH_LESS, PROGRESS),
        ("SCY1B", (1, 3, 10), constants.OF_RESOURCE_AND_CARDS, MATERIAL),
    ],
)
def test_variable_points_count_things(card: str, expected: tuple[int, int, int], of: int, what: int | str) -> None:
    at = number(card)
    assert T.points_kind[at] == constants.VARIABLE_POINTS
    assert (T.points[at], T.per[at], T.cap[at]) == expected
    assert T.of[at] == of
    argument = T.of_arg[at, 0]
    assert (selected(argument) == meant(what)) if isinstance(what, str) else argument == what


def test_scythians_count_regions_beside_material() -> None:
    assert T.of_arg[number("SCY1B"), 1] == REGIONS

"""What the cards say, and how it stands in the tables."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from sim.data.place import Place
from sim.data.programs import Code, program_end
from sim.games.imperium.data.arguments import Context, read_selector
from sim.games.imperium.data.catalog import HINTS, STARTS, load_catalog
from sim.games.imperium.data.compile import build_tables, selector_names
from sim.games.imperium.data.language import LANGUAGE, effect_listing
from sim.games.imperium.rules import constants
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


def words_of(card: str, program: int) -> list[str]:
    return [line.split(" ", 1)[1] for line in effect_listing(T, int(T.program[IDS.index(card), program]))]


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
    printed = [card for card in CATALOG.cards[: T.cards] if T.box[IDS.index(card.id)] & box and card.side != "B"]
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

    assert len(of_kind(constants.POWER)) == 32
    assert of_kind(constants.JOURNEY) == ["UTO2A", "UTO2B", "UTO3A", "UTO3B"]
    assert of_kind(constants.COURT) == ["ART2"]
    assert of_kind(constants.KING_OF_KINGS) == ["FAM9A", "FAM9B"]
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
    assert names[IDS.index("CAR11")] == "Advance (CAR11)"
    assert names[IDS.index("CAR6")] == "Hannibal"


def test_cards_of_one_name_share_its_number() -> None:
    assert T.name[IDS.index("CAR11")] == T.name[IDS.index("CEL16")] != T.name[IDS.index("CAR17")]


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


def test_programs_go_on_inside_themselves() -> None:
    for start in set(T.program[:558].ravel().tolist()) - {0}:
        end = program_end(LANGUAGE, T.code, start)
        inside = T.code[start:end]
        assert T.code[end, constants.OPERATION] == constants.END
        assert (inside[inside[:, constants.OPERATION] != constants.END][:, constants.NEXT] <= end).all()
        assert (inside[inside[:, constants.OPERATION] != constants.END][:, constants.NEXT] > start).all()


def test_no_program_starts_at_row_0() -> None:
    assert T.code[0].tolist() == [constants.END, 0, 0, 0, 0, 1]
    assert T.program[IDS.index("CAR2"), constants.PLAY_PROGRAM] == 0
    assert effect_listing(T, 0) == []


def test_the_same_effect_is_written_once() -> None:
    assert T.program[IDS.index("CAR22"), constants.PLAY_PROGRAM] == T.program[IDS.index("UNR1"), constants.PLAY_PROGRAM]


def test_a_program_reads_in_words() -> None:
    assert words_of("CAR3", constants.PLAY_PROGRAM)[-2:] == ["TO_HISTORY self nowhere 1", "END"]
    assert words_of("CEL20", constants.EXHAUST_PROGRAM)[1:3] == ["PAY progress 1", "GAIN population 2"]
    names = selector_names(CATALOG)
    gold = effect_listing(T, int(T.program[IDS.index("CEL2"), constants.PLAY_PROGRAM]), names)
    assert gold[-2].endswith("GAIN_PER material 4 ICONS_IN_PLAY fertile")
    camelot = effect_listing(T, int(T.program[IDS.index("ART2"), constants.EXHAUST_PROGRAM]), names)
    assert "REQUIRE IN_PLAY [City of Camelot], else to" in camelot[0]
    assert "ACQUIRE region+uncivilised+civilised+tributary+fame+unrest 1 2 [not knight]" in " ".join(
        effect_listing(T, int(T.program[IDS.index("ART3"), constants.PLAY_PROGRAM]), names)
    )


# ---- Selectors ----


def test_the_first_selectors_are_all_cards_and_the_suits() -> None:
    assert selected(constants.ANYTHING) == IDS
    for place, suit in enumerate(constants.SUITS):
        assert selected(constants.REGIONS + place) == meant(suit)
    assert constants.REGIONS + constants.SUITS.index("region") == constants.REGIONS


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


def test_state_icons_are_barbarian_empire_or_none() -> None:
    assert [int(T.state[IDS.index(card)]) for card in ("CAR11", "CAR3", "CAR2")] == [
        constants.BARBARIAN,
        constants.EMPIRE,
        constants.NO_STATE,
    ]

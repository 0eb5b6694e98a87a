"""What the cards say, and how it stands in the tables."""

from pathlib import Path

import numpy as np

from sim.data.place import Place
from sim.data.programs import Code, program_end
from sim.games.imperium.data.arguments import Context, read_selector
from sim.games.imperium.data.compile import selector_names
from sim.games.imperium.data.language import LANGUAGE, effect_listing
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.tables import MAX_CODE
from tests.games.imperium.tables import CATALOG, FACTS, IDS, T


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
    assert T.cards == len(set(IDS)) == 558
    assert set(IDS) == set(FACTS)


def test_every_card_is_printed_as_the_facts_say() -> None:
    states = {None: constants.NO_STATE, "barbarian": constants.BARBARIAN, "empire": constants.EMPIRE}
    for row, card in enumerate(CATALOG.cards):
        fact = FACTS[card.id]
        icons, cost = fact.get("icons", {}), fact.get("cost", {})
        nation = T.nation[IDS.index(f"{fact['nation']}1A")] if "nation" in fact else -1
        box = 0 if "nation" in fact else {"1": 1, "2": 2}.get(card.id[0], 3)
        assert (card.name, card.types) == (fact["name"], fact.get("types", []))
        assert (T.nation[row], T.box[row]) == (nation, box), card.id
        assert T.suits[row] == sum(1 << constants.SUITS.index(suit) for suit in fact.get("suits", ())), card.id
        assert (T.state[row], T.min_players[row]) == (states[fact.get("state")], fact.get("players", 1)), card.id
        assert T.icons[row].tolist() == [icons.get(icon, 0) for icon in constants.ICONS], card.id
        assert T.cost[row].tolist() == [cost.get(resource, 0) for resource in constants.RESOURCES], card.id
        assert (T.pinned[row], T.attack[row]) == (fact.get("pinned", False), fact.get("attack", False)), card.id
        for flag in ("free_play", "unplayable", "no_garrison"):
            assert T[flag][row] == (flag in fact.get("flags", ())), (card.id, flag)


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
    assert of("faction_exhausts", 5) == {name[:-2] for name in CATALOG.faction_names} - {"Utopians"}


# ---- Effects as code ----


def test_programs_go_on_inside_themselves() -> None:
    for start in set(T.program[:558].ravel().tolist()) - {0}:
        end = program_end(LANGUAGE, T.code, start)
        inside = T.code[start:end]
        assert T.code[end, constants.OPERATION] == constants.END
        following = inside[inside[:, constants.OPERATION] != constants.END][:, constants.NEXT]
        assert ((start < following) & (following <= end)).all()


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

"""Abilities of all cards change a position as the slow model says; what is told and legal then is the same too."""

import pytest

from sim.games.imperial_settlers.rules import constants
from tests.games.imperial_settlers.naive import CARDS, NAMES
from tests.games.imperial_settlers.naive_making import CATALOG, T, abilities, by_engine, position_for, where_they_differ

DECKS = sorted({code[:3] for code in CARDS})
FIRST_PRINTS = set({NAMES[code]: code for code in reversed(CARDS)}.values())


def test_all_prints_have_the_values_of_the_fact_table() -> None:
    goods = dict.fromkeys(constants.GOODS, 0)
    for number, (code, card) in enumerate(zip(CATALOG.codes, CATALOG.cards, strict=True)):
        fact = CARDS[code]
        cost = {good: amount for good, amount in fact["cost"].items() if good != "location"}
        assert card.name == fact["name"]
        for field, expected in (("cost", cost), ("raze", fact.get("raze", {})), ("deal", fact.get("deal", {}))):
            assert dict(zip(constants.GOODS, T[field][number], strict=True)) == goods | expected, (code, field)
        assert T.cost_location[number] == fact["cost"].get("location", 0), code
        assert constants.KINDS[T.kind[number]] == fact["kind"], code
        assert T.razeable[number] == ("razed" in abilities(code)), code
        assert {c for bit, c in enumerate(constants.COLOURS) if T.colours[number] >> bit & 1} == {*fact["colours"]}, (
            code
        )
    assert set(CATALOG.codes) == set(CARDS)


@pytest.mark.parametrize("deck", DECKS)
def test_abilities_of_the_cards_of_a_deck(deck: str, pytestconfig: pytest.Config) -> None:
    """Try all abilities of all prints with `--full`; else the bonus and the last ability of the first of each name."""
    full = pytestconfig.getoption("full")
    for code in (code for code in CARDS if code.startswith(deck) and (full or code in FIRST_PRINTS)):
        tried = abilities(code)
        if not full:
            few = {"build", tried[-1]} if "bonus" in CARDS[code] else {tried[-1]}
            tried = [ability for ability in tried if ability in few]
        for ability in tried:
            assert where_they_differ(position_for(code, ability)) == [], (code, ability)


@pytest.mark.parametrize(("code", "ability"), [("COM046", "action"), ("JAP013", "feature"), ("EGY013", "action")])
def test_the_move_of_a_case_is_made(code: str, ability: str) -> None:
    assert by_engine(position_for(code, ability))["moves"] == [{"ok": True}]

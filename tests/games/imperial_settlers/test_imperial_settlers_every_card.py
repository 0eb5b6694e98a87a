"""Abilities of all cards change a position as the slow model says; what is told and legal then is the same too."""

from __future__ import annotations

import pytest

from tests.games.imperial_settlers.naive import CARDS, NAMES
from tests.games.imperial_settlers.naive_cases import abilities, position_for
from tests.games.imperial_settlers.naive_comparing import CATALOG, by_engine, where_they_differ

PRINTS = [pytest.param(code, id=f"{code}-{NAMES[code]}") for code in CARDS]


def test_the_fact_table_has_the_cards_of_the_game() -> None:
    named = dict(zip(CATALOG.codes, CATALOG.card_names, strict=False))
    assert {code: NAMES[code] for code in CARDS} == {code: name for code, name in named.items() if code in CARDS}
    assert len(CARDS) == len(CATALOG.cards)


@pytest.mark.parametrize("code", PRINTS)
def test_abilities_of_a_card(code: str, pytestconfig: pytest.Config) -> None:
    """Try all abilities with `--full`, else one of each print: the first one's action or feature, and so on."""
    tried = abilities(code)
    if not pytestconfig.getoption("full"):
        copy = [other for other in CARDS if NAMES[other] == NAMES[code]].index(code)
        tried = [tried[-1 - copy % len(tried)]]
    for ability in tried:
        assert where_they_differ(position_for(code, ability)) == [], ability


@pytest.mark.parametrize(("code", "ability"), [("COM046", "action"), ("JAP013", "feature"), ("EGY013", "action")])
def test_the_move_of_a_case_is_made(code: str, ability: str) -> None:
    assert by_engine(position_for(code, ability))["moves"] == [{"ok": True}]

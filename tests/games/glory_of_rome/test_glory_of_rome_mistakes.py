"""Mistakes in the files are named, and data that would not fit tables and record are refused."""

from collections.abc import Sequence
from typing import Any

import pytest

from sim.data.changes import parse_change
from sim.errors import UserError
from sim.games.glory_of_rome.data.catalog import FOLDER, load_catalog
from sim.games.glory_of_rome.data.checks import check_cards, check_characters, check_decks
from sim.games.glory_of_rome.data.compile import build_tables
from sim.games.glory_of_rome.data.models import Character, Event, Mission, TradeCard
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.state import DECK_PLACES, HAND_PLACES, MISSION_PLACES
from sim.games.glory_of_rome.rules.tables import MAX_CARDS, MAX_CHARACTERS, MAX_ROUNDS, MAX_TRACK

CATALOG = load_catalog()


def changed(*texts: str) -> Any:
    return build_tables(load_catalog(changes=[parse_change(text) for text in texts]))


# ---- Capacities ----


def with_copies(cards: Sequence[Any], copies: int) -> tuple[Any, ...]:
    return (cards[0].model_copy(update={"copies": copies}), *cards[1:])


@pytest.mark.parametrize(
    ("kind", "model"),
    [
        ("trade_cards", lambda n: TradeCard(name=f"Card {n}", type="tools", certainty="stand-in")),
        ("missions", lambda n: Mission(name=f"Mission {n}", points=1, per="votes", certainty="stand-in")),
        ("events", lambda n: Event(name=f"Event {n}", turn="clockwise", arrows=1, certainty="stand-in")),
    ],
)
def test_more_cards_than_a_deck_or_the_tables_hold_are_refused(kind: str, model: Any) -> None:
    many = [model(n) for n in range(DECK_PLACES + 1)]
    box = CATALOG.box.model_copy(update={kind: DECK_PLACES})
    others = {name: list(getattr(CATALOG, name)) for name in ("trade_cards", "missions", "events") if name != kind}
    with pytest.raises(UserError, match=f"too many cards.*at most {DECK_PLACES}, copies included"):
        check_cards(FOLDER, box, **{**others, kind: many})
    if kind != "events":
        with pytest.raises(UserError, match=f"too many cards.*at most {MAX_CARDS} rows"):
            check_cards(FOLDER, box, **{**others, kind: many[:DECK_PLACES]})


def test_one_player_can_draw_all_missions() -> None:
    many = with_copies(CATALOG.missions, MISSION_PLACES - len(CATALOG.missions) + 2)
    with pytest.raises(UserError, match=f"too many missions.*at most {MISSION_PLACES}"):
        check_decks(FOLDER, CATALOG.constants, many, CATALOG.events)
    fewer = with_copies(CATALOG.missions, MISSION_PLACES - len(CATALOG.missions) + 1)
    check_decks(FOLDER, CATALOG.constants, fewer, CATALOG.events)


def test_there_are_characters_for_four_and_not_more_than_the_tables_hold() -> None:
    def characters(count: int) -> list[Character]:
        return [CATALOG.characters[0].model_copy(update={"name": f"Character {n}"}) for n in range(count)]

    for count in (constants.MAX_SEATS, MAX_CHARACTERS):
        check_characters(FOLDER, characters(count), CATALOG.constants, legions_first=True)
    for count in (constants.MAX_SEATS - 1, MAX_CHARACTERS + 1):
        with pytest.raises(UserError, match=r"wrong number of characters.*4 to 12"):
            check_characters(FOLDER, characters(count), CATALOG.constants, legions_first=True)


def test_what_rows_take_fits_tables_and_record() -> None:
    assert (HAND_PLACES, MAX_ROUNDS) == (8, 9)
    t = changed('characters.toml#Fulvia.track=["none", "none", "none", "none", "none", "none", "none"]')
    assert t.track_length[2] + 1 == MAX_TRACK
    with pytest.raises(UserError, match="wrong number of entries"):
        changed("characters.toml#Fulvia.track=" + str(["none"] * MAX_TRACK).replace("'", '"'))

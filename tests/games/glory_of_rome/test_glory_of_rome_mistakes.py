"""Mistakes in the files are named, and data that would not fit tables and record are refused."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
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


def complaint(*texts: str) -> str:
    with pytest.raises(UserError) as error:
        load_catalog(changes=[parse_change(text) for text in texts])
    return str(error.value)


# ---- Mistakes ----


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ("trade.toml#Bulla.copies=3", ["trade.toml, field copies", "found: 39", "38, copies included"]),
        ("missions.toml#Each Vote.copies=2", ["missions.toml, field copies", "found: 29", "28, copies included"]),
        ("events.toml#Plague.negative=false", ["events.toml, field copies", "found: 13", "12, copies included"]),
        ('trade.toml#Bulla.type="jewel"', ["row Bulla, field type", "did you mean 'jewels'?"]),
        ('trade.toml#Bulla.when="follwer"', ["row Bulla, field when", "did you mean 'follower'?"]),
        ("trade.toml#Bulla.effect={ drew = 1 }", ["row Bulla, field effect.drew", "did you mean 'draw'?"]),
        ("trade.toml#Bulla.draw=100", ["row Bulla, field effect.draw", "less than or equal to 9"]),
        ("trade.toml#Compass.remove_anchor=2", ["row Compass, field effect.remove_anchor"]),
        ('trade.toml#Bulla.when="never"', ["row Bulla, field when", "an effect needs a condition of play"]),
        ('trade.toml#Bulla.name="Sundial"', ["row Sundial", "this card is listed twice"]),
        ('missions.toml#Each Vote.per="vote"', ["row Each Vote, field per", "did you mean 'votes'?"]),
        ('missions.toml#Each Vote.if={ most = "votes" }', ["row Each Vote", "either a condition or a count"]),
        ('missions.toml#Many Votes.if={ at_least = ["vote", 1] }', ["field if.at_least.1", "did you mean 'votes'?"]),
        ('missions.toml#Many Votes.if={ at_least = ["votes"] }', ["field if.at_least", "wrong number of entries"]),
        ("missions.toml#Many Votes.if={}", ["row Many Votes, field if", "a condition has exactly one field"]),
        ('missions.toml#Hard Work.removed_in=["Hero"]', ["field removed_in.1", "did you mean 'Heroes'?"]),
        ('events.toml#Plague.turn="clock"', ["row Plague, field turn", "did you mean 'clockwise'?"]),
        ("events.toml#Plague.arrows=3", ["row Plague, field arrows"]),
        ("events.toml#Plague.reward={ gold = 1 }", ["row Plague, field reward.gold", "denarii, glory"]),
        ('characters.toml#Fulvia.own_intrigue="Revote"', ["field own_intrigue", "did you mean 'Re-vote'?"]),
        ('characters.toml#Fulvia.own_intrigue="Slander"', ["field own_intrigue", "unknown value"]),
        ("characters.toml#Fulvia.numbers.1=8", ["row Fulvia, field numbers.1", "more legions", "at most 7"]),
        ("characters.toml#Fulvia.votes=6", ["row Fulvia, field votes", "more votes", "at most 5"]),
        ("characters.toml#Fulvia.discord=5", ["row Fulvia, field discord", "more discord than spaces"]),
        ("characters.toml#Fulvia.discord=4", ["field discord", "found: 12", "at most 11"]),
        ('characters.toml#Fulvia.track=["political", "political"]', ["field track", "a bonus is listed twice"]),
        ('characters.toml#Fulvia.name="Livia Drusilla"', ["row Livia Drusilla", "this character is listed twice"]),
        ("characters.toml#Fulvia.source=3", ["row Fulvia, field source"]),
        ('characters.toml#Fulvia.known=["vote"]', ["row Fulvia, field known", "did you mean 'votes'?"]),
        ('board.toml#military 1.type="political"', ["row political 1", "this building is listed twice"]),
        ("board.toml#4.population=5", ["row 5", "this penalty is listed twice"]),
        ('board.toml#Epirus.name="Thrace"', ["row Thrace", "this region is listed twice"]),
        ("board.toml#4 players.roof=[1, 1, 1]", ["row 4 players, field roof", "too few pieces"]),
        ("board.toml#senate.ascending=[1, 2, 3]", ["row senate, field ascending", "wrong number of entries"]),
        ("board.toml#milestones.spaces=[5, 5, 21, 30]", ["field spaces", "milestones must ascend"]),
        ("board.toml#milestones.spaces=[5, 12, 21, 30, 40]", ["field spaces", "at most 4"]),
        ("board.toml#economic.denarii=[1, 2]", ["row economic, field denarii", "9 or more, one for each round"]),
        ("rules.toml#constants.rounds=10", ["field rounds", "less than or equal to 9"]),
        ("rules.toml#constants.hand_limit=9", ["field hand_limit", "less than or equal to 8"]),
        ("rules.toml#constants.missions_kept=4", ["field missions_kept", "at most 3, those dealt"]),
        ("rules.toml#constants.missions_dealt=9", ["missions.toml", "too few missions for 2 players", "18 or more"]),
        ("rules.toml#constants.denarii_for_point=0", ["field denarii_for_point"]),
        ("rules.toml#box.tiles_2_players=[5, 2, 1]", ["row box, field tiles_2_players.1", "at most 4"]),
        ('rules.toml#roof_first.value="yes"', ["row roof_first, field value", "not allowed, allowed"]),
        ("rules.toml#constants.hand_limt=4", ["no such field", "did you mean 'hand_limit'?"]),
    ],
)
def test_a_mistake_is_named_with_its_place(change: str, parts: Sequence[str]) -> None:
    message = complaint(change)
    for part in parts:
        assert part in message


def test_two_bad_numbers_that_fit_each_other_are_still_found() -> None:
    message = complaint("events.toml#Triumph.copies=90", "events.toml#Veterans.copies=90", "rules.toml#box.events=99")
    assert "too many cards" in message
    few = complaint(
        *(f"events.toml#{name}.negative=true" for name in ("Triumph", "Veterans", "Elections", "Festival")),
        "rules.toml#box.events=8",
        "rules.toml#box.negative_events=10",
    )
    assert "events.toml: too few events (found: 8); allowed: 9 or more" in few


def error_of(tmp_path: Path, file: str, old: str, new: str) -> str:
    folder = tmp_path / "glory_of_rome"
    shutil.copytree(FOLDER, folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(UserError) as error:
        load_catalog(folder)
    return str(error.value)


@pytest.mark.parametrize(
    ("file", "old", "new", "parts"),
    [
        ("rules.toml", 'name = "roof_first"', 'name = "roof_frist"', ["did you mean 'roof_first'"]),
        ("board.toml", "[pantheon]", "[panteon]", ["unknown table", "did you mean 'pantheon'"]),
        ("board.toml", "population = 16\n", "population = 15\n", ["row 15", "this penalty is listed twice"]),
        ("missions.toml", 'per = "first_places"\n', "", ["row Each First Place", "either a condition or a count"]),
        ("trade.toml", "[[card]]", "[[cards]]", ["unknown table"]),
        ("events.toml", 'certainty = "stand-in"', 'certainty = "confirmed"', ["row Triumph, field source"]),
    ],
)
def test_a_mistake_in_a_file_is_named(tmp_path: Path, file: str, old: str, new: str, parts: Sequence[str]) -> None:
    message = error_of(tmp_path, file, old, new)
    for part in [file, *parts]:
        assert part in message


def test_a_row_that_is_left_out_is_missed(tmp_path: Path) -> None:
    site = '[[building]]\ntype = "military"\nlevel = 1\nprice = 3\nglory = 2\n'
    text = (FOLDER / "board.toml").read_text(encoding="utf-8")
    start = text.index(site)
    whole = text[start : text.index("[[building]]", start + 1)]
    message = error_of(tmp_path, "board.toml", whole, "")
    assert "row military 1: a building is missing" in message


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

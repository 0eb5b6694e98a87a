"""Each card that `--change @faces_2024` replaces does in a small position what its face of 2024 says."""

from __future__ import annotations

from typing import Any

import pytest

from sim.commands.options import read_changes
from sim.data.changes import split_changes
from sim.game import load_game
from sim.games.imperium.data.catalog import load_catalog
from sim.games.imperium.data.compile import build_tables
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.scoring import card_points
from tests.games.imperium import cases
from tests.games.imperium.cases import Case, case, check, draws, lay_out, play, rows, solstice_of, use
from tests.games.imperium.playing import market, option, pick, top_of, yes
from tests.games.imperium.tables import CATALOG, IDS, T, card

CHANGES = split_changes(read_changes(["@faces_2024"], "imperium"), load_game("imperium").files, [])[0]
FACES = build_tables(load_catalog(changes=CHANGES))
"""Tables with the new faces; the rows of the cards are the same."""
NEW = {IDS[row] for row, (one, other) in enumerate(zip(CATALOG.cards, load_catalog(changes=CHANGES).cards, strict=True))
       if one != other}  # fmt: skip


# fmt: off
def of(nation: str, /, **laid: Any) -> dict[str, Any]:
    """A position of a nation against the Romans, with the new faces."""
    return cases.at(**{"nations": f"{nation}, Romans B", "power": True, "tables": FACES, **laid})


PLAYED = {
    "CAR13": case("Berbers are played freely and put material on the market",
        of("Carthaginians A", hand="CAR13", has=(1, 0, 0), market="Elders, City"),
        play("Berbers", market("City")), actions=3, tokens1=(1, 0, 0)),
    "CAR20": case("Balearic Islands bring a population", of("Carthaginians A", hand="CAR20", market="Elders, City"),
        play("Balearic Islands", option(1)), have=(0, 1, 0)),
    "SCY1A": case("the power of the Scythians breaks through for a region with an action",
        of("Scythians A", nation="SCY21, SCY22, SCY23", regions="1REG4"), use("SCY1A", yes(), yes(), top_of("region")),
        hand="Coast", actions=2),
    "SCY1B": case("their other power puts a nation card below", of("Scythians B", nation="SCY21, SCY22, SCY23"),
        use("SCY1B", yes()), actions=3),
    "SCY3": case("Ateas acquires a card of each of three suits", of("Scythians A", hand="SCY3", empire=[0],
        market="Oasis, Elders, Education"), play("Ateas", market("Oasis"), market("Elders"), market("Education")),
        hand_has="Oasis, Elders, Education", history="Ateas"),
    "SCY14": case("Nomads gain for icons, and progress with the others in the discard pile",
        of("Scythians A", hand="SCY14", discard="SCY15", play="1REG4"), play("SCY14"), have=(3, 0, 1)),
    "SCY15": case("Nomads alone gain no progress", of("Scythians A", hand="SCY15", play="1REG4"), play("SCY15"),
        have=(3, 0, 0)),
    "ATL1A": case("the power of the Atlanteans answers without an exhaust token",
        of("Atlanteans A", hand="ATL12", play="1REG4", discard="Glory, Prosperity"),
        play("Flood", pick("Glory"), market("Elders")), deck="Glory", exhausts=5),
    "ATL2": case("Advanced Culture acquires for two material",
        of("Atlanteans A", hand="ATL2", has=(2, 0, 0), market="Elders, Education"),
        play("Advanced Culture", market("Education")), hand_has="Education", have=(0, 0, 0)),
    "ATL4": case("Spread of Atlantis breaks through for a population, and others recall a region",
        of("Atlanteans A", hand="ATL4", has=(0, 1, 0), regions="1REG4", play1="1REG5"),
        play("Spread of Atlantis", top_of("region")), hand="Coast", have=(0, 0, 0), play1=""),
    "ATL7": case("Myths and Legends take two regions for a fame", of("Atlanteans B", hand="ATL7", play="1REG4, 1REG5",
        fame="Glory, Prosperity"), play("Myths and Legends", pick("Coast"), pick("Oasis"), pick("Glory")),
        sunken="Coast", hand_has="Glory", play=""),
    "ATL8": case("Vast Wealth sinks a card for three material",
        of("Atlanteans B", play="ATL8", hand="Elders"), solstice_of("ATL8", option(0), pick("Elders")),
        sunken="Elders", have=(3, 0, 0)),
    "MAU12": case("Indian Elephants break through for a discarded card",
        of("Mauryans A", hand="MAU12, Glory", regions="1REG4"),
        play("MAU12", yes(), option(0), pick("Glory"), top_of("region")), hand="Coast"),
    "MAU13": case("or for a tributary with three material", of("Mauryans A", hand="MAU13", has=(3, 0, 0), play1="1REG4",
        market="Armenians"), play("MAU13", yes(), market("Armenians")), hand_has="Armenians", have=(0, 0, 0), play1=""),
    "MAU18": case("Chandragupta puts Indian Elephants on the draw deck",
        of("Mauryans A", hand="MAU18", discard="MAU12"), play("Chandragupta", option(1)),
        deck="Indian Elephants", history="Chandragupta"),
    "MIN3": case("Minoan Traders gain for production and for each card to be developed",
        of("Minoans A", hand="MIN3", empire=[0], play="MIN18", development="MIN4, MIN5"),
        play("Minoan Traders", option(0)), have=(3, 0, 0)),
    "UTO1A": case("the power of the Utopians takes unrest and gains progress when the draw deck empties",
        of("Utopians A", deck="Charity", discard="Meditation"), draws(), hand="Charity, Unrest", have=(0, 0, 1)),
    "UTO1B": case("their other power gives others material for a returned unrest",
        of("Utopians B", hand="Unrest"), solstice_of("UTO1B", yes()), hand="", have1=(2, 0, 0)),
    "UTO3A": case("the Gates let others draw, and bring a card and material",
        of("Utopians A", play="UTO3A", power=False, deck="Charity, Glory", deck1="Prosperity, Advance"),
        solstice_of("UTO3A", yes(1), option(0)), hand="Glory", hand1="Advance", have=(2, 0, 0)),
    "UTO3B": case("Shangri-la ends the game with 24 population and goes to the history",
        of("Utopians A", play="UTO3B", power=False, has=(0, 24, 0)), solstice_of("UTO3B", option(0)),
        history="Shangri-la", ending=constants.SHANGRI_LA),
    "UTO7": case("Lost Tomes with two scrolls become a fame",
        of("Utopians A", play="UTO7", garrison={"UTO7": "UTO12, UTO13"}, fame="Glory"), solstice_of("UTO7"),
        hand_has="Glory", play=""),
}
"""What is done with each card of which the play differs."""


@rows(*PLAYED.values())
def test_a_new_face_does_what_it_says(case: Case) -> None:
    check(case)


POINTS = {
    "ATL1A": (of("Atlanteans A", sunken="Elders, Glory, Coast"), constants.PLAY, 2),
    "ATL2": (of("Atlanteans A", hand="ATL2", play="1REG4, 1REG5, 1REG6"), constants.HAND, 1),
    "ATL8": (of("Atlanteans A", play="ATL8"), constants.PLAY, 0),
    "SCY1B": (of("Scythians B", play="1REG4", has=(5, 0, 0)), constants.PLAY, 2),
    "SCY3": (of("Scythians A", hand="SCY3, Elders, Oasis"), constants.HAND, 1),
    "MIN3": (of("Minoans A", hand="MIN3", play="MIN16, MIN18"), constants.HAND, 1),
    "UTO3B": (of("Utopians A", play="UTO3B", power=False), constants.PLAY, 3),
    "UTO7": (of("Utopians A", hand="UTO7, Glory"), constants.HAND, 1),
}


@pytest.mark.parametrize("name", POINTS)
def test_a_new_face_scores_what_it_says(name: str) -> None:
    laid, zone, points = POINTS[name]
    g, t = lay_out(laid)
    assert card_points(g, t, 0, card(name), zone) == points
    as_printed = card_points(g, T, 0, card(name), zone)
    assert as_printed != points or name in PLAYED


@pytest.mark.parametrize(("name", "icons"), [("MIN16", (2, 0, 0)), ("MIN18", (1, 1, 0)), ("MIN3", (0, 0, 0))])
def test_a_new_face_has_its_icons(name: str, icons: tuple[int, ...]) -> None:
    assert tuple(FACES.icons[card(name)]) == icons


def test_crete_keeps_an_attack_away_by_going_back_to_the_hand() -> None:
    assert FACES.shield[card("MIN18")] == constants.SHIELD_BY_RECALL
    assert T.shield[card("MIN18")] == constants.NO_SHIELD


def test_every_card_that_the_changes_replace_is_tried() -> None:
    assert {*PLAYED, *POINTS, "MIN16", "MIN18"} == NEW

"""Each card that `--change @faces_2024` replaces does in a small position what its face of 2024 says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.commands.options import read_changes
from sim.data.changes import split_changes
from sim.game import load_game
from sim.games.imperium.data.catalog import load_catalog
from sim.games.imperium.data.compile import build_tables
from sim.games.imperium.rules import constants, drawing
from sim.games.imperium.rules.knowledge import show_card
from sim.games.imperium.rules.moving import clear_card, move
from sim.games.imperium.rules.scoring import PROGRESS_PART, card_points, score_seat
from sim.players.compile_players import lineup_record
from sim.players.find_strategies import load_strategies
from strategies.imperium.appraisal import price_of
from strategies.imperium.outlook import harm_of_unrest
from strategies.imperium.terms.tokens import worth_of_other_face, worth_of_token_on
from strategies.imperium.weights import N_TURNS
from tests.games.imperium import cases
from tests.games.imperium.cases import case, draws, lay_out, may_not, play, rows, solstice_of, use
from tests.games.imperium.playing import develop, market, option, pick, scripted, top_of, yes
from tests.games.imperium.tables import CATALOG, T, card, names
from tests.kit.hidden import dealt_anew, fresh_scores

GAME = load_game("imperium")
CHANGES = split_changes(read_changes(["@faces_2024"], "imperium"), GAME.files, [])[0]
FACED = load_catalog(changes=CHANGES)
FACES = build_tables(FACED)
"""Tables with the new faces; the rows of the cards are the same."""
NEW = {one.id for one, other in zip(CATALOG.cards, FACED.cards, strict=True) if one != other}


# fmt: off
def of(nation: str, /, **laid: Any) -> dict[str, Any]:
    """A position of a nation against the Romans, with the new faces."""
    return cases.at(**{"nations": f"{nation}, Romans B", "power": True, "tables": FACES, **laid})


SCYTHIANS = "Glory, Caucasia, Nomads, Raiders"
GATES = {"play": "UTO3A", "power": False}
PLAYED = {
    "CAR13": case("Berbers are played freely, and move what lies on the market",
        of("Carthaginians A", hand="CAR13", market="Elders, City", tokens={0: (0, 1, 2)}),
        play("Berbers", market("Elders"), yes(), market("City")), actions=3, have=(0, 1, 2), tokens0=(0, 0, 0),
        tokens1=(1, 0, 0)),
    "CAR20": case("Balearic Islands bring a population", of("Carthaginians A", hand="CAR20", market="Elders, City"),
        play("Balearic Islands", option(1)), have=(0, 1, 0)),
    "SCY1A": case("the power of the Scythians breaks through for a region with an action",
        of("Scythians A", nation="SCY21, SCY22, SCY23", regions="1REG4"), use("SCY1A", yes(), top_of("region")),
        hand="Coast", actions=2),
    "SCY1B": case("their other power puts one of two nation cards below", of("Scythians B", nation=SCYTHIANS),
        use("SCY1B", pick("Nomads")), nation="Glory, Nomads, Caucasia, Raiders", actions=3),
    "SCY3": case("Ateas acquires a card of each of three suits", of("Scythians A", hand="SCY3", empire=[0],
        market="Oasis, Elders, Education"), play("Ateas", market("Oasis"), market("Elders"), market("Education")),
        hand_has="Oasis, Elders, Education", history="Ateas"),
    "SCY14": case("Nomads gain for icons, and progress with the others in the discard pile",
        of("Scythians A", hand="SCY14", discard="SCY15", play="1REG4"), play("SCY14"), have=(2, 0, 1)),
    "SCY15": case("Nomads alone gain no progress", of("Scythians A", hand="SCY15", play="1REG4"), play("SCY15"),
        have=(2, 0, 0)),
    "ATL1A": case("the power of the Atlanteans answers without an exhaust token",
        of("Atlanteans A", hand="ATL12", play="1REG4", discard="Glory, Prosperity"),
        play("Flood", pick("Glory"), market("Elders")), deck="Glory", exhausts=5),
    "ATL1B": case("what would go into the history of the Atlanteans costs a pinned card for each",
        of("Atlanteans B", hand="1CIV2, Glory", discard="Prosperity", play="1REG4, 1REG5, 1REG6", market=""),
        play("Education", pick("Glory"), pick("Coast"), pick("Prosperity"), pick("Floodplain")), history="",
        discard="Coast, Education, Floodplain, Glory, Prosperity", play_has="Forest"),
    "ATL2": case("Advanced Culture acquires for two material",
        of("Atlanteans A", hand="ATL2", has=(2, 0, 0), market="Elders, Education"),
        play("Advanced Culture", market("Education")), hand_has="Education", have=(0, 0, 0)),
    "ATL4": case("Spread of Atlantis breaks through for a population, and others recall a region",
        of("Atlanteans A", hand="ATL4", has=(0, 1, 0), regions="1REG4", play1="1REG5"),
        play("Spread of Atlantis", top_of("region")), hand="Coast", have=(0, 0, 0), hand1="Floodplain"),
    "ATL7": case("Myths and Legends take two regions for a fame", of("Atlanteans B", hand="ATL7", play="1REG4, 1REG5",
        fame="Great, Notorious"), play("Myths and Legends", pick("Coast")), sunken="Coast", discard_has="Floodplain",
        hand_has="Notorious"),
    "ATL8": case("Vast Wealth sinks a card for three material",
        of("Atlanteans B", play="ATL8", hand="Elders"), solstice_of("ATL8", option(0)),
        sunken="Elders", have=(3, 0, 0)),
    "MAU12": case("Indian Elephants break through for a discarded card",
        of("Mauryans A", hand="MAU12, Glory", regions="1REG4"),
        play("MAU12", yes(), top_of("region")), hand="Coast"),
    "MAU13": case("or for a tributary with three material", of("Mauryans A", hand="MAU13", has=(3, 0, 0), play1="1REG4",
        market="Armenians"), play("MAU13", yes(), market("Armenians")), hand_has="Armenians", have=(0, 0, 0),
        hand1="Coast"),
    "MAU18": case("Chandragupta puts Indian Elephants on the draw deck",
        of("Mauryans A", hand="MAU18", discard="MAU12"), play("Chandragupta", option(1)),
        deck="Indian Elephants", history="Chandragupta"),
    "MIN3": case("Minoan Traders gain for production and for each card to be developed",
        of("Minoans A", hand="MIN3", empire=[0], play="MIN18", development="MIN4, MIN5"),
        play("Minoan Traders"), have=(3, 0, 0)),
    "UTO1A": case("the power of the Utopians takes unrest and gains progress when the discard pile is reshuffled",
        of("Utopians A", discard="Meditation"), draws(), hand="Meditation, Unrest", have=(0, 0, 1)),
    "UTO1B": case("their other power gives others material for a returned unrest",
        of("Utopians B", hand="Unrest"), solstice_of("UTO1B", yes()), hand="", have1=(2, 0, 0)),
    "UTO3A": case("the Gates let others draw, and bring a card and material",
        of("Utopians A", **GATES, deck="Charity, Glory", deck1="Prosperity, Advance"),
        solstice_of("UTO3A", yes(1)), hand="Glory", hand1="Advance", have=(2, 0, 0)),
    "UTO3B": case("Shangri-la ends the game with 24 population and goes to the history",
        of("Utopians A", play="UTO3B", power=False, has=(0, 24, 0)), solstice_of("UTO3B"),
        history="Shangri-la", ending=constants.SHANGRI_LA),
    "UTO7": case("Lost Tomes with two scrolls become a fame",
        of("Utopians A", play="UTO7", garrison={"UTO7": "UTO12, UTO13"}, fame="Great"), solstice_of("UTO7"),
        hand_has="Great", discard_has="Lost Tomes"),
}
"""What is done with each card of which the play differs."""


test_a_new_face_does_what_it_says = rows(*PLAYED.values())


test_berbers_gain_all_tokens_of_one_market_card = rows(
    case("Berbers may leave what lies on the market", of("Carthaginians A", hand="CAR13", market="Elders, City",
         tokens={1: (2, 0, 0)}), play("Berbers", market(None)), have=(0, 0, 0), tokens1=(2, 0, 0)),
    case("are not asked if nothing lies there", of("Carthaginians A", hand="CAR13", market="Elders, City"),
         play("Berbers"), have=(0, 0, 0)),
    case("gain no market card, so neither its unrest nor what a power adds to such a gain",
         of("Carthaginians A", hand="CAR13", market="Elders", tokens={0: (2, 0, 0)}), play("Berbers", market("Elders")),
         have=(2, 0, 0), hand="", slot0="Elders", under0=True, exhausts=5),
)


test_scythians_look_at_two_nation_cards_of_which_one_may_go_below = rows(
    case("the top card may go below", of("Scythians B", nation=SCYTHIANS), use("SCY1B", pick("Raiders")),
         nation="Glory, Raiders, Caucasia, Nomads"),
    case("or neither", of("Scythians B", nation=SCYTHIANS), use("SCY1B", pick(None)), nation=SCYTHIANS),
    case("a card that is already lowest is not asked for", of("Scythians B", nation="Glory, Caucasia, Nomads"),
         use("SCY1B", pick("Nomads")), nation="Glory, Nomads, Caucasia"),
    case("nor the only one on the accession card", of("Scythians B", nation="Glory, Nomads"), use("SCY1B"),
         nation="Glory, Nomads"),
    case("without a nation deck nothing happens", of("Scythians B"), use("SCY1B"), nation=""),
)


def thought_of(g: Any, me: int) -> list[set[str]]:
    """Names that a seat thinks possible at each place of the nation deck of seat 0, from the bottom up."""
    table = np.asarray(g).reshape(1)
    deals = [names(dealt_anew(GAME, table, FACES, me, number)[0], 0, constants.NATION) for number in range(40)]
    return [set(place) for place in zip(*deals, strict=True)]


def test_who_looks_at_two_nation_cards_knows_them_and_nobody_else_does() -> None:
    g, t = lay_out(of("Scythians B", nation="Glory, Caucasia, Pontic Steppe, Nomads, Raiders"))
    use("SCY1B", pick(None))(g, t)
    assert thought_of(g, 0) == [{"Glory"}, *[{"Caucasia", "Pontic Steppe"}] * 2, {"Nomads"}, {"Raiders"}]
    assert thought_of(g, 1) == [{"Glory"}, *[{"Caucasia", "Pontic Steppe", "Nomads", "Raiders"}] * 4]


@pytest.mark.parametrize("below", ["Nomads", "Raiders"])
def test_others_do_not_see_which_of_two_nation_cards_goes_below(below: str) -> None:
    g, t = lay_out(of("Scythians B", nation="Glory, Caucasia, Pontic Steppe, Nomads, Raiders"))
    for place in (3, 4):
        show_card(g, g.zone[0, constants.NATION, place])
    use("SCY1B", pick(below))(g, t)
    other = {"Nomads": "Raiders", "Raiders": "Nomads"}[below]
    assert thought_of(g, 0) == [{"Glory"}, {below}, *[{"Caucasia", "Pontic Steppe"}] * 2, {other}]
    assert {"Nomads", "Raiders"} <= thought_of(g, 1)[1]
    assert {"Nomads", "Raiders"} <= thought_of(g, 1)[4]


test_atlanteans_abandon_a_pinned_card_for_the_history_that_they_do_not_have = rows(
    case("without a pinned card nothing is abandoned", of("Atlanteans A", hand="1CIV2, Glory", market=""),
         play("Education", pick("Glory")), discard="Education, Glory"),
    case("an abandoned card takes its garrison along",
         of("Atlanteans A", hand="1CIV2, Glory", play="1REG4", garrison={"1REG4": "Prosperity"}, market=""),
         play("Education", pick("Glory")), discard="Coast, Education, Glory, Prosperity", garrison=""),
    case("with the face of 2021 nothing is abandoned either",
         of("Atlanteans A", hand="1CIV2, Glory", play="1REG4", market="", tables=T), play("Education", pick("Glory")),
         discard="Education, Glory", play_has="Coast"),
    case("sinking is not putting into the history", of("Atlanteans B", hand="ATL12", play="1REG4, 1REG5"),
         play("Flood", pick("Coast"), market("Elders")), sunken="Coast, Flood", play_has="Floodplain"),
)


def test_no_card_has_two_of_the_suits_that_the_power_of_the_atlanteans_scores() -> None:
    suits = {"uncivilised", "fame", "tributary"}
    assert max(len(suits & set(row.suits)) for row in CATALOG.cards) == 1


DEVELOPING = {"discard": "Glory", "development": "ATL4, ATL8, ATL7"}


test_unrest_is_a_cost_of_developing = rows(
    case("Spread of Atlantis costs four material and an unrest", of("Atlanteans B", **DEVELOPING, has=(4, 0, 0)),
         draws(develop("Spread of Atlantis")), have=(0, 0, 0), hand_has="Unrest", unrest=7,
         development="Myths and Legends, Vast Wealth"),
    case("Vast Wealth five and an unrest, which is there before the card is drawn",
         of("Atlanteans B", **DEVELOPING, has=(5, 0, 0)), draws(develop("Vast Wealth"), count=2), have=(0, 0, 0),
         hand="Glory, Unrest, Vast Wealth", unrest=7),
    case("Vast Wealth does not make the unrest of others cheaper",
         of("Atlanteans B", discard="Glory", development="ATL4, ATL7", play="ATL8", has=(2, 0, 0)),
         draws(develop("Spread of Atlantis")), have=(0, 0, 0), hand_has="Unrest"),
    case("other cards take none", of("Atlanteans B", **DEVELOPING, has=(0, 0, 2)),
         draws(develop("Myths and Legends"), count=2), hand="Glory, Myths and Legends", unrest=8),
    case("nor did these in 2021", of("Atlanteans B", **DEVELOPING, has=(5, 0, 0), tables=T),
         draws(develop("Vast Wealth"), count=2), hand="Glory, Vast Wealth", unrest=8),
    case("nor does a free development", of("Atlanteans B", **DEVELOPING),
         lambda g, t: drawing.develop(g, t, scripted(develop("Vast Wealth")), 0, 1, False), hand="",
         discard="Glory, Vast Wealth", unrest=8),
    case("the last unrest ends the game", of("Atlanteans B", **DEVELOPING, has=(4, 0, 0), unrest=1),
         draws(develop("Spread of Atlantis")), collapsed=1),
)


test_utopians_take_unrest_when_they_reshuffle = rows(
    case("the draw deck may become empty", of("Utopians A", deck="Charity", discard="Meditation"), draws(),
         hand="Charity", have=(0, 0, 0)),
    case("a discard pile without cards becomes no draw deck", of("Utopians A"), draws(), hand="", have=(0, 0, 0)),
    case("the other side brings no progress", of("Utopians B", discard="Meditation, Charity"), draws(),
         hand_has="Unrest", have=(0, 0, 0)),
    case("each reshuffle counts", of("Utopians B", discard="Meditation"), draws(),
         lambda g, t: move(g, t, 0, card("Meditation"), constants.HAND, constants.DISCARD_PILE), draws(),
         hand="Meditation, Unrest, Unrest"),
    case("in 2021 it was the empty draw deck", of("Utopians B", deck="Charity", discard="Meditation", tables=T),
         draws(), hand="Charity, Unrest"),
)


test_material_is_moved_to_the_gates_and_counted_there = rows(
    case("exhausting moves three of the own material there for a card put into the history",
         of("Utopians A", **GATES, hand="Glory, Charity", has=(5, 0, 0)), use("UTO3A", pick("Glory")), history="Glory",
         have=(2, 0, 0), stored={"UTO3A": 3}),
    case("or as many as there are", of("Utopians A", **GATES, hand="Glory", has=(2, 0, 4)), use("UTO3A"),
         have=(0, 0, 4), stored={"UTO3A": 2}),
    case("but not without a card", of("Utopians A", **GATES, has=(5, 0, 0)), may_not("UTO3A")),
    case("the solstice moves one there", of("Utopians A", **GATES, has=(2, 0, 0), stored={"UTO3A": 4}, deck="Charity"),
         solstice_of("UTO3A", option(1)), have=(1, 0, 0), hand="", stored={"UTO3A": 5}),
    case("which is no choice without material", of("Utopians A", **GATES, stored={"UTO3A": 12}),
         solstice_of("UTO3A", option(1)), play="Shangri-la"),
    case("twelve turn the Gates over and are gone", of("Utopians A", **GATES, has=(1, 0, 0), stored={"UTO3A": 13}),
         solstice_of("UTO3A", option(2)), play="Shangri-la", have=(1, 0, 0), stored={"UTO3A": 0, "UTO3B": 0}),
    case("eleven do not", of("Utopians A", **GATES, has=(0, 0, 0), stored={"UTO3A": 11}, deck="Charity"),
         solstice_of("UTO3A"), play="Gates of Shangri-la", hand="Charity", stored={"UTO3A": 11}),
    case("nor do twelve that the player has", of("Utopians A", **GATES, has=(12, 0, 6), deck="Charity"),
         solstice_of("UTO3A", option(1)), play="Gates of Shangri-la", stored={"UTO3A": 1}),
)


def test_material_on_a_card_is_no_progress() -> None:
    g, _ = lay_out(of("Utopians A", **GATES, stored={"UTO3A": 5}))
    t = FACES.copy()
    t["tokens_on_cards_score"] = 1
    score_seat(g, t, 0)
    assert g.score[0, PROGRESS_PART] == 0
    clear_card(g, t, 0, card("UTO3A"))
    assert (tuple(g.resource[0]), g.stored[card("UTO3A")]) == ((5, 0, 0), 0)


# ---- The players ----


BALANCED = load_strategies("imperium")["balanced"]


@pytest.fixture(scope="module")
def w() -> Any:
    """Weights of the balanced player."""
    return lineup_record((BALANCED,), GAME.load({}, CHANGES), 2).seats[0]


def scores(g: Any, w: Any, decision: int, asked: int, *options: dict[str, int]) -> list[float]:
    """Scores that the balanced player gives to options: each a dictionary of what it says."""
    g.asked, g.asking, g.option_count = asked, constants.NO_CARD, len(options)
    for number, each in enumerate(options):
        for field in ("kind", "card", "value", "seat"):
            g[f"option_{field}"][number] = each.get(field, 0)
    return fresh_scores("imperium", BALANCED.script.score, g, FACES, 0, decision, w)


def test_balanced_takes_the_tokens_that_are_worth_most(w: Any) -> None:
    lying = {0: (0, 0, 1), 1: (0, 0, 3), 2: (0, 1, 0)}
    g, _ = lay_out(of("Carthaginians A", market="Elders, City, Oasis", tokens=lying))
    slots = [{"card": int(g.market[slot]), "value": slot} for slot in range(3)]
    one, three, population, none = scores(
        g, w, constants.MARKET, constants.GAIN_ON_MARKET, *slots, {"card": constants.NO_CARD}
    )
    assert three > one > population > none


@pytest.mark.parametrize("nation", ["Glory, Caucasia, Nomads, Raiders", "Glory, Caucasia, Raiders, Nomads"])
def test_balanced_puts_the_same_of_two_nation_cards_below_whichever_is_on_top(
    nation: str, w: Any
) -> None:
    g, _ = lay_out(of("Scythians B", nation=nation))
    top = [{"card": int(g.zone[0, constants.NATION, place]), "value": constants.NATION} for place in (3, 2)]
    found = scores(g, w, constants.PICK, constants.NATION_TO_BOTTOM, *top, {"card": constants.NO_CARD})
    assert sorted(found)[1] == found[2] == 0.0
    assert names(g, 0, constants.NATION)[3 - int(np.argmax(found))] == "Nomads"


def test_balanced_counts_the_unrest_of_a_development(w: Any) -> None:
    g, _ = lay_out(of("Atlanteans B", development="ATL8", has=(9, 9, 9)))
    scores(g, w, constants.DEVELOP, constants.DEVELOP_CARD, {"card": card("ATL8")})
    extra = price_of(g, FACES, 0, card("ATL8"), w) - price_of(g, T, 0, card("ATL8"), w)
    assert extra == pytest.approx(harm_of_unrest(g, FACES, 0, w))
    assert extra > 0


def test_a_token_on_the_gates_is_worth_its_share_of_the_other_side_if_the_rest_can_follow(w: Any) -> None:
    g, _ = lay_out(of("Utopians A", **GATES))
    gates = card("UTO3A")
    g.notes[N_TURNS] = 1.5
    worth = {}
    for stored in (9, 10, 12):
        g.stored[gates] = stored
        worth[stored] = worth_of_token_on(g, FACES, 0, gates, w)
    assert worth[9] == worth[12] == 0.0
    assert worth[10] == pytest.approx(worth_of_other_face(g, FACES, 0, gates, w) / 12)
    assert worth[10] > 0.0


POINTS = {
    "ATL1A": (of("Atlanteans A", sunken="Elders, Armenians, Coast"), constants.PLAY, 2),
    "ATL2": (of("Atlanteans A", hand="ATL2", play="1REG4, 1REG5, 1REG6"), constants.HAND, 1),
    "ATL8": (of("Atlanteans A", play="ATL8"), constants.PLAY, 0),
    "SCY1B": (of("Scythians B", play="1REG4", has=(5, 0, 0)), constants.PLAY, 2),
    "SCY3": (of("Scythians A", hand="SCY3, Elders, Coast", market=""), constants.HAND, 1),
    "MIN3": (of("Minoans A", hand="MIN3", play="MIN16, MIN18"), constants.HAND, 1),
    "UTO3B": (of("Utopians A", play="UTO3B", power=False), constants.PLAY, 3),
    "UTO7": (of("Utopians A", hand="UTO7, 1FAM2"), constants.HAND, 1),
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

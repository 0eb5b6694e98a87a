"""The nations whose rules differ: Vikings, Arthurians, Atlanteans, Utopians, Carthaginians, Qin, Olmecs and Romans."""

from typing import Any

import pytest

from sim.games.imperium.rules import constants
from sim.games.imperium.rules.knowledge import knows_nation
from tests.games.imperium import cases
from tests.games.imperium.cases import case, draws, may, may_not, play, put, rows, solstice, solstice_of, turn, use
from tests.games.imperium.playing import amount, develop, exhaust, market, no, option, pick, yes


# fmt: off
def of(nation: str, /, **laid: Any) -> dict[str, Any]:
    """A position of a nation against the Romans."""
    return cases.at(**{"nations": f"{nation}, Romans B", "power": True, **laid})


BARBARIAN, EMPIRE = constants.BARBARIAN, constants.EMPIRE
ADVANCE = {"hand": "VIK18", "nation": "Harald Hardrada, Iceland, Combs", "has": (3, 0, 0)}


test_vikings = rows(
    case("Vikings discard what would go into history",
         of("Vikings A", hand="1CIV2, Glory", discard="Prosperity", empire=[0], market=""),
         play("Education", pick("Glory"), pick("Prosperity")), history="", discard="Education, Glory, Prosperity"),
    case("and that pays for it", of("Vikings A", play="MIN12", discard="Glory", deck="Prosperity"),
         use("Writing Systems"), discard="Glory", hand="Prosperity"),
    case("the zenith triggers scoring and makes no empire", of("Vikings A", nation="Harald Hardrada"), draws(),
         ending=constants.HARALD_HARDRADA, state=BARBARIAN, hand="Harald Hardrada"),
    case("by a tributary too", of("Vikings B", nation="Harald Hardrada", hand="1TRI3"), play("1TRI3"),
         ending=constants.HARALD_HARDRADA, state=BARBARIAN),
    case("with an empty nation deck they only reshuffle", of("Vikings A", discard="Glory"), draws(), nation_exhausted=0,
         exhausts=5, hand="Glory"),
    case("they draw for unrest they return", of("Vikings A", hand="Unrest", deck="Glory, Prosperity", has=(0, 1, 0)),
         play("Unrest", yes()), hand="Glory, Prosperity"),
    case("Combs let one card of this turn ignore its state icon", of("Vikings A", play="VIK4", hand="1CIV12, 2CIV12"),
         may_not("1CIV12"), use("Combs"), play("1CIV12"), may_not("2CIV12")),
    case("Longships acquire regions from exile and bring a population",
         of("Vikings A", play="VIK10", hand="VIK22", exile="Coast", has=(2, 1, 0),
            market="-, Elders, Education, City, Lost Scroll"), play("Jomsviking", yes()), hand="Coast", have=(2, 1, 0)),
    case("they take King of Kings as barbarians", of("Vikings A", hand="VIK12"), play("Rollo the Walker"),
         have=(0, 0, 6), exile="Rollo the Walker"),
    case("they never develop", of("Vikings A", hand="EGY3", development="EGY4", empire=[0], has=(9, 9, 9)),
         play("Development", market("Elders")), development="Embalming"),
)


@pytest.mark.parametrize(
    ("rules", "wishes", "top", "knows"),
    [({}, [yes()], "Iceland", 0), ({}, [no()], "Combs", 1), ({"tucked_unrest_is_taken": False}, [], "Combs", 0)],
)
def test_vikings_look_at_their_nation_deck_when_they_take_unrest_with_a_market_card_too(
    rules: dict[str, Any], wishes: list[Any], top: str, knows: int
) -> None:
    g, t = cases.lay_out(of("Vikings B", **ADVANCE, rules=rules))
    play("Advance", market("Elders"), *wishes)(g, t)
    nation = cases.told(g, "nation")
    assert (nation[0], nation[-1], knows_nation(g, 0)) == ("Harald Hardrada", top, knows)


KNIGHTS = {"ART12": "Bedwyr, Cai (Sir Kay)", "ART21": "King Arthur", "King Arthur's Court": "Excalibur"}
QUEST = {"ART12": "ART23", "King Arthur's Court": "Excalibur"}
CAFALL = {"hand": "ART25, Glory"}
CAMLAN = of("Arthurians A", play="ART8", hand="Bedwyr")


test_arthurians = rows(
    case("the court makes an impending quest the active one for an unrest",
         of("Arthurians A", development="Graal, Lawnslot Llyn (Sir Lancelot), Excalibur"),
         solstice_of("King Arthur's Court", yes(), pick("Excalibur")), garrison="Excalibur", hand="Unrest"),
    case("and no second one", of("Arthurians A", development="Graal, Lawnslot Llyn (Sir Lancelot), Excalibur"),
         solstice_of("King Arthur's Court", yes(), pick("Excalibur")), solstice_of("King Arthur's Court"),
         garrison="Excalibur"),
    case("the Graal waits for the other quests", of("Arthurians A", development="Graal, Excalibur"),
         solstice_of("King Arthur's Court", yes()), garrison="Excalibur"),
    case("and becomes active as the last", of("Arthurians A", development="Graal"),
         solstice_of("King Arthur's Court", yes()), garrison="Graal", ending=constants.NOT_ENDING),
    case("Myrddin takes the active quest to the hand for three knights",
         of("Arthurians A", hand="ART23", play="ART12, ART21", garrison=KNIGHTS),
         play("Myrddin Wyllt (Merlin)", pick("Bedwyr"), pick("King Arthur")), hand="Excalibur", garrison="",
         discard="Bedwyr, Cai (Sir Kay), King Arthur, Myrddin Wyllt (Merlin)"),
    case("Morigena discards the quest and a nation card",
         of("Arthurians A", hand="ART16", play="ART12", garrison=QUEST, nation="Gwaith Camlan, Bedwyr"),
         play("Morigena", yes()), discard_has="Bedwyr, Excalibur", hand1="Unrest"),
    case("the Graal triggers scoring", of("Arthurians A", hand="Graal", history="Glory", exile="Coast, Bedwyr"),
         play("Graal", pick("Glory")), ending=constants.GRAAL, hand="Glory"),
    case("the nadir enters play instead of being shuffled and makes no empire",
         of("Arthurians A", nation="Gwaith Camlan", discard="Glory"), draws(), play_has="Gwaith Camlan", hand="Glory",
         deck="", state=BARBARIAN),
    case("Gwaith Camlan takes a knight", CAMLAN, solstice_of("Gwaith Camlan", option(0)), history="Bedwyr",
         play_has="Gwaith Camlan"),
    case("or two unrest, and stays", CAMLAN, solstice_of("Gwaith Camlan", option(0)), solstice_of("Gwaith Camlan"),
         hand="Unrest, Unrest", play_has="Gwaith Camlan"),
    case("others cannot recall it",
         cases.at(nations="Romans B, Arthurians A", power=True, hand="GRE7, Glory, Unrest", play1="ART8", empire=[0]),
         play("Greek Innovation", pick("Unrest"), market("Oasis")), play_has1="Gwaith Camlan"),
    case("Cafall exiles Twrch Trwyth in play", of("Arthurians A", **CAFALL, play="ART5"), play("Cafall", yes()),
         exile="Twrch Trwyth"),
    case("but not with a token", of("Arthurians A", **CAFALL, play="ART5", exhausted={"ART5": 1}),
         play("Cafall", yes()), exile=""),
    case("or as the active quest", of("Arthurians A", **CAFALL, garrison={"King Arthur's Court": "ART5"}),
         play("Cafall", yes()), exile="Twrch Trwyth"),
    case("Twrch Trwyth plays an empire card", of("Arthurians A", play="ART5", hand="1CIV10", has=(0, 0, 1)),
         use("Twrch Trwyth"), play_has="Coinage"),
    case("and exiles quests but the Graal",
         of("Arthurians A", play="ART5", hand="Bedwyr", development="Graal, Excalibur"),
         solstice_of("Twrch Trwyth", yes()), exile="Excalibur"),
    case("a knight garrisons itself in a region which works again",
         of("Arthurians A", hand="ART14, Glory", play="ART12", deck="Prosperity"),
         play("Gwalchmei (Sir Gawain)", pick("ART12")), garrison_has="Gwalchmei (Sir Gawain)",
         hand="Glory, Prosperity, Unrest"),
)


test_atlanteans = rows(
    case("a region sinks with its garrison",
         of("Atlanteans B", hand="ATL12", play="1REG4", garrison={"1REG4": "Glory"}), play("Flood", market("Elders")),
         sunken="Coast, Flood, Glory", hand="Elders, Unrest"),
    case("a Flood without a region does nothing and is discarded", of("Atlanteans B", hand="ATL12"), play("Flood"),
         sunken="", discard="Flood"),
    case("others who are told to sink discard",
         of("Romans B", nations="Romans B, Celts B", hand="ATL12", play="1REG4", empire=[0]),
         play("Flood", market("Elders")), discard="Coast, Flood", sunken=""),
    case("the power answers to each sunken card with one exhaust token",
         of("Atlanteans A", hand="ATL12", play="1REG4", discard="Glory, Prosperity"),
         play("Flood", yes(), pick("Glory"), market("Elders")), deck="Glory", exhausts=4),
    case("they start as an empire", of("Atlanteans B"), state=EMPIRE),
    *(case(f"and can play no barbarian cards on side {side}", of(f"Atlanteans {side}", hand="1UNC9, 1UNC4, 1CIV12"),
           may_not("1UNC9"), may_not("1UNC4"), may("1CIV12")) for side in "AB"),
    case("nor after a reshuffle: they stay one", of("Atlanteans B", discard="1UNC9"), draws(), may_not("1UNC9"),
         hand="Oracle", state=EMPIRE),
    case("and develop at every reshuffle", of("Atlanteans B", development="ATL7", has=(0, 0, 2), discard="Glory"),
         draws(develop("Myths and Legends")), development="", ending=constants.LAST_DEVELOPMENT),
    case("the palace sinks when the mountain leaves play", of("Atlanteans B", hand="ATL12", play="ATL10, ATL3"),
         play("Flood", market("Elders")), sunken="Flood, Mountain of Atlantis, Palace of Poseidon"),
)


JOURNEY = of("Utopians B", has=(0, 0, 6))
GATES = JOURNEY, solstice(), put(resource=(0, 0, 5)), solstice()


test_utopians = rows(
    case("the journey costs all progress", JOURNEY, solstice(), play_has="Path to Shangri-la", have=(0, 0, 0),
         exhausts=3),
    case("the second time it makes an empire", *GATES, play_has="Gates of Shangri-la", state=EMPIRE),
    case("the third it comes to its end", *GATES, put(resource=(0, 0, 5)), solstice(), play_has="Shangri-la",
         have=(0, 0, 0)),
    case("where a great population triggers scoring", *GATES, put(resource=(0, 0, 5)), solstice(),
         put(resource=(0, 24, 0)), solstice(), ending=constants.SHANGRI_LA),
    case("a smaller one does not", of("Utopians B", play="UTO3B", has=(0, 23, 0), power=False), solstice(),
         ending=constants.NOT_ENDING),
    case("with less than five progress the journey waits",
         of("Utopians B", has=(0, 0, 4), hand="Unrest", deck="Charity, Meditation"), solstice(),
         play_has="Visions of Shangri-la", hand="Meditation"),
    case("Shangri-la turns material into population and progress for others",
         of("Utopians B", play="UTO3B", power=False, market=""), use("Shangri-la"), have=(0, 2, 0), have1=(0, 0, 1)),
    case("that of a card too", of("Utopians B", play="UTO3B", hand="1REG3", power=False, market=""), use("Shangri-la"),
         play("1REG3"), have=(0, 4, 0), have1=(0, 0, 2)),
    case("they take unrest when their draw deck becomes empty", of("Utopians B", deck="Charity", discard="Meditation"),
         draws(), hand="Charity, Unrest"),
    case("whenever it does", of("Utopians B", deck="Charity", discard="Meditation"), draws(), draws(), draws(),
         hand="Charity, Unrest, Meditation, Unrest"),
    case("a card put on the empty deck empties it again", of("Utopians B", hand="UTO12, UTO10", discard="Charity"),
         play("Meditation"), play("Sacred Scroll", yes(0)), hand="Charity, Unrest"),
    case("the unrest of the clean-up is taken before they go on drawing",
         of("Utopians B", deck="Charity", discard="UTO13, UTO14, UTO15, UTO16"), turn(), hand_has="Charity, Unrest"),
    case("Visions cost an action for a progress", of("Utopians B", hand="Unrest", has=(0, 1, 0)), play("Unrest", yes()),
         have=(0, 0, 1), actions=1),
    case("scrolls are garrisoned for effects", of("Utopians B", play="UTO5", hand="UTO12"), use("Portals"),
         garrison="Sacred Scroll", hand="Oasis"),
    case("other cards are not", of("Utopians B", play="UTO5", hand="Unrest"), may_not("Portals")),
    case("others may return unrest for their population", of("Utopians A", hand="Unrest", hand1="Unrest"),
         solstice_of("UTO1A", yes(1)), have=(0, 1, 0), hand="Unrest", hand1=""),
)


DOUBLED = {"has": (3, 0, 0), "tokens": {1: (2, 1, 0)}}
GAMES = {"play": "OLM15, OLM3", "hand": "OLM12"}


test_other_nations = rows(
    *(case(f"the market token of {nation}", of(nation, deck="Glory", **more), turn(market("City")), tokens3=token)
      for nation, token, more in (("Carthaginians A", (1, 0, 0), {}), ("Carthaginians B", (2, 0, 0), {}),
      ("Qin A", (0, 1, 0), {}),
                                  ("Romans B", (0, 0, 1), {"nations": "Romans B, Celts B"}))),
    case("material gained with a market card is doubled", of("Carthaginians A", hand="CAR16", **DOUBLED),
         play("Advance", market("Elders"), yes()), have=(4, 1, 0)),
    case("population with the Qin", of("Qin A", hand="QIN19", **DOUBLED), play("Advance", market("Elders"), yes()),
         have=(2, 2, 0)),
    case("philosophies displace each other", of("Qin B", play="QIN16", hand="QIN15"), play("Confucianism"),
         discard="Legalism"),
    case("School of Diplomacy acquires for each region abandoned",
         of("Qin B", hand="QIN17", play="QIN18, QIN11", play1="1REG4"),
         play("School of Diplomacy", pick("QIN18"), market("Oasis")), hand="Oasis", hand1="Coast"),
    case("King Wu acquires for each progress paid",
         of("Qin B", hand="QIN8", play="QIN22", history="QIN21", has=(0, 0, 2), empire=[0]),
         play("King Wu of Qin", amount(2), market("Oasis"), market("Elders")), hand="Elders, Oasis, Unrest",
         have=(0, 0, 0)),
    case("Step Pyramids stand in for a Mask", of("Olmecs A", **GAMES),
         use("Ball Games", pick("Step Pyramids"), market("Elders")), discard="Stone Mask", exhausts=3, actions=2),
    case("not without a token", of("Olmecs A", **GAMES, exhausts=1), may_not("Ball Games")),
    case("with one they may be used", of("Olmecs A", **GAMES), may("Ball Games")),
    case("Stone Heads too", of("Olmecs A", play="OLM15, OLM7", hand="OLM12", garrison={"OLM7": "Glory"}),
         use("Ball Games", pick("Glory"), market("Elders")), discard="Glory, Stone Mask"),
    case("from the first action of a turn on", of("Olmecs A", **GAMES),
         turn(exhaust("Ball Games"), pick("Step Pyramids"), market("Elders")), hand_has="Elders"),
    case("Romans look at one more fame card for a progress", of("", nations="Romans A, Celts B", hand="ROM14",
            play="ROM11, ROM12, ROM20", fame="Triumphant, Great, Notorious, Glorious"),
         play("Glory", pick("Great"), pick("Notorious")), have=(0, 0, 1), fame="Triumphant, Notorious, Glorious"),
)

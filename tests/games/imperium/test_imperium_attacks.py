"""Unrest, attacks, and the cards that answer to what happens, on small positions."""

from sim.games.imperium.rules.constants import DISCARD_PILE, HAND, POPULATION, PROGRESS
from sim.games.imperium.rules.log import GAINED, KIND, REACTED, RETURNED_UNREST, VALUE
from tests.games.imperium.cases import Case, at, case, lay_out, play, rows, turn
from tests.games.imperium.playing import REVOLTING, amount, market, no, option, pick, pick_from, protect, yes
from tests.games.imperium.tables import NAMES, card

# fmt: off
THREE_CELTS = {"players": 3, "nations": "Celts B, Romans B, Greeks B"}


test_unrest = rows(
    case("unrest is taken in turn order and the last one ends the game at once",
         at(**THREE_CELTS, hand="CEL3", empire=[0], unrest=1, market=""), play("Celtic Innovation"), collapsed=1,
         hand1="Unrest", hand2=""),
    case("an unrest under a new market card can be the last", at(hand="ROM16", has=(3, 0, 0), unrest=1),
         play("Advance", market("Elders")), collapsed=1),
    case("unrest is returned from the named places", at(hand="1TRI4, Unrest", discard="Unrest"),
         play("Ionians", pick_from(HAND), pick_from(DISCARD_PILE)), unrest=10, history="Ionians"),
    case("all players may return unrest and each is counted",
         at(players=3, hand="OLM9, Unrest", hand1="Unrest", hand2="Unrest", nations="Olmecs B, Romans B, Celts B"),
         play("Cacao", yes(0), no(1), yes(2)), have=(0, 0, 2), unrest=10),
)


test_stealing = rows(
    case("stealing takes what there is and never progress instead",
         at(players=3, hand="MAC11", has1=(1, 0, 5), has2=(3, 0, 0), nations="Macedonians B, Romans B, Celts B"),
         play("Uxians"), have=(3, 0, 0), have1=(0, 0, 5), have2=(1, 0, 0)),
    case("who cannot give the full number takes unrest", at(players=3, hand="1FAM3", has2=(0, 0, 1)), play("Notorious"),
         hand1="Unrest", hand2="", have=(0, 0, 1)),
    case("Cattle Raid steals from those with a region and from empires",
         at(**THREE_CELTS, hand="CEL19", play1="1REG4", empire=[2], has1=(1, 0, 1), has2=(1, 0, 1)),
         play("Cattle Raid"), have=(3, 0, 1), have1=(0, 0, 1), have2=(1, 0, 0)),
)


GREEK = at(hand="GRE15", nations="Greeks B, Romans B", deck="Glory")
"""Greek Mercenaries: 2 material stolen from each other player, who gains a population."""
KEEPS = {"rules": {"avoiding_loses_benefits": False}}
ARCHERS = {"play1": "SCY20"}


def attacked(name: str, shield: str, has1: tuple[int, int, int], *wishes: object, **more: object) -> Case:
    """A case of an attack by the Greeks on seat 1 with a card in play."""
    laid = {key: more.pop(key) for key in ("nations", "exhausts1", "rules") if key in more}
    return case(name, GREEK | {"play1": shield, "has1": has1} | laid, play("Greek Mercenaries", *wishes), **more)


test_attacks = rows(
    *(case(f"{NAMES[card(shield)]} avoids an attack with all it does and gives",
           GREEK | {"play1": shield, "has1": (3, 0, 0)},
           play("Greek Mercenaries", protect(NAMES[card(shield)])), have=(0, 0, 1), have1=(3, 0, 0),
           exhausted={shield: 1}, exhausts1=4)
      for shield in ("SCY20", "2TRI2")),
    *(attacked(f"with {NAMES[card(shield)]} what it gives is kept by a setting", shield, (3, 0, 0),
               protect(NAMES[card(shield)]), **KEEPS, have1=(3, 1, 0))
      for shield in ("SCY20", "2TRI2")),
    attacked("an attack may be let through", "SCY20", (3, 0, 0), protect(None), have=(2, 0, 1), have1=(1, 1, 0)),
    attacked("without a token it must be", "SCY20", (3, 0, 0), exhausts1=0, have1=(1, 1, 0)),
    attacked("a Fortified Region needs a population", "2REG12", (2, 1, 0), protect("Fortified Region"),
             have1=(2, 0, 0)),
    attacked("which must be there", "2REG12", (2, 0, 0), have1=(0, 1, 0)),
    case("a Daochang takes a progress for it",
         GREEK | {"nations": "Greeks B, Utopians B", "play1": "UTO6", "has1": (2, 0, 1)},
         play("Greek Mercenaries", protect("Daochang")), have1=(2, 0, 0), exhausts1=3),
    *(attacked(f"a {name} is recalled", f"{name}, Coast", (2, 0, 0), protect(name), hand1=name, play1="Coast",
               have1=(2, 0, 0))
      for name in ("Wilderness", "Cape")),
    attacked("Long Walls recall any Long Walls", "QIN3, QIN4", (2, 0, 0), protect("Long Walls II"),
             pick("Long Walls III"), nations="Greeks B, Qin B", hand1="Long Walls III"),
    case("a Standing Army ignores attacks", GREEK | {"play1": "1UNC1, SCY20", "has1": (2, 0, 0)},
         play("Greek Mercenaries"), have1=(2, 0, 0), exhausts1=5),
    case("in an attack on all players the player of the card is never spared", at(hand="1CIV4", **ARCHERS, empire=[0]),
         play("Corruption", protect("Mounted Archers")), have=(2, 0, 1), have1=(0, 0, 0), hand1=""),
    case("an avoider is given no card", at(hand="1CIV11, Glory", **ARCHERS, empire=[0]),
         play("Exports", protect("Mounted Archers")), hand="Glory", hand1=""),
    case("a card without the attack icon cannot be avoided", at(hand="CEL2", **ARCHERS, nations="Celts B, Romans B"),
         play("Celtic Gold"), have1=(1, 0, 0)),
)


RIDERS = {"play": "MAC5", "market": "", "nations": "Macedonians B, Romans B"}
BEFORE = {"rules": {"play_trigger_timing": "before"}}
WONDER = at(play="1CIV9", hand="Unrest", empire=[0])
EGYPT = at(play="EGY4", hand="1CIV13, Glory", empire=[0], nations="Egyptians B, Celts B")


test_reactions_and_passives = rows(
    # Coast draws Conquer and garrisons it before the cavalry draws.
    case("a reaction to a played region comes after its effects", at(**RIDERS, hand="1REG4", deck="Glory, Conquer"),
         play("Coast", yes(), pick("Conquer")), garrison="Conquer", hand="Glory", exhausts=4, exhausted={"MAC5": 1}),
    case("or before them by a setting", at(**RIDERS, **BEFORE, hand="1REG4", deck="Glory, Conquer"),
         play("Coast", yes(), pick("Conquer")), garrison="Conquer"),
    case("a card drawn after a region's effects is not garrisoned", at(**RIDERS, hand="1REG10", deck="Conquer"),
         play("Steppe", willing=True), hand="Conquer", garrison=""),
    case("one drawn before is", at(**RIDERS, **BEFORE, hand="1REG10", deck="Conquer"), play("Steppe", willing=True),
         garrison="Conquer"),
    case("Wonder answers to unrest being returned", WONDER | {"has": (0, 1, 0)}, play("Unrest", yes()), have=(0, 0, 2)),
    case("but not in a revolt", WONDER, turn(REVOLTING, amount(1)), have=(0, 0, 0)),
    case("nor in the turn of another", at(hand="1TRI4, Unrest", play1="1CIV9"), play("Ionians", pick_from(HAND)),
         have1=(0, 0, 0)),
    case("a passive answers to an attack being played", at(hand="CEL18", play="CEL4", nations="Celts B, Romans B"),
         play("Boudicca"), have=(0, 0, 2)),
    case("a reaction to acquiring does not answer to breaking through",
         at(play="2CIV7", hand="ROM17, ROM18", has=(0, 2, 0), main="Wonder, Temple"), play("Conquer", yes()),
         have=(0, 0, 1)),
    case("acquire and break through are two things", at(play="2CIV7", hand="1TRI11", has=(0, 2, 0)),
         play("Hittites", market("Oasis")), have=(0, 2, 0)),
    case("Embalming answers to population paid", EGYPT | {"has": (0, 1, 0)}, play("Mercenaries", pick("Glory")),
         history="Glory"),
    case("but not to progress in its place", EGYPT | {"has": (0, 0, 1)}, play("Mercenaries", willing=True), history=""),
    # The other player pays a population to avoid an attack.
    case("passives answer in the turn of another",
         GREEK | {"nations": "Greeks B, Egyptians B", "play1": "EGY4, 2REG12", "has1": (2, 1, 0)},
         play("Greek Mercenaries", protect("Fortified Region")), have1=(2, 0, 0)),
)
# fmt: on


def test_a_reaction_to_what_is_paid_comes_before_what_is_got_for_it() -> None:
    # Druids: return an unrest from the hand to gain a population; Wonder gains progress for the unrest.
    g, t = lay_out(at(play="1CIV9", empire=[0], nations="Celts A, Romans B", hand="Druids, Unrest"))
    g.log.keeps_rows = 1
    play("Druids", option(1), yes())(g, t)
    rows = g.log.rows[: g.log.row_count]
    happened = [(row[KIND], row[VALUE]) for row in rows if row[KIND] in (RETURNED_UNREST, REACTED, GAINED)]
    assert happened == [(RETURNED_UNREST, 0), (REACTED, 0), (GAINED, PROGRESS), (GAINED, POPULATION)]

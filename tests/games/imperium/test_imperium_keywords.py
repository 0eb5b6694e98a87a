"""The keywords of the rulebook, one by one, on small positions."""

from sim.games.imperium.rules import constants
from sim.games.imperium.rules.turns import clean_up
from tests.games.imperium import playing
from tests.games.imperium.cases import at, case, may, may_not, play, put, rows, solstice, solstice_of, use
from tests.games.imperium.playing import (
    amount,
    exiled,
    market,
    no,
    option,
    pick,
    progress_for,
    revealed,
    scripted,
    top_of,
    yes,
)
from tests.games.imperium.tables import T, card, cards_in, table

# fmt: off
ANY_UNREST = {"unpayable_cost_forbids_play": "none"}
ALL_COSTS = {"unpayable_cost_forbids_play": "all"}
BOTH_STATES = at(hand="ROM17, 1CIV6", has=(0, 3, 0))


test_playing = rows(
    case("a played card costs an action, works and is discarded", at(hand="1TRI8"), play("1TRI8"), have=(4, 0, 0),
         discard="Aksumites", actions=2),
    case("a pinned card stays in play", at(hand="1REG2", market=""), play("1REG2"), play_has="Jungle"),
    case("a free play needs no action", at(hand="1REG2, 1TRI2", market=""), play("1REG2"), put(actions=0),
         play("1TRI2"), have=(0, 2, 0), actions=0),
    case("a state icon needs that side: barbarian", BOTH_STATES, may("ROM17"), may_not("1CIV6")),
    case("a state icon needs that side: empire", BOTH_STATES | {"empire": [0]}, may_not("ROM17"), may("1CIV6")),
    case("unless a passive ignores it", at(hand="ROM17", play="Legions", empire=[0], has=(0, 3, 0)), may("ROM17")),
    case("what cannot be paid for is not played, but other costs leave out their sentence",
         at(hand="1UNC20, ROM14", has=(2, 5, 0)), may_not("Diplomacy"), may("Glory"), play("Glory"), discard="Glory"),
    case("all costs must be paid by a setting", at(hand="ROM14", has=(2, 5, 0), rules=ALL_COSTS), may_not("Glory")),
    case("or none", at(hand="1UNC20", has=(2, 5, 0), rules=ANY_UNREST), may("Diplomacy")),
    case("of a cost of tokens and cards only the tokens must be there",
         at(hand="VIK21", nations="Vikings B, Greeks B", has=(0, 1, 0)), may("VIK21")),
    case("unless all must", at(hand="VIK21", nations="Vikings B, Greeks B", has=(0, 1, 0), rules=ALL_COSTS),
         may_not("VIK21")),
    case("the tokens must", at(hand="VIK21", nations="Vikings B, Greeks B"), may_not("VIK21")),
    case("unrest goes back for a population", at(hand="Unrest", has=(0, 1, 0)), play("Unrest"), have=(0, 0, 0),
         unrest=9, discard=""),
    case("or two other cards", at(hand="Unrest, Glory, Conquer"), play("Unrest", pick("Glory")),
         discard="Conquer, Glory", unrest=9),
    case("or three material", at(hand="Unrest", has=(3, 0, 0)), play("Unrest"), have=(0, 0, 0), unrest=9),
    case("it is not played without paying", at(hand="Unrest, Glory", has=(2, 0, 0)), may_not("Unrest")),
    case("whatever the setting", at(hand="Unrest, Glory", has=(2, 0, 0), rules=ANY_UNREST), may_not("Unrest")),
    case("and does not pay for itself", at(hand="Unrest, Glory", play="EGY9"), play("Unrest"), discard="Glory"),
    # Olympic Games draws two cards: the reshuffle passes by the card itself.
    case("a played card is in neither hand nor discard pile while it works", at(hand="GRE2", discard="Glory"),
         play("Olympic Games"), history="Glory", discard="Olympic Games"),
)


DIPLOMACY = at(hand="1UNC20", has=(2, 0, 3), main="Armenians, Hills")


test_paying = rows(
    case("progress stands in for two material", DIPLOMACY, play("Diplomacy", progress_for(2)), have=(2, 0, 1),
         hand="Armenians"),
    case("without change", DIPLOMACY, play("Diplomacy", progress_for(1)), have=(1, 0, 2)),
    case("progress needed for the second payment of a cost is kept",
         at(hand="VIK22", has=(0, 1, 1), nations="Vikings A, Romans B"), play("Jomsviking"), have=(0, 0, 0),
         hand_has="Oasis"),
    case("nothing stands in for progress", at(play="CEL20", has=(9, 9, 0)), may_not("Cauldron of Cerridwen")),
)


THREE = at(hand="ROM16", has=(3, 0, 0))
FIVE = at(hand="ROM16", has=(5, 0, 0))
POOR = at(hand="1UNC20", has=(3, 0, 0), main="Hills, Wonder")
VARIABLE = "Hills, 1UNC9, Armenians"
GAMBLE = at(hand="1UNC18", has=(1, 0, 0), main="Hills, Armenians")


test_acquire_and_break_through = rows(
    case("acquire takes a market card with its tokens and its unrest", THREE | {"tokens": {1: (1, 2, 3)}},
         play("Advance", market("Elders")), hand="Elders, Unrest", have=(1, 2, 3), slot1="Shrine", under1=True,
         unrest=7, unrest_taken=1),
    case("a slot is refilled from the main deck when its own is empty",
         at(hand="ROM17, ROM21", has=(0, 4, 0), regions="", main="Hills"), play("Conquer", option(0)), slot="Hills",
         ending=constants.MAIN_DECK_EMPTY),
    case("and stays empty after that", at(hand="ROM17, ROM21", has=(0, 4, 0), regions="", main="Hills"),
         play("Conquer", option(0)), play("Roman Expansion"), slot=None),
    case("acquiring a region brings no unrest", at(hand="ROM17", has=(0, 2, 0)), play("Conquer"), hand="Oasis",
         unrest=8),
    # One back to the pile, one under the new card.
    case("break through puts the unrest of a market card back", FIVE, play("Advance", option(1), market("Elders")),
         hand="Elders", unrest=8),
    case("and gains its tokens", FIVE | {"tokens": {1: (0, 1, 2)}}, play("Advance", option(1), market("Elders")),
         hand="Elders", have=(0, 1, 2)),
    case("it takes the top card of a small deck unseen", FIVE, play("Advance", option(1), top_of("civilised")),
         hand="Coinage", slot2="Education"),
    case("it reveals the main deck for a tributary", at(hand="ROM17", has=(0, 3, 0), main="Armenians, Hills, Elders"),
         play("Conquer", option(1), revealed("tributary")), hand="Armenians", main="Elders, Hills"),
    case("or for a suit whose deck is empty", at(hand="ROM18", uncivilised="", main="2UNC6, Hills", market="Oasis"),
         play("Triumvirate"), hand="Monument", history="Triumvirate"),
    case("one that finds nothing gives two progress", POOR, play("Diplomacy"), have=(0, 0, 2), main="Hills, Wonder"),
    case("or two material by a setting", POOR | {"rules": {"break_through_fallback": "material"}}, play("Diplomacy"),
         have=(2, 0, 0)),
    case("Acclaimed takes a variable card of the market only", at(hand="2FAM8", main=VARIABLE, market="Oasis, 1UNC12"),
         play("Acclaimed", market("Shaduf")), hand="Shaduf", history="Acclaimed"),
    case("or of the main deck", at(hand="2FAM8", main=VARIABLE, market="Oasis"), play("Acclaimed"), hand="Oracle"),
    case("a card of two suits is both", at(hand="2TRI4", market="Oasis, Elders, -, City, -"), play("Phoenicians"),
         hand_has="City"),
    case("an exiled region brings no unrest",
         at(hand="MAC6", exile="Coast", history="MAC2", empire=[0], nations="Macedonians B, Celts B"),
         play("Alexander the Great", exiled("Coast"), market("Oasis")), hand="Coast, Oasis"),
    case("another exiled card does", at(hand="2FAM1", exile="Aksumites"), play("Imperial", exiled("Aksumites")),
         hand="Aksumites, Unrest"),
    case("any exiled card can be meant, even one without a suit",
         at(hand="ART3", exile="VIK12", nations="Arthurians A, Romans B"), play("Graal", exiled("Rollo the Walker")),
         hand="Rollo the Walker"),
    case("a market card must hold the token that Caravans want",
         at(play="CAR10", hand="Glory", has=(3, 0, 0), nations="Carthaginians B, Romans B", tokens={2: (2, 0, 0)}),
         use("Caravans"), hand="Education, Unrest", have=(2, 0, 0)),
    case("several acquisitions come one by one with newly dealt cards", at(hand="2TRI10"), play("Macedonians"),
         hand="Forest, Oasis"),
    case("the acquired card may be a free play", at(hand="CAR18", nations="Carthaginians B, Romans B", market="1REG2"),
         play("Dido, Queen of Carthage", willing=True), play_has="Jungle", have=(0, 2, 0), cards_played=2),
    case("gambling takes a card of the named suit", GAMBLE, play("Gambling", revealed("tributary")), hand="Armenians",
         unrest=8),
    case("and exiles another", GAMBLE, play("Gambling", revealed("region")), exile="Armenians"),
    case("for a material", at(hand="1UNC18"), may_not("Gambling")),
)


test_exile_swap_and_history = rows(
    case("a market card without tokens is exiled and the slot refilled", at(hand="1REG6", tokens={0: (0, 0, 1)}),
         play("1REG6", market("Elders")), exile="Elders", slot1="Shrine", unrest=8),
    case("with tokens none is", at(hand="1REG6", tokens=dict.fromkeys(range(5), 1)), play("1REG6"), exile=""),
    case("a swap leaves the tokens and gives the new card its own unrest",
         at(play="GRE9", exile="Armenians", empire=[0], nations="Greeks B, Romans B", tokens={0: (0, 2, 0)}),
         use("Lighthouse", market("Oasis")), slot="Armenians", tokens=(0, 2, 0), under=True, unrest=7, exile="Oasis"),
    case("a card may put itself into history", at(hand="Great"), play("Great", yes()), history="Great"),
    case("or not", at(hand="Great"), play("Great", no()), discard="Great", history=""),
)


UNDER = {"1REG4": "Glory"}


test_abandon_recall_and_garrison = rows(
    case("abandoned cards are discarded with their garrison",
         at(hand="2TRI5", play="1REG4, 1UNC7", garrison=UNDER, fame="Great"), play("2TRI5"), discard="Coast, Glory",
         garrison="", hand="Great", exile="Romans", have1=(0, 0, 1)),
    case("recalled cards go to the hand with it and without tokens",
         at(play="1UNC11, 1REG12", garrison={"1REG12": "Glory"}, exhausted={"1REG12": 1}), use("Boats"),
         hand="Cape, Glory", exhausted={"1REG12": 0}, have=(2, 1, 0)),
    case("a hand card is garrisoned, unrest too", at(hand="1REG10, ROM14, Unrest, 1FAM6", market=""),
         play("1REG10", pick("Unrest")), garrison="Unrest"),
    case("but none that may not be", at(hand="1REG10, ROM14, 1FAM6", market=""), play("1REG10", willing=True),
         garrison=""),
    case("a garrisoned card is not in play", at(play="1REG4", garrison={"1REG4": "1CIV10, 1REG10"}, hand="SCY14"),
         solstice(), play("SCY14"), have=(1, 0, 0)),
    case("a card garrisons itself and its host is resolved again",
         at(hand="1CIV15", play="1REG2", play1="1REG4, 1REG5", empire=[0]),
         play("Cataphract", pick("1REG2"), pick("1REG5", seat=1)), garrison="Cataphract", have=(0, 1, 0),
         discard1="Floodplain"),
)


TREE = at(play="Tree of Knowledge", deck="Glory", nations="Utopians B, Romans B")
INDIAN = at(hand="MAU18", nations="Mauryans B, Romans B", market="")


test_choose_find_draw_and_give = rows(
    # Mysticism: an unrest, or two cards discarded.
    case("an option that would do nothing is not open", at(play="1UNC8"), solstice_of("Mysticism"), hand="Unrest"),
    case("one that does something is", at(play="1UNC8", hand="Glory"), solstice_of("Mysticism", option(1)),
         discard="Glory"),
    case("one that cannot be paid for is not", at(play="2UNC8", has=(2, 9, 0)), solstice_of("Religion"), hand="Unrest"),
    case("an empty option is not", TREE, solstice_of("Tree of Knowledge"), hand="Glory"),
    case("but by the setting", TREE | {"rules": {"empty_option_allowed": True}},
         solstice_of("Tree of Knowledge", option(0)), play="Tree of Knowledge", hand=""),
    case("nothing can be drawn from nowhere, so a Monastery is abandoned",
         at(play="Monastery", nations="Utopians B, Romans B"), solstice_of("Monastery"), discard="Monastery"),
    case("history is out of play", at(hand="1CIV2, Glory", discard="Conquer", empire=[0]),
         play("Education", pick("Glory"), pick("Conquer")), history="Conquer, Glory"),
    case("find takes an exact card from the first place that has it",
         INDIAN | {"discard": "MAU12", "deck": "MAU13, Glory, Prosperity"}, play("Chandragupta"),
         deck="Indian Elephants, Glory, Prosperity", discard_has="Indian Elephants"),
    case("find looks into the nation deck last and shuffles it above the accession card",
         INDIAN | {"nation": "Glory, MAU12, MAU13"}, play("Chandragupta"), discard="Indian Elephants",
         nation="Glory, Indian Elephants"),
    case("find by kind looks everywhere", at(hand="VIK21", play="Scandinavia", deck="Vinland",
            nation="Harald Hardrada, Iceland", has=(0, 1, 0), nations="Vikings B, Romans B"),
         play("Erik the Red", pick("Iceland")), hand="Iceland", exile="Erik the Red"),
    case("of drawn cards looked at one is discarded", at(hand="1UNC9, Glory", deck="Conquer, Advance"),
         play("Oracle", pick("Conquer")), hand="Advance, Glory"),
    case("draw if able never reshuffles", at(hand="1UNC2", deck="Conquer", discard="Advance"),
         play("Jade Mask", amount(3)), discard="Advance, Jade Mask", deck="Conquer"),
    case("what was drawn is spoken of", at(hand="1FAM4", deck="Conquer"), play("Marvellous", option(2)),
         history="Conquer"),
    case("for each discarded unrest", at(play="MAU9", hand="Unrest, Unrest, Glory", nations="Mauryans B, Romans B"),
         solstice_of("Arthashastra", pick("Unrest"), pick("Unrest"), option(1), option(1)), have=(0, 0, 2),
         discard="Unrest, Unrest"),
    case("given cards go to the hands of the others, Masks bring unrest",
         at(players=3, hand="OLM5, OLM12", discard="Prosperity", empire=[0], nations="Olmecs B, Romans B, Greeks B"),
         play("Olmec Traders", pick("Stone Mask")), hand1="Stone Mask, Unrest", hand2="Prosperity", have=(3, 0, 0)),
)


ICONS = at(hand="ROM15", play="1REG10, 1REG4")
ROAD = "Mauryans B, Romans B"
DOMESTIC = at(hand="SCY14", play="2UNC10, 1REG4")


test_icons = rows(
    case("production is counted", ICONS, play("Prosperity", option(0)), have=(3, 0, 0)),
    case("regions are counted", ICONS, play("Prosperity", option(1)), have=(0, 2, 0)),
    case("all players may draw", at(hand="ROM15", play="1REG10", deck="Glory", deck1="Conquer"),
         play("Prosperity", no(0), yes(1)), hand="", hand1="Conquer"),
    case("Grand Trunk Road is two regions", at(hand="MAU22", play="MAU4, 1REG4", nations=ROAD),
         play("Prosperity", option(1)), have=(0, 3, 0)),
    case("and is abandoned as two", at(hand="MAU2", play="MAU4, 1REG4", nations=ROAD, fame="Great"),
         play("Glory", pick("Grand Trunk Road")), hand="Great", discard="Coast, Glory, Grand Trunk Road"),
    case("an icon treated as three production is no longer what it was",
         at(hand="SCY14, CEL2", play="1UNC10, 1REG4", nations="Celts B, Romans B", deck="Glory"), use("Agriculture"),
         play("SCY14"), play("Celtic Gold"), have=(4, 0, 0)),
    case("until the card leaves play", at(play="1UNC10, 1REG4, 2UNC11"), use("Agriculture"), use("Water Mill"),
         hand="Coast", treated=False),
    case("Domestication answers to material from a fertile card once per exhaust", DOMESTIC,
         play("SCY14", no(0), no(1), yes()), have=(1, 0, 1)),
    case("and to no other", DOMESTIC | {"play": "2UNC10, 1REG5"}, play("SCY14"), have=(1, 0, 0)),
    case("Shaduf answers to material of a river card", at(play="1UNC12, 1UNC11, 1REG5"), use("Boats", yes()),
         have=(2, 1, 1)),
    case("by its own effect", at(hand="1REG9", play="1UNC12", market=""), play("1REG9", yes(0)), have=(2, 0, 1)),
    case("and only if it is there", at(hand="1REG9", market=""), play("1REG9"), have=(2, 0, 0)),
    case("not to material that Shangri-la replaces",
         at(play="UTO3B, 1UNC12, 1UNC19, 1REG9", nations="Utopians A, Romans B"), use("Port"), have=(0, 2, 0)),
    case("regions that others lose are no source of material",
         at(hand="1CIV15", play="2UNC10", play1="1REG4", empire=[0], tokens={0: (1, 0, 0)}),
         play("Cataphract", market("Oasis")), have=(1, 0, 0)),
    case("Ambassador uses the ability of another's pinned card as its own",
         at(play="1UNC14", play1="1UNC6", has=(1, 0, 0), has1=(1, 0, 0), deck="Glory", exhausted={"1UNC6": 1}),
         use("Ambassador"), hand="Glory", have=(0, 0, 0), have1=(1, 0, 0), exhausted={"1UNC14": 1}),
)
# fmt: on


def test_what_is_garrisoned_knows_its_host() -> None:
    g = table(hand={0: ["1REG10", "ROM14", "Unrest"]}, market=())
    playing.play(g, "1REG10", pick("Unrest"))
    assert g.host[cards_in(g, 0, constants.GARRISON)[0]] == card("1REG10")


def test_a_treated_icon_is_forgotten_at_the_end_of_the_turn() -> None:
    g = table(play={0: ["1UNC10", "1REG4"]})
    playing.use(g, "Agriculture")
    assert g.treated.any()
    g.activating = 0
    clean_up(g, T, scripted())
    assert not g.treated.any()

"""Actions and free steps on small positions."""

from tests.games.imperial_settlers.cases import (
    Case,
    barbarians,
    build,
    case,
    check,
    deal,
    egyptians,
    exchange,
    japanese,
    move,
    on,
    passes,
    raze,
    romans,
    rows,
    use,
)

# fmt: off
TOWN = on(romans("3 wood 3 stone 3 food", "Town"))
BANK = on(romans("1 stone", "Roman Bank", "Mill, Builder", foundations=1))
ROYAL = on(egyptians("1 stone", "Royal Bath", "Slaver, Canteen, Ruins"))
GREYS = "Quarry, Quarry, COM010, Rubble, Coal Mine, Mason, Stonecutter"
BATH = {"discard": "Ruins"}
TWO = on(romans("1 wood 1 stone", "Stonecutter", "Headquarters, Headquarters"))
VP = {"choices": {"Headquarters": {"take": "vp"}}}


@rows(
    case("a location is paid and lies last", on(romans("2 wood 1 stone", "Town", "Mill")), build("Town"),
         goods="1 wood 2 worker", at="Mill, Town", hand="", to_move=1),
    case("gold stands for resources", on(romans("2 gold", "Town")), build("Town"), goods="2 worker"),
    case("and resources do not for gold", on(romans("3 wood 1 worker", at="Goldsmith's Workshop")),
         use("Goldsmith's Workshop"), no=0),
    case("gold is paid only for what is missing", on(romans("1 wood 1 stone 2 gold", "Town")), build("Town"),
         goods="2 gold 2 worker"),
    case("unless said", on(romans("1 wood 1 stone 2 gold", "Town")), build("Town", pay="2 gold"),
         goods="1 wood 1 stone 2 worker"),
    *(case(f"a payment of {paid} is not the price", TOWN, build("Town", pay=paid), no=0,
           goods="3 wood 3 stone 3 food", to_move=0, hand="Town")
      for paid in ("2 wood", "1 wood 2 stone", "1 stone 1 food", "1 wood")),
    case("a location is discarded", BANK, build("Roman Bank", discard="Mill"), at="Builder, Roman Bank", foundations=1,
         goods="1 gold"),
    case("or a foundation", BANK, build("Roman Bank", discard="foundation"), at="Mill, Builder, Roman Bank",
         foundations=0, goods="1 gold"),
    case("which is said", BANK, build("Roman Bank"),
         says="Roman Bank: what is discarded is not given, and there are several ways: Mill, Builder, foundation"),
    case("of two of one name, too", on(romans("1 stone", "Roman Bank", "Castle, Mill, Castle")),
         build("Roman Bank", discard="Castle#2"), at="Castle, Mill, Roman Bank"),
    case("though nothing lies on them", on(romans("1 stone", "Roman Bank", "Castle, Castle")), build("Roman Bank"),
         says="several ways: Castle, Castle#2"),
    case("the only location is given up unsaid", on(romans("1 stone", "Roman Bank", "Mill")), build("Roman Bank"),
         at="Roman Bank", dropped="Mill"),
    case("without a location none is built on", on(romans("1 stone 3 gold", "Roman Bank")), build("Roman Bank"),
         says="Roman Bank costs a location, and there is none to discard, nor a foundation", cannot="build"),
    case("all on a location given up is lost",
         on(romans("1 stone", "Roman Bank", "Castle: used 1 defence goods 1 worker")), build("Roman Bank"),
         goods="1 gold", on=""),
    case("what lay under a Gate is lost with it",
         on(japanese("1 wood 1 stone", "Stalls", "Gate: tucked 3, Shrine: banked 3 wood")),
         build("Stalls", discard="Gate"), track=0, common=0, faction=4, cards=2, total=6, rank=1, discard="Gate"),
    case("and what lay on a Shrine", on(japanese("1 wood 1 stone", "Stalls", "Gate: tucked 3, Shrine: banked 3 wood")),
         build("Stalls", discard="Shrine"), cards=2, goods="1 stone"),
    case("two copies may stand and are told apart by number", on(romans("1 wood 1 stone 2 worker", "Castle", "Castle")),
         build("Castle"), passes(1), use("Castle#2"), at="Castle, Castle", on="Castle#2: used 1 goods 1 worker"),
    case("a print has its own cost", on(romans("1 wood 1 stone", "COM048")), build("Castle"), no=0),
    case("which is paid", on(romans("2 stone", "COM048")), build("Castle"), goods=""),
    case("free locations take the action", on(romans(hand="Ruins")), build("Ruins", pay=""), goods="1 worker",
         to_move=1),
    case("and are told as free", on(egyptians(hand="Desert, Ruins", deck="")),
         can={"build": {"Desert": {}, "Ruins": {}}}),
    case("a feature answers to itself and to every copy", on(romans("1 wood 2 stone", "Supplier", "Headquarters")),
         build("Supplier", **VP), goods="1 gold", vp=2),
    case("its decision is to be said", on(romans("1 wood 2 stone", "Supplier", "Headquarters")), build("Supplier"),
         no=0),
    case("a feature with a choice answers to itself", on(romans("2 stone", "Headquarters", foundations=1)),
         build("Headquarters", discard="foundation", take="gold"), goods="1 gold", foundations=0),
    *(case(f"decisions of the one that is left, without {given_up}", TWO, build("Stonecutter", discard=given_up, **VP),
           vp=1, goods="2 stone") for given_up in ("Headquarters", "Headquarters#2")),
    case("a Trade Colony answers to all its colours",
         on(romans("1 wood 2 stone", "Trade Colony", "Supplier, Carpenter's Workshop, Mill, Canteen, Ruins")),
         build("Trade Colony", **BATH), goods="1 worker 4 gold", vp=3),
    case("a Slaver may be paid with what the building gives", ROYAL,
         build("Royal Bath", **BATH, choices={"Slaver": {"pay": {"gold": 1}}}), goods="", vp=3),
    case("or not", ROYAL, build("Royal Bath", **BATH), goods="1 gold", vp=1),
    case("counts include the new card and stop at the cap", on(romans("1 wood 2 stone", "Statue", GREYS)),
         build("Statue", draw="faction"), vp=6, hand="Legion"),
    case("counts below the cap", on(romans("1 wood 2 stone", "Statue", "Quarry, Quarry")), build("Statue"), vp=3),
    case("bonuses come before what others give", on(romans("2 wood 1 stone", "Rubble", "Statue, Supplier, Coal Mine")),
         build("Rubble"), goods="3 stone 1 gold", vp=1),
    case("a card that is not in the hand", on(romans("2 wood 2 stone", "Ruins")), build("Mill"),
         says="Mill is not in the hand"),
    case("a resource is missing", on(romans("1 wood", "Town")), build("Town"),
         says="not enough goods: 1 stone is missing"),
    case("two are missing", on(romans("1 gold", "Baker")), build("Baker"),
         says="not enough goods: 1 wood, 1 stone are missing"),
    case("what is discarded lies elsewhere", on(romans("1 food", "Legion", "Mill, Town", deck="")),
         build("Legion", discard="Baker"), says="Baker is no location that can be discarded"),
    case("there is no foundation", on(romans("1 food", "Legion", "Mill, Town", deck="")),
         build("Legion", discard="foundation"), says="there is no foundation to discard"),
    case("a card that costs no location", on(romans("1 wood", "Village", "Mill")), build("Village", discard="Mill"),
         says="Village costs no location", modelled=False),
    case("the price is told", on(romans("1 wood 1 stone", "Village")), build("Village", pay="1 stone"),
         says="the move: the price is 1 wood"),
    case("more than the price", on(romans("1 wood 1 gold", "Village")), build("Village", pay="1 wood 1 gold"),
         says="Village cannot be paid with 1 wood, 1 gold"),
    case("costs of the rulebook", on(barbarians("3 wood 3 stone", "Wood Storage, Dark Chapel", foundations=1)),
         can={"build": {"Wood Storage": {"wood": 2, "stone": 1},
            "Dark Chapel": {"wood": 1, "stone": 2, "location": 1}}}),
    case("a Sentry Tower is built for a Mill", on(barbarians("2 wood", "Sentry Tower", "Mill")),
         build("Sentry Tower", pay="2 wood", discard="Mill"), goods="1 raze 1 worker", at="Sentry Tower",
         dropped="Mill"),
)
def test_building(case: Case) -> None:
    check(case)


@rows(
    case("a deal costs a food and gives its good at once", on(romans("1 food 1 gold", "Builder")), deal("Builder"),
         goods="1 gold 1 stone", deals="Builder", hand="", makes="2 worker 1 wood 2 stone 1 raze 1 defence"),
    case("or a gold", on(romans("1 food 1 gold", "Builder")), deal("Builder", pay="1 gold"), goods="1 food 1 stone"),
    case("a gold for want of a food", on(romans("2 wood 2 gold", "Spies")), deal("Spies", draw="common"),
         goods="2 wood 1 gold", hand="Watchtower"),
    case("common cards make no deals", on(romans("1 food", "Town")), deal("Town"), says="Town has no deal field",
         cannot="deal"),
    *(case(f"a deal may give a card of the {deck} deck", on(romans("1 food", "Architect")),
           deal("Architect", draw=deck), hand=card)
      for deck, card in (("common", "Watchtower"), ("faction", "Legion"))),
    case("without a food", on(romans(hand="Spies")), deal("Spies"), says="not enough goods: 1 food is missing"),
)
def test_deals(case: Case) -> None:
    check(case)


ARMORER = "Armorer, Tavern: defence"
PASSED = on(barbarians("2 raze 1 worker", at="Saboteurs"), romans("2 wood", at="Armorer", passed=True))


@rows(
    case("a hand card takes a token and is discarded", on(romans("1 raze", "Wood Storage")), raze(card="Wood Storage"),
         goods="2 wood", dropped="Wood Storage", foundations1=0),
    case("faction cards are razed by the Japanese", on(japanese("1 raze", "Farm")), raze(card="Farm"), vp=1,
         discard="Farm"),
    case("and by nobody else", on(romans("1 raze", "Builder, Ruins", deck="")), raze(card="Builder"),
         raze(card="Ruins"), no=(0, 1), says="Ruins cannot be razed"),
    case("a hand card needs a token", on(romans(hand="Mill")), raze(card="Mill"),
         says="not enough goods: 1 raze is missing"),
    case("a location needs two", on(romans("1 raze"), barbarians(at="Armorer")), raze(target=1, at="Armorer"), no=0,
         cannot="raze"),
    case("and becomes a foundation", on(romans("2 raze"), barbarians(at="Armorer")), raze(target=1, at="Armorer"),
         goods="1 stone", vp=1, goods1="1 wood", foundations1=1, at1=""),
    case("a defended one needs three", on(romans("2 raze"), barbarians(at="Armorer: defence")),
         raze(target=1, at="Armorer"), says="not enough goods: 1 raze is missing", cannot="raze"),
    case("with three it falls", on(romans("3 raze"), barbarians(at="Armorer: defence")), raze(target=1, at="Armorer"),
         goods="1 stone", vp=1, goods1="1 wood", foundations1=1, at1=""),
    case("tokens are told", on(barbarians("3 raze"), romans(at=f"{ARMORER}, Legion")),
         can={"raze": {"1": {"Armorer": 2, "Tavern": 3}}}),
    case("cards of a raze field are drawn", on(barbarians("3 raze"), romans(at=ARMORER)),
         raze(target=1, at="Tavern", draw="common, faction"), hand="Settlement, Watchtower", goods1="1 wood"),
    case("a Japanese location is discarded with its samurai", on(romans("3 raze"), japanese(at="Farm: samurai")),
         raze(target=1, at="Farm"), vp=1, goods="", goods1="", foundations1=0, discard1="Farm"),
    *(case(f"{name} is never razed", on(romans("5 raze"), seat(at=f"{name}, Ruins")), raze(target=1, at=name),
           raze(target=1, at="Ruins"), no=(0, 1), cannot="raze")
      for seat, name in ((japanese, "Gate"), (japanese, "Shrine"), (egyptians, "Sphinx"))),
    case("and says so", on(romans("5 raze"), japanese(at="Gate")), raze(target=1, at="Gate"),
         says="Gate cannot be razed"),
    case("Ruins are not razed from the hand", on(barbarians("5 raze", "Ruins"), romans(at="Ruins")), raze(card="Ruins"),
         says="Ruins cannot be razed", cannot="raze raze_hand"),
    case("who has passed is not razed", PASSED, raze(target=1, at="Armorer"), says="seat 1 has passed",
         cannot="activate raze"),
    case("nor robbed", PASSED, use("Saboteurs", target=1, take="wood"), no=0),
    case("own locations are not razed", on(romans("2 raze", at="Armorer")), raze(target=0, at="Armorer"),
         says="own locations are not razed by the action"),
    case("a location that is not there", on(romans("2 raze")), raze(target=1, at="Mill"),
         says="Mill is no location of seat 1"),
    case("nobody there", on(romans("2 raze")), raze(target="virtual", at="Mill"), says="there is no virtual player",
         modelled=False),
    case("at peace only hand cards are razed",
         on(romans("3 raze", "Wood Storage"), barbarians(at="Armorer"), peaceful=True), raze(target=1, at="Armorer"),
         raze(card="Wood Storage"), no=0),
    case("which is said", on(romans("3 raze"), barbarians(at="Armorer"), peaceful=True), raze(target=1, at="Armorer"),
         says="peaceful", cannot="raze"),
    case("goods are drawn before the card is discarded", on(romans("1 raze", "Castle", deck=""), common=""),
         raze(card="Castle"), hand="", dropped="Castle"),
    case("every raze fires the features that wait for it",
         on(barbarians("3 raze", "Wood Storage", "Gallows, Raid, Raid"), romans("2 worker", at="Mill")),
         raze(card="Wood Storage"), exchange("wood", p=1), raze(target=1, at="Mill"), vp=6),
)
def test_razing(case: Case) -> None:
    check(case)


GUILD = on(romans("2 worker 3 stone 1 gold", at="Mason's Guild"))
CASTLE = on(romans("3 worker", at="Castle"))
ONE_BY_ONE = use("Castle"), passes(1), use("Castle", draw="faction")
BARTER = on(barbarians("1 wood 2 food 1 gold", at="Barter"))
RENEW = on(egyptians("2 gold 2 worker", at="Royal Bath, Castle: used 2"))
CHAPEL = on(barbarians("3 raze", "Village", "Dark Chapel"), romans(at="Village: defence"))
FARMERS = on(romans("3 wood 1 food", "Farmers at Work", "Porters"))
PAY_TWICE = "with `times` 2 what each use pays stands in `each`"


@rows(
    case("what is paid lies on the location and marks its use", GUILD,
         use("Mason's Guild", pay="1 worker 1 stone 1 gold"), passes(1), use("Mason's Guild"), no=2, vp=3,
         goods="1 worker 2 stone", on="Mason's Guild: used 1 goods 1 worker 1 stone 1 gold"),
    case("twice in two actions", CASTLE, *ONE_BY_ONE, use("Castle"), no=3, hand="Legion, Watchtower"),
    case("or in one", CASTLE, use("Castle", times=2, each=[{"draw": ["faction"]}, {"draw": ["common"]}]),
         hand="Legion, Watchtower", on="Castle: used 2 goods 2 worker"),
    case("the second of two alike", on(romans("3 worker", at="Castle, Castle")), use("Castle#2", times=2),
         on="Castle#2: used 2 goods 2 worker"),
    case("uses are told", on(romans("3 worker", at="Castle, Castle")), use("Castle"), passes(1),
         can={"activate": {"Castle": 1, "Castle#2": 2}}),
    case("others are used once", on(romans("3 worker", at="Coal Mine")), use("Coal Mine", times=2),
         says="Coal Mine cannot be used 2 times any more in this round"),
    case("in a round", on(romans("2 worker", at="Hunter Joe: used 1")), use("Hunter Joe"),
         says="Hunter Joe has been used in this round"),
    case("two uses in one action are paid together", on(barbarians("1 worker", at="Pack"), romans(at="COM014")),
         use("Pack", times=2, each=[{"take": "worker"}, {"take": "wood"}]), no=0, can={"activate": {"Pack": 1}}),
    case("in each of them", on(romans("2 worker", at="Castle")), use("Castle", times=2, pay="2 worker"), says=PAY_TWICE,
         modelled=False),
    case("and nowhere else", on(romans("2 worker", at="Castle")), use("Castle", times=2, pay="1 worker"),
         says=PAY_TWICE, modelled=False),
    case("not twice the price", on(romans("2 worker", at="Castle")), use("Castle", pay="2 worker"),
         says="the move: the price is 1 worker"),
    case("without goods", on(romans(at="Castle")), use("Castle"), says="not enough goods: 1 worker is missing"),
    case("other locations are not used", on(romans(at="Mill")), use("Mill"), says="Mill is no action location"),
    case("nor what is not there", on(romans()), use("Castle"), says="Castle is no location of seat 0"),
    case("a card pays for a use and only marks it", on(romans(hand="Mill, Legion", at="Tavern")),
         use("Tavern", card="Legion"), vp=2, hand="Mill", discard="Legion", on="Tavern: used 1"),
    case("which card is said", on(romans(hand="Mill, Legion", at="Tavern")), use("Tavern"), says="several"),
    case("but not of which copy", on(romans(hand="Quarry, Quarry", at="Tavern")), use("Tavern"), hand="Quarry",
         dropped="Quarry"),
    case("unless its print has other values", on(romans(hand="Castle, COM048", at="Tavern")), use("Tavern"),
         says="several"),
    case("without a card", on(romans(at="Tavern")), use("Tavern"), says="there is no hand card to pay with",
         cannot="activate"),
    case("resources of any kind", BARTER, use("Barter", pay="2 food"), goods="1 wood 1 gold", vp=2),
    case("are said", BARTER, use("Barter"), no=0),
    case("gold among them", BARTER,
         use("Barter", times=2, each=[{"pay": {"wood": 1, "food": 1}}, {"pay": {"food": 1, "gold": 1}}]), goods="",
         vp=4),
    case("and must be there", BARTER, use("Barter", pay="1 stone 1 food"), says="cannot be paid",
         can={"activate": {"Barter": 2}}),
    case("a blocked location is not used", on(romans("1 worker", at="Castle: blocked")), use("Castle"), says="blocked",
         cannot="activate"),
    case("one used up can still be blocked",
         on(egyptians("1 worker", at="Scorpion Breeder"), romans(at="Coal Mine: used 1, Mill")),
         use("Scorpion Breeder", target=1, at="Coal Mine"), on1="Coal Mine: blocked used 1 goods 1 worker"),
    case("renewing needs a used location for each use", RENEW, use("Royal Bath", times=2), says="nothing",
         can={"activate": {"Royal Bath": 1}}),
    case("and frees both uses", RENEW, use("Royal Bath"), passes(1), use("Castle", times=2)),
    case("of the one that is said", on(egyptians("2 gold", at="Goldsmith: used 1, Castle: used 2, Royal Bath")),
         use("Royal Bath", at="Goldsmith"), on="Castle: used 2 goods 2 worker, Royal Bath: used 1 goods 1 gold"),
    case("or of both", on(egyptians("2 gold", at="Goldsmith: used 1, Castle: used 2, Royal Bath")),
         use("Royal Bath", times=2, each=[{"at": "Castle"}, {"at": "Goldsmith"}]),
         on="Royal Bath: used 2 goods 2 gold"),
    case("but not one for both", on(egyptians("2 gold", at="Royal Bath, Castle: used 1")),
         use("Royal Bath", times=2, each=[{"at": "Castle"}, {"at": "Castle"}]), says="nothing"),
    case("raze tokens for a hand card lie on the Chapel", CHAPEL,
         use("Dark Chapel", card="Village", convert="1 worker"), goods="2 raze 1 worker", vp=2,
         on="Dark Chapel: used 1 goods 1 raze"),
    case("and those for a location", CHAPEL, use("Dark Chapel", target=1, at="Village"), goods="2 worker",
         foundations1=1),
    case("what ran before may run again", FARMERS, build("Farmers at Work"), passes(1),
         can={"activate": {"Porters": 1}}),
    case("once more", FARMERS, build("Farmers at Work"), passes(1), use("Porters")),
    case("actions of the rulebook",
         on(barbarians("3 worker 2 stone", at="Saboteurs, Mason's Guild, Castle"), romans("1 stone")),
         use("Saboteurs", pay="1 worker", take="stone"), passes(1), use("Mason's Guild", pay="1 worker 2 stone"),
         use("Castle", draw="faction"), goods="1 stone", goods1="", vp=3, hand="Settlement"),
)
def test_using_action_locations(case: Case) -> None:
    check(case)


OASIS = egyptians(at="Oasis: gained 2")


@rows(
    case("pairs of workers in one action", on(romans("9 worker")), exchange("wood, common, common, faction"),
         goods="1 worker 1 wood", hand="Legion, Lumberjacks, Watchtower", to_move=1),
    case("not more than there are", on(romans("3 worker")), exchange("wood, wood"),
         says="not enough goods: 1 worker is missing"),
    case("nor cards of an empty deck", on(romans("3 worker", deck="")), exchange("faction"),
         says="the faction deck has no card to draw"),
    case("an Oasis gains of each pair up to four a round, and nothing for its own", on(romans("8 worker"), OASIS),
         exchange("wood, wood, wood, wood"), exchange("wood", p=1), on1="Oasis: gained 4", goods1="1 wood"),
    case("the fourth", on(romans("8 worker"), egyptians(at="Oasis: gained 3")), exchange("wood, wood"),
         goods1="1 worker"),
    case("nothing of the own exchange", on(egyptians("2 worker", at="Oasis")), exchange("wood"), goods="1 wood"),
)
def test_exchange(case: Case) -> None:
    check(case)


NINJAS = "1 stone", "Ninjas"
TOKENS = on(japanese("1 defence 1 worker", at="Mill: defence, Farm: samurai, Town, Casino"))
SHRINE = on(japanese("2 wood 1 food 1 gold", at="Shrine"))


@rows(
    case("free steps leave the turn", on(japanese("1 defence 2 worker", "Town, Brewer", "Mill, Farm, Gate")),
         move("defend", location="Mill"), move("samurai", location="Farm"), move("samurai", location="Gate"),
         move("tuck", cards="Town, Brewer"), vp=2, hand="", goods="", to_move=0,
         on="Mill: defence, Farm: samurai, Gate: samurai tucked 2"),
    case("all free locations get a samurai unsaid", on(japanese(*NINJAS, "Farm, Mill, Gate: samurai")),
         build("Ninjas", discard="Mill"), on="Farm: samurai, Gate: samurai, Ninjas: samurai"),
    case("if there are more it is said", on(japanese(*NINJAS, "Farm, Casino, Mill")), build("Ninjas", discard="Mill"),
         no=0),
    case("which get one", on(japanese(*NINJAS, "Farm, Casino, Mill")),
         build("Ninjas", discard="Mill", samurai="Casino, Ninjas"), on="Casino: samurai, Ninjas: samurai"),
    case("both of them", on(japanese(*NINJAS, "Farm, Gate, Mill")), build("Ninjas", discard="Mill", samurai="Farm"),
         says="several"),
    case("none on common locations", on(japanese(*NINJAS, "Farm, Gate, Mill")),
         build("Ninjas", discard="Gate", samurai="Mill, Farm"), says="Mill"),
    case("a single one", on(japanese(*NINJAS, "Mill")), build("Ninjas"), on="Ninjas: samurai"),
    case("where tokens and samurai do not lie", TOKENS, move("defend", location="Mill"),
         move("defend", location="Casino"), move("samurai", location="Farm"), move("samurai", location="Town"),
         no=range(4), can={"defend": ["Town"], "samurai": ["Casino"]}),
    case("a second samurai", on(japanese("2 worker", at="Farm, Farm")), move("samurai", location="Farm"),
         move("samurai", location="Farm"), no=1, says="already", can={"samurai": ["Farm#2"]}),
    case("other empires have none", on(romans("1 worker 1 defence", at="Legion")), move("samurai", location="Legion"),
         says="the Romans have no samurai", can={"pass": True}, cannot="samurai defend"),
    case("tokens protect common locations", on(romans("1 defence", at="Spies")), move("defend", location="Spies"),
         says="Spies is no common location"),
    case("there is a token", on(romans(at="Mill")), move("defend", location="Mill"),
         says="there is no defence token to place"),
    case("samurai protect faction locations", on(japanese("1 worker", at="Mill")), move("samurai", location="Mill"),
         says="Mill is no faction location"),
    case("and are workers", on(japanese(at="Farm")), move("samurai", location="Farm"),
         says="not enough goods: 1 worker is missing"),
    case("cards are tucked under a Gate", on(japanese(hand="Mill")), move("tuck", cards="Mill"),
         says="there is no Gate"),
    case("from the hand", on(japanese(hand="Mill", at="Gate")), move("tuck", cards="Mill, Town"),
         says="Town is not in the hand"),
    case("a Shrine takes resources", SHRINE, move("bank", goods="2 wood 1 food"), on="Shrine: banked 2 wood 1 food",
         cards=2, faction=2, total=4, goods="1 gold"),
    case("and no gold", SHRINE, move("bank", goods="1 gold"), says="gold cannot be laid onto it"),
    case("that are there", SHRINE, move("bank", goods="1 stone"), says="not enough goods: 1 stone is missing"),
    case("there is a Shrine", on(japanese("1 wood")), move("bank", goods="1 wood"), says="there is no Shrine"),
)
def test_free_steps(case: Case) -> None:
    check(case)


RA = use("Temple of Ra", target=1, at="Castle")
HELD = on(egyptians("2 worker", at="Temple of Ra"),
          barbarians("1 worker 2 wood", "Old Forest, Raid", "Castle: used 1, Village"))


@rows(
    case("a controlled location works for the holder and scores for the owner",
         on(egyptians("2 worker", at="Temple of Ra, Gold Creek"), romans("2 worker", at="Gold Mine, Mill")),
         use("Temple of Ra", target=1, at="Gold Mine"), use("Gold Mine", p=1), passes(1),
         use("Gold Mine", owner=1, times=2), no=1, goods="2 gold", common1=2,
         on1="Gold Mine: used 2 controlled_by 0 goods 2 worker"),
    case("it keeps what lies on it", HELD, RA, on1="Castle: used 1 controlled_by 0 goods 1 worker",
         on="Temple of Ra: used 1", goods="2 worker", common1=2),
    case("and what it was used", HELD, RA, build("Old Forest", p=1), use("Castle", owner=1), hand="Watchtower",
         on1="Castle: used 2 controlled_by 0 goods 2 worker"),
    case("its owner does not use it", HELD, RA, use("Castle", p=1), says="Castle is controlled"),
    case("nor give it up", HELD, RA, build("Raid", p=1, discard="Castle"), says="discarded"),
    case("not even the only one",
         on(egyptians(at="Temple of Ra"), romans("1 stone", "Roman Bank", "Mill: controlled_by 0")), passes(),
         build("Roman Bank", p=1), no=1),
    case("it produces for its owner", HELD, use("Temple of Ra", at="Village"), goods="2 worker",
         makes1="6 worker 1 raze 1 defence"),
    case("who holds a location that another razes gets the wood",
         on(egyptians(at="Temple of Ra"), romans(at="Mill: controlled_by 0"), barbarians("2 raze"), to_move=2),
         raze(p=2, target=1, at="Mill"), goods="1 wood", goods1="", foundations1=1),
    case("who razes what he holds gets no wood for it",
         on(egyptians("2 raze", at="Temple of Ra"), romans(at="Armorer: controlled_by 0")),
         raze(target=1, at="Armorer"), goods="1 stone", goods1="1 wood"),
    case("a location of the virtual player is used as his",
         on(egyptians("2 worker", at="Temple of Ra"), solo={"locations": "New Forest"}),
         use("Temple of Ra", target="virtual", at="New Forest"), use("New Forest", owner="virtual")),
)
def test_the_temple_of_ra(case: Case) -> None:
    check(case)


ROUTE = on(japanese("1 food", at="Trade Route, Dojo"), romans("1 stone", "Roman Bank", "Builder, Mill",
           deck="Legion, Gardens"))
TRADED = [{"card": "Builder", "of": 1}]


@rows(
    case("a Trade Route deals with a location", ROUTE, use("Trade Route", target=1, at="Builder"), deals="Builder",
         goods="1 stone", vp=1, deck=2, makes="4 worker 1 wood 1 stone 1 raze 1 defence"),
    case("as long as it stands", ROUTE, use("Trade Route", target=1, at="Builder"),
         build("Roman Bank", p=1, discard="Builder"), deals="", discard="Rice Fields"),
    case("and without the route too",
         on(japanese("1 wood", "Gate", "Trade Route", deals=["Farm", *TRADED]), romans(at="Builder", deck="")),
         build("Gate", discard="Trade Route"), deals="Builder, Farm"),
    case("a location gives one trade to a seat and common ones none",
         on(japanese("1 food", at="Trade Route", deals=TRADED), romans(at="Builder, Mill", deck="")),
         use("Trade Route", target=1, at="Builder"), no=0, cannot="activate"),
    case("which is said", on(japanese("1 food", at="Trade Route"), romans(at="Mill")), use("Trade Route"),
         says="there is nothing that Trade Route could mean"),
)
def test_trade_routes(case: Case) -> None:
    check(case)

"""What the rulebook says of single cards (rules digest, 11), and how its open points are played."""

from tests.games.imperial_settlers.cases import (
    Case,
    barbarians,
    build,
    case,
    check,
    egyptians,
    japanese,
    move,
    on,
    produce,
    romans,
    rows,
    use,
)

# fmt: off
DEALS = ["Geisha House", "Farm"]
NEGOTIATOR = on(japanese("1 worker 1 wood", at="Negotiator", deals=DEALS, deck=""))
NINJAS = on(japanese("1 worker", at="Ninjas"), romans(deals="Stonecutter, Spies"))


@rows(
    case("Gate: cards under it score", on(japanese(hand="Mill, Town, Farm", at="Gate")),
         move("tuck", cards="Mill, Farm"), move("tuck", cards="Town"), vp=3, on="Gate: tucked 3", cards=2, to_move=0),
    case("Garrison: any location leaves the game",
         on(japanese("2 raze", at="Garrison"), romans(at="Legion, Mill", deck="")),
         use("Garrison", target=1, at="Legion"), at1="Mill", discard1="", foundations1=0, goods1="", goods=""),
    case("Negotiator: a deal is built without its location", NEGOTIATOR,
         use("Negotiator", deal="Geisha House", build={"pay": {"wood": 1}}), at="Negotiator, Geisha House",
         deals="Farm", goods="1 worker"),
    case("Negotiator: a free one", NEGOTIATOR, use("Negotiator", deal="Farm"), deals="Geisha House",
         goods="1 worker 1 food"),
    case("Negotiator: the deal may stand with the building", NEGOTIATOR, use("Negotiator", build={"deal": "Farm"}),
         deals="Geisha House", modelled=False),
    case("Negotiator: which deal is said", NEGOTIATOR, use("Negotiator"), no=0),
    case("Negotiator: unless only one can be paid for",
         on(japanese("1 worker 1 wood", at="Negotiator", deals=["Farm", "Rice Fields"], deck="")), use("Negotiator"),
         at="Negotiator, Farm"),
    case("Negotiator: no trades", on(japanese("1 worker 5 stone", at="Negotiator",
            deals=[{"card": "Builder", "of": 1}]), romans(at="Builder", deck="")), use("Negotiator", deal="Builder"),
         says="nothing"),
    case("Ninjas: a deal is discarded and its good gained", NINJAS, use("Ninjas", target=1, deal="Stonecutter"),
         goods="1 stone", deals1="Spies", discard1="Stonecutter"),
    case("Ninjas: even a card", NINJAS, use("Ninjas", deal="Spies", draw="common"), hand="Watchtower"),
    case("Daimyo's Castle: samurai count",
         on(japanese(at="Farm: samurai, Farm: samurai, Stalls: samurai, Casino: samurai, Daimyo's Castle")),
         makes="6 worker 1 wood 2 food 1 raze 1 defence 3 vp"),
    case("Daimyo's Castle: and nothing else", on(japanese(at="Farm: samurai, Farm, Mill: defence, Daimyo's Castle")),
         makes="6 worker 1 wood 2 food 1 raze 1 defence 1 vp"),
    case("School of Diplomacy: two kinds of goods",
         on(japanese(at="School of Diplomacy", deals="Farm, Casino, Stalls"), phase="production"),
         produce(School_of_Diplomacy={"convert": {"gold": 1, "food": 1}}), vp=2),
)
def test_cards_of_the_japanese(case: Case) -> None:
    check(case)


DESERT = on(egyptians(hand="Mill, Town", at="Desert", deck=""), romans(hand="Baker, Legion", deck=""))
SLAVER = on(egyptians("3 stone 1 gold", "Pyramid", "Slaver", deck=""))


def pyramid(**paid: int) -> dict[str, object]:
    """Build the Pyramid; the Slaver is paid."""
    return build("Pyramid", pay="2 stone", choices={"Slaver": {"pay": paid}})


@rows(
    case("Chariot Builder: protection is ignored",
         on(egyptians("1 raze", at="Chariot Builder"), barbarians(at="Armorer: defence")),
         use("Chariot Builder", at="Armorer"), goods="1 stone", vp=1, goods1="1 wood", foundations1=1),
    case("Sanctuary: a common hand card becomes a foundation",
         on(egyptians("1 worker", "Mill, Caravan, Town", "Sanctuary")), use("Sanctuary", card="Mill"), goods="1 stone",
         vp=1, hand="Caravan, Town", foundations=1),
    case("Sanctuary: that is no raze", on(egyptians("1 worker", "Mill", "Sanctuary, Gallows")),
         use("Sanctuary", card="Mill"), goods="1 stone", vp=1, foundations=1),
    case("Sanctuary: no faction card", on(egyptians("1 worker", "Mill, Caravan, Town", "Sanctuary")),
         use("Sanctuary", card="Caravan"), says="Caravan is not"),
    case("Desert: an opponent discards a card", DESERT, use("Desert", card="Mill", target=1, gives="Legion"), vp=1,
         hand="Town", hand1="Baker", discard1="Legion", dropped="Mill", on="Desert: used 1"),
    case("Desert: with no card in his hand he does not", on(egyptians(hand="Mill, Town", at="Desert", deck="")),
         use("Desert", card="Town", target=1), vp=1, hand="Mill"),
    case("Desert: which card is said", DESERT, use("Desert", card="Mill"), says="several"),
    case("Desert: not who has passed, though nobody has a card",
         on(egyptians(hand="Mill", at="Desert", deck=""), romans(hand="Town", passed=True)), use("Desert", target=1),
         says="has passed", modelled=False),
    case("Desert: nor oneself", on(egyptians(hand="Mill", at="Desert", deck="")), use("Desert", target=0),
         says="no opponent of itself", modelled=False),
    case("Sphinx: a point is added to two or more at once",
         on(egyptians("2 gold 1 worker", at="Sphinx, Sphinx, Goldsmith, Golden Bazaar")), use("Goldsmith"),
         goods="1 gold", vp=5),
    case("Sphinx: but not to one", on(egyptians("1 food", at="Sphinx, Golden Bazaar")), use("Golden Bazaar"),
         goods="1 gold", vp=1),
    case("Slaver: may be left unpaid", SLAVER, pyramid(), goods="2 stone 2 gold"),
    case("Slaver: a gold is two points", SLAVER, pyramid(gold=1), goods="2 stone 1 gold", vp=2),
    case("Slaver: a stone is one", SLAVER, pyramid(stone=1), goods="1 stone 2 gold", vp=1),
    case("Slaver: a worker buys nothing", SLAVER, pyramid(worker=1), says="Slaver"),
    case("Slaver: answers to itself", on(egyptians("1 stone 1 gold", "Slaver", foundations=1)),
         build("Slaver", pay="1 stone", choices={"Slaver": {"pay": {"gold": 1}}}), vp=2, goods=""),
    case("Slaver: is paid with what is there", on(egyptians("1 food", "Caravan", "Slaver")),
         build("Caravan", choices={"Slaver": {"pay": {"gold": 1}}}), says="pay"),
    case("Scorpion Breeder: a location is blocked for the round",
         on(egyptians("1 worker", at="Scorpion Breeder"), romans("3 worker", at="Castle: used 1, Village")),
         use("Scorpion Breeder", target=1, at="Castle"), on1="Castle: blocked used 1 goods 1 worker",
         cannot="activate"),
    case("Pharaoh's Guard: a token or points", on(egyptians("2 food", "Pharaoh's Guard", foundations=1)),
         build("Pharaoh's Guard", discard="foundation", take="raze"), goods="1 raze"),
    case("Pharaoh's Guard: which is said", on(egyptians("2 food", "Pharaoh's Guard", foundations=1)),
         build("Pharaoh's Guard", discard="foundation"), says="several"),
)
def test_cards_of_the_egyptians(case: Case) -> None:
    check(case)


SPIES = on(romans("1 worker", at="Spies"), japanese(deals=["Casino", {"card": "Spies", "of": 0}]))
BARRACKS = on(romans("1 food", "Roman Barracks", "Administration Building", foundations=1))
ARCHITECT = on(romans("2 stone", "Architect", foundations=1, deck="Legion, Spies, Gardens"))
LEGION = on(romans("1 food", "Legion", foundations=1))


@rows(
    case("Trade Colony: has three colours", on(romans("1 wood 2 stone", "Trade Colony", "Mill, Headquarters, Ruins")),
         build("Trade Colony", discard="Ruins", choices={"Headquarters": {"take": "vp"}}), goods="1 worker 2 gold",
         vp=2),
    case("Trade Colony: is counted by its colours", on(romans(at="Trade Colony, Rubble")),
         makes="3 worker 1 wood 3 stone 1 gold 1 raze 1 defence"),
    case("Spies: take a deal and gain its good", SPIES, use("Spies", pay="1 worker", deal="Casino"), goods="1 gold",
         vp=1, deals="Casino", deals1="Spies"),
    case("Spies: but no trade", SPIES, use("Spies", deal="Spies"), says="Spies is no deal"),
    case("Engineers: a location leaves the game",
         on(romans("2 worker", at="Engineers"), japanese(at="Gate: tucked 2, Mill")),
         use("Engineers", target=1, at="Gate"), goods="", vp=1, at1="Mill", discard1=""),
    *(case(f"Administration Building: {good}", BARRACKS,
           build("Roman Barracks", discard="foundation", choices={"Administration Building": {"take": good}}),
           goods=supply, vp=vp)
      for good, supply, vp in (("gold", "2 worker 1 gold", 0), ("vp", "2 worker", 1))),
    case("Administration Building: which is said", BARRACKS, build("Roman Barracks", discard="foundation"),
         says="several"),
    case("Administration Building: each of two has its own",
         on(romans("1 food", "Roman Barracks", "Administration Building, Administration Building", foundations=1)),
         build("Roman Barracks", discard="foundation",
               choices={"Administration Building": {"take": "gold"}, "Administration Building#2": {"take": "vp"}}),
         goods="2 worker 1 gold", vp=1),
    case("Legion: cards of a printed deck take no entry", LEGION, build("Legion", discard="foundation"),
         hand="Lumberjacks, Watchtower"),
    case("Legion: nor heed one", LEGION, build("Legion", discard="foundation", draw="faction"),
         hand="Lumberjacks, Watchtower"),
    case("Architect: one of two faction cards is kept", ARCHITECT,
         build("Architect", discard="foundation", keep="Spies"), hand="Spies", deck=2),
    case("Architect: of those looked at", ARCHITECT, build("Architect", discard="foundation", keep="Gardens"),
         says="Gardens is not among the cards looked at"),
    case("Architect: in production too", on(romans(at="Architect", deck="Legion, Spies"), phase="production"),
         produce(Architect={"keep": "Legion"}), hand="Legion", makes="2 worker 1 wood 1 stone 1 raze 1 defence 1 card"),
)
def test_cards_of_the_romans(case: Case) -> None:
    check(case)


RABBLE = on(barbarians("2 worker", at="Rabble, Armorer, Raid, Ruins", deck=""))
PACK = on(barbarians("2 worker", at="Pack, Raid", deck=""), romans(at="Armorer: defence, Tavern"))
MISSION = on(barbarians("1 worker", at="Mission"))
ROBBERS = on(barbarians("2 worker", at="Robbers, Raid", deck="Idol"),
             japanese(deals=["Casino", {"card": "Raid", "of": 0}]))
CHAPEL = on(barbarians("3 raze", "Wood Storage", "Dark Chapel"), romans(at="Mill: defence, Town, Ruins"))
SABOTEURS = on(barbarians("1 worker", at="Saboteurs"), romans("1 wood 1 gold"), japanese("1 wood 1 food"))


@rows(
    case("Rabble: an own common location is razed", RABBLE, use("Rabble", pay="2 worker", at="Armorer"),
         goods="1 wood 1 stone", vp=2, foundations=1, at="Rabble, Raid, Ruins"),
    case("Rabble: not Ruins", RABBLE, use("Rabble", at="Ruins"), says="Ruins"),
    case("Pack: goods are gained without razing", PACK, use("Pack", times=2,
            each=[{"at": "Armorer", "take": "stone"}, {"at": "Tavern", "take": "card", "draw": ["common"]}]),
         goods="1 stone", hand="Watchtower", vp=0, at1="Armorer, Tavern"),
    case("Pack: which good is said", PACK, use("Pack", at="Armorer"), says="several"),
    case("Pack: which location is said", on(barbarians("1 worker", at="Pack"), romans(at="Quarry, Quarry")),
         use("Pack", take="stone"), says="several ways: Quarry, Quarry#2"),
    case("Pack: of the goods there", on(barbarians("1 worker", at="Pack"), romans(at="Mill")),
         use("Pack", target=1, at="Mill"), says="food, worker"),
    case("Pack: of a location there", on(barbarians("1 worker", at="Pack"), romans(at="Mill")),
         use("Pack", target=1, at="Farm"), says="no location"),
    case("Mission: the deck of each card is chosen", MISSION, use("Mission", draw="faction, common", keep="Watchtower"),
         hand="Watchtower", discard="Settlement"),
    case("Mission: the common one unsaid", MISSION, use("Mission", keep="Lumberjacks"), hand="Lumberjacks",
         dropped="Watchtower"),
    case("Robbers: a deal is discarded, even a trade", ROBBERS, use("Robbers", deal="Raid", draw="faction"),
         hand="Idol", vp=1, deals1="Casino"),
    case("Robbers: a card goes to its discards", ROBBERS, use("Robbers", deal="Casino"), discard1="Casino",
         deals1="Raid"),
    case("Dark Chapel: a hand card is razed, goods become points", CHAPEL,
         use("Dark Chapel", pay="1 raze", card="Wood Storage", convert="1 wood"), goods="2 raze 1 wood", vp=2),
    case("Dark Chapel: or a location, for its protection too", CHAPEL,
         use("Dark Chapel", pay="3 raze", target=1, at="Mill", convert="1 worker 1 food"), goods="", vp=4,
         goods1="1 wood"),
    case("Dark Chapel: or kept", CHAPEL, use("Dark Chapel", at="Town"), goods="1 raze 2 worker"),
    case("Dark Chapel: for the price", CHAPEL, use("Dark Chapel", pay="2 raze", at="Mill"), says="price"),
    case("Dark Chapel: not Ruins", CHAPEL, use("Dark Chapel", at="Ruins"), says="Ruins"),
    case("Dark Chapel: not with gold", on(barbarians("1 raze 3 gold", "Wood Storage", "Dark Chapel")),
         use("Dark Chapel", pay="1 raze", card="Wood Storage"), goods="3 gold 2 wood"),
    case("Dark Chapel: with fewer tokens",
         on(barbarians("2 raze", "Wood Storage", "Dark Chapel"), romans(at="Mill: defence, Town")),
         use("Dark Chapel", at="Mill"), says="Mill"),
    case("Dark Chapel: points do not become points", on(barbarians("2 raze", "Tavern", "Dark Chapel")),
         use("Dark Chapel", card="Tavern", convert="1 gold"), says="convert"),
    case("Dark Chapel: but come besides", on(barbarians("2 raze", "Armorer", "Dark Chapel")),
         use("Dark Chapel", card="Armorer", convert="1 stone"), vp=3),
    case("Saboteurs: take a resource of a supply", SABOTEURS, use("Saboteurs", target=2, take="food"), goods="1 food",
         goods2="1 wood"),
    case("Saboteurs: the only one unsaid", SABOTEURS, use("Saboteurs", target=1), goods1="1 gold"),
    case("Saboteurs: no gold", SABOTEURS, use("Saboteurs", target=1, take="gold"), says="gold"),
    case("Saboteurs: nothing that nobody has", SABOTEURS, use("Saboteurs", take="stone"), says="stone"),
)
def test_cards_of_the_barbarians(case: Case) -> None:
    check(case)


TRADES = ["Casino", {"card": "Spies", "of": 1}]
MESSENGER = on(japanese("2 worker", at="Imperial Messenger", deals=TRADES), romans(at="Spies"))
PORTERS = on(barbarians("1 food", at="Porters, Farmers at Work, Settlement, Watchtower", deck="Idol"))
FARMERS = on(barbarians("3 wood", "Farmers at Work", "Settlement, Watchtower", deck="Idol"))
CHAIN = {"at": "Watchtower", "draw": ["faction"]}
SETTLERS = on(barbarians("3 wood 1 gold", "Sentry Tower, Raid, Mill", "Settlers", deck=""), common="Watchtower")


@rows(
    case("a feature of common cards answers to its own building", on(barbarians("3 wood", "Mill")), build("Mill"),
         goods="1 gold", vp=1),
    case("a location that counts a colour counts itself",
         on(barbarians("2 wood 1 stone", "Baker", "Hunter Joe, Brewer")), build("Baker", draw="faction"), vp=3,
         hand="Settlement"),
    case("Imperial Messenger: gains from an own deal", MESSENGER, use("Imperial Messenger", deal="Casino"),
         goods="1 worker 1 gold"),
    case("Imperial Messenger: or a trade", MESSENGER, use("Imperial Messenger", deal="Spies", draw="common"),
         hand="Watchtower"),
    case("Imperial Messenger: which is said", MESSENGER, use("Imperial Messenger"), says="several"),
    case("Hanseatic League: is paid with deals",
         on(japanese("2 worker", at="Hanseatic League", deals=TRADES), romans(at="Spies")),
         use("Hanseatic League", times=2, each=[{"pay": {"worker": 1}, "deal": "Spies"}, {"deal": "Casino"}]), goods="",
         vp=4, deals="", discard="Casino", on="Hanseatic League: used 2 goods 2 worker", modelled=False),
    case("Porters: let others produce", PORTERS, use("Porters", at="Settlement"), goods="2 worker"),
    case("Porters: or draw", PORTERS, use("Porters", at="Watchtower", draw="faction"), hand="Idol", modelled=False),
    case("Porters: or Farmers, who let others", PORTERS,
         use("Porters", at="Farmers at Work", choices={"Farmers at Work": {"at": "Settlement"}}), goods="2 worker"),
    case("Porters: or draw through Farmers", PORTERS,
         use("Porters", at="Farmers at Work", choices={"Farmers at Work": CHAIN}), hand="Idol", modelled=False),
    case("Porters: do not produce", PORTERS, use("Porters", at="Porters"), says="Porters"),
    case("Farmers at Work: choose another location", FARMERS,
         build("Farmers at Work", at="Watchtower", draw="faction, common"), hand="Idol, Watchtower"),
    case("Farmers at Work: that produces", FARMERS, build("Farmers at Work", at="Settlement"), goods="2 worker",
         hand="Watchtower"),
    case("Farmers at Work: not themselves", FARMERS, build("Farmers at Work", at="Farmers at Work"),
         says="Farmers at Work"),
    case("Farmers at Work: of two it is a choice",
         on(barbarians(at="Farmers at Work, Settlement, Sentry Tower"), phase="production"),
         produce(Farmers_at_Work={"at": "Sentry Tower"}), choices="Farmers at Work", makes="8 worker 2 raze 1 defence",
         goods="9 worker 3 raze 1 defence"),
    case("Farmers at Work: of one it is not", on(barbarians(at="Farmers at Work, Settlement")), choices="",
         makes="9 worker 1 raze 1 defence"),
    case("Settlers: build a faction card without its location", SETTLERS,
         use("Settlers", pay="1 wood", build={"card": "Sentry Tower", "pay": {"wood": 1, "gold": 1}}),
         goods="1 wood 1 raze 1 worker", hand="Mill, Raid", at="Settlers, Sentry Tower",
         on="Settlers: used 1 goods 1 wood"),
    case("Settlers: no common card", SETTLERS, use("Settlers", build={"card": "Mill"}), says="Mill is not"),
    case("Settlers: which is said", SETTLERS, use("Settlers"), says="several"),
    case("Settlers: unless only one can be paid for",
         on(romans("1 wood 1 stone", "Architect, Sculptor's Apprentice", "Settlers"), common="Watchtower"),
         use("Settlers"), hand="Architect", at="Settlers, Sculptor's Apprentice"),
    case("Settlers: the new location has its own decisions",
         on(romans("3 stone 1 wood", "Architect, Mill", "Settlers", deck="Legion, Spies"), common="Watchtower"),
         use("Settlers", build={"card": "Architect", "pay": {"stone": 2}, "keep": "Spies"}), hand="Mill, Spies"),
    case("Acting Troupe: frees a location that can be used twice",
         on(romans("3 worker", at="Acting Troupe, Gold Mine: used 2")), use("Acting Troupe"),
         on="Acting Troupe: used 1 goods 1 worker"),
)
def test_common_cards(case: Case) -> None:
    check(case)

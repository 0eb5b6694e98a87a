"""Positions and moves made up at random, by which the slow model and the engine are compared.

Moves are made by the model: where it has to choose, it chooses at random and says so in the move, so that a move holds
every decision that it needs. Others are spoilt on purpose. What would hang on a shuffle is left out.
"""

import copy
import random
from collections.abc import Sequence
from typing import Any

from sim.games.imperial_settlers.data.catalog import load_catalog
from sim.games.imperial_settlers.data.compile import build_tables
from sim.games.imperial_settlers.io.positions import inspect_position
from tests.games.imperial_settlers.naive import (
    CARDS,
    CODES,
    FACTIONS,
    GOODS,
    NAMES,
    PLAIN,
    RESOURCES,
    TABLE,
    VIRTUAL,
    IllegalError,
    Option,
    Position,
    Said,
    UnpredictableError,
    deck_of,
    empires,
    held_by,
    is_common,
    label,
    load_position,
    locations_of,
    owner_of,
)
from tests.games.imperial_settlers.naive_moves import inspect, lay_out_all, make_move, seen_in_draft, try_move
from tests.kit import differences

CATALOG: Any = load_catalog()
T: Any = build_tables(CATALOG)


def by_engine(position: dict[str, Any]) -> dict[str, Any]:
    return compared(inspect_position(position, CATALOG, T))


def by_model(position: dict[str, Any]) -> dict[str, Any]:
    return compared(inspect(copy.deepcopy(position)))


def where_they_differ(position: dict[str, Any]) -> list[str]:
    """Where model and engine differ, after as few of the moves as show it."""
    return differences.where_they_differ(position, by_model, by_engine)


def compared(result: dict[str, Any]) -> dict[str, Any]:
    """Reduce a result to what is compared: without reasons and empty things, and sorted where order means nothing."""
    for move in result["moves"]:
        move.pop("reason", None)
    result["discards"] = {deck: sorted(cards) for deck, cards in result["discards"].items()}
    for player in result["players"]:
        for key in ("hand", "deals", "discard", "pack"):
            player[key] = sorted(player.get(key) or [])
        player["on"] = {name: without_nothing(things) for name, things in player["on"].items()}
        player["on"] = {name: things for name, things in player["on"].items() if things}
        player["production_choices"] = sorted(player["production_choices"])
    for key in ("deal", "raze_hand"):
        if result["legal"] and key in result["legal"]:
            result["legal"][key] = sorted(result["legal"][key])
    return result


def without_nothing(things: dict[str, Any]) -> dict[str, Any]:
    """What lies on a location, without goods of which there are none."""
    inner = {key: without_nothing(value) if isinstance(value, dict) else value for key, value in things.items()}
    return {key: value for key, value in inner.items() if value or (key == "controlled_by" and value == 0)}


TRIES = 30
"""Times that a move is tried to be made up before another kind of move is."""


def called(code: str) -> str:
    """What a card is called in a position: its name if that means this very print."""
    return NAMES[code] if code in PLAIN else code


# ---- Positions ----


class Box:
    """The cards of a game, taken out at random."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.left = {deck: [code for code in CODES if deck_of(code) == deck] for deck in ("common", *FACTIONS)}
        for cards in self.left.values():
            chance.shuffle(cards)

    def take(self, deck: str, number: int) -> list[str]:
        """Take some cards of a deck, as they are called in a position."""
        taken, self.left[deck] = self.left[deck][:number], self.left[deck][number:]
        return [called(code) for code in taken]


def some_goods(chance: random.Random, most: int) -> dict[str, int]:
    return {good: number for good in GOODS if (number := chance.randint(0, most))}


def random_position(chance: random.Random, phase: str = "action") -> Said:
    """A position of a phase, as rich as it may be; of the attack phase in a solo game."""
    count = 1 if phase == "attack" else chance.choice((1, 1, 2, 2, 2, 3, 4))
    factions = chance.sample(FACTIONS, count)
    box = Box(chance)
    said: Said = {
        "round": chance.randint(1, 4 if phase == "cleanup" else 5),
        "phase": phase,
        "first": chance.randrange(count),
        "players": [random_player(chance, box, faction) for faction in factions],
        "discards": {"common": box.take("common", chance.randint(0, 4))},
        "decks": {"common": box.take("common", chance.randint(0, 12))},
    }
    if count > 1 and chance.random() < 0.15:
        said["peaceful"] = True
    if count == 1:
        said["solo"] = random_solo(chance, box)
    elif phase == "action":
        said["players"][chance.randrange(count)]["passed"] = chance.random() < 0.5
    if "egyptians" in factions and phase in ("action", "cleanup"):
        give_control(chance, said, factions.index("egyptians"))
    if "japanese" in factions:
        give_trades(chance, said, factions.index("japanese"))
    return said


def random_solo(chance: random.Random, box: Box) -> Said:
    """What belongs to the virtual player of the solo game."""
    targets = attack_deck(chance)
    shown = chance.randint(1, 5)
    places = [random_location(chance, name) for name in box.take("common", chance.randint(0, 3))]
    return {"row": targets[:shown], "deck": targets[shown:], "locations": places, "pile": chance.randint(0, 6)}


def attack_deck(chance: random.Random) -> list[str]:
    """Targets of all attack cards, shuffled."""
    targets = [good for good, number in TABLE["attack"].items() for _ in range(number)]
    chance.shuffle(targets)
    return targets


def random_draft(chance: random.Random) -> Said:
    """A position in the middle of a lookout phase with a row."""
    said = random_position(chance, "lookout")
    for player in said["players"]:
        player["hand"], player["locations"], player["deals"] = [], [], []
    said["lookout"] = chance.choice(("standard", "advanced"))
    said["discards"], said["decks"] = {}, {"common": []}
    if "solo" in said:
        said["solo"]["locations"] = []
        size = chance.choice((4, 3, 2))
    else:
        said["to_move"], size = chance.choice(seen_in_draft(load_position(said)))
    cards = Box(chance).take("common", 84)
    said["row"], said["decks"]["common"] = cards[:size], cards[size : size + 20]
    return said


def random_player(chance: random.Random, box: Box, faction: str) -> Said:
    hand = box.take("common", chance.randint(0, 4)) + box.take(faction, chance.randint(0, 3))
    locations = box.take("common", chance.randint(0, 5)) + box.take(faction, chance.randint(0, 5))
    chance.shuffle(locations)
    return {
        "faction": faction,
        "vp": chance.randint(0, 40),
        "goods": some_goods(chance, chance.choice((2, 4, 6))),
        # Two prints of one name in one hand might have two costs.
        "hand": list({name_of(name): name for name in hand}.values()),
        "locations": [random_location(chance, name) for name in locations],
        "foundations": chance.choice((0, 0, 1, 2)),
        "deals": box.take(faction, chance.randint(0, 3)),
        "discard": box.take(faction, chance.randint(0, 2)),
        "deck": box.take(faction, chance.randint(0, 8)),
    }


def name_of(name: str) -> str:
    """Name of a card that is called by its name or its code."""
    return NAMES.get(name, name)


def row_of(name: str) -> dict[str, Any]:
    """The print that a position means by a name."""
    return next(CARDS[code] for code in CODES if name in (code, NAMES[code]) and (code in PLAIN or name == code))


def random_location(chance: random.Random, name: str) -> Any:
    card = row_of(name)
    said: Said = {"card": name}
    if "action" in card:
        said["used"] = chance.choice((0, 0, chance.randint(1, card["action"]["uses"])))
        said["blocked"] = chance.random() < 0.1
        if "resource_any" in card["action"]["pay"]:
            said["goods"] = {"wood": 2 * said["used"]}
    if card["deck"] == "common":
        said["defence"] = chance.random() < 0.2
    elif card["deck"] == "japanese":
        said["samurai"] = chance.random() < 0.3
    trigger = (card.get("feature") or {}).get("on")
    if trigger == "tuck":
        said["tucked"] = chance.randint(0, 4)
    elif trigger == "bank":
        said["banked"] = {good: chance.randint(0, 4) for good in RESOURCES}
    elif trigger == "exchange":
        said["gained"] = chance.randint(0, 4)
    said = {key: value for key, value in said.items() if value}
    return said if len(said) > 1 else name


def give_control(chance: random.Random, said: Said, seat: int) -> None:
    """Let a seat hold a location of another with the Temple of Ra, now and then."""
    if chance.random() < 0.5:
        return
    others = [player["locations"] for other, player in enumerate(said["players"]) if other != seat]
    places = chance.choice(others) if others else said["solo"]["locations"]
    if places:
        number = chance.randrange(len(places))
        place = places[number]
        places[number] = {**({"card": place} if isinstance(place, str) else place), "controlled_by": seat}


def give_trades(chance: random.Random, said: Said, seat: int) -> None:
    """Give a seat deals by Trade Route with the faction locations of others, now and then."""
    for other, player in enumerate(said["players"]):
        names = [place if isinstance(place, str) else place["card"] for place in player["locations"]]
        names = [name for name in dict.fromkeys(names) if row_of(name)["deck"] == player["faction"]]
        if other != seat and names and chance.random() < 0.5:
            said["players"][seat]["deals"].append({"card": chance.choice(names), "of": other})


# ---- Moves ----


class Random:
    """Picks options at random."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def __call__(self, options: Sequence[Option]) -> Option:
        if not options:
            raise IllegalError("nothing to choose")
        return self.chance.choice(options)


def random_move(chance: random.Random, p: Position) -> tuple[Said, Position] | None:
    """A legal move with all decisions, and the position after it; none if none was found."""
    for _ in range(TRIES):
        said = first_words(chance, p)
        if said is None:
            return None
        after = copy.deepcopy(p)
        try:
            make_move(after, said, Random(chance))
        except (IllegalError, UnpredictableError):
            continue
        said = tidied(said)
        again = try_move(p, said)
        assert again is not None, said
        return said, again
    return None


def tidied(said: Said) -> Said:
    """A move without decisions that came to nothing."""
    if isinstance(said, dict):
        kept = {key: tidied(value) for key, value in said.items()}
        kept = {
            key: value for key, value in kept.items() if key in ("each", "do", "p", "target") or value not in ({}, [])
        }
        if kept.get("each") == [{}, {}]:
            del kept["each"]
        return kept
    return [tidied(one) for one in said] if isinstance(said, list) else said


def first_words(chance: random.Random, p: Position) -> Said | None:
    """What is done, and with what: the decisions are left open."""
    seat = p["turn"]
    if p["phase"] in ("setup", "cleanup", "attack"):
        return {"do": {"setup": "begin"}.get(p["phase"], p["phase"])}
    if p["phase"] == "lookout":
        return first_words_of_lookout(chance, p)
    if p["phase"] == "production":
        return {"do": "produce", "p": seat}
    if p["phase"] == "end":
        return None
    player = p["players"][seat]
    what = chance.choice(("build",) * 3 + ("deal", "raze_hand", "raze", "exchange", "tuck", "bank") + ("activate",) * 5)
    what = chance.choice((what,) * 20 + ("pass",) * 3 + ("defend", "samurai"))
    said: Said = {"do": what, "p": seat}
    own = [label(p, place) for place in locations_of(p, seat)]
    others = [other for other in empires(p) if other != seat]
    match what:
        case "build" | "deal" if player["hand"]:
            return {**said, "card": NAMES[chance.choice(player["hand"])]}
        case "raze_hand" if player["hand"]:
            return {**said, "do": "raze", "card": NAMES[chance.choice(player["hand"])]}
        case "raze" if others:
            target = chance.choice(others)
            places = locations_of(p, target)
            return {**said, "target": target, "at": label(p, chance.choice(places)) if places else "Mill"}
        case "activate":
            places = [place for place in held_by(p, seat) if "action" in CARDS[place["card"]]]
            if not places:
                return first_words(chance, p)
            place = chance.choice(places)
            said["location"] = label(p, place)
            if owner_of(p, place) not in (seat, VIRTUAL):
                said["owner"] = owner_of(p, place)
            return {**said, "times": 2} if chance.random() < 0.4 else said
        case "exchange":
            wanted = (*RESOURCES, "common", "faction")
            return {**said, "for": chance.choices(wanted, k=chance.randint(1, 3))}
        case "defend" | "samurai" if own:
            return {**said, "location": chance.choice(own)}
        case "tuck" if player["hand"]:
            some = chance.sample(player["hand"], chance.randint(1, len(player["hand"])))
            return {**said, "cards": [called(code) for code in some]}
        case "bank":
            return {**said, "goods": {good: chance.randint(0, 2) for good in RESOURCES}}
        case "pass":
            return said
        case _:
            return first_words(chance, p)


def first_words_of_lookout(chance: random.Random, p: Position) -> Said:
    if not p["drafting"]:
        return {"do": "begin"}
    if p["waits_for_chance"]:
        return {"do": "random", "card": called(chance.choice(p["row"]))}
    seat = p["turn"]
    if seat is None:
        seats = [other for other, player in enumerate(p["players"]) if player["pack"]]
        seat = chance.choice(seats)
        return {"do": "take", "p": seat, "card": called(chance.choice(p["players"][seat]["pack"]))}
    return {"do": "take", "p": seat, "card": called(chance.choice(p["row"]))}


def spoilt(chance: random.Random, p: Position, said: Said) -> Said:
    """A move with something wrong or left out; it may still be legal."""
    said = copy.deepcopy(said)
    count = len(p["players"])
    ways = [key for key in ("pay", "discard", "take", "keep", "target", "deal", "gives", "build") if key in said]
    way = chance.choice([*ways, *ways, "seat", "phase", "card", "location"])
    match way:
        case "pay" if chance.random() < 0.5:
            said["pay"] = some_goods(chance, 2) or {"wood": 1}
        case "target":
            said.pop("target")
            said.pop("at", None)
            if said["do"] == "raze":
                return {**said, "target": chance.randrange(count), "at": "Mill"}
        case "pay" | "discard" | "take" | "keep" | "deal" | "gives" | "build":
            said.pop(way)
        case "seat" if "p" in said:
            said["p"] = chance.randrange(count)
        case "phase":
            return {"do": chance.choice(("cleanup", "begin", "attack"))}
        case "card" if said["do"] in ("build", "deal", "take"):
            codes = [code for code in CODES if is_common(code) or deck_of(code) in {x["faction"] for x in p["players"]}]
            return {"do": said["do"], "p": said["p"], "card": called(chance.choice(codes))}
        case "location" if "p" in said:
            names = [label(p, place) for place in locations_of(p, said["p"])]
            return {"do": "activate", "p": said["p"], "location": chance.choice([*names, "Mill"])}
    return said


def with_moves(chance: random.Random, said: Said, number: int, spoils: float = 0.25) -> Said:
    """A position with moves that go on from one another; a share of them is spoilt."""
    p = lay_out_all(said)
    moves = []
    for _ in range(number):
        made = random_move(chance, p)
        if made is None:
            break
        move, after = made
        if chance.random() < spoils:
            wrong = spoilt(chance, p, move)
            try:
                result = try_move(p, wrong)
            except UnpredictableError:
                continue
            moves.append(wrong)
            p = p if result is None else result
        else:
            moves.append(move)
            p = after
    return {**said, "moves": moves}


def random_start(chance: random.Random) -> Said:
    """A game before its set-up, with decks of known order."""
    count = chance.choice((1, 2, 2, 3, 4))
    box = Box(chance)
    players = [{"faction": faction, "deck": box.take(faction, 30)} for faction in chance.sample(FACTIONS, count)]
    said: Said = {"phase": "setup", "first": chance.randrange(count), "players": players}
    said["decks"] = {"common": box.take("common", 84)}
    if count > 1:
        said["lookout"] = chance.choice(("standard", "alternative", "advanced"))
        said["peaceful"] = chance.random() < 0.3
    else:
        said["solo"] = {"deck": attack_deck(chance)}
    return said


TABLES_TRIED = 300
"""Tables that are tried until the move is legal on one."""
GOLDSMITH = "EGY021"
"""An action that gives 3 points at once."""


def abilities(code: str) -> list[str]:
    """What can be done with a card, and what it does."""
    card = CARDS[code]
    found = ["build"]
    found += ["deal"] if "deal" in card else []
    found += ["raze"] if card.get("raze") else []
    found += ["razed"] if card.get("raze") and not card.get("cannot_be_razed") else []
    found += ["production"] if "production" in card else []
    found += ["feature"] if "feature" in card else []
    if "action" in card:
        found += ["action", "action twice"][: card["action"]["uses"]]
    return found


CASES = [(code, ability) for code in CODES for ability in abilities(code)]


def position_for(code: str, ability: str, seed: int = 0) -> Said:
    """A position in whose last move a card shows an ability, with all decisions that the move needs."""
    chance = random.Random(f"{code} {ability} {seed}")
    for _ in range(TABLES_TRIED):
        said, move = table_for(chance, code, ability)
        p = load_position(said)
        try:
            make_move(copy.deepcopy(p), move, Random(chance))
        except (IllegalError, UnpredictableError):
            continue
        move = tidied(move)
        assert try_move(p, move) is not None, move
        return {**said, "moves": [move]}
    raise AssertionError(f"no position found for {code}, {ability}")


def table_for(chance: random.Random, code: str, ability: str) -> tuple[Said, Said]:
    """A table with a card in its place before seat 0, and the move in its bare words."""
    needed = needed_cards(chance, code, ability)
    box = Box(chance)
    for cards in box.left.values():
        cards[:] = [one for one in cards if one not in (code, *needed.values())]
    faction = chance.choice(FACTIONS) if is_common(code) else deck_of(code)
    opponents = chance.choice((0, 1, 1, 2)) if has_no_opponent(code, ability) else chance.choice((1, 1, 2))
    factions = [faction, *chance.sample([other for other in FACTIONS if other != faction], opponents)]
    players = [random_player(chance, box, one) for one in factions]
    said: Said = {
        "round": chance.randint(1, 5),
        "to_move": 0,
        "players": players,
        "discards": {"common": box.take("common", 2)},
        "decks": {"common": box.take("common", 12)},
    }
    if not opponents:
        said["solo"] = random_solo(chance, box)
    own = players[0]
    own["goods"] = some_goods(chance, 6)
    if ability == "razed":
        # The card lies before seat 0; seat 1 razes it.
        players[1]["goods"] = {"raze": chance.randint(1, 6)}
    location = random_location(chance, called(code))
    if isinstance(location, dict):
        location = {key: value for key, value in location.items() if key not in ("used", "blocked", "goods")}
    if ability in ("build", "deal", "raze"):
        own["hand"] = [name for name in own["hand"] if name != called(code)] + [called(code)]
    else:
        own["locations"].append(location)
    for where, other in needed.items():
        own[where].append(called(other))
    move = move_for(said, code, ability)
    return said, move


def has_no_opponent(code: str, ability: str) -> bool:
    """Whether an ability can show in the solo game too: nobody else has to move."""
    return ability != "razed" and (CARDS[code].get("feature") or {}).get("on") != "exchange"


def needed_cards(chance: random.Random, code: str, ability: str) -> dict[str, str]:
    """Cards that seat 0 needs besides, by where they lie, for a feature to answer to something."""
    if ability != "feature":
        return {}
    feature = CARDS[code]["feature"]
    own = [one for one in CODES if one != code and (is_common(one) or deck_of(one) == deck_of(code))]
    faction = [one for one in own if not is_common(one)]
    match feature:
        case {"on": "build", "colour": colour}:
            fitting = [one for one in own if colour in CARDS[one]["colours"]]
        case {"on": "build"} | {"on": "deal"}:
            fitting = faction
        case {"on": "raze"}:
            fitting = [one for one in own if CARDS[one].get("raze")]
        case {"on": "points"}:
            return {"locations": GOLDSMITH}
        case {"on": "production"}:
            return {"deals": chance.choice(faction)}
        case _:
            return {}
    return {"hand": chance.choice(fitting)}


def move_for(said: Said, code: str, ability: str) -> Said:
    """The move that shows an ability; the position gets the phase and the turn in which it can be made."""
    own = said["players"][0]
    label = name_in_empire(own, code)
    match ability:
        case "build" | "deal" | "raze":
            return {"do": ability, "p": 0, "card": called(code)}
        case "razed":
            said["to_move"] = 1
            return {"do": "raze", "p": 1, "target": 0, "at": label}
        case "production":
            said["phase"] = "production"
            return {"do": "produce", "p": 0}
        case "action":
            return {"do": "activate", "p": 0, "location": label}
        case "action twice":
            return {"do": "activate", "p": 0, "location": label, "times": 2}
    match CARDS[code]["feature"]["on"]:
        case "build" | "deal" | "raze" as what:
            return {"do": what, "p": 0, "card": own["hand"][-1]}
        case "points":
            return {"do": "activate", "p": 0, "location": name_in_empire(own, GOLDSMITH)}
        case "exchange":
            said["to_move"] = 1
            return {"do": "exchange", "p": 1, "for": ["wood", "food"]}
        case "production":
            said["phase"] = "production"
            return {"do": "produce", "p": 0}
        case "cleanup":
            said.update(phase="cleanup", round=2)
            return {"do": "cleanup"}
        case "tuck":
            return {"do": "tuck", "p": 0, "location": label, "cards": own["hand"][:2]}
        case _:
            return {"do": "bank", "p": 0, "goods": {"wood": 1, "stone": 1}}


def name_in_empire(player: dict[str, Any], code: str) -> str:
    """What a location that is the last of its name is called in its empire, or its code if it is a print of its own."""
    name = called(code)
    if name == code:
        return code
    cards = [place if isinstance(place, str) else place["card"] for place in player["locations"]]
    alike = [card for card in cards if card == name or (card in CARDS and CARDS[card]["name"] == name)]
    return CARDS[code]["name"] if len(alike) < 2 else f"{CARDS[code]['name']}#{len(alike)}"

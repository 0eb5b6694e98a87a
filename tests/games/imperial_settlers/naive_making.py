"""Positions and moves made up at random, by which the slow model and the engine are compared.

Moves are made by the model: where it has to choose, it chooses at random and says so in the move, so that a move holds
every decision that it needs. Others are spoilt on purpose. What would hang on a shuffle is left out.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from typing import Any

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
    Position,
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
from tests.games.imperial_settlers.naive_decisions import Option, Said
from tests.games.imperial_settlers.naive_moves import lay_out_all, make_move, try_move
from tests.games.imperial_settlers.naive_phases import seen_in_draft

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
    """A player with cards in all places."""
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
    """A location, often with something on it."""
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

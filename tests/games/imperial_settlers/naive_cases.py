"""A position for each ability of each card, in which the move that shows it is legal."""

from __future__ import annotations

import copy
import random
from typing import Any

from tests.games.imperial_settlers.naive import (
    CARDS,
    CODES,
    FACTIONS,
    IllegalError,
    UnpredictableError,
    deck_of,
    is_common,
    load_position,
)
from tests.games.imperial_settlers.naive_decisions import Said
from tests.games.imperial_settlers.naive_making import (
    Box,
    Random,
    called,
    random_location,
    random_player,
    random_solo,
    some_goods,
    tidied,
)
from tests.games.imperial_settlers.naive_moves import make_move, try_move

TRIES = 300
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
    for _ in range(TRIES):
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

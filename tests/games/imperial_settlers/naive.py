"""Imperial Settlers once more, slowly: positions as people write them down, in dictionaries and lists.

Cards are their printed codes; what they are is said by a fact table of its own (`data/cards.json`), whose lists of
effects `naive_moves.py` reads. This file lays a position out and reads from it what anybody could count.

Decisions stand in the dictionary of a move, as `inspect` takes them. One that is not given is taken if there is only
one option; otherwise the move is illegal.
"""

import copy
import itertools
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

Position = dict[str, Any]
"""What `load_position` returns; a location and a player are dictionaries as well."""

TABLE = json.loads((Path(__file__).parent / "data" / "cards.json").read_text("utf-8"))
RESOURCES = ("wood", "stone", "food")
GOODS = (*RESOURCES, "gold", "worker", "raze", "defence")
FACTIONS = list(TABLE["factions"])
VIRTUAL = "virtual"
ROUNDS = 5
TITLES = ((80, "emperor"), (70, "king"), (60, "castellan"), (50, "knight"), (40, "squire"), (30, "servant"))


def prints_of(row: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """All printed cards of a row of the fact table, by code."""
    letters, first = row["code"][:3], int(row["code"][3:])
    codes = [f"{letters}{number:03d}" for number in range(first, first + row["copies"])]
    return {code: {**row, **row.get("prints", {}).get(code, {}), "code": code} for code in codes}


CARDS: dict[str, dict[str, Any]] = {code: card for row in TABLE["cards"] for code, card in prints_of(row).items()}
CODES = list(CARDS)
NAMES = {code: card["name"] for code, card in CARDS.items()} | {f"attack {good}": good for good in TABLE["attack"]}
PLAIN = {code for row in TABLE["cards"] for code in prints_of(row) if code not in row.get("prints", {})}
"""Prints with the values of the row itself: what a name stands for."""


class IllegalError(Exception):
    """A move is against the rules, or says too little."""


class UnpredictableError(Exception):
    """What would happen depends on a shuffle."""


def deck_of(code: str) -> str:
    return str(CARDS[code]["deck"])


def is_common(code: str) -> bool:
    return deck_of(code) == "common"


# ---- Laying out ----


def find_card(name: str, codes: Iterable[str]) -> str | None:
    """The card meant by a name or a code among some; a name means a print with the values of the row itself."""
    codes = list(codes)
    if name in codes:
        return name
    for code in codes:
        if NAMES[code] == name and code in PLAIN:
            return code
    return next((code for code in codes if NAMES[code] == name), None)


def load_position(said: dict[str, Any]) -> Position:
    """Lay out a position that is written as for `inspect`."""
    left = list(CODES)

    def card(name: str) -> str:
        code = find_card(name, left)
        assert code is not None, name
        left.remove(code)
        return code

    players = [lay_out_player(one, card) for one in said["players"]]
    for one, player in zip(said["players"], players, strict=True):
        for deal in one.get("deals", ()):
            if isinstance(deal, dict):
                # A deal by Trade Route: with a location that lies in another empire; nobody says which card marks it.
                there = players[deal["of"]]["locations"]
                place = next(x for x in there if deal["card"] in (x["card"], NAMES[x["card"]]))
                player["deals"].append({"card": place["card"], "with": place, "marker": None})
            else:
                player["deals"].append({"card": card(deal), "with": None})
    p: Position = {
        "round": said.get("round", 1),
        "phase": said.get("phase", "action"),
        "first": said.get("first", 0),
        "lookout": said.get("lookout", "standard"),
        "peaceful": said.get("peaceful", False),
        "players": players,
        "row": [card(name) for name in said.get("row", ())],
        "discard": [card(name) for name in said.get("discards", {}).get("common", ())],
        "shuffled": set(),
        "picks": 0,
        "drafting": [],
        "waits_for_chance": False,
        "solo": None,
    }
    if len(players) == 1:
        solo = said.get("solo", {})
        row, pile = list(solo.get("row", ())), solo.get("pile", 0)
        rest = [good for good, number in TABLE["attack"].items() for _ in range(number - row.count(good))]
        places = [lay_out_location(name, card) for name in solo.get("locations", ())]
        p["solo"] = {"row": row, "deck": list(solo.get("deck", rest)), "locations": places, "pile": pile}
    for seat, (one, player) in enumerate(zip(said["players"], players, strict=True)):
        player["deck"] = [card(name) for name in one.get("deck", ())]
        if "deck" not in one:
            p["shuffled"].add(seat)
    p["deck"] = [card(name) for name in said.get("decks", {}).get("common", ())]
    if "common" not in said.get("decks", {}):
        p["shuffled"].add("common")
        p["deck"] = [code for code in left if is_common(code)]
    for seat in p["shuffled"] - {"common"}:
        players[seat]["deck"] = [code for code in left if deck_of(code) == players[seat]["faction"]]
    p["turn"] = said.get("to_move", first_to_move(p))
    return p


def lay_out_player(said: dict[str, Any], card: Callable[[str], str]) -> dict[str, Any]:
    """A player without deals and deck; `card` takes the card of a name out of the box."""
    return {
        "faction": said["faction"],
        "vp": said.get("vp", 0),
        "goods": goods(said.get("goods", {})),
        "hand": [card(name) for name in said.get("hand", ())],
        "locations": [lay_out_location(place, card) for place in said.get("locations", ())],
        "foundations": [None] * said.get("foundations", 0),
        "passed": said.get("passed", False),
        "discard": [card(name) for name in said.get("discard", ())],
        "deals": [],
        "pack": [],
    }


def lay_out_location(said: Any, card: Callable[[str], str]) -> dict[str, Any]:
    """A location with what lies on it; goods that are left out are those that its uses cost."""
    said = {"card": said} if isinstance(said, str) else said
    code = card(said["card"])
    used = said.get("used", 0)
    cost = {good: number * used for good, number in CARDS[code].get("action", {"pay": {}})["pay"].items()}
    return {
        "card": code,
        "used": used,
        "goods": goods(said.get("goods", {good: n for good, n in cost.items() if good in GOODS})),
        "banked": goods(said.get("banked", {})),
        "tucked": [None] * said.get("tucked", 0),
        "holder": said.get("controlled_by"),
        **{key: said.get(key, False) for key in ("defence", "samurai", "blocked")},
        "gained": said.get("gained", 0),
    }


def first_to_move(p: Position) -> int | None:
    """First seat from the first player on that has not passed; nobody where nobody moves by turns."""
    if p["phase"] not in ("production", "action"):
        return None
    count = len(p["players"])
    order = [(p["first"] + step) % count for step in range(count)]
    return next((seat for seat in order if not p["players"][seat]["passed"]), None)


def goods(some: dict[str, int]) -> dict[str, int]:
    """All goods of a supply, those not named 0."""
    return {good: some.get(good, 0) for good in GOODS}


# ---- Empires ----


def locations_of(p: Position, seat: Any) -> list[dict[str, Any]]:
    """Locations that lie in an empire, or before the virtual player."""
    places = p["solo"]["locations"] if seat == VIRTUAL else p["players"][seat]["locations"]
    return list(places)


def empires(p: Position) -> list[Any]:
    """Everybody before whom locations may lie."""
    return [*range(len(p["players"])), *([VIRTUAL] if p["solo"] else [])]


def held_by(p: Position, seat: int) -> list[dict[str, Any]]:
    """Locations that work for a seat: its own that no other holds, then those of others that it holds."""
    own = [place for place in locations_of(p, seat) if place["holder"] in (None, seat)]
    others = [x for other in empires(p) if other != seat for x in locations_of(p, other) if x["holder"] == seat]
    return own + others


def owner_of(p: Position, place: dict[str, Any]) -> Any:
    return next(seat for seat in empires(p) if any(place is other for other in locations_of(p, seat)))


def labels(places: list[dict[str, Any]]) -> list[str]:
    """Names of locations in the order built, from the second of a name on with its number."""
    names = [NAMES[place["card"]] for place in places]
    return [
        name if names[:place].count(name) == 0 else f"{name}#{names[:place].count(name) + 1}"
        for place, name in enumerate(names)
    ]


def label(p: Position, place: dict[str, Any]) -> str:
    """What a location is called in its own empire."""
    there = locations_of(p, owner_of(p, place))
    return next(name for name, other in zip(labels(there), there, strict=True) if other is place)


def named_location(p: Position, seat: Any, name: str) -> dict[str, Any]:
    """The location of an empire that is called so; a code will do as well."""
    there = locations_of(p, seat)
    for called, place in zip(labels(there), there, strict=True):
        if name in (called, place["card"]):
            return place
    raise IllegalError(f"{seat} has no location {name}")


def count_colour(p: Position, seat: int, colour: str) -> int:
    return sum(colour in CARDS[place["card"]]["colours"] for place in held_by(p, seat))


def count_samurai(p: Position, seat: int) -> int:
    return sum(place["samurai"] for place in locations_of(p, seat))


def features(p: Position, seat: int, when: str) -> list[dict[str, Any]]:
    """Locations of a seat whose feature waits for something."""
    return [x for x in held_by(p, seat) if (CARDS[x["card"]].get("feature") or {}).get("on") == when]


def opponents(p: Position, seat: int) -> list[Any]:
    """Those whom an action of a seat can touch: all others that have not passed."""
    others = [other for other in range(len(p["players"])) if other != seat and not p["players"][other]["passed"]]
    return [VIRTUAL] if p["solo"] else others


# ---- Counting ----


def score_of(p: Position, seat: int) -> dict[str, int]:
    """Points of a seat as if the game ended now."""
    player = p["players"][seat]
    common = sum(is_common(place["card"]) for place in player["locations"])
    extra = 0
    for place in player["locations"]:
        feature = CARDS[place["card"]].get("feature") or {}
        if "end" in feature:
            there = len(place["tucked"]) + sum(place["banked"].values())
            extra += max([points for least, points in feature["end"] if there >= least], default=0)
    parts = {"track": player["vp"], "common": common, "faction": 2 * (len(player["locations"]) - common)}
    parts["cards"] = extra
    return parts | {"total": sum(parts.values())}


def ranks(p: Position) -> list[int]:
    """Places of all seats: points, then workers and resources left, then cards in hand."""

    def standing(seat: int) -> tuple[int, int, int]:
        player = p["players"][seat]
        left = sum(player["goods"][good] for good in (*RESOURCES, "worker"))
        return score_of(p, seat)["total"], left, len(player["hand"])

    standings = [standing(seat) for seat in range(len(p["players"]))]
    return [1 + sum(other > one for other in standings) for one in standings]


def forecast(p: Position, seat: int) -> tuple[dict[str, int], list[str]]:
    """Goods, points and cards of the next production phase as things stand, and the locations with a choice."""
    p = copy.deepcopy(p)
    for empire in empires(p):
        for place in locations_of(p, empire):
            place["holder"] = None  # The round of the Temple of Ra will be over.
    player = p["players"][seat]
    total = dict.fromkeys((*GOODS, "vp", "card"), 0)
    choices = []

    def gain(good: str, number: int) -> None:
        total[good] += number
        if good == "vp":
            total["vp"] += sum(number >= CARDS[x["card"]]["feature"]["least"] for x in features(p, seat, "points"))

    def run(place: dict[str, Any], asker: dict[str, Any]) -> None:
        for effect in CARDS[place["card"]]["production"]:
            match effect:
                case ["gain", good, number]:
                    gain(good, number)
                case ["gain for each", good, "samurai", cap]:
                    gain(good, min(cap, count_samurai(p, seat)))
                case ["gain for each", good, colour, cap]:
                    gain(good, min(cap, count_colour(p, seat, colour)))
                case ["draw", _, number]:
                    gain("card", number)
                case ["look", *_]:
                    gain("card", 1)
                case ["run", "another"]:
                    others = [x for x in player["locations"] if "production" in CARDS[x["card"]] and x is not place]
                    if len(others) > 1:
                        choices.append(label(p, asker))
                    for other in others if len(others) == 1 else ():
                        run(other, asker)
                case _:
                    choices.append(label(p, asker))

    for good, number in TABLE["factions"][player["faction"]]["board"].items():
        gain(good, number)
    for deal in player["deals"]:
        gain(*good_of_deal(deal))
    for place in player["locations"]:
        if "production" in CARDS[place["card"]]:
            run(place, place)
    return total, choices


def good_of_deal(deal: dict[str, Any]) -> tuple[str, int]:
    """The good of a deal and how many of it; a revealed attack card gives what it shows."""
    code: str = deal["card"]
    if code.startswith("attack "):
        return NAMES[code], 1
    ((good, number),) = CARDS[code]["deal"].items()
    return good, number


# ---- Telling ----


def told(p: Position) -> dict[str, Any]:
    """The position as `inspect` tells it, without `moves` and `legal`."""
    on_turn = p["turn"] if p["phase"] in ("lookout", "production", "action") else None
    result: dict[str, Any] = {
        "round": p["round"],
        "phase": p["phase"],
        "first": p["first"],
        "to_move": on_turn,
        "row": [NAMES[code] for code in p["row"]],
        "decks": {"common": len(p["deck"])},
        "discards": {"common": names(p["discard"])},
        "players": [told_player(p, seat) for seat in range(len(p["players"]))],
    }
    result["solo"] = None
    if p["solo"]:
        solo, score = p["solo"], score_of(p, 0)
        won = solo["pile"] < score["faction"] // 2
        title = next((name for least, name in TITLES if score["total"] >= least), "commoner")
        result["solo"] = {
            "row": list(solo["row"]),
            "deck": len(solo["deck"]),
            "locations": [NAMES[place["card"]] for place in solo["locations"]],
            "pile": solo["pile"],
            "won": won,
            "title": title if won else None,
        }
    return result


def names(codes: Iterable[str | None]) -> list[str | None]:
    """Names of cards; a card that nobody named stays so."""
    return [None if code is None else NAMES[code] for code in codes]


def told_player(p: Position, seat: int) -> dict[str, Any]:
    player = p["players"][seat]
    production, choices = forecast(p, seat)
    places = player["locations"]
    on = {name: told_location(place) for name, place in zip(labels(places), places, strict=True)}
    return {
        "faction": player["faction"],
        "vp": player["vp"],
        "goods": player["goods"],
        "hand": names(player["hand"]),
        "locations": [NAMES[place["card"]] for place in places],
        "on": {name: things for name, things in on.items() if things},
        "foundations": len(player["foundations"]),
        "deals": [NAMES[deal["card"]] for deal in player["deals"]],
        "passed": player["passed"],
        "pack": names(player["pack"]),
        "deck": len(player["deck"]),
        "discard": names(player["discard"]),
        "production": production,
        "production_choices": choices,
        "score": {**score_of(p, seat), "rank": ranks(p)[seat]},
    }


def told_location(place: dict[str, Any]) -> dict[str, Any]:
    """What lies on a location, without what does not."""
    things = {
        **{key: place[key] for key in ("used", "defence", "samurai", "blocked", "gained") if place[key]},
        **{key: place[key] for key in ("goods", "banked") if any(place[key].values())},
    }
    if place["tucked"]:
        things["tucked"] = len(place["tucked"])
    if place["holder"] is not None:
        things["controlled_by"] = place["holder"]
    return things


Said = dict[str, Any]
Place = dict[str, Any]
Option = tuple[dict[str, tuple[str, ...]], Any]
"""What a decision may say for it, by key, and what it is."""
Pick = Callable[[Sequence[Option]], Option]
"""Chooses among options that are open, of which there may be none."""


class Move:
    """A move being carried out, with the decisions that it says; or, with a `path`, with all there are in turn."""

    def __init__(self, p: Position, seat: int, said: Said, pick: Pick | None = None) -> None:
        self.p, self.seat, self.said, self.pick = p, seat, said, pick
        self.subject: Place | None = None
        self.subject_says = said
        self.draws: dict[int, int] = {}

    def says_of(self, place: Place) -> Said:
        """Decisions of a location: those of the one that the move names stand in the move itself."""
        if place is self.subject and "may" not in (CARDS[place["card"]].get("feature") or {}):
            return self.subject_says
        return self.choices(label(self.p, place))

    def choices(self, name: str) -> Said:
        """What the move says for another location; with `pick` it is yet to be said."""
        if self.pick is not None:
            return dict_in(dict_in(self.said, "choices"), name)
        return dict(self.said.get("choices", {}).get(name, {}))

    def choose(self, said: Said, options: Sequence[Option]) -> Any:
        """Return the option that is said, or the only one; with `pick` choose, and say so."""
        if self.pick is not None:
            keys, value = self.pick(options)
            said.update({key: said_name(names) for key, names in keys.items() if names})
            return value
        fitting = [one for one in options if all(said[key] in names for key, names in one[0].items() if key in said)]
        # A name rather means a print with the values of the row itself.
        usual = [one for one in fitting if all(said.get(key, name) == name for key, name in in_full(one).items())]
        fitting = usual or fitting
        if len({str(in_full(option)) for option in fitting}) != 1:
            raise IllegalError(f"one of {[keys for keys, _ in options]} is to be chosen, not {said}")
        return fitting[0][1]


def in_full(option: Option) -> dict[str, Any]:
    """What a move can say to choose an option; two options with the same words cannot be told apart."""
    return {key: said_name(names) for key, names in option[0].items() if names}


def dict_in(said: Said, key: str) -> Said:
    """The dictionary under a key, a new one if there is none."""
    found: Said = said.setdefault(key, {})
    return found


def said_name(names: tuple[Any, ...]) -> Any:
    """What to say for an option: its name, or its code for a print that has other values than its name."""
    is_print = names[-1] in CARDS and names[-1] not in PLAIN
    return names[-1] if is_print else names[0]


# ---- Goods ----


def gain(m: Move, seat: int, good: str, number: int, said: Said) -> None:
    """Let a seat gain goods by one effect; cards come from decks of its choice."""
    if good == "card":
        draw(m, seat, "any", number, said)
    elif good == "vp":
        m.p["players"][seat]["vp"] += number
        for place in features(m.p, seat, "points"):
            feature = CARDS[place["card"]]["feature"]
            if number >= feature["least"]:
                m.p["players"][seat]["vp"] += sum(effect[2] for effect in feature["do"])
    else:
        m.p["players"][seat]["goods"][good] += number


def payments(supply: dict[str, int], cost: dict[str, int]) -> list[dict[str, int]]:
    """All ways to pay a cost, those with the least gold first; `resource_any` is any resource."""
    ranges = [range(supply[good] + 1) for good in RESOURCES]
    fixed = {good: number for good, number in cost.items() if good not in (*RESOURCES, "resource_any", "location")}
    free = cost.get("resource_any", 0)
    due = sum(cost.get(good, 0) for good in RESOURCES) + free
    found = []
    for paid in itertools.product(*ranges):
        more = [number - cost.get(good, 0) for good, number in zip(RESOURCES, paid, strict=True)]
        if sum(max(number, 0) for number in more) > free or sum(paid) > due:
            continue
        whole = {**fixed, **dict(zip(RESOURCES, paid, strict=True))}
        whole["gold"] = fixed.get("gold", 0) + due - sum(paid)
        if all(supply[good] >= number for good, number in whole.items()):
            found.append({good: number for good, number in whole.items() if number})
    return sorted(found, key=lambda one: one.get("gold", 0))


def pay(m: Move, said: Said, cost: dict[str, int]) -> dict[str, int]:
    """Pay a cost as it is said; left out, with the resources themselves and gold for what is missing."""
    supply = m.p["players"][m.seat]["goods"]
    ways = payments(supply, cost)
    if not ways:
        raise IllegalError(f"{cost} cannot be paid")
    if m.pick is not None:
        way = m.pick([({}, way) for way in ways])[1]
        said["pay"] = dict(way)
    elif "pay" in said:
        way = {good: number for good, number in said["pay"].items() if number}
        if way not in ways:
            raise IllegalError(f"{cost} is not paid with {way}")
    else:
        least = [way for way in ways if way.get("gold", 0) == ways[0].get("gold", 0)]
        if len(least) > 1:
            raise IllegalError("several ways to pay")
        way = least[0]
    for good, number in way.items():
        supply[good] -= number
    return dict(way)


# ---- Cards ----


def pile_of(p: Position, seat: int, deck: str) -> tuple[list[str], Any]:
    """A deck, and by what it is called where decks are shuffled."""
    return (p["deck"], "common") if deck == "common" else (p["players"][seat]["deck"], seat)


def can_give(p: Position, seat: int, deck: str) -> bool:
    """Whether a deck can give a card: only the common discards are shuffled again."""
    pile, _ = pile_of(p, seat, deck)
    return bool(pile) or (deck == "common" and bool(p["discard"]))


def take_top(p: Position, seat: int, deck: str) -> str:
    """Take the top card of a deck that can give one."""
    pile, called = pile_of(p, seat, deck)
    if not pile:
        pile[:] = p["discard"]
        p["discard"] = []
        p["shuffled"].add(called)
    if called in p["shuffled"] and len({NAMES[code] for code in pile}) > 1:
        raise UnpredictableError(f"the deck {called} is shuffled")
    if not pile:
        raise UnpredictableError(f"the deck {called} is used up")
    return pile.pop(0)


def draw(m: Move, seat: int, deck: str, number: int, said: Said) -> list[str]:
    """Draw cards into the hand; without a printed deck each from the deck that is said, or a common one."""
    drawn = []
    for _ in range(number):
        decks = [one for one in ("common", "faction") if deck in (one, "any") and can_give(m.p, seat, one)]
        if not decks:
            break
        chosen = decks[0]
        if deck == "any" and m.pick is not None:
            chosen = m.pick([({}, one) for one in decks])[1]
            said.setdefault("draw", []).append(chosen)
        entries, used = said.get("draw", ()), m.draws.get(id(said.get("draw")), 0)
        if deck == "any" and m.pick is None and used < len(entries):
            chosen = entries[used]
            m.draws[id(said["draw"])] = used + 1
            if chosen not in decks:
                raise IllegalError(f"the {chosen} deck has no card")
        drawn.append(take_top(m.p, seat, chosen))
    m.p["players"][seat]["hand"] += drawn
    return drawn


def look(m: Move, deck: str, number: int, rest: str, said: Said) -> None:
    hand = m.p["players"][m.seat]["hand"]
    seen = draw(m, m.seat, deck, number, said)
    if not seen:
        return
    kept = m.choose(said, [({"keep": names_of(code)}, code) for code in seen])
    for code in seen:
        if code is not kept:
            hand.remove(code)
            if rest == "discard":
                discard(m.p, code)
            else:
                pile, called = pile_of(m.p, m.seat, deck)
                pile.append(code)
                m.p["shuffled"].add(called)


def names_of(code: str) -> tuple[str, str]:
    """What a card may be called."""
    return NAMES[code], code


def discard(p: Position, code: str | None) -> None:
    """Lay a card on the discard pile of its kind; attack cards and cards that have no name are gone."""
    if code is None or code.startswith("attack "):
        return
    if is_common(code):
        p["discard"].append(code)
    else:
        next(player for player in p["players"] if player["faction"] == deck_of(code))["discard"].append(code)


def hand_card(m: Move, said: Said, codes: Iterable[str], key: str = "card") -> str:
    """Choose among hand cards."""
    return str(m.choose(said, [({key: names_of(code)}, code) for code in codes]))

"""Moves of the slow model, and what is legal: `inspect` does with a position what `sim` does with it."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import Any

from tests.games.imperial_settlers.naive import (
    CARDS,
    GOODS,
    NAMES,
    PLAIN,
    RESOURCES,
    ROUNDS,
    IllegalError,
    Position,
    UnpredictableError,
    empires,
    features,
    find_card,
    held_by,
    is_common,
    label,
    load_position,
    named_location,
    owner_of,
    told,
)
from tests.games.imperial_settlers.naive_decisions import (
    Move,
    Option,
    Pick,
    Place,
    Said,
    can_give,
    discard,
    draw,
    hand_card,
    names_of,
    pay,
    payments,
)
from tests.games.imperial_settlers.naive_effects import (
    build,
    do,
    free_for_samurai,
    has_raze_field,
    make_deal,
    place_names,
    raze,
    raze_from_hand,
    razeable_of_opponents,
    spend,
    tokens_for,
)
from tests.games.imperial_settlers.naive_phases import attack, begin, chance, clean_up, enter_draft, produce, take

# ---- Positions ----


def inspect(said: dict[str, Any]) -> dict[str, Any]:
    """Carry out the moves of a position and tell what is then, as `inspect` does; reasons are left out."""
    p = lay_out_all(said)
    results = []
    for move in said.get("moves", ()):
        after = try_move(p, move)
        results.append({"ok": after is not None})
        p = p if after is None else after
    return {**told(p), "moves": results, "legal": legal(p)}


def lay_out_all(said: dict[str, Any]) -> Position:
    """Lay a position out; a lookout phase goes on where it is, and the action phase is over if all have passed."""
    p = load_position(said)
    enter_draft(p)
    if p["phase"] == "action" and p["turn"] is None:
        end_turn(p, p["first"])
    return p


def try_move(p: Position, said: Said) -> Position | None:
    """Return the position after a move, or nothing if it is against the rules; the position itself stays."""
    p = copy.deepcopy(p)
    try:
        make_move(p, copy.deepcopy(said))
    except IllegalError:
        return None
    return p


class Path:
    """Picks options so that all ways of a move are tried, one after another."""

    def __init__(self) -> None:
        self.steps: list[list[int]] = []
        self.taken = 0

    def __call__(self, options: Sequence[Option]) -> Option:
        """Pick the next step of the path, at first the first option."""
        if not options:
            raise IllegalError("nothing to choose")
        if self.taken == len(self.steps):
            self.steps.append([0, len(options)])
        self.taken += 1
        return options[self.steps[self.taken - 1][0]]

    def go_on(self) -> bool:
        """Turn to the next way; tell whether there is one."""
        self.taken = 0
        while self.steps and self.steps[-1][0] + 1 >= self.steps[-1][1]:
            self.steps.pop()
        if self.steps:
            self.steps[-1][0] += 1
        return bool(self.steps)


def possible(p: Position, said: Said) -> bool:
    """Whether a move can be made with some decisions."""
    path = Path()
    while True:
        try:
            make_move(copy.deepcopy(p), copy.deepcopy(said), path)
        except IllegalError:
            if not path.go_on():
                return False
        except UnpredictableError:
            return True
        else:
            return True


def make_move(p: Position, said: Said, pick: Pick | None = None) -> None:
    """Make a move; afterwards the position may be half way through it if it turns out to be illegal."""
    what = said["do"]
    if what in WITHOUT_SEAT:
        WITHOUT_SEAT[what](p, said)
        return
    seat = said["p"]
    m = Move(p, seat, said, pick)
    if what in ("take", "produce"):
        (take if what == "take" else produce)(m)
        return
    if p["phase"] != "action" or p["turn"] != seat:
        raise IllegalError(f"not the turn of {seat}")
    if what in FREE_STEPS:
        FREE_STEPS[what](m)
        return
    if what == "pass":
        p["players"][seat]["passed"] = True
    else:
        ACTIONS[what](m)
    end_turn(p, seat)


def end_turn(p: Position, seat: int) -> None:
    """Let the next seat move that has not passed; when all have, the phase is over."""
    count = len(p["players"])
    order = [(seat + step) % count for step in range(1, count + 1)]
    p["turn"] = next((other for other in order if not p["players"][other]["passed"]), None)
    if p["turn"] is None:
        p["phase"] = "cleanup" if p["round"] < ROUNDS else ("attack" if p["solo"] else "end")


# ---- Actions ----


def named_card(name: str, codes: Iterable[str]) -> str:
    """The card of a name or a code among some."""
    code = find_card(name, codes)
    if code is None:
        raise IllegalError(f"no {name}")
    return code


def build_action(m: Move) -> None:
    """Build a card of the hand."""
    hand = m.p["players"][m.seat]["hand"]
    code = named_card(m.said["card"], hand)
    hand.remove(code)
    build(m, code, m.said)


def deal_action(m: Move) -> None:
    """Make a deal with a faction card of the hand."""
    player = m.p["players"][m.seat]
    code = named_card(m.said["card"], [code for code in player["hand"] if not is_common(code)])
    pay(m, m.said, {"food": 1})
    player["hand"].remove(code)
    make_deal(m, {"card": code, "with": None}, m.said)


def raze_action(m: Move) -> None:
    """Raze a hand card for a raze token, or an opponent's location for two and its protection."""
    supply = m.p["players"][m.seat]["goods"]
    if "card" in m.said:
        hand = m.p["players"][m.seat]["hand"]
        code = named_card(m.said["card"], [code for code in hand if has_raze_field(code)])
        spend(supply, "raze", 1)
        raze_from_hand(m, code, m.said)
        return
    if m.p["peaceful"]:
        raise IllegalError("nobody razes what is others'")
    others = [other for other in empires(m.p) if other != m.seat]
    if "target" not in m.said and len(others) > 1:
        raise IllegalError("whose location?")
    place = named_location(m.p, m.said.get("target", others[0]), m.said["at"])
    if not any(place is other for _, other in razeable_of_opponents(m)):
        raise IllegalError("cannot be razed")
    spend(supply, "raze", tokens_for(place))
    raze(m, place, m.said)


def usable(p: Position, seat: int, place: Place) -> int:
    """How often an action location can still be used this round by a seat for which it works."""
    card = CARDS[place["card"]]
    works = any(place is other for other in held_by(p, seat))
    return card["action"]["uses"] - place["used"] if "action" in card and works and not place["blocked"] else 0


def activate(m: Move) -> None:
    """Use an action location, once or twice."""
    place = usable_location(m)
    times = m.said.get("times", 1)
    m.subject = place
    if times > usable(m.p, m.seat, place):
        raise IllegalError("cannot be used")
    cost = {good: times * number for good, number in price_of_use(place).items()}
    if not payments(m.p["players"][m.seat]["goods"], cost):
        raise IllegalError("two uses in one action are paid together")
    for said in m.said.setdefault("each", [{}, {}]) if times == 2 else [m.said]:
        m.subject_says = said
        use(m, place, said)


def usable_location(m: Move) -> Place:
    """The location that a move names: of the empire that it says, of the own one, or the one so called that is held."""
    name = m.said["location"]
    if "owner" in m.said:
        return named_location(m.p, m.said["owner"], name)
    called = [place for place in held_by(m.p, m.seat) if name in place_names(m.p, place)]
    own = [place for place in called if owner_of(m.p, place) == m.seat]
    if len(own or called) != 1:
        raise IllegalError(f"no location {name}")
    return (own or called)[0]


def price_of_use(place: Place) -> dict[str, int]:
    """Goods that are paid for one use of an action location."""
    pay_for_use: dict[str, int] = CARDS[place["card"]]["action"]["pay"]
    return {good: number for good, number in pay_for_use.items() if good in (*GOODS, "resource_any")}


def use(m: Move, place: Place, said: Said) -> None:
    """Use an action location once: pay onto it, carry its action out."""
    action = CARDS[place["card"]]["action"]
    cost = price_of_use(place)
    for good, number in pay(m, said, cost).items() if cost else ():
        place["goods"][good] += number
    player = m.p["players"][m.seat]
    if "hand_card" in action["pay"]:
        code = hand_card(m, said, player["hand"])
        player["hand"].remove(code)
        discard(m.p, code)
    if "own_deal" in action["pay"]:
        give_up_deal(m, said)
    place["used"] += 1
    for effect in action["do"]:
        do(m, effect, place, said)


def give_up_deal(m: Move, said: Said) -> None:
    """Discard an own deal, of one by Trade Route the card that marks it."""
    deals = m.p["players"][m.seat]["deals"]
    deal = m.choose(said, [({"deal": names_of(deal["card"])}, deal) for deal in deals])
    deals[:] = [other for other in deals if other is not deal]
    discard(m.p, deal["card"] if deal["with"] is None else deal["marker"])


def exchange(m: Move) -> None:
    """Turn pairs of workers into resources or cards; each Oasis of an opponent gains a worker of each pair."""
    p, seat = m.p, m.seat
    wanted = m.said.get("for", [])
    if not wanted:
        raise IllegalError("for what?")
    for one in wanted:
        spend(p["players"][seat]["goods"], "worker", 2)
        if one in RESOURCES:
            p["players"][seat]["goods"][one] += 1
        elif one in ("common", "faction") and can_give(p, seat, one):
            draw(m, seat, one, 1, {})
        else:
            raise IllegalError(f"no {one} to be had")
        for other in range(len(p["players"])):
            for place in features(p, other, "exchange") if other != seat else ():
                if place["gained"] < CARDS[place["card"]]["feature"]["cap"]:
                    place["gained"] += 1
                    p["players"][other]["goods"]["worker"] += 1


# ---- Free steps ----


def defend(m: Move) -> None:
    """Put the defence token onto an own common location."""
    place = own_location(m, defendable(m.p, m.seat))
    spend(m.p["players"][m.seat]["goods"], "defence", 1)
    place["defence"] = True


def defendable(p: Position, seat: int) -> list[Place]:
    """Own common locations without a defence token."""
    return [x for x in p["players"][seat]["locations"] if is_common(x["card"]) and not x["defence"]]


def samurai(m: Move) -> None:
    """Put a worker onto an own faction location as a samurai; only the Japanese can."""
    if m.p["players"][m.seat]["faction"] != "japanese":
        raise IllegalError("no samurai")
    place = own_location(m, free_for_samurai(m.p, m.seat))
    spend(m.p["players"][m.seat]["goods"], "worker", 1)
    place["samurai"] = True


def own_location(m: Move, places: list[Place]) -> Place:
    """The location that a free step names."""
    place: Place = m.choose(m.said, [({"location": place_names(m.p, place)}, place) for place in places])
    return place


def tuck(m: Move) -> None:
    """Put hand cards under a Gate for a point each."""
    place = own_location(m, features(m.p, m.seat, "tuck"))
    cards = m.said.get("cards", [])
    if not cards:
        raise IllegalError("no cards")
    for name in cards:
        code = named_card(name, m.p["players"][m.seat]["hand"])
        m.p["players"][m.seat]["hand"].remove(code)
        place["tucked"].append(code)
        for effect in CARDS[place["card"]]["feature"]["do"]:
            do(m, effect, place, {})


def bank(m: Move) -> None:
    """Put resources onto a Shrine."""
    place = own_location(m, features(m.p, m.seat, "bank"))
    wanted = {good: number for good, number in m.said.get("goods", {}).items() if number}
    if not wanted or not set(wanted) <= set(CARDS[place["card"]]["feature"]["goods"]):
        raise IllegalError("only resources")
    for good, number in wanted.items():
        spend(m.p["players"][m.seat]["goods"], good, number)
        place["banked"][good] += number


WITHOUT_SEAT = {"begin": begin, "random": chance, "cleanup": clean_up, "attack": attack}
ACTIONS = {
    "build": build_action,
    "deal": deal_action,
    "raze": raze_action,
    "activate": activate,
    "exchange": exchange,
}
FREE_STEPS = {"defend": defend, "samurai": samurai, "tuck": tuck, "bank": bank}


# ---- What is legal ----


def legal(p: Position) -> dict[str, Any] | None:
    """What the seat on turn may do."""
    seat = p["turn"]
    if p["phase"] != "action" or seat is None:
        return None
    player = p["players"][seat]
    supply = player["goods"]
    m = Move(p, seat, {})
    one_token = supply["raze"] >= 1
    costs: dict[str, dict[str, int]] = {}
    for code in sorted(player["hand"], key=lambda code: code not in PLAIN):
        cost = least_cost(p, seat, code)
        if cost is not None:
            costs.setdefault(NAMES[code], cost)
    deals = [NAMES[code] for code in player["hand"] if not is_common(code) and payments(supply, {"food": 1})]
    razes: dict[str, dict[str, int]] = {}
    for other, place in () if p["peaceful"] else razeable_of_opponents(m):
        if tokens_for(place) <= supply["raze"]:
            razes.setdefault(str(other), {})[label(p, place)] = tokens_for(place)
    uses = {label(p, place): times_usable(p, seat, place) for place in player["locations"]}
    found = {
        "build": costs,
        "deal": list(dict.fromkeys(deals)),
        "raze_hand": list(dict.fromkeys(NAMES[c] for c in player["hand"] if has_raze_field(c) and one_token)),
        "raze": razes,
        "activate": {name: times for name, times in uses.items() if times},
        "exchange": supply["worker"] // 2,
        "defend": [label(p, place) for place in defendable(p, seat) if supply["defence"]],
        "samurai": [label(p, place) for place in samurai_places(p, seat)],
        "pass": True,
    }
    return {what: value for what, value in found.items() if value}


def least_cost(p: Position, seat: int, code: str) -> dict[str, int] | None:
    """What a card of the hand costs at least, or nothing if it cannot be built."""
    player, cost = p["players"][seat], CARDS[code]["cost"]
    ways = payments(player["goods"], cost)
    to_give_up = bool(player["foundations"]) or any(place["holder"] is None for place in player["locations"])
    if not ways or ("location" in cost and not to_give_up):
        return None
    return {**ways[0], **({"location": 1} if "location" in cost else {})}


def times_usable(p: Position, seat: int, place: Place) -> int:
    """How often an action location can be used and paid for now, with some decisions."""
    said = {"do": "activate", "p": seat, "location": label(p, place), "owner": owner_of(p, place)}
    for times in range(usable(p, seat, place), 0, -1):
        if possible(p, {**said, "times": times}):
            return times
    return 0


def samurai_places(p: Position, seat: int) -> list[Place]:
    player = p["players"][seat]
    able = player["faction"] == "japanese" and player["goods"]["worker"] > 0
    return free_for_samurai(p, seat) if able else []

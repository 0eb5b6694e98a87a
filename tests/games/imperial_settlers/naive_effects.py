"""What cards do, in the slow model: building, razing, deals, and each effect of the fact table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.games.imperial_settlers.naive import (
    CARDS,
    NAMES,
    VIRTUAL,
    IllegalError,
    Position,
    count_colour,
    count_samurai,
    deck_of,
    features,
    good_of_deal,
    goods,
    held_by,
    is_common,
    label,
    locations_of,
    opponents,
    owner_of,
)
from tests.games.imperial_settlers.naive_decisions import (
    Move,
    Option,
    Place,
    Said,
    can_give,
    dict_in,
    discard,
    draw,
    gain,
    hand_card,
    look,
    names_of,
    pay,
    payments,
)

# ---- Locations ----


def new_place(code: str) -> Place:
    """A location with nothing on it."""
    empty = {"used": 0, "tucked": [], "holder": None, "defence": False, "samurai": False, "blocked": False}
    return {"card": code, "goods": goods({}), "banked": goods({}), "gained": 0, **empty}


def build(m: Move, code: str, said: Said, waived: bool = False) -> None:
    """Build a card, which lies nowhere: pay, give a location up, gain production and bonus, fire features."""
    player = m.p["players"][m.seat]
    cost = CARDS[code]["cost"]
    pay(m, said, cost)
    if "location" in cost and not waived:
        give_up(m, said)
    place = new_place(code)
    player["locations"].append(place)
    m.subject, m.subject_says = place, said
    for effect in (*CARDS[code].get("production", ()), *CARDS[code].get("bonus", ())):
        do(m, effect, place, said)
    for other in sorted(features(m.p, m.seat, "build"), key=lambda x: "may" in CARDS[x["card"]]["feature"]):
        feature = CARDS[other["card"]]["feature"]
        answers = feature["colour"] in CARDS[code]["colours"] if "colour" in feature else not is_common(code)
        if answers:
            fire_build(m, feature, other)


def fire_build(m: Move, feature: dict[str, Any], place: Place) -> None:
    """Fire one feature that waits for buildings; some may be paid for."""
    said = m.says_of(place)
    if "may" not in feature:
        for effect in feature["do"]:
            do(m, effect, place, said)
        return
    supply = m.p["players"][m.seat]["goods"]
    if m.pick is not None:
        ways = [cost for cost, _ in feature["may"] if payments(supply, cost)]
        said["pay"] = m.pick([({}, way) for way in ({}, *ways)])[1]
    paid = {good: number for good, number in said.get("pay", {}).items() if number}
    if not paid:
        return
    for cost, effects in feature["may"]:
        if cost == paid:
            for good, number in cost.items():
                spend(supply, good, number)
            for effect in effects:
                do(m, effect, place, {})
            return
    raise IllegalError(f"{paid} buys nothing")


def spend(supply: dict[str, int], good: str, number: int) -> None:
    """Give goods up."""
    if supply[good] < number:
        raise IllegalError(f"fewer than {number} {good}")
    supply[good] -= number


def give_up(m: Move, said: Said) -> None:
    """Discard an own location that nobody else holds, or a foundation."""
    player = m.p["players"][m.seat]
    own = [place for place in player["locations"] if place["holder"] is None]
    options: list[Option] = [({"discard": place_names(m.p, place)}, place) for place in own]
    if player["foundations"]:
        options.append(({"discard": ("foundation",)}, None))
    place = m.choose(said, options)
    if place is None:
        discard(m.p, player["foundations"].pop())
    else:
        discard(m.p, leave(m.p, place))


def place_names(p: Position, place: Place) -> tuple[str, str]:
    """What a location may be called in its empire."""
    return label(p, place), place["card"]


def leave(p: Position, place: Place) -> str:
    """Take a location out of its empire, with all on it; deals by Trade Route with it end. Return its card."""
    owner = owner_of(p, place)
    there = p["solo"]["locations"] if owner == VIRTUAL else p["players"][owner]["locations"]
    there[:] = [other for other in there if other is not place]
    for code in place["tucked"]:
        discard(p, code)
    for player in p["players"]:
        for deal in player["deals"]:
            if deal["with"] is place:
                discard(p, deal["marker"])
        player["deals"] = [deal for deal in player["deals"] if deal["with"] is not place]
    return str(place["card"])


# ---- Razing ----


def has_raze_field(code: str) -> bool:
    return bool(CARDS[code].get("raze"))


def razeable(place: Place) -> bool:
    """Whether a location can be razed at all; of faction cards only the Japanese ones have a raze field."""
    return has_raze_field(place["card"]) and not CARDS[place["card"]].get("cannot_be_razed")


def tokens_for(place: Place) -> int:
    """Raze tokens that an opponent's location costs."""
    return 2 + bool(place["defence"]) + bool(place["samurai"])


def razeable_of_opponents(m: Move) -> list[tuple[Any, Place]]:
    """Locations of others that a seat could raze, with those before whom they lie."""
    return [(seat, place) for seat, place in places_of_opponents(m) if razeable(place)]


def places_of_opponents(m: Move) -> list[tuple[Any, Place]]:
    """Locations of others that have not passed, those too that the seat itself holds with the Temple of Ra."""
    return [(x, place) for x in opponents(m.p, m.seat) for place in locations_of(m.p, x)]


def target_options(m: Move, places: Iterable[tuple[Any, Place]]) -> list[Option]:
    return [({"target": (seat,), "at": place_names(m.p, place)}, (seat, place)) for seat, place in places]


def raze(m: Move, place: Place, said: Said) -> dict[str, int]:
    """Raze a location: its goods for the razer, a foundation and 1 wood for its owner. Return the goods."""
    code, owner, holder = place["card"], owner_of(m.p, place), place["holder"]
    gained = gain_raze_field(m, code, said)
    leave(m.p, place)
    if owner == VIRTUAL or not is_common(code):
        discard(m.p, code)
    else:
        m.p["players"][owner]["foundations"].append(code)
        m.p["players"][owner if holder in (None, m.seat) else holder]["goods"]["wood"] += 1
    fire(m, "raze")
    return gained


def raze_from_hand(m: Move, code: str, said: Said) -> dict[str, int]:
    """Raze a hand card. Return the goods gained."""
    m.p["players"][m.seat]["hand"].remove(code)
    gained = gain_raze_field(m, code, said)
    discard(m.p, code)
    fire(m, "raze")
    return gained


def gain_raze_field(m: Move, code: str, said: Said) -> dict[str, int]:
    for good, number in CARDS[code]["raze"].items():
        gain(m, m.seat, good, number, said)
    return dict(CARDS[code]["raze"])


def fire(m: Move, when: str) -> None:
    """Fire the features of the seat that wait for something."""
    for place in features(m.p, m.seat, when):
        for effect in CARDS[place["card"]]["feature"]["do"]:
            do(m, effect, place, m.says_of(place))


# ---- Deals ----


def make_deal(m: Move, deal: dict[str, Any], said: Said, fires: bool = True) -> None:
    """Lay a deal under the board and gain its good."""
    m.p["players"][m.seat]["deals"].append(deal)
    gain(m, m.seat, *good_of_deal(deal), said)
    if fires:
        fire(m, "deal")


def deals_of_opponents(m: Move, trades: bool) -> list[tuple[Any, dict[str, Any]]]:
    """Deals of those that have not passed; of the virtual player the revealed attack cards."""
    if m.p["solo"]:
        return [(VIRTUAL, {"card": f"attack {good}", "with": None}) for good in m.p["solo"]["row"]]
    pairs = [(seat, deal) for seat in opponents(m.p, m.seat) for deal in m.p["players"][seat]["deals"]]
    return [(seat, deal) for seat, deal in pairs if trades or deal["with"] is None]


def lose_deal(p: Position, seat: Any, deal: dict[str, Any]) -> None:
    """Take a deal from those of a seat."""
    if seat == VIRTUAL:
        p["solo"]["row"].remove(NAMES[deal["card"]])
    else:
        own = p["players"][seat]["deals"]
        own[:] = [other for other in own if other is not deal]


def own_deal(m: Move, said: Said, trades: bool = True) -> dict[str, Any]:
    """Choose an own deal."""
    deals = [deal for deal in m.p["players"][m.seat]["deals"] if trades or deal["with"] is None]
    chosen: dict[str, Any] = m.choose(said, [({"deal": names_of(deal["card"])}, deal) for deal in deals])
    return chosen


def opponents_deal(m: Move, said: Said, trades: bool) -> tuple[Any, dict[str, Any]]:
    """Choose a deal of an opponent, which is no longer his."""
    pairs = deals_of_opponents(m, trades)
    options = [({"target": (seat,), "deal": names_of(deal["card"])}, (seat, deal)) for seat, deal in pairs]
    seat, deal = m.choose(said, options)
    lose_deal(m.p, seat, deal)
    return seat, deal


def discard_deal(p: Position, deal: dict[str, Any]) -> None:
    """Discard a deal; of one by Trade Route the card that marks it."""
    discard(p, deal["card"] if deal["with"] is None else deal["marker"])


def place_samurai(m: Move, number: int, said: Said) -> None:
    """Put samurai of the general supply on own faction locations without one, as many as there are."""
    for turn in range(number):
        free = free_for_samurai(m.p, m.seat)
        if not free:
            return
        # All that are free get one: no choice.
        if "samurai" not in said and len(free) <= number - turn:
            free[0]["samurai"] = True
            continue
        one = {"samurai": said["samurai"][turn]} if turn < len(said.get("samurai", ())) else {}
        m.choose(one, [({"samurai": place_names(m.p, place)}, place) for place in free])["samurai"] = True
        if m.pick is not None:
            said.setdefault("samurai", []).append(one["samurai"])


def free_for_samurai(p: Position, seat: int) -> list[Place]:
    """Own faction locations without a samurai."""
    player = p["players"][seat]
    return [x for x in player["locations"] if deck_of(x["card"]) == player["faction"] and not x["samurai"]]


# ---- Effects ----


def do(m: Move, effect: list[Any], place: Place, said: Said) -> None:
    """Carry out one effect of a location for the seat of the move."""
    p, seat = m.p, m.seat
    match effect:
        case ["gain", good, number]:
            gain(m, seat, good, number, said)
        case ["gain for each", good, what, cap]:
            count = count_samurai(p, seat) if what == "samurai" else count_colour(p, seat, what)
            gain(m, seat, good, min(cap, count), said)
        case ["draw", deck, number]:
            draw(m, seat, deck, number, said)
        case ["look", deck, number, rest]:
            look(m, deck, number, rest, said)
        case ["one of", *branches]:
            for one in m.choose(said, [({"take": (branch[0][1],)}, branch) for branch in branches]):
                do(m, one, place, said)
        case ["run", which]:
            run_production(m, None if which == "any" else place, said)
        case ["build from hand", _]:
            new = dict_in(said, "build")
            code = hand_card(m, new, [code for code in p["players"][seat]["hand"] if not is_common(code)])
            p["players"][seat]["hand"].remove(code)
            build(m, code, new, waived=True)
        case ["found from hand", _]:
            code = hand_card(m, said, [code for code in p["players"][seat]["hand"] if is_common(code)])
            p["players"][seat]["hand"].remove(code)
            p["players"][seat]["foundations"].append(code)
        case ["samurai", number]:
            place_samurai(m, number, said)
        case ["opponent discards"]:
            opponent_discards(m, said)
        case _:
            do_with_deals(m, effect, place, said)


def do_with_deals(m: Move, effect: list[Any], place: Place, said: Said) -> None:
    """Carry out one of the effects that have to do with deals."""
    match effect:
        case ["good of own deal"]:
            gain(m, m.seat, *good_of_deal(own_deal(m, said)), said)
        case ["build deal"]:
            deal = own_deal(m, said, trades=False)
            lose_deal(m.p, m.seat, deal)
            build(m, deal["card"], dict_in(said, "build"), waived=True)
        case ["deal with location"]:
            trade(m, said)
        case ["discard deal", gains]:
            _, deal = opponents_deal(m, said, trades=True)
            discard_deal(m.p, deal)
            if gains == "gain":
                gain(m, m.seat, *good_of_deal(deal), said)
        case ["steal deal"]:
            _, deal = opponents_deal(m, said, trades=False)
            make_deal(m, deal, said, fires=False)
        case _:
            do_with_locations(m, effect, place, said)


def do_with_locations(m: Move, effect: list[Any], place: Place, said: Said) -> None:
    """Carry out one of the effects that are aimed at a location, or at the supply of an opponent."""
    p, seat = m.p, m.seat
    match effect:
        case ["steal", *some]:
            there = [(x, good) for x in opponents(p, seat) if x != VIRTUAL for good in some]
            there = [(x, good) for x, good in there if p["players"][x]["goods"][good]]
            other, good = m.choose(said, [({"target": (x,), "take": (good,)}, (x, good)) for x, good in there])
            p["players"][other]["goods"][good] -= 1
            p["players"][seat]["goods"][good] += 1
        case ["copy raze good"]:
            fields = [(x, other) for x, other in places_of_opponents(m) if has_raze_field(other["card"])]
            options = [
                ({**keys, "take": (good,)}, good)
                for keys, (_, other) in target_options(m, fields)
                for good in CARDS[other["card"]]["raze"]
            ]
            gain(m, seat, m.choose(said, options), 1, said)
        case ["raze for tokens"]:
            raze_for_tokens(m, place, said)
        case ["raze own", _]:
            own = [x for x in locations_of(p, seat) if is_common(x["card"]) and razeable(x) and x["holder"] is None]
            raze(m, m.choose(said, [({"at": place_names(p, x)}, x) for x in own]), said)
        case ["raze location"]:
            raze(m, m.choose(said, target_options(m, razeable_of_opponents(m)))[1], said)
        case ["remove location"]:
            leave(p, m.choose(said, target_options(m, places_of_opponents(m)))[1])
        case ["free action location"]:
            used = [x for x in held_by(p, seat) if x["used"] and x is not place]
            freed = m.choose(said, [({"at": place_names(p, x)}, x) for x in used])
            freed["used"], freed["goods"] = 0, goods({})
        case ["block action location"]:
            actions = [(x, other) for x, other in places_of_opponents(m) if "action" in CARDS[other["card"]]]
            options = target_options(m, [(x, other) for x, other in actions if not other["blocked"]])
            m.choose(said, options)[1]["blocked"] = True
        case ["control location"]:
            free = [(x, other) for x, other in places_of_opponents(m) if other["holder"] is None]
            m.choose(said, target_options(m, free))[1]["holder"] = seat
        case _:
            raise AssertionError(effect)


def run_production(m: Move, itself: Place | None, said: Said) -> None:
    """Gain the goods of an own production location; built with none there (Farmers at Work), nothing."""
    there = [x for x in held_by(m.p, m.seat) if "production" in CARDS[x["card"]] and x is not itself]
    if itself is not None and not there:
        return
    place = m.choose(said, [({"at": place_names(m.p, x)}, x) for x in there])
    for effect in CARDS[place["card"]]["production"]:
        do(m, effect, place, m.says_of(place))


def trade(m: Move, said: Said) -> None:
    """Make a deal with a faction location of an opponent, each location once; a card of the own deck marks it."""
    own = m.p["players"][m.seat]
    taken = [deal["with"] for deal in own["deals"]]
    there = [(x, place) for x, place in places_of_opponents(m) if not is_common(place["card"])]
    free = [(x, place) for x, place in there if not any(place is other for other in taken)]
    _, place = m.choose(said, target_options(m, free))
    if not can_give(m.p, m.seat, "faction"):
        raise IllegalError("no card marks the deal")
    shuffled = m.seat in m.p["shuffled"]
    marker = own["deck"].pop(0)
    make_deal(m, {"card": place["card"], "with": place, "marker": None if shuffled else marker}, said)


def raze_for_tokens(m: Move, place: Place, said: Said) -> None:
    """Raze a hand card for 1 token or a location for 2 and its protection; goods gained may become 2 points each."""
    player = m.p["players"][m.seat]
    options: list[Option] = [
        ({"card": names_of(code), "target": (), "at": ()}, (1, code)) for code in player["hand"] if has_raze_field(code)
    ]
    for keys, (_, other) in target_options(m, razeable_of_opponents(m)):
        options.append(({**keys, "card": ()}, (tokens_for(other), other)))
    tokens, what = m.choose(said, [one for one in options if one[1][0] <= player["goods"]["raze"]])
    if m.pick is not None:
        said["pay"] = {"raze": tokens}
    if said.get("pay", {"raze": tokens}) != {"raze": tokens}:
        raise IllegalError(f"{tokens} raze tokens are due")
    player["goods"]["raze"] -= tokens
    gained = raze_from_hand(m, what, said) if isinstance(what, str) else raze(m, what, said)
    place["goods"]["raze"] += tokens
    gained = {good: number for good, number in gained.items() if good not in ("vp", "card")}
    convert = said_to_convert(m, said, gained)
    for good, number in convert.items():
        spend(player["goods"], good, number)
    gain(m, m.seat, "vp", 2 * sum(convert.values()), said)


def said_to_convert(m: Move, said: Said, most: dict[str, int]) -> dict[str, int]:
    """Goods that the move turns into points, of each at most so many."""
    if m.pick is not None:
        said["convert"] = {good: m.pick([({}, n) for n in range(number + 1)])[1] for good, number in most.items()}
    convert = {good: number for good, number in said.get("convert", {}).items() if number}
    if any(number > most.get(good, 0) for good, number in convert.items()):
        raise IllegalError(f"only {most} become points")
    return convert


def opponent_discards(m: Move, said: Said) -> None:
    """Let an opponent discard a hand card; with no card in their hands nobody does."""
    with_cards = [x for x in opponents(m.p, m.seat) if x != VIRTUAL and m.p["players"][x]["hand"]]
    if not with_cards:
        return
    seat = m.choose(said, [({"target": (x,)}, x) for x in with_cards])
    hand = m.p["players"][seat]["hand"]
    code = hand_card(m, said, hand, "gives")
    hand.remove(code)
    discard(m.p, code)

"""Moves, phases, effects of cards and legal moves in the slow model: `inspect` does what that of the game does."""

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
    TABLE,
    VIRTUAL,
    IllegalError,
    Move,
    Option,
    Pick,
    Place,
    Position,
    Said,
    UnpredictableError,
    can_give,
    count_colour,
    count_samurai,
    deck_of,
    dict_in,
    discard,
    draw,
    empires,
    features,
    find_card,
    first_to_move,
    gain,
    good_of_deal,
    goods,
    hand_card,
    held_by,
    is_common,
    label,
    load_position,
    locations_of,
    look,
    named_location,
    names_of,
    opponents,
    owner_of,
    pay,
    payments,
    take_top,
    told,
)

# ---- Locations ----


def new_place(code: str) -> Place:
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


def payable(m: Move, code: str) -> bool:
    """Whether the seat can pay the goods of a card's cost; one for which it cannot is no option."""
    return bool(payments(m.p["players"][m.seat]["goods"], CARDS[code]["cost"]))


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
    if seat == VIRTUAL:
        p["solo"]["row"].remove(NAMES[deal["card"]])
    else:
        own = p["players"][seat]["deals"]
        own[:] = [other for other in own if other is not deal]


def own_deal(m: Move, said: Said, deals: list[dict[str, Any]]) -> dict[str, Any]:
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
            hand = [code for code in p["players"][seat]["hand"] if not is_common(code)]
            code = hand_card(m, new, [code for code in hand if payable(m, code)])
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
    match effect:
        case ["good of own deal"]:
            gain(m, m.seat, *good_of_deal(own_deal(m, said, m.p["players"][m.seat]["deals"])), said)
        case ["build deal"]:
            under_board = [deal for deal in m.p["players"][m.seat]["deals"] if deal["with"] is None]
            deal = own_deal(m, said, [deal for deal in under_board if payable(m, deal["card"])])
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


ATTACK_ORDER = ("card", "raze", "gold", "vp", "stone", "worker", "food", "wood")
"""Deal fields in the order in which a faction location is attacked."""
ATTACKED_KINDS = ("action", "feature", "production")


# ---- Set-up and lookout ----


def begin(p: Position, said: Said) -> None:
    """Draw the first cards of the game, or those of a lookout phase."""
    count = len(p["players"])
    order = [(p["first"] + step) % count for step in range(count)]
    if p["phase"] == "setup":
        for seat in order:
            for deck in ("common", "common", "faction", "faction"):
                draw(Move(p, seat, {}), seat, deck, 1, {})
        if p["solo"] and p["solo"]["deck"]:
            p["solo"]["row"].insert(0, p["solo"]["deck"].pop(0))
        p["phase"] = "lookout"
    elif p["phase"] == "lookout" and not p["drafting"] and not p["row"]:
        for seat in order:
            draw(Move(p, seat, {}), seat, "faction", 1, {})
            if p["peaceful"]:
                draw(Move(p, seat, {}), seat, "common", 1, {})
        begin_draft(p, order)
    else:
        raise IllegalError("nothing to begin")


def begin_draft(p: Position, order: list[int]) -> None:
    """Reveal the first row, or deal the packs."""
    p["picks"] = 0
    p["drafting"] = picks_of_draft(p, order)
    if p["lookout"] == "alternative" and not p["solo"]:
        for seat in order:
            p["players"][seat]["pack"] = [take_top(p, seat, "common") for _ in range(3)]
        p["turn"] = None
    else:
        reveal_due(p)


def picks_of_draft(p: Position, order: list[int]) -> list[tuple[int, int]]:
    """Who picks, one pick after another, and how many cards are revealed before each."""
    count = len(order)
    if p["solo"]:
        return [(0, 4), (0, 0)]
    if p["lookout"] == "alternative":
        return [(seat, 0) for seat in order * 2]
    if p["lookout"] == "standard":
        first = [(seat, count + 1 if seat == order[0] else 0) for seat in order]
        return first + [(seat, count + 1 if seat == order[-1] else 0) for seat in reversed(order)]
    more = [0] * (2 * count)
    more[0] = 5
    if count > 2:
        # The third and the fourth player also see 4 cards; then all but the last see 3.
        for pick in (*range(2, count), *range(count + 1, 2 * count - 1)):
            more[pick] = 1
    return list(zip(order * 2, more, strict=True))


def enter_draft(p: Position) -> None:
    """Find out by the row and who is to move which pick is due, if a lookout phase has begun."""
    if p["phase"] != "lookout" or not p["row"]:
        return
    seen = seen_in_draft(p)
    if p["solo"]:
        p["picks"] = 0 if len(p["row"]) == 4 else 1
        p["waits_for_chance"] = len(p["row"]) == 3
        p["turn"] = None if p["waits_for_chance"] else 0
        return
    due = (p["first"] if p["turn"] is None else p["turn"], len(p["row"]))
    p["picks"] = seen.index(due) if due in seen else next(n for n, one in enumerate(seen) if one[1] == due[1])
    p["turn"] = seen[p["picks"]][0]


def seen_in_draft(p: Position) -> list[tuple[int, int]]:
    """Begin a draft with a row, without revealing cards: who picks, and how many cards he sees, for all picks."""
    count = len(p["players"])
    p["drafting"] = picks_of_draft(p, [(p["first"] + step) % count for step in range(count)])
    seen: list[tuple[int, int]] = []
    for pick, (seat, more) in enumerate(p["drafting"]):
        new_row = pick == 0 or (p["lookout"] == "standard" and pick == count)
        seen.append((seat, more if new_row else seen[-1][1] - 1 + more))
    return seen


def reveal_due(p: Position) -> None:
    """Say who picks next, and reveal what he is to see."""
    seat, number = p["drafting"][p["picks"]]
    p["turn"] = seat
    p["row"] += [take_top(p, seat, "common") for _ in range(number)]


def take(m: Move) -> None:
    """Take a card from the row, or from the own pack."""
    p, seat = m.p, m.seat
    player = p["players"][seat]
    if p["phase"] != "lookout" or not p["drafting"]:
        raise IllegalError("no draft")
    if p["lookout"] == "alternative" and not p["solo"]:
        take_from_pack(m)
        return
    if seat != p["turn"]:
        raise IllegalError(f"not the turn of {seat}")
    code = m.choose(m.said, [({"card": names_of(code)}, code) for code in p["row"]])
    p["row"].remove(code)
    player["hand"].append(code)
    p["picks"] += 1
    if p["solo"]:
        p["waits_for_chance"] = p["picks"] == 1
        p["turn"] = None
        if p["picks"] == 2:
            p["solo"]["locations"] += [new_place(one) for one in p["row"]]
            p["row"] = []
            end_draft(p)
        return
    last_of_row = p["lookout"] == "standard" and p["picks"] == len(p["players"])
    if last_of_row or p["picks"] == len(p["drafting"]):
        p["discard"] += p["row"]
        p["row"] = []
    if p["picks"] == len(p["drafting"]):
        end_draft(p)
    else:
        reveal_due(p)


def take_from_pack(m: Move) -> None:
    """Take a card from the own pack; when all have, packs of two go to the left, others are discarded."""
    p, players = m.p, m.p["players"]
    pack = players[m.seat]["pack"]
    size = max(len(player["pack"]) for player in players)
    if len(pack) < size:
        raise IllegalError("has picked")
    code = m.choose(m.said, [({"card": names_of(code)}, code) for code in pack])
    pack.remove(code)
    players[m.seat]["hand"].append(code)
    if any(len(player["pack"]) == size for player in players):
        return
    packs = [player["pack"] for player in players]
    for seat, player in enumerate(players):
        player["pack"] = packs[seat - 1] if size == 3 else []
        if size == 2:
            p["discard"] += packs[seat]
    if size == 2:
        end_draft(p)


def chance(p: Position, said: Said) -> None:
    """Let chance give the virtual player a card."""
    if not p["waits_for_chance"]:
        raise IllegalError("nothing is left to chance")
    code = named_card(said["card"], p["row"])
    p["row"].remove(code)
    p["solo"]["locations"].append(new_place(code))
    p["waits_for_chance"] = False
    p["turn"] = 0


def end_draft(p: Position) -> None:
    """Go on to production, which the first player begins."""
    p["drafting"], p["picks"] = [], 0
    p["phase"], p["turn"] = "production", p["first"]


# ---- Production ----


def produce(m: Move) -> None:
    """Gain the goods of the board, the deals and the production locations of a seat."""
    p, seat = m.p, m.seat
    player = p["players"][seat]
    if p["phase"] != "production" or p["turn"] != seat:
        raise IllegalError(f"not the turn of {seat}")
    for good, number in TABLE["factions"][player["faction"]]["board"].items():
        gain(m, seat, good, number, {})
    from_deals: dict[str, int] = {}
    says_of_deals = m.choices("deals")
    for deal in player["deals"]:
        good, number = good_of_deal(deal)
        from_deals[good] = from_deals.get(good, 0) + number
        gain(m, seat, good, number, says_of_deals)
    for place in list(player["locations"]):
        for effect in CARDS[place["card"]].get("production", ()):
            do(m, effect, place, m.says_of(place))
    for place in features(p, seat, "production"):
        convert = said_to_convert(m, m.says_of(place), {good: from_deals[good] for good in from_deals if good in GOODS})
        for good, number in convert.items():
            spend(player["goods"], good, number)
            for _ in range(number):
                gain(m, seat, "vp", CARDS[place["card"]]["feature"]["per_good"][0][2], {})
    p["turn"] = (seat + 1) % len(p["players"])
    if p["turn"] == p["first"]:
        p["phase"] = "action"
        p["turn"] = first_to_move(p)


# ---- Clean-up and attack ----


def clean_up(p: Position, said: Said) -> None:
    """Discard all goods that are not stored; the first-player token moves on."""
    if p["phase"] != "cleanup":
        raise IllegalError("not the clean-up")
    for seat, player in enumerate(p["players"]):
        keeps = {TABLE["factions"][player["faction"]]["keeps"]}
        for place in features(p, seat, "cleanup"):
            keeps |= set(CARDS[place["card"]]["feature"]["keeps"])
        player["goods"] = goods({good: number for good, number in player["goods"].items() if good in keeps})
        player["passed"] = False
    for empire in empires(p):
        for place in locations_of(p, empire):
            place.update(used=0, goods=goods({}), defence=False, blocked=False, holder=None, gained=0)
    p["first"] = (p["first"] + 1) % len(p["players"])
    p["turn"] = None
    if p["solo"]:
        p["phase"] = "attack"
    else:
        p["round"] += 1
        p["phase"] = "lookout"


def attack(p: Position, said: Said) -> None:
    """Let the virtual player collect his locations and attack twice."""
    if p["phase"] != "attack":
        raise IllegalError("no attack")
    solo = p["solo"]
    for place in locations_of(p, VIRTUAL):
        leave(p, place)
        solo["pile"] += 1
    loses = said.get("loses", [])
    left = [loses] if isinstance(loses, str) else list(loses)
    for _ in range(2):
        if solo["deck"]:
            solo["row"].insert(0, solo["deck"].pop(0))
            attack_once(p, left)
    if p["round"] == ROUNDS:
        p["phase"] = "end"
    else:
        p["round"] += 1
        p["phase"] = "lookout"


def attack_once(p: Position, left: list[str]) -> None:
    """Let the first target and the first other that fits take a location; both cards go to the end of the row."""
    row = p["solo"]["row"]
    places = p["players"][0]["locations"]
    first = row[0]
    if p["players"][0]["faction"] == "japanese" and first == "vp" and "vp" in row[1:]:
        faction = [x for x in places if deck_of(x["card"]) == "japanese" and razeable(x)]
        if faction:
            best = min(ATTACK_ORDER.index(good_of_deal({"card": x["card"]})[0]) for x in faction)
            best_of = [x for x in faction if ATTACK_ORDER.index(good_of_deal({"card": x["card"]})[0]) == best]
            attack_takes(p, best_of, row.index("vp", 1), left)
            return
    for second, target in enumerate(row[1:], 1):
        pair = goods_of([first, target])
        fitting = [x for x in places if is_common(x["card"]) and CARDS[x["card"]].get("raze") == pair]
        if fitting:
            attack_takes(p, fitting, second, left)
            return


def goods_of(some: list[str]) -> dict[str, int]:
    return {good: some.count(good) for good in some}


def attack_takes(p: Position, fitting: list[Place], second: int, left: list[str]) -> None:
    """Take the location that comes first by kind, by cost, by stone; then the player chooses."""

    def order(place: Place) -> tuple[int, int, int]:
        card = CARDS[place["card"]]
        cost = sum(card["cost"].get(good, 0) for good in RESOURCES)
        return ATTACKED_KINDS.index(card["kind"]), -cost, -card["cost"].get("stone", 0)

    best = [place for place in fitting if order(place) == min(order(other) for other in fitting)]
    place = best[0]
    if len(best) > 1:
        called = {label(p, one): one for one in best}
        name = next((name for name in left if name in called), None)
        if name is None:
            raise IllegalError("which location?")
        left.remove(name)
        place = called[name]
    leave(p, place)
    p["solo"]["pile"] += 1
    row = p["solo"]["row"]
    other = row.pop(second)
    row += [other, row.pop(0)]


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
    code = find_card(name, codes)
    if code is None:
        raise IllegalError(f"no {name}")
    return code


def build_action(m: Move) -> None:
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
    deal = own_deal(m, said, deals)
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
ACTIONS = {"build": build_action, "deal": deal_action, "raze": raze_action, "activate": activate, "exchange": exchange}
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

"""The effects of the cards once more, slowly: operations of the fact table on plain lists and dictionaries.

A position is a dictionary. Whoever has a choice takes what has the lowest row of the card table, the first option that
is open, all that is optional and as much as there is.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

from tests.games.imperium.naive_zones import (
    FACTS,
    RESOURCES,
    SEARCHED,
    TUCKS,
    CannotPayError,
    Position,
    choose,
    count_in_play,
    counted,
    exile_market,
    is_variable,
    means,
    move,
    move_some,
    refill,
    suits,
    take_unrest,
    zone,
)


def acquire(p: Position, seat: int, wanted: Sequence[str], options: dict[str, Any], effect: dict[str, Any]) -> None:
    """Acquire, or break through if the options say so."""
    for _ in range(options.get("times", 1)):
        offers = []
        if options.get("from") != "exile":
            for slot, place in enumerate(p["market"]):
                token = options.get("market_card_has")
                if place["card"] is not None and (token is None or place["tokens"][RESOURCES.index(token)]):
                    offers.append((0, place["card"], slot))
        if "exile" in (options.get("from"), options.get("also_from")):
            offers += [(3, row, 0) for row in p["zones"]["exile"]]
        offers = [offer for offer in offers if "any" in wanted or suits(offer[1]) & set(wanted)]
        if "not_type" in options:
            offers = [offer for offer in offers if not means(options["not_type"], offer[1], effect)]
        if wanted == ["vp_icon:variable"]:
            offers = [(0, place["card"], slot) for slot, place in enumerate(p["market"]) if is_variable(place["card"])]
        if not offers:
            assert not options.get("through"), "the market has a card of every suit"
            return
        kind, row, slot = min(offers)
        if kind == 0:
            zone(p, seat, "hand").append(row)
            for resource in range(3):
                p["resources"][seat][resource] += p["market"][slot]["tokens"][resource]
            p["market"][slot]["tokens"] = [0, 0, 0]
            if p["market"][slot]["unrest"] and not options.get("through"):
                p["unrest_of"][seat] += 1
            refill(p, slot, back=bool(options.get("through")))
        else:
            p["zones"]["exile"].remove(row)
            zone(p, seat, "hand").append(row)
            if suits(row) & TUCKS:
                take_unrest(p, seat)
        if options.get("then"):
            play(p, seat, row, "hand")


def play(p: Position, seat: int, row: int, source: str) -> None:
    zone(p, seat, source).remove(row)
    zone(p, seat, "in_play").append(row)
    run(p, seat, FACTS[row].get("play", []), new_effect(seat, row))
    if not FACTS[row].get("pinned") and row in zone(p, seat, "in_play"):
        move(p, seat, row, "in_play", "discard")


def new_effect(seat: int, row: int) -> dict[str, Any]:
    return {
        "card": row,
        "seat": seat,
        "abandoned": 0,
        "returned": 0,
        "discarded": 0,
        "paid": 0,
        "drawn": [],
        "paying": False,
        "last": None,
        "exiled": None,
        "short": [],
        "given": {},
    }


def run(p: Position, seat: int, operations: Sequence[Any], effect: dict[str, Any]) -> None:
    for operation in operations:
        if operation and isinstance(operation[0], list):
            run(p, seat, operation, effect)
        else:
            name, *rest = operation
            DO[name](p, seat, rest, effect)


def others(p: Position, seat: int) -> list[int]:
    return [(seat + n) % p["players"] for n in range(1, p["players"])]


def holds(p: Position, seat: int, condition: Sequence[Any], effect: dict[str, Any]) -> bool:
    name, *rest = condition
    if name == "state":
        return bool(p["state"][seat] == rest[0])
    if name in ("in_play", "in_history"):
        rows = zone(p, seat, "in_play" if name == "in_play" else "history")
        return any(means(rest[0], row, effect) for row in rows)
    if name == "count_in_play_at_least":
        return count_in_play(p, seat, rest[0], effect) >= rest[1]
    if name == "resource_at_least":
        return bool(p["resources"][seat][RESOURCES.index(rest[0])] >= rest[1])
    if name == "garrisoned_here_at_least":
        here = [row for row, host in p["host"].items() if host == effect["card"]]
        return sum(means(rest[0], row, effect) for row in here) >= rest[1]
    raise KeyError(name)


def pay_cost(p: Position, seat: int, operations: Sequence[Any], effect: dict[str, Any]) -> bool:
    """Pay a cost in full, or leave everything as it is."""
    trial, tried = copy.deepcopy(p), copy.deepcopy(effect) | {"paying": True}
    try:
        run(trial, seat, operations, tried)
    except CannotPayError:
        return False
    p.clear()
    p.update(trial)
    effect.update(tried | {"paying": False})
    return True


def may(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    run(p, seat, rest, effect)


def cost(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    if pay_cost(p, seat, rest[0], effect):
        run(p, seat, rest[1], effect)
    elif effect["paying"]:
        raise CannotPayError


def is_open(p: Position, seat: int, operations: Sequence[Any], effect: dict[str, Any]) -> bool:
    """Whether an option can be paid for and does something."""
    for operation in operations:
        if operation[0] == "require" and not holds(p, seat, operation[1], effect):
            return False
    trial, tried = copy.deepcopy(p), copy.deepcopy(effect)
    if operations[0][0] in ("cost", "pay"):
        return pay_cost(trial, seat, operations[0][1] if operations[0][0] == "cost" else [operations[0]], tried)
    run(trial, seat, operations, tried)
    return trial != p


def choose_option(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    for operations in rest:
        if is_open(p, seat, operations, effect):
            run(p, seat, [operation for operation in operations if operation[0] != "require"], effect)
            return


def cost_one_of(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    for operations in rest[0]:
        if pay_cost(p, seat, operations, effect):
            run(p, seat, rest[1], effect)
            return


def gain(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    number = rest[1] * (counted(p, seat, rest[2], effect) if len(rest) > 2 else 1)
    p["resources"][seat][RESOURCES.index(rest[0])] += number


def pay(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    have = p["resources"][seat]
    resource = RESOURCES.index(rest[0])
    if have[resource] < rest[1]:
        raise CannotPayError
    have[resource] -= rest[1]


def pay_up_to(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    resource = RESOURCES.index(rest[0])
    effect["paid"] = min(rest[1], p["resources"][seat][resource])
    p["resources"][seat][resource] -= effect["paid"]


def pay_all(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    resource = RESOURCES.index(rest[0])
    if p["resources"][seat][resource] < rest[1]["min"]:
        raise CannotPayError
    p["resources"][seat][resource] = 0


def steal(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    resource = RESOURCES.index(rest[0])
    effect["short"] = []
    for other in others(p, seat):
        if rest[2] == "each_other_in_empire" and p["state"][other] != "empire":
            continue
        if rest[2] == "each_other_with_region_in_play" and not count_in_play(p, other, "region", effect):
            continue
        taken = min(rest[1], p["resources"][other][resource])
        p["resources"][other][resource] -= taken
        p["resources"][seat][resource] += taken
        if taken < rest[1]:
            effect["short"].append(other)


def unable(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    for other in effect["short"]:
        for _ in range(rest[1]):
            take_unrest(p, other)


def place_on_market(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    _, slot = min((place["card"], slot) for slot, place in enumerate(p["market"]) if place["card"] is not None)
    p["market"][slot]["tokens"][RESOURCES.index(rest[0])] += rest[1]


def actions(sign: int) -> Callable[..., None]:
    def change(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
        if p["actions"][seat] + sign * rest[0] < 0:
            raise CannotPayError
        p["actions"][seat] += sign * rest[0]

    return change


def return_exhaust(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    exhausted = [row for row in p["exhausted"] if row in zone(p, seat, "in_play") and row != effect["card"]]
    if exhausted:
        p["exhausted"].discard(min(exhausted))
        p["exhausts"][seat] += 1


def draw(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    number = next(part for part in rest if isinstance(part, int))
    if isinstance(rest[-1], list):
        number *= counted(p, seat, rest[-1], effect)
    effect["drawn"] = []
    for _ in range(number):
        row = zone(p, seat, "draw_deck").pop()
        zone(p, seat, "hand").append(row)
        effect["drawn"].append(row)
    if isinstance(rest[-1], dict):
        run(p, seat, [rest[-1]["then"]], effect)


def draw_from(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    move_some(p, seat, rest[1], [rest[0]], rest[-1], "hand", effect)


def discard(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    number = rest[1]
    effect["discarded"] += move_hand(p, seat, rest[0], number, "discard", effect)


def move_hand(p: Position, seat: int, what: Any, number: Any, where: str, effect: dict[str, Any]) -> int:
    """Move hand cards; unrest, which is only counted here, has the highest rows of all cards but King of Kings."""
    if what != "unrest":
        return move_some(p, seat, what, ["hand"], number, where, effect)
    moved = p["unrest_of"][seat]
    p["unrest_of"][seat] = 0
    p["unrest_discarded"][seat] += moved
    return int(moved)


def discard_one_of_drawn(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    move(p, seat, min(effect["drawn"]), "hand", "discard")


def top_deck(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    what = "it" if rest[0] == "it" else rest[2] if len(rest) > 2 else "any"
    move_some(p, seat, what, ["hand" if rest[0] == "it" else rest[0]], rest[1], "draw_deck", effect)


def to_history(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    what = rest[0]
    if what == "self":
        if effect["card"] in zone(p, seat, "in_play"):
            move(p, seat, effect["card"], "in_play", "history")
    elif what.startswith("all:"):
        move_some(p, seat, what[4:], rest[1], "all", "history", effect)
    elif what == "it" or len(rest) == 1:
        move_some(p, seat, what, ["hand" if what == "it" else "in_play"], 1, "history", effect)
    else:
        move_some(p, seat, what, rest[1], rest[-1], "history", effect)


def exile(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    if rest[0] == "market":
        exile_market(p)
    elif rest[0] == "hand":
        chosen = choose(p, seat, "any", ["hand"], effect)
        if chosen:
            effect["exiled"] = chosen[0]
            move(p, seat, *chosen, "exile")
    else:
        chosen = choose(p, seat, rest[0], ["in_play"], effect)
        if chosen:
            move(p, seat, *chosen, "exile")


def sink(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    if rest[0] == "self":
        move(p, seat, effect["card"], "in_play", "sunken")
    elif rest[0] == "region_in_play":
        move_some(p, seat, "region", ["in_play"], 1, "sunken", effect)
    else:
        move_some(p, seat, "any", ["discard"], 1, "sunken", effect)


def garrison(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    what = rest[1] if rest[0] == "hand" else rest[0]
    if what == "unrest":
        p["unrest_of"][seat] -= 1
        return
    fit = [row for row in zone(p, seat, "hand") if means(what, row, effect)]
    fit = [row for row in fit if "no_garrison" not in FACTS[row].get("flags", ())]
    if not fit or effect["card"] not in zone(p, seat, "in_play"):
        if effect["paying"]:
            raise CannotPayError
        return
    move(p, seat, min(fit), "hand", "garrisoned")
    p["host"][min(fit)] = effect["card"]


def garrison_self(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    host = choose(p, seat, rest[0], ["in_play"], effect)
    assert host
    zone(p, seat, "in_play").remove(effect["card"])
    zone(p, seat, "garrisoned").append(effect["card"])
    p["host"][effect["card"]] = host[0]
    run(p, seat, FACTS[host[0]].get("play", []), new_effect(seat, host[0]))


def leaves(p: Position, seat: int, what: Any, effect: dict[str, Any]) -> list[int]:
    """Pinned cards in play that are meant."""
    guest = None
    if what == "region_with_garrisoned_knight":
        what, guest = "region", "knight"
    rows = [row for row in zone(p, seat, "in_play") if FACTS[row].get("pinned") and means(what, row, effect)]
    if guest:
        rows = [row for row in rows if any(h == row and means(guest, c, effect) for c, h in p["host"].items())]
    return rows


def leave(where: str) -> Callable[..., None]:
    def move_pinned(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
        number = rest[-1]
        for _ in range(number):
            rows = leaves(p, seat, rest[0], effect)
            if not rows:
                if effect["paying"]:
                    raise CannotPayError
                return
            effect["last"] = min(rows)
            move(p, seat, effect["last"], "in_play", where)
            effect["abandoned"] += 1

    return move_pinned


def find(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    zones = SEARCHED if rest[1] == "default" else rest[1]
    if rest[0].startswith("card:"):
        for name in zones:
            if choose(p, seat, rest[0], [name], effect):
                zones = [name]
                break
    where = "hand" if rest[2] == "unstated" else rest[2]
    move_some(p, seat, rest[0], zones, 1, where, effect)


def give(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    for other in others(p, seat):
        chosen = choose(p, seat, "any", rest[0], effect)
        if chosen:
            zone(p, seat, chosen[1]).remove(chosen[0])
            zone(p, other, "hand").append(chosen[0])
            effect["given"][other] = chosen[0]


def each_recipient(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    for other, row in effect["given"].items():
        if means(rest[0], row, effect):
            run(p, other, rest[1:], effect)


def returns(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    number = rest[-2] if isinstance(rest[-2], int) else 99
    left = number
    for name in rest[-1]:
        pile = {"hand": "unrest_of", "discard": "unrest_discarded"}.get(name)
        if pile:
            returned = min(left, p[pile][seat])
            p[pile][seat] -= returned
            p["unrest"] += returned
            effect["returned"] += returned
            left -= returned
    if effect["paying"] and left:
        raise CannotPayError


def unrests(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    for _ in range(rest[0]):
        take_unrest(p, seat)


def acquires(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    acquire(p, seat, rest[0], rest[1] if len(rest) > 1 else {}, effect)


def breaks(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    acquire(p, seat, rest[0], (rest[1] if len(rest) > 1 else {}) | {"through": True}, effect)


def swap(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    row, slot = min((place["card"], slot) for slot, place in enumerate(p["market"]) if place["card"] is not None)
    place, pile = p["market"][slot], p["zones"]["exile"]
    new = min(pile)
    pile.remove(new)
    pile.append(row)
    p["unrest"] += place["unrest"]
    place["card"], place["unrest"] = new, bool(suits(new) & TUCKS)
    p["unrest"] -= place["unrest"]


def reveal(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    row = p["zones"]["main"].pop()
    if "region" in suits(row):
        zone(p, seat, "hand").append(row)
    else:
        p["zones"]["exile"].append(row)


def fame(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    deck = p["zones"]["fame"]
    seen = deck[-rest[0] :] if rest else deck[-1:]
    deck.remove(min(seen))
    zone(p, seat, "hand").append(min(seen))


def develop(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    area = zone(p, seat, "development")
    if not area or p["nation"][seat] in ("Vikings", "Arthurians", "Utopians"):
        return
    price = FACTS[min(area)].get("cost", {}) if not rest else {}
    for resource, number in price.items():
        p["resources"][seat][RESOURCES.index(resource)] -= number
    move(p, seat, min(area), "development", "discard")


def nation_to_discard(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    row = zone(p, seat, "nation")[-1]
    move(p, seat, row, "nation", "discard")


def swap_nation(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    row, top = min(zone(p, seat, "hand")), zone(p, seat, "nation")[-1]
    move(p, seat, top, "nation", "hand")
    move(p, seat, row, "hand", "nation")


def play_unrest(p: Position, seat: int) -> None:
    """Play an unrest card for a population, which is the first of its costs."""
    p["unrest_of"][seat] -= 1
    p["resources"][seat][1] -= 1
    p["unrest"] += 1


def trigger(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    p["ending"] = True


def free_play(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    if rest[0] == "unrest":
        play_unrest(p, seat)
        return
    chosen = choose(p, seat, rest[0], ["hand"], effect)
    if chosen:
        play(p, seat, chosen[0], "hand")


def play_from_discard(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    p["actions"][seat] -= 1
    chosen = choose(p, seat, rest[0], ["discard"], effect)
    assert chosen
    play(p, seat, chosen[0], "discard")


def for_players(with_me: bool) -> Callable[..., None]:
    def each(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
        for other in ([seat] if with_me else []) + others(p, seat):
            run(p, other, rest, effect)

    return each


def for_each(what: str) -> Callable[..., None]:
    def repeat(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
        for _ in range(effect[what]):
            run(p, seat, rest, effect)

    return repeat


def if_state(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    if p["state"][seat] == rest[0]:
        run(p, seat, rest[1:], effect)


def if_holds(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    if holds(p, seat, rest[0], effect):
        run(p, seat, rest[1:], effect)


def if_lacks(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    if not means(rest[0], effect["last"], effect):
        run(p, seat, rest[1:], effect)


def if_exiled(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    if effect["exiled"] is not None and means(rest[0], effect["exiled"], effect):
        run(p, seat, rest[1:], effect)


def abandon_other(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    leave("discard")(p, seat, [rest[0], 1], effect)


def nothing(p: Position, seat: int, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    """Do nothing that a position shows."""


DO: dict[str, Callable[..., None]] = {
    "may": may, "choose": choose_option, "cost": cost, "cost_one_of": cost_one_of, "if_state": if_state,
    "if": if_holds, "gain": gain, "gain_per": gain, "pay": pay, "pay_up_to": pay_up_to, "pay_all": pay_all,
    "steal": steal, "if_unable_to_pay_steal": unable, "place_on_market": place_on_market,
    "gain_action": actions(1), "spend_action": actions(-1), "return_exhaust": return_exhaust, "draw": draw,
    "draw_if_able": draw, "draw_per": draw, "draw_from": draw_from, "discard": discard,
    "discard_one_of_drawn": discard_one_of_drawn, "top_deck": top_deck, "to_history": to_history, "exile": exile,
    "sink": sink, "garrison": garrison, "garrison_here": garrison, "garrison_self_in": garrison_self,
    "abandon": leave("discard"), "recall": leave("hand"), "abandon_if_in_play": abandon_other, "find": find,
    "give_card_to_each_other": give, "each_recipient_given": each_recipient, "return_unrest": returns,
    "take_unrest": unrests, "acquire": acquires, "break_through": breaks, "swap_exile_with_market": swap,
    "declare_suit": nothing, "main_deck_reveal_top": reveal, "fame_look_take": fame, "fame_take_top": fame,
    "develop": develop, "nation_look": nothing, "nation_shuffle": nothing, "trigger_scoring": trigger,
    "require": nothing,
    "nation_top_to_discard": nation_to_discard, "swap_hand_with_nation_top": swap_nation, "free_play": free_play,
    "play_from_discard": play_from_discard, "others": for_players(False), "others_may": for_players(False),
    "all_players": for_players(True), "all_players_may": for_players(True), "for_each_paid": for_each("paid"),
    "for_each_abandoned": for_each("abandoned"), "for_each_discarded": for_each("discarded"),
    "if_abandoned_lacks_icon": if_lacks, "if_exiled_was": if_exiled,
}  # fmt: skip

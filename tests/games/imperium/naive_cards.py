"""The effects of the cards once more, slowly: operations of the fact table on plain lists and dictionaries.

A position is a dictionary. Whoever has a choice takes what has the lowest row of the card table, the first option that
is open, all that is optional and as much as there is.
"""

import copy
from collections.abc import Sequence
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
    counts = dict.fromkeys(("abandoned", "returned", "discarded", "paid"), 0)
    found: dict[str, Any] = {"drawn": [], "short": [], "given": {}, "last": None, "exiled": None}
    return {"card": row, "seat": seat, "paying": False, **counts, **found}


def run(p: Position, seat: int, operations: Sequence[Any], effect: dict[str, Any]) -> None:
    for operation in operations:
        if operation and isinstance(operation[0], list):
            run(p, seat, operation, effect)
        else:
            name, *rest = operation
            do(p, seat, name, rest, effect)


def others(p: Position, seat: int) -> list[int]:
    return [(seat + n) % p["players"] for n in range(1, p["players"])]


def lowest_offer(p: Position) -> tuple[int, int]:
    return min((place["card"], slot) for slot, place in enumerate(p["market"]) if place["card"] is not None)


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


def move_hand(p: Position, seat: int, what: Any, number: Any, where: str, effect: dict[str, Any]) -> int:
    """Move hand cards; unrest, which is only counted here, has the highest rows of all cards but King of Kings."""
    if what != "unrest":
        return move_some(p, seat, what, ["hand"], number, where, effect)
    moved = p["unrest_of"][seat]
    p["unrest_of"][seat] = 0
    p["unrest_discarded"][seat] += moved
    return int(moved)


def leaves(p: Position, seat: int, what: Any, effect: dict[str, Any]) -> list[int]:
    """Pinned cards in play that are meant."""
    guest = None
    if what == "region_with_garrisoned_knight":
        what, guest = "region", "knight"
    rows = [row for row in zone(p, seat, "in_play") if FACTS[row].get("pinned") and means(what, row, effect)]
    if guest:
        rows = [row for row in rows if any(h == row and means(guest, c, effect) for c, h in p["host"].items())]
    return rows


def play_unrest(p: Position, seat: int) -> None:
    """Play an unrest card for a population, which is the first of its costs."""
    p["unrest_of"][seat] -= 1
    p["resources"][seat][1] -= 1
    p["unrest"] += 1


def do(p: Position, seat: int, name: str, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    """Do an operation: here those that hold others."""
    match name:
        case "may":
            run(p, seat, rest, effect)
        case "choose":
            for operations in rest:
                if is_open(p, seat, operations, effect):
                    run(p, seat, [operation for operation in operations if operation[0] != "require"], effect)
                    return
        case "cost":
            if pay_cost(p, seat, rest[0], effect):
                run(p, seat, rest[1], effect)
            elif effect["paying"]:
                raise CannotPayError
        case "cost_one_of":
            for operations in rest[0]:
                if pay_cost(p, seat, operations, effect):
                    run(p, seat, rest[1], effect)
                    return
        case "if":
            if holds(p, seat, rest[0], effect):
                run(p, seat, rest[1:], effect)
        case "if_state":
            if p["state"][seat] == rest[0]:
                run(p, seat, rest[1:], effect)
        case "if_abandoned_lacks_icon":
            if not means(rest[0], effect["last"], effect):
                run(p, seat, rest[1:], effect)
        case "if_exiled_was":
            if effect["exiled"] is not None and means(rest[0], effect["exiled"], effect):
                run(p, seat, rest[1:], effect)
        case "others" | "others_may" | "all_players" | "all_players_may":
            for other in ([] if name.startswith("others") else [seat]) + others(p, seat):
                run(p, other, rest, effect)
        case "for_each_paid" | "for_each_abandoned" | "for_each_discarded":
            for _ in range(effect[name.removeprefix("for_each_")]):
                run(p, seat, rest, effect)
        case "each_recipient_given":
            for other, row in effect["given"].items():
                if means(rest[0], row, effect):
                    run(p, other, rest[1:], effect)
        case _:
            pay_or_gain(p, seat, name, rest, effect)


def pay_or_gain(p: Position, seat: int, name: str, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    """Resources and tokens."""
    match name:
        case "gain" | "gain_per":
            number = rest[1] * (counted(p, seat, rest[2], effect) if len(rest) > 2 else 1)
            p["resources"][seat][RESOURCES.index(rest[0])] += number
        case "pay":
            have = p["resources"][seat]
            resource = RESOURCES.index(rest[0])
            if have[resource] < rest[1]:
                raise CannotPayError
            have[resource] -= rest[1]
        case "pay_up_to":
            resource = RESOURCES.index(rest[0])
            effect["paid"] = min(rest[1], p["resources"][seat][resource])
            p["resources"][seat][resource] -= effect["paid"]
        case "pay_all":
            resource = RESOURCES.index(rest[0])
            if p["resources"][seat][resource] < rest[1]["min"]:
                raise CannotPayError
            p["resources"][seat][resource] = 0
        case "steal":
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
        case "gain_action" | "spend_action":
            p["actions"][seat] += rest[0] if name == "gain_action" else -rest[0]
            if p["actions"][seat] < 0:
                raise CannotPayError
        case "return_exhaust":
            exhausted = [row for row in p["exhausted"] if row in zone(p, seat, "in_play") and row != effect["card"]]
            if exhausted:
                p["exhausted"].discard(min(exhausted))
                p["exhausts"][seat] += 1
        case "place_on_market":
            _, slot = lowest_offer(p)
            p["market"][slot]["tokens"][RESOURCES.index(rest[0])] += rest[1]
        case "trigger_scoring":
            p["ending"] = True
        case _:
            with_unrest(p, seat, name, rest, effect)


def with_unrest(p: Position, seat: int, name: str, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    """Unrest, and cards played."""
    match name:
        case "if_unable_to_pay_steal":
            for other in effect["short"]:
                for _ in range(rest[1]):
                    take_unrest(p, other)
        case "return_unrest":
            number = rest[-2] if isinstance(rest[-2], int) else 99
            left = number
            for place in rest[-1]:
                pile = {"hand": "unrest_of", "discard": "unrest_discarded"}.get(place)
                if pile:
                    returned = min(left, p[pile][seat])
                    p[pile][seat] -= returned
                    p["unrest"] += returned
                    effect["returned"] += returned
                    left -= returned
            if effect["paying"] and left:
                raise CannotPayError
        case "take_unrest":
            for _ in range(rest[0]):
                take_unrest(p, seat)
        case "free_play":
            if rest[0] == "unrest":
                play_unrest(p, seat)
                return
            chosen = choose(p, seat, rest[0], ["hand"], effect)
            if chosen:
                play(p, seat, chosen[0], "hand")
        case "play_from_discard":
            p["actions"][seat] -= 1
            chosen = choose(p, seat, rest[0], ["discard"], effect)
            assert chosen
            play(p, seat, chosen[0], "discard")
        case _:
            draw_or_discard(p, seat, name, rest, effect)


def draw_or_discard(p: Position, seat: int, name: str, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    """Cards of hand and draw deck."""
    match name:
        case "draw" | "draw_if_able" | "draw_per":
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
        case "draw_from":
            move_some(p, seat, rest[1], [rest[0]], rest[-1], "hand", effect)
        case "discard":
            effect["discarded"] += move_hand(p, seat, rest[0], rest[1], "discard", effect)
        case "discard_one_of_drawn":
            move(p, seat, min(effect["drawn"]), "hand", "discard")
        case "top_deck":
            what = "it" if rest[0] == "it" else rest[2] if len(rest) > 2 else "any"
            move_some(p, seat, what, ["hand" if rest[0] == "it" else rest[0]], rest[1], "draw_deck", effect)
        case "to_history":
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
        case "find":
            zones = SEARCHED if rest[1] == "default" else rest[1]
            if rest[0].startswith("card:"):
                for place in zones:
                    if choose(p, seat, rest[0], [place], effect):
                        zones = [place]
                        break
            where = "hand" if rest[2] == "unstated" else rest[2]
            move_some(p, seat, rest[0], zones, 1, where, effect)
        case _:
            leave_play(p, seat, name, rest, effect)


def leave_play(p: Position, seat: int, name: str, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    """Cards exiled, sunken, garrisoned and abandoned."""
    match name:
        case "exile":
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
        case "sink":
            if rest[0] == "self":
                move(p, seat, effect["card"], "in_play", "sunken")
            elif rest[0] == "region_in_play":
                move_some(p, seat, "region", ["in_play"], 1, "sunken", effect)
            else:
                move_some(p, seat, "any", ["discard"], 1, "sunken", effect)
        case "garrison" | "garrison_here":
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
        case "garrison_self_in":
            host = choose(p, seat, rest[0], ["in_play"], effect)
            assert host
            zone(p, seat, "in_play").remove(effect["card"])
            zone(p, seat, "garrisoned").append(effect["card"])
            p["host"][effect["card"]] = host[0]
            run(p, seat, FACTS[host[0]].get("play", []), new_effect(seat, host[0]))
        case "abandon" | "recall" | "abandon_if_in_play":
            for _ in range(1 if name == "abandon_if_in_play" else rest[-1]):
                rows = leaves(p, seat, rest[0], effect)
                if not rows:
                    if effect["paying"]:
                        raise CannotPayError
                    return
                effect["last"] = min(rows)
                move(p, seat, effect["last"], "in_play", "hand" if name == "recall" else "discard")
                effect["abandoned"] += 1
        case _:
            take_or_give(p, seat, name, rest, effect)


def take_or_give(p: Position, seat: int, name: str, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    """Cards of the table and of others."""
    match name:
        case "acquire" | "break_through":
            options = rest[1] if len(rest) > 1 else {}
            acquire(p, seat, rest[0], options | ({"through": True} if name == "break_through" else {}), effect)
        case "swap_exile_with_market":
            row, slot = lowest_offer(p)
            place, pile = p["market"][slot], p["zones"]["exile"]
            new = min(pile)
            pile.remove(new)
            pile.append(row)
            p["unrest"] += place["unrest"]
            place["card"], place["unrest"] = new, bool(suits(new) & TUCKS)
            p["unrest"] -= place["unrest"]
        case "main_deck_reveal_top":
            row = p["zones"]["main"].pop()
            if "region" in suits(row):
                zone(p, seat, "hand").append(row)
            else:
                p["zones"]["exile"].append(row)
        case "fame_look_take" | "fame_take_top":
            deck = p["zones"]["fame"]
            seen = deck[-rest[0] :] if rest else deck[-1:]
            deck.remove(min(seen))
            zone(p, seat, "hand").append(min(seen))
        case "give_card_to_each_other":
            for other in others(p, seat):
                chosen = choose(p, seat, "any", rest[0], effect)
                if chosen:
                    zone(p, seat, chosen[1]).remove(chosen[0])
                    zone(p, other, "hand").append(chosen[0])
                    effect["given"][other] = chosen[0]
        case _:
            advance(p, seat, name, rest, effect)


def advance(p: Position, seat: int, name: str, rest: Sequence[Any], effect: dict[str, Any]) -> None:
    """Cards of the nation; and what a position does not show."""
    match name:
        case "develop":
            area = zone(p, seat, "development")
            if not area or p["nation"][seat] in ("Vikings", "Arthurians", "Utopians"):
                return
            price = FACTS[min(area)].get("cost", {}) if not rest else {}
            for resource, number in price.items():
                p["resources"][seat][RESOURCES.index(resource)] -= number
            move(p, seat, min(area), "development", "discard")
        case "nation_top_to_discard":
            row = zone(p, seat, "nation")[-1]
            move(p, seat, row, "nation", "discard")
        case "swap_hand_with_nation_top":
            row, top = min(zone(p, seat, "hand")), zone(p, seat, "nation")[-1]
            move(p, seat, top, "nation", "hand")
            move(p, seat, row, "hand", "nation")
        case "declare_suit" | "nation_look" | "nation_shuffle" | "require":
            pass
        case _:
            raise KeyError(name)

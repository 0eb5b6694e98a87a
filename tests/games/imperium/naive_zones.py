"""Cards, zones and the market of the naive engine of `naive_cards`, on plain lists and dictionaries.

A position is a dictionary. Whoever has a choice takes what has the lowest row of the card table, the first option that
is open, all that is optional and as much as there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.games.imperium import tables
from tests.games.imperium.tables import IDS

FACTS = [tables.FACTS[name] for name in IDS]
RESOURCES = ("material", "population", "progress")
TUCKS = {"uncivilised", "civilised", "tributary"}
SEARCHED = ("hand", "discard", "draw_deck", "nation")
DECK_OF_SLOT = ("region", "uncivilised", "civilised", "main", "main")
Position = dict[str, Any]


class CannotPayError(Exception):
    """A cost that cannot be paid in full."""


# ---- What is meant ----


def suits(row: int) -> set[str]:
    return set(FACTS[row].get("suits", ()))


def means(what: Any, row: int, effect: dict[str, Any]) -> bool:
    """Whether a selector of the fact table means a card."""
    if isinstance(what, dict):
        return not means(what["not"], row, effect)
    return any(_means_word(word, row, effect) for word in what.split("|"))


def _means_word(word: str, row: int, effect: dict[str, Any]) -> bool:
    card = FACTS[row]
    kind, _, rest = word.partition(":")
    if word == "any":
        return True
    if word == "self":
        return bool(row == effect["card"])
    if word == "it":
        return row in effect["drawn"]
    if word in ("pinned", "attack"):
        return bool(card.get(word))
    if word == "pinned_not_region":
        return bool(card.get("pinned")) and "region" not in suits(row)
    if kind in ("card", "named"):
        return rest == card["name"] if kind == "card" else rest in card["name"]
    if kind == "state":
        return bool(card.get("state") == rest)
    return word in suits(row) or word in card.get("types", ()) or bool(card.get("icons", {}).get(word))


def zone(p: Position, seat: int, name: str) -> list[int]:
    return p["zones"][seat, {"garrisoned": "garrisoned", "in_play": "in_play"}.get(name, name)]


def count_in_play(p: Position, seat: int, what: str, effect: dict[str, Any]) -> int:
    rows = zone(p, seat, "in_play")
    if what in ("production", "fertile", "river"):
        return sum(FACTS[row].get("icons", {}).get(what, 0) for row in rows)
    weights = [2 if FACTS[row]["name"] == "Grand Trunk Road" and what == "region" else 1 for row in rows]
    return sum(weight for row, weight in zip(rows, weights, strict=True) if means(what, row, effect))


def counted(p: Position, seat: int, counter: Sequence[Any], effect: dict[str, Any]) -> int:
    if counter[0] == "count_in_play":
        return count_in_play(p, seat, counter[1], effect)
    if counter[0] == "count_garrisoned":
        return sum(means(counter[1], row, effect) for row in zone(p, seat, "garrisoned"))
    if counter[0] == "count_in_development":
        return sum(means(counter[1], row, effect) for row in zone(p, seat, "development"))
    return int(effect["abandoned" if counter[0] == "count_abandoned_by_this_effect" else "returned"])


# ---- Moving ----


def lay(p: Position, seat: int, row: int, where: str) -> None:
    if where == "history" and p["nation"][seat] in ("Vikings", "Atlanteans"):
        where = "discard"
    if where == "sunken" and p["nation"][seat] != "Atlanteans":
        where = "discard"
    if where == "exile":
        p["zones"]["exile"].append(row)
    else:
        zone(p, seat, where).append(row)
        p["ending"] = p["ending"] or (where == "discard" and ["trigger_scoring"] in FACTS[row].get("on_gain", ()))


def move(p: Position, seat: int, row: int, source: str, where: str) -> None:
    """Move a card; what is garrisoned under it follows."""
    zone(p, seat, source).remove(row)
    p["host"].pop(row, None)
    lay(p, seat, row, where)
    if source == "in_play":
        p["exhausted"].discard(row)
        for guest in [guest for guest, host in p["host"].items() if host == row]:
            zone(p, seat, "garrisoned").remove(guest)
            del p["host"][guest]
            lay(p, seat, guest, where)


def choose(p: Position, seat: int, what: Any, zones: Sequence[str], effect: dict[str, Any]) -> tuple[int, str] | None:
    """The lowest card that is meant, and where it lies."""
    found = [(row, name) for name in zones for row in zone(p, seat, name) if means(what, row, effect)]
    return min(found) if found else None


def move_some(
    p: Position, seat: int, what: Any, zones: Sequence[str], number: Any, where: str, effect: dict[str, Any]
) -> int:
    """Move cards as far as possible; a cost must move all."""
    moved = 0
    while number in ("any_number", "all") or moved < number:
        chosen = choose(p, seat, what, zones, effect)
        if chosen is None:
            if effect["paying"] and number not in ("any_number", "all"):
                raise CannotPayError
            break
        move(p, seat, *chosen, where)
        moved += 1
    return moved


def take_unrest(p: Position, seat: int) -> None:
    if p["unrest"] > 0:
        p["unrest"] -= 1
        p["unrest_of"][seat] += 1


# ---- Market ----


def refill(p: Position, slot: int, back: bool) -> None:
    place = p["market"][slot]
    if place["unrest"] and back:
        p["unrest"] += 1
    deck = p["zones"][DECK_OF_SLOT[slot]] or p["zones"]["main"]
    place["card"] = deck.pop() if deck else None
    place["unrest"] = bool(place["card"] is not None and suits(place["card"]) & TUCKS)
    p["unrest"] -= place["unrest"]


def is_variable(row: int | None) -> bool:
    return row is not None and FACTS[row].get("vp", {}).get("icon") == "variable"


def exile_market(p: Position) -> None:
    offers = [(place["card"], slot) for slot, place in enumerate(p["market"]) if place["card"] is not None]
    offers = [offer for offer in offers if not any(p["market"][offer[1]]["tokens"])]
    if offers:
        row, slot = min(offers)
        p["zones"]["exile"].append(row)
        refill(p, slot, back=True)

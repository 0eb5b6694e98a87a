"""Trade cards of the slow model: drawing, playing, selling, and sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.games.glory_of_rome.naive import Position, must, room
from tests.games.glory_of_rome.naive_gains import gain_glory

Step = dict[str, Any]


def take_steps(table: Position, seat: int, steps: Sequence[Step], windows: Sequence[str]) -> None:
    """Play, sell, discard cards or lay sets before an action, in order; cards of these conditions can be played.

    In another player's turn cards are neither sold nor laid as sets.
    """
    for step in steps:
        if "play" in step:
            play_card(table, seat, step["play"], windows)
        elif "discard" in step:
            discard_card(table, seat, step["discard"])
        else:
            must(table["to_move"] == seat, "only in the own turn")
            if "sell" in step:
                sell(table, seat, step["sell"])
            else:
                lay_set(table, seat, step["set"], step["type"])


def play_card(table: Position, seat: int, name: str, windows: Sequence[str]) -> None:
    """Play a card: it is on the discards after its effect."""
    player, card = table["players"][seat], table["data"]["trade_cards"][name]
    when = card.get("when")
    must(name in player["hand"], "no such card")
    must(when in windows, "not played on this")
    # A card drawn by another card is played at once only if both have one condition: an older copy has no such bound.
    drawn_otherwise = [other for other in player["drawn_by"].get(name, []) if other != when]
    must(player["hand"].count(name) > len(drawn_otherwise), "drawn by a card with another condition")
    leave_hand(table, seat, name, is_played=True)
    carry_out(table, seat, card.get("effect", {}), when)
    table["trade_discard"].append(name)


def carry_out(table: Position, seat: int, effect: dict[str, Any], when: str) -> None:
    player = table["players"][seat]
    recruited = {
        "recruit_legions": sum(player["legions"].values()),
        "recruit_votes": player["votes"] + table["senate"].count(seat),
    }
    player["denarii"] += effect.get("denarii", 0)
    gain_glory(table, seat, effect.get("glory", 0))
    for _ in range(effect.get("draw", 0)):
        draw(table, seat, when)
    for _ in range(effect.get("take_discard", 0)):
        must(table["trade_discard"], "no discards")
        add_card(table, seat, table["trade_discard"].pop(), when)
    for key, most in (("recruit_legions", 7), ("recruit_votes", 5)):
        must(recruited[key] + effect.get(key, 0) <= most or not effect.get(key), "not so many left")
    player["legions"]["board"] += effect.get("recruit_legions", 0)
    player["votes"] += effect.get("recruit_votes", 0)
    if effect.get("remove_anchor"):
        must(player["anchor"], "no anchor card")
        player["anchor"] = False


def draw(table: Position, seat: int, by: str | None = None) -> None:
    """Draw a card; the discards become the deck when that is empty, and only if they are all alike it is known how."""
    if not table["trade_deck"]:
        table["trade_deck"], table["trade_discard"] = table["trade_discard"], []
        table["is_shuffled"] = table["is_shuffled"] or len(set(table["trade_deck"])) > 1
    must(table["trade_deck"], "no card is left")
    add_card(table, seat, table["trade_deck"].pop(), by)


def add_card(table: Position, seat: int, name: str, by: str | None = None) -> None:
    """Put a card into a hand with room; `by` is the condition of the card that draws it."""
    player = table["players"][seat]
    must(room(player) > 0, "no room in the hand")
    player["hand"].append(name)
    if by:
        player["drawn_by"].setdefault(name, []).append(by)


def leave_hand(table: Position, seat: int, name: str, is_played: bool = False) -> None:
    """Take a card out of the hand: of several copies the one just drawn, unless it could not be played."""
    player = table["players"][seat]
    must(name in player["hand"], "no such card")
    player["hand"].remove(name)
    drawn = player["drawn_by"].get(name, [])
    when = table["data"]["trade_cards"][name].get("when")
    fitting = [by for by in drawn if by == when]
    if is_played:
        if fitting:
            drawn.remove(when)
    elif len(drawn) > len(fitting):
        drawn.remove(next(by for by in drawn if by != when))
    elif fitting:
        drawn.remove(when)


def discard_card(table: Position, seat: int, name: str) -> None:
    leave_hand(table, seat, name)
    table["trade_discard"].append(name)


def sell(table: Position, seat: int, name: str) -> None:
    discard_card(table, seat, name)
    table["players"][seat]["denarii"] += 1


def lay_set(table: Position, seat: int, names: Sequence[str], kind: str) -> None:
    """Lay three cards of a type down; chests are wild, jewels too with the commercial medal, but not all three."""
    player, cards = table["players"][seat], table["data"]["trade_cards"]
    must(len(names) == 3 and kind != "chest", "three cards of a type")
    must(len(player["sets"]) < 3, "no more sets")
    types = [cards[name]["type"] for name in names]
    wild = {"chest"} | ({"jewels"} if "commercial" in player["medals"] else set())
    must(all(found == kind or found in wild for found in types), "another type")
    must(kind in types, "wild cards alone")
    for name in names:
        leave_hand(table, seat, name)
    player["sets"].append(kind)

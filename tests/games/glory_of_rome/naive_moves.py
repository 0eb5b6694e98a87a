"""Moves of the slow model: each is made on a copy of the table, which is thrown away when a rule stops it."""

import copy
from collections.abc import Callable, Sequence
from typing import Any

from tests.games.glory_of_rome.naive import (
    GENERAL_INTRIGUE,
    MILESTONES,
    OWN_PIECES,
    REGIONS,
    IllegalError,
    Position,
    bonuses,
    followers_left,
    intrigue_left,
    is_finished,
    is_solo,
    load_position,
    marker_space,
    medals_left,
    meets,
    must,
    penalty_of,
    pieces_left,
    population,
    province_of,
    result_of,
    room,
    seat_before,
    spaces_behind,
    tiles_left,
    turn_order,
)

Move = Step = dict[str, Any]
ECONOMIC_DENARII = (1, 1, 2, 2, 3, 3, 4, 4, 5)


def inspect(position: Position) -> dict[str, Any]:
    """Return the result of a position and its moves."""
    table = begin(position)
    moves = []
    for move in position.get("moves", []):
        try:
            table = after(table, move)
            moves.append({"ok": True})
        except IllegalError:
            moves.append({"ok": False})
    return result_of(table, moves, can)


def begin(position: Position) -> Position:
    """Lay a position out; in the action phase the first who has followers left is to move."""
    table = load_position(position)
    if table["phase"] == "action":
        order = turn_order(table)
        place = order.index(table["to_move"])
        go_on_with(table, order[place:] + order[:place])
    return table


def can(table: Position, move: Move) -> bool:
    try:
        after(table, move)
    except IllegalError:
        return False
    return True


def copied(table: Position) -> Position:
    """Return a copy of a table that shares its data, which nothing changes."""
    return copy.deepcopy({**table, "data": None}) | {"data": table["data"]}


def after(table: Position, move: Move) -> Position:
    """Return the table after a move, or raise IllegalError."""
    table = copied(table)
    check_turn(table, move)
    MOVES[move["do"]](table, move)
    for player in table["players"]:
        player["drawn_by"] = {}
    return table


PHASES = {
    "event": ("event",),
    "diplomacy": ("diplomacy",),
    "activate": ("intrigue",),
    "build": ("build",),
    "follower": ("action",),
    "tax": ("income",),
    "pass": ("diplomacy", "intrigue", "build"),
}


def check_turn(table: Position, move: Move) -> None:
    must(table["phase"] in PHASES.get(move["do"], (table["phase"],)), "not in this phase")
    if move["do"] not in ("event", "pay"):
        must(table["to_move"] == move["p"], "not the turn")


# ---- Course of a round ----


def end_turn(table: Position) -> None:
    """End a turn in a phase with one turn for each player."""
    order = turn_order(table)
    number = order.index(table["to_move"]) + 1
    if number < len(order):
        table["to_move"] = order[number]
    else:
        end_phase(table)


def end_phase(table: Position) -> None:
    """Begin the next phase that there is."""
    phases = ["event", "diplomacy", "intrigue", "build", "action", "income"]
    variants = table["variants"]
    if "Spies and Alliances" not in variants or is_solo(table):
        phases.remove("diplomacy")
    if "Truce" in variants or is_solo(table) or table["round"] == 1:
        phases.remove("intrigue")
    if table["phase"] == "income":
        end_round(table)
        return
    table["phase"] = phases[phases.index(table["phase"]) + 1]
    table["to_move"] = table["starting_player"]
    if table["phase"] == "action":
        go_on_with(table, turn_order(table))


def end_round(table: Position) -> None:
    """Turn the provinces, and begin the next round."""
    step, times = (1 if table["direction"] == "clockwise" else -1), table["arrows"]
    if "Clockwork" in table["variants"]:
        step, times = 1, 1
    old = table["board"]
    table["board"] = [old[(place - step * times) % 4] for place in range(4)]
    table["to_move"] = None
    table["phase"] = "over" if table["round"] == 9 else "event"
    table["round"] = min(9, table["round"] + 1)


def end_action_turn(table: Position) -> None:
    """Let the next player go on who has followers left."""
    order = turn_order(table)
    place = order.index(table["to_move"])
    go_on_with(table, order[place + 1 :] + order[: place + 1])


def go_on_with(table: Position, order: list[int]) -> None:
    """Give the turn to the first who has followers left; without any the action phase ends."""
    for seat in order:
        if followers_left(table["players"][seat]) > 0:
            table["to_move"] = seat
            return
    for player in table["players"]:
        player["placed"] = dict.fromkeys(player["placed"], 0)
        player["bonus_used"] = []
    for province in table["provinces"].values():
        province["activated"] = []
    end_phase(table)


# ---- Event ----


def make_event(table: Position, move: Move) -> None:
    event = table["data"]["events"][move["event"]]
    table["direction"], table["arrows"] = event["turn"], event.get("arrows", 1)
    reward = dict(event.get("reward", {}))
    negative = event.get("negative", False)
    who = [seat for seat in turn_order(table) if meets(table, seat, event.get("if"))]
    if is_solo(table) and not negative:
        who, reward = [0], {"denarii": 1 + len(table["players"][0]["milestones"])}
    elif is_solo(table):
        reward = {key: min(0, number) for key, number in reward.items()}
    for seat in who:
        player = table["players"][seat]
        player["denarii"] = max(0, player["denarii"] + reward.get("denarii", 0))
        if reward.get("glory", 0) > 0:
            gain_glory(table, seat, reward["glory"])
        else:
            lose_glory(table, seat, min(-reward.get("glory", 0), spaces_behind(player)))
    end_phase(table)


# ---- Diplomacy ----


def make_diplomacy(table: Position, move: Move) -> None:
    player, other = table["players"][move["p"]], seat_before(table, move["province"])
    level = table["provinces"][move["province"]]["buildings"][move["building"]]
    must(other is not None and other != move["p"], "no opponent there")
    must(level > 0, "no building there")
    must(move["offer"] <= player["denarii"], "not enough denarii")
    if move["accepted"]:
        player["denarii"] -= move["offer"]
        table["players"][other]["denarii"] += move["offer"]
        if move["token"] == "alliance":
            gain_glory(table, move["p"], level)
            gain_glory(table, other, level)
        elif move.get("choice") == "glory":
            gain_glory(table, move["p"], level)
        else:
            must(move.get("choice") == "action", "glory or the action")
            make_action(table, move["p"], move["building"], False, move)
    elif move["token"] == "spy":
        player["denarii"] -= move["offer"]
    end_turn(table)


# ---- Intrigue ----


def make_activation(table: Position, move: Move) -> None:
    seat, province = move["p"], table["provinces"][move["province"]]
    other = seat_before(table, move["province"])
    must(seat in province["intrigue"], "no token there")
    must(other is not None and other != seat, "no target there")
    player, target = table["players"][seat], table["players"][other]
    must(player["discord"] > 0, "no discord")
    must(target["discord"] < len(target["discord_track"]), "no space for discord")
    must(move["effect"] in (*GENERAL_INTRIGUE, player["own_intrigue"]), "not an effect of this character")
    take_steps(table, seat, move.get("before", []), ["activate_intrigue"])
    must_be_possible(table, seat, other, move)
    take_steps(table, other, move.get("answer", []), ["intrigue_in_own_province"])
    player["discord"] -= 1
    target["discord"] += 1
    province["intrigue"].remove(seat)
    province["activated"].append(seat)
    EFFECTS[move["effect"]](table, seat, other, move)


def must_be_possible(table: Position, seat: int, other: int, move: Move) -> None:
    """Check that an effect is possible before the target answers: which card it would take is not known then."""
    hand = table["players"][other]["hand"]
    rehearsed = {**move, "card": hand[0]} if "card" in move and hand else move
    EFFECTS[move["effect"]](copied(table), seat, other, rehearsed)


def slander(table: Position, seat: int, other: int, move: Move) -> None:
    must(spaces_behind(table["players"][other]) > 0, "marker on 1")
    lose_glory(table, other, 1)


def demolition(table: Position, seat: int, other: int, move: Move) -> None:
    target = table["players"][other]
    must("own" in target["pantheon"][move["level"]], "no own piece")
    must(not is_finished(target, move["level"]), "the level is finished")
    target["pantheon"][move["level"]].remove("own")


def defection(table: Position, seat: int, other: int, move: Move) -> None:
    player, target = table["players"][seat], table["players"][other]
    region = move["region"]
    must(target["legions"][region] > 0, "no legion there")
    target["legions"][region] -= 1
    target["legions"]["board"] += 1
    if move.get("replace"):
        must(player["legions"]["board"] > 0, "no legion left")
        player["legions"]["board"] -= 1
        player["legions"][region] += 1


def deception(table: Position, seat: int, other: int, move: Move) -> None:
    target = table["players"][other]
    must(len(move["from"]) == 2 and move["to"] not in move["from"], "two legions go to another region")
    for region in move["from"]:
        must(target["legions"][region] > 0, "no legion there")
        target["legions"][region] -= 1
    target["legions"][move["to"]] += 2


def take_vote(table: Position, other: int, number: int) -> None:
    """Take a vote of the target out of the column."""
    must(number <= len(table["senate"]) and table["senate"][number - 1] == other, "no vote of the target")
    del table["senate"][number - 1]
    table["players"][other]["votes"] += 1


def vote_again(table: Position, seat: int, other: int, move: Move) -> None:
    take_vote(table, other, move["vote"])
    place_vote(table, seat)


def invalid_vote(table: Position, seat: int, other: int, move: Move) -> None:
    take_vote(table, other, move["vote"])
    gain_glory(table, seat, 1)


def sold(table: Position, seat: int, other: int, move: Move) -> None:
    discard_card(table, other, move["card"])
    table["players"][seat]["denarii"] += 2


def custom_duty(table: Position, seat: int, other: int, move: Move) -> None:
    must(move["card"] in table["players"][other]["hand"], "no such card")
    must(room(table["players"][seat]) > 0, "the hand is full")
    table["players"][other]["hand"].remove(move["card"])
    add_card(table, seat, move["card"])


EFFECTS: dict[str, Callable[[Position, int, int, Move], None]] = {
    "Slander": slander,
    "Demolition": demolition,
    "Defection": defection,
    "Deception": deception,
    "Re-vote": vote_again,
    "Invalid vote": invalid_vote,
    "Sold": sold,
    "Custom duty": custom_duty,
}


# ---- Build phase ----


def make_building(table: Position, move: Move) -> None:
    seat, kind, level = move["p"], move["type"], move["level"]
    player, name = table["players"][seat], province_of(table, seat)
    must(table["provinces"][name]["buildings"][kind] == level - 1, "not on this tile")
    must(tiles_left(table)[kind][str(level)] > 0, "no tile left")
    take_steps(table, seat, move.get("before", []), ["build"])
    price, glory = table["data"]["prices"][kind][level - 1]
    must(player["denarii"] >= price, "not enough denarii")
    player["denarii"] -= price
    table["provinces"][name]["buildings"][kind] = level
    gain_glory(table, seat, glory)
    if level == 3 and kind in medals_left(table):
        player["medals"].append(kind)


# ---- Action phase ----


def make_follower(table: Position, move: Move) -> None:
    seat, place, bonus = move["p"], move["on"], move.get("bonus", False)
    player, province = table["players"][seat], table["provinces"][province_of(table, seat)]
    must(followers_left(player) > 0, "no follower left")
    if place in province["buildings"]:
        must(player["placed"][place] < province["buildings"][place], "no space for a follower")
    if bonus:
        must(place in bonuses(player), "no such bonus")
        player["bonus_used"].append(place)
    player["placed"][place] += 1
    windows = ["follower"] + [f"follower_{name}" for name in ("colosseum", "economic") if name == place.lower()]
    take_steps(table, seat, move.get("before", []), windows)
    if place == "economic" and "economic" in player["medals"]:
        player["denarii"] += 2
    if place == "Colosseum":
        gain_glory(table, seat, 1)
    elif place == "intrigue":
        place_intrigue(table, seat)
    else:
        make_action(table, seat, place, bonus, move)
    end_action_turn(table)


def place_intrigue(table: Position, seat: int) -> None:
    province = table["provinces"][province_of(table, seat)]
    must("Truce" not in table["variants"] and not is_solo(table), "no intrigue in this variant")
    must(intrigue_left(table, seat) > 0, "no token left")
    must(len(province["intrigue"]) + len(province["activated"]) < 3, "no space for a token")
    province["intrigue"].append(seat)


def make_action(table: Position, seat: int, kind: str, bonus: bool, move: Move) -> None:
    """Carry out the action of a building, twice with the bonus."""
    times = 2 if bonus else 1
    if kind == "military":
        must(len(move.get("legions", [])) == times, "not so many steps")
        for step in move["legions"]:
            move_legion(table, seat, step)
    elif kind == "political":
        for _ in range(times):
            place_vote(table, seat)
    elif kind == "commercial":
        for _ in range(times):
            draw(table, seat)
    elif kind == "religious":
        place_piece(table, seat, move["level"])
    else:
        table["players"][seat]["denarii"] += ECONOMIC_DENARII[table["round"] - 1]


def move_legion(table: Position, seat: int, step: dict[str, str]) -> None:
    legions = table["players"][seat]["legions"]
    source = step.get("from", "board")
    must(legions[source] > 0, "no legion there")
    must(source != step["to"] and step["to"] in REGIONS, "to another region")
    legions[source] -= 1
    legions[step["to"]] += 1


def place_vote(table: Position, seat: int) -> None:
    """Place a vote on top: three in a row are a majority, and the sixth pushes the lowest out."""
    player, column = table["players"][seat], table["senate"]
    must(player["votes"] > 0, "no vote left")
    player["votes"] -= 1
    column.append(seat)
    if column[-3:] == [seat] * 3:
        gain_glory(table, seat, 3 if "political" in player["medals"] else 2)
    if len(column) == 6:
        table["players"][column.pop(0)]["votes"] += 1


def place_piece(table: Position, seat: int, level: str) -> None:
    """Place an own piece of the Pantheon, or the best common one when all own ones are there."""
    player = table["players"][seat]
    pieces = player["pantheon"][level]
    must(not is_finished(player, level), "the level is finished")
    must(level == "base" or is_finished(player, "base"), "the base comes first")
    if pieces.count("own") < OWN_PIECES[level]:
        pieces.append("own")
        return
    left = [metal for metal, number in pieces_left(table)[level].items() if number > 0]
    must(left, "no common piece left")
    pieces.append(left[0])


# ---- Income phase ----


def make_tax(table: Position, move: Move) -> None:
    seat, double = move["p"], move.get("double", False)
    player = table["players"][seat]
    take_steps(table, seat, move.get("before", []), ["double_tax"] if double else [])
    number = population(table, province_of(table, seat))
    if double:
        penalty = penalty_of(table, seat)
        must(spaces_behind(player) >= penalty, "the marker cannot move back so far")
        lose_glory(table, seat, penalty)
    player["denarii"] += number * (2 if double else 1)
    end_turn(table)


# ---- The religious medal ----


def make_payment(table: Position, move: Move) -> None:
    player = table["players"][move["p"]]
    must("religious" in player["medals"], "no religious medal")
    must(table["phase"] != "over", "the game is over")
    must(player["denarii"] >= 3 * move["times"], "not enough denarii")
    player["denarii"] -= 3 * move["times"]
    gain_glory(table, move["p"], move["times"])


# ---- Trade cards ----


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


# ---- Glory ----


def gain_glory(table: Position, seat: int, number: int) -> None:
    """Move a glory marker on; whoever comes onto or past the marker of a milestone reaches it."""
    player = table["players"][seat]
    before = player["glory"]
    player["glory"] += number
    for first in MILESTONES:
        if first not in player["milestones"] and before < marker_space(table, first) <= player["glory"]:
            reach(table, first, [player])


def reach(table: Position, first: int, players: list[dict[str, Any]]) -> None:
    """Give players a milestone: its marker goes a space down for each, and who stands on a space it comes to joins."""
    from_space = marker_space(table, first)
    for player in players:
        player["milestones"] = sorted([*player["milestones"], first])
    passed = range(marker_space(table, first), from_space)
    there = [player for player in table["players"] if player["glory"] in passed and first not in player["milestones"]]
    if there:
        reach(table, first, there)


def lose_glory(table: Position, seat: int, number: int) -> None:
    """Move a glory marker back; milestones stay reached."""
    table["players"][seat]["glory"] -= number


MOVES: dict[str, Callable[[Position, Move], None]] = {
    "event": make_event,
    "diplomacy": make_diplomacy,
    "activate": make_activation,
    "build": make_building,
    "pass": lambda table, move: end_turn(table),
    "follower": make_follower,
    "tax": make_tax,
    "sell": lambda table, move: sell(table, move["p"], move["card"]),
    "discard": lambda table, move: discard_card(table, move["p"], move["card"]),
    "set": lambda table, move: lay_set(table, move["p"], move["cards"], move["type"]),
    "pay": make_payment,
}

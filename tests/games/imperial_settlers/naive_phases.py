"""Phases of a round but the action phase, in the slow model: set-up, lookout, production, clean-up, attack."""

from __future__ import annotations

from tests.games.imperial_settlers.naive import (
    CARDS,
    GOODS,
    RESOURCES,
    ROUNDS,
    TABLE,
    VIRTUAL,
    IllegalError,
    Position,
    deck_of,
    empires,
    features,
    first_to_move,
    good_of_deal,
    goods,
    is_common,
    label,
    locations_of,
)
from tests.games.imperial_settlers.naive_decisions import Move, Place, Said, draw, gain, names_of, take_top
from tests.games.imperial_settlers.naive_effects import do, leave, new_place, razeable, said_to_convert, spend

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
    code = next((one for one in p["row"] if said.get("card") in names_of(one)), None)
    if code is None:
        raise IllegalError("not in the row")
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

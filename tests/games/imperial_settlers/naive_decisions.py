"""Decisions, goods, payments and cards coming and going in the slow model.

Decisions stand in the dictionary of a move, as `inspect` takes them. One that is not given is taken if there is only
one option; otherwise the move is illegal.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tests.games.imperial_settlers.naive import (
    CARDS,
    NAMES,
    PLAIN,
    RESOURCES,
    IllegalError,
    Position,
    UnpredictableError,
    deck_of,
    features,
    is_common,
    label,
)

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
        if len({kind_of(option) for option in fitting}) != 1:
            raise IllegalError(f"one of {[keys for keys, _ in options]} is to be chosen, not {said}")
        return fitting[0][1]


def kind_of(option: Option) -> str:
    """What tells an option from others: locations of one name with the same on them are alike."""
    keys, value = option
    place = value[1] if isinstance(value, tuple) else value
    if not isinstance(place, dict) or "used" not in place:
        return str({key: names[:1] for key, names in keys.items()})
    things = {key: thing for key, thing in place.items() if key not in ("card", "goods")}
    owner = {key: names for key, names in keys.items() if key in ("target", "take")}
    print_of = "" if place["card"] in PLAIN else place["card"]
    return str((NAMES[place["card"]], print_of, owner, things))


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
    """Look at cards of a deck and keep one."""
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
    """Choose among hand cards; a name rather means a print with the values of the row itself."""
    ordered = sorted(codes, key=lambda code: code not in PLAIN)
    return str(m.choose(said, [({key: names_of(code)}, code) for code in ordered]))

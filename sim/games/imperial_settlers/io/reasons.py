"""Why a move of the action phase is not among the options of the turn, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sim.compiler.kernel import Record
from sim.games.imperial_settlers.data.catalog import Catalog
from sim.games.imperial_settlers.io.moves import PositionMove
from sim.games.imperial_settlers.io.naming import card_name
from sim.games.imperial_settlers.io.option_matching import seat_word
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.razing import may_be_razed_from_hand, tokens_needed

NO_REASON = "the rules do not allow it now"


def why_not_built(g: Record, t: Record, catalog: Catalog, seat: int, card: int) -> str:
    """Say why a hand card cannot be built."""
    lacking = goods_missing(g, seat, t.cost[card], 0)
    if lacking:
        return lacking
    if t.cost_location[card]:
        return f"{card_name(catalog, card)} costs a location, and there is none to discard, nor a foundation"
    return NO_REASON


def why_not_dealt(g: Record, t: Record, catalog: Catalog, seat: int, card: int) -> str:
    """Say why a hand card cannot become a deal."""
    if t.deal_good[card] < 0:
        return f"{card_name(catalog, card)} has no deal field"
    cost = [0] * len(constants.GOODS)
    cost[constants.FOOD] = int(t.deal_cost)
    return goods_missing(g, seat, cost, 0) or NO_REASON


def why_not_razed_from_hand(g: Record, t: Record, catalog: Catalog, seat: int, card: int) -> str:
    """Say why a hand card cannot be razed."""
    if not may_be_razed_from_hand(g, t, seat, card):
        return f"{card_name(catalog, card)} cannot be razed"
    return _tokens_missing(g, seat, int(t.raze_cost_hand))


def why_not_razed(g: Record, t: Record, catalog: Catalog, seat: int, other: int, card: int) -> str:
    """Say why a location of an opponent cannot be razed by the action."""
    if g.peaceful:
        return "in the peaceful variant no location of an opponent is razed by the action"
    if not t.razeable[card]:
        return f"{card_name(catalog, card)} cannot be razed"
    if not (g.solo and other == constants.VIRTUAL) and g.passed[other]:
        return f"{seat_word(g, other)} has passed"
    return _tokens_missing(g, seat, int(tokens_needed(g, t, card)))


def why_not_activated(g: Record, t: Record, catalog: Catalog, seat: int, card: int, times: int) -> str:
    """Say why a location cannot be activated so many times in one action."""
    name = card_name(catalog, card)
    if t.kind[card] != constants.ACTION:
        return f"{name} is no action location"
    if g.holder[card] != seat:
        return f"{name} is controlled by seat {int(g.holder[card])}"
    if g.blocked[card]:
        return f"{name} is blocked for this round"
    if g.used[card] >= t.uses[card]:
        return f"{name} has been used in this round"
    if g.used[card] + times > t.uses[card]:
        return f"{name} cannot be used {times} times any more in this round"
    if g.zone_size[seat, constants.HAND] < times * t.pay_hand[card]:
        return "there is no hand card to pay with"
    if g.zone_size[seat, constants.DEALS] + g.zone_size[seat, constants.TRADES] < times * t.pay_deal[card]:
        return "there are not enough deals to pay with"
    lacking = goods_missing(g, seat, times * t.pay[card], times * int(t.pay_any[card]))
    return lacking or f"there is nothing that {name} could mean"


def why_not_defended(g: Record, t: Record, catalog: Catalog, seat: int, card: int) -> str:
    """Say why a location cannot get a defence token."""
    if t.deck[card] != constants.COMMON:
        return f"{card_name(catalog, card)} is no common location"
    if g.defence[card]:
        return f"a defence token lies on {card_name(catalog, card)} already"
    return "there is no defence token to place" if not g.goods[seat, constants.DEFENCE] else NO_REASON


def why_not_guarded(g: Record, t: Record, catalog: Catalog, seat: int, card: int) -> str:
    """Say why a location cannot get a samurai."""
    if not t.samurai[g.faction[seat]]:
        return f"the {catalog.faction_names[g.faction[seat]]} have no samurai"
    if t.deck[card] != g.faction[seat]:
        return f"{card_name(catalog, card)} is no faction location"
    if g.samurai[card]:
        return f"a samurai stands on {card_name(catalog, card)} already"
    return "not enough goods: 1 worker is missing" if not g.goods[seat, constants.WORKER] else NO_REASON


def why_not_banked(g: Record, seat: int, good: int) -> str:
    """Say why one of a good cannot be laid onto a Shrine."""
    if g.goods[seat, good] <= 0:
        return f"not enough goods: 1 {constants.GOODS[good]} is missing"
    return f"{constants.GOODS[good]} cannot be laid onto it"


def goods_missing(g: Record, seat: int, cost: Any, any_resource: int) -> str:
    """Say which goods of a cost a seat lacks, gold standing for resources; empty if it lacks none."""
    goods = g.goods[seat]
    gold = int(goods[constants.GOLD] - cost[constants.GOLD])
    lacking = {
        good: max(0, int(cost[good] - goods[good])) for good in (constants.WORKER, constants.RAZE, constants.DEFENCE)
    }
    left = any_resource
    for good in range(constants.RESOURCES):
        rest = int(goods[good] - cost[good])
        lacking[good] = max(0, -rest)
        left -= max(0, rest)
    lacking[constants.GOLD] = max(0, -gold)
    gold = max(0, gold)
    for good in range(constants.RESOURCES):
        helped = min(gold, lacking[good])
        lacking[good] -= helped
        gold -= helped
    parts = [f"{lacking[good]} {constants.GOODS[good]}" for good in sorted(lacking) if lacking[good]]
    if left > gold:
        parts.append(f"{left - gold} of any resource")
    return missing(parts)


def missing(parts: Sequence[str]) -> str:
    """Say that goods are missing; empty if none are."""
    if not parts:
        return ""
    verb = "is" if len(parts) == 1 and parts[0].startswith("1 ") else "are"
    return f"not enough goods: {', '.join(parts)} {verb} missing"


def _tokens_missing(g: Record, seat: int, needed: int) -> str:
    """Say that raze tokens are missing."""
    lacking = needed - int(g.goods[seat, constants.RAZE])
    return missing([f"{lacking} raze"]) if lacking > 0 else NO_REASON


def why_not_now(g: Record, move: PositionMove) -> str:
    """Say why a move does not fit the phase, or the turn; empty if it does."""
    phase = PHASE_OF[move.do]
    names = " or ".join(f"the {constants.PHASES[number]} phase" for number in phase)
    seat = move.p
    if g.phase not in phase:
        return f"this is done in {names}, and this is the {constants.PHASES[int(g.phase)]} phase"
    if move.do == "cleanup" and g.rounds >= constants.ROUNDS:
        return "the last round has no cleanup"
    if seat is None or (move.do == "take" and g.lookout == constants.ALTERNATIVE and not g.solo):
        return ""
    if g.phase == constants.ACT and g.passed[seat]:
        return f"seat {seat} has passed"
    if g.turn_seat == constants.NO_SEAT:
        return "it is nobody's turn"
    return "" if g.turn_seat == seat else f"it is the turn of seat {int(g.turn_seat)}"


PHASE_OF = {
    "begin": (constants.SETUP, constants.LOOKOUT),
    "take": (constants.LOOKOUT,),
    "random": (constants.LOOKOUT,),
    "produce": (constants.PRODUCE,),
    "cleanup": (constants.CLEANUP,),
    "attack": (constants.ATTACK,),
} | dict.fromkeys(
    ("build", "deal", "raze", "activate", "exchange", "pass", "defend", "samurai", "tuck", "bank"), (constants.ACT,)
)
"""Phases in which each move is made."""

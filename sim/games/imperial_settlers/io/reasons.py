"""Explains why a move is not an option of the turn. Each kind of move has a table of conditions and reasons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sim.compiler.kernel import Record
from sim.games.imperial_settlers.io.moves import PositionMove
from sim.games.imperial_settlers.io.stepping import InspectedGame
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.razing import may_be_razed_from_hand, tokens_needed
from sim.games.shared.stepping import first_reason

NO_REASON = "the rules do not allow it now"
PHASES_OF = {
    "begin": (constants.SETUP, constants.LOOKOUT),
    "take": (constants.LOOKOUT,),
    "random": (constants.LOOKOUT,),
    "produce": (constants.PRODUCE,),
    "cleanup": (constants.CLEANUP,),
    "attack": (constants.ATTACK,),
}
"""Phases in which each kind of move can be made. All other kinds belong to the action phase."""


def why_not_now(g: Record, move: PositionMove) -> str:
    """Say why a move does not fit the phase or the turn; return "" if it fits."""
    phases, seat = PHASES_OF.get(move.do, (constants.ACT,)), move.p
    names = " or ".join(f"the {constants.PHASES[number]} phase" for number in phases)
    last = move.do == "cleanup" and g.rounds >= constants.ROUNDS
    in_turn = seat is not None and not (move.do == "take" and g.lookout == constants.ALTERNATIVE and not g.solo)
    return first_reason(
        (g.phase not in phases, f"this is done in {names}, and this is the {constants.PHASES[int(g.phase)]} phase"),
        (last, "the last round has no cleanup"),
        (in_turn and g.phase == constants.ACT and g.passed[seat], f"seat {seat} has passed"),
        (in_turn and g.turn_seat == constants.NO_SEAT, "it is nobody's turn"),
        (in_turn and g.turn_seat != seat, f"it is the turn of seat {int(g.turn_seat)}"),
    )


def why_not_built(game: InspectedGame, seat: int, card: int) -> str:
    """Say why a hand card cannot be built."""
    no_location = f"{game.card_name(card)} costs a location, and there is none to discard, nor a foundation"
    lacking = _goods_missing(game.g, seat, game.t.cost[card])
    return lacking or (no_location if game.t.cost_location[card] else NO_REASON)


def why_not_dealt(game: InspectedGame, seat: int, card: int) -> str:
    """Say why a hand card cannot become a deal."""
    if game.t.deal_good[card] < 0:
        return f"{game.card_name(card)} has no deal field"
    cost = [0] * len(constants.GOODS)
    cost[constants.FOOD] = int(game.t.deal_cost)
    return _goods_missing(game.g, seat, cost) or NO_REASON


def why_not_razed_from_hand(game: InspectedGame, seat: int, card: int) -> str:
    """Say why a hand card cannot be razed."""
    if not may_be_razed_from_hand(game.g, game.t, seat, card):
        return f"{game.card_name(card)} cannot be razed"
    return _tokens_missing(game.g, seat, int(game.t.raze_cost_hand))


def why_not_razed(game: InspectedGame, seat: int, other: int, card: int) -> str:
    """Say why an opponent's location cannot be razed by the raze action."""
    g, t = game.g, game.t
    virtual = g.solo and other == constants.VIRTUAL
    return first_reason(
        (g.peaceful, "in the peaceful variant no location of an opponent is razed by the action"),
        (not t.razeable[card], f"{game.card_name(card)} cannot be razed"),
        (not virtual and g.passed[other], f"{game.seat_name(other)} has passed"),
        (True, _tokens_missing(g, seat, int(tokens_needed(g, t, card)))),
    )


def why_not_activated(game: InspectedGame, seat: int, card: int, times: int) -> str:
    """Say why a location cannot be activated `times` times in one action."""
    g, t, name, used = game.g, game.t, game.card_name(card), game.g.used[card]
    hand, deals = g.zone_size[seat, constants.HAND], g.zone_size[seat, [constants.DEALS, constants.TRADES]].sum()
    lacking = _goods_missing(g, seat, times * t.pay[card], times * int(t.pay_any[card]))
    return first_reason(
        (t.kind[card] != constants.ACTION, f"{name} is no action location"),
        (g.holder[card] != seat, f"{name} is controlled by seat {int(g.holder[card])}"),
        (g.blocked[card], f"{name} is blocked for this round"),
        (used >= t.uses[card], f"{name} has been used in this round"),
        (used + times > t.uses[card], f"{name} cannot be used {times} times any more in this round"),
        (hand < times * t.pay_hand[card], "there is no hand card to pay with"),
        (deals < times * t.pay_deal[card], "there are not enough deals to pay with"),
        (True, lacking or f"there is nothing that {name} could mean"),
    )


def why_not_defended(game: InspectedGame, seat: int, card: int) -> str:
    """Say why a location cannot get a defence token."""
    g, name = game.g, game.card_name(card)
    return first_reason(
        (game.t.deck[card] != constants.COMMON, f"{name} is no common location"),
        (g.defence[card], f"a defence token lies on {name} already"),
        (not g.goods[seat, constants.DEFENCE], "there is no defence token to place"),
        (True, NO_REASON),
    )


def why_not_guarded(game: InspectedGame, seat: int, card: int) -> str:
    """Say why a location cannot get a samurai."""
    g, t, name = game.g, game.t, game.card_name(card)
    faction = g.faction[seat]
    return first_reason(
        (not t.samurai[faction], f"the {game.catalog.faction_names[faction]} have no samurai"),
        (t.deck[card] != faction, f"{name} is no faction location"),
        (g.samurai[card], f"a samurai stands on {name} already"),
        (not g.goods[seat, constants.WORKER], missing(["1 worker"])),
        (True, NO_REASON),
    )


def why_not_banked(g: Record, seat: int, good: int) -> str:
    """Say why one unit of a good cannot be put onto a Shrine."""
    name = constants.GOODS[good]
    return f"{name} cannot be laid onto it" if g.goods[seat, good] > 0 else missing([f"1 {name}"])


def _goods_missing(g: Record, seat: int, cost: Any, any_resource: int = 0) -> str:
    """Say which goods of a cost a seat lacks, where gold replaces resources; return "" if it lacks none."""
    rest = [int(has - due) for has, due in zip(g.goods[seat], cost, strict=False)]
    lacking = {good: max(0, -rest[good]) for good in range(constants.SUPPLY)}
    gold = max(0, rest[constants.GOLD])
    for good in range(constants.RESOURCES):
        helped = min(gold, lacking[good])
        lacking[good] -= helped
        gold -= helped
    parts = [f"{number} {constants.GOODS[good]}" for good, number in lacking.items() if number]
    left = any_resource - gold - sum(max(0, rest[good]) for good in range(constants.RESOURCES))
    return missing([*parts, f"{left} of any resource"] if left > 0 else parts)


def missing(parts: Sequence[str]) -> str:
    """Say that these goods are missing; return "" if there are none."""
    if not parts:
        return ""
    verb = "is" if len(parts) == 1 and parts[0].startswith("1 ") else "are"
    return f"not enough goods: {', '.join(parts)} {verb} missing"


def _tokens_missing(g: Record, seat: int, needed: int) -> str:
    lacking = needed - int(g.goods[seat, constants.RAZE])
    return missing([f"{lacking} raze"]) if lacking > 0 else NO_REASON

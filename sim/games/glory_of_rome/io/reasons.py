"""Explains why a move of a position is illegal: a table of conditions and reasons for each kind of move."""

from __future__ import annotations

from typing import Any

from sim.compiler.kernel import Record
from sim.games.glory_of_rome.io.moves import PositionMove
from sim.games.glory_of_rome.io.stepping import InspectedGame
from sim.games.glory_of_rome.rules import constants, followers
from sim.games.glory_of_rome.rules.income import penalty
from sim.games.glory_of_rome.rules.intrigue import bonus_is_covered, can_pass_discord, intrigue_is_played, target_in
from sim.games.glory_of_rome.rules.pantheon import is_finished
from sim.games.glory_of_rome.rules.trading import MOST_PLAYS, fits_condition, legions_to_recruit, votes_to_recruit
from sim.games.glory_of_rome.rules.turns import can_go_on
from sim.games.shared.stepping import first_reason

NO_ROOM = "the hand has no room for what would be drawn"
OTHER_TURN = "trade cards are sold and laid down as sets only in one's own turn"
PHASES_OF = {
    "event": (constants.EVENT_PHASE,),
    "diplomacy": (constants.DIPLOMACY_PHASE,),
    "activate": (constants.INTRIGUE_PHASE,),
    "build": (constants.BUILD_PHASE,),
    "follower": (constants.ACTION_PHASE,),
    "tax": (constants.INCOME_PHASE,),
    "pass": (constants.DIPLOMACY_PHASE, constants.INTRIGUE_PHASE, constants.BUILD_PHASE),
}
"""Phases in which each move can be made. Other moves are possible in every turn, or at any time."""


def why_not_now(game: InspectedGame, move: PositionMove) -> str:
    """Return why a move does not fit the phase or the turn; "" if it does."""
    phase = int(game.g.phase)
    phases = PHASES_OF.get(move.do, (phase,))
    over, in_turn = phase == constants.OVER, move.do not in ("event", "pay")
    names = " or ".join(f"the {constants.PHASES[number]} phase" for number in phases)
    now = "the game is over" if over else f"this is the {constants.PHASES[phase]} phase"
    return first_reason(
        (phase not in phases, f"this is done in {names}, and {now}"),
        (over and move.do == "pay", "the game is over"),
        (in_turn and game.to_move is None, "it is nobody's turn"),
        (in_turn and game.to_move != move.p, f"it is the turn of seat {game.to_move}"),
    )


# ---- Trade cards ----


def why_not_played(game: InspectedGame, seat: int, place: int) -> str:
    """Return why a trade card in a hand cannot be played in the open window."""
    g = game.g
    card, fresh = int(g.hand[seat, place]), int(g.fresh[seat, place])
    name, when = game.card_name(card), int(game.t.when[card])
    never = constants.NEVER
    condition = constants.CONDITIONS_OF_PLAY[when]
    return first_reason(
        (when == never, f"{name} cannot be played"),
        (fresh not in (never, when), f"{name} was just drawn by a card with another condition of play"),
        (not fits_condition(g, when), f"{name} is not played on this: its condition is {condition}"),
        (g.window_plays >= MOST_PLAYS, f"{MOST_PLAYS} trade cards have been played on this"),
        (
            game.t.mixed_conditions and g.window_when not in (never, when),
            f"{name} has another condition of play than the cards played before it",
        ),
        (True, f"the effect of {name} is not possible in full: {_why_not_in_full(game, seat, card)}"),
    )


def _why_not_in_full(game: InspectedGame, seat: int, card: int) -> str:
    """Return, in words, which part of a trade card's effect is impossible."""
    g, t = game.g, game.t
    effect = t.effect[card]
    legions, votes = int(legions_to_recruit(g, t, seat)), int(votes_to_recruit(g, t, seat))
    to_draw = g.trade_size + g.discard_size - effect[constants.TAKE_DISCARD]
    return first_reason(
        (effect[constants.TAKE_DISCARD] > g.discard_size, "no trade card is discarded"),
        (effect[constants.MISSIONS] > g.mission_size, "no mission is left to draw"),
        (effect[constants.RECRUIT_LEGIONS] > legions, f"{legions} legions are left to recruit"),
        (effect[constants.RECRUIT_VOTES] > votes, f"{votes} votes are left to recruit"),
        (effect[constants.REMOVE_ANCHOR] > g.anchor[seat], "there is no anchor card in the hand"),
        (effect[constants.DRAW] > to_draw, "there are not trade cards enough to draw"),
        (True, NO_ROOM),
    )


# ---- Intrigue ----


def why_not_activated(game: InspectedGame, seat: int, province: int) -> str:
    """Return why a seat cannot activate any intrigue in a province; "" if it can."""
    g = game.g
    name, target = constants.PROVINCES[province], int(target_in(g, seat, province))
    return first_reason(
        (not intrigue_is_played(g), "no intrigue is activated in this variant"),
        (g.intrigue[province, seat] == 0, f"no intrigue of seat {seat} lies in {name}"),
        (game.province_of(seat) == province, f"{name} is the own province"),
        (target == constants.NO_SEAT, f"{name} lies before no player"),
        (g.discord[seat] == 0, "there is no discord token to pass on"),
        (not can_pass_discord(g, seat, target), f"the discord track of seat {target} has no free space"),
    )


def why_no_effect(game: InspectedGame, seat: int, target: int, move: PositionMove) -> str:
    """Return why an effect of intrigue cannot be carried out in the way that a move specifies."""
    g = game.g
    name = str(move.effect)
    effect = constants.INTRIGUES.index(name)
    if effect >= constants.DEFECTION and effect != g.own_intrigue[seat]:
        return f"{game.catalog.faction_names[int(g.faction[seat])]} does not have {name}"
    if name == "Slander":
        return f"the glory marker of seat {target} cannot move back: {_where_it_stands(game, target)}"
    if name == "Demolition":
        own = g.pantheon_own[target, constants.PANTHEON_LEVELS.index(move.level)]
        finished = f"the {move.level} of seat {target} is finished"
        return finished if own else f"no own piece lies on the {move.level} of seat {target}"
    if name == "Defection":
        there = g.legions[constants.REGIONS.index(str(move.region)), target]
        none_left = f"there is no legion on the player board of seat {seat} to replace it with"
        return none_left if there else f"seat {target} has no legion in {move.region}"
    if name == "Deception":
        return _why_no_deception(g, target, move)
    if name in ("Re-vote", "Invalid vote"):
        owner = int(g.senate[int(move.vote or 0) - 1])
        of_another = f"vote {move.vote} of the column is one of seat {owner}, not of seat {target}"
        return of_another if owner != target else f"there is no vote on the player board of seat {seat}"
    return f"there is no trade card in the hand of seat {target}"


def _why_no_deception(g: Any, target: int, move: PositionMove) -> str:
    sources = move.sources or []
    if move.to in sources:
        return f"the legions are moved to another region, and {move.to} is none"
    for region in sources:
        if g.legions[constants.REGIONS.index(region), target] < sources.count(region):
            return f"seat {target} has not {sources.count(region)} legions in {region}"
    return "two legions are moved, and one is said"


# ---- Buildings, followers, taxes ----


def why_not_built(game: InspectedGame, seat: int, kind: int, level: int) -> str:
    """Return why a tile cannot be placed; "" if it can. Its price is not checked."""
    g = game.g
    name, built = constants.BUILDINGS[kind], int(g.building[game.province_of(seat), kind])
    there = 1 <= level <= constants.LEVELS
    return first_reason(
        (not there, f"there is no level {level}"),
        (built >= level, f"a {name} building of level {built} stands there"),
        (built + 1 < level, f"there is no {name} building of level {level - 1} to build on"),
        (there and g.tiles[kind, level - 1] == 0, f"no {name} tile of level {level} is left"),
    )


def why_no_follower(game: InspectedGame, seat: int, place: int, with_bonus: bool) -> str:
    """Return why a follower cannot be placed at a place; "" if it can."""
    g = game.g
    name, province = constants.PLACES[place], game.province_of(seat)
    if g.followers_left[seat] == 0:
        return "no follower is left"
    if with_bonus and place >= constants.BONUSES:
        return f"there is no bonus for {name}"
    if place == constants.COLOSSEUM:
        return ""
    if place == constants.INTRIGUE_SPACE:
        return first_reason(
            (not intrigue_is_played(g), "no intrigue is placed in this variant"),
            (g.intrigue_left[seat] == 0, "no intrigue token is left"),
            (not followers.free_intrigue_space(g, province), "all intrigue spaces of the province are taken"),
        )
    unused = not with_bonus or followers.has_bonus(g, seat, place)
    return first_reason(
        (g.building[province, place] == 0, f"no {name} building"),
        (not followers.has_capacity(g, seat, place), f"no room on the {name} building"),
        (not unused and bonus_is_covered(g, seat, place), f"the {name} bonus is covered by discord"),
        (not unused, f"the {name} bonus is used in this round"),
    )


def why_no_action(game: InspectedGame, seat: int, place: int, with_bonus: bool) -> str:
    """Return why the action of a place is impossible once the trade cards have been played; "" if it is possible."""
    g, t = game.g, game.t
    if place >= len(constants.BUILDINGS):
        return ""
    if followers.action_is_possible(g, t, seat, place) and (
        not with_bonus or followers.bonus_is_possible(g, seat, place)
    ):
        return "" if can_go_on(g, t, seat) else NO_ROOM
    number = "two" if with_bonus else "one"
    return {
        constants.MILITARY: "there is no legion to place or to move",
        constants.POLITICAL: f"there are not votes enough on the player board for {number}",
        constants.COMMERCIAL: f"there are not trade cards enough to draw {number}",
        constants.RELIGIOUS: "no piece of the Pantheon can be placed",
    }[place]


def why_no_piece(g: Record, t: Record, level: int) -> str:
    """Return why the seat whose turn it is cannot place a Pantheon piece on a level."""
    seat = int(g.turn_seat)
    base_first = level == constants.ROOF and not t.roof_first
    return first_reason(
        (is_finished(g, t, seat, level), "it is finished"),
        (base_first and not is_finished(g, t, seat, constants.BASE), "the base is not finished"),
        (True, "no common piece is left"),
    )


def why_not_doubled(game: InspectedGame, seat: int) -> str:
    """Return why a seat cannot tax twice."""
    lost = int(penalty(game.g, game.t, seat))
    return f"the glory marker cannot move back by {lost}: {_where_it_stands(game, seat)}"


def _where_it_stands(game: InspectedGame, seat: int) -> str:
    glory = int(game.g.glory[seat])
    space = (glory - 1) % constants.GLORY_SPACES + 1
    return f"it stands at {glory}" + (f", on space {space}" if space != glory else "")

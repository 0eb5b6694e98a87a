"""Why a move of a position is against the rules, in words."""

from __future__ import annotations

from sim.games.glory_of_rome.io.moves import PositionMove
from sim.games.glory_of_rome.io.stepping import InspectedGame
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.followers import (
    action_is_possible,
    bonus_is_possible,
    free_intrigue_space,
    has_bonus,
    has_capacity,
)
from sim.games.glory_of_rome.rules.income import penalty
from sim.games.glory_of_rome.rules.intrigue import bonus_is_covered, can_pass_discord, intrigue_is_played, target_in
from sim.games.glory_of_rome.rules.trading import MOST_PLAYS, fits_condition, legions_to_recruit, votes_to_recruit
from sim.games.glory_of_rome.rules.turns import can_go_on

NO_ROOM = "the hand has no room for what would be drawn"
PHASE_OF = {
    "event": (constants.EVENT_PHASE,),
    "diplomacy": (constants.DIPLOMACY_PHASE,),
    "activate": (constants.INTRIGUE_PHASE,),
    "build": (constants.BUILD_PHASE,),
    "follower": (constants.ACTION_PHASE,),
    "tax": (constants.INCOME_PHASE,),
    "pass": (constants.DIPLOMACY_PHASE, constants.INTRIGUE_PHASE, constants.BUILD_PHASE),
}
"""Phases in which each move is made; the others in every turn, or at any time."""


def why_not_now(game: InspectedGame, move: PositionMove) -> str:
    """Say why a move does not fit the phase, or the turn; empty if it does."""
    phase = int(game.g.phase)
    phases = PHASE_OF.get(move.do, (phase,))
    if phase not in phases:
        names = " or ".join(f"the {constants.PHASES[number]} phase" for number in phases)
        now = "the game is over" if phase == constants.OVER else f"this is the {constants.PHASES[phase]} phase"
        return f"this is done in {names}, and {now}"
    if move.do == "pay" and phase == constants.OVER:
        return "the game is over"
    if move.do in ("event", "pay"):
        return ""
    if game.to_move is None:
        return "it is nobody's turn"
    return "" if game.to_move == move.p else f"it is the turn of seat {game.to_move}"


# ---- Trade cards ----


def why_not_played(game: InspectedGame, seat: int, place: int) -> str:
    """Say why the trade card in a place of a hand cannot be played in the window that is open."""
    g = game.g
    card = int(g.hand[seat, place])
    name, when = game.card_name(card), int(game.t.when[card])
    if when == constants.NEVER:
        return f"{name} cannot be played"
    if g.fresh[seat, place] != constants.NEVER and g.fresh[seat, place] != when:
        return f"{name} was just drawn by a card with another condition of play"
    if not fits_condition(g, when):
        return f"{name} is not played on this: its condition is {constants.CONDITIONS_OF_PLAY[when]}"
    if g.window_plays >= MOST_PLAYS:
        return f"{MOST_PLAYS} trade cards have been played on this"
    if game.t.mixed_conditions and g.window_when not in (constants.NEVER, when):
        return f"{name} has another condition of play than the cards played before it"
    return f"the effect of {name} is not possible in full: {_why_not_in_full(game, seat, card)}"


def _why_not_in_full(game: InspectedGame, seat: int, card: int) -> str:
    """Say what of a trade card's effect is not possible."""
    g, t = game.g, game.t
    effect = t.effect[card]
    if effect[constants.TAKE_DISCARD] > g.discard_size:
        return "no trade card is discarded"
    if effect[constants.MISSIONS] > g.mission_size:
        return "no mission is left to draw"
    if effect[constants.RECRUIT_LEGIONS] > legions_to_recruit(g, t, seat):
        return f"{int(legions_to_recruit(g, t, seat))} legions are left to recruit"
    if effect[constants.RECRUIT_VOTES] > votes_to_recruit(g, t, seat):
        return f"{int(votes_to_recruit(g, t, seat))} votes are left to recruit"
    if effect[constants.REMOVE_ANCHOR] > g.anchor[seat]:
        return "there is no anchor card in the hand"
    if effect[constants.DRAW] > g.trade_size + g.discard_size - effect[constants.TAKE_DISCARD]:
        return "there are not trade cards enough to draw"
    return NO_ROOM


# ---- Intrigue ----


def why_not_activated(game: InspectedGame, seat: int, province: int) -> str:
    """Say why a seat can activate no intrigue in a province; empty if it can some."""
    g = game.g
    name = constants.PROVINCES[province]
    if not intrigue_is_played(g):
        return "no intrigue is activated in this variant"
    if g.intrigue[province, seat] == 0:
        return f"no intrigue of seat {seat} lies in {name}"
    if game.province_of(seat) == province:
        return f"{name} is the own province"
    target = int(target_in(g, seat, province))
    if target == constants.NO_SEAT:
        return f"{name} lies before no player"
    if g.discord[seat] == 0:
        return "there is no discord token to pass on"
    if not can_pass_discord(g, seat, target):
        return f"the discord track of seat {target} has no free space"
    return ""


def why_no_effect(game: InspectedGame, seat: int, target: int, move: PositionMove) -> str:
    """Say why an effect of intrigue cannot be carried out as a move says."""
    effect = constants.INTRIGUES.index(str(move.effect))
    if effect >= constants.DEFECTION and effect != game.g.own_intrigue[seat]:
        return f"{game.catalog.character_names[int(game.g.faction[seat])]} does not have {move.effect}"
    if effect == constants.SLANDER:
        return f"the glory marker of seat {target} cannot move back: {_where_it_stands(game, target)}"
    if effect == constants.DEMOLITION:
        return _why_no_demolition(game, target, str(move.level))
    if effect == constants.DEFECTION:
        return _why_no_defection(game, seat, target, str(move.region))
    if effect == constants.DECEPTION:
        return _why_no_deception(game, target, move)
    if effect in (constants.RE_VOTE, constants.INVALID_VOTE):
        return _why_no_vote(game, seat, target, move)
    return f"there is no trade card in the hand of seat {target}"


def _why_no_demolition(game: InspectedGame, target: int, level: str) -> str:
    if game.g.pantheon_own[target, constants.PANTHEON_LEVELS.index(level)] == 0:
        return f"no own piece lies on the {level} of seat {target}"
    return f"the {level} of seat {target} is finished"


def _why_no_defection(game: InspectedGame, seat: int, target: int, region: str) -> str:
    if game.g.legions[constants.REGIONS.index(region), target] == 0:
        return f"seat {target} has no legion in {region}"
    return f"there is no legion on the player board of seat {seat} to replace it with"


def _why_no_deception(game: InspectedGame, target: int, move: PositionMove) -> str:
    sources = move.sources or []
    if move.to in sources:
        return f"the legions are moved to another region, and {move.to} is none"
    for region in sources:
        if game.g.legions[constants.REGIONS.index(region), target] < sources.count(region):
            return f"seat {target} has not {sources.count(region)} legions in {region}"
    return "two legions are moved, and one is said"


def _why_no_vote(game: InspectedGame, seat: int, target: int, move: PositionMove) -> str:
    owner = int(game.g.senate[int(move.vote or 0) - 1])
    if owner != target:
        return f"vote {move.vote} of the column is one of seat {owner}, not of seat {target}"
    return f"there is no vote on the player board of seat {seat}"


# ---- Buildings, followers, taxes ----


def why_not_built(game: InspectedGame, seat: int, kind: int, level: int) -> str:
    """Say why a tile cannot be placed, its price apart; empty if it can."""
    g = game.g
    name, built = constants.BUILDINGS[kind], int(g.building[game.province_of(seat), kind])
    if not 1 <= level <= constants.LEVELS:
        return f"there is no level {level}"
    if built >= level:
        return f"a {name} building of level {built} stands there"
    if built + 1 < level:
        return f"there is no {name} building of level {level - 1} to build on"
    return f"no {name} tile of level {level} is left" if g.tiles[kind, level - 1] == 0 else ""


def why_not_paid(game: InspectedGame, seat: int, kind: int, level: int) -> str:
    """Say how much a tile costs, and that it is too much."""
    price, denarii = int(game.t.price[kind, level - 1]), int(game.g.denarii[seat])
    return f"the tile costs {price} denarii, and there are {denarii}"


def why_no_follower(game: InspectedGame, seat: int, place: int, with_bonus: bool) -> str:
    """Say why a follower cannot stand on a place; empty if it can."""
    g = game.g
    name = constants.PLACES[place]
    if g.followers_left[seat] == 0:
        return "no follower is left"
    if with_bonus and place >= constants.BONUSES:
        return f"there is no bonus for {name}"
    if place == constants.COLOSSEUM:
        return ""
    if place == constants.INTRIGUE_SPACE:
        if not intrigue_is_played(g):
            return "no intrigue is placed in this variant"
        if g.intrigue_left[seat] == 0:
            return "no intrigue token is left"
        free = free_intrigue_space(g, game.province_of(seat))
        return "" if free else "all intrigue spaces of the province are taken"
    if g.building[game.province_of(seat), place] == 0:
        return f"no {name} building"
    if not has_capacity(g, seat, place):
        return f"no room on the {name} building"
    if with_bonus and not has_bonus(g, seat, place):
        covered = bonus_is_covered(g, seat, place)
        return f"the {name} bonus is " + ("covered by discord" if covered else "used in this round")
    return ""


def why_no_action(game: InspectedGame, seat: int, place: int, with_bonus: bool) -> str:
    """Say why the action of a place cannot be carried out, once trade cards have been played; empty if it can."""
    g, t = game.g, game.t
    if place >= len(constants.BUILDINGS):
        return ""
    if action_is_possible(g, t, seat, place) and (not with_bonus or bonus_is_possible(g, seat, place)):
        return "" if can_go_on(g, t, seat) else NO_ROOM
    number = "two" if with_bonus else "one"
    return {
        constants.MILITARY: "there is no legion to place or to move",
        constants.POLITICAL: f"there are not votes enough on the player board for {number}",
        constants.COMMERCIAL: f"there are not trade cards enough to draw {number}",
        constants.RELIGIOUS: "no piece of the Pantheon can be placed",
    }[place]


def why_not_doubled(game: InspectedGame, seat: int) -> str:
    """Say why a seat cannot tax twice."""
    lost = int(penalty(game.g, game.t, seat))
    return f"the glory marker cannot move back by {lost}: {_where_it_stands(game, seat)}"


def _where_it_stands(game: InspectedGame, seat: int) -> str:
    glory = int(game.g.glory[seat])
    space = (glory - 1) % constants.GLORY_SPACES + 1
    return f"it stands at {glory}" + (f", on space {space}" if space != glory else "")

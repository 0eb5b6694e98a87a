"""Games of the engine played at random and written down as positions and moves, as `inspect` reads them."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from sim.compiler.kernel import Record
from sim.engine.rng import start_streams
from sim.games.glory_of_rome.io.positions import describe_position
from sim.games.glory_of_rome.io.stepping import InspectedGame
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.hands import room
from sim.games.glory_of_rome.rules.intrigue import REPLACED
from sim.games.glory_of_rome.rules.setup import clear_table, deal_missions, lay_decks, take_character
from sim.games.glory_of_rome.rules.state import new_games
from sim.games.glory_of_rome.rules.treaties import TOKENS
from sim.games.glory_of_rome.rules.turns import begin_round
from sim.games.shared.stepping import Decision
from tests.games.glory_of_rome.inspecting import DATA

TOLD = (
    "character", "denarii", "glory", "milestones", "discord", "legions", "votes", "placed", "pantheon", "medals",
    "sets", "hand", "anchor",
)  # fmt: skip
"""Keys of a player that the result has as the position has them."""
LEFT_OUT = (constants.MISSIONS, constants.SETS)
"""Effects of trade cards of which a position cannot say what they need: the mission deck, and sets allowed."""
NOT_IN_POSITIONS = (constants.PAY_FOR_GLORY, constants.ASK_MORE)
"""Options that are no part of another move."""


def new_game(chance: random.Random, players: int, variant: int) -> InspectedGame:
    """Return a game with characters, cards and missions dealt at random, as its first round begins."""
    table = new_games(1)
    g: Any = table[0]
    t = DATA.tables
    start_streams(g, chance.randrange(1 << 30), 0, 0)
    clear_table(g, t, players, variant)
    for seat, character in enumerate(chance.sample(range(int(t.characters)), players)):
        take_character(g, t, seat, character)
    lay_decks(g, t)
    deal_missions(g, t)
    begin_round(g)
    game = InspectedGame(table, t, DATA.catalog, t)
    game.keep_order()
    return game


def position_of(game: InspectedGame) -> dict[str, Any]:
    """Return the position that a game has got to."""
    g, told = game.g, describe_position(game)
    position = {key: told[key] for key in ("round", "phase", "direction", "trade_discard")}
    position |= {
        "players": [_player(game, seat, told["players"][seat]) for seat in range(int(g.players))],
        "board": [constants.PROVINCES[province] for province in g.board],
        "variants": [name for bit, name in enumerate(constants.VARIANTS) if int(g.variant) >> bit & 1],
        "starting_player": int(g.starting_player),
        "arrows": int(g.arrows),
        "senate": [vote["seat"] for vote in told["senate"]],
        "trade_deck": [game.card_name(int(card)) for card in g.trade_deck[: g.trade_size]],
        "provinces": {
            name: {key: found[key] for key in ("buildings", "intrigue", "activated")}
            for name, found in told["provinces"].items()
        },
    }
    return position if told["to_move"] is None else {**position, "to_move": told["to_move"]}


def _player(game: InspectedGame, seat: int, told: dict[str, Any]) -> dict[str, Any]:
    g = game.g
    bonuses = [None if kind < 0 else constants.BUILDINGS[kind] for kind in g.track[seat, : g.track_length[seat]]]
    return {key: told[key] for key in TOLD} | {
        "own_intrigue": constants.INTRIGUES[g.own_intrigue[seat]],
        "discord_track": bonuses,
        "bonus_used": [constants.BUILDINGS[kind] for kind in range(constants.BONUSES) if g.bonus_used[seat, kind]],
        "missions": [game.card_name(int(card)) for card in g.missions[seat, : g.mission_count[seat]]],
    }


class Recorder:
    """Chooses at random, and writes the move down.

    Parameters
    ----------
    game
        The game as the move begins.
    chance
        What chooses.
    """

    def __init__(self, game: InspectedGame, chance: random.Random) -> None:
        self.game, self.chance = game, chance
        self.move: dict[str, Any] = {}

    def __call__(self, decision: Decision) -> int:
        """Return the index of an option."""
        g = decision.g
        open_to = [option for option in range(int(g.option_count)) if self._can_be_said(g, option)]
        # What ends a turn is chosen seldom, so that more happens.
        rarely = (constants.PASS, constants.SELL, constants.DISCARD, constants.REFUSE)
        weights = [1 if g.option_kind[option] in rarely else 6 for option in open_to]
        option = self.chance.choices(open_to, weights)[0]
        self._write_down(g, option)
        return option

    def _can_be_said(self, g: Record, option: int) -> bool:
        kind, card = int(g.option_kind[option]), int(g.option_card[option])
        if kind == constants.FREE_ACTION and card == constants.COMMERCIAL:
            # Which cards make room for a spy's card a move does not say.
            return bool(room(g, self.game.t, int(g.turn_seat)) > 0)
        if kind == constants.PLAY:
            return not any(self.game.t.effect[card, effect] for effect in LEFT_OUT)
        return g.paused_decision == constants.ASK_PAY or kind not in NOT_IN_POSITIONS

    def _write_down(self, stopped: Record, option: int) -> None:
        decision = int(stopped.paused_decision)
        fields = ("option_kind", "option_card", "option_value", "option_place")
        kind, card, value, place = (int(stopped[field][option]) for field in fields)
        # What was stopped has run on: only its options are to be read.
        g = self.game.g
        if decision == constants.ASK_PAY:
            self.move = {"do": "pay", "p": int(g.medal[constants.RELIGIOUS]), "times": value} if value else {}
        elif decision in (constants.ASK_WINDOW, constants.ASK_RESPOND):
            if kind != constants.GO_ON:
                key, owner = ("before", g.turn_seat) if decision == constants.ASK_WINDOW else ("answer", g.act_seat)
                self.move.setdefault(key, []).append(self._step(g, int(owner), kind, card, value))
        elif decision == constants.ASK_LEGION:
            source = {"from": constants.REGIONS[card]} if kind == constants.MOVE_LEGION else {}
            self.move.setdefault("legions", []).append({**source, "to": constants.REGIONS[place]})
        elif decision == constants.ASK_LEVEL:
            self.move["level"] = constants.PANTHEON_LEVELS[card]
        elif decision == constants.ASK_ANSWER:
            self.move["accepted"] = kind == constants.ACCEPT
        elif decision == constants.ASK_SPY:
            self.move["choice"] = "glory" if kind == constants.TAKE_GLORY else "action"
        else:
            self.move = {"p": int(g.turn_seat), **self._begun(g, kind, card, value, place)}

    def _step(self, g: Record, seat: int, kind: int, card: int, value: int) -> dict[str, Any]:
        if kind == constants.LAY_SET:
            places = [place for place in range(int(g.hand_size[seat])) if value >> place & 1]
            names = [self.game.card_name(int(g.hand[seat, place])) for place in places]
            return {"set": names, "type": constants.TRADE_TYPES[card]}
        verbs = {constants.PLAY: "play", constants.SELL: "sell", constants.DISCARD: "discard"}
        return {verbs[kind]: self.game.card_name(card)}

    def _begun(self, g: Record, kind: int, card: int, value: int, place: int) -> dict[str, Any]:
        if kind in (constants.SELL, constants.DISCARD):
            return {"do": "sell" if kind == constants.SELL else "discard", "card": self.game.card_name(card)}
        if kind == constants.LAY_SET:
            laid = self._step(g, int(g.turn_seat), kind, card, value)
            return {"do": "set", "cards": laid["set"], "type": laid["type"]}
        if kind == constants.PUT_TOKEN:
            offered = {"token": constants.DIPLOMACY_TOKENS[value % TOKENS], "offer": value // TOKENS}
            return {
                "do": "diplomacy",
                "province": constants.PROVINCES[place],
                "building": constants.BUILDINGS[card],
                **offered,
            }
        if kind == constants.ACTIVATE:
            named = {"province": constants.PROVINCES[place], "effect": constants.INTRIGUES[card]}
            return {"do": "activate", **named, **effect_keys(card, value)}
        if kind == constants.PLACE_TILE:
            return {"do": "build", "type": constants.BUILDINGS[card], "level": value}
        if kind == constants.PLACE_FOLLOWER:
            return {"do": "follower", "on": constants.PLACES[card], "bonus": value == 1}
        if kind == constants.TAKE_TAX:
            return {"do": "tax", "double": value == 1}
        return {"do": "pass"}


def effect_keys(effect: int, value: int) -> dict[str, Any]:
    """Return how an effect of intrigue is carried out, as a move says it."""
    if effect == constants.DEMOLITION:
        return {"level": constants.PANTHEON_LEVELS[value]}
    if effect == constants.DEFECTION:
        return {"region": constants.REGIONS[value % REPLACED], "replace": value >= REPLACED}
    if effect == constants.DECEPTION:
        sources = [constants.REGIONS[value % 4], constants.REGIONS[value // 4 % 4]]
        return {"from": sources, "to": constants.REGIONS[value // 16]}
    return {"vote": value + 1} if effect in (constants.RE_VOTE, constants.INVALID_VOTE) else {}


def play_a_move(game: InspectedGame, chance: random.Random) -> dict[str, Any]:
    """Play one move of a game; return it as a position says it.

    Nothing for a payment that is not made, and for an intrigue that has come to nothing: a position refuses it.
    """
    recorder = Recorder(game, chance)
    # The same lots as in a position that is looked at.
    start_streams(game.g, 0, 0, 0)
    if game.g.phase == constants.EVENT_PHASE:
        event = int(game.g.event_deck[game.g.event_size - 1])
        game.step()
        game.keep_order()
        return {"do": "event", "event": game.card_name(event)}
    before = game.g.hand.copy(), game.g.hand_size.copy()
    game.step(recorder)
    while game.g.phase not in (constants.EVENT_PHASE, constants.OVER) and game.g.stage not in (
        constants.TURN_BEGINS,
        constants.TURN,
    ):
        before = game.g.hand.copy(), game.g.hand_size.copy()
        was_carried_out = game.g.stage == constants.CARRY_OUT
        game.step(recorder)
        if was_carried_out and recorder.move.get("effect") in ("Sold", "Custom duty"):
            name = _card_lost(game, *before)
            recorder.move = {} if name is None else {**recorder.move, "card": name}
    game.keep_order()
    return recorder.move


def _card_lost(game: InspectedGame, hands: Any, sizes: Any) -> str | None:
    """Return the card that the target of an intrigue has lost; None if it has answered with its last one."""
    g, target = game.g, int(game.g.act_seat)
    left = Counter(map(int, g.hand[target, : g.hand_size[target]]))
    lost = Counter(map(int, hands[target, : sizes[target]])) - left
    return game.card_name(next(iter(lost))) if lost else None

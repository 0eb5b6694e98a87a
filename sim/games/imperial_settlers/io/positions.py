"""Inspects a position in JSON: makes its moves, then returns the table, the scores and the legal moves.

`docs/records.md` describes the files. The kernels of the engine apply the rules and decide which moves are legal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sim.compiler.kernel import Record
from sim.data.place import Place
from sim.games.imperial_settlers.data.catalog import Catalog
from sim.games.imperial_settlers.io.apply_moves import check_names, make_move
from sim.games.imperial_settlers.io.layout import Position, load_position
from sim.games.imperial_settlers.io.moves import VIRTUAL_NAME
from sim.games.imperial_settlers.io.naming import card_name, is_variant, location_name
from sim.games.imperial_settlers.io.stepping import InspectedGame
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.moving import give_back
from sim.games.imperial_settlers.rules.scoring import finish
from sim.games.imperial_settlers.rules.tables import MAX_CARDS
from sim.games.shared.describe import amounts, by_name, cards_in, move_lines
from sim.games.shared.position_files import position_inspector
from sim.games.shared.stepping import Decision, Option, make_moves

SUPPLY = constants.GOODS[: constants.SUPPLY]
PARTS = ("track", "common", "faction", "cards", "total")
"""Names of the score parts in positions, in the order of `constants.SCORE_PARTS`, then the total."""
CARDS_TO = {"deal": "make a deal with", "raze_hand": "raze from the hand"}
TOKENS_ON = {"defend": "place the defence token on", "samurai": "place a samurai on"}
"""Wording of legal moves."""
ANY_CARD = MAX_CARDS - 1
"""A blank row of the card table that stands for any unknown card."""
PLENTY = 60
"""Deck size that suffices for all draws in a production phase."""


def inspect(position: Position, catalog: Catalog, t: Record, place: Place) -> dict[str, Any]:
    """Make the moves of a position and describe the result."""
    game = InspectedGame(load_position(position, catalog, t, place), t, catalog)
    for number, move in enumerate(position.moves, start=1):
        check_names(catalog, move, place.at("moves", number))
    moves = make_moves(game, position.moves, make_move)
    return describe_position(game) | {"moves": moves, "legal": legal_moves(game)}


inspect_position = position_inspector(Position, inspect)


# ---- What is where ----


def describe_position(game: InspectedGame) -> dict[str, Any]:
    """Describe a position: everything in the result of `inspect` except the moves made and the legal moves."""
    g, t = game.g, game.t
    ended = game.copy()
    finish(ended.g, t)
    return {
        "round": int(g.rounds),
        "phase": constants.PHASES[int(g.phase)],
        "first": int(g.first_seat),
        "to_move": whose_turn(g),
        "row": _names(game, cards_in(g, constants.TABLE, constants.ROW)),
        "decks": {"common": int(g.zone_size[constants.TABLE, constants.DECK])},
        "discards": {"common": _names(game, cards_in(g, constants.TABLE, constants.DISCARD)[::-1])},
        "players": [_describe_player(game, ended.g, seat) for seat in range(int(g.players))],
        "solo": _describe_solo(game, ended.g) if g.solo else None,
    }


def whose_turn(g: Record) -> int | None:
    """Return the seat whose turn it is; None if it is nobody's turn or all act at once."""
    if g.phase not in (constants.LOOKOUT, constants.PRODUCE, constants.ACT) or g.turn_seat == constants.NO_SEAT:
        return None
    at_once = g.lookout == constants.ALTERNATIVE and not g.solo
    if g.phase == constants.LOOKOUT and (g.lookout_step == 0 or at_once):
        return None
    return int(g.turn_seat)


def _names(game: InspectedGame, cards: Sequence[int]) -> list[str]:
    return [card_name(game.catalog, card) for card in cards]


def _describe_player(game: InspectedGame, ended: Record, seat: int) -> dict[str, Any]:
    g, catalog = game.g, game.catalog
    produced, undecided = forecast_production(game, seat)
    locations = cards_in(g, seat, constants.LOCATIONS)
    things = {location_name(g, catalog, card): _things_on(game, card) for card in locations}
    deals = cards_in(g, seat, constants.DEALS) + cards_in(g, seat, constants.TRADES)
    score = by_name(PARTS, ended.score[seat])
    return {
        "faction": catalog.faction_names[int(g.faction[seat])].lower(),
        "vp": int(g.points[seat]),
        "goods": by_name(SUPPLY, g.goods[seat]),
        "hand": _names(game, cards_in(g, seat, constants.HAND)),
        "locations": _names(game, locations),
        "on": {name: lying for name, lying in things.items() if lying},
        "foundations": int(g.zone_size[seat, constants.FOUNDATIONS]),
        "deals": _names(game, deals),
        "passed": bool(g.passed[seat]),
        "pack": _names(game, cards_in(g, seat, constants.PACK)),
        "deck": int(g.zone_size[seat, constants.DECK]),
        "discard": _names(game, cards_in(g, seat, constants.DISCARD)[::-1]),
        "production": produced,
        "production_choices": undecided,
        "score": score | {"rank": 1 if g.solo else int(ended.rank[seat])},
    }


def _things_on(game: InspectedGame, card: int) -> dict[str, Any]:
    g = game.g
    things = {
        "used": int(g.used[card]),
        "goods": by_name(SUPPLY, g.paid[card]) if g.paid[card].any() else None,
        **{field: bool(g[field][card]) for field in ("defence", "samurai", "blocked")},
        "banked": by_name(SUPPLY, [*g.banked[card], 0, 0, 0]) if g.banked[card].any() else None,
        **{field: int(g[field][card]) for field in ("tucked", "gained")},
    }
    controlled = {"controlled_by": int(g.holder[card])} if g.holder[card] != g.owner[card] else {}
    return {name: thing for name, thing in things.items() if thing} | controlled


def _describe_solo(game: InspectedGame, ended: Record) -> dict[str, Any]:
    """Return the cards of the virtual player, and how the game would end now."""
    g = game.g
    won = ended.end_reason >= constants.SOLO_WON
    return {
        "row": _names(game, cards_in(g, constants.VIRTUAL, constants.ROW)[::-1]),
        "deck": int(g.zone_size[constants.VIRTUAL, constants.DECK]),
        "locations": _names(game, cards_in(g, constants.VIRTUAL, constants.LOCATIONS)),
        "pile": int(g.zone_size[constants.VIRTUAL, constants.PILE]),
        "won": bool(won),
        "title": constants.TITLES[int(ended.end_reason) - constants.SOLO_WON] if won else None,
    }


# ---- Production ----


class _UndecidedError(Exception):
    """Raised at a choice between two or more options."""


def forecast_production(game: InspectedGame, seat: int) -> tuple[dict[str, int], list[str]]:
    """Forecast the next production phase of a seat.

    Return the goods, points and cards produced, and the locations left out because their production offers a choice.
    """
    copy = game.copy()
    g = copy.g
    for other in range(int(g.players)):
        for card in cards_in(g, other, constants.CONTROLLED):
            give_back(g, game.t, card)
    g.phase, g.turn_seat, g.depth, g.acted, g.exchanging = constants.PRODUCE, seat, 0, 0, 0
    for owner in (constants.TABLE, seat):
        g.zone[owner, constants.DECK, :PLENTY] = ANY_CARD
        g.zone_size[owner, constants.DECK] = PLENTY
    g.goods[seat], g.points[seat], g.zone_size[seat, constants.HAND] = 0, 0, 0
    undecided = [name for source in _sources(g, game.t, seat) if (name := _produce_from(copy, source)) is not None]
    after = copy.g
    produced = by_name(SUPPLY, after.goods[seat]) | {
        "vp": int(after.points[seat]),
        "card": int(after.zone_size[seat, constants.HAND]),
    }
    return produced, undecided


def _sources(g: Record, t: Record, seat: int) -> list[int]:
    """Return the sources that produce for a seat."""
    deals = cards_in(g, seat, constants.DEALS) + cards_in(g, seat, constants.TRADES)
    locations = [card for card in cards_in(g, seat, constants.LOCATIONS) if t.kind[card] == constants.PRODUCTION]
    return [constants.BOARD, *deals, *locations]


def _produce_from(copy: InspectedGame, source: int) -> str | None:
    """Let one source produce; return the source's name if this needs a choice, else None."""
    copy.g.sources[0] = source
    copy.g.source_count = 1
    try:
        while copy.g.source_count > 0 or copy.g.depth > 0:
            copy.step(_produce_without_choice)
    except _UndecidedError:
        copy.g.depth = copy.g.source_count = 0
        return location_name(copy.g, copy.catalog, source) if source >= 0 else ""
    return None


def _produce_without_choice(decision: Decision) -> int:
    """Answer a decision that does not affect which goods are produced; raise an error at any other decision."""
    if decision.number == constants.CONVERT:
        return decision.pick("", value=0)
    if len(decision.options) > 1 and decision.number in (constants.PICK, constants.BRANCH):
        raise _UndecidedError
    return 0


# ---- Legal moves ----


def legal_moves(game: InspectedGame) -> dict[str, Any] | None:
    """Return the moves that the seat whose turn it is can make in the action phase; None in other phases."""
    g = game.g
    if g.phase != constants.ACT or whose_turn(g) is None:
        return None
    decision = game.next_decision()
    options = decision.options if decision is not None else []
    listed = {
        "build": _builds(game, options),
        "deal": _names_once(game, options, constants.DEAL),
        "raze_hand": _names_once(game, options, constants.RAZE_HAND),
        "raze": _razes(game, options),
        "activate": _activations(game, options),
        "exchange": _pairs(game, options),
        "defend": _located(game, options, constants.DEFEND),
        "samurai": _located(game, options, constants.SAMURAI),
        "pass": any(option.kind == constants.PASS for option in options),
    }
    return {word: found for word, found in listed.items() if found}


def _builds(game: InspectedGame, options: Sequence[Option]) -> dict[str, dict[str, int]]:
    """Return the hand cards that can be built, by name, with their costs. Gold is used only for missing resources.

    If a card and a variant of it are in hand, the cost is that of the card that is no variant.
    """
    builds: dict[str, dict[str, int]] = {}
    cards = [option.card for option in options if option.kind == constants.BUILD]
    for card in sorted(cards, key=lambda each: is_variant(game.catalog, each)):
        builds.setdefault(card_name(game.catalog, card), _least_cost(game, card))
    return builds


def _least_cost(game: InspectedGame, card: int) -> dict[str, int]:
    """Return what a hand card costs the seat whose turn it is. Gold is used only for missing resources."""
    g, t = game.g, game.t
    supply = g.goods[g.turn_seat]
    cost = by_name(SUPPLY, t.cost[card])
    for good in range(constants.RESOURCES):
        lacking = max(0, int(t.cost[card, good] - supply[good]))
        cost[constants.GOODS[good]] -= lacking
        cost["gold"] += lacking
    cost["location"] = int(t.cost_location[card])
    return {good: number for good, number in cost.items() if number}


def _names_once(game: InspectedGame, options: Sequence[Option], kind: int) -> list[str]:
    return list(dict.fromkeys(card_name(game.catalog, option.card) for option in options if option.kind == kind))


def _located(game: InspectedGame, options: Sequence[Option], kind: int) -> list[str]:
    return [location_name(game.g, game.catalog, option.card) for option in options if option.kind == kind]


def _razes(game: InspectedGame, options: Sequence[Option]) -> dict[str, dict[str, int]]:
    """Return the raze tokens needed for each location that can be razed, by the owner's seat."""
    g, t = game.g, game.t
    razes: dict[str, dict[str, int]] = {}
    for option in options:
        if option.kind == constants.RAZE_LOCATION:
            seat = VIRTUAL_NAME if g.solo else str(option.seat)
            needed = int(t.raze_cost_location + g.defence[option.card] + g.samurai[option.card])
            razes.setdefault(seat, {})[location_name(g, game.catalog, option.card)] = needed
    return razes


def _activations(game: InspectedGame, options: Sequence[Option]) -> dict[str, int]:
    """Return how many times the seat can activate, and pay for, each of its locations now."""
    g = game.g
    uses: dict[str, int] = {}
    for option in options:
        if option.kind == constants.ACTIVATE and g.owner[option.card] == g.turn_seat and _can_use(game, option):
            uses[location_name(g, game.catalog, option.card)] = option.value
    return uses


def _can_use(game: InspectedGame, option: Option) -> bool:
    """Tell whether a location can be activated as often as an option says. A second use may lack a target."""
    if option.value == 1:
        return True
    copy = game.copy()
    used = int(copy.g.used[option.card])
    copy.step(lambda decision: option.index if decision.number == constants.TURN else 0)
    while copy.g.depth > 0:
        copy.step(lambda _: 0)
    return int(copy.g.used[option.card]) - used == option.value


def _pairs(game: InspectedGame, options: Sequence[Option]) -> int:
    """Return the maximum number of pairs of workers that the seat can exchange."""
    if not any(option.kind == constants.EXCHANGE for option in options):
        return 0
    return int(game.g.goods[game.g.turn_seat, constants.WORKER] // game.t.pair)


# ---- Text ----


def inspect_lines(result: Mapping[str, Any]) -> list[str]:
    """Return the result of `inspect` as lines of text."""
    lines = [f"Round {result['round']}, {result['phase']} phase, first player seat {result['first']}"]
    lines += [] if result["to_move"] is None else [f"Seat {result['to_move']} is to move"]
    lines += [f"Row: {', '.join(result['row'])}"] if result["row"] else []
    lines += move_lines(result["moves"])
    for seat, player in enumerate(result["players"]):
        lines += _player_lines(seat, player)
    if result["solo"] is not None:
        lines += _solo_lines(result["solo"])
    if result["legal"] is not None:
        lines += _legal_lines(result["to_move"], result["legal"])
    return lines


def _player_lines(seat: int, player: Mapping[str, Any]) -> list[str]:
    score, produced = player["score"], player["production"]
    parts = ", ".join(f"{part} {score[part]}" for part in PARTS[:-1] if score[part])
    lines = [f"Seat {seat}: {player['faction']}, {player['vp']} VP, {amounts(player['goods'])}"]
    lines.append(f"  score {score['total']} (rank {score['rank']})" + (f": {parts}" if parts else ""))
    choices = f"; a choice at {', '.join(player['production_choices'])}" if player["production_choices"] else ""
    lines.append(f"  produces {amounts(produced)}{choices}")
    piles = ("hand", "pack", "locations", "deals", "discard")
    lines += [f"  {word}: {', '.join(player[word])}" for word in piles if player[word]]
    for name, things in player["on"].items():
        lines.append(f"    on {name}: {', '.join(_thing(word, content) for word, content in things.items())}")
    lines += [f"  foundations: {player['foundations']}"] if player["foundations"] else []
    return [*lines, *(["  has passed"] if player["passed"] else [])]


def _thing(word: str, content: object) -> str:
    if isinstance(content, Mapping):
        return f"{word} {amounts(content)}"
    return word if content is True else f"{word.replace('_', ' ')} {content}"


def _solo_lines(solo: Mapping[str, Any]) -> list[str]:
    ends = f"won as {solo['title']}" if solo["won"] else "lost"
    return [
        f"Virtual player: row {', '.join(solo['row']) or 'empty'}; locations {', '.join(solo['locations']) or 'none'}",
        f"  {solo['deck']} attack cards to come, {solo['pile']} cards in the pile; the game would be {ends}",
    ]


def _legal_lines(seat: int, legal: Mapping[str, Any]) -> list[str]:
    lines = [f"Seat {seat} can"]
    lines += [f"  build {card} for {amounts(cost)}" for card, cost in legal.get("build", {}).items()]
    lines += [f"  {verb} {', '.join(legal[word])}" for word, verb in CARDS_TO.items() if word in legal]
    for target, locations in legal.get("raze", {}).items():
        whose = "the virtual player" if target == VIRTUAL_NAME else f"seat {target}"
        needed = ", ".join(f"{name} ({tokens} raze)" for name, tokens in locations.items())
        lines.append(f"  raze of {whose}: {needed}")
    activate = legal.get("activate", {})
    lines += [f"  activate {name}{' twice' if times == 2 else ''}" for name, times in activate.items()]
    lines += [f"  exchange {legal['exchange']} pairs of workers at most"] if "exchange" in legal else []
    lines += [f"  {verb} {', '.join(legal[word])}" for word, verb in TOKENS_ON.items() if word in legal]
    return [*lines, *(["  pass"] if legal.get("pass") else [])]

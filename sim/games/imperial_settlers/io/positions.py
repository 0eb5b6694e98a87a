"""A position of the table told in JSON: moves made on it, and what then lies where, scores, and can be done.

`docs/records.md` describes the files. The engine's own kernels play and judge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sim.compiler.kernel import Record
from sim.data.place import NOWHERE, Place
from sim.games.imperial_settlers.data.catalog import Catalog
from sim.games.imperial_settlers.io.apply_moves import check_names, make_move
from sim.games.imperial_settlers.io.layout import Position, lay_out
from sim.games.imperial_settlers.io.moves import VIRTUAL_NAME
from sim.games.imperial_settlers.io.naming import card_name, cards_in, is_variant, location_name
from sim.games.imperial_settlers.io.stepping import InspectedGame
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.moving import give_back
from sim.games.imperial_settlers.rules.scoring import finish
from sim.games.imperial_settlers.rules.tables import MAX_CARDS
from sim.games.shared.position_files import read_position
from sim.games.shared.stepping import Decision, Option, make_moves

SUPPLY = constants.GOODS[: constants.SUPPLY]
PARTS = ("track", "common", "faction", "cards", "total")
"""What the parts of the score are called in positions, in the order of `words.SCORE_PARTS`, and the total."""
ANY_CARD = MAX_CARDS - 1
"""A blank row of the card table, which stands for cards not known yet."""
PLENTY = 60
"""Cards in a deck from which as many are drawn as are due."""


def inspect_position(row: Mapping[str, object], catalog: Catalog, t: Record, place: Place = NOWHERE) -> dict[str, Any]:
    """Make the moves of one position, and tell what it then holds.

    Parameters
    ----------
    row
        The position as JSON has it.
    catalog, t
        Cards and their tables.
    place
        Where the position stands, for messages.

    Returns
    -------
    dict
        As `docs/records.md` describes it.

    Raises
    ------
    UserError
        The position, or a move, is not as the format has it.
    """
    position = read_position(row, Position, place)
    game = InspectedGame(lay_out(position, catalog, t, place), t, catalog)
    for number, move in enumerate(position.moves, start=1):
        check_names(catalog, move, place.at("moves", number))
    moves = make_moves(game, position.moves, make_move)
    return tell_position(game) | {"moves": moves, "legal": legal_moves(game)}


# ---- What lies where ----


def tell_position(game: InspectedGame) -> dict[str, Any]:
    """Tell what a game holds: all of the result but moves made and moves that are legal."""
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
        "players": [_tell_player(game, ended.g, seat) for seat in range(int(g.players))],
        "solo": _tell_solo(game, ended.g) if g.solo else None,
    }


def whose_turn(g: Record) -> int | None:
    """Seat that is to move; None where nobody is, or all are at once."""
    if g.phase not in (constants.LOOKOUT, constants.PRODUCE, constants.ACT) or g.turn_seat == constants.NO_SEAT:
        return None
    at_once = g.lookout == constants.ALTERNATIVE and not g.solo
    if g.phase == constants.LOOKOUT and (g.lookout_step == 0 or at_once):
        return None
    return int(g.turn_seat)


def _names(game: InspectedGame, cards: Sequence[int]) -> list[str]:
    return [card_name(game.catalog, card) for card in cards]


def _goods(numbers: Any) -> dict[str, int]:
    """Name goods of a supply with their numbers."""
    return {good: int(numbers[number]) for number, good in enumerate(SUPPLY)}


def _tell_player(game: InspectedGame, ended: Record, seat: int) -> dict[str, Any]:
    """Tell what a player has, produces and scores."""
    g, catalog = game.g, game.catalog
    produced, undecided = forecast_production(game, seat)
    locations = cards_in(g, seat, constants.LOCATIONS)
    things = {location_name(g, catalog, card): _things_on(game, card) for card in locations}
    deals = cards_in(g, seat, constants.DEALS) + cards_in(g, seat, constants.TRADES)
    score = {part: int(ended.score[seat, number]) for number, part in enumerate(PARTS)}
    return {
        "faction": catalog.faction_names[int(g.faction[seat])].lower(),
        "vp": int(g.points[seat]),
        "goods": _goods(g.goods[seat]),
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
    """Tell what lies on a location."""
    g = game.g
    things: dict[str, Any] = {}
    if g.used[card]:
        things["used"] = int(g.used[card])
    if g.paid[card].any():
        things["goods"] = _goods(g.paid[card])
    for field in ("defence", "samurai", "blocked"):
        if g[field][card]:
            things[field] = True
    if g.banked[card].any():
        things["banked"] = _goods([*g.banked[card], 0, 0, 0])
    for field in ("tucked", "gained"):
        if g[field][card]:
            things[field] = int(g[field][card])
    if g.holder[card] != g.owner[card]:
        things["controlled_by"] = int(g.holder[card])
    return things


def _tell_solo(game: InspectedGame, ended: Record) -> dict[str, Any]:
    """Tell what the virtual player has, and how the game would end now."""
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
    """A choice of two or more options."""


def forecast_production(game: InspectedGame, seat: int) -> tuple[dict[str, int], list[str]]:
    """Forecast the next production phase of a seat as things stand.

    Returns
    -------
    tuple
        Goods, points and cards produced; and the locations whose production is left out because of a choice.
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
    produced = _goods(after.goods[seat])
    produced |= {"vp": int(after.points[seat]), "card": int(after.zone_size[seat, constants.HAND])}
    return produced, undecided


def _sources(g: Record, t: Record, seat: int) -> list[int]:
    """What produces for a seat."""
    deals = cards_in(g, seat, constants.DEALS) + cards_in(g, seat, constants.TRADES)
    locations = [card for card in cards_in(g, seat, constants.LOCATIONS) if t.kind[card] == constants.PRODUCTION]
    return [constants.BOARD, *deals, *locations]


def _produce_from(copy: InspectedGame, source: int) -> str | None:
    """Let one source produce; return its name if a choice stops it."""
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
    """Answer what does not decide which goods are produced.

    Raises
    ------
    _UndecidedError
        It does.
    """
    if decision.number == constants.CONVERT:
        return decision.pick("", value=0)
    if len(decision.options) > 1 and decision.number in (constants.PICK, constants.BRANCH):
        raise _UndecidedError
    return 0


# ---- What can be done ----


def legal_moves(game: InspectedGame) -> dict[str, Any] | None:
    """List what the seat whose turn it is can do in the action phase; None in other phases."""
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
    """Least cost of each hand card that can be built; of prints of one name that with the values of the row."""
    builds: dict[str, dict[str, int]] = {}
    cards = [option.card for option in options if option.kind == constants.BUILD]
    for card in sorted(cards, key=lambda each: is_variant(game.catalog, each)):
        builds.setdefault(card_name(game.catalog, card), _least_cost(game, card))
    return builds


def _least_cost(game: InspectedGame, card: int) -> dict[str, int]:
    """Goods that a hand card costs the seat whose turn it is, with gold only for resources that are missing."""
    g, t = game.g, game.t
    supply = g.goods[g.turn_seat]
    cost = _goods(t.cost[card])
    for good in range(constants.RESOURCES):
        lacking = max(0, int(t.cost[card, good] - supply[good]))
        cost[constants.GOODS[good]] -= lacking
        cost["gold"] += lacking
    cost["location"] = int(t.cost_location[card])
    return {good: number for good, number in cost.items() if number}


def _names_once(game: InspectedGame, options: Sequence[Option], kind: int) -> list[str]:
    """Names of the cards of options of a kind, each once."""
    return list(dict.fromkeys(card_name(game.catalog, option.card) for option in options if option.kind == kind))


def _located(game: InspectedGame, options: Sequence[Option], kind: int) -> list[str]:
    """Locations of options of a kind."""
    return [location_name(game.g, game.catalog, option.card) for option in options if option.kind == kind]


def _razes(game: InspectedGame, options: Sequence[Option]) -> dict[str, dict[str, int]]:
    """Raze tokens that each location needs which can be razed, by the seat in whose empire it lies."""
    g, t = game.g, game.t
    razes: dict[str, dict[str, int]] = {}
    for option in options:
        if option.kind == constants.RAZE_LOCATION:
            seat = VIRTUAL_NAME if g.solo else str(option.seat)
            needed = int(t.raze_cost_location + g.defence[option.card] + g.samurai[option.card])
            razes.setdefault(seat, {})[location_name(g, game.catalog, option.card)] = needed
    return razes


def _activations(game: InspectedGame, options: Sequence[Option]) -> dict[str, int]:
    """How often each own location can be used and paid now."""
    g = game.g
    uses: dict[str, int] = {}
    for option in options:
        if option.kind == constants.ACTIVATE and g.owner[option.card] == g.turn_seat and _can_use(game, option):
            uses[location_name(g, game.catalog, option.card)] = option.value
    return uses


def _can_use(game: InspectedGame, option: Option) -> bool:
    """Tell whether a location can be used so often in one action: a second use may have nothing it could mean."""
    if option.value == 1:
        return True
    copy = game.copy()
    used = int(copy.g.used[option.card])
    copy.step(lambda decision: option.index if decision.number == constants.TURN else 0)
    while copy.g.depth > 0:
        copy.step(lambda _: 0)
    return int(copy.g.used[option.card]) - used == option.value


def _pairs(game: InspectedGame, options: Sequence[Option]) -> int:
    """Most pairs of workers that can be exchanged."""
    if not any(option.kind == constants.EXCHANGE for option in options):
        return 0
    return int(game.g.goods[game.g.turn_seat, constants.WORKER] // game.t.pair)


# ---- In words ----


def inspect_lines(result: Mapping[str, Any]) -> list[str]:
    """Tell the result of a position as lines for the console."""
    lines = [f"Round {result['round']}, {result['phase']} phase, first player seat {result['first']}"]
    lines += [] if result["to_move"] is None else [f"Seat {result['to_move']} is to move"]
    lines += [f"Row: {', '.join(result['row'])}"] if result["row"] else []
    for number, move in enumerate(result["moves"], start=1):
        lines.append(f"Move {number}: " + ("made" if move["ok"] else f"against the rules, {move['reason']}"))
    for seat, player in enumerate(result["players"]):
        lines += _player_lines(seat, player)
    if result["solo"] is not None:
        lines += _solo_lines(result["solo"])
    if result["legal"] is not None:
        lines += _legal_lines(result["to_move"], result["legal"])
    return lines


def _player_lines(seat: int, player: Mapping[str, Any]) -> list[str]:
    """Tell a player."""
    score, produced = player["score"], player["production"]
    parts = ", ".join(f"{part} {score[part]}" for part in PARTS[:-1] if score[part])
    lines = [f"Seat {seat}: {player['faction']}, {player['vp']} VP, {_amounts(player['goods'])}"]
    lines.append(f"  score {score['total']} (rank {score['rank']})" + (f": {parts}" if parts else ""))
    choices = f"; a choice at {', '.join(player['production_choices'])}" if player["production_choices"] else ""
    lines.append(f"  produces {_amounts(produced)}{choices}")
    piles = ("hand", "pack", "locations", "deals", "discard")
    lines += [f"  {word}: {', '.join(player[word])}" for word in piles if player[word]]
    for name, things in player["on"].items():
        told = ", ".join(_thing(word, content) for word, content in things.items())
        lines.append(f"    on {name}: {told}")
    if player["foundations"]:
        lines.append(f"  foundations: {player['foundations']}")
    return [*lines, *(["  has passed"] if player["passed"] else [])]


def _thing(word: str, content: object) -> str:
    """Tell one thing that lies on a location."""
    if isinstance(content, Mapping):
        return f"{word} {_amounts(content)}"
    return word if content is True else f"{word.replace('_', ' ')} {content}"


def _amounts(amounts: Mapping[str, int]) -> str:
    """Tell goods that are there."""
    return ", ".join(f"{number} {good}" for good, number in amounts.items() if number) or "nothing"


def _solo_lines(solo: Mapping[str, Any]) -> list[str]:
    """Tell the virtual player."""
    ends = f"won as {solo['title']}" if solo["won"] else "lost"
    return [
        f"Virtual player: row {', '.join(solo['row']) or 'empty'}; locations {', '.join(solo['locations']) or 'none'}",
        f"  {solo['deck']} attack cards to come, {solo['pile']} cards in the pile; the game would be {ends}",
    ]


def _legal_lines(seat: int, legal: Mapping[str, Any]) -> list[str]:
    """Tell what can be done."""
    lines = [f"Seat {seat} can"]
    for card, cost in legal.get("build", {}).items():
        lines.append(f"  build {card} for {_amounts(cost)}")
    for word, verb in (("deal", "make a deal with"), ("raze_hand", "raze from the hand")):
        if word in legal:
            lines.append(f"  {verb} {', '.join(legal[word])}")
    for target, locations in legal.get("raze", {}).items():
        whose = "the virtual player" if target == VIRTUAL_NAME else f"seat {target}"
        needed = ", ".join(f"{name} ({tokens} raze)" for name, tokens in locations.items())
        lines.append(f"  raze of {whose}: {needed}")
    for name, times in legal.get("activate", {}).items():
        lines.append(f"  activate {name}" + (" twice" if times == 2 else ""))
    if "exchange" in legal:
        lines.append(f"  exchange {legal['exchange']} pairs of workers at most")
    for word, verb in (("defend", "place the defence token on"), ("samurai", "place a samurai on")):
        if word in legal:
            lines.append(f"  {verb} {', '.join(legal[word])}")
    return [*lines, *(["  pass"] if legal.get("pass") else [])]

"""Inspects a position in JSON: makes its moves, then returns the table, the points and the possible conquests.

`docs/records.md` describes the files. The kernels of the engine apply the rules and decide which moves are legal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sim.compiler.kernel import Record
from sim.data.place import Place
from sim.games.history_of_the_world.io.apply_moves import check_names, make_move
from sim.games.history_of_the_world.io.layout import BLANK, Position, load_position, replace_data
from sim.games.history_of_the_world.io.queries import ANSWERS
from sim.games.history_of_the_world.io.standing import score_now
from sim.games.history_of_the_world.io.stepping import InspectedGame
from sim.games.history_of_the_world.rules import constants
from sim.games.history_of_the_world.rules.battle import defence_dice_of, terrain_bonus_of
from sim.games.history_of_the_world.rules.reaching import find_reach
from sim.games.history_of_the_world.rules.scoring import space_of
from sim.games.history_of_the_world.rules.state import opponents_hold
from sim.games.shared.describe import by_name, join_names
from sim.games.shared.position_files import position_inspector
from sim.games.shared.stepping import make_moves

BESIDE_QUERIES = {*ANSWERS, "data", "epoch", "players"}
"""Keys of a position that only asks queries. If a position has no other keys, its result has no table."""


def inspect(position: Position, catalog: Any, t: Record, place: Place) -> dict[str, Any]:
    """Make the moves of a position; return the moves made, the resulting table, and the answers to its queries.

    For a position that only asks queries (see `BESIDE_QUERIES`), return only the answers.
    """
    catalog, t = replace_data(position, catalog, t, place)
    game = load_position(position, catalog, t, place)
    for number, move in enumerate(position.moves, start=1):
        check_names(catalog, move, place.at("moves", number))
    answers = answer_queries(game, position, place)
    if answers and BESIDE_QUERIES.issuperset(position.model_fields_set):
        return answers
    return {"moves": make_moves(game, position.moves, make_move, "why")} | describe_position(game) | answers


inspect_position = position_inspector(Position, inspect)


def answer_queries(game: InspectedGame, position: Position, place: Place) -> dict[str, Any]:
    """Return the answers to the queries of a position, each under the key of its query."""
    answers: dict[str, Any] = {}
    for key, answer in ANSWERS.items():
        query = getattr(position, key)
        if query is not None:
            answers[key] = answer(query, game, place.at(key))
    return answers


# ---- What is where ----


def describe_position(game: InspectedGame) -> dict[str, Any]:
    """Return all entries of the result except those for moves and queries."""
    targets = list_battle_targets(game)
    return {
        "lands": {name: _land(game, land) for land, name in enumerate(game.catalog.land_names)},
        "players": {name: _player(game, seat) for seat, name in enumerate(game.names)},
        "supply": by_name(constants.PIECES, game.g.pieces),
        "turn": _turn(game),
        "targets": targets,
        "reach": {way: [name for name, target in targets.items() if target[way]] for way in constants.WAYS},
        "regions": {name: _region(game, region) for region, name in enumerate(game.catalog.region_names)},
        **_calling(game),
        **_drafting(game),
    }


def _land(game: InspectedGame, land: int) -> dict[str, Any]:
    g = game.g
    return {
        "army": game.seat_name(int(g.army[land])),
        "active": bool(g.active[land]),
        "structures": [name for name in ("capital", "city", "monument") if g[name][land]],
        "fort": bool(g.fort[land]),
    }


def _player(game: InspectedGame, seat: int) -> dict[str, Any]:
    g = game.g
    points = int(g.points[seat])
    return {
        "score": points,
        "space": space_of(game.t, points),
        "over_99": bool(points >= game.t.track_spaces),
        "supply": int(g.supply[seat]),
        "holds": [name for land, name in enumerate(game.catalog.land_names) if g.army[land] == seat],
        "scoring": score_now(game, seat),
    }


def _card_name(game: InspectedGame, card: int) -> str | None:
    return None if card in (BLANK, constants.NO_CARD) else game.catalog.cards[card].name


def _turn(game: InspectedGame) -> dict[str, Any] | None:
    """Return the turn, including the pieces on the empire or kingdom card."""
    g = game.g
    if g.turn_seat == constants.NO_SEAT:
        return None
    kingdom = g.waiting != constants.NO_CARD
    discs = [body for number, body in enumerate(game.catalog.bodies) if g.disc[number]]
    return {
        "player": game.seat_name(int(g.turn_seat)),
        "empire": _card_name(game, int(g.waiting if kingdom else g.card)),
        "kingdom": _card_name(game, int(g.card)) if kingdom else None,
        "step": constants.STEPS[int(g.step)],
        "armies": int(g.armies),
        "siege_tokens": int(g.siege_tokens),
        "fleets": [body.name for body in discs if body.kind != "barren"],
        "caravans": [body.name for body in discs if body.kind == "barren"],
    }


def list_battle_targets(game: InspectedGame) -> dict[str, dict[str, Any]]:
    """Return the lands that the player whose turn it is could conquer with an army from the empire or kingdom card."""
    g, t, seat = game.g, game.t, int(game.g.turn_seat)
    if seat == constants.NO_SEAT or g.step != constants.CONQUEST:
        return {}
    find_reach(g, t, seat)
    names = game.catalog.land_names
    return {name: _target(game, seat, land) for land, name in enumerate(names) if g.reach[land]}


def _target(game: InspectedGame, seat: int, land: int) -> dict[str, Any]:
    g, t = game.g, game.t
    battle = bool(opponents_hold(g, seat, land))
    return {
        "holder": game.seat_name(int(g.army[land])),
        "battle": battle,
        "defender_dice": int(defence_dice_of(g, t, land)) if battle else 0,
        "defender_bonus": int(terrain_bonus_of(g, t, land)) if battle else 0,
        **{way: bool(int(g.reach[land]) >> number & 1) for number, way in enumerate(constants.WAYS)},
    }


def _region(game: InspectedGame, region: int) -> dict[str, Any]:
    g, t = game.g, game.t
    return {
        "lands": [name for land, name in enumerate(game.catalog.land_names) if t.region[land] == region],
        "presence": int(g.token[region]) or None,
        "placed": bool(t.presence[g.epoch, region] > 0),
    }


# ---- Calling and drafting ----


def _calling(game: InspectedGame) -> dict[str, Any]:
    """Return the order in which the empires of the epoch are called, who holds them, and which is called next."""
    g, t = game.g, game.t
    called = [card for card in range(int(t.empires)) if t.epoch[card] == g.epoch]
    holders = {int(card): seat for seat, card in enumerate(g.empire[: len(game.names)])}
    held = [card for card in called if card in holders]
    now = int(g.card if g.waiting == constants.NO_CARD else g.waiting)
    later = [card for card in held if now not in called or card > now]
    return {
        "empires": [{"empire": _card_name(game, card), "order": int(t.order[card])} for card in called],
        "order": [{"empire": _card_name(game, card), "player": game.seat_name(holders[card])} for card in held],
        "next_empire": _card_name(game, later[0]) if later else None,
    }


def _drafting(game: InspectedGame) -> dict[str, Any]:
    """Return who calls the empires, and who chooses in each round of the draft. The player listed first wins ties."""
    scores = game.g.points
    order = sorted(range(len(game.names)), key=lambda seat: -int(scores[seat]))
    names = [game.names[seat] for seat in order]
    rounds = [{"event": first, "empire": last} for first, last in zip(names, reversed(names), strict=True)]
    return {"caller": names[0] if names else None, "draft": {"rounds": rounds}}


# ---- Text ----


def inspect_lines(result: Mapping[str, Any]) -> list[str]:
    """Return the result of a position as lines of text."""
    lines = [_query_line(key, result[key]) for key in ANSWERS if key in result]
    if "players" not in result:
        return lines
    lines += [f"Move {number}: {_made(move)}" for number, move in enumerate(result["moves"], start=1)]
    for name, player in result["players"].items():
        lines += _player_lines(name, player)
    lines += _land_lines(result["lands"])
    lines += _turn_lines(result)
    lines.append(f"Supply: {_counts(result['supply'])}")
    held = [f"{row['empire']} ({row['player']})" for row in result["order"]]
    lines += [f"Called: {', '.join(held)}; next {result['next_empire'] or 'none'}"] if held else []
    return lines


def _query_line(key: str, answer: Any) -> str:
    if key == "classic":
        taken = [f"{row['player'] or 'nobody'} {'ok' if row['ok'] else 'refused'}" for row in answer]
        return f"Classic selection: {', '.join(taken)}"
    return f"{key.capitalize()}: " + ", ".join(f"{name} {_shown(value)}" for name, value in answer.items())


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6f}"
    if isinstance(value, list):
        return " or ".join(map(str, value))
    return f"({_counts(value)})" if isinstance(value, dict) else str(value)


def _made(move: Mapping[str, Any]) -> str:
    if not move["ok"]:
        return f"against the rules, {move['why']}"
    if "result" in move:
        rolls = [f"{roll['attacker']} against {roll['defender']}" for roll in move["battles"]]
        return move["result"] + (f" ({', '.join(rolls)})" if rolls else "")
    if "built" in move:
        return f"{len(move['built'])} of {move['due']} monuments built"
    return f"{move['total']} points" if "total" in move else "made"


def _counts(numbers: Mapping[str, Any]) -> str:
    return ", ".join(f"{number} {name.replace('_', ' or ')}" for name, number in numbers.items())


def _player_lines(name: str, player: Mapping[str, Any]) -> list[str]:
    scoring = player["scoring"]
    return [
        f"{name}: {player['score']} points, {player['supply']} armies in the supply",
        *(
            f"  {region}: {row['level']} with {row['armies']}, {row['points']} points"
            for region, row in scoring["regions"].items()
        ),
        f"  structures: {scoring['structures']['points']} points; {scoring['total']} in all",
    ]


def _land_lines(lands: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return a line for each land with an army, a structure or a fort."""
    lines = []
    for name, land in lands.items():
        army = [land["army"] + (" (active)" if land["active"] else "")] if land["army"] else []
        things = [*army, *land["structures"], *(["fort"] if land["fort"] else [])]
        lines += [f"{name}: {', '.join(things)}"] if things else []
    return lines


def _turn_lines(result: Mapping[str, Any]) -> list[str]:
    turn = result["turn"]
    if turn is None:
        return []
    card = turn["kingdom"] or turn["empire"]
    discs = [*turn["fleets"], *turn["caravans"]]
    return [
        f"Turn of {turn['player']}{f' with {card}' if card else ''}, step {turn['step']}",
        f"  {turn['armies']} armies and {turn['siege_tokens']} siege tokens on the card",
        *([f"  discs: {join_names(discs)}"] if discs else []),
        *(f"  by {way.replace('_', ' ')}: {join_names(names)}" for way, names in result["reach"].items() if names),
    ]

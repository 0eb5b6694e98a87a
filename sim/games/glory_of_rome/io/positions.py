"""Inspects a position in JSON: makes its moves, then returns the table, the scores and the legal moves.

`docs/records.md` describes the files. The kernels of the engine apply the rules and decide which moves are legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sim.compiler.kernel import Record
from sim.data.place import Place
from sim.games.glory_of_rome.data.catalog import Catalog
from sim.games.glory_of_rome.io.apply_moves import check_names, make_move
from sim.games.glory_of_rome.io.layout import BOARD_NAME, Position, load_position
from sim.games.glory_of_rome.io.stepping import InspectedGame
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.building import offer_tiles
from sim.games.glory_of_rome.rules.conditions import mission_points, population
from sim.games.glory_of_rome.rules.followers import has_bonus, offer_places
from sim.games.glory_of_rome.rules.income import can_tax_twice, penalty
from sim.games.glory_of_rome.rules.intrigue import offer_intrigue
from sim.games.glory_of_rome.rules.regions import legions_in, place_in_region
from sim.games.glory_of_rome.rules.scoring import count_bits, title_of
from sim.games.glory_of_rome.rules.setup import clear_table, lay_decks
from sim.games.glory_of_rome.rules.turns import can_go_on
from sim.games.shared.describe import by_name, join_names, move_lines, names_of_bits
from sim.games.shared.position_files import position_inspector
from sim.games.shared.stepping import make_moves

SCORE = (*constants.SCORE_PARTS, "total")
CAN = {"activate": "activate", "build": "build", "follower": "place a follower on", "tax": "tax"}
"""Wording of legal moves."""


def inspect(position: Position, catalog: Catalog, t: Record, place: Place) -> dict[str, Any]:
    """Make the moves of a position and describe the result."""
    game = load_position(position, catalog, t, place)
    for number, move in enumerate(position.moves, start=1):
        check_names(game.catalog, move, len(position.players), place.at("moves", number))
    moves = make_moves(game, position.moves, make_move)
    return {"moves": moves} | describe_position(game) | {"legal": legal_moves(game)}


inspect_position = position_inspector(Position, inspect)


# ---- What is where ----


def describe_position(game: InspectedGame) -> dict[str, Any]:
    """Return all entries of the result except the moves made and the legal moves."""
    g = game.g
    ended = _ended(game)
    return {
        "round": int(g.round_number),
        "phase": constants.PHASES[int(g.phase)],
        "direction": constants.DIRECTIONS[int(g.direction)],
        "to_move": game.to_move,
        "milestone_markers": {str(int(space)): int(g.marker[number]) for number, space in enumerate(game.t.milestones)},
        "trade_deck": int(g.trade_size),
        "trade_discard": _cards(game, g.discard[: g.discard_size]),
        "players": [_describe_player(game, ended, seat) for seat in range(int(g.players))],
        "provinces": {name: _describe_province(game, number) for number, name in enumerate(constants.PROVINCES)},
        "regions": {name: _describe_region(game, number) for number, name in enumerate(constants.REGIONS)},
        "senate": [
            {"seat": int(seat), "value": int(value)}
            for seat, value in zip(g.senate[: g.senate_size], game.t.senate_values, strict=False)
        ],
        "supply": _describe_supply(game),
        "cards": _count_cards(game),
    }


def _ended(game: InspectedGame) -> Record:
    """Return a copy of the game record in which the game has ended now."""
    copy = game.copy()
    copy.g.phase = constants.OVER
    copy.step()
    return copy.g


def _cards(game: InspectedGame, cards: Iterable[int]) -> list[str]:
    return [game.card_name(int(card)) for card in cards]


def _in_order(game: InspectedGame, field: str, owner: int, names: Sequence[str]) -> list[str]:
    """Return the names of the things that a seat or a province has, in the order in which they arrived."""
    return [names[thing] for thing in game.order[field, owner]]


def _describe_player(game: InspectedGame, ended: Record, seat: int) -> dict[str, Any]:
    """Return the possessions, income and score of a player."""
    g, t = game.g, game.t
    missions = [int(card) for card in g.missions[seat, : g.mission_count[seat]]]
    points: dict[str, int] = {}
    for card in missions:
        name = game.card_name(card)
        points[name] = points.get(name, 0) + int(mission_points(g, t, seat, card))
    reached = [int(space) for number, space in enumerate(t.milestones) if g.reached[seat, number]]
    legions = {BOARD_NAME: int(g.board_legions[seat])} | by_name(constants.REGIONS, g.legions[:, seat])
    bonuses = constants.BUILDINGS[: constants.BONUSES]
    return {
        "character": game.catalog.faction_names[int(g.faction[seat])],
        "denarii": int(g.denarii[seat]),
        "glory": int(g.glory[seat]),
        "milestones": reached,
        "discord": int(g.discord[seat]),
        "legions": legions,
        "votes": int(g.board_votes[seat]),
        "placed": by_name(constants.PLACES, g.placed[seat]),
        "pantheon": {level: _in_order(game, level, seat, constants.METALS) for level in constants.PANTHEON_LEVELS},
        "medals": _in_order(game, "medals", seat, constants.BUILDINGS),
        "sets": _in_order(game, "sets", seat, constants.TRADE_TYPES),
        "hand": _cards(game, g.hand[seat, : g.hand_size[seat]]),
        "anchor": bool(g.anchor[seat]),
        "missions": points,
        "province": constants.PROVINCES[game.province_of(seat)],
        "marker": {
            "space": (int(g.glory[seat]) - 1) % constants.GLORY_SPACES + 1,
            "side": "plain" if g.glory[seat] <= constants.GLORY_SPACES else f"+{constants.GLORY_SPACES}",
        },
        "followers": int(g.followers[seat]),
        "followers_left": int(g.followers_left[seat]),
        "bonuses": [bonus for number, bonus in enumerate(bonuses) if has_bonus(g, seat, number)],
        "intrigue_left": int(g.intrigue_left[seat]),
        "income": _describe_income(game, seat),
        "score": by_name(SCORE, ended.score[seat]),
        "rank": 1 if g.players == 1 else int(ended.rank[seat]),
        "achievements": names_of_bits(constants.ACHIEVEMENTS, int(ended.achievements[seat])),
    } | (_describe_tasks(int(ended.tasks[seat])) if g.variant & constants.IMPERIAL else {})


def _describe_income(game: InspectedGame, seat: int) -> dict[str, Any]:
    """Return what normal and double taxes would bring and cost now."""
    g, t = game.g, game.t
    people = int(population(g, game.province_of(seat)))
    return {
        "normal": people,
        "double": 2 * people,
        "penalty": int(penalty(g, t, seat)),
        "can_double": bool(can_tax_twice(g, t, seat)),
    }


def _describe_tasks(tasks: int) -> dict[str, Any]:
    """Return the fulfilled tasks of the Imperial variant, and the title that they earn."""
    title = int(title_of(count_bits(tasks)))
    return {"tasks": names_of_bits(constants.TASKS, tasks), "title": None if title < 0 else constants.TITLES[title]}


def _describe_province(game: InspectedGame, province: int) -> dict[str, Any]:
    g = game.g
    place = [int(number) for number in g.board].index(province)
    seat = int(g.seat_at[place])
    return {
        "buildings": by_name(constants.BUILDINGS, g.building[province]),
        "population": int(population(g, province)),
        "seat": None if seat == constants.NO_SEAT else seat,
        "intrigue": list(game.order["intrigue", province]),
        "activated": list(game.order["activated", province]),
    }


def _describe_region(game: InspectedGame, region: int) -> dict[str, Any]:
    g = game.g
    places = {str(seat): 1 + int(place_in_region(g, region, seat)) for seat in range(int(g.players))}
    return {
        "conquered": bool(g.conquered[region]),
        "legions": int(legions_in(g, region)),
        "places": {seat: place for seat, place in places.items() if place > 0},
    }


def _describe_supply(game: InspectedGame) -> dict[str, Any]:
    g = game.g
    levels = [str(level) for level in range(1, constants.LEVELS + 1)]
    metals = constants.METALS[constants.GOLD :]
    return {
        "tiles": {name: by_name(levels, g.tiles[kind]) for kind, name in enumerate(constants.BUILDINGS)},
        "medals": [name for kind, name in enumerate(constants.BUILDINGS) if g.medal[kind] == constants.NO_SEAT],
        "pantheon": {
            name: by_name(metals, g.common[level, constants.GOLD :])
            for level, name in enumerate(constants.PANTHEON_LEVELS)
        },
        "discord": int(game.t.discord_tokens - g.discord.sum()),
    }


def _count_cards(game: InspectedGame) -> dict[str, int]:
    """Count the cards of the game, without those removed for its variant and number of players."""
    box: Any = game.table.copy()[0]
    clear_table(box, game.printed, int(box.players), int(box.variant))
    lay_decks(box, game.printed)
    return {"events": int(box.event_size), "missions": int(box.mission_size), "trade": int(box.trade_size)}


# ---- Legal moves ----


def legal_moves(game: InspectedGame) -> dict[str, list[str]] | None:
    """Return the moves that the seat on turn can make without first playing trade cards; None if no seat is on turn."""
    g, t, seat = game.g, game.t, game.to_move
    if seat is None or g.phase == constants.DIPLOMACY_PHASE:
        return None
    if g.phase == constants.INCOME_PHASE:
        return {"tax": ["normal", "double"] if can_tax_twice(g, t, seat) else ["normal"]}
    copy = game.copy()
    copy.g.option_count = 0
    if g.phase == constants.INTRIGUE_PHASE:
        offer_intrigue(copy.g, t, seat)
        return {"activate": _possible(copy, seat)}
    if g.phase == constants.BUILD_PHASE:
        offer_tiles(copy.g, t, seat)
        return {"build": _possible(copy, seat)}
    offer_places(copy.g, t, seat)
    return {"follower": _possible(copy, seat)}


def _possible(game: InspectedGame, seat: int) -> list[str]:
    """Return the names of the listed options that can be carried out, each name once."""
    names: dict[str, int] = {}
    for option in range(int(game.g.option_count)):
        names.setdefault(_option_name(game.g, option), option)
    return [name for name, option in names.items() if _can_carry_out(game, seat, option)]


def _option_name(g: Record, option: int) -> str:
    card, value = int(g.option_card[option]), int(g.option_value[option])
    if g.option_kind[option] == constants.ACTIVATE:
        return f"{constants.PROVINCES[g.option_place[option]]}: {constants.INTRIGUES[card]}"
    if g.option_kind[option] == constants.PLACE_TILE:
        return f"{constants.BUILDINGS[card]} {value}"
    return f"{constants.PLACES[card]} with bonus" if value else constants.PLACES[card]


def _can_carry_out(game: InspectedGame, seat: int, option: int) -> bool:
    """Tell whether an option can be carried out now: the seat can pay for a tile, and has room for drawn cards."""
    g = game.g
    copy = game.copy()
    fields = ("option_kind", "option_card", "option_value", "option_seat", "option_place")
    copy.begin(seat, *(int(g[field][option]) for field in fields))
    return bool(can_go_on(copy.g, game.t, seat))


# ---- Text ----


def inspect_lines(result: Mapping[str, Any]) -> list[str]:
    """Return the result of a position as lines of text."""
    lines = [f"Round {result['round']}, {result['phase']} phase, {result['direction']}"]
    lines += [] if result["to_move"] is None else [f"Seat {result['to_move']} is to move"]
    lines += move_lines(result["moves"])
    for seat, player in enumerate(result["players"]):
        lines += _player_lines(seat, player)
    for name, province in result["provinces"].items():
        lines.append(f"{name}: {_province_words(province)}")
    for name, region in result["regions"].items():
        lines.append(f"{name}: {_region_words(region)}")
    senate = [f"seat {vote['seat']} ({vote['value']})" for vote in result["senate"]]
    lines.append(f"Senate, lowest first: {join_names(senate)}")
    markers = [f"{space} at {now}" for space, now in result["milestone_markers"].items()]
    lines.append(f"Milestones: {join_names(markers)}")
    lines += _supply_lines(result)
    for word, names in (result["legal"] or {}).items():
        lines.append(f"Seat {result['to_move']} can {CAN[word]}: {join_names(names)}")
    return lines


def _amounts(numbers: Mapping[str, int]) -> str:
    return join_names(f"{name} {number}" for name, number in numbers.items() if number)


def _player_lines(seat: int, player: Mapping[str, Any]) -> list[str]:
    score, income = player["score"], player["income"]
    parts = {part: score[part] for part in constants.SCORE_PARTS}
    lines = [
        f"Seat {seat}: {player['character']} before {player['province']}, {player['glory']} glory, "
        f"{player['denarii']} denarii",
        f"  score {score['total']} (rank {player['rank']}): {_amounts(parts)}",
        f"  followers {player['followers']}, {player['followers_left']} left; placed {_amounts(player['placed'])}",
        f"  legions: {_amounts(player['legions'])}; votes {player['votes']}; discord {player['discord']}; "
        f"bonuses {join_names(player['bonuses'])}; intrigue {player['intrigue_left']}",
        f"  taxes {income['normal']}, or {income['double']} for {income['penalty']} glory"
        + ("" if income["can_double"] else " (not possible)"),
    ]
    hand = [*player["hand"], *(["anchor card"] if player["anchor"] else [])]
    missions = [f"{name} ({points})" for name, points in player["missions"].items()]
    pantheon = [f"{level} of {' and '.join(pieces)}" for level, pieces in player["pantheon"].items() if pieces]
    for word, names in (
        ("hand", hand),
        ("missions", missions),
        ("sets", player["sets"]),
        ("medals", player["medals"]),
        ("Pantheon", pantheon),
        ("achievements", player["achievements"]),
    ):
        lines += [f"  {word}: {join_names(names)}"] if names else []
    if "tasks" in player:
        lines.append(f"  tasks: {join_names(player['tasks'])}; title {player['title'] or 'none'}")
    return lines


def _province_words(province: Mapping[str, Any]) -> str:
    whose = "before nobody" if province["seat"] is None else f"before seat {province['seat']}"
    tokens = [
        f"{word} of seats {join_names(map(str, province[word]))}"
        for word in ("intrigue", "activated")
        if province[word]
    ]
    buildings = f"buildings {_amounts(province['buildings'])}"
    return ", ".join([f"population {province['population']}", whose, buildings, *tokens])


def _region_words(region: Mapping[str, Any]) -> str:
    places = [f"seat {seat} place {place}" for seat, place in region["places"].items()]
    state = "conquered" if region["conquered"] else "not conquered"
    return f"{state}, {region['legions']} legions" + (f": {join_names(places)}" if places else "")


def _supply_lines(result: Mapping[str, Any]) -> list[str]:
    supply, cards = result["supply"], result["cards"]
    tiles = [f"{name} {'/'.join(map(str, left.values()))}" for name, left in supply["tiles"].items()]
    pieces = [f"{name} {_amounts(left)}" for name, left in supply["pantheon"].items()]
    return [
        f"Supply: tiles {join_names(tiles)}; medals {join_names(supply['medals'])}; {'; '.join(pieces)}; "
        f"discord {supply['discord']}",
        f"Trade cards: {result['trade_deck']} in the deck; discarded {join_names(result['trade_discard'])}",
        f"Cards in the game: {_amounts(cards)}",
    ]

"""Inspects a position in JSON: makes its moves, then returns the table, the scores and the legal moves.

`docs/records.md` describes the files. The kernels of the engine apply the rules and decide which moves are legal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
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
from sim.games.shared.describe import by_name, join_names, move_lines, names_of_bits, seat_or_none
from sim.games.shared.position_files import position_inspector
from sim.games.shared.stepping import Option, list_options, make_moves

SCORE = (*constants.SCORE_PARTS, "total")
CAN = {"activate": "activate", "build": "build", "follower": "place a follower on", "tax": "tax"}
"""Wording of legal moves."""
OFFERS: dict[int, tuple[str, Callable[[Record, Record, int], object]]] = {
    constants.INTRIGUE_PHASE: ("activate", offer_intrigue),
    constants.BUILD_PHASE: ("build", offer_tiles),
    constants.ACTION_PHASE: ("follower", offer_places),
}
"""For each phase whose moves are options: the kind of these moves, and the kernel that lists them."""


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
    g, t = game.g, game.t
    points = Counter[str]()
    for card in g.missions[seat, : g.mission_count[seat]]:
        points[game.card_name(card)] += int(mission_points(g, t, seat, card))
    bonuses = constants.BUILDINGS[: constants.BONUSES]
    return {
        "character": game.catalog.faction_names[int(g.faction[seat])],
        "denarii": int(g.denarii[seat]),
        "glory": int(g.glory[seat]),
        "milestones": [int(space) for number, space in enumerate(t.milestones) if g.reached[seat, number]],
        "discord": int(g.discord[seat]),
        "legions": {BOARD_NAME: int(g.board_legions[seat])} | by_name(constants.REGIONS, g.legions[:, seat]),
        "votes": int(g.board_votes[seat]),
        "placed": by_name(constants.PLACES, g.placed[seat]),
        "pantheon": {level: _in_order(game, level, seat, constants.METALS) for level in constants.PANTHEON_LEVELS},
        "medals": _in_order(game, "medals", seat, constants.BUILDINGS),
        "sets": _in_order(game, "sets", seat, constants.TRADE_TYPES),
        "hand": _cards(game, g.hand[seat, : g.hand_size[seat]]),
        "anchor": bool(g.anchor[seat]),
        "missions": dict(points),
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
    seat = int(g.seat_at[g.board.tolist().index(province)])
    return {
        "buildings": by_name(constants.BUILDINGS, g.building[province]),
        "population": int(population(g, province)),
        "seat": seat_or_none(seat),
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
    word, offer = OFFERS[int(g.phase)]
    offer(copy.g, t, seat)
    # Options that differ only in details have the same name. The first of them stands for all.
    first: dict[str, Option] = {}
    for option in list_options(copy.g):
        first.setdefault(_option_name(option), option)
    return {word: [name for name, option in first.items() if _can_carry_out(copy, seat, option)]}


def _option_name(option: Option) -> str:
    if option.kind == constants.ACTIVATE:
        return f"{constants.PROVINCES[option.place]}: {constants.INTRIGUES[option.card]}"
    if option.kind == constants.PLACE_TILE:
        return f"{constants.BUILDINGS[option.card]} {option.value}"
    return constants.PLACES[option.card] + (" with bonus" if option.value else "")


def _can_carry_out(game: InspectedGame, seat: int, option: Option) -> bool:
    """Tell whether an option can be carried out now: the seat can pay for a tile, and has room for drawn cards."""
    copy = game.copy()
    copy.begin(seat, option.kind, option.card, option.value, option.seat, option.place)
    return bool(can_go_on(copy.g, game.t, seat))


# ---- Text ----


def inspect_lines(result: Mapping[str, Any]) -> list[str]:
    """Return the result of a position as lines of text."""
    lines = [f"Round {result['round']}, {result['phase']} phase, {result['direction']}"]
    lines += [] if result["to_move"] is None else [f"Seat {result['to_move']} is to move"]
    lines += move_lines(result["moves"])
    for seat, player in enumerate(result["players"]):
        lines += _player_lines(seat, player)
    lines += [f"{name}: {_province_words(province)}" for name, province in result["provinces"].items()]
    lines += [f"{name}: {_region_words(region)}" for name, region in result["regions"].items()]
    senate = [f"seat {vote['seat']} ({vote['value']})" for vote in result["senate"]]
    markers = [f"{space} at {now}" for space, now in result["milestone_markers"].items()]
    lines += [f"Senate, lowest first: {join_names(senate)}", f"Milestones: {join_names(markers)}"]
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
    lists = {
        "hand": [*player["hand"], *(["anchor card"] if player["anchor"] else [])],
        "missions": [f"{name} ({points})" for name, points in player["missions"].items()],
        "sets": player["sets"],
        "medals": player["medals"],
        "Pantheon": [f"{level} of {' and '.join(pieces)}" for level, pieces in player["pantheon"].items() if pieces],
        "achievements": player["achievements"],
    }
    lines += [f"  {word}: {join_names(names)}" for word, names in lists.items() if names]
    if "tasks" in player:
        lines.append(f"  tasks: {join_names(player['tasks'])}; title {player['title'] or 'none'}")
    return lines


def _province_words(province: Mapping[str, Any]) -> str:
    whose = "before nobody" if province["seat"] is None else f"before seat {province['seat']}"
    seats = {word: join_names(map(str, province[word])) for word in ("intrigue", "activated") if province[word]}
    tokens = [f"{word} of seats {named}" for word, named in seats.items()]
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

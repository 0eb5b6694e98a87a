"""The JSON format of a position (`docs/records.md`), and its loading into a game record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from sim.compiler.kernel import Record
from sim.data.catalog import Name, NoRepeats, Row
from sim.data.place import NOWHERE, Place
from sim.games.glory_of_rome.data.catalog import Catalog
from sim.games.glory_of_rome.data.language import Building, Direction
from sim.games.glory_of_rome.data.models import OwnIntrigue
from sim.games.glory_of_rome.io.inline import PositionData, replace_data, writable
from sim.games.glory_of_rome.io.moves import MAX_DENARII, Names, Number, PositionMove, Province, Seat
from sim.games.glory_of_rome.io.stepping import InspectedGame
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.regions import look_at_region
from sim.games.glory_of_rome.rules.setup import clear_table, take_character
from sim.games.glory_of_rome.rules.state import DECK_PLACES, HAND_PLACES, MISSION_PLACES, new_games
from sim.games.glory_of_rome.rules.tables import MAX_TRACK
from sim.games.glory_of_rome.rules.turns import seat_to_act_after
from sim.games.shared.position_files import TableLayout, blank_table

MAX_MOVES = 1000
ANCHOR_CARDS = 3
"""Number of anchor cards in the box, unless the characters need more."""
BOARD_NAME = "board"
"""Key for a player's legions that are in no region."""

Few = Annotated[int, Field(ge=0, le=99)]
Bonus = Literal["military", "political", "commercial"]
SetType = Literal["tools", "weapons", "textiles", "jewels"]
Pieces = Annotated[list[Literal["own", "gold", "silver", "bronze"]], Field(default_factory=list, max_length=9)]
Hand = Annotated[list[Name], Field(default_factory=list, max_length=HAND_PLACES)]
Missions = Annotated[list[Name], Field(default_factory=list, max_length=MISSION_PLACES)]
Seats = Annotated[list[Seat], Field(default_factory=list, max_length=99)]
Counts = Annotated[dict[Name, Few], Field(default_factory=dict)]

# ---- The rows of a file ----


class PositionPantheon(Row):
    """Pieces of a Pantheon."""

    base: Pieces
    roof: Pieces


class PositionPlayer(Row):
    """One player. The defaults are the character's starting values."""

    character: Name
    own_intrigue: OwnIntrigue | None = None
    denarii: Number | None = None
    glory: Annotated[int, Field(ge=1, le=MAX_DENARII)] | None = None
    milestones: Annotated[list[int], NoRepeats] | None = None
    discord_track: Annotated[list[Bonus | None], Field(max_length=MAX_TRACK)] | None = None
    discord: Few | None = None
    legions: dict[Name, Few] | None = None
    votes: Few | None = None
    placed: Counts
    bonus_used: Annotated[list[Bonus], Field(default_factory=list), NoRepeats]
    pantheon: PositionPantheon = PositionPantheon(base=[], roof=[])
    medals: Annotated[list[Building], Field(default_factory=list), NoRepeats]
    sets: Annotated[list[SetType], Field(default_factory=list, max_length=99)]
    hand: Hand
    anchor: bool | None = None
    missions: Missions


class PositionProvince(Row):
    """The buildings and tokens in a province."""

    buildings: Annotated[dict[Building, Annotated[int, Field(ge=0, le=constants.LEVELS)]], Field(default_factory=dict)]
    intrigue: Seats
    activated: Seats


class Position(Row):
    """A complete table, and moves to make on it."""

    players: Annotated[list[PositionPlayer], Field(min_length=1, max_length=constants.MAX_SEATS)]
    board: Annotated[list[Province], Field(min_length=4, max_length=4), NoRepeats] | None = None
    variants: Annotated[
        list[Literal["Spies and Alliances", "Truce", "Clockwork", "Heroes", "Hard Times", "Imperial"]],
        Field(default_factory=list),
        NoRepeats,
    ]
    round: Annotated[int, Field(ge=1, le=constants.ROUNDS)] = 1
    phase: Literal["event", "diplomacy", "intrigue", "build", "action", "income"] = "event"
    starting_player: Seat = 0
    direction: Direction = "clockwise"
    arrows: Annotated[int, Field(ge=1, le=2)] = 1
    to_move: Seat | None = None
    provinces: Annotated[dict[Province, PositionProvince], Field(default_factory=dict)]
    senate: Annotated[list[Seat], Field(default_factory=list, max_length=constants.SENATE_SIZE)]
    trade_deck: Names = Field(default_factory=list)
    trade_discard: Names = Field(default_factory=list)
    data: PositionData | None = None
    moves: Annotated[list[PositionMove], Field(default_factory=list, max_length=MAX_MOVES)]


# ---- Loading ----


@dataclass(frozen=True, kw_only=True)
class Layout(TableLayout):
    """A table that is being set up from a position."""

    game: InspectedGame

    def check_seat(self, seat: int) -> None:
        """Check that there is a player in a seat."""
        if seat >= self.g.players:
            raise self.wrong("no such seat", seat, f"0 to {self.g.players - 1}")

    def check_most(self, number: int, most: int, what: str) -> None:
        """Check that a number of pieces does not exceed the number in the box."""
        if number > most:
            raise self.wrong(f"more {what} than the box holds", number, f"at most {most}")

    def check_names(self, named: Iterable[str], known: Sequence[str], message: str) -> None:
        """Check that all keys of an object are known."""
        for name in named:
            self.at(name).check_name(name, known, message)

    def lay_cards(self, cards: Any, names: Sequence[str], rows: Sequence[Any], number: Callable[[str], int]) -> int:
        """Put the cards with these names into the array `cards`, and return their number.

        `rows` are the rows of all cards of this kind, and `number` returns the id of a card with a name.
        """
        known = [row.name for row in rows]
        for place, name in enumerate(names, start=1):
            self.at(place).check_name(name, known, "no such card")
        cards[: len(names)] = [number(name) for name in names]
        return len(names)


def load_position(position: Position, catalog: Catalog, t: Record, place: Place = NOWHERE) -> InspectedGame:
    """Load a position into a game record. `place` says where the position comes from, for messages.

    Raises
    ------
    UserError
        A name is unknown, or there are more pieces than in the box.
    """
    printed = t
    if position.data is not None:
        catalog, t = replace_data(position.data, catalog, place.at("data"))
    if t.draw_beyond_limit:
        # In an inspected position no move may draw beyond the hand limit. With "lost", scripted players may: they lose
        # the cards beyond the limit.
        t = writable(t)
        t.draw_beyond_limit = 0
    table = blank_table(new_games)
    g: Any = table[0]
    clear_table(g, t, len(position.players), position_variants(position, place))
    game = InspectedGame(table, t, catalog, printed)
    layout = Layout(place.file, place.row, place.field, g=g, t=t, catalog=catalog, game=game)
    for seat, player in enumerate(position.players):
        _lay_player(layout.at("players", seat + 1), seat, player)
    _lay_provinces(layout, position)
    _lay_senate(layout, position)
    for seat, player in enumerate(position.players):
        _lay_pieces(layout.at("players", seat + 1), seat, player)
    _lay_milestones(layout, position)
    _check_shared(layout, position)
    _lay_cards(layout, position)
    _set_course(layout, position)
    game.order = _order_of(position)
    game.keep_order()
    return game


def position_variants(position: Position, place: Place) -> int:
    """Return the variants of a position as bits. A single player always plays the Imperial variant."""
    bits = sum(1 << constants.VARIANTS.index(variant) for variant in position.variants)
    players, here = len(position.players), place.at("variants")
    if players == 1 and bits & constants.SPIES_AND_ALLIANCES:
        raise here.wrong("Spies and Alliances is for several players", players, f"2 to {constants.MAX_SEATS} players")
    if players > 1 and bits & constants.IMPERIAL:
        raise here.wrong("Imperial is for one player", players, "1 player")
    return bits | constants.IMPERIAL if players == 1 else bits


# ---- Players ----


def _lay_player(layout: Layout, seat: int, player: PositionPlayer) -> None:
    """Give a seat its character, and everything that depends only on the player's own entry in the position."""
    g, t = layout.g, layout.t
    here = layout.at("character")
    character = here.index_of(player.character, layout.catalog.faction_names, "no such character")
    if character in g.faction[:seat]:
        raise here.wrong("another player has this character", player.character)
    take_character(g, t, seat, character)
    for field in ("denarii", "glory", "discord", "anchor"):
        given = getattr(player, field)
        if given is not None:
            g[field][seat] = int(given)
    if player.own_intrigue is not None:
        g.own_intrigue[seat] = constants.INTRIGUES.index(player.own_intrigue)
    if player.discord_track is not None:
        g.track_length[seat] = len(player.discord_track)
        for space, bonus in enumerate(player.discord_track):
            g.track[seat, space] = constants.NO_BONUS if bonus is None else constants.BUILDINGS.index(bonus)
    for bonus in player.bonus_used:
        g.bonus_used[seat, constants.BUILDINGS.index(bonus)] = 1
    for kind in player.sets:
        g.sets[seat, constants.TRADE_TYPES.index(kind)] += 1
    _lay_pantheon(layout.at("pantheon"), seat, player.pantheon)


def _lay_pantheon(layout: Layout, seat: int, pantheon: PositionPantheon) -> None:
    g, t = layout.g, layout.t
    for level, name in enumerate(constants.PANTHEON_LEVELS):
        here, pieces = layout.at(name), getattr(pantheon, name)
        common = [piece for piece in pieces if piece != "own"]
        own, places = len(pieces) - len(common), int(t.pantheon_own[level])
        if own > places:
            raise here.wrong("more own pieces than the level has places", own, f"at most {places}")
        if len(common) > 1:
            raise here.wrong("a level has one common piece", common, "gold, silver or bronze")
        g.pantheon_own[seat, level] = own
        if common:
            g.pantheon_common[seat, level] = constants.METALS.index(common[0])


def _lay_pieces(layout: Layout, seat: int, player: PositionPlayer) -> None:
    """Place a seat's legions, votes and intrigue tokens, after the provinces and the senate have been laid out."""
    g, t = layout.g, layout.t
    if player.legions is not None:
        here = layout.at("legions")
        here.check_names(player.legions, (BOARD_NAME, *constants.REGIONS), "no such place")
        g.board_legions[seat] = player.legions.get(BOARD_NAME, 0)
        g.legions[:, seat] = [player.legions.get(region, 0) for region in constants.REGIONS]
    legions = int(g.board_legions[seat] + g.legions[:, seat].sum())
    layout.at("legions").check_most(legions, int(t.legion_limit), "legions")
    in_column = int((g.senate == seat).sum())
    g.board_votes[seat] = max(0, g.board_votes[seat] - in_column) if player.votes is None else player.votes
    layout.at("votes").check_most(int(g.board_votes[seat]) + in_column, int(t.vote_limit), "votes")
    laid = int(g.intrigue[:, seat].sum() + g.activated[:, seat].sum())
    layout.check_most(laid, int(t.intrigue_tokens), "intrigue tokens")
    g.intrigue_left[seat] = int(t.intrigue_tokens) - laid


def _lay_milestones(layout: Layout, position: Position) -> None:
    """Set the milestones that each player has reached, and what depends on them: followers and spaces of milestones.

    By default, a player has reached every milestone up to the player's glory.
    """
    g, t = layout.g, layout.t
    spaces = [int(space) for space in t.milestones]
    g.reached[:] = 0
    for seat, player in enumerate(position.players):
        here = layout.at("players", seat + 1)
        for number, space in enumerate(player.milestones or (), start=1):
            if space not in spaces:
                raise here.at("milestones", number).wrong("no such milestone", space, ", ".join(map(str, spaces)))
        for number, space in enumerate(spaces):
            given = player.milestones
            g.reached[seat, number] = int(space <= g.glory[seat] if given is None else space in given)
        g.followers[seat] = 1 + int(g.reached[seat].sum())
        here.at("placed").check_names(player.placed, constants.PLACES, "no such place")
        g.placed[seat, :] = [player.placed.get(name, 0) for name in constants.PLACES]
        here.at("placed").check_most(int(g.placed[seat].sum()), 1 + len(spaces), "followers")
        g.followers_left[seat] = max(0, int(g.followers[seat] - g.placed[seat].sum()))
    for number, space in enumerate(spaces):
        moved = int(g.reached[:, number].sum()) if number >= t.fixed_milestones else 0
        g.marker[number] = space - moved


# ---- The table ----


def _lay_provinces(layout: Layout, position: Position) -> None:
    g, t = layout.g, layout.t
    if position.board is not None:
        g.board[:] = [constants.PROVINCES.index(name) for name in position.board]
    for name, province in position.provinces.items():
        number, here = constants.PROVINCES.index(name), layout.at("provinces", name)
        for building, level in province.buildings.items():
            g.building[number, constants.BUILDINGS.index(building)] = level
        for field in ("intrigue", "activated"):
            for place, seat in enumerate(getattr(province, field), start=1):
                here.at(field, place).check_seat(seat)
                g[field][number, seat] += 1
    for number, kind in enumerate(constants.BUILDINGS):
        for level in range(constants.LEVELS):
            built = int((g.building[:, number] > level).sum())
            layout.at("provinces").check_most(built, int(t.tiles[0, number, level]), f"tiles {kind} {level + 1}")
            g.tiles[number, level] = max(0, int(g.tiles[number, level]) - built)


def _lay_senate(layout: Layout, position: Position) -> None:
    for place, seat in enumerate(position.senate):
        layout.at("senate", place + 1).check_seat(seat)
        layout.g.senate[place] = seat
    layout.g.senate_size = len(position.senate)


def _check_shared(layout: Layout, position: Position) -> None:
    """Distribute medals and common pieces, check the numbers of shared pieces, and find the conquered regions."""
    g, t = layout.g, layout.t
    for seat, player in enumerate(position.players):
        here = layout.at("players", seat + 1)
        for number, kind in enumerate(player.medals, start=1):
            medal = constants.BUILDINGS.index(kind)
            if g.medal[medal] >= 0:
                raise here.at("medals", number).wrong("another player has this medal", kind)
            g.medal[medal] = seat
    for level, name in enumerate(constants.PANTHEON_LEVELS):
        for metal in range(constants.GOLD, constants.BRONZE + 1):
            taken = int((g.pantheon_common[:, level] == metal).sum())
            most = int(t.pantheon_common[constants.MAX_SEATS, level, metal])
            layout.at("players").check_most(taken, most, f"{constants.METALS[metal]} pieces of the {name}")
            g.common[level, metal] = max(0, int(g.common[level, metal]) - taken)
    anchors = max(ANCHOR_CARDS, sum(character.anchor for character in layout.catalog.characters))
    layout.at("players").check_most(int(g.anchor.sum()), anchors, "anchor cards")
    layout.at("players").check_most(int(g.discord.sum()), int(t.discord_tokens), "discord tokens")
    for region in range(len(constants.REGIONS)):
        look_at_region(g, t, region)


def _lay_cards(layout: Layout, position: Position) -> None:
    g = layout.g
    trade = (layout.catalog.trade_cards, layout.game.trade_card)
    missions = (layout.catalog.missions, layout.game.mission)
    g.trade_size = layout.at("trade_deck").lay_cards(g.trade_deck, position.trade_deck, *trade)
    g.discard_size = layout.at("trade_discard").lay_cards(g.discard, position.trade_discard, *trade)
    for seat, player in enumerate(position.players):
        here = layout.at("players", seat + 1)
        g.hand_size[seat] = here.at("hand").lay_cards(g.hand[seat], player.hand, *trade)
        g.mission_count[seat] = here.at("missions").lay_cards(g.missions[seat], player.missions, *missions)
    laid = int(g.trade_size + g.discard_size + g.hand_size.sum())
    if laid > DECK_PLACES:
        raise layout.at("trade_deck").wrong("too many trade cards in all", laid, f"at most {DECK_PLACES}")
    held = Counter(name for player in position.players for name in player.missions)
    own = {mission.name for mission in position.data.missions} if position.data is not None else set()
    for card in layout.catalog.missions:
        if card.name not in own:
            layout.at("players").check_most(held[card.name], card.copies, f'missions "{card.name}"')


def _set_course(layout: Layout, position: Position) -> None:
    """Set the round, the phase and whose turn it is."""
    g, t = layout.g, layout.t
    layout.at("starting_player").check_seat(position.starting_player)
    to_move = position.starting_player if position.to_move is None else position.to_move
    layout.at("to_move").check_seat(to_move)
    g.round_number, g.rounds = position.round, position.round - 1
    g.phase = constants.PHASES.index(position.phase)
    g.starting_player = g.turn_seat = position.starting_player
    g.direction = constants.DIRECTIONS.index(position.direction)
    g.arrows = position.arrows
    while g.turn_seat != to_move:
        g.turn_seat = seat_to_act_after(g, int(g.turn_seat))
        g.turns_taken += 1
    g.stage = constants.TURN
    if g.phase == constants.EVENT_PHASE and g.round_number == 1 and t.first_round:
        # With this setting the first round has no event.
        layout.game.step()
        layout.game.play_on()
    layout.game.skip_finished()


def _order_of(position: Position) -> dict[tuple[str, int], list[int]]:
    """Return the initial `InspectedGame.order`.

    It has the lists of the position, such as the medals of each player, as ids in the order that the position gives.
    """
    order: dict[tuple[str, int], list[int]] = {}
    for seat, player in enumerate(position.players):
        order["medals", seat] = _numbers(player.medals, constants.BUILDINGS)
        order["sets", seat] = _numbers(player.sets, constants.TRADE_TYPES)
        for level in constants.PANTHEON_LEVELS:
            order[level, seat] = _numbers(getattr(player.pantheon, level), constants.METALS)
    provinces: Mapping[Any, PositionProvince] = position.provinces
    for name, province in provinces.items():
        for field in ("intrigue", "activated"):
            order[field, constants.PROVINCES.index(name)] = list(getattr(province, field))
    return order


def _numbers(names: Iterable[str], known: Sequence[str]) -> list[int]:
    return [known.index(name) for name in names]

"""The JSON format of a position (`docs/records.md`), and the loading of positions into a game record.

Some cards of a position have no name: foundations, cards under a Gate, markers of Trade Routes, and the pile of the
virtual player. They are blank rows after the last card of the card table. `clear_nameless` removes them from decks and
discard piles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, model_validator

from sim.compiler.kernel import Record
from sim.data.catalog import Name, Row, fault
from sim.data.place import NOWHERE, Place
from sim.engine.rng import DEAL, shuffle
from sim.engine.zones import put
from sim.games.imperial_settlers.data.catalog import Catalog
from sim.games.imperial_settlers.io.moves import Number, PositionGoods, PositionMove, Seat
from sim.games.imperial_settlers.io.naming import card_name, cards_named, location_named, near_card_names
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.lookout import ADVANCED_ROW, SOLO_ROW, picker_of, picks_of_lookout, set_picker
from sim.games.imperial_settlers.rules.moving import ALL_SEATS, control, enter_empire
from sim.games.imperial_settlers.rules.production import begin_production
from sim.games.imperial_settlers.rules.state import new_games
from sim.games.imperial_settlers.rules.tables import MAX_CARDS
from sim.games.imperial_settlers.rules.turns import end_actions
from sim.games.shared.describe import cards_in
from sim.games.shared.position_files import MAX_NAMES, NameList, TableLayout, blank_table, name_alone

MAX_NAMELESS = 40
"""Maximum number of nameless cards in one place."""

Few = Annotated[int, Field(ge=0, le=9)]
Nameless = Annotated[int, Field(ge=0, le=MAX_NAMELESS)]
AttackTarget = Literal["wood", "stone", "food", "gold", "worker", "raze", "vp", "card"]

# ---- The rows of a file ----


class PositionLocation(Row):
    """A location with the things on it. A name alone stands for a location with nothing on it."""

    card: Name
    used: Few = 0
    goods: PositionGoods | None = None
    defence: bool = False
    samurai: bool = False
    banked: PositionGoods | None = None
    tucked: Nameless = 0
    blocked: bool = False
    controlled_by: Seat | None = None
    gained: Number = 0

    _name_alone = name_alone("card")


class PositionDeal(Row):
    """A deal. For the deal of a Trade Route, `of` is the seat that owns the location."""

    card: Name
    of: Seat | None = None

    _name_alone = name_alone("card")


class PositionPlayer(Row):
    """One player."""

    faction: Name
    vp: Number = 0
    goods: PositionGoods = PositionGoods()
    hand: NameList
    locations: Annotated[list[PositionLocation], Field(default_factory=list, max_length=MAX_NAMES)]
    foundations: Nameless = 0
    passed: bool = False
    deals: Annotated[list[PositionDeal], Field(default_factory=list, max_length=MAX_NAMES)]
    deck: Annotated[list[Name], Field(max_length=MAX_NAMES)] | None = None
    discard: NameList


class PositionCommons(Row):
    """A pile of common cards, top first. None means all cards that are nowhere else, shuffled."""

    common: Annotated[list[Name], Field(max_length=MAX_NAMES)] | None = None


class PositionSolo(Row):
    """The virtual player."""

    row: Annotated[list[AttackTarget], Field(default_factory=list, max_length=MAX_NAMES)]
    deck: Annotated[list[AttackTarget], Field(max_length=MAX_NAMES)] | None = None
    locations: Annotated[list[PositionLocation], Field(default_factory=list, max_length=MAX_NAMES)]
    pile: Nameless = 0


class Position(Row):
    """Everything on the table at one moment of a game, and moves to make from there."""

    players: Annotated[list[PositionPlayer], Field(min_length=1, max_length=constants.MAX_SEATS)]
    round: Annotated[int, Field(ge=1, le=constants.ROUNDS)] = 1
    phase: Literal["setup", "lookout", "production", "action", "cleanup", "attack", "end"] = "action"
    first: Seat = 0
    to_move: Seat | None = None
    lookout: Literal["standard", "alternative", "advanced"] = "standard"
    peaceful: bool = False
    decks: PositionCommons = PositionCommons()
    discards: PositionCommons = PositionCommons()
    row: NameList
    solo: PositionSolo | None = None
    moves: Annotated[list[PositionMove], Field(default_factory=list, max_length=1000)]

    @model_validator(mode="after")
    def _fits_together(self) -> Position:
        count = len(self.players)
        if self.solo is not None and count > 1:
            fault("the solo game has one player", field="players", found=f"{count} players", allowed="one player")
        if self.phase == "attack" and count > 1:
            fault("this phase is one of the solo game", field="phase", found="attack", allowed=constants.PHASES)
        if self.row and self.phase != "lookout":
            fault("there is a row in the lookout phase only", field="row", found=self.row, allowed='"phase": "lookout"')
        seats = [("first", self.first), ("to_move", self.to_move)]
        seats += [(f"moves.{number}.p", move.p) for number, move in enumerate(self.moves, start=1)]
        for field, seat in seats:
            if seat is not None and seat >= count:
                fault("no such seat", field=field, found=seat, allowed=f"0 to {count - 1}")
        return self


# ---- Loading ----


@dataclass(frozen=True, kw_only=True)
class Layout(TableLayout):
    """A game record that is being set up from a position.

    `laid` maps each card placed so far to the field of the position that names the card.
    """

    laid: dict[int, str]

    def names_of(self, decks: Iterable[int]) -> list[str]:
        """Return the names of the cards in some decks."""
        cards = np.flatnonzero(np.isin(self.t.deck[: self.t.cards], list(decks)))
        return sorted({card_name(self.catalog, int(card)) for card in cards})

    def check_opponent(self, seat: int, owner: int) -> None:
        """Check that a seat is an opponent of the owner of an empire."""
        opponents = [other for other in range(self.g.players) if other != owner]
        if seat not in opponents:
            raise self.wrong("not an opponent", seat, opponents or "no seat")


@dataclass(frozen=True)
class _Named:
    """A card that the position names.

    `place` is the field that names it. It must be from one of `decks`. `lay` puts it into its zone.
    """

    place: Layout
    name: str
    decks: tuple[int, ...]
    lay: Callable[[int], None]


def load_position(position: Position, catalog: Catalog, t: Record, place: Place = NOWHERE) -> Any:
    """Load a position into a game record. `place` is the position's file and line.

    Raises
    ------
    UserError
        A faction or a card is unknown, a card is named too often or cannot be in its place, or things are on a
        location that cannot carry them.
    """
    table = blank_table(new_games)
    g: Any = table[0]
    layout = Layout(place.file, place.row, place.field, g=g, t=t, catalog=catalog, laid={})
    _set_course(g, position)
    for seat, player in enumerate(position.players):
        _seat_player(layout.at("players", seat + 1), seat, player)
    named: list[_Named] = []
    for seat, player in enumerate(position.players):
        named += _cards_of_player(layout.at("players", seat + 1), seat, player)
    named += _cards_of_table(layout, position)
    if position.solo is not None:
        named += _locations(layout.at("solo"), constants.VIRTUAL, position.solo.locations)
    _lay_named(named)
    _lay_attack_cards(layout, position)
    for seat, player in enumerate(position.players):
        _lay_locations(layout.at("players", seat + 1), seat, player.locations)
    if position.solo is not None:
        _lay_locations(layout.at("solo"), constants.VIRTUAL, position.solo.locations)
    for seat, player in enumerate(position.players):
        _lay_trades(layout.at("players", seat + 1), seat, player.deals)
    _lay_rests(layout, position)
    _lay_nameless(layout, position)
    _enter_phase(layout, position)
    return table


def _set_course(g: Record, position: Position) -> None:
    g.players = len(position.players)
    g.solo = int(g.players == 1)
    g.lookout = constants.LOOKOUTS.index(position.lookout)
    g.peaceful = int(position.peaceful)
    g.rounds = position.round
    g.phase = constants.PHASES.index(position.phase)
    g.first_seat = position.first
    g.turn_seat = constants.NO_SEAT
    g.host[:] = constants.NO_CARD


def _seat_player(layout: Layout, seat: int, player: PositionPlayer) -> None:
    g = layout.g
    names = [name.lower() for name in layout.catalog.faction_names]
    if player.faction.lower() not in names:
        raise layout.at("faction").wrong("no such faction", player.faction, names)
    faction = names.index(player.faction.lower())
    if faction in g.faction[:seat]:
        raise layout.at("faction").wrong("two players have this faction", player.faction)
    g.faction[seat] = faction
    g.points[seat] = player.vp
    g.passed[seat] = int(player.passed)
    g.goods[seat] = goods_of(player.goods)


def goods_of(goods: PositionGoods) -> list[int]:
    """Return the amount of each good in a supply, in the order of `constants.GOODS`."""
    return [getattr(goods, good) for good in constants.GOODS[: constants.SUPPLY]]


# ---- Named cards ----


def _cards_of_player(layout: Layout, seat: int, player: PositionPlayer) -> list[_Named]:
    g = layout.g
    own = int(g.faction[seat])
    named = _listed(layout.at("hand"), seat, constants.HAND, player.hand, (own, constants.COMMON), 1 << seat)
    named += reversed(_listed(layout.at("deck"), seat, constants.DECK, player.deck or [], (own,)))
    named += reversed(_listed(layout.at("discard"), seat, constants.DISCARD, player.discard, (own,), ALL_SEATS))
    for number, deal in enumerate(player.deals, start=1):
        if deal.of is None:
            here = layout.at("deals", number, "card")
            factions = (own, *(int(g.faction[other]) for other in range(g.players) if other != seat))
            decks = (*factions, constants.SOLO) if g.solo else factions
            named.append(_Named(here, deal.card, decks, _laying(g, seat, constants.DEALS, ALL_SEATS)))
    return named + _locations(layout, seat, player.locations)


def _locations(layout: Layout, owner: int, locations: Sequence[PositionLocation]) -> list[_Named]:
    """Return the locations of an empire as named cards, in order and without the things on them."""
    g, t = layout.g, layout.t
    virtual = layout.field.endswith("solo")
    decks = (constants.COMMON,) if virtual else (int(g.faction[owner]), constants.COMMON)
    places = [layout.at("locations", number, "card") for number in range(1, len(locations) + 1)]
    return [
        _Named(here, location.card, decks, lambda card: enter_empire(g, t, owner, card))
        for here, location in zip(places, locations, strict=True)
    ]


def _cards_of_table(layout: Layout, position: Position) -> list[_Named]:
    table, commons = constants.TABLE, (constants.COMMON,)
    deck, discards = position.decks.common or [], position.discards.common or []
    return [
        *reversed(_listed(layout.at("decks", "common"), table, constants.DECK, deck, commons)),
        *reversed(_listed(layout.at("discards", "common"), table, constants.DISCARD, discards, commons, ALL_SEATS)),
        *_listed(layout.at("row"), table, constants.ROW, position.row, commons, ALL_SEATS),
    ]


def _listed(
    layout: Layout, owner: int, zone: int, names: Sequence[str], decks: tuple[int, ...], knows: int = 0
) -> list[_Named]:
    """Return the named cards of a zone, which must be from `decks`. The seats `knows` (bits) know where they are.

    Piles are listed from the top, so their cards have to be placed in reverse.
    """
    lay = _laying(layout.g, owner, zone, knows)
    return [_Named(layout.at(number), name, decks, lay) for number, name in enumerate(names, start=1)]


def _laying(g: Record, owner: int, zone: int, knows: int) -> Callable[[int], None]:
    """Return a function that puts a card into a zone. `knows` has a bit for each seat that knows where the card is."""

    def lay(card: int) -> None:
        put(g, owner, zone, card)
        g.knows[card] = knows

    return lay


def _lay_named(named: Sequence[_Named]) -> None:
    """Place all named cards. Look up cards named by code first, because a name may stand for any of several copies."""
    found: dict[int, int] = {}
    for codes in (True, False):
        for number, wanted in enumerate(named):
            if number not in found and (not codes or wanted.name in wanted.place.catalog.codes):
                found[number] = _find_card(wanted)
                wanted.place.laid[found[number]] = wanted.place.field
    for number, wanted in enumerate(named):
        wanted.lay(found[number])


def _find_card(wanted: _Named) -> int:
    """Return a card with this name that is not placed yet, if possible one without the values of a variant."""
    layout, name, decks = wanted.place, wanted.name, wanted.decks
    cards = cards_named(layout.catalog, layout.t, name)
    if not cards:
        raise layout.wrong("no such card", name, near_card_names(layout.names_of(decks), name))
    fitting = [card for deck in decks for card in cards if int(layout.t.deck[card]) == deck]
    if not fitting:
        allowed = " or ".join(_deck_name(layout, deck) for deck in decks)
        raise layout.wrong(f"{_deck_name(layout, int(layout.t.deck[cards[0]]))} does not lie here", name, allowed)
    free = [card for card in fitting if card not in layout.laid]
    if not free:
        places = sorted({layout.laid[card] for card in fitting})
        message = "this card is already elsewhere" if len(fitting) == 1 else f"all {len(fitting)} cards lie elsewhere"
        raise layout.wrong(message, name, f"each card once; see {', '.join(places)}")
    return free[0]


def _deck_name(layout: Layout, deck: int) -> str:
    if deck == constants.COMMON:
        return "a common card"
    return "an attack card" if deck == constants.SOLO else f"a card of the {layout.catalog.faction_names[deck]}"


# ---- Things on locations ----


def _lay_locations(layout: Layout, owner: int, locations: Sequence[PositionLocation]) -> None:
    g = layout.g
    for place, location in enumerate(locations):
        card = int(g.zone[owner, constants.LOCATIONS, place])
        _lay_on(layout.at("locations", place + 1), owner, card, location)


def _lay_on(layout: Layout, owner: int, card: int, location: PositionLocation) -> None:
    g, t = layout.g, layout.t
    _check_things(layout, card, location)
    paid = t.pay[card, : constants.SUPPLY] * location.used
    g.paid[card] = paid if location.goods is None else goods_of(location.goods)
    for field in ("used", "defence", "samurai", "blocked"):
        g[field][card] = int(getattr(location, field))
    g.gained[card] = min(location.gained, 99)
    if location.banked is not None:
        g.banked[card] = goods_of(location.banked)[: constants.RESOURCES + 1]
    if location.controlled_by is not None:
        layout.at("controlled_by").check_opponent(location.controlled_by, owner)
        control(g, t, location.controlled_by, card)


def _check_things(layout: Layout, card: int, location: PositionLocation) -> None:
    t = layout.t
    action = int(t.kind[card]) == constants.ACTION
    trigger = int(t.trigger[card])
    for field, given, belongs, where in (
        ("used", location.used > 0, action, "an action location"),
        ("goods", location.goods is not None, action, "an action location"),
        ("blocked", location.blocked, action, "an action location"),
        ("banked", location.banked is not None, trigger == constants.BANKS, "a Shrine"),
        ("tucked", location.tucked > 0, trigger == constants.TUCKS, "a Gate"),
        ("gained", location.gained > 0, trigger == constants.ON_EXCHANGE, "an Oasis"),
    ):
        if given and not belongs:
            raise layout.at(field).wrong(f"only {where} has this", card_name(layout.catalog, card))


# ---- Nameless cards ----


def _lay_nameless(layout: Layout, position: Position) -> None:
    """Place foundations, cards under Gates, markers of Trade Routes, and the pile of the virtual player.

    They become the blank rows after the last card of the card table, one after another.
    """
    g, printed = layout.g, int(layout.t.cards)
    used = 0

    def lay(owner: int, zone: int, number: int) -> range:
        """Put `number` nameless cards into a zone, and return the cards."""
        nonlocal used
        cards = range(printed + used, printed + used + number)
        used += number
        if printed + used > MAX_CARDS:
            raise layout.wrong("too many cards without a name", used)
        for card in cards:
            put(g, owner, zone, card)
        return cards

    for seat, player in enumerate(position.players):
        lay(seat, constants.FOUNDATIONS, player.foundations)
        lay(seat, constants.MARKERS, int(g.zone_size[seat, constants.TRADES]))
        for place, location in enumerate(player.locations):
            gate = int(g.zone[seat, constants.LOCATIONS, place])
            g.tucked[gate] = location.tucked
            for card in lay(seat, constants.TUCKED, location.tucked):
                g.host[card] = gate
    if position.solo is not None:
        lay(constants.VIRTUAL, constants.PILE, position.solo.pile)


def clear_nameless(g: Record, t: Record) -> None:
    """Remove nameless cards from decks and discard piles."""
    for zone in (constants.DISCARD, constants.DECK):
        for owner in range(constants.MAX_SEATS + 1):
            size = int(g.zone_size[owner, zone])
            cards = g.zone[owner, zone, :size]
            kept = cards[cards < t.cards]
            if len(kept) < size:
                g.zone[owner, zone, : len(kept)] = kept
                g.zone_size[owner, zone] = len(kept)


def _lay_rests(layout: Layout, position: Position) -> None:
    """Fill the decks that the position omits with all cards that are not placed yet, shuffled."""
    g, t = layout.g, layout.t
    if position.decks.common is None:
        _lay_rest(layout, constants.TABLE, constants.COMMON)
    for seat, player in enumerate(position.players):
        if player.deck is None:
            _lay_rest(layout, seat, int(g.faction[seat]))
    if g.solo and (position.solo is None or position.solo.deck is None):
        _lay_rest(layout, constants.VIRTUAL, constants.SOLO)
    g.knows_deck[: t.cards] = 0


def _lay_rest(layout: Layout, owner: int, deck: int) -> None:
    """Put the cards of a deck that are not placed yet into that deck, shuffled."""
    g, t = layout.g, layout.t
    rest = [card for card in map(int, np.flatnonzero(t.deck[: t.cards] == deck)) if card not in layout.laid]
    for card in rest:
        put(g, owner, constants.DECK, card)
    shuffle(g, DEAL, g.zone[owner, constants.DECK], len(rest))


def _lay_attack_cards(layout: Layout, position: Position) -> None:
    """Place the attack cards. The position names them by their targets."""
    solo, known = position.solo, sorted({row.target for row in layout.catalog.attacks})
    for field, zone, targets in (
        ("row", constants.ROW, [] if solo is None else solo.row),
        ("deck", constants.DECK, [] if solo is None else solo.deck or []),
    ):
        here = layout.at("solo", field)
        for named in reversed(_listed(here, constants.VIRTUAL, zone, targets, (constants.SOLO,), ALL_SEATS)):
            if named.name not in known:
                raise named.place.wrong("no attack card has this target", named.name, known)
            card = _find_card(named)
            layout.laid[card] = named.place.field
            named.lay(card)


def _lay_trades(layout: Layout, seat: int, deals: Sequence[PositionDeal]) -> None:
    g = layout.g
    for number, deal in enumerate(deals, start=1):
        if deal.of is None:
            continue
        here = layout.at("deals", number)
        here.at("of").check_opponent(deal.of, seat)
        card = location_named(g, layout.catalog, deal.of, deal.card)
        if card is None:
            built = [card_name(layout.catalog, each) for each in cards_in(g, deal.of, constants.LOCATIONS)]
            raise here.at("card").wrong("no such location of that seat", deal.card, built or "no location")
        if int(layout.t.deck[card]) < 0 or card in cards_in(g, seat, constants.TRADES):
            message = "a Trade Route makes one deal with each faction location"
            raise here.at("card").wrong(message, deal.card, "another faction location of that seat")
        put(g, seat, constants.TRADES, card)


# ---- The phase ----


def _enter_phase(layout: Layout, position: Position) -> None:
    """Enter the phase of the position, at the point of the phase that the position describes."""
    g, t = layout.g, layout.t
    clockwise = [(int(g.first_seat) + place) % int(g.players) for place in range(int(g.players))]
    waiting = [seat for seat in clockwise if not g.passed[seat]]
    mover = position.to_move if position.to_move is not None else next(iter(waiting), None)
    if g.phase == constants.ACT and waiting:
        g.turn_seat = mover
    elif g.phase == constants.ACT:
        end_actions(g, t)
    elif g.phase == constants.PRODUCE:
        g.turn_seat = g.first_seat if mover is None else mover
        begin_production(g, t, int(g.turn_seat))
    elif g.phase == constants.LOOKOUT and position.row:
        if g.lookout == constants.ALTERNATIVE and not g.solo:
            raise layout.at("row").wrong("the alternative lookout has packs and no row", position.row[0], "no card")
        _enter_lookout(layout, position)


def _enter_lookout(layout: Layout, position: Position) -> None:
    """Set the lookout to the most plausible number of picks made, given the size of the row and the seat to move."""
    g = layout.g
    picks = range(int(picks_of_lookout(g)))
    fits = [pick for pick in picks if _row_before(g, pick) == len(position.row)]
    mover = position.to_move
    by_mover = [pick for pick in picks if picker_of(g, pick) == (g.first_seat if mover is None else mover)]
    both = [pick for pick in by_mover if pick in fits]
    likely = both or (fits if mover is None or g.solo else []) or by_mover or [0]
    g.lookout_step = likely[0] + 1
    set_picker(g)


def _row_before(g: Record, pick: int) -> int:
    """Return how many cards are in the row just before a pick of the lookout phase. `pick` counts from 0."""
    players = int(g.players)
    if g.solo:
        return SOLO_ROW - pick
    if g.lookout == constants.STANDARD:
        return players + 1 - pick % players
    if players == 2:
        return ADVANCED_ROW - pick
    if pick < players:
        return ADVANCED_ROW if pick == 0 else ADVANCED_ROW - 1
    return 2 if pick == 2 * players - 1 else 3

"""The JSON format of a position (`docs/records.md`), and the loading of positions into a game record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, model_validator

from sim.compiler.kernel import Record
from sim.data.catalog import Name, Row, fault
from sim.data.place import NOWHERE, Place
from sim.engine.zones import put
from sim.games.imperium.data.catalog import Catalog
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.setup import (
    clear_table,
    hide_dealt_cards,
    is_spare_tributary,
    names_nation_in_play,
    zone_of_common,
)
from sim.games.imperium.rules.state import new_games
from sim.games.shared.describe import cards_in, near_names
from sim.games.shared.position_files import TableLayout, blank_table, name_alone

BOXES = ("classics", "legends")
MAX_TOKENS = 999
MAX_ZONE_CARDS = 100
"""Maximum number of cards in a zone of a position."""

# ---- The rows of a file ----

Names = Annotated[list[Name], Field(default_factory=list, max_length=MAX_ZONE_CARDS)]
Tokens = Annotated[int, Field(ge=0, le=MAX_TOKENS)]


class PositionTokens(Row):
    """Resource tokens."""

    material: Tokens = 0
    population: Tokens = 0
    progress: Tokens = 0


class PositionZones(Row):
    """Cards of a player. Each list goes from the bottom to the top of the zone; zones are empty by default."""

    hand: Names
    draw_deck: Names
    discard: Names
    in_play: Names
    history: Names
    nation: Annotated[list[Name], Field(max_length=MAX_ZONE_CARDS)] | None = None
    development: Names
    garrisoned: Annotated[dict[str, list[Name]], Field(default_factory=dict)]
    sunken: Names


class PositionPlayer(Row):
    """One player. The defaults are those at the start of a turn or, for resources, at the start of a game."""

    nation: Name
    side: Literal["A", "B"]
    state: Literal["barbarian", "empire"] | None = None
    resources: PositionTokens | None = None
    actions: Annotated[int, Field(ge=0, le=20)] | None = None
    exhausts: Annotated[int, Field(ge=0, le=20)] | None = None
    zones: Annotated[PositionZones, Field(default_factory=PositionZones)]
    exhausted: Names


class PositionSlot(Row):
    """A card in the market. A name alone stands for a card without tokens."""

    card: Name
    tokens: PositionTokens = PositionTokens()
    unrest: bool | None = None

    _name_alone = name_alone("card")


class PositionDecks(Row):
    """The decks on the table, from bottom to top. The unrest pile has only a size."""

    region: Names
    uncivilised: Names
    civilised: Names
    main: Names
    fame: Names
    unrest: Annotated[int, Field(ge=0, le=MAX_ZONE_CARDS)] | None = None


class PositionMove(Row):
    """A draw by a player, with the development that the player buys if the draw causes a reshuffle."""

    p: Annotated[int, Field(ge=0, le=3)]
    do: Literal["draw"]
    develop: Name | None = None


class Position(Row):
    """A complete table."""

    players: Annotated[list[PositionPlayer], Field(min_length=2, max_length=4)]
    commons: Literal["classics", "legends"] = "classics"
    market: Annotated[list[PositionSlot | None], Field(default_factory=list, max_length=constants.SLOTS)]
    decks: Annotated[PositionDecks, Field(default_factory=PositionDecks)]
    exile: Names
    king_of_kings: Literal["A", "B"] = "A"
    moves: Annotated[list[PositionMove], Field(max_length=MAX_ZONE_CARDS)] | None = None

    @model_validator(mode="after")
    def _no_nation_twice(self) -> Position:
        nations = [player.nation for player in self.players]
        for seat, nation in enumerate(nations):
            if nation in nations[:seat]:
                fault("two players have this nation", field=f"players.{seat + 1}.nation", found=nation)
        return self

    @model_validator(mode="after")
    def _moves_fit_the_players(self) -> Position:
        for number, move in enumerate(self.moves or [], start=1):
            if move.p >= len(self.players):
                fault("no such player", field=f"moves.{number}.p", found=move.p, allowed=range(len(self.players)))
        return self


# ---- Loading ----


@dataclass(frozen=True, kw_only=True)
class _Layout(TableLayout):
    """A table that is being set up from a position. For each card placed so far, `laid` has the field that names it."""

    laid: dict[int, str]

    def nation(self, seat: int) -> str:
        """Return the name of a seat's nation."""
        name: str = self.catalog.nations[self.t.faction_nation[self.g.faction[seat]]].name
        return name

    def called(self, cards: Iterable[int], name: str) -> list[int]:
        """Return the cards among `cards` that have this name or id."""
        rows = self.catalog.cards
        return [card for card in cards if name in (rows[card].id, rows[card].name)]

    def names_of(self, cards: Iterable[int]) -> list[str]:
        """Return the names of some cards."""
        return [self.catalog.cards[card].name for card in cards]

    def check_loose(self, card: int, name: str) -> None:
        """Raise UserError if a card has a fixed place: King of Kings, and cards that are always in play."""
        if self.t.kind[card] == constants.KING_OF_KINGS:
            where = 'King of Kings lies under the fame deck: "king_of_kings" says which side is up'
            raise self.wrong("not a card that lies here", name, where)
        if self.t.kind[card] != constants.CARD:
            where = "it is always in play: power cards by the side of the nation, a journey by its name in in_play"
            raise self.wrong("not a card that lies here", name, where)

    def lay(self, owner: int, zone: int, card: int) -> None:
        """Put a card into a zone."""
        self.laid[card] = self.field
        put(self.g, owner, zone, card)
        if owner != constants.TABLE and zone == constants.PLAY:
            self.g.passives[owner] |= self.t.passives[card]


def load_position(position: Position, catalog: Catalog, t: Record, place: Place = NOWHERE) -> Any:
    """Load a position into a game record. `place` is the position's file and line.

    Raises
    ------
    UserError
        A nation or a card is unknown. Or a card is not in this game, is named too often, or cannot be in its zone.
    """
    table = blank_table(new_games)
    g: Any = table[0]
    clear_table(g, len(position.players))
    g.commons = BOXES.index(position.commons)
    g.king_turned = int(position.king_of_kings == "B")
    layout = _Layout(place.file, place.row, place.field, g=g, t=t, catalog=catalog, laid={})
    for seat, player in enumerate(position.players):
        _seat_player(layout.at("players", seat + 1), seat, player)
    for seat, player in enumerate(position.players):
        _lay_zones(layout.at("players", seat + 1, "zones"), seat, player.zones)
        _lay_exhausted(layout.at("players", seat + 1), seat, player)
        _check_state(layout.at("players", seat + 1), seat, player.state)
    for zone, name in enumerate(constants.TABLE_ZONE_NAMES[: constants.FAME_DECK + 1]):
        _lay_deck(layout.at("decks", name), zone, getattr(position.decks, name))
    if g.king_turned and position.decks.fame:
        message = "King of Kings is turned over when no other fame card is left in the deck"
        raise layout.at("king_of_kings").wrong(message, "B", "A, or no card in decks.fame")
    for number, name in enumerate(position.exile, start=1):
        here = layout.at("exile", number)
        card = _find_card(here, constants.TABLE, name)
        here.check_loose(card, name)
        here.lay(constants.TABLE, constants.EXILE_PILE, card)
    _lay_market(layout, position.market)
    _lay_unrest_pile(layout.at("decks", "unrest"), position.decks.unrest)
    for seat, player in enumerate(position.players):
        if player.zones.nation is None and g.state[seat] == constants.BARBARIAN:
            _lay_nation_deck(layout.at("players", seat + 1, "zones", "nation"), seat)
    hide_dealt_cards(g, t)
    return table


def _seat_player(layout: _Layout, seat: int, player: PositionPlayer) -> None:
    g, t, catalog = layout.g, layout.t, layout.catalog
    nations = [nation.name for nation in catalog.nations]
    if player.nation not in nations:
        raise layout.at("nation").wrong("no such nation", player.nation, nations)
    faction = catalog.faction_names.index(f"{player.nation} {player.side}")
    g.faction[seat] = faction
    states = _states(t, faction)
    g.state[seat] = states[0] if player.state is None else constants.STATES.index(player.state)
    if g.state[seat] not in states:
        allowed = [constants.STATES[state] for state in states]
        raise layout.at("state").wrong(f"the {player.nation} never are this", player.state, allowed)
    for number, resource in enumerate(constants.RESOURCES):
        given = player.resources
        g.resource[seat, number] = t.start_resource[number] if given is None else getattr(given, resource)
    g.actions[seat] = t.actions if player.actions is None else player.actions
    most = int(t.faction_exhausts[faction])
    g.exhausts[seat] = max(0, most - len(player.exhausted)) if player.exhausts is None else player.exhausts
    tokens = int(g.exhausts[seat]) + len(player.exhausted)
    if tokens > most:
        field = "exhausts" if len(player.exhausted) <= most else "exhausted"
        message = f"the {player.nation} have {most} exhaust tokens, on the state card and on cards together"
        raise layout.at(field).wrong(message, tokens, f"at most {most}")


def _states(t: Record, faction: int) -> list[int]:
    """Return the states that a faction can have, the starting state first."""
    if t.faction_starts_empire[faction]:
        return [constants.EMPIRE]
    travels = any(t.kind[card] == constants.JOURNEY for card in _own_cards(t, faction))
    changes = travels or t.faction_becomes_empire[faction]
    return [constants.BARBARIAN, constants.EMPIRE] if changes else [constants.BARBARIAN]


def _own_cards(t: Record, faction: int) -> list[int]:
    own: list[int] = np.flatnonzero(t.nation[: t.cards] == t.faction_nation[faction]).tolist()
    return own


def _check_state(layout: _Layout, seat: int, given: str | None) -> None:
    """Check that a seat's state fits its nation deck and the journey card that it has in play, if any.

    If the position gives no state, set the state that the journey card implies.
    """
    g, t = layout.g, layout.t
    nation, left = layout.nation(seat), int(g.zone_size[seat, constants.NATION])
    if g.state[seat] == constants.EMPIRE and t.faction_becomes_empire[g.faction[seat]] and left:
        message = f"the {nation} become an empire with the last card of their nation deck"
        raise layout.at("zones", "nation").wrong(message, left, 'no card, or "state": "barbarian"')
    _check_accession(layout, seat)
    journey = [card for card in _own_cards(t, g.faction[seat]) if t.kind[card] == constants.JOURNEY]
    faces = [card for card in journey if card in layout.laid]
    if not faces:
        return
    state = _state_on_journey(t, journey, faces[0])
    if given is not None and g.state[seat] != state:
        face, are = layout.names_of(faces)[0], "an empire" if state == constants.EMPIRE else "barbarians"
        message = f"with {face} in play the {nation} are {are}"
        others = [card for card in journey if _state_on_journey(t, journey, card) == g.state[seat]]
        allowed = f'"{constants.STATES[state]}", or in_play with {" or ".join(layout.names_of(others))}'
        raise layout.at("state").wrong(message, given, allowed)
    g.state[seat] = state


def _check_accession(layout: _Layout, seat: int) -> None:
    """Check that a barbarian seat that can become an empire still has its accession card in the nation deck."""
    g, t = layout.g, layout.t
    if g.state[seat] == constants.EMPIRE or not t.faction_becomes_empire[g.faction[seat]]:
        return
    deck = cards_in(g, seat, constants.NATION)
    for card in _own_cards(t, g.faction[seat]):
        if t.start[card] == constants.START_ACCESSION and card in layout.laid and card not in deck:
            name, nation = layout.catalog.cards[card].name, layout.nation(seat)
            message = f"with {name} the {nation} have become an empire, and it lies in {layout.laid[card]}"
            raise layout.at("state").wrong(message, constants.STATES[constants.BARBARIAN], '"state": "empire"')


def _state_on_journey(t: Record, journey: Sequence[int], face: int) -> int:
    """Return the state, barbarian or empire, of a nation when the face `face` of its journey card is in play."""
    state = constants.BARBARIAN
    for card in journey[: journey.index(face) + 1]:
        start = t.program[card, constants.ENTER_PROGRAM]
        if t.code[start, constants.OPERATION] == constants.FLIP_STATE:
            state = int(t.code[start, constants.A])
    return state


def _lay_zones(layout: _Layout, seat: int, zones: PositionZones) -> None:
    fixed = _lay_fixed(layout, seat, zones.in_play)
    for zone, name in enumerate(constants.ZONE_NAMES):
        if zone != constants.GARRISON:
            for number, listed in enumerate(getattr(zones, name) or [], start=1):
                here = layout.at(name, number)
                if not (zone == constants.PLAY and listed in fixed):
                    card = _find_card(here, seat, listed)
                    _check_zone(here, seat, zone, card, listed)
                    here.lay(seat, zone, card)
    for host, names in zones.garrisoned.items():
        _lay_garrison(layout.at("garrisoned", host), seat, host, names)


def _lay_fixed(layout: _Layout, seat: int, named: Sequence[str]) -> list[str]:
    """Place a nation's cards that are always in play (power, court, a journey face); return their names and ids."""
    g, t, cards = layout.g, layout.t, layout.catalog.cards
    own = _own_cards(t, g.faction[seat])
    journey = [card for card in own if t.kind[card] == constants.JOURNEY]
    faces = [card for card in journey if {cards[card].name, cards[card].id} & set(named)] or journey
    fixed = [
        int(t.faction_power[g.faction[seat]]),
        *(card for card in own if t.kind[card] == constants.COURT),
        *faces[:1],
    ]
    for card in fixed:
        layout.lay(seat, constants.PLAY, card)
    return [
        word
        for card in fixed
        for word in (cards[card].id, *([cards[card].name] if t.kind[card] != constants.POWER else []))
    ]


def _check_zone(layout: _Layout, seat: int, zone: int, card: int, name: str) -> None:
    t = layout.t
    faction = layout.g.faction[seat]
    own = _own_cards(t, faction)
    nation = layout.nation(seat)
    layout.check_loose(card, name)
    if zone == constants.PLAY and not t.pinned[card]:
        raise layout.wrong("this card does not stay in play", name, "pinned cards")
    if zone == constants.HISTORY and not t.faction_has_history[faction]:
        raise layout.wrong(f"the {nation} have no history", name, "no card in history")
    if zone == constants.SUNKEN and not t.faction_sinks[faction]:
        raise layout.wrong(f"the {nation} have no sunken cards", name, "no card in sunken")
    if zone == constants.NATION and not _has_nation_deck(t, faction):
        raise layout.wrong(f"the {nation} have no nation deck", name, "no card in nation")
    lowest = card in own and t.start[card] == constants.START_ACCESSION
    if zone == constants.NATION and lowest and layout.g.zone_size[seat, zone]:
        raise layout.wrong("this card is always the lowest of a nation deck", name, "to be the first of the list")
    if zone == constants.DEVELOPMENT and not (card in own and t.start[card] == constants.START_DEVELOPMENT):
        areas = sorted(set(layout.names_of(row for row in own if t.start[row] == constants.START_DEVELOPMENT)))
        raise layout.wrong(f"not a development card of the {nation}", name, areas or "no card in development")


def _lay_garrison(layout: _Layout, seat: int, host: str, names: Sequence[str]) -> None:
    g, t = layout.g, layout.t
    in_play = cards_in(g, seat, constants.PLAY)
    hosts = layout.called(in_play, host)
    if not hosts:
        able = layout.names_of(card for card in in_play if t.kind[card] != constants.POWER)
        raise layout.wrong("no such card in play", host, able)
    for number, name in enumerate(names, start=1):
        here = layout.at(number)
        card = _find_card(here, seat, name)
        if t.kind[card] != constants.CARD or (t.no_garrison[card] and t.kind[hosts[0]] != constants.COURT):
            raise here.wrong("this card is never garrisoned", name)
        if t.kind[hosts[0]] == constants.COURT:
            _check_quest(here, seat, card, name, number)
        elif not _may_host(layout, hosts[0], card):
            able = layout.names_of(row for row in in_play if _may_host(layout, row, card))
            raise here.wrong("this host garrisons no cards", host, able or "no card in play does")
        here.lay(seat, constants.GARRISON, card)
        g.host[card] = hosts[0]


def _may_host(layout: _Layout, host: int, card: int) -> bool:
    """Tell whether a card can be garrisoned under a host, by an effect of the host or of the card."""
    if _says(layout.catalog, host, "garrison_here") or _says(layout.catalog, host, "copy_exhaust"):
        return True
    return bool(layout.t.kind[host] == constants.CARD and _says(layout.catalog, card, "garrison_self_in"))


def _says(catalog: Catalog, card: int, operation: str) -> bool:
    """Tell whether the effects of a card contain an operation."""

    def stands_in(effects: object) -> bool:
        if isinstance(effects, dict):
            return any(map(stands_in, effects.values()))
        return any(map(stands_in, effects)) if isinstance(effects, list) else effects == operation

    return stands_in(catalog.cards[card].model_dump())


def _check_quest(layout: _Layout, seat: int, card: int, name: str, number: int) -> None:
    """Check that the only card under a court is a quest: a development card of its nation."""
    g, t = layout.g, layout.t
    if number > 1:
        raise layout.wrong("at most one quest is active", name, "one card")
    if t.start[card] != constants.START_DEVELOPMENT or t.nation[card] != t.faction_nation[g.faction[seat]]:
        raise layout.wrong("not a quest", name, "a card that begins in the development area")
    if t.comes_last[card] and g.zone_size[seat, constants.DEVELOPMENT]:
        raise layout.wrong("this quest becomes active when no other impends", name, "no card in development")


def _lay_nation_deck(layout: _Layout, seat: int) -> None:
    """Fill the nation deck of a seat with its cards that are not placed yet. The accession card goes to the bottom."""
    t = layout.t
    own = _own_cards(t, layout.g.faction[seat])
    for start in (constants.START_ACCESSION, constants.START_NATION):
        for card in own:
            if t.start[card] == start and not _is_laid(layout, card):
                layout.lay(seat, constants.NATION, card)


def _lay_exhausted(layout: _Layout, seat: int, player: PositionPlayer) -> None:
    """Put exhaust tokens on cards in play, the nation deck and the development area."""
    g, t = layout.g, layout.t
    in_play = cards_in(g, seat, constants.PLAY)
    # A card can be exhausted for an ability or a reaction.
    able = [
        card for card in in_play if t.program[card, constants.EXHAUST_PROGRAM] or t.react_on[card] != constants.NEVER
    ]
    for number, name in enumerate(player.exhausted, start=1):
        here = layout.at("exhausted", number)
        if name in constants.EXHAUSTED_DECKS:
            _exhaust_deck(here, seat, name)
            continue
        ready = [card for card in in_play if not g.exhausted[card]]
        named = layout.called(ready, name)
        if not named:
            raise here.wrong("no such card in play", name, layout.names_of(ready))
        if not set(named) & set(able):
            raise here.wrong("this card has no exhaust ability", name, layout.names_of(able) or "no card")
        g.exhausted[next(card for card in named if card in able)] = 1


def _exhaust_deck(layout: _Layout, seat: int, name: str) -> None:
    g, t = layout.g, layout.t
    faction = g.faction[seat]
    is_nation = name == "nation"
    if not (_has_nation_deck(t, faction) if is_nation else t.faction_develops[faction]):
        message = f"the {layout.nation(seat)} {'have no nation deck' if is_nation else 'never develop'}"
        raise layout.wrong(message, name, "cards in play")
    tokens = g.nation_exhausted if is_nation else g.development_exhausted
    if tokens[seat]:
        raise layout.wrong("it already has an exhaust token", name, "each once")
    tokens[seat] = 1


def _has_nation_deck(t: Record, faction: int) -> bool:
    return any(t.start[card] in (constants.START_NATION, constants.START_ACCESSION) for card in _own_cards(t, faction))


def _lay_deck(layout: _Layout, deck: int, names: Sequence[str]) -> None:
    t = layout.t
    most = _most_in_deck(layout, deck) if names else 0
    if len(names) > most:
        allowed = f"at most {most} with {layout.g.players} players"
        raise layout.wrong("more cards than this deck has", len(names), allowed)
    for number, name in enumerate(names, start=1):
        here = layout.at(number)
        card = _find_card(here, constants.TABLE, name)
        loose = t.start[card] == constants.START_COMMONS and t.kind[card] == constants.CARD
        in_main = deck == constants.MAIN_DECK and t.suits[card] & constants.FAME == 0
        fits = loose and t.suits[card] & constants.UNREST == 0 and (in_main or zone_of_common(t, card) == deck)
        if not fits:
            raise here.wrong("not a card of this deck", name, f"cards of the {constants.TABLE_ZONE_NAMES[deck]} deck")
        here.lay(constants.TABLE, deck, card)


def _most_in_deck(layout: _Layout, deck: int) -> int:
    """Return the maximum size of a deck.

    No card returns to a small deck or the fame deck, so the maximum is the size at set-up. For the main deck it is
    `MAX_ZONE_CARDS`.
    """
    g, t = layout.g, layout.t
    if deck == constants.MAIN_DECK:
        return MAX_ZONE_CARDS
    if deck != constants.FAME_DECK:
        return int(t.deck_size[g.players])
    commons = [
        card for card in range(t.cards) if t.start[card] == constants.START_COMMONS and t.kind[card] == constants.CARD
    ]
    fame = [card for card in commons if zone_of_common(t, card) == constants.FAME_DECK and _plays(layout, card)]
    return len(fame) - int(t.fame_removed[g.players])


def _lay_market(layout: _Layout, slots: Sequence[PositionSlot | None]) -> None:
    """Place the market, with tokens on its cards and unrest below them."""
    g, t = layout.g, layout.t
    for number, slot in enumerate(slots):
        if slot is None:
            continue
        here = layout.at("market", number + 1, "card")
        card = _find_card(here, constants.TABLE, slot.card)
        # A market card may be of any kind, because exiled cards can be swapped into the market.
        here.check_loose(card, slot.card)
        if t.suits[card] & constants.UNREST:
            raise here.wrong("not a card of the market", slot.card, "any other card")
        here.laid[card] = here.field
        g.market[number] = card
        g.market_tokens[number] = [getattr(slot.tokens, resource) for resource in constants.RESOURCES]
        tucks = bool(t.suits[card] & constants.TUCKS_UNREST)
        if slot.unrest and not tucks:
            raise layout.at("market", number + 1, "unrest").wrong("no unrest lies below a region", True, "false")
        if tucks and slot.unrest is not False:
            g.market_unrest[number] = _find_card(here, constants.TABLE, "Unrest")
            here.laid[int(g.market_unrest[number])] = here.field


def _lay_unrest_pile(layout: _Layout, number: int | None) -> None:
    """Place the unrest pile: `number` cards or, by default, all that are not placed yet."""
    t = layout.t
    rest = [
        card
        for card in range(t.cards)
        if t.suits[card] & constants.UNREST and _plays(layout, card) and not _is_laid(layout, card)
    ]
    if number is not None and number > len(rest):
        raise layout.wrong("more unrest than there is", number, f"at most {len(rest)}: the others lie elsewhere")
    for card in rest if number is None else rest[:number]:
        layout.lay(constants.TABLE, constants.UNREST_PILE, card)


# ---- Names of cards ----


def _is_laid(layout: _Layout, card: int) -> bool:
    """Tell whether a card, or its other side, is already placed."""
    other = int(layout.t.other_side[card])
    return card in layout.laid or (other != constants.NO_CARD and other in layout.laid)


def _reason_not_played_with(layout: _Layout, card: int) -> str | None:
    """Return the reason why a card is not in this game; None if the card is in it."""
    g, t = layout.g, layout.t
    nations = [int(t.faction_nation[g.faction[seat]]) for seat in range(g.players)]
    nation = int(t.nation[card])
    if nation >= 0 and nation not in nations:
        return f"a card of the {layout.catalog.nations[nation].name}, who do not play"
    other_box = not t.box[card] & (1 << g.commons)
    commons = f"the commons are those of {BOXES[g.commons].capitalize()}"
    if nation < 0 and t.suits[card] & constants.TRIBUTARY:
        if names_nation_in_play(g, t, card) and _spare_tributaries(g, t) >= _replaced_tributaries(g, t):
            return "a tributary with the name of a nation that plays, which another one replaces"
        if other_box and not _replaced_tributaries(g, t):
            return f"a tributary of the other box, and none of the box names a nation that plays; {commons}"
    elif nation < 0 and other_box:
        return f"a card of the other box; {commons}"
    if t.min_players[card] > g.players:
        return f"a card for {t.min_players[card]} or more players"
    return None


def _spare_tributaries(g: Record, t: Record) -> int:
    """Return the number of tributaries that can replace those with the name of a nation in play."""
    return sum(is_spare_tributary(g, t, card) for card in range(t.cards))


def _replaced_tributaries(g: Record, t: Record) -> int:
    """Count the tributaries of the box that have the name of a nation in play."""
    return sum(
        bool(t.suits[card] & constants.TRIBUTARY and t.nation[card] < 0 and t.box[card] & (1 << g.commons))
        and bool(t.min_players[card] <= g.players and names_nation_in_play(g, t, card))
        for card in range(t.cards)
    )


def _plays(layout: _Layout, card: int) -> bool:
    return _reason_not_played_with(layout, card) is None


def _find_card(layout: _Layout, owner: int, name: str) -> int:
    """Return a card with this name that is not placed yet: if possible one of the owner's nation, else a common."""
    g, t, cards = layout.g, layout.t, layout.catalog.cards
    rows = [card for card, row in enumerate(cards) if row.id == name] or [
        card for card, row in enumerate(cards) if row.name == name and t.kind[card] != constants.POWER
    ]
    if not rows:
        known = sorted({row.name for card, row in enumerate(cards) if _plays(layout, card)})
        otherwise = "the name or id of a card of the nations that play, or of the commons"
        raise layout.wrong("no such card", name, near_names(known, name, otherwise))
    playing = [card for card in rows if _plays(layout, card)]
    if not playing:
        raise layout.wrong(str(_reason_not_played_with(layout, rows[0])), name)
    free = [card for card in playing if not _is_laid(layout, card)]
    if not free:
        if any(t.kind[card] == constants.POWER for card in playing):
            raise layout.wrong("a power card is always in play", name, "the name and side of the nation say which")
        lying = sorted({layout.laid[card] for card in playing if card in layout.laid})
        count = len(playing)
        message = "this card is already elsewhere" if count == 1 else f"all {count} cards of this name lie elsewhere"
        raise layout.wrong(message, name, f"each card once; see {', '.join(lying)}")
    own = [card for card in free if owner != constants.TABLE and t.nation[card] == t.faction_nation[g.faction[owner]]]
    commons = [card for card in free if t.nation[card] < 0]
    of_the_box = [card for card in commons if t.box[card] & (1 << g.commons)]
    return (own or of_the_box or commons or free)[0]

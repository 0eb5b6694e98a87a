"""Small positions of Imperium for tests: cards by name, laid where a test wants them.

    g = position(nations=("Celts A", "Romans B"), hand={0: ["Advance", "Unrest"]}, play={1: ["Latium"]})
    assert names(g, 0, HAND) == ["Advance", "Unrest"]

A card is named as printed, or by its id in the card files ("CEL16"), which says exactly which card is meant.
"""

import itertools
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from sim.engine.rng import start_streams
from sim.engine.zones import put
from sim.games.imperium.data.catalog import load_catalog
from sim.games.imperium.data.compile import _fill_rules, build_tables
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.setup import clear_table, hide_dealt_cards, starts_face_up
from sim.games.imperium.rules.state import new_games
from tests.kit.plans import deal

CATALOG: Any = load_catalog()
T: Any = build_tables(CATALOG)
IDS: Sequence[str] = [card.id for card in CATALOG.cards]
NAMES: Sequence[str] = [card.name for card in CATALOG.cards]
FACTIONS: Sequence[str] = CATALOG.faction_names
"""Ids and names of the cards, by row of the card table; names of the factions."""
NATION, BOX, OTHER_SIDE = (T[field].tolist() for field in ("nation", "box", "other_side"))
"""Nation, boxes and row of the other side, by row of the card table."""
ROWS: defaultdict[str, list[int]] = defaultdict(list, {name: [row] for row, name in enumerate(IDS)})
for row in np.flatnonzero(T.kind[: T.cards] != constants.POWER).tolist():
    ROWS[NAMES[row]].append(row)
"""Rows of cards by name, and the row of each by id."""
FACTS: dict[str, dict[str, Any]] = {
    fact["id"]: fact for fact in json.loads((Path(__file__).parent / "data" / "cards.json").read_text("utf-8"))
}
"""By id what is printed on every card, gathered independently of the card files from the transcriptions that
configs/games/imperium/shared.toml names."""

ALL_FACTIONS = range(len(FACTIONS))
PLAIN_NATIONS = ("Romans B", "Greeks B", "Persians B", "Macedonians B")
"""Nations of a position that names none: none of them has rules of its own."""

SEAT_ZONES = {
    "hand": constants.HAND,
    "deck": constants.DECK,
    "discard": constants.DISCARD_PILE,
    "play": constants.PLAY,
    "history": constants.HISTORY,
    "nation": constants.NATION,
    "development": constants.DEVELOPMENT,
    "sunken": constants.SUNKEN,
}
TABLE_ZONES = {
    "regions": constants.REGION_DECK,
    "uncivilised": constants.UNCIVILISED_DECK,
    "civilised": constants.CIVILISED_DECK,
    "main": constants.MAIN_DECK,
    "fame": constants.FAME_DECK,
    "exile": constants.EXILE_PILE,
}

Seats = Mapping[int, Sequence[str]]
"""Cards of some seats by name, each list from the bottom of the zone to its top."""


@cache
def tables_with(**settings: object) -> Any:
    """Tables of the game with some settings of rules.toml set otherwise: `tables_with(active_quest_is_scored=True)`.

    Settings change no card, so only the rules are filled in again.
    """
    t: Any = T.copy()
    _fill_rules(t, load_catalog(settings=settings))
    return t


# ---- Cards ----


def card(name: str, nation: str | None = None) -> int:
    """Row of a card: by id, or the first of this name (of a nation such as "Celts", if given)."""
    rows = copies(name)
    if nation is not None:
        number = T.faction_nation[FACTIONS.index(f"{nation} A")]
        rows = [row for row in rows if T.nation[row] == number]
    assert rows, f"no card {name!r}"
    return rows[0]


def copies(name: str) -> list[int]:
    """Rows of all cards of a name, or the row of an id; a name never means the power card of a nation."""
    return ROWS.get(name, [])


def faction(name: str) -> int:
    """Number of a faction: "Celts A"."""
    return FACTIONS.index(name)


# ---- Positions ----


def position(
    players: int = 2,
    nations: Sequence[str] = PLAIN_NATIONS,
    *,
    commons: int = 0,
    unrest: int = 8,
    resources: Mapping[int, tuple[int, int, int]] | None = None,
    empire: Iterable[int] = (),
    power: bool = True,
    market: Sequence[str | None] = (),
    garrison: Mapping[int, Mapping[str, Sequence[str]]] | None = None,
    turn: int = 0,
    t: Any = None,
    **zones: Any,
) -> Any:
    """Lay out a game in which nothing lies anywhere but what is named here.

    Of the copies of a card that a name can mean, a seat gets one of its own nation, else a common of this box, else
    any; no copy is laid twice.

    Parameters
    ----------
    commons, nations
        Box of the commons: 0 Classics, 1 Legends; factions such as "Celts A", by seat.
    unrest
        Cards in the unrest pile; without any the game would have collapsed.
    resources, empire, garrison
        Of seats: material, population and progress; seats whose state card shows its empire side, besides those of
        nations that start with it; cards garrisoned, by the card in play above them: `{0: {"Celtica": ["Conquer"]}}`.
    power
        Whether power cards, King Arthur's Court and the first card of the journey lie in play.
    market
        Cards of the slots, None for an empty one; unrest is tucked below as in set-up, besides that of `unrest`.
    turn
        Seat whose turn it is, in its activate phase with all tokens.
    **zones
        By the names of `SEAT_ZONES` the cards of seats, `hand={0: ["Advance"]}`; by those of `TABLE_ZONES` the cards on
        the table. The last card of a deck is its top.

    Returns
    -------
    The record of the game.
    """
    t = T if t is None else t
    g: Any = new_games(1)[0]
    start_streams(g, 0, 0, 0)
    clear_table(g, players)
    g.commons = commons
    g.turn_seat = turn
    g.activating = 1
    laid: set[int] = set()
    for seat in range(players):
        start_seat(g, t, seat, faction(nations[seat]), power, laid)
        g.resource[seat] = (resources or {}).get(seat, (0, 0, 0))
        if seat in tuple(empire):
            g.state[seat] = constants.EMPIRE
    for name, content in zones.items():
        if name in TABLE_ZONES:
            lay(g, t, constants.TABLE, TABLE_ZONES[name], content, laid)
        else:
            for seat, listed in content.items():
                lay(g, t, seat, SEAT_ZONES[name], listed, laid)
    for seat, hosts in (garrison or {}).items():
        for host, guests in hosts.items():
            under = next(row for row in cards_in(g, seat, constants.PLAY) if row in copies(host))
            for row in lay(g, t, seat, constants.GARRISON, guests, laid):
                g.host[row] = under
    lay_unrest_and_market(g, t, unrest, market, laid)
    hide_dealt_cards(g, t)
    return g


def start_seat(g: Any, t: Any, seat: int, number: int, power: bool, laid: set[int]) -> None:
    """Give a seat its faction, tokens and state, and what its nation has in play from the start."""
    g.faction[seat] = number
    g.actions[seat] = t.actions
    g.exhausts[seat] = t.faction_exhausts[number]
    g.state[seat] = constants.EMPIRE if t.faction_starts_empire[number] else constants.BARBARIAN
    for row in np.flatnonzero(t.nation[: t.cards] == t.faction_nation[number]).tolist():
        special = t.kind[row] not in (constants.CARD, constants.KING_OF_KINGS) and t.suits[row] & constants.UNREST == 0
        if power and special and starts_face_up(g, t, seat, row):
            put(g, seat, constants.PLAY, row)
            g.passives[seat] |= t.passives[row]
            laid.add(row)


def lay(g: Any, t: Any, owner: int, zone: int, listed: Sequence[str], laid: set[int]) -> list[int]:
    """Lay the cards of these names on a zone; return their rows."""
    rows = []
    for name in listed:
        row = pick_copy(g, t, owner, name, laid)
        laid.add(row)
        rows.append(row)
        put(g, owner, zone, row)
        if owner < constants.TABLE and zone == constants.PLAY:
            g.passives[owner] |= t.passives[row]
    return rows


def pick_copy(g: Any, t: Any, owner: int, name: str, laid: set[int]) -> int:
    """Row of the card that a name means for a seat: its own nation's, else a common of the box, else any."""
    free = [row for row in copies(name) if row not in laid and OTHER_SIDE[row] not in laid]
    assert free, f"no card {name!r} left" if copies(name) else f"no card {name!r}"
    nation = int(t.faction_nation[g.faction[owner]]) if owner < constants.TABLE else -1
    own = (row for row in free if nation >= 0 and NATION[row] == nation)
    common = (row for row in free if NATION[row] < 0 and BOX[row] & (1 << int(g.commons)))
    return next(itertools.chain(own, common, free))


def lay_unrest_and_market(g: Any, t: Any, unrest: int, market: Sequence[str | None], laid: set[int]) -> None:
    """Lay the cards of the market with unrest below them, and the unrest pile."""
    assert len(market) <= constants.SLOTS
    for slot, name in enumerate(market):
        if name is not None:
            row = pick_copy(g, t, constants.TABLE, name, laid)
            laid.add(row)
            g.market[slot] = row
            if t.suits[row] & constants.TUCKS_UNREST:
                g.market_unrest[slot] = pick_copy(g, t, constants.TABLE, "Unrest", laid)
                laid.add(int(g.market_unrest[slot]))
    lay(g, t, constants.TABLE, constants.UNREST_PILE, ["Unrest"] * unrest, laid)


def dealt(
    players: int = 2, commons: int = 0, seed: int = 1, block: int = 0, nations: Sequence[str] = (), t: Any = None
) -> Any:
    """Record of a whole game as set up; with `nations`, seat i plays entry i of them."""
    g: Any = new_games(1)[0]
    pool = [faction(name) for name in nations] if nations else ALL_FACTIONS
    deal(
        "imperium", g, T if t is None else t, pool,
        players=players, fixed=bool(nations), seed=seed, number=block, variant=commons,
    )  # fmt: skip
    return g


# ---- Looking ----


def cards_in(g: Any, owner: int, zone: int) -> list[int]:
    """Rows of the cards in a zone, from its bottom to its top."""
    return [int(row) for row in g.zone[owner, zone, : g.zone_size[owner, zone]]]


def names(g: Any, owner: int, zone: int) -> list[str]:
    """Names of the cards in a zone, from its bottom to its top."""
    return [NAMES[row] for row in cards_in(g, owner, zone)]


def found(g: Any, owner: int, zone: int, name: str) -> int:
    """Row of the first card of a name, or with an id, in a zone."""
    return next(row for row in cards_in(g, owner, zone) if row in copies(name))


def all_cards(g: Any) -> list[int]:
    """Rows of all cards of a game, wherever they lie, those in the market and below it included; sorted."""
    zones = [
        row
        for owner in range(constants.TABLE + 1)
        for zone in range(constants.ZONES)
        for row in cards_in(g, owner, zone)
    ]
    market = [int(row) for row in (*g.market, *g.market_unrest) if row != constants.NO_CARD]
    return sorted(zones + market)


# ---- Tables with a market ----

MARKET_CARDS = ("Oasis", "Elders", "Education", "City", "Lost Scroll")
"""A market of a region, an uncivilised, a civilised card and two that are both."""


def table(**zones: Any) -> Any:
    """Lay out a position whose decks have cards to refill the market, but for those that lie elsewhere."""
    laid = set(named(zones))
    decks: dict[str, Any] = {
        "regions": ["Steppe", "Forest"],
        "uncivilised": ["Town", "Shrine"],
        "civilised": ["Temple", "Coinage"],
        "main": ["Hills", "Armenians", "Wonder", "Metropolis"],
    }
    decks = {zone: [name for name in cards if name not in laid] for zone, cards in decks.items()}
    return position(**{"market": MARKET_CARDS, "power": False, **decks, **zones})


def named(content: Any) -> list[str]:
    """Names of all cards that a description of zones speaks of."""
    if isinstance(content, str):
        return [NAMES[card(content)]] if content in NAMES or content in IDS else []
    inside = content.values() if isinstance(content, dict) else content if isinstance(content, list | tuple) else ()
    return [name for part in inside for name in named(part)]


def in_market(g: Any) -> list[str | None]:
    return [None if row == constants.NO_CARD else NAMES[row] for row in g.market]


def have(g: Any, seat: int = 0) -> list[int]:
    """Material, population and progress of a seat."""
    return [int(number) for number in g.resource[seat]]


def unrest_pile(g: Any) -> int:
    return int(g.zone_size[constants.TABLE, constants.UNREST_PILE])

"""Numbers and cards that a position defines for itself. They replace printed ones (`docs/records.md`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, TypeVar

import numpy as np
from pydantic import Field, model_validator

from sim.compiler.kernel import Record
from sim.data.catalog import MAX_NUMBER, Name, NoRepeats, Number, Row
from sim.data.place import Place
from sim.games.glory_of_rome.data.catalog import Catalog
from sim.games.glory_of_rome.data.compile import build_tables
from sim.games.glory_of_rome.data.language import Building, Condition, Count, Direction, Effect, Reward, TradeType, When
from sim.games.glory_of_rome.data.models import Card, Event, Mission, Region, SenateValues, TradeCard, check_mission
from sim.games.glory_of_rome.rules import constants
from sim.games.glory_of_rome.rules.tables import MAX_CARDS, MAX_POPULATION

CERTAIN: dict[str, Any] = {"certainty": "stand-in", "source": None, "copies": 1}

Price = Annotated[list[Number], Field(min_length=2, max_length=2)]
Prices = Annotated[list[Price], Field(min_length=constants.LEVELS, max_length=constants.LEVELS)]
CardT = TypeVar("CardT", bound=Card)


class PositionTradeCard(Row):
    """A trade card. Without `when` it cannot be played."""

    name: Name
    type: TradeType
    when: When = "never"
    effect: Effect = Field(default_factory=Effect)


class PositionMission(Row):
    """A mission: its points, and either a condition or a count. With a count, each counted thing brings the points."""

    name: Name
    points: Annotated[int, Field(ge=-MAX_NUMBER, le=MAX_NUMBER)]
    condition: Condition | None = Field(default=None, alias="if")
    per: Count | None = None

    _has_a_condition_or_a_count = model_validator(mode="after")(check_mission)


class PositionEvent(Row):
    """An event. Without `if`, every player receives its reward."""

    name: Name
    turn: Direction
    arrows: Annotated[int, Field(ge=1, le=2)] = 1
    reward: Reward = Field(default_factory=Reward)
    condition: Condition | None = Field(default=None, alias="if")
    negative: bool = False


class PositionData(Row):
    """The data that a position replaces. All other data is unchanged."""

    prices: Annotated[dict[Building, Prices], Field(default_factory=dict)]
    penalties: Annotated[dict[str, Number], Field(default_factory=dict)]
    shields: Annotated[dict[Region, Number], Field(default_factory=dict)]
    senate_values: SenateValues | None = None
    trade_cards: Annotated[list[PositionTradeCard], Field(default_factory=list, max_length=MAX_CARDS), NoRepeats]
    missions: Annotated[list[PositionMission], Field(default_factory=list, max_length=MAX_CARDS), NoRepeats]
    events: Annotated[list[PositionEvent], Field(default_factory=list, max_length=MAX_CARDS), NoRepeats]


def replace_data(data: PositionData, catalog: Catalog, place: Place) -> tuple[Catalog, Record]:
    """Return the catalogue and the tables, with the data that a position defines for itself.

    Raises
    ------
    UserError
        `penalties` names an impossible population, a card is listed twice, or there are too many cards.
    """
    catalog = replace(_replace_board(data, catalog, place), **_own_cards(data, catalog, place))
    cards = len(catalog.cards)
    if cards > MAX_CARDS:
        found = len(data.trade_cards) + len(data.missions) + len(data.events)
        raise place.wrong("too many cards", found, f"at most {MAX_CARDS - cards + found} of the position's own")
    t = writable(build_tables(catalog))
    for number, card in enumerate(data.trade_cards):
        # In positions, a card without an effect can be played, too. It is just discarded.
        t.when[number] = constants.CONDITIONS_OF_PLAY.index(card.when)
    return catalog, t


def writable(t: Record) -> Any:
    """Return a writable copy of tables."""
    return np.array([t], t.dtype)[0]


def _replace_board(data: PositionData, catalog: Catalog, place: Place) -> Catalog:
    """Return the catalogue with the board numbers that a position defines for itself."""
    known = [str(population) for population in range(1, MAX_POPULATION)]
    for population in data.penalties:
        place.at("penalties").check_name(population, known, "no such population")
    own_prices = {
        (kind, level): {"price": price, "glory": glory}
        for kind, pairs in data.prices.items()
        for level, (price, glory) in enumerate(pairs, start=1)
    }
    senate = catalog.senate
    if data.senate_values is not None:
        changed = {"ascending": data.senate_values, "as_in_the_picture": data.senate_values}
        senate = senate.model_copy(update=changed)
    return replace(
        catalog,
        buildings=tuple(
            site.model_copy(update=own_prices.get((site.type, site.level), {})) for site in catalog.buildings
        ),
        penalties=tuple(
            row.model_copy(update={"glory": data.penalties.get(str(row.population), row.glory)})
            for row in catalog.penalties
        ),
        regions=tuple(
            region.model_copy(update={"shield": data.shields[region.name], "shield_2_players": None})
            if region.name in data.shields
            else region
            for region in catalog.regions
        ),
        senate=senate,
    )


def _own_cards(data: PositionData, catalog: Catalog, place: Place) -> Mapping[str, Any]:
    """Return the cards of each kind, the position's own first."""
    # The checks of the data files are skipped, because a position need not give all fields of a card.
    own: dict[str, list[Any]] = {
        "trade_cards": [TradeCard.model_construct(**dict(card), star=False, **CERTAIN) for card in data.trade_cards],
        "missions": [
            Mission.model_construct(**dict(card), star=False, removed_in=[], **CERTAIN) for card in data.missions
        ],
        "events": [Event.model_construct(**dict(card), **CERTAIN) for card in data.events],
    }
    return {kind: _before(cards, getattr(catalog, kind), place.at(kind)) for kind, cards in own.items()}


def _before(own: Sequence[Any], printed: Sequence[CardT], place: Place) -> tuple[CardT, ...]:
    """Return a position's own cards, followed by the printed cards with other names."""
    names = [card.name for card in own]
    for number, name in enumerate(names):
        if name in names[:number]:
            raise place.at(number + 1, "name").wrong("this card stands twice", name)
    return (*own, *(card for card in printed if card.name not in names))

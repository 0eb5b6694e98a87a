"""Cards of Imperium: what the TOML files may say, and the tables that kernels read.

`load_catalog` reads `configs/games/imperium/` (a file for each nation, the commons of both boxes, rules.toml) and
checks every row. `build_tables` compiles the effects to the code of `vocabulary` and packs everything into one record
of dtype `TABLES`, which every kernel takes as `t`. Cards stand in the order of the files, those of the nations first.
The header of shared.toml explains fields and operations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import numpy as np
from pydantic import AfterValidator, Field, model_validator

from sim.data.catalog import (
    CONFIGS,
    Certainty,
    Kind,
    Row,
    certainty_shares,
    check_tables,
    digest,
    fault,
    no_repeats,
    validate_row,
    validate_rows,
)
from sim.data.changes import Change, read_changed
from sim.errors import UserError
from sim.games.imperium import words
from sim.games.imperium.state import (
    ABANDONED,
    DISCARDED,
    END_REASONS,
    HAND,
    ICONS,
    MAX_CARDS,
    NO_STATE,
    PAID,
    PLAY,
    PROGRESS,
    RESOURCES,
    STATES,
    SUITS,
    ZONE_NAMES,
    ZONES,
)
from sim.games.imperium.words import CODE_COLUMNS, NEXT, NOTHING, OPERATION, PROGRAMS, A, B, C, D

MAX_CODE = 4096
MAX_SELECTORS = 96
MAX_FACTIONS = 40
MAX_IGNORES = 3

CARD = (MAX_CARDS,)

TABLES = np.dtype(
    (
        np.record,
        [
            ("cards", np.int64),
            ("factions", np.int64),
            # What is printed
            ("nation", np.int16, CARD),  # nation a card belongs to, -1 for commons
            ("box", np.int16, CARD),  # bits of the boxes a common comes in: 1 Classics, 2 Legends
            ("kind", np.int16, CARD),  # CARD, POWER, JOURNEY, COURT, KING_OF_KINGS of `state`
            ("other_side", np.int16, CARD),  # -1 for none
            ("name", np.int16, CARD),  # same for cards of one name
            ("suits", np.int16, CARD),
            ("state", np.int16, CARD),  # state icon, NO_STATE for none
            ("pinned", np.int16, CARD),
            ("attack", np.int16, CARD),
            ("icons", np.int16, (MAX_CARDS, 3)),
            ("start", np.int16, CARD),  # START_DECK to START_COMMONS
            ("min_players", np.int16, CARD),
            ("cost", np.int16, (MAX_CARDS, 3)),  # of development
            ("free_play", np.int16, CARD),
            ("unplayable", np.int16, CARD),
            ("no_garrison", np.int16, CARD),
            ("comes_last", np.int16, CARD),  # a quest that may become active only when no other impends
            ("fixed_in_play", np.int16, CARD),  # can be neither abandoned nor recalled
            ("region_weight", np.int16, CARD),  # regions it counts as
            # Effects
            ("code", np.int16, (MAX_CODE, CODE_COLUMNS)),
            ("program", np.int16, (MAX_CARDS, PROGRAMS)),
            ("selector", np.uint8, (MAX_SELECTORS, MAX_CARDS)),
            ("react_on", np.int16, CARD),
            ("react_to", np.int16, CARD),
            ("react_any_turn", np.int16, CARD),
            ("when", np.int16, CARD),
            ("when_to", np.int16, CARD),
            # Passives
            ("hand_size", np.int16, CARD),
            ("look_extra", np.int16, CARD),  # fame cards looked at beyond what an effect says
            ("ignores", np.int16, (MAX_CARDS, MAX_IGNORES, 2)),  # selector or NOTHING, state icon that is ignored
            ("unrest_cost", np.int16, (MAX_CARDS, 2)),  # change of what unrest costs to play: material, cards; least 1
            ("development_cost", np.int16, (MAX_CARDS, len(RESOURCES))),  # change, least 0
            ("market_token", np.int16, (MAX_CARDS, 2)),  # resource or -1, and number, put on the market in clean-up
            ("no_history", np.int16, CARD),
            ("exile_suits", np.int16, CARD),  # suits that may be acquired from exile
            ("shield", np.int16, CARD),  # how it keeps attacks away
            ("shield_arg", np.int16, CARD),  # selector recalled, or population paid
            ("plays_free", np.int16, CARD),  # selector of cards that are free plays, NOTHING
            ("replaces_gain", np.int16, CARD),  # resource, -1
            ("sinks_with", np.int16, CARD),  # selector of the card it leaves play with, NOTHING
            ("discard_relief", np.int16, CARD),  # 1: its reaction lowers a discard, 2: its garrison may be abandoned
            ("relief_of", np.int16, CARD),  # selector of such discards
            # Points
            ("points_kind", np.int16, CARD),
            ("points_at", np.int16, (MAX_CARDS, ZONES)),  # fixed and conditional points by zone
            ("points", np.int16, CARD),  # variable: points for each `per` of what is counted, at most `cap`
            ("per", np.int16, CARD),
            ("cap", np.int16, CARD),
            ("of", np.int16, CARD),
            ("of_arg", np.int16, (MAX_CARDS, 2)),
            # Factions: a nation with a side of its power card
            ("faction_nation", np.int16, (MAX_FACTIONS,)),
            ("faction_power", np.int16, (MAX_FACTIONS,)),
            ("faction_has_history", np.int16, (MAX_FACTIONS,)),
            ("faction_sinks", np.int16, (MAX_FACTIONS,)),  # has a sunken pile
            ("faction_develops", np.int16, (MAX_FACTIONS,)),  # can develop
            ("faction_becomes_empire", np.int16, (MAX_FACTIONS,)),  # flips its state with the accession card
            ("faction_starts_empire", np.int16, (MAX_FACTIONS,)),
            ("faction_exhausts", np.int16, (MAX_FACTIONS,)),
            ("faction_hint", np.float64, (MAX_FACTIONS, 24)),  # what a nation wants, for players
            # Numbers of the rulebook and settings
            ("start_resource", np.int64, (3,)),
            ("actions", np.int64),
            ("hand", np.int64),
            ("deck_size", np.int64, (5,)),  # of the small decks, by players
            ("fame_removed", np.int64, (5,)),
            ("round_limit", np.int64),
            ("turn_limit", np.int64),
            ("fallback_resource", np.int64),  # break through that finds nothing
            ("fallback_number", np.int64),
            ("king_of_kings", np.int64),  # its side A
            ("king_once_per_player", np.int64),
            ("quest_is_scored", np.int64),
            ("garrisoned_unrest_counts", np.int64),
            ("sunken_unrest_counts", np.int64),
            ("unpayable_forbids", np.int64),  # FORBIDS_NOTHING to FORBIDS_ALL of `vocabulary`
            ("empty_option_allowed", np.int64),
            ("play_triggers_first", np.int64),
            ("avoiding_loses_benefits", np.int64),
            ("power_card_is_counted", np.int64),
            ("tokens_on_cards_score", np.int64),
            ("tokens_gained_when_card_leaves", np.int64),
            ("tucked_unrest_is_taken", np.int64),
            ("barbarian_may_develop", np.int64),
        ],
    )
)
"""dtype of the tables; every index of a card is a row of the card table."""

START_DECK, START_NATION, START_ACCESSION, START_DEVELOPMENT, START_IN_PLAY, START_UNREST_PILE, START_COMMONS = range(7)

FOLDER = CONFIGS / "games" / "imperium"

NATIONS = (
    "carthaginians",
    "celts",
    "greeks",
    "macedonians",
    "persians",
    "romans",
    "scythians",
    "vikings",
    "arthurians",
    "atlanteans",
    "egyptians",
    "mauryans",
    "minoans",
    "olmecs",
    "qin",
    "utopians",
)
"""Files of the nations, in the order of their ids."""
COMMONS = {"shared": 3, "classics": 1, "legends": 2}
"""Files of the commons, with the bits of the boxes their cards come in."""

# ---- Rows ----

Suit = Literal["region", "uncivilised", "civilised", "tributary", "fame", "unrest"]
Icon = Literal["production", "fertile", "river"]
Type = Literal["city", "metropolis", "knight", "mask", "scroll"]
State = Literal["barbarian", "empire"]
Start = Literal["deck", "nation", "accession", "development", "in_play", "unrest_pile"]
KindOfCard = Literal["card", "power", "journey", "court", "king_of_kings"]
KINDS_OF_CARDS: tuple[str, ...] = get_args(KindOfCard)
"""In the order of the constants of `state`."""
STARTS: tuple[str, ...] = (*get_args(Start), "commons")
"""In the order of the constants above."""
TYPES: tuple[str, ...] = get_args(Type)
PLAYERS = (2, 3, 4)
MOST = 99
MOST_POINTS = 20

Name = Annotated[str, Field(min_length=1)]
Number = Annotated[int, Field(ge=0, le=MOST)]
Positive = Annotated[int, Field(ge=1, le=MOST)]
Points = Annotated[int, Field(ge=-MOST_POINTS, le=MOST_POINTS)]
Weight = Annotated[float, Field(ge=-1, le=1)]
NoRepeats = AfterValidator(no_repeats)
Operations = list[Any]
"""Operations as the file has them; what they say is checked when they are compiled."""


class Resources(Row):
    """Resource tokens."""

    material: Number = 0
    population: Number = 0
    progress: Number = 0


class Icons(Row):
    """Icons of a region."""

    production: Annotated[int, Field(ge=0, le=3)] = 0
    fertile: Annotated[int, Field(ge=0, le=3)] = 0
    river: Annotated[int, Field(ge=0, le=3)] = 0


class PointsByPlace(Row):
    """Victory points by where a card lies at the end; a garrisoned card is not in play."""

    hand: Points | None = None
    draw_deck: Points | None = None
    discard: Points | None = None
    in_play: Points | None = None
    history: Points | None = None
    garrisoned: Points | None = None
    sunken: Points | None = None
    not_in_play: Points | None = None
    otherwise: Points = 0

    def at(self, zone: str) -> int:
        """Return the points in a zone of a seat."""
        if zone in ("nation", "development"):
            return 0
        given = getattr(self, zone)
        if given is None and zone != "in_play":
            given = self.not_in_play
        return self.otherwise if given is None else int(given)


class PointsForCounted(Row):
    """Victory points for each of some things."""

    points: Annotated[int, Field(ge=1, le=MOST_POINTS)]
    per: Positive
    of: Annotated[list[str], Field(min_length=1)]
    cap: Positive = 10


class Reaction(Row):
    """An exhaust ability that waits for a trigger."""

    on: list[str]
    cost: Operations = Field(default_factory=list)
    do: Operations
    any_turn: bool = False


class Event(Row):
    """What happens by itself on a trigger."""

    on: list[str]
    do: Operations


class Card(Row):
    """A card, or one side of a card with two."""

    id: Annotated[str, Field(pattern="^[A-Z0-9]+$")]
    number: Name
    name: Name
    kind: KindOfCard = "card"
    side: Literal["A", "B"] | None = None
    min_players: Literal[1, 3, 4] = 1
    suits: Annotated[list[Suit], Field(default_factory=list), NoRepeats]
    types: Annotated[list[Type], Field(default_factory=list), NoRepeats]
    state: State | None = None
    pinned: bool = False
    attack: bool = False
    free_play: bool = False
    unplayable: bool = False
    no_garrison: bool = False
    comes_last: bool = False
    cannot_be_abandoned_or_recalled: bool = False
    icons: Icons = Icons()
    vp: Points | None = None
    vp_where: PointsByPlace | None = None
    vp_for: PointsForCounted | None = None
    require: Operations = Field(default_factory=list)
    play: Operations = Field(default_factory=list)
    exhaust: Operations = Field(default_factory=list)
    solstice: Operations = Field(default_factory=list)
    react: Reaction | None = None
    when: Event | None = None
    on_gain: Operations = Field(default_factory=list)
    on_enter_play: Operations = Field(default_factory=list)
    on_resolve: Operations = Field(default_factory=list)
    before_scoring: Operations = Field(default_factory=list)
    passive: Operations = Field(default_factory=list)
    certainty: Certainty

    @model_validator(mode="after")
    def _one_kind_of_points(self) -> Card:
        given = [name for name in ("vp", "vp_where", "vp_for") if getattr(self, name) is not None]
        if len(given) > 1:
            fault("one kind of victory points", field=given[1], found=given, allowed="vp, vp_where or vp_for")
        return self

    @property
    def points_icon(self) -> str:
        """Kind of victory points: none, negative, fixed, conditional or variable."""
        if self.vp_for is not None:
            return "variable"
        if self.vp_where is not None:
            return "conditional"
        return "none" if self.vp is None else "negative" if self.vp < 0 else "fixed"


class NationCard(Card):
    """A card of a nation."""

    start: Start
    cost: Resources = Resources()


class Power(Card):
    """A side of a nation's power card; with the nation it is a faction."""

    kind: Literal["power"] = "power"
    side: Literal["A", "B"]


class Hints(Row):
    """What a nation wants, for scripted players: 1 most of all, -1 to be avoided."""

    cycle: Weight  # go through the draw deck fast
    develop: Weight
    regions: Weight
    tributaries: Weight
    uncivilised: Weight
    civilised: Weight
    fame: Weight
    history: Weight
    material: Weight
    population: Weight
    progress: Weight
    attack: Weight
    unrest: Weight  # bear with unrest
    thin: Weight  # have few cards in the draw deck
    pinned: Weight  # have pinned cards in play


HINTS: tuple[str, ...] = tuple(Hints.model_fields)
"""Columns of `faction_hint`."""


class Nation(Row):
    """A nation and its exceptions."""

    name: Name
    box: Literal["classics", "legends"]
    has_history: bool
    sinks: bool  # has a sunken pile
    develops: bool
    becomes_empire: bool  # with its accession card
    starts_empire: bool
    exhaust_tokens: Positive
    certainty: Certainty
    hints: Hints


class Constants(Row):
    """Numbers of the rulebook."""

    certainty: Certainty
    start_resource: Resources
    actions: Positive
    hand: Positive
    deck_size: Annotated[list[Positive], Field(min_length=len(PLAYERS), max_length=len(PLAYERS))]
    fame_removed: Annotated[list[Number], Field(min_length=len(PLAYERS), max_length=len(PLAYERS))]
    fallback_number: Number
    round_limit: Annotated[int, Field(ge=1, le=250)]
    turn_limit: Annotated[int, Field(ge=1, le=10000)]


class Setting(Row):
    """An open point of the rulebook and how it is played."""

    name: Name
    value: bool | str
    allowed: list[bool | str]
    question: Name
    source: Name
    certainty: Certainty


SETTINGS: dict[str, tuple[object, ...]] = {
    "break_through_fallback": ("progress", "material"),
    "king_of_kings_once_per_player": (False, True),
    "active_quest_is_scored": (False, True),
    "garrisoned_unrest_counts": (False, True),
    "sunken_unrest_counts": (False, True),
    "unpayable_cost_forbids_play": ("none", "payments", "all"),
    "empty_option_allowed": (False, True),
    "play_trigger_timing": ("after", "before"),
    "avoiding_loses_benefits": (False, True),
    "power_card_is_counted": (False, True),
    "tokens_on_cards_score": (False, True),
    "tokens_gained_when_card_leaves": (False, True),
    "tucked_unrest_is_taken": (False, True),
    "barbarian_may_develop": (False, True),
}
"""Every setting with the values the kernels know."""

LABEL = ("id", "name")
POWER_LABEL = ("name", "side")
NATION_KINDS = {"nation": Kind(Nation), "power": Kind(Power, POWER_LABEL), "card": Kind(NationCard, LABEL)}
FILES: dict[str, dict[str, Kind]] = {
    **{f"{name}.toml": NATION_KINDS for name in NATIONS},
    **{f"{name}.toml": {"card": Kind(Card, LABEL)} for name in COMMONS},
    "rules.toml": {"constants": Kind(Constants), "setting": Kind(Setting, ("name",))},
}
"""Tables of every file."""


# ---- Catalogue ----


@dataclass(frozen=True)
class Catalog:
    """Everything `configs/games/imperium/` says, checked.

    Attributes
    ----------
    cards
        Card c is row c of the card table.
    files
        Name of the file that each card stands in.
    nation_of
        Nation of each card, -1 for the commons.
    nations
        Nation n is the one with id n.
    factions
        Card of the power side of each faction: a nation's side A, then its side B.
    constants
        Numbers of the rulebook.
    settings
        The value of every setting, overrides included.
    certainty
        Rows by certainty, for each of "cards", "nations" and "settings".
    open_settings
        Settings that neither the rulebook nor several sources decide.
    digest
        SHA-256 of all data a game depends on.
    """

    cards: tuple[Card, ...]
    files: tuple[str, ...]
    nation_of: tuple[int, ...]
    nations: tuple[Nation, ...]
    factions: tuple[int, ...]
    constants: Constants
    settings: Mapping[str, object]
    certainty: Mapping[str, Mapping[Certainty, int]]
    open_settings: tuple[str, ...]
    digest: str

    @property
    def card_names(self) -> tuple[str, ...]:
        """Name of every card, its id behind a name that several rows have: "Advance (CAR11)"."""
        rows = Counter(card.name for card in self.cards)
        return tuple(f"{card.name} ({card.id})" if rows[card.name] > 1 else card.name for card in self.cards)

    @property
    def faction_names(self) -> tuple[str, ...]:
        """Name of every faction, such as "Celts A"."""
        return tuple(f"{self.cards[power].name} {self.cards[power].side}" for power in self.factions)

    @property
    def king_of_kings(self) -> int:
        """Side A of King of Kings."""
        return next(n for n, card in enumerate(self.cards) if card.kind == "king_of_kings" and card.side == "A")

    def label(self, card: int) -> str:
        """Return what a change or a message calls a card's row: "CEL3 Celtic Innovation", "Celts A"."""
        row = self.cards[card]
        return " ".join(str(getattr(row, name)) for name in (POWER_LABEL if isinstance(row, Power) else LABEL))


def card_number(catalog: Catalog, name: str) -> int:
    """Return the row of a card by its id, its name where only one row has it, or its name with the id.

    Raises
    ------
    UserError
        There is no such card, or several; the nearest name is suggested.
    """
    names = catalog.card_names
    for known in (tuple(card.id for card in catalog.cards), names):
        if name in known:
            return known.index(name)
    several = [shown for shown, card in zip(names, catalog.cards, strict=True) if card.name == name]
    if several:
        raise UserError(f"several cards are called {name}", found=name, allowed=several)
    raise UserError("no such card", found=name, allowed=names)


def load_catalog(
    folder: Path | None = None, settings: Mapping[str, object] | None = None, changes: Sequence[Change] = ()
) -> Catalog:
    """Read and check nations, cards, constants and settings.

    Parameters
    ----------
    folder
        Folder of the TOML files; by default that of the project.
    settings
        Values that override those of rules.toml, by name of the setting.
    changes
        Changes to what the files say.

    Raises
    ------
    UserError
        Anything wrong in the files, the changes or the overrides, with file, row, field, what was found and what is
        allowed.
    """
    folder = FOLDER if folder is None else folder
    constants, rules = _read_rules(folder / "rules.toml", changes)
    values = _override({rule.name: rule.value for rule in rules}, settings or {})
    nations, cards, files, nation_of = [], [], [], []
    for number, name in enumerate(NATIONS):
        nation, rows = _read_nation(folder / f"{name}.toml", changes)
        nations.append(nation)
        cards += rows
        files += [f"{name}.toml"] * len(rows)
        nation_of += [number] * len(rows)
    for name in COMMONS:
        rows = _read_commons(folder / f"{name}.toml", changes)
        cards += rows
        files += [f"{name}.toml"] * len(rows)
        nation_of += [-1] * len(rows)
    _check_ids(folder, cards, files)
    resolved = {
        "cards": [card.model_dump() for card in cards],
        "nations": [nation.model_dump() for nation in nations],
        "constants": constants.model_dump(),
        "settings": values,
    }
    catalog = Catalog(
        cards=tuple(cards),
        files=tuple(files),
        nation_of=tuple(nation_of),
        nations=tuple(nations),
        factions=tuple(number for number, card in enumerate(cards) if isinstance(card, Power)),
        constants=constants,
        settings=values,
        certainty={
            "cards": certainty_shares(cards),
            "nations": certainty_shares(nations),
            "settings": certainty_shares(rules),
        },
        open_settings=tuple(rule.name for rule in rules if rule.certainty != "confirmed"),
        digest=digest(resolved),
    )
    # What effects say is checked by compiling them.
    build_tables(catalog, folder)
    return catalog


def _read_rules(path: Path, changes: Sequence[Change]) -> tuple[Constants, list[Setting]]:
    data = read_changed(path, FILES[path.name], changes)
    check_tables(path, data, ("constants", "setting"))
    constants = validate_row(path, data["constants"], Constants, "constants")
    rules = validate_rows(path, data, "setting", Setting)
    _check_settings(path, rules)
    return constants, rules


def _read_nation(path: Path, changes: Sequence[Change]) -> tuple[Nation, list[Card]]:
    """Read a nation and its cards, the two sides of the power card first."""
    data = read_changed(path, FILES[path.name], changes)
    check_tables(path, data, ("nation", "power", "card"))
    nation = validate_row(path, data["nation"], Nation, "nation")
    powers = validate_rows(path, data, "power", Power, POWER_LABEL)
    cards = validate_rows(path, data, "card", NationCard, LABEL)
    sides = [power.side for power in powers]
    if sides != ["A", "B"]:
        raise UserError("a power card has two sides", file=path, field="power", found=sides, allowed="A, then B")
    for power in powers:
        if power.name != nation.name:
            message = "a power card is called like its nation"
            raise UserError(message, file=path, row=power.id, field="name", found=power.name, allowed=[nation.name])
    last = [card.id for card in cards if card.start == "accession"]
    if len(last) > 1:
        raise UserError("one card lies below the nation deck", file=path, field="start", found=last, allowed="one card")
    return nation, [*powers, *cards]


def _read_commons(path: Path, changes: Sequence[Change]) -> list[Card]:
    data = read_changed(path, FILES[path.name], changes)
    check_tables(path, data, ("card",))
    return validate_rows(path, data, "card", Card, LABEL)


def _check_ids(folder: Path, cards: Sequence[Card], files: Sequence[str]) -> None:
    """Check that ids are unique, that sides come in pairs, and that the cards fit the tables."""
    ids = [card.id for card in cards]
    for number, card in enumerate(cards):
        wrong = partial(UserError, file=folder / files[number], row=card.id)
        if card.id in ids[:number]:
            raise wrong("id given twice", field="id", found=card.id, allowed="each id once")
        if card.side is not None and (card.id[-1] != card.side or _other_side(card.id) not in ids):
            allowed = f"ids that end in {card.side} and, for the other side, in {'BA'['AB'.index(card.side)]}"
            raise wrong("a side without its card", field="id", found=card.id, allowed=allowed)
    kings = [card.side for card in cards if card.kind == "king_of_kings"]
    if kings != ["A", "B"]:
        raise UserError("King of Kings has two sides", file=folder / "shared.toml", found=kings, allowed="A, then B")
    if len(cards) > MAX_CARDS:
        raise UserError("too many cards", file=folder, found=len(cards), allowed=f"at most {MAX_CARDS}")


def _other_side(card_id: str) -> str:
    return card_id[:-1] + ("B" if card_id.endswith("A") else "A")


def _is_one_of(value: object, allowed: Sequence[object]) -> bool:
    # True == 1 in Python, but a setting is either a word or a boolean
    return any(type(value) is type(option) and value == option for option in allowed)


def _as_in_toml(values: Sequence[object]) -> list[str]:
    return [str(value).lower() for value in values]


def _check_settings(path: Path, rules: Sequence[Setting]) -> None:
    """Check that rules.toml has every setting once, with the values the kernels know."""
    seen: set[str] = set()
    for rule in rules:
        wrong = partial(UserError, file=path, row=rule.name)
        if rule.name not in SETTINGS:
            raise wrong("unknown setting", field="name", found=rule.name, allowed=SETTINGS)
        if rule.name in seen:
            raise wrong("setting given twice", field="name", found=rule.name, allowed="one row for each setting")
        seen.add(rule.name)
        known = SETTINGS[rule.name]
        if len(rule.allowed) != len(known) or not all(_is_one_of(value, rule.allowed) for value in known):
            allowed = _as_in_toml(known)
            raise wrong("the engine knows other values", field="allowed", found=rule.allowed, allowed=allowed)
        if not _is_one_of(rule.value, known):
            raise wrong("unknown value", field="value", found=rule.value, allowed=_as_in_toml(known))
    for name in SETTINGS:
        if name not in seen:
            raise UserError("this setting is missing", file=path, row=name, allowed="a [[setting]] row")


def _override(values: dict[str, object], overrides: Mapping[str, object]) -> dict[str, object]:
    """Return the settings with some values replaced."""
    for name, value in overrides.items():
        if name not in SETTINGS:
            raise UserError("unknown setting of imperium", found=name, allowed=SETTINGS)
        if not _is_one_of(value, SETTINGS[name]):
            raise UserError(f"setting {name}: unknown value", found=value, allowed=_as_in_toml(SETTINGS[name]))
    return {**values, **overrides}


# ---- Code being written ----


@dataclass
class Code:
    """The code table and the selectors while they are written."""

    cards: Sequence[Card]
    rows: list[list[int]] = field(default_factory=list)
    programs: dict[str, int] = field(default_factory=dict)
    selectors: dict[tuple[bool, ...], int] = field(default_factory=dict)
    selectors_said: dict[str, int] = field(default_factory=dict)
    selector_names: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Place:
    """Where an operation stands, for messages; `attack` tells whether its card has the attack icon."""

    file: Path
    row: str
    field: str
    attack: bool = False

    def item(self, number: int) -> Place:
        """Return the place of an item of the list that stands here, counted from 0."""
        return replace(self, field=f"{self.field}.{number + 1}")

    def part(self, name: str) -> Place:
        """Return the place of a field of the table that stands here."""
        return replace(self, field=f"{self.field}.{name}")

    def wrong(self, message: str, found: object, allowed: Sequence[object] | str) -> UserError:
        """Return the error that names this place."""
        return UserError(message, file=self.file, row=self.row, field=self.field, found=found, allowed=allowed)


Argument = Callable[[Code, Any, Place], int]
"""Reads one argument of an operation: a number of the code table."""


def _one_of(allowed: Sequence[str], value: object, place: Place) -> int:
    if not isinstance(value, str) or value not in allowed:
        raise place.wrong("unknown word", value, allowed)
    return list(allowed).index(value)


def _bits_of(allowed: Sequence[str], value: object, place: Place) -> int:
    if not isinstance(value, list) or not value:
        raise place.wrong("not a list of words", value, [f'["{word}"]' for word in allowed])
    return sum({1 << _one_of(allowed, word, place.item(number)) for number, word in enumerate(value)})


def _number(_: Code, value: object, place: Place) -> int:
    if type(value) is not int or not 0 <= value <= MOST:
        raise place.wrong("not a number of things", value, f"a whole number from 0 to {MOST}")
    return value


def _change(_: Code, value: object, place: Place) -> int:
    if type(value) is not int or abs(value) > MOST:
        raise place.wrong("not a number", value, f"a whole number from {-MOST} to {MOST}")
    return value


def _resource(_: Code, value: object, place: Place) -> int:
    return _one_of(RESOURCES, value, place)


def _icon(_: Code, value: object, place: Place) -> int:
    return _one_of(ICONS, value, place)


def _state(_: Code, value: object, place: Place) -> int:
    return _one_of(STATES, value, place)


def _zone(_: Code, value: object, place: Place) -> int:
    return _one_of(ZONE_NAMES, value, place)


SEARCHED = ("hand", "discard", "draw_deck", "nation")
"""Where one looks for a card that is to be found, if the effect names no place."""


def _zones(_: Code, value: object, place: Place) -> int:
    return _bits_of(ZONE_NAMES, list(SEARCHED) if value == "default" else value, place)


def _suits(_: Code, value: object, place: Place) -> int:
    return (1 << len(SUITS)) - 1 if value == ["any"] else _bits_of(SUITS, value, place)


WHOM = ("each_other", "each_other_with_region_in_play", "each_other_in_empire")
"""In the order of the constants of `vocabulary`."""


def _whom(_: Code, value: object, place: Place) -> int:
    return _one_of(WHOM, value, place)


def _end_reason(_: Code, value: object, place: Place) -> int:
    return _one_of(END_REASONS, value, place)


def _true(_: Code, value: object, place: Place) -> int:
    if value is not True:
        raise place.wrong("not allowed here", value, "true, or leave it out")
    return 1


def _free(_: Code, value: object, place: Place) -> int:
    return 1 + _one_of(("free",), value, place)


def _only_exile(_: Code, value: object, place: Place) -> int:
    return words.ONLY_EXILE + _one_of(("exile",), value, place)


def _also_exile(_: Code, value: object, place: Place) -> int:
    return words.ALSO_EXILE + _one_of(("exile",), value, place)


def _plays_it(_: Code, value: object, place: Place) -> int:
    return words.PLAYS_IT + _one_of(("free_play_it",), value, place)


def _token(_: Code, value: object, place: Place) -> int:
    return _one_of(RESOURCES, value, place) + 1 << words.TOKEN_SHIFT


# ---- Selectors ----

PLAIN_SELECTORS = (
    "any",
    *SUITS,
    *ICONS,
    *TYPES,
    "pinned",
    "pinned_not_region",
    "attack",
    "state:barbarian",
    "state:empire",
    "vp_icon:fixed",
    "vp_icon:negative",
    "vp_icon:conditional",
    "vp_icon:variable",
)


def selector(code: Code, what: object, place: Place) -> int:
    """Return the selector of the cards that are meant; a new one unless there is one of the same cards.

    Raises
    ------
    UserError
        The selector is unknown or names no card, or there are too many.
    """
    said = repr(what)
    if said not in code.selectors_said:
        meant = tuple(_meant(code.cards, what, place))
        if meant not in code.selectors and len(code.selectors) == MAX_SELECTORS:
            raise place.wrong("too many different selectors", what, f"at most {MAX_SELECTORS}")
        if meant not in code.selectors:
            code.selectors[meant] = len(code.selectors)
            code.selector_names.append(_in_short(what))
        code.selectors_said[said] = code.selectors[meant]
    return code.selectors_said[said]


def _in_short(what: Any) -> str:
    """A selector in words."""
    return f"not {_in_short(what['not'])}" if isinstance(what, dict) else what.removeprefix("card:")


def _meant(cards: Sequence[Card], what: object, place: Place) -> list[bool]:
    """Tell of every card whether a selector means it."""
    if isinstance(what, dict):
        if list(what) != ["not"]:
            raise place.wrong("not a selector", what, "{ not = ... }")
        return [not meant for meant in _meant(cards, what["not"], place)]
    if not isinstance(what, str):
        raise place.wrong("not a selector", what, PLAIN_SELECTORS)
    either = [_meets(cards, word, place) for word in what.split("|")]
    return [any(meets) for meets in zip(*either, strict=True)]


def _meets(cards: Sequence[Card], word: str, place: Place) -> list[bool]:
    kind, _, rest = word.partition(":")
    if kind == "card":
        names = sorted({card.name for card in cards})
        if rest not in names:
            raise place.wrong("no card of this name", rest, names)
        return [card.name == rest for card in cards]
    if kind == "named":
        found = [bool(rest) and rest in card.name for card in cards]
        if not any(found):
            raise place.wrong("no card has this in its name", rest, sorted({card.name for card in cards}))
        return found
    if word not in PLAIN_SELECTORS:
        allowed = [*PLAIN_SELECTORS, "card:NAME", "named:TEXT"]
        raise place.wrong("unknown selector", word, allowed)
    return [_has(card, word) for card in cards]


def _has(card: Card, word: str) -> bool:
    """Whether a card meets a selector of one word."""
    kind, _, rest = word.partition(":")
    if word in ("any", "pinned", "attack"):
        return word == "any" or bool(getattr(card, word))
    if word == "pinned_not_region":
        return card.pinned and "region" not in card.suits
    if kind == "state":
        return card.state == rest
    if kind == "vp_icon":
        return card.points_icon == rest
    return word in card.suits or word in card.types or bool(getattr(card.icons, word, 0))


def _card(code: Code, what: object, place: Place) -> int:
    """Read a selector that may also be the card itself or the card drawn."""
    if what == "self":
        return words.SELF
    return words.DRAWN_IT if what == "it" else selector(code, what, place)


# ---- Operations ----


@dataclass(frozen=True)
class Form:
    """How an operation is written.

    Attributes
    ----------
    operation
        Its number.
    arguments
        Kind of each argument and the column it goes to. A "count" is a number, "up_to" and a number, or "all", and
        has the flag of "up to" in a second column; a "counter" has its argument in the next column.
    optional
        How many of the last arguments may be left out.
    options
        The same for the fields of a table that may stand last.
    defaults
        What a column holds that is not given, 0 unless it stands here.
    """

    operation: int
    arguments: tuple[tuple[Any, ...], ...] = ()
    optional: int = 0
    options: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    defaults: Mapping[int, int] = field(default_factory=dict)


KINDS: dict[str, Argument] = {
    "N": _number,
    "R": _resource,
    "ICON": _icon,
    "STATE": _state,
    "ZONE": _zone,
    "ZONES": _zones,
    "SUITS": _suits,
    "WHAT": selector,
    "CARD": _card,
    "FROM": _whom,
    "REASON": _end_reason,
    "true": _true,
    '"free"': _free,
    "only exile": _only_exile,
    "also exile": _also_exile,
    "plays it": _plays_it,
    "token": _token,
}

GAINED = {"times": ("N", B), "also_from": ("also exile", C), "what": ("WHAT", D)}

FORMS: dict[str, Form] = {
    "gain": Form(words.GAIN, (("R", A), ("N", B))),
    "gain_per": Form(words.GAIN_PER, (("R", A), ("N", B), ("COUNTER", C))),
    "pay": Form(words.PAY, (("R", A), ("N", B))),
    "pay_up_to": Form(words.PAY_UP_TO, (("R", A), ("N", B))),
    "pay_all": Form(words.PAY_ALL, (("R", A),), options={"min": ("N", B)}),
    "steal": Form(words.STEAL, (("R", A), ("N", B), ("FROM", C)), options={"unable_take_unrest": ("N", D)}),
    "place_on_market": Form(words.PLACE_ON_MARKET, (("R", A), ("N", B))),
    "place_on_self": Form(words.PLACE_ON_SELF, (("R", A), ("N", B))),
    "gain_all_on_self": Form(words.GAIN_ON_SELF, (("R", A),)),
    "double_gained": Form(words.DOUBLE_GAINED, (("R", A),)),
    "gain_action": Form(words.GAIN_ACTION, (("N", A),)),
    "spend_action": Form(words.SPEND_ACTION, (("N", A),)),
    "return_exhaust": Form(words.RETURN_EXHAUST, (("N", A),)),
    "draw": Form(words.DRAW, (("COUNT", A, B),)),
    "draw_if_able": Form(words.DRAW, (("COUNT", A, B),), defaults={B: words.IF_ABLE}),
    "draw_per": Form(words.DRAW_PER, (("N", A), ("COUNTER", C))),
    "draw_from": Form(words.DRAW_FROM, (("ZONE", B), ("WHAT", A), ("COUNT", C, D))),
    "discard": Form(words.DISCARD, (("CARD", A), ("COUNT", B))),
    "discard_one_of_drawn": Form(words.DISCARD_DRAWN, (("N", A),)),
    "top_deck": Form(words.TOP_DECK, (("ZONE", B), ("N", C), ("WHAT", A)), optional=1),
    "to_history": Form(words.TO_HISTORY, (("CARD", A), ("ZONES", B), ("COUNT", C, D)), optional=2, defaults={C: 1}),
    "exile_market": Form(words.EXILE_MARKET, (("N", A),)),
    "exile_hand": Form(words.EXILE_HAND, (("WHAT", A), ("N", B))),
    "exile_card": Form(words.EXILE_CARD, (("CARD", A),)),
    "sink": Form(words.SINK, (("CARD", A), ("ZONE", B), ("N", C)), optional=2, defaults={B: PLAY, C: 1}),
    "garrison_here": Form(words.GARRISON_HERE, (("WHAT", A), ("N", B))),
    "garrison_self_in": Form(words.GARRISON_SELF, (("WHAT", A),)),
    "abandon": Form(
        words.ABANDON,
        (("CARD", A), ("COUNT", B, C)),
        options={"with_garrisoned": ("WHAT", D)},
        defaults={D: NOTHING},
    ),
    "abandon_garrisoned": Form(words.ABANDON_GARRISONED, (("WHAT", A), ("N", B), ("WHAT", C))),
    "recall": Form(words.RECALL, (("CARD", A), ("N", B))),
    "recall_garrisoned": Form(words.RECALL_GARRISONED, (("WHAT", A),)),
    "find": Form(words.FIND, (("WHAT", A), ("ZONES", B), ("ZONE", C))),
    "give_card_to_each_other": Form(
        words.GIVE_CARD, (("ZONES", A),), options={"unrest_for": ("WHAT", B)}, defaults={B: NOTHING}
    ),
    "free_play": Form(words.FREE_PLAY, (("WHAT", A),), options={"ignore_state": ("true", B)}),
    "play_from_discard": Form(words.PLAY_FROM_DISCARD, (("WHAT", A),), options={"actions": ("N", B)}),
    "take_unrest": Form(words.TAKE_UNREST, (("N", A),)),
    "return_unrest": Form(words.RETURN_UNREST, (("COUNT", A, C), ("ZONES", B))),
    "return_self": Form(words.RETURN_SELF),
    "acquire": Form(
        words.ACQUIRE,
        (("SUITS", A),),
        options=GAINED | {"from": ("only exile", C), "then": ("plays it", C), "market_card_has": ("token", C)},
        defaults={B: 1},
    ),
    "break_through": Form(words.BREAK_THROUGH, (("SUITS", A),), options=GAINED, defaults={B: 1}),
    "swap_exile_with_market": Form(words.SWAP_EXILE),
    "gamble": Form(words.GAMBLE, (("SUITS", A),)),
    "fame_look_take": Form(words.FAME_LOOK, (("N", A), ("N", B))),
    "fame_take_top": Form(words.FAME_TOP),
    "develop": Form(words.DEVELOP_CARD, (('"free"', A),), optional=1),
    "nation_look": Form(words.NATION_LOOK),
    "nation_shuffle": Form(words.NATION_SHUFFLE),
    "nation_top_to_discard": Form(words.NATION_TO_DISCARD, (("N", A),)),
    "nation_top_to_bottom": Form(words.NATION_TO_BOTTOM),
    "swap_hand_with_nation_top": Form(words.NATION_SWAP),
    "trigger_scoring": Form(words.TRIGGER_SCORING, (("REASON", A),)),
    "flip": Form(words.FLIP_SELF),
    "replace_self_with": Form(words.REPLACE_SELF, (("WHAT", A),)),
    "flip_state_to": Form(words.FLIP_STATE, (("STATE", A),)),
    "enter_play": Form(words.ENTER_PLAY),
    "active_quest_to": Form(words.QUEST_TO, (("ZONE", A),)),
    "garrison_quest_here": Form(words.GARRISON_QUEST),
    "exile_impending_quest": Form(words.EXILE_QUEST, (("WHAT", A),)),
    "ignore_state_icon_next_play": Form(words.IGNORE_STATE, (("STATE", A),)),
    "copy_exhaust": Form(words.COPY_EXHAUST),
    "treat_icon_as": Form(words.TREAT_ICON, (("ICON", A), ("ICON", B), ("N", C))),
    "avoid_attack": Form(words.AVOID_ATTACK),
}
"""Operations that hold no others."""

CONDITIONS: dict[str, Form] = {
    "state": Form(words.STATE_IS, (("STATE", B),)),
    "in_play": Form(words.IN_PLAY, (("WHAT", B),)),
    "in_history": Form(words.IN_HISTORY, (("WHAT", B),)),
    "count_in_play_at_least": Form(words.COUNT_IN_PLAY_AT_LEAST, (("WHAT", B), ("N", C))),
    "no_active_quest": Form(words.NO_ACTIVE_QUEST),
    "resource_at_least": Form(words.RESOURCE_AT_LEAST, (("R", B), ("N", C))),
    "garrisoned_here_at_least": Form(words.GARRISONED_HERE_AT_LEAST, (("WHAT", B), ("N", C))),
    "abandoned_lacks": Form(words.ABANDONED_LACKS, (("WHAT", B),)),
    "exiled_was": Form(words.EXILED_WAS, (("WHAT", B),)),
    "has_drawn": Form(words.HAS_DRAWN),
}

COUNTERS: dict[str, Form] = {
    "count_in_play": Form(words.CARDS_IN_PLAY, (("WHAT", A),)),
    "count_garrisoned": Form(words.CARDS_GARRISONED, (("WHAT", A),)),
    "count_abandoned_by_this_effect": Form(words.ABANDONED_CARDS, (("WHAT", A),)),
    "count_unrest_returned_by_this_effect": Form(words.RETURNED_UNREST),
}

TRIGGERS: dict[str, Form] = {
    "you_play": Form(words.YOU_PLAY, (("WHAT", A),)),
    "you_play_from_discard": Form(words.YOU_PLAY_FROM_DISCARD, (("WHAT", A),)),
    "you_acquire": Form(words.YOU_ACQUIRE, (("WHAT", A),)),
    "you_acquire_or_break_through_for": Form(words.YOU_ACQUIRE_OR_BREAK_THROUGH, (("WHAT", A),)),
    "you_acquire_from_exile": Form(words.YOU_ACQUIRE_FROM_EXILE, (("WHAT", A),)),
    "you_gain_market_card_with_token": Form(words.YOU_GAIN_MARKET_TOKEN, (("R", A),)),
    "you_return_unrest": Form(words.YOU_RETURN_UNREST),
    "you_take_unrest": Form(words.YOU_TAKE_UNREST),
    "you_pay": Form(words.YOU_PAY, (("R", A),)),
    "you_look_at_fame": Form(words.YOU_LOOK_AT_FAME),
    "a_card_is_sunk": Form(words.CARD_IS_SUNK),
    "your_draw_deck_becomes_empty": Form(words.DECK_EMPTIES),
    "another_player_plays_attack": Form(words.ANOTHER_ATTACKS),
    "you_gain_material_from_icon": Form(words.YOU_GAIN_FROM_ICON, (("ICON", A),)),
    "effect_requires_discard_of": Form(words.DISCARD_REQUIRED, (("WHAT", A),)),
}


def _usage(name: str, form: Form) -> str:
    """How an operation is written, for messages."""
    kinds = [str(argument[0]) for argument in form.arguments]
    inside = [f'"{name}"', *kinds[: len(kinds) - form.optional], *(f"{{{kind}}}" for kind in kinds[-form.optional :])]
    if not form.optional:
        inside = [f'"{name}"', *kinds]
    options = [f"{{ {', '.join(form.options)} }}"] if form.options else []
    return f"[{', '.join([*inside, *options])}]"


def _look_up(forms: Mapping[str, Any], found: object, place: Place, what: str) -> str:
    """Return the name that a list begins with."""
    if not isinstance(found, list) or not found or not isinstance(found[0], str):
        raise place.wrong(f"no {what}", found, "a list that begins with its name")
    if found[0] not in forms:
        raise place.wrong(f"unknown {what}", found[0], list(forms))
    return found[0]


def _read_form(code: Code, name: str, form: Form, given: Sequence[Any], place: Place) -> list[int]:
    """Return the columns A to D of an operation, condition, counter or trigger."""
    columns = [0, *(form.defaults.get(column, 0) for column in (A, B, C, D))]
    wrong_count = partial(place.wrong, "wrong number of arguments", [name, *given], _usage(name, form))
    left = list(given)
    if left and isinstance(left[-1], dict) and form.options:
        _read_options(code, form, left.pop(), place.item(len(left) + 1), columns)
    needed = len(form.arguments) - form.optional
    for number, (kind, column, *more) in enumerate(form.arguments):
        if not left:
            if number < needed:
                raise wrong_count()
            break
        at = place.item(len(given) - len(left) + 1)
        value = left.pop(0)
        if kind == "COUNT":
            columns[column], flag = _count(value, left, at, wrong_count)
            if flag and not more:
                raise at.wrong("not allowed here", value, "a number")
            if more:
                columns[more[0]] |= flag
        elif kind == "COUNTER":
            columns[column : column + 2] = _counter(code, value, at)
        else:
            columns[column] = KINDS[kind](code, value, at)
    if left:
        raise wrong_count()
    return columns[1:]


def _read_options(code: Code, form: Form, given: Mapping[str, Any], place: Place, columns: list[int]) -> None:
    """Read the table at the end of an operation; flags share a column."""
    for name, value in given.items():
        if name not in form.options:
            raise place.wrong("unknown option", name, list(form.options))
        kind, column = form.options[name]
        number = KINDS[kind](code, value, place.part(name))
        columns[column] = number if column in form.defaults else columns[column] + number


def _count(value: object, left: list[Any], place: Place, wrong_count: Callable[[], UserError]) -> tuple[int, int]:
    """Return a count and its flag."""
    if value in ("all", "any_number"):
        return words.ALL_OF, 0
    if value == "up_to":
        if not left:
            raise wrong_count()
        return _number_of_count(left.pop(0), place), words.UP_TO
    return _number_of_count(value, place), 0


def _number_of_count(value: object, place: Place) -> int:
    if type(value) is not int or not 1 <= value <= MOST:
        raise place.wrong("not a count", value, f'a whole number from 1 to {MOST}, "up_to" and a number, or "all"')
    return value


def _counter(code: Code, value: Any, place: Place) -> list[int]:
    """Return a counter and its argument; a region icon is counted by icons, not by cards."""
    name = _look_up(COUNTERS, value, place, "counter")
    if name == "count_in_play" and len(value) == 2 and value[1] in ICONS:
        return [words.ICONS_IN_PLAY, ICONS.index(value[1])]
    return [COUNTERS[name].operation, _read_form(code, name, COUNTERS[name], value[1:], place)[0]]


def _condition(code: Code, value: Any, place: Place) -> list[int]:
    """Return a condition and its two arguments: columns A to C of IF and REQUIRE."""
    name = _look_up(CONDITIONS, value, place, "condition")
    columns = _read_form(code, name, CONDITIONS[name], value[1:], place)
    return [CONDITIONS[name].operation, columns[1], columns[2], 0]


def _trigger(code: Code, value: Any, place: Place) -> tuple[int, int]:
    """Return a trigger and its argument."""
    name = _look_up(TRIGGERS, value, place, "trigger")
    return TRIGGERS[name].operation, _read_form(code, name, TRIGGERS[name], value[1:], place)[0]


# ---- Writing code ----


def _emit(code: Code, operation: int, columns: Sequence[int] = (0, 0, 0, 0)) -> int:
    """Write an instruction that goes on with the one behind it; return where it stands."""
    at = len(code.rows)
    code.rows.append([operation, *columns, at + 1])
    return at


def _close(code: Code, at: int) -> None:
    """Let an instruction go on behind what has been written."""
    code.rows[at][NEXT] = len(code.rows)


def _write_list(code: Code, operations: Any, place: Place, may_require: bool = True) -> None:
    """Write a list of operations; requirements that do not hold go on behind it."""
    if not isinstance(operations, list) or any(not isinstance(operation, list) for operation in operations):
        raise place.wrong("not a list of operations", operations, 'such as [["gain", "material", 1]]')
    leading = 0
    while may_require and leading < len(operations) and operations[leading][:1] == ["require"]:
        leading += 1
    required = [_write_require(code, operations[number], place.item(number)) for number in range(leading)]
    _write_from(code, operations, leading, place)
    for row in required:
        _close(code, row)


def _write_require(code: Code, operation: Sequence[Any], place: Place) -> int:
    """Write a requirement; where it goes on if it does not hold is written later."""
    _needs(operation, 1, 1, '["require", CONDITION]', place)
    return _emit(code, words.REQUIRE, _condition(code, operation[1], place.item(1)))


def _write_from(code: Code, items: Sequence[Any], first: int, place: Place) -> None:
    """Write the operations of a list from item `first` on."""
    for number in range(first, len(items)):
        operation, at = items[number], place.item(number)
        name = _look_up(CONTROL | FORMS, operation, at, "operation")
        if name in CONTROL:
            CONTROL[name](code, operation, at)
        else:
            following = items[number + 1] if number + 1 < len(items) else None
            _write_plain(code, name, operation, following, at)


def _write_plain(code: Code, name: str, operation: Sequence[Any], following: Any, place: Place) -> None:
    """Write an operation that holds no others."""
    if name == "top_deck" and operation[1:2] == ["it"]:
        _needs(operation, 2, 2, '["top_deck", "it", 1]', place)
        _emit(code, words.TOP_DECK, (words.DRAWN_IT, HAND, _number(code, operation[2], place.item(2)), 0))
    elif name == "return_unrest" and operation[2:] == [["garrisoned_here"]]:
        columns = _read_form(code, name, FORMS[name], [operation[1], ["garrisoned"]], place)
        _emit(code, words.RETURN_UNREST, (columns[0], 0, columns[2], 1))
    else:
        at = _emit(code, FORMS[name].operation, _read_form(code, name, FORMS[name], operation[1:], place))
        if code.rows[at][OPERATION] == words.DRAW and _names_drawn(following):
            code.rows[at][B] |= words.REMEMBER


def _names_drawn(operation: Any) -> bool:
    """Whether an operation speaks of the cards that the one before it drew."""
    return bool(operation) and (operation[0] == "discard_one_of_drawn" or operation[:2] == ["if", ["has_drawn"]])


def _needs(operation: Sequence[Any], least: int, most: int | None, usage: str, place: Place) -> None:
    """Check how many arguments an operation has."""
    given = len(operation) - 1
    if given < least or (most is not None and given > most):
        raise place.wrong("wrong number of arguments", list(operation), usage)


def _write_may(code: Code, operation: Sequence[Any], place: Place) -> None:
    _needs(operation, 1, None, '["may", OP, ...]', place)
    at = _emit(code, words.MAY)
    _write_from(code, operation, 1, place)
    _close(code, at)


def _write_choose(code: Code, operation: Sequence[Any], place: Place) -> None:
    _needs(operation, 2, None, '["choose", OPS, OPS, ...]', place)
    _write_options(code, [partial(_write_list, code, operation[n], place.item(n)) for n in range(1, len(operation))])


def _write_options(code: Code, options: Sequence[Callable[[], None]]) -> None:
    """Write a choice; each option is written by a call."""
    choose = _emit(code, words.CHOOSE, (len(options), 0, 0, 0))
    jumps = []
    for write in options:
        option = _emit(code, words.OPTION)
        write()
        jumps.append(_emit(code, words.JUMP))
        _close(code, option)
    for at in (choose, *jumps):
        _close(code, at)


def _write_cost(code: Code, operation: Sequence[Any], place: Place) -> None:
    _needs(operation, 2, 2, '["cost", OPS, OPS]', place)
    paid = partial(_write_list, code, operation[1], place.item(1), False)
    _write_payment(code, paid, partial(_write_list, code, operation[2], place.item(2), False))


def _write_payment(code: Code, paid: Callable[[], None], got: Callable[[], None]) -> None:
    """Write what is paid and what is got for it."""
    at = _emit(code, words.COST)
    paid()
    code.rows[at][A] = len(code.rows)
    got()
    _close(code, at)


def _write_cost_one_of(code: Code, operation: Sequence[Any], place: Place) -> None:
    _needs(operation, 2, 2, '["cost_one_of", [OPS, ...], OPS]', place)
    either, at = operation[1], place.item(1)
    if not isinstance(either, list) or len(either) < 2:
        raise at.wrong("not a list of costs", either, "two or more lists of operations")
    got = partial(_write_list, code, operation[2], place.item(2), False)
    costs = [partial(_write_list, code, cost, at.item(number), False) for number, cost in enumerate(either)]
    _write_options(code, [partial(_write_payment, code, paid, got) for paid in costs])


def _misplaced_require(code: Code, operation: Sequence[Any], place: Place) -> None:
    raise place.wrong("a requirement begins an option or an effect", list(operation), "to stand first there")


def _write_if_state(code: Code, operation: Sequence[Any], place: Place) -> None:
    _needs(operation, 2, None, '["if_state", STATE, OP, ...]', place)
    at = _emit(code, words.IF, (words.STATE_IS, _state(code, operation[1], place.item(1)), 0, 0))
    _write_from(code, operation, 2, place)
    _close(code, at)


def _write_if(code: Code, operation: Sequence[Any], place: Place) -> None:
    _needs(operation, 2, None, '["if", CONDITION, OP, ...]', place)
    at = _emit(code, words.IF, _condition(code, operation[1], place.item(1)))
    _write_from(code, operation, 2, place)
    _close(code, at)


def _write_body(
    holder: int, may: bool, argument: int | None, code: Code, operation: Sequence[Any], place: Place
) -> None:
    """Write an operation whose body somebody else carries out, or that is carried out several times."""
    _needs(operation, 1, None, f'["{operation[0]}", OP, ...]', place)
    attack = int(holder == words.OTHERS and place.attack)
    at = _emit(code, holder, (attack if argument is None else argument, 0, 0, 0))
    inner = _emit(code, words.MAY) if may else None
    _write_from(code, operation, 1, place)
    if inner is not None:
        _close(code, inner)
    _emit(code, words.END)
    _close(code, at)


CONTROL: dict[str, Callable[[Code, Sequence[Any], Place], None]] = {
    "may": _write_may,
    "choose": _write_choose,
    "cost": _write_cost,
    "cost_one_of": _write_cost_one_of,
    "require": _misplaced_require,
    "if_state": _write_if_state,
    "if": _write_if,
    "others": partial(_write_body, words.OTHERS, False, None),
    "all_players": partial(_write_body, words.ALL_PLAYERS, False, None),
    "others_may": partial(_write_body, words.OTHERS, True, None),
    "all_players_may": partial(_write_body, words.ALL_PLAYERS, True, None),
    "for_each_paid": partial(_write_body, words.FOR_EACH, False, PAID),
    "for_each_abandoned": partial(_write_body, words.FOR_EACH, False, ABANDONED),
    "for_each_discarded": partial(_write_body, words.FOR_EACH, False, DISCARDED),
}
"""Operations that hold others."""


def write_program(code: Code, operations: Any, place: Place) -> int:
    """Write an effect and return where it starts, 0 for none; the same effect is written once.

    Raises
    ------
    UserError
        An operation is unknown or has wrong arguments, or the code table is full.
    """
    return _written_once(code, operations, place, partial(_write_list, code, operations, place)) if operations else 0


def _written_once(code: Code, said: Any, place: Place, write: Callable[[], None]) -> int:
    """Return where a program starts; it is written unless one that says the same has been."""
    key = repr([said, place.attack])
    if key not in code.programs:
        start = len(code.rows)
        write()
        _emit(code, words.END)
        if len(code.rows) > MAX_CODE:
            raise place.wrong("too many operations in all files", len(code.rows), f"at most {MAX_CODE} instructions")
        code.programs[key] = start
    return code.programs[key]


def _write_reaction(code: Code, reaction: Reaction, place: Place) -> int:
    """Write what a reaction does for its cost."""
    do = partial(_write_list, code, reaction.do, place.part("do"))
    if not reaction.cost:
        return _written_once(code, reaction.do, place, do)
    paid = partial(_write_list, code, reaction.cost, place.part("cost"), False)
    said = ["reaction", reaction.cost, reaction.do]
    return _written_once(code, said, place, partial(_write_payment, code, paid, do))


def _write_requirements(code: Code, conditions: Any, place: Place) -> int:
    """Write the conditions on which a card may be played."""
    if not conditions:
        return 0
    required = [["require", condition] for condition in conditions]

    def write() -> None:
        rows = [
            _emit(code, words.REQUIRE, _condition(code, condition, place.item(number)))
            for number, condition in enumerate(conditions)
        ]
        for row in rows:
            _close(code, row)

    return _written_once(code, required, place, write)


# ---- Tables ----


def build_tables(catalog: Catalog, folder: Path | None = None) -> Any:
    """Compile the effects of a catalogue and pack it into the record the kernels read.

    Parameters
    ----------
    catalog
        What the files say.
    folder
        Where they are, for messages; by default the folder of the project.

    Returns
    -------
    np.record
        One read-only record of dtype `TABLES`.

    Raises
    ------
    UserError
        An effect says something that there is not.
    """
    return _compiled(catalog, FOLDER if folder is None else folder)[0]


def selector_names(catalog: Catalog) -> list[str]:
    """Return every selector in words, in the order of `t.selector`, for `listing`."""
    return _compiled(catalog, FOLDER)[1].selector_names


def _compiled(catalog: Catalog, folder: Path) -> tuple[Any, Code]:
    array = np.zeros(1, TABLES)
    t: Any = array[0]
    t.cards, t.factions = len(catalog.cards), len(catalog.factions)
    _fill_blanks(t)
    code = Code(catalog.cards)
    _emit(code, words.END)
    for what in ("any", *SUITS):
        selector(code, what, Place(folder, "", ""))
    for card, row in enumerate(catalog.cards):
        place = Place(folder / catalog.files[card], catalog.label(card), "", row.attack)
        _fill_print(t, catalog, card)
        _fill_programs(t, code, card, row, place)
        _fill_triggers(t, code, card, row, place)
        _fill_passives(t, code, card, row, place)
        _fill_points(t, code, card, row, place)
    t.code[: len(code.rows)] = code.rows
    for meant, number in code.selectors.items():
        t.selector[number, : len(meant)] = meant
    _fill_factions(t, catalog)
    _fill_rules(t, catalog)
    t.king_of_kings = catalog.king_of_kings
    array.flags.writeable = False
    return array[0], code


def _fill_blanks(t: Any) -> None:
    """Fill in what the tables hold where nothing is said."""
    for name in ("nation", "other_side", "replaces_gain"):
        t[name][:] = -1
    t.state[:] = NO_STATE
    for name in ("ignores", "plays_free", "sinks_with"):
        t[name][:] = NOTHING
    t.market_token[:, 0] = -1


def _fill_print(t: Any, catalog: Catalog, card: int) -> None:
    """Fill in what is printed on a card but its effects."""
    row = catalog.cards[card]
    t.nation[card] = catalog.nation_of[card]
    t.box[card] = COMMONS.get(catalog.files[card].removesuffix(".toml"), 0)
    t.kind[card] = KINDS_OF_CARDS.index(row.kind)
    ids = [other.id for other in catalog.cards]
    if row.side is not None:
        t.other_side[card] = ids.index(_other_side(row.id))
    t.name[card] = next(number for number, other in enumerate(catalog.cards) if other.name == row.name)
    t.suits[card] = sum(1 << SUITS.index(suit) for suit in row.suits)
    t.state[card] = NO_STATE if row.state is None else STATES.index(row.state)
    t.icons[card] = [getattr(row.icons, icon) for icon in ICONS]
    start = "in_play" if isinstance(row, Power) else row.start if isinstance(row, NationCard) else "commons"
    t.start[card] = STARTS.index(start)
    t.min_players[card] = row.min_players
    if isinstance(row, NationCard):
        t.cost[card] = [getattr(row.cost, resource) for resource in RESOURCES]
    for name in ("pinned", "attack", "free_play", "unplayable", "no_garrison", "comes_last"):
        t[name][card] = getattr(row, name)
    t.fixed_in_play[card] = row.cannot_be_abandoned_or_recalled
    t.region_weight[card] = "region" in row.suits


PROGRAM_FIELDS = {
    "play": words.PLAY_PROGRAM,
    "exhaust": words.EXHAUST_PROGRAM,
    "solstice": words.SOLSTICE_PROGRAM,
    "on_gain": words.GAIN_PROGRAM,
    "on_enter_play": words.ENTER_PROGRAM,
    "on_resolve": words.RESOLVE_PROGRAM,
    "before_scoring": words.SCORING_PROGRAM,
}
"""Fields of a row that are programs as they stand."""


def _fill_programs(t: Any, code: Code, card: int, row: Card, place: Place) -> None:
    for name, program in PROGRAM_FIELDS.items():
        t.program[card, program] = write_program(code, getattr(row, name), replace(place, field=name))
    required = _write_requirements(code, row.require, replace(place, field="require"))
    t.program[card, words.REQUIRE_PROGRAM] = required


def _fill_triggers(t: Any, code: Code, card: int, row: Card, place: Place) -> None:
    """Fill in the reaction of a card and what happens on it by itself."""
    if row.when is not None:
        at = replace(place, field="when")
        t.when[card], t.when_to[card] = _trigger(code, row.when.on, at.part("on"))
        t.program[card, words.WHEN_PROGRAM] = write_program(code, row.when.do, at.part("do"))
    if row.react is None:
        return
    at = replace(place, field="react")
    t.react_on[card], t.react_to[card] = _trigger(code, row.react.on, at.part("on"))
    t.react_any_turn[card] = row.react.any_turn
    if t.react_on[card] == words.DISCARD_REQUIRED:
        _fill_relief(t, code, card, row.react, at)
        return
    t.program[card, words.REACT_PROGRAM] = _write_reaction(code, row.react, at)
    if t.react_on[card] == words.ANOTHER_ATTACKS:
        t.shield[card] = words.SHIELD_BY_EXHAUST
        t.shield_arg[card] = _population_paid(row.react.cost, at.part("cost"))


def _population_paid(cost: Any, place: Place) -> int:
    """Return the population paid for keeping an attack away, besides the exhaust token."""
    if not cost:
        return 0
    if len(cost) != 1 or cost[0][:2] != ["pay", "population"]:
        raise place.wrong("an attack is kept away for population only", cost, '[["pay", "population", N]]')
    return int(cost[0][2])


def _fill_relief(t: Any, code: Code, card: int, reaction: Reaction, place: Place) -> None:
    """Fill in a reaction that lowers by one a number of cards that must be discarded."""
    lowered = [["reduce_required_discard", reaction.on[1], 1]]
    if reaction.do != lowered or reaction.cost:
        raise place.part("do").wrong("not what this trigger is for", reaction.do, str(lowered))
    t.discard_relief[card], t.relief_of[card] = 1, t.react_to[card]


# ---- Passives ----


def _unrest_costs(_: Code, value: Any, place: Place) -> int:
    return _bits_of(("material", "cards"), value, place)


def _discard_word(_: Code, value: Any, place: Place) -> int:
    return _one_of(("discard",), value, place)


def _region_word(_: Code, value: Any, place: Place) -> int:
    return _one_of(("region",), value, place)


def _of_types(code: Code, value: Any, place: Place) -> int:
    _bits_of(TYPES, value, place)
    return selector(code, "|".join(value), place)


def _shield(code: Code, value: Any, place: Place) -> tuple[int, int]:
    """Return how an attack is avoided, and the selector recalled or the population paid."""
    if isinstance(value, list) and len(value) == 3:
        if value[0] == "recall" and value[2] == 1:
            return words.SHIELD_BY_RECALL, _card(code, value[1], place.item(1))
        if value[:2] == ["pay", "population"]:
            return words.SHIELD_BY_PAYING, _number(code, value[2], place.item(2))
    raise place.wrong("no way to avoid an attack", value, '["recall", CARD, 1] or ["pay", "population", N]')


def _excepted(_: Code, value: Any, place: Place) -> int:
    if value != {"except": "progress"}:
        raise place.wrong("not allowed here", value, '{ except = "progress" }')
    return PROGRESS


PASSIVES: dict[str, tuple[Callable[[Code, Any, Place], Any], ...]] = {
    "hand_size": (_number,),
    "fame_look_extra": (_number,),
    "ignore_state_icon": (selector, _state),
    "unrest_play_cost": (_unrest_costs, _change),
    "development_cost": (_resource, _change),
    "market_token_replaced_by": (_resource, _number),
    "history_replaced_by": (_discard_word,),
    "may_acquire_from_exile": (_suits,),
    "may_avoid_attack_by": (_shield,),
    "ignore_attacks": (_excepted,),
    "types_are_free_play": (_of_types,),
    "counts_as": (_region_word, _number),
    "replace_gain": (_resource, write_program),
    "sinks_with": (selector,),
    "discard_may_abandon_garrisoned": (selector,),
}


def _fill_passives(t: Any, code: Code, card: int, row: Card, place: Place) -> None:
    for number, passive in enumerate(row.passive):
        at = replace(place, field="passive").item(number)
        name = _look_up(PASSIVES, passive, at, "passive")
        kinds = PASSIVES[name]
        _needs(passive, len(kinds), len(kinds), f'["{name}"] with {len(kinds)} arguments', at)
        values = [kind(code, passive[n + 1], at.item(n + 1)) for n, kind in enumerate(kinds)]
        if name == "ignore_state_icon":
            _fill_ignored(t, card, values, at)
        else:
            _fill_passive(t, card, name, values)


def _fill_ignored(t: Any, card: int, values: Sequence[int], place: Place) -> None:
    """Fill in the next of the state icons that a card lets its player ignore."""
    for number in range(MAX_IGNORES):
        if t.ignores[card, number, 0] == NOTHING:
            t.ignores[card, number] = values
            return
    raise place.wrong("too many on one card", MAX_IGNORES + 1, f"at most {MAX_IGNORES}")


def _fill_passive(t: Any, card: int, name: str, values: Sequence[Any]) -> None:
    """Fill in a passive ability as read."""
    match name:
        case "hand_size":
            t.hand_size[card] = values[0]
        case "fame_look_extra":
            t.look_extra[card] = values[0]
        case "unrest_play_cost":
            t.unrest_cost[card] = [values[1] * (values[0] >> column & 1) for column in (0, 1)]
        case "development_cost":
            t.development_cost[card, values[0]] = values[1]
        case "market_token_replaced_by":
            t.market_token[card] = values
        case "history_replaced_by":
            t.no_history[card] = 1
        case "may_acquire_from_exile":
            t.exile_suits[card] = values[0]
        case "may_avoid_attack_by":
            t.shield[card], t.shield_arg[card] = values[0]
        case "ignore_attacks":
            t.shield[card], t.shield_arg[card] = words.SHIELD_ALWAYS, values[0]
        case "types_are_free_play":
            t.plays_free[card] = values[0]
        case "counts_as":
            t.region_weight[card] = values[1]
        case "replace_gain":
            t.replaces_gain[card], t.program[card, words.REPLACE_GAIN_PROGRAM] = values
        case "sinks_with":
            t.sinks_with[card] = values[0]
        case "discard_may_abandon_garrisoned":
            t.discard_relief[card], t.relief_of[card] = 2, values[0]


# ---- Points ----

COUNTED: dict[str, tuple[int, tuple[Argument, ...]]] = {
    "resource": (words.OF_RESOURCE, (_resource,)),
    "cards": (words.OF_CARDS, (selector,)),
    "cards_in_play": (words.OF_CARDS_IN_PLAY, (selector,)),
    "cards_in_history": (words.OF_CARDS_IN_HISTORY, (selector,)),
    "cards_garrisoned_here": (words.OF_CARDS_GARRISONED_HERE, (selector,)),
    "exile_pile": (words.OF_EXILE_PILE, ()),
    "unrest_of_others": (words.OF_OTHERS_UNREST, ()),
    "players_with_less": (words.OF_PLAYERS_WITH_LESS, (_resource,)),
    "resource_and_cards": (words.OF_RESOURCE_AND_CARDS, (_resource, selector)),
}
"""What variable points may count, but for icons, of which there may be several."""


def _fill_points(t: Any, code: Code, card: int, row: Card, place: Place) -> None:
    if row.vp is not None:
        t.points_kind[card] = words.FIXED_POINTS
        t.points_at[card] = [PointsByPlace(otherwise=row.vp).at(zone) for zone in ZONE_NAMES]
    elif row.vp_where is not None:
        t.points_kind[card] = words.CONDITIONAL_POINTS
        t.points_at[card] = [row.vp_where.at(zone) for zone in ZONE_NAMES]
    elif row.vp_for is not None:
        t.points_kind[card] = words.VARIABLE_POINTS
        t.points[card], t.per[card], t.cap[card] = row.vp_for.points, row.vp_for.per, row.vp_for.cap
        t.of[card], *arguments = _counted(code, row.vp_for.of, replace(place, field="vp_for.of"))
        t.of_arg[card, : len(arguments)] = arguments


def _counted(code: Code, of: Sequence[str], place: Place) -> list[int]:
    """Return what variable points count, with its arguments."""
    if of[0] == "icons":
        bits = sum({1 << _icon(code, icon, place.item(n + 1)) for n, icon in enumerate(of[1:])})
        if not bits:
            raise place.wrong("wrong number of arguments", of, '["icons", ICON, ...]')
        return [words.OF_ICONS, bits]
    name = _look_up(COUNTED | {"icons": None}, of, place, "kind of count")
    kind, arguments = COUNTED[name]
    _needs(of, len(arguments), len(arguments), f'["{name}"] with {len(arguments)} arguments', place)
    return [kind, *(read(code, of[n + 1], place.item(n + 1)) for n, read in enumerate(arguments))]


# ---- Factions and rules ----


def _fill_factions(t: Any, catalog: Catalog) -> None:
    for faction, power in enumerate(catalog.factions):
        number = catalog.nation_of[power]
        nation = catalog.nations[number]
        t.faction_nation[faction], t.faction_power[faction] = number, power
        for name in ("has_history", "sinks", "develops", "becomes_empire", "starts_empire"):
            t[f"faction_{name}"][faction] = getattr(nation, name)
        t.faction_exhausts[faction] = nation.exhaust_tokens
        t.faction_hint[faction, : len(HINTS)] = [getattr(nation.hints, name) for name in HINTS]


SETTINGS_AS_NAMED = (
    "garrisoned_unrest_counts",
    "sunken_unrest_counts",
    "empty_option_allowed",
    "avoiding_loses_benefits",
    "power_card_is_counted",
    "tokens_on_cards_score",
    "tokens_gained_when_card_leaves",
    "tucked_unrest_is_taken",
    "barbarian_may_develop",
)
"""Settings that stand in the tables as they are."""


def _fill_rules(t: Any, catalog: Catalog) -> None:
    constants, settings = catalog.constants, catalog.settings
    t.start_resource[:] = [getattr(constants.start_resource, resource) for resource in RESOURCES]
    t.actions, t.hand = constants.actions, constants.hand
    for number, players in enumerate(PLAYERS):
        t.deck_size[players] = constants.deck_size[number]
        t.fame_removed[players] = constants.fame_removed[number]
    t.turn_limit = constants.turn_limit
    t.round_limit, t.fallback_number = constants.round_limit, constants.fallback_number
    t.fallback_resource = RESOURCES.index(str(settings["break_through_fallback"]))
    t.king_once_per_player = int(bool(settings["king_of_kings_once_per_player"]))
    t.quest_is_scored = int(bool(settings["active_quest_is_scored"]))
    for name in SETTINGS_AS_NAMED:
        t[name] = int(bool(settings[name]))
    forbids = SETTINGS["unpayable_cost_forbids_play"]
    t.unpayable_forbids = forbids.index(settings["unpayable_cost_forbids_play"])
    t.play_triggers_first = int(settings["play_trigger_timing"] == "before")


# ---- Code in words ----


def _names(first: str, behind: str) -> list[str]:
    """Names of a group of numbers of `vocabulary`, from its first to before the first of the next group."""
    names = list(vars(words))
    return names[names.index(first) : names.index(behind)]


OPERATION_NAMES = _names("END", "CLEAN_UP")
CONDITION_NAMES = _names("STATE_IS", "CARDS_IN_PLAY")
COUNTER_NAMES = _names("CARDS_IN_PLAY", "NEVER")
COLUMN_KINDS: dict[int, dict[int, str]] = {
    form.operation: {argument[1]: argument[0] for argument in form.arguments}
    | {column: kind for kind, column in form.options.values() if kind == "WHAT"}
    for form in FORMS.values()
}
"""Kind of what stands in the columns of an operation, where a word says it better than the number."""
CONDITION_KINDS = {
    form.operation: {argument[1]: argument[0] for argument in form.arguments} for form in CONDITIONS.values()
}


def program_end(t: Any, start: int) -> int:
    """Return the row of the END of the program that starts at a row of the code table."""
    row = behind = start
    while t.code[row, OPERATION] != words.END or behind > row:
        if t.code[row, OPERATION] != words.END:
            behind = max(behind, int(t.code[row, NEXT]))
        row += 1
    return row


def listing(t: Any, start: int, selectors: Sequence[str] = ()) -> list[str]:
    """Return a program in words, one line for each instruction.

    Parameters
    ----------
    t
        The tables.
    start
        Row of `t.code` where the program starts; 0 for none.
    selectors
        The selectors in words, from `selector_names`; they are numbered where there are none.
    """
    if start == 0:
        return []
    return [f"{row} {_in_words(t.code[row], selectors)}" for row in range(start, program_end(t, start) + 1)]


def _in_words(instruction: Sequence[int], selectors: Sequence[str]) -> str:
    """An instruction with its arguments, and for those that hold others where it goes on."""
    operation, *arguments, behind = (int(number) for number in instruction)
    name = OPERATION_NAMES[operation]
    if operation in (words.IF, words.REQUIRE):
        kinds = CONDITION_KINDS[arguments[0]]
        said = [_word(kind, arguments[column - A], selectors) for column, kind in kinds.items()]
        return f"{' '.join([name, CONDITION_NAMES[arguments[0]], *said])}, else to {behind}"
    if operation == words.COST:
        return f"{name} up to {arguments[0]}, then to {behind}"
    if operation == words.JUMP:
        return f"{name} to {behind}"
    if operation == words.END:
        return name
    if operation not in COLUMN_KINDS:
        return f"{name} {arguments[0]}, then to {behind}"
    said = _arguments_in_words(COLUMN_KINDS[operation], arguments, selectors)
    return " ".join([name, *said])


def _arguments_in_words(kinds: Mapping[int, str], arguments: Sequence[int], selectors: Sequence[str]) -> list[str]:
    """Arguments of an operation; zeros that say nothing are left out at the end."""
    said = [_word(kinds.get(column, ""), number, selectors) for column, number in enumerate(arguments, start=A)]
    for column, kind in kinds.items():
        if kind == "COUNTER":
            counter, of = arguments[column - A : column - A + 2]
            said[column - A] = COUNTER_NAMES[counter]
            said[column - A + 1] = _word("ICON" if counter == words.ICONS_IN_PLAY else "WHAT", of, selectors)
    while said and said[-1] == "0":
        said.pop()
    return said


def _word(kind: str, number: int, selectors: Sequence[str]) -> str:
    """An argument in words."""
    plain = {"R": RESOURCES, "ICON": ICONS, "STATE": STATES, "ZONE": ZONE_NAMES, "FROM": WHOM, "REASON": END_REASONS}
    bits = {"ZONES": ZONE_NAMES, "SUITS": SUITS}
    if kind in plain:
        return plain[kind][number]
    if kind in bits:
        return "+".join(word for place, word in enumerate(bits[kind]) if number >> place & 1) or "nowhere"
    if kind in ("WHAT", "CARD"):
        special = {words.NOTHING: "nothing", words.SELF: "self", words.DRAWN_IT: "drawn"}
        return special.get(number, f"[{selectors[number] if selectors else number}]")
    return "all" if kind == "COUNT" and number == words.ALL_OF else str(number)

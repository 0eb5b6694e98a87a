"""Nations, cards and settings of Imperium, from `configs/games/imperium/`.

There is one file for each nation, three for the commons of both boxes, rules.toml and lessons.toml. `load_catalog`
reads the files and checks every row. Effects are checked by `build_tables`, which compiles them. Cards are in the order
of the files, with those of the nations first. The header of shared.toml explains fields and operations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

from pydantic import Field, model_validator

from sim.data.catalog import CONFIGS, Certainty, Kind, Name, NoRepeats, Number, Positive, Row, fault
from sim.data.game_files import GameCatalog, GameFiles, Setting, catalog_loader
from sim.data.lessons import Learnt
from sim.errors import UserError
from sim.games.imperium.rules.constants import ACTIONS_TOLD_APART, PLAYERS, SETTINGS
from sim.games.imperium.rules.tables import MAX_CARDS, MAX_ZONE

FOLDER = CONFIGS / "games" / "imperium"

NATIONS = (
    "carthaginians", "celts", "greeks", "macedonians", "persians", "romans", "scythians", "vikings", "arthurians",
    "atlanteans", "egyptians", "mauryans", "minoans", "olmecs", "qin", "utopians",
)  # fmt: skip
"""Files of the nations, in the order of their ids."""
COMMONS = {"shared": 3, "classics": 1, "legends": 2}
"""Files of the commons, with the bits of the boxes that contain their cards."""

# ---- Rows ----

Suit = Literal["region", "uncivilised", "civilised", "tributary", "fame", "unrest"]
Type = Literal["city", "metropolis", "knight", "mask", "scroll"]
State = Literal["barbarian", "empire"]
Start = Literal["deck", "nation", "accession", "development", "in_play", "unrest_pile"]
KindOfCard = Literal["card", "power", "journey", "court", "king_of_kings"]
KINDS_OF_CARDS: tuple[str, ...] = get_args(KindOfCard)
"""Kinds of cards, in the order of `CARD` to `KING_OF_KINGS` of `constants`."""
STARTS: tuple[str, ...] = (*get_args(Start), "commons")
"""Places of cards at the start, in the order of `START_DECK` to `START_COMMONS` of `constants`."""
TYPES: tuple[str, ...] = get_args(Type)
MAX_POINTS = 20

Points = Annotated[int, Field(ge=-MAX_POINTS, le=MAX_POINTS)]
Weight = Annotated[float, Field(ge=-1, le=1)]
Operations = list[Any]
"""Operations as written in the file. They are checked when they are compiled."""


class Resources(Row):
    """Resource tokens."""

    material: Number = 0
    population: Number = 0
    progress: Number = 0


class Icons(Row):
    """Region icons."""

    production: Annotated[int, Field(ge=0, le=3)] = 0
    fertile: Annotated[int, Field(ge=0, le=3)] = 0
    river: Annotated[int, Field(ge=0, le=3)] = 0


class PointsByPlace(Row):
    """Victory points of a card by its zone at the end. A garrisoned card does not count as in play."""

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
        """Return the points that the card scores in a zone of a seat."""
        if zone in ("nation", "development"):
            return 0
        given = getattr(self, zone)
        if given is None and zone != "in_play":
            given = self.not_in_play
        return self.otherwise if given is None else int(given)


class PointsForCounted(Row):
    """Victory points for each counted thing."""

    points: Annotated[int, Field(ge=1, le=MAX_POINTS)]
    per: Positive
    of: Annotated[list[str], Field(min_length=1)]
    cap: Positive = 10


class Reaction(Row):
    """An exhaust ability with a trigger."""

    on: list[str]
    cost: Operations = Field(default_factory=list)
    do: Operations
    any_turn: bool = False


class Event(Row):
    """An effect that a trigger causes without asking the player."""

    on: list[str]
    do: Operations


class Card(Row):
    """A card, or one side of a two-sided card."""

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
        # A change cannot remove the field `vp`. So `vp` 0 next to points of another kind counts as absent.
        given = given[1:] if self.vp == 0 and len(given) > 1 else given
        if len(given) > 1:
            fault("one kind of victory points", field=given[1], found=given, allowed="vp, vp_where or vp_for")
        return self

    @property
    def points_icon(self) -> str:
        """Return the kind of victory points: none, negative, fixed, conditional or variable."""
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
    """One side of a nation's power card. A nation together with a side is a faction."""

    kind: Literal["power"] = "power"
    side: Literal["A", "B"]


class Hints(Row):
    """A nation's hints for scripted players: 1 for what it wants most, -1 for what it avoids."""

    cycle: Weight  # cycle through the draw deck quickly
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
    unrest: Weight  # tolerate unrest
    thin: Weight  # keep the draw deck small
    pinned: Weight  # have many pinned cards in play


HINTS: tuple[str, ...] = tuple(Hints.model_fields)
"""Columns of `faction_hint`."""


class Nation(Row):
    """A nation. Several fields say which zones and abilities it has, because not every nation has them all."""

    name: Name
    box: Literal["classics", "legends"]
    has_history: bool
    sinks: bool  # has a sunken pile
    develops: bool
    becomes_empire: bool  # becomes an empire by its accession card
    starts_empire: bool
    exhaust_tokens: Positive
    certainty: Certainty
    hints: Hints


LearntByActions = Annotated[list[Learnt], Field(min_length=ACTIONS_TOLD_APART, max_length=ACTIONS_TOLD_APART)]


class Lessons(Row):
    """Learned bonuses of a card, in points, by what a player does with the card."""

    play: Learnt = 0.0
    use: Learnt = 0.0
    gain: Learnt = 0.0
    develop: Learnt = 0.0
    retire: Learnt = 0.0  # put into history, or sink
    garrison: Learnt = 0.0
    discard: Learnt = 0.0


LESSONS: tuple[str, ...] = tuple(Lessons.model_fields)
"""Columns of `card_lesson`, in the order of `TO_PLAY` to `TO_DISCARD` of `constants`."""


class CardLesson(Lessons):
    """The lessons of the card with this `id`."""

    id: Name
    late: Annotated[Lessons, Field(default_factory=Lessons)]  # bonuses that are added from round `EARLY_ROUNDS` + 1 on
    # Bonuses that are added to `play` and `use`, with 0, 1, 2, and 3 or more actions left.
    play_left: Annotated[LearntByActions, Field(default_factory=lambda: [0.0] * ACTIONS_TOLD_APART)]
    use_left: Annotated[LearntByActions, Field(default_factory=lambda: [0.0] * ACTIONS_TOLD_APART)]
    # Bonuses of effects that are optional or part of a choice. "play.4" is row 4 of the code of the effect `play`.
    effects: Annotated[dict[str, Learnt], Field(default_factory=dict)]


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


LABEL = ("id", "name")
POWER_LABEL = ("name", "side")
NATION_KINDS = {"nation": Kind(Nation), "power": Kind(Power, POWER_LABEL), "card": Kind(NationCard, LABEL)}
FILES: dict[str, dict[str, Kind]] = {
    **{f"{name}.toml": NATION_KINDS for name in NATIONS},
    **{f"{name}.toml": {"card": Kind(Card, LABEL)} for name in COMMONS},
    "rules.toml": {"constants": Kind(Constants), "setting": Kind(Setting, ("name",))},
    "lessons.toml": {"lesson": Kind(CardLesson, ("id",))},
}
"""The tables in each file."""


# ---- Catalogue ----


@dataclass(frozen=True)
class Catalog(GameCatalog):
    """The content of `configs/games/imperium/`. Rows have been checked, but not effects.

    Attributes
    ----------
    cards
        Card c is row c of the card table.
    files
        Name of the file that contains each card's row.
    nation_of
        Nation of each card, -1 for the commons.
    nations
        Nation n has the id n.
    factions
        For each faction, the row of its power card. Side A of a nation comes before its side B.
    lessons
        Learned bonuses of cards (points that scripted players add to the value of an option), by id.
    """

    cards: tuple[Card, ...]
    files: tuple[str, ...]
    nation_of: tuple[int, ...]
    nations: tuple[Nation, ...]
    factions: tuple[int, ...]
    constants: Constants
    lessons: Mapping[str, CardLesson]

    @property
    def card_names(self) -> tuple[str, ...]:
        """Names of all cards. A name that several rows share is followed by the id: "Advance (CAR11)"."""
        rows = Counter(card.name for card in self.cards)
        return tuple(f"{card.name} ({card.id})" if rows[card.name] > 1 else card.name for card in self.cards)

    @property
    def faction_names(self) -> tuple[str, ...]:
        """Names of all factions, such as "Celts A"."""
        return tuple(f"{self.cards[power].name} {self.cards[power].side}" for power in self.factions)

    @property
    def king_of_kings(self) -> int:
        """The row of side A of King of Kings in the card table."""
        return next(n for n, card in enumerate(self.cards) if card.kind == "king_of_kings" and card.side == "A")

    def label(self, card: int) -> str:
        """Return the label of a card's row in messages and in users' changes: "CEL3 Celtic Innovation", "Celts A"."""
        row = self.cards[card]
        return " ".join(str(getattr(row, name)) for name in (POWER_LABEL if isinstance(row, Power) else LABEL))


def _build(read: GameFiles) -> Catalog:
    """Build the catalogue from the files of nations and cards, after checking their rows against each other."""
    nations: list[Nation] = []
    cards: list[Card] = []
    files: list[str] = []
    nation_of: list[int] = []
    for file in (f"{name}.toml" for name in (*NATIONS, *COMMONS)):
        tables = read.read(file)
        number = -1
        if "nation" in tables:
            number = len(nations)
            nations.append(tables["nation"])
            _check_nation(read.folder / file, **tables)
        rows = [*tables.get("power", []), *tables["card"]]
        cards += rows
        files += [file] * len(rows)
        nation_of += [number] * len(rows)
    _check_ids(read.folder, cards, files)
    _check_zones(read.folder, cards, files)
    lessons = read.lessons("lesson", [card.id for card in cards])
    resolved = {"cards": cards, "nations": nations, "constants": read.constants, "lessons": list(lessons.values())}
    return Catalog(
        cards=tuple(cards),
        files=tuple(files),
        nation_of=tuple(nation_of),
        nations=tuple(nations),
        factions=tuple(number for number, card in enumerate(cards) if isinstance(card, Power)),
        lessons=lessons,
        **read.common({"cards": cards, "nations": nations}, resolved),
    )


load_catalog = catalog_loader(FOLDER, FILES, SETTINGS, _build)


def _check_nation(path: Path, nation: Nation, power: Sequence[Power], card: Sequence[NationCard]) -> None:
    """Check the rows of a nation: two sides of the power card, and at most one accession card."""
    sides = [row.side for row in power]
    if sides != ["A", "B"]:
        raise UserError("a power card has two sides", file=path, field="power", found=sides, allowed="A, then B")
    for row in power:
        if row.name != nation.name:
            message = "a power card has the name of its nation"
            raise UserError(message, file=path, row=row.id, field="name", found=row.name, allowed=[nation.name])
    last = [row.id for row in card if row.start == "accession"]
    if len(last) > 1:
        raise UserError("one card lies below the nation deck", file=path, field="start", found=last, allowed="one card")


def _check_ids(folder: Path, cards: Sequence[Card], files: Sequence[str]) -> None:
    """Check that ids are unique, that two-sided cards have both sides, and that the cards fit into the tables."""
    ids = [card.id for card in cards]
    known, before = set(ids), set[str]()
    for number, card in enumerate(cards):
        wrong = partial(UserError, file=folder / files[number], row=card.id)
        if card.id in before:
            raise wrong("id given twice", field="id", found=card.id, allowed="each id once")
        before.add(card.id)
        if card.side is not None and (card.id[-1] != card.side or other_side(card.id) not in known):
            allowed = f"ids that end in {card.side} and, for the other side, in {'BA'['AB'.index(card.side)]}"
            raise wrong("a side without its card", field="id", found=card.id, allowed=allowed)
    kings = [card.side for card in cards if card.kind == "king_of_kings"]
    if kings != ["A", "B"]:
        raise UserError("King of Kings has two sides", file=folder / "shared.toml", found=kings, allowed="A, then B")
    if len(cards) > MAX_CARDS:
        raise UserError("too many cards", file=folder, found=len(cards), allowed=f"at most {MAX_CARDS}")


def _check_zones(folder: Path, cards: Sequence[Card], files: Sequence[str]) -> None:
    """Check that at set-up no zone of the game record gets too many cards. During play, kernels check this."""
    wrong = partial(UserError, allowed=f"at most {MAX_ZONE}")
    rows = Counter(files)
    for name in NATIONS:
        if rows[f"{name}.toml"] > MAX_ZONE:
            raise wrong("too many cards of one nation", file=folder / f"{name}.toml", found=rows[f"{name}.toml"])
    added = [Counter(_heap(card) for card in _of(cards, files, name) if _is_added(card)) for name in NATIONS]
    for box in ("classics", "legends"):
        heaps = Counter(_heap(card) for card in [*_of(cards, files, "shared"), *_of(cards, files, box)])
        for heap in heaps:
            count = heaps[heap] + sum(sorted(nation[heap] for nation in added)[-PLAYERS[-1] :])
            if count > MAX_ZONE:
                message = (
                    f"too many cards for the {heap}, with those that are shared and those of {PLAYERS[-1]} nations"
                )
                raise wrong(message, file=folder / f"{box}.toml", field="card", found=count)


def _is_added(card: Card) -> bool:
    """Tell whether a nation's card is added to the common cards at set-up: only those for the unrest pile are."""
    return isinstance(card, NationCard) and card.start == "unrest_pile"


def _heap(card: Card) -> str:
    return "unrest pile" if "unrest" in card.suits else "fame deck" if "fame" in card.suits else "main deck"


def _of(cards: Sequence[Card], files: Sequence[str], name: str) -> list[Card]:
    return [card for card, file in zip(cards, files, strict=True) if file == f"{name}.toml"]


def other_side(card_id: str) -> str:
    """Return the id of the other side of a card."""
    return card_id[:-1] + ("B" if card_id.endswith("A") else "A")

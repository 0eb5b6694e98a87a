"""Boards, cards and settings of The Glory of Rome as `configs/games/glory_of_rome/` has them.

`load_catalog` reads and checks them. The headers of the files explain fields, conditions and effects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.data.catalog import (
    CONFIGS,
    Certainty,
    Kind,
    Row,
    certainty_shares,
    check_tables,
    digest,
    validate_row,
    validate_rows,
)
from sim.data.changes import Change, read_changed
from sim.data.settings import Setting, check_settings, open_settings, resolve_settings
from sim.games.glory_of_rome.data.checks import (
    check_board,
    check_cards,
    check_characters,
    check_decks,
    check_lessons,
    check_rounds,
)
from sim.games.glory_of_rome.data.models import (
    BattleRegion,
    Box,
    BuildingSite,
    Character,
    CommonPieces,
    Constants,
    Economic,
    Event,
    FollowerLesson,
    Milestones,
    Mission,
    Pantheon,
    Penalty,
    Senate,
    SetPoints,
    TileLesson,
    TradeCard,
)
from sim.games.glory_of_rome.rules.constants import BONUSES, BUILDINGS, REGIONS, SETTINGS, TRADE_TYPES

FOLDER = CONFIGS / "games" / "glory_of_rome"

RULES_FILE, BOARD_FILE, CHARACTER_FILE = "rules.toml", "board.toml", "characters.toml"
TRADE_FILE, MISSION_FILE, EVENT_FILE = "trade.toml", "missions.toml", "events.toml"
LESSONS_FILE = "lessons.toml"
FILES: dict[str, dict[str, Kind]] = {
    RULES_FILE: {"constants": Kind(Constants), "box": Kind(Box), "setting": Kind(Setting, ("name",))},
    BOARD_FILE: {
        "building": Kind(BuildingSite, ("type", "level")),
        "penalty": Kind(Penalty, ("population",)),
        "region": Kind(BattleRegion, ("name",)),
        "senate": Kind(Senate),
        "set": Kind(SetPoints, ("type",)),
        "pantheon": Kind(Pantheon),
        "common_pieces": Kind(CommonPieces, ("name",)),
        "milestones": Kind(Milestones),
        "economic": Kind(Economic),
    },
    CHARACTER_FILE: {"character": Kind(Character, ("name",))},
    TRADE_FILE: {"card": Kind(TradeCard, ("name",))},
    MISSION_FILE: {"mission": Kind(Mission, ("name",))},
    EVENT_FILE: {"event": Kind(Event, ("name",))},
    LESSONS_FILE: {
        "follower": Kind(FollowerLesson, ("players", "place", "bonus")),
        "tile": Kind(TileLesson, ("players", "type", "level")),
    },
}
"""Tables of every file."""
FIELDS = {
    "building": "buildings",
    "penalty": "penalties",
    "region": "regions",
    "set": "sets",
    "character": "characters",
    "card": "trade_cards",
    "mission": "missions",
    "event": "events",
    "follower": "follower_lessons",
    "tile": "tile_lessons",
}
"""Fields of the catalogue that are called otherwise than their tables."""
EMPTY_SPACE = "none"
"""A space of a discord track without a bonus."""


@dataclass(frozen=True)
class Catalog:
    """Everything the files say, checked.

    A position with numbers or cards of its own replaces `buildings`, `penalties`, `regions`, `senate`, `trade_cards`,
    `missions` or `events`.

    Attributes
    ----------
    folder
        Where the files are.
    constants, box
        Numbers of the rulebook, and what is in the box.
    buildings, penalties, regions, senate, sets, pantheon, common_pieces, milestones, economic
        Tables of board.toml.
    characters
        Character c is the faction with id c.
    trade_cards, missions, events
        The cards; in the card table they follow each other in this order.
    follower_lessons, tile_lessons
        What players have learnt of placing followers and building tiles.
    settings
        The value of every setting, overrides included.
    certainty
        Rows by certainty, for each of "board", "characters", "cards" and "settings".
    open_settings
        Settings that neither the rulebook nor several sources decide.
    digest
        SHA-256 of all data a game depends on.
    """

    folder: Path
    constants: Constants
    box: Box
    buildings: tuple[BuildingSite, ...]
    penalties: tuple[Penalty, ...]
    regions: tuple[BattleRegion, ...]
    senate: Senate
    sets: tuple[SetPoints, ...]
    pantheon: Pantheon
    common_pieces: tuple[CommonPieces, ...]
    milestones: Milestones
    economic: Economic
    characters: tuple[Character, ...]
    trade_cards: tuple[TradeCard, ...]
    missions: tuple[Mission, ...]
    events: tuple[Event, ...]
    follower_lessons: tuple[FollowerLesson, ...]
    tile_lessons: tuple[TileLesson, ...]
    settings: Mapping[str, object]
    certainty: Mapping[str, Mapping[Certainty, int]]
    open_settings: tuple[str, ...]
    digest: str

    # ---- Cards ----

    @property
    def cards(self) -> tuple[TradeCard | Mission | Event, ...]:
        """Every card by its number."""
        return (*self.trade_cards, *self.missions, *self.events)

    @property
    def card_names(self) -> tuple[str, ...]:
        """Name of every card, one that a card of an earlier kind has with its kind: "Plague (event)"."""
        names: list[str] = []
        for kind, cards in (("trade", self.trade_cards), ("mission", self.missions), ("event", self.events)):
            taken = set(names)
            names += [f"{card.name} ({kind})" if card.name in taken else card.name for card in cards]
        return tuple(names)

    @property
    def files(self) -> tuple[str, ...]:
        """File that each card stands in."""
        kinds = ((TRADE_FILE, self.trade_cards), (MISSION_FILE, self.missions), (EVENT_FILE, self.events))
        return tuple(file for file, cards in kinds for _ in cards)

    def label(self, card: int) -> str:
        """Return what a change or a message calls a card's row."""
        return self.cards[card].name

    # ---- Characters and the senate, as the settings have them ----

    @property
    def character_names(self) -> tuple[str, ...]:
        """Name of every character by its number."""
        return tuple(character.name for character in self.characters)

    @property
    def legions_first(self) -> bool:
        """Whether the first of the two numbers of a character is its legions."""
        return self.settings["character_numbers"] == "legions first"

    def legions(self, character: int) -> int:
        """Return the legions a character starts with."""
        return self.characters[character].numbers[0 if self.legions_first else 1]

    def denarii(self, character: int) -> int:
        """Return the denarii a character starts with."""
        return self.characters[character].numbers[1 if self.legions_first else 0]

    def own_intrigue(self, character: int) -> str:
        """Return the effect of intrigue that only this character has."""
        shift = SETTINGS["intrigue_owners"].index(str(self.settings["intrigue_owners"]))
        return self.characters[(character + shift) % len(self.characters)].own_intrigue

    def track(self, character: int) -> tuple[str, ...]:
        """Return the spaces of a character's discord track from the left: a type of building, or "none"."""
        turn = SETTINGS["track_order"].index(str(self.settings["track_order"]))
        bonuses = BUILDINGS[:BONUSES]
        longer = [EMPTY_SPACE] if self.settings["track_spaces"] == "one space more" else []
        return tuple(
            space if space == EMPTY_SPACE else bonuses[(bonuses.index(space) + turn) % BONUSES]
            for space in [*self.characters[character].track, *longer]
        )

    @property
    def senate_values(self) -> tuple[int, ...]:
        """Values of the senate column, lowest place first."""
        ascending = self.settings["senate_order"] == "ascending"
        return tuple(self.senate.ascending if ascending else self.senate.as_in_the_picture)


# ---- Reading ----


def load_catalog(
    folder: Path | None = None, settings: Mapping[str, object] | None = None, changes: Sequence[Change] = ()
) -> Catalog:
    """Read and check boards, cards, constants and settings.

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
    found = {
        FIELDS.get(table, table): content
        for file in FILES
        for table, content in _read_file(folder / file, changes).items()
    }
    rules = found.pop("setting")
    check_settings(folder / RULES_FILE, rules, SETTINGS)
    values = resolve_settings(rules, settings or {}, SETTINGS, "glory_of_rome")
    _check(folder, found, values["character_numbers"] == "legions first")
    found["buildings"] = _in_order(found["buildings"], lambda row: (BUILDINGS.index(row.type), row.level))
    found["penalties"] = _in_order(found["penalties"], lambda row: row.population)
    found["regions"] = _in_order(found["regions"], lambda row: REGIONS.index(row.name))
    found["sets"] = _in_order(found["sets"], lambda row: TRADE_TYPES.index(row.type))
    found["common_pieces"] = _in_order(found["common_pieces"], lambda row: row.players)
    kinds = {
        "board": [row for table in FILES[BOARD_FILE] for row in _as_list(found[FIELDS.get(table, table)])],
        "characters": found["characters"],
        "cards": [*found["trade_cards"], *found["missions"], *found["events"]],
        "settings": rules,
    }
    tables: dict[str, Any] = {name: tuple(rows) if isinstance(rows, list) else rows for name, rows in found.items()}
    return Catalog(
        folder=folder,
        **tables,
        settings=values,
        certainty={kind: certainty_shares(of_kind) for kind, of_kind in kinds.items()},
        open_settings=open_settings(rules),
        digest=digest({"rows": {name: _dumped(content) for name, content in found.items()}, "settings": values}),
    )


def _read_file(path: Path, changes: Sequence[Change]) -> dict[str, Any]:
    """Read the tables of a file: a row, or a list of rows, by the name of each table."""
    kinds = FILES[path.name]
    data = read_changed(path, kinds, changes)
    check_tables(path, data, list(kinds))
    return {
        table: validate_rows(path, data, table, kind.model, kind.label)
        if kind.label
        else validate_row(path, data[table], kind.model, table)
        for table, kind in kinds.items()
    }


def _check(folder: Path, found: Mapping[str, Any], legions_first: bool) -> None:
    """Check the rows against each other."""
    constants, board = found["constants"], folder / BOARD_FILE
    tables = (found[name] for name in ("buildings", "penalties", "regions", "sets", "common_pieces"))
    check_board(board, *tables)
    check_rounds(board, constants, found["economic"])
    check_characters(folder / CHARACTER_FILE, found["characters"], constants, legions_first)
    check_cards(folder, found["box"], found["trade_cards"], found["missions"], found["events"])
    check_decks(folder, constants, found["missions"], found["events"])
    check_lessons(folder / LESSONS_FILE, found["follower_lessons"], found["tile_lessons"])


def _in_order(rows: list[Any], place: Callable[[Any], Any]) -> list[Any]:
    return sorted(rows, key=place)


def _as_list(content: Any) -> list[Row]:
    return content if isinstance(content, list) else [content]


def _dumped(content: Any) -> object:
    """Return what a table says as plain data."""
    return [row.model_dump(by_alias=True) for row in _as_list(content)]

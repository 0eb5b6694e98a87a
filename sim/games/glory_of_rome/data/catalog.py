"""Boards, cards and settings of The Glory of Rome, from `configs/games/glory_of_rome/`.

`load_catalog` reads and checks the files. Their headers explain fields, conditions and effects.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sim.data.catalog import CONFIGS, Kind, Row
from sim.data.game_files import RULES_FILE, GameCatalog, GameFiles, Setting, catalog_loader
from sim.data.lessons import LESSONS_FILE
from sim.games.glory_of_rome.data import checks, models
from sim.games.glory_of_rome.rules.constants import BONUSES, BUILDINGS, REGIONS, SETTINGS, TRADE_TYPES

FOLDER = CONFIGS / "games" / "glory_of_rome"

BOARD_FILE, CHARACTER_FILE = "board.toml", "characters.toml"
TRADE_FILE, MISSION_FILE, EVENT_FILE = "trade.toml", "missions.toml", "events.toml"
FILES: dict[str, dict[str, Kind]] = {
    RULES_FILE: {"constants": Kind(models.Constants), "box": Kind(models.Box), "setting": Kind(Setting, ("name",))},
    BOARD_FILE: {
        "building": Kind(models.BuildingSite, ("type", "level")),
        "penalty": Kind(models.Penalty, ("population",)),
        "region": Kind(models.BattleRegion, ("name",)),
        "senate": Kind(models.Senate),
        "set": Kind(models.SetPoints, ("type",)),
        "pantheon": Kind(models.Pantheon),
        "common_pieces": Kind(models.CommonPieces, ("name",)),
        "milestones": Kind(models.Milestones),
        "economic": Kind(models.Economic),
    },
    CHARACTER_FILE: {"character": Kind(models.Character, ("name",))},
    TRADE_FILE: {"card": Kind(models.TradeCard, ("name",))},
    MISSION_FILE: {"mission": Kind(models.Mission, ("name",))},
    EVENT_FILE: {"event": Kind(models.Event, ("name",))},
    LESSONS_FILE: {
        "follower": Kind(models.FollowerLesson, ("players", "place", "bonus")),
        "tile": Kind(models.TileLesson, ("players", "type", "level")),
    },
}
"""The tables in each file."""
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
"""Fields of the catalogue that are not named like their table. The keys are the names of the tables."""
EMPTY_SPACE = "none"
"""Stands for a space of a discord track that has no bonus."""


@dataclass(frozen=True)
class Catalog(GameCatalog):
    """The checked content of the files.

    A position that defines its own numbers or cards replaces `buildings`, `penalties`, `regions`, `senate`,
    `trade_cards`, `missions` or `events`.

    Attributes
    ----------
    box
        Content of the box.
    buildings, penalties, regions, senate, sets, pantheon, common_pieces, milestones, economic
        Tables of board.toml.
    characters
        Character c is the faction with id c.
    trade_cards, missions, events
        The cards, in the order of the card table.
    follower_lessons, tile_lessons
        Learned bonuses for placing followers and for building tiles.
    """

    constants: models.Constants
    box: models.Box
    buildings: tuple[models.BuildingSite, ...]
    penalties: tuple[models.Penalty, ...]
    regions: tuple[models.BattleRegion, ...]
    senate: models.Senate
    sets: tuple[models.SetPoints, ...]
    pantheon: models.Pantheon
    common_pieces: tuple[models.CommonPieces, ...]
    milestones: models.Milestones
    economic: models.Economic
    characters: tuple[models.Character, ...]
    trade_cards: tuple[models.TradeCard, ...]
    missions: tuple[models.Mission, ...]
    events: tuple[models.Event, ...]
    follower_lessons: tuple[models.FollowerLesson, ...]
    tile_lessons: tuple[models.TileLesson, ...]

    # ---- Cards ----

    @property
    def cards(self) -> tuple[models.TradeCard | models.Mission | models.Event, ...]:
        """All cards, in the order of their ids."""
        return (*self.trade_cards, *self.missions, *self.events)

    @property
    def card_names(self) -> tuple[str, ...]:
        """Name of every card. If a card of an earlier kind has the same name, the kind follows: "Plague (event)"."""
        names: list[str] = []
        for kind, cards in (("trade", self.trade_cards), ("mission", self.missions), ("event", self.events)):
            taken = set(names)
            names += [f"{card.name} ({kind})" if card.name in taken else card.name for card in cards]
        return tuple(names)

    @property
    def files(self) -> tuple[str, ...]:
        """The file that holds each card, by card id."""
        kinds = ((TRADE_FILE, self.trade_cards), (MISSION_FILE, self.missions), (EVENT_FILE, self.events))
        return tuple(file for file, cards in kinds for _ in cards)

    def label(self, card: int) -> str:
        """Return the label that identifies a card's row in changes and messages."""
        return self.cards[card].name

    # ---- Characters and the senate, according to the settings ----

    @property
    def faction_names(self) -> tuple[str, ...]:
        """Names of all characters, by id."""
        return tuple(character.name for character in self.characters)

    @property
    def legions_first(self) -> bool:
        """Tell whether the first of a character's two printed numbers is its number of legions."""
        return self.settings["character_numbers"] == "legions first"

    def legions_and_denarii(self, character: int) -> list[int]:
        """Return the numbers of legions and of denarii with which a character starts."""
        numbers = self.characters[character].numbers
        return numbers if self.legions_first else numbers[::-1]

    def own_intrigue(self, character: int) -> str:
        """Return the intrigue effect that only this character has."""
        shift = SETTINGS["intrigue_owners"].index(str(self.settings["intrigue_owners"]))
        return self.characters[(character + shift) % len(self.characters)].own_intrigue

    def track(self, character: int) -> tuple[str, ...]:
        """Return the bonus on each space of a discord track, from the left: a type of building, or "none"."""
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


def _build(files: GameFiles) -> Catalog:
    """Return the catalogue of the files, after checking their rows against each other. Rows of the board are sorted."""
    found = {FIELDS.get(table, table): content for file in FILES for table, content in files.read(file).items()}
    del found["setting"]
    folder, constants = files.folder, files.constants
    legions_first = files.settings["character_numbers"] == "legions first"
    of_board = (found[name] for name in ("buildings", "penalties", "regions", "sets", "common_pieces"))
    checks.check_board(folder / BOARD_FILE, *of_board)
    checks.check_rounds(folder / BOARD_FILE, constants, found["economic"])
    checks.check_characters(folder / CHARACTER_FILE, found["characters"], constants, legions_first)
    checks.check_cards(folder, found["box"], found["trade_cards"], found["missions"], found["events"])
    checks.check_decks(folder, constants, found["missions"], found["events"])
    checks.check_lessons(folder / LESSONS_FILE, found["follower_lessons"], found["tile_lessons"])
    for table, place in ORDER.items():
        found[table] = sorted(found[table], key=place)
    certainty = {
        "board": [row for table in FILES[BOARD_FILE] for row in _as_list(found[FIELDS.get(table, table)])],
        "characters": found["characters"],
        "cards": [*found["trade_cards"], *found["missions"], *found["events"]],
    }
    rows = {name: [row.model_dump(by_alias=True) for row in _as_list(content)] for name, content in found.items()}
    tables = {name: tuple(rows) if isinstance(rows, list) else rows for name, rows in found.items()}
    return Catalog(**files.common(certainty, {"rows": rows}) | tables)


ORDER: dict[str, Callable[[Any], Any]] = {
    "buildings": lambda row: (BUILDINGS.index(row.type), row.level),
    "penalties": lambda row: row.population,
    "regions": lambda row: REGIONS.index(row.name),
    "sets": lambda row: TRADE_TYPES.index(row.type),
    "common_pieces": lambda row: row.players,
}
"""Sort keys for the tables of the board."""

load_catalog = catalog_loader(FOLDER, FILES, SETTINGS, _build)


def _as_list(content: Any) -> list[Row]:
    return content if isinstance(content, list) else [content]

"""Maps, cards and settings of History of the World, from `configs/games/history_of_the_world/`.

Each data set has a folder with map.toml, empires.toml, events.toml and lessons.toml. All data sets share rules.toml,
whose setting `data` selects the set to play. `load_catalog` reads and checks the files. The headers of the files
explain their fields and operations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from sim.data.catalog import CONFIGS, Kind
from sim.data.changes import Change
from sim.data.game_files import RULES_FILE, GameCatalog, GameFiles, Setting, catalog_loader
from sim.errors import UserError
from sim.games.history_of_the_world.data import checks, models
from sim.games.history_of_the_world.rules.constants import DATA_SETS, SETTINGS

FOLDER = CONFIGS / "games" / "history_of_the_world"

FILES_OF_SET: dict[str, dict[str, Kind]] = {
    "map.toml": {
        "region": Kind(models.Region, ("name",)),
        "land": Kind(models.Land, ("name",)),
        "body": Kind(models.Body, ("name",)),
    },
    "empires.toml": {"empire": Kind(models.Empire, ("name",))},
    "events.toml": {"event": Kind(models.Event, ("name",))},
    "lessons.toml": {
        "empire": Kind(models.CardLesson, ("name",)),
        "event": Kind(models.CardLesson, ("name",)),
        "land": Kind(models.LandLesson, ("name",)),
    },
}
"""The tables in each file of a data set."""
FILES: dict[str, dict[str, Kind]] = {
    RULES_FILE: {"constants": Kind(models.Constants), "setting": Kind(Setting, ("name",))},
    **{f"{name}/{file}": kinds for name in DATA_SETS for file, kinds in FILES_OF_SET.items()},
}
"""The tables in each file. The keys are paths relative to the folder of the game."""


@dataclass(frozen=True)
class Catalog(GameCatalog):
    """The checked content of the files of a data set.

    A position with its own map or cards replaces `regions`, `lands`, `bodies`, `empires` or `events`. Cards may then
    name lands and bodies that the map does not have.

    Attributes
    ----------
    data_set
        Name of the data set and of its folder.
    regions, lands, bodies
        Regions, lands and bodies, in the order of the tables.
    empires
        Empires, sorted by epoch and, within an epoch, by the order in which they are called. Card c is empire c.
    events
        Events, sorted by epoch. Their card ids follow those of the empires.
    empire_lessons, event_lessons, land_lessons
        Learned bonuses for keeping cards and for conquering lands, by name.
    """

    data_set: str
    regions: tuple[models.Region, ...]
    lands: tuple[models.Land, ...]
    bodies: tuple[models.Body, ...]
    empires: tuple[models.Empire, ...]
    events: tuple[models.Event, ...]
    empire_lessons: Mapping[str, models.CardLesson]
    event_lessons: Mapping[str, models.CardLesson]
    land_lessons: Mapping[str, models.LandLesson]
    constants: models.Constants

    faction_names: ClassVar[tuple[str, ...]] = ()

    @property
    def cards(self) -> tuple[models.Empire | models.Event, ...]:
        """All cards, in the order of their ids."""
        return (*self.empires, *self.events)

    @property
    def epochs(self) -> int:
        """The number of epochs."""
        return max((len(region.tokens) for region in self.regions), default=0)

    @property
    def card_names(self) -> tuple[str, ...]:
        """Name of every card. If an event is named like an empire, the kind of the event follows: "Japan (kingdom)"."""
        taken = {empire.name for empire in self.empires}
        events = [f"{event.name} ({event.kind})" if event.name in taken else event.name for event in self.events]
        return (*(empire.name for empire in self.empires), *events)

    @property
    def card_kinds(self) -> tuple[str, ...]:
        """Kind of every card: "empire", "enhancement" or "kingdom"."""
        return ("empire",) * len(self.empires) + tuple(event.kind for event in self.events)

    @property
    def region_names(self) -> tuple[str, ...]:
        """Names of all regions, by id."""
        return tuple(region.name for region in self.regions)

    @property
    def land_names(self) -> tuple[str, ...]:
        """Names of all lands, by id."""
        return tuple(land.name for land in self.lands)

    @property
    def body_names(self) -> tuple[str, ...]:
        """Names of all seas, oceans and barren areas, by id."""
        return tuple(body.name for body in self.bodies)

    @property
    def files(self) -> tuple[str, ...]:
        """The file that holds each card, by card id."""
        empires, events = f"{self.data_set}/empires.toml", f"{self.data_set}/events.toml"
        return (empires,) * len(self.empires) + (events,) * len(self.events)

    def label(self, card: int) -> str:
        """Return the label that identifies a card's row in changes and messages."""
        return self.cards[card].name


def _build(files: GameFiles) -> Catalog:
    """Return the catalogue of the chosen data set, after checking its map, cards and lessons."""
    data_set = str(files.settings["data"])
    _check_changes(files.changes, data_set)
    paths = {file: files.folder / data_set / file for file in FILES_OF_SET}
    tables = {file: files.read(f"{data_set}/{file}") for file in FILES_OF_SET}
    regions, lands, bodies = tables["map.toml"].values()
    empires, events = tables["empires.toml"]["empire"], tables["events.toml"]["event"]
    checks.check_map(paths["map.toml"], regions, lands, bodies)
    checks.check_connected(paths["map.toml"], lands, bodies)
    epochs = len(regions[0].tokens)
    for file, table, cards in (("empires.toml", "empire", empires), ("events.toml", "event", events)):
        checks.check_cards(paths[file], table, cards, epochs)
        checks.check_places(paths[file], cards, lands, bodies)
    checks.check_capacity(paths["events.toml"], empires, events)
    lessons = {}
    for file, table, rows in (("empires", "empire", empires), ("events", "event", events), ("map", "land", lands)):
        known = files.names(f"{data_set}/{file}.toml", table, rows)
        lessons[table] = files.lessons(table, known, f"{data_set}/lessons.toml")
    checks.check_lessons(paths["lessons.toml"], lessons["land"].values(), epochs)
    resolved = {
        "regions": regions,
        "lands": lands,
        "bodies": bodies,
        "empires": empires,
        "events": events,
        "lessons": [row for rows in lessons.values() for row in rows.values()],
        "constants": files.constants,
    }
    return Catalog(
        data_set=data_set,
        regions=tuple(regions),
        lands=tuple(lands),
        bodies=tuple(bodies),
        empires=tuple(sorted(empires, key=lambda empire: (empire.epoch, empire.order))),
        events=tuple(sorted(events, key=lambda event: event.epoch)),
        empire_lessons=lessons["empire"],
        event_lessons=lessons["event"],
        land_lessons=lessons["land"],
        **files.common({"map": [*regions, *lands, *bodies], "empires": empires, "events": events}, resolved),
    )


load_catalog = catalog_loader(FOLDER, FILES, SETTINGS, _build)


def _check_changes(changes: Sequence[Change], data_set: str) -> None:
    """Reject a change to a data set that is not being played, because it would have no effect."""
    for change in changes:
        if "/" in change.file and not change.file.startswith(f"{data_set}/"):
            message = f"the data set {data_set} is played, see the setting data"
            raise UserError(
                message, field="change", found=change.file, allowed=[f"{data_set}/{n}" for n in FILES_OF_SET]
            )

"""Maps, cards and settings of History of the World as `configs/games/history_of_the_world/` has them.

There is a folder for each data set with map.toml, empires.toml, events.toml and lessons.toml, and rules.toml for all of
them; the setting `data` says which set is played. `load_catalog` reads and checks them. The headers of the files
explain fields and operations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sim.data.catalog import (
    CONFIGS,
    Certainty,
    Kind,
    certainty_shares,
    check_tables,
    digest,
    validate_row,
    validate_rows,
)
from sim.data.changes import Change, read_changed
from sim.data.lessons import lessons_by_name, names_before
from sim.data.settings import Setting, check_settings, open_settings, resolve_settings
from sim.errors import UserError
from sim.games.history_of_the_world.data.checks import (
    check_capacity,
    check_cards,
    check_connected,
    check_lessons,
    check_map,
    check_places,
)
from sim.games.history_of_the_world.data.models import (
    Body,
    CardLesson,
    Constants,
    Empire,
    Event,
    Land,
    LandLesson,
    Region,
)
from sim.games.history_of_the_world.rules.constants import DATA_SETS, SETTINGS

FOLDER = CONFIGS / "games" / "history_of_the_world"

RULES = "rules.toml"
OF_A_SET: dict[str, dict[str, Kind]] = {
    "map.toml": {"region": Kind(Region, ("name",)), "land": Kind(Land, ("name",)), "body": Kind(Body, ("name",))},
    "empires.toml": {"empire": Kind(Empire, ("name",))},
    "events.toml": {"event": Kind(Event, ("name",))},
    "lessons.toml": {
        "empire": Kind(CardLesson, ("name",)),
        "event": Kind(CardLesson, ("name",)),
        "land": Kind(LandLesson, ("name",)),
    },
}
"""Tables of the files of a data set."""
FILES: dict[str, dict[str, Kind]] = {
    RULES: {"constants": Kind(Constants), "setting": Kind(Setting, ("name",))},
    **{f"{name}/{file}": kinds for name in DATA_SETS for file, kinds in OF_A_SET.items()},
}
"""Tables of every file, by its way from the folder of the game."""


@dataclass(frozen=True)
class Catalog:
    """Everything the files say of the data set that is played, checked.

    A position with a map or cards of its own replaces `regions`, `lands`, `bodies`, `empires` or `events`; cards may
    then name lands and bodies that the map does not have.

    Attributes
    ----------
    folder
        Where the files are.
    data_set
        Name of the data set, and of its folder.
    regions, lands, bodies
        Those of the tables, in their order.
    empires
        Card c is empire c, in the order of epochs and of their calling.
    events
        The cards behind them, in the order of epochs.
    empire_lessons, event_lessons, land_lessons
        What players have learnt of keeping cards and of conquering lands, by name.
    constants
        Numbers of the rulebook.
    settings
        The value of every setting, overrides included.
    certainty
        Rows by certainty, for each of "map", "empires", "events" and "settings".
    open_settings
        Settings that neither the rulebook nor several sources decide.
    digest
        SHA-256 of all data a game depends on.
    """

    folder: Path
    data_set: str
    regions: tuple[Region, ...]
    lands: tuple[Land, ...]
    bodies: tuple[Body, ...]
    empires: tuple[Empire, ...]
    events: tuple[Event, ...]
    empire_lessons: Mapping[str, CardLesson]
    event_lessons: Mapping[str, CardLesson]
    land_lessons: Mapping[str, LandLesson]
    constants: Constants
    settings: Mapping[str, object]
    certainty: Mapping[str, Mapping[Certainty, int]]
    open_settings: tuple[str, ...]
    digest: str

    @property
    def cards(self) -> tuple[Empire | Event, ...]:
        """Every card by its number."""
        return (*self.empires, *self.events)

    @property
    def epochs(self) -> int:
        """Number of epochs."""
        return max((len(region.tokens) for region in self.regions), default=0)

    @property
    def card_names(self) -> tuple[str, ...]:
        """Name of every card, that of an event called like an empire with its kind: "Japan (kingdom)"."""
        taken = {empire.name for empire in self.empires}
        events = [f"{event.name} ({event.kind})" if event.name in taken else event.name for event in self.events]
        return (*(empire.name for empire in self.empires), *events)

    @property
    def card_kinds(self) -> tuple[str, ...]:
        """Kind of every card: "empire", "enhancement" or "kingdom"."""
        return ("empire",) * len(self.empires) + tuple(event.kind for event in self.events)

    @property
    def region_names(self) -> tuple[str, ...]:
        """Name of every region by its number."""
        return tuple(region.name for region in self.regions)

    @property
    def land_names(self) -> tuple[str, ...]:
        """Name of every land by its number."""
        return tuple(land.name for land in self.lands)

    @property
    def body_names(self) -> tuple[str, ...]:
        """Name of every sea, ocean and barren area by its number."""
        return tuple(body.name for body in self.bodies)

    @property
    def files(self) -> tuple[str, ...]:
        """File that each card stands in."""
        empires, events = f"{self.data_set}/empires.toml", f"{self.data_set}/events.toml"
        return (empires,) * len(self.empires) + (events,) * len(self.events)

    def label(self, card: int) -> str:
        """Return what a change or a message calls a card's row."""
        return self.cards[card].name


def load_catalog(
    folder: Path | None = None, settings: Mapping[str, object] | None = None, changes: Sequence[Change] = ()
) -> Catalog:
    """Read and check settings, constants, and the map and the cards of a data set.

    Parameters
    ----------
    folder
        Folder of rules.toml and of the data sets' folders; by default that of the project.
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
    constants, rules = _read_rules(folder / RULES, changes)
    values = resolve_settings(rules, settings or {}, SETTINGS, "history_of_the_world")
    data_set = str(values["data"])
    _check_changes(changes, data_set)
    regions, lands, bodies = _read_map(folder, data_set, changes)
    empires, events = _read_cards(folder, data_set, changes)
    epochs = len(regions[0].tokens)
    for file, table, cards in (("empires.toml", "empire", empires), ("events.toml", "event", events)):
        check_cards(folder / data_set / file, table, cards, epochs)
        check_places(folder / data_set / file, cards, lands, bodies)
    check_capacity(folder / data_set / "events.toml", empires, events)
    of_empires, of_events, of_lands = _read_lessons(folder, data_set, empires, events, lands, epochs, changes)
    resolved = {
        "regions": [region.model_dump() for region in regions],
        "lands": [land.model_dump() for land in lands],
        "bodies": [body.model_dump() for body in bodies],
        "empires": [empire.model_dump() for empire in empires],
        "events": [event.model_dump() for event in events],
        "lessons": [row.model_dump() for row in (*of_empires.values(), *of_events.values(), *of_lands.values())],
        "constants": constants.model_dump(),
        "settings": values,
    }
    return Catalog(
        folder=folder,
        data_set=data_set,
        regions=tuple(regions),
        lands=tuple(lands),
        bodies=tuple(bodies),
        empires=tuple(sorted(empires, key=lambda empire: (empire.epoch, empire.order))),
        events=tuple(sorted(events, key=lambda event: event.epoch)),
        empire_lessons=of_empires,
        event_lessons=of_events,
        land_lessons=of_lands,
        constants=constants,
        settings=values,
        certainty={
            "map": certainty_shares([*regions, *lands, *bodies]),
            "empires": certainty_shares(empires),
            "events": certainty_shares(events),
            "settings": certainty_shares(rules),
        },
        open_settings=open_settings(rules),
        digest=digest(resolved),
    )


def _read_rules(path: Path, changes: Sequence[Change]) -> tuple[Constants, list[Setting]]:
    data = read_changed(path, FILES[path.name], changes)
    check_tables(path, data, ("constants", "setting"))
    constants = validate_row(path, data["constants"], Constants, "constants")
    rules = validate_rows(path, data, "setting", Setting)
    check_settings(path, rules, SETTINGS)
    return constants, rules


def _check_changes(changes: Sequence[Change], data_set: str) -> None:
    """Refuse a change that would be without effect, because it is one of a data set that is not played."""
    for change in changes:
        if "/" in change.file and not change.file.startswith(f"{data_set}/"):
            message = f"the data set {data_set} is played, see the setting data"
            raise UserError(message, field="change", found=change.file, allowed=[f"{data_set}/{n}" for n in OF_A_SET])


def _read_table_file(folder: Path, data_set: str, name: str, changes: Sequence[Change]) -> dict[str, object]:
    """Read a file of a data set with its changes, which name it by its way from the folder of the game."""
    path, kinds = folder / data_set / name, OF_A_SET[name]
    mine = [replace(change, file=name) for change in changes if change.file == f"{data_set}/{name}"]
    data = read_changed(path, kinds, mine)
    check_tables(path, data, list(kinds))
    return data


def _read_map(folder: Path, data_set: str, changes: Sequence[Change]) -> tuple[list[Region], list[Land], list[Body]]:
    path, data = folder / data_set / "map.toml", _read_table_file(folder, data_set, "map.toml", changes)
    regions = validate_rows(path, data, "region", Region)
    lands = validate_rows(path, data, "land", Land)
    bodies = validate_rows(path, data, "body", Body)
    check_map(path, regions, lands, bodies)
    check_connected(path, lands, bodies)
    return regions, lands, bodies


def _read_cards(folder: Path, data_set: str, changes: Sequence[Change]) -> tuple[list[Empire], list[Event]]:
    empires = _read_table_file(folder, data_set, "empires.toml", changes)
    events = _read_table_file(folder, data_set, "events.toml", changes)
    return (
        validate_rows(folder / data_set / "empires.toml", empires, "empire", Empire),
        validate_rows(folder / data_set / "events.toml", events, "event", Event),
    )


def _read_lessons(
    folder: Path,
    data_set: str,
    empires: Sequence[Empire],
    events: Sequence[Event],
    lands: Sequence[Land],
    epochs: int,
    changes: Sequence[Change],
) -> tuple[dict[str, CardLesson], dict[str, CardLesson], dict[str, LandLesson]]:
    """Read what players have learnt, by name; of a card or land that a change has renamed, nothing."""
    path, data = folder / data_set / "lessons.toml", _read_table_file(folder, data_set, "lessons.toml", changes)

    def known(file: str, table: str, rows: Sequence[Empire | Event | Land]) -> dict[str, None]:
        """Names that a lesson may have."""
        return dict.fromkeys([*(row.name for row in rows), *names_before(path.with_name(file), table, changes)])

    of_empires = lessons_by_name(path, data, "empire", CardLesson, ("name",), known("empires.toml", "empire", empires))
    of_events = lessons_by_name(path, data, "event", CardLesson, ("name",), known("events.toml", "event", events))
    of_lands = lessons_by_name(path, data, "land", LandLesson, ("name",), known("map.toml", "land", lands))
    check_lessons(path, of_lands.values(), epochs)
    return of_empires, of_events, of_lands

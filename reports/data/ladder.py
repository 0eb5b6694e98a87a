"""A ladder as it lies on disk: a run for each rung, all seats alike, and one in which a player who looks ahead sits
among its base."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from reports.data.load import Run, load_run
from reports.data.partial_run import load_so_far
from reports.data.same_table import check_same_table
from sim.data.catalog import validate_row
from sim.data.declarations import Entry
from sim.data.json_input import read_object, read_text
from sim.errors import UserError

FORMAT = "empirelab-ladder/1"
INSIDE = r"^[^./\\][^/\\]*(/[^./\\][^/\\]*)*$"
"""A folder within that of the ladder."""
FILE = "ladder.json"
"""File in the folder of a ladder that says which runs it has."""


class RungEntry(Entry):
    """A rung: its player, and the folder of its run, seen from that of the ladder."""

    player: str
    folder: str = Field(pattern=INSIDE)


class MixedEntry(Entry):
    """Tables at which one seat looks ahead and the others play its base."""

    searcher: str
    base: str
    folder: str = Field(pattern=INSIDE)


class LadderEntry(Entry):
    """`ladder.json`: what a ladder consists of, the least skilled rung first."""

    format: str
    game: str
    rungs: list[RungEntry] = Field(min_length=2)
    mixed: MixedEntry | None = None


@dataclass(frozen=True)
class Ladder:
    """The runs of a ladder.

    Attributes
    ----------
    folder
        Where they lie.
    rungs
        By player, the least skilled first.
    searcher, base
        Who looks ahead in the mixed tables and who plays the other seats; empty where there are none.
    mixed
        These tables; None where there are none.
    """

    folder: Path
    rungs: dict[str, Run]
    searcher: str = ""
    base: str = ""
    mixed: Run | None = None

    @property
    def manifest(self) -> dict[str, Any]:
        """`run.json` of the lowest rung: what all of them share."""
        return next(iter(self.rungs.values())).manifest


def written(entry: LadderEntry) -> bytes:
    """Return `ladder.json`."""
    return (json.dumps(entry.model_dump(), indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def load_ladder(folder: Path, run: Mapping[str, Any] | None = None) -> Ladder:
    """Open a ladder.

    Parameters
    ----------
    folder
        What `ladder --out` has written.
    run
        `run.json` of a run that it is to be shown with.

    Raises
    ------
    UserError
        It is no folder of a ladder, `ladder.json` contradicts itself or the runs, a run of it is missing, unfinished or
        damaged, or it is of other games than the run.
    """
    path = folder / FILE
    if not path.is_file():
        message = "this is no folder of a ladder (it has no ladder.json)"
        raise UserError(message, file=folder, allowed="a folder that `empirelab ladder GAME --out DIR` has written")
    content = read_object(path, read_text(path), None)
    if content.get("format") != FORMAT:
        found = content.get("format", "none")
        raise UserError("this is not what ladder writes", file=path, field="format", found=found, allowed=FORMAT)
    entry = validate_row(path, content, LadderEntry, None)
    players, mixed = [rung.player for rung in entry.rungs], entry.mixed
    twice = next((name for place, name in enumerate(players) if name in players[:place]), None)
    if twice is not None:
        raise UserError("a rung is named twice", file=path, field="rungs", found=twice, allowed="each player once")
    for field, name in (("searcher", mixed.searcher), ("base", mixed.base)) if mixed else ():
        if name not in players:
            raise UserError("no rung has this player", file=path, field=f"mixed.{field}", found=name, allowed=players)
    rungs = {rung.player: rung_of(folder / rung.folder, [rung.player], entry.game) for rung in entry.rungs}
    ladder = Ladder(folder, rungs)
    if mixed is not None:
        tables = rung_of(folder / mixed.folder, [mixed.searcher, mixed.base], entry.game)
        ladder = Ladder(folder, rungs, mixed.searcher, mixed.base, tables)
    for other in (*ladder.rungs.values(), *([ladder.mixed] if ladder.mixed else [])):
        check_same_table(other.folder, other.manifest, ladder.manifest, ("strategies",))
    if run is not None:
        check_same_table(folder, ladder.manifest, run, ("strategies",))
    return ladder


def rung_of(folder: Path, players: Sequence[str], game: str) -> Run:
    """Open a run of a ladder, and check that it is of the players and the game that `ladder.json` says.

    Raises
    ------
    UserError
        It is of others, missing, or not finished yet.
    """
    run = finished(folder)
    for field, found, said in (
        ("strategies", sorted(row["name"] for row in run.manifest["strategies"]), sorted(set(players))),
        ("game", run.manifest["game"], game),
    ):
        if found != said:
            message = f"{FILE} says otherwise of this run"
            raise UserError(message, file=folder, field=field, found=found, allowed=str(said))
    return run


def finished(folder: Path) -> Run:
    """Open a run of a ladder.

    Raises
    ------
    UserError
        It is missing, or not finished yet.
    """
    if folder.exists():
        return load_run(folder)
    try:
        games = f"{load_so_far(folder).manifest['games']:,} games of it are there"
    except UserError:
        games = "nothing of it is there"
    message = f"this run of the ladder is not finished ({games}); the command that began it goes on with it"
    raise UserError(message, file=folder)

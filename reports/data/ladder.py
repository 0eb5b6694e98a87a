"""Read a ladder from disk: a run with one player in all seats for each rung, and one with a searcher among its base."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from reports.data.load import Run, check_same_table, load_run, what_was_played
from reports.data.partial_run import load_so_far
from sim.data.catalog import validate_row
from sim.data.declarations import Entry
from sim.data.json_input import read_limited_text, read_object
from sim.errors import UserError
from sim.runs.store.manifest import Manifest

FORMAT = "empirelab-ladder/1"
INSIDE = r"^[^./\\][^/\\]*(/[^./\\][^/\\]*)*$"
"""Pattern of a folder inside the ladder's."""
FILE = "ladder.json"
"""Manifest of a ladder."""


class RungEntry(Entry):
    """A rung: its player, and the folder of its run, relative to the ladder's."""

    player: str
    folder: str = Field(pattern=INSIDE)


class MixedEntry(Entry):
    """The run in which one seat looks ahead and the others play its base."""

    searcher: str
    base: str
    folder: str = Field(pattern=INSIDE)


class LadderEntry(Entry):
    """`ladder.json`: the runs of a ladder, the least skilled rung first."""

    format: str
    game: str
    rungs: list[RungEntry] = Field(min_length=2)
    mixed: MixedEntry | None = None


@dataclass(frozen=True)
class Ladder:
    """The runs of a ladder.

    Attributes
    ----------
    rungs
        By player, the least skilled first.
    searcher, base
        The player who looks ahead in the mixed run, and the one in the other seats; empty without such a run.
    mixed
        The mixed run, or None.
    """

    folder: Path
    rungs: dict[str, Run]
    searcher: str = ""
    base: str = ""
    mixed: Run | None = None

    @property
    def manifest(self) -> Manifest:
        """`run.json` of the lowest rung."""
        return next(iter(self.rungs.values())).manifest


def ladder_json(entry: LadderEntry) -> bytes:
    """Serialise `ladder.json`."""
    return (json.dumps(entry.model_dump(), indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def load_ladder(folder: Path, run: Manifest | None = None) -> Ladder:
    """Open a ladder.

    Parameters
    ----------
    folder
        Output of `ladder --out`.
    run
        `run.json` of the run whose report shows the ladder.

    Raises
    ------
    UserError
        Not a ladder's folder; `ladder.json` contradicts itself or the runs; a run is missing, unfinished or damaged; or
        the games differ from those of the run.
    """
    path = folder / FILE
    if not path.is_file():
        message = "this is no folder of a ladder (it has no ladder.json)"
        raise UserError(message, file=folder, allowed="a folder that `empirelab ladder GAME --out DIR` has written")
    content = read_object(path, read_limited_text(path), None)
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
        check_same_table(other.folder, what_was_played(other.manifest), ladder.manifest, ("strategies",))
    if run is not None:
        check_same_table(folder, what_was_played(ladder.manifest), run, ("strategies",))
    return ladder


def rung_of(folder: Path, players: Sequence[str], game: str) -> Run:
    """Open a run of a ladder; raise UserError if it is missing, unfinished, or not of this game and these players."""
    run = load_finished(folder)
    for field, found, said in (
        ("strategies", sorted(row.name for row in run.manifest.strategies), sorted(set(players))),
        ("game", run.manifest.game, game),
    ):
        if found != said:
            message = f"{FILE} says otherwise of this run"
            raise UserError(message, file=folder, field=field, found=found, allowed=str(said))
    return run


def load_finished(folder: Path) -> Run:
    """Open a run of a ladder; raise UserError if it is missing or unfinished."""
    if folder.exists():
        return load_run(folder)
    try:
        games = f"{load_so_far(folder).manifest.games:,} games of it are there"
    except UserError:
        games = "nothing of it is there"
    message = f"this run of the ladder is not finished ({games}); the command that began it goes on with it"
    raise UserError(message, file=folder)

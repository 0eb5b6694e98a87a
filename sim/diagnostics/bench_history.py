"""History of speed measurements: a folder with a JSON file for each run of `bench`."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from sim.data.files import write_all
from sim.data.json_input import read_limited_text, read_object
from sim.errors import UserError

FORMAT = "empirelab-bench/1"
Lineup = tuple[str, str, int]
"""What is measured: the name of the game, the name of the line-up, and the number of players."""


def folder_to_keep_in(folder: Path) -> None:
    """Check, before anything is measured, that measurements can be added to `folder`.

    Raise UserError if `folder` is a file, or its last measurement cannot be read.
    """
    if folder.exists() and not folder.is_dir():
        raise UserError("not a folder", file=folder, field="keep", allowed="a folder, made where it is missing")
    last_kept(folder)


def last_kept(folder: Path) -> tuple[Path, Mapping[str, Any]] | None:
    """Return the file of the latest measurements in a folder, and its content; None if there are none.

    Raise UserError if the file was not written by `bench`.
    """
    files = sorted(folder.glob("*.json"))
    if not files:
        return None
    try:
        content = read_object(files[-1], read_limited_text(files[-1]), None)
        if content["format"] != FORMAT:
            message = "not written by this version"
            raise UserError(message, file=files[-1], field="format", found=content["format"], allowed=FORMAT)
        seconds_of(content["games"])
        str(content["machine"])
    except (OSError, ValueError, TypeError, LookupError, ArithmeticError) as error:
        raise UserError("the last measurement cannot be read", file=files[-1], allowed="move it away") from error
    return files[-1], content


def seconds_of(games: Sequence[Mapping[str, Any]]) -> dict[Lineup, float]:
    """Return the CPU seconds per game, by measured line-up. `games` are results of `bench`."""
    return {
        (game["game"], row["lineup"], row["players"]): 1.0 / row["games_per_second"]
        for game in games
        for row in game["speed"]
    }


def compared(folder: Path, games: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return lines that compare CPU seconds of games with the folder's last measurements; none if it has none."""
    last = last_kept(folder)
    if last is None:
        return []
    file, content = last
    before, now = seconds_of(content["games"]), seconds_of(games)
    lines = [f"CPU seconds of a game, as a share of those in {file}:"]
    if content["machine"] != machine():
        lines.append(f"  (measured on another machine: {content['machine']})")
    for lineup in now:
        game, names, players = lineup
        share = f"{now[lineup] / before[lineup]:.3f}" if lineup in before else "new"
        lines.append(f"  {game}, {names}, {players} players: {share}")
    return lines


def keep_measured(folder: Path, games: Sequence[Mapping[str, Any]]) -> Path:
    """Write measurements into a folder, in a file that is named after the present time; return the file."""
    now = datetime.now(UTC)
    file = folder / f"{now:%Y-%m-%dT%H%M%S}.json"
    versions = {name: version(name) for name in ("empirelab", "numba", "numpy")}
    content = {
        "format": FORMAT,
        "measured": now.isoformat(timespec="seconds"),
        "machine": machine(),
        "versions": versions | {"python": platform.python_version()},
        "games": games,
    }
    write_all([(file, (json.dumps(content, indent=1) + "\n").encode("utf-8"))], [folder])
    return file


def machine() -> str:
    """Return the name of the processor."""
    try:
        found = re.search(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text("utf-8"), re.MULTILINE)
    except OSError:
        found = None
    return found[1] if found else platform.processor() or platform.machine()

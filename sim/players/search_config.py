"""Search parameters, from names such as `balanced+32` and from `[search]` tables of TOML files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from sim.compiler.kernel import MAX_ROUNDS_LEFT
from sim.data.catalog import CONFIGS, Names, Row, read_toml, validate_row
from sim.data.declarations import Search
from sim.errors import UserError
from sim.game import GameSpec
from sim.players.judge_files import CACHE
from sim.players.search_memory import MOST_ROLLOUTS, MOST_SEARCHED

LOOKS_AHEAD = re.compile(r"(?P<base>.+)\+(?P<rollouts>[^+]*)")
"""Pattern for the name of a player who looks ahead: the base and the number of rollouts."""


class EachRow(Row):
    """Search parameters that differ for one kind of decision."""

    options: int | None = Field(default=None, ge=2, le=MOST_SEARCHED)
    prior: float | None = Field(default=None, ge=0.0)
    horizon: int | None = Field(default=None, ge=0)


class SearchRow(Row):
    """The default search parameters of a game, from its file in `configs/search/`."""

    options: int = Field(default=5, ge=2, le=MOST_SEARCHED)
    value: Literal["win", "margin"] = "win"
    lead_scale: float = Field(default=0.0, ge=0.0)
    prior: float = Field(default=0.0, ge=0.0)
    model_temperature: float = Field(default=0.0, ge=0.0)
    horizon: int = Field(default=0, ge=0)
    halves: bool = True
    decisions: Names = Field(default=[])
    each: dict[str, EachRow] = Field(default={})
    outlook: list[dict[str, float]] = Field(default=[], max_length=MAX_ROUNDS_LEFT)


class SearchTable(Row):
    """The table `[search]` of a strategy file. Missing values are the game's defaults."""

    rollouts: int = Field(ge=1, le=MOST_ROLLOUTS)
    options: int | None = Field(default=None, ge=2, le=MOST_SEARCHED)
    value: Literal["win", "margin"] | None = None
    lead_scale: float | None = Field(default=None, ge=0.0)
    prior: float | None = Field(default=None, ge=0.0)
    model_temperature: float | None = Field(default=None, ge=0.0)
    horizon: int | None = Field(default=None, ge=0)
    halves: bool | None = None
    decisions: Names | None = None
    each: dict[str, EachRow] | None = None
    outlook: list[dict[str, float]] | None = Field(default=None, max_length=MAX_ROUNDS_LEFT)
    judge: str | None = Field(default=None, min_length=1)


def search_of(game: GameSpec, rollouts: int, table: SearchTable | None = None, file: Path | None = None) -> Search:
    """Return a player's search parameters, from the table `[search]` of its file if it has one."""
    path, row = usual_search(game)
    said = {} if table is None else table.model_dump(exclude_none=True)
    if table is not None:
        check_option_names(game, table, file or path)
    values = row.model_dump(exclude_none=True) | said | {"rollouts": rollouts}
    values["decisions"] = values["decisions"] or list(game.decisions)
    if table is not None and table.judge is not None:
        values["judge"] = judge_beside(table, values, file or path)
    return Search(**values)


def usual_search(game: GameSpec) -> tuple[Path, SearchRow]:
    """Return the file of a game's default search parameters, and the parameters."""
    if game.plain is not None:
        path = Path(game.plain.place)
        row = validate_row(path, dict(game.plain.kind.search), SearchRow, "search")
    else:
        path = CONFIGS / "search" / f"{game.name}.toml"
        row = validate_row(path, read_toml(path), SearchRow, game.name) if path.is_file() else SearchRow()
    check_option_names(game, row, path)
    return path, row


def judge_beside(table: SearchTable, values: Mapping[str, Any], file: Path) -> str:
    """Return the path of a judge's file relative to `configs/`. In `table`, it is relative to the folder of `file`.

    Raise UserError if the search values something other than wins, or plays all rollouts to the end.
    """
    if values["value"] != "win":
        raise UserError(
            "a judge estimates only the chance to win", file=file, field="search.value", found=values["value"]
        )
    if values["horizon"] == 0 and not any((each.get("horizon") or 0) > 0 for each in values["each"].values()):
        message = "rollouts to the end of the game need no judge"
        raise UserError(message, file=file, field="search.horizon", found=0, allowed="1 or more rounds")
    if str(table.judge).startswith(CACHE):
        return str(table.judge)
    judge = (file.parent / str(table.judge)).resolve()
    return str(judge.relative_to(CONFIGS)) if judge.is_relative_to(CONFIGS) else str(judge)


def check_option_names(game: GameSpec, row: SearchRow | SearchTable | Search, file: Path) -> None:
    """Check that the game has the decisions that a search names, and the features with weights in `outlook`."""
    prospects = [name for weights in row.outlook or () for name in weights]
    for field, names, allowed, what in (
        ("decisions", row.decisions or (), game.decisions, "has no such decision"),
        ("each", row.each or (), game.decisions, "has no such decision"),
        ("outlook", prospects, game.prospects, "has no such feature at a horizon"),
    ):
        for name in names:
            if name not in allowed:
                message = f"{game.title} {what}"
                raise UserError(message, file=file, field=f"search.{field}", found=name, allowed=list(allowed))


def parted(name: str, field: str = "strategies") -> tuple[str, int | None]:
    """Split a name such as `balanced+32` into the base and the number of rollouts; None for a player without search.

    `field` is the field that the message names.

    Raises
    ------
    UserError
        The text after the plus is not a number of rollouts.
    """
    found = LOOKS_AHEAD.fullmatch(name)
    if found is None:
        return name, None
    text = found["rollouts"]
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_ROLLOUTS):
        allowed = f"1 to {MOST_ROLLOUTS:,} rollouts an option, as in {found['base']}+32"
        raise UserError("not a number of rollouts", field=field, found=name, allowed=allowed)
    return found["base"], int(text)

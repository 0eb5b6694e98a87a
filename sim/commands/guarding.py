"""The options by which strategy files of a user's own are guarded, and what the program does about them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import typer

from sim.compiler.source_digest import FOLDERS, GUARDED
from sim.errors import UserError

TIME_LIMIT = 10.0


def remember(context: typer.Context, option: Any, value: Any) -> Any:
    """Keep the value of an option for `guarded`, which is asked before the command begins."""
    context.meta[option.name] = value
    return value


Guard = Annotated[
    bool,
    typer.Option(
        "--guard/--no-guard",
        is_eager=True,
        callback=remember,
        help="Play a strategy file that is not the project's in a process that is watched.",
    ),
]
TimeLimit = Annotated[
    float,
    typer.Option(
        min=0.1,
        is_eager=True,
        callback=remember,
        metavar="SECONDS",
        help="With --guard: how long such a strategy may take for a decision.",
    ),
]


def guarded(context: typer.Context, code: Path | None) -> Path | None:
    """Carry out the command in a process that is watched, if a user's file asks for it, and end with its status."""
    if code is not None and context.meta.get("guard", True):
        carry_out_guarded([code], context.meta.get("time_limit", TIME_LIMIT))
    return code


def carry_out_guarded(codes: Iterable[Path], seconds: float) -> None:
    """Carry out the command in a process that is watched, if any of these files is to be, and end with its status.

    Raises
    ------
    typer.Exit
        It was carried out.
    UserError
        A strategy has ended the process, takes too long, or too much memory.
    """
    outside = [code for code in codes if is_outside(code)]
    if GUARDED in os.environ or not outside:
        return
    from sim.players.sandbox import carry_out
    from sim.runs.store.run_folder import drop_unfinished

    raise typer.Exit(carry_out(outside[0], seconds, drop_unfinished))


def is_outside(code: Path) -> bool:
    """Tell whether a strategy file runs Python that is not the project's: itself, or what a TOML file is based on."""
    if code.suffix == ".toml":
        from sim.data.catalog import read_toml

        with suppress(UserError):
            base = str(read_toml(code).get("base", ""))
            return base.endswith(".py") and is_outside(code.parent / base)
        return False
    return code.is_file() and not any(code.resolve().is_relative_to(folder) for folder in FOLDERS)


def codes_of(path: Path) -> list[Path]:
    """Strategy files that a file of runs names; what is wrong with it is told by whoever reads it."""
    from sim.data.catalog import read_toml

    with suppress(UserError):
        data = read_toml(path)
        tables = [data, *(row for row in _rows(data) if isinstance(row, Mapping))]
        return [Path(table["code"]) for table in tables if isinstance(table.get("code"), str)]
    return []


def _rows(data: Mapping[str, Any]) -> list[Any]:
    rows = data.get("run", [])
    return rows if isinstance(rows, list) else []

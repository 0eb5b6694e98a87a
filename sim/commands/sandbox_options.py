"""The options that run strategy files of a user in a sandbox, and the decision which files need it."""

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
    """Keep the value of an option for `guarded`, which runs before the command begins."""
    context.meta[option.name] = value
    return value


Guard = Annotated[
    bool,
    typer.Option(
        "--guard/--no-guard",
        is_eager=True,
        callback=remember,
        help="Play strategies from outside the project in a watched process of their own.",
    ),
]
TimeLimit = Annotated[
    float,
    typer.Option(
        min=0.1,
        is_eager=True,
        callback=remember,
        metavar="SECONDS",
        help="With --guard: longest time for one decision.",
    ),
]


def guarded(context: typer.Context, code: Path | None) -> Path | None:
    """Run the whole command in a sandbox if the file needs it, and exit with its status."""
    if code is not None and context.meta.get("guard", True):
        run_command_guarded([code], context.meta.get("time_limit", TIME_LIMIT))
    return code


def run_command_guarded(codes: Iterable[Path], seconds: float) -> None:
    """Run the command in a sandbox if any of these files needs it, and exit with its status.

    Raises
    ------
    typer.Exit
        The command has run in the sandbox.
    UserError
        A strategy has crashed the process, takes too long, or takes too much memory.
    """
    outside = [code for code in codes if is_outside(code)]
    if GUARDED in os.environ or not outside:
        return
    from sim.players.sandbox import run_guarded
    from sim.runs.store.run_folder import discard_checkpoint

    raise typer.Exit(run_guarded(outside[0], seconds, discard_checkpoint))


def is_outside(code: Path) -> bool:
    """Tell whether a strategy file, or the file that a TOML file is based on, is Python outside the project."""
    if code.suffix == ".toml":
        from sim.data.catalog import read_toml

        with suppress(UserError):
            base = str(read_toml(code).get("base", ""))
            return base.endswith(".py") and is_outside(code.parent / base)
        return False
    return code.is_file() and not any(code.resolve().is_relative_to(folder) for folder in FOLDERS)


def codes_of(path: Path) -> list[Path]:
    """Return the strategy files that a run file names; errors in it are left to its reader."""
    from sim.data.catalog import read_toml

    with suppress(UserError):
        data = read_toml(path)
        runs = data.get("run", [])
        tables = [data, *(row for row in (runs if isinstance(runs, list) else []) if isinstance(row, Mapping))]
        return [Path(table["code"]) for table in tables if isinstance(table.get("code"), str)]
    return []

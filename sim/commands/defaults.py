"""A user's default options, from `empirelab.toml` in the working directory and in the user's configuration folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from sim.errors import UserError

FILE = "empirelab.toml"
EVERYWHERE = ("players", "strategies", "assign", "seed", "jobs", "margin", "full", "quiet")
"""Options that mean the same in every command. So they may stand at the top of the file."""
IN_TABLES = (
    *EVERYWHERE, "games", "detail", "factions", "variant", "effect", "power", "alpha", "beta", "pilot", "fresh",
    "search-games", "generations", "population", "rounds", "minutes", "runs", "seconds", "whole", "time-limit",
)  # fmt: skip
"""Options that may stand in the table of a command. None of them names or writes a file or runs code, because a file
of defaults may come from somebody else, together with its folder."""
WITHOUT = ("run", "sweep")
"""Commands that take no defaults, because the file that they are given defines the whole plan."""


@dataclass(frozen=True)
class Default:
    """The default value of an option, and the file that gives it."""

    value: Any
    file: Path


def default_files() -> list[Path]:
    """Return the existing files of defaults. Later files take precedence."""
    import platformdirs

    folders = (platformdirs.user_config_path("empirelab", appauthor=False), Path())
    return [folder / FILE for folder in folders if (folder / FILE).is_file()]


def read_defaults(command: Any, commands: Iterable[str]) -> dict[str, Default]:
    """Return the user's defaults for a command, by the names of its parameters."""
    found: dict[str, Default] = {}
    named = [name for name in commands if name not in WITHOUT]
    for file in default_files():
        from sim.data.catalog import read_toml

        data = read_toml(file)
        tables = {key: value for key, value in data.items() if isinstance(value, Mapping)}
        check_keys("unknown default", file, None, [key for key in data if key not in tables], EVERYWHERE)
        for name in tables:
            if name in WITHOUT:
                message = "this command takes no defaults: its own file says what is played"
                raise UserError(message, file=file, field=name, allowed=named)
        check_keys("unknown command", file, None, tables, named)
        for name, table in tables.items():
            check_keys("unknown default", file, name, table, IN_TABLES)
        if command.name in named:
            values = {key: value for key, value in data.items() if key not in tables}
            found |= matched(command, file, values, strict=False)
            found |= matched(command, file, tables.get(command.name, {}), strict=True)
    return found


def check_keys(message: str, file: Path, table: str | None, keys: Iterable[str], allowed: Iterable[str]) -> None:
    """Check that the keys of a table, or those at the top of the file, are allowed."""
    for key in keys:
        if key.replace("_", "-") not in allowed:
            raise UserError(message, file=file, row=table, found=key, allowed=allowed)


def matched(command: Any, file: Path, values: Mapping[str, Any], strict: bool) -> dict[str, Default]:
    """Return defaults by the names of a command's parameters.

    An option that the command lacks is an error with `strict`; otherwise it is skipped.
    """
    options = {long_name(one): one for one in command.params if one.param_type_name == "option"}
    found = {}
    for key, value in values.items():
        option = options.get(key.replace("_", "-"))
        if option is None:
            if strict:
                known = [name for name in options if name in IN_TABLES]
                raise UserError("the command has no such option", file=file, row=command.name, found=key, allowed=known)
            continue
        items = value if isinstance(value, list) else [value]
        are_plain = items and all(type(item) in (str, int, float) for item in items)
        if not (isinstance(value, bool) if option.is_flag else are_plain):
            allowed = "true or false" if option.is_flag else "a number or a text"
            raise UserError("a value of the wrong kind", file=file, field=key, found=str(value), allowed=allowed)
        found[option.name] = Default(value if option.is_flag else ",".join(map(str, items)), file)
    return found


def long_name(option: Any) -> str:
    """Return the long name of an option without its dashes."""
    return str(max(option.opts, key=len)).lstrip("-")


used: list[str] = []
"""Options that the present command takes from files of defaults, as they would be typed."""


def note_used(context: typer.Context, defaults: Mapping[str, Default], of_all: bool = False) -> list[str]:
    """Record the defaults that a command uses, for `command_line`; return lines that say which file gives which.

    With `of_all`, all defaults of the command count, even if the parser has not read them yet, as in help.
    """
    used.clear()
    by_file: dict[Path, list[str]] = {}
    for option in context.command.params:
        if option.name in defaults and (of_all or is_from_file(context, option.name)):
            default = defaults[option.name]
            words = [f"--{long_name(option)}", *([] if default.value is True else [str(default.value)])]
            if default.value is not False:
                used.extend(words)
            by_file.setdefault(default.file, []).append(" ".join(words))
    return [f"defaults from {file}: {', '.join(words)}" for file, words in by_file.items()]


def is_from_file(context: typer.Context, name: str) -> bool:
    """Tell whether the value of a parameter comes from a file of defaults."""
    return value_origin(context, name) == "DEFAULT_MAP"


def typed(context: typer.Context, names: Iterable[str]) -> list[str]:
    """Return those of the named parameters that are given on the command line, by the long names of their options."""
    by_name = {one.name: one for one in context.command.params}
    return [long_name(by_name[name]) for name in names if value_origin(context, name) == "COMMANDLINE"]


def value_origin(context: typer.Context, name: str | None) -> str:
    """Return where the value of a parameter comes from, as the parser names it."""
    return "" if name is None else getattr(context.get_parameter_source(name), "name", "")

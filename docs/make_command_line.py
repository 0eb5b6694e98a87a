"""Writes docs/command-line.md, the reference of all commands, from their help: `make docs` does this first.

python docs/make_command_line.py          # write it
python docs/make_command_line.py --check  # only tell whether it says what the commands say
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sim.cli import GROUPS, LazyCommands

PAGE = Path(__file__).resolve().parent / "command-line.md"
INTRODUCTION = """\
# Command line

<!-- written by docs/make_command_line.py from the help of the commands: change it there -->

    empirelab COMMAND ...

`empirelab COMMAND --help` shows what this page says of a command. [Running](running.md) explains exit statuses, your
own defaults, shell completion, folders, and which code the program runs.

Numbers of games may be written as `20000`, `20_000`, `2e4` or `2.5e5`. Every command takes `--json` (print the results
as one JSON document and nothing else), `--quiet` or `-q` (print results and errors only, no progress) and `--help` or
`-h`.
"""
SHARED = "Options of several commands"
OFTEN = 3
"""Commands with the same option from which on it is described for all of them at once."""
EVERYWHERE = ("as_json", "quiet")
"""Options of all commands, which the introduction describes."""
MORE = {
    "strategies": {"players": "players.md", "ratings": "statistics.md#verdicts-by-skill"},
    "new": {"a game of your own, step by step": "own-game.md"},
    "simulate": {
        "long runs, stretches": "scale.md", "clusters and URLs": "cluster.md", "changes and decks": "adding-data.md",
        "your own strategy": "writing-a-strategy.md", "what a run folder holds": "results.md",
    },
    "run": {"long runs": "scale.md"},
    "import": {"what the file must hold": "own-results.md"},
    "report": {"what the figures mean": "reading-the-report.md", "how they are computed": "statistics.md"},
    "explain": {"how it is computed": "statistics.md#why-a-faction-wins"},
    "price": {"how it is computed": "statistics.md#the-price-of-a-faction"},
    "compare": {
        "changes and decks": "adding-data.md", "lessons": "players.md#lessons",
        "how it is computed": "statistics.md#changes-between-runs-on-the-same-deals",
    },
    "sensitivity": {"what the figures mean": "reading-the-report.md"},
    "calibrate": {"results of all games": "calibration.md"},
    "ladder": {"what the figures mean": "reading-the-report.md#verdicts-by-skill"},
    "metagame": {"how it is computed": "statistics.md#choice-of-strategies"},
    "intervene": {"how it is computed": "statistics.md#intervention"},
    "drama": {"what the figures mean": "reading-the-report.md#drama", "how it is computed": "statistics.md#drama"},
    "ways": {"how it is computed": "statistics.md#ways-to-win"},
    "tune": {"your own strategy": "writing-a-strategy.md#variants-without-code"},
    "train": {"learned judges": "players.md#learned-judges"},
    "distil": {"players who look ahead": "writing-a-strategy.md#looking-ahead"},
    "inspect": {"formats": "records.md"},
    "verify": {"formats": "records.md"},
    "merge": {"stretches and seeds": "scale.md#stretches"},
    "fetch": {"runs at a URL": "cluster.md#runs-at-a-url"},
    "check-game": {"from the plain game to kernels": "adding-a-game.md"},
    "check": {"repair": "scale.md#repair"},
}  # fmt: skip
"""Pages that say more, by command."""


def page() -> str:
    """Return the page."""
    commands = LazyCommands()
    table = ["| Command | What it does |", "|---|---|"]
    table += [f"| [`{name}`](#{name}) | {cell(command.summary[0])} |" for name, command in commands.items()]
    rows = Counter(row_of(option) for command in commands.values() for option in options_of(command))
    shared = {row for row, times in rows.items() if times >= OFTEN}
    sections = ["\n".join(section(name, command, shared)) for name, command in commands.items()]
    return "\n".join([INTRODUCTION, *table, "", *shared_options(commands, shared), "\n\n".join(sections), ""])


def shared_options(commands: Mapping[str, Any], shared: set[str]) -> Iterator[str]:
    """Yield the section on options that several commands have, in their groups."""
    yield f"## {SHARED}\n"
    options = {row_of(option): option for command in commands.values() for option in options_of(command)}
    for group, names in GROUPS.items():
        rows = [row for name in names.split() for row in sorted(shared) if options[row].name == name]
        if rows:
            yield "\n".join([f"| {group} | Default | Meaning |", "|---|---|---|", *rows, ""])


def section(name: str, command: Any, shared: set[str]) -> Iterator[str]:
    """Yield the lines on a command: what it does, examples, its own options, notes."""
    yield f"## {name}\n"
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    words = [one.metavar if one.required or one.metavar.startswith("[") else f"[{one.metavar}]" for one in arguments]
    yield f"    empirelab {' '.join([name, *words])} [OPTIONS]\n"
    yield "\n\n".join(command.summary)
    if command.examples:
        yield "\n".join(["\n```sh", *(line.strip() for line in command.examples), "```"])
    own = [row for row in map(row_of, options_of(command)) if row not in shared]
    if own:
        yield "\n".join(["\n| Option | Default | Meaning |", "|---|---|---|", *own])
    used = [f"`{option.opts[0]}`" for option in options_of(command) if row_of(option) in shared]
    if used:
        yield f"\n[{SHARED}](#{SHARED.lower().replace(' ', '-')}): {', '.join(used)}."
    if command.notes:
        yield f"\n{command.notes}"
    if name in MORE:
        yield "\nMore: " + ", ".join(f"[{words}]({place})" for words, place in MORE[name].items()) + "."


def options_of(command: Any) -> list[Any]:
    """Return the options of a command, without those of all commands."""
    return [one for one in command.params if one.param_type_name == "option" and one.name not in EVERYWHERE]


def row_of(option: Any) -> str:
    """Return the row of an option."""
    return f"| {names_of(option)} | {cell(default_of(option))} | {cell(option.help)} |"


def names_of(option: Any) -> str:
    """Return the names of an option as code, with what it takes."""
    kind = f" {option.metavar}" if option.metavar else ""
    return ", ".join([*(f"`{name}{kind}`" for name in option.opts), *(f"`{name}`" for name in option.secondary_opts)])


def default_of(option: Any) -> str:
    """Return the default of an option; empty if it has none."""
    if isinstance(option.show_default, str):
        return option.show_default
    if isinstance(option.default, bool):
        return option.opts[0] if option.default else ""
    return "" if option.default is None else str(option.default)


def cell(text: str) -> str:
    """Return a text as a cell of a table."""
    return text.replace("|", r"\|")


def main() -> None:
    """Write the page, or compare."""
    parser = argparse.ArgumentParser(description=f"Write {PAGE.name} from the commands.")
    parser.add_argument("--check", action="store_true", help="only tell whether it says what the commands say")
    if not parser.parse_args().check:
        PAGE.write_text(page(), "utf-8")
    elif PAGE.read_text("utf-8") != page():
        sys.exit(f"{PAGE} is not current: run docs/make_command_line.py")


if __name__ == "__main__":
    main()

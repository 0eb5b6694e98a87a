"""Writes the README's table of speed from the figures that `make bench` has kept last.

python docs/make_speed_table.py          # write it; what `make bench` does at its end
python docs/make_speed_table.py --check  # only tell whether it says what was kept last
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sim.diagnostics.bench_history import last_kept
from sim.errors import UserError
from sim.game import load_game

ROOT = Path(__file__).resolve().parent.parent
KEPT_IN = ROOT / "benchmarks"
PAGE = ROOT / "README.md"
MARKS = ("<!-- speed: written by docs/make_speed_table.py -->\n", "<!-- end of speed -->\n")
"""Lines of the page that the table stands between."""
HEURISTICS_LINEUP = "heuristics mixed"
"""End of the label of the line-up in which a game's heuristics meet."""
COLUMNS = {"Random players": "random", "Heuristics mixed": HEURISTICS_LINEUP, "`balanced` only": "balanced"}
"""Headings, and how the labels of their line-ups end."""
DIGITS = 3
"""That a speed is told to: the next changes from run to run."""


def speed_table(content: Mapping[str, Any], file: str) -> str:
    """Return the table and its date and machine, from a file that `bench --keep` has written.

    Raise UserError if a game was not measured in one of the line-ups.
    """
    lines = [f"| Game, players | {' | '.join(COLUMNS)} |", f"|---{'|---' * len(COLUMNS)}|"]
    for game in content["games"]:
        rows = game["speed"]
        speeds = [f"{float(f'{speed_of(rows, label):.{DIGITS}g}'):,.0f}" for label in COLUMNS.values()]
        lines.append(f"| {load_game(game['game']).title}, {rows[0]['players']} | {' | '.join(speeds)} |")
    versions = content["versions"]
    where = f"{content['machine']}, Python {versions['python']}, numba {versions['numba']}"
    return "\n".join([*lines, "", f"Measured {content['measured'][:10]} on {where} ([{file}]({file})).", ""])


def speed_of(rows: Any, label: str) -> float:
    """Return games per second of the line-up whose label ends so; raise UserError if it was not measured."""
    for row in rows:
        if row["lineup"].endswith(label):
            return float(row["games_per_second"])
    raise UserError("a line-up was not measured", found=", ".join(row["lineup"] for row in rows), allowed=label)


def page_with(page: str, table: str, marks: tuple[str, str]) -> str:
    """Return the page with this table between two lines; raise UserError if the page lacks these marks."""
    before, begin, rest = page.partition(marks[0])
    _, end, behind = rest.partition(marks[1])
    if not begin or not end:
        allowed = " ... ".join(mark.strip() for mark in marks)
        raise UserError("the page has no place for the table", file=PAGE, allowed=allowed)
    return f"{before}{begin}\n{table}\n{end}{behind}"


def kept_table() -> str:
    """Return the speed table of the last saved results. Raise UserError if there are none."""
    kept = last_kept(KEPT_IN)
    if kept is None:
        raise UserError("nothing was kept", file=KEPT_IN, allowed="make bench")
    file, content = kept
    return speed_table(content, file.relative_to(ROOT).as_posix())


def write_or_check(script: str, page: Path, marks: tuple[str, str], table: Callable[[], str], source: str) -> None:
    """Read the command line of a script, and write its table between `marks` of a page, or compare.

    `table` makes the table from `source`, which is named in words.
    """
    parser = argparse.ArgumentParser(description=f"Write a table of {page.name} from {source}.")
    parser.add_argument("--check", action="store_true", help=f"only tell whether it says what {source} says")
    only_checks = parser.parse_args().check
    try:
        before = page.read_text("utf-8")
        made = page_with(before, table(), marks)
        if not only_checks:
            page.write_text(made, "utf-8")
        elif made != before:
            raise UserError(f"the table is not of {source}", file=page, allowed=Path(script).name)
    except UserError as error:
        sys.exit(str(error))


def main() -> None:
    """Write the table, or compare."""
    write_or_check(__file__, PAGE, MARKS, kept_table, "what was kept last")


if __name__ == "__main__":
    main()

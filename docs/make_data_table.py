"""Writes the README's table of how sure the data of each game is, from what `check-data` counts.

python docs/make_data_table.py          # write it
python docs/make_data_table.py --check  # only tell whether it says what the files say
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from make_speed_table import page_with

from sim.data.catalog import CERTAINTIES
from sim.data.certainty import certainty_of_rows
from sim.errors import UserError
from sim.game import GAMES, load_game

PAGE = Path(__file__).resolve().parent.parent / "README.md"
MARKS = ("<!-- data: written by docs/make_data_table.py -->\n", "<!-- end of data -->\n")


def data_table() -> str:
    """Return the table: rows of every game, and how many of each certainty.

    Raises
    ------
    UserError
        The files of a game cannot be read.
    """
    lines = [
        f"| Game | Rows | {' | '.join(level.capitalize() for level in CERTAINTIES)} |",
        f"|---|---{'|---' * len(CERTAINTIES)}|",
    ]
    for name in GAMES:
        game = load_game(name)
        levels = [row.certainty for row in certainty_of_rows(game.folder, game.files)]
        counts = [f"{levels.count(level):,}" for level in CERTAINTIES]
        lines.append(f"| {game.title} | {len(levels):,} | {' | '.join(counts)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the table, or compare."""
    parser = argparse.ArgumentParser(description="Write the README's table of how sure the data of each game is.")
    parser.add_argument("--check", action="store_true", help="only tell whether it says what the files say")
    only_checks = parser.parse_args().check
    try:
        page = PAGE.read_text("utf-8")
        made = page_with(page, data_table(), MARKS)
        if not only_checks:
            PAGE.write_text(made, "utf-8")
        elif made != page:
            raise UserError("the table is not of the files", file=PAGE, allowed=Path(__file__).name)
    except UserError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()

"""Writes the README's table of how sure the data of each game is, from what `check-data` counts.

python docs/make_data_table.py          # write it
python docs/make_data_table.py --check  # only tell whether it says what the files say
"""

from __future__ import annotations

from make_speed_table import PAGE, write_or_check

from sim.data.catalog import CERTAINTIES
from sim.data.certainty import certainty_of_rows
from sim.data.declarations import GAMES
from sim.game import load_game

MARKS = ("<!-- data: written by docs/make_data_table.py -->\n", "<!-- end of data -->\n")


def data_table() -> str:
    """Return the table, rows of each game by certainty; raise UserError if a game's files cannot be read."""
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
    write_or_check(__file__, PAGE, MARKS, data_table, "the files")


if __name__ == "__main__":
    main()

"""Writes docs/calibration.md: what short runs say about each game, held against later runs on fresh deals.

`python docs/make_calibration.py [GAME ...]` plays `empirelab calibrate` for all games and an example in plain Python,
or for some of them; the other tables of the page stay.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import empirelab
from reports.model import Section
from reports.render.format_cells import sheet

HERE = Path(__file__).parent
PAGE = HERE / "calibration.md"
GAMES = {
    "seven_wonders": "7 Wonders", "glory_of_rome": "The Glory of Rome", "imperial_settlers": "Imperial Settlers",
    "imperium": "Imperium", "history_of_the_world": "History of the World",
    "docs/examples/caravans.py": "Caravans, a game in plain Python",
}  # fmt: skip
SIZE = {"games": 500, "pilots": 4}


def table(section: Section) -> str:
    """Return the main table of a section in Markdown."""
    written = sheet(section.listings[0])
    rows = [[head.title for head in written.heads], *[[cell.text for cell in row] for row in written.rows]]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]])


def part(game: str, section: Section) -> str:
    """Return the part of the page on a game."""
    command = f"empirelab calibrate {game} --games {SIZE['games']} --pilots {SIZE['pilots']}"
    return f"## {GAMES[game]}\n\n{' '.join(section.sentences)}\n\n{table(section)}\n\n    {command}\n"


def main(games: list[str]) -> None:
    """Play the calibrations and write the page after each of them."""
    for game in games:
        section = empirelab.calibrate(game, jobs=1, progress=False, **SIZE)
        text = PAGE.read_text(encoding="utf-8")
        head = f"## {GAMES[game]}\n"
        known = re.search(rf"{re.escape(head)}.*?(?=\n## |\Z)", text, re.DOTALL)
        new = part(game, section)
        text = text.replace(known[0], new) if known else f"{text.rstrip()}\n\n{new}"
        PAGE.write_text(text.rstrip() + "\n", encoding="utf-8")
        print(game, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or list(GAMES))

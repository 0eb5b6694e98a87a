"""Writes docs/calibration.md: what short runs say about each game, held against later runs on fresh deals.

`python docs/make_calibration.py [GAME ...]` plays `empirelab calibrate` for all games and an example in plain Python,
or for some of them; the other tables of the page stay. `--figure` only draws docs/calibration.png from the tables.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import empirelab
from reports.drawing import INK, NEUTRAL, PARTS, figure_of, styled, styled_axes
from reports.model import Section
from reports.render.chart import small_png
from reports.render.format_cells import sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HERE = Path(__file__).parent
PAGE = HERE / "calibration.md"
FIGURE = HERE / "calibration.png"
GAMES = {
    "seven_wonders": "7 Wonders", "glory_of_rome": "The Glory of Rome", "imperial_settlers": "Imperial Settlers",
    "imperium": "Imperium", "history_of_the_world": "History of the World",
    "docs/examples/caravans.py": "Caravans, a game in plain Python",
}  # fmt: skip
SIZES = {
    "glory_of_rome": 1_000, "imperial_settlers": 2_000, "docs/examples/caravans.py": 2_000,
}  # fmt: skip
"""Games of each short run where not `GAMES_OF_EACH`: slower games have fewer."""
GAMES_OF_EACH, PILOTS = 4_000, 8
Kept = tuple[str, float, float, float, float]
"""A statement, and in percent its promise, how often it came true, and the limits of that."""


def table(section: Section) -> str:
    """Return the main table of a section in Markdown."""
    written = sheet(section.listings[0])
    rows = [[head.title for head in written.heads], *[[cell.text for cell in row] for row in written.rows]]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]])


def part(game: str, section: Section, games: int) -> str:
    """Return the part of the page on a game."""
    command = f"empirelab calibrate {game} --games {games} --pilots {PILOTS}"
    return f"## {GAMES[game]}\n\n{' '.join(section.sentences)}\n\n{table(section)}\n\n    {command}\n"


def kept_of(text: str) -> dict[str, list[Kept]]:
    """Return the rows of the tables of the page, by the title of their game."""
    found = {}
    for head, *lines in (one.splitlines() for one in text.split("\n## ")[1:]):
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")][1:]
        rows = []
        for said, *figures, limits, _ in cells:
            promised, seen, low, high = (float(end.rstrip(" %")) for end in (*figures, *limits.split(" to ")))
            rows.append((said, promised, seen, low, high))
        found[head] = rows
    return found


@styled
def draw_kept(kept: dict[str, list[Kept]], ax: Axes | None = None) -> Axes:
    """Draw how often statements of each kind came true in each game, with limits, and what was promised."""
    kinds = list(dict.fromkeys(row[0] for rows in kept.values() for row in rows))
    ax = styled_axes(
        ax, 8.4, 1.6 + 0.13 * (len(kept) + 2) * len(kinds), "Statements of short runs that came true later"
    )
    for place, (game, rows) in enumerate(kept.items()):
        colour, shift = PARTS[(0, 3, 4, 6, 2, 8)[place % 6]], (place - (len(kept) - 1) / 2) / (len(kept) + 2)
        for said, promised, seen, low, high in rows:
            at = kinds.index(said) + shift
            ax.plot([low, high], [at, at], color=colour, lw=1.6)
            ax.plot([promised], [at], "|", color=INK, ms=8, mew=1.4)
            ax.plot([seen], [at], "o", color=colour, ms=4.5, clip_on=False, label=game if said == rows[0][0] else None)
    for place in range(1, len(kinds)):
        ax.axhline(place - 0.5, color=NEUTRAL, lw=0.4)
    ax.set_yticks(range(len(kinds)), [re.sub(r" (contain|are|decide) ", r"\n\1 ", said, count=1) for said in kinds])
    ax.set_ylim(len(kinds) - 0.5, -0.5)
    ax.set_xlim(0, 100)
    ax.set_xlabel("came true, % (line: 95 % limits; dark tick: promised)", fontsize=9, color=NEUTRAL)
    ax.legend(frameon=False, fontsize=8.5, loc="upper center", bbox_to_anchor=(0.3, -0.08), ncols=3)
    return ax


def main(games: list[str]) -> None:
    """Play the calibrations, and write the page and its figure after each of them."""
    for game in games:
        size = SIZES.get(game, GAMES_OF_EACH)
        section = empirelab.calibrate(game, games=size, pilots=PILOTS, jobs=1, progress=False)
        text = PAGE.read_text(encoding="utf-8")
        head = f"## {GAMES[game]}\n"
        known = re.search(rf"{re.escape(head)}.*?(?=\n## |\Z)", text, re.DOTALL)
        new = part(game, section, size)
        text = text.replace(known[0], new) if known else f"{text.rstrip()}\n\n{new}"
        PAGE.write_text(text.rstrip() + "\n", encoding="utf-8")
        print(game, flush=True)
    FIGURE.write_bytes(small_png(figure_of(draw_kept(kept_of(PAGE.read_text(encoding="utf-8")))), 150))


if __name__ == "__main__":
    main([] if sys.argv[1:] == ["--figure"] else sys.argv[1:] or list(GAMES))

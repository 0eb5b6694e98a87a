"""Writes the table of skill and luck in docs/reading-the-report.md: the scripted players of each ladder meet, without
random play.

`python docs/make_skill_table.py [GAMES]`: games of each run, 240 by default.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import empirelab
from reports.data.ladder_rows import ladder_of
from reports.data.load import load_run
from reports.formatting import percent
from reports.sections.strength.skill_share import skill_share_section
from sim.game import load_game, name_game
from sim.players.search_config import parted

PAGE = Path(__file__).parent / "reading-the-report.md"
START, END = "<!-- skill: written by docs/make_skill_table.py -->\n", "<!-- end of skill -->"
TABLES = {
    "seven_wonders": range(2, 8), "imperium": range(2, 5), "imperial_settlers": range(2, 5),
    "history_of_the_world": range(3, 7), "glory_of_rome": range(2, 5), "docs/examples/caravans.py": (None,),
}  # fmt: skip


def row_of(game: str, players: int | None, games: int) -> str:
    """Play a run in which the scripted rungs of a game's ladder meet, and return its row of the table."""
    spec = load_game(name_game(game))
    rungs = [name for name in ladder_of(spec).rungs if parted(name)[1] is None and name != "random"]
    with TemporaryDirectory() as home:
        folder = Path(home) / "run"
        empirelab.simulate(
            game, games=games, players=players, strategies=rungs, out=folder, progress=False, jobs=1, checked=True
        )
        section = skill_share_section(load_run(folder))
    row = section.tables["skill or luck"].frame.row(0, named=True)
    share, low, high = (percent(row[name], 0) for name in ("share", "low", "high"))
    apart = f"{row['apart']} of {row['of']}"
    cells = [spec.title, row["players"], f"{share} ({low} to {high})", apart, str(row["needed"]), ", ".join(rungs)]
    return f"| {' | '.join(cells)} |"


def main(games: int) -> None:
    """Write the table."""
    lines = ["| Game | Players | Skill share | Surely apart | Games | Who met |", "|---|---|---|---|---|---|"]
    for game, counts in TABLES.items():
        for players in counts:
            lines.append(row_of(game, players, games))
            print(lines[-1], flush=True)
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    text = f"{before}{START}\n" + "\n".join(lines) + f"\n\n{END}" + rest.partition(END)[2]
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 240)

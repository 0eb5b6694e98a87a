"""Refits the lessons of a game: `python -m sim.diagnostics.lessons GAME FOLDER [GAMES [ROUND [DATA]]]`.

Writes FOLDER/lessons.toml. ROUND is the number of the training round, by default the first one after those of the
shipped lessons. Each training round plays other deals. DATA is a data set of History of the World.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from sim.diagnostics.lessons import glory_of_rome, history_of_the_world, imperial_settlers, imperium, seven_wonders
from sim.diagnostics.lessons.fit import write_lessons
from sim.errors import UserError

FITS: dict[str, Callable[..., list[str]]] = {
    "seven_wonders": seven_wonders.new_lessons,
    "imperium": imperium.new_lessons,
    "imperial_settlers": imperial_settlers.new_lessons,
    "history_of_the_world": history_of_the_world.new_lessons,
    "glory_of_rome": glory_of_rome.new_lessons,
}


def main(arguments: list[str]) -> None:
    """Fit the lessons of a game, and write them into a folder."""
    game, folder, *rest = arguments
    numbers, data = [int(number) for number in rest[:2]], rest[2:]
    rows = FITS[game](*numbers, *data)
    write_lessons(Path(folder), rows)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except UserError as error:
        sys.exit(str(error))

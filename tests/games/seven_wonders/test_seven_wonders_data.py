"""Files of 7 Wonders with more rows than the tables hold are refused."""

import shutil
from pathlib import Path

import pytest

from sim.errors import UserError
from sim.games.seven_wonders.data.catalog import FOLDER, load_catalog

CARD = """
[[card]]
name = "Extra {}"
age = 1
colour = "blue"
copies = [3]
effects = [{{ vp = 1 }}]
certainty = "stand-in"
"""
BOARD = """
[[wonder]]
name = "Extra {}"
side = "A"
full_name = "x"
resource = "ore"
certainty = "stand-in"
[[wonder.stage]]
effects = [{{ vp = 1 }}]
"""


@pytest.mark.parametrize(
    ("file", "row", "count", "message"),
    [
        ("cards.toml", CARD, 19, r"field card: too many rows \(found: 97\); allowed: at most 96"),
        ("wonders.toml", BOARD, 7, r"field wonder: too many rows \(found: 21\)"),
    ],
)
def test_more_rows_than_the_tables_hold_are_refused(
    tmp_path: Path, file: str, row: str, count: int, message: str
) -> None:
    folder = tmp_path / "seven_wonders"
    shutil.copytree(FOLDER, folder)
    with (folder / file).open("a", encoding="utf-8") as more:
        more.writelines(row.format(number) for number in range(count))
    with pytest.raises(UserError, match=rf"{file}, {message}"):
        load_catalog(folder)

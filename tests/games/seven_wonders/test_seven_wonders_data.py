"""Mistakes in the files of 7 Wonders are named with file, row, field, what was found and what is allowed."""

import shutil
from pathlib import Path

import pytest

from sim.errors import UserError
from sim.games.seven_wonders.data.catalog import FOLDER, load_catalog
from sim.games.seven_wonders.data.compile import build_tables
from sim.games.seven_wonders.rules.constants import COLOURS, MANUFACTURED_GOODS, RAW_GOODS, RESOURCES
from sim.games.seven_wonders.rules.tables import TABLES

CATALOG = load_catalog()


def edited(folder: Path, file: str, old: str, new: str) -> Path:
    """A copy of the configs in which the first `old` below the head comment of a file is `new`."""
    copy = folder / "seven_wonders"
    shutil.copytree(FOLDER, copy)
    head, blank, text = (copy / file).read_text(encoding="utf-8").partition("\n\n")
    assert old in text, f"{file} has no {old!r}"
    (copy / file).write_text(head + blank + text.replace(old, new, 1), encoding="utf-8")
    return copy


def test_more_cards_than_the_tables_hold_are_refused(tmp_path: Path) -> None:
    row = (
        '\n[[card]]\nname = "Extra {}"\nage = 1\ncolour = "blue"\ncopies = [3]\n'
        'effects = [{{ vp = 1 }}]\ncertainty = "stand-in"\n'
    )
    folder = edited(tmp_path, "cards.toml", "", "".join(row.format(number) for number in range(19)))
    with pytest.raises(UserError, match=r"cards\.toml, field card: too many rows \(found: 97\); allowed: at most 96"):
        load_catalog(folder)


def test_more_boards_than_the_tables_hold_are_refused(tmp_path: Path) -> None:
    row = '\n[[wonder]]\nname = "Extra {}"\nside = "A"\nfull_name = "x"\nresource = "ore"\ncertainty = "stand-in"\n'
    stage = "[[wonder.stage]]\neffects = [{ vp = 1 }]\n"
    rows = "".join(row.format(number) + stage for number in range(7))
    with pytest.raises(UserError, match=r"wonders\.toml, field wonder: too many rows \(found: 21\)"):
        load_catalog(edited(tmp_path, "wonders.toml", "", rows))


def test_more_chains_from_one_name_than_the_tables_hold_are_refused(tmp_path: Path) -> None:
    folder = edited(tmp_path, "cards.toml", "", "")
    text = (folder / "cards.toml").read_text(encoding="utf-8")
    for child in ("Aqueduct", "Temple", "Statue", "Courthouse", "Walls"):
        head = f'name = "{child}"\nage = 2\n'
        block = text[text.index(head) :].split("\n\n", 1)[0]
        lines = [line for line in block.splitlines() if not line.startswith("chain_from")]
        text = text.replace(block, "\n".join([*lines, 'chain_from = ["Tavern"]']))
    (folder / "cards.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"row Walls 2, field chain_from: Tavern makes too many .*found: 5.*at most 4"):
        load_catalog(folder)


def test_the_words_are_in_the_order_of_the_tables() -> None:
    assert RESOURCES == RAW_GOODS + MANUFACTURED_GOODS
    assert COLOURS == ("brown", "grey", "blue", "green", "yellow", "red", "purple")


def test_an_edited_value_changes_no_dtype_but_the_digest(tmp_path: Path) -> None:
    folder = edited(tmp_path, "rules.toml", "trade_price = 2", "trade_price = 3")
    catalog = load_catalog(folder)
    assert build_tables(catalog).dtype == TABLES
    assert build_tables(catalog).trade_price == 3
    assert catalog.digest != CATALOG.digest == load_catalog().digest

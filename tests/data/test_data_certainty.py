"""How sure the rows of a game are, as `check-data` tells it."""

from pathlib import Path

import pytest

from sim.data.catalog import Certainty, Kind, Row
from sim.data.certainty import RowCertainty, certainty_of_rows, shares_in_words
from sim.data.declarations import GAMES
from sim.data.game_files import setting_rows
from sim.game import load_game


class Ship(Row):
    """A row that says how sure it is."""

    name: str
    certainty: Certainty


class Galley(Ship):
    """A row that says what of it a source tells."""

    known: list[str]


class Weather(Row):
    """A row that does not."""

    wind: int


def test_rows_and_plain_tables_that_say_how_sure_they_are_are_told(tmp_path: Path) -> None:
    (tmp_path / "fleet.toml").write_text(
        '[flagship]\nname = "Ark"\ncertainty = "confirmed"\n'
        '[[ship]]\nname = "Sloop"\ncertainty = "stand-in"\n'
        '[[ship]]\nname = "Brig"\ncertainty = "single-source"\n'
        '[[galley]]\nname = "Argo"\ncertainty = "stand-in"\nknown = ["name"]\n'
        "[weather]\nwind = 3\n"
    )
    tables = {
        "flagship": Kind(Ship),
        "ship": Kind(Ship, ("name",)),
        "galley": Kind(Galley, ("name",)),
        "weather": Kind(Weather),
    }
    rows = certainty_of_rows(tmp_path, {"fleet.toml": tables})
    assert rows == [
        RowCertainty("fleet.toml", "flagship", "flagship", "confirmed"),
        RowCertainty("fleet.toml", "ship", "Sloop", "stand-in"),
        RowCertainty("fleet.toml", "ship", "Brig", "single-source"),
        RowCertainty("fleet.toml", "galley", "Argo", "stand-in", ("name",)),
    ]
    assert shares_in_words(rows) == "4 rows: 1 confirmed, 1 single-source, 2 stand-in"


@pytest.mark.parametrize("name", GAMES)
def test_cards_factions_and_settings_of_every_game_are_counted_as_its_reports_count_them(name: str) -> None:
    game = load_game(name)
    data = game.load({})
    rows = certainty_of_rows(game.folder, game.files)
    for level, count in data.settings_certainty.items():
        assert sum(row.certainty == level for row in rows if row.table == "setting") == count
    assert sum(data.certainty.values()) <= len(rows)


@pytest.mark.parametrize(
    ("name", "settled"),
    [
        ("imperial_settlers", {"raze_effects_need_field", "attack_in_last_round"}),
        ("history_of_the_world", {"siege_tokens_build_forts"}),
        ("seven_wonders", {"last_card_spends_turn_income", "free_city_sales_spendable"}),
    ],
)
def test_what_the_rulebook_settles_is_confirmed_with_its_place(name: str, settled: set[str]) -> None:
    game = load_game(name)
    found = {row.name: row for row in setting_rows(game.folder, game.files) if row.name in settled}
    assert {row.certainty for row in found.values()} == {"confirmed"}
    assert all(row.source.startswith("rulebook, ") for row in found.values())
    assert set(found) == settled

"""`check-data`: which rows of a game are stand-ins."""

from tests.cli.conftest import Program


def test_rows_are_counted_and_stand_ins_listed(empirelab: Program) -> None:
    outcome = empirelab("check-data", "seven_wonders")
    assert "cards.toml: 78 rows: 78 confirmed, 0 single-source, 0 stand-in" in outcome.out
    assert "stand-in: rules.toml, setting, discounts_add_up" in outcome.out
    assert "coins_per_counts_itself" not in outcome.out


def test_all_lists_what_a_single_source_tells_too(empirelab: Program) -> None:
    outcome = empirelab("check-data", "seven_wonders", "--all")
    assert "single-source: rules.toml, setting, coins_per_counts_itself" in outcome.out
    rows = empirelab("check-data", "seven_wonders", "--all", "--json").json
    assert {row["certainty"] for row in rows} == {"single-source", "stand-in"}


def test_every_data_set_of_a_game_is_checked_and_what_is_known_of_a_stand_in_told(empirelab: Program) -> None:
    outcome = empirelab("check-data", "history_of_the_world")
    assert "edition-1993/map.toml: 140 rows: 0 confirmed, 113 single-source, 27 stand-in" in outcome.out
    assert "empires.toml, empire, Romans (known: epoch, order, ability)" in outcome.out

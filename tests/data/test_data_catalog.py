from pathlib import Path
from typing import Annotated

import pytest
from pydantic import Field

from sim.data.catalog import (
    CERTAINTIES,
    Certainty,
    Row,
    certainty_shares,
    check_tables,
    digest,
    read_toml,
    validate_row,
    validate_rows,
)
from sim.errors import UserError, nearest

PATH = Path("cards.toml")


class Price(Row):
    coins: Annotated[int, Field(ge=0)]
    from_whom: str = Field(default="bank", alias="from")


class Thing(Row):
    name: str
    certainty: Certainty
    prices: list[Price] = Field(default_factory=list)


def error_of(row: object) -> str:
    with pytest.raises(UserError) as error:
        validate_rows(PATH, {"thing": [row]}, "thing", Thing)
    return str(error.value)


def write(folder: Path, content: bytes) -> Path:
    path = folder / "cards.toml"
    path.write_bytes(content)
    return path


def test_a_file_with_a_byte_order_mark_and_windows_line_ends_is_read(tmp_path: Path) -> None:
    assert read_toml(write(tmp_path, b'\xef\xbb\xbfname = "Loom"\r\nage = 1\r\n')) == {"name": "Loom", "age": 1}


def test_a_missing_file_is_named_with_the_file_that_is_there(tmp_path: Path) -> None:
    write(tmp_path, b"")
    with pytest.raises(UserError, match=r"card\.toml: no such file .* did you mean 'cards\.toml'"):
        read_toml(tmp_path / "card.toml")


def test_a_missing_folder_and_one_in_place_of_a_file_are_user_errors(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no such file"):
        read_toml(tmp_path / "nowhere" / "cards.toml")
    with pytest.raises(UserError, match="cannot be read"):
        read_toml(tmp_path)


def test_text_that_is_not_utf8_or_not_toml_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"cards\.toml: not UTF-8 text \(at line 2\) \(found: b'\\xe9'\)"):
        read_toml(write(tmp_path, b'name = "Loom"\nother = "Caf\xe9"\n'))
    with pytest.raises(UserError, match=r"cards\.toml: not valid TOML: .*line 3"):
        read_toml(write(tmp_path, b"a = 1\nb = 2\nc =\n"))


def test_an_unknown_table_is_named_with_the_nearest_and_so_is_a_missing_one() -> None:
    with pytest.raises(UserError, match=r"unknown table \(found: 'cards'\); did you mean 'card'"):
        check_tables(PATH, {"cards": []}, ("card",))
    with pytest.raises(UserError, match="the table card is missing"):
        check_tables(PATH, {}, ("card",))


def test_an_ending_that_all_files_have_makes_none_of_them_near() -> None:
    files = ["cards.toml", "builder.toml"]
    assert nearest("wonders.toml", files) is None
    assert nearest("card.toml", files) == "cards.toml"
    assert nearest("cards.tml", files) == "cards.toml"


def test_good_rows_come_back_as_models() -> None:
    rows = [{"name": "Loom", "certainty": "confirmed", "prices": [{"coins": 1, "from": "left"}]}]
    (thing,) = validate_rows(PATH, {"thing": rows}, "thing", Thing)
    assert thing.prices[0].from_whom == "left"


@pytest.mark.parametrize("rows", [None, [], {"name": "Loom"}, "Loom"])
def test_rows_must_be_an_array_of_tables(rows: object) -> None:
    with pytest.raises(UserError, match=r"cards\.toml, field thing: no rows; allowed: .*\[\[thing\]\]"):
        validate_rows(PATH, {"thing": rows}, "thing", Thing)


SURE = {"name": "Loom", "certainty": "confirmed"}


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"name": "Loom", "certanty": "confirmed"},
         "row Loom, field certanty: unknown field (found: 'certanty'); did you mean 'certainty'? "
         "Allowed: name, certainty, prices"),
        ({"name": "Loom", "certainty": "confirmd"},
         "row Loom, field certainty: unknown value (found: 'confirmd'); did you mean 'confirmed'? "
         "Allowed: confirmed, single-source, stand-in"),
        # A nested field is named by its place counted from one, and as it is called in the file.
        ({**SURE, "prices": [{"coins": 1}, {"coins": -1}]},
         "row Loom, field prices.2.coins: not allowed here (found: -1); allowed: greater than or equal to 0"),
        ({**SURE, "prices": [{"coins": 1, "frm": "left"}]},
         "row Loom, field prices.1.frm: unknown field (found: 'frm'); did you mean 'from'? Allowed: coins, from"),
        ({"name": "Loom"}, "row Loom, field certainty: this field is missing"),
        # A row without a name is called by its number.
        ({"certainty": "confirmed"}, "row 1, field name: this field is missing"),
        ("Loom", "row 1: "),
    ],
)  # fmt: skip
def test_a_mistake_in_a_row_is_named_with_its_place_and_what_is_allowed(row: object, said: str) -> None:
    assert error_of(row).startswith(f"cards.toml, {said}")


@pytest.mark.parametrize("coins", [True, "1", 1.0])
def test_numbers_are_not_guessed_from_other_types(coins: object) -> None:
    with pytest.raises(UserError, match=r"row price, field coins: .*whole number"):
        validate_row(PATH, {"coins": coins}, Price, "price")


def test_rows_are_called_by_all_their_label_fields() -> None:
    rows = [{"name": "Loom", "certainty": 2}]
    with pytest.raises(UserError, match="row Loom 2, field certainty"):
        validate_rows(PATH, {"thing": rows}, "thing", Thing, ("name", "certainty"))


def test_certainty_is_counted_for_every_kind() -> None:
    rows = [Thing(name=name, certainty="confirmed") for name in "ab"] + [Thing(name="c", certainty="stand-in")]
    assert certainty_shares(rows) == {"confirmed": 2, "single-source": 0, "stand-in": 1}
    assert tuple(certainty_shares([])) == CERTAINTIES


def test_a_digest_ignores_the_order_of_keys_and_sees_every_value() -> None:
    assert digest({"a": 1, "b": [2]}) == digest({"b": [2], "a": 1})
    assert digest({"a": 1, "b": [2]}) != digest({"a": 1, "b": [3]})

"""Numbers of the rulebook and settings reach the tables, or loading fails."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sim.data.catalog import Sourced
from sim.games.shared.filling import fill_rules


class Numbers(Sourced):
    """Numbers of an invented rulebook."""

    cards: int
    marks: list[int]


KNOWN = {"order": ("first", "last"), "ties": (False, True)}
CATALOG: Any = SimpleNamespace(
    constants=Numbers(certainty="stand-in", cards=7, marks=[1, 2]), settings={"order": "last", "ties": False}
)


def filled(*columns: str, apart: tuple[str, ...] = ()) -> Any:
    t = np.full(1, -1, [(name, np.int64) for name in columns])[0]
    fill_rules(t, CATALOG, KNOWN, apart)
    return t


def test_numbers_and_settings_fill_the_columns_of_their_names() -> None:
    assert filled("cards", "order", "ties", "other", apart=("marks",)).tolist() == (7, 1, 0, -1)


@pytest.mark.parametrize("missing", ["cards", "order"])
def test_a_number_or_a_setting_without_a_column_is_an_error(missing: str) -> None:
    columns = [name for name in ("cards", "order", "ties") if name != missing]
    with pytest.raises(ValueError, match=missing):
        filled(*columns, apart=("marks",))


def test_what_stands_apart_is_a_number_or_a_setting() -> None:
    with pytest.raises(ValueError, match="card_s"):
        filled("cards", "order", "ties", apart=("marks", "card_s"))

"""Every field of every row of data, position and run file, given a value of each wrong kind."""

import math
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest

import sim
from sim.data.catalog import Row, validate_row
from sim.errors import UserError

VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 10**30, 1.5, math.nan, "", "x", "\ud800"),
    *([], [None], [0], [[]], [{}], ["\ud800"], {}, {"": None}, {"x": {}}),
)


def kinds_of_rows(kind: type[Row] = Row) -> Iterator[type[Row]]:
    """All kinds of rows in the project's modules."""
    for further in kind.__subclasses__():
        yield further
        yield from kinds_of_rows(further)


@pytest.fixture(scope="module", autouse=True)
def all_modules() -> None:
    for module in walk_packages(sim.__path__, "sim."):
        import_module(module.name)


@pytest.mark.parametrize("value", VALUES, ids=ascii)
def test_a_wrong_value_in_any_field_is_taken_or_refused_with_a_message(value: Any) -> None:
    refused = 0
    for kind in set(kinds_of_rows()):
        for name, field in kind.model_fields.items():
            try:
                validate_row("file.json", {field.alias or name: value}, kind, "row")
            except UserError:
                refused += 1
    assert refused > 100

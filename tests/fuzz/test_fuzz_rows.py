"""Every field of every row of data, positions, run files and manifests, given a value of each wrong kind."""

import math
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

import sim
from sim.data.catalog import Row, row_error
from sim.data.declarations import Entry

VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 10**30, 1.5, math.nan, "", "x", "\ud800"),
    *([], [None], [0], [[]], [{}], ["\ud800"], {}, {"": None}, {"x": {}}, {"\ud800": 1}),
)


def kinds_below(kind: type[BaseModel]) -> Iterator[type[BaseModel]]:
    """All kinds of rows in the project's modules that are a special case of this one."""
    for further in kind.__subclasses__():
        yield further
        yield from kinds_below(further)


@pytest.fixture(scope="module")
def kinds() -> set[type[BaseModel]]:
    for module in walk_packages(sim.__path__, "sim."):
        try:
            import_module(module.name)
        except ModuleNotFoundError as missing:  # of an optional package
            if str(missing.name).startswith("sim"):
                raise
    return {*kinds_below(Row), *kinds_below(Entry)}


@pytest.mark.parametrize("value", VALUES, ids=ascii)
def test_a_wrong_value_in_any_field_is_taken_or_refused_with_a_message(value: Any, kinds: set[type[BaseModel]]) -> None:
    refused = 0
    for kind in kinds:
        for name, field in kind.model_fields.items():
            own = field.alias or name
            try:
                kind.model_validate({own: value})
            except ValidationError as error:
                for problem in error.errors(include_url=False):
                    assert str(row_error("file.json", "row", problem)).isprintable()
                    refused += problem["loc"][:1] == (own,)
    assert refused > 100

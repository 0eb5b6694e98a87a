"""Records that Python reads quickly: their dtypes are made with `FieldRecord` in the place of `np.record`."""

from __future__ import annotations

from typing import Any

import numpy as np

_attribute_of = np.void.__getattribute__
_field_of = np.void.__getitem__
_put_field = np.void.__setitem__
_ATTRIBUTES = frozenset(dir(np.void))
"""Names that mean of any record what they mean in NumPy; a field that is called so is read as `g["data"]`."""


class FieldRecord(np.record):  # type: ignore[misc]  # NumPy's stubs call a class above it final
    """A NumPy record whose fields are read and written in less than half the time; it is `np.record` in all else.

    Kernels read records by their addresses; rules that are not compiled, games that are told and players in plain
    Python read fields one by one, millions of times.
    """

    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        """Return a field as a number, as an array that is a view, or as a record; any other attribute as NumPy does."""
        if name in _ATTRIBUTES:
            return _attribute_of(self, name)
        try:
            return _field_of(self, name)
        except ValueError:
            return super().__getattribute__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        """Write a field, all of an array if it is one."""
        try:
            _put_field(self, name, value)
        except ValueError:
            super().__setattr__(name, value)

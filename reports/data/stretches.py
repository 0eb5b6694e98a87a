"""Stretches of a run as packed arrays that are read again and again: few in memory, many in a file on disk."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.errors import UserError

IN_MEMORY = 2**25
"""Bytes that are held in memory; what is more lies in a file without a name, in the system's folder for such files."""


class Stretches:
    """Arrays that are added stretch by stretch and read as often as wanted, one stretch in memory at a time.

    For statistics that go over all games several times: unpacking Parquet anew would take most of their time.
    """

    def __init__(self) -> None:
        self.file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - it is closed with this object
        weakref.finalize(self, self.file.close)
        self.names: list[tuple[str, ...]] = []

    def add(self, **arrays: NDArray[Any]) -> None:
        """Add a stretch.

        Raises
        ------
        UserError
            The file cannot be written.
        """
        try:
            self.file.seek(0, 2)
            for values in arrays.values():
                np.save(self.file, values, allow_pickle=False)
            self.file.flush()
        except OSError as error:
            message = f"temporary files cannot be written ({error.strerror or error})"
            raise UserError(message, file=tempfile.gettempdir(), allowed="TMPDIR set to a folder with room") from error
        self.names.append(tuple(arrays))

    def __iter__(self) -> Iterator[dict[str, NDArray[Any]]]:
        """Yield the stretches in the order in which they were added; one reader at a time."""
        self.file.seek(0)
        for names in self.names:
            yield {name: np.load(self.file, allow_pickle=False) for name in names}

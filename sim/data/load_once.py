"""Reads a game's data once in a process, not for every plan that plays with them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.data.changes import Change

if TYPE_CHECKING:
    from sim.data.additions import Addition

Load = Callable[..., Any]
"""A game's `load(settings, changes)`, or `load(settings, changes, additions)`."""
MOST_KEPT = 16
"""Data kept at most: one for each combination of settings, changes and additions."""


def read_once(folder: Path) -> Callable[[Load], Load]:
    """Decorate a game's `load`, so that it returns the same data for the same settings, changes and additions.

    Parameters
    ----------
    folder
        Folder of the game's TOML files, which may lie in folders of it too. Once one of them changes, everything is
        read again.
    """

    def decorate(load: Load) -> Load:
        kept: dict[tuple[str, str], Any] = {}

        @wraps(load)
        def load_once(
            settings: Mapping[str, object], changes: Sequence[Change] = (), additions: Sequence[Addition] = ()
        ) -> Any:
            added = [(str(addition.file), addition.text) for addition in additions]
            asked = repr((sorted(settings.items()), [change.text for change in changes], added))
            key = files_digest(folder), asked
            data = kept.pop(key, None) or load(settings, changes, *([additions] if additions else []))
            kept[key] = data  # the least recently used comes first
            if len(kept) > MOST_KEPT:
                del kept[next(iter(kept))]
            return data

        return load_once

    return decorate


def files_digest(folder: Path) -> str:
    """SHA-256 over the names and contents of the TOML files of a folder and of those in it."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.toml")):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()

"""A game's data are read once in a process, not for every plan that plays with them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path

from sim.data.additions import Addition
from sim.data.changes import Change
from sim.game import Data

Load = Callable[..., Data]
"""A game's `load(settings, changes)`, or `load(settings, changes, additions)`."""
MOST_KEPT = 16
"""Settings, changes and additions together, whose data are kept."""


def read_once(folder: Path) -> Callable[[Load], Callable[..., Data]]:
    """Decorate a game's `load`: what was read with the same settings, changes and additions is handed out again.

    Parameters
    ----------
    folder
        Where the game's TOML files lie, in it and in folders in it. After any change to one of them everything is read
        anew.
    """

    def decorate(load: Load) -> Callable[..., Data]:
        kept: dict[tuple[str, str], Data] = {}

        @wraps(load)
        def load_once(
            settings: Mapping[str, object], changes: Sequence[Change] = (), additions: Sequence[Addition] = ()
        ) -> Data:
            added = [(str(addition.file), addition.text) for addition in additions]
            asked = repr((sorted(settings.items()), [change.text for change in changes], added))
            key = files_digest(folder), asked
            data = kept.pop(key, None) or load(settings, changes, *([additions] if additions else []))
            kept[key] = data  # the last one is the one asked for last
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

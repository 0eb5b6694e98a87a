"""The one kind of error a user can cause, with a message that says what to mend."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path


class UserError(Exception):
    """Bad input: printed as one message, exit status 2, no traceback.

    Parameters
    ----------
    message
        What is wrong, in one sentence.
    file, row, field
        Where it stands: a path, a row (a card's name, a line number), a field of that row.
    found, allowed
        What was read and what may stand there; the nearest allowed name is suggested.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | Path | None = None,
        row: object = None,
        field: str | None = None,
        found: object = None,
        allowed: Iterable[object] | str | None = None,
    ) -> None:
        place = [str(file)] if file is not None else []
        if row is not None:
            place.append(f"row {row}")
        if field is not None:
            place.append(f"field {field}")
        text = f"{', '.join(place)}: {message}" if place else message
        if found is not None:
            text += f" (found: {found!r})"
        if isinstance(allowed, str):
            text += f"; allowed: {allowed}"
        elif allowed is not None:
            names = [str(name) for name in allowed]
            near = nearest(str(found), names) if found is not None else None
            if near is not None:
                text += f"; did you mean {near!r}?"
            text += f" Allowed: {', '.join(names)}" if near is not None else f"; allowed: {', '.join(names)}"
        super().__init__(text)


def check_kind(value: object, kind: type, allowed: str) -> None:
    """Check that a caller from Python handed over the kind of thing a function works on.

    Raises
    ------
    UserError
        It is another; `allowed` says where the right one comes from.
    """
    if not isinstance(value, kind):
        raise UserError(f"this is no {kind.__name__}", found=type(value).__name__, allowed=allowed)


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the allowed name most like `name`, or None where none is near."""
    by_fold = {allowed.casefold(): allowed for allowed in names}
    match = difflib.get_close_matches(name.casefold(), list(by_fold), n=1, cutoff=0.5)
    return by_fold[match[0]] if match else None

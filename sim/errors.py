"""The error that users can cause. Its message says what to correct."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

MAX_ECHOED = 200
"""Maximum number of characters that a message quotes from one value."""
MAX_OWN_TEXT = 400
"""Maximum number of characters of a message itself, which may include names from a file."""


class UserError(Exception):
    """Bad input. The program prints it as one message without a traceback, and exits with status 2.

    The message quotes at most `MAX_ECHOED` characters of a value, however long it is.

    Parameters
    ----------
    message
        What is wrong, in one sentence.
    file, row, field
        Where the mistake is: the path of a file, a row in it (such as a card's name or a line number), a field of the
        row.
    found, allowed
        The value found, and the allowed values. If an allowed name is similar to the value, the message suggests it.
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
        place = [truncate(str(file))] if file is not None else []
        if row is not None:
            place.append(f"row {truncate(str(row))}")
        if field is not None:
            place.append(f"field {truncate(field)}")
        said = truncate(message, MAX_OWN_TEXT)
        text = f"{', '.join(place)}: {said}" if place else said
        if found is not None:
            text += f" (found: {truncate(written(found))})"
        if isinstance(allowed, str):
            text += f"; allowed: {truncate(allowed, MAX_OWN_TEXT)}"
        elif allowed is not None:
            names = [truncate(str(name)) for name in allowed]
            near = nearest(truncate(written(found, str)), names) if found is not None else None
            if near is not None:
                text += f"; did you mean {near!r}?"
            listed = ", ".join(names) or "none"
            text += f" Allowed: {listed}" if near is not None else f"; allowed: {listed}"
        super().__init__(text)

    def _render_traceback_(self) -> list[str]:
        """Return what a notebook shows (IPython calls this method): the message without a traceback."""
        return [f"{type(self).__name__}: {self}"]


class OutageError(UserError):
    """An error that is not the run's fault, such as a lost machine. The games played so far are kept."""


NO_MEMORY = re.compile(
    "memory allocation|cannot allocate memory|failed to map segment|can't start new thread"
    "|resource temporarily unavailable|out of memory|polars binary is missing",
    re.IGNORECASE,
)
"""Error texts of the system and of packages when memory runs out or no further thread can start."""


def lack_of_memory(error: BaseException | None) -> str:
    """Return the message of an error, or of its cause, that reports a lack of memory; otherwise an empty string."""
    while error is not None and not isinstance(error, UserError):
        if isinstance(error, MemoryError) or NO_MEMORY.search(_reason_of(error)):
            return str(error) or type(error).__name__
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return ""


def _reason_of(error: BaseException) -> str:
    """Return the message of an error. A system error's message may name files, so only its reason is returned."""
    if not isinstance(error, OSError):
        return str(error)
    # Subclasses of OSError, such as those for a missing file or a blocking call, never mean a lack of memory.
    return "" if type(error) is not OSError else error.strerror or str(error)


def is_outage(error: BaseException) -> bool:
    """Tell whether an error is not the run's fault: an interrupt, a disk error, a lack of memory, a lost machine."""
    return not isinstance(error, Exception) or isinstance(error, OSError | OutageError) or bool(lack_of_memory(error))


@contextmanager
def described_in(file: Path | None, run: str = "") -> Iterator[None]:
    """Put a file, and the name of a run in it, before the message of a UserError raised in the `with` block.

    If `file` is None, the message stays the same.
    """
    try:
        yield
    except UserError as error:
        if file is not None:
            place = f"{truncate(str(file))}{f', row run {truncate(run)}' if run else ''}"
            error.args = (f"{place}{', ' if str(error).startswith('field ') else ': '}{error}",)
        raise


def check_kind(value: object, kind: type, allowed: str) -> None:
    """Raise UserError unless an argument from Python is of the class `kind`. The error says what is `allowed`."""
    if not isinstance(value, kind):
        raise UserError(f"this is not a {kind.__name__}", found=type(value).__name__, allowed=allowed)


def truncate(text: str, most: int = MAX_ECHOED) -> str:
    """Return a text on one line. The middle of a text longer than `most` characters is left out."""
    if len(text) > most:
        half = (most - 3) // 2
        text = f"{text[:half]}...{text[-half:]}"
    return printable(text, lines=False)


def written(found: object, way: Callable[[object], str] = repr) -> str:
    """Convert a wrong value to text for a message, by the function `way`. If `way` fails, name only the class."""
    try:
        return way(found)
    except (ValueError, RecursionError):
        # An example is a whole number with thousands of digits, or tables nested thousands of levels deep.
        return f"{type(found).__name__} too long to be written out"
    except Exception:  # the `repr` of an object from a strategy file may raise anything
        return f"{type(found).__name__} that cannot be written out"


def what_was_raised(error: BaseException) -> str:
    """Return the class and message of an error that a user's code has raised."""
    said = written(error, str)
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the allowed name that is most similar to `name`; None if none is similar."""
    by_fold = {allowed.casefold(): allowed for allowed in names}
    wanted = name.casefold()
    ending = wanted[wanted.rindex(".") :] if "." in wanted else ""
    if ending and all(one.endswith(ending) for one in by_fold):
        # Ignore a suffix that all names share, because it does not tell which name is meant.
        wanted, by_fold = wanted.removesuffix(ending), {k.removesuffix(ending): v for k, v in by_fold.items()}
    match = difflib.get_close_matches(wanted, list(by_fold), n=1, cutoff=0.5)
    return by_fold[match[0]] if match else None


def close(name: str, near: str, ratio: float = 0.85) -> bool:
    """Tell whether a name is probably a misspelling of another. By default about one letter in seven may differ."""
    return difflib.SequenceMatcher(None, name, near).ratio() > ratio


# ---- Safe text ----


UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0"
    "\ufff9-\ufffb\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
)
"""Characters that a terminal interprets or does not show. They are control characters such as escape, marks of the
writing direction, characters without width, and lone surrogates. No letter of any script is among them."""


def printable(text: str, lines: bool = True) -> str:
    r"""Return a text in which characters that a terminal does not show are escaped as in JSON: `\u001b`.

    A JSON text keeps its meaning. With `lines`, line ends and tabs are kept, which lists of completions need.
    """
    if text.isascii() and text.isprintable():
        return text
    return UNSEEN.sub(lambda found: found[0] if lines and found[0] in "\n\t" else _escaped(found[0]), text)


def _escaped(sign: str) -> str:
    """Escape a character as in JSON."""
    if sign in "\n\r\t":
        return {"\n": r"\n", "\r": r"\r", "\t": r"\t"}[sign]
    units = sign.encode("utf-16-be", "surrogatepass")
    return "".join(rf"\u{units[place : place + 2].hex()}" for place in range(0, len(units), 2))


class Printed:
    """The program's standard output or error, restricted to printable text."""

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream
        """The stream to which rich's consoles write colours.

        The program's own consoles make their text printable themselves (`sim.runs.progress.SafeConsole`).
        """

    def write(self, text: str) -> int:
        """Write a string."""
        return self.rich_proxied_file.write(printable(text))

    def __getattr__(self, name: str) -> Any:
        """Return any other attribute from the underlying stream."""
        return getattr(self.rich_proxied_file, name)


def printed(stream: TextIO) -> Any:
    """Return a stream that writes printable text only. A closed stream is None; for it, return None."""
    return stream if stream is None or isinstance(stream, Printed) else Printed(stream)


def bare(stream: Any) -> Any:
    """Return the stream below a `Printed` one."""
    return stream.rich_proxied_file if isinstance(stream, Printed) else stream

"""What is printed: text from a file reaches a terminal only as signs that can be seen, and moves nothing there."""

from __future__ import annotations

import re
from typing import Any, TextIO

UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0"
    "\ufff9-\ufffb\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
)
"""Signs that a terminal obeys or does not show: controls such as the escape character, marks that turn the direction of
writing, signs without width, halves of a sign. No letter of any script is among them."""


def printable(text: str, lines: bool = True) -> str:
    r"""Return a text with what cannot be seen written as JSON does: `\u001b`.

    Parameters
    ----------
    text
        Any text, JSON too: it then says the same as before.
    lines
        Whether the ends of lines, and tabs, stay: lists of completions have both.
    """
    if text.isascii() and text.isprintable():
        return text
    return UNSEEN.sub(lambda found: found[0] if lines and found[0] in "\n\t" else _escaped(found[0]), text)


def _escaped(sign: str) -> str:
    """Write a sign as JSON does."""
    if sign in "\n\r\t":
        return {"\n": r"\n", "\r": r"\r", "\t": r"\t"}[sign]
    units = sign.encode("utf-16-be", "surrogatepass")
    return "".join(rf"\u{units[place : place + 2].hex()}" for place in range(0, len(units), 2))


class Printed:
    """Standard output or error of the program: whatever is printed there is printable."""

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream
        """What consoles of rich write to, for their colours; those of the program see to their texts themselves
        (`sim.runs.progress.SafeConsole`)."""

    def write(self, text: str) -> int:
        """Write a text."""
        return self.rich_proxied_file.write(printable(text))

    def __getattr__(self, name: str) -> Any:
        """Return whatever else is asked of the stream."""
        return getattr(self.rich_proxied_file, name)


def printed(stream: TextIO) -> Any:
    """Return a stream that writes printable text only; None, as a closed stream is, stays None."""
    return stream if stream is None or isinstance(stream, Printed) else Printed(stream)


def bare(stream: Any) -> Any:
    """Return the stream that a text goes to in the end."""
    return stream.rich_proxied_file if isinstance(stream, Printed) else stream

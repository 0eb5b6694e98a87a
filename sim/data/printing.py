"""Makes printed text safe: escapes control characters and invisible characters that come from files."""

from __future__ import annotations

import re
from typing import Any, TextIO

UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0"
    "\ufff9-\ufffb\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
)
"""Characters that a terminal obeys or does not show: control characters such as escape, marks of the writing direction,
characters without width, lone surrogates. No letter of any script is among them."""


def printable(text: str, lines: bool = True) -> str:
    r"""Return a text with invisible characters escaped as in JSON: `\u001b`.

    Parameters
    ----------
    text
        Any text; JSON keeps its meaning.
    lines
        Whether line ends and tabs stay, as lists of completions need.
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
    """Standard output or error of the program, which prints only printable text."""

    def __init__(self, stream: TextIO) -> None:
        self.rich_proxied_file = stream
        """The stream to which consoles of rich write their colours; those of the program make their texts printable
        themselves (`sim.runs.progress.SafeConsole`)."""

    def write(self, text: str) -> int:
        """Write a text."""
        return self.rich_proxied_file.write(printable(text))

    def __getattr__(self, name: str) -> Any:
        """Return any other attribute of the stream."""
        return getattr(self.rich_proxied_file, name)


def printed(stream: TextIO) -> Any:
    """Return a stream that writes printable text only; for a closed stream, which is None, return None."""
    return stream if stream is None or isinstance(stream, Printed) else Printed(stream)


def bare(stream: Any) -> Any:
    """Return the underlying stream."""
    return stream.rich_proxied_file if isinstance(stream, Printed) else stream

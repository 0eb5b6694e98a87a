"""Pages of messages: wrong input and how it is refused, kept beside the tests of a game as text.

A page begins with a comment. Blank lines separate its entries: lines of wrong input, then the message, indented. To add
one, write the input; `make golden` writes the messages. Read the difference before keeping it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

INDENT = "    "


def check_page(file: Path, message_of: Callable[[list[str]], str]) -> None:
    """Compare the messages of a page with those of now, or write it again."""
    page = file.read_text(encoding="utf-8")
    head, *entries = page.removesuffix("\n").split("\n\n")
    now = [head]
    for entry in entries:
        wrong = [line for line in entry.splitlines() if not line.startswith(INDENT)]
        now.append("\n".join(wrong + [INDENT + line for line in message_of(wrong).splitlines()]))
    told = "\n\n".join(now) + "\n"
    if os.environ.get("EMPIRELAB_GOLDEN") == "write":
        file.write_text(told, encoding="utf-8")
    assert told == file.read_text(encoding="utf-8")

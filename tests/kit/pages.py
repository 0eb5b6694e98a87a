"""Pages of text that are kept beside the tests of a game; `make golden` writes them again. Read the difference first.

A page of messages says how wrong input is refused. It begins with a comment. Blank lines separate its entries: lines of
wrong input, then the message, indented. To add one, write the input.
"""

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
    check_text(file, "\n\n".join(now) + "\n")


def check_text(file: Path, text: str) -> None:
    """Compare a file with its text of now, or write it again."""
    if os.environ.get("EMPIRELAB_GOLDEN") == "write":
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")

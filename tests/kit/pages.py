"""Pages of text that are kept beside the tests of a game; `make golden` writes them again. Read the difference first.

A page of messages says how wrong input is refused. It begins with a comment. Blank lines separate its entries: lines of
wrong input, then the message, indented. To add one, write the input.
"""

import os
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

INDENT = "    "
MIN_ROUNDED = 100
"""Smallest whole number that reports round to two digits."""
NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


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
    kept = file.read_text(encoding="utf-8")
    if not same_but_for_rounding(text, kept):
        assert text == kept


def same_but_for_rounding(text: str, kept: str) -> bool:
    """Compare two texts whose numbers may differ in the last digit, because processors round sums differently."""
    numbers, known = NUMBER.findall(text), NUMBER.findall(kept)
    return NUMBER.sub("", text) == NUMBER.sub("", kept) and all(map(nearly_same, numbers, known))


def nearly_same(number: str, kept: str) -> bool:
    """Tell whether two numbers are the same, or differ by one in the last digit of a decimal or rounded number."""
    if number == kept:
        return True
    now, then = (Decimal(each.replace(",", "")) for each in (number, kept))
    if "." in number and "." in kept:
        unit = max(now.as_tuple().exponent, then.as_tuple().exponent, key=int)
        return abs(now - then) <= Decimal(1).scaleb(int(unit))
    rounded = number.endswith("0") and kept.endswith("0") and min(now, then) >= MIN_ROUNDED
    return rounded and abs(now - then) <= max(now, then) / 10

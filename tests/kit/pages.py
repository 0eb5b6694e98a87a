"""Pages of text that are kept beside tests; `make golden` writes them again. Read the difference first."""

from __future__ import annotations

import os
from pathlib import Path


def check_text(file: Path, text: str) -> None:
    """Compare a file with its text of now, or write it again."""
    if os.environ.get("EMPIRELAB_GOLDEN") == "write":
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")

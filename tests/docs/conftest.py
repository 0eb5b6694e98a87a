"""The scripts in `docs`, for the tests of the pages that they write."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Import a script in `docs` by its name; it can import those beside it."""
    monkeypatch.syspath_prepend(str(DOCS))
    return import_module

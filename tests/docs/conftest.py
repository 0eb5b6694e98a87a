"""The scripts of the documentation, which the tests of its pages run."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Import a script of the documentation by its name; it finds those beside it."""
    monkeypatch.syspath_prepend(str(DOCS))
    return import_module

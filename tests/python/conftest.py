"""One small run for the tests of what `import empirelab` gives."""

from pathlib import Path

import pytest

import empirelab


@pytest.fixture(scope="session")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which `runs/first` holds 400 games."""
    folder = tmp_path_factory.mktemp("work")
    out = folder / "runs" / "first"
    empirelab.simulate("seven_wonders", games=400, strategies="balanced,military", out=out, jobs=1, progress=False)
    return folder


@pytest.fixture(scope="session")
def run(workplace: Path) -> empirelab.Run:
    """That run, opened."""
    return empirelab.open(workplace / "runs" / "first")

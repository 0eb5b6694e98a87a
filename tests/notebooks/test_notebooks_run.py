"""The notebooks run, and those that are kept show what they would show anywhere."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
GAMES = 200
LONGEST = ROOT / "notebooks" / "from_verdict_to_change.ipynb"
"""The one that calls most."""
MORE_GAMES = {"history_of_the_world": 1_000}
"""Games of a notebook whose studies refuse fewer."""
MOST_BYTES = 1_500_000
MACHINE = r"(?<![\w.])/(home|root|tmp|Users|var|usr|private|work)/|[A-Z]:\\\\|0x[0-9a-f]{8,}"


def read(path: Path) -> dict[str, Any]:
    """Content of a notebook."""
    content: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return content


def code_cells(path: Path) -> list[dict[str, Any]]:
    """Cells of a notebook that are executed."""
    return [cell for cell in read(path)["cells"] if cell["cell_type"] == "code"]


def text_of(output: dict[str, Any]) -> str:
    """What an output says, without its pictures."""
    said = "".join(output.get("text", ""))
    data = output.get("data", {})
    return said + "".join("".join(data.get(kind, "")) for kind in ("text/plain", "text/html"))


def test_there_are_three_studies_and_a_notebook_of_each_further_game() -> None:
    studies = {"from_verdict_to_change", "comparing_strategies", "your_own_strategy"}
    games = {path.parent.name for path in (ROOT / "sim" / "games").glob("*/game.py")}
    assert {path.stem for path in NOTEBOOKS} == studies | games - {"seven_wonders"}


@pytest.mark.slow
@pytest.mark.usefixtures("compiled_only", "without_figures")
def test_the_code_of_the_longest_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(plt, "show", lambda: plt.close("all"))
    names: dict[str, Any] = {}
    for cell in code_cells(LONGEST):
        exec(re.sub(r"^GAMES = .*", f"GAMES = {GAMES // 2}", "".join(cell["source"])), names)
    assert names["GAMES"] == GAMES // 2


@pytest.mark.sweep
@pytest.mark.usefixtures("compiled_only")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_cell_runs_on_a_small_size(path: Path, tmp_path: Path) -> None:
    games = MORE_GAMES.get(path.stem, GAMES)
    script = [sys.executable, str(ROOT / "notebooks" / "execute.py"), "--games", str(games), "--out", str(tmp_path)]
    # A process of its own: the packages that talk to a kernel warn when they are imported.
    environment = os.environ | {"PYTHONWARNINGS": "default"}
    done = subprocess.run([*script, str(path)], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    small = code_cells(tmp_path / path.name)
    assert f"GAMES = {games}" in "".join(small[0]["source"])
    kept = code_cells(path)
    assert [cell["source"] for cell in small[1:]] == [cell["source"] for cell in kept[1:]]
    assert [bool(cell["outputs"]) for cell in small] == [bool(cell["outputs"]) for cell in kept]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_kept_notebook_is_executed_from_top_to_bottom_without_errors(path: Path) -> None:
    cells = code_cells(path)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert outputs
    assert [output for output in outputs if output["output_type"] == "error"] == []
    assert [output["text"] for output in outputs if output.get("name") == "stderr"] == []
    assert [
        output for output in outputs if output["output_type"] != "stream" and not output["data"]["text/plain"]
    ] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_kept_notebook_says_nothing_of_the_machine_it_ran_on(path: Path) -> None:
    content = read(path)
    assert content["metadata"] == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    outputs = [output for cell in code_cells(path) for output in cell["outputs"]]
    assert [found for output in outputs if (found := re.search(MACHINE, text_of(output)))] == []
    assert path.stat().st_size < MOST_BYTES


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_first_cell_holds_the_size_and_prose_no_figures_that_could_go_stale(path: Path) -> None:
    first, *others = code_cells(path)
    assert first["metadata"] == {"tags": ["parameters"]}
    assert re.fullmatch(r"GAMES = [\d_]+", "".join(first["source"]))
    assert all(cell["metadata"] == {} for cell in others)
    prose = "\n".join("".join(cell["source"]) for cell in read(path)["cells"] if cell["cell_type"] == "markdown")
    assert re.search(r"\d\s?%|\d\.\d", prose) is None

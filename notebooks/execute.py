"""Executes the notebooks, in place at full size or as small copies elsewhere.

python notebooks/execute.py                          # what `make notebooks` does
python notebooks/execute.py --games 400 --out small  # a quick look whether every cell runs
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent
SECONDS_FOR_A_CELL = 600
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def main() -> None:
    """Read the command line and execute the notebooks one after the other."""
    parser = argparse.ArgumentParser(description="Execute the notebooks.")
    parser.add_argument("--games", type=int, help="games, instead of what each notebook's first cell says")
    parser.add_argument("--out", type=Path, default=HERE, help="folder for the executed notebooks")
    parser.add_argument("notebooks", nargs="*", type=Path, help="files to execute; all by default")
    asked = parser.parse_args()
    # The kernel is to use this checkout, whatever folder it works in.
    os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE.parent), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    asked.out.mkdir(parents=True, exist_ok=True)
    for path in asked.notebooks or sorted(HERE.glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        if asked.games is not None:
            make_small(notebook, asked.games)
        execute(notebook)
        nbformat.write(notebook, asked.out / path.name)
        print(f"executed: {path.name}")


def make_small(notebook: Any, games: int) -> None:
    """Set the number of games in the cell that is tagged "parameters"."""
    cell = next(cell for cell in notebook.cells if "parameters" in cell.metadata.get("tags", []))
    cell.source, changed = re.subn(r"(?m)^GAMES = [\d_]+", f"GAMES = {games}", cell.source)
    if changed != 1:
        raise SystemExit("the cell tagged 'parameters' does not set GAMES once")


def execute(notebook: Any) -> None:
    """Execute a notebook in a temporary folder and take out of it what differs between machines."""
    with tempfile.TemporaryDirectory(prefix="empirelab-") as folder:
        client = NotebookClient(
            notebook,
            timeout=SECONDS_FOR_A_CELL,
            kernel_name="python3",
            record_timing=False,
            resources={"metadata": {"path": folder}},
        )
        client.execute()
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        tags = cell.metadata.get("tags")
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        for output in cell.get("outputs", []):
            output.pop("transient", None)


if __name__ == "__main__":
    main()

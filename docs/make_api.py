"""Writes docs/api/, the reference of all modules, from their docstrings: what `make api` does.

python docs/make_api.py                  # into docs/api/
python docs/make_api.py --out elsewhere
"""

from __future__ import annotations

import argparse
import os
import pkgutil
import sys
import warnings
from importlib import import_module
from pathlib import Path

# Compiled kernels are no functions to Python: uncompiled they are documented with their arguments.
os.environ["NUMBA_DISABLE_JIT"] = "1"

import pdoc
import pdoc.render

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PACKAGES = ("sim", "strategies", "reports")
DOOR = "empirelab"
"""The module that a user imports."""


def show_whole(package: str) -> None:
    """Let pdoc see what a package or module imports only when asked for, and the modules of a package."""
    module = import_module(package)
    names = list(getattr(module, "__all__", []))
    for name in names:
        setattr(module, name, getattr(module, name))
    if names and hasattr(module, "__path__"):
        module.__all__ = [*names, *(found.name for found in pkgutil.iter_modules(module.__path__))]


def make_api(out: Path) -> int:
    """Write the pages; return how many there are. Raise Warning if a module or docstring cannot be read."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # pdoc looks for the types of an inherited constructor in the module of the subclass, which may not import them.
        warnings.filterwarnings("ignore", r"Error parsing type annotation .*\.__init__\. Import of .* failed")
        for package in (*PACKAGES, DOOR):
            show_whole(package)
        pdoc.render.configure(docformat="numpy", footer_text="empirelab", show_source=False)
        pdoc.pdoc(*(ROOT / package for package in PACKAGES), ROOT / f"{DOOR}.py", output_directory=out)
    return len(list(out.rglob("*.html")))


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Write the reference of all modules.")
    parser.add_argument("--out", type=Path, default=HERE / "api", help="folder for the pages")
    asked = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    print(f"{make_api(asked.out)} pages in {asked.out}")


if __name__ == "__main__":
    main()

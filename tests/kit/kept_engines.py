"""Whether the engines are in the kernel cache: apart from what compiles them, which imports all games and reports."""

from pathlib import Path

from sim.compiler.cache import build_name, cache_home
from sim.compiler.source_digest import FOLDERS, source_digest


def kept_engines() -> Path:
    """Return the folder that stands in the cache once the engines of this code are compiled."""
    files = [path for folder in FOLDERS for path in folder.rglob("*.py")]
    return cache_home() / build_name() / f"engines-{source_digest(files)[:16]}"

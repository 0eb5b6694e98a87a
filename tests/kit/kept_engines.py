"""Whether the engines are in the kernel cache: apart from what compiles them, which imports all games and reports."""

from pathlib import Path

from sim.compiler.cache import build_name, cache_home
from sim.compiler.source_digest import FOLDERS, ROOT, source_digest

KERNEL_FOLDERS = {"rules", "engine", "compiler", "strategies"}


def has_kernels(path: Path) -> bool:
    """Tell whether kernels are made of a file: not of tests, pages of reports or messages, whose edits compile nothing.

    A file that is missed costs time only: workers compile its kernels when they need them.
    """
    within = path.relative_to(ROOT).parts
    return within[0] != "tests" and (bool(KERNEL_FOLDERS & set(within)) or b"@kernel" in path.read_bytes())


def kept_engines() -> Path:
    """Return the folder that stands in the cache once the engines of this code are compiled."""
    files = [path for folder in FOLDERS for path in folder.rglob("*.py") if has_kernels(path)]
    return cache_home() / build_name() / f"engines-{source_digest(files)[:16]}"

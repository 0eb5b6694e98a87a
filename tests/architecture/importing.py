"""Who imports whom: read from the sources, imports inside functions included, without importing anything."""

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("sim", "strategies", "reports")
GAMES = sorted(path.parent.name for path in (ROOT / "sim" / "games").glob("*/game.py"))
"""Games of the project."""


def sources(package: str) -> Iterator[Path]:
    """Every file of code of a package."""
    return iter(sorted((ROOT / package).rglob("*.py")))


def module_of(path: Path) -> str:
    """Dotted name of a file: `reports/data/load.py` as `reports.data.load`."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def project_files() -> tuple[Path, ...]:
    """Every file of code of the project."""
    return (ROOT / "empirelab.py", *(path for package in PACKAGES for path in sources(package)))


def texts_with(words: Iterable[str]) -> Iterator[tuple[Path, str]]:
    """Files of code in which one of these words stands: to parse the others as well would take seconds."""
    texts = ((path, path.read_text("utf-8")) for path in project_files())
    return ((path, text) for path, text in texts if any(word in text for word in words))


@cache
def project_modules() -> frozenset[str]:
    """Every module of the project."""
    return frozenset(map(module_of, project_files()))


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Every statement in a source, in whatever block of another it stands."""
    for block in ("body", "orelse", "handlers", "finalbody", "cases"):
        for inner in getattr(node, block, ()):
            yield inner
            yield from statements(inner)


def imported(text: str, modules: frozenset[str]) -> set[str]:
    """Those of `modules` that a source imports anywhere: at its top, inside a function, or for type checkers only.

    `from reports.data import moments` imports the module, `from reports.data.moments import SUMS` too.
    """
    found: set[str] = set()
    for node in statements(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports are not followed"
            home = str(node.module)
            found |= {f"{home}.{name.name}" if f"{home}.{name.name}" in modules else home for name in node.names}
        elif isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
    return found & modules


@cache
def imports() -> dict[str, frozenset[str]]:
    """What every module of the project imports of the project."""
    modules = project_modules()
    texts = {module_of(path): path.read_text("utf-8") for path in project_files()}
    return {module: frozenset(imported(text, modules) - {module}) for module, text in texts.items()}


def circles(graph: dict[str, frozenset[str]]) -> list[set[str]]:
    """Sets of modules that import each other, by way of others too."""
    reach = {module: set(names) for module, names in graph.items()}
    grown = True
    while grown:
        grown = False
        for names in reach.values():
            more = set().union(*(reach[name] for name in names)) - names
            names.update(more)
            grown = grown or bool(more)
    groups = {
        frozenset(other for other in reach[module] if module in reach[other])
        for module in reach
        if module in reach[module]
    }
    return [set(group) for group in groups]

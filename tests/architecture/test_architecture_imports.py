"""Each arrow between the rooms of the house goes one way."""

import re

import pytest

from sim.engine import api
from tests.architecture.importing import GAMES, ROOT, circles, imported, imports, project_modules

WORDING = {"reports.formatting", "reports.drawing", "reports.claims", "reports.model"}
"""What every room of the reports may use: wording, how figures look, and what reports are made of."""
ROOMS = {
    "data": set(),
    "statistics": {"data"},
    "sections": {"data", "statistics"},
    "studies": {"data", "statistics", "sections"},
    "render": {"sections"},
}
"""Rooms of the reports, and the rooms that each may use beside itself."""


def room_of(module: str) -> str:
    """Room of a module of the reports: 'statistics'; its own name where it stands in none."""
    return module.split(".")[1] if module.count(".") else ""


@pytest.mark.parametrize(("room", "used"), ROOMS.items())
def test_a_room_of_the_reports_uses_only_rooms_below_it(room: str, used: set[str]) -> None:
    inside = {module: names for module, names in imports().items() if module.startswith(f"reports.{room}.")}
    assert inside, f"reports/{room} holds no code"
    allowed = {room, *used}
    astray = {
        (module, name)
        for module, names in inside.items()
        for name in names
        if name.startswith("reports") and name not in WORDING and room_of(name) not in allowed
    }
    assert not astray


def test_every_folder_of_the_reports_is_a_room_with_a_rule() -> None:
    inside = [module.split(".") for module in project_modules() if module.startswith("reports.")]
    assert {parts[1] for parts in inside if len(parts) > 2} == set(ROOMS)


def test_what_reports_are_made_of_knows_neither_rooms_nor_pages() -> None:
    order = ["reports.formatting", "reports.drawing", "reports.claims", "reports.model"]
    for module in order:
        used = {name for name in imports()[module] if name.startswith("reports")}
        assert used <= set(order[: order.index(module)]), module


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert not circles(imports())


@pytest.mark.parametrize(
    ("users", "but", "unknown"),
    [
        ("reports.data", "", "reports.drawing"),
        ("reports.statistics", "", "reports.drawing"),
        ("sim", "sim.commands.", "reports"),
        ("strategies", "", "reports"),
        ("sim", "sim.commands.", "strategies"),
    ],
)
def test_what_is_below_knows_nothing_of_what_is_above(users: str, but: str, unknown: str) -> None:
    below = {
        module: names
        for module, names in imports().items()
        if module.startswith(users) and not (but and module.startswith(but))
    }
    assert below
    assert not {(module, name) for module, names in below.items() for name in names if name.startswith(unknown)}


def test_what_users_import_uses_the_packages_and_none_of_them_uses_it() -> None:
    assert {module.split(".")[0] for module in imports()["empirelab"]} == {"reports", "sim"}
    assert not [module for module, names in imports().items() if "empirelab" in names]


def test_the_examples_import_of_sim_only_what_is_there_for_authors_and_the_rules_of_games() -> None:
    texts = {path: path.read_text("utf-8") for path in sorted((ROOT / "docs" / "examples").rglob("*.py"))}
    used = {(path.name, name) for path, text in texts.items() for name in imported(text, project_modules())}
    assert ("turns.py", "sim.engine.api") in used
    assert not {
        (file, name)
        for file, name in used
        if name.startswith("sim") and name != "sim.engine.api" and not re.match(r"sim\.games\.\w+\.rules\.", name)
    }


def test_what_is_there_for_authors_is_all_named() -> None:
    names = {name for name in vars(api) if not name.startswith("_")}
    assert set(api.__all__) == names


def test_a_circle_by_way_of_a_third_module_is_found() -> None:
    graph = {"a": frozenset({"b"}), "b": frozenset({"c"}), "c": frozenset({"a"}), "d": frozenset({"a"})}
    assert circles(graph) == [{"a", "b", "c"}]


def test_imports_inside_functions_and_of_modules_from_packages_are_found() -> None:
    text = (
        "from reports.data import moments\n\ndef f():\n    from reports.formatting import count\n    import sim.cli\n"
    )
    modules = frozenset({"reports.data", "reports.data.moments", "reports.formatting", "sim.cli"})
    assert imported(text, modules) == {"reports.data.moments", "reports.formatting", "sim.cli"}


FLOORS = (
    {"errors", "data"}, {"compiler", "league"}, {"engine", "game"}, {"games"}, {"players"}, {"runs"}, {"diagnostics"},
    {"commands"}, {"cli"},
)  # fmt: skip
"""Rooms of `sim` from the ground up: a module imports from its own room and from floors below it."""
ROOMS_OF_A_GAME = {
    "about": {"rules"},
    "rules": {"rules"},
    "data": {"rules", "data", "io"},
    "io": {"rules", "data", "io"},
}
"""Rooms of a game, and those rooms of the same game that each may import; `game.py` imports all."""


def floor_of(module: str) -> int:
    """Return the floor on which a module of `sim` stands."""
    room = module.split(".")[1]
    return next(number for number, rooms in enumerate(FLOORS) if room in rooms)


def modules_of(package: str) -> dict[str, set[str]]:
    """Return the modules of a package below its top, each with what it imports of the same package."""
    inside = {module: names for module, names in imports().items() if module.startswith(f"{package}.")}
    return {module: {name for name in names if name.startswith(f"{package}.")} for module, names in inside.items()}


def test_a_room_of_sim_imports_only_from_floors_below_it() -> None:
    inside = modules_of("sim")
    assert {module.split(".")[1] for module in inside} == set().union(*FLOORS)
    assert not {
        (module, name) for module, names in inside.items() for name in names if floor_of(name) > floor_of(module)
    }


@pytest.mark.parametrize("game", GAMES)
def test_a_room_of_a_game_imports_only_rooms_it_may(game: str) -> None:
    home = f"sim.games.{game}."
    inside = {
        module: {name.removeprefix(home).split(".")[0] for name in names if name.startswith(home)}
        for module, names in imports().items()
        if module.startswith(home) and module != f"{home}game"
    }
    assert f"{home}rules.turns" in inside
    for module, used in inside.items():
        assert used <= ROOMS_OF_A_GAME[module.removeprefix(home).split(".")[0]], module


@pytest.mark.parametrize("game", GAMES)
def test_kernels_import_only_rules_of_their_game_the_engine_and_the_compiler(game: str) -> None:
    rules = f"sim.games.{game}.rules"
    below = (rules, "sim.engine", "sim.compiler")
    kernels = {module: names for module, names in imports().items() if module.startswith(rules)}
    astray = {(kernel, name) for kernel, names in kernels.items() for name in names if not name.startswith(below)}
    assert not astray - {(kernel, f"sim.games.{game}") for kernel in kernels}

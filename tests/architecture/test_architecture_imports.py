"""Each arrow between the rooms of the house goes one way."""

from __future__ import annotations

import pytest

from tests.architecture.importing import GAMES, PACKAGES, ROOT, circles, imported, imports, project_modules, sources

WORDING = {"reports.words", "reports.drawing", "reports.claims", "reports.shapes"}
"""What every room of the reports may use: wording, how figures look, and what reports are made of."""
ROOMS = {
    "data": set(),
    "statistics": {"data"},
    "sections": {"data", "statistics"},
    "studies": {"data", "statistics", "sections"},
    "show": {"sections"},
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
    order = ["reports.words", "reports.drawing", "reports.claims", "reports.shapes"]
    for module in order:
        used = {name for name in imports()[module] if name.startswith("reports")}
        assert used <= set(order[: order.index(module)]), module


@pytest.mark.parametrize("room", ["data", "statistics"])
def test_what_counts_and_measures_draws_nothing(room: str) -> None:
    drawing = [module for module, names in imports().items() if "reports.drawing" in names]
    assert not [module for module in drawing if module.startswith(f"reports.{room}.")]


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert not circles(imports())


def test_nothing_but_the_commands_uses_reports() -> None:
    astray = {
        (module, name)
        for module, names in imports().items()
        for name in names
        if name.startswith("reports") and not module.startswith(("reports", "sim.commands."))
    }
    assert not astray


def test_what_users_import_uses_the_packages_and_none_of_them_uses_it() -> None:
    door = imported((ROOT / "empirelab.py").read_text("utf-8"), project_modules())
    assert {module.split(".")[0] for module in door} == {"reports", "sim"}
    texts = [path.read_text("utf-8") for package in PACKAGES for path in sources(package)]
    assert not [text for text in texts if "empirelab" in imported(text, frozenset({"empirelab"}))]


def test_the_engine_knows_no_player() -> None:
    astray = {
        (module, name)
        for module, names in imports().items()
        for name in names
        if name.startswith("strategies") and module.startswith("sim") and not module.startswith("sim.commands.")
    }
    assert not astray


def test_a_circle_by_way_of_a_third_module_is_found() -> None:
    graph = {"a": frozenset({"b"}), "b": frozenset({"c"}), "c": frozenset({"a"}), "d": frozenset({"a"})}
    assert circles(graph) == [{"a", "b", "c"}]


def test_imports_inside_functions_and_of_modules_from_packages_are_found() -> None:
    text = "from reports.data import moments\n\ndef f():\n    from reports.words import count\n    import sim.jit\n"
    modules = frozenset({"reports.data", "reports.data.moments", "reports.words", "sim.jit"})
    assert imported(text, modules) == {"reports.data.moments", "reports.words", "sim.jit"}


PYTHON_FILES = {
    "answers", "arguments", "cards", "catalog", "checks", "compile", "decks", "fighting", "game", "given", "inline",
    "inspected", "language", "layout", "move_making", "moves", "naming", "odds", "payments", "positions", "queries",
    "reasons", "recorded", "recorded_play", "records", "rows", "standing", "tallies", "told", "turn_moves", "view",
}  # fmt: skip
"""Files of a game that only Python needs; all others of its folder hold kernels and what kernels are told."""
PYTHON_ROOMS = (
    "sim.batch", "sim.bench", "sim.checking", "sim.cli", "sim.commands.", "sim.compiling", "sim.data.", "sim.game",
    "sim.environment", "sim.guard", "sim.marks", "sim.python_players", "sim.replay", "sim.runs.", "sim.soak",
    "sim.watching",
)  # fmt: skip
"""Modules of the engine that only Python needs."""


@pytest.mark.parametrize("game", GAMES)
def test_kernels_of_a_game_use_nothing_that_only_python_needs(game: str) -> None:
    home = f"sim.games.{game}."

    def only_for_python(module: str) -> bool:
        own = module.startswith(home) and module.removeprefix(home).split(".")[0] in PYTHON_FILES
        return own or (module.startswith(PYTHON_ROOMS) and not module.startswith("sim.games."))

    kernels = {module for module in imports() if module.startswith(home) and not only_for_python(module)}
    assert f"{home}turns" in kernels
    assert not {(kernel, name) for kernel in kernels for name in imports()[kernel] if only_for_python(name)}

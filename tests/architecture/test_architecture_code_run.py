"""Code is run in few places, and each of them is known."""

import ast
from collections.abc import Iterator

from tests.architecture.importing import ROOT, statements, texts_with

RUNS_CODE = {
    "__import__", "compile", "eval", "exec", "exec_module", "find_loader", "import_module", "load", "load_module",
    "loads", "run_module", "run_path", "spec_from_file_location", "spec_from_loader", "deserialize", "Unpickler",
}  # fmt: skip
"""Functions that run what they are given, or unpack objects; `load` and `loads` only where the module can unpickle."""
UNPICKLES = {"pickle", "cPickle", "_pickle", "cloudpickle", "dill", "joblib", "marshal", "numpy", "np", "serialize"}
KNOWN = {
    # A strategy file that the user has named: the function checks that.
    ("sim/players/find_strategies.py", "_import_file", "spec_from_file_location"),
    ("sim/players/find_strategies.py", "_import_file", "compile"),
    ("sim/players/find_strategies.py", "_import_file", "exec"),
    # A game's file that the user has named; a run folder names none.
    ("sim/games/plain/source_files.py", "import_file", "spec_from_file_location"),
    ("sim/games/plain/source_files.py", "import_file", "compile"),
    ("sim/games/plain/source_files.py", "import_file", "exec"),
    # States of games that this command has just played; they are never read from a file.
    ("sim/players/option_values.py", "plain_scores_again", "loads"),
    # Compiled code of this user's cache, once its digest and the owner of its folder are checked.
    ("sim/compiler/cache.py", "load", "loads"),
    # Modules of the project, by names that stand in its code.
    ("reports/__init__.py", "__getattr__", "import_module"),
    ("sim/__init__.py", "__getattr__", "import_module"),
    ("sim/cli.py", "function_of", "import_module"),
    ("sim/commands/positions.py", "tool_of", "import_module"),
    ("sim/runs/pettingzoo_env.py", "environment", "import_module"),
    ("sim/data/declarations.py", "variants_of", "import_module"),
    ("sim/game.py", "load_game", "import_module"),
    # A compiled game that the user has named by its folder, or installed.
    ("sim/game.py", "declared_in", "import_module"),
    ("sim/game.py", "name_game", "import_module"),
    ("sim/game.py", "is_known", "import_module"),
    ("sim/compiler/linking.py", "_register_again", "import_module"),
    ("sim/players/python_players.py", "options_of", "import_module"),
    ("sim/players/restriction.py", "__init__", "import_module"),
    ("sim/players/python_players.py", "view_of", "import_module"),
    ("sim/players/find_strategies.py", "scripts_of", "import_module"),
    ("sim/runs/progress.py", "show", "import_module"),
    ("sim/diagnostics/invariant_watch.py", "_watching_pointer", "import_module"),
    ("sim/diagnostics/invariant_watch.py", "laws_of", "import_module"),
    # Texts of the project's own: annotations, and a call of a kernel.
    ("sim/data/arguments.py", "annotations_of", "eval"),
    ("sim/compiler/linking.py", "calling", "exec"),
    # What this process has packed itself.
    ("sim/data/catalog.py", "_parsed", "loads"),
    ("sim/data/catalog.py", "_validated", "loads"),
}
"""File, function and call of every place that may run code or unpack objects."""


def places(tree: ast.AST, file: str) -> Iterator[tuple[str, str, str]]:
    """Places of a source that run code: the file, the innermost function around each, and what is called."""

    def walk(node: ast.AST, function: str) -> Iterator[tuple[str, str, str]]:
        for inner in ast.iter_child_nodes(node):
            if isinstance(inner, ast.Call) and not packs_no_objects(inner) and (name := called(inner.func)):
                yield file, function, name
            own = inner.name if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef) else function
            yield from walk(inner, own)

    return walk(tree, "")


def packs_no_objects(call: ast.Call) -> bool:
    """Whether a call says itself that it unpacks arrays only."""
    return any(word.arg == "allow_pickle" and ast.unparse(word.value) == "False" for word in call.keywords)


def called(function: ast.expr) -> str:
    """Name of a function that runs code; nothing for any other."""
    if isinstance(function, ast.Name):
        return function.id if function.id in RUNS_CODE - {"load", "loads"} else ""
    if not isinstance(function, ast.Attribute) or function.attr not in RUNS_CODE:
        return ""
    owner = ast.unparse(function.value)
    if function.attr in ("load", "loads"):
        return function.attr if owner.split(".")[-1] in UNPICKLES else ""
    # `re.compile` and the compilers of kernels make no code of a text.
    return "" if function.attr == "compile" else function.attr


def test_every_place_that_runs_code_or_unpacks_objects_is_known_and_nothing_is_imported_under_another_name() -> None:
    words = RUNS_CODE | UNPICKLES | {"from numpy import"}
    words -= {"load", "loads", "compile", "numpy", "np"}
    trees = {
        file.relative_to(ROOT).as_posix(): ast.parse(text)
        for file, text in texts_with(words | {"load(", "loads(", "compile("})
    }
    assert {place for file, tree in trees.items() for place in places(tree, file)} == KNOWN
    assert not [f"{file}: {name}" for file, tree in trees.items() for name in renamed(tree)]


def renamed(tree: ast.AST) -> Iterator[str]:
    """Names that an import gives to a function that runs code, or to a module that unpickles, in place of its own."""
    for node in statements(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            home = (getattr(node, "module", None) or "").split(".")[-1]
            for name in node.names:
                own = name.name.split(".")[-1]
                unpickles = own in UNPICKLES - {"numpy"} or (home in UNPICKLES and own in ("load", "loads"))
                if (own in RUNS_CODE - {"load", "loads", "compile"} and name.asname) or (
                    unpickles and (name.asname or own in ("load", "loads"))
                ):
                    yield f"{name.name} as {name.asname}" if name.asname else f"{home}.{own}"


def modules_run(text: str) -> list[int]:
    """Lines of a source that run a module as a program, which puts the current folder on the import path without -P."""
    lists = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.List | ast.Tuple)]
    words = [(node.lineno, [each.value for each in node.elts if isinstance(each, ast.Constant)]) for node in lists]
    return [line for line, named in words if "-m" in named and "-P" not in named[: named.index("-m")]]


def test_no_process_is_started_that_imports_files_of_the_current_folder() -> None:
    assert not [(file.name, line) for file, text in texts_with(['"-m"']) for line in modules_run(text)]
    assert modules_run('run([python, "-m", "sim.cli"])\nrun([python, "-P", "-m", "sim.cli"])\n') == [1]


def test_a_new_place_is_found() -> None:
    text = "def f(path):\n    def g():\n        return pickle.loads(path)\n    exec(path)\n    json.loads(path)\n"
    assert set(places(ast.parse(text), "a.py")) == {("a.py", "g", "loads"), ("a.py", "f", "exec")}

"""Whatever is handed to a public function of the wrong kind, or under a wrong name, is one message."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import empirelab
import reports
from sim.data.arguments import annotations_of, checks_arguments, fits_annotation

FUNCTIONS = {name: getattr(empirelab, name) for name in empirelab.__all__}
FUNCTIONS |= {f"reports.{name}": getattr(reports, name) for name in reports.__all__}
FUNCTIONS = {name: one for name, one in FUNCTIONS.items() if inspect.isfunction(one)}
METHODS = {name: one for name, one in vars(empirelab.Run).items() if inspect.isfunction(one) and name[0] != "_"}
LEAST: dict[str, dict[str, object]] = {
    "simulate": {"game": "seven_wonders", "games": 1},
    "sweep": {"game": "seven_wonders", "vary": {"wonders.toml#Rhodos B.coins_start": [1]}, "games": 1},
    "train": {"game": "seven_wonders", "out": "mine.toml"},
    "tune_strategy": {"game": "seven_wonders", "strategy": "military"},
    "fair_value": {"game": "seven_wonders", "faction": "Rhodos B", "knob": "coins_start", "games": 1},
    "equilibria": {"game": "seven_wonders", "games": 1},
    "drama": {"game": "seven_wonders", "games": 1},
    "ways": {"run": "runs/none"},
    "restricted": {"game": "seven_wonders", "forbid": "build", "games": 1},
    "plan": {"game": "seven_wonders"},
    "calibrate": {"game": "seven_wonders", "games": 1},
    "rebalance": {"game": "seven_wonders", "games": 1},
    "strategies": {"game": "seven_wonders"},
    "ladder": {"game": "seven_wonders", "games": 1},
    "explain": {"run": "runs/none"},
    "price": {"run": "runs/none"},
    "predict": {"run": "runs/none"},
    "validate": {"runs": "runs/none", "league": "runs/none"},
    "write_html": {"path": "page.html"},
}
"""Arguments without which a function cannot be called, where they are not all of one's own."""


class Odd:
    """Nothing that any function takes."""


def asked_parameters(function: Callable[..., Any]) -> list[str]:
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    taken = inspect.signature(function).parameters.values()
    return [one.name for one in taken if one.kind not in several and one.name != "self"]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_of_every_public_function_refuses_what_is_of_another_kind(name: str) -> None:
    function = FUNCTIONS[name]
    for parameter in asked_parameters(function):
        asked = {**LEAST.get(name.removeprefix("reports."), {}), parameter: Odd()}
        with pytest.raises(empirelab.UserError, match=f"field {parameter}: |this is no|missing a required argument"):
            function(**asked)


@pytest.mark.parametrize("name", METHODS)
def test_every_parameter_of_a_run_refuses_what_is_of_another_kind(name: str, run: empirelab.Run) -> None:
    function = METHODS[name]
    for parameter in asked_parameters(function):
        least = {"other": run, "faction": "Rhodos B", "path": "kept"} if name in ("compare", "explain", "save") else {}
        least = {one: value for one, value in least.items() if one in asked_parameters(function)}
        with pytest.raises(empirelab.UserError, match=f"field {parameter}: |this is not a Run"):
            function(run, **{**least, parameter: Odd()})


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_argument_that_there_is_not_is_named(name: str) -> None:
    with pytest.raises(empirelab.UserError, match="nonsens"):
        FUNCTIONS[name](**LEAST.get(name.removeprefix("reports."), {}), nonsens=1)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"changes": 3}, "simulate: this argument has the wrong type .found: 3.; allowed: text or a list of text"),
        ({"tags": 3}, "field tags: simulate: .*allowed: text or a list of text"),
        ({"note": 3}, "field note: simulate: .*allowed: text"),
        ({"games": "many"}, "field games: simulate: .*allowed: a whole number"),
        ({"until_width": 1.0}, "simulate has no argument of this name .found: 'until_width'.; allowed: game, games"),
    ],
)
def test_simulate_says_which_kind_it_takes(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(empirelab.UserError, match=said):
        empirelab.simulate("seven_wonders", **asked)


def test_a_text_is_not_taken_for_a_list_of_letters() -> None:
    vary = {"wonders.toml#Rhodos B.coins_start": [1, 2]}
    with pytest.raises(empirelab.UserError, match=r"field watch: .*allowed: a list of text"):
        empirelab.sweep("seven_wonders", vary, watch="Rhodos B")
    for name in ("pool", "weights"):
        with pytest.raises(empirelab.UserError, match=f"field {name}: .*allowed: a list of text or None"):
            empirelab.tune_strategy("seven_wonders", "military", **{name: "balanced"})  # type: ignore[arg-type]


def test_what_is_missing_or_given_twice_is_said() -> None:
    with pytest.raises(empirelab.UserError, match="missing a required argument: 'game'"):
        empirelab.simulate()  # type: ignore[call-arg]
    with pytest.raises(empirelab.UserError, match="multiple values for argument 'game'"):
        empirelab.simulate("seven_wonders", game="imperium")  # type: ignore[misc]


def test_margins_that_are_no_numbers_are_refused(run: empirelab.Run) -> None:
    with pytest.raises(empirelab.UserError, match=r"field margin: report: .*allowed: a number"):
        run.report(margin="x")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (3, float),
        (pl.Series(["a"]), list[str]),
        (range(3), list[int]),
        (Path("a"), str | Path | None),
        (None, str | None),
        ({"a": 1}, dict[str, int]),
    ],
)
def test_what_stands_for_a_kind_as_well_is_taken(value: object, kind: Any) -> None:
    assert fits_annotation(value, kind)


@pytest.mark.parametrize(
    ("value", "kind"), [(True, int), (1, bool), ("ab", list[str]), ({"a": 1}, list[str]), (b"a", str)]
)
def test_what_only_looks_like_a_kind_is_not_taken(value: object, kind: Any) -> None:
    assert not fits_annotation(value, kind)


def test_numbers_and_arrays_of_numpy_are_handed_on_as_those_of_python() -> None:
    @checks_arguments
    def told(*given: Any) -> list[Any]:
        return list(given)

    values = told(np.int64(3), np.bool_(True), np.array([1, 2]), {"a": (np.float64(0.5),)})
    assert values == [3, True, [1, 2], {"a": (0.5,)}]
    assert [type(value) for value in (*values[:2], values[2][0])] == [int, bool, int]


@pytest.mark.parametrize("name", ["decks", "strategies", "factions", "settings"])
def test_options_of_simulate_are_checked_wherever_they_are_handed_on(name: str) -> None:
    vary = {"wonders.toml#Rhodos B.coins_start": [1, 2]}
    with pytest.raises(empirelab.UserError, match=f"field {name}: sweep: this argument has the wrong type"):
        empirelab.sweep("seven_wonders", vary, games=4, **{name: 3})


def test_names_that_only_type_checkers_know_are_passed_over() -> None:
    @checks_arguments
    def drawn(width: int, ax: NowhereKnown | None = None) -> int:  # type: ignore[name-defined]  # noqa: F821
        return width

    assert "ax" not in annotations_of(drawn.__wrapped__)  # type: ignore[attr-defined]
    assert drawn(3, Odd()) == 3

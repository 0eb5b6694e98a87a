"""Checks the arguments of functions that users call from Python against their annotations.

`pydantic.validate_call` does not suffice. It rejects arrays, `range` and Polars Series where a list is expected, and
NumPy numbers inside lists. It fails for annotations whose names are imported for type checkers only. Its messages on
unions do not say what is allowed.
"""

from __future__ import annotations

import inspect
import os
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, wraps
from numbers import Integral, Real
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin

from sim.errors import UserError

P = ParamSpec("P")
R = TypeVar("R")

WORDS = {
    str: "text", bool: "True or False", int: "a whole number", float: "a number", type(None): "None",
    Callable: "a function", os.PathLike: "a path", Path: "a path",
}  # fmt: skip
"""Words for types in messages. A type that is not listed here appears under its own name."""
OWN = ("sim", "reports", "empirelab")
"""Packages whose classes are not checked here. A function that takes objects of these classes checks them itself."""


def checks_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function so that it raises UserError if an argument is unknown, missing or not of the annotated type.

    NumPy numbers and arrays are passed on as Python numbers and lists. Where a list is expected, any iterable may be
    given, except a string, bytes or a mapping.
    """
    signature = inspect.signature(function)

    @wraps(function)
    def checked(*given: P.args, **named: P.kwargs) -> R:
        values, options = ([unwrap(value) for value in given], {name: unwrap(value) for name, value in named.items()})
        called = function.__name__
        check_kinds(called, annotations_of(function), bound_arguments(called, signature, values, options))
        return function(*values, **options)

    return checked


def unwrap(value: Any) -> Any:
    """Convert NumPy numbers and arrays to Python numbers and lists, even inside lists and dicts."""
    numpy = sys.modules.get("numpy")  # NumPy values exist only if NumPy is imported; importing it here would be slow
    if numpy is not None and isinstance(value, numpy.generic | numpy.ndarray):
        return value.tolist()
    if type(value) in (list, tuple):
        return type(value)(map(unwrap, value))
    return {name: unwrap(each) for name, each in value.items()} if type(value) is dict else value


def check_kinds(called: str, kinds: Mapping[str, Any], arguments: Iterable[tuple[str, Any]]) -> None:
    """Raise UserError if an argument of the function `called` does not have the type that `kinds` gives for it."""
    for name, value in arguments:
        kind = kinds.get(name, Any)
        if not fits_annotation(value, kind):
            message = f"{called}: this argument has the wrong type"
            raise UserError(message, field=name, found=value, allowed=describe_type(kind))


def bound_arguments(
    called: str, signature: inspect.Signature, given: Sequence[Any], named: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Yield the name and value of each argument of a call, except those of `**kwargs`.

    Each value of `*args` comes separately. Raise UserError if an argument is unknown, missing or given twice.
    """
    parameters = signature.parameters
    takes_any = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    names = [name for name, one in parameters.items() if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    for name in named:
        if name not in names and not takes_any:
            raise UserError(
                f"{called} has no argument of this name", found=name, allowed=[n for n in names if n != "self"]
            )
    try:
        arguments = signature.bind(*given, **named).arguments
    except TypeError as error:
        raise UserError(f"{called}: {error}", allowed=f"as arguments: {', '.join(parameters)}") from None
    for name, value in arguments.items():
        if parameters[name].kind is inspect.Parameter.VAR_POSITIONAL:
            yield from ((name, each) for each in value)
        elif parameters[name].kind is not inspect.Parameter.VAR_KEYWORD:
            yield name, value


@cache
def annotations_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the annotations of a function. Annotations with names imported for type checkers only are left out."""
    found: dict[str, Any] = {}
    function = inspect.unwrap(function)
    for name, annotation in inspect.get_annotations(function).items():
        try:
            known = eval(annotation, function.__globals__) if isinstance(annotation, str) else annotation
        except NameError:
            continue
        found[name] = known
    return found


def fits_annotation(value: object, kind: Any) -> bool:
    """Tell whether a value has an annotated type. A class of the project (`OWN`) as annotation fits any value."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return any(fits_annotation(value, each) for each in inner)
    if origin is Literal:
        return any(value is each or (isinstance(value, str) and value == each) for each in inner)
    if kind is Any or kind is object:
        return True
    if kind is None or kind is type(None):
        return value is None
    if kind is bool:
        return isinstance(value, bool)
    if kind in (int, float):
        return isinstance(value, Integral if kind is int else Real) and not isinstance(value, bool)
    base = kind if origin is None else origin
    if base in (Sequence, list, tuple, Iterable):
        return is_list(value, inner[0] if inner else Any)
    if base is Mapping or base is dict:
        return isinstance(value, Mapping) and all(fits_annotation(each, inner[1]) for each in value.values() if inner)
    if base is Callable or kind is Callable:
        return callable(value)
    return not isinstance(base, type) or base.__module__.partition(".")[0] in OWN or isinstance(value, base)


def is_list(value: object, kind: Any) -> bool:
    """Tell whether a value is an iterable of items of the type `kind`, but no string, bytes or mapping.

    Items of an iterator are not checked, because that would consume them.
    """
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        return False
    return isinstance(value, Iterator) or all(fits_annotation(each, kind) for each in value)


def describe_type(kind: Any) -> str:
    """Describe the type that an annotation allows: 'text or a list of text', '{"name": value} or None'."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return " or ".join(describe_type(each) for each in inner)
    if origin is Literal:
        return ", ".join(map(repr, inner))
    base = kind if origin is None else origin
    if base in (Sequence, list, tuple, Iterable):
        return f"a list{f' of {describe_type(inner[0])}' if inner and inner[0] is not Any else ''}"
    if base in (Mapping, dict):
        value = describe_type(inner[1]) if inner and inner[1] not in (Any, object) else "value"
        return f'{{"name": {value}}}'
    return WORDS.get(type(None) if kind is None else base, getattr(base, "__name__", str(base)))


MAX_JOBS = 1024
"""Maximum number of workers. Workers are threads, and systems allow a process a few thousand threads at most."""


def jobs_to_use(jobs: int) -> int:
    """Return the number of workers: `jobs`, or the number of cores if `jobs` is -1.

    Raise UserError if the number is neither -1 nor from 1 to `MAX_JOBS`.
    """
    if jobs == -1:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not 1 <= jobs <= MAX_JOBS:
        allowed = f"1 to {MAX_JOBS:,}, or -1 for all cores"
        raise UserError("impossible number of jobs", field="jobs", found=jobs, allowed=allowed)
    return jobs


def cut(games: int, size: int) -> list[tuple[int, int]]:
    """Divide a run into consecutive groups of `size` games; the last may be smaller.

    Return the first game and the number of games of each group.
    """
    return [(first, min(size, games - first)) for first in range(0, games, size)]

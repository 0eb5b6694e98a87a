"""Compiles programs of card effects from lists in TOML files to rows of numbers that kernels execute.

An operation is a list that begins with its name, such as `["gain", "material", 1]`. Some operations contain other
operations. An instruction is a row of a code table: the number of the operation, its arguments, and the row of the next
instruction. A game declares its `Language`: the forms of its operations, the kinds of their arguments, and functions
that compile operations that contain others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sim.data.place import Place
from sim.errors import UserError


@dataclass(frozen=True)
class Form:
    """The form of an operation, a condition or any other name with arguments.

    Attributes
    ----------
    arguments
        For each argument, its kind and its column. An argument of a wide kind fills several columns. Its first
        number replaces the default of the first column. Its other numbers are bits, which are combined (by OR) with the
        defaults of the other columns.
    optional
        How many arguments at the end may be left out.
    options
        The kind and the column of each option. An operation may end with a table of such options. If several options
        share a column, their numbers are added. In a column with a default, the number replaces the default.
    defaults
        Default numbers of columns, by column. All other columns have the default 0.
    """

    operation: int
    arguments: tuple[tuple[Any, ...], ...] = ()
    optional: int = 0
    options: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    defaults: Mapping[int, int] = field(default_factory=dict)


@dataclass
class Code:
    """A code table under construction.

    Attributes
    ----------
    most_rows
        Maximum number of rows of the table.
    context
        Data that the game's readers of arguments use (`Language.kinds`).
    rows
        The instructions so far.
    programs
        First row of each program, by the content of the program.
    """

    language: Language
    most_rows: int
    context: Any = None
    rows: list[list[int]] = field(default_factory=list)
    programs: dict[str, int] = field(default_factory=dict)


Argument = Callable[[Code, Any, Place], int]
"""A function that reads one argument of an operation, and returns its number for the code table."""
WideArgument = Callable[[Code, list[Any], Place, Callable[[], UserError]], Sequence[int]]
"""A function that removes an argument of several columns from the list of remaining arguments, and returns its numbers.
The last parameter returns the error for a wrong number of arguments."""
Write = Callable[[Code, Sequence[Any], Place], None]
"""A function that compiles an operation that contains others."""
WritePlain = Callable[[Code, Sequence[Any], Any, Place], None]
"""A function that compiles an operation without others inside. The third parameter is the next operation, or None."""
Say = Callable[[str, Sequence[int]], list[str]]
"""A function that returns the words for an argument of a given kind, one word for each of its columns."""
SayControl = Callable[[Sequence[int], int, Say], str]
"""A function that puts an operation that contains others into words. It receives the arguments of the operation and the
row of the next instruction."""


def write_by_form(code: Code, operation: Sequence[Any], _: Any, place: Place) -> None:
    """Compile an operation that contains no others, according to its form."""
    form = code.language.forms[operation[0]]
    emit(code, form.operation, read_form(code, operation[0], form, operation[1:], place))


@dataclass(frozen=True)
class Language:
    """The operations of a game.

    Attributes
    ----------
    names
        Names of all operations in listings; the index is the number of the operation.
    arguments
        How many columns for arguments an instruction has.
    end
        Number of the operation that ends a program.
    forms
        Forms of the operations that contain no others, by name.
    control
        Functions that compile the operations that contain others, by name.
    kinds, wide_kinds
        Readers of the arguments that take one column, and of those that take several columns, by kind.
    write_plain
        Compiles operations that contain no others. A game sets it if the form alone does not suffice.
    control_in_words
        Functions that describe operations without a form, for listings, by number of the operation.
    """

    names: Sequence[str]
    arguments: int
    end: int
    forms: Mapping[str, Form]
    control: Mapping[str, Write]
    kinds: Mapping[str, Argument]
    wide_kinds: Mapping[str, WideArgument] = field(default_factory=dict)
    write_plain: WritePlain = write_by_form
    control_in_words: Mapping[int, SayControl] = field(default_factory=dict)


# ---- Reading ----


def look_up(known: Mapping[str, Any], found: object, place: Place, what: str) -> str:
    """Return the name at the start of a list; raise UserError if there is none, or if it is unknown."""
    if not isinstance(found, list) or not found or not isinstance(found[0], str):
        raise place.wrong(f"not a valid {what}", found, "a list that begins with its name")
    if found[0] not in known:
        raise place.wrong(f"unknown {what}", found[0], list(known))
    return found[0]


def check_argument_count(operation: Sequence[Any], least: int, most: int | None, usage: str, place: Place) -> None:
    """Check how many arguments an operation has. If `most` is None, there is no upper limit."""
    given = len(operation) - 1
    if given < least or (most is not None and given > most):
        raise place.wrong("wrong number of arguments", list(operation), usage)


def usage(name: str, form: Form) -> str:
    """Return how an operation is written, for messages."""
    kinds = [str(argument[0]) for argument in form.arguments]
    needed = len(kinds) - form.optional
    inside = [f'"{name}"', *kinds[:needed], *(f"{{{kind}}}" for kind in kinds[needed:])]
    options = [f"{{ {', '.join(form.options)} }}"] if form.options else []
    return f"[{', '.join([*inside, *options])}]"


def read_form(code: Code, name: str, form: Form, given: Sequence[Any], place: Place) -> list[int]:
    """Return the arguments (`given`) of an operation, or of any name with a form: a number for each argument column.

    Raise UserError if an argument is missing, superfluous or not of its kind.
    """
    columns = [0, *(form.defaults.get(column, 0) for column in range(1, code.language.arguments + 1))]
    wrong_count = partial(place.wrong, "wrong number of arguments", [name, *given], usage(name, form))
    left = list(given)
    if left and isinstance(left[-1], dict) and form.options:
        _read_options(code, form, left.pop(), place.at(len(left) + 2), columns)
    needed = len(form.arguments) - form.optional
    for number, (kind, column, *more) in enumerate(form.arguments):
        if not left:
            if number < needed:
                raise wrong_count()
            break
        at = place.at(len(given) - len(left) + 2)
        if kind in code.language.wide_kinds:
            value = left[0]
            columns[column], *others = code.language.wide_kinds[kind](code, left, at, wrong_count)
            if any(others[len(more) :]):
                raise at.wrong("not allowed here", value, "a number")
            for other, added in zip(more, others, strict=False):
                columns[other] |= added
        else:
            columns[column] = code.language.kinds[kind](code, left.pop(0), at)
    if left:
        raise wrong_count()
    return columns[1:]


def _read_options(code: Code, form: Form, given: Mapping[str, Any], place: Place, columns: list[int]) -> None:
    """Read the options at the end of an operation, and write their numbers into `columns` (see `Form.options`)."""
    for name, value in given.items():
        if name not in form.options:
            raise place.wrong("unknown option", name, list(form.options))
        kind, column = form.options[name]
        number = code.language.kinds[kind](code, value, place.at(name))
        columns[column] = number if column in form.defaults else columns[column] + number


def one_of(allowed: Sequence[str], value: object, place: Place) -> int:
    """Return the index of a word in the list of allowed words; raise UserError if it is not allowed."""
    if not isinstance(value, str) or value not in allowed:
        raise place.wrong("unknown word", value, allowed)
    return list(allowed).index(value)


def bits_of(allowed: Sequence[str], value: object, place: Place) -> int:
    """Return a list of words as bits. The first allowed word has bit 0.

    Raise UserError if the value is not a list, is empty, or has an unknown word.
    """
    if not isinstance(value, list) or not value:
        raise place.wrong("not a list of words", value, [f'["{word}"]' for word in allowed])
    return sum({1 << one_of(allowed, word, place.at(number + 1)) for number, word in enumerate(value)})


def one_word(allowed: Sequence[str], first: int = 0) -> Argument:
    """Return a reader for arguments that are one of these words. The words are numbered from `first`."""
    return lambda _, value, place: first + one_of(allowed, value, place)


def several_words(allowed: Sequence[str]) -> Argument:
    """Return a reader for arguments that are lists of these words. It returns them as bits."""
    return lambda _, value, place: bits_of(allowed, value, place)


# ---- Writing ----


def emit(code: Code, operation: int, arguments: Sequence[int] = ()) -> int:
    """Append an instruction that continues at the row after it. Return the row of the instruction."""
    at = len(code.rows)
    code.rows.append([operation, *arguments, *[0] * (code.language.arguments - len(arguments)), at + 1])
    return at


def go_on_here(code: Code, at: int) -> None:
    """Make the instruction in row `at` continue at the next row to be written."""
    code.rows[at][-1] = len(code.rows)


def write_operations(code: Code, items: Sequence[Any], first: int, place: Place) -> None:
    """Compile the operations in a list, from index `first` on.

    Raise UserError if an operation is unknown or has wrong arguments.
    """
    language = code.language
    for number in range(first, len(items)):
        operation, at = items[number], place.at(number + 1)
        name = look_up({**language.control, **language.forms}, operation, at, "operation")
        if name in language.control:
            language.control[name](code, operation, at)
        else:
            language.write_plain(code, operation, items[number + 1] if number + 1 < len(items) else None, at)


def written_once(code: Code, source: Any, place: Place, write: Callable[[], None]) -> int:
    """Return the first row of a program. If the table does not have the program yet, compile it with `write`.

    `source` is everything that the program depends on. `write` compiles all but the instruction that ends the program.
    Raise UserError if the code table is full.
    """
    key = repr(source)
    if key not in code.programs:
        start = len(code.rows)
        write()
        emit(code, code.language.end)
        if len(code.rows) > code.most_rows:
            allowed = f"at most {code.most_rows} instructions"
            raise place.wrong("too many operations in all files", len(code.rows), allowed)
        code.programs[key] = start
    return code.programs[key]


# ---- Listings ----


def program_end(language: Language, rows: Any, start: int) -> int:
    """Return the last row of the program that starts at a row of a code table."""
    row = behind = start
    while rows[row][0] != language.end or behind > row:
        if rows[row][0] != language.end:
            behind = max(behind, int(rows[row][-1]))
        row += 1
    return row


def listing(language: Language, rows: Any, start: int, say: Say) -> list[str]:
    """Return the program that begins at row `start` of a code table as text, one line for each instruction.

    `rows` is the table, shape (rows, arguments + 2), and `say` puts arguments into words.
    """
    forms = {form.operation: form for form in language.forms.values()}
    lines = []
    for row in range(start, program_end(language, rows, start) + 1):
        operation, *arguments, behind = (int(number) for number in rows[row])
        if operation in language.control_in_words:
            said = language.control_in_words[operation](arguments, behind, say)
        else:
            said = _arguments_in_words(forms[operation], arguments, say)
        lines.append(" ".join([str(row), language.names[operation], said]).rstrip())
    return lines


def _arguments_in_words(form: Form, arguments: Sequence[int], say: Say) -> str:
    """Return the arguments of an operation in words. Zeros at the end are left out."""
    said = [str(number) for number in arguments]
    for kind, *columns in [*form.arguments, *form.options.values()]:
        in_words = say(kind, [arguments[column - 1] for column in columns])
        for column, word in zip(columns, in_words, strict=True):
            said[column - 1] = word
    while said and said[-1] == "0":
        said.pop()
    return " ".join(said)

"""Operation programs, in a small language of their own."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from sim.data.place import Place
from sim.data.programs import (
    Code,
    Form,
    Language,
    Say,
    bits_of,
    check_argument_count,
    emit,
    go_on_here,
    listing,
    one_word,
    read_form,
    several_words,
    write_operations,
    written_once,
)
from sim.errors import UserError

END, MAY, GAIN, MOVE, ROLL = range(5)
GOODS = ("wood", "stone")
PLACE = Place(Path("cards.toml"), "Mill", "play")


def number(_: Code, value: Any, place: Place) -> int:
    if type(value) is not int:
        raise place.wrong("not a number", value, "a whole number")
    return value


def count(code: Code, left: list[Any], place: Place, wrong_count: Callable[[], UserError]) -> tuple[int, int]:
    """A number, or "up to" and a number: then the second column has bit 0."""
    value = left.pop(0)
    if value != "up to":
        return number(code, value, place), 0
    if not left:
        raise wrong_count()
    return number(code, left.pop(0), place), 1


def write_may(code: Code, operation: Sequence[Any], place: Place) -> None:
    check_argument_count(operation, 1, None, '["may", OP, ...]', place)
    at = emit(code, MAY)
    write_operations(code, operation, 1, place)
    go_on_here(code, at)


LANGUAGE = Language(
    names=("END", "MAY", "GAIN", "MOVE", "ROLL"),
    arguments=3,
    end=END,
    forms={
        "gain": Form(GAIN, (("GOOD", 1), ("N", 2)), optional=1, options={"from": ("GOODS", 3)}, defaults={2: 1}),
        "move": Form(MOVE, (("COUNT", 1, 2),), defaults={2: 4}),
        "roll": Form(ROLL, (("COUNT", 1),)),
    },
    control={"may": write_may},
    kinds={"GOOD": one_word(GOODS, 10), "GOODS": several_words(GOODS), "N": number},
    wide_kinds={"COUNT": count},
    control_in_words={END: lambda _, __, ___: "", MAY: lambda _, behind, __: f"or go to {behind}"},
)


def say(kind: str, numbers: Sequence[int]) -> list[str]:
    return [GOODS[numbers[0] - 10]] if kind == "GOOD" else [str(number) for number in numbers]


SAY: Say = say


def written(*operations: Any) -> list[list[int]]:
    """Rows that a list of operations is compiled to."""
    code = Code(LANGUAGE, most_rows=20)
    write_operations(code, operations, 0, PLACE)
    return code.rows


def message(*operations: Any) -> str:
    """What is said of a list of operations with a mistake."""
    with pytest.raises(UserError) as error:
        written(*operations)
    return str(error.value)


def test_an_instruction_is_an_operation_its_arguments_and_where_it_goes_on() -> None:
    assert written(["gain", "stone", 3], ["gain", "wood", 2]) == [[GAIN, 11, 3, 0, 1], [GAIN, 10, 2, 0, 2]]


def test_an_operation_that_holds_others_goes_on_behind_them() -> None:
    assert written(["may", ["roll", 2], ["roll", 3]], ["roll", 4]) == [
        [MAY, 0, 0, 0, 3],
        [ROLL, 2, 0, 0, 2],
        [ROLL, 3, 0, 0, 3],
        [ROLL, 4, 0, 0, 4],
    ]


def test_arguments_that_are_left_out_have_their_defaults_and_options_stand_in_a_table_at_the_end() -> None:
    assert written(["gain", "wood"]) == [[GAIN, 10, 1, 0, 1]]
    assert written(["gain", "wood", 2, {"from": ["wood", "stone"]}]) == [[GAIN, 10, 2, 3, 1]]


def test_a_wide_argument_takes_several_values_and_adds_its_flag_to_the_default() -> None:
    assert written(["move", 3]) == [[MOVE, 3, 4, 0, 1]]
    assert written(["move", "up to", 3]) == [[MOVE, 3, 5, 0, 1]]


@pytest.mark.parametrize(
    ("operation", "parts"),
    [
        (["gian", "wood", 1], ["cards.toml, row Mill, field play.1", "unknown operation", "did you mean 'gain'?"]),
        ("gain", ["field play.1", "not a valid operation", "a list that begins with its name"]),
        (["gain"], ["wrong number of arguments", '["gain", GOOD, {N}, { from }]']),
        (["gain", "wood", 1, 2], ["wrong number of arguments", '["gain", GOOD, {N}, { from }]']),
        (["gain", "wool", 1], ["field play.1.2", "unknown word", "wood, stone"]),
        (["gain", "wood", 1, {"form": ["wood"]}], ["field play.1.4", "unknown option", "did you mean 'from'?"]),
        (["gain", "wood", 1, {"from": []}], ["field play.1.4.from", "not a list of words"]),
        (["may", ["roll", 1], ["roll", "two"]], ["field play.1.3.2", "not a number"]),
        (["may"], ["wrong number of arguments", '["may", OP, ...]']),
        (["roll", "up to", 2], ["field play.1.2", "not allowed here", "a number"]),
        (["move", "up to"], ["wrong number of arguments", '["move", COUNT]']),
    ],
)
def test_a_mistake_is_named_with_its_place_and_what_may_stand_there(operation: Any, parts: list[str]) -> None:
    said = message(operation)
    for part in parts:
        assert part in said


def test_what_says_the_same_is_written_once() -> None:
    code = Code(LANGUAGE, most_rows=20)

    def program(*operations: Any) -> int:
        return written_once(code, operations, PLACE, lambda: write_operations(code, operations, 0, PLACE))

    assert [program(["roll", 1]), program(["roll", 2]), program(["roll", 1])] == [0, 2, 0]
    assert len(code.rows) == 4


def test_more_instructions_than_the_table_holds_are_refused() -> None:
    code = Code(LANGUAGE, most_rows=2)
    with pytest.raises(UserError, match="too many operations in all files"):
        written_once(code, "rolls", PLACE, lambda: write_operations(code, [["roll", 1]] * 2, 0, PLACE))


def test_a_program_reads_in_words_up_to_the_end_that_nothing_jumps_over() -> None:
    code = Code(LANGUAGE, most_rows=20)
    at = emit(code, MAY)
    write_operations(code, [["gain", "stone", 2]], 0, PLACE)
    emit(code, END)
    go_on_here(code, at)
    write_operations(code, [["roll", 3]], 0, PLACE)
    emit(code, END)
    write_operations(code, [["roll", 4]], 0, PLACE)
    assert listing(LANGUAGE, code.rows, 0, SAY) == ["0 MAY or go to 3", "1 GAIN stone 2", "2 END", "3 ROLL 3", "4 END"]


def test_a_form_is_read_without_being_an_operation() -> None:
    code = Code(LANGUAGE, most_rows=20)
    assert read_form(code, "of", Form(0, (("GOODS", 2),)), [["stone"]], PLACE) == [0, 2, 0]
    assert bits_of(GOODS, ["stone", "stone"], PLACE) == 2

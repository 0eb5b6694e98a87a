"""The language of card effects: operations, and the programs of features.

`LANGUAGE` defines the language for `sim.data.programs`. It uses the numbers in `constants`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from sim.data.catalog import MAX_NUMBER
from sim.data.place import Place
from sim.data.programs import (
    Argument,
    Code,
    Form,
    Language,
    Say,
    Write,
    check_argument_count,
    emit,
    go_on_here,
    listing,
    one_word,
    program_end,
    read_form,
    several_words,
    write_operations,
    written_once,
)
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.constants import A, B, C, D
from sim.games.shared.describe import names_of_bits

MAX_BRANCHES = 8
"""Maximum number of branches of a choice."""

# ---- Arguments ----


def read_number(_: Code, value: Any, place: Place) -> int:
    """Return a number of things: a whole number from 1 to `MAX_NUMBER`."""
    if type(value) is not int or not 1 <= value <= MAX_NUMBER:
        raise place.wrong("not allowed here", value, f"a number from 1 to {MAX_NUMBER}")
    return value


WORDS: Mapping[str, tuple[int, Sequence[str]]] = {
    "GOOD": (0, constants.GOODS[: constants.CARD]),
    "PAID": (0, constants.GOODS[: constants.SUPPLY]),
    "COLOUR": (0, constants.COLOURS),
    "DECK": (constants.COMMON_DECK, constants.DRAW_DECKS),
    "REST": (0, constants.RESTS),
    "FATE": (0, ("lost", "gained")),
    "WHICH": (0, ("any", "other")),
}
"""Kinds of arguments that are one word: for each kind, the number of its first word, and all words in number order."""
BITS: Mapping[str, Sequence[str]] = {"GOODS": constants.GOODS[: constants.SUPPLY], "DECKS": constants.DECK_BITS}
"""Kinds of arguments that are several words, encoded as bits."""
KINDS: dict[str, Argument] = {
    "N": read_number,
    "MOST": read_number,
    **{kind: one_word(known, first) for kind, (first, known) in WORDS.items()},
    **{kind: several_words(known) for kind, known in BITS.items()},
}
"""The function that reads each kind of argument."""

# ---- Operations ----

FORMS: dict[str, Form] = {
    "gain": Form(constants.GAIN, (("GOOD", A), ("N", B))),
    "gain_per_colour": Form(constants.GAIN_PER_COLOUR, (("GOOD", A), ("N", B), ("COLOUR", C), ("MOST", D))),
    "gain_per_samurai": Form(constants.GAIN_PER_SAMURAI, (("GOOD", A), ("N", B), ("MOST", C))),
    "draw": Form(constants.DRAW_CARDS, (("DECK", A), ("N", B))),
    "look": Form(constants.LOOK, (("DECK", A), ("N", B), ("N", C), ("REST", D))),
    "run_production": Form(constants.RUN_PRODUCTION, (("WHICH", A),)),
    "gain_deal_good": Form(constants.GAIN_DEAL_GOOD),
    "build_from_hand": Form(constants.BUILD_FROM_HAND, (("DECKS", A),)),
    "build_deal": Form(constants.BUILD_DEAL),
    "trade_deal": Form(constants.TRADE_DEAL),
    "discard_deal": Form(constants.DISCARD_DEAL, (("FATE", A),)),
    "take_deal": Form(constants.TAKE_DEAL),
    "take_resource": Form(constants.TAKE_RESOURCE, (("GOODS", A),)),
    "copy_raze_good": Form(constants.COPY_RAZE_GOOD),
    "raze_either": Form(constants.RAZE_EITHER, (("N", A), ("N", B), ("N", C))),
    "raze_own": Form(constants.RAZE_OWN, (("DECKS", A),)),
    "raze_location": Form(constants.RAZE_OPPONENT),
    "remove_location": Form(constants.REMOVE_LOCATION),
    "reset_action": Form(constants.RESET_ACTION),
    "block_action": Form(constants.BLOCK_ACTION),
    "control_location": Form(constants.CONTROL_LOCATION),
    "found_from_hand": Form(constants.FOUND_FROM_HAND, (("DECKS", A),)),
    "opponent_discards": Form(constants.OPPONENT_DISCARDS),
    "place_samurai": Form(constants.PLACE_SAMURAI, (("N", A),)),
    "swap": Form(constants.SWAP, (("PAID", A), ("N", B), ("GOOD", C), ("N", D))),
}
"""Operations that contain no others."""


def _write_plain(code: Code, operation: Sequence[Any], _: Any, place: Place) -> None:
    """Compile an operation that contains no others."""
    form = FORMS[operation[0]]
    at = emit(code, form.operation, read_form(code, operation[0], form, operation[1:], place))
    _, _, number, kept, *_ = code.rows[at]
    if form.operation == constants.LOOK and kept > number:
        raise place.at(4).wrong("more cards kept than looked at", kept, f"1 to {number}")


def _write_branches(holder: int, code: Code, operation: Sequence[Any], place: Place) -> None:
    """Compile a choice: a row for the choice, then for each branch a row and its operations.

    `holder` is the operation in the row for the choice: OP_CHOOSE or OP_MAY.
    The last operation of a branch continues at the row after the whole choice. The row of a branch points to the row of
    the next branch.
    """
    check_argument_count(
        operation, 1, MAX_BRANCHES, f'["{operation[0]}", OPS, ...], at most {MAX_BRANCHES} of them', place
    )
    choice = emit(code, holder, (len(operation) - 1,))
    branches, ends = [], []
    for number in range(1, len(operation)):
        at, operations = place.at(number + 1), operation[number]
        if not isinstance(operations, list) or not operations:
            raise at.wrong("not a list of operations", operations, "a list of one or more operations")
        branches.append(emit(code, constants.OP_BRANCH))
        write_operations(code, operations, 0, at)
        go_on_here(code, branches[-1])
        ends.append(len(code.rows))
    behind = len(code.rows)
    for branch, end in zip(branches, ends, strict=True):
        for row in code.rows[branch + 1 : end]:
            if row[-1] == end:
                row[-1] = behind
            if row[constants.OPERATION] == constants.OP_BRANCH and row[D] == end:
                row[D] = behind
        code.rows[branch][D] = behind
    go_on_here(code, choice)


CONTROL: dict[str, Write] = {
    "choose": partial(_write_branches, constants.OP_CHOOSE),
    "may": partial(_write_branches, constants.OP_MAY),
}
"""Operations that contain others."""

# ---- Programs ----


def write_program(code: Code, operations: Any, place: Place) -> int:
    """Compile an effect and return its first row. Equal effects share rows. An empty effect is a single end row."""
    return written_once(code, operations, place, partial(write_operations, code, operations, 0, place))


def check_feature_program(trigger: str, operations: Sequence[Any], place: Place) -> None:
    """Check that a feature does nothing but gain goods or points if its trigger interrupts another effect."""
    allowed = {"points": '[["gain", "vp", N]]', "exchange": '[["gain", GOOD, N]]'}
    if trigger not in allowed or not operations:
        return
    first = operations[0]
    gains = len(operations) == 1 and isinstance(first, list) and first[:1] == ["gain"]
    if not gains or (trigger == "points" and first[1:2] != ["vp"]):
        raise place.wrong(f"not what a feature on {trigger} can do", list(operations), allowed[trigger])


def check_production_program(code: Code, start: int, place: Place) -> None:
    """Check that a production program begins with `run_production` if it contains this operation.

    Locations that let each other produce could do so endlessly. Kernels recognize them by their first operation.
    """
    numbers = [row[constants.OPERATION] for row in code.rows[start : program_end(LANGUAGE, code.rows, start)]]
    if constants.RUN_PRODUCTION in numbers[1:] and numbers[0] != constants.RUN_PRODUCTION:
        raise place.wrong("a production that lets another location produce", "run_production", "as the first operation")


PLAIN_GAINS = (constants.OP_END, constants.GAIN, constants.GAIN_PER_COLOUR, constants.GAIN_PER_SAMURAI)


def draws_or_chooses(code: Code, start: int) -> bool:
    """Tell whether a program contains any operation other than `PLAIN_GAINS`, for example one that draws cards.

    If so, its order among other programs matters.
    """
    row = start
    while code.rows[row][constants.OPERATION] in PLAIN_GAINS:
        if code.rows[row][constants.OPERATION] == constants.OP_END:
            return False
        row += 1
    return True


# ---- Listings ----


def _say(kind: str, numbers: Sequence[int]) -> list[str]:
    number = numbers[0]
    if kind in WORDS:
        first, known = WORDS[kind]
        return [known[number - first]]
    if kind in BITS:
        return ["+".join(names_of_bits(BITS[kind], number))]
    return [str(number)]


def _say_choice(arguments: Sequence[int], behind: int, _: Say) -> str:
    return f"{arguments[0]}, then to {behind}"


LANGUAGE = Language(
    names=constants.OPERATIONS,
    arguments=D - constants.OPERATION,
    end=constants.OP_END,
    forms=FORMS,
    control=CONTROL,
    kinds=KINDS,
    write_plain=_write_plain,
    control_in_words={
        constants.OP_END: lambda _, __, ___: "",
        constants.OP_CHOOSE: _say_choice,
        constants.OP_MAY: _say_choice,
        constants.OP_BRANCH: lambda arguments, behind, _: f"next {behind}, then to {arguments[-1]}",
    },
)
"""The language of card effects."""


def effect_listing(t: Any, start: int) -> list[str]:
    """Return a program as strings, one for each instruction. The list is empty for `NO_PROGRAM`."""
    return listing(LANGUAGE, t.code, start, _say) if start != constants.NO_PROGRAM else []

"""The language of card effects: operations, conditions, counters, triggers, passives and variable points.

`LANGUAGE` defines the language for `sim.data.programs`. It uses the numbers in `constants`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sim.data.place import Place
from sim.data.programs import (
    Argument,
    Code,
    Form,
    Language,
    Say,
    Write,
    bits_of,
    check_argument_count,
    emit,
    go_on_here,
    listing,
    look_up,
    one_of,
    one_word,
    read_form,
    several_words,
    write_operations,
    written_once,
)
from sim.errors import UserError
from sim.games.imperium.data.arguments import (
    KINDS,
    WORDS,
    read_change,
    read_count,
    read_number,
    read_own_selector,
    read_resource,
    read_selector,
    read_state,
    read_suits,
)
from sim.games.imperium.data.catalog import TYPES, Reaction
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.constants import A, B, C, D
from sim.games.imperium.rules.tables import MAX_OPTIONS
from sim.games.shared.describe import names_of_bits

# ---- Arguments that have arguments of their own ----


def _counter(code: Code, left: list[Any], place: Place, _: Callable[[], UserError]) -> tuple[int, int]:
    """Return a counter and its argument. A counter of region icons counts icons, not the cards that have them."""
    value = left.pop(0)
    name = look_up(COUNTERS, value, place, "counter")
    if name == "count_in_play" and len(value) == 2 and value[1] in constants.ICONS:
        return constants.ICONS_IN_PLAY, constants.ICONS.index(value[1])
    return COUNTERS[name].operation, read_form(code, name, COUNTERS[name], value[1:], place)[0]


def read_condition(code: Code, value: Any, place: Place) -> list[int]:
    """Return a condition and its two arguments: columns A to C of IF and REQUIRE.

    Raises
    ------
    UserError
        The condition is unknown or has wrong arguments.
    """
    name = look_up(CONDITIONS, value, place, "condition")
    columns = read_form(code, name, CONDITIONS[name], value[1:], place)
    return [CONDITIONS[name].operation, columns[1], columns[2], 0]


def read_trigger(code: Code, value: Any, place: Place) -> tuple[int, int]:
    """Return a trigger and its argument.

    Raises
    ------
    UserError
        The trigger is unknown or has wrong arguments.
    """
    name = look_up(TRIGGERS, value, place, "trigger")
    return TRIGGERS[name].operation, read_form(code, name, TRIGGERS[name], value[1:], place)[0]


# ---- Operations ----

GAINED = {"times": ("N", B), "also_from": ("also exile", C), "what": ("WHAT", D)}

FORMS: dict[str, Form] = {
    "gain": Form(constants.GAIN, (("R", A), ("N", B))),
    "gain_per": Form(constants.GAIN_PER, (("R", A), ("N", B), ("COUNTER", C, D))),
    "pay": Form(constants.PAY, (("R", A), ("N", B))),
    "pay_up_to": Form(constants.PAY_UP_TO, (("R", A), ("N", B))),
    "pay_all": Form(constants.PAY_ALL, (("R", A),), options={"min": ("N", B)}),
    "steal": Form(constants.STEAL, (("R", A), ("N", B), ("FROM", C)), options={"unable_take_unrest": ("N", D)}),
    "place_on_market": Form(constants.PLACE_ON_MARKET, (("R", A), ("N", B))),
    "place_on_self": Form(constants.PLACE_ON_SELF, (("R", A), ("N", B))),
    "gain_all_on_self": Form(constants.GAIN_ON_SELF, (("R", A),)),
    "move_to_self": Form(constants.MOVE_TO_SELF, (("R", A), ("N", B))),
    "pay_all_on_self": Form(constants.PAY_ALL_ON_SELF, (("R", A),), options={"min": ("N", B)}),
    "double_gained": Form(constants.DOUBLE_GAINED, (("R", A),)),
    "gain_action": Form(constants.GAIN_ACTION, (("N", A),)),
    "spend_action": Form(constants.SPEND_ACTION, (("N", A),)),
    "return_exhaust": Form(constants.RETURN_EXHAUST, (("N", A),)),
    "draw": Form(constants.DRAW, (("COUNT", A, B),)),
    "draw_if_able": Form(constants.DRAW, (("COUNT", A, B),), defaults={B: constants.IF_ABLE}),
    "draw_per": Form(constants.DRAW_PER, (("N", A), ("COUNTER", C, D))),
    "draw_from": Form(constants.DRAW_FROM, (("ZONE", B), ("WHAT", A), ("COUNT", C, D))),
    "discard": Form(constants.DISCARD, (("CARD", A), ("COUNT", B))),
    "discard_one_of_drawn": Form(constants.DISCARD_DRAWN, (("N", A),)),
    "top_deck": Form(constants.TOP_DECK, (("ZONE", B), ("N", C), ("WHAT", A)), optional=1),
    "to_history": Form(constants.TO_HISTORY, (("CARD", A), ("ZONES", B), ("COUNT", C, D)), optional=2, defaults={C: 1}),
    "exile_market": Form(constants.EXILE_MARKET, (("N", A),)),
    "exile_hand": Form(constants.EXILE_HAND, (("WHAT", A), ("N", B))),
    "exile_card": Form(constants.EXILE_CARD, (("CARD", A),)),
    "sink": Form(constants.SINK, (("CARD", A), ("ZONE", B), ("N", C)), optional=2, defaults={B: constants.PLAY, C: 1}),
    "garrison_here": Form(constants.GARRISON_HERE, (("WHAT", A), ("N", B))),
    "garrison_self_in": Form(constants.GARRISON_SELF, (("WHAT", A),)),
    "abandon": Form(
        constants.ABANDON,
        (("CARD", A), ("COUNT", B, C)),
        options={"with_garrisoned": ("WHAT", D)},
        defaults={D: constants.NOTHING},
    ),
    "abandon_garrisoned": Form(constants.ABANDON_GARRISONED, (("WHAT", A), ("N", B), ("WHAT", C))),
    "recall": Form(constants.RECALL, (("CARD", A), ("N", B))),
    "recall_garrisoned": Form(constants.RECALL_GARRISONED, (("WHAT", A),)),
    "find": Form(constants.FIND, (("WHAT", A), ("ZONES", B), ("ZONE", C))),
    "give_card_to_each_other": Form(
        constants.GIVE_CARD, (("ZONES", A),), options={"unrest_for": ("WHAT", B)}, defaults={B: constants.NOTHING}
    ),
    "free_play": Form(constants.FREE_PLAY, (("WHAT", A),), options={"ignore_state": ("true", B)}),
    "play_from_discard": Form(constants.PLAY_FROM_DISCARD, (("WHAT", A),), options={"actions": ("N", B)}),
    "take_unrest": Form(constants.TAKE_UNREST, (("N", A),)),
    "return_unrest": Form(constants.RETURN_UNREST, (("COUNT", A, C), ("ZONES", B))),
    "return_self": Form(constants.RETURN_SELF),
    "acquire": Form(
        constants.ACQUIRE,
        (("SUITS", A),),
        options=GAINED | {"from": ("only exile", C), "then": ("plays it", C), "market_card_has": ("token", C)},
        defaults={B: 1},
    ),
    "break_through": Form(constants.BREAK_THROUGH, (("SUITS", A),), options=GAINED, defaults={B: 1}),
    "swap_exile_with_market": Form(constants.SWAP_EXILE),
    "gain_all_on_market_card": Form(constants.GAIN_ON_MARKET),
    "gamble": Form(constants.GAMBLE, (("SUITS", A),)),
    "fame_look_take": Form(constants.FAME_LOOK, (("N", A), ("N", B))),
    "fame_take_top": Form(constants.FAME_TOP),
    "develop": Form(constants.DEVELOP_CARD, (('"free"', A),), optional=1),
    "nation_look": Form(constants.NATION_LOOK, (("N", A),), optional=1),
    "nation_shuffle": Form(constants.NATION_SHUFFLE),
    "nation_top_to_discard": Form(constants.NATION_TO_DISCARD, (("N", A),)),
    "nation_top_to_bottom": Form(constants.NATION_TO_BOTTOM, (("N", A),), optional=1),
    "swap_hand_with_nation_top": Form(constants.NATION_SWAP),
    "trigger_scoring": Form(constants.TRIGGER_SCORING, (("REASON", A),)),
    "flip": Form(constants.FLIP_SELF),
    "replace_self_with": Form(constants.REPLACE_SELF, (("WHAT", A),)),
    "flip_state_to": Form(constants.FLIP_STATE, (("STATE", A),)),
    "enter_play": Form(constants.ENTER_PLAY),
    "active_quest_to": Form(constants.QUEST_TO, (("ZONE", A),)),
    "garrison_quest_here": Form(constants.GARRISON_QUEST),
    "exile_impending_quest": Form(constants.EXILE_QUEST, (("WHAT", A),)),
    "ignore_state_icon_next_play": Form(constants.IGNORE_STATE, (("STATE", A),)),
    "copy_exhaust": Form(constants.COPY_EXHAUST),
    "treat_icon_as": Form(constants.TREAT_ICON, (("ICON", A), ("ICON", B), ("N", C))),
    "avoid_attack": Form(constants.AVOID_ATTACK),
}
"""Operations that contain no others."""

CONDITIONS: dict[str, Form] = {
    "state": Form(constants.STATE_IS, (("STATE", B),)),
    "in_play": Form(constants.IN_PLAY, (("WHAT", B),)),
    "in_history": Form(constants.IN_HISTORY, (("WHAT", B),)),
    "count_in_play_at_least": Form(constants.COUNT_IN_PLAY_AT_LEAST, (("WHAT", B), ("N", C))),
    "no_active_quest": Form(constants.NO_ACTIVE_QUEST),
    "resource_at_least": Form(constants.RESOURCE_AT_LEAST, (("R", B), ("N", C))),
    "garrisoned_here_at_least": Form(constants.GARRISONED_HERE_AT_LEAST, (("WHAT", B), ("N", C))),
    "abandoned_lacks": Form(constants.ABANDONED_LACKS, (("WHAT", B),)),
    "exiled_was": Form(constants.EXILED_WAS, (("WHAT", B),)),
    "has_drawn": Form(constants.HAS_DRAWN),
}

COUNTERS: dict[str, Form] = {
    "count_in_play": Form(constants.CARDS_IN_PLAY, (("WHAT", A),)),
    "count_garrisoned": Form(constants.CARDS_GARRISONED, (("WHAT", A),)),
    "count_abandoned_by_this_effect": Form(constants.ABANDONED_CARDS, (("WHAT", A),)),
    "count_unrest_returned_by_this_effect": Form(constants.RETURNED_UNREST),
    "count_in_development": Form(constants.CARDS_IN_DEVELOPMENT, (("WHAT", A),)),
}

TRIGGERS: dict[str, Form] = {
    "you_play": Form(constants.YOU_PLAY, (("WHAT", A),)),
    "you_play_from_discard": Form(constants.YOU_PLAY_FROM_DISCARD, (("WHAT", A),)),
    "you_acquire": Form(constants.YOU_ACQUIRE, (("WHAT", A),)),
    "you_acquire_or_break_through_for": Form(constants.YOU_ACQUIRE_OR_BREAK_THROUGH, (("WHAT", A),)),
    "you_acquire_from_exile": Form(constants.YOU_ACQUIRE_FROM_EXILE, (("WHAT", A),)),
    "you_gain_market_card_with_token": Form(constants.YOU_GAIN_MARKET_TOKEN, (("R", A),)),
    "you_return_unrest": Form(constants.YOU_RETURN_UNREST),
    "you_take_unrest": Form(constants.YOU_TAKE_UNREST),
    "you_pay": Form(constants.YOU_PAY, (("R", A),)),
    "you_look_at_fame": Form(constants.YOU_LOOK_AT_FAME),
    "a_card_is_sunk": Form(constants.CARD_IS_SUNK),
    "your_draw_deck_becomes_empty": Form(constants.DECK_EMPTIES),
    "you_reshuffle": Form(constants.YOU_RESHUFFLE),
    "another_player_plays_attack": Form(constants.ANOTHER_ATTACKS),
    "you_gain_material_from_icon": Form(constants.YOU_GAIN_FROM_ICON, (("ICON", A),)),
    "effect_requires_discard_of": Form(constants.DISCARD_REQUIRED, (("WHAT", A),)),
}


# ---- Operations that contain others ----


def _write_list(code: Code, operations: Any, place: Place, may_require: bool = True) -> None:
    """Compile a list of operations. With `may_require`, the list may begin with requirements.

    If one of them is not met, the program continues after the list.
    """
    if not isinstance(operations, list) or any(not isinstance(operation, list) for operation in operations):
        raise place.wrong("not a list of operations", operations, 'such as [["gain", "material", 1]]')
    leading = 0
    while may_require and leading < len(operations) and operations[leading][:1] == ["require"]:
        leading += 1
    required = [_write_require(code, operations[number], place.at(number + 1)) for number in range(leading)]
    write_operations(code, operations, leading, place)
    for row in required:
        go_on_here(code, row)


def _write_require(code: Code, operation: Sequence[Any], place: Place) -> int:
    """Compile a requirement and return its row. The caller sets where to continue if the requirement is not met."""
    check_argument_count(operation, 1, 1, '["require", CONDITION]', place)
    return emit(code, constants.REQUIRE, read_condition(code, operation[1], place.at(2)))


def _write_plain(code: Code, operation: Sequence[Any], following: Any, place: Place) -> None:
    """Compile an operation that contains no others."""
    name = operation[0]
    if name == "top_deck" and operation[1:2] == ["it"]:
        check_argument_count(operation, 2, 2, '["top_deck", "it", 1]', place)
        emit(
            code,
            constants.TOP_DECK,
            (constants.DRAWN_IT, constants.HAND, read_number(code, operation[2], place.at(3)), 0),
        )
    elif name == "return_unrest" and operation[2:] == [["garrisoned_here"]]:
        columns = read_form(code, name, FORMS[name], [operation[1], ["garrisoned"]], place)
        emit(code, constants.RETURN_UNREST, (columns[0], 0, columns[2], 1))
    else:
        at = emit(code, FORMS[name].operation, read_form(code, name, FORMS[name], operation[1:], place))
        if name in ("break_through", "gamble") and code.rows[at][A] & constants.SUITS_TO_INNOVATE == 0:
            suits = names_of_bits(constants.SUITS, constants.SUITS_TO_INNOVATE)
            raise place.at(2).wrong("no deck has any of these suits", operation[1], suits)
        if code.rows[at][constants.OPERATION] == constants.DRAW and _names_drawn(following):
            if code.rows[at][A] > constants.DRAWN_CARDS:
                allowed = f"at most {constants.DRAWN_CARDS}"
                raise place.at(2).wrong("too many cards drawn for the next operation to name", operation[1], allowed)
            code.rows[at][B] |= constants.REMEMBER


def _names_drawn(operation: Any) -> bool:
    """Tell whether an operation refers to the cards that the operation before it drew."""
    return bool(operation) and (operation[0] == "discard_one_of_drawn" or operation[:2] == ["if", ["has_drawn"]])


def _write_may(code: Code, operation: Sequence[Any], place: Place) -> None:
    check_argument_count(operation, 1, None, '["may", OP, ...]', place)
    at = emit(code, constants.MAY)
    write_operations(code, operation, 1, place)
    go_on_here(code, at)


def _write_choose(code: Code, operation: Sequence[Any], place: Place) -> None:
    check_argument_count(operation, 2, None, '["choose", OPS, OPS, ...]', place)
    _check_options(operation[1:], place)
    _write_options(code, [partial(_write_list, code, operation[n], place.at(n + 1)) for n in range(1, len(operation))])


def _check_options(options: Sequence[Any], place: Place) -> None:
    """Check that a choice does not have more options than a decision can offer."""
    if len(options) > MAX_OPTIONS:
        raise place.wrong("too many to choose from", len(options), f"at most {MAX_OPTIONS}")


def _write_options(code: Code, options: Sequence[Callable[[], None]]) -> None:
    """Compile a choice. Each function in `options` compiles one option."""
    choose = emit(code, constants.CHOOSE, (len(options), 0, 0, 0))
    jumps = []
    for write in options:
        option = emit(code, constants.OPTION)
        write()
        jumps.append(emit(code, constants.JUMP))
        go_on_here(code, option)
    for at in (choose, *jumps):
        go_on_here(code, at)


def _write_cost(code: Code, operation: Sequence[Any], place: Place) -> None:
    check_argument_count(operation, 2, 2, '["cost", OPS, OPS]', place)
    paid = partial(_write_list, code, operation[1], place.at(2), False)
    _write_payment(code, paid, partial(_write_list, code, operation[2], place.at(3), False))


def _write_payment(code: Code, paid: Callable[[], None], got: Callable[[], None]) -> None:
    """Compile a COST. The function `paid` compiles the price, and `got` what the price buys."""
    at = emit(code, constants.COST)
    paid()
    code.rows[at][A] = len(code.rows)
    got()
    go_on_here(code, at)


def _write_cost_one_of(code: Code, operation: Sequence[Any], place: Place) -> None:
    check_argument_count(operation, 2, 2, '["cost_one_of", [OPS, ...], OPS]', place)
    either, at = operation[1], place.at(2)
    if not isinstance(either, list) or len(either) < 2:
        raise at.wrong("not a list of costs", either, "two or more lists of operations")
    _check_options(either, at)
    got = partial(_write_list, code, operation[2], place.at(3), False)
    costs = [partial(_write_list, code, cost, at.at(number + 1), False) for number, cost in enumerate(either)]
    _write_options(code, [partial(_write_payment, code, paid, got) for paid in costs])


def _misplaced_require(code: Code, operation: Sequence[Any], place: Place) -> None:
    raise place.wrong(
        "a requirement must come first in an option or an effect", list(operation), "before other operations"
    )


def _write_if_state(code: Code, operation: Sequence[Any], place: Place) -> None:
    check_argument_count(operation, 2, None, '["if_state", STATE, OP, ...]', place)
    at = emit(code, constants.IF, (constants.STATE_IS, read_state(code, operation[1], place.at(2)), 0, 0))
    write_operations(code, operation, 2, place)
    go_on_here(code, at)


def _write_if(code: Code, operation: Sequence[Any], place: Place) -> None:
    check_argument_count(operation, 2, None, '["if", CONDITION, OP, ...]', place)
    at = emit(code, constants.IF, read_condition(code, operation[1], place.at(2)))
    write_operations(code, operation, 2, place)
    go_on_here(code, at)


def _write_body(
    holder: int, may: bool, argument: int | None, code: Code, operation: Sequence[Any], place: Place
) -> None:
    """Compile an operation whose contained operations are executed by other players, or several times.

    `holder` is the operation's number, and `argument` its argument A. If `argument` is None, A is 1 for an attack and 0
    otherwise. With `may`, each player may decline.
    """
    check_argument_count(operation, 1, None, f'["{operation[0]}", OP, ...]', place)
    attack = int(holder == constants.OTHERS and code.context.attacks)
    at = emit(code, holder, (attack if argument is None else argument, 0, 0, 0))
    inner = emit(code, constants.MAY) if may else None
    write_operations(code, operation, 1, place)
    if inner is not None:
        go_on_here(code, inner)
    emit(code, constants.END)
    go_on_here(code, at)


CONTROL: dict[str, Write] = {
    "may": _write_may,
    "choose": _write_choose,
    "cost": _write_cost,
    "cost_one_of": _write_cost_one_of,
    "require": _misplaced_require,
    "if_state": _write_if_state,
    "if": _write_if,
    "others": partial(_write_body, constants.OTHERS, False, None),
    "all_players": partial(_write_body, constants.ALL_PLAYERS, False, None),
    "others_may": partial(_write_body, constants.OTHERS, True, None),
    "all_players_may": partial(_write_body, constants.ALL_PLAYERS, True, None),
    "for_each_paid": partial(_write_body, constants.FOR_EACH, False, constants.PAID),
    "for_each_abandoned": partial(_write_body, constants.FOR_EACH, False, constants.ABANDONED),
    "for_each_discarded": partial(_write_body, constants.FOR_EACH, False, constants.DISCARDED),
}
"""Operations that contain others."""


def write_program(code: Code, operations: Any, place: Place) -> int:
    """Compile an effect and return its first row, or 0 if there is no effect. Equal effects share rows.

    Raises
    ------
    UserError
        An operation is unknown or has wrong arguments, or the code table is full.
    """
    return _written(code, operations, place, partial(_write_list, code, operations, place)) if operations else 0


def _written(code: Code, said: Any, place: Place, write: Callable[[], None]) -> int:
    """Return the first row of a program; `write` compiles it, unless an equal program exists.

    `said` is the program's key. Cards with the attack icon share no programs with cards without it.
    """
    return written_once(code, [said, code.context.attacks], place, write)


def write_reaction(code: Code, reaction: Reaction, place: Place) -> int:
    """Compile a reaction with its cost and return its first row.

    Raises
    ------
    UserError
        As for `write_program`.
    """
    do = partial(_write_list, code, reaction.do, place.at("do"))
    if not reaction.cost:
        return _written(code, reaction.do, place, do)
    paid = partial(_write_list, code, reaction.cost, place.at("cost"), False)
    said = ["reaction", reaction.cost, reaction.do]
    return _written(code, said, place, partial(_write_payment, code, paid, do))


def write_requirements(code: Code, conditions: Any, place: Place) -> int:
    """Compile the conditions for playing a card and return their first row, or 0 if there are none.

    Raises
    ------
    UserError
        As for `write_program`.
    """
    if not conditions:
        return 0
    required = [["require", condition] for condition in conditions]

    def write() -> None:
        rows = [
            emit(code, constants.REQUIRE, read_condition(code, condition, place.at(number + 1)))
            for number, condition in enumerate(conditions)
        ]
        for row in rows:
            go_on_here(code, row)

    return _written(code, required, place, write)


# ---- Passives ----


def _of_types(code: Code, value: Any, place: Place) -> int:
    bits_of(TYPES, value, place)
    return read_selector(code, "|".join(value), place)


def _shield(code: Code, value: Any, place: Place) -> tuple[int, int]:
    """Return how an attack can be avoided (`SHIELD_BY_RECALL` or `SHIELD_BY_PAYING`), and the argument.

    The argument is the selector of the card to recall, or the population to pay.
    """
    if isinstance(value, list) and len(value) == 3:
        if value[0] == "recall" and value[2] == 1:
            return constants.SHIELD_BY_RECALL, read_own_selector(code, value[1], place.at(2))
        if value[:2] == ["pay", "population"]:
            return constants.SHIELD_BY_PAYING, read_number(code, value[2], place.at(3))
    raise place.wrong("not a way to avoid an attack", value, '["recall", CARD, 1] or ["pay", "population", N]')


REPLACEMENTS: dict[str, list[Any]] = {"discard": [], "discard_and_abandon_pinned": [["abandon", "pinned", 1]]}
"""The operations that a passive ability can add when a card is discarded instead of going into the history, by name."""


def _replacement(code: Code, value: Any, place: Place) -> int:
    """Return the first row of the program that runs when a card is discarded instead of going into the history.

    Return 0 if there is no such program.
    """
    return write_program(code, list(REPLACEMENTS.values())[one_of(tuple(REPLACEMENTS), value, place)], place)


def _excepted(_: Code, value: Any, place: Place) -> int:
    if value != {"except": "progress"}:
        raise place.wrong("not allowed here", value, '{ except = "progress" }')
    return constants.PROGRESS


PASSIVES: dict[str, tuple[Callable[[Code, Any, Place], Any], ...]] = {
    "hand_size": (read_number,),
    "fame_look_extra": (read_number,),
    "ignore_state_icon": (read_selector, read_state),
    "unrest_play_cost": (several_words(("material", "cards")), read_change),
    "development_cost": (read_resource, read_change),
    "market_token_replaced_by": (read_resource, read_number),
    "history_replaced_by": (_replacement,),
    "unrest_to_develop": (read_number,),
    "may_acquire_from_exile": (read_suits,),
    "may_avoid_attack_by": (_shield,),
    "ignore_attacks": (_excepted,),
    "types_are_free_play": (_of_types,),
    "counts_as": (one_word(("region",)), read_number),
    "replace_gain": (read_resource, write_program),
    "sinks_with": (read_selector,),
    "discard_may_abandon_garrisoned": (read_selector,),
}


# ---- Points ----

COUNTED: dict[str, tuple[int, tuple[Argument, ...]]] = {
    "resource": (constants.OF_RESOURCE, (read_resource,)),
    "cards": (constants.OF_CARDS, (read_selector,)),
    "cards_in_play": (constants.OF_CARDS_IN_PLAY, (read_selector,)),
    "cards_in_history": (constants.OF_CARDS_IN_HISTORY, (read_selector,)),
    "cards_garrisoned_here": (constants.OF_CARDS_GARRISONED_HERE, (read_selector,)),
    "exile_pile": (constants.OF_EXILE_PILE, ()),
    "unrest_of_others": (constants.OF_OTHERS_UNREST, ()),
    "players_with_less": (constants.OF_PLAYERS_WITH_LESS, (read_resource,)),
    "cards_sunken": (constants.OF_CARDS_SUNKEN, (read_selector,)),
    "resource_plus_cards": (constants.OF_RESOURCE_PLUS_CARDS, (read_resource, read_selector)),
    "resource_and_cards": (constants.OF_RESOURCE_AND_CARDS, (read_resource, read_selector)),
}
"""Everything that variable points may count, except for icons. A card may count several kinds of icons at once."""


# ---- Listings ----


def _names(first: str, behind: str) -> list[str]:
    """Return the names of a group of constants, given its first name and the first name of the next group."""
    names = list(vars(constants))
    return names[names.index(first) : names.index(behind)]


OPERATION_NAMES = _names("END", "CLEAN_UP")
CONDITION_NAMES = _names("STATE_IS", "CARDS_IN_PLAY")
COUNTER_NAMES = _names("CARDS_IN_PLAY", "NEVER")
BITS: dict[str, Sequence[str]] = {"ZONES": constants.ZONE_NAMES, "SUITS": constants.SUITS}
"""Kinds of arguments that are several words, encoded as bits."""


def _say(selectors: Sequence[str], kind: str, numbers: Sequence[int]) -> list[str]:
    """Return an argument as a string."""
    number, *more = numbers
    said = str(number)
    if kind == "COUNTER":
        return [COUNTER_NAMES[number], *_say(selectors, "ICON" if number == constants.ICONS_IN_PLAY else "WHAT", more)]
    if kind in WORDS:
        said = WORDS[kind][number]
    elif kind in BITS:
        said = "+".join(names_of_bits(BITS[kind], number)) or "nowhere"
    elif kind in ("WHAT", "CARD"):
        special = {constants.NOTHING: "nothing", constants.SELF: "self", constants.DRAWN_IT: "drawn"}
        said = special.get(number, f"[{selectors[number] if selectors else number}]")
    elif kind == "COUNT" and number == constants.ALL_OF:
        said = "all"
    return [said, *(str(other) for other in more)]


def _say_condition(arguments: Sequence[int], behind: int, say: Say) -> str:
    form = next(form for form in CONDITIONS.values() if form.operation == arguments[0])
    said = [word for kind, column in form.arguments for word in say(kind, [arguments[column - A]])]
    return f"{' '.join([CONDITION_NAMES[arguments[0]], *said])}, else to {behind}"


HOLDS = (constants.MAY, constants.CHOOSE, constants.OPTION, constants.OTHERS, constants.ALL_PLAYERS, constants.FOR_EACH)
"""Operations that contain others. A listing shows their argument A and the row at which they continue."""
LANGUAGE = Language(
    names=OPERATION_NAMES,
    arguments=D - constants.OPERATION,
    end=constants.END,
    forms=FORMS,
    control=CONTROL,
    kinds=KINDS,
    wide_kinds={"COUNT": read_count, "COUNTER": _counter},
    write_plain=_write_plain,
    control_in_words={
        constants.END: lambda _, __, ___: "",
        constants.JUMP: lambda _, behind, __: f"to {behind}",
        constants.COST: lambda arguments, behind, _: f"up to {arguments[0]}, then to {behind}",
        constants.IF: _say_condition,
        constants.REQUIRE: _say_condition,
        **dict.fromkeys(HOLDS, lambda arguments, behind, _: f"{arguments[0]}, then to {behind}"),
    },
)
"""The language of card effects."""


def effect_listing(t: Any, start: int, selectors: Sequence[str] = ()) -> list[str]:
    """Return a program as strings, one for each instruction.

    Parameters
    ----------
    t, start
        The tables, and the first row of the program in `t.code` (0 for no program).
    selectors
        The texts of `selector_names`. Without them, selectors are shown as numbers.
    """
    return listing(LANGUAGE, t.code, start, partial(_say, selectors)) if start else []

"""Compiles a catalogue of Imperium into the tables that kernels read."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.data.place import Place
from sim.data.programs import Code, check_argument_count, emit, look_up, program_end
from sim.errors import UserError
from sim.games.imperium.data import language
from sim.games.imperium.data.arguments import Context, read_icon, read_selector
from sim.games.imperium.data.catalog import (
    COMMONS,
    HINTS,
    KINDS_OF_CARDS,
    LESSONS,
    STARTS,
    Card,
    Catalog,
    NationCard,
    PointsByPlace,
    Power,
    Reaction,
    other_side,
)
from sim.games.imperium.rules import constants as words
from sim.games.imperium.rules.tables import MAX_CARDS, MAX_CODE, MAX_EFFECTS_LEARNT, MAX_IGNORES, TABLES
from sim.games.shared.describe import bits_of_names
from sim.games.shared.filling import fill_rules


def build_tables(catalog: Catalog) -> Any:
    """Return a read-only record of dtype `TABLES` with the cards, their compiled effects and the rules."""
    return _compiled(catalog).array[0]


def selector_names(catalog: Catalog) -> list[str]:
    """Return the texts of all selectors in the order of `t.selector`, as `effect_listing` needs them."""
    return _compiled(catalog).code.context.selector_names


@dataclass(frozen=True)
class Compiled:
    """The tables of a catalogue, and the code table with the compiler's context."""

    catalog: Catalog
    array: NDArray[Any]
    code: Code


KEPT: deque[Compiled] = deque(maxlen=4)
"""The last four results of `compiled_as_a_whole`. Catalogues that differ from one in few cards reuse its tables."""
MAX_PATCHED = 16
"""Maximum number of changed cards in a patch. With more, the whole catalogue is compiled."""


def _compiled(catalog: Catalog) -> Compiled:
    """Compile a catalogue. If it differs from one in `KEPT` in only a few cards, recompile only these cards."""
    for base in KEPT:
        changed = cards_to_patch(base.catalog, catalog)
        if changed is not None:
            try:
                return patched(base, catalog, changed)
            except UserError:
                # Either the files have a mistake, or the code table is full because it still has the old programs of
                # the changed cards. Compiling all cards rules out the latter, and reports the first mistake if any.
                break
    compiled = compiled_as_a_whole(catalog)
    KEPT.append(compiled)
    return compiled


def compiled_as_a_whole(catalog: Catalog) -> Compiled:
    """Compile all cards of a catalogue, without reusing earlier tables."""
    array = np.zeros(1, TABLES)
    t: Any = array[0]
    t.cards, t.factions = len(catalog.cards), len(catalog.factions)
    _fill_blanks(t)
    code = Code(language.LANGUAGE, MAX_CODE, Context(catalog.cards))
    emit(code, words.END)
    for what in ("any", *words.SUITS):
        read_selector(code, what, Place(catalog.folder, "", ""))
    _fill_cards(t, code, catalog, range(len(catalog.cards)))
    _fill_factions(t, catalog)
    _fill_rules(t, catalog)
    t.king_of_kings = catalog.king_of_kings
    array.flags.writeable = False
    return Compiled(catalog, array, code)


def _fill_cards(t: Any, code: Code, catalog: Catalog, cards: Iterable[int]) -> None:
    """Fill in the given cards, then the code and the selectors."""
    # The first card with a name stands for all cards with that name.
    ids = {row.id: card for card, row in reversed(list(enumerate(catalog.cards)))}
    names = {row.name: card for card, row in reversed(list(enumerate(catalog.cards)))}
    for card in cards:
        row = catalog.cards[card]
        place = Place(catalog.folder / catalog.files[card], catalog.label(card), "")
        code.context.attacks = row.attack
        _fill_print(t, catalog, card, ids, names)
        _fill_programs(t, code, card, row, place)
        _fill_triggers(t, code, card, row, place)
        _fill_passives(t, code, card, row, place)
        t.passives[card] = passives_of(t, card)
        _fill_points(t, code, card, row, place)
        _fill_lessons(t, catalog, card)
    t.code[: len(code.rows)] = code.rows
    ends = ends_of(code.rows)
    t.code_end[: len(ends)] = ends
    for card in cards:
        t.play_asks[card] = asks(code.rows, int(t.program[card, words.PLAY_PROGRAM]))
    for meant, number in code.context.selectors.items():
        t.selector[number, : len(meant)] = meant


def ends_of(rows: Sequence[Sequence[int]]) -> list[int]:
    """Return, for each instruction, the row of the next END that is not nested more deeply than the instruction."""
    ends = list(range(len(rows)))
    for at in range(len(rows) - 1, -1, -1):
        if rows[at][words.OPERATION] != words.END:
            ends[at] = ends[rows[at][words.NEXT]]
    return ends


def asks(rows: Sequence[Sequence[int]], at: int) -> bool:
    """Tell whether the program from row `at` has a payment, cost or choice that is not inside another instruction."""
    while rows[at][words.OPERATION] != words.END:
        if rows[at][words.OPERATION] in (words.PAY, words.COST, words.CHOOSE):
            return True
        at = rows[at][words.NEXT]
    return False


def cards_to_patch(before: Catalog, catalog: Catalog) -> list[int] | None:
    """Return the cards that differ between two catalogues; None if patching is impossible.

    A patch is possible only if nothing else has changed. In particular, the changed cards must keep the properties on
    which effects of other cards depend, such as suits.
    """
    around = ("folder", "files", "nation_of", "nations", "factions", "constants", "settings", "lessons")
    if any(getattr(before, name) != getattr(catalog, name) for name in around):
        return None
    pairs = enumerate(zip(before.cards, catalog.cards, strict=True))
    changed = [card for card, (old, new) in pairs if old is not new and old != new]
    same = all(asked_about(before.cards[card]) == asked_about(catalog.cards[card]) for card in changed)
    return changed if same and len(changed) <= MAX_PATCHED else None


def asked_about(card: Card) -> list[object]:
    """Return the properties of a card on which selectors and effects of other cards depend, such as its suits."""
    icons = [bool(getattr(card.icons, icon)) for icon in words.ICONS]
    own = (card.id, card.name, card.kind, card.side, card.suits, card.types, card.state, card.points_icon)
    return [*own, card.attack, card.pinned, icons]


def patched(base: Compiled, catalog: Catalog, cards: Sequence[int]) -> Compiled:
    """Return the tables of `base` with some cards recompiled. New programs are appended to the code table."""
    known: Context = base.code.context
    context = replace(
        known, cards=catalog.cards, selectors=dict(known.selectors), selectors_said=dict(known.selectors_said),
        selector_names=list(known.selector_names),
    )  # fmt: skip
    code = replace(base.code, context=context, rows=list(base.code.rows), programs=dict(base.code.programs))
    array, blank = base.array.copy(), np.zeros(1, TABLES)
    t: Any = array[0]
    _fill_blanks(blank[0])
    for name, (kind, *_) in (TABLES.fields or {}).items():
        if kind.shape[:1] == (MAX_CARDS,):
            array[name][0, list(cards)] = blank[name][0, list(cards)]
    _fill_cards(t, code, catalog, cards)
    array.flags.writeable = False
    return Compiled(catalog, array, code)


def _fill_blanks(t: Any) -> None:
    """Fill in the default values that are not 0."""
    for name in ("nation", "other_side", "replaces_gain"):
        t[name][:] = -1
    t.state[:] = words.NO_STATE
    for name in ("ignores", "plays_free", "sinks_with"):
        t[name][:] = words.NOTHING
    t.market_token[:, 0] = -1
    t.stores[:] = words.PROGRESS


def _fill_print(t: Any, catalog: Catalog, card: int, ids: Mapping[str, int], names: Mapping[str, int]) -> None:
    """Fill in everything that is printed on a card, except for its effects.

    `ids` and `names` give the first card with each id and each name.
    """
    row = catalog.cards[card]
    t.nation[card] = catalog.nation_of[card]
    t.box[card] = COMMONS.get(catalog.files[card].removesuffix(".toml"), 0)
    t.kind[card] = KINDS_OF_CARDS.index(row.kind)
    if row.side is not None:
        t.other_side[card] = ids[other_side(row.id)]
    t.name[card] = names[row.name]
    t.suits[card] = bits_of_names(words.SUITS, row.suits)
    t.state[card] = words.NO_STATE if row.state is None else words.STATES.index(row.state)
    t.icons[card] = [getattr(row.icons, icon) for icon in words.ICONS]
    start = "in_play" if isinstance(row, Power) else row.start if isinstance(row, NationCard) else "commons"
    t.start[card] = STARTS.index(start)
    t.min_players[card] = row.min_players
    if isinstance(row, NationCard):
        t.cost[card] = [getattr(row.cost, resource) for resource in words.RESOURCES]
    for name in ("pinned", "attack", "free_play", "unplayable", "no_garrison", "comes_last"):
        t[name][card] = getattr(row, name)
    t.fixed_in_play[card] = row.cannot_be_abandoned_or_recalled
    t.region_weight[card] = "region" in row.suits


PROGRAM_FIELDS = {
    "play": words.PLAY_PROGRAM,
    "exhaust": words.EXHAUST_PROGRAM,
    "solstice": words.SOLSTICE_PROGRAM,
    "on_gain": words.GAIN_PROGRAM,
    "on_enter_play": words.ENTER_PROGRAM,
    "on_resolve": words.RESOLVE_PROGRAM,
    "before_scoring": words.SCORING_PROGRAM,
}
"""Fields of a card's row. Each field is compiled to a program of its own."""


def _fill_programs(t: Any, code: Code, card: int, row: Card, place: Place) -> None:
    for name, program in PROGRAM_FIELDS.items():
        t.program[card, program] = language.write_program(code, getattr(row, name), place.at(name))
        _fill_stored(t, code, card, int(t.program[card, program]))
    required = language.write_requirements(code, row.require, place.at("require"))
    t.program[card, words.REQUIRE_PROGRAM] = required


def _fill_stored(t: Any, code: Code, card: int, start: int) -> None:
    """Fill in the resource whose tokens may lie on a card, if one of its programs (from row `start`) places tokens."""
    for row in code.rows[start : program_end(language.LANGUAGE, code.rows, start) + 1]:
        if row[words.OPERATION] in (words.PLACE_ON_SELF, words.MOVE_TO_SELF):
            t.stores[card] = row[words.A]


LESSON_PROGRAMS = {
    **PROGRAM_FIELDS,
    "react": words.REACT_PROGRAM,
    "when": words.WHEN_PROGRAM,
    "replace_gain": words.REPLACE_GAIN_PROGRAM,
}
"""Programs of a card, by the names that lessons give them."""


def _fill_lessons(t: Any, catalog: Catalog, card: int) -> None:
    """Fill in the learned bonuses of a card. Bonuses of effects have names such as "play.4"."""
    lesson = catalog.lessons.get(catalog.cards[card].id)
    if lesson is None:
        return
    for what, name in enumerate(LESSONS):
        early = getattr(lesson, name)
        t.card_lesson[card, what] = early, early + getattr(lesson.late, name)
    t.acting_lesson[card] = lesson.play_left, lesson.use_left
    place = Place(catalog.folder / "lessons.toml", lesson.id, "effects")
    if len(lesson.effects) > MAX_EFFECTS_LEARNT:
        raise place.wrong("too many effects", len(lesson.effects), f"up to {MAX_EFFECTS_LEARNT}")
    for number, (effect, points) in enumerate(lesson.effects.items()):
        name, _, row = effect.partition(".")
        if name not in LESSON_PROGRAMS or not row.isdecimal() or int(row) >= MAX_CODE:
            allowed = [f"{program}.0" for program in LESSON_PROGRAMS]
            raise place.wrong("no such effect", effect, allowed)
        start = int(t.program[card, LESSON_PROGRAMS[name]])
        if start != 0:  # 0 if a change has removed the program
            t.lesson_at[card, number], t.effect_lesson[card, number] = start + int(row), points


def _fill_triggers(t: Any, code: Code, card: int, row: Card, place: Place) -> None:
    """Fill in a card's reaction and its automatic effect."""
    if row.when is not None:
        at = place.at("when")
        t.when[card], t.when_to[card] = language.read_trigger(code, row.when.on, at.at("on"))
        t.program[card, words.WHEN_PROGRAM] = language.write_program(code, row.when.do, at.at("do"))
    if row.react is None:
        return
    at = place.at("react")
    t.react_on[card], t.react_to[card] = language.read_trigger(code, row.react.on, at.at("on"))
    t.react_any_turn[card] = row.react.any_turn
    if t.react_on[card] == words.DISCARD_REQUIRED:
        _fill_relief(t, code, card, row.react, at)
        return
    t.program[card, words.REACT_PROGRAM] = language.write_reaction(code, row.react, at)
    if t.react_on[card] == words.ANOTHER_ATTACKS:
        t.shield[card] = words.SHIELD_BY_EXHAUST
        t.shield_arg[card] = _population_paid(row.react.cost, at.at("cost"))


def _population_paid(cost: Any, place: Place) -> int:
    """Return the population in the cost of a reaction that avoids an attack; refuse any other kind of cost."""
    if not cost:
        return 0
    if len(cost) != 1 or cost[0][:2] != ["pay", "population"]:
        raise place.wrong("an attack can only be avoided by paying population", cost, '[["pay", "population", N]]')
    return int(cost[0][2])


def _fill_relief(t: Any, code: Code, card: int, reaction: Reaction, place: Place) -> None:
    """Fill in a reaction that lowers a required discard by one card; refuse any other effect for this trigger."""
    lowered = [["reduce_required_discard", reaction.on[1], 1]]
    if reaction.do != lowered or reaction.cost:
        raise place.at("do").wrong("not an effect for this trigger", reaction.do, str(lowered))
    t.discard_relief[card], t.relief_of[card] = 1, t.react_to[card]


# ---- Passives ----


def _fill_passives(t: Any, code: Code, card: int, row: Card, place: Place) -> None:
    for number, passive in enumerate(row.passive):
        at = place.at("passive", number + 1)
        name = look_up(language.PASSIVES, passive, at, "passive")
        kinds = language.PASSIVES[name]
        check_argument_count(passive, len(kinds), len(kinds), f'["{name}"] with {len(kinds)} arguments', at)
        values = [kind(code, passive[n + 1], at.at(n + 2)) for n, kind in enumerate(kinds)]
        if name == "ignore_state_icon":
            _fill_ignored(t, card, values, at)
        else:
            _fill_passive(t, card, name, values)


def _fill_ignored(t: Any, card: int, values: Sequence[int], place: Place) -> None:
    """Fill in `values`: a selector, and the state icon of its cards that `card` lets its player ignore."""
    for number in range(MAX_IGNORES):
        if t.ignores[card, number, 0] == words.NOTHING:
            t.ignores[card, number] = values
            return
    raise place.wrong("too many ignored state icons on one card", MAX_IGNORES + 1, f"at most {MAX_IGNORES}")


def _fill_passive(t: Any, card: int, name: str, values: Sequence[Any]) -> None:
    match name:
        case "hand_size":
            t.hand_size[card] = values[0]
        case "fame_look_extra":
            t.look_extra[card] = values[0]
        case "unrest_play_cost":
            t.unrest_cost[card] = [values[1] * (values[0] >> column & 1) for column in (0, 1)]
        case "development_cost":
            t.development_cost[card, values[0]] = values[1]
        case "market_token_replaced_by":
            t.market_token[card] = values
        case "history_replaced_by":
            t.program[card, words.HISTORY_PROGRAM] = values[0]
        case "unrest_to_develop":
            t.unrest_to_develop[card] = values[0]
        case "may_acquire_from_exile":
            t.exile_suits[card] = values[0]
        case "may_avoid_attack_by":
            t.shield[card], t.shield_arg[card] = values[0]
        case "ignore_attacks":
            t.shield[card], t.shield_arg[card] = words.SHIELD_ALWAYS, values[0]
        case "types_are_free_play":
            t.plays_free[card] = values[0]
        case "counts_as":
            t.region_weight[card] = values[1]
        case "replace_gain":
            t.replaces_gain[card], t.program[card, words.REPLACE_GAIN_PROGRAM] = values
        case "sinks_with":
            t.sinks_with[card] = values[0]
        case "discard_may_abandon_garrisoned":
            t.discard_relief[card], t.relief_of[card] = 2, values[0]


def passives_of(t: Any, card: int) -> int:
    """Return the column `passives` of a card, computed from its other columns: its triggers and abilities, as bits."""
    does = {
        words.REPLACES_GAIN: t.replaces_gain[card] >= 0,
        words.PLAYS_FREE: t.plays_free[card] >= 0,
        words.IGNORES_ICON: (t.ignores[card, :, 0] >= 0).any(),
        words.LOWERS_DISCARD: t.discard_relief[card] != 0,
        words.CHANGES_UNREST_COST: t.unrest_cost[card].any(),
        words.CHANGES_DEVELOPMENT_COST: t.development_cost[card].any(),
        words.CHANGES_HAND_SIZE: t.hand_size[card] != 0,
        words.ADDS_TO_DISCARD: t.program[card, words.HISTORY_PROGRAM] != 0,
    }
    waits = 1 << int(t.when[card]) | 1 << int(t.react_on[card])
    return waits | sum(1 << passive for passive, there in does.items() if there)


# ---- Points ----


def _fill_points(t: Any, code: Code, card: int, row: Card, place: Place) -> None:
    if row.points_icon in ("fixed", "negative") and row.vp is not None:
        t.points_kind[card] = words.FIXED_POINTS
        t.points_at[card] = [PointsByPlace(otherwise=row.vp).at(zone) for zone in words.ZONE_NAMES]
    elif row.vp_where is not None:
        t.points_kind[card] = words.CONDITIONAL_POINTS
        t.points_at[card] = [row.vp_where.at(zone) for zone in words.ZONE_NAMES]
    elif row.vp_for is not None:
        t.points_kind[card] = words.VARIABLE_POINTS
        t.points[card], t.per[card], t.cap[card] = row.vp_for.points, row.vp_for.per, row.vp_for.cap
        t.of[card], *arguments = _counted(code, row.vp_for.of, place.at("vp_for.of"))
        t.of_arg[card, : len(arguments)] = arguments


def _counted(code: Code, of: Sequence[str], place: Place) -> list[int]:
    """Return the kind of things that variable points count, followed by the arguments of this kind."""
    if of[0] == "icons":
        bits = sum({1 << read_icon(code, icon, place.at(n + 2)) for n, icon in enumerate(of[1:])})
        if not bits:
            raise place.wrong("wrong number of arguments", of, '["icons", ICON, ...]')
        return [words.OF_ICONS, bits]
    name = look_up(language.COUNTED | {"icons": None}, of, place, "kind of count")
    kind, arguments = language.COUNTED[name]
    check_argument_count(of, len(arguments), len(arguments), f'["{name}"] with {len(arguments)} arguments', place)
    return [kind, *(read(code, of[n + 1], place.at(n + 2)) for n, read in enumerate(arguments))]


# ---- Factions and rules ----


def _fill_factions(t: Any, catalog: Catalog) -> None:
    for faction, power in enumerate(catalog.factions):
        number = catalog.nation_of[power]
        nation = catalog.nations[number]
        t.faction_nation[faction], t.faction_power[faction] = number, power
        for name in ("has_history", "sinks", "develops", "becomes_empire", "starts_empire"):
            t[f"faction_{name}"][faction] = getattr(nation, name)
        t.faction_exhausts[faction] = nation.exhaust_tokens
        t.faction_hint[faction, : len(HINTS)] = [getattr(nation.hints, name) for name in HINTS]


APART = (
    "start_resource",
    "deck_size",
    "fame_removed",
    "break_through_fallback",
    "king_of_kings_once_per_player",
    "active_quest_is_scored",
    "unpayable_cost_forbids_play",
    "play_trigger_timing",
)
"""Numbers of the rulebook and settings whose columns have another name or another shape."""


def _fill_rules(t: Any, catalog: Catalog) -> None:
    constants, settings = catalog.constants, catalog.settings
    fill_rules(t, catalog, words.SETTINGS, APART)
    t.start_resource[:] = [getattr(constants.start_resource, resource) for resource in words.RESOURCES]
    for number, players in enumerate(words.PLAYERS):
        t.deck_size[players] = constants.deck_size[number]
        t.fame_removed[players] = constants.fame_removed[number]
    t.fallback_resource = words.RESOURCES.index(str(settings["break_through_fallback"]))
    t.king_once_per_player = int(bool(settings["king_of_kings_once_per_player"]))
    t.quest_is_scored = int(bool(settings["active_quest_is_scored"]))
    forbids = words.SETTINGS["unpayable_cost_forbids_play"]
    t.unpayable_forbids = forbids.index(settings["unpayable_cost_forbids_play"])
    t.play_triggers_first = int(settings["play_trigger_timing"] == "before")

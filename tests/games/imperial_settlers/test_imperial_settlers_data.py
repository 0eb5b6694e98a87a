"""What the files may say: the cards of the box, changes, and mistakes that are named."""

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from sim.data.changes import parse_change
from sim.errors import UserError
from sim.game import load_game
from sim.games.imperial_settlers.data.catalog import FOLDER, load_catalog
from sim.games.imperial_settlers.data.compile import build_tables
from sim.games.imperial_settlers.data.language import effect_listing
from sim.games.imperial_settlers.data.models import HINTS
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.tables import MAX_ZONE

CATALOG = load_catalog()
T = build_tables(CATALOG)


def code_of(code: str) -> int:
    """Row of the card table that a printed code stands for."""
    return CATALOG.codes.index(code)


def changed(*texts: str) -> Any:
    return build_tables(load_catalog(changes=[parse_change(text) for text in texts]))


# ---- The cards of the box ----


def test_attack_cards_are_sixteen_with_seven_targets() -> None:
    targets = Counter(constants.GOODS[good] for good in T.deal_good[T.attack_first : T.cards])
    assert targets == {"wood": 3, "gold": 3, "card": 3, "stone": 2, "worker": 2, "vp": 2, "food": 1}
    assert (T.attack_cards, T.cards) == (16, 220)
    assert set(T.kind[T.attack_first : T.cards]) == {constants.ATTACK_CARD}
    assert set(T.deck[T.attack_first : T.cards]) == {constants.SOLO}


def test_names_number_the_cards_and_the_attack_cards_behind_them() -> None:
    names = CATALOG.names
    assert len(names) == 126 + 7
    assert [names[number] for number in T.name[: T.cards]] == [
        *(card.name for card in CATALOG.cards),
        *(card.name for card in CATALOG.attacks),
    ]
    assert [CATALOG.cards[card].name for card in CATALOG.first_copies] == list(names[:126])
    assert load_game("imperial_settlers").load({}).pieces == names[:126]


# ---- Programs ----


def words_of(t: Any, start: int) -> list[str]:
    """Operations of a program in words."""
    return [line.partition(" ")[2] for line in effect_listing(t, start)]


def test_programs_read_in_words_as_the_files_say() -> None:
    programs = [
        ("COM001", constants.BONUS, ["gain_per_colour vp 1 grey 6", "draw any 1", "end"]),
        ("BAR028", constants.ACTS, ["look any 2 1 discarded", "end"]),
        ("BAR010", constants.ACTS, ["take_resource wood+stone+food", "end"]),
        ("JAP026", constants.ACTS, ["discard_deal gained", "end"]),
        ("EGY014", constants.ACTS, ["found_from_hand common", "gain stone 1", "gain vp 1", "end"]),
        ("COM007", constants.FEATURES, []),
    ]
    for code, which, words in programs:
        assert words_of(T, int(T.program[code_of(code), which])) == words
    none = T.program[code_of("COM007"), [constants.BONUS, constants.ACTS, constants.FEATURES]]
    assert set(none.tolist()) == {constants.NO_PROGRAM}


def test_a_choice_that_ends_a_branch_goes_on_behind_the_outer_one() -> None:
    inner = '["may", [["gain", "wood", 1]]]'
    outer = f'[["choose", [["gain", "vp", 1], {inner}], [["draw", "any", 1]]], ["gain", "gold", 1]]'
    t = changed(f"common.toml#Statue.bonus={outer}")
    start = int(t.program[code_of("COM001"), constants.BONUS])
    words = words_of(t, start)
    assert [word.split()[0] for word in words] == [
        "choose", "branch", "gain", "may", "branch", "gain", "branch", "draw", "gain", "end"
    ]  # fmt: skip
    behind = start + 8
    for row in (0, 3, 4, 5, 6, 7):
        assert t.code[start + row, constants.NEXT] == behind, words[row]
    assert [int(t.code[start + row, constants.D]) for row in (1, 4, 6)] == [behind] * 3
    assert t.code[start + 1, constants.NEXT] == start + 6
    assert t.code[start, constants.A] == 2


def test_what_is_said_twice_is_written_once() -> None:
    places = (("COM046", constants.ACTS), ("COM048", constants.ACTS), ("COM065", constants.PRODUCES))
    (once,) = {int(T.program[code_of(code), which]) for code, which in places}
    assert once != constants.NO_PROGRAM


def test_programs_whose_moment_matters_are_marked() -> None:
    marked = {CATALOG.cards[card].name for card in range(len(CATALOG.cards)) if T.draws[card, constants.PRODUCES]}
    assert marked == {
        "Watchtower", "Farmers at Work", "Legion", "Architect", "Buddha's Temple", "Pharaoh's Guard",
    }  # fmt: skip


def test_an_action_or_feature_that_does_nothing_has_a_program_all_the_same() -> None:
    t = changed("common.toml#Castle.action.do=[]", "common.toml#Supplier.feature.do=[]")
    for code, which in (("COM046", constants.ACTS), ("COM002", constants.FEATURES)):
        assert t.code[t.program[code_of(code), which], constants.OPERATION] == constants.OP_END


# ---- Rules ----


def test_numbers_are_those_of_the_rulebook() -> None:
    assert (T.start_common, T.start_faction, T.raze_cost_hand, T.raze_cost_location) == (2, 2, 1, 2)
    assert (T.deal_cost, T.foundation_wood, T.pair) == (1, 1, 2)
    assert T.title_from[: len(constants.TITLES)].tolist() == [0, 30, 40, 50, 60, 70, 80]
    assert {int(points) for points in T.points_end[: T.commons]} == {1}
    assert {int(points) for points in T.points_end[T.commons : T.attack_first]} == {2}


def test_settings_have_the_defaults_of_the_rules_digest_and_reach_the_tables() -> None:
    assert (T.reshuffle, T.draw_one_by_one, T.free_step_before_pass, T.gold_breaks_ties) == (0, 1, 1, 0)
    assert [CATALOG.settings[name] for name in ("build_order", "reset_uses", "sanctuary_takes", "desert_chooser")] == [
        "effects first", "all", "common", "opponent",
    ]  # fmt: skip
    other = load_catalog(settings={"reshuffle": "all", "gold_breaks_ties": True})
    t = build_tables(other)
    assert (t.reshuffle, t.gold_breaks_ties) == (1, 1)
    assert other.digest != CATALOG.digest


# ---- Changes ----


CHANGES: list[tuple[str, str, str, tuple[int, ...], int]] = [
    ("common.toml#Castle.cost.wood=3", "cost", "COM046", (constants.WOOD,), 3),
    ("common.toml#Castle.variants.1.cost.stone=1", "cost", "COM048", (constants.STONE,), 1),
    ("common.toml#castle.action.pay.worker=2", "pay", "COM046", (constants.WORKER,), 2),
    ("common.toml#castle.uses=1", "uses", "COM046", (), 1),
    ("common.toml#Town.points=3", "points_end", "COM015", (), 3),
    ("egyptians.toml#oasis.number=2", "feature_number", "EGY005", (), 2),
    ("japanese.toml#Shrine.end.2.2=7", "end_tier", "JAP015", (1, 1), 7),
    ("romans.toml#Legion.deal=gold", "deal_good", "ROM017", (), constants.GOLD),
    ("japanese.toml#Gate.cannot_be_razed=false", "razeable", "JAP013", (), 1),
    ("rules.toml#constants.faction_points=3", "points_end", "ROM017", (), 3),
]
OTHER_CHANGES = [
    *("romans.toml#faction.board.worker=3", "rules.toml#constants.pair=3", "attack.toml#wood.copies=4"),
    *("common.toml#Town.production.1.3=5", "romans.toml#faction.hints.stone=-1"),
]


def test_what_is_changed_in_a_file_is_changed_in_the_tables() -> None:
    t = changed(*(text for text, *_ in CHANGES), *OTHER_CHANGES)
    for text, field, code, place, value in CHANGES:
        assert t[field][code_of(code), *place] == value != T[field][code_of(code), *place], text
    assert (t.board[constants.ROMANS, constants.WORKER], t.pair, t.attack_cards) == (3, 3, 17)
    assert t.code[t.program[code_of("COM015"), constants.PRODUCES], constants.B] == 5
    assert t.hint[constants.ROMANS, HINTS.index("stone")] == -1


# ---- What fits the tables ----


def folder_with(tmp_path: Path, count: int) -> Path:
    """Copy the game's folder, with this many common cards that cost nothing and do nothing."""
    row = '[[card]]\nname = "Hut {0}"\nnumbers = [{0}]\nkind = "production"\ncolours = []\ncost = {{}}\n'
    cards = "".join(row.format(number) + 'certainty = "stand-in"\n' for number in range(1, count + 1))
    folder = tmp_path / str(count) / "imperial_settlers"
    shutil.copytree(FOLDER, folder)
    (folder / "common.toml").write_text(cards, encoding="utf-8")
    lessons = '[[lesson]]\nname = "Hut 1"\n[[move]]\nmove = "pass"\npoints = [0, 0, 0, 0, 0]\n'
    (folder / "lessons.toml").write_text(lessons, encoding="utf-8")
    return folder


def test_the_common_cards_are_enough_for_a_table_and_not_too_many_for_a_hand(tmp_path: Path) -> None:
    least, most = 18, MAX_ZONE - 30
    for count in (least, most):
        assert build_tables(load_catalog(folder_with(tmp_path, count))).commons == count
    with pytest.raises(UserError, match=r"too many common cards \(found: 99\); allowed: at most 98"):
        load_catalog(folder_with(tmp_path, most + 1))
    with pytest.raises(UserError, match=r"too few common cards .*\(found: 17\); allowed: at least 18"):
        load_catalog(folder_with(tmp_path, least - 1))


def test_more_operations_than_fit_the_code_are_refused() -> None:
    many = ", ".join(['["gain", "vp", 1]'] * 2100)
    with pytest.raises(UserError, match="too many operations in all files"):
        changed(f"common.toml#Statue.bonus=[{many}]")

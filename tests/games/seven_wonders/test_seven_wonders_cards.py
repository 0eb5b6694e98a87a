"""What the files of 7 Wonders say: the cards and boards of the rulebook, and their numbers for the kernels."""

import pytest

from sim.errors import UserError
from sim.games.seven_wonders.data.catalog import Card, Cost
from sim.games.seven_wonders.data.language import Shields, VictoryPoints
from sim.games.seven_wonders.rules import constants
from sim.games.seven_wonders.rules.constants import RESOURCES, SETTINGS, SYMBOLS
from sim.games.seven_wonders.rules.tables import stage_item
from tests.games.seven_wonders.playing import CATALOG, T, tables


def card(name: str, age: int) -> Card:
    return CATALOG.cards[CATALOG.card_id(name, age)]


def effects_of(item: int) -> list[list[int]]:
    return T.item_effects[item, : T.item_effect_count[item]].tolist()


def stage_of(faction: str, stage: int) -> int:
    return stage_item(CATALOG.faction_names.index(faction), stage - 1)


# ---- What the rulebook prints ----


def test_the_box_holds_49_49_and_50_cards_and_ten_guilds_in_age_three() -> None:
    printed = [sum(len(c.copies) + c.guild for c in CATALOG.cards if c.age == age) for age in (1, 2, 3)]
    assert printed == [49, 49, 50]
    assert [c.age for c in CATALOG.cards if c.guild] == [3] * 10


def test_seven_wonders_have_two_sides_each_and_a_good_of_their_own() -> None:
    assert T.factions == 14
    assert len(CATALOG.wonder_names) == 7
    assert [CATALOG.faction_names.count(f"{name} {side}") for name in CATALOG.wonder_names for side in "AB"] == [1] * 14
    assert sorted(set(T.faction_resource[:14].tolist())) == list(range(7))
    stages = dict(zip(CATALOG.faction_names, T.faction_stages.tolist(), strict=False))
    assert {name: count for name, count in stages.items() if count != 3} == {"Rhodos B": 2, "Gizah B": 4}


def test_no_brown_or_grey_card_is_in_age_three() -> None:
    assert not [c.name for c in CATALOG.cards if c.age == 3 and c.colour in ("brown", "grey")]


def test_red_cards_have_as_many_shields_as_their_age() -> None:
    assert all(c.effects == [Shields(shields=c.age)] for c in CATALOG.cards if c.colour == "red")


def test_each_symbol_is_on_four_green_cards() -> None:
    symbols = [c.effects[0].science for c in CATALOG.cards if c.colour == "green"]  # type: ignore[union-attr]
    assert [symbols.count(symbol) for symbol in SYMBOLS] == [4, 4, 4]


@pytest.mark.parametrize(
    ("name", "age", "cost"),
    [
        ("Marketplace", 1, {}), ("East Trading Post", 1, {}), ("Mine", 1, {"coins": 1}), ("Baths", 1, {"stone": 1}),
        ("Timber Yard", 1, {"coins": 1}), ("Barracks", 1, {"ore": 1}), ("Scriptorium", 1, {"papyrus": 1}),
        ("Arena", 3, {"stone": 2, "ore": 1}), ("Aqueduct", 2, {"stone": 3}),
        ("Stables", 2, {"clay": 1, "wood": 1, "ore": 1}), ("University", 3, {"wood": 2, "glass": 1, "papyrus": 1}),
        ("Library", 2, {"stone": 2, "cloth": 1}), ("Forum", 2, {"clay": 2}),
    ],
)  # fmt: skip
def test_costs_are_those_of_the_rulebook(name: str, age: int, cost: dict[str, int]) -> None:
    assert card(name, age).cost == Cost(**cost)


@pytest.mark.parametrize(
    ("name", "age", "points"),
    [
        ("Pawnshop", 1, 3), ("Baths", 1, 3), ("Altar", 1, 2), ("Theater", 1, 2), ("Aqueduct", 2, 5), ("Temple", 2, 3),
        ("Statue", 2, 4), ("Courthouse", 2, 4), ("Pantheon", 3, 7), ("Gardens", 3, 5), ("Town Hall", 3, 6),
        ("Palace", 3, 8), ("Senate", 3, 6),
    ],
)  # fmt: skip
def test_civilian_points_are_those_of_the_rulebook(name: str, age: int, points: int) -> None:
    assert card(name, age).effects == [VictoryPoints(vp=points)]


@pytest.mark.parametrize(
    ("parent", "child", "age"),
    [
        ("Scriptorium", "Library", 2),
        ("Scriptorium", "Courthouse", 2),
        ("Apothecary", "Stables", 2),
        ("Theater", "Statue", 2),
        ("Statue", "Gardens", 3),
        ("East Trading Post", "Forum", 2),
        ("West Trading Post", "Forum", 2),
    ],
)
def test_chains_are_those_of_the_rulebook(parent: str, child: str, age: int) -> None:
    child_id = CATALOG.card_id(child, age)
    assert CATALOG.names.index(parent) in T.chain_from[child_id]
    assert child_id in T.chain_to[CATALOG.card_id(parent, age - 1)]


def test_every_row_is_marked_confirmed() -> None:
    assert CATALOG.certainty["cards"] == {"confirmed": 78, "single-source": 0, "stand-in": 0}
    assert CATALOG.certainty["wonders"] == {"confirmed": 14, "single-source": 0, "stand-in": 0}
    assert sum(CATALOG.certainty["settings"].values()) == len(SETTINGS)


# ---- Tables ----


def test_a_name_in_two_ages_has_one_name_id() -> None:
    first, second = CATALOG.card_id("Loom", 1), CATALOG.card_id("Loom", 2)
    assert first != second
    assert T.card_name[first] == T.card_name[second]
    assert T.names == len(CATALOG.names) == 75


def test_both_sides_of_a_board_share_its_id() -> None:
    a, b = CATALOG.faction_names.index("Rhodos A"), CATALOG.faction_names.index("Rhodos B")
    assert T.faction_wonder[a] == T.faction_wonder[b]
    assert T.faction_resource[a] == T.faction_resource[b] == RESOURCES.index("ore")


def test_costs_of_cards_and_stages_are_items() -> None:
    statue, stage = CATALOG.card_id("Statue", 2), stage_of("Gizah B", 4)
    assert T.item_need[statue].tolist() == [1, 0, 0, 2, 0, 0, 0]
    assert T.item_need[stage].tolist() == [0, 4, 0, 0, 0, 0, 1]
    assert T.item_coins[CATALOG.card_id("Sawmill", 2)] == 1


@pytest.mark.parametrize(
    ("item", "numbers"),
    [
        (CATALOG.card_id("Sawmill", 2), [[constants.PRODUCE, 0b1, 2, 1, 0]]),
        (CATALOG.card_id("Tree Farm", 1), [[constants.PRODUCE, 0b101, 1, 1, 0]]),
        (CATALOG.card_id("Forum", 2), [[constants.PRODUCE, 0b1110000, 1, 0, 0]]),
        (CATALOG.card_id("Tavern", 1), [[constants.COINS, 5, 0, 0, 0]]),
        (CATALOG.card_id("Apothecary", 1), [[constants.SCIENCE, 2, 0, 0, 0]]),
        (CATALOG.card_id("Scientists Guild", 3), [[constants.SCIENCE_CHOICE, 0, 0, 0, 0]]),
        (CATALOG.card_id("East Trading Post", 1), [[constants.DISCOUNT, 0b10, 0b01, 1, 0]]),
        (CATALOG.card_id("Marketplace", 1), [[constants.DISCOUNT, 0b11, 0b10, 1, 0]]),
        (CATALOG.card_id("Bazar", 2), [[constants.COINS_PER, 2, constants.PER_CARDS, 0b10, 0b111]]),
        (CATALOG.card_id("Shipowners Guild", 3), [[constants.VP_PER, 1, constants.PER_CARDS, 0b1000011, 0b010]]),
        (CATALOG.card_id("Strategists Guild", 3), [[constants.VP_PER, 1, constants.PER_DEFEAT_TOKENS, 0, 0b101]]),
        (
            CATALOG.card_id("Arena", 3),
            [
                [constants.COINS_PER, 3, constants.PER_WONDER_STAGES, 0, 0b010],
                [constants.VP_PER, 1, constants.PER_WONDER_STAGES, 0, 0b010],
            ],
        ),
        (
            stage_of("Rhodos B", 1),
            [[constants.VP, 3, 0, 0, 0], [constants.SHIELDS, 1, 0, 0, 0], [constants.COINS, 3, 0, 0, 0]],
        ),
        (stage_of("Halikarnassos B", 3), [[constants.BUILD_FROM_DISCARD, 0, 0, 0, 0]]),
        (stage_of("Olympia A", 2), [[constants.FREE_BUILD_PER_AGE, 1, 0, 0, 0]]),
        (stage_of("Babylon B", 2), [[constants.PLAY_LAST_CARD, 0, 0, 0, 0]]),
        (stage_of("Olympia B", 3), [[constants.COPY_GUILD, 0b101, 0, 0, 0]]),
    ],
)
def test_effects_become_numbers(item: int, numbers: list[list[int]]) -> None:
    assert effects_of(item) == numbers


def test_constants_by_age_are_indexed_from_one() -> None:
    assert T.military_win_vp.tolist() == [0, 1, 3, 5]
    assert T.pass_direction.tolist() == [0, -1, 1, -1]
    assert (T.start_coins, T.military_loss_vp) == (3, -1)


def test_settings_are_the_index_of_their_value() -> None:
    assert (T.choice_card_sells, T.free_build_same_age, T.discounts_add_up, T.free_city_first_holder) == (0, 1, 0, 0)
    t = tables(choice_card_sells="each-good", discounts_add_up=True, free_city_first_holder="right")
    assert (t.choice_card_sells, t.discounts_add_up, t.free_city_first_holder) == (1, 1, 1)


def test_an_unknown_card_is_named_with_the_nearest_of_its_age() -> None:
    with pytest.raises(UserError, match=r"no such card in age 2 \(found: 'Sawmil'\); did you mean 'Sawmill'"):
        CATALOG.card_id("Sawmil", 2)

"""What the files say: every fact that is known of the box, the stand-ins' fit to it, and mistakes that are named."""

from collections import Counter
from itertools import product
from typing import Any, get_args

import numpy as np
import pytest

from reports.studies.parts.intervene import changes_for
from reports.studies.sensitivity.sensitivity import PLAUSIBLE
from sim.data.catalog import CERTAINTIES, read_toml
from sim.data.certainty import certainty_of_rows
from sim.data.changes import find_field, parse_change
from sim.errors import UserError
from sim.games.glory_of_rome.data import language, models
from sim.games.glory_of_rome.data.catalog import EMPTY_SPACE, FILES, FOLDER, load_catalog
from sim.games.glory_of_rome.data.checks import copies_of
from sim.games.glory_of_rome.data.compile import build_tables
from sim.games.glory_of_rome.game import GAME
from sim.games.glory_of_rome.rules import constants as words
from sim.games.glory_of_rome.rules.tables import TABLES
from tests.kit.wild import paths_of

CATALOG = load_catalog()
T = build_tables(CATALOG)
SHOWN_PENALTIES = {3: 2, 5: 4, 6: 4}
FIVE_KNOWN = {
    "Sundial": (words.DRAW, 1),
    "Compass": (words.REMOVE_ANCHOR, 1),
    "Bulla": (words.DRAW, 2),
    "Snake bracelets": (words.TAKE_DISCARD, 1),
    "Spatha": (words.RECRUIT_LEGIONS, 1),
}


def number_of(card: str) -> int:
    return CATALOG.card_names.index(card)


def settled(**settings: str) -> Any:
    return build_tables(load_catalog(settings=settings))


def changed(*texts: str) -> Any:
    return build_tables(load_catalog(changes=[parse_change(text) for text in texts]))


# ---- What the rulebook says ----


def test_numbers_are_those_of_the_rulebook() -> None:
    assert (T.rounds, T.hand_limit, T.set_limit, T.missions_dealt, T.missions_kept) == (9, 5, 3, 3, 2)
    assert (T.legion_limit, T.vote_limit, T.intrigue_tokens, T.discord_tokens) == (7, 5, 3, 11)
    assert (T.majority_glory, T.majority_glory_with_medal, T.colosseum_glory) == (2, 3, 1)
    assert (T.economic_medal_denarii, T.card_price) == (2, 1)
    assert (T.denarii_for_point, T.denarii_for_point_with_medal) == (4, 3)
    assert (T.slander_glory, T.invalid_vote_glory, T.sold_denarii) == (1, 1, 2)
    assert T.economic.tolist() == [1, 1, 2, 2, 3, 3, 4, 4, 5]
    assert (T.milestones.tolist(), T.fixed_milestones) == ([5, 12, 21, 30], 1)
    assert T.senate_values.tolist() == [1, 2, 3, 5, 6]
    assert T.set_points.tolist() == [3, 4, 5, 6, 0]
    points = {"own": 1, "gold": 4, "silver": 3, "bronze": 2}
    assert dict(zip(words.METALS, T.pantheon_points.tolist(), strict=True)) == points
    assert T.pantheon_own.tolist() == [2, 3]


def test_a_type_has_four_three_and_two_tiles_and_one_less_of_the_higher_levels_with_two_players() -> None:
    assert T.tiles[0].tolist() == [[4, 3, 2]] * 5
    assert T.tiles[1].tolist() == [[4, 2, 1]] * 5
    assert T.tiles[0].sum() == 45


def test_religious_buildings_cost_what_is_printed_and_the_others_the_same_as_stand_ins() -> None:
    assert T.price[words.RELIGIOUS].tolist() == [3, 8, 13]
    assert T.building_glory[words.RELIGIOUS].tolist() == [2, 4, 6]
    assert (T.price == T.price[words.RELIGIOUS]).all()
    assert (T.building_glory == T.building_glory[words.RELIGIOUS]).all()
    sure = {site.type for site in CATALOG.buildings if site.certainty != "stand-in"}
    assert sure == {"religious"}


def test_penalties_shown_are_kept_and_the_others_rise_between_them() -> None:
    assert {population: T.penalty[population] for population in SHOWN_PENALTIES} == SHOWN_PENALTIES
    assert T.penalty[1:].tolist() == sorted(T.penalty[1:])
    assert {row.population for row in CATALOG.penalties if row.certainty == "confirmed"} == set(SHOWN_PENALTIES)


def test_regions_and_their_points() -> None:
    assert T.shield.tolist() == [[2, 3, 4], [2, 3, 4]]
    assert T.region_points[0].tolist() == [[5, 2, 0, 0], [8, 4, 0, 0], [10, 5, 3, 0]]
    assert T.region_points[1].tolist() == [[5, 2, 0, 0], [4, 0, 0, 0], [5, 3, 0, 0]]


def test_what_is_removed_leaves_a_common_piece_of_each_level_for_every_player() -> None:
    four, three, two, one = (T.pantheon_common[players].tolist() for players in (4, 3, 2, 1))
    assert four == [[0, 1, 1, 2], [0, 1, 1, 2]]
    assert three == [[0, 1, 0, 2], [0, 1, 1, 1]]
    assert two == one == [[0, 1, 0, 1], [0, 1, 1, 0]]
    for players in (2, 3, 4):
        assert T.pantheon_common[players].sum(axis=1).tolist() == [players, players]


@pytest.mark.parametrize(
    ("name", "glory", "numbers", "votes", "discord"),
    [
        ("Marcus Antonius", 1, (7, 7), 4, 2),
        ("Aemilius Lepidus", 1, (6, 7), 5, 3),
        ("Fulvia", 2, (7, 6), 4, 2),
        ("Gaius Octavius", 3, (6, 5), 4, 2),
        ("Junia Secunda", 2, (5, 5), 5, 2),
        ("Livia Drusilla", 2, (6, 5), 4, 3),
    ],
)
def test_what_characters_start_with(name: str, glory: int, numbers: tuple[int, int], votes: int, discord: int) -> None:
    character = CATALOG.faction_names.index(name)
    assert (T.glory[character], T.votes[character], T.discord[character]) == (glory, votes, discord)
    assert (T.legions[character], T.denarii[character]) == numbers
    other = settled(character_numbers="denarii first")
    assert (other.denarii[character], other.legions[character]) == numbers


def test_three_characters_have_an_anchor_card_antonius_among_them() -> None:
    owners = [name for number, name in enumerate(CATALOG.faction_names) if T.anchor[number]]
    assert len(owners) == 3
    assert "Marcus Antonius" in owners


@pytest.mark.parametrize("value", words.SETTINGS["intrigue_owners"])
def test_each_intrigue_that_is_not_general_belongs_to_one_character(value: str) -> None:
    owned = settled(intrigue_owners=value).own_intrigue[: T.characters].tolist()
    assert sorted(owned) == list(range(words.DEFECTION, words.CUSTOM_DUTY + 1))
    shift = words.SETTINGS["intrigue_owners"].index(value)
    assert owned == np.roll(T.own_intrigue[: T.characters], -shift).tolist()


# ---- Discord tracks ----


@pytest.mark.parametrize("order", words.SETTINGS["track_order"])
def test_both_tracks_of_the_example_of_intrigue_are_there(order: str) -> None:
    t = settled(track_order=order)
    tracks = [t.track[number, : t.track_length[number]].tolist() for number in range(t.characters)]
    assert any(track[:2] == [words.MILITARY, words.POLITICAL] for track in tracks)
    assert any(track[0] == words.POLITICAL for track in tracks)
    assert len({tuple(track) for track in tracks}) == len(tracks)
    for track in tracks:
        assert sorted(track) == [words.NO_BONUS, *range(words.BONUSES)]


def test_a_space_more_is_an_empty_one_at_the_right() -> None:
    t = settled(track_spaces="one space more")
    assert (t.track_length[: t.characters] == T.track_length[: t.characters] + 1).all()
    for number in range(t.characters):
        length = T.track_length[number]
        assert t.track[number, :length].tolist() == T.track[number, :length].tolist()
        assert t.track[number, length] == words.NO_BONUS


def test_every_character_can_suffer_discord_at_the_start_and_tokens_are_enough() -> None:
    assert (T.track_length[: T.characters] > T.discord[: T.characters]).all()
    assert sorted(T.discord[: T.characters])[-words.MAX_SEATS :] == [2, 2, 3, 3]
    assert T.discord_tokens >= 10


# ---- Cards ----


def test_there_are_38_trade_cards_28_missions_and_12_and_6_events() -> None:
    assert copies_of(CATALOG.trade_cards) == 38
    assert copies_of(CATALOG.missions) == 28
    assert copies_of(event for event in CATALOG.events if not event.negative) == 12
    assert copies_of(event for event in CATALOG.events if event.negative) == 6
    assert T.copies[: T.cards].sum() == 38 + 28 + 18


def test_cards_stand_in_the_order_of_the_tables() -> None:
    kinds = T.kind[: T.cards].tolist()
    assert kinds == sorted(kinds)
    assert Counter(kinds) == {words.TRADE: T.trade_cards, words.MISSION: T.missions, words.EVENT: len(CATALOG.events)}
    assert len(set(CATALOG.card_names)) == T.cards == len(CATALOG.files)


@pytest.mark.parametrize("name", FIVE_KNOWN)
def test_the_five_trade_cards_that_are_known(name: str) -> None:
    card = number_of(name)
    effect, number = FIVE_KNOWN[name]
    assert T.when[card] == words.FOLLOWER
    assert np.flatnonzero(T.effect[card]).tolist() == [effect]
    assert T.effect[card, effect] == number


def test_every_condition_of_play_and_every_effect_is_on_a_trade_card() -> None:
    cards = slice(0, T.trade_cards)
    assert set(T.when[cards].tolist()) == set(range(len(words.CONDITIONS_OF_PLAY)))
    assert (T.effect[cards].sum(axis=0) > 0).all()
    assert ((T.when[cards] == words.NEVER) == (T.effect[cards].sum(axis=1) == 0)).all()


def test_rarer_types_of_trade_cards_are_worth_more() -> None:
    copies = Counter(card.type for card in CATALOG.trade_cards for _ in range(card.copies))
    assert [copies[kind] for kind in words.TRADE_TYPES] == [10, 9, 8, 7, 4]
    assert all(any(card.star for card in CATALOG.trade_cards if card.type == kind) for kind in words.TRADE_TYPES)


def test_the_two_missions_of_the_scoring_example() -> None:
    first, medal = number_of("Each First Place"), number_of("Last Brick in the Wall")
    assert (T.condition[first], T["count"][first], T.points[first]) == (words.PER, words.COUNT_FIRST_PLACES, 3)
    assert (T.condition[medal], T["count"][medal], T.points[medal]) == (words.MEDAL, words.MILITARY, 6)
    assert {mission.name for mission in CATALOG.missions if mission.certainty != "stand-in"} == {
        "Each First Place", "Last Brick in the Wall",
    }  # fmt: skip


def test_truce_removes_two_missions_on_discord_and_heroes_six_on_medals() -> None:
    by_variant = {
        variant: {mission.name for mission in CATALOG.missions if variant in mission.removed_in}
        for variant in words.VARIANTS
    }
    assert by_variant["Truce"] == {"Driven by Wrath", "Discord Never Ends"}
    assert by_variant["Heroes"] == {
        "Offering", "Mad Trade", "First Voter", "Hard Work", "Most Distinctions", "Last Brick in the Wall",
    }  # fmt: skip
    assert not any(by_variant[name] for name in words.VARIANTS if name not in ("Truce", "Heroes"))
    on_medals = {
        CATALOG.card_names[card]
        for card in range(T.trade_cards, T.cards)
        if T.condition[card] == words.MEDAL or T["count"][card] == words.COUNT_MEDALS
    }
    assert on_medals == by_variant["Heroes"]
    on_discord = {
        mission.name
        for mission in CATALOG.missions
        if mission.condition is not None and "discord" in (mission.condition.most, mission.condition.least)
    }
    assert on_discord == by_variant["Truce"]


def test_missions_are_of_both_kinds_and_count_all_there_is() -> None:
    missions = slice(T.trade_cards, T.trade_cards + T.missions)
    conditions = Counter(T.condition[missions].tolist())
    assert {words.MOST, words.LEAST, words.AT_LEAST, words.MEDAL, words.PER} == set(conditions)
    assert conditions[words.PER] >= 5
    counted = {
        int(T["count"][card])
        for card in range(T.trade_cards, T.trade_cards + T.missions)
        if T.condition[card] != words.MEDAL
    }
    assert counted == set(range(1, len(words.COUNTS)))


def test_a_player_alone_cannot_fulfil_a_mission_by_comparing_with_nobody() -> None:
    compares = [
        mission.condition is not None and (mission.condition.most or mission.condition.least) is not None
        for mission in CATALOG.missions
    ]
    assert [mission.star for mission in CATALOG.missions] == compares


def test_events_turn_both_ways_once_or_twice_and_normal_ones_give_and_negative_ones_take() -> None:
    for negative, each in ((False, 6), (True, 3)):
        events = [event for event in CATALOG.events if event.negative is negative]
        assert Counter(event.turn for event in events) == {"clockwise": each, "counter-clockwise": each}
        assert {event.arrows for event in events} == {1, 2}
        turns = Counter((event.turn, event.arrows) for event in events)
        assert turns["clockwise", 2] == turns["counter-clockwise", 2]
    for card in range(T.trade_cards + T.missions, T.cards):
        reward = (int(T.reward_denarii[card]), int(T.reward_glory[card]))
        assert any(reward)
        assert (max(reward) <= 0) if T.negative[card] else (min(reward) >= 0)


# ---- Words, settings, tables ----


def test_words_of_the_rows_are_those_of_the_kernels() -> None:
    assert get_args(language.Building) == words.BUILDINGS
    assert get_args(language.TradeType) == words.TRADE_TYPES
    assert get_args(language.When) == words.CONDITIONS_OF_PLAY
    assert get_args(language.Count) == words.COUNTS[1:]
    assert get_args(language.Direction) == words.DIRECTIONS
    assert get_args(models.Region) == words.REGIONS
    assert get_args(models.OwnIntrigue) == words.INTRIGUES[words.DEFECTION :]
    assert get_args(models.Space) == (*words.BUILDINGS[: words.BONUSES], EMPTY_SPACE)
    assert get_args(models.Variant) == words.VARIANTS[:-1]
    assert tuple(language.Effect.model_fields) == words.TRADE_EFFECTS
    assert len(models.TABLES_OF) == words.MAX_SEATS
    constants = set(models.Constants.model_fields) - set(models.Sourced.model_fields)
    assert constants <= set(TABLES.names or ())


@pytest.mark.parametrize("name", words.SETTINGS)
def test_every_value_of_every_setting_reaches_the_tables(name: str) -> None:
    for place, value in enumerate(words.SETTINGS[name]):
        assert settled(**{name: str(value)})[name] == place


# ---- Certainty ----


def test_every_row_says_how_sure_it_is_and_what_is_known_names_its_source() -> None:
    said = certainty_of_rows(FOLDER, FILES)
    counted = sum(sum(shares.values()) for shares in CATALOG.certainty.values())
    constants_and_box = 2
    assert len(said) == counted + constants_and_box
    for row in (*CATALOG.characters, *CATALOG.cards):
        assert not row.known or row.source


def test_no_trade_card_and_no_event_passes_for_a_printed_one() -> None:
    assert {card.certainty for card in (*CATALOG.trade_cards, *CATALOG.events)} == {"stand-in"}
    assert {card.name for card in CATALOG.trade_cards if card.known} == set(FIVE_KNOWN)


def test_every_file_is_there() -> None:
    assert {path.name for path in FOLDER.glob("*.toml")} == {*FILES, PLAUSIBLE}


def test_a_card_without_effect_is_never_played() -> None:
    t = changed("trade.toml#Bulla.effect={}")
    bulla = number_of("Bulla")
    assert (t.when[bulla], t.type[bulla]) == (words.NEVER, words.JEWELS)


# ---- Changes ----


def test_every_number_of_every_file_can_be_named_in_a_change() -> None:
    paths = paths_of(GAME)
    assert len(paths) > 300
    for path in paths:
        file, _, field = path.partition("#")
        found = find_field(FOLDER / file, read_toml(FOLDER / file), FILES[file], field)
        assert type(found.present) is int


@pytest.mark.parametrize(
    ("text", "field", "place", "value"),
    [
        ("board.toml#military 2.price=9", "price", (words.MILITARY, 1), 9),
        ("board.toml#economic-3.glory=7", "building_glory", (words.ECONOMIC, 2), 7),
        ("board.toml#4.glory=2", "penalty", (4,), 2),
        ("board.toml#Epirus.shield_2_players=3", "shield", (1, 0), 3),
        ("board.toml#Thrace.points.3=4", "region_points", (0, 2, 2), 4),
        ("board.toml#senate.ascending.1=0", "senate_values", (0,), 0),
        ("board.toml#jewels.points=7", "set_points", (words.JEWELS,), 7),
        ("board.toml#pantheon.gold=5", "pantheon_points", (words.GOLD,), 5),
        ("board.toml#3 players.base=[1, 1, 1]", "pantheon_common", (3, words.BASE, words.SILVER), 1),
        ("board.toml#economic.denarii.1=2", "economic", (0,), 2),
        ("rules.toml#box.tiles.1=5", "tiles", (0, 0, 0), 5),
        ("characters.toml#Fulvia.numbers.2=8", "denarii", (2,), 8),
        ('characters.toml#Fulvia.track=["none", "military"]', "track_length", (2,), 2),
        ("characters.toml#livia drusilla.anchor=true", "anchor", (5,), 1),
        ("trade.toml#Sundial.draw=3", "effect", (0, words.DRAW), 3),
        ("trade.toml#Sundial.star=true", "star", (0,), 1),
        ("missions.toml#Each First Place.points=4", "points", (number_of("Each First Place"),), 4),
        ("missions.toml#Many Votes.if.at_least.2=4", "number", (number_of("Many Votes"),), 4),
        ("events.toml#Plague.reward.denarii=-1", "reward_denarii", (number_of("Plague"),), -1),
        ("events.toml#Plague.arrows=2", "arrows", (number_of("Plague"),), 2),
    ],
)
def test_a_changed_field_changes_the_table(text: str, field: str, place: tuple[int, ...], value: int) -> None:
    assert changed(text)[field][place] == value != T[field][place]


def test_copies_can_be_moved_between_cards() -> None:
    t = changed("trade.toml#Sundial.copies=1", "trade.toml#Compass.copies=4")
    assert (t.copies[number_of("Sundial")], t.copies[number_of("Compass")]) == (1, 4)
    t = changed("trade.toml#Sundial.copies=3", "rules.toml#box.trade_cards=39")
    assert t.copies[: t.trade_cards].sum() == 39


# ---- The game as it is declared ----


def test_bits_of_variants_are_all_there_are_in_the_order_in_which_they_are_declared() -> None:
    assert words.VARIANT_BITS[: words.IMPERIAL] == tuple(range(32))
    solo = [
        words.IMPERIAL + clockwork + heroes + hard_times
        for hard_times, heroes, clockwork in product((0, words.HARD_TIMES), (0, words.HEROES), (0, words.CLOCKWORK))
    ]
    assert words.VARIANT_BITS[words.IMPERIAL :] == tuple(solo)
    assert len(GAME.variants) == len(words.VARIANT_BITS)


@pytest.mark.parametrize(
    ("name", "bits", "players"),
    [
        ("standard", 0, (2, 3, 4)),
        ("spies+truce", words.SPIES_AND_ALLIANCES + words.TRUCE, (2, 3, 4)),
        ("clockwork+hard-times", words.CLOCKWORK + words.HARD_TIMES, (2, 3, 4)),
        ("spies+truce+clockwork+heroes+hard-times", words.IMPERIAL - 1, (2, 3, 4)),
        ("imperial", words.IMPERIAL, (1,)),
        ("imperial+heroes+hard-times", words.IMPERIAL + words.HEROES + words.HARD_TIMES, (1,)),
    ],
)
def test_a_variant_is_called_by_what_it_adds(name: str, bits: int, players: tuple[int, ...]) -> None:
    place = words.VARIANT_BITS.index(bits)
    assert (GAME.variants[place].name, GAME.variants[place].players) == (name, players)


def test_the_share_of_stand_ins_is_told_without_the_settings() -> None:
    data = GAME.load({})
    assert sum(data.certainty.values()) == len(certainty_of_rows(FOLDER, FILES)) - len(words.SETTINGS) - 2
    assert sum(data.settings_certainty.values()) == len(words.SETTINGS)
    assert set(data.certainty) == set(CERTAINTIES)
    assert data.certainty["stand-in"] > data.certainty["confirmed"] > 0


def test_characters_are_the_factions_and_stand_in_their_file() -> None:
    data = GAME.load({})
    assert tuple(faction.name for faction in data.factions) == words.CHARACTERS
    assert GAME.faction_place is not None
    file, label = GAME.faction_place(data, 2)
    assert GAME.load({}, [parse_change(f"{file}#{label}.votes=5")]).tables.votes[2] == 5


def test_cards_of_each_kind_can_be_made_none() -> None:
    data = GAME.load({})
    chosen = range(0, len(data.pieces), 8)
    assert {int(T.kind[card]) for card in chosen} == set(range(len(words.CARD_KINDS)))
    for card in chosen:
        t = GAME.load({}, [parse_change(text) for text in changes_for(GAME, data, card, "none")]).tables
        assert not t.effect[card].any()
        assert t.points[card] == t.reward_denarii[card] == t.reward_glory[card] == 0
        assert t.type[card] == T.type[card]
        assert t.arrows[card] == T.arrows[card]


def test_a_card_has_no_price_to_be_freed_of() -> None:
    with pytest.raises(UserError, match=r"no price.*found: 'Sundial'"):
        changes_for(GAME, GAME.load({}), 0, "free")

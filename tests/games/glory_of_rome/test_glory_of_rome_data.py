"""What the files say: every fact that is known of the box, the stand-ins' fit to it, and mistakes that are named."""

from collections import Counter
from functools import cache
from itertools import product
from typing import Any, get_args

import numpy as np
import pytest

from reports.studies.parts.intervene import changes_for
from reports.studies.sensitivity.sensitivity import PLAUSIBLE
from sim.data.catalog import read_toml
from sim.data.certainty import certainty_of_rows
from sim.data.changes import find_field, parse_change
from sim.errors import UserError
from sim.games.glory_of_rome.data import language, models
from sim.games.glory_of_rome.data.catalog import EMPTY_SPACE, FILES, FOLDER, load_catalog
from sim.games.glory_of_rome.data.checks import check_cards, check_characters, check_decks, copies_of
from sim.games.glory_of_rome.data.compile import build_tables
from sim.games.glory_of_rome.data.models import Character, Event, Mission, TradeCard
from sim.games.glory_of_rome.game import GAME
from sim.games.glory_of_rome.rules import constants as words
from sim.games.glory_of_rome.rules.state import DECK_PLACES, HAND_PLACES, MISSION_PLACES
from sim.games.glory_of_rome.rules.tables import MAX_CARDS, MAX_CHARACTERS, MAX_ROUNDS, MAX_TRACK, TABLES
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


@cache
def settled(**settings: object) -> Any:
    return build_tables(load_catalog(settings=settings))


@cache
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


def test_religious_buildings_cost_what_is_printed_and_the_others_the_same_as_stand_ins() -> None:
    assert T.price[words.RELIGIOUS].tolist() == [3, 8, 13]
    assert T.building_glory[words.RELIGIOUS].tolist() == [2, 4, 6]
    assert (T.price == T.price[words.RELIGIOUS]).all()
    assert (T.building_glory == T.building_glory[words.RELIGIOUS]).all()
    assert {site.type for site in CATALOG.buildings if site.certainty != "stand-in"} == {"religious"}


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
    assert T.anchor.sum() == 3
    assert T.anchor[CATALOG.faction_names.index("Marcus Antonius")]


def test_each_intrigue_that_is_not_general_belongs_to_one_character() -> None:
    for shift, value in enumerate(words.SETTINGS["intrigue_owners"]):
        owned = settled(intrigue_owners=value).own_intrigue[: T.characters].tolist()
        assert sorted(owned) == list(range(words.DEFECTION, words.CUSTOM_DUTY + 1))
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
    for number in range(t.characters):
        length = T.track_length[number]
        assert t.track_length[number] == length + 1
        assert t.track[number, : length + 1].tolist() == [*T.track[number, :length], words.NO_BONUS]


def test_every_character_can_suffer_discord_at_the_start() -> None:
    assert (T.track_length[: T.characters] > T.discord[: T.characters]).all()
    assert sorted(T.discord[: T.characters])[-words.MAX_SEATS :] == [2, 2, 3, 3]


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


def test_the_five_trade_cards_that_are_known() -> None:
    for name, (effect, number) in FIVE_KNOWN.items():
        card = number_of(name)
        assert T.when[card] == words.FOLLOWER
        assert np.flatnonzero(T.effect[card]).tolist() == [effect]
        assert T.effect[card, effect] == number
    assert {card.name for card in CATALOG.trade_cards if card.known} == set(FIVE_KNOWN)
    assert {card.certainty for card in (*CATALOG.trade_cards, *CATALOG.events)} == {"stand-in"}


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
    sure = {number_of(mission.name) for mission in CATALOG.missions if mission.certainty != "stand-in"}
    assert sure == {first, medal}


def test_truce_removes_two_missions_on_discord_and_heroes_six_on_medals() -> None:
    def compared(mission: Mission) -> set[str | None]:
        return set() if mission.condition is None else {mission.condition.most, mission.condition.least}

    variants_of = {mission.name: mission.removed_in for mission in CATALOG.missions if mission.removed_in}
    on_discord = {mission.name: ["Truce"] for mission in CATALOG.missions if "discord" in compared(mission)}
    on_medals = {
        CATALOG.card_names[card]: ["Heroes"]
        for card in range(T.trade_cards, T.cards)
        if T.condition[card] == words.MEDAL or T["count"][card] == words.COUNT_MEDALS
    }
    assert (len(on_discord), len(on_medals)) == (2, 6)
    assert variants_of == on_discord | on_medals
    # Who is alone cannot fulfil a mission by comparing with nobody.
    assert all(mission.star == any(compared(mission)) for mission in CATALOG.missions)


def test_missions_are_of_both_kinds_and_count_all_there_is() -> None:
    missions = slice(T.trade_cards, T.trade_cards + T.missions)
    conditions, counted = T.condition[missions], T["count"][missions]
    assert set(conditions) == {words.MOST, words.LEAST, words.AT_LEAST, words.MEDAL, words.PER}
    assert (conditions == words.PER).sum() >= 5
    assert set(counted[conditions != words.MEDAL]) == set(range(1, len(words.COUNTS)))


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


def test_every_value_of_every_setting_reaches_the_tables() -> None:
    for place in range(max(map(len, words.SETTINGS.values()))):
        values = {name: values[min(place, len(values) - 1)] for name, values in words.SETTINGS.items()}
        t = settled(**values)
        assert {name: words.SETTINGS[name][t[name]] for name in values} == values


# ---- Certainty ----


def test_every_row_says_how_sure_it_is_and_what_is_known_names_its_source() -> None:
    said = certainty_of_rows(FOLDER, FILES)
    constants_and_box = 2
    assert len(said) == sum(sum(shares.values()) for shares in CATALOG.certainty.values()) + constants_and_box
    assert all(row.source or not row.known for row in (*CATALOG.characters, *CATALOG.cards))
    assert {path.name for path in FOLDER.glob("*.toml")} == {*FILES, PLAUSIBLE}
    without_settings = GAME.load({}).certainty
    assert sum(without_settings.values()) == len(said) - len(words.SETTINGS) - constants_and_box
    assert without_settings["stand-in"] > without_settings["confirmed"] > 0


# ---- Changes ----


def test_every_number_of_every_file_can_be_named_in_a_change() -> None:
    paths = paths_of(GAME)
    assert len(paths) > 300
    said = {file: read_toml(FOLDER / file) for file in FILES}
    for path in paths:
        file, _, field = path.partition("#")
        assert type(find_field(FOLDER / file, said[file], FILES[file], field).present) is int


CHANGES = (
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
    ("trade.toml#Bulla.effect={}", "when", (number_of("Bulla"),), words.NEVER),
    ("trade.toml#Sundial.copies=1", "copies", (number_of("Sundial"),), 1),
    ("trade.toml#Compass.copies=5", "copies", (number_of("Compass"),), 5),
)


@pytest.mark.parametrize(("text", "field", "place", "value"), CHANGES)
def test_a_changed_field_changes_the_table(text: str, field: str, place: tuple[int, ...], value: int) -> None:
    # With the changed copies there is a trade card more in the box.
    t = changed(*(change[0] for change in CHANGES), "rules.toml#box.trade_cards=39")
    assert t[field][place] == value != T[field][place], text


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
        ("clockwork+hard-times", words.CLOCKWORK + words.HARD_TIMES, (2, 3, 4)),
        ("spies+truce+clockwork+heroes+hard-times", words.IMPERIAL - 1, (2, 3, 4)),
        ("imperial+heroes+hard-times", words.IMPERIAL + words.HEROES + words.HARD_TIMES, (1,)),
    ],
)
def test_a_variant_is_called_by_what_it_adds(name: str, bits: int, players: tuple[int, ...]) -> None:
    place = words.VARIANT_BITS.index(bits)
    assert (GAME.variants[place].name, GAME.variants[place].players) == (name, players)


def test_characters_are_the_factions_and_stand_in_their_file() -> None:
    data = GAME.load({})
    assert tuple(faction.name for faction in data.factions) == words.CHARACTERS
    assert GAME.faction_place is not None
    file, label = GAME.faction_place(data, 2)
    assert GAME.load({}, [parse_change(f"{file}#{label}.votes=5")]).tables.votes[2] == 5


def test_cards_of_each_kind_can_be_made_none_and_have_no_price() -> None:
    data = GAME.load({})
    chosen = range(0, len(data.pieces), 16)
    assert {int(T.kind[card]) for card in chosen} == set(range(len(words.CARD_KINDS)))
    for card in chosen:
        t = GAME.load({}, [parse_change(text) for text in changes_for(GAME, data, card, "none")]).tables
        assert not t.effect[card].any()
        assert t.points[card] == t.reward_denarii[card] == t.reward_glory[card] == 0
        assert t.type[card] == T.type[card]
        assert t.arrows[card] == T.arrows[card]
    with pytest.raises(UserError, match=r"no price.*found: 'Sundial'"):
        changes_for(GAME, data, 0, "free")


# ---- Capacities ----


@pytest.mark.parametrize(
    ("kind", "model"),
    [
        ("trade_cards", lambda n: TradeCard(name=f"Card {n}", type="tools", certainty="stand-in")),
        ("missions", lambda n: Mission(name=f"Mission {n}", points=1, per="votes", certainty="stand-in")),
        ("events", lambda n: Event(name=f"Event {n}", turn="clockwise", arrows=1, certainty="stand-in")),
    ],
)
def test_more_cards_than_a_deck_or_the_tables_hold_are_refused(kind: str, model: Any) -> None:
    many = [model(n) for n in range(DECK_PLACES + 1)]
    box = CATALOG.box.model_copy(update={kind: DECK_PLACES})
    others = {name: list(getattr(CATALOG, name)) for name in ("trade_cards", "missions", "events") if name != kind}
    with pytest.raises(UserError, match=f"too many cards.*at most {DECK_PLACES}, copies included"):
        check_cards(FOLDER, box, **{**others, kind: many})
    if kind != "events":
        with pytest.raises(UserError, match=f"too many cards.*at most {MAX_CARDS} rows"):
            check_cards(FOLDER, box, **{**others, kind: many[:DECK_PLACES]})


def test_one_player_can_draw_all_missions() -> None:
    def check(copies: int) -> None:
        first = CATALOG.missions[0].model_copy(update={"copies": copies})
        check_decks(FOLDER, CATALOG.constants, [first, *CATALOG.missions[1:]], CATALOG.events)

    most = MISSION_PLACES - len(CATALOG.missions) + 1
    check(most)
    with pytest.raises(UserError, match=f"too many missions.*at most {MISSION_PLACES}"):
        check(most + 1)


def test_there_are_characters_for_four_and_not_more_than_the_tables_hold() -> None:
    def characters(count: int) -> list[Character]:
        return [CATALOG.characters[0].model_copy(update={"name": f"Character {n}"}) for n in range(count)]

    for count in (words.MAX_SEATS, MAX_CHARACTERS):
        check_characters(FOLDER, characters(count), CATALOG.constants, legions_first=True)
    for count in (words.MAX_SEATS - 1, MAX_CHARACTERS + 1):
        with pytest.raises(UserError, match=r"wrong number of characters.*4 to 12"):
            check_characters(FOLDER, characters(count), CATALOG.constants, legions_first=True)


def test_what_rows_take_fits_tables_and_record() -> None:
    assert (HAND_PLACES, MAX_ROUNDS) == (8, 9)
    t = changed('characters.toml#Fulvia.track=["none", "none", "none", "none", "none", "none", "none"]')
    assert t.track_length[2] + 1 == MAX_TRACK
    with pytest.raises(UserError, match="wrong number of entries"):
        changed("characters.toml#Fulvia.track=" + str(["none"] * MAX_TRACK).replace("'", '"'))

"""Set-up, events, building, followers, the Pantheon, taxes, turning the board, and the end."""

from typing import Any

import pytest

from sim.games.glory_of_rome.rules import constants, log
from sim.players.compile_players import players_of
from tests.games.glory_of_rome.playing import BIANKA, GABOR, HENRIK, ZITA, Table, revealed, table
from tests.kit.plans import plan_for
from tests.kit.steps import started

GAME = "glory_of_rome"
TEMPLE = {"Africa": {"religious": 3}}


def begun(players: int, variant: str | None = None, **options: Any) -> Any:
    """Return a game that has been set up."""
    return started(plan_for(GAME, variant, players, seed=4, **options), 0)[0]


# ---- Set-up ----


PAIR: dict[str, Any] = {"factions": ["Marcus Antonius", "Fulvia"], "assign": "fixed"}


def test_a_character_starts_with_what_it_has() -> None:
    g = begun(2, **PAIR)
    assert (g.board_legions[0], g.board_votes[0], g.denarii[0], g.glory[0]) == (7, 4, 7, 1)
    assert (g.discord[0], g.anchor[0], g.followers[0], g.intrigue_left[0]) == (2, 1, 1, 3)
    assert g.marker.tolist() == [5, 12, 21, 30]
    assert (g.building.sum(), g.senate_size) == (0, 0)


def test_settings_of_characters() -> None:
    swapped = begun(2, **PAIR, settings={"character_numbers": "denarii first"})
    assert (swapped.board_legions[:2].tolist(), swapped.denarii[:2].tolist()) == ([7, 6], [7, 7])
    for value, own in (("as listed", "Defection"), ("shifted by 2", "Re-vote")):
        g = begun(2, **PAIR, settings={"intrigue_owners": value})
        assert constants.INTRIGUES[int(g.own_intrigue[0])] == own
    bonuses = [constants.MILITARY, constants.POLITICAL, constants.COMMERCIAL, constants.NO_BONUS]
    usual = begun(2, **PAIR)
    turned = begun(2, **PAIR, settings={"track_order": "turned by 1", "track_spaces": "one space more"})
    assert usual.track[0, :4].tolist() == bonuses
    assert turned.track[0, :3].tolist() == [*bonuses[1:3], bonuses[0]]
    assert (usual.track_length[0], turned.track_length[0]) == (4, 5)


def test_two_players_do_not_sit_at_neighbouring_provinces() -> None:
    g = begun(2)
    assert g.place[:2].tolist() == [0, 2]
    assert g.tiles[0].tolist() == [4, 2, 1]
    assert begun(3).tiles[0].tolist() == [4, 3, 2]


def test_common_pieces_by_number_of_players() -> None:
    found = {players: begun(players).common[:, 1:].tolist() for players in (2, 3, 4)}
    assert found == {2: [[1, 0, 1], [1, 1, 0]], 3: [[1, 0, 2], [1, 1, 1]], 4: [[1, 1, 2], [1, 1, 2]]}


def test_three_missions_are_dealt_and_one_is_put_under_the_deck() -> None:
    plan = plan_for(GAME, players=3, seed=4)
    position = Table(plan, started(plan, 0))
    g = position.g
    assert g.mission_count[:3].tolist() == [3, 3, 3]
    for seat in range(3):
        given = g.missions[seat, 1]
        position.choose(constants.PUT_UNDER, value=1)
        assert g.mission_deck[0] == given
    assert g.mission_count[:3].tolist() == [2, 2, 2]
    assert g.round_number == 1


@pytest.mark.parametrize(
    ("players", "value", "stars"),
    [(4, "removed", True), (3, "removed", True), (2, "removed", False), (1, "removed", False), (2, "kept", True)],
)
def test_cards_with_a_star_are_removed_with_two_players(players: int, value: str, stars: bool) -> None:
    variant = "imperial" if players == 1 else None
    plan = plan_for(GAME, variant, players, settings={"star_trade_cards": value})
    g, t = started(plan, 0)[0], plan.data.tables
    assert any(t.star[card] for card in g.trade_deck[: g.trade_size]) == stars
    missions = [*g.mission_deck[: g.mission_size], *g.missions[g.missions >= 0]]
    assert any(t.star[card] for card in missions) == (players > 2)


@pytest.mark.parametrize("variant", ["truce", "heroes"])
def test_variants_remove_missions(variant: str) -> None:
    plan = plan_for(GAME, variant, 4)
    g, catalog = started(plan, 0)[0], plan.data.catalog
    there = {catalog.card_names[card] for card in [*g.mission_deck[: g.mission_size], *g.missions[g.missions >= 0]]}
    assert there == {each.name for each in catalog.missions if variant.capitalize() not in each.removed_in}


def test_in_heroes_there_are_no_medals_and_hard_times_adds_six_events() -> None:
    assert (begun(4, "heroes").medal == constants.OUT_OF_THE_GAME).all()
    assert (begun(4).medal == constants.NO_SEAT).all()
    assert (begun(4).event_size, begun(4, "hard-times").event_size) == (12, 18)


# ---- Events and the order of play ----


def test_all_who_tie_for_the_most_get_the_reward() -> None:
    position = revealed("Triumph", legions={"Epirus": [1, 2, 0, 2]})
    assert position.g.glory[:4].tolist() == [1, 3, 3, 3]
    assert [row["seat"] for row in position.rows(log.GAINED_GLORY)] == [HENRIK, ZITA]


def test_an_event_says_in_which_direction_play_goes() -> None:
    position = revealed("Veterans", glory=[3, 3, 3, 3], denarii=[9, 9, 9, 9])
    assert position.g.direction == constants.COUNTER_CLOCKWISE
    seats = []
    for _ in range(4):
        position.listed()
        seats.append(position.seat)
        position.choose(constants.PASS)
    assert seats == [BIANKA, ZITA, GABOR, HENRIK]


def test_a_negative_event_takes_no_more_than_there_is() -> None:
    position = revealed("Great Fire", variant="hard-times", denarii=[5, 1, 2, 0])
    assert position.g.denarii[:4].tolist() == [3, 0, 0, 0]
    lost = revealed("Bad Omen", variant="hard-times", glory=[1, 1, 1, 1])
    assert lost.g.glory[:4].tolist() == [1, 1, 1, 1]


# ---- Building ----


def test_several_tiles_are_built_in_one_turn_each_on_the_level_below() -> None:
    position = table(constants.BUILD_PHASE, denarii=[24, 0, 0, 0])
    assert {option.value for option in position.listed() if option.kind == constants.PLACE_TILE} == {1}
    for _ in range(3):
        position.choose(constants.PLACE_TILE, card=constants.RELIGIOUS)
    assert position.g.building[0, constants.RELIGIOUS] == 3
    assert (position.g.denarii[BIANKA], position.g.glory[BIANKA]) == (0, 1 + 2 + 4 + 6)
    assert position.g.tiles[constants.RELIGIOUS].tolist() == [3, 2, 1]


def test_the_first_level_three_of_a_type_takes_its_medal() -> None:
    buildings = {"Africa": {"religious": 2}, "Gallia": {"religious": 2}}
    position = table(constants.BUILD_PHASE, denarii=[14, 14, 0, 0], buildings=buildings)
    for seat in (BIANKA, HENRIK):
        position.choose(constants.PLACE_TILE, card=constants.RELIGIOUS)
        assert position.g.tiles_built[seat, constants.RELIGIOUS] == 1
    assert position.g.medal[constants.RELIGIOUS] == BIANKA


def test_what_cannot_be_paid_or_has_no_tile_left_is_not_built() -> None:
    position = table(constants.BUILD_PHASE, denarii=[2, 0, 0, 0])
    assert position.listed() == [] or position.decision != constants.ASK_BUILD
    no_tile = table(constants.BUILD_PHASE, denarii=[3, 0, 0, 0])
    no_tile.g.tiles[constants.MILITARY, 0] = 0
    assert {option.card for option in no_tile.listed() if option.kind == constants.PLACE_TILE} == {1, 2, 3, 4}


# ---- Followers ----


def test_players_place_one_follower_at_a_time_in_turn_order_until_all_are_placed() -> None:
    position = table(glory=[5, 1, 12, 1], buildings={"Africa": {"economic": 3}})
    seats = []
    while position.listed() and position.decision == constants.ASK_FOLLOWER:
        seats.append(position.seat)
        position.place("Colosseum")
    assert seats == [BIANKA, HENRIK, GABOR, ZITA, BIANKA, GABOR, GABOR]
    # The Colosseum brings a glory to any number of followers.
    assert position.g.glory[:4].tolist() == [7, 2, 15, 2]


def test_a_building_takes_as_many_followers_as_its_level() -> None:
    position = table(glory=[21, 1, 1, 1], buildings={"Africa": {"economic": 2}})
    for _ in range(2):
        position.place("economic")
        place_others(position)
    assert ("economic", 0) not in position.places_listed()


def place_others(position: Table) -> None:
    """Let all but Bianka place their next follower on the Colosseum."""
    while position.seat != BIANKA:
        position.place("Colosseum")


def test_a_bonus_is_used_once_in_a_round() -> None:
    position = table(glory=[5, 1, 1, 1], buildings={"Africa": {"military": 3}}, discord=[0])
    position.place("military", 1)
    while position.decision == constants.ASK_LEGION:
        position.choose(constants.PLACE_LEGION, place=0)
    place_others(position)
    assert ("military", 1) not in position.places_listed()
    assert ("military", 0) in position.places_listed()


@pytest.mark.parametrize(("round_number", "denarii"), [(1, 1), (2, 1), (3, 2), (5, 3), (8, 4), (9, 5)])
@pytest.mark.parametrize(("medals", "more"), [({}, 0), ({"economic": BIANKA}, 2)])
def test_the_economic_action_brings_more_in_later_rounds(
    round_number: int, denarii: int, medals: dict[str, int], more: int
) -> None:
    buildings = {"Africa": {"economic": 1}}
    position = table(buildings=buildings, denarii=[0], round_number=round_number, medals=medals)
    position.place("economic")
    assert position.g.denarii[BIANKA] == denarii + more


# ---- The Pantheon ----


def test_a_level_is_begun_with_own_pieces_and_finished_with_the_best_common_one() -> None:
    position = table(glory=[12, 12, 1, 1], buildings={**TEMPLE, "Gallia": {"religious": 3}})
    g = position.g
    while position.listed() and position.decision == constants.ASK_FOLLOWER:
        position.place("religious" if position.seat in (BIANKA, HENRIK) else "Colosseum")
    assert g.pantheon_own[:2].tolist() == [[2, 0], [2, 0]]
    assert g.pantheon_common[:2, constants.BASE].tolist() == [constants.GOLD, constants.SILVER]
    assert g.common[constants.BASE].tolist() == [0, 0, 0, 2]


def test_a_setting_says_whether_the_roof_may_be_begun_first() -> None:
    position = table(buildings=TEMPLE, settings={"roof_first": "not allowed"})
    position.place("religious")
    assert position.g.pantheon_own[BIANKA].tolist() == [1, 0]
    position = table(buildings=TEMPLE, settings={"roof_first": "allowed"})
    position.place("religious")
    assert {option.card for option in position.listed()} == {constants.BASE, constants.ROOF}
    position.choose(constants.PLACE_PIECE, card=constants.ROOF)
    assert position.g.pantheon_own[BIANKA].tolist() == [0, 1]


def test_with_the_pantheon_finished_no_follower_goes_there() -> None:
    own, common = [[2, 3]], [[constants.GOLD, constants.GOLD]]
    position = table(buildings=TEMPLE, pantheon_own=own, pantheon_common=common)
    assert ("religious", 0) not in position.places_listed()


# ---- Income ----


def test_the_worked_example_of_taxes() -> None:
    buildings = {
        "Africa": {"military": 2},
        "Gallia": {"military": 2},
        "Hispania": {"military": 3, "religious": 2},
        "Italia": {"military": 3, "religious": 1},
    }
    position = table(
        constants.INCOME_PHASE, buildings=buildings, glory=[1, 3, 7, 5], denarii=[2, 1, 3, 10], round_number=9
    )
    # Bianka on 1 cannot tax twice, so she is not asked.
    for value in (1, 1, 0):
        position.choose(constants.TAKE_TAX, value=value)
    assert position.g.denarii[:4].tolist() == [5, 7, 15, 15]
    assert position.g.glory[:4].tolist() == [1, 1, 3, 5]


@pytest.mark.parametrize(("direction", "before_bianka"), [(constants.CLOCKWISE, 3), (constants.COUNTER_CLOCKWISE, 1)])
def test_the_board_turns_in_the_direction_of_the_event(direction: int, before_bianka: int) -> None:
    for variant, arrows, expected in ((None, 1, before_bianka), (None, 2, 2), ("clockwork", 2, 3)):
        position = table(constants.INCOME_PHASE, variant=variant, round_number=9)
        position.g.direction, position.g.arrows = direction, arrows
        while position.listed():
            position.choose(constants.TAKE_TAX, value=0)
        assert position.g.board[0] == expected


# ---- Medals ----


def test_the_religious_medal_turns_three_denarii_into_a_glory_in_the_own_turn_and_before_others() -> None:
    position = table(constants.BUILD_PHASE, medals={"religious": HENRIK}, denarii=[0, 7, 0, 0], glory=[5, 5, 5, 5])
    position.listed()
    assert (position.seat, position.decision) == (HENRIK, constants.ASK_PAY)
    assert {option.value for option in position.options} == {0, 1, 2}
    position.choose(constants.PAY_FOR_GLORY, value=1)
    assert (position.g.glory[HENRIK], position.g.denarii[HENRIK]) == (6, 4)
    assert position.seat == HENRIK
    assert "pay_for_glory" in position.kinds_listed()


# ---- The end ----


def test_the_worked_example_of_scoring() -> None:
    position = table(
        legions={"Epirus": [0, 0, 1, 1], "Macedonia": [2, 1, 2, 0], "Thrace": [2, 3, 0, 1]},
        senate=[GABOR, BIANKA, HENRIK, GABOR, ZITA],
        medals={"military": ZITA, "commercial": HENRIK, "religious": GABOR},
        pantheon_own=[[1, 0], [2, 3], [2, 0], [2, 2]],
        pantheon_common=[[0, 0], [constants.BRONZE, constants.GOLD], [constants.GOLD, 0], [constants.SILVER, 0]],
        sets={HENRIK: [constants.WEAPONS, constants.TEXTILES], GABOR: [constants.WEAPONS], ZITA: [constants.JEWELS]},
        missions={HENRIK: ["Each First Place"], ZITA: ["Last Brick in the Wall"]},
        denarii=[12, 3, 6, 10],
        glory=[29, 26, 27, 23],
        round_number=9,
    )
    assert [tuple(score.values()) for score in position.finish()] == [
        (29, 5, 2, 0, 1, 0, 3, 40),
        (26, 14, 3, 9, 11, 3, 0, 66),
        (27, 2, 6, 4, 6, 0, 2, 47),
        (23, 8, 6, 6, 7, 6, 2, 58),
    ]
    assert position.g.rank[:4].tolist() == [4, 1, 3, 2]


@pytest.mark.parametrize(
    ("value", "glory", "denarii", "ranks"),
    [
        ("remainder", [9, 10, 9, 9], [8, 7, 0, 1], [2, 1, 4, 3]),
        ("all", [9, 10, 9, 9], [8, 7, 0, 1], [1, 2, 4, 3]),
        ("remainder", [9, 9, 8, 8], [1, 1, 1, 1], [1, 1, 3, 3]),
    ],
)
def test_ties_go_by_denarii_and_who_is_level_in_all_shares_the_win(
    value: str, glory: list[int], denarii: list[int], ranks: list[int]
) -> None:
    position = table(glory=glory, denarii=denarii, settings={"denarii_break_ties": value})
    position.finish()
    assert position.g.rank[:4].tolist() == ranks


@pytest.mark.parametrize(
    ("mission", "fields", "points"),
    [
        ("Each Legion", {"legions": {"Epirus": [3]}}, 3),
        ("Each Vote", {"senate": [BIANKA, BIANKA]}, 4),
        ("Many Votes", {"senate": [BIANKA, BIANKA]}, 0),
        ("Many Votes", {"senate": [BIANKA] * 3}, 5),
        ("Many Followers", {"glory": [30, 1, 1, 1]}, 4),
        ("Great Glory", {"glory": [31, 1, 1, 1]}, 5),
        ("Great Glory", {"glory": [30, 1, 1, 1]}, 0),
        ("Great Wealth", {"denarii": [24]}, 4),
        ("Great Population", {"buildings": {"Africa": {"military": 3, "political": 3, "economic": 3}}}, 5),
        ("Each Card Kept", {"hands": {BIANKA: ["Stola", "Tunic"]}, "anchor": [1]}, 2),
        ("Each Piece of the Pantheon", {"pantheon_own": [[2, 0]], "pantheon_common": [[1, 0]]}, 3),
        ("Great Pantheon", {"pantheon_own": [[2, 3]], "pantheon_common": [[1, 0]]}, 5),
        ("Greatest Wealth", {"denarii": [7, 7, 1, 1]}, 4),
        ("Greatest Wealth", {"denarii": [6, 7, 1, 1]}, 0),
        ("Driven by Wrath", {"discord": [1, 1, 2, 2]}, 5),
        ("Driven by Wrath", {"discord": [2, 1, 2, 2]}, 0),
        ("Most Legions", {"legions": {"Epirus": [2, 2]}}, 5),
        ("First Voter", {"medals": {"political": BIANKA}}, 6),
        ("First Voter", {"medals": {"political": HENRIK}}, 0),
        ("Most Distinctions", {"medals": {"political": BIANKA, "economic": HENRIK}}, 6),
    ],
)
def test_missions_bring_their_points_and_ties_go_to_their_owner(
    mission: str, fields: dict[str, Any], points: int
) -> None:
    position = table(missions={BIANKA: [mission]}, **fields)
    assert position.finish()[BIANKA]["missions"] == points


def test_achievements_are_counted() -> None:
    position = table(
        glory=[61, 1, 1, 1],
        discord=[0],
        medals=dict.fromkeys(constants.BUILDINGS, BIANKA),
        legions={"Epirus": [4], "Macedonia": [3], "Thrace": [4]},
        senate=[HENRIK, BIANKA, BIANKA, BIANKA, BIANKA],
        pantheon_own=[[2, 3]],
        pantheon_common=[[constants.GOLD, constants.GOLD]],
        missions={BIANKA: ["Each Legion", "Each Vote", "Many Votes", "Great Glory"]},
        sets={BIANKA: [constants.JEWELS] * 3},
    )
    position.finish()
    assert position.g.achievements[BIANKA] == (1 << len(constants.ACHIEVEMENTS)) - 1
    none = table(discord=[2])
    none.finish()
    assert none.g.achievements[BIANKA] == 0


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_nine_rounds_are_played(players: int) -> None:
    plan = plan_for(GAME, "imperial" if players == 1 else None, players, seed=4)
    position = Table(plan, started(plan, 0, keeps_log=True))
    plan.game.kernels.play_out(position.g, plan.data.tables, players_of(plan))
    found: list[tuple[str, ...]] = []
    for row in position.rows(log.ROUND_BEGINS, log.PHASE_BEGINS):
        if row["kind"] == log.ROUND_BEGINS:
            assert row["number"] == len(found) + 1
            found.append(())
        else:
            found[-1] += (constants.PHASES[row["what"]],)
    # No intrigue is activated in the first round, and none by a player alone.
    alone = ("build", "action", "income")
    assert found == [alone, *[alone if players == 1 else ("intrigue", *alone)] * 8]
    assert (position.g.finished, position.g.rounds) == (1, 9)


def test_starting_players_come_by_lot() -> None:
    plan = plan_for(GAME, players=4, seed=4)
    assert {int(started(plan, number)[0].starting_player) for number in range(20)} == {0, 1, 2, 3}

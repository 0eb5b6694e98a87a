"""Positions: what is laid out where, and what is told of it."""

from typing import Any

import pytest

from sim.errors import UserError
from sim.games.glory_of_rome.io.positions import inspect_lines
from tests.games.glory_of_rome.inspecting import after, card, inspect, move, of, player, table, trade

PROVINCES = ["Africa", "Gallia", "Hispania", "Italia"]
BUILDINGS = ["military", "political", "commercial", "religious", "economic"]


def test_what_is_left_out_is_as_after_set_up_with_nothing_dealt() -> None:
    result = inspect({"players": [{"character": "Marcus Antonius"}, {"character": "Gaius Octavius"}]})
    first, second = result["players"]
    assert (result["round"], result["phase"], result["direction"]) == (1, "event", "clockwise")
    assert (result["to_move"], result["legal"], result["moves"]) == (None, None, [])
    assert (first["denarii"], first["glory"], first["discord"], first["votes"]) == (7, 1, 2, 4)
    assert first["legions"] == {"board": 7, "Epirus": 0, "Macedonia": 0, "Thrace": 0}
    assert (first["anchor"], first["hand"], first["missions"], first["milestones"]) == (True, [], {}, [])
    assert (first["followers"], first["followers_left"], first["intrigue_left"]) == (1, 1, 3)
    assert first["placed"] == dict.fromkeys([*BUILDINGS, "Colosseum", "intrigue"], 0)
    assert first["pantheon"] == {"base": [], "roof": []}
    assert [first["province"], second["province"]] == ["Africa", "Hispania"]
    assert (result["trade_deck"], result["trade_discard"], result["senate"]) == (0, [], [])
    assert result["milestone_markers"] == {"5": 5, "12": 12, "21": 21, "30": 30}
    assert result["provinces"]["Gallia"] == {
        "buildings": dict.fromkeys(BUILDINGS, 0),
        "population": 1,
        "seat": None,
        "intrigue": [],
        "activated": [],
    }
    assert result["regions"]["Thrace"] == {"conquered": False, "legions": 0, "places": {}}


@pytest.mark.parametrize(
    ("players", "tiles", "base", "roof"),
    [
        (2, {"1": 4, "2": 2, "3": 1}, {"gold": 1, "silver": 0, "bronze": 1}, {"gold": 1, "silver": 1, "bronze": 0}),
        (3, {"1": 4, "2": 3, "3": 2}, {"gold": 1, "silver": 0, "bronze": 2}, {"gold": 1, "silver": 1, "bronze": 1}),
        (4, {"1": 4, "2": 3, "3": 2}, {"gold": 1, "silver": 1, "bronze": 2}, {"gold": 1, "silver": 1, "bronze": 2}),
    ],
)
def test_the_supply_is_that_of_the_number_of_players(
    players: int, tiles: dict[str, int], base: dict[str, int], roof: dict[str, int]
) -> None:
    supply = inspect(table(*[{"discord": 1}] * players))["supply"]
    assert supply["tiles"] == dict.fromkeys(BUILDINGS, tiles)
    assert supply["pantheon"] == {"base": base, "roof": roof}
    assert (supply["medals"], supply["discord"]) == (BUILDINGS, 11 - players)


def test_what_lies_on_the_table_is_not_in_the_supply() -> None:
    seats = {"medals": ["economic"], "pantheon": {"base": ["own", "own", "bronze"], "roof": []}}, {}
    provinces = {"Africa": {"buildings": {"military": 3}}, "Italia": {"buildings": {"military": 1}}}
    result = inspect(table(*seats, {}, provinces=provinces))
    assert result["supply"]["tiles"]["military"] == {"1": 2, "2": 2, "3": 1}
    assert result["supply"]["medals"] == BUILDINGS[:4]
    assert result["supply"]["pantheon"]["base"] == {"gold": 1, "silver": 0, "bronze": 1}
    assert [result["provinces"][name]["population"] for name in PROVINCES] == [4, 1, 1, 2]


def test_seats_sit_at_places_of_the_board() -> None:
    board = ["Gallia", "Hispania", "Italia", "Africa"]
    assert of(inspect(table({}, {}, board=board)), "province") == ["Gallia", "Italia"]
    three = inspect(table({}, {}, {}, board=board))
    assert of(three, "province") == ["Gallia", "Hispania", "Italia"]
    assert [three["provinces"][name]["seat"] for name in PROVINCES] == [None, 0, 1, 2]


def test_milestones_and_followers_follow_from_glory() -> None:
    result = inspect(
        table({"glory": 21}, {"glory": 12}, {"glory": 4, "milestones": [5]}, {"glory": 30, "milestones": []})
    )
    assert of(result, "milestones") == [[5, 12, 21], [5, 12], [5], []]
    assert of(result, "followers") == [4, 3, 2, 1]
    assert result["milestone_markers"] == {"5": 5, "12": 10, "21": 20, "30": 30}


@pytest.mark.parametrize(
    ("glory", "space", "side"), [(1, 1, "plain"), (30, 30, "plain"), (31, 1, "+30"), (60, 30, "+30")]
)
def test_the_marker_goes_round_the_track(glory: int, space: int, side: str) -> None:
    assert inspect(table({"glory": glory}, {}))["players"][0]["marker"] == {"space": space, "side": side}


def test_tokens_lie_on_the_spaces_of_the_discord_track_farthest_right() -> None:
    def bonuses(track: list[str | None], discord: int, used: list[str]) -> Any:
        seat = {"discord_track": track, "discord": discord, "bonus_used": used}
        return inspect(table(seat, {}))["players"][0]["bonuses"]

    track = ["political", None, "military", "commercial"]
    assert bonuses(track, 0, []) == ["military", "political", "commercial"]
    assert bonuses(track, 1, []) == ["military", "political"]
    assert bonuses(track, 2, ["political"]) == []
    assert bonuses(track, 3, []) == ["political"]
    assert bonuses([], 0, []) == []


def test_votes_of_the_column_are_not_on_the_board() -> None:
    result = inspect(table({}, {}, {"votes": 0}, senate=[0, 0, 1, 2]))
    # Junia Secunda has five votes, Gaius Octavius four.
    assert of(result, "votes") == [3, 3, 0]
    assert result["senate"] == [
        {"seat": 0, "value": 1},
        {"seat": 0, "value": 2},
        {"seat": 1, "value": 3},
        {"seat": 2, "value": 5},
    ]


def test_lists_keep_the_order_of_the_position() -> None:
    seat = {"sets": ["jewels", "tools", "jewels"], "medals": ["economic", "military"]}
    seat["pantheon"] = {"base": ["gold", "own"], "roof": []}
    provinces = {"Italia": {"intrigue": [2, 0, 2]}}
    result = inspect(table(seat, {}, {}, provinces=provinces))
    told = result["players"][0]
    assert (told["sets"], told["medals"]) == (["jewels", "tools", "jewels"], ["economic", "military"])
    assert told["pantheon"] == {"base": ["gold", "own"], "roof": []}
    assert result["provinces"]["Italia"]["intrigue"] == [2, 0, 2]
    assert of(result, "intrigue_left") == [2, 3, 1]


@pytest.mark.parametrize(
    ("players", "variants", "events", "missions"),
    [(4, [], 12, 28), (4, ["Hard Times"], 18, 28), (3, ["Truce"], 12, 26), (4, ["Truce", "Heroes"], 12, 20)],
)
def test_cards_in_the_game_are_those_that_variants_leave(
    players: int, variants: list[str], events: int, missions: int
) -> None:
    own = trade(card("Lamp")) | {"missions": [{"name": "Peace", "points": 1, "per": "votes"}]}
    cards = inspect(table(*[{}] * players, variants=variants, data=own))["cards"]
    assert cards == {"events": events, "missions": missions, "trade": 38}


# ---- Numbers and cards of a position's own ----


def test_numbers_that_are_not_named_stay() -> None:
    data = {"shields": {"Thrace": 2}, "senate_values": [9, 8, 7, 6, 5], "penalties": {"2": 0}}
    data["prices"] = {"economic": [[1, 9], [2, 8], [3, 7]]}
    legions = {"legions": {"Thrace": 2, "Epirus": 1}, "glory": 1, "denarii": 3}
    provinces = {"Africa": {"buildings": {"economic": 1}}}
    position = table(legions, {}, phase="build", senate=[0, 1], provinces=provinces, data=data)
    result = inspect(position)
    assert [result["regions"][name]["conquered"] for name in ("Epirus", "Macedonia", "Thrace")] == [False, False, True]
    assert result["players"][0]["income"] == {"normal": 2, "double": 4, "penalty": 0, "can_double": True}
    assert [vote["value"] for vote in result["senate"]] == [9, 8]
    built = after(position, move("build", type="economic", level=2))["players"][0]
    assert (built["denarii"], built["glory"]) == (1, 9)
    religious = after(position, move("build", type="religious", level=1))["players"][0]
    assert (religious["denarii"], religious["glory"]) == (0, 3)


def test_own_cards_go_before_those_of_the_same_name() -> None:
    sundial = card("Sundial", "weapons", "follower", glory=3)
    position = table({"hand": ["Sundial"], "glory": 1}, {}, phase="action", data=trade(sundial))
    result = after(position, move("follower", on="Colosseum", before=[{"play": "Sundial"}]))
    assert (result["players"][0]["glory"], result["trade_discard"]) == (5, ["Sundial"])


def test_the_example_of_the_format() -> None:
    lamp = {"name": "Lamp", "type": "tools", "when": "follower", "effect": {"denarii": 1}}
    track = ["political", "commercial", None, "military"]
    result = inspect(
        {
            "round": 4,
            "phase": "action",
            "starting_player": 1,
            "board": ["Gallia", "Hispania", "Italia", "Africa"],
            "provinces": {"Hispania": {"buildings": {"political": 2}}},
            "senate": [0, 1],
            "data": {"senate_values": [1, 2, 3, 5, 6], "trade_cards": [lamp]},
            "players": [
                {"character": "Junia Secunda"},
                {"character": "Fulvia", "denarii": 6, "discord_track": track, "discord": 2, "hand": ["Lamp"]},
                {"character": "Livia Drusilla", "denarii": 5},
            ],
            "moves": [
                {"p": 1, "do": "follower", "on": "political", "bonus": True, "before": [{"play": "Lamp"}]},
                {"p": 2, "do": "follower", "on": "religious", "level": "base"},
            ],
        }
    )
    fulvia = result["players"][1]
    assert result["moves"] == [{"ok": True}, {"ok": False, "reason": "no religious building"}]
    assert result["to_move"] == 2
    assert result["senate"] == [{"seat": seat, "value": value} for seat, value in [(0, 1), (1, 2), (1, 3), (1, 5)]]
    assert (fulvia["denarii"], fulvia["glory"], fulvia["votes"]) == (7, 4, 1)
    assert (fulvia["bonuses"], fulvia["province"]) == (["commercial"], "Hispania")
    assert fulvia["income"] == {"normal": 3, "double": 6, "penalty": 2, "can_double": True}
    score = {"track": 4, "military": 0, "politics": 10, "commerce": 0, "religion": 0, "missions": 0, "denarii": 1}
    assert fulvia["score"] == {**score, "total": 15}


# ---- Whose turn it is ----


def test_in_the_action_phase_players_without_followers_are_skipped() -> None:
    placed = {"placed": {"Colosseum": 1}}
    assert inspect(table(placed, {}, {}, phase="action"))["to_move"] == 1
    ended = inspect(table(placed, placed, phase="action"))
    assert (ended["phase"], ended["to_move"], of(ended, "followers_left")) == ("income", 0, [1, 1])


def test_too_many_cards_are_refused() -> None:
    with pytest.raises(UserError, match="too many trade cards in all"):
        inspect(table({}, {}, trade_deck=["Sundial"] * 100, trade_discard=["Sundial"] * 100))
    many = trade(*(card(f"Card {number}") for number in range(150)))
    with pytest.raises(UserError, match="too many cards"):
        inspect(table({}, {}, data=many))


def test_a_solo_position_is_told_in_lines() -> None:
    solo = inspect_lines(inspect({"players": [player("Fulvia", glory=60)]}))
    assert "  tasks: glory; title none" in solo

"""The rulebook's worked examples (rules digest), and the example of the format of positions, as positions."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.glory_of_rome.inspecting import after, card, inspect, move, of, player, refused, scores, table, trade

PLAIN = trade(*(card(name) for name in ("Comb", "Ring", "Lyre", "Knife")))
"""Trade cards that are never played."""
BULLA = card("Bulla", "textiles", "follower", draw=2)
SPATHA = card("Spatha", "weapons", "follower", recruit_legions=1)
KNOWN = trade(
    *PLAIN["trade_cards"],
    card("Sundial", "tools", "follower", draw=1),
    card("Compass", "tools", "follower", remove_anchor=True),
    BULLA,
    card("Snake bracelets", "jewels", "follower", take_discard=1),
    SPATHA,
)


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


# ---- Milestones ----

BIANKA, GABOR, HENRIK, ZITA = range(4)


def milestones(*glory: int) -> dict[str, Any]:
    seats = [{"glory": each} for each in glory]
    return table(*seats, phase="action", data={"prices": {}})


def test_a_milestone_moves_down_onto_a_player_who_reaches_it_too() -> None:
    result = after(milestones(11, 11, 8), move("follower", 0, on="Colosseum"))
    # Gábor stands on 11.
    assert of(result, "milestones") == [[5, 12], [5, 12], [5]]
    assert (of(result, "followers"), result["milestone_markers"]["12"]) == ([3, 3, 2], 10)


def test_two_on_the_space_reach_a_milestone_at_the_same_time() -> None:
    result = after(milestones(11, 11, 11), move("follower", 0, on="Colosseum"))
    assert (of(result, "followers"), result["milestone_markers"]["12"]) == ([3, 3, 3], 9)


def test_the_fixed_milestone_stays_where_it_is() -> None:
    result = after(milestones(4, 4, 4), move("follower", 0, on="Colosseum"), move("follower", 1, on="Colosseum"))
    assert (of(result, "followers"), result["milestone_markers"]["5"]) == ([2, 2, 1], 5)


# ---- Intrigue ----


def intrigue() -> dict[str, Any]:
    """Bianka's token lies before Henrik; her military bonus alone is uncovered, and his political one."""
    seats: list[dict[str, Any]] = [{}] * 4
    seats[BIANKA] = {"discord_track": ["military", "political", None, "commercial"], "discord": 3}
    seats[GABOR] = {"discord_track": [None, "military", "political", "commercial"], "discord": 3}
    seats[HENRIK] = {
        "discord_track": ["political", "military", None, "commercial"],
        "discord": 3,
        "pantheon": {"base": ["own"], "roof": []},
    }
    seats[ZITA] = {"discord": 0}
    board = {"Hispania": {"intrigue": [BIANKA, GABOR]}, "Gallia": {"intrigue": [ZITA]}}
    return table(*seats, round=3, phase="intrigue", starting_player=BIANKA, provinces=board)


def test_an_intrigue_passes_discord_and_bonuses_on() -> None:
    position = intrigue()
    assert [of(inspect(position), "bonuses")[seat] for seat in (BIANKA, HENRIK)] == [["military"], ["political"]]
    activation = move("activate", BIANKA, province="Hispania", effect="Demolition", level="base")
    result = after(position, activation)
    assert [of(result, "discord")[seat] for seat in (BIANKA, HENRIK)] == [2, 4]
    assert [of(result, "bonuses")[seat] for seat in (BIANKA, HENRIK)] == [["military", "political"], []]
    assert result["players"][HENRIK]["pantheon"]["base"] == []
    hispania = result["provinces"]["Hispania"]
    assert (hispania["intrigue"], hispania["activated"]) == ([GABOR], [BIANKA])


def test_a_full_track_and_a_lack_of_discord_stop_an_intrigue() -> None:
    activation = move("activate", BIANKA, province="Hispania", effect="Demolition", level="base")
    first = (activation, move("pass", BIANKA))
    on_henrik = move("activate", GABOR, province="Hispania", effect="Slander")
    assert "no free space" in refused(intrigue(), on_henrik, *first)
    on_gabor = move("activate", ZITA, province="Gallia", effect="Slander")
    passed = (*first, move("pass", GABOR), move("pass", HENRIK))
    assert "no discord token" in refused(intrigue(), on_gabor, *passed)


# ---- The senate ----


def senate(column: list[int], **keys: Any) -> dict[str, Any]:
    seats: list[dict[str, Any]] = [{"discord_track": ["political"], "discord": 0, "glory": 1} for _ in range(4)]
    for seat, votes in keys.pop("votes", {}).items():
        seats[seat]["votes"] = votes
    buildings = {"buildings": {"political": 1}}
    provinces = {name: dict(buildings) for name in ("Africa", "Gallia", "Hispania", "Italia")}
    return table(*seats, senate=column, provinces=provinces, phase="action", round=2, **keys)


def test_each_vote_on_two_more_makes_a_majority() -> None:
    position = senate([ZITA, HENRIK, HENRIK], to_move=HENRIK)
    result = after(position, move("follower", HENRIK, on="political", bonus=True))
    assert result["players"][HENRIK]["glory"] == 1 + 2 + 2
    assert [vote["seat"] for vote in result["senate"]] == [ZITA, HENRIK, HENRIK, HENRIK, HENRIK]


def test_votes_that_adjoin_by_a_removal_are_no_majority() -> None:
    position = senate([ZITA, GABOR, ZITA, ZITA], starting_player=ZITA, votes={ZITA: 2})
    position |= {"phase": "intrigue"}
    position["players"][ZITA] |= {"own_intrigue": "Re-vote", "discord": 1, "discord_track": [None]}
    position["provinces"] = {"Gallia": {"intrigue": [ZITA]}}
    # Her own vote makes the majority, on three that adjoined without any.
    result = after(position, move("activate", ZITA, province="Gallia", effect="Re-vote", vote=2))
    assert result["players"][ZITA]["glory"] == 1 + 2
    assert [vote["seat"] for vote in result["senate"]] == [ZITA, ZITA, ZITA, ZITA]
    assert [of(result, "votes")[seat] for seat in (GABOR, ZITA)] == [4, 1]
    invalid = {**position, "players": [dict(each) for each in position["players"]]}
    invalid["players"][ZITA]["own_intrigue"] = "Invalid vote"
    removed = after(invalid, move("activate", ZITA, province="Gallia", effect="Invalid vote", vote=2))
    assert removed["players"][ZITA]["glory"] == 1 + 1
    assert [vote["seat"] for vote in removed["senate"]] == [ZITA, ZITA, ZITA]


def test_a_vote_that_is_pushed_out_can_be_placed_again() -> None:
    position = senate([GABOR, GABOR, ZITA, GABOR, GABOR], to_move=GABOR, votes={GABOR: 1})
    result = after(position, move("follower", GABOR, on="political", bonus=True))
    assert result["players"][GABOR]["glory"] == 1 + 2 + 2
    assert [vote["seat"] for vote in result["senate"]] == [ZITA, GABOR, GABOR, GABOR, GABOR]
    assert result["players"][GABOR]["votes"] == 1


# ---- Trade cards ----


def market(seat: dict[str, Any], **keys: Any) -> dict[str, Any]:
    seat = {"discord_track": ["commercial", "military"], "discord": 0, **seat}
    buildings = {"Africa": {"buildings": {"commercial": 1, "military": 1}}}
    return table(seat, {}, phase="action", round=2, provinces=buildings, data=KNOWN, **keys)


def test_a_compass_that_is_drawn_by_a_sundial_is_played_at_once() -> None:
    gabor = {"hand": ["Sundial", "Comb", "Ring", "Lyre"], "anchor": True}
    position = market(gabor, trade_deck=["Bulla", "Spatha", "Knife", "Compass"])
    steps = [{"play": "Sundial"}, {"play": "Compass"}]
    result = after(position, move("follower", on="commercial", bonus=True, before=steps))
    told = result["players"][0]
    assert (told["hand"], told["anchor"]) == (["Comb", "Ring", "Lyre", "Knife", "Spatha"], False)
    assert (result["trade_discard"], result["trade_deck"]) == (["Sundial", "Compass"], 1)


def test_a_set_makes_room_for_the_cards_of_the_action() -> None:
    deck = ["Comb", "Ring", "Knife", "Sundial"]
    position = market({"hand": ["Bulla", "Lyre", "Ring", "Comb"]}, trade_deck=deck)
    steps = [{"play": "Bulla"}, {"set": ["Lyre", "Ring", "Comb"], "type": "tools"}]
    result = after(position, move("follower", on="commercial", bonus=True, before=steps))
    told = result["players"][0]
    assert (told["hand"], told["sets"]) == (["Sundial", "Knife", "Ring", "Comb"], ["tools"])
    assert "no room" in refused(position, move("follower", on="commercial", bonus=True, before=steps[:1]))


def test_cards_from_the_discard_pile_are_chained() -> None:
    legions = {"board": 1, "Epirus": 2, "Macedonia": 3}
    zita = {"character": "Aemilius Lepidus", "legions": legions, "hand": ["Snake bracelets"]}
    position = market(zita, trade_deck=["Comb", "Spatha"], trade_discard=["Ring", "Bulla"])
    position["players"][1] = player("Fulvia")
    steps = [{"play": "Snake bracelets"}, {"play": "Bulla"}, {"play": "Spatha"}]
    placed = [{"to": "Epirus"}, {"to": "Macedonia"}]
    result = after(position, move("follower", on="military", bonus=True, legions=placed, before=steps))
    told = result["players"][0]
    assert told["legions"] == {"board": 0, "Epirus": 3, "Macedonia": 4, "Thrace": 0}
    assert (told["hand"], result["trade_discard"]) == (["Comb"], ["Ring", "Snake bracelets", "Bulla", "Spatha"])


# ---- Taxes ----


def test_taxes_of_four_players() -> None:
    levels = {"Africa": {"military": 2}, "Gallia": {"military": 2}, "Hispania": {"military": 3, "religious": 2}}
    levels["Italia"] = {"political": 2, "religious": 2}
    seats = [{"glory": glory, "denarii": denarii} for glory, denarii in ((1, 2), (3, 1), (7, 3), (5, 10))]
    provinces = {name: {"buildings": buildings} for name, buildings in levels.items()}
    position = table(*seats, phase="income", provinces=provinces)
    assert [each["normal"] for each in of(inspect(position), "income")] == [3, 3, 6, 5]
    assert "cannot move back by 2" in refused(position, move("tax", 0, double=True))
    taxes = [move("tax", seat, double=double) for seat, double in enumerate((False, True, True, False))]
    result = after(position, *taxes)
    assert (of(result, "denarii"), of(result, "glory")) == ([5, 7, 15, 15], [1, 1, 3, 5])
    assert (result["round"], result["phase"], result["to_move"]) == (2, "event", None)


# ---- Regions ----


@pytest.mark.parametrize(
    ("medal", "places", "points"),
    [([], {"0": 1, "1": 1, "2": 2}, [0, 0, 4]), (["military"], {"0": 1, "1": 2, "2": 3}, [8, 4, 0])],
)
def test_a_tie_in_a_region_with_and_without_the_medal(
    medal: list[str], places: dict[str, int], points: list[int]
) -> None:
    legions = [{"legions": {"Macedonia": number}, "medals": []} for number in (3, 3, 1)]
    legions[0]["medals"] = list(medal)
    result = inspect(table(*legions))
    assert result["regions"]["Macedonia"] == {"conquered": True, "legions": 7, "places": places}
    assert scores(result, "military") == points


# ---- The scoring example ----


def test_the_scoring_table_of_four_players() -> None:
    missions = [
        {"name": "Regions", "points": 3, "per": "first_places"},
        {"name": "Medal", "points": 6, "if": {"medal": "military"}},
    ]
    bianka = {"glory": 29, "denarii": 12, "legions": {"Macedonia": 3, "Thrace": 2}}
    bianka |= {"pantheon": {"base": ["own"], "roof": []}}
    henrik = {"glory": 26, "denarii": 3, "legions": {"Macedonia": 2, "Thrace": 3}, "missions": ["Regions"]}
    henrik |= {"medals": ["commercial"], "sets": ["weapons", "textiles"]}
    henrik |= {"pantheon": {"base": ["own", "own", "gold"], "roof": ["own", "own", "own", "bronze"]}}
    gabor = {"glory": 27, "denarii": 6, "legions": {"Epirus": 1, "Macedonia": 3}, "sets": ["weapons"]}
    gabor |= {"medals": ["religious"], "missions": [], "pantheon": {"base": ["own", "own"], "roof": ["gold"]}}
    zita = {"glory": 23, "denarii": 10, "legions": {"Epirus": 1, "Thrace": 1}, "sets": ["jewels"]}
    zita |= {"medals": ["military"], "missions": ["Medal"]}
    zita |= {"pantheon": {"base": ["own", "own", "silver"], "roof": ["own", "own"]}}
    seats = {BIANKA: bianka, HENRIK: henrik, GABOR: gabor, ZITA: zita}
    column = [GABOR, BIANKA, HENRIK, GABOR, ZITA]
    position = table(*(seats[seat] for seat in range(4)), senate=column, data={"missions": missions})
    result = inspect(position)
    parts = {
        "track": (29, 26, 27, 23),
        "military": (5, 14, 2, 8),
        "politics": (2, 3, 6, 6),
        "commerce": (0, 9, 4, 6),
        "religion": (1, 11, 6, 7),
        "missions": (0, 3, 0, 6),
        "denarii": (3, 0, 2, 2),
        "total": (40, 66, 47, 58),
    }
    for part, (of_bianka, of_henrik, of_gabor, of_zita) in parts.items():
        wanted = {BIANKA: of_bianka, HENRIK: of_henrik, GABOR: of_gabor, ZITA: of_zita}
        assert scores(result, part) == [wanted[seat] for seat in range(4)], part
    ranks = of(result, "rank")
    assert [ranks[seat] for seat in (HENRIK, ZITA, GABOR, BIANKA)] == [1, 2, 3, 4]
    assert result["regions"]["Thrace"]["legions"] == 6


def test_a_marker_on_space_1_with_its_other_side_up_is_31_glory() -> None:
    told = inspect(table({"glory": 31}, {}))["players"][0]
    assert (told["marker"], told["score"]["track"]) == ({"space": 1, "side": "+30"}, 31)


# ---- Spies and Alliances ----


def castle(denarii: int = 6) -> dict[str, Any]:
    seats = {"denarii": denarii, "glory": 1, "legions": {"board": 2}}, {"denarii": 0, "glory": 1}
    provinces = {"Gallia": {"buildings": {"military": 3, "commercial": 1}}}
    variants = ["Spies and Alliances"]
    return table(*seats, {}, round=2, phase="diplomacy", provinces=provinces, variants=variants)


def treaty(token: str, accepted: bool, offer: int = 5, building: str = "military", **keys: Any) -> dict[str, Any]:
    words = {"building": building, "token": token, "offer": offer, "accepted": accepted}
    return move("diplomacy", province="Gallia", **words, **keys)


def test_an_alliance_on_a_castle_brings_both_its_level() -> None:
    result = after(castle(), treaty("alliance", True))
    assert (of(result, "denarii")[:2], of(result, "glory")[:2]) == ([1, 5], [4, 4])


def test_a_spy_in_a_castle_brings_glory_or_a_legion() -> None:
    result = after(castle(), treaty("spy", True, choice="glory"))
    assert (of(result, "denarii")[:2], of(result, "glory")[:2]) == ([1, 5], [4, 1])
    acted = after(castle(), treaty("spy", True, choice="action", legions=[{"to": "Thrace"}]))
    assert (of(acted, "glory")[:2], acted["players"][0]["legions"]["Thrace"]) == ([1, 1], 1)


def test_of_a_refused_offer_an_alliance_returns_and_a_spy_does_not() -> None:
    returned = after(castle(), treaty("alliance", False, 3, "commercial"))
    lost = after(castle(), treaty("spy", False, 3, "commercial"))
    assert (of(returned, "denarii")[:2], of(lost, "denarii")[:2]) == ([6, 0], [3, 0])

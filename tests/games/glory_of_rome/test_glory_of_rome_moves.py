"""Moves on positions: what is refused is refused with its reason and changes nothing; what is listed can be done.

That moves do what the rules say is for the oracle (`test_glory_of_rome_oracle.py`) and for the tests of the rules.
"""

from typing import Any

import pytest

from tests.games.glory_of_rome.inspecting import (
    Position,
    act,
    after,
    built,
    card,
    events,
    inspect,
    kept,
    move,
    of,
    refused,
    table,
    trade,
)

Move = dict[str, Any]
TYPES = ("military", "political", "commercial", "religious", "economic")


# ---- Positions and moves ----


def site(denarii: int, hand: list[str] | None = None, **levels: int) -> Position:
    """Return a build phase."""
    seat = {"denarii": denarii, "glory": 1, "hand": hand or []}
    return table(seat, {}, phase="build", provinces=built(**levels))


def plot(own: str, target: dict[str, Any] | None = None, **actor: Any) -> Position:
    """Return a position in which seat 0 can activate an intrigue of its own in Gallia, before seat 1."""
    first = {"own_intrigue": own, "discord": 2, "discord_track": [None, None, "military"], "glory": 3, **actor}
    second = {"discord": 0, "discord_track": ["political", None], "glory": 3, **(target or {})}
    return table(first, second, {}, {}, round=2, phase="intrigue", provinces={"Gallia": {"intrigue": [0]}})


def court(**keys: Any) -> Position:
    """Return a diplomacy phase in which buildings of all types lie before seat 1."""
    levels = {"military": 2, "political": 1, "commercial": 1, "religious": 1, "economic": 1}
    provinces = {"Gallia": {"buildings": levels}, "Africa": {"buildings": {"military": 1}}}
    seats = {"denarii": 9, "glory": 1, "legions": {"board": 1}, "votes": 1, **keys}, {"denarii": 0, "glory": 1}
    course = {"round": 3, "phase": "diplomacy", "variants": ["Spies and Alliances"]}
    return table(*seats, {}, **course, provinces=provinces, trade_deck=["Sundial"])


def income(glory: int) -> Position:
    return table({"glory": glory, "denarii": 0}, {}, phase="income", provinces=built(military=1, political=1))


def follower(on: str, **keys: Any) -> Move:
    return move("follower", on=on, **keys)


def build(kind: str, level: int, **keys: Any) -> Move:
    return move("build", type=kind, level=level, **keys)


def activate(effect: str, **keys: Any) -> Move:
    return move("activate", 0, province="Gallia", effect=effect, **keys)


def spy(building: str, **keys: Any) -> Move:
    words = {"province": "Gallia", "building": building, "token": "spy", "offer": 4, "accepted": True, **keys}
    return move("diplomacy", 0, **words)


def play(*names: str) -> list[Move]:
    return [{"play": name} for name in names]


# ---- What is refused ----

LEVELS = [build("religious", level) for level in (1, 2, 3)]
TURN = table({"hand": ["Sundial"]}, {"hand": ["Sundial"]}, phase="build", data=events())
TILES = {name: {"buildings": {"religious": 3}} for name in ("Gallia", "Hispania")} | built(religious=2)
LEGIONS = act({"legions": {"board": 1, "Epirus": 1}}, military=1)
PANTHEON = {"base": ["own", "own", "gold"], "roof": []}
FINISHED = {"base": ["own", "own", "gold"], "roof": ["own", "own", "own", "gold"]}
RICH = {"medals": ["religious"], "denarii": 8}
HAND = ["Sundial", "Compass", "Bulla", "Spatha"]

REFUSED: list[tuple[Any, ...]] = [
    # Turns and phases
    ("turn of seat 0", TURN, move("pass", 1)),
    ("turn of seat 0", TURN, move("sell", 1, card="Sundial")),
    ("action phase", TURN, follower("Colosseum")),
    ("event phase", TURN, move("event", None, event="Games")),
    ("nobody's turn", {**TURN, "phase": "event"}, move("sell", card="Sundial")),
    ("the game is over", table({}, {}, phase="income", round=9), move("tax", 0), move("tax", 0), move("tax", 1)),
    # Building
    ("costs 13 denarii", site(23), LEVELS[2], *LEVELS[:2]),
    ("costs 8 denarii", site(6, ["Sundial"], religious=1), build("religious", 2, before=[{"sell": "Sundial"}])),
    ("level 1 to build on", site(24), LEVELS[1]),
    ("stands there", site(24), LEVELS[0], *LEVELS[:2]),
    ("no level 0", site(24), build("military", 0)),
    ("no level 4", site(24), build("military", 4)),
    ("no religious tile of level 3 is left", table({"denarii": 50}, {}, {}, phase="build", provinces=TILES), LEVELS[2]),
    # Followers
    ("no room on the economic", act({"glory": 12, "placed": {"economic": 2}}, economic=2), follower("economic")),
    ("no economic building", act(), follower("economic")),
    ("not votes enough", act({"votes": 1}, political=1), follower("political", bonus=True)),
    ("not votes enough", act({"votes": 0}, political=1), follower("political")),
    ("the roof: the base is not finished", act(religious=1), follower("religious", level="roof")),
    ("base: it is finished", act({"pantheon": PANTHEON}, religious=1), follower("religious", level="base")),
    ("no piece", act({"pantheon": FINISHED}, religious=1), follower("religious", level="base")),
    ("level", act(religious=1), follower("religious")),
    ("are taken", act() | {"provinces": {"Africa": {"intrigue": [1, 1], "activated": [1]}}}, follower("intrigue")),
    ("no intrigue token", act() | {"provinces": {"Gallia": {"intrigue": [0, 0, 0]}}}, follower("intrigue")),
    ("no intrigue", {**act(), "variants": ["Truce"]}, follower("intrigue")),
    ("used in this round", act({"bonus_used": ["commercial"]}, commercial=2), follower("commercial", bonus=True)),
    ("covered by discord", act({"discord": 1}, commercial=1), follower("commercial", bonus=True)),
    *(
        ("no bonus", act(religious=1, economic=1), follower(on, bonus=True, level="base"))
        for on in ("religious", "economic", "Colosseum", "intrigue")
    ),
    *(
        ("", LEGIONS, follower("military", bonus=bonus, legions=legions))
        for legions, bonus in (
            ([], False),
            ([{"to": "Thrace"}], True),
            ([{"to": "Thrace"}, {"to": "Epirus"}], False),
            ([{"to": "Thrace"}, {"to": "Thrace"}], True),
            ([{"from": "Macedonia", "to": "Thrace"}], False),
            ([{"from": "Epirus", "to": "Epirus"}], False),
        )
    ),
    # The religious medal and taxes
    ("8 denarii", table({}, RICH, phase="action"), move("pay", 1, times=3)),
    ("medal", table({}, RICH, phase="action"), move("pay", 0, times=1)),
    ("bought 0 times", table(RICH, {}, provinces=built(religious=3), phase="build"), move("pay", times=0)),
    ("cannot move back by 2: it stands at 2", income(2), move("tax", double=True)),
    ("cannot move back by 2: it stands at 31, on space 1", income(31), move("tax", double=True)),
    # Intrigue
    ("the glory marker of seat 1 cannot move back", plot("Sold", {"glory": 1}), activate("Slander")),
    ("the glory marker of seat 1 cannot move back", plot("Sold", {"glory": 31}), activate("Slander")),
    ("level is not given", plot("Sold"), activate("Demolition")),
    ("the base of seat 1 is finished", plot("Sold", {"pantheon": PANTHEON}), activate("Demolition", level="base")),
    ("no own piece lies on the roof of seat 1", plot("Sold"), activate("Demolition", level="roof")),
    *(
        (reason, plot("Defection", {"legions": {"Epirus": 1}}, legions={}), activate("Defection", **keys))
        for reason, keys in (
            ("seat 1 has no legion in Macedonia", {"region": "Macedonia"}),
            ("no legion on the player board", {"region": "Epirus", "replace": True}),
        )
    ),
    *(
        (reason, plot("Deception", {"legions": {"Epirus": 1, "Thrace": 1}}), activate("Deception", from_=where, to=to))
        for reason, where, to in (
            ("and Thrace is none", ["Epirus", "Thrace"], "Thrace"),
            ("seat 1 has not 2 legions in Thrace", ["Thrace", "Thrace"], "Epirus"),
            ("two legions are moved, and one is said", ["Thrace"], "Epirus"),
        )
    ),
    ("of seat 2, not of seat 1", plot("Re-vote") | {"senate": [2, 1]}, activate("Re-vote", vote=1)),
    ("no vote on the player board of seat 0", plot("Re-vote", votes=0) | {"senate": [1]}, activate("Re-vote", vote=1)),
    *(
        (f"no vote {vote}", plot("Invalid vote") | {"senate": [1, 0]}, activate("Invalid vote", vote=vote))
        for vote in (0, 5, 6)
    ),
    *((reason, plot(own, target), activate(own, **keys))
        for own in ("Sold", "Custom duty")
        for reason, target, keys in (
            ("there is no trade card in the hand of seat 1", {"anchor": True}, {}),
            ("not said", {"hand": HAND}, {}),
            ("not in the hand", {"hand": HAND}, {"card": "Snake bracelets"}),
        )
    ),
    ("no room", plot("Custom duty", {"hand": HAND}, hand=HAND, anchor=True), activate("Custom duty", card="Spatha")),
    ("does not have Sold", plot("Defection", {"hand": HAND}), activate("Sold")),
    ("no intrigue", {**plot("Sold"), "variants": ["Truce"]}, activate("Slander")),
    ("no free space", plot("Sold", {"discord": 2}), activate("Slander")),
    ("no discord token", plot("Sold", discord=0), activate("Slander")),
    *(
        (reason, plot("Sold") | {"provinces": {name: {"intrigue": [owner]}}}, {**activate("Slander"), "province": name})
        for reason, name, owner in (("own province", "Africa", 0), ("no intrigue of seat 0", "Hispania", 1))
    ),
    (
        "before no player",
        table({"discord": 1}, {}, round=2, phase="intrigue", provinces={"Gallia": {"intrigue": [0]}}),
        activate("Slander"),
    ),
    # Diplomacy
    ("9 denarii", court(), spy("military", offer=10, choice="glory")),
    ("cannot be offered", court(), spy("military", offer=-1, choice="glory")),
    ("no opponent", court(), spy("military", province="Africa", choice="glory")),
    ("no opponent", court(), spy("military", province="Italia", choice="glory")),
    ("belongs to the variant", {**court(), "variants": []}, spy("military", choice="glory")),
    ("not possible", court(votes=0), spy("political", choice="action")),
    ("no room", court(hand=["Sundial"] * 5), spy("commercial", choice="action")),
    ("not chosen", court(), spy("political")),
    ("without bonus", court(), spy("military", choice="action", bonus=True, legions=[{"to": "Thrace"}])),
    ("no trade card", court(), spy("political", choice="action", before=[{"sell": "Bulla"}])),
    # Trade cards
    (
        "no room",
        act({"hand": ["Sundial"] * 4}, commercial=1) | {"trade_deck": ["Compass", "Bulla"]},
        follower("commercial", bonus=True),
    ),
    ("not in the hand", act({"hand": ["Sundial"], "anchor": True}), move("sell", card="Compass")),
]  # fmt: skip
"""Reason, position, the move that is refused, and moves that are made before it."""


@pytest.mark.parametrize("row", REFUSED, ids=[f"{number} {row[0]}" for number, row in enumerate(REFUSED)])
def test_a_move_against_the_rules_is_refused_with_its_reason(row: tuple[Any, ...]) -> None:
    reason, position, wrong, *before = row
    assert reason in refused(position, wrong, *before)


@pytest.mark.parametrize(
    ("effect", "seat", "reason"),
    [
        ({"take_discard": 1}, {}, "no trade card is discarded"),
        ({"recruit_legions": 2}, {"legions": {"board": 6}}, "1 legions are left to recruit"),
        ({"recruit_votes": 2}, {"votes": 4}, "1 votes are left to recruit"),
        ({"remove_anchor": True}, {}, "there is no anchor card in the hand"),
        ({"draw": 2}, {}, "there are not trade cards enough to draw"),
        ({"draw": 1}, {"hand": ["Lamp", *["Spatha"] * 5]}, "the hand has no room"),
    ],
)
def test_what_of_a_cards_effect_is_not_possible_is_said(
    effect: dict[str, Any], seat: dict[str, Any], reason: str
) -> None:
    data = trade(card("Lamp", "tools", "follower", **effect))
    position = act({"hand": ["Lamp"], **seat}) | {"trade_deck": ["Compass"], "data": data}
    said = refused(position, follower("Colosseum", before=play("Lamp")))
    assert reason in said
    assert "not possible in full" in said


@pytest.mark.parametrize(
    ("when", "places"),
    [
        ("follower", {"economic", "Colosseum", "intrigue"}),
        ("follower_economic", {"economic"}),
        ("follower_colosseum", {"Colosseum"}),
        ("build", set()),
        ("double_tax", set()),
    ],
)
def test_cards_are_played_under_their_condition(when: str, places: set[str]) -> None:
    position = act({"hand": ["Lamp"]}, economic=1) | {"data": trade(card("Lamp", when=when, glory=5))}
    for on in ("economic", "Colosseum", "intrigue"):
        placed = follower(on, before=play("Lamp"))
        if on in places:
            assert after(position, placed)["trade_discard"] == ["Lamp"]
        else:
            assert "is not played on this" in refused(position, placed)


def test_a_card_drawn_by_a_card_of_another_condition_is_refused() -> None:
    data = trade(card("Trident", "weapons", "follower_colosseum", glory=1))
    position = act({"hand": ["Sundial"]}) | {"trade_deck": ["Trident"], "data": data}
    assert "another condition" in refused(position, follower("Colosseum", before=play("Sundial", "Trident")))


@pytest.mark.parametrize(
    ("hand", "kind", "medals", "laid"),
    [
        ("tools tools tools", "tools", [], True),
        ("jewels chest chest", "jewels", [], True),
        ("chest chest chest", "jewels", [], False),
        ("tools tools weapons", "tools", [], False),
        ("weapons weapons jewels", "weapons", [], False),
        ("weapons weapons jewels", "weapons", ["commercial"], True),
        ("weapons chest jewels", "weapons", ["commercial"], True),
        ("weapons weapons jewels", "jewels", ["commercial"], False),
        ("tools tools", "tools", [], False),
    ],
)
def test_a_set_is_three_of_a_type_or_wild_cards(hand: str, kind: str, medals: list[str], laid: bool) -> None:
    position, laying = with_sets(hand, kind, medals=medals)
    if laid:
        told = after(position, laying)["players"][0]
        assert (told["sets"], told["hand"]) == ([kind], [])
    else:
        assert "no set" in refused(position, laying)


def with_sets(hand: str, kind: str, **seat: Any) -> tuple[Position, Move]:
    """Return a hand of cards called like their types, and the move that lays all of them."""
    names = hand.title().split()
    data = trade(*(card(name.capitalize(), name) for name in ("tools", "weapons", "textiles", "jewels", "chest")))
    return act({"hand": names, **seat}) | {"data": data}, move("set", cards=names, type=kind)


def test_a_fourth_set_and_cards_that_are_not_there_are_refused() -> None:
    position, laying = with_sets("tools tools tools", "tools", sets=["jewels", "tools", "jewels"])
    assert "has laid down 3 sets" in refused(position, laying)
    assert "not so often" in refused(with_sets("tools tools", "tools")[0], laying)


# ---- What is done ----


def test_a_round_goes_through_its_phases() -> None:
    position = table({}, {}, {}, round=2, data=events())
    passing = [move("pass", seat) for seat in (0, 2, 1)]
    moves = [move("event", None, event="Games")]
    result = after(position, *moves)
    assert (result["phase"], result["direction"], result["to_move"]) == ("intrigue", "counter-clockwise", 0)
    result = after(position, *moves, *passing)
    assert (result["phase"], result["to_move"], result["legal"]["build"][0]) == ("build", 0, "military 1")
    moves += [*passing, *passing, *(move("follower", seat, on="Colosseum") for seat in (0, 2, 1))]
    result = after(position, *moves)
    assert (result["phase"], result["to_move"], of(result, "followers_left")) == ("income", 0, [1, 1, 1])
    result = after(position, *moves, *(move("tax", seat) for seat in (0, 2, 1)))
    assert (result["round"], result["phase"], result["to_move"], result["legal"]) == (3, "event", None, None)
    assert of(result, "province") == ["Hispania", "Italia", "Africa"]


def test_in_diplomacy_a_position_may_pass_whatever_the_setting_says() -> None:
    position = table({}, {}, variants=["Spies and Alliances"], data=events(turn="clockwise"))
    passing = [move("pass", 0), move("pass", 1)]
    assert after(position, move("event", None, event="Games"), *passing)["phase"] == "build"
    assert after({**position, "phase": "diplomacy"}, passing[0], diplomacy_pass="not allowed")["to_move"] == 1


def test_what_followers_can_do_is_listed() -> None:
    levels = dict.fromkeys(TYPES, 1)
    position = act({"hand": ["Sundial"] * 3, "votes": 1}, **levels)
    legal = inspect({**position, "trade_deck": ["Sundial"] * 2})["legal"]["follower"]
    assert legal == [
        "military", "military with bonus", "political", "commercial", "commercial with bonus", "religious", "economic",
        "Colosseum", "intrigue",
    ]  # fmt: skip
    short = inspect({**position, "trade_deck": ["Sundial"]})["legal"]["follower"]
    assert "commercial with bonus" not in short


def test_what_can_be_built_is_what_can_be_paid_now() -> None:
    position = site(6, ["Plan"], religious=1) | {"data": trade(card("Plan", when="build", denarii=2))}
    assert inspect(position)["legal"] == {"build": [f"{kind} 1" for kind in TYPES if kind != "religious"]}
    assert kept(after(position, build("religious", 2, before=play("Plan")))) == (0, 5)


def test_both_sides_of_an_intrigue_play_cards_before_it() -> None:
    hand = ["Gladius", "Pugio"]
    data = trade(
        card("Gladius", "weapons", "activate_intrigue", denarii=1),
        card("Pugio", "weapons", "intrigue_in_own_province", denarii=3),
    )
    position = plot("Sold", {"hand": hand, "denarii": 0}, hand=hand, denarii=0) | {"data": data}
    result = after(position, activate("Slander", before=play("Gladius"), answer=play("Pugio")))
    assert (of(result, "denarii")[:2], result["trade_discard"]) == ([1, 3], hand)
    for wrong in ({"before": play("Pugio")}, {"answer": play("Gladius")}):
        assert "is not played on this" in refused(position, activate("Slander", **wrong))
    # The card is gone before chance could give it.
    assert "not in the hand" in refused(position, activate("Sold", card="Pugio", answer=play("Pugio")))


def test_a_spy_acts_in_any_building() -> None:
    def acted(building: str, **keys: Any) -> dict[str, Any]:
        return after(court(medals=["economic"]), spy(building, choice="action", **keys))

    assert acted("military", legions=[{"to": "Thrace"}])["players"][0]["legions"]["Thrace"] == 1
    assert acted("political")["senate"] == [{"seat": 0, "value": 1}]
    assert acted("commercial")["players"][0]["hand"] == ["Sundial"]
    assert acted("religious", level="base")["players"][0]["pantheon"]["base"] == ["own"]
    # No follower is placed, so the medal brings nothing.
    earned = acted("economic")
    assert (kept(earned), kept(earned, 1), earned["to_move"]) == ((9 - 4 + 2, 1), (4, 1), 1)


def test_no_marker_goes_below_space_1_whichever_side_is_up() -> None:
    taxed = move("tax", double=True)
    assert inspect(income(31))["players"][0]["income"]["can_double"] is False
    by_setting = inspect({**income(31), "moves": [taxed]}, glory_floor="1 glory")
    assert (by_setting["moves"], kept(by_setting)) == ([{"ok": True}], (6, 29))
    assert kept(after(income(33), taxed)) == (6, 31)
    for glory, left in ((32, 31), (31, 31), (35, 32), (2, 1)):
        lost = table({"glory": glory}, {}, variants=["Hard Times"], data=events(reward={"glory": -3}, negative=True))
        assert kept(after(lost, {"do": "event", "event": "Games"}))[1] == left


def test_a_hand_over_the_limit_bars_nothing_but_drawing() -> None:
    hand = [*HAND, "Sundial"]
    full = {**act({"hand": hand, "anchor": True}, military=1, commercial=1), "trade_deck": ["Compass"]}
    legal = inspect(full)["legal"]["follower"]
    assert {"military", "Colosseum"} <= set(legal)
    assert "commercial" not in legal
    after(full, follower("military", legions=[{"to": "Thrace"}]))
    assert "room" in refused(full, follower("commercial"))
    target = {"pantheon": {"base": ["own"]}}
    plotting = plot("Sold", target, hand=hand, anchor=True)
    assert "Gallia: Demolition" in inspect(plotting)["legal"]["activate"]
    result = after(plotting, activate("Demolition", level="base"))
    assert result["players"][1]["pantheon"] == {"base": [], "roof": []}

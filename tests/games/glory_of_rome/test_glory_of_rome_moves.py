"""Moves on positions: what is refused is refused with its reason and changes nothing.

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


def with_sets(hand: str, kind: str, **seat: Any) -> tuple[Position, Move]:
    """Return a position with cards named after their types in hand, and the move that lays them all down."""
    names = hand.title().split()
    data = trade(*(card(name.capitalize(), name) for name in ("tools", "weapons", "textiles", "jewels", "chest")))
    return act({"hand": names, **seat}) | {"data": data}, move("set", cards=names, type=kind)


def lamp(effect: dict[str, Any], seat: dict[str, Any]) -> Position:
    """Return an action phase: the first seat holds a Lamp with this effect, and the deck has a single card."""
    data = trade(card("Lamp", "tools", "follower", **effect))
    return act({"hand": ["Lamp"], **seat}) | {"trade_deck": ["Compass"], "data": data}


# ---- What is refused ----

LEVELS = [build("religious", level) for level in (1, 2, 3)]
TURN = table({"hand": ["Sundial"]}, {"hand": ["Sundial"]}, phase="build", data=events())
TILES = {name: {"buildings": {"religious": 3}} for name in ("Gallia", "Hispania")} | built(religious=2)
HELD = {"legions": {"board": 1, "Epirus": 1}, "votes": 1, "bonus_used": ["commercial"]}
BUSY = act(HELD, military=1, political=1, commercial=2, religious=1, economic=1)
PANTHEON = {"base": ["own", "own", "gold"], "roof": []}
FINISHED = {"base": ["own", "own", "gold"], "roof": ["own", "own", "own", "gold"]}
RICH = {"medals": ["religious"], "denarii": 8}
HAND = ["Sundial", "Compass", "Bulla", "Spatha"]
UNLIKE = {"trade_deck": ["Trident"], "data": trade(card("Trident", "weapons", "follower_colosseum", glory=1))}
VOTING = {"trade_deck": ["Trident"], "data": trade(card("Trident", when="follower_colosseum", recruit_votes=1))}
CLOAK = {"data": trade(card("Cloak", "textiles", "intrigue_in_own_province", glory=1))}
THREE, LAYING = with_sets("tools tools tools", "tools", sets=["jewels", "tools", "jewels"])

REFUSED: list[tuple[Any, ...]] = [
    # Turns and phases
    (TURN, ("turn of seat 0", move("pass", 1)), ("turn of seat 0", move("sell", 1, card="Sundial")),
     ("action phase", follower("Colosseum")), ("event phase", move("event", None, event="Games"))),
    ({**TURN, "phase": "event"}, ("nobody's turn", move("sell", card="Sundial"))),
    *((table({}, {}, phase=phase), (f"this is the {phase} phase", move("pass"))) for phase in ("action", "income")),
    (table({}, {}, phase="income", round=9), move("tax", 0), move("tax", 1), ("the game is over", move("tax", 0))),
    # Building
    (site(23), ("level 1 to build on", LEVELS[1]), ("no level 0", build("military", 0)),
     ("no level 4", build("military", 4)), *LEVELS[:2], ("costs 13 denarii", LEVELS[2]), ("stands there", LEVELS[0])),
    (site(6, ["Sundial"], religious=1), ("costs 8 denarii", build("religious", 2, before=[{"sell": "Sundial"}]))),
    (table({"denarii": 50}, {}, {}, phase="build", provinces=TILES), ("no religious tile of level 3", LEVELS[2])),
    # Followers
    (BUSY, ("not votes enough", follower("political", bonus=True)),
     ("used in this round", follower("commercial", bonus=True)), ("level", follower("religious")),
     ("the roof: the base is not finished", follower("religious", level="roof")),
     *(("no bonus", follower(on, bonus=True, level="base"))
       for on in ("religious", "economic", "Colosseum", "intrigue")),
     ("", follower("military", legions=[])),
     ("", follower("military", legions=[{"to": "Thrace"}], bonus=True)),
     ("", follower("military", legions=[{"to": "Thrace"}, {"to": "Epirus"}])),
     ("", follower("military", legions=[{"to": "Thrace"}, {"to": "Thrace"}], bonus=True)),
     ("", follower("military", legions=[{"from": "Macedonia", "to": "Thrace"}])),
     ("", follower("military", legions=[{"from": "Epirus", "to": "Epirus"}]))),
    (act({"glory": 12, "placed": {"economic": 2}, "votes": 0, "discord": 1}, economic=2, political=1, commercial=1),
     ("no room on the economic", follower("economic")), ("no military building", follower("military")),
     ("not votes enough", follower("political")), ("covered by discord", follower("commercial", bonus=True))),
    (act({"pantheon": PANTHEON}, religious=1), ("base: it is finished", follower("religious", level="base"))),
    (act({"pantheon": FINISHED}, religious=1), ("no piece", follower("religious", level="base"))),
    (act() | {"provinces": {"Africa": {"intrigue": [1, 1], "activated": [1]}}}, ("are taken", follower("intrigue"))),
    (act() | {"provinces": {"Gallia": {"intrigue": [0, 0, 0]}}}, ("no intrigue token", follower("intrigue"))),
    ({**act(), "variants": ["Truce"]}, ("no intrigue", follower("intrigue"))),
    # The religious medal and taxes
    (table({}, RICH, phase="action"), ("8 denarii", move("pay", 1, times=3)), ("medal", move("pay", 0, times=1)),
     ("bought 0 times", move("pay", 1, times=0))),
    (income(2), ("cannot move back by 2: it stands at 2", move("tax", double=True))),
    (income(31), ("cannot move back by 2: it stands at 31, on space 1", move("tax", double=True))),
    # Intrigue
    (plot("Sold", {"glory": 1}), ("the glory marker of seat 1 cannot move back", activate("Slander"))),
    (plot("Sold", {"glory": 31}), ("the glory marker of seat 1 cannot move back", activate("Slander"))),
    (plot("Sold"), ("level is not given", activate("Demolition")),
     ("no own piece lies on the roof of seat 1", activate("Demolition", level="roof"))),
    (plot("Sold", {"pantheon": PANTHEON}), ("the base of seat 1 is finished", activate("Demolition", level="base"))),
    (plot("Defection", {"legions": {"Epirus": 1}}, legions={}), ("does not have Sold", activate("Sold")),
     ("seat 1 has no legion in Macedonia", activate("Defection", region="Macedonia")),
     ("no legion on the player board", activate("Defection", region="Epirus", replace=True))),
    (plot("Deception", {"legions": {"Epirus": 1, "Thrace": 1}}),
     ("and Thrace is none", activate("Deception", from_=["Epirus", "Thrace"], to="Thrace")),
     ("seat 1 has not 2 legions in Thrace", activate("Deception", from_=["Thrace", "Thrace"], to="Epirus")),
     ("two legions are moved, and one is said", activate("Deception", from_=["Thrace"], to="Epirus"))),
    (plot("Re-vote") | {"senate": [2, 1]}, ("of seat 2, not of seat 1", activate("Re-vote", vote=1))),
    (plot("Re-vote", votes=0) | {"senate": [1]}, ("no vote on the player board", activate("Re-vote", vote=1))),
    (plot("Invalid vote") | {"senate": [1, 0]},
     *((f"no vote {vote}", activate("Invalid vote", vote=vote)) for vote in (0, 5, 6))),
    *((plot(own, {"anchor": True}), ("there is no trade card in the hand of seat 1", activate(own)))
      for own in ("Sold", "Custom duty")),
    *((plot(own, {"hand": HAND}), ("not said", activate(own)),
       ("not in the hand", activate(own, card="Snake bracelets"))) for own in ("Sold", "Custom duty")),
    # The target answers with its only card, or with one that puts its marker on space 1.
    (plot("Sold", {"hand": ["Pugio"]}), ("there is no trade card in the hand", activate("Sold", answer=play("Pugio")))),
    (plot("Sold", {"glory": 30, "hand": ["Cloak"]}) | CLOAK, ("on space 1", activate("Slander", answer=play("Cloak")))),
    (plot("Custom duty", {"hand": HAND}, hand=HAND, anchor=True), ("no room", activate("Custom duty", card="Spatha"))),
    ({**plot("Sold"), "variants": ["Truce"]}, ("no intrigue", activate("Slander"))),
    (plot("Sold", {"discord": 2}), ("no free space", activate("Slander"))),
    (plot("Sold", discord=0), ("no discord token", activate("Slander"))),
    (plot("Sold") | {"provinces": {"Africa": {"intrigue": [0]}, "Hispania": {"intrigue": [1]}}},
     ("own province", {**activate("Slander"), "province": "Africa"}),
     ("no intrigue of seat 0", {**activate("Slander"), "province": "Hispania"})),
    (table({"discord": 1}, {}, round=2, phase="intrigue", provinces={"Gallia": {"intrigue": [0]}}),
     ("before no player", activate("Slander"))),
    # Diplomacy
    (court(), ("9 denarii", spy("military", offer=10, choice="glory")),
     ("cannot be offered", spy("military", offer=-1, choice="glory")),
     ("no opponent", spy("military", province="Africa", choice="glory")),
     ("no opponent", spy("military", province="Italia", choice="glory")), ("not chosen", spy("political")),
     ("without bonus", spy("military", choice="action", bonus=True, legions=[{"to": "Thrace"}])),
     ("no trade card", spy("political", choice="action", before=[{"sell": "Bulla"}]))),
    ({**court(), "variants": []}, ("belongs to the variant", spy("military", choice="glory"))),
    (court(votes=0), ("not possible", spy("political", choice="action"))),
    (court(hand=["Sundial"] * 5), ("no room", spy("commercial", choice="action"))),
    # Trade cards
    (act({"hand": ["Sundial"] * 4}, commercial=1) | {"trade_deck": ["Compass", "Bulla"]},
     ("no room", follower("commercial", bonus=True))),
    (act({"hand": ["Sundial"], "anchor": True}) | UNLIKE, ("not in the hand", move("sell", card="Compass")),
     ("another condition", follower("Colosseum", before=play("Sundial", "Trident")))),
    # The reason given is that of the copy already in hand, not of the one just drawn.
    (act({"hand": ["Sundial", "Trident"], "votes": 5}) | VOTING,
     ("0 votes are left to recruit", follower("Colosseum", before=play("Sundial", "Trident")))),
    *((lamp(effect, seat), (f"not possible in full: {why}", follower("Colosseum", before=play("Lamp"))))
      for effect, seat, why in (
          ({"take_discard": 1}, {}, "no trade card is discarded"),
          ({"recruit_legions": 2}, {"legions": {"board": 6}}, "1 legions are left to recruit"),
          ({"recruit_votes": 2}, {"votes": 4}, "1 votes are left to recruit"),
          ({"remove_anchor": True}, {}, "there is no anchor card in the hand"),
          ({"draw": 2}, {}, "there are not trade cards enough to draw"),
          ({"draw": 1}, {"hand": ["Lamp", *["Spatha"] * 5]}, "the hand has no room"),
      )),
    # Sets
    *((position, ("no set", laying)) for position, laying in (
        with_sets("tools tools weapons", "tools"), with_sets("weapons weapons jewels", "weapons"),
        with_sets("weapons weapons jewels", "jewels", medals=["commercial"]),
        with_sets("chest chest chest", "jewels"), with_sets("tools tools", "tools"),
    )),
    (THREE, ("has laid down 3 sets", LAYING), ("not so often", move("set", cards=["Tools"] * 4, type="tools"))),
]  # fmt: skip
"""A position and its moves in order: a legal move stands alone, an illegal one behind the reason for its refusal."""


@pytest.mark.parametrize("row", REFUSED, ids=range(len(REFUSED)))
def test_a_move_against_the_rules_is_refused_with_its_reason(row: tuple[Any, ...]) -> None:
    position, *steps = row
    made = [step for step in steps if isinstance(step, dict)]
    moves = [step if isinstance(step, dict) else step[1] for step in steps]
    result = inspect({**position, "moves": moves})
    for step, fate in zip(steps, result["moves"], strict=True):
        assert fate["ok"] == isinstance(step, dict), step
        assert fate["ok"] or step[0] in fate["reason"], step
    # What is refused changes nothing.
    assert result == {**after(position, *made), "moves": result["moves"]}


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


# ---- What is done ----


@pytest.mark.parametrize(
    ("hand", "kind", "medals"),
    [
        ("tools tools tools", "tools", []),
        ("jewels chest chest", "jewels", []),
        ("weapons chest jewels", "weapons", ["commercial"]),
    ],
)
def test_a_set_is_three_of_a_type_or_wild_cards(hand: str, kind: str, medals: list[str]) -> None:
    position, laying = with_sets(hand, kind, medals=medals)
    told = after(position, laying)["players"][0]
    assert (told["sets"], told["hand"]) == ([kind], [])


@pytest.mark.parametrize(
    ("hand", "steps"),
    [
        (["Cloak"], [{"play": "Lamp"}, {"sell": "Cloak"}]),
        (["Cloak", "Stola", "Stola"], [{"play": "Lamp"}, {"set": ["Cloak", "Stola", "Stola"], "type": "textiles"}]),
        (["Torch"], [{"play": "Torch"}, {"play": "Lamp"}, {"discard": "Cloak"}]),
    ],
)
def test_of_two_copies_the_one_that_cannot_be_played_leaves_first(hand: list[str], steps: list[Move]) -> None:
    data = trade(
        card("Lamp", "tools", "follower_colosseum", draw=1),
        card("Torch", "tools", "follower", draw=1),
        card("Cloak", "textiles", "follower", glory=3),
    )
    position = act({"hand": ["Lamp", *hand]}) | {"trade_deck": ["Cloak", "Cloak"], "data": data}
    told = after(position, follower("Colosseum", before=[*steps, *play("Cloak")]))["players"][0]
    assert (told["hand"], told["glory"]) == ([], 1 + 3 + 1)


def test_a_setting_says_whether_passing_is_allowed_in_diplomacy_while_a_token_can_be_put() -> None:
    position = table({}, {}, variants=["Spies and Alliances"], data=events(turn="clockwise"))
    passing = [move("pass", 0), move("pass", 1)]
    assert after(position, move("event", None, event="Games"), *passing)["phase"] == "build"
    assert after({**position, "phase": "diplomacy"}, passing[0], diplomacy_pass="not allowed")["to_move"] == 1
    assert after(court(), passing[0])["to_move"] == 1
    assert "token must be put" in refused(court(), passing[0], diplomacy_pass="not allowed")


def test_what_can_be_built_is_what_can_be_paid_now() -> None:
    position = site(6, ["Plan"], religious=1) | {"data": trade(card("Plan", when="build", denarii=2))}
    kinds = ("military", "political", "commercial", "economic")
    assert inspect(position)["legal"] == {"build": [f"{kind} 1" for kind in kinds]}
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
    assert [inspect(income(glory))["legal"]["tax"] for glory in (31, 33)] == [["normal"], ["normal", "double"]]
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

"""Positions: what is told of a table, scores known by hand, and what a file may not say."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sim.data.place import NOWHERE
from sim.errors import UserError
from sim.games.imperium.io.layout import Position, load_position
from sim.games.imperium.io.positions import inspect_position
from sim.games.imperium.rules import constants
from sim.games.imperium.rules.turns import play_step
from sim.games.shared.position_files import read_position
from sim.players.compile_players import players_of
from tests.games.imperium.positions import EXAMPLE
from tests.games.imperium.tables import CATALOG, FACTIONS, IDS, T, cards_in
from tests.kit.plans import plan_for
from tests.kit.steps import started
from tests.kit.test_kit_positions import changed as changed_position


def changed(*path: str | int, to: object) -> dict[str, Any]:
    """Return the example with one value replaced."""
    return changed_position(EXAMPLE, path, to)


def inspect(position: dict[str, Any] = EXAMPLE) -> dict[str, Any]:
    return inspect_position(position, CATALOG, T)


def hand(*names: str, seat: int = 0) -> list[dict[str, Any]]:
    """What is told of a hand of these cards."""
    return inspect(changed("players", seat, "zones", "hand", to=list(names)))["players"][seat]["hand"]


# ---- What is told ----

EMPIRE, COST, NO_ACTION = "it is for an empire", "its cost cannot be paid", "no action is left"


@pytest.mark.parametrize(
    ("field", "value", "reasons"),
    [("resources", {"material": 2}, [COST, COST, EMPIRE, None]), ("actions", 0, [NO_ACTION] * 4)],
)
def test_a_hand_card_tells_why_it_cannot_be_played(field: str, value: object, reasons: list[str | None]) -> None:
    told = inspect(changed("players", 0, field, to=value))["players"][0]["hand"]
    assert [card["because"] for card in told] == reasons


def test_an_exhausted_card_cannot_be_used_again() -> None:
    position = changed("players", 0, "zones", "in_play", to=["Celtica", "Cauldron of Cerridwen"])
    for tokens, reason in (
        ({}, None),
        ({"exhausted": ["Cauldron of Cerridwen"]}, "it bears an exhaust token"),
        ({"exhausted": [], "exhausts": 0}, "no exhaust token is left"),
    ):
        position["players"][0] |= tokens
        (told,) = inspect(position)["players"][0]["abilities"]
        assert (told["card"], told["can_use"], told["because"]) == ("Cauldron of Cerridwen", reason is None, reason)


def test_development_cards_tell_whether_their_cost_can_be_paid() -> None:
    poor = inspect(changed("players", 0, "resources", "progress", to=1))["players"][0]
    assert [card["can_pay"] for card in poor["development"]] == [False, True]


def test_a_market_card_changes_no_score() -> None:
    assert inspect(changed("market", to=[]))["players"] == inspect()["players"]


def test_what_is_left_out_is_as_at_the_start_of_the_game() -> None:
    told = inspect({"players": [{"nation": "Celts", "side": "B"}, {"nation": "Atlanteans", "side": "A"}]})
    assert [player["state"] for player in told["players"]] == ["barbarian", "empire"]
    assert told["players"][0]["resources"] == {"material": 3, "population": 2, "progress": 1}
    assert told["market"] == []


def test_the_example_of_the_documentation_can_be_inspected() -> None:
    page = Path(__file__).parents[3] / "docs" / "records.md"
    example = page.read_text("utf-8").split("```json\n")[1].split("```")[0]
    assert [player["faction"] for player in inspect(json.loads(example))["players"]] == ["Celts A", "Romans B"]


def test_zones_are_told_as_a_position_has_them() -> None:
    told = [player["zones"] for player in inspect()["players"]]
    players = [player | {"zones": zones} for player, zones in zip(EXAMPLE["players"], told, strict=True)]
    assert inspect({**EXAMPLE, "players": players}) == inspect()


def test_a_nation_deck_that_is_left_out_has_the_cards_that_lie_nowhere_else() -> None:
    exiled = inspect(changed("exile", to=["Britannia"]))["players"][0]
    assert exiled["zones"]["nation"] == ["Celtic Gold", "Armorica", "Belgica", "Hibernia"]
    assert inspect(changed("players", 0, "zones", "nation", to=[]))["players"][0]["zones"]["nation"] == []


# ---- Drawing ----


def drawn(*moves: dict[str, Any], **player: Any) -> tuple[dict[str, Any], list[str]]:
    """What Romans with an empty draw deck have after these moves, each a draw, and what is told of the last."""
    zones = {"discard": ["Advance"]} | player.pop("zones", {})
    romans = {"nation": "Romans", "side": "A", "actions": 0, "exhausts": 1, "zones": zones} | player
    position = {"players": [romans, {"nation": "Celts", "side": "A"}]}
    result = inspect(position | {"moves": [{"p": 0, "do": "draw"} | move for move in moves or ({},)]})
    return result["players"][0], result["moves"][-1]["told"]


def test_a_reshuffle_of_barbarians_gives_a_nation_card_for_an_exhaust_token() -> None:
    romans, told = drawn(zones={"nation": ["Julius Caesar", "Raetia"]})
    assert sorted(romans["zones"]["hand"] + romans["zones"]["draw_deck"]) == ["Advance", "Raetia"]
    assert (romans["zones"]["nation"], romans["exhausted"]) == (["Julius Caesar"], ["nation"])
    assert (romans["actions"], romans["exhausts"], romans["state"]) == (0, 0, "barbarian")
    assert told == [
        "Romans: the nation deck gives Raetia; puts an exhaust token on the nation deck; reshuffles 2 cards; draws "
        + romans["zones"]["hand"][0]
    ]


def test_a_reshuffle_without_a_token_or_onto_one_gives_no_nation_card() -> None:
    for tokens in ({"exhausts": 0}, {"exhausted": ["nation"]}):
        romans, told = drawn(**tokens, zones={"nation": ["Julius Caesar", "Raetia"]})
        assert romans["zones"]["nation"] == ["Julius Caesar", "Raetia"]
        assert told == ["Romans: reshuffles 1 cards; draws Advance"]


def test_a_reshuffle_of_an_empire_develops_the_card_that_is_named_or_none() -> None:
    empire: dict[str, Any] = {
        "state": "empire",
        "resources": {"material": 9, "population": 9},
        "zones": {"development": ["Legions", "The Senate"]},
    }
    for move, left, token in (
        ({"develop": "The Senate"}, ["Legions"], ["development"]),
        ({}, ["Legions", "The Senate"], []),
    ):
        romans, told = drawn(move, **empire)
        assert (romans["zones"]["development"], romans["exhausted"]) == (left, token)
        assert ("develops The Senate; puts an exhaust token on the development area" in told[0]) == bool(token)
    assert drawn({"develop": "The Senate"}, **empire)[0]["resources"]["progress"] == 0
    with pytest.raises(UserError, match=r"moves\.1\.develop: no card that can be developed now .*Allowed: Legions"):
        drawn({"develop": "Rome, the Eternal City"}, **empire)
    with pytest.raises(UserError, match=r"moves\.1\.develop.*this draw allows no development"):
        drawn({"develop": "Legions"}, **empire | {"exhausted": ["development"]})


def test_what_answers_to_an_empty_draw_deck_is_part_of_the_draw() -> None:
    players = [
        {"nation": "Utopians", "side": "A", "zones": {"draw_deck": ["Advance"]}},
        {"nation": "Celts", "side": "A"},
    ]
    result = inspect({"players": players, "moves": [{"p": 0, "do": "draw"}]})
    assert result["moves"] == [{"told": ["Utopians: draws Advance; takes 1 unrest"]}]
    assert result["players"][0]["zones"]["hand"] == ["Advance", "Unrest"]


# ---- Names of cards ----


def test_a_name_means_a_card_of_the_players_own_nation_first() -> None:
    assert hand("Glory", seat=1)[0]["id"].startswith("ROM")
    assert [card["id"] for card in hand("Conquer", "Conquer")] == ["CEL8", "CEL17"]
    assert hand("CEL17")[0]["id"] == "CEL17"


def test_an_accession_card_of_another_nation_may_lie_anywhere_in_a_nation_deck() -> None:
    players = [
        {"nation": "Qin", "side": "A"},
        {"nation": "Mauryans", "side": "A", "zones": {"nation": ["Glory", "QIN2"]}},
    ]
    position = changed("players", to=players)
    laid: Any = load_position(read_position(position, Position, NOWHERE), CATALOG, T)[0]
    assert CATALOG.cards[laid.zone[1, constants.NATION, 1]].name == "Long Walls I"


def test_a_tributary_of_the_other_box_comes_in_for_one_that_names_a_nation_in_play() -> None:
    players = [{"nation": "Celts", "side": "A"}, {"nation": "Egyptians", "side": "A"}]
    players[0] |= {"zones": {"hand": ["Etruscans"]}}
    assert inspect(changed("players", to=players))["players"][0]["hand"][0]["id"] == "2TRI1"


def test_king_of_kings_is_turned_over_below_no_other_fame_card() -> None:
    turned = {**EXAMPLE, "king_of_kings": "B"}
    inspect(turned)
    with pytest.raises(UserError, match="field king_of_kings: King of Kings is turned over when no other fame card"):
        inspect({**turned, "decks": {"fame": ["Great"]}})


def test_a_fame_deck_has_what_the_set_up_leaves_of_it() -> None:
    inspect(changed("decks", to={"fame": [f"1FAM{number}" for number in range(1, 7)]}))
    with pytest.raises(UserError, match=r"field decks\.fame: more cards .*found: 7.*at most 6 with 2 players"):
        inspect(changed("decks", to={"fame": [f"1FAM{number}" for number in range(1, 8)]}))


def test_the_graal_is_the_active_quest_when_no_other_impends() -> None:
    zones: dict[str, Any] = {"garrisoned": {"King Arthur's Court": ["Graal"]}}
    inspect(changed("players", 1, to={"nation": "Arthurians", "side": "A", "zones": zones}))


def test_a_face_of_the_journey_may_be_named() -> None:
    position = changed("players", 1, to={"nation": "Utopians", "side": "A", "zones": {"in_play": ["Shangri-la"]}})
    assert "Shangri-la" in [entry["card"] for entry in inspect(position)["players"][1]["abilities"]]


def test_what_is_always_in_play_may_be_named_too() -> None:
    position = changed("players", 1, to={"nation": "Arthurians", "side": "A"})
    plain = inspect(position)
    position["players"][1]["zones"] = {"in_play": ["King Arthur's Court"]}
    assert inspect(position) == plain


# ---- Positions of played games ----


def position_of(g: Any) -> dict[str, Any]:
    """Write down a table as a position tells it, every card by its id."""

    def ids(owner: int, zone: int) -> list[str]:
        return [IDS[card] for card in cards_in(g, owner, zone)]

    def player(seat: int) -> dict[str, Any]:
        name, side = FACTIONS[g.faction[seat]].split()
        garrisoned: dict[str, list[str]] = {}
        for card in cards_in(g, seat, constants.GARRISON):
            garrisoned.setdefault(IDS[g.host[card]], []).append(IDS[card])
        zones = {zone: ids(seat, number) for number, zone in enumerate(constants.ZONE_NAMES)}
        return {
            "nation": name,
            "side": side,
            "state": constants.STATES[g.state[seat]],
            "resources": dict(zip(constants.RESOURCES, g.resource[seat].tolist(), strict=True)),
            "actions": int(g.actions[seat]),
            "exhausts": int(g.exhausts[seat]),
            "zones": zones | {"garrisoned": garrisoned},
            "exhausted": [
                *(IDS[card] for card in cards_in(g, seat, constants.PLAY) if g.exhausted[card]),
                *["nation"] * int(g.nation_exhausted[seat]),
                *["development"] * int(g.development_exhausted[seat]),
            ],
        }

    def slot(number: int) -> dict[str, Any] | None:
        if g.market[number] == constants.NO_CARD:
            return None
        tokens = dict(zip(constants.RESOURCES, g.market_tokens[number].tolist(), strict=True))
        unrest = bool(g.market_unrest[number] != constants.NO_CARD)
        return {"card": IDS[g.market[number]], "tokens": tokens, "unrest": unrest}

    decks = constants.TABLE_ZONE_NAMES[: constants.FAME_DECK + 1]
    return {
        "commons": ("classics", "legends")[g.commons],
        "players": [player(seat) for seat in range(g.players)],
        "market": [slot(number) for number in range(constants.SLOTS)],
        "decks": {name: ids(constants.TABLE, zone) for zone, name in enumerate(decks)}
        | {"unrest": int(g.zone_size[constants.TABLE, constants.UNREST_PILE])},
        "exile": ids(constants.TABLE, constants.EXILE_PILE),
        "king_of_kings": "AB"[g.king_turned],
    }


@pytest.mark.slow
@pytest.mark.parametrize("commons", ["classics", "legends"])
def test_every_position_of_a_played_game_is_accepted_and_laid_as_it_was(
    commons: str, scaled: Callable[..., int]
) -> None:
    plan = plan_for("imperium", commons, 4, strategies=["random", "balanced"], seed=4)
    players = players_of(plan)
    for game in range(scaled(1, 1, full_count=100)):
        g: Any = started(plan, game)[0]
        step = 0
        while not g.finished:
            play_step(g, T, players)
            step += 1
            # A collapse ends the game in the middle of an effect: a card may lie where it does not stay.
            if g.depth == 0 and not g.finished and g.end_reason != constants.COLLAPSE and step % 151 == 0:
                laid: Any = load_position(read_position(position_of(g), Position, NOWHERE), CATALOG, T)[0]
                assert laid.state[:4].tolist() == g.state[:4].tolist()
                assert laid.exhausts[:4].tolist() == g.exhausts[:4].tolist()
                for field in ("nation_exhausted", "development_exhausted"):
                    assert laid[field].tolist() == g[field].tolist()
                # The fixed cards are laid first, and unrest is alike.
                assert (laid.zone_size[:, : constants.HISTORY] == g.zone_size[:, : constants.HISTORY])[:4].all()

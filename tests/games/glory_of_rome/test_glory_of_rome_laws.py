"""Every law that a table has to keep is broken by hand, and found broken; laws hold however the rulebook is read."""

from collections.abc import Callable
from typing import Any

import pytest

from sim.games.glory_of_rome.rules import constants, invariants
from sim.games.glory_of_rome.rules.invariants import LAWS, NOTED_LEGIONS, NOTED_VOTES
from tests.games.glory_of_rome.playing import HENRIK, Table, table
from tests.kit.laws import check_games, first_broken_law, new_notes
from tests.kit.plans import plan_for

GAME = "glory_of_rome"
Break = Callable[[Any], None]


def add(field: str, place: int | tuple[int, ...], number: int = 1) -> Break:
    """Return what adds to an entry of an array."""

    def change(g: Any) -> None:
        g[field][place] += number

    return change


def add_to(field: str, number: int) -> Break:
    """Return what adds to a number."""

    def change(g: Any) -> None:
        g[field] += number

    return change


def copy_mission(g: Any) -> None:
    g.mission_deck[1] = g.mission_deck[0]


def copy_event(g: Any) -> None:
    g.event_deck[: g.event_size] = g.event_deck[0]


BREAKS: dict[int, tuple[Break, ...]] = {
    invariants.LEGIONS: (add("board_legions", 0, -1), add("board_legions", 0), add("legions", (1, 0), 9)),
    invariants.VOTES: (add("board_votes", 0, -1), add("board_votes", 0, 2), add_to("senate_size", -1)),
    invariants.TILES: (add("tiles", (0, 0)), add("building", (3, 4))),
    invariants.MEDALS: (add("medal", 0),),
    invariants.PANTHEON: (add("common", (0, 1)), add("pantheon_own", (0, 0), 3), add("pantheon_common", (0, 1))),
    invariants.INTRIGUE: (add("intrigue_left", 0), add("intrigue", (0, 0))),
    invariants.DISCORD: (add("discord", 0), add("discord", 0, -1)),
    invariants.TRADE_CARDS: (add_to("trade_size", -1), add("sets", (0, 0))),
    invariants.MISSIONS: (add_to("mission_size", -1), copy_mission),
    invariants.EVENTS: (copy_event,),
    invariants.NEGATIVE: (add("glory", 0, -9), add("denarii", 0, -99)),
    invariants.FOLLOWERS: (add("followers", 0), add("followers_left", 0), add("followers_left", 0, -1)),
    invariants.MILESTONES: (add("marker", 1), add("marker", 0), add("glory", 0, 40)),
    invariants.CAPACITY: (add("placed", (0, 4)),),
    invariants.HANDS: (add("anchor", HENRIK),),
    invariants.SETS: (add("set_limit", 0, -4),),
    invariants.BOARD: (add("board", 0),),
    invariants.REGION: (add("conquered", 0), add("conquered", 1, -1)),
    invariants.BONUS: (add("bonus_used", (0, 0)),),
    invariants.KNOWN: (add("seen", (0, 1, 0), 3), add("doubtful", (0, 1, 0))),
    invariants.OPTIONS: (add_to("option_count", -1), add("option_seat", 0, 9), add("option_card", 0, 999)),
}


def middle() -> Table:
    """Return an action phase in which all laws hold, with two options to choose from."""
    found = table(
        glory=[3, 3, 3, 3],
        legions={"Macedonia": [2, 1]},
        board_legions=[5, 5, 5, 5],
        board_votes=[3, 4, 4, 4],
        senate=[0],
        hands={HENRIK: ["Stola", "Tunic", "Trident", "Cameo", "Abacus"]},
    )
    g = found.g
    g.building[0, 0] = 3
    g.tiles[0] -= 1
    g.medal[0] = 0
    g.tiles_built[0, 0] = 3
    g.sets[:] = 0
    g.option_count = 2
    for field in ("option_card", "option_seat"):
        g[field][:2] = 0
    return found


def law_of(position: Table, legions: int = 7, votes: int = 4) -> int:
    """Return the number of the first law that a game breaks; a seat had so many legions and votes before."""
    notes = new_notes()
    notes.of_game = 1.0
    notes.own[NOTED_LEGIONS], notes.own[NOTED_VOTES] = legions, votes
    return first_broken_law(GAME, position.g, position.t, 0, constants.ASK_FOLLOWER, notes)


def test_every_law_can_be_broken() -> None:
    assert list(BREAKS) == list(range(len(LAWS)))


@pytest.mark.parametrize("law", BREAKS, ids=lambda law: LAWS[law])
def test_a_broken_law_is_found(law: int) -> None:
    position = middle()
    assert law_of(position) == -1
    for change in BREAKS[law]:
        position = middle()
        change(position.g)
        assert law_of(position) == law


# ---- Other readings and numbers ----

OTHER_READINGS = [(name, value) for name, values in constants.SETTINGS.items() for value in values[1:]]
VARIANT_OF = {"diplomacy_pass": "spies", "imperial_negative_events": "imperial+hard-times"}
OTHER_NUMBERS = (
    "legion_limit=9", "vote_limit=9", "intrigue_tokens=0", "intrigue_tokens=6", "hand_limit=3", "hand_limit=8",
    "set_limit=1", "missions_dealt=4", "majority_glory=9", "colosseum_glory=7", "slander_glory=5", "sold_denarii=0",
    "economic_medal_denarii=9", "card_price=0", "denarii_for_point_with_medal=1",
)  # fmt: skip
GAMES = 40


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.parametrize(("name", "value"), OTHER_READINGS)
def test_the_laws_hold_however_the_rulebook_is_read(name: str, value: str) -> None:
    variant = VARIANT_OF.get(name, "standard")
    players = {"star_trade_cards": 2, "imperial_negative_events": 1}.get(name, 4)
    check_games(plan_for(GAME, variant, players, seed=9, settings={name: value}), 0, GAMES)


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.parametrize("change", OTHER_NUMBERS)
def test_the_laws_hold_with_other_numbers(change: str) -> None:
    check_games(plan_for(GAME, "standard", 4, seed=9, changes=[f"rules.toml#constants.{change}"]), 0, GAMES)


@pytest.mark.usefixtures("compiled_only")
def test_there_is_room_for_all_that_a_large_hand_and_diplomacy_offer() -> None:
    check_games(plan_for(GAME, "spies", 4, seed=9, changes=["rules.toml#constants.hand_limit=8"]), 0, GAMES)

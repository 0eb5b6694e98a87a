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


def add(field: str, number: int = 1, place: int | tuple[int, ...] | None = None) -> Break:
    """Return what adds to a field, or to one entry of it."""

    def change(g: Any) -> None:
        if place is None:
            g[field] += number
        else:
            g[field][place] += number

    return change


def copy_mission(g: Any) -> None:
    g.mission_deck[1] = g.mission_deck[0]


def copy_event(g: Any) -> None:
    g.event_deck[: g.event_size] = g.event_deck[0]


BREAKS: dict[int, tuple[Break, ...]] = {
    invariants.LEGIONS: (add("board_legions", -1, 0), add("board_legions", 1, 0), add("legions", 9, (1, 0))),
    invariants.VOTES: (add("board_votes", -1, 0), add("board_votes", 2, 0), add("senate_size", -1)),
    invariants.TILES: (add("tiles", 1, (0, 0)), add("building", 1, (3, 4))),
    invariants.MEDALS: (add("medal", 1, 0),),
    invariants.PANTHEON: (add("common", 1, (0, 1)), add("pantheon_own", 3, (0, 0)), add("pantheon_common", 1, (0, 1))),
    invariants.INTRIGUE: (add("intrigue_left", 1, 0), add("intrigue", 1, (0, 0))),
    invariants.DISCORD: (add("discord", 1, 0), add("discord", -1, 0)),
    invariants.TRADE_CARDS: (add("trade_size", -1), add("sets", 1, (0, 0))),
    invariants.MISSIONS: (add("mission_size", -1), copy_mission),
    invariants.EVENTS: (copy_event,),
    invariants.NEGATIVE: (add("glory", -9, 0), add("denarii", -99, 0)),
    invariants.FOLLOWERS: (add("followers", 1, 0), add("followers_left", 1, 0), add("followers_left", -1, 0)),
    invariants.MILESTONES: (add("marker", 1, 1), add("marker", 1, 0), add("glory", 40, 0)),
    invariants.CAPACITY: (add("placed", 1, (0, 4)),),
    invariants.HANDS: (add("anchor", 1, HENRIK),),
    invariants.SETS: (add("set_limit", -4, 0),),
    invariants.BOARD: (add("board", 1, 0),),
    invariants.REGION: (add("conquered", 1, 0), add("conquered", -1, 1)),
    invariants.BONUS: (add("bonus_used", 1, (0, 0)),),
    invariants.KNOWN: (add("seen", 3, (0, 1, 0)), add("doubtful", 1, (0, 1, 0))),
    invariants.OPTIONS: (add("option_count", -1), add("option_seat", 9, 0), add("option_card", 999, 0)),
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
    assert law_of(middle()) == -1
    for change in BREAKS[law]:
        position = middle()
        change(position.g)
        assert law_of(position) == law


# ---- Other readings and numbers ----

GAMES = 40
SETTINGS = constants.SETTINGS


def read_otherwise(place: int) -> dict[str, Any]:
    """Return all settings, each with its value number `place`, or its last one if it has fewer."""
    return {name: values[min(place, len(values) - 1)] for name, values in SETTINGS.items()}


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.parametrize(
    ("variant", "players", "settings"),
    [
        *(("spies", 4, read_otherwise(place)) for place in range(1, max(map(len, SETTINGS.values())))),
        *(("standard", 2, read_otherwise(1)), ("imperial+hard-times", 1, read_otherwise(1))),
        *(
            pytest.param("spies", 4, {name: value}, marks=pytest.mark.sweep)
            for name, values in SETTINGS.items()
            for value in values[1:]
        ),
    ],
)
def test_the_laws_hold_however_the_rulebook_is_read(variant: str, players: int, settings: dict[str, Any]) -> None:
    check_games(plan_for(GAME, variant, players, seed=9, settings=settings), 0, GAMES)


MORE = (
    "legion_limit=9", "vote_limit=9", "intrigue_tokens=6", "hand_limit=8", "majority_glory=9", "colosseum_glory=7",
    "slander_glory=5", "sold_denarii=0", "economic_medal_denarii=9",
)  # fmt: skip
LESS = (
    "intrigue_tokens=0", "hand_limit=3", "set_limit=1", "missions_dealt=4", "card_price=0",
    "denarii_for_point_with_medal=1",
)  # fmt: skip


@pytest.mark.usefixtures("compiled_only")
@pytest.mark.parametrize(
    "numbers", [MORE, LESS, *(pytest.param((number,), marks=pytest.mark.sweep) for number in (*MORE, *LESS))]
)
def test_the_laws_hold_with_other_numbers(numbers: tuple[str, ...]) -> None:
    """With diplomacy and a large hand, more options are offered at once than in any other game."""
    changes = [f"rules.toml#constants.{number}" for number in numbers]
    check_games(plan_for(GAME, "spies", 4, seed=9, changes=changes), 0, GAMES)

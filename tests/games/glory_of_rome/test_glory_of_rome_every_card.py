"""Every trade card, mission, event and effect of intrigue comes up in games and does what it says."""

from collections import Counter
from typing import Any

import pytest

from sim.games.glory_of_rome.rules import constants, log
from sim.games.glory_of_rome.rules.results import CARD_COLUMNS
from sim.players.batch import play as play_games
from sim.players.compile_players import players_of
from tests.games.glory_of_rome.playing import BIANKA, HENRIK, Table, table
from tests.kit.plans import plan_for
from tests.kit.steps import started

GAME = "glory_of_rome"
DATA: Any = plan_for(GAME).data
PLAYED = [card for card in DATA.catalog.trade_cards if card.when != "never"]


# ---- In games of players who do anything, and of those who collect cards ----


@pytest.mark.usefixtures("compiled_only")
def test_every_card_is_drawn_played_laid_in_sets_sold_and_lost_and_every_mission_fulfilled() -> None:
    plan = plan_for(GAME, players=4, seed=6, detail="cards", strategies=["random", "commerce"])
    _, rows = play_games(plan, players_of(plan), 0, 300)
    first = rows.shape[1] - len(CARD_COLUMNS)
    column = {name: first + place for place, (name, _) in enumerate(CARD_COLUMNS)}
    came = {name: set(rows[rows[:, at] > 0, 2].tolist()) for name, at in column.items()}
    trade = set(range(len(DATA.catalog.trade_cards)))
    missions = {len(trade) + number for number in range(len(DATA.catalog.missions))}
    never = {number for number, card in enumerate(DATA.catalog.trade_cards) if card.when == "never"}
    behind = len(trade) + len(missions)
    events = {behind + number for number, event in enumerate(DATA.catalog.events) if not event.negative}
    assert came["drawn"] == trade | events
    assert came["taken_round"] == trade | missions | events
    assert came["played_round"] == (trade - never) | events
    for name in ("set_round", "sold_round", "lost_round"):
        assert came[name] == trade
    assert came["fulfilled"] == missions


def test_every_event_is_revealed_and_every_effect_of_intrigue_activated() -> None:
    plan = plan_for(GAME, "hard-times", 4, seed=6)
    rows: list[Any] = []
    for number in range(20):
        g: Any = started(plan, number, keeps_log=True)[0]
        plan.game.kernels.play_out(g, plan.data.tables, players_of(plan))
        rows += g.log.rows[: g.log.row_count].tolist()
    assert len({row[log.CARD] for row in rows if row[log.KIND] == log.EVENT_REVEALED}) == len(DATA.catalog.events)
    activated = {row[log.WHAT] for row in rows if row[log.KIND] == log.ACTIVATED}
    assert activated == set(range(len(constants.INTRIGUES)))


# ---- One by one ----


def before_it(name: str, when: str) -> Table:
    """Return a position in which a card can be played, its owner Bianka or, where intrigue is answered, Henrik."""
    owner = HENRIK if when == "intrigue_in_own_province" else BIANKA
    fields: dict[str, Any] = {
        "hands": {owner: [name]},
        "glory": [6, 6, 6, 6],
        "denarii": [3, 3, 3, 3],
        "board_legions": [5, 5, 5, 5],
        "board_votes": [3, 3, 3, 3],
        "discard": [other for other in ("Pugio",) if other != name],
        "anchor": [1, 0],
        "discord": [2, 2],
        "buildings": {"Africa": {"economic": 1, "military": 1}},
    }
    if when in ("activate_intrigue", "intrigue_in_own_province"):
        position = table(constants.INTRIGUE_PHASE, intrigue={"Gallia": [BIANKA]}, **fields)
        position.activate(constants.SLANDER, "Gallia")
    elif when == "build":
        position = table(constants.BUILD_PHASE, **fields)
        position.choose(constants.PLACE_TILE, card=constants.POLITICAL)
    elif when == "double_tax":
        position = table(constants.INCOME_PHASE, **{**fields, "buildings": {}})
        position.choose(constants.TAKE_TAX, value=1)
    else:
        spots = {"follower_economic": "economic", "follower_colosseum": "Colosseum", "follower": "military"}
        position = table(**fields)
        position.place(spots[when])
    assert position.hand(owner) == [name]
    return position


@pytest.mark.parametrize("card", PLAYED, ids=lambda card: card.name)
def test_a_trade_card_does_what_it_says(card: Any) -> None:
    position = before_it(card.name, card.when)
    owner = HENRIK if card.when == "intrigue_in_own_province" else BIANKA
    effect = card.effect
    g = position.g
    before = position.record.copy()[0]
    position.play(card.name)
    rows = [[int(value) for value in g.log.rows[at]] for at in range(before.log.row_count, g.log.row_count)]
    # What follows is the rest of the action: rows up to it are the card's own.
    own = [row for row in rows[: 1 + len(effect.numbers()) + effect.draw] if row[log.SEAT] == owner]
    kinds = Counter(row[log.KIND] for row in own)
    assert own[0][log.KIND] == log.CARD_PLAYED
    assert kinds[log.CARD_DRAWN] >= effect.draw
    assert kinds[log.CARD_FROM_DISCARD] == effect.take_discard
    assert kinds[log.MISSION_DRAWN] == effect.missions
    assert kinds[log.ANCHOR_REMOVED] == effect.remove_anchor
    assert kinds[log.SETS_ALLOWED] == effect.sets
    gained = {row[log.KIND]: row[log.NUMBER] for row in reversed(own)}
    assert not effect.denarii or gained[log.GAINED_DENARII] == effect.denarii
    assert not effect.glory or gained[log.GAINED_GLORY] == effect.glory
    recruited = {row[log.WHAT]: row[log.NUMBER] for row in own if row[log.KIND] == log.RECRUITED}
    assert recruited.get(0, 0) == effect.recruit_legions
    assert recruited.get(1, 0) == effect.recruit_votes

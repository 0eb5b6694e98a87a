"""Every trade card, mission, event and effect of intrigue comes up in games."""

from typing import Any

import pytest

from sim.games.glory_of_rome.rules import constants, log
from sim.games.glory_of_rome.rules.results import CARD_COLUMNS
from sim.players.batch import play as play_games
from sim.players.compile_players import players_of
from tests.kit.plans import plan_for
from tests.kit.steps import started

GAME = "glory_of_rome"
DATA: Any = plan_for(GAME).data


@pytest.mark.usefixtures("compiled_only")
def test_every_card_is_drawn_played_laid_in_sets_sold_and_lost_and_every_mission_fulfilled() -> None:
    plan = plan_for(GAME, players=4, seed=6, detail="cards", strategies=["random", "commerce"])
    _, rows = play_games(plan, players_of(plan), 0, 1000)
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
    team = players_of(plan)
    rows: list[Any] = []
    for number in range(80):
        g: Any = started(plan, number, keeps_log=True)[0]
        plan.game.kernels.play_out(g, plan.data.tables, team)
        rows += g.log.rows[: g.log.row_count].tolist()
    assert len({row[log.CARD] for row in rows if row[log.KIND] == log.EVENT_REVEALED}) == len(DATA.catalog.events)
    activated = {row[log.WHAT] for row in rows if row[log.KIND] == log.ACTIVATED}
    assert activated == set(range(len(constants.INTRIGUES)))

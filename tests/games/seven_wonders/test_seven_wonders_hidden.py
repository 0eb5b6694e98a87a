"""No player sees what is hidden: redeal it, and every strategy scores its options as before."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from sim.batch import Plan, plan_record
from sim.compiling import lineup_record, players_of
from sim.games.seven_wonders.building import list_discard_builds, list_plays
from sim.games.seven_wonders.catalog import load_catalog
from sim.games.seven_wonders.play import start_game
from sim.games.seven_wonders.redeal import redeal
from sim.games.seven_wonders.setup import FREE_CITY
from sim.games.seven_wonders.state import MAX_OPTIONS, STATE, left_of, right_of
from sim.games.seven_wonders.trade import begin_turn, list_payments
from sim.games.seven_wonders.turns import item_paid_for
from sim.games.seven_wonders.words import BUILD, DISCARD, FREE_BUILD, FROM_DISCARD, NO_CARD, PAYMENT, PLAY, STAGE
from sim.rng import SEARCH
from sim.runs.loading import load_strategies
from tests.games.seven_wonders.playing import play_turn

CATALOG = load_catalog()
AGE_OF = np.array([card.age for card in CATALOG.cards])
STRATEGIES = load_strategies("seven_wonders")
OPTIONS = ("option_card", "option_action", "option_price", "option_left", "option_right")

Ask = tuple[int, int, int]
"""What a seat is asked for: the decision, the city that acts, and the play whose payment is chosen (or -1)."""


def middle_games(plan: Plan, games: int, turns: list[int]) -> Iterator[Any]:
    """Copies of games as these turns begin, arrays of length 1."""
    table = plan.game.new_games(1)
    g, team = table[0], players_of(plan)
    for game in range(games):
        start_game(g, plan.data.tables, plan_record(plan), game)
        for turn in range(18):
            if turn in turns:
                yield table.copy()
            play_turn(g, plan.data.tables, team)


# ---- Decisions ----


def asks(g: Any, t: Any, me: int) -> Iterator[Ask]:
    """Everything a seat could be asked for now."""
    cities = [me, FREE_CITY] if g.holder == me else [me]
    for city in cities:
        yield PLAY, city, -1
        list_for(g, t, me, (PLAY, city, -1))
        paid = [option for option in range(g.option_count) if g.option_price[option] > 1]
        for option in paid[::3]:
            yield PAYMENT, city, option
            list_for(g, t, me, (PLAY, city, -1))
        yield FROM_DISCARD, city, -1


def list_for(g: Any, t: Any, me: int, ask: Ask) -> np.ndarray:
    """List the options of a decision; return them, shape (options, fields)."""
    decision, city, play = ask
    begin_turn(g)
    g.city = city
    if decision == FROM_DISCARD:
        list_discard_builds(g, t, city)
    else:
        list_plays(g, t, city, me)
    if decision == PAYMENT:
        card, action = int(g.option_card[play]), int(g.option_action[play])
        g.choice_card[city], g.choice_action[city] = card, action
        list_payments(g, t, city, item_paid_for(g, t, city, card, action))
        return np.array([g[field][: g.option_count] for field in OPTIONS[2:]]).T
    fields = OPTIONS[:3] if decision == PLAY else OPTIONS[:1]
    return np.array([g[field][: g.option_count] for field in fields]).T


def scores(g: Any, t: Any, me: int, decision: int, score: Callable[..., float], w: Any) -> list[float]:
    g.notes[:] = np.nan
    return [float(score(g, t, me, decision, option, w)) for option in range(g.option_count)]


# ---- Redealing ----


def dealt_anew(games: Any, t: Any, me: int, random: np.random.Generator, sees_discards: bool = False) -> Any:
    """A copy of a game in which everything a seat cannot see is another way, as it could just as well be."""
    table = games.copy()
    g = table[0]
    if sees_discards:
        g.discard_seen[: g.discards_size] |= 1 << me
    g.rng_drawn[SEARCH] = 4 * random.integers(0, 2**30)
    redeal(g, t, me)
    let_others_choose(g, me, random)
    scramble_what_nobody_sees(g, me, random)
    return table


def let_others_choose(g: Any, me: int, random: np.random.Generator) -> None:
    """Let some others have made their secret choice of the turn already."""
    for seat in range(g.players):
        if seat != me and random.integers(2):
            g.hand_size[seat] -= 1
            g.choice_card[seat] = g.hand[seat, g.hand_size[seat]]
            g.choice_action[seat] = random.choice([BUILD, STAGE, DISCARD, FREE_BUILD])
            for field in ("choice_bank", "choice_left", "choice_right"):
                g[field][seat] = random.integers(0, 3)
    if g.holder >= 0 and g.holder != me and random.integers(2):
        g.choice_card[FREE_CITY] = random.integers(0, len(AGE_OF))
        g.choice_action[FREE_CITY] = random.choice([BUILD, STAGE, DISCARD])
        g.choice_left[FREE_CITY], g.choice_right[FREE_CITY] = random.integers(0, 3, 2)


def scramble_what_nobody_sees(g: Any, me: int, random: np.random.Generator) -> None:
    """Draw the random streams anew, and all leftovers of what others did or held before."""
    for field in ("rng_key", "rng_game", "rng_words"):
        g[field] = random.integers(0, 2**31, g[field].shape)
    g.rng_drawn[:] = random.integers(0, 100, g.rng_drawn.shape)
    for seat in range(g.players):
        if seat != me:
            left_over = g.hand[seat, g.hand_size[seat] :]
            left_over[:] = random.integers(0, len(AGE_OF), left_over.shape)
            g.log.pieces[seat] = random.integers(0, 18, g.log.pieces[seat].shape)
    g.log.rows[:] = random.integers(0, 18, g.log.rows.shape)
    g.score[:] = random.integers(0, 60, g.score.shape)
    g.option_score[:] = random.random(MAX_OPTIONS)


# ---- The tests ----


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_no_strategy_scores_by_what_it_cannot_see(
    players: int, plan_of: Callable[..., Plan], scaled: Callable[[int, int], int]
) -> None:
    plan = plan_of(players=players, strategies=["balanced@1", "wonder", "random"], seed=21)
    t = plan.data.tables
    lineup = lineup_record(tuple(STRATEGIES.values()), plan.data, players)
    random = np.random.default_rng(players)
    asked = {PLAY: 0, PAYMENT: 0, FROM_DISCARD: 0}
    for games in middle_games(plan, scaled(8, 2), list(range(0, 18, scaled(1, 2)))):
        me = int(random.integers(players))
        for ask in list(asks(games.copy()[0], t, me)):
            seen = games.copy()
            other = dealt_anew(games, t, me, random, sees_discards=ask[0] == FROM_DISCARD)
            options = list_for(seen[0], t, me, ask)
            assert (list_for(other[0], t, me, ask) == options).all(), "what is legal gives away what is hidden"
            asked[ask[0]] += len(options) > 1
            for number, (name, strategy) in enumerate(STRATEGIES.items()):
                script, w = strategy.script.score, lineup.seats[number]
                expected = scores(seen[0], t, me, ask[0], script, w)
                assert scores(other[0], t, me, ask[0], script, w) == expected, (name, ask)
    assert all(asked.values())


def test_a_player_who_peeks_is_caught(plan_of: Callable[..., Plan]) -> None:
    """The redeal shows what it should: these scores change with it."""

    def sees(look: Callable[[Any, int], float]) -> bool:
        plan = plan_of(players=3, strategies=["random"])
        t, random = plan.data.tables, np.random.default_rng(1)
        found = False
        for games in middle_games(plan, 2, [0, 3, 6, 8, 12, 14]):
            other = dealt_anew(games, t, 0, random)
            found |= look(games[0], 0) != look(other[0], 0)
        return found

    assert sees(lambda g, me: g.hand[left_of(g, me), 0])
    assert sees(lambda g, me: g.hand[right_of(g, me), : g.hand_size[2]].sum())
    assert sees(lambda g, me: g.discards[: g.discards_size].tolist())
    assert sees(lambda g, me: g.deck[g.age - 1, 0])
    assert sees(lambda g, me: g.deck[2, :21].tolist())
    assert sees(lambda g, me: g.choice_card[1] + g.choice_card[2])
    assert sees(lambda g, me: g.rng_words.sum())
    assert sees(lambda g, me: g.stage_cards[2, 0] if g.stages_built[2] else g.stage_cards[1, 0])
    assert not sees(lambda g, me: g.hand[me, 0] + g.coins.sum() + g.shields[1])


@pytest.mark.parametrize("players", [2, 4])
def test_scoring_changes_nothing_and_says_the_same_twice_and_in_any_order(
    players: int, plan_of: Callable[..., Plan], scaled: Callable[[int, int], int]
) -> None:
    plan = plan_of(players=players, strategies=["balanced@1", "wonder", "random"], seed=22)
    t = plan.data.tables
    lineup = lineup_record(tuple(STRATEGIES.values()), plan.data, players)
    random = np.random.default_rng(players)
    for games in middle_games(plan, scaled(4, 1), list(range(1, 18, scaled(1, 3)))):
        g, me = games[0], int(random.integers(players))
        for ask in list(asks(games.copy()[0], t, me)):
            list_for(g, t, me, ask)
            count = int(g.option_count)
            g.notes[:] = np.nan
            before = {field: g[field].tobytes() for field in STATE.names}
            tables, weights = t.tobytes(), lineup.tobytes()
            order = random.permutation(count)
            for number, (name, strategy) in enumerate(STRATEGIES.items()):
                score, w = strategy.script.score, lineup.seats[number]
                first = scores(g, t, me, ask[0], score, w)
                # again with the notes as they are, then from the last option to the first with blank ones
                again = [float(score(g, t, me, ask[0], option, w)) for option in range(count)]
                g.notes[:] = np.nan
                backwards = [float(score(g, t, me, ask[0], option, w)) for option in reversed(range(count))]
                assert first == again == backwards[::-1], (name, ask)
                assert np.isfinite(first).all(), (name, ask)
                shuffled = games.copy()
                for field in OPTIONS:
                    shuffled[0][field][:count] = g[field][:count][order]
                assert scores(shuffled[0], t, me, ask[0], score, w) == [first[option] for option in order], (name, ask)
                g.notes[:] = np.nan
                changed = [field for field in STATE.names if g[field].tobytes() != before[field]]
                assert not changed, (name, changed)
            assert t.tobytes() == tables
            assert lineup.tobytes() == weights
            g.choice_card[:] = NO_CARD

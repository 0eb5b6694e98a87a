"""Games as PettingZoo environments: a learning agent or a human answers the decisions of all seats in turn.

Needs the extra `pettingzoo`: `pip install empirelab[pettingzoo]`. A compiled game cannot wait for an answer in the
middle of a step. So after each answer the step is replayed from its start with all answers so far, until it asks for
nothing more. With the same answers a game proceeds as in a run.
"""

from __future__ import annotations

import zlib
from collections.abc import Generator, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

import numpy as np

from sim.compiler.kernel import Record, compiled, strategy_slots
from sim.engine.state import NO_ERROR
from sim.errors import UserError
from sim.games.plain.interface import DataRow, in_words
from sim.games.plain.playing import Playing
from sim.games.plain.policies import missing
from sim.games.shared.stepping import play_answered
from sim.players.batch import Plan, check_no_error, plan_record
from sim.players.compile_players import lineup_record
from sim.players.python_players import NOBODY, address_of_score, check_view, options_of, raise_failure, view_of
from sim.runs.config import RunConfig, make_plan

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ImportError as error:
    message = "an environment needs pettingzoo, which is not installed"
    raise UserError(message, allowed="pip install empirelab[pettingzoo]") from error

VIEW_FEATURES = 1024
OPTION_FEATURES = 64
"""Lengths of the feature vectors of a view, and of an option."""


def hashed_features(shown: Any, size: int) -> np.ndarray:
    """Return the feature vector of a view or an option.

    Each number is added to one feature, which depends on the keys that lead to the number. Each name adds 1 to one
    feature, which depends on its keys and on the name itself. A digest of the keys (and the name) gives the index of
    the feature, and whether the number is added or subtracted (the hashing trick: Weinberger et al., ICML 2009).

    Returns
    -------
    array of shape (size,), float32
    """
    features = np.zeros(size, np.float32)

    def add(words: str, amount: float) -> None:
        place = zlib.crc32(words.encode())
        features[place % size] += amount if place & 1 << 31 else -amount

    def walk(path: str, value: Any) -> None:
        if isinstance(value, dict):
            for key, below in value.items():
                walk(f"{path}.{key}", below)
        elif isinstance(value, list):
            for place, below in enumerate(value):
                # Features of items such as players and cities depend on their position. Names in a list are counted.
                walk(path if isinstance(below, str) else f"{path}.{place}", below)
        elif isinstance(value, str | None):
            add(f"{path}={value}", 1.0)
        else:
            add(path, float(value))

    walk("", shown)
    return features


class GameEnvironment(AECEnv):  # type: ignore[misc, unused-ignore]
    """A game whose agents `seat_0`, `seat_1`, ... answer its decisions.

    An action is the number of an option. An observation has three arrays: `observation` encodes what the seat may see
    (float32, shape (VIEW_FEATURES,)), `options` encodes each option (float32, shape (options, OPTION_FEATURES)), and
    `action_mask` marks the options that exist (int8, shape (options,)). `hashed_features` computes `observation`
    and `options`. For the agent that decides, `infos[agent]` contains the view and the options from which they are
    computed. At the end every winner gets its share of the win as reward. Until then rewards are 0.

    Parameters
    ----------
    plan
        What to play, with how many seats. The strategies of the plan do not play.
    """

    def __init__(self, plan: Plan) -> None:
        self.metadata = {"name": f"{plan.game.name}_v0", "render_modes": [], "is_parallelizable": False}
        self.plan, self.render_mode, self.number = plan, None, -1
        self.possible_agents = [f"seat_{seat}" for seat in range(plan.players)]
        most = self._most_options()
        self.action_spaces = {agent: spaces.Discrete(most) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-np.inf, np.inf, (VIEW_FEATURES,), np.float32),
                    "options": spaces.Box(-np.inf, np.inf, (most, OPTION_FEATURES), np.float32),
                    "action_mask": spaces.Box(0, 1, (most,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._pause, self._alive = self._pausing_players()
        self.agents: list[str] = []
        self.table = self.shown = plan.game.new_games(1)
        self.answers: list[int] = []
        self.decision = NOBODY
        self.agent_selection = self.possible_agents[0]
        self.asked: tuple[np.ndarray, int, int] | None = None
        self.infos: dict[str, dict[str, Any]] = {}

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    # ---- Playing ----

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start game 0 of `seed`. If `seed` is None, start the next game of the current seed."""
        if seed is not None:
            self.plan, self.number = replace(self.plan, seed=seed), -1
        self.number += 1
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._start()
        self._go_on()

    def step(self, action: int | None) -> None:
        """Take an option for the agent that decides.

        Raises
        ------
        UserError
            The option does not exist.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        most = self._option_count()
        if action is None or not 0 <= int(action) < most:
            raise UserError("no option has this number", field="action", found=action, allowed=f"0 to {most - 1}")
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.answers.append(int(action))
        self._go_on()
        self._accumulate_rewards()

    def _most_options(self) -> int:
        return int(self.plan.game.state["option_score"].shape[0])

    def _option_count(self) -> int:
        return int(self.shown[0].option_count)

    def _start(self) -> None:
        self.table = self.plan.game.new_games(1)
        self.plan.game.kernels.start_game(self.table[0], self.plan.data.tables, plan_record(self.plan), self.number)
        self.answers = []

    def _go_on(self) -> None:
        """Play to the next decision or to the end."""
        while not self.table[0].finished:
            trial, asked = self._play_step()
            if asked is not None:
                self.shown, seat, self.decision = asked
                self.agent_selection = self.possible_agents[seat]
                self._inform()
                return
            if trial[0].error != NO_ERROR:
                check_no_error(self.plan, trial[0])
            self.table, self.answers = trial, []
        self._finish()

    def _play_step(self) -> tuple[Any, tuple[np.ndarray, int, int] | None]:
        """Replay the present step with the answers so far; return the game after it, and an open decision.

        The open decision consists of a copy of the game at the decision, the seat, and the kind of decision. It is None
        if the step asked for nothing more.
        """
        self.asked = None
        plan = self.plan
        step = plan.game.play_step
        played = play_answered(self.table, plan.data.tables, self._pause, step, self.answers, self._is_asked)
        raise_failure()  # for example an interrupt that came while the engine called Python
        return played, self.asked

    def _finish(self) -> None:
        """Reward the winners and end the game for all agents."""
        self.shown, self.decision = self.table, NOBODY
        ranks = self._ranks()
        winners = ranks.count(1)
        self.rewards = {
            agent: 1.0 / winners if ranks[seat] == 1 else 0.0 for seat, agent in enumerate(self.possible_agents)
        }
        self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.agents[0]
        self._inform()

    def _ranks(self) -> list[int]:
        """Return the ranks of all seats, once the game has ended."""
        return [int(rank) for rank in self.table[0].rank[: self.plan.players]]

    def _is_asked(self) -> bool:
        """Tell whether the replayed step has reached a decision without an answer."""
        return self.asked is not None

    def _pausing_players(self) -> tuple[Any, Any]:
        """Return players who record the first decision without an answer in `self.asked`, and their code.

        The compiled code must be kept as long as the players are used.
        """
        game = self.plan.game

        def pause(g: Record, _t: Record, me: int, decision: int, option: int, _w: Record) -> float:
            if self.asked is None:
                self.asked = np.asarray(g).reshape(1).copy(), int(me), int(decision)
            return 0.0  # the rest of the step is random and is discarded

        pointer = address_of_score(pause, game.state) if compiled() else pause
        lineup = lineup_record(self.plan.strategies, self.plan.data, self.plan.players)
        return (strategy_slots([pointer] * len(self.plan.strategies)), lineup), pointer

    # ---- Seeing ----

    def _view(self, agent: str) -> dict[str, Any]:
        """Return the view of an agent's seat. Only the deciding seat's view contains the decision."""
        seat, decides = self.possible_agents.index(agent), agent == self.agent_selection
        decision = self.decision if decides else NOBODY
        return view_of(self.shown[0], self.plan.game, self.plan.data, seat, decision)

    def _inform(self) -> None:
        """Set `infos`: the view and the options of the agent that decides, and nothing for the others."""
        self.infos = {agent: {} for agent in self.agents}
        if self.decision != NOBODY:
            agent = self.agent_selection
            self.infos[agent] = {"view": self._view(agent), "options": self._options(agent)}

    def _options(self, agent: str) -> list[dict[str, Any]]:
        seat = self.possible_agents.index(agent)
        return options_of(self.shown[0], self.plan.game, self.plan.data, seat, self.decision)

    def observe(self, agent: str) -> dict[str, Any]:
        """Return an agent's observation. Only the deciding agent has options."""
        most = int(self.action_spaces[agent].n)
        mask, options = np.zeros(most, np.int8), np.zeros((most, OPTION_FEATURES), np.float32)
        for place, option in enumerate(self.infos[agent].get("options", [])):
            mask[place] = 1
            options[place] = hashed_features(option, OPTION_FEATURES)
        return {
            "observation": hashed_features(self._view(agent), VIEW_FEATURES),
            "options": options,
            "action_mask": mask,
        }

    def scores(self) -> list[int]:
        """Return the points of all seats, once the game has ended."""
        return [int(points) for points in self.table[0].score[: self.plan.players, -1]]

    def render(self) -> None:
        """Show nothing: views are in `infos`."""

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


MOST_PLAIN_OPTIONS = 256
"""Maximum number of options of a decision that an environment shows for a game in plain Python."""


class PlainEnvironment(GameEnvironment):
    """A game in plain Python as an environment. Decisions with only one option are skipped."""

    def __init__(self, plan: Plan) -> None:
        self.playing = Playing(plan)
        self.state: Any = None
        self.moves: Any = None
        self.options: Sequence[Any] = ()
        super().__init__(plan)

    def _most_options(self) -> int:
        return MOST_PLAIN_OPTIONS

    def _pausing_players(self) -> tuple[Any, Any]:
        return None, None

    def _option_count(self) -> int:
        return len(self.options)

    def _start(self) -> None:
        if self.playing.plan is not self.plan:
            self.playing = Playing(self.plan)
        try:
            self.state = self.playing.start(self.number)
        except Exception as error:
            raise self.playing.failure(error) from error
        self.moves, self.answers = self._asking(), []

    def _asking(self) -> Generator[tuple[int, Sequence[Any]], int]:
        """Play the game as a generator.

        At every decision it yields the seat and its options, and must be sent the index of the chosen option. A
        decision with one option is not yielded.
        """
        playing, state, game = self.playing, self.state, self.playing.game
        over = False
        while not over:
            chosen = {}
            for seat in game.seats_to_act(state):
                state.seat = seat
                options = game.options(state)
                playing.examine(state, seat, options)
                chosen[seat] = options[(yield seat, options) if len(options) > 1 else 0]
            move = chosen if playing.together else next(iter(chosen.values()))
            over = game.apply(state, move, playing.chance) is True or game.is_over(state)

    def _go_on(self) -> None:
        try:
            seat, self.options = self.moves.send(self.answers.pop() if self.answers else None)
        except StopIteration:
            self._finish()
            return
        except Exception as error:
            raise self.playing.failure(error) from error
        if len(self.options) > MOST_PLAIN_OPTIONS:
            allowed = f"up to {MOST_PLAIN_OPTIONS}"
            raise UserError("too many options for an environment", found=len(self.options), allowed=allowed)
        self.decision, self.agent_selection = 0, self.possible_agents[seat]
        self._inform()

    def _ranks(self) -> list[int]:
        return self.playing.ranks(self.state, self.scores())

    def _view(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        decision = {"decision": "move" if agent == self.agent_selection and self.decision != NOBODY else None}
        shown = as_shown(self.playing.game.view(self.state, seat))
        return {"game": self.plan.game.name, "seat": seat, **decision, **(shown if isinstance(shown, dict) else {})}

    def _options(self, agent: str) -> list[dict[str, Any]]:
        describe = self.playing.game.describe
        return [{"text": describe(self.state, option), "option": as_shown(option)} for option in self.options]

    def scores(self) -> list[int]:
        """Return the points of all seats as if the game ended now."""
        return [sum(self.playing.parts_of(self.state, seat)) for seat in range(self.plan.players)]


def as_shown(value: Any) -> Any:
    """Return part of a view as numbers, strings, lists and dictionaries; a row of the data becomes its name."""
    if isinstance(value, str | bool | int | float | None):
        return value
    if isinstance(value, DataRow):
        return in_words(value)
    if isinstance(value, dict):
        return {in_words(name): as_shown(each) for name, each in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(in_words, value))
    if isinstance(value, list | tuple):
        return [as_shown(each) for each in value]
    return {name: as_shown(each) for name, each in getattr(value, "__dict__", {}).items()}


def environment(game: str, **options: Any) -> GameEnvironment:
    """Return a game as an environment.

    Parameters
    ----------
    game
        Name of a game.
    options
        As in a run file: `players`, `variant`, `factions`, `settings`, ...

    Raises
    ------
    UserError
        The game does not exist, an option is wrong, or the game does not support views.
    """
    plan = make_plan(RunConfig(game=game, **{"strategies": ["random"], **options}))
    if plan.game.plain is not None:
        if not plan.game.plain.shows:
            raise missing(plan.game.plain, "an environment shows views, so", "hidden", "hidden = (), or view")
        return PlainEnvironment(plan)
    check_view(plan.game, None)
    import_module(plan.game.view)
    return GameEnvironment(plan)

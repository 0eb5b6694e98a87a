"""How players of games in plain Python decide: by scores, by a choice of their own, or by look-ahead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

from sim.errors import UserError
from sim.games.plain.judging import PlainJudge


@dataclass
class Policy:
    """How a strategy of a run decides.

    `score` and `choose` are the player's function with its weights: `score` rates one option, `choose` picks an option.
    At most one of the two is set. `fast` is `score` if the best score alone decides; None with noise or search.
    `search` says how the player looks ahead; None if it does not. `judge` evaluates positions at the horizon of the
    look-ahead; None if they are evaluated by points.
    """

    name: str
    score: Callable[..., float] | None
    choose: Callable[..., Any] | None
    is_greedy: bool
    temperature: float
    search: Any
    fast: Callable[..., float] | None = None
    judge: PlainJudge | None = None


def policy_of(strategy: Any, rules: Any, judge: Any = None) -> Policy:
    """Return the policy of a strategy. Its look-ahead evaluates positions at the horizon by `judge`, if given.

    Raise UserError if the player looks ahead or gets a view, but the game does not say what is hidden.
    """
    player = strategy.script.plain
    function = with_weights(player.function, player.weights, strategy.weights) if player.function is not None else None
    score, choose = (None, function) if player.chooses else (function, None)
    is_greedy = player.function is None and player.name == "greedy"
    fast = score if strategy.temperature == 0.0 and strategy.search is None else None
    position_judge = None if judge is None else PlainJudge(judge)
    policy = Policy(
        strategy.name, score, choose, is_greedy, strategy.temperature, strategy.search, fast, position_judge
    )
    if policy.search is not None and not rules.hides:
        raise missing(rules, f"{strategy.name} looks ahead, so", "hidden", "hidden = () if nothing is, or redeal")
    if policy.choose is not None and not rules.shows:
        raise missing(rules, f"{strategy.name} is shown a view, so", "hidden", "hidden = () if nothing is, or view")
    return policy


def missing(rules: Any, why: str, part: str, allowed: str) -> UserError:
    """Return the error for a game whose class lacks `part`, which a player needs."""
    message = f"{why} the game has to say what seats cannot see: add `{part}` to its class"
    return UserError(message, file=rules.place, field=part, allowed=allowed)


def with_weights(
    function: Callable[..., Any], usual: Mapping[str, float], weights: Mapping[str, float]
) -> Callable[..., Any]:
    """Return a function with `weights` as the defaults of its keyword arguments. It is as fast as the original."""
    if dict(usual) == dict(weights) or not isinstance(function, FunctionType):
        return function
    own = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__,
                       function.__closure__)  # fmt: skip
    own.__kwdefaults__ = dict(weights)
    return own


def in_rollouts(policy: Policy) -> Policy:
    """Return the policy that a player follows within rollouts: the same player without search."""
    if policy.search is None:
        return policy
    temperature = float(policy.search.model_temperature)
    fast = policy.score if temperature == 0.0 else None
    return replace(policy, is_greedy=False, temperature=temperature, search=None, judge=None, fast=fast)

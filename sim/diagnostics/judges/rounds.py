"""The rounds of a training: games of self-play, and the nets fitted to them.

The first training round learns from games of scripted players. Each later training round learns from games of players
who look ahead with the judge of the previous training round. The new judge is used only if it wins against the
previous judge on fresh deals. This is policy iteration.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from sim.diagnostics.judges.duel import duel_of, judging
from sim.diagnostics.judges.fit import Net, fit_net
from sim.diagnostics.judges.kept_work import files_of, forget, keep, kept_in
from sim.diagnostics.judges.self_play import (
    GAMES_AT_A_TIME,
    Positions,
    SelfPlay,
    beginnings,
    joined_positions,
    positions_in_turn,
)
from sim.engine.script import Strategy
from sim.players.batch import Plan
from sim.players.compile_players import players_of
from sim.players.find_strategies import load_strategies
from sim.players.judge_files import ROLES, Judge, JudgeRecord, write_judge
from sim.runs.shards import in_order

FEWEST_PASSES, LATER_PASSES = 5, 3
"""Minimum number of passes over all positions in the fit of the first training round, and of later ones."""
SELF_PLAY_ROLLOUTS = 2
"""Number of rollouts of each option in later training rounds. It is small: many games matter more than strong play."""
FRESH_DEALS = 1 << 40
"""Distance between the seeds of self-play and of the test in a training round."""
SAVED_AT_A_TIME = 8
"""Number of batches of `GAMES_AT_A_TIME` games per file if scripted players play. Otherwise a file holds one batch."""


@dataclass(frozen=True)
class TrainingSetup:
    """What all rounds of a training share.

    Attributes
    ----------
    plans
        The games of the first training round: one plan for each variant. The first strategy of each plan is the base.
    shares
        Share of the seats that begin with each strategy in the first training round.
    search
        How the judge's player looks ahead: the table `[search]` of its file, without the judge.
    scale, usual_rounds, usual_stops
        As in `SelfPlay`.
    folder
        Folder of the saved work.
    """

    plans: tuple[Plan, ...]
    shares: tuple[float, ...]
    search: dict[str, object]
    scale: float
    usual_rounds: float
    usual_stops: float
    folder: Path
    jobs: int
    say: Callable[[str], None]

    @property
    def base(self) -> Strategy:
        """The player whose games the judge learns from, and who plays the rollouts."""
        return self.plans[0].strategies[0]


def first_judge(setup: TrainingSetup, games: int) -> Judge:
    """Play the games of the first training round and return its judge."""
    plays = [scripted(setup, plan) for plan in setup.plans]
    return judge_of(fit_round(setup, plays, 0, games), setup, games, 1)


def next_judge(setup: TrainingSetup, before: Judge, number: int, games: int, fresh: int) -> Judge | None:
    """Train a judge in a later training round; return it if it beats the previous judge `before`, else None."""
    setup.say(f"round {number + 1}: players look ahead with the judge of round {number}")
    nets = fit_round(setup, looking_ahead(setup, before, number), number, games, before)
    judge = judge_of(nets, setup, before.record.games, number + 1)
    plan = replace(setup.plans[0], seed=seed_of(setup.plans[0], number, test=True))
    duel = duel_of(judge, before, plan, setup.search, fresh, setup.jobs)
    setup.say(f"round {number + 1} {duel}" + ("" if duel.is_stronger else "; the previous judge is kept"))
    return judge if duel.is_stronger else None


def seed_of(plan: Plan, number: int, *, test: bool) -> int:
    """Return the seed of the deals for self-play, or for the test, in training round `number`, counted from 0."""
    return (plan.seed + (2 * number + test) * FRESH_DEALS) % (1 << 63)


def scripted(setup: TrainingSetup, plan: Plan) -> SelfPlay:
    """Return the description of self-play with the strategies of a plan, as in the first training round."""
    return SelfPlay(plan, setup.shares, players_of(plan), setup.scale, setup.usual_rounds, setup.usual_stops)


def looking_ahead(setup: TrainingSetup, judge: Judge, number: int) -> list[SelfPlay]:
    """Return the descriptions of self-play in a later training round, one for each variant.

    The base is replaced by a player who looks ahead with `judge`, the judge of the previous training round. This player
    plays the end of every game. Games begin with this player, noisy players, and all other scripted players.
    """
    with tempfile.TemporaryDirectory(prefix="empirelab-judge-") as folder:
        weights = Path(folder) / "judge.npz"
        write_judge(weights, judge)
        search = setup.search | {"rollouts": SELF_PLAY_ROLLOUTS}
        games = []
        for plan in setup.plans:
            best = judging(setup.base, plan, search, weights, "judge of the round before")
            known = load_strategies(plan.game.name)
            own = {strategy.name for strategy in plan.strategies}
            others = [each for name, each in known.items() if name not in own and each.search is None]
            _, shares = beginnings(setup.base.name, [each.name for each in others])
            strategies = (best, *plan.strategies[1:], *others)
            own_plan = replace(plan, strategies=strategies, seed=seed_of(plan, number, test=False))
            games.append(replace(scripted(setup, own_plan), shares=shares))
    return games


def fit_round(
    setup: TrainingSetup, plays: Sequence[SelfPlay], number: int, games: int, before: Judge | None = None
) -> list[Net]:
    """Play the games of a training round, and fit and return a net for each part of the game.

    The variants (entries of `plays`) take turns. The fit begins with the nets of the judge `before`, or with random
    nets if it is None.
    """
    plan = plays[0].plan
    features: Any = plan.game.judge
    size = GAMES_AT_A_TIME * (1 if plan.looks_ahead else SAVED_AT_A_TIME)
    passes = FEWEST_PASSES if before is None else LATER_PASSES
    begins = [None if before is None else net_of(before, setup, phase) for phase in range(features.phases)]
    return fit_nets(setup, number, partial(positions_in_turn, plays), games, size, size_of_net(plan), passes, begins)


def fit_nets(
    setup: TrainingSetup,
    number: int,
    play: Callable[[int, int], Positions],
    games: int,
    at_a_time: int,
    size: tuple[int, int],
    passes: int,
    begins: Sequence[Net | None],
) -> list[Net]:
    """Play the games of a training round, and fit a net for each part of the game. Saved games and nets are reused.

    Parameters
    ----------
    play
        Function that plays consecutive games and returns their positions. It takes the first game and the number of
        games, and works in any process.
    at_a_time
        Number of games that one call plays. One file holds their positions.
    size, passes, begins
        Numbers of features and roles; number of passes of `fit_net`; and initial net of each part of the game, None for
        a random net.
    """
    seed = seed_of(setup.plans[0], number, test=False)
    files = [setup.folder / f"net-{number}-{phase}.npz" for phase in range(len(begins))]
    kept = files_of(setup.folder, "net", number, setup.say)
    nets = [kept_net(file) if file in kept else None for file in files]
    if any(net is None for net in nets):
        positions = play_round(setup, number, play, games, at_a_time)
        for phase, begin in enumerate(begins):
            count = int((positions.phase == phase).sum())
            setup.say(f"part {phase + 1} of {len(begins)} of the game: {count:,} positions")
            if nets[phase] is None:
                net = fit_net(positions, phase, *size, passes, seed, setup.say, begin)
                keep(files[phase], asdict(net))
                nets[phase] = net
        forget(setup.folder, "positions", number)
    return [net for net in nets if net is not None]


def play_round(
    setup: TrainingSetup, number: int, play: Callable[[int, int], Positions], games: int, at_a_time: int
) -> Positions:
    """Play the games of self-play of a training round, and return their positions. Saved positions are reused."""
    pieces = [
        (play, first, min(at_a_time, games - first), setup.folder / f"positions-{number}-{first:010}.npz")
        for first in range(0, games, at_a_time)
    ]
    if there := len(files_of(setup.folder, "positions", number, setup.say)):
        setup.say(f"resumes after {min(there * at_a_time, games):,} of {games:,} games")
    parts = []
    for place, part in enumerate(in_order(kept_positions, pieces, setup.jobs, setup.plans[0].game), start=1):
        parts.append(part)
        if (place - 1) * 10 // len(pieces) != place * 10 // len(pieces):
            setup.say(f"  {min(place * at_a_time, games):,} of {games:,} games")
    return joined_positions(parts)


def kept_positions(play: Callable[[int, int], Positions], first: int, count: int, file: Path) -> Positions:
    """Return the positions of `count` games from game `first` on: read them from a file, or play and save them."""
    if file.is_file():
        return Positions(**kept_in(file))
    positions = play(first, count)
    keep(file, {name: getattr(positions, name) for name in Positions.__annotations__})
    return positions


def kept_net(file: Path) -> Net:
    """Return the net in a file of saved work."""
    arrays = kept_in(file)
    return Net(**arrays | {name: float(arrays[name]) for name in ("loss", "least")})


def size_of_net(plan: Plan) -> tuple[int, int]:
    """Return the numbers of features and of roles of a game."""
    features: Any = plan.game.judge
    return len(features.name_features(plan.data)), ROLES[features.roles]


def net_of(judge: Judge, setup: TrainingSetup, phase: int) -> Net:
    """Return a judge's net for part `phase` of the game, with rows of 0 for features that the judge lacks."""
    plan = setup.plans[0]
    assert plan.game.judge is not None
    names = plan.game.judge.name_features(plan.data)
    place = {name: number for number, name in enumerate(names)}
    rows = np.zeros((len(names), *judge.rows.shape[2:]), np.float32)
    rows[[place[name] for name in judge.features]] = judge.rows[phase]
    return Net(rows, judge.biases[phase], judge.ratings[phase])


def judge_of(
    nets: Sequence[Net],
    setup: TrainingSetup,
    games: int,
    rounds: int,
    names: tuple[str, ...] | None = None,
    source: str = "",
    by_seat: Iterable[str] = (),
) -> Judge:
    """Combine the nets of all parts of the game into one judge.

    `names` are the features, by default those that a compiled game declares. `source` and `by_seat` are as in
    `JudgeRecord`.
    """
    plan = setup.plans[0]
    if names is None:
        assert plan.game.judge is not None
        names = plan.game.judge.name_features(plan.data)
    record = JudgeRecord(
        game=plan.game.name,
        players=plan.players,
        variants=[each.variant for each in setup.plans],
        tables=plan.data.digest,
        base=setup.base.name,
        games=games,
        rounds=rounds,
        seed=plan.seed,
        lead_scale=setup.scale,
        loss=[round(net.loss, 5) for net in nets],
        least=[round(net.least, 5) for net in nets],
        source=source,
        by_seat=sorted(by_seat),
    )
    rows, biases, ratings = (np.stack([getattr(net, name) for net in nets]) for name in ("rows", "biases", "ratings"))
    return Judge(record, names, rows, biases, ratings)

"""Gives every changed game a learned judge of its own: who needs one, where it is kept, and how it is trained.

The judges that come with a game are trained on its printed data only. In a changed game they would understate the
effect of the change. So the two games of a comparison each get judges, trained by the same number of games of self-play
with the same seed. Judges are cached under a key of what they were trained on, so each judge is trained once. The
manifest of a run names this key, not a folder, and the digest of each judge. So a replay, or another machine, finds the
judge in its cache or trains the same judge again.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

from reports.data.ladder_rows import ladder_of
from reports.formatting import count
from reports.studies.search.parameters import SETTING
from sim.data.arguments import jobs_to_use
from sim.data.changes import parse_path, toml_text
from sim.data.disk import make_folders, write_file_atomically
from sim.data.lessons import JUDGE
from sim.diagnostics.judges.forecast import measured
from sim.diagnostics.judges.rounds import TrainingSetup, first_judge
from sim.diagnostics.judges.self_play import NOISE, beginnings
from sim.diagnostics.judges.trained import code_of_training, fits
from sim.engine.script import RANDOM, Strategy
from sim.errors import UserError
from sim.game import GameSpec
from sim.players.batch import Plan
from sim.players.find_strategies import code_digest, load_strategies
from sim.players.judge_files import CACHE, TABLES, content_of, file_of_judge, has_own_judge
from sim.players.search_config import search_of
from sim.runs.progress import duration

SEED = 1
"""Seed of the training. It does not depend on the seed of a run."""
Say = Callable[[str], None]


def has_judge(player: Strategy) -> bool:
    """Tell whether a player looks ahead with a learned judge."""
    return player.search is not None and bool(player.search.judge)


def concerns_judges(game: GameSpec, path: str) -> bool:
    """Tell whether a difference at `path` (a change, its path, or `set#NAME`) makes a game that needs its own judge."""
    return path.startswith(SETTING) or parse_path(path.partition("=")[0])[0] in game.files


# ---- Players with judges for changed game data ----


def own_judges(plan: Plan, changes: Sequence[str], paths: Sequence[str]) -> list[str]:
    """Return changes that give players judges trained on their own game's data. Empty if the runs play the same game.

    If one of the `changes` of the run names a judge, no judges are replaced. `paths` says what differs between the runs
    that are compared, as in `lessons_off`. Raises UserError if a player has a judge for a game in plain Python, because
    such judges are not trained here.
    """
    if any(JUDGE in text for text in changes) or not any(concerns_judges(plan.game, path) for path in paths):
        return []
    if plan.game.judge is None and (judged := [player.name for player in plan.strategies if has_judge(player)]):
        message = "a judge does not know a changed game, and none is trained for games in plain Python"
        raise UserError(message, field="strategies", found=judged[0], allowed="players without a judge")
    return list(dict.fromkeys(
        f"{Path(player.source).name}{JUDGE}={toml_text(place_of_judges(plan, player))}"
        for player in plan.strategies
        if has_judge(player)
    ))  # fmt: skip


def with_own_judges(plan: Plan) -> Plan:
    """Return a plan in which every player with a judge uses a judge trained on the plan's own game data.

    The data may be printed or changed.
    """
    return replace(plan, strategies=tuple(
        replace(player, search=player.search.model_copy(update={"judge": place_of_judges(plan, player)}))
        if player.search is not None and has_judge(player)
        else player
        for player in plan.strategies
    ))  # fmt: skip


def place_of_judges(plan: Plan, player: Strategy) -> str:
    """Return the pattern of the paths at which a player's judges are cached.

    The folder depends on everything that determines the training, apart from number of players and data. Each number of
    players, and each digest of the game's tables, has a file in it.
    """
    trained = {
        "version": version("empirelab"), "variant": plan.variant, "factions": list(plan.factions), "seed": SEED,
        "games": ladder_of(plan.game).judge_games, "script": player.script.name, "weights": dict(player.weights),
        "temperature": player.temperature, "code": code_digest(player.source),
        "sources": code_of_training(plan.game, [player.script]),
    }  # fmt: skip
    key = hashlib.sha256(json.dumps(trained, sort_keys=True).encode()).hexdigest()[:16]
    return f"{CACHE}/judges/{plan.game.name}-{key}/{{players}}-{TABLES}.npz"


# ---- Training ----


def ignore(text: str) -> None:
    """Ignore a message."""


def train_missing(
    plans: Sequence[Plan], say: Say = ignore, jobs: int = -1, digests: Mapping[str, str] | None = None
) -> None:
    """Train the judges that players of the plans need and that are not cached. First say how long that will take.

    `digests` are the SHA-256 of the judges that a recorded run used. Retrained judges must have these digests. Raises
    UserError if they do not, a game stops with an error, or a judge cannot be written.
    """
    missing = {file: (own, player) for plan in plans for file, own, player in missing_judges(plan)}
    for number, (file, (plan, player)) in enumerate(missing.items()):
        games = ladder_of(plan.game).judge_games
        with tempfile.TemporaryDirectory(prefix="empirelab-judge-") as folder:
            setup, played, fitted = measured(setup_of(plan, player, Path(folder), jobs_to_use(jobs)))
            if number == 0:
                seconds = len(missing) * games * (played / setup.jobs + fitted)
                each = f"{count(games)} games of self-play" + (" each" if len(missing) > 1 else "")
                what = "a judge for this game" if len(missing) == 1 else f"{len(missing)} judges, one for each game"
                say(f"training {what}, {each}: about {duration(seconds)}, once on this machine")
            found = first_judge(setup, games)
        content = content_of(found)
        if digests is not None and digests[player.name] != hashlib.sha256(content).hexdigest():
            message = (
                "the judge that this player had is not in the cache any more, and another one comes of training it "
                "again, because engine, players or versions of packages have changed since the run"
            )
            raise UserError(message, file=file, row=player.name, field="search.judge")
        try:
            make_folders(file.parent)
            write_file_atomically(file, content)
        except OSError as error:
            raise UserError(f"the judge cannot be written ({error.strerror})", file=file) from error


def train_again(plan: Plan, digests: Mapping[str, str], say: Say = ignore, jobs: int = -1) -> None:
    """Retrain the judges that the players of a recorded run had and that are no longer cached.

    `digests` are the SHA-256 of these judges, as in `train_missing`.
    """
    train_missing([plan], say, jobs, digests)


def missing_judges(plan: Plan) -> Iterator[tuple[Path, Plan, Strategy]]:
    """Yield the file, the plan and the player of each judge that a plan needs and that is not cached."""
    for player in plan.strategies:
        if player.search is not None and has_own_judge(player.search):
            file = file_of_judge(player.search.judge, plan.players, plan.data.digest)
            if not fits(file, plan):
                yield file, plan, player


def setup_of(plan: Plan, player: Strategy, folder: Path, workers: int) -> TrainingSetup:
    """Return the setup for training a player's judge.

    The judge learns from games of the same player without look-ahead, with and without noise.
    """
    base = replace(player, name="base", search=None)
    soft = [replace(base, name=f"base{noise}", temperature=float(noise[1:])) for noise in NOISE if noise]
    players = (base, *soft, Strategy("random", RANDOM))
    _, shares = beginnings(base.name)
    own = replace(
        plan, strategies=players, lineup=tuple(range(len(players))), assign="rotate", factions_fixed=False, seed=SEED,
        keeps_pieces=False,
    )  # fmt: skip
    scale = search_of(plan.game, 1).lead_scale
    return TrainingSetup((own,), shares, {}, scale, 1.0, 1.0, folder, workers, ignore)


# ---- Searches of many values ----


def with_bases(plan: Plan) -> Plan:
    """Return a plan in which players with judges are replaced by the same players without look-ahead.

    Searches of many numbers use such a plan, because every changed game would need its own judges.
    """
    known = load_strategies(plan.game.name) if any(map(has_judge, plan.strategies)) else {}
    players = [base_of(player, known) if has_judge(player) else player for player in plan.strategies]
    by_name = {player.name: player for player in players}
    lineup = tuple(list(by_name).index(players[number].name) for number in plan.lineup)
    return replace(plan, strategies=tuple(by_name.values()), lineup=lineup)


def base_of(player: Strategy, known: dict[str, Strategy]) -> Strategy:
    """Return a player without its look-ahead. It is named after a known strategy that plays the same way, if any."""
    alike = (
        one.name
        for one in known.values()
        if one.search is None and (one.script.name, one.weights) == (player.script.name, player.weights)
    )
    return replace(player, name=next(alike, f"{player.name} without look-ahead"), search=None)


def bases_words(plan: Plan) -> list[str]:
    """Say which players without look-ahead replace players with judges. Empty if no player has a judge."""
    judged = [player.name for player in plan.strategies if has_judge(player)]
    if not judged:
        return []
    played = [player.name for player in with_bases(plan).strategies]
    values = "Each value that is tried makes another game, for which a judge would have to be trained"
    return [f"{values}, so {' and '.join(played)} played in place of {' and '.join(judged)}."]

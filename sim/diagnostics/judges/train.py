"""Trains a learned judge by games of self-play, tests it on fresh deals, and writes it with a player who uses it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from sim.data.arguments import checks_arguments, jobs_to_use
from sim.diagnostics.judges.forecast import forecast_training_time
from sim.diagnostics.judges.kept_work import kept_work
from sim.diagnostics.judges.plain_train import train_plain_judge
from sim.diagnostics.judges.rounds import TrainingSetup, first_judge, next_judge
from sim.diagnostics.judges.trained import (
    Training,
    check_training_sizes,
    old_file,
    plans_of,
    test_judge,
    work_of,
    write_training,
)
from sim.errors import UserError
from sim.game import load_game
from sim.players.batch import Plan
from sim.players.find_strategies import check_name, load_strategies
from sim.players.judge_files import Judge, content_of, read_judge
from sim.players.search_config import search_of
from sim.runs.config import RunConfig
from sim.runs.simulate import config_of

USUAL_SEARCH = {"rollouts": 4, "options": 4, "horizon": 1}
"""How a judge's player looks ahead in a game that has no such player yet."""
GAMES, FRESH = 200_000, 1_000
"""Default numbers of games of self-play in the first training round, and of games in each test."""
PLAYER = "judge"
"""Name of the player with a judge that comes with a game."""


@checks_arguments
def train(
    game: str,
    out: str | Path | None = None,
    *,
    players: int | None = None,
    base: str | None = None,
    games: int | None = None,
    rounds: int = 1,
    round_games: int = 20_000,
    fresh: int | None = None,
    variant: str | Sequence[str] | None = None,
    settings: Mapping[str, object] | None = None,
    changes: str | Sequence[str] = (),
    decks: str | Path | Sequence[str | Path] = (),
    seed: int = 1,
    even_if_weaker: bool = False,
    jobs: int = -1,
    say: Callable[[str], None] = lambda text: None,
) -> Training:
    """Train a judge and write it with a player who uses it, as `empirelab train` does.

    Parameters
    ----------
    game
        Name of the game, or its Python file.
    out
        TOML file of the player, replaced if it exists. The weights are written beside this file. For a game in a Python
        file the default is a file next to the game.
    players, variant, settings, changes, decks, seed
        As in `simulate`. One judge may know several variants.
    base, games, rounds, round_games, fresh, even_if_weaker, jobs, say
        As in `train_judge`.

    Raises
    ------
    UserError
        An argument is unknown or impossible, as in `simulate`, or the new judge is weaker than the old judge.
    """
    config = config_of(
        "train", game=game, players=players, strategies=base or usual_base(game), variant=variant, settings=settings,
        changes=changes, decks=decks, seed=seed,
    )  # fmt: skip
    return train_judge(
        config, file_of_player(game, out), base=base, games=games, rounds=rounds, round_games=round_games, fresh=fresh,
        even_if_weaker=even_if_weaker, jobs=jobs, say=say,
    )  # fmt: skip


def train_judge(
    config: RunConfig,
    out: Path,
    *,
    base: str | None = None,
    games: int | None = None,
    rounds: int = 1,
    round_games: int = 20_000,
    fresh: int | None = None,
    even_if_weaker: bool = False,
    jobs: int = -1,
    say: Callable[[str], None] = print,
) -> Training:
    """Train a judge for a table and write it with a player who uses it.

    Parameters
    ----------
    config
        The table: game, number of players, variants, changes, settings, decks, seed.
    out
        TOML file of the player. The weights are written beside this file. The training also saves its progress there,
        and resumes from it.
    base
        Player whose games the judge learns from, and who plays the rollouts; by default `usual_base`.
    games
        Number of games of self-play in the first training round. With 0 the old judge takes the place of this training
        round. By default 200,000; for a game in plain Python 5,000.
    rounds
        Maximum number of training rounds. After the first one, the players of self-play look ahead with the judge of
        the previous training round.
    round_games
        Number of games of self-play in each later training round.
    fresh
        Number of games in each test. By default 1,000; for a game in plain Python 300.
    even_if_weaker
        Whether to write a judge that is weaker than the old judge.
    jobs
        Number of workers, -1 for all cores. The judge is the same with any number.
    say
        Receives progress messages.

    Raises
    ------
    UserError
        The game has no features for a judge, the base looks ahead, or the new judge is weaker than the old judge.
    """
    base = base or usual_base(config.game)
    if load_game(config.game).plain is not None:
        return train_plain_judge(
            config, out, base=base, games=games, rounds=rounds, fresh=fresh, even_if_weaker=even_if_weaker, jobs=jobs,
            say=say,
        )  # fmt: skip
    games, fresh = GAMES if games is None else games, FRESH if fresh is None else fresh
    check_training_sizes(games=games, rounds=rounds, round_games=round_games, fresh=fresh)
    plans, shares = plans_of(config, base)
    scale = search_of(plans[0].game, 1).lead_scale
    check_name(out.stem, load_strategies(config.game, judges=True))
    table, old = search_table(config.game), None if games else old_judge(plans[0], out)
    begins = "" if old is None else hashlib.sha256(content_of(old)).hexdigest()
    work = work_of(config, plans, games=games, rounds=rounds, round_games=round_games, search=table, begins=begins)
    with kept_work(out, work, say) as folder:
        setup = TrainingSetup(plans, shares, table, scale, 1.0, 1.0, folder, jobs_to_use(jobs), say)
        setup = forecast_training_time(setup, games, rounds, round_games, fresh)
        judge = old or first_judge(setup, games)
        begun = judge.record.rounds
        for number in range(begun, begun + rounds - 1):
            if (better := next_judge(setup, judge, number, round_games, fresh)) is None:
                break
            judge = better
        if judge is old:
            raise UserError("no training round beat the previous judge, so nothing is written", file=out)
        duel = test_judge(judge, plans[0], setup.search, out, fresh, setup.jobs)
        return write_training(Training(judge, duel, out.with_suffix(".npz")), base, setup.search, even_if_weaker)


def usual_base(game: str) -> str:
    """Return the name of the player from whose games a judge learns by default.

    This is `balanced`; in a game in plain Python, the first player who scores options. Raise UserError if a game in
    plain Python has no player that scores options.
    """
    plain = load_game(game).plain
    if plain is None:
        return "balanced"
    for name, player in plain.players.items():
        if player.function is not None and not player.chooses:
            return str(name)
    raise UserError(
        "a judge learns from games of a player that scores options, and the file has none", file=plain.place,
        allowed="def my_player(game, state, option)",
    )  # fmt: skip


def file_of_player(game: str, out: str | Path | None) -> Path:
    """Return the file of a judge's player: `out`, or by default a file next to a game in plain Python.

    Raise UserError if no file is given for a compiled game.
    """
    plain = load_game(game).plain
    if out is not None:
        return Path(out)
    if plain is None:
        raise UserError("a judge needs a file", field="out", allowed="FILE.toml")
    file: Path = plain.folder / f"{Path(plain.file or game).stem}_judge.toml"
    return file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file


def search_table(game: str) -> dict[str, object]:
    """Return the search parameters of the player with a judge that comes with a game, without the judge.

    Parameters with default values are left out. If the game has no such player, return `USUAL_SEARCH`.
    """
    shipped = load_strategies(game, judges=True).get(PLAYER)
    if shipped is None or shipped.search is None:
        return dict(USUAL_SEARCH)
    usual = search_of(load_game(game), 1).model_dump()
    own = shipped.search.model_dump(exclude_none=True)
    return {"rollouts": shipped.search.rollouts} | {
        name: value for name, value in own.items() if value != usual[name] and name != "judge"
    }


def old_judge(plan: Plan, out: Path) -> Judge:
    """Return the old judge for the table of a plan; raise UserError if there is none.

    The training begins with it if no games of the first training round are requested.
    """
    file = old_file(out, plan)
    if file is None:
        message = "there is no judge for this table to begin with"
        raise UserError(message, field="games", found=0, allowed="1 or more games of self-play")
    return read_judge(file)

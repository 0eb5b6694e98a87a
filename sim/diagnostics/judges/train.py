"""Trains a learned judge by games of self-play, tests it on fresh deals and writes it with a player who uses it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import tomli_w

from sim.data.arguments import checks_arguments, jobs_to_use
from sim.data.catalog import CONFIGS
from sim.data.files import write_whole
from sim.diagnostics.judges.duel import Duel, duel_of, judging
from sim.diagnostics.judges.forecast import forecast
from sim.diagnostics.judges.kept_work import kept_work
from sim.diagnostics.judges.rounds import TrainingSetup, first_judge, next_judge, seed_of
from sim.diagnostics.judges.self_play import beginnings
from sim.errors import UserError
from sim.game import load_game
from sim.players.batch import Plan, sources_digest
from sim.players.find_strategies import check_name, load_strategies
from sim.players.judge_files import Judge, judge_for, read_judge, write_judge
from sim.players.search_config import search_of
from sim.runs.config import RunConfig, conditions, make_plan
from sim.runs.simulate import config_of

USUAL_SEARCH = {"rollouts": 4, "options": 4, "horizon": 1}
"""How a judge's player looks ahead in a game that has no such player yet."""
GAMES, FRESH = 200_000, 1_000
"""Games of self-play of the first round and of each test, unless the user says others."""
PLAYER = "judge"
"""Name of the players with judges that come with the games."""


@dataclass(frozen=True)
class Training:
    """What a training brought: the judge, how it did on fresh deals, and the file of its weights."""

    judge: Judge
    duel: Duel
    weights: Path

    def __str__(self) -> str:
        """Return the result in one line."""
        return f"{self.duel}; written: {self.weights.with_suffix('.toml')} and {self.weights}"


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
        TOML file of the player, replaced if it exists; the weights are written beside it. A game in a Python file has
        a default, a file beside the game.
    players, variant, settings, changes, decks, seed
        As in `simulate`; one judge may know several variants.
    base, games, rounds, round_games, fresh, even_if_weaker, jobs, say
        As in `train_judge`.

    Raises
    ------
    UserError
        Anything is unknown or impossible, as in `simulate`, or the new judge is weaker than the old one.
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
        TOML file of the player; the weights are written beside it. While it works, the training keeps what it has done
        beside it, too, and resumes from there.
    base
        Player whose games the judge learns from, and who plays the rollouts; by default `usual_base`.
    games
        Games of self-play in the first round; 0 begins with the old judge in place of that round. By default 200,000,
        for a game in plain Python 5,000.
    rounds
        Rounds at most; after the first, the players of self-play look ahead with the judge of the round before.
    round_games
        Games of self-play in each later round.
    fresh
        Games of each test, by default 1,000, for a game in plain Python 300.
    even_if_weaker
        Whether a judge is written that is weaker than the old one.
    jobs
        Workers, -1 for all cores. The judge is the same with any number.
    say
        Is told the progress.

    Raises
    ------
    UserError
        The game has no features for a judge, the base looks ahead, or the new judge is weaker than the old one.
    """
    base = base or usual_base(config.game)
    if load_game(config.game).plain is not None:
        from sim.diagnostics.judges.plain_train import train_plain_judge  # noqa: PLC0415 (it calls what is here)

        return train_plain_judge(
            config, out, base=base, games=games, rounds=rounds, fresh=fresh, even_if_weaker=even_if_weaker, jobs=jobs,
            say=say,
        )  # fmt: skip
    games, fresh = GAMES if games is None else games, FRESH if fresh is None else fresh
    check_sizes(games=games, rounds=rounds, round_games=round_games, fresh=fresh)
    plans, shares = plans_of(config, base)
    scale = search_of(plans[0].game, 1).lead_scale
    check_name(out.stem, load_strategies(config.game, judges=True))
    asked = {"games": games, "rounds": rounds, "round_games": round_games}
    described = config.model_dump(mode="json") | asked | {"sources": [sources_digest(plan) for plan in plans]}
    with kept_work(out, described | {"tables": [plan.data.digest for plan in plans]}) as folder:
        setup = TrainingSetup(plans, shares, search_table(config.game), scale, 1.0, 1.0, folder, jobs_to_use(jobs), say)
        old = None if games else old_judge(setup, out)
        setup = forecast(setup, games, rounds, round_games, fresh)
        judge = old or first_judge(setup, games)
        begun = judge.record.rounds
        for number in range(begun, begun + rounds - 1):
            if (better := next_judge(setup, judge, number, round_games, fresh)) is None:
                break
            judge = better
        if judge is old:
            raise UserError("no round has won against the judge before, so nothing is written", file=out)
        duel = test_judge(judge, plans[0], setup.search, out, fresh, setup.jobs)
        return write_training(Training(judge, duel, out.with_suffix(".npz")), base, setup.search, even_if_weaker)


def usual_base(game: str) -> str:
    """Return the player from whose games a judge learns: `balanced`, or the first of a game in plain Python.

    Raises
    ------
    UserError
        A game in plain Python has no player that scores options.
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
    """Return the file of a judge's player: the one that is named, or one beside a game in plain Python.

    Raises
    ------
    UserError
        None is named for another game.
    """
    plain = load_game(game).plain
    if out is not None:
        return Path(out)
    if plain is None:
        raise UserError("a judge needs a file", field="out", allowed="FILE.toml")
    file: Path = plain.folder / f"{Path(plain.file or game).stem}_judge.toml"
    return file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file


def check_sizes(**sizes: int) -> None:
    """Check that the sizes of a training are possible.

    Raises
    ------
    UserError
        One is too small.
    """
    for name, size in sizes.items():
        if size < 1 and not (name == "games" and size == 0 and sizes["rounds"] > 1):
            allowed = "1 or more" + ("; 0 with several rounds begins with the old judge" if name == "games" else "")
            raise UserError("the training is too small", field=name, found=size, allowed=allowed)


def plans_of(config: RunConfig, base: str) -> tuple[tuple[Plan, ...], tuple[float, ...]]:
    """Return a plan of self-play for each variant, and the shares of its strategies.

    Raises
    ------
    UserError
        The game has no features for a judge, or the base or the table is impossible.
    """
    game = load_game(config.game)
    if game.judge is None and game.plain is None:
        raise UserError(f"{game.title} has no features for a judge", field="game", found=game.name)
    if isinstance(config.players, list) or config.players < 2:
        raise UserError("a judge is trained for one table of several players", field="players", found=config.players)
    names, shares = beginnings(base)
    plans = tuple(
        make_plan(config.model_copy(update={"strategies": names, "players": players, "variant": variant}))
        for players, variant in conditions(config)
    )
    if plans[0].looks_ahead or "@" in base:
        message = "the base of a judge plays without look-ahead and noise"
        raise UserError(message, field="base", found=base, allowed="a scripted player, such as balanced")
    return plans, shares


def search_table(game: str) -> dict[str, object]:
    """Return how the player with a judge of a game looks ahead, without its judge."""
    shipped = load_strategies(game, judges=True).get(PLAYER)
    if shipped is None or shipped.search is None:
        return dict(USUAL_SEARCH)
    usual = search_of(load_game(game), 1).model_dump()
    own = shipped.search.model_dump(exclude_none=True)
    return {"rollouts": shipped.search.rollouts} | {
        name: value for name, value in own.items() if value != usual[name] and name != "judge"
    }


# ---- Test and files ----


def test_judge(judge: Judge, plan: Plan, table: dict[str, object], out: Path, games: int, jobs: int) -> Duel:
    """Let the new judge's player play against the old one on fresh deals, the base if there is none."""
    old = plan.strategies[0]
    if (file := old_file(out, plan)) is not None:
        old = judging(old, plan, table, file, f"the judge of {file.name}")
    return duel_of(judge, old, replace(plan, seed=seed_of(plan, 0, test=True)), table, games, jobs)


def write_training(found: Training, base: str, table: dict[str, object], even_if_weaker: bool) -> Training:
    """Write a new judge and its player, and return what was passed.

    Raises
    ------
    UserError
        The judge is weaker than the old one.
    """
    out = found.weights.with_suffix(".toml")
    if found.duel.is_weaker and not even_if_weaker:
        message = f"the new judge is weaker than {found.duel.opponent}, so nothing is written"
        allowed = "more games of self-play; or --even-if-weaker, which does not train again"
        raise UserError(message, found=str(found.duel), allowed=allowed)
    write_judge(found.weights, found.judge)
    write_whole(out, player_file(out, base, table, found.duel, found.judge).encode())
    return found


def old_judge(setup: TrainingSetup, out: Path) -> Judge:
    """Return the old judge.

    Raises
    ------
    UserError
        There is none for the table.
    """
    file = old_file(out, setup.plans[0])
    if file is None:
        message = "there is no judge for this table to begin with"
        raise UserError(message, field="games", found=0, allowed="1 or more games of self-play")
    return read_judge(file)


def old_file(out: Path, plan: Plan) -> Path | None:
    """Return the file of the old judge: the one to be replaced, or else that of the game; None if neither fits."""
    return next((file for file in (out.with_suffix(".npz"), shipped_file(plan)) if fits(file, plan)), None)


def shipped_file(plan: Plan) -> Path:
    """Return the file of the judge that comes with a game."""
    return CONFIGS / "judges" / plan.game.name / f"{plan.players}.npz"


def fits(file: Path, plan: Plan) -> bool:
    """Tell whether there is a judge in a file that was trained for a table."""
    try:
        judge_for(str(file.resolve()), plan.game, plan.data, plan.players, plan.variant)
    except UserError:
        return False
    return True


def player_file(out: Path, base: str, table: dict[str, object], duel: Duel, judge: Judge) -> str:
    """Return the TOML file of a player who uses a new judge."""
    record = judge.record
    content = {
        "name": out.stem,
        "description": f"Looks ahead as {base} and lets a judge trained on {record.games:,} games decide who will win.",
        "base": base,
        "search": {**table, "judge": out.with_suffix(".npz").name},
        "record": {**record.model_dump(exclude_defaults=True), "test": str(duel)},
    }
    return tomli_w.dumps(content)

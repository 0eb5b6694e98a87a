"""Trains learned judges."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from sim.commands.completion import complete_strategies
from sim.commands.console import print_json
from sim.commands.options import (
    Changes,
    GameName,
    Options,
    counting_number,
    games_option,
    option,
    read_changes,
    whole_number,
    with_options,
)
from sim.commands.tune import check_name_of_file, check_strategy_file

GAMES, FRESH = 200_000, 1_000
"""Default number of games of self-play, and default number of games of the test."""


@with_options(
    "players base games rounds round_games fresh changes variant settings decks seed sandbox out overwrite jobs "
    "as_json quiet",
    seed="Seed of the games and of the fit. The same seed gives the same files on the same machine.",
    variant="Variant of the game, or several with commas, which one judge then knows.",
)
def train(
    options: Options,
    game: GameName,
    out: Annotated[
        Path | None,
        option(
            "File of the player; the weights are saved next to it. For a game in a Python file the default is a file "
            "beside the game: my_game_judge.toml.",
            "--out",
            "-o",
            of="FILE.toml",
        ),
    ] = None,
    base: Annotated[
        str | None,
        option(
            "Strategy whose games the judge learns from, and which plays the rollouts. Default: balanced; in a "
            "Python file its first player.",
            of="NAME",
            complete=complete_strategies,
        ),
    ] = None,
    games: Annotated[
        int | None,
        games_option(
            "Games of self-play in the first round; 0: begin with the old judge instead.",
            whole_number,
            usual=f"{GAMES:,}; Python files 5,000",
        ),
    ] = None,
    rounds: Annotated[int, option("Rounds at most; after the first, players use the judge.", least=1)] = 1,
    round_games: Annotated[int, option("Games of self-play in each later round.", parser=counting_number)] = 20_000,
    fresh: Annotated[
        int | None,
        option("Games of each test on fresh deals.", parser=counting_number, usual=f"{FRESH:,}; Python files 300"),
    ] = None,
    changes: Changes = None,
    overwrite: Annotated[bool, option("Replace both files.", "--overwrite")] = False,
    even_if_weaker: Annotated[
        bool, option("Write the judge even if it is weaker than the old one.", "--even-if-weaker")
    ] = False,
) -> None:
    """Train a judge: a small net that tells from a position who will win, for players who look ahead a few rounds.

    Examples
    --------
    empirelab train seven_wonders --players 4 --games 20000 --out mine.toml
    empirelab simulate seven_wonders --strategies mine+8,balanced --code mine.toml --games 200 --out runs/judged
    empirelab train my_game.py

    Notes
    -----
    The judge learns from games of the base that begin with noise, so that it knows poor positions too. One game in 20
    is held out; the loss on these is shown. In later rounds (--rounds) the players of self-play look ahead with the
    judge of the round before, and games also begin with the other players of the game. A round that does not win
    against the one before on fresh deals is dropped, and is the last.

    The command says first how long all of this takes. Before the judge is written, its player plays --fresh games on
    fresh deals with the player of the old judge (in the file, else that of the game, else the base); a weaker judge is
    not written. The same command resumes a training that was killed or interrupted. The number of --jobs changes
    nothing in the files.

    A judge knows one number of players and the tables that it was trained on. With others, --change and --set included,
    it is refused; train one for them. See docs/judges.md.
    """
    from sim.diagnostics.judges.train import file_of_player, train_judge, usual_base
    from sim.game import load_game

    out, base = file_of_player(game, out), base or usual_base(game)
    check_name_of_file(out.stem)
    check_strategy_file(out, overwrite)
    check_strategy_file(out.with_suffix(".npz"), overwrite)
    config = options.config(game, strategies=base, changes=read_changes(changes, game), code=None)
    found = train_judge(
        config, out, base=base, games=games, rounds=rounds, round_games=round_games, fresh=fresh,
        even_if_weaker=even_if_weaker, jobs=options.jobs, say=options.log,
    )  # fmt: skip
    if options.as_json:
        print_json({**found.judge.record.model_dump(), "test": asdict(found.duel), "file": str(out)})
        return
    print(f"{found.duel}\nwritten: {out} and {found.weights}; play it with: --code {out}")
    if load_game(game).plain is not None:
        print(f"  empirelab simulate {game} --players {found.judge.record.players} --code {out} "
              f"--strategies {out.stem}+4,{base} --games 300 --out runs/{out.stem}")  # fmt: skip

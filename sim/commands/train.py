"""Trains learned judges."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from sim.commands.completion import complete_strategies
from sim.commands.console import print_json
from sim.commands.options import (
    Changes,
    GameName,
    Options,
    counting_number,
    games_option,
    read_changes,
    with_options,
)
from sim.commands.tune import check_name_of_file, check_strategy_file
from sim.errors import UserError

GAMES, FRESH = 200_000, 1_000
"""Games of self-play and of the test, unless the user says others."""


@with_options(
    "players base games fresh changes variant settings decks seed sandbox out overwrite as_json quiet",
    seed="Seed of the games and of the fit. The same seed gives the same files on the same machine.",
    variant="Variant of the game, or several with commas, which one judge then knows.",
)
def train(
    options: Options,
    game: GameName,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="FILE.toml",
            help="File of the player; the weights lie beside it. For a game in a Python file the default is a file "
            "beside the game: my_game_judge.toml.",
        ),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Strategy whose games the judge learns from, and which plays the rollouts. Default: balanced; in a "
            "Python file its first player.",
            autocompletion=complete_strategies,
        ),
    ] = None,
    games: Annotated[int | None, games_option("Games of self-play.", usual=f"{GAMES:,}; Python files 5,000")] = None,
    fresh: Annotated[
        int | None,
        typer.Option(
            parser=counting_number,
            metavar="NUMBER",
            help="Games of the test on fresh deals.",
            show_default=f"{FRESH:,}; Python files 300",
        ),
    ] = None,
    changes: Changes = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace both files.")] = False,
) -> None:
    """Train a judge: a small net that tells from a position who will win, for players who look ahead a few rounds.

    Examples
    --------
    empirelab train seven_wonders --players 4 --games 20000 --out mine.toml
    empirelab simulate seven_wonders --strategies mine+8,balanced --code mine.toml --games 200 --out runs/mine
    empirelab train my_game.py

    Notes
    -----
    The judge learns from games of the base that begin with noise, so that it knows poor positions too. One game in 20
    is held out; the loss on these is shown. Before it is written, its player plays --fresh games on fresh deals with
    the player of the old judge (in the file, else that of the game, else the base); a weaker judge is not written.

    A judge knows one number of players and the tables that it was trained on. With others, --change and --set included,
    it is refused; train one for them. See docs/players.md.
    """
    from sim.diagnostics.judges.train import train_judge
    from sim.game import load_game

    if (plain := load_game(game).plain) is not None:
        from sim.diagnostics.judges import plain_train

        base = base or plain_train.usual_base(load_game(game))
        out = out or plain_train.file_beside(load_game(game))
        games, fresh, train_it = games or plain_train.GAMES, fresh or plain_train.FRESH, plain_train.train_plain_judge
    else:
        base, games, fresh, train_it = base or "balanced", games or GAMES, fresh or FRESH, train_judge
        if out is None:
            raise UserError("a judge needs a file", field="out", allowed="--out FILE.toml")
    check_name_of_file(out.stem)
    check_strategy_file(out, overwrite)
    check_strategy_file(out.with_suffix(".npz"), overwrite)
    config = options.config(game, strategies=base, changes=read_changes(changes, game), code=None)
    found = train_it(config, out, base=base, games=games, fresh=fresh, say=options.log)
    if options.as_json:
        print_json({**found.judge.record.model_dump(), "test": asdict(found.duel), "file": str(out)})
        return
    print(f"{found.duel}\nwritten: {out} and {found.weights}; play it with: --code {out}")
    if plain is not None:
        print(f"  empirelab simulate {game} --players {found.judge.record.players} --code {out} "
              f"--strategies {out.stem}+4,{base} --games 300 --out runs/{out.stem}")  # fmt: skip

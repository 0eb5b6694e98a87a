"""Narrates one game of a run."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from sim.commands.console import log_unless, print_json
from sim.commands.options import AsJson, Quiet, RunFolder, option
from sim.errors import UserError


def replay(
    folder: RunFolder,
    game: Annotated[int | None, option("Number of the game, from 0.", "--game", "-g", usual="0")] = None,
    where: Annotated[
        str | None, option('Choose a game like this instead: "Rhodos B wins", "science in seat 0 loses".', of="WORDS")
    ] = None,
    pick: Annotated[
        str | None, option("With --where: which of these games: typical, closest or first.", of="WAY", usual="typical")
    ] = None,
    trust: Annotated[
        bool, option("Run the Python files of strategies that the run names, if unchanged.", "--trust")
    ] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play one game of a run again and narrate it turn by turn.

    Examples
    --------
    empirelab replay runs/first --game 12
    empirelab replay runs/first --where "Halikarnassos B wins" --pick closest
    empirelab replay runs/first --where "science in seat 0 loses and Gizah A plays"

    Notes
    -----
    The game is played from the seed and the weights in the manifest. If the tables or your strategy file have changed
    since, the command says so instead of narrating another game.

    A condition of `--where` is one clause or several with `and`; each must hold for some seat:

    - `Rhodos B wins`, `loses`, `plays`, `comes last`: a seat shares the win, does not, sits at the table, has the
      last rank.
    - `military with Rhodos B in seat 1 wins`: all names belong to one seat: a faction, what several share, a
      strategy, a seat.
    - `seat 0 score over 60`, `under`, `is`: a column of the seats: `score`, `rank`, any score part or measure.
    - `ends by last epoch`: the game ended for this reason.
    - `players is 3`, `rounds over 8`, `variant is peaceful`: of the whole game.

    Capitals do not matter. `typical` is the game nearest to the medians of those that fit: score of the seat that is
    named first (the winner if none is), its lead over the best of the others, and the number of rounds. `closest` has
    the smallest lead.
    """
    from reports.studies.parts.own_judges import train_again
    from sim.runs.game_query import pick_game
    from sim.runs.replay import replay as tell

    chosen = None
    if where is not None or pick is not None:
        if game is not None:
            raise UserError("give either --game or --where, not both", field="game", found=game)
        chosen = pick_game(folder, where or "", pick or "typical")
        game = chosen.game
    lines = tell(folder, game or 0, trust=trust, train=partial(train_again, say=log_unless(quiet)))
    if as_json:
        of = {} if chosen is None else {"where": chosen.where, "pick": chosen.pick, "fitting": chosen.fitting}
        print_json({"run": str(folder), "game": game or 0, **of, "lines": list(lines)})
    else:
        print("\n".join(lines if chosen is None else [f"{chosen}.", "", *lines]))

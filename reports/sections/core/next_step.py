"""Suggests commands: a search for a printed number whose change makes a row fair, and a confirmation of the change."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reports.data.ladder_rows import LadderRow, ladder_of
from reports.formatting import count, counted, edge_between, listed, number, plural
from reports.model import Report
from reports.sections.core.row_cards import RowCard
from reports.sections.core.verdict import extreme_rows, headline_tables
from reports.sections.pieces.pieces import sure_gain
from reports.statistics.core.balance import MARGIN
from reports.statistics.core.decisions import CHANGE, LEAVE, MORE, SWAYED
from sim.errors import UserError
from sim.game import is_game_file, load_game, variant_for
from sim.runs.progress import duration
from sim.runs.store.manifest import Manifest

PATCH = "fair.toml"
GAMES, VALUES = 20_000, 10
"""By default, a comparison plays `GAMES` games of each arm. A search of one number plays `GAMES` games at each of
`VALUES` values."""
FRESH_SEED = 4
"""Seed of the test on new deals. The search has used seed 1 to choose a change and the next seeds to confirm it."""
SEVERAL = 3
"""If at least this many factions are out of balance, a search for all of them is proposed first."""
NAMED, MAX_NAMED = 3, 4
"""A sentence names at most `NAMED` picks. The first screen names at most `MAX_NAMED` picks that win too
often, and as many that win too rarely."""
PICKS = "picks"
STANDARD = "standard"
"""Name of the only variant of a game whose Python file names no variants. In a file that names variants, only the first
of them may have this name."""
PASSED = {
    SWAYED: "is out of balance only with some of these players, so no printed number would fix it",
    MORE: "needs more games before you change it",
    LEAVE: "is within the margin",
}
"""For each decision on a faction: why no change is suggested."""


@dataclass(frozen=True)
class NextStep:
    """Commands to copy after a verdict, and a sentence on what they do.

    `patch` is the content of a file with the change that a search has found; `patch_title` is its title.
    """

    said: str
    commands: tuple[str, ...]
    patch: str = ""
    patch_title: str = "The change as a file"


ON_PAGE, OFF_PAGE = "under 'Row by row'", "on the page (--html), under 'Row by row'"
"""Where a reader finds the commands for the other rows: the words for the page, and the words for the console. Only the
page shows these commands."""


def next_step(report: Report, cards: list[RowCard], place: str = ON_PAGE) -> NextStep | None:
    """Return the commands to follow a verdict. None if nothing needs a change, or no command can search for one.

    They search for a change of one row and test it. If many factions are out of balance, a search for all comes first.
    `place` says where the commands for the other rows are.
    """
    searches = search_commands(report)
    out = [card for card in cards if card.decision == CHANGE and card.name in searches]
    if out:
        named = headline_factions(report)
        chosen = min(out, key=lambda card: (named.index(card.name) if card.name in named else len(named), -card.width))
        others = f" Commands for the other rows are {place}." if len(out) > 1 else ""
        said = (
            f"Find a printed number that balances {chosen.name} ({search_time(report.manifest)}), "
            f"then test it on new deals ({time_of_games(report.manifest, 2 * GAMES)}, both at the speed of this run)."
            f"{others}"
        )
        decisions = {card.name: card.decision for card in cards}
        for name in named[: named.index(chosen.name)] if chosen.name in named else named:
            said += f" {name} is also in the headline, but {PASSED.get(decisions.get(name, ''), 'is not decided')}."
        step = NextStep(said, (searches[chosen.name], confirm_command(report)))
        return step if len(out) < SEVERAL else with_all(report, step, len(out))
    return step_of_picks(report)


def with_all(report: Report, step: NextStep, out: int) -> NextStep:
    """Return `step` with a search for all factions put first. `out` is the number of factions out of balance."""
    game, options = same_games(report.manifest, report.folder) or (report.manifest.game, [])
    words = ["rebalance", game, "--all", *options, *margin_option(report.verdict.margin), "--patch", PATCH]
    said = (
        f"{counted(out, report.tables['faction'].noun)} need a change. Find few changes that balance them all "
        "(the search says first how long it takes here), and test them with the last command. Or one by one: "
        f"{step.said[:1].lower()}{step.said[1:]}"
    )
    return NextStep(said, (command(*words), *step.commands))


def command(*words: str) -> str:
    """Return the command `empirelab` with these arguments, quoted for a shell."""
    return shlex.join(["empirelab", *words])


def search_time(manifest: Manifest) -> str:
    """Say how long a quick search of all numbers of a faction takes with the players of a run."""
    file = is_game_file(manifest.game)
    row = LadderRow(rungs=["random", "greedy"]) if file else ladder_of(load_game(manifest.game))
    return time_of_games(manifest, row.quick_total, row.quick_seconds)


def time_of_games(manifest: Manifest, games: int, more: float = 0.0) -> str:
    """Say how long games take at a run's speed, plus `more` seconds: 'about 40 s'; '9 games' if it is unknown."""
    if not manifest.playing_seconds:
        return f"{count(games)} games"
    return f"about {duration(max(games * manifest.playing_seconds / manifest.games + more, 1.0))}"


def headline_factions(report: Report) -> list[str]:
    """Return the factions that the headline names, in its order."""
    if "faction" not in headline_tables(report.findings):
        return []
    return [str(row["level"]) for row in extreme_rows(report.tables["faction"], report.verdict.margin)]


def search_commands(report: Report) -> dict[str, str]:
    """Return the search command of every faction that should be changed, by faction name."""
    known = same_games(report.manifest, report.folder)
    table = report.tables.get("faction")
    if known is None or table is None or not table.decides:
        return {}
    if not rows_in_files(report.manifest) or players_played(report.manifest)[-1] < 2:
        return {}
    game, options = known
    options = [*options, *margin_option(report.verdict.margin)]
    names = table.frame.filter(table.frame["decision"] == CHANGE)["level"].to_list()
    how = ("--knob", "all", *options, "--patch", PATCH)
    return {str(name): command("rebalance", game, "--faction", str(name), *how) for name in names}


def confirm_command(report: Report) -> str:
    """Return the command that compares the change which a search has found with the printed game, on fresh deals."""
    game, options = same_games(report.manifest, report.folder) or (report.manifest.game, [])
    words = ("compare", game, "--change", f"@{PATCH}", "--seed", str(FRESH_SEED))
    return command(*words, *options, *margin_option(report.verdict.margin))


def margin_option(margin: float) -> list[str]:
    """Return the command-line option for a margin (a fraction). Empty for the default margin."""
    return [] if margin == MARGIN else ["--margin", number(100 * margin, 3).rstrip("0").rstrip(".")]


def step_of_picks(report: Report) -> NextStep | None:
    """Return commands for a game with picks (pieces that seats choose, one each period).

    If the run did not record pieces, the commands repeat it with them. Otherwise they search for a change of the pick
    that is most certainly out of balance. None for a game without picks, or if no pick is out of balance.
    """
    manifest = report.manifest
    known = same_games(manifest, report.folder)
    if known is None or manifest.picks is None:
        return None
    game, options = known
    kind = plural(next(iter(manifest.picks.kinds)))
    if not any(section.name == PICKS for section in report.sections):
        words = ("simulate", game, "--games", str(manifest.games), *options, "--detail", "cards")
        said = (
            f"This run kept no cards, so it cannot say which {kind} win too often. Play it again with cards, "
            f"then open the new report ({time_of_games(manifest, manifest.games)} at the speed of this run)."
        )
        opened = command("report", "runs/with-cards", "--html", "with-cards.html")
        return NextStep(said, (command(*words, "--out", "runs/with-cards"), opened))
    off = picks_off(report)
    if not off:
        return None
    named = listed([f"{row['level']} ({pick_edge(row)})" for row in off[:NAMED]])
    search, replay = time_of_games(manifest, VALUES * GAMES), time_of_games(manifest, 2 * GAMES)
    said = (
        f"Win rate above (+) or below (-) others of the same {manifest.picks.period}: {named}. Players choose what "
        f"they take, so only a test shows cause: the first command finds a change and confirms it ({search}); the "
        f"second replays it and reports its effect on the other {kind} ({replay}, both at the speed of this run)."
    )
    how = ("--card", str(off[0]["level"]), "--knob", "armies", *options, "--patch", PATCH)
    return NextStep(said, (command("rebalance", game, *how), confirm_command(report)))


def picks_off(report: Report) -> list[dict[str, Any]]:
    """Return the picks of the first kind with flagged win rates, the most certain first.

    The most certain pick is the one whose nearer limit is farthest from 0.
    """
    listings = next((section.listings for section in report.sections if section.name == PICKS), ())
    if report.manifest.picks is None or not listings:
        return []
    rows = [row for row in listings[0].frame.to_dicts() if row.get("gain_flag")]
    return sorted(rows, key=sure_gain, reverse=True)


def named_picks(report: Report) -> list[dict[str, Any]]:
    """Return the picks for the first screen: `name`, `period`, `edge`, `flag`.

    They are the picks that most certainly win too often, then those that most certainly win too rarely.
    """
    off = picks_off(report)
    picks = report.manifest.picks
    period = "" if picks is None or not off else picks.period
    ends = [[row for row in off if side * row["gain"] > 0][:MAX_NAMED] for side in (1, -1)]
    return [
        {"name": row["level"], "period": f"{period} {row['period']}", "edge": pick_edge(row),
         "flag": "strong" if row["gain"] > 0 else "weak"}
        for end in ends for row in end
    ]  # fmt: skip


def pick_edge(row: Mapping[str, Any]) -> str:
    """Format the gain of a pick: '+4.1 ± 0.3 points'."""
    return edge_between(row["gain"], row["gain_low"], row["gain_high"])


def players_played(manifest: Manifest) -> list[int]:
    """Return the numbers of players of a run."""
    return sorted({int(one.players) for one in manifest.player_counts})


def same_games(manifest: Manifest, folder: Path) -> tuple[str, list[str]] | None:
    """Return the game and the options with which a command plays games like those of a run.

    None if the run has changes, decks or custom players, if its manifest lists no numbers of players (as in runs of
    other versions), or if its game cannot be found. If the run has several numbers of players or variants, the game's
    default is chosen if the run has it. The defaults of a game in a Python file are unknown, because a report does not
    run user code. Then every option is written out.
    """
    own = any(one.code for one in manifest.strategies)
    counts = players_played(manifest)
    if manifest.changes or manifest.decks or own or not counts:
        return None
    if is_game_file(manifest.game):
        file = file_from_here(manifest.game, folder)
        return None if file is None else (file, every_option(manifest))
    try:
        game = load_game(manifest.game)
        data = game.load({})
    except UserError:
        return None
    if game.plain is not None:
        return None  # a class defined in a notebook, which no command can name
    players = game.default_players if game.default_players in counts else counts[-1]
    options = [] if players == game.default_players else ["--players", str(players)]
    lineup = list(manifest.lineup)
    options += [] if lineup == list(game.default_strategies) else ["--strategies", ",".join(lineup)]
    options += factions_option(manifest, {faction.name for faction in data.factions})
    usual, variants = variant_for(game, players, None).name, variants_played(manifest, players)
    options += [] if usual in variants else ["--variant", variants[0]]
    for name, value in manifest.settings.items():
        if data.settings.get(name, value) != value:
            options += setting_option(name, value)
    return game.name, options


def every_option(manifest: Manifest) -> list[str]:
    """Return all options that are needed to play such games again, whatever the defaults of the game are.

    Of several numbers of players, the last is chosen; of its variants, the first.
    """
    players = players_played(manifest)[-1]
    variant = variants_played(manifest, players)[0]
    return [
        *("--players", str(players), "--strategies", ",".join(manifest.lineup)),
        *factions_option(manifest, {faction.name for faction in manifest.factions}),
        *(() if variant == STANDARD else ("--variant", variant)),
        *(word for name, value in manifest.settings.items() for word in setting_option(name, value)),
    ]


def factions_option(manifest: Manifest, every: set[str]) -> list[str]:
    """Return the option that deals only the factions of a run. Empty if the run deals all of them."""
    dealt = [str(name) for name in manifest.factions_dealt]
    return ["--factions", ",".join(dealt)] if dealt and set(dealt) != every else []


def variants_played(manifest: Manifest, players: int) -> list[str]:
    """Return the variants that a run played with this number of players."""
    return [str(one.variant) for one in manifest.player_counts if int(one.players) == players]


def setting_option(name: str, value: object) -> list[str]:
    """Return the command-line option for a setting."""
    return ["--set", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]


def file_from_here(game: str, folder: Path) -> str | None:
    """Return the path of a game's file from the working directory. None if the file is not found.

    A run names the file by its path from the directory where the run was played. The file is sought by this path from
    the working directory, then from each directory above the run's folder.
    """
    file, colon, kind = game.partition(":") if ".py:" in game else (game, "", "")
    places = (around / file for around in (Path(), *folder.absolute().parents))
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        return None
    return f"{os.path.relpath(found) if not Path(file).is_absolute() else file}{colon}{kind}"


def rows_in_files(manifest: Manifest) -> bool:
    """Tell whether the factions of a run are rows of the game's files, so that a search can change their numbers."""
    if is_game_file(manifest.game):
        return any(faction.certainty for faction in manifest.factions)
    return load_game(manifest.game).faction_place is not None

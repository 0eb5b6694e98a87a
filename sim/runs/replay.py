"""Replays one game of a run and narrates it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import polars as pl

from sim.data.changes import Addition, parse_change
from sim.data.files import MANIFEST
from sim.engine.result_rows import BLOCK, GAME
from sim.engine.script import Script, Strategy
from sim.errors import UserError
from sim.game import Data, check_table, choose_factions, load_game, name_game, variant_for, with_additions
from sim.games.plain.content import numbers_by_place
from sim.games.plain.playing import narrate as tell_plain
from sim.players.batch import Plan, check_no_error, new_game, plan_record, play, sources_digest
from sim.players.compile_players import players_of
from sim.players.find_strategies import OF_SESSION, check_weights, load_code, scripts_of, session_script
from sim.players.judge_files import check_judges, has_own_judge, judges_digest
from sim.players.search_config import check_option_names
from sim.runs.config import listed_values
from sim.runs.shards import variants_named
from sim.runs.store.manifest import CountEntry, Manifest, PlannedRun, PlayerEntry, changed_numbers, load_manifest
from sim.runs.store.parquet import seat_frame
from sim.runs.store.verify import open_parts, reading, seat_columns


def matching_count(folder: Path, manifest: PlannedRun, game: int) -> CountEntry:
    """Return the entry of the manifest for the group that contains a game.

    A group is the games with one number of players and one variant. Raise UserError if the manifest contradicts itself.
    """
    if isinstance(manifest.players, int) and len(manifest.player_counts) < 2:
        return CountEntry(
            first_deal=manifest.player_counts[0].first_deal if manifest.player_counts else 0,
            players=manifest.players,
            variant=manifest.variant,
            games=manifest.games,
            factions_fixed=manifest.factions_fixed,
        )
    found = list(dict.fromkeys(count.players for count in manifest.player_counts))
    played = listed_values(manifest.players)
    if found != played:
        message = "the player counts differ from those of the run"
        raise UserError(message, file=folder / MANIFEST, field="player_counts", found=found, allowed=played)
    for count in manifest.player_counts:
        if count.first_game <= game < count.first_game + count.games:
            return count
    raise UserError("no entry covers this game", file=folder / MANIFEST, field="player_counts", found=game)


def replay_variants(manifest: PlannedRun) -> tuple[str, ...]:
    """Return the variants that the seat rows of a run record; empty if they do not record the variant.

    If the run is a stretch of a longer run, the longer run decides (`variants_named`).
    """
    counts = manifest.stretch.whole.player_counts if manifest.stretch else manifest.player_counts
    return variants_named((count.players, count.variant) for count in counts)


Train = Callable[[Plan, Mapping[str, str]], None]
"""Function that trains the judges of a plan that are not in the cache. It receives the plan, and the SHA-256 of each
judge by the name of its player."""


def manifest_plan(
    folder: Path,
    manifest: PlannedRun,
    count: CountEntry | None = None,
    *,
    trust: bool = False,
    train: Train | None = None,
) -> Plan:
    """Return the plan for the games that an entry of a manifest covers (`matching_count`), by default the first one.

    With `trust`, Python files that the manifest names may be run. `train` retrains the judges that were trained for the
    run and are no longer in the cache; without it, players who need such a judge cannot play. Raise UserError if the
    manifest contradicts itself, tables or a user's strategy file have changed since the run, or such a file is not
    trusted.
    """
    count = count or matching_count(folder, manifest, 0)
    if trust:
        name_game(manifest.game)
    game = with_additions(load_game(manifest.game), [Addition(Path(deck.file), deck.text) for deck in manifest.decks])
    variant = variant_for(game, count.players, count.variant)
    # The weights in the manifest already include the changes to strategies.
    changes = [change for change in map(parse_change, manifest.changes) if change.file in game.files]
    data = game.load(manifest.settings, changes)
    if data.digest != manifest.tables:
        raise changed_tables(folder, manifest, data)
    strategies = tuple(_strategy(folder, game.name, row, trust) for row in manifest.strategies)
    check_judges(strategies, game, data, count.players, variant.name)
    names = [strategy.name for strategy in strategies]
    factions = choose_factions(game, data, manifest.factions_dealt)
    check_table(game, data, factions, count.players)
    plan = Plan(
        game=game,
        data=data,
        players=count.players,
        variant=variant.name,
        strategies=strategies,
        lineup=tuple(names.index(name) for name in manifest.lineup),
        factions=factions,
        factions_fixed=count.factions_fixed,
        assign=manifest.assign,
        seed=manifest.seed if count.seed is None else count.seed,
        changes=tuple(manifest.changes),
    )
    if train is not None:
        train(plan, {row.name: row.code for row in manifest.strategies})
    counts = [each.players for each in manifest.player_counts]
    for row, strategy in zip(manifest.strategies, strategies, strict=True):
        if row.source.endswith(".py") or (train is None and has_own_judge(strategy.search)):
            continue  # Python files are checked by their own digests, the run's own judges by their training data
        if row.code != judges_digest(strategy.search, counts, data.digest):
            message = "the judge of this strategy has changed since the run, so its games cannot be replayed"
            raise UserError(message, file=folder / MANIFEST, row=row.name, field="code")
    return plan


def changed_tables(folder: Path, manifest: PlannedRun, data: Data) -> UserError:
    """Return the error for a game whose data has changed since a run. It lists the changes if they are known."""
    game = load_game(manifest.game)
    now = {} if game.plain is None else numbers_by_place(data.catalog)
    changed = "; ".join(changed_numbers(manifest.numbers, now))
    what = "the game's tables have" if game.plain is None else f"{game.plain.data_place} has"
    said = f" ({changed})" if changed else ""
    message = f"{what} changed since this run{said}, so its games cannot be replayed"
    return UserError(message, file=folder / MANIFEST, field="tables")


def _strategy(folder: Path, game: str, row: PlayerEntry, trust: bool) -> Strategy:
    """Return a strategy with the weights it had in a run.

    A manifest is data and may come from anywhere. A Python file that it names is run only if the user allows it, and
    only if the file has not changed since the run. Raise UserError if a user's file is not trusted, is missing or has
    changed, or the weights do not match the script.
    """
    script: Script | None = scripts_of(game).get(row.base) or session_script(row.base)
    if script is None and row.source.startswith(OF_SESSION):
        message = f"this run was played with the {row.source}, which is not here or has changed"
        raise UserError(message, file=folder / MANIFEST, row=row.name, field="strategies")
    if script is None:
        if not trust:
            message = f"this run was played with a Python file, {row.source}, which runs only with --trust"
            raise UserError(message, file=folder / MANIFEST, row=row.name, field="source", allowed="--trust")
        if not row.code:
            message = "this strategy file has changed since the run, so its games cannot be replayed"
            raise UserError(message, file=row.source)
        script = load_code(Path(row.source), load_game(game), Path(row.source), row.code).script
    others = sorted(set(row.weights) ^ set(script.parameters))
    if others:
        message = "the run was played with another version of this strategy, so its games cannot be replayed"
        found = f"only there or only here: {', '.join(others)}"
        raise UserError(message, file=folder / MANIFEST, row=row.name, field="weights", found=found)
    check_weights(folder / MANIFEST, row.name, script, row.weights)
    if row.search is not None:
        check_option_names(load_game(game), row.search, folder / MANIFEST)
    return Strategy(row.name, script, row.weights, row.temperature, row.description, row.source, row.search)


def recorded_rows(folder: Path, manifest: Manifest, game: int) -> pl.DataFrame:
    """Read the rows of one game; raise UserError if the part file is missing, damaged or not of this run."""
    first = 0
    for part in manifest.shards:
        if game < first + part.games:
            (rows,) = open_parts(folder, [part], seat_columns(manifest))
            with reading(folder):
                return rows.filter(pl.col("game") == game).collect()
        first += part.games
    raise UserError("no part holds this game", file=folder / MANIFEST, field="shards", found=game)


def replay(folder: Path, game: int, *, trust: bool = False, train: Train | None = None) -> Sequence[str]:
    """Narrate one game of a run in lines of text, after checking that it ends as recorded.

    `trust` and `train` are as in `manifest_plan`. Raise UserError if the run or the game does not exist, the manifest
    is damaged, or data or players of the run have changed or are not trusted.
    """
    manifest = load_manifest(folder)
    if not 0 <= game < manifest.games:
        raise UserError("the run has no such game", field="game", found=game, allowed=f"0 to {manifest.games - 1}")
    count = matching_count(folder, manifest, game)
    plan = manifest_plan(folder, manifest, count, trust=trust, train=train)
    own = game - count.first_game + count.first_deal * plan.block_games
    rows, _ = play(plan, players_of(plan), own, 1)
    rows[:, GAME] = game
    rows[:, BLOCK] += count.first_block - count.first_deal
    variants = replay_variants(manifest)
    if not seat_frame(plan, rows, variants).equals(recorded_rows(folder, manifest, game)):
        who = "engine or players have" if plan.game.plain is None else f"{plan.game.name} or a file beside it has"
        changed = who if manifest.sources != sources_digest(plan) else "its manifest has"
        message = f"game {game} replayed does not end as recorded: {changed} changed since the run"
        raise UserError(message, file=folder)
    return tell_game(plan, own)


def tell_game(plan: Plan, game: int) -> Sequence[str]:
    """Play one game of a plan and narrate it in lines of text.

    Raises
    ------
    UserError
        A strategy does not compile or returns something other than a number.
    """
    if plan.game.plain is not None:
        return tell_plain(plan, game)
    g = new_game(plan)
    g.log.keeps_rows = 1
    plan.game.kernels.start_game(g, plan.data.tables, plan_record(plan), game)
    plan.game.kernels.play_out(g, plan.data.tables, players_of(plan))
    check_no_error(plan, g)
    return plan.game.narrate(g, plan.data, [strategy.name for strategy in plan.strategies])

"""The command line: parse, call, print. Heavy imports stand inside the commands, so that help is quick."""

from __future__ import annotations

import json
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from sim.errors import UserError

app = typer.Typer(
    name="empirelab",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Play empire-building board games by the million with scripted players, and see what is out of balance.",
    epilog="Start with: empirelab simulate seven_wonders --out runs/first, then: empirelab report runs/first",
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Name of the game; `empirelab games` lists them.")]
RunFolder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of a run that simulate has written.")]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Play an open point of the rules another way; may be repeated."),
]


def say(text: str) -> None:
    """Tell the user what is going on, apart from the results."""
    print(text, file=sys.stderr, flush=True)


@app.command()
def games() -> None:
    """List the games, with their variants and numbers of players."""
    from sim.game import GAMES, load_game

    for name in GAMES:
        game = load_game(name)
        print(f"{name}  ({game.title})")
        for variant in game.variants:
            print(f"  {variant.name:<12} {variant.description}")


@app.command()
def strategies(
    game: GameName,
    code: Annotated[Path | None, typer.Option(help="Python file with a strategy of your own.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything, weights too, as JSON.")] = False,
) -> None:
    """List the scripted players of a game."""
    from sim.game import load_game
    from strategies.loading import load_strategies

    found = load_strategies(load_game(game).name, code)
    if as_json:
        rows = [
            {
                "name": strategy.name,
                "script": strategy.script.name,
                "description": strategy.description,
                "temperature": strategy.temperature,
                "weights": dict(strategy.weights),
                "source": strategy.source,
            }
            for strategy in found.values()
        ]
        print(json.dumps(rows, indent=1))
        return
    width = max(len(name) for name in found)
    for name, strategy in found.items():
        print(f"{name:<{width}}  {strategy.description}")
    print("\nAny of them can be made less careful: balanced@0.5 adds noise of that scale to every score.")


@app.command()
def simulate(
    game: GameName,
    games: Annotated[int, typer.Option("--games", "-n", help="How many games to play.")] = 10_000,
    players: Annotated[int, typer.Option("--players", "-k", help="How many players sit at the table.")] = 4,
    strategies: Annotated[
        str, typer.Option(help="Strategies that meet, with commas; one name alone plays against itself.")
    ] = "balanced",
    factions: Annotated[
        str, typer.Option(help='What may be dealt, with commas: factions ("Rhodos A"), wonders, sides, or "all".')
    ] = "all",
    variant: Annotated[
        str | None, typer.Option(help="Variant of the game; by default the one for so many players.")
    ] = None,
    assign: Annotated[
        str,
        typer.Option(help="Who sits where: rotate (one deal, players through all seats), random, or fixed."),
    ] = "rotate",
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed; the same seed gives the same games anywhere.")] = 1,
    detail: Annotated[str, typer.Option(help="What is kept: seats, or cards too.")] = "seats",
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Folder for the results.")] = None,
    overwrite: Annotated[bool, typer.Option(help="Replace the run in the output folder.")] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Workers; -1 for all cores.")] = -1,
    code: Annotated[Path | None, typer.Option(help="Python file with a strategy of your own.")] = None,
    settings: Settings = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar and no summary.")] = False,
) -> None:
    """Play games with scripted players and write the results to a folder of Parquet files.

    Example: empirelab simulate seven_wonders --games 100000 --players 4
    --strategies balanced,military,science --out runs/first
    """
    from sim.catalog import validate_row
    from sim.runs.config import RunConfig

    asked = {
        "game": game,
        "games": games,
        "players": players,
        "strategies": split(strategies),
        "factions": split(factions),
        "variant": variant,
        "assign": assign,
        "seed": seed,
        "detail": detail,
        "code": None if code is None else str(code),
        "settings": read_settings(settings),
    }
    config = validate_row("command line", asked, RunConfig, None)
    carry_out(config, out or Path("runs") / game, jobs=jobs, overwrite=overwrite, quiet=quiet)


@app.command()
def run(
    config: Annotated[Path, typer.Argument(metavar="CONFIG.toml", help="File that describes the run.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder for the results, instead of the file's.")
    ] = None,
    overwrite: Annotated[bool, typer.Option(help="Replace the run in the output folder.")] = False,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", help="Workers, instead of the file's; -1 for all cores.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar and no summary.")] = False,
) -> None:
    """Carry out a run described in a TOML file; its keys are the options of simulate."""
    from sim.runs.config import read_config

    asked = read_config(config)
    folder = out or (Path(asked.out) if asked.out else Path("runs") / config.stem)
    carry_out(asked, folder, jobs=asked.jobs if jobs is None else jobs, overwrite=overwrite, quiet=quiet)


def carry_out(config: Any, out: Path, *, jobs: int, overwrite: bool, quiet: bool) -> None:
    """Play a run with a progress bar and sum it up."""
    from sim.runs.config import make_plan
    from sim.runs.run import execute
    from sim.runs.store import check_out

    check_out(out, overwrite)
    plan = make_plan(config)
    try:
        with progress_bar(f"{plan.game.title}, {plan.players} players", config.games, quiet) as advance:
            done = execute(
                plan,
                config.games,
                out,
                jobs=jobs,
                overwrite=overwrite,
                command=command_line(),
                say=(lambda text: None) if quiet else say,
                report=advance,
            )
    except KeyboardInterrupt:
        say("empirelab: interrupted; nothing half-written is left")
        raise typer.Exit(130) from None
    if quiet:
        return
    speed = done.games / done.seconds if done.seconds else 0.0
    print(f"{done.games:,} games, {done.rows:,} seats in {done.seconds:.1f} s ({speed:,.0f} games/s)")
    scores = sorted(done.mean_scores.items(), key=lambda item: -item[1])
    print("mean score: " + ", ".join(f"{name} {score:.1f}" for name, score in scores))
    print(f"written to {out} ({done.size / 1e6:.1f} MB); read it with: empirelab report {shlex.quote(str(out))}")


@contextmanager
def progress_bar(label: str, total: int, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on the terminal, if there is one; give what advances it."""
    if quiet or not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(label, total=total)
        yield lambda done: bar.advance(task, done)


@app.command()
def report(
    folder: RunFolder,
    html: Annotated[Path | None, typer.Option(help="Write the whole report as one page.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write all tables as one CSV file.")] = None,
) -> None:
    """Say what is out of balance in a run, by how much and how sure that is."""
    from reports.balance import build_report
    from reports.console import print_report
    from reports.export import write_csv
    from reports.html import write_html
    from reports.load import load_run

    if html is not None and html == csv:
        raise UserError("page and table cannot be the same file", field="csv", found=str(csv), allowed="another name")
    built = build_report(load_run(folder))
    if html is not None:
        write_html(built, html)
    if csv is not None:
        write_csv(built, csv)
    print_report(built)
    for path in (html, csv):
        if path is not None:
            print(f"written: {path}")


@app.command()
def inspect(
    game: GameName,
    file: Annotated[Path, typer.Argument(metavar="FILE.json", help="A position, or a .jsonl file of positions.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, one object for each position.")] = False,
    settings: Settings = None,
) -> None:
    """Show scores, shields, prices and payments in a position, and what moves would change."""
    from sim.game import load_game

    positions = tool_of(load_game(game), "positions")
    for result in positions.inspect_file(file, read_settings(settings)):
        if as_json:
            print(json.dumps(result, ensure_ascii=False))
        else:
            print("\n".join(positions.inspect_lines(result)))


@app.command()
def verify(
    game: GameName,
    file: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help="Recorded games, one a line.")],
    settings: Settings = None,
) -> None:
    """Play recorded games through the engine and report every difference; exit status 0 only if there is none."""
    from sim.game import load_game

    records = tool_of(load_game(game), "records")
    results = records.verify_file(file, read_settings(settings))
    print("\n".join(records.summary_lines(results)))
    if any(result.differences for result in results):
        raise typer.Exit(1)


def tool_of(game: Any, name: str) -> Any:
    """Module of a game that reads positions or records.

    Raises
    ------
    UserError
        The game has no such module.
    """
    from importlib import import_module
    from importlib.util import find_spec

    module = f"sim.games.{game.name}.{name}"
    if find_spec(module) is None:
        raise UserError(f"{game.title} has no {name} to read yet")
    return import_module(module)


@app.command()
def replay(
    folder: RunFolder,
    game: Annotated[int, typer.Option("--game", "-g", help="Number of the game, from 0.")] = 0,
) -> None:
    """Play one game of a run again and tell it turn by turn."""
    from sim.replay import replay as tell

    print("\n".join(tell(folder, game)))


@app.command()
def bench(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="Name of the game.")] = "seven_wonders",
    players: Annotated[int, typer.Option("--players", "-k", min=1, help="Players at the table.")] = 4,
    runs: Annotated[int, typer.Option(min=1, help="How often each line-up is measured; the median counts.")] = 5,
    seconds: Annotated[float, typer.Option(min=0.0, help="CPU seconds of each measurement, about.")] = 1.0,
    start: Annotated[bool, typer.Option(help="Measure cold and warm starts too (a minute).")] = True,
    whole: Annotated[
        int, typer.Option(min=0, help="Games of a whole run on all cores to measure; 0 for none.")
    ] = 100_000,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure speed in CPU time of one core, start of a process, and a whole run with its memory."""
    from sim.bench import bench as measure

    result = measure(game, players=players, runs=runs, seconds=seconds, start=start, whole=whole, say=say)
    if as_json:
        print(json.dumps(result, indent=1))
        return
    print(f"{'line-up, ' + str(players) + ' players':<26}{'games/s':>10}{'(slowest-fastest)':>20}", end="")
    print(f"{'decisions/s':>14}{'options/s':>13}{'score':>7}")
    for row in result["speed"]:
        spread = f"({row['slowest']:,.0f}-{row['fastest']:,.0f})"
        print(f"{row['lineup']:<26}{row['games_per_second']:>10,.0f}{spread:>20}", end="")
        print(f"{row['decisions_per_second']:>14,.0f}{row['options_per_second']:>13,.0f}{row['mean_score']:>7.1f}")
    print(f"one core, CPU time, medians of {runs} runs")
    for row in result["start"]:
        print(f"start to first game, {row['cache']}: {row['seconds']:.1f} s, {row['memory_megabytes']:.0f} MB")
    if result["run"]:
        row = result["run"]
        print(f"run of {row['games']:,} games, {row['jobs']} workers: {row['seconds']:.1f} s", end="")
        print(f" ({row['games_per_second']:,.0f} games/s), writing {row['writing_share']:.1%} of it,", end="")
        print(f" {row['bytes_per_seat']:.1f} bytes a seat, peak memory {row['memory_megabytes']:.0f} MB")


def split(text: str) -> list[str]:
    """Split at commas."""
    return [word.strip() for word in text.split(",") if word.strip()]


def read_settings(texts: list[str] | None) -> dict[str, object]:
    """Read NAME=VALUE texts as TOML would.

    Raises
    ------
    UserError
        A text has no equals sign.
    """
    values: dict[str, object] = {}
    for text in texts or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise UserError("a setting is given as NAME=VALUE", field="set", found=text)
        words = {"true": True, "false": False}
        number = int(value) if value.lstrip("-").isdigit() else value
        values[name.strip()] = words.get(value.strip().casefold(), number)
    return values


def command_line() -> str:
    """The command as it was typed."""
    return shlex.join(["empirelab", *sys.argv[1:]])


def main() -> NoReturn:
    """Run the program: exit status 0 on success, 2 on bad input, 130 when interrupted."""
    # A terminated run tidies up as an interrupted one does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if hasattr(signal, "SIGPIPE"):
        # A reader that has seen enough (`| head`) ends the program, as it does other programs.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        app(prog_name="empirelab")
    except UserError as error:
        print(f"empirelab: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    sys.exit(0)


if __name__ == "__main__":
    main()

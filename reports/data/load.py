"""Open a run folder, and refuse one whose figures could not be trusted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import polars as pl

from reports.words import counted, plural, run_size, with_article
from sim.errors import UserError
from sim.runs.manifest import MANIFEST, read_manifest

NUMBER_COLUMNS = ("game", "block", "players", "seat", "score", "rank", "win", "rounds")
MANIFEST_FIELDS: dict[str, tuple[type, ...]] = {
    "game": (str,),
    "title": (str,),
    "variant": (str,),
    "players": (int, list),
    "games": (int,),
    "blocks": (int,),
    "block_games": (int,),
    "seed": (int,),
    "command": (str,),
    "strategies": (list,),
    "factions": (list,),
    "faction_title": (str,),
    "faction_attributes": (list,),
    "score_parts": (list,),
    "measures": (list,),
    "settings": (dict,),
    "certainty": (dict,),
    "versions": (dict,),
    "shards": (list,),
}
LATER_FIELDS: dict[str, tuple[type, ...]] = {
    "variants": (list,),
    "player_counts": (list,),
    "exclusive": (str,),
    "paired_attribute": (str,),
    "piece": (str,),
}
"""Fields that runs of earlier versions lack."""
COUNT_FIELDS: dict[str, tuple[type, ...]] = {"players": (int,), "variant": (str,), "first_game": (int,)}
SHARD_FIELDS: dict[str, tuple[type, ...]] = {"file": (str,), "games": (int,), "rows": (int,)}


@dataclass(frozen=True)
class Run:
    """A finished run as it lies on disk.

    Attributes
    ----------
    folder
        The run folder.
    manifest
        The content of `run.json`.
    seats
        Lazy scan of all parts: one row per seat per game.
    pieces
        Lazy scans of the parts of the table of pieces, in the order of the games; None where the run kept none.
    """

    folder: Path
    manifest: dict[str, Any]
    seats: pl.LazyFrame
    pieces: tuple[pl.LazyFrame, ...] | None = None

    def __repr__(self) -> str:
        """Show itself in a notebook or at a prompt."""
        strategies = ", ".join(row["name"] for row in self.manifest["strategies"])
        return f"{self.manifest['title']}: {run_size(self.manifest)}; strategies: {strategies}"


def load_run(folder: Path) -> Run:
    """Open a finished run.

    Reads the manifest and the footer of every part; the rows themselves stay on disk until a statistic asks for them.

    Parameters
    ----------
    folder
        A run folder, e.g. `runs/first`.

    Raises
    ------
    UserError
        No such folder, no manifest, a manifest of another format, an empty or unfinished run, a part that is missing,
        damaged, foreign to the run or without a needed column.
    """
    folder = Path(folder)
    manifest = read_manifest(folder)
    check_manifest(manifest, folder / MANIFEST)
    files = [check_part(folder, shard, manifest) for shard in manifest["shards"]]
    check_strangers(folder, files)
    columns = [*NUMBER_COLUMNS, *name_columns(manifest), *manifest["score_parts"], *manifest["measures"]]
    columns += ["variant"] if names_variants(files) else []
    seats = pl.concat(
        [with_levels(pl.scan_parquet(file, glob=False).select(columns), manifest) for file in files], how="vertical"
    )
    return Run(folder, manifest, seats, open_pieces(folder, manifest))


def names_variants(files: Sequence[Path]) -> bool:
    """Whether the seats of a run say which variant they were played in.

    Raises
    ------
    UserError
        Some parts do and others do not, or they name different variants.
    """
    found = [pl.scan_parquet(file, glob=False).collect_schema().get("variant") for file in files]
    for file, dtype in zip(files, found, strict=True):
        if dtype != found[0] or not (dtype is None or isinstance(dtype, pl.Enum)):
            raise UserError("other variants than in the first part: part of another run", file=file, field="variant")
    return found[0] is not None


def open_pieces(folder: Path, manifest: dict[str, Any]) -> tuple[pl.LazyFrame, ...] | None:
    """Open the table of pieces of a run; None where it kept none, or does not say what its columns mean.

    Raises
    ------
    UserError
        A part is missing, damaged, foreign to the run or without a needed column, or the parts do not hold all games.
    """
    shards = manifest.get("card_shards", [])
    if not shards or not piece_events(manifest):
        return None
    path, noun = folder / MANIFEST, piece_noun(manifest)
    if not isinstance(shards, list):
        raise UserError("wrong kind of value", file=path, field="card_shards", found=shards, allowed="list")
    for number, shard in enumerate(shards):
        if not isinstance(shard, dict):
            raise UserError("not a table", file=path, row=number, field="card_shards", found=shard)
        check_fields(shard, SHARD_FIELDS, path, f"card_shards[{number}].")
    played = sum(shard["games"] for shard in shards)
    if played != manifest["games"]:
        hold = f"hold {counted(played, 'game')}, but the run has {manifest['games']}"
        message = f"the parts of the {plural(noun)} table {hold}"
        raise UserError(message, file=path, field="card_shards")
    files = [check_piece_part(folder, shard, manifest) for shard in shards]
    if len(set(files)) < len(files):
        raise UserError("the same part is listed twice", file=path, field="card_shards")
    check_strangers(folder, files)
    scans = tuple(pl.scan_parquet(file, glob=False) for file in files)
    names = [scan.collect_schema()[noun] for scan in scans]
    for file, found in zip(files, names, strict=True):
        if found != names[0]:
            message = f"other {plural(noun)} than in the first part: part of another run"
            raise UserError(message, file=file, field=noun)
    return scans


def piece_noun(manifest: dict[str, Any]) -> str:
    """What the game calls a piece, "card", and the column that names them; runs of earlier versions have cards."""
    return str(manifest.get("piece") or "card")


def piece_events(manifest: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return what can become of a piece, as the game declares it; empty where the manifest does not say.

    Raises
    ------
    UserError
        The declaration is not of the right form, or puts no piece in play.
    """
    events, offered = manifest.get("card_events", []), manifest.get("card_offered", "")
    if not events or not offered:
        return ()
    kinds = {"column": str, "title": str, "taken": bool, "in_play": bool}
    sound = isinstance(offered, str) and isinstance(events, list)
    for event in events if sound else ():
        fits = isinstance(event, dict) and all(isinstance(event.get(name), kind) for name, kind in kinds.items())
        sound = sound and fits
    if not sound or not any(event["in_play"] for event in events):
        message = f"not a list of what can become of {with_article(piece_noun(manifest))}"
        raise UserError(message, field="card_events", found=events, allowed="column, title, taken and in_play of each")
    return tuple(events)


def check_piece_part(folder: Path, shard: dict[str, Any], manifest: dict[str, Any]) -> Path:
    """Check one part of the table of pieces by its footer and return its path.

    Raises
    ------
    UserError
        The part is missing, damaged, lacks a column, or is not the part this run wrote.
    """
    file, schema = check_file(folder, shard)
    columns = [manifest["card_offered"], *(event["column"] for event in piece_events(manifest))]
    check_numbers(schema, ["game", "seat", *columns], [piece_noun(manifest)], file)
    return file


def level_columns(manifest: dict[str, Any]) -> tuple[str, ...]:
    """Columns whose names the manifest lists: faction, in a game that has any, and strategy."""
    return ("faction", "strategy") if manifest["factions"] else ("strategy",)


def name_columns(manifest: dict[str, Any]) -> tuple[str, ...]:
    """Columns of seat rows that hold names."""
    return (*level_columns(manifest), "end_reason")


def with_levels(seats: pl.LazyFrame, manifest: dict[str, Any]) -> pl.LazyFrame:
    """Return seat rows with names cast to the manifest's, so that parts written with fewer names agree with others."""
    return seats.with_columns(
        pl.col(name).cast(pl.Enum(level_names(manifest, name))) for name in level_columns(manifest)
    )


def level_names(manifest: dict[str, Any], column: str) -> list[str]:
    """Return the names that may stand in the column `faction` or `strategy`, in the manifest's order."""
    rows = manifest["factions" if column == "faction" else "strategies"]
    return [row["name"] for row in rows]


def check_manifest(manifest: dict[str, Any], path: Path) -> None:
    """Check that the manifest has every field a report needs and that the run is whole.

    Raises
    ------
    UserError
        A field is missing or of the wrong kind, the run holds no games, or fewer games than were asked for.
    """
    check_fields(manifest, MANIFEST_FIELDS, path)
    check_fields(manifest, {name: kinds for name, kinds in LATER_FIELDS.items() if name in manifest}, path)
    for number, count in enumerate(manifest.get("player_counts", [])):
        if not isinstance(count, dict):
            raise UserError("not a table", file=path, row=number, field="player_counts", found=count)
        check_fields(count, COUNT_FIELDS, path, f"player_counts[{number}].")
    # A game that has a word for its factions has some.
    for kind in ("factions", "strategies") if manifest["factions"] or manifest["faction_title"] else ("strategies",):
        check_names(manifest[kind], path, kind)
    attributes = manifest["faction_attributes"]
    for reserved in sorted({"faction", "seat", "strategy"} & set(attributes)):
        raise UserError("an attribute may not bear this name", file=path, field="faction_attributes", found=reserved)
    for faction in manifest["factions"]:
        given = faction.get("attributes")
        missing = [name for name in attributes if not isinstance(given, dict) or name not in given]
        if missing:
            raise UserError(f"attribute {missing[0]!r} is missing", file=path, row=faction["name"], field="factions")
    for number, shard in enumerate(manifest["shards"]):
        if not isinstance(shard, dict):
            raise UserError("not a table", file=path, row=number, field="shards", found=shard)
        check_fields(shard, SHARD_FIELDS, path, f"shards[{number}].")
    check_values(manifest, path)
    check_games(manifest, path)


def check_values(manifest: dict[str, Any], path: Path) -> None:
    """Raise UserError where a number of the manifest is out of range or a list names what the run does not have."""
    if manifest["seed"] < 0:
        raise UserError("out of range", file=path, field="seed", found=manifest["seed"], allowed="0 or more")
    for name, rows in manifest["certainty"].items():
        if not isinstance(rows, int) or isinstance(rows, bool) or rows < 0:
            field = f"certainty.{name}"
            raise UserError("not a number of rows", file=path, field=field, found=rows, allowed="0, 1, 2, ...")
    dealt = manifest.get("factions_dealt", [])
    if not isinstance(dealt, list) or not set(map(str, dealt)) <= set(level_names(manifest, "faction")):
        raise UserError("not a list of the run's factions", file=path, field="factions_dealt", found=dealt)
    checkpoints = manifest.get("checkpoints", [])
    if not isinstance(checkpoints, list) or any(name not in manifest["measures"] for name in checkpoints):
        message = "not a list of measures"
        raise UserError(message, file=path, field="checkpoints", found=checkpoints, allowed=manifest["measures"])


def check_fields(table: dict[str, Any], fields: dict[str, tuple[type, ...]], path: Path, prefix: str = "") -> None:
    """Raise UserError where a field of `table` is missing or not of one of its kinds."""
    for name, kinds in fields.items():
        if name not in table:
            raise UserError("is missing", file=path, field=f"{prefix}{name}")
        if not isinstance(table[name], kinds) or isinstance(table[name], bool):
            allowed, field = " or ".join(kind.__name__ for kind in kinds), f"{prefix}{name}"
            raise UserError("wrong kind of value", file=path, field=field, found=table[name], allowed=allowed)


def check_names(rows: list[Any], path: Path, field: str) -> None:
    """Raise UserError unless `rows` is a non-empty list of tables with different names."""
    names = [row.get("name") if isinstance(row, dict) else None for row in rows]
    if not names or not all(isinstance(name, str) and name for name in names):
        raise UserError("needs at least one row, and a name in each", file=path, field=field)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UserError("the same name twice", file=path, field=field, found=twice)


def check_games(manifest: dict[str, Any], path: Path) -> None:
    """Raise UserError where the run is empty, unfinished, or lists more than it played."""
    shards: list[dict[str, Any]] = manifest["shards"]
    played, wanted = sum(shard["games"] for shard in shards), manifest["games"]
    if wanted <= 0 or sum(shard["rows"] for shard in shards) == 0:
        raise UserError(f"the run holds no games ({played} of {wanted} played)", file=path)
    if played < wanted:
        raise UserError(
            f"the run is unfinished: {played} of {counted(wanted, 'game')} played; play it again, then report",
            file=path,
        )
    if played > wanted:
        raise UserError(
            f"the parts hold {counted(played, 'game')}, but the run has {wanted}", file=path, field="shards"
        )
    players, rows = manifest["players"], sum(shard["rows"] for shard in shards)
    if isinstance(players, int) and rows != wanted * players:
        message = (
            f"the parts hold {counted(rows, 'row')}, but {counted(wanted, 'game')} of {players} make another number"
        )
        raise UserError(message, file=path, field="players", found=players)
    files = [shard["file"] for shard in shards]
    if len(set(files)) < len(files):
        raise UserError("the same part is listed twice", file=path, field="shards")


def check_part(folder: Path, shard: dict[str, Any], manifest: dict[str, Any]) -> Path:
    """Check one part by its footer and return its path.

    Raises
    ------
    UserError
        The part is missing, damaged, lacks a column, or is not the part this run wrote.
    """
    file, schema = check_file(folder, shard)
    check_columns(schema, manifest, file)
    return file


def check_file(folder: Path, shard: dict[str, Any]) -> tuple[Path, pl.Schema]:
    """Return path and columns of a part.

    Raises
    ------
    UserError
        The part lies elsewhere, is missing or damaged, or has another number of rows than the manifest says.
    """
    inner = PurePosixPath(shard["file"])
    if inner.is_absolute() or ".." in inner.parts:
        raise UserError("a part must lie inside the run folder", file=folder / MANIFEST, found=shard["file"])
    file = folder / inner
    if not file.is_file():
        raise UserError("this part of the run is missing", file=file)
    try:
        scan = pl.scan_parquet(file, glob=False)
        schema = scan.collect_schema()
        rows = scan.select(pl.len()).collect().item()
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        raise UserError("this part is damaged and cannot be read as Parquet; play the run again", file=file) from error
    if rows != shard["rows"]:
        raise UserError(f"this part holds {counted(rows, 'row')}, the manifest says {shard['rows']}", file=file)
    return file, schema


def check_columns(schema: pl.Schema, manifest: dict[str, Any], file: Path) -> None:
    """Raise UserError where a column is missing, of the wrong type, or holds names foreign to the run."""
    check_numbers(
        schema, [*NUMBER_COLUMNS, *manifest["score_parts"], *manifest["measures"]], name_columns(manifest), file
    )
    for name in level_columns(manifest):
        dtype = schema[name]
        strangers = sorted(set(getattr(dtype, "categories", ())) - set(level_names(manifest, name)))
        if strangers:
            raise UserError("a name that is not in run.json: part of another run", file=file, found=strangers[0])


def check_numbers(schema: pl.Schema, numbers: Sequence[str], names: Sequence[str], file: Path) -> None:
    """Raise UserError where a column of numbers or of names is missing or of the wrong type."""
    missing = [name for name in [*numbers, *names] if name not in schema]
    if missing:
        raise UserError(f"columns are missing: {', '.join(missing)}", file=file)
    for name in numbers:
        if not schema[name].is_numeric():
            raise UserError("not a column of numbers", file=file, field=name, found=str(schema[name]))
    for name in names:
        if not isinstance(schema[name], pl.Enum):
            raise UserError("not a column of names", file=file, field=name, found=str(schema[name]), allowed="Enum")


def check_strangers(folder: Path, files: list[Path]) -> None:
    """Raise UserError where a part lies beside the listed ones that the manifest does not know."""
    known = {file.resolve() for file in files}
    for home in sorted({file.parent for file in files}):
        for file in sorted(home.glob("*.parquet")):
            if file.resolve() not in known:
                raise UserError("this part is not listed in run.json: another run wrote into the folder", file=file)


@contextmanager
def reading(folder: Path) -> Iterator[None]:
    """Turn what polars says of damaged data into a message about the run."""
    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        first_line = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UserError(f"the run's rows cannot be read ({first_line}); play the run again", file=folder) from error

"""Predictions of people's results, written before the results exist: a JSON file with a date and a digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from sim.data.catalog import validate_row
from sim.data.declarations import Entry
from sim.data.json_input import read_limited_text, read_object
from sim.errors import UserError

FORMAT: Literal["empirelab-predictions/1"] = "empirelab-predictions/1"
VALIDATION = "empirelab-validation/1"
Edge = Annotated[float, Field(ge=-3, le=3)]


class CalibrationEntry(Entry):
    """How edges among people depend on simulated edges: the entry of a rung in the output of `validate --json`.

    The numbers are as in `reports.statistics.agreement.Calibration`.
    """

    league: str
    rung: str
    slope: float
    slope_error: Annotated[float, Field(ge=0)]
    rest: Annotated[float, Field(ge=0)]


class PredictionEntry(Entry):
    """The predicted edge of a faction among people, with its 95 % limits, and the simulated edge."""

    faction: str
    simulated: Edge
    simulated_error: float
    edge: Edge
    low: Edge
    high: Edge


class Predictions(Entry):
    """A file of predictions.

    `written` is date and time, ISO 8601. `run_sha256` is the SHA-256 of the run's manifest, `sha256` that of everything
    else in the file. `calibration` tells how the edges were predicted; None if the simulated edges are the predictions.
    """

    format: Literal["empirelab-predictions/1"] = FORMAT
    written: str
    game: str
    variant: str
    players: list[int]
    strategies: list[str]
    games: int
    run_sha256: str
    calibration: CalibrationEntry | None
    predictions: list[PredictionEntry]
    sha256: str


def sealed(predictions: Predictions) -> Predictions:
    """Return predictions to which the date and the digest have been added."""
    dated = predictions.model_copy(update={"written": datetime.now(UTC).isoformat(timespec="seconds")})
    return dated.model_copy(update={"sha256": digest_of(dated)})


def digest_of(predictions: Predictions) -> str:
    """Return the digest of predictions, computed without the digest itself."""
    content = predictions.model_dump(exclude={"sha256"})
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode("utf-8")).hexdigest()


def predictions_text(predictions: Predictions) -> str:
    """Return the content of a file of predictions as text."""
    return json.dumps(predictions.model_dump(), indent=1, ensure_ascii=False) + "\n"


def load_predictions(path: Path) -> Predictions:
    """Read a file of predictions.

    Raise UserError if the file does not contain predictions, or was changed after it was written.
    """
    found = validate_row(path, read_object(path, read_limited_text(path), None), Predictions, None)
    if digest_of(found) != found.sha256:
        message = "checksum mismatch: the predictions were changed after they were written"
        raise UserError(message, file=path, field="sha256", found=found.sha256, allowed=digest_of(found))
    return found


def load_calibration(path: Path, rung: str) -> CalibrationEntry:
    """Read the calibration of a rung from the output of `validate --json`.

    Raise UserError if the file is of another kind, or has no calibration of this rung.
    """
    content = read_object(path, read_limited_text(path), None)
    rows = content.get("calibrations")
    if content.get("format") != VALIDATION or not isinstance(rows, list):
        found = content.get("format", "none")
        raise UserError("not the output of validate --json", file=path, field="format", found=found,
                        allowed=VALIDATION)  # fmt: skip
    known = [validate_row(path, row, CalibrationEntry, "calibrations") for row in rows]
    return calibration_of(rung, known, path)


def calibration_of(rung: str, known: Sequence[CalibrationEntry], path: Path | None) -> CalibrationEntry:
    """Return the calibration of a rung; raise UserError if the rung has none."""
    chosen = next((row for row in known if row.rung == rung), None)
    if chosen is None:
        raise UserError("no calibration of these players", file=path, field="rung", found=rung,
                        allowed=[row.rung for row in known])  # fmt: skip
    return chosen

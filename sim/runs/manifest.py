"""The manifest of a run, `run.json`: written last, so a folder that has one holds a finished run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sim.errors import UserError

FORMAT = "empirelab-run/1"
MANIFEST = "run.json"


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest under another name, then rename it."""
    target = folder / MANIFEST
    unfinished = target.with_suffix(".unfinished")
    unfinished.write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    unfinished.replace(target)


def read_manifest(folder: Path) -> dict[str, Any]:
    """Read the manifest of a finished run.

    Raises
    ------
    UserError
        No such folder, no manifest in it, not JSON, or JSON of another format.
    """
    if not folder.is_dir():
        raise UserError("no such run folder", file=folder)
    path = folder / MANIFEST
    if not path.is_file():
        raise UserError(f"not a finished run: there is no {MANIFEST} in this folder", file=folder)
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"cannot be read as JSON ({error})", file=path) from error
    found = manifest.get("format") if isinstance(manifest, dict) else type(manifest).__name__
    if found != FORMAT:
        raise UserError("not a run manifest of this version", file=path, field="format", found=found, allowed=[FORMAT])
    return dict(manifest)

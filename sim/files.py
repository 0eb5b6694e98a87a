"""Files written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from errno import EISDIR
from pathlib import Path

from sim.disk import sync_folder
from sim.errors import UserError


def write_whole(path: Path, content: bytes) -> None:
    """Write one file whole or not at all; see `write_all`."""
    write_all([(path, content)])


def write_all(files: Sequence[tuple[Path, bytes]], folders: Sequence[Path] = ()) -> None:
    """Write several files, all or none: each under a temporary name beside its own, then all are renamed.

    A reader sees the old file or the new, never half of it.

    Parameters
    ----------
    files
        Paths and contents; older files of these names are replaced, nothing else is touched.
    folders
        Folders to make first, with those above them, where they are missing.

    Raises
    ------
    UserError
        A folder cannot be made or a file cannot be written; what was new is gone again.
    """
    made: list[Path] = []
    staged: list[tuple[Path, Path]] = []
    path = Path()
    try:
        for path in folders:
            make_folder(path, made)
        for path, content in files:
            stage(path, content, staged)
        for temporary, path in staged:
            temporary.replace(path)
        for folder in {path.parent for _, path in staged}:
            sync_folder(folder)
    except BaseException as error:
        for temporary, _ in staged:
            temporary.unlink(missing_ok=True)
        for folder in reversed(made):
            with suppress(OSError):
                folder.rmdir()
        if isinstance(error, OSError):
            raise UserError(f"cannot be written ({error.strerror or error})", file=path) from error
        raise


def make_folder(folder: Path, made: list[Path]) -> None:
    """Make a folder and those above it, and note the new ones in `made`, outermost first."""
    if not folder.is_dir():
        if folder.parent != folder:
            make_folder(folder.parent, made)
        folder.mkdir()
        made.append(folder)


def stage(path: Path, content: bytes, staged: list[tuple[Path, Path]]) -> None:
    """Write a file under a temporary name beside `path` and note both in `staged`."""
    if path.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        staged.append((Path(file.name), path))
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    # Temporary files are private to their owner; a report is as public as any other new file.
    Path(file.name).chmod(0o666 & ~current_umask())


def current_umask() -> int:
    """Return the process's file mode mask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask

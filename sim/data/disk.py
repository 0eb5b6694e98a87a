"""The operations by which runs change the disk. Each is a function (a step), so that tests can make any step fail."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

More = ParamSpec("More")
Result = TypeVar("Result")

UNSYNCED = {errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EPERM, errno.EISDIR, errno.EBADF}
"""Error numbers of systems that cannot sync a folder."""


def watch(step: str, path: Path, *more: object) -> None:
    """Do nothing. This function is called before each step, with its name, its path and its other arguments.

    Tests replace it. If the replacement raises an error, the step fails.
    """


def step(take: Callable[Concatenate[Path, More], Result]) -> Callable[Concatenate[Path, More], Result]:
    """Decorate a function as a step, which calls `watch` first."""

    @wraps(take)
    def watched(path: Path, *more: More.args, **named: More.kwargs) -> Result:
        watch(take.__name__, path, *more, *named.values())
        return take(path, *more, **named)

    return watched


@step
def make_folder(path: Path) -> None:
    """Make a folder; its parent must exist."""
    path.mkdir()


@step
def write(path: Path, content: bytes) -> None:
    """Write a file, replacing an existing one."""
    path.write_bytes(content)


@step
def append(path: Path, content: bytes) -> None:
    """Append to a file."""
    with path.open("ab") as file:
        file.write(content)


@step
def rename(path: Path, to: Path) -> None:
    """Rename a file or folder. This fails if the new name is that of a folder that is not empty."""
    path.rename(to)


@step
def replace(path: Path, to: Path) -> None:
    """Rename a file, replacing an existing one with the new name."""
    path.replace(to)


@step
def remove(path: Path) -> None:
    """Remove a file, or a link."""
    path.unlink()


@step
def remove_folder(path: Path) -> None:
    """Remove an empty folder."""
    path.rmdir()


@step
def sync(path: Path) -> None:
    """Sync a file: wait until its content is on disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


@step
def sync_folder(path: Path) -> None:
    """Sync the entries of a folder, if the system supports it."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno not in UNSYNCED:
            raise


@step
def open_claim(path: Path) -> int:
    """Open a lock file, creating it if necessary; return its descriptor."""
    return os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)


@step
def write_claim_file(path: Path, descriptor: int, content: bytes) -> None:
    """Overwrite an open lock file in place; `path` is its name."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.write(descriptor, content)


@step
def sync_claim(path: Path, descriptor: int) -> None:
    """Sync an open lock file; `path` is its name."""
    os.fsync(descriptor)


# ---- Functions made of these steps ----


def make_folders(path: Path) -> None:
    """Make a folder and its missing parents."""
    if not path.is_dir():
        if path.parent != path:
            make_folders(path.parent)
        with suppress(FileExistsError):
            make_folder(path)
        sync_folder(path.parent)


def write_file_atomically(path: Path, content: bytes) -> None:
    """Write a file atomically and sync it. At any moment, it has either the old or the new content."""
    unfinished = path.with_suffix(".unfinished")
    try:
        write(unfinished, content)
        sync(unfinished)
        replace(unfinished, path)
    except OSError:
        with suppress(OSError):
            remove(unfinished)
        raise
    sync_folder(path.parent)


def remove_tree(path: Path) -> None:
    """Remove a folder with its content, or a file. Links are not followed."""
    if path.is_dir() and not path.is_symlink():
        for below in sorted(path.iterdir()):
            remove_tree(below)
        remove_folder(path)
    else:
        remove(path)


def sync_tree(path: Path) -> None:
    """Sync a folder and all its content, so that all of it is on disk before the folder is renamed."""
    for below in sorted(path.iterdir()):
        if below.is_dir():
            sync_tree(below)
        else:
            sync(below)
    sync_folder(path)

"""Every change that runs make to a disk, step by step: the one place where tests let each step fail in turn."""

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
"""What systems answer that cannot wait until the names in a folder are on the disk."""


def watch(step: str, path: Path, *more: object) -> None:
    """Be told of a step before it is taken: its name, its path and what else it takes.

    Tests put functions of their own here. One that raises an error lets the step fail.
    """


def step(take: Callable[Concatenate[Path, More], Result]) -> Callable[Concatenate[Path, More], Result]:
    """Make a function a step that can be watched."""

    @wraps(take)
    def watched(path: Path, *more: More.args, **named: More.kwargs) -> Result:
        watch(take.__name__, path, *more, *named.values())
        return take(path, *more, **named)

    return watched


@step
def make_folder(path: Path) -> None:
    """Make a folder; what lies above it is there."""
    path.mkdir()


@step
def write(path: Path, content: bytes) -> None:
    """Write a file, in place of the one that has this name."""
    path.write_bytes(content)


@step
def append(path: Path, content: bytes) -> None:
    """Write behind what a file holds."""
    with path.open("ab") as file:
        file.write(content)


@step
def rename(path: Path, to: Path) -> None:
    """Give a file or folder another name; onto a folder that holds anything this fails."""
    path.rename(to)


@step
def replace(path: Path, to: Path) -> None:
    """Give a file another name, in place of the file that has it."""
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
    """Wait until what a file holds is on the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


@step
def sync_folder(path: Path) -> None:
    """Wait until the names in a folder are on the disk, where the system can say so."""
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
    """Open a file that is to be locked, made where it is missing; return its descriptor."""
    return os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)


@step
def write_claim(path: Path, descriptor: int, content: bytes) -> None:
    """Write what an open file holds anew, in its place; `path` is its name."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.write(descriptor, content)


@step
def sync_claim(path: Path, descriptor: int) -> None:
    """Wait until what an open file holds is on the disk; `path` is its name."""
    os.fsync(descriptor)


# ---- What is made of such steps ----


def make_folders(path: Path) -> None:
    """Make a folder and those above it where they are missing."""
    if not path.is_dir():
        if path.parent != path:
            make_folders(path.parent)
        with suppress(FileExistsError):
            make_folder(path)
        sync_folder(path.parent)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that its name stands for the old content or the new at any moment, and wait for the disk."""
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
    """Remove a folder and all that lies in it, or a file; links are not followed."""
    if path.is_dir() and not path.is_symlink():
        for below in sorted(path.iterdir()):
            remove_tree(below)
        remove_folder(path)
    else:
        remove(path)


def sync_tree(path: Path) -> None:
    """Wait until a folder and all that is in it are on the disk: what is renamed later must be whole by then."""
    for below in sorted(path.iterdir()):
        if below.is_dir():
            sync_tree(below)
        else:
            sync(below)
    sync_folder(path)

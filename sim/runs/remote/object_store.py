"""Writes, reads, lists and removes files at a URL, such as objects of S3, with fsspec.

A store cannot rename objects. But an object appears only when all its bytes are written, so it is always complete. On
the disks of this machine (`file://`) a file is written under a temporary name and then renamed, as everywhere else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sim.data import disk
from sim.data.files import MAX_BYTES, check_size
from sim.errors import OutageError, UserError

INSTALL = "pip install 'empirelab[s3]', or what fsspec needs for this kind of store"


def keys_below(url: str, name: str) -> str:
    """Return the URL of the file `name` below a URL."""
    return f"{url.rstrip('/')}/{name}"


def put_object(url: str, name: str, content: bytes) -> None:
    """Write a file at a URL, replacing an existing one; raise OutageError if the store refuses the file."""
    with answered(url, name) as (store, path):
        if is_local(store):
            disk.make_folders(Path(path).parent)
            disk.write_file_atomically(Path(path), content)
        else:
            store.pipe_file(path, content)


def put_new(url: str, name: str, content: bytes) -> bool:
    """Write a file at a URL unless it exists; tell whether it was written. Raise OutageError if it is refused."""
    with answered(url, name) as (store, path):
        if store.exists(path):
            return False
        try:
            if is_local(store):
                put_object(url, name, content)
            else:
                store.pipe_file(path, content, mode="create")
        except FileExistsError:
            return False
        return True


def read(url: str, name: str, most: int = MAX_BYTES) -> bytes | None:
    """Read a file of at most `most` bytes at a URL; None if the file does not exist.

    Raise OutageError if the store fails. Raise UserError if the file is larger than `most` bytes; nothing is read.
    """
    with answered(url, name) as (store, path):
        store.invalidate_cache()
        try:
            check_size(keys_below(url, name), store.size(path) or 0, most)
            return bytes(store.cat_file(path))
        except FileNotFoundError:
            return None


def sizes(url: str) -> dict[str, int]:
    """Return the sizes in bytes of all files below a URL, by their names relative to the URL.

    Raises
    ------
    OutageError
        The store fails.
    """
    with answered(url) as (store, path):
        store.invalidate_cache()
        found = store.find(path, detail=True)
        start = path.rstrip("/") + "/"
        return {name.removeprefix(start): int(entry["size"]) for name, entry in found.items() if name.startswith(start)}


def remove_object(url: str, names: Sequence[str]) -> None:
    """Remove files at a URL; a missing file is not an error.

    Raises
    ------
    OutageError
        The store fails.
    """
    for name in names:
        with answered(url, name) as (store, path):
            try:
                store.rm_file(path)
            except FileNotFoundError:
                continue


def store_of(url: str) -> tuple[Any, str]:
    """Return the file system of a URL, and the path in it.

    Raises
    ------
    UserError
        The kind of store is unknown, or a package that it needs is not installed.
    """
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415 - only with an extra

        store, path = url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise UserError(f"this kind of store cannot be used ({error})", file=url, allowed=INSTALL) from error
    return store, str(path)


def is_local(store: Any) -> bool:
    """Tell whether a store is the file system of this machine."""
    return "file" in ((store.protocol,) if isinstance(store.protocol, str) else store.protocol)


@contextmanager
def answered(url: str, name: str | None = None) -> Iterator[tuple[Any, str]]:
    """Yield the file system and path of a URL, or of the file `name` below it.

    Convert any error of the store into an OutageError. Each kind of store raises errors of its own library. Their only
    common base class is Exception.
    """
    try:
        yield store_of(url if name is None else keys_below(url, name))
    except UserError:
        raise
    except Exception as error:
        said = (str(error).splitlines() or [""])[0]
        message = f"the store failed ({type(error).__name__}{': ' if said else ''}{said})"
        raise OutageError(message, file=url) from error

"""Files at a URL, such as objects of S3: put there whole, read, listed and removed, by means of fsspec.

A store has no renaming; it keeps an object once all of its bytes are there, so that an object that is there is whole.
On the disks of this machine (`file://`) a file is written under another name and renamed, as everywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sim.data import disk
from sim.data.files import MOST_BYTES, check_size
from sim.errors import OutageError, UserError

SCHEME = re.compile(r"[A-Za-z][\w+.:-]+:/")
"""How a URL begins; a single letter would be a drive of Windows, and a path keeps one of two slashes."""
INSTALL = "pip install 'empirelab[s3]', or what fsspec needs for this kind of store"


def is_url(place: object) -> bool:
    """Tell whether a place is a URL, not a folder."""
    return SCHEME.match(str(place)) is not None


def check_folder(place: object, field: str | None = None) -> None:
    """Check that a place that only a folder or file of this machine can be is no URL.

    Raises
    ------
    UserError
        It is one.
    """
    if is_url(place):
        allowed = "a folder; a URL is what `simulate --cluster` writes to (--out) and `fetch` reads from"
        found = SCHEME.sub(lambda begin: begin.group().rstrip("/") + "//", str(place).replace("://", ":/", 1))
        raise UserError("a URL cannot stand here", field=field, found=found, allowed=allowed)


def below(url: str, name: str) -> str:
    """URL of what lies at another one."""
    return f"{url.rstrip('/')}/{name}"


def put(url: str, name: str, content: bytes) -> None:
    """Put a file at a URL, in place of the one that has this name.

    Raises
    ------
    OutageError
        The store does not take it.
    """
    with answered(url):
        store, path = store_of(below(url, name))
        if is_local(store):
            disk.make_folders(Path(path).parent)
            disk.write_whole(Path(path), content)
        else:
            store.pipe_file(path, content)


def put_new(url: str, name: str, content: bytes) -> bool:
    """Put a file at a URL where none has this name; tell whether it was put there.

    Raises
    ------
    OutageError
        The store does not take it.
    """
    with answered(url):
        store, path = store_of(below(url, name))
        if store.exists(path):
            return False
        try:
            if is_local(store):
                put(url, name, content)
            else:
                store.pipe_file(path, content, mode="create")
        except FileExistsError:
            return False
        return True


def read(url: str, name: str, most: int = MOST_BYTES) -> bytes | None:
    """Read a file at a URL, of at most so many bytes; None where there is none.

    Raises
    ------
    OutageError
        The store does not give it.
    UserError
        It is larger; nothing of it is read.
    """
    with answered(url):
        store, path = store_of(below(url, name))
        store.invalidate_cache()
        try:
            check_size(below(url, name), store.size(path) or 0, most)
            return bytes(store.cat_file(path))
        except FileNotFoundError:
            return None


def sizes(url: str) -> dict[str, int]:
    """Bytes of all files at a URL, by their names behind it.

    Raises
    ------
    OutageError
        The store does not say.
    """
    with answered(url):
        store, path = store_of(url)
        store.invalidate_cache()
        found = store.find(path, detail=True)
        start = path.rstrip("/") + "/"
        return {name.removeprefix(start): int(entry["size"]) for name, entry in found.items() if name.startswith(start)}


def remove(url: str, names: Sequence[str]) -> None:
    """Remove files at a URL; one that is gone already is no error.

    Raises
    ------
    OutageError
        The store does not do it.
    """
    for name in names:
        with answered(url):
            store, path = store_of(below(url, name))
            try:
                store.rm_file(path)
            except FileNotFoundError:
                continue


def store_of(url: str) -> tuple[Any, str]:
    """Return the file system of a URL, and the path there.

    Raises
    ------
    UserError
        There is no such kind of store, or what it needs is not installed.
    """
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415 - only with an extra

        store, path = url_to_fs(url)
    except (ImportError, ValueError) as error:
        raise UserError(f"this kind of store cannot be used ({error})", file=url, allowed=INSTALL) from error
    return store, str(path)


def is_local(store: Any) -> bool:
    """Tell whether a store is the disks of this machine."""
    return "file" in ((store.protocol,) if isinstance(store.protocol, str) else store.protocol)


@contextmanager
def answered(url: str) -> Iterator[None]:
    """Turn whatever a store answers that is no answer into a message.

    Raises
    ------
    OutageError
        It has: each kind of store raises errors of its own library, which have no other kind in common.
    """
    try:
        yield
    except UserError:
        raise
    except Exception as error:
        said = (str(error).splitlines() or [""])[0]
        message = f"the store does not do what it is asked ({type(error).__name__}{': ' if said else ''}{said})"
        raise OutageError(message, file=url) from error

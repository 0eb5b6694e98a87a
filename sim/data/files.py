"""Writes files atomically, limits the size of files that are read as text, and recognises URLs given as paths."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from errno import EISDIR
from pathlib import Path

from sim.data.disk import sync_folder
from sim.errors import UserError

MANIFEST = "run.json"
"""The file that a run folder holds once the run is finished."""
MAX_BYTES = 16 * 2**20
"""Maximum bytes of a JSON text: a file, or a line of a file. Parsed, it takes up to 30 times as many."""
MAX_TOML_BYTES = 2 * 2**20
"""Maximum bytes of a TOML file. Parsed, it takes up to 150 times as many."""
MAX_LINES_BYTES = 2**30
"""Maximum bytes of a file that is parsed line by line."""
MAX_MANIFEST_BYTES = 2**29
"""Maximum bytes of a run's manifest: 200 for each part (10,000 games of a table) of a run of up to 2**31 games."""
MAX_PART_BYTES = 2**30
"""Maximum bytes of a part of a run, which is read at once."""
DEEPEST = 100
"""Deepest nesting of lists and tables in a text."""
SHALLOW = "a few lists and tables inside each other"
"""The allowed nesting, in messages."""
MAX_NAME_PARTS = 20
"""Maximum number of parts of a dotted name in TOML."""
SCHEME = re.compile(r"[A-Za-z][\w+.:-]+:/")
"""Start of a URL, as a pattern; a single letter would be a Windows drive, and `Path` collapses two slashes into one."""
_QUOTED = re.compile(
    r'''"""(?:[^"\\]++|\\.|"(?!""))*+(?:"""|\Z)|"(?:[^"\\\n]++|\\.)*+"?|'''
    r"""'''(?:[^']++|'(?!''))*+(?:'''|\Z)|'[^'\n]*+'?|#[^\n]*+""",
    re.DOTALL,
)
"""Strings and comments of TOML, and strings of JSON; an unclosed one extends to the end of the line or file."""
_DOTTED = re.compile(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{MAX_NAME_PARTS}}}")


def is_url(place: object) -> bool:
    """Tell whether a string is a URL rather than a path."""
    return SCHEME.match(str(place)) is not None


def check_folder(place: object, field: str | None = None) -> None:
    """Check that a string is a path on this machine rather than a URL."""
    if is_url(place):
        allowed = "a folder; a URL is what `simulate --cluster` writes to (--out) and `fetch` reads from"
        found = SCHEME.sub(lambda begin: begin.group().rstrip("/") + "//", str(place).replace("://", ":/", 1))
        raise UserError("a URL is not allowed here", field=field, found=found, allowed=allowed)


def read_within(path: Path, most: int = MAX_BYTES) -> bytes:
    """Read a file up to a size limit.

    Raises
    ------
    OSError
        It cannot be read.
    UserError
        The file is larger.
    """
    with path.open("rb") as file:
        check_size(path, os.fstat(file.fileno()).st_size, most)
        content = file.read(most + 1)
    check_size(path, len(content), most)
    return content


def lines_within(path: Path, most: int = MAX_BYTES, total: int = MAX_LINES_BYTES) -> Iterator[bytes]:
    """Read a file line by line; lines longer than `most` bytes are cut.

    Yields
    ------
    bytes
        A line without its line feed, or the first `most + 1` bytes of a longer line, for `check_size`.

    Raises
    ------
    OSError
        It cannot be read.
    UserError
        It has more than `total` bytes.
    """
    with path.open("rb") as file:
        check_size(path, os.fstat(file.fileno()).st_size, total)
        while line := file.readline(most + 1):
            yield line.removesuffix(b"\n")
            while not line.endswith(b"\n") and line:
                line = file.readline(most + 1)


def check_size(path: Path | str, size: int, most: int = MAX_BYTES, row: int | None = None) -> None:
    """Raise UserError if a file, or a line of it, is larger than `most` bytes."""
    if size > most:
        raise UserError("too large", file=path, row=row, allowed=f"at most {most >> 20:,} MB")


def too_deep(text: str) -> bool:
    """Tell whether a TOML or JSON text nests deeper than `DEEPEST`, or has a name of more than `MAX_NAME_PARTS` parts.

    Takes about as long as reading the text. The answer is arbitrary if the text is neither TOML nor JSON.
    """
    if text.count("[") + text.count("{") <= DEEPEST and text.count(".") < MAX_NAME_PARTS:
        return False
    plain = _QUOTED.sub("s", text)
    if _DOTTED.search(plain):
        return True
    brackets = re.sub(r"[^][{}]+", "", plain)
    for _ in range(DEEPEST):
        # Each round removes the innermost lists and tables.
        brackets = brackets.replace("[]", "").replace("{}", "")
        if len(brackets) <= DEEPEST:
            return False
    return True


def write_whole(path: Path, content: bytes) -> None:
    """Write one file atomically; see `write_all`."""
    write_all([(path, content)])


def write_all(files: Sequence[tuple[Path, bytes]], folders: Sequence[Path] = ()) -> None:
    """Write several files, all or none: each under a temporary name in its folder, then all are renamed.

    A reader sees the old file or the new, never half of it.

    Parameters
    ----------
    files
        Paths and contents; existing files of these names are replaced, nothing else is touched.
    folders
        Folders to make first, with their missing parents.

    Raises
    ------
    UserError
        A folder cannot be made or a file cannot be written; new files and folders are removed again.
    """
    made: list[Path] = []
    staged: list[tuple[Path, Path]] = []
    path = Path()
    try:
        for path in folders:
            make_output_folder(path, made)
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


def make_output_folder(folder: Path, made: list[Path]) -> None:
    """Make a folder and its missing parents, and list the new ones in `made`, outermost first."""
    if not folder.is_dir():
        if folder.parent != folder:
            make_output_folder(folder.parent, made)
        folder.mkdir()
        made.append(folder)


def stage(path: Path, content: bytes, staged: list[tuple[Path, Path]]) -> None:
    """Write a file under a temporary name in the folder of `path` and list both in `staged`."""
    if path.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        staged.append((Path(file.name), path))
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    # Temporary files are private to their owner; a report gets the permissions of any other new file.
    Path(file.name).chmod(0o666 & ~current_umask())


def current_umask() -> int:
    """Return the process's file mode mask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask

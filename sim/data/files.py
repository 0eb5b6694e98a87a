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
"""The manifest. A run folder has this file once the run is finished."""
MAX_BYTES = 16 * 2**20
"""Maximum bytes of a JSON text: a file, or a line of a file. The parsed text takes up to 30 times as many bytes."""
MAX_TOML_BYTES = 2 * 2**20
"""Maximum bytes of a TOML file. The parsed file takes up to 150 times as many bytes."""
MAX_LINES_BYTES = 2**30
"""Maximum bytes of a file that is parsed line by line."""
MAX_MANIFEST_BYTES = 2**29
"""Maximum bytes of a run's manifest. A run has up to 2**31 games, and each part of 10,000 games needs 200 bytes for
each table."""
MAX_PART_BYTES = 2**30
"""Maximum bytes of a part of a run. A part is read into memory as a whole."""
DEEPEST = 100
"""How deep lists and tables may be nested in a text."""
SHALLOW = "a few lists and tables inside each other"
"""How messages describe the allowed nesting."""
MAX_NAME_PARTS = 20
"""Maximum number of parts of a dotted name in TOML."""
SCHEME = re.compile(r"[A-Za-z][\w+.:-]+:/")
"""Pattern for the start of a URL. A single letter would be a Windows drive. One slash is enough, because `Path`
makes one slash of two."""
_QUOTED = re.compile(
    r'''"""(?:[^"\\]++|\\.|"(?!""))*+(?:"""|\Z)|"(?:[^"\\\n]++|\\.)*+"?|'''
    r"""'''(?:[^']++|'(?!''))*+(?:'''|\Z)|'[^'\n]*+'?|#[^\n]*+""",
    re.DOTALL,
)
"""Pattern for strings and comments of TOML, and strings of JSON. An unclosed string extends to the end of the line
or file."""
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
    """Read a file; raise OSError if it cannot be read, and UserError if it is larger than `most` bytes."""
    with path.open("rb") as file:
        check_size(path, os.fstat(file.fileno()).st_size, most)
        content = file.read(most + 1)
    check_size(path, len(content), most)
    return content


def lines_within(path: Path) -> Iterator[bytes]:
    """Read a file line by line, without line feeds.

    Of a line longer than `MAX_BYTES`, yield the first `MAX_BYTES + 1`, so that `check_size` rejects it. Raise OSError
    if the file cannot be read, and UserError if it has more than `MAX_LINES_BYTES`.
    """
    with path.open("rb") as file:
        check_size(path, os.fstat(file.fileno()).st_size, MAX_LINES_BYTES)
        while line := file.readline(MAX_BYTES + 1):
            yield line.removesuffix(b"\n")
            while not line.endswith(b"\n") and line:
                line = file.readline(MAX_BYTES + 1)


def check_size(path: Path | str, size: int, most: int = MAX_BYTES, row: int | None = None) -> None:
    """Raise UserError if a file, or a line of it, is larger than `most` bytes."""
    if size > most:
        raise UserError("too large", file=path, row=row, allowed=f"at most {most >> 20:,} MB")


def too_deep(text: str) -> bool:
    """Tell whether a TOML or JSON text nests deeper than `DEEPEST`, or has a name of more than `MAX_NAME_PARTS` parts.

    This takes about as long as reading the text. If the text is neither TOML nor JSON, the answer means nothing.
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
    """Write one file atomically, with `write_all`."""
    write_all([(path, content)])


def write_all(files: Sequence[tuple[Path, bytes]], folders: Sequence[Path] = ()) -> None:
    """Write several files, replacing existing ones, after making missing `folders`.

    Each is written under a temporary name in its folder. All are renamed after the last is written. So a reader sees
    either the old file or the new one, never part of a file. If a folder cannot be made or a file cannot be written,
    remove temporary files and new folders again, and raise UserError.
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
    """Make a folder and its missing parents. Add the new folders to `made`, outermost first."""
    if not folder.is_dir():
        if folder.parent != folder:
            make_output_folder(folder.parent, made)
        folder.mkdir()
        made.append(folder)


def stage(path: Path, content: bytes, staged: list[tuple[Path, Path]]) -> None:
    """Write a file under a temporary name in the folder of `path`. Add both names to `staged`."""
    if path.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        staged.append((Path(file.name), path))
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    # Temporary files are private to their owner. The final file gets the permissions that any new file has.
    Path(file.name).chmod(0o666 & ~current_umask())


def current_umask() -> int:
    """Return the file mode mask of the process. It can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask

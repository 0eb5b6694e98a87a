"""Folders in the making: one process claims a target, fills a folder beside it, and puts that in place when whole.

While a folder `first` is written there lie beside it `.first.claim`, a file that its owner has locked, and the
unfinished folder `.first.unfinished-...`. The lock ends with the process that holds it, however that ends and in
whatever container it runs; process numbers would say nothing there. The claim names what its owner has made, so that
whoever claims the target next can tidy up after a dead owner and touches nothing else.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from sim.errors import UserError
from sim.files import sync_folder, sync_whole

FORMAT = "empirelab-claim/1"
TRIES = 100
"""How often a claim is tried that another process keeps removing as it ends."""
LOOKS, BETWEEN_LOOKS = 3, 0.01
"""How often a locked claim is tried, and the seconds between: who only looks at it locks it for a moment."""
CLAIM_BYTES = 4096
"""Bytes of a claim, so that a new content takes the place of the old at one stroke; names take half of them at most."""


@dataclass
class Claim:
    """A target that this process alone may write.

    Attributes
    ----------
    target
        The folder that is to be.
    descriptor
        The open and locked file of the claim.
    unfinished, replaced
        Names beside the target of the folder being filled, and of the old one while the new one is put in its place;
        empty for none.
    """

    target: Path
    descriptor: int
    unfinished: str = ""
    replaced: str = ""


def claim_of(target: Path) -> Path:
    """File by which a target is claimed."""
    return target.with_name(f".{target.name}.claim")


@contextmanager
def folder_in_the_making(target: Path, check: Callable[[], None]) -> Iterator[Path]:
    """Give a folder to fill that becomes `target` when all went well, and vanishes when not.

    The new folder is written to disk before it is put in place. An old one is moved aside for that and removed
    afterwards, so that at any moment one of them is whole.

    Parameters
    ----------
    target
        Where the folder is to be.
    check
        Raises where what lies at the target may not be replaced. Asked when the target is claimed, and before an old
        folder is replaced.

    Raises
    ------
    UserError
        Another process writes to the target, something appeared there meanwhile, or the folder cannot be made.
    """
    target = target.resolve()
    made = [parent for parent in target.parents if not parent.exists()]
    try:
        with claimed(target) as claim:
            check()
            before = identity(target)
            unfinished = make_unfinished(claim)
            yield unfinished
            put_in_place(claim, unfinished, before, check)
    except OSError as error:
        # Whose permission is lacking, perhaps to tidy up after another user's run, is told; other names are our own.
        place = error.filename if isinstance(error, PermissionError) and error.filename else target
        raise UserError(f"the output folder cannot be written: {error.strerror or error}", file=place) from error
    finally:
        for parent in made:
            with suppress(OSError):
                parent.rmdir()


@contextmanager
def claimed(target: Path) -> Iterator[Claim]:
    """Hold the claim on a target; what a dead owner or this one leaves unfinished is tidied up.

    Raises
    ------
    UserError
        Another process holds it, or its file is no claim.
    """
    path = claim_of(target)
    descriptor = take(path, target)
    try:
        claim = read_claim(path, target, descriptor)
        tidy(claim)
        try:
            yield claim
        finally:
            tidy(claim)
            # Removed while it is locked: who waits for the lock of this file sees that it is gone.
            path.unlink(missing_ok=True)
    finally:
        os.close(descriptor)


def check_unclaimed(target: Path) -> None:
    """Check, before any work is done, that no other process writes to a target.

    Raises
    ------
    UserError
        One does.
    """
    try:
        descriptor = os.open(claim_of(target.resolve()), os.O_RDWR)
    except OSError:
        return
    try:
        if not lock(descriptor):
            raise being_written(target)
    finally:
        os.close(descriptor)


def being_written(target: Path) -> UserError:
    """Say that another process writes to a target."""
    return UserError("another run is being written to this folder", file=target, allowed="another folder, or wait")


def take(path: Path, target: Path) -> int:
    """Open and lock the file of a claim, made where it is missing; return its descriptor.

    Raises
    ------
    UserError
        Another process holds it.
    OSError
        No file can be made there.
    """
    looks = 0
    missing: FileNotFoundError | None = None
    for _ in range(TRIES):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
        except FileNotFoundError as error:
            missing = error  # another process that ended has removed the folder around it
            continue
        missing = None
        kept = False
        try:
            if lock(descriptor):
                # Otherwise its owner removed it as it ended.
                kept = identity(path) == identity_of(os.fstat(descriptor))
            else:
                looks += 1
        finally:
            if not kept:
                os.close(descriptor)
        if kept:
            return descriptor
        if looks == LOOKS:
            break
        if looks:
            time.sleep(BETWEEN_LOOKS)
    raise missing or being_written(target)


def lock(descriptor: int) -> bool:
    """Lock an open file until it is closed, if no other holds it; tell whether."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415

            os.lseek(descriptor, 2**30, os.SEEK_SET)  # behind the content, which others may read
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def read_claim(path: Path, target: Path, descriptor: int) -> Claim:
    """Read what the last owner of a claim has written into it; nothing where it is new.

    Raises
    ------
    UserError
        The file was written by something else.
    """
    os.lseek(descriptor, 0, os.SEEK_SET)
    text = os.read(descriptor, 2 * CLAIM_BYTES)
    if not text:
        return Claim(target, descriptor)
    try:
        found = json.loads(text)
        names = {name: found[name] for name in ("unfinished", "replaced")}
        sound = found["format"] == FORMAT and all(is_beside(target, name, kind) for kind, name in names.items())
    except (ValueError, TypeError, KeyError, RecursionError):
        sound = False
    if not sound:
        raise UserError("a file that this program did not write is in the way", file=path, allowed="move it away")
    return Claim(target, descriptor, **names)


def is_beside(target: Path, name: object, kind: str) -> bool:
    """Whether a claim's name is one that `name_beside` may have given, or empty."""
    if not isinstance(name, str):
        return False
    return not name or (name.startswith(f".{target.name}.{kind}-") and Path(name).name == name)


def name_beside(target: Path, kind: str) -> str:
    """Return a name beside the target that nothing has."""
    return f".{target.name}.{kind}-{secrets.token_hex(8)}"


def write_claim(claim: Claim) -> None:
    """Write what this process is about to make into its claim, and wait until it is on the disk."""
    said = {"format": FORMAT, "unfinished": claim.unfinished, "replaced": claim.replaced}
    os.lseek(claim.descriptor, 0, os.SEEK_SET)
    os.write(claim.descriptor, json.dumps(said).encode().ljust(CLAIM_BYTES))
    os.fsync(claim.descriptor)


def make_unfinished(claim: Claim) -> Path:
    """Make the folder that is to be filled, noted in the claim before it is there."""
    claim.unfinished = name_beside(claim.target, "unfinished")
    write_claim(claim)
    folder = claim.target.with_name(claim.unfinished)
    folder.mkdir()
    return folder


def tidy(claim: Claim) -> None:
    """Remove what the owner of a claim has left unfinished, and put back an old folder that has no successor.

    Raises
    ------
    UserError
        Something else took the place of an old folder that was to be put back.
    """
    unfinished = claim.target.with_name(claim.unfinished) if claim.unfinished else None
    replaced = claim.target.with_name(claim.replaced) if claim.replaced else None
    if replaced is not None and os.path.lexists(replaced):
        if not os.path.lexists(claim.target):
            replaced.rename(claim.target)
        elif unfinished is None or not os.path.lexists(unfinished):
            shutil.rmtree(replaced)  # its successor is in place
        else:
            message = f"the folder that was to be replaced lies in {replaced}, for something else took its place"
            raise UserError(message, file=claim.target, allowed="move one of them away")
    if unfinished is not None and os.path.lexists(unfinished):
        shutil.rmtree(unfinished)
    if claim.unfinished or claim.replaced:
        claim.unfinished = claim.replaced = ""
        write_claim(claim)


def identity(path: Path) -> tuple[int, int] | None:
    """What tells a file or folder from any other of its file system; None where there is none."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    return identity_of(found)


def identity_of(found: os.stat_result) -> tuple[int, int]:
    """What tells a file or folder from any other, by what the system says of it."""
    return found.st_dev, found.st_ino


def put_in_place(claim: Claim, unfinished: Path, before: tuple[int, int] | None, check: Callable[[], None]) -> None:
    """Make a filled folder the target, in place of the one that lay there before.

    Raises
    ------
    UserError
        Something else lies there now; the folder is then kept beside it.
    """
    target = claim.target
    sync_whole(unfinished)
    if identity(target) != before:
        kept = keep_beside(target, unfinished)
        message = f"something else appeared here meanwhile; what was to be written lies in {kept}"
        raise UserError(message, file=target)
    if before is not None:
        check()
        claim.replaced = name_beside(target, "replaced")
        write_claim(claim)
        target.rename(target.with_name(claim.replaced))
    # Onto a file or a folder that holds anything this fails.
    unfinished.rename(target)
    sync_folder(target.parent)


def keep_beside(target: Path, unfinished: Path) -> Path:
    """Give a filled folder the first free name after the target's, `first-2`; return it."""
    number = 2
    while os.path.lexists(kept := target.with_name(f"{target.name}-{number}")):
        number += 1
    unfinished.rename(kept)
    return kept

"""Folders in the making: one process claims a target, fills a folder beside it, and puts that in place when whole.

While a folder `first` is written there lie beside it `.first.claim`, a file that its owner has locked, and the folder
`.first.unfinished-...`. In that lie `content`, which becomes the target, and what its owner notes to go on with it. The
lock ends with the process that holds it, however that ends and in whatever container it runs; process numbers would
say nothing there. The claim names what its owner has made, so that whoever claims the target next can go on with it, or
tidy up, after a dead owner and touches nothing else.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from sim.data import disk
from sim.errors import UserError, lack_of_memory
from sim.players.sandbox import note_target

FORMAT = "empirelab-claim/1"
TRIES = 100
"""How often a claim is tried that another process keeps removing as it ends."""
LOOKS, BETWEEN_LOOKS = 3, 0.01
"""How often a locked claim is tried, and the seconds between: who only looks at it locks it for a moment."""
CONTENT, PLAN = "content", "plan.json"
"""What lies in an unfinished folder: the folder that becomes the target, and a file that says how to go on with it."""
CLAIM_BYTES = 4096
"""Bytes of a claim, so that a new content takes the place of the old at one stroke; names take half of them at most."""


@dataclass
class FolderLock:
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
    kept
        Whether the unfinished folder stays for whoever goes on with it.
    """

    target: Path
    descriptor: int
    unfinished: str = ""
    replaced: str = ""
    kept: bool = False

    @property
    def file(self) -> Path:
        """File of the claim."""
        return claim_of(self.target)


def claim_of(target: Path) -> Path:
    """File by which a target is claimed."""
    return target.with_name(f".{target.name}.claim")


def refuse_unfinished(unfinished: Path) -> bool:
    """Raise UserError for an unfinished folder that its owner would go on with; nothing is lost so."""
    target = target_of(unfinished)
    message = "an unfinished run lies here"
    raise UserError(message, file=target, allowed="another folder; or finish it with the command that began it")


def keep_nothing(error: BaseException) -> str:
    """Say nothing of what is kept: an unfinished folder is removed."""
    return ""


@contextmanager
def folder_in_the_making(
    target: Path,
    check: Callable[[], None],
    goes_on: Callable[[Path], bool] = refuse_unfinished,
    keeps: Callable[[BaseException], str] = keep_nothing,
) -> Iterator[Path]:
    """Give a folder to fill that becomes `target` when all went well, and vanishes when not, or is kept to go on with.

    The new folder is written to disk before it is put in place. An old one is moved aside for that and removed
    afterwards, so that at any moment one of them is whole.

    Parameters
    ----------
    target
        Where the folder is to be.
    check
        Raises where what lies at the target may not be replaced. Asked when the target is claimed, and before an old
        folder is replaced.
    goes_on
        Tells of an unfinished folder with a plan, which a dead owner has left, whether its content is what is given to
        be filled on, or else is removed; raises where it is neither. By default it is refused.
    keeps
        Says of an error in words what of the unfinished folder is kept; it is removed where nothing is.

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
            content = begin(claim, goes_on)
            try:
                yield content
                put_in_place(claim, content, before, check)
            except BaseException as error:
                words = keeps(error)
                claim.kept = bool(words) and os.path.lexists(content)
                if claim.kept:
                    raise_with(error, words, target)
                raise
            claim.kept = False
    except OSError as error:
        raise cannot_be_written(error, target) from error
    finally:
        for parent in made:
            with suppress(OSError):
                disk.remove_folder(parent)


def raise_with(error: BaseException, words: str, target: Path) -> NoReturn:
    """Raise an error again, which says in addition what is kept, as far as it says anything."""
    if isinstance(error, KeyboardInterrupt):
        raise KeyboardInterrupt(words) from error
    if reason := lack_of_memory(error):
        raise MemoryError(f"{reason}; {words}") from error
    if isinstance(error, OSError):
        raise cannot_be_written(error, target, words) from error
    if isinstance(error, UserError):
        raise UserError(f"{error}; {words}") from error
    raise error


def cannot_be_written(error: OSError, target: Path, words: str = "") -> UserError:
    """Say that a folder cannot be written, why, and what is kept of it."""
    # Whose permission is lacking, perhaps to tidy up after another user's run, is told; other names are our own.
    place = error.filename if isinstance(error, PermissionError) and error.filename else target
    reason = f"the output folder cannot be written: {error.strerror or error}"
    return UserError(f"{reason}; {words}" if words else reason, file=place)


@contextmanager
def claimed(target: Path) -> Iterator[FolderLock]:
    """Hold the claim on a target; what a dead owner or this one leaves is tidied up, unless it is kept.

    Raises
    ------
    UserError
        Another process holds it, or its file is no claim.
    """
    path = claim_of(target)
    descriptor = take(path, target)
    note_target(target)
    try:
        claim = read_claim(path, target, descriptor)
        claim.kept = may_be_gone_on_with(claim)
        settle(claim)
        try:
            yield claim
        finally:
            if not claim.kept:
                tidy(claim)
                # Removed while it is locked: who waits for the lock of this file sees that it is gone.
                if os.path.lexists(path):
                    disk.remove(path)
    finally:
        os.close(descriptor)


def drop_unfinished(target: Path) -> None:
    """Remove what a dead owner has left of a target, where no other process is at it and it can be removed."""
    if claim_of(target).exists() and not is_being_written(target):
        with suppress(UserError, OSError), claimed(target) as claim:
            claim.kept = False


def unfinished_at(target: Path) -> Path | None:
    """Return the unfinished folder of a target that has a plan, whether anybody is at it or not; None without one."""
    target = target.resolve()
    try:
        descriptor = os.open(claim_of(target), os.O_RDONLY)
    except OSError:
        return None
    try:
        claim = read_claim(claim_of(target), target, descriptor)
    except UserError:
        return None
    finally:
        os.close(descriptor)
    return target.with_name(claim.unfinished) if may_be_gone_on_with(claim) else None


def may_be_gone_on_with(claim: FolderLock) -> bool:
    """Whether the unfinished folder of a claim has a plan, and a content that is not yet in place."""
    if not claim.unfinished:
        return False
    folder = claim.target.with_name(claim.unfinished)
    return (folder / PLAN).is_file() and (folder / CONTENT).is_dir()


def target_of(unfinished: Path) -> Path:
    """Return the target whose unfinished folder this is."""
    return unfinished.with_name(unfinished.name[1:].rpartition(".unfinished-")[0])


def check_unclaimed(target: Path) -> None:
    """Check, before any work is done, that no other process writes to a target.

    Raises
    ------
    UserError
        One does.
    """
    if is_being_written(target):
        raise being_written(target)


def is_being_written(target: Path) -> bool:
    """Tell whether a process holds the claim on a target."""
    try:
        descriptor = os.open(claim_of(target.resolve()), os.O_RDWR)
    except OSError:
        return False
    try:
        return not lock(descriptor)
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
        disk.make_folders(path.parent)
        try:
            descriptor = disk.open_claim(path)
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


def read_claim(path: Path, target: Path, descriptor: int) -> FolderLock:
    """Read what the last owner of a claim has written into it; nothing where it is new.

    Raises
    ------
    UserError
        The file was written by something else.
    """
    os.lseek(descriptor, 0, os.SEEK_SET)
    text = os.read(descriptor, 2 * CLAIM_BYTES)
    if not text.strip(b"\0"):  # new, or as a power cut may leave what was
        return FolderLock(target, descriptor)
    try:
        found = json.loads(text)
        names = {name: found[name] for name in ("unfinished", "replaced")}
        sound = found["format"] == FORMAT and all(is_beside(target, name, kind) for kind, name in names.items())
    except (ValueError, TypeError, KeyError, RecursionError):
        sound = False
    if not sound:
        raise UserError("a file that this program did not write is in the way", file=path, allowed="move it away")
    return FolderLock(target, descriptor, **names)


def is_beside(target: Path, name: object, kind: str) -> bool:
    """Whether a claim's name is one that `name_beside` may have given, or empty."""
    if not isinstance(name, str):
        return False
    return not name or (name.startswith(f".{target.name}.{kind}-") and Path(name).name == name)


def name_beside(target: Path, kind: str) -> str:
    """Return a name beside the target that nothing has."""
    return f".{target.name}.{kind}-{secrets.token_hex(8)}"


def write_claim(claim: FolderLock) -> None:
    """Write what this process is about to make into its claim, and wait until it is on the disk."""
    said = {"format": FORMAT, "unfinished": claim.unfinished, "replaced": claim.replaced}
    disk.write_claim(claim.file, claim.descriptor, json.dumps(said).encode().ljust(CLAIM_BYTES))
    disk.sync_claim(claim.file, claim.descriptor)


def begin(claim: FolderLock, goes_on: Callable[[Path], bool]) -> Path:
    """Return the content of the unfinished folder: that of a dead owner, or of a new one, named in the claim first."""
    if claim.unfinished:
        folder = claim.target.with_name(claim.unfinished)
        if claim.kept and goes_on(folder):
            return folder / CONTENT
        claim.kept = False
        tidy(claim)
    claim.unfinished = name_beside(claim.target, "unfinished")
    write_claim(claim)
    disk.sync_folder(claim.target.parent)  # the claim must outlive what it names
    folder = claim.target.with_name(claim.unfinished)
    disk.make_folder(folder)
    disk.make_folder(folder / CONTENT)
    disk.sync_folder(folder)
    disk.sync_folder(folder.parent)
    return folder / CONTENT


def settle(claim: FolderLock) -> None:
    """Put back an old folder that a dead owner has moved aside and that has no successor, or else remove it.

    Raises
    ------
    UserError
        Something else took the place of an old folder that was to be put back.
    """
    replaced = claim.target.with_name(claim.replaced) if claim.replaced else None
    if replaced is not None and os.path.lexists(replaced):
        if not os.path.lexists(claim.target):
            disk.rename(replaced, claim.target)
        elif is_in_place(claim):
            disk.remove_tree(replaced)
        else:
            message = f"the folder that was to be replaced lies in {replaced}, for something else took its place"
            raise UserError(message, file=claim.target, allowed="move one of them away")
        disk.sync_folder(claim.target.parent)
    if claim.replaced:
        claim.replaced = ""
        write_claim(claim)


def is_in_place(claim: FolderLock) -> bool:
    """Whether the content of an unfinished folder has become the target, so that nothing but notes is left of it."""
    unfinished = claim.target.with_name(claim.unfinished) if claim.unfinished else None
    if unfinished is None or not os.path.lexists(unfinished):
        return True
    names = [path.name for path in unfinished.iterdir()]
    return CONTENT not in names and (PLAN in names or not names)


def tidy(claim: FolderLock) -> None:
    """Settle a claim and remove its unfinished folder, the plan first: what lacks one is never gone on with.

    Raises
    ------
    UserError
        As for `settle`.
    """
    settle(claim)
    unfinished = claim.target.with_name(claim.unfinished) if claim.unfinished else None
    if unfinished is not None and os.path.lexists(unfinished):
        if (unfinished / PLAN).is_file():
            disk.remove(unfinished / PLAN)
        disk.remove_tree(unfinished)
        disk.sync_folder(unfinished.parent)  # the claim must outlive what it names
    if claim.unfinished:
        claim.unfinished = ""
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


def put_in_place(claim: FolderLock, content: Path, before: tuple[int, int] | None, check: Callable[[], None]) -> None:
    """Make a filled folder the target, in place of the one that lay there before.

    Raises
    ------
    UserError
        Something else lies there now; the folder is then kept beside it.
    """
    target = claim.target
    disk.sync_tree(content)
    if identity(target) != before:
        kept = keep_beside(target, content)
        message = f"something else appeared here meanwhile; what was to be written lies in {kept}"
        raise UserError(message, file=target)
    if before is not None:
        check()
        claim.replaced = name_beside(target, "replaced")
        write_claim(claim)
        disk.rename(target, target.with_name(claim.replaced))
    # Onto a file or a folder that holds anything this fails.
    disk.rename(content, target)
    disk.sync_folder(content.parent)
    disk.sync_folder(target.parent)


def keep_beside(target: Path, content: Path) -> Path:
    """Give a filled folder the first free name after the target's, `first-2`; return it."""
    number = 2
    while os.path.lexists(kept := target.with_name(f"{target.name}-{number}")):
        number += 1
    disk.rename(content, kept)
    disk.sync_folder(target.parent)
    return kept

"""Writes an output folder atomically: takes a lock, writes to a temporary sibling, and renames it when complete.

While a folder `first` is written, two siblings exist: the lock file `.first.claim` and the folder
`.first.unfinished-...`. This folder holds the checkpoint, and `content`, the folder that becomes the target.

The operating system releases the lock when the process that holds it ends in any way. This works across containers,
where a process id would mean nothing. The lock file names the siblings that its process has made. So after a crash the
next process can resume or clean up, and touches nothing else.
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
"""Maximum number of attempts to open and lock a lock file, because other processes remove it when they end."""
LOOKS, BETWEEN_LOOKS = 3, 0.01
"""Number of attempts to lock a file that is locked, and the seconds between them. A process that only checks whether a
file is locked holds the lock for a moment. Another attempt then succeeds."""
CONTENT, PLAN = "content", "plan.json"
"""Names within an unfinished folder. `CONTENT` is the folder that becomes the target. `PLAN` is the file with the plan
of the checkpoint."""
CLAIM_BYTES = 4096
"""Size of a lock file in bytes. It is fixed, so that one write replaces the content. Names take at most half of it."""


@dataclass
class FolderLock:
    """The lock on a target. While this process holds the lock, no other process may write to the target.

    Attributes
    ----------
    target
        The output folder.
    descriptor
        The open lock file.
    unfinished, replaced
        Names of siblings of the target: the folder being filled, and the old folder while it is being replaced. Empty
        if there is no such folder.
    kept
        Whether to keep the unfinished folder, so that it can be resumed.
    """

    target: Path
    descriptor: int
    unfinished: str = ""
    replaced: str = ""
    kept: bool = False

    @property
    def file(self) -> Path:
        """The lock file."""
        return claim_of(self.target)


def claim_of(target: Path) -> Path:
    """Return the lock file of a target."""
    return target.with_name(f".{target.name}.claim")


def refuse_unfinished(unfinished: Path) -> bool:
    """Raise UserError for an unfinished folder that could be resumed, so that nothing is lost."""
    target = target_of(unfinished)
    message = "an unfinished run is here"
    raise UserError(message, file=target, allowed="another folder; or finish it with the command that began it")


@contextmanager
def atomic_folder(
    target: Path,
    check: Callable[[], None],
    can_resume: Callable[[Path], bool] = refuse_unfinished,
    keeps: Callable[[BaseException], str] = lambda error: "",
) -> Iterator[Path]:
    """Yield a folder to fill. On success it becomes `target`; on an error it is removed, or kept to be resumed.

    The new folder is synced to disk before it is renamed. An old folder is moved aside first and removed afterwards, so
    that at any moment either the old or the new folder is complete.

    Parameters
    ----------
    target
        The output folder.
    check
        Raises if the existing target must not be replaced. Called when the lock is taken, and before an old folder is
        replaced.
    can_resume
        Called with an unfinished folder that a crashed process has left. If it returns true, the content of that folder
        is yielded, to be completed. If it returns false, the folder is removed. It may also raise, as the default does.
    keeps
        Function from an error to a message that says what is saved. If the message is empty, the unfinished folder is
        removed.

    Raises
    ------
    UserError
        Another process writes to the target, something appeared there during the run, or the folder cannot be made.
    """
    target = target.resolve()
    made = [parent for parent in target.parents if not parent.exists()]
    try:
        with claimed(target) as claim:
            check()
            before = identity(target)
            content = begin(claim, can_resume)
            try:
                yield content
                install(claim, content, before, check)
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
    """Reraise an expected error with `words`, which say how much is saved, in its message; others unchanged."""
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
    """Return the error for a folder that cannot be written, with the reason and the message about saved games."""
    # If access was denied, name the file itself, which may belong to another user's run. Otherwise name the target.
    place = error.filename if isinstance(error, PermissionError) and error.filename else target
    reason = f"the output folder cannot be written: {error.strerror or error}"
    return UserError(f"{reason}; {words}" if words else reason, file=place)


@contextmanager
def claimed(target: Path) -> Iterator[FolderLock]:
    """In a `with` block: hold the lock on a target; yield the lock.

    At the end remove the unfinished folder of this or of a crashed process, unless it is to be resumed (`kept`). Raise
    UserError if another process holds the lock, or the lock file was not written by this program.
    """
    path = claim_of(target)
    descriptor = take_lock(path, target)
    note_target(target)
    try:
        claim = read_claim(path, target, descriptor)
        claim.kept = is_resumable(claim)
        recover_replaced(claim)
        try:
            yield claim
        finally:
            if not claim.kept:
                cleanup(claim)
                # Remove the file while it is locked, so that a process that waits for this lock sees that it is gone.
                if os.path.lexists(path):
                    disk.remove(path)
    finally:
        os.close(descriptor)


def discard_checkpoint(target: Path) -> None:
    """Remove the checkpoint that a process has left at a target, unless another process holds the lock."""
    if claim_of(target).exists() and not is_being_written(target):
        with suppress(UserError, OSError), claimed(target) as claim:
            claim.kept = False


def unfinished_at(target: Path) -> Path | None:
    """Return the unfinished folder of a target, locked or not. Return None if no such folder with a plan exists."""
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
    return target.with_name(claim.unfinished) if is_resumable(claim) else None


def is_resumable(claim: FolderLock) -> bool:
    """Tell whether a lock's unfinished folder exists, has a plan, and still has its folder `content`."""
    if not claim.unfinished:
        return False
    folder = claim.target.with_name(claim.unfinished)
    return (folder / PLAN).is_file() and (folder / CONTENT).is_dir()


def target_of(unfinished: Path) -> Path:
    """Return the target of an unfinished folder."""
    return unfinished.with_name(unfinished.name[1:].rpartition(".unfinished-")[0])


def is_being_written(target: Path) -> bool:
    """Tell whether a process holds the lock on a target."""
    try:
        descriptor = os.open(claim_of(target.resolve()), os.O_RDWR)
    except OSError:
        return False
    try:
        return not lock(descriptor)
    finally:
        os.close(descriptor)


def being_written(target: Path) -> UserError:
    """Return the error for a target to which another process is writing."""
    return UserError("another run is being written to this folder", file=target, allowed="another folder, or wait")


def take_lock(path: Path, target: Path) -> int:
    """Open a lock file, creating it if necessary, and lock it; return its descriptor.

    Raise UserError if another process holds the lock. Raise OSError if the lock file cannot be created.
    """
    looks = 0
    missing: FileNotFoundError | None = None
    for _ in range(TRIES):
        disk.make_folders(path.parent)
        try:
            descriptor = disk.open_claim(path)
        except FileNotFoundError as error:
            missing = error  # another process has ended, and has removed the folder for the lock file
            continue
        missing = None
        kept = False
        try:
            if lock(descriptor):
                # If the path no longer leads to the locked file, the process that held the lock has removed the file.
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
    """Lock an open file until it is closed; return False if another process holds the lock."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415

            os.lseek(descriptor, 2**30, os.SEEK_SET)  # lock a byte beyond the content; all can read the rest
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def read_claim(path: Path, target: Path, descriptor: int) -> FolderLock:
    """Read the names that the last process wrote to a lock file; they are empty for a new file.

    Raises
    ------
    UserError
        Another program wrote the file.
    """
    os.lseek(descriptor, 0, os.SEEK_SET)
    text = os.read(descriptor, 2 * CLAIM_BYTES)
    if not text.strip(b"\0"):  # new, or emptied by a power cut
        return FolderLock(target, descriptor)
    try:
        found = json.loads(text)
        names = {name: found[name] for name in ("unfinished", "replaced")}
        sound = found["format"] == FORMAT and all(is_sibling_name(target, name, kind) for kind, name in names.items())
    except (ValueError, TypeError, KeyError, RecursionError):
        sound = False
    if not sound:
        raise UserError("a file that this program did not write is in the way", file=path, allowed="move it away")
    return FolderLock(target, descriptor, **names)


def is_sibling_name(target: Path, name: object, kind: str) -> bool:
    """Tell whether a name in a lock file is valid: it is empty, or has the form that `sibling_name` gives."""
    if not isinstance(name, str):
        return False
    return not name or (name.startswith(f".{target.name}.{kind}-") and Path(name).name == name)


def sibling_name(target: Path, kind: str) -> str:
    """Return an unused name for a sibling of the target."""
    return f".{target.name}.{kind}-{secrets.token_hex(8)}"


def write_claim(claim: FolderLock) -> None:
    """Write the names of the sibling folders that this process is about to make, and sync the lock file."""
    said = {"format": FORMAT, "unfinished": claim.unfinished, "replaced": claim.replaced}
    disk.write_claim_file(claim.file, claim.descriptor, json.dumps(said).encode().ljust(CLAIM_BYTES))
    disk.sync_claim(claim.file, claim.descriptor)


def begin(claim: FolderLock, can_resume: Callable[[Path], bool]) -> Path:
    """Return the folder `content` to fill: that of an unfinished folder to resume, or of a new one.

    An unfinished folder that is not to be resumed is removed. The name of a new folder is written to the lock file
    before the folder is made.
    """
    if claim.unfinished:
        folder = claim.target.with_name(claim.unfinished)
        if claim.kept and can_resume(folder):
            return folder / CONTENT
        claim.kept = False
        cleanup(claim)
    claim.unfinished = sibling_name(claim.target, "unfinished")
    write_claim(claim)
    disk.sync_folder(claim.target.parent)  # the lock file must be on disk before the folders that it names
    folder = claim.target.with_name(claim.unfinished)
    disk.make_folder(folder)
    disk.make_folder(folder / CONTENT)
    disk.sync_folder(folder)
    disk.sync_folder(folder.parent)
    return folder / CONTENT


def recover_replaced(claim: FolderLock) -> None:
    """Restore an old folder that a crashed process moved aside; if the new folder is in place, remove the old one.

    Raise UserError if something else is at the place of the folder to be restored.
    """
    replaced = claim.target.with_name(claim.replaced) if claim.replaced else None
    if replaced is not None and os.path.lexists(replaced):
        if not os.path.lexists(claim.target):
            disk.rename(replaced, claim.target)
        elif is_in_place(claim):
            disk.remove_tree(replaced)
        else:
            message = f"the folder to be replaced was moved to {replaced}, and something else took its place"
            raise UserError(message, file=claim.target, allowed="move one of them away")
        disk.sync_folder(claim.target.parent)
    if claim.replaced:
        claim.replaced = ""
        write_claim(claim)


def is_in_place(claim: FolderLock) -> bool:
    """Tell whether the unfinished folder lacks `content` because this was renamed to the target."""
    unfinished = claim.target.with_name(claim.unfinished) if claim.unfinished else None
    if unfinished is None or not os.path.lexists(unfinished):
        return True
    names = [path.name for path in unfinished.iterdir()]
    return CONTENT not in names and (PLAN in names or not names)


def cleanup(claim: FolderLock) -> None:
    """Recover a replaced folder, and remove the unfinished folder.

    Its plan is removed first, because a folder without a plan is never resumed.
    """
    recover_replaced(claim)
    unfinished = claim.target.with_name(claim.unfinished) if claim.unfinished else None
    if unfinished is not None and os.path.lexists(unfinished):
        if (unfinished / PLAN).is_file():
            disk.remove(unfinished / PLAN)
        disk.remove_tree(unfinished)
        disk.sync_folder(unfinished.parent)  # the lock file must name the folder until its removal is on disk
    if claim.unfinished:
        claim.unfinished = ""
        write_claim(claim)


def identity(path: Path) -> tuple[int, int] | None:
    """Return the numbers that identify a file or folder in its file system; None if it does not exist."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    return identity_of(found)


def identity_of(found: os.stat_result) -> tuple[int, int]:
    """Return the numbers that identify a file or folder, from the result of its `stat`."""
    return found.st_dev, found.st_ino


def install(claim: FolderLock, content: Path, before: tuple[int, int] | None, check: Callable[[], None]) -> None:
    """Rename a filled folder to the target, in place of an old folder.

    Raise UserError if something else is at the target now. The filled folder is then saved as a sibling.
    """
    target = claim.target
    disk.sync_tree(content)
    if identity(target) != before:
        kept = save_as_sibling(target, content)
        message = f"something else appeared here during the run; the result is in {kept}"
        raise UserError(message, file=target)
    if before is not None:
        check()
        claim.replaced = sibling_name(target, "replaced")
        write_claim(claim)
        disk.rename(target, target.with_name(claim.replaced))
    # This fails if a file or a folder that is not empty is in the way.
    disk.rename(content, target)
    disk.sync_folder(content.parent)
    disk.sync_folder(target.parent)


def save_as_sibling(target: Path, content: Path) -> Path:
    """Rename a filled folder to the first free name beside the target, such as `first-2`; return the new path."""
    number = 2
    while os.path.lexists(kept := target.with_name(f"{target.name}-{number}")):
        number += 1
    disk.rename(content, kept)
    disk.sync_folder(target.parent)
    return kept

"""Disks that fail: each step (`sim.data.disk`) can stop, be refused or cut short; power can fail."""

import errno
import os
import random
from dataclasses import dataclass, field
from pathlib import Path

WRITES = ("write", "append", "write_claim_file")
"""Steps that put bytes into a file."""
NEEDS_ROOM = (*WRITES, "make_folder", "open_claim")
"""Steps that a full disk refuses."""


class KilledError(BaseException):
    """The process is gone."""


@dataclass
class Fault:
    """Lets steps fail from one of them on; takes the place of `sim.data.disk.watch`.

    Kinds are "kill" (nothing is done from here on), "kill within" (the same, but half of what was to be written is),
    "full" (what needs room is refused, with half of it written), "error" (this one step fails), "dead" (all steps fail
    from here on).
    """

    kind: str
    at: int | None = None  # number of the step, from 0; None to count only
    steps: list[str] = field(default_factory=list)

    def __call__(self, step: str, path: Path, *more: object) -> None:
        number = len(self.steps)
        self.steps.append(step)
        if self.at is None or number < self.at:
            return
        if self.kind.startswith("kill"):
            if number == self.at and self.kind == "kill within":
                write_half(step, path, *more)
            raise KilledError
        if self.kind == "full" and step in NEEDS_ROOM:
            if step != "open_claim":
                write_half(step, path, *more)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        elif self.kind == "dead" or (self.kind == "error" and number == self.at):
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))


def write_half(step: str, path: Path, *more: object) -> None:
    """Write half of what a step was to write; a claim is written as a whole or not."""
    if step in ("write", "append") and isinstance(more[0], bytes):
        with path.open("wb" if step == "write" else "ab") as file:
            file.write(more[0][: len(more[0]) // 2])


@dataclass
class Recorder:
    """Notes every step with what it takes; takes the place of `sim.data.disk.watch`."""

    home: Path
    steps: list[tuple[str, Path, tuple[object, ...]]] = field(default_factory=list)

    def __call__(self, step: str, path: Path, *more: object) -> None:
        inside = tuple(one.relative_to(self.home) if isinstance(one, Path) else one for one in more)
        if path.is_relative_to(self.home) and path != self.home.parent:
            self.steps.append((step, path.relative_to(self.home), inside))


def after_power_cut(steps: list[tuple[str, Path, tuple[object, ...]]], home: Path, draw: random.Random) -> None:
    """Make in an empty folder what a disk may hold when the power fails after some steps.

    Of each file the bytes at its last sync are there, or any that were written since, in part. Of each folder the names
    at its last sync are there, or those after any of its later changes.
    """
    reach = {}
    for number, (step, path, _) in enumerate(steps):
        if step == "sync_folder":
            reach[path] = number
    reach = {
        folder_of: draw.randint(reach.get(folder_of, -1), len(steps)) for folder_of in {p.parent for _, p, _ in steps}
    }
    names: dict[Path, int] = {}
    data: dict[int, list[bytes]] = {}
    now: dict[Path, int] = {}  # names as the process saw them, for whose file a write or a sync was
    folders, seen = {Path()}, {Path()}
    for number, (step, path, more) in enumerate(steps):
        there = number <= reach[path.parent]
        if step == "make_folder":
            seen.add(path)
            if there and path.parent in folders:
                folders.add(path)
        elif step in ("write", "open_claim"):
            if path not in now:
                now[path] = number
                data[number] = [b""]
                if there and path.parent in folders:
                    names[path] = number
            if step == "write":
                data[now[path]].append(as_bytes(more[0]))
        elif step == "append":
            data[now[path]].append(data[now[path]][-1] + as_bytes(more[0]))
        elif step == "write_claim_file":
            data[now[path]].append(as_bytes(more[1]))
        elif step in ("sync", "sync_claim"):
            data[now[path]] = data[now[path]][-1:]
        elif step in ("rename", "replace"):
            to = more[0]
            assert isinstance(to, Path)
            moved(now, seen, path, to)
            if number <= reach.get(to.parent, -1) and to.parent in folders:
                moved(names, folders, path, to)
        elif step == "remove":
            now.pop(path, None)
            if there:
                names.pop(path, None)
        elif step == "remove_folder":
            seen.discard(path)
            if there:  # with whatever had names in it, for nothing leads there any more
                folders = {one for one in folders if one != path and path not in one.parents}
                names = {one: file for one, file in names.items() if path not in one.parents}
    for folder in sorted(folders):
        (home / folder).mkdir(exist_ok=True)
    for path, file in names.items():
        if path.parent in folders:
            (home / path).write_bytes(torn(data[file], draw, whole=path.name.endswith(".claim")))


def as_bytes(content: object) -> bytes:
    assert isinstance(content, bytes)
    return content


def moved(names: dict[Path, int], folders: set[Path], path: Path, to: Path) -> None:
    """Give a name to what had another, with all that lies below it."""
    for one in [one for one in names if one == path or path in one.parents]:
        names[to / one.relative_to(path) if one != path else to] = names.pop(one)
    for one in [one for one in folders if one == path or path in one.parents]:
        folders.discard(one)
        folders.add(to / one.relative_to(path) if one != path else to)


def torn(contents: list[bytes], draw: random.Random, whole: bool) -> bytes:
    """One of the contents that a file has had since its last sync, or a part of one, or zeros in its place."""
    content = draw.choice(contents)
    if whole or len(contents) == 1:
        return content
    return draw.choice([content, content[: draw.randint(0, len(content))], bytes(len(content))])

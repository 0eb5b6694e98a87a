"""Run Python in a process of its own."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sim.compiler.source_digest import GUARDED

ROOT = Path(__file__).parents[2]
MAX_SECONDS = 300
"""A process that takes longer hangs."""


@dataclass(frozen=True)
class Outcome:
    """Exit status and output of a command."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The document that was printed."""
        return json.loads(self.out)

    @property
    def said(self) -> str:
        """What was printed, as one line."""
        return " ".join(self.out.split())


def in_process(folder: Path, *command: object, **environment: str) -> Outcome:
    """Run Python with these arguments in a process of its own, which guards strategies as it does for a user."""
    with start_process(folder, *command, **environment) as process:
        try:
            out, err = process.communicate(timeout=MAX_SECONDS)
        finally:
            process.kill()
        return Outcome(process.returncode, out, err)


def start_process(folder: Path, *command: object, **environment: str) -> subprocess.Popen[str]:
    """Start such a process."""
    inherited = {name: value for name, value in os.environ.items() if name != GUARDED}
    environment = inherited | {"PYTHONPATH": str(ROOT)} | environment
    words, pipe = [sys.executable, *map(str, command)], subprocess.PIPE
    return subprocess.Popen(words, cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True)

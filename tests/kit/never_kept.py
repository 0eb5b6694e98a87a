"""A law that no table keeps."""

from typing import Any

from sim.compiler.kernel import kernel

LAWS = ("nothing is allowed",)


@kernel
def broken_law(g: Any, t: Any, me: int, decision: int, notes: Any) -> int:
    """Number of the law that is broken: always the first."""
    return 0

"""Players who look ahead, from the command line: played, kept in the manifest, told again, and refused where wrong."""

from pathlib import Path

from sim.runs.store.manifest import load_manifest
from tests.cli.conftest import Program

FAR_SIGHTED = """
name = "far-sighted"
base = "balanced"
description = "Balanced, playing two options on."

[search]
rollouts = 1
options = 2
horizon = 1
decisions = ["play"]
"""


def test_a_run_with_players_who_look_ahead_is_played_and_told_again(empirelab: Program, tmp_path: Path) -> None:
    (tmp_path / "far.toml").write_text(FAR_SIGHTED)
    names = "balanced+1,far-sighted,random"
    words = ("--games", 3, "--players", 3, "--strategies", names, "--code", "far.toml", "--quiet", "--out", "out")
    empirelab("simulate", "seven_wonders", *words)
    kept = {row.name: row.search for row in load_manifest(tmp_path / "out").strategies}
    near, far = kept["balanced+1"], kept["far-sighted"]
    assert kept["random"] is None
    assert near is not None
    assert far is not None
    assert (near.rollouts, near.options, far.options, far.decisions) == (1, 5, 2, ["play"])
    told = empirelab("replay", "out", "--game", 1)
    assert "balanced+1" in told.out

"""Several runs in one file, and files given to the command for others."""

from pathlib import Path

from sim.runs.store.manifest import read_manifest
from tests.cli.conftest import Message, Program

SHARED = 'game = "seven_wonders"\ngames = 1.2e1\nplayers = 3\nstrategies = ["random"]\njobs = 1\nout = "runs/all"\n'
TWO = '[[run]]\nname = "war"\nstrategies = ["military", "greedy"]\n[[run]]\nname = "four"\nplayers = 4\nseed = 7\n'


def test_each_run_of_a_file_is_written_to_a_folder_of_its_own(empirelab: Program, complaint: Message) -> None:
    Path("several.toml").write_text(SHARED + TWO)
    done = empirelab("run", "several.toml")
    assert done.err.splitlines() == ["run 1 of 2: war", "run 2 of 2: four"]
    war, four = read_manifest(Path("runs/all/war")), read_manifest(Path("runs/all/four"))
    assert (war["lineup"], war["players"], war["seed"]) == (["military", "greedy"], 3, 1)
    assert (four["lineup"], four["players"], four["seed"]) == (["random"], 4, 7)
    elsewhere = empirelab("run", "several.toml", "--out", "here", "--json").json
    assert [one["folder"] for one in elsewhere["runs"]] == ["here/war", "here/four"]
    assert "runs/all/war: the output folder exists" in complaint("run", "several.toml")

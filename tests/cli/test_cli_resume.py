"""The same command resumes an interrupted one; damaged parts are played again on demand."""

from pathlib import Path
from typing import cast

import polars as pl
import pytest

from reports.data.load import load_run, load_so_far
from reports.sections.course.place_maps import heat_sections
from sim.runs import run as playing
from sim.runs.store import resume
from sim.runs.store.run_folder import claimed, unfinished_at
from tests.cli.conftest import Message, Program
from tests.kit.processes import Outcome
from tests.reports.synthetic import edit
from tests.runs.conftest import parts

OPTIONS = ("--players", "3,4", "--strategies", "random,greedy", "--detail", "cards", "--jobs", 1)
SIMULATE = ("simulate", "seven_wonders", "--games", 60, *OPTIONS)
SEVERAL = (
    'game = "seven_wonders"\ngames = 60\nplayers = 3\nstrategies = ["random"]\njobs = 1\nout = "runs"\n'
    '[[run]]\nname = "war"\n[[run]]\nname = "peace"\nseed = 2\n'
)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts and shards of 20 games."""
    for name in ("PART_GAMES", "PART_GAMES_OF_PIECES", "SHARD_GAMES", "SHARD_GAMES_WITH_PIECES"):
        monkeypatch.setattr(playing, name, 20)


@pytest.fixture
def interrupted(empirelab: Program, monkeypatch: pytest.MonkeyPatch) -> Program:
    """Run a command that is interrupted when some shards are written."""

    def run(shards: int, *words: object) -> Outcome:
        stand, calls = resume.Session.save_if_due, [0]

        def interrupt(session: resume.Session) -> None:
            calls[0] += 1
            if calls[0] == shards:
                raise KeyboardInterrupt
            stand(session)

        with monkeypatch.context() as patched:
            patched.setattr(resume.Session, "save_if_due", interrupt)
            return empirelab(*words, status=130)

    return run


@pytest.fixture
def stopped(interrupted: Program, once: Program) -> Outcome:
    """A whole run in the folder `undisturbed`; in `out` the same run, stopped after 50 of 60 games."""
    once(*SIMULATE, "--quiet", "--out", "undisturbed")
    return interrupted(3, *SIMULATE, "--out", "out")


@pytest.fixture
def unfinished(stopped: Outcome, tmp_path: Path) -> Path:
    """The folder with the games of the stopped run."""
    return cast(Path, unfinished_at(tmp_path / "out"))


def test_the_same_command_goes_on_with_what_an_interrupt_has_left(
    empirelab: Program, stopped: Outcome, complaint: Message, tmp_path: Path
) -> None:
    kept = "50 of 60 games saved; run the same command to resume"
    assert stopped.out == ""
    assert stopped.err.endswith(f"empirelab: interrupted; {kept}\n")
    said = complaint(*SIMULATE, "--out", "out", "--seed", 2)
    assert "out: an unfinished run of another plan is here: seed 1 there, 2 asked for" in said
    assert "allowed: another folder, or --overwrite to discard it" in said
    (tmp_path / "empirelab.toml").write_text("seed = 2\n")  # a user's defaults do not change an unfinished run either
    assert empirelab(*SIMULATE, "--out", "out", status=2).err == f"defaults from empirelab.toml: --seed 2\n{said}\n"
    (tmp_path / "empirelab.toml").unlink()
    done = empirelab(*SIMULATE, "--out", "out")
    assert "resuming: 50 of 60 games already played\n" in done.err
    assert done.out.startswith("60 games, 210 seats in ")
    assert parts(tmp_path / "out") == parts(tmp_path / "undisturbed")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "undisturbed"]
    empirelab("check", "out", "undisturbed")


def test_of_several_runs_those_that_are_there_are_passed_over_after_an_interrupt(
    empirelab: Program, interrupted: Program, complaint: Message, tmp_path: Path
) -> None:
    (tmp_path / "several.toml").write_text(SEVERAL)
    interrupted(5, "run", "several.toml", "--quiet")
    assert sorted(path.name for path in (tmp_path / "runs").iterdir())[-1] == "war"
    for old, new, message in (
        ("seed = 2", "seed = 3", "runs/peace: an unfinished run of another plan is here: seed 2 there, 3 asked for"),
        ('"war"', '"war"\nseed = 4', "runs/war: the run that is here has another plan: seed 1 there, 4 asked for"),
    ):
        (tmp_path / "other.toml").write_text(SEVERAL.replace(old, new))
        assert message in complaint("run", "other.toml")
    done = empirelab("run", "several.toml", "--json")
    assert done.err.splitlines()[:3] == [
        "run 1 of 2: war is finished",
        "run 2 of 2: peace",
        "resuming: 40 of 60 games already played",
    ]
    war, peace = done.json["runs"]
    assert war == {"name": "war", "folder": "runs/war", "played_before": True}
    assert peace["games"] == 60
    assert "runs/war: the output folder exists" in complaint("run", "several.toml")


def test_an_unfinished_run_is_no_whole_one(empirelab: Program, complaint: Message, unfinished: Path) -> None:
    assert "out: an unfinished run, 50 of 60 games are there, in 4 whole parts" in complaint("check", "out")
    part = unfinished / "content" / "seats" / "part-000001.parquet"
    whole = part.read_bytes()
    part.write_bytes(whole[1:])
    assert "of its parts 1 of 4 are damaged (found: 'seats/part-000001.parquet')" in complaint("check", "out")
    mended = empirelab("check", "out", "--repair")
    assert mended.out == "out: played again: seats/part-000001.parquet\nout: unfinished; all its parts are intact\n"
    assert part.read_bytes() == whole
    empirelab(*SIMULATE, "--out", "out", "--quiet")


# ---- What is there so far ----


@pytest.mark.usefixtures("sketched_figures")
def test_a_report_says_what_an_unfinished_run_has_so_far(
    empirelab: Program, stopped: Outcome, complaint: Message, tmp_path: Path
) -> None:
    done = empirelab("report", "out", "--html", "page.html")
    assert done.out.startswith("7 Wonders, standard: 50 games of 3 or 4 players in 15 blocks, seed 1\n")
    sentence = "Unfinished: 50 of 60 games so far; the command that started it resumes it."
    assert sentence in done.said
    assert sentence in (tmp_path / "page.html").read_text("utf-8")
    found = empirelab("report", "out", "--json").json
    assert found["run"]["unfinished"] == {"at_most": 60, "being_written": False}
    whole = load_run(Path("undisturbed")).seats.filter(pl.col("game") < 50).collect()
    assert load_so_far(Path("out")).seats.collect().equals(whole)
    for words in (("compare", "out", "undisturbed"), ("replay", "out"), ("report", "undisturbed", "--with", "out")):
        assert "out: an unfinished run: it is being played or was interrupted" in complaint(*words)
    with claimed(tmp_path / "out"):
        assert "50 of 60 games so far; it is still running." in empirelab("report", "out").said
        assert "another run is being written to this folder" in empirelab(*SIMULATE, "--out", "out", status=2).err


def test_a_report_shows_what_the_games_so_far_have_counted(empirelab: Program, interrupted: Program) -> None:
    words = ("simulate", "history_of_the_world", "--games", 60, "--strategies", "greedy", "--detail", "cards")
    empirelab(*words, "--jobs", 1, "--out", "undisturbed", "--quiet")
    interrupted(2, *words, "--jobs", 1, "--out", "out")
    found, whole = load_so_far(Path("out")), load_run(Path("undisturbed"))
    assert set(found.tallies) == set(whole.tallies) == {"lands", "rolls"}
    for name, tally in found.tallies.items():
        so_far = tally.collect()
        assert so_far.equals(whole.tallies[name].filter(pl.col("game") < 40).collect())
        assert so_far["game"].n_unique() == 40
    assert len(heat_sections(found)) == len(heat_sections(whole)) == 1


def test_a_report_of_the_first_number_of_players_is_one_of_that_number(
    empirelab: Program, interrupted: Program
) -> None:
    interrupted(2, *SIMULATE, "--out", "out")
    said = "7 Wonders, standard: 30 games of 3 players in 10 blocks, seed 1\n"
    assert empirelab("report", "out").out.startswith(said)


def test_what_cannot_be_reported_yet_is_told(complaint: Message, unfinished: Path) -> None:
    (unfinished / "waiting" / "seats-50.parquet").write_bytes(b"?")
    assert "the buffered games of this unfinished run are damaged" in complaint("report", "out")
    (unfinished / "parts.jsonl").write_bytes(b"")
    assert "this unfinished run has no games yet" in complaint("report", "out")


def test_a_run_that_is_finished_while_it_is_looked_at_is_reported_as_a_whole_one(
    empirelab: Program, stopped: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    so_far = load_so_far(Path("out"))
    empirelab(*SIMULATE, "--out", "out", "--quiet")
    monkeypatch.setattr("reports.data.load.load_so_far", lambda folder: so_far)
    assert empirelab("report", "out").out.startswith("7 Wonders, standard: 60 games of 3 or 4 players")


# ---- Repairs of finished runs ----


DAMAGED = ["seats/part-000000.parquet", "seats/part-000002.parquet", "cards/part-000001.parquet"]


@pytest.fixture
def out(once: Program, tmp_path: Path) -> Path:
    """A whole run in the folder `out`."""
    once(*SIMULATE, "--quiet", "--out", "out")
    return tmp_path / "out"


def test_repair_plays_again_what_is_damaged_and_no_more(empirelab: Program, out: Path) -> None:
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    (out / DAMAGED[0]).unlink()
    (out / DAMAGED[1]).write_bytes(b"?")
    (out / DAMAGED[2]).write_bytes((out / "seats" / "part-000001.parquet").read_bytes())
    (out / "seats" / "part-000001.unfinished").write_bytes(b"half")
    empirelab("check", "out", status=2)
    done = empirelab("check", "out", "--repair")
    assert done.out.startswith(f"out: played again: {', '.join(DAMAGED)}\nout: intact (60 games")
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    assert sorted(path.name for path in out.parent.iterdir()) == ["out"]
    again = empirelab("check", "out", "--repair", "--json").json
    assert (again[0]["repaired"], again[0]["games"]) == ([], 60)


OTHER_RESULT = "this part cannot be repaired: a replay gives another result"


@pytest.mark.parametrize(
    ("forged", "message"),
    [
        ({"seed": 9}, OTHER_RESULT),
        ({"sources": "0" * 64, "seed": 9}, f"{OTHER_RESULT}, because engine or players have"),
        ({"tables": "0" * 64}, "the game's tables have changed since this run"),
    ],
)
def test_what_cannot_be_played_again_is_told_and_left_as_it_is(
    complaint: Message, out: Path, forged: dict[str, object], message: str
) -> None:
    edit(out, lambda manifest: manifest.update(forged))
    (out / DAMAGED[1]).write_bytes(b"?")
    assert message in complaint("check", "out", "--repair")
    assert (out / DAMAGED[1]).read_bytes() == b"?"


def test_a_players_own_file_is_run_for_a_repair_only_with_trust(empirelab: Program, complaint: Message) -> None:
    Path("mine.py").write_text('"""x"""\ndef score(g, t, me, decision, option, w):\n    return 0.0\n')
    words = ("--games", 40, "--players", 3, "--code", "mine.py", "--strategies", "mine", "--jobs", 1, "--quiet")
    empirelab("simulate", "seven_wonders", *words, "--out", "out")
    Path("out", DAMAGED[0]).write_bytes(b"?")
    assert "which runs only with --trust" in complaint("check", "out", "--repair")
    empirelab("check", "out", "--repair", "--trust")


@pytest.mark.usefixtures("out")
def test_no_run_cannot_be_repaired(complaint: Message) -> None:
    for place in ("nowhere", "out/seats"):
        assert "run" in complaint("check", place, "--repair")

"""What is installed works by itself: a wheel, with nothing of the source tree beside it."""

import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from sim.compiler.source_digest import ROOT
from sim.data.declarations import GAMES
from tests.kit.processes import in_process

PROJECT_GAMES = [name for name, module in GAMES.items() if module.startswith("sim.")]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the wheel of this source tree is unpacked, as pip does it."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("empirelab-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "site")
    return folder / "site"


COMMANDS = """
import sys, sim, strategies, reports, empirelab
from sim.cli import main
print(sim.__file__)
for command in sys.argv[1:]:
    sys.argv = ["empirelab", *command.split()]
    try:
        main()
    except SystemExit as end:
        assert end.code == 0, command
print(empirelab.__file__, empirelab.open("run").seats.collect().height)
"""


def test_an_installed_program_plays_and_reports_outside_the_source_tree(installed: Path, tmp_path: Path) -> None:
    asked = "--games 4 --players 3 --strategies random --jobs 1 --quiet --out run"
    commands = ["games", f"simulate seven_wonders {asked}", "check run"]
    done = in_process(tmp_path, "-P", "-c", COMMANDS, *commands, PYTHONPATH=str(installed))
    assert done.status == 0, done.err
    where, *listed, checked, opened = done.out.splitlines()
    assert Path(where).is_relative_to(installed)
    assert all(name in "\n".join(listed) for name in PROJECT_GAMES)
    assert "intact (4 games" in checked
    assert opened == f"{installed / 'empirelab.py'} 12"


@pytest.mark.slow
def test_a_wheel_has_the_data_of_all_games_and_the_command(installed: Path) -> None:
    for game in PROJECT_GAMES:
        assert list((installed / "configs" / "games" / game).glob("*.toml"))
        assert list((installed / "configs" / "strategies" / game).glob("*.toml"))
    (entry,) = installed.glob("empirelab-*.dist-info/entry_points.txt")
    assert "empirelab = sim.cli:start" in entry.read_text("utf-8")
    assert not (installed / "tests").exists()


def test_the_container_gets_all_that_a_wheel_is_made_of() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    copies = re.findall(r"^COPY (.*) \S+$", (ROOT / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    copied = {word for line in copies for word in line.split()}
    sent = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    assert {*build["packages"], *build["force-include"], "pyproject.toml"} <= copied
    assert copied <= sent


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_every_pinned_package_has_the_digests_of_its_files(name: str) -> None:
    packages = re.split(r"^(?=\w)", (ROOT / name).read_text("utf-8"), flags=re.MULTILINE)[1:]
    assert len(packages) > 40
    assert [each for each in packages if "==" not in each or "--hash=sha256:" not in each] == []


SYSTEMS = (
    {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
    {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix", "platform_machine": "arm64"},
)


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_what_pinned_packages_need_on_other_systems_is_pinned_too(name: str) -> None:
    pinned = {
        canonicalize_name(one) for one in re.findall(r"^([\w.-]+)==", (ROOT / name).read_text("utf-8"), re.MULTILINE)
    }
    needed = {
        canonicalize_name(wanted.name)
        for package in distributions()
        if canonicalize_name(package.name) in pinned
        for wanted in map(Requirement, package.requires or ())
        for system in SYSTEMS
        if wanted.marker is not None and wanted.marker.evaluate({**system, "extra": ""})
    }
    assert {"colorama", "tzdata"} <= needed <= pinned


def test_whatever_installs_pinned_packages_compares_their_digests() -> None:
    for name in ("Makefile", "Dockerfile", "docs/releasing.md"):
        installs = re.findall(r"install .*\.lock", (ROOT / name).read_text("utf-8"))
        assert installs, name
        assert all("--require-hashes" in each for each in installs), name
    assert "--generate-hashes" in (ROOT / "Makefile").read_text("utf-8")

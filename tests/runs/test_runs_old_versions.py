"""Runs of earlier versions are still read: their manifests say `card` where new ones say `piece`."""

import json
from pathlib import Path

from reports.data.check import check_run
from reports.data.load import load_run
from sim.runs.store.manifest import OLD_FIELDS, load_manifest, manifest_text, read_manifest

OLD_RUN = Path(__file__).parent / "data" / "run_of_version_0_1"
"""Six games of History of the World, with pieces, picks, tallies and a player that looks ahead."""


def test_an_old_manifest_says_the_same_under_new_names() -> None:
    old = json.loads((OLD_RUN / "run.json").read_text(encoding="utf-8"))
    assert set(OLD_FIELDS) <= old.keys()
    renamed = {OLD_FIELDS.get(name, name): value for name, value in old.items()}
    assert read_manifest(OLD_RUN) == renamed
    for strategy in renamed["strategies"]:
        if strategy["search"] is not None:
            strategy["search"]["judge"] = ""  # players without a judge, of which that version knew nothing
    renamed["numbers"] = {}  # those of games in plain Python, of which that version knew nothing
    assert json.loads(manifest_text(load_manifest(OLD_RUN))) == renamed
    assert not set(OLD_FIELDS) & load_manifest(OLD_RUN).model_dump().keys()


def test_an_old_run_is_whole_and_its_pieces_and_tallies_are_read() -> None:
    assert check_run(OLD_RUN).rows > 0
    run = load_run(OLD_RUN)
    assert run.manifest.piece_events[0].column == "taken_epoch"
    assert run.pieces is not None
    assert set(run.tallies) == {"lands", "rolls"}

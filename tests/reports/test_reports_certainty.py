"""Every table whose rows are factions says which of them rest on data that is not confirmed."""

import json
from pathlib import Path
from typing import Any

import pytest
from synthetic import FACTIONS, Truth, manifest_of, typed_manifest, with_fields, write_run

from reports.render.export import json_text
from reports.render.page import render
from reports.render.terminal import grid
from reports.report import build_report
from reports.sections.core.shares import faction_note

SINGLE = {"Gizah A": "single-source", "Gizah B": "single-source", "Rhodos A": "stand-in"}
SAID = (
    "Game data: 2 of 14 wonder sides rest on data from a single source (Gizah A, Gizah B); "
    "1 of 14 wonder sides rests on stand-in data instead of printed values (Rhodos A)."
)


def factions(certainty: dict[str, str]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = manifest_of(Truth(), 4, 1)["factions"]
    return [{**row, "certainty": certainty.get(row["name"], "confirmed")} for row in rows]


def test_a_note_names_the_factions_that_are_not_confirmed() -> None:
    manifest = with_fields(typed_manifest(Truth(), 4, 1), {"factions": factions(SINGLE)})
    order = ["Rhodos A", *(name for name in FACTIONS if name != "Rhodos A")]
    assert faction_note(order, manifest) == SAID
    assert faction_note(["Rhodos B", "Gizah B", None, "Gizah B"], manifest) == (
        "Game data: 1 of 2 wonder sides rests on data from a single source (Gizah B)."
    )
    assert faction_note(["Rhodos B"], manifest) == ""
    assert faction_note(["seat 0", "Gizah B"], manifest) == ""
    all_single = with_fields(manifest, {"factions": factions(dict.fromkeys(FACTIONS, "single-source"))})
    assert faction_note(FACTIONS, all_single) == "Game data: 14 of 14 wonder sides rest on data from a single source."
    silent = with_fields(manifest, {"factions": [{"name": name, "attributes": {}} for name in FACTIONS]})
    assert faction_note(FACTIONS, silent) == ""


@pytest.mark.slow
@pytest.mark.usefixtures("without_figures")
def test_tables_of_factions_say_it_on_terminal_page_and_in_json(tmp_path: Path) -> None:
    more = {"exclusive": "wonder", "paired_attribute": "side"}
    report = build_report(write_run(tmp_path / "run", Truth(blocks=60), factions=factions(SINGLE), **more))
    notes = {listing.name: listing.note for section in report.sections for listing in section.listings}
    with_it = {name for name in notes if "single source" in notes[name]}
    assert {"robustness faction by strategy", "strength faction", "sides"} <= with_it
    assert "strength strategy" not in with_it
    assert report.tables["faction"].note == SAID
    assert report.tables["strategy x faction"].note == SAID
    assert report.tables["side"].note == report.tables["seat"].note == ""
    assert grid(report.tables["faction"]).caption == SAID
    assert render(report).count(SAID) >= 4
    held = {table["name"]: table["note"] for table in json.loads(json_text(report))["tables"]}
    assert (held["faction"], held["seat"]) == (SAID, "")

"""`sensitivity` from the command line, and what a report makes of it."""

import json
from pathlib import Path
from typing import Any

from tests.cli.conftest import Message, Program


def test_the_verdict_of_a_report_says_what_survives(empirelab: Program, complaint: Message, tmp_path: Path) -> None:
    table = ("--players", 3, "--strategies", "random", "--jobs", 1, "--quiet")
    empirelab("simulate", "seven_wonders", "--games", 600, *table, "--out", "run")
    found = empirelab("sensitivity", "seven_wonders", "--games", 60, *table, "--json")
    subtitle = found.json["subtitle"]
    assert subtitle.startswith("60 games of 3 players in ")
    assert subtitle.endswith(", seed 1 under each, variant standard, random")
    (tmp_path / "tried.json").write_text(found.out, encoding="utf-8")
    report = empirelab("report", "run", "--sensitivity", "tried.json", "--json").json
    number = found.json["alternatives"]
    assert any(f"{number} plausible values" in one["headline"] for one in report["findings"])
    empirelab("simulate", "seven_wonders", "--games", 12, "--players", 4, *table[2:], "--out", "four")
    assert "field players" in complaint("report", "four", "--sensitivity", "tried.json")
    (tmp_path / "else.json").write_text('{"format": "x"}', encoding="utf-8")
    assert "not written by `empirelab sensitivity`" in complaint("report", "run", "--sensitivity", "else.json")
    tried = found.json
    setting = next(iter(tried["settings"]))
    others: list[tuple[str, dict[str, Any]]] = [
        ("field strategies", {"strategies": ["balanced"]}),
        ("field factions", {"factions": tried["factions"][1:]}),
        (f"field settings.{setting}", {"settings": tried["settings"] | {setting: "otherwise"}}),
        ("field tables", {"tables": "0" * 64}),
        ("field alternatives: not allowed here", {"alternatives": 0}),
        ("field survives.seat", {"survives": {"seat": "all"}}),
    ]
    for said, change in others:
        (tmp_path / "else.json").write_text(json.dumps(tried | change), encoding="utf-8")
        assert said in complaint("report", "run", "--sensitivity", "else.json")
    for field in ("alternatives", "survives", "strategies", "settings", "tables"):
        lacking = {name: value for name, value in tried.items() if name != field}
        (tmp_path / "else.json").write_text(json.dumps(lacking), encoding="utf-8")
        complained = complaint("report", "run", "--sensitivity", "else.json")
        assert f"field {field}: this field is missing" in complained

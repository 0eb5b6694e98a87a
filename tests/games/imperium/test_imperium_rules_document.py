"""The document on the rules speaks of the settings that there are."""

import re
import tomllib

from sim.data.catalog import CONFIGS

ROOT = CONFIGS.parent


def test_the_document_lists_every_setting_with_its_default_and_certainty() -> None:
    text = (ROOT / "docs" / "rules-imperium.md").read_text("utf-8")
    listed = {row[0]: row[1:] for row in re.findall(r"^\| `(\w+)` \| `?([\w-]+)`? \| ([\w-]+) \|", text, re.MULTILINE)}
    rules = tomllib.loads((CONFIGS / "games" / "imperium" / "rules.toml").read_text("utf-8"))
    played = {row["name"]: (str(row["value"]).lower(), row["certainty"]) for row in rules["setting"]}
    assert listed == played

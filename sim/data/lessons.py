"""Lessons (bonuses learned by playing the printed game) and learned judges of positions; changes can replace them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

Learnt = Annotated[float, Field(ge=-100, le=100)]
"""A learned bonus, which is added to the heuristic value. Its unit is points, or hundredths of a win."""
LESSONS_FILE = "lessons.toml"
WEIGHT = "lessons"
"""Name of the weight that multiplies a player's learned bonuses. The weight is 0 for a player without lessons."""
OFF = f"#weights.{WEIGHT}=0"
"""The name of a player's file, followed by this text, is a change that turns off the player's learned bonuses."""
JUDGE = "#search.judge"
"""The name of a player's file, followed by this text, is the field to change for another learned judge."""

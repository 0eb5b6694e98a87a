"""What players have learned from the printed game: lessons and judges. Also the changes that switch them off."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

Learnt = Annotated[float, Field(ge=-100, le=100)]
"""A learned bonus, which is added to the heuristic value. Its unit is points, or hundredths of a win."""
LESSONS_FILE = "lessons.toml"
WEIGHT = "lessons"
"""Name of the weight that multiplies a player's learned bonuses. The weight is 0 for a player without lessons."""
OFF = f"#weights.{WEIGHT}=0"
"""A change that turns a player's learned bonuses off is the file of the player followed by this text."""
JUDGE = "#search.judge"
"""The path of a change that gives a player another learned judge is the file of the player followed by this text."""

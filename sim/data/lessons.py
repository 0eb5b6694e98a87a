"""Lessons and learned judges: what players have learned from the printed game, and the changes that switch it off."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

Learnt = Annotated[float, Field(ge=-100, le=100)]
"""Learned bonus in points, or hundredths of a win, beyond the heuristic value."""
LESSONS_FILE = "lessons.toml"
WEIGHT = "lessons"
"""The weight that multiplies the learned bonuses of a player; 0 for a player without lessons."""
OFF = f"#weights.{WEIGHT}=0"
"""End of a change, after the file of a player, that turns its learned bonuses off."""
JUDGE = "#search.judge"
"""End of the path of a change, after the file of a player, that gives the player another learned judge."""

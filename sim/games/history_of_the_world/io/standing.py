"""Points that a seat would score now (rulebook: Scoring)."""

from __future__ import annotations

from typing import Any

from sim.games.history_of_the_world.io.narrate import LEVELS
from sim.games.history_of_the_world.io.stepping import InspectedGame
from sim.games.history_of_the_world.rules.scoring import count_armies, level_in, points_of_level, structure_points


def score_now(game: InspectedGame, seat: int) -> dict[str, Any]:
    """Return the points that a seat would score now: `regions`, `structures` and `total` (see `docs/records.md`)."""
    regions: dict[str, dict[str, Any]] = {}
    count_armies(game.g, game.t)
    for region, name in enumerate(game.catalog.region_names):
        level = int(level_in(game.g, game.t, seat, region))
        if level > 0:
            regions[name] = {
                "armies": int(game.g.counted[region, seat]),
                "level": LEVELS[level - 1],
                "points": int(points_of_level(game.t, level, int(game.g.token[region]))),
            }
    structures = {name: int(game.g[name][game.g.army == seat].sum()) for name in ("capital", "city", "monument")}
    structures["points"] = int(structure_points(game.g, game.t, seat))
    total = sum(region["points"] for region in regions.values()) + structures["points"]
    return {"regions": regions, "structures": structures, "total": total}

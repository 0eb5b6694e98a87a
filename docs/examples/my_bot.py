"""Builds what brings most points at once; else a stage; else discards."""

LIKED = {"build": 3, "free_build": 3, "wonder": 2, "discard": 1}


def choose(view, options):
    """Prefer building to stages and stages to discards, and the cards that bring most points at once."""

    def worth(option):
        card = view["cards"].get(option.get("card"), {})
        points = sum(effect["vp"] for effect in card.get("effects", []) if "vp" in effect)
        return LIKED.get(option["do"], 0), points, -option.get("price", 0)

    return max(options, key=worth)

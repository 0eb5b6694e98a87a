"""Help of the commands: options in groups, and the sections of a command's docstring."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

GROUPS = {
    "What to play": "variant factions faction card settings changes change decks with_set with_deck target low high "
    "step table on",
    "Who plays": "players strategies base with_strategies rungs pool assign code",
    "How much": "games games_from games_to until_width until_of search_games top_games fresh pilot budget sprt effect "
    "alpha beta power generations population rounds margin jobs columns missing anonymous",
    "Output": "detail out overwrite html csv png patch arms keep name tags note beside sensitivity ladder calibration "
    "explain full as_json quiet",
    "Advanced": "seed weights guard time_limit cluster checked trust start",
}
"""Groups of options in help and in the documentation, in this order, with the names of their parameters."""
FIRST_GROUP = "Most used"
LAST_GROUP = "Advanced"
MOST_USED = {
    "strategies": "ladder games players code out",
    "simulate": "games players strategies factions out",
    "run": "out jobs overwrite tags note",
    "import": "out columns missing anonymous overwrite",
    "report": "html csv png margin beside",
    "explain": "faction pieces games html full",
    "price": "faction within games margin html",
    "validate": "html csv png full",
    "predict": "out calibration",
    "compare": "change games players strategies html",
    "sweep": "out games seed jobs html",
    "rebalance": "faction knob refine every patch",
    "intervene": "card without make games html",
    "sensitivity": "games players strategies margin html",
    "ladder": "rungs games players out html",
    "metagame": "strategies games players factions html",
    "plan": "effect power change players strategies",
    "tune": "weights pool generations games out",
    "distil": "teacher weights games share out",
    "train": "players base games changes out",
    "replay": "where game pick trust",
    "view": "html csv tags reports fast",
    "check": "repair trust jobs",
    "check-data": "all_rows decks",
    "check-game": "games players seed",
    "bench": "players runs seconds whole keep",
    "soak": "minutes games seed trial keep",
    "warm": "",
    "inspect": "settings decks",
    "verify": "settings",
    "merge": "out overwrite",
    "fetch": "out overwrite",
}
"""The five options of each command that matter first, or all if it has few."""


def group_options(command: str, params: list[Any]) -> None:
    """Put the options of a command into groups, and sort the list of options in the order of the groups."""
    names = {FIRST_GROUP: MOST_USED.get(command, "").split()}
    names |= {group: text.split() for group, text in GROUPS.items()}
    places = {name: (group, place) for group in reversed(names) for place, name in enumerate(names[group])}
    order = list(names)

    def place_of(param: Any) -> tuple[int, int]:
        if param.param_type_name != "option":
            return -1, 0
        if param.is_flag:
            param.metavar = ""  # help would show <bool>
        param.rich_help_panel, place = places[param.name]
        return order.index(param.rich_help_panel), place

    params.sort(key=place_of)


def sections_of(docstring: str) -> tuple[list[str], list[str], str]:
    """Return the paragraphs of a docstring, its examples line by line, and its notes."""
    text, *rest = re.split(r"\n(Examples|Notes)\n-+\n", docstring)
    sections = dict(zip(rest[::2], rest[1::2], strict=True))
    paragraphs = [" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n")]
    return paragraphs, sections.get("Examples", "").strip().splitlines(), sections.get("Notes", "").strip()


MOST_EXAMPLES = 3
"""Examples that --help shows; the documentation has all."""


def help_text(paragraphs: Sequence[str], examples: Sequence[str]) -> str:
    """Return what --help shows above the options; square brackets are not treated as markup."""
    shown = [
        "\n".join(["Examples:" if len(examples) > 1 else "Example:", *(f"  {one}" for one in examples[:MOST_EXAMPLES])])
    ]
    return "\n\n".join([*paragraphs, *(shown if examples else [])]).replace("[", r"\[")

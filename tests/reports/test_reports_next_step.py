"""What to type after a verdict: commands that play such games, and that the program takes."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from html import unescape
from typing import Any

import polars as pl
import pytest
import typer
from click import Command
from synthetic import with_fields

from reports.model import Listing, Report, Section
from reports.render.page import render
from reports.sections.core.next_step import OFF_PAGE, NextStep, named_picks, next_step, same_games, search_commands
from reports.sections.core.row_cards import row_cards
from reports.statistics.core.decisions import SWAYED
from sim.cli import app
from sim.game import load_game

HISTORY = "history_of_the_world"
MINE = {
    "name": "mine", "base": "mine", "description": "", "temperature": 0.0, "weights": {}, "source": "mine.py",
    "code": "0" * 64,
}  # fmt: skip
PICK_COLUMNS = {
    "start": "before", "taken": "taken", "draft_place": "draft", "turn_place": "turn", "later": "later",
    "later_parts": 10,
}  # fmt: skip


def of_run(report: Report, game: str = "seven_wonders", **manifest: Any) -> Report:
    """The report of a run of a game with its usual options, except for some fields of its manifest."""
    return replace(report, manifest=with_fields(report.manifest, {**as_played(game), **manifest}))


def step_of(played: Report, *place: str) -> NextStep:
    """What to type next, which must be something."""
    step = next_step(played, row_cards(played, {}), *place)
    assert step is not None
    return step


def counted(players: int, variant: str) -> dict[str, Any]:
    """The entry of a manifest on games of one number of players."""
    return {"players": players, "variant": variant, "games": 4, "factions_fixed": False}


def as_played(game: str) -> dict[str, Any]:
    """What a run of a game with its usual options keeps of them."""
    found = load_game(game)
    data = found.load({})
    variant = next(one.name for one in found.variants if found.default_players in one.players)
    return {
        "game": game, "title": found.title, "changes": [], "decks": [], "settings": dict(data.settings),
        "player_counts": [counted(found.default_players, variant)],
        "lineup": list(found.default_strategies), "factions_dealt": [one.name for one in data.factions],
    }  # fmt: skip


def options_of(report: Report, **manifest: Any) -> list[str] | None:
    """Options that play the games of a run with such a manifest; None where they cannot be told."""
    known = same_games(of_run(report, **manifest).manifest, report.folder)
    return None if known is None else known[1]


def with_picks(report: Report, gains: dict[str, float]) -> Report:
    """The report of a run of History of the World that kept what was taken."""
    rows = [
        {"period": 1, "level": name, "gain": gain, "gain_low": gain - 0.01, "gain_high": gain + 0.01,
         "gain_flag": "above" if gain > 0.02 else "below" if gain < -0.02 else ""}
        for name, gain in gains.items()
    ]  # fmt: skip
    section = Section("picks", "Empires", (), (Listing("picks empire", "Empires", pl.DataFrame(rows), ()),))
    tables = {name: table for name, table in report.tables.items() if name != "faction"}
    picks = {"period": "epoch", "kinds": {"empire": list(gains)}, **PICK_COLUMNS}
    return replace(of_run(report, HISTORY, picks=picks), tables=tables, sections=(section,))


def parsed(command: str) -> dict[str, Any]:
    """The options of a command, as the program reads them.

    Raises
    ------
    click.UsageError
        It has no such command or option.
    """
    program, name, *words = shlex.split(command)
    assert program == "empirelab"
    root = typer.main.get_command(app)
    found: Command = root.commands[name]  # type: ignore[attr-defined]
    return dict(found.make_context(name, list(words)).params)


def test_the_faction_that_the_headline_names_first_is_searched_and_tried_on_other_deals(report: Report) -> None:
    played = of_run(report)
    step, printed = step_of(played), step_of(played, OFF_PAGE)
    search, confirm = map(parsed, step.commands)
    assert (search["faction"], search["knob"], str(search["patch"])) == ("Halikarnassos B", "all", "fair.toml")
    assert "under 'Row by row'" in step.said
    assert "--html" not in step.said
    assert "on the page (--html), under 'Row by row'" in printed.said
    assert search["games"] is None, "a small run does not make the search small"
    assert confirm["change"] == ["@fair.toml"]
    assert confirm["seed"] not in (search["seed"], search["seed"] + 1)
    assert (search["margin"], confirm["margin"]) == (1.0, 1.0)
    wide = step_of(replace(played, verdict=replace(played.verdict, margin=0.025)))
    assert [parsed(command)["margin"] for command in wide.commands] == [2.5, 2.5]


def test_a_faction_of_the_headline_that_is_not_searched_is_said_to_be_passed_over(report: Report) -> None:
    table = report.tables["faction"]
    first = pl.col("level") == "Halikarnassos B"
    frame = table.frame.with_columns(decision=pl.when(first).then(pl.lit(SWAYED)).otherwise("decision"))
    step = step_of(replace(of_run(report), tables={**report.tables, "faction": replace(table, frame=frame)}))
    assert parsed(step.commands[0])["faction"] != "Halikarnassos B"
    assert "Halikarnassos B is also in the headline, but is out of balance only with some of these players" in step.said


def test_every_faction_to_be_changed_has_its_command_and_no_other(report: Report) -> None:
    frame = report.tables["faction"].frame
    wanted = frame.filter(pl.col("decision") == "change it")["level"].to_list()
    found = search_commands(of_run(report))
    assert list(found) == wanted
    assert all(parsed(command)["faction"] == name for name, command in found.items())


@pytest.mark.parametrize(
    ("played", "options"),
    [
        ({}, []),
        ({"player_counts": [counted(3, "standard")]}, ["--players", "3"]),
        ({"lineup": ["military", "civil"]}, ["--strategies", "military,civil"]),
        ({"factions_dealt": ["Rhodos A", "Rhodos B"]}, ["--factions", "Rhodos A,Rhodos B"]),
        ({"changes": ["cards.toml#pawnshop.vp=8"]}, None),
        ({"strategies": [MINE]}, None),
    ],
)
def test_the_commands_play_such_games_as_the_run(
    report: Report, played: dict[str, Any], options: list[str] | None
) -> None:
    assert options_of(report, **played) == options


def test_settings_that_were_chosen_are_kept(report: Report) -> None:
    usual = as_played("seven_wonders")["settings"]
    name = next(name for name, value in usual.items() if isinstance(value, bool))
    chosen = not usual[name]
    assert options_of(report, settings={**usual, name: chosen}) == ["--set", f"{name}={str(chosen).lower()}"]


def test_a_run_without_cards_says_how_to_play_one_that_names_empires(report: Report) -> None:
    played = replace(with_picks(report, {"Khmers": 0.1}), sections=())
    assert parsed(step_of(played).commands[0])["detail"] == "cards"
    assert named_picks(played) == []


def test_empires_that_win_more_are_named_and_their_armies_searched(report: Report) -> None:
    played = with_picks(report, {"Khmers": 0.05, "Minoans": -0.08, "Egypt": 0.01})
    assert [(pick["name"], pick["flag"]) for pick in named_picks(played)] == [("Khmers", "strong"), ("Minoans", "weak")]
    search = parsed(step_of(played).commands[0])
    assert (search["card"], search["knob"], str(search["patch"])) == ("Minoans", "armies", "fair.toml")


def test_nothing_is_to_be_typed_where_nothing_is_off(report: Report) -> None:
    table = report.tables["faction"]
    fair = replace(table, frame=table.frame.with_columns(pl.lit("leave it").alias("decision")))
    played = replace(of_run(report), tables={**report.tables, "faction": fair})
    assert next_step(played, row_cards(played, {})) is None


def test_picks_that_are_surely_off_come_before_those_that_a_few_games_make_look_wide(report: Report) -> None:
    played = with_picks(report, {"Khmers": 0.05, "Romans": 0.12, "Minoans": -0.08, "Celts": -0.2})
    (section,), wide = played.sections, pl.col("level").is_in(["Romans", "Celts"])
    (listing,) = section.listings
    frame = listing.frame.with_columns(
        gain_low=pl.when(wide).then(pl.col("gain") - 0.11).otherwise("gain_low"),
        gain_high=pl.when(wide).then(pl.col("gain") + 0.19).otherwise("gain_high"),
    )
    played = replace(played, sections=(replace(section, listings=(replace(listing, frame=frame),)),))
    assert [pick["name"] for pick in named_picks(played)] == ["Khmers", "Romans", "Minoans", "Celts"]
    assert "--card Minoans" in step_of(played).commands[0]


@pytest.mark.usefixtures("without_figures")
def test_a_command_is_broken_between_its_words_only_and_copied_as_it_is(report: Report) -> None:
    played = of_run(report)
    (block,) = re.findall(r"<pre>(.*?)</pre>", render(played), re.DOTALL)[:1]
    assert unescape(re.sub(r"<[^>]*>", "", block)) == "\n".join(step_of(played).commands)
    assert '<span class="word">--knob</span>' in block

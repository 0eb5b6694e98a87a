"""A number of the printed game is named in words, and the words lead back to it."""

import re

import pytest

from reports.studies.compare.change_words import changes_in_words, turned_between
from reports.studies.parts.parts import parts_of
from reports.studies.search.parameter_names import numbers_of_row, path_of_words, with_paths
from reports.studies.search.parameters import distinct_names, find_knob, reading_sentences
from reports.studies.search.rebalance import find_faction_knob
from reports.studies.search.space import numbers_of_parts
from sim.errors import UserError
from sim.game import load_game
from sim.runs.config import RunConfig, make_plan
from sim.runs.shards import share_out
from sim.runs.store.build_manifest import describe
from sim.runs.store.manifest import PlannedRun

MYTHS = "atlanteans.toml#ATL7 Myths and Legends"


def printed_game(game: str) -> PlannedRun:
    """The manifest of a run of a game as printed."""
    return describe(share_out([make_plan(RunConfig(game=game))], 8), "")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (f"{MYTHS}.play.2.3", "play: gain progress"),
        (f"{MYTHS}.play.1.3.1.2", "play: fame cards looked at"),
        (f"{MYTHS}.play.1.3.1.3", "play: fame cards taken"),
        ("atlanteans.toml#ATL11 Themiscyra.play.3.2.3", "play: cards garrisoned here"),
        ("atlanteans.toml#ATL9 Kleito.play.1.3.2.3.times", "play: break through: times"),
    ],
)
def test_a_number_among_operations_is_named_by_its_operation(path: str, words: str) -> None:
    game = load_game("imperium")
    data = game.load({})
    file, _, row = path.partition("#")
    assert numbers_of_row(game, data, file, row.partition(".")[0])[path] == words
    assert find_knob(game, data, path).said == words
    assert path_of_words(game, data, f"{row.partition('.')[0]}: {words}") == path


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("imperium", f"{MYTHS}.play.2.3"),
        ("imperial_settlers", "romans.toml#faction.board.worker"),
        ("seven_wonders", "wonders.toml#Rhodos B.stage.1.cost.stone"),
    ],
)
def test_what_a_comparison_says_can_be_typed_again(name: str, path: str) -> None:
    printed = printed_game(name)
    (said,) = turned_between(printed, printed.model_copy(update={"changes": [f"{path}=3"]}))
    assert not re.search(r"\d \d", said.field)
    paths = [f"{path}=3", "cards.toml#pawnshop.vp=4", "nonsense"]
    assert with_paths(load_game(name), [f"{said.row}, {said.field} = 3", *paths]) == [paths[0], *paths]


def test_words_that_fit_no_number_are_answered_with_those_of_the_row() -> None:
    game = load_game("imperium")
    data, near = game.load({}), "ATL7 Myths and Legends: play: gain progress"
    with pytest.raises(UserError, match=rf"did you mean '{near}'\? Allowed: {near}, ATL7 Myths and Legends: "):
        path_of_words(game, data, "Myths and Legends: gain progres")
    with pytest.raises(UserError, match="unknown parameter name"):
        path_of_words(game, data, "No such card: points")
    knob = find_faction_knob(game, data, "Atlanteans B", "Myths and Legends: play: gain progress")
    assert (knob.text, knob.title) == (f"{MYTHS}.play.2.3", near)


def test_alike_words_say_which_of_them_is_meant() -> None:
    assert distinct_names(["gain", "pay", "gain"]) == ["gain (1 of 2)", "pay", "gain (2 of 2)"]


def test_an_effect_that_a_change_takes_away_is_told_in_words() -> None:
    printed = printed_game("imperium")
    path = "atlanteans.toml#Myths and Legends.play"
    none, fewer = (
        changes_in_words(printed.model_copy(update={"changes": [f"{path}={effect}"]}))
        for effect in ("[]", '[["gain", "progress", 2]]')
    )
    assert none == ("Myths and Legends: its play effect, removed",)
    assert fewer[0].endswith("now gain 2 progress")


@pytest.mark.parametrize(
    ("reading", "names"), [("legions first", ["legions", "denarii"]), ("denarii first", ["denarii", "legions"])]
)
def test_numbers_have_their_printed_names_and_an_open_reading_is_said(reading: str, names: list[str]) -> None:
    game = load_game("glory_of_rome")
    data = game.load({"character_numbers": reading})
    turns = numbers_of_parts(game, data, parts_of(game, data, 0))
    assert [turn.name for turn in turns if ".numbers." in turn.text] == names
    (said,) = reading_sentences(game, data.settings, [turn.text for turn in turns])
    assert f"here: {reading}" in said
    assert reading_sentences(game, data.settings, ["characters.toml#Fulvia.votes"]) == []

"""Random runs with everything checked: what is drawn, what is found, and that what is printed plays it again."""

import json
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sim.commands.soak import soak_summary
from sim.diagnostics import soak as soaking
from sim.diagnostics import soak_trials
from sim.diagnostics.invariant_watch import InvariantWatcher
from sim.diagnostics.soak import (
    BegunTrial,
    SoakLog,
    Violation,
    read_soak_log,
    soak,
    told_once,
    trial_numbers,
    write_soak_log,
)
from sim.diagnostics.soak_trials import (
    AGAIN_EVERY,
    LEAST_CYCLE,
    LOOK_AHEAD,
    WHOLE_EVERY,
    draw_trial,
    met_by,
    not_met,
    play_trial,
    trial_command,
)
from sim.errors import UserError
from sim.game import load_game
from sim.players.batch import Plan, play_all
from sim.players.compile_players import players_of
from sim.runs.config import make_plan
from tests.cli.conftest import Message, Program
from tests.kit.plans import KIT_GAMES

TINY = "goofspiel"
"""A game whose kernels are compiled in a moment."""
WAITS = "rules.toml#suit.tied_prizes_wait=false"
"""A change of that game."""
SLOWEST_IN_FULL = [
    pytest.param(game, marks=pytest.mark.sweep if game == "imperium" else (), id=game) for game in KIT_GAMES
]
"""All games, the slowest to plan with `--full` only."""


@pytest.mark.parametrize("game", SLOWEST_IN_FULL)
def test_every_trial_that_is_drawn_can_be_played_and_is_drawn_again_alike(game: str) -> None:
    trials = [draw_trial(game, 7, number) for number in range(7)]
    assert trials == [draw_trial(game, 7, number) for number in range(7)]
    plans = [make_plan(trial.config) for trial in trials]
    assert len({(plan.variant, plan.players, plan.assign, plan.lineup) for plan in plans}) > 3
    assert trials[:2] != [draw_trial(game, 8, number) for number in range(2)]


@pytest.mark.parametrize("game", SLOWEST_IN_FULL)
def test_the_first_trials_meet_every_number_of_players_and_players_who_look_ahead(game: str) -> None:
    counts = {count for variant in load_game(game).variants for count in variant.players}
    configs = [draw_trial(game, 4, number).config for number in range(max(len(counts), LEAST_CYCLE) * len(counts))]
    assert {config.players for config in configs[: len(counts)]} == counts
    ahead = [any("+" in name and "judge" not in name for name in config.strategies) for config in configs]
    assert any(ahead)
    assert not all(ahead)


def test_what_no_trial_has_met_is_named_with_the_trials_that_meet_it() -> None:
    first = draw_trial(TINY, 1, 0).config
    met = met_by(first.players or 0, first.variant or "", first.strategies)
    missing, more = not_met(TINY, 1, [], [], met, 1)
    assert LOOK_AHEAD in missing
    assert not met & set(missing)
    for number in range(1, 1 + more):
        config = draw_trial(TINY, 1, number).config
        met |= met_by(config.players or 0, config.variant or "", config.strategies)
    assert not_met(TINY, 1, [], [], met, 1 + more)[0] == []


def test_decks_are_dealt_in_some_trials() -> None:
    deck = str(Path(__file__).parents[2] / "docs" / "examples" / "my_deck.toml")
    decks = [draw_trial("imperial_settlers", 1, number, [deck]).config.decks for number in range(12)]
    assert [deck] in decks
    assert [] in decks


def test_changes_hold_in_every_trial_and_are_printed_with_it() -> None:
    changes = ["wonders.toml#Rhodos B.coins_start=9", "cards.toml#pawnshop.vp=8"]
    for number in range(6):
        printed, changed = (draw_trial("seven_wonders", 1, number, (), made) for made in ((), changes))
        assert changed.config == printed.config.model_copy(update={"changes": changes})
        assert make_plan(changed.config).data.digest != make_plan(printed.config).data.digest
        again = shlex.split(trial_command(changed, 1, None, []))
        assert again[-4:] == ["--change", changes[0], "--change", changes[1]]


def test_changes_of_a_table_that_settings_leave_out_are_tried_without_these_settings() -> None:
    change = "reconstruction-2018/empires.toml#Sumerians.armies=4"
    number = next(n for n in range(40) if "data" in draw_trial("history_of_the_world", 1, n).config.settings)
    assert draw_trial("history_of_the_world", 1, number, (), [change]).config.settings == {}


def test_a_game_is_soaked_in_a_process_of_its_own(empirelab: Program) -> None:
    outcome = empirelab("soak", TINY, "--minutes", 0, "--change", WAITS, "--json")
    found = outcome.json
    assert found["trials"] == 1
    assert found["games"] > 0
    assert (found["violations"], found["changes"]) == ([], [WAITS])
    (tried,) = found["tried"]
    assert tried["games"] == found["games"]
    assert tried["decisions"] == tried["looked_at"] > tried["games"], "the first trial is whole"


@pytest.fixture
def lawless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every table breaks a law."""

    def make(config: Any) -> Plan:
        plan = make_plan(config)
        return replace(plan, game=replace(plan.game, laws="tests.kit.never_kept"))

    monkeypatch.setattr(soak_trials, "make_plan", make)


@pytest.mark.usefixtures("lawless")
def test_a_broken_law_ends_a_trial_at_its_first_stretch() -> None:
    begun, fault = play_trial(draw_trial(TINY, 1, 0))
    assert begun == make_plan(draw_trial(TINY, 1, 0).config).block_games
    assert fault.startswith("not so: nothing is allowed (game 0, decision 0, seat ")


@pytest.mark.usefixtures("lawless")
def test_what_does_not_hold_is_told_with_the_commands_that_play_it_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    soaking.soak_here(TINY, 3, iter([5]), None, [], [WAITS])
    done = json.loads(capsys.readouterr().out.splitlines()[-1])
    again, plain = (shlex.split(done["violation"][name]) for name in ("again", "plain"))
    begun = again[again.index("--games") + 1]
    assert again == ["empirelab", "soak", TINY, "--seed", "3", "--trial", "5", "--games", begun, "--change", WAITS]
    assert plain[:5] == ["empirelab", "simulate", TINY, "--games", begun]
    assert plain[-2:] == ["--change", WAITS]
    assert play_trial(draw_trial(TINY, 3, 5, (), [WAITS]), int(begun)) == (int(begun), done["violation"]["fault"])


def test_a_process_that_cannot_begin_is_an_error(complaint: Message, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert "no trial can be played: the process died with status 1" in complaint(
        "soak", TINY, "--minutes", 0, "--quiet"
    )


DYING = """#!/bin/sh
echo '{"trial": 4, "players": 2, "variant": "standard", "strategies": ["random"], "settings": 0, "whole": true}'
echo '{"games": 8, "decisions": 96, "looked_at": 96}'
kill -SEGV $$
"""


def test_a_trial_in_which_the_process_dies_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dying = tmp_path / "dying"
    dying.write_text(DYING, "utf-8")
    dying.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(dying))
    found = soak(TINY, seconds=0)
    assert (len(found.tried), found.games) == (1, 8)
    (violation,) = found.violations
    assert violation.fault == "the process died with status -11 (behind game 8)"
    assert violation.again == "empirelab soak goofspiel --seed 1 --trial 4"


def test_a_fault_of_several_trials_is_told_once_with_their_number() -> None:
    said = ["a.py:3: game 1 of seed 5 stops (found: [1])", "a.py:9: game 1 of seed 5 stops"]
    faults = [said[0], said[1], said[0].replace("game 1 of seed 5", "game 22 of seed 7"), "a.py:3: no options"]
    told: list[Violation] = []
    found = SoakLog(TINY, 1, tried=[BegunTrial(0, 2, "standard", ["random"], 0, True, "")])
    found.violations = [Violation(number, fault, "", "") for number, fault in enumerate(faults)]
    tell = told_once(told.append)
    for violation in found.violations:
        tell(violation)
    assert [one.trial for one in told] == [0, 1, 3]
    assert soak_summary(found)[0] == "the fault of trial 0 also in 1 other trial: 2"


def test_wrong_input_is_told(complaint: Message) -> None:
    assert "unknown game" in complaint("soak", "seven_wondrs")
    assert "field keep: a single trial is not logged" in complaint("soak", TINY, "--trial", 3, "--keep", "soaked.json")


# ---- Whole trials and others ----


def test_trials_that_are_not_whole_are_looked_at_where_turns_end_and_played_again_in_part() -> None:
    whole, other = draw_trial(TINY, 1, WHOLE_EVERY), draw_trial(TINY, 1, WHOLE_EVERY + 1)
    assert (whole.whole, other.whole) == (True, False)
    plan = make_plan(whole.config)
    players = players_of(plan)
    looks = [InvariantWatcher(plan.game, players, at_turns=at_turns) for at_turns in (False, True)]
    for look in looks:
        play_all(plan, look.players, 0, 4)
    each, turns = (look.notes for look in looks)
    assert each.asked == turns.asked == each.checks
    assert 0 < turns.checks <= each.checks


def test_one_stretch_of_several_is_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    again: list[int] = []

    def note_again(plan: Any, players: Any, first: int, *rest: Any) -> None:
        again.append(first)

    monkeypatch.setattr(soak_trials, "cut_of_others", note_again)
    block = make_plan(draw_trial(TINY, 1, 1).config).block_games
    stretches = [block * (2**number - 1) for number in range(AGAIN_EVERY + 1)]
    assert play_trial(draw_trial(TINY, 1, 1), stretches[-1] + 1) == (stretches[-1] + 1, "")
    assert again == [0, stretches[-1]]


# ---- From one sitting to the next ----


PLAYING = """#!/bin/sh
IFS=,
for number in $7; do
    number=${number%:}
    echo '{"trial":' $number ', "players": 2, "variant": "standard", "strategies": [], "settings": 0, "whole": true}'
    echo '{"games": 8, "decisions": 96, "looked_at": 96}'
    echo '{"done":' $number ', "violation": null}'
done
"""
"""Stands for the process that plays trials: eight clean games of each."""


@pytest.fixture
def playing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trials are played in a moment."""
    script = tmp_path / "playing"
    script.write_text(PLAYING, "utf-8")
    script.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(script))


@pytest.mark.usefixtures("playing")
def test_soaking_goes_on_behind_what_was_kept_and_plays_again_what_did_not_hold(tmp_path: Path) -> None:
    file = tmp_path / "soaked.json"
    first = soak(TINY, seconds=0, keep=file)
    assert [one.trial for one in first.tried] == [0]
    first.violations.append(Violation(0, "not so", "", ""))
    write_soak_log(file, first)
    again = soak(TINY, seconds=0, keep=file)
    assert ([one.trial for one in again.tried], again.violations) == ([0], [])
    second = soak(TINY, seconds=60, keep=file, games=9)
    assert ([one.trial for one in second.tried], second.games) == ([0, 1], 16)
    assert read_soak_log(file, TINY, 1, []) == second
    assert soak(TINY, seconds=60, keep=file, games=16) == second, "so many are clean already"


@pytest.mark.usefixtures("playing")
def test_games_of_earlier_code_are_told_apart_and_do_not_count_towards_those_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "soaked.json"
    monkeypatch.setattr(soaking, "engine_digest", lambda game: "earlier")
    earlier = soak(TINY, seconds=60, keep=file, games=8)
    assert (earlier.games, earlier.games_now) == (8, 8)
    assert soak_summary(earlier)[0].startswith("8 games in 1 trial of seed 1")
    monkeypatch.setattr(soaking, "engine_digest", lambda game: "now")
    found = soak(TINY, seconds=60, keep=file, games=8)
    assert (found.games, found.games_now) == (16, 8)
    assert [one.code for one in found.tried] == ["earlier", "now"]
    assert soak_summary(found)[0].startswith("16 games, of which 8 with the current code (the others with earlier")


def test_what_was_kept_of_other_soaking_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "soaked.json"
    tried = BegunTrial(0, 2, "standard", ["random"], 0, True, "0", 8, 96, 96)
    write_soak_log(file, SoakLog(TINY, 1, [], [tried], []))
    assert read_soak_log(file, TINY, 1, []).games == 8
    with pytest.raises(UserError, match="the log of another soak"):
        read_soak_log(file, TINY, 2, [])
    with pytest.raises(UserError, match=r"field changes: the log of another soak \(found: 'none'\); allowed: "):
        read_soak_log(file, TINY, 1, [], [WAITS])
    for wrong in ("", "[]", "{}", file.read_text("utf-8").replace("96", '"many"')):
        file.write_text(wrong, "utf-8")
        with pytest.raises(UserError, match="not a log of soak"):
            read_soak_log(file, TINY, 1, [])


def test_numbers_of_trials_are_read() -> None:
    numbers = trial_numbers("6,0,12:")
    assert [next(numbers) for _ in range(4)] == [6, 0, 12, 13]
    assert list(trial_numbers("3")) == [3]

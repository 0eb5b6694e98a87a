"""Impossible requests: every such command line is refused with one message and status 2, and writes nothing."""

from collections.abc import Callable
from pathlib import Path

import pytest

SMALL = ("simulate", "seven_wonders", "--games", 8, "--jobs", 1, "--quiet", "--out", "out")
GAME = "seven_wonders"
CHANGE = ("--change", "cards.toml#pawnshop.vp=9")
REBALANCE = ("rebalance", GAME, "--faction", "Rhodos B", "--knob", "coins_start")
METAGAME = ("metagame", GAME, "--players", 3, "--games", 60, "--jobs", 1)
LADDER = ("ladder", GAME, "--games", 12)
ROOT = Path(__file__).parents[2]
HUGE = 99_999_999_999
RUN = 'game = "seven_wonders"\n'
SEVERAL = f'{RUN}games = 1.2e1\nplayers = 3\nstrategies = ["random"]\njobs = 1\nout = "runs/all"\n'
VARY = '[[vary]]\nchange = "cards.toml#altar.vp"\nvalues = [3, 30]\n'
FAR_SIGHTED = """
name = "far-sighted"
base = "balanced"
description = "Balanced, playing two options on."

[search]
rollouts = 1
options = 2
horizon = 1
decisions = ["play"]
"""
DEPTH = 5000
NEST = "[" * DEPTH + "]" * DEPTH

Refused = tuple[tuple[object, ...], str]


def far_sighted(line: str) -> str:
    """A player who looks ahead, with one line of its search written otherwise."""
    key = line.split(" ", maxsplit=1)[0]
    return "\n".join([*(old for old in FAR_SIGHTED.splitlines() if not old.startswith(f"{key} =")), line]) + "\n"


OPTIONS: list[Refused] = [
    ((*SMALL, *(("--strategies", "balanced,greedy") if option == "--assign" else ()), option, value), message)
    for option, value, message in [
        ("--strategies", "balaced", "field strategies: unknown strategy (found: 'balaced'); did you mean 'balanced'?"),
        ("--strategies", "balanced,sience", "(found: 'sience'); did you mean 'science'?"),
        ("--strategies", ",", "no strategy is given; allowed: balanced"),
        ("--strategies", "balanced+0", "field strategies: not a number of rollouts (found: 'balanced+0')"),
        ("--strategies", "balanced+many", "as in balanced+32"),
        ("--strategies", "balaced+32", "unknown strategy (found: 'balaced'); did you mean 'balanced'?"),
        ("--strategies", "balanced@warm", "a temperature is a number of at least 0 (found: 'warm')"),
        ("--strategies", "balanced@-1", "a temperature is a number of at least 0 (found: '-1')"),
        ("--strategies", "balanced@nan", "a temperature is a number of at least 0 (found: 'nan')"),
        ("--factions", "Rhodes A", "unknown board (found: 'Rhodes A'); did you mean 'Rhodos A'?"),
        ("--factions", "Rhodos", "4 players need 4 factions of different wonders (found: 'Rhodos')"),
        ("--factions", ",", "4 players need 4 factions"),
        ("--variant", "standart", "unknown variant (found: 'standart'); did you mean 'standard'?"),
        (
            "--variant",
            "free-city",
            "variant free-city of 7 Wonders does not allow this number of players (found: 4); allowed: 2",
        ),
        ("--players", 8, "7 Wonders does not allow this number of players (found: 8); allowed: 2, 3, 4, 5, 6, 7"),
        ("--players", 1, "does not allow this number of players (found: 1)"),
        ("--players", 0, "field players: not allowed here (found: 0); allowed: greater than or equal to 1"),
        ("--players", -3, "field players: not allowed here (found: -3)"),
        ("--games", 0, "field games: not allowed here (found: 0); allowed: greater than or equal to 1"),
        ("--games", -5, "field games: not allowed here (found: -5)"),
        (
            "--games",
            2**31,
            "field games: not allowed here (found: 2147483648); allowed: less than or equal to 2147483647",
        ),
        ("--seed", -1, "field seed: not allowed here (found: -1)"),
        ("--seed", 2**63, "field seed: not allowed here"),
        (
            "--assign",
            "rotated",
            "field assign: unknown value (found: 'rotated'); did you mean 'rotate'? Allowed: rotate, ",
        ),
        ("--assign", "fixed", "a fixed line-up needs one strategy for each seat"),
        (
            "--detail",
            "card",
            "field detail: unknown value (found: 'card'); did you mean 'cards'? Allowed: seats, cards",
        ),
        (
            "--set",
            "free_build_same_ages=true",
            "unknown setting of seven_wonders (found: 'free_build_same_ages'); did you",
        ),
        (
            "--set",
            "free_build_same_age=maybe",
            "setting free_build_same_age: unknown value (found: 'maybe'); allowed: fal",
        ),
        ("--set", "free_build_same_age=1", "setting free_build_same_age: unknown value (found: 1)"),
        ("--set", "free_build_same_age", "a setting has the form NAME=VALUE (found: 'free_build_same_age')"),
        ("--jobs", 0, "field jobs: impossible number of jobs (found: 0); allowed: 1 to 1,024, or -1 for all cores"),
        ("--jobs", -2, "impossible number of jobs (found: -2)"),
        ("--strategies", ",".join(f"balanced@0.{number:02}" for number in range(33)), "(found: 33); allowed: up to 32"),
        *(("--jobs", jobs, f"impossible number of jobs (found: {jobs})") for jobs in (1025, 2_000_001)),
        ("--until-width", 0, "allowed: above 0, at most 50"),
        ("--players", "3,,4", "field players.2: not allowed here (found: '')"),
        ("--tag", "", "field tag: not a tag"),
        ("--tag", "x" * 51, "1 to 50 letters"),
        ("--note", "x" * 2001, "at most 2000 letters"),
    ]
]

COMMANDS: list[Refused] = [
    *(((command, "seven_wonder"), "unknown game (found: 'seven_wonder'); did you mean 'seven_wonders'? Allowed: seven")
      for command in ("simulate", "strategies", "check-data")),
    *((("compare", *words), message) for words, message in [
        (("seven_wonders",), "nothing to compare with"),
        (("seven_wonder", *CHANGE), "did you mean 'seven_wonders'"),
        (("nowhere/a", "nowhere/b"), "no such run folder"),
        (("nowhere/a", *CHANGE), "neither a run's folder nor the name of a game"),
        (("seven_wonders", "--change", "cards.toml#pawnshp.vp=4"), "did you mean 'Pawnshop"),
        (("seven_wonders", "--change", "barbarians.toml#Raid.cost=4"), "no such file, but imperial_settlers has"),
        (("seven_wonders", "--change", "pawnshop"), "FILE#ROW.FIELD=VALUE"),
        (("seven_wonders", *CHANGE, "--effect", "1"), "this option needs --sprt"),
        (("seven_wonders", *CHANGE, "--sprt", "--effect", "0"), "impossible number of percentage points"),
        (("seven_wonders", *CHANGE, "--sprt", "--on", "Rodos B"), "did you mean 'Rhodos B'"),
        (("seven_wonders", *CHANGE, "--sprt", "--alpha", "2"), "impossible probability"),
        (("seven_wonders", "--sprt", "--with-strategies", "greedy,science"), "needs the same strategies"),
        (("seven_wonders", *CHANGE, "--html", "x", "--csv", "x"), "cannot have the same place"),
    ]),
    *((("plan", GAME, *words), message) for words, message in [
        (("--effect", "0"), "field effect: impossible number of percentage points"),
        (("--effect", "101"), "field effect: impossible number of percentage points"),
        (("--power", "1"), "field power: impossible probability"),
        (("--alpha", "0"), "field alpha: impossible probability"),
        (("--table", "fraction"), "did you mean 'faction'"),
        (("--factions", "Rodos"), "did you mean 'Rhodos'"),
        (("--strategies", "balancd"), "did you mean 'balanced'"),
        (("--pilot", "0"), "field pilot: a pilot needs at least one game"),
        (("--table", "strategy", "--pilot", "40"), "Mirror match"),
        (("--effect", 80), "allowed: 0.001 to 75 points"),
        (("--effect", 1e-9), "allowed: 0.001 to 75 points"),
    ]),
    *((("distil", GAME, *words), message) for words, message in [
        (("millitary",), "did you mean 'military'"),
        (("balanced", "--from", "balanced"), "balanced does not look ahead"),
        (("balanced", "--from", "balanced+"), "balanced+"),
        (("random",), "has no weights"),
        (("balanced", "--weights", "bleu"), "did you mean 'blue'"),
        (("balanced", "--games", 2), "too few games to learn from"),
        (("balanced", "--fresh", 1), "too few for a test"),
        (("balanced", "--name", "a/b"), "the name of a strategy must not contain a slash"),
        (("balanced", "--out", "none/x.toml"), "the file cannot be written"),
    ]),
    *((("tune", GAME, *words), message) for words, message in [
        (("millitary",), "did you mean 'military'"),
        (("random",), "has no weights to tune"),
        (("civil", "--weights", "bleu"), "did you mean 'blue'"),
        (("civil", "--pool", "civl"), "did you mean 'civil'"),
        (("civil", "--name", "balanced"), "exists already"),
        (("civil", "--name", "a,b"), "without comma and @"),
        (("civil", "--players", 9), "does not allow this number"),
        (("civil", "--out", "no/such/folder.toml"), "cannot be written"),
        (("civil", "--population", 3), "4 or more"),
        (("civil", "--jobs", 0), "impossible number of jobs"),
        (("civil", "--code", "gone.toml"), "no such file"),
        (("civil", "--games", HUGE), "field games: too many to play"),
        (("civil", "--fresh", HUGE), "field fresh: too many to play"),
        (("civil", "--population", HUGE), "field population: too many to play"),
        (("civil", "--name", "a b/c"), "the name of a strategy must not contain a slash"),
    ]),
    *(((*METAGAME, *words), message) for words, message in [
        (("--strategies", "greedy"), "field strategies: too few or too many strategies (found: 1)"),
        (("--strategies", "greedy,greedy"), "a strategy is named twice (found: 'greedy')"),
        (("--strategies", "greedy,sience"), "unknown strategy (found: 'sience')"),
        (("--strategies", "greedy,random", "--games", "0"), "field games"),
        (("--strategies", "greedy,random", "--games", "5"), "play at least two (found: 5); allowed: 6 or more"),
        (("--strategies", "greedy,random", "--fresh", "0"), "field fresh: errors are estimated from differences"),
        (("--strategies", "greedy,random", "--fresh", "3000000000"), "field fresh: too many games"),
        (("--strategies", "greedy,random", "--players", "9"), "does not allow this number of players"),
        (("--strategies", "greedy,random", "--jobs", "0"), "field jobs: impossible number of jobs"),
        (
            ("--players", "7", "--strategies", "greedy,random,balanced,military,science,civil,trade"),
            "7 strategies make up 1,716 tables of 7, which is too many (found: 7); allowed: at most 1,000 tables",
        ),
        (("--strategies", "greedy,random", "--html", "nowhere/m.html"), "there is no such folder"),
    ]),
    *(((*LADDER, *words, "--out", "rungs"), message) for words, message in [
        (("--rungs", "random"), "a ladder needs at least two rungs"),
        (("--rungs", "random,greedy,random"), "a rung is named twice (found: 'random'"),
        (("--rungs", "random,gredy"), "unknown strategy (found: 'gredy'); did you mean 'greedy'?"),
        (("--rungs", "random,greedy+x"), "not a number of rollouts"),
        (("--rungs", "random,greedy", "--players", 9), "players"),
        (("--rungs", "random,greedy", "--margin", -1), "margin"),
        (("--rungs", "random,greedy", "--jobs", 0), "impossible number of jobs"),
        (("--rungs", "random,greedy", "--png", "figure.jpg"), "figures are written as PNG files"),
        (("--rungs", "random,greedy", "--html", "none/page.html"), "there is no such folder"),
    ]),
    *((("rebalance", *words), message) for words, message in [
        (
            ("glory_of_rome", "--card", "Gladius", "--knob", "copies"),
            "field card: this option needs a game whose seats take new pieces every period (found: 'Gladius'); "
            "allowed: --faction with a character",
        ),
        (
            ("history_of_the_world", "--faction", "Khmers", "--card", "Khmers", "--knob", "armies"),
            "field card: give either --faction or --card, not both",
        ),
        (("history_of_the_world", "--knob", "armies"), "field faction: no faction is given"),
        (
            ("seven_wonders", "--faction", "Rodos", "--margin", "2"),
            "unknown board (found: 'Rodos'); did you mean 'Rhodos'?",
        ),
        (
            ("seven_wonders", "--faction", "Rhodos", "--factions", "Rhodos B,Gizah,Olympia,Babylon"),
            "field faction: not all factions of this name are dealt (found: ['Rhodos A'])",
        ),
        (
            ("seven_wonders", "--faction", "Rhodos", "--knob", "coins_start"),
            "field faction: several boards are meant (found: 'Rhodos')",
        ),
        (
            ("seven_wonders", "--faction", "Rhodos", "--low", "2"),
            "field low: a range is for a single number",
        ),
        (
            ("seven_wonders", "--faction", "Rhodos B", "--knob", "set#discounts_add_up", "--patch", "new.toml"),
            "field patch: a file of changes holds no settings; allowed: --knob with a printed number",
        ),
    ]),
    *(((*REBALANCE, *words), message) for words, message in [
        (("--knob", "coin_start"), "did you mean 'coins_start'"),
        (("--faction", "Giza A"), "did you mean 'Gizah A'"),
        (("--low", "4"), "must contain the printed value"),
        (("--games", "0"), "field games"),
        (("--low", "nan"), "field low: the knob does not take this value (found: nan)"),
        (("--high", "inf"), "field high: the knob does not take this value (found: inf)"),
        (("--low", "inf", "--high=-inf"), "the knob does not take this value"),
        (("--jobs", 0), "field jobs: impossible number of jobs"),
    ]),
    (("simulate", "imperium", "--players", 2, "--factions", "Celts A,Celts B"), "different nations"),
    (("intervene", "imperium", "--card", "Advanse"), "did you mean 'Advance'"),
    (("rebalance", "imperium", "--faction", "Celts", "--knob", "vp_for.points"), "Celts A"),
    (("rebalance", "imperium", "--faction", "Celts B", "--knob", "coins_start"), "coins_start"),
    (("compare", "imperium", "--change", "celts.toml#Keltoi.vp=2"), "Keltoi"),
    *(((*REBALANCE[:4], "--knob", knob, "--refine"), "this option is for a search of all numbers; allowed: with --kn")
      for knob in ("coins_start", "stage 1")),
    (("explain", "nowhere", "--faction", "Rhodos B"), "no such run folder"),
    (("price", "nowhere"), "no such run folder"),
    (("intervene", GAME), "nothing to change is given"),
    (("intervene", GAME, "--without", "Rodos B stage 1"), "did you mean 'Rhodos B'?"),
    (("intervene", GAME, "--without", "Rhodos B stage 1", "--make", "vp=3"), "none, half, free"),
    (("intervene", GAME, "--card", "Loom", "--make", "half"), "no number that could be halved"),
    (("intervene", GAME, "--forbid", "build rde cards", "--jobs", 1), "did you mean 'build red cards'?"),
    (("intervene", GAME, "--forbid", "build", "--card", "Loom"), "two questions; allowed: --forbid and --require, or"),
    (("drama", GAME, "--games", 20), "too few games: one half of them fits the model"),
    (("drama", "imperial_settlers", "--players", 1), "games of one player cannot answer this"),
    (("ways", "nowhere"), "no such run folder"),
    (("rebalance", GAME, "--faction", "Rhodos B", "--knob", "all", "--low", "1"), "a range is for a single number"),
    (("rebalance", GAME, "--faction", "Rhodos B", "--knob", "all", "--games", "10"), "too few games for a race"),
    (("rebalance", GAME, "--faction", "Rhodos B", "--knob", "all", "--patch", "no/a.toml"), "no such folder"),
    (("rebalance", GAME, "--faction", "Rhodos B"), "no number is given"),
    (("rebalance", GAME, "--knob", "all"), "no faction is given"),
    (("rebalance", GAME, "--faction", "Rhodos B", "--knob", "all", "--top-games", "9"), "--target or all sides"),
    (("rebalance", GAME, "--all", "--faction", "Rhodos B"), "without --faction"),
    (("rebalance", GAME, "--all", "--knob", "coins_start"), "without --knob"),
    (("rebalance", GAME, "--all", "--target", "wanted.toml"), "--all or --target"),
    (("rebalance", GAME, "--all", "--games", "10"), "too few games for a race"),
    (("rebalance", GAME, "--all", "--margin", "0"), "impossible margin in percentage points"),
    (("rebalance", GAME, "--all", "--top-games", "-1"), "0 for none"),
    (("rebalance", GAME, "--all", "--patch", "no/a.toml"), "no such folder"),
    (("rebalance", GAME, "--target", "missing.toml"), "missing.toml"),
    (("rebalance", "history_of_the_world", "--all"), "has no factions"),
    (("rebalance", "imperial_settlers", "--all", "--players", "1"), "factions that meet"),
    (("rebalance", "history_of_the_world", "--card", "Romans", "--knob", "all"), "name one number"),
    (("simulate", GAME, "--change", "@missing.toml"), "missing.toml"),
    (("intervene", GAME, "--card", "Foo"), "unknown card"),
    (("intervene", GAME, "--card", "Loom", "--jobs", 0), "jobs"),
    (("report", "nowhere"), "nowhere: no such run folder"),
    (("replay", "nowhere"), "nowhere: no such run folder"),
    (("check", "nowhere"), "nowhere: no such run folder"),
    (("run", "nothing.toml"), "nothing.toml: no such file"),
    (("sweep", "nothing.toml"), "nothing.toml: no such file"),
    (("sweep", "nothing.toml", "--html", "nowhere/page.html"), "no such folder"),
    *(((command, GAME, "nothing.json"), "nothing.json: no such file") for command in ("inspect", "verify")),
    *(((command, GAME, "--png", "figure.svg", *more), "field png: figures are written as PNG files (found: 'figure.s")
      for command, *more in (("sensitivity",), ("ladder",), ("intervene", "--card", "Loom"),
                             ("metagame", "--strategies", "random,greedy"))),
    *((("compare", GAME, *CHANGE, f"--{name}", 0.1), f"field {name}: this option needs --sprt")
      for name in ("alpha", "beta", "effect")),
    (("simulate", GAME, "--set", "discounts_add_up=true", "--set", "discounts_add_up=false"), "given twice"),
]  # fmt: skip

# What the file that is named holds.
FILES: list[tuple[tuple[object, ...], str, str]] = [
    *((("run", "run.toml", "--out", "out"), text, f"run.toml, row run, {message}") for text, message in [
        ('game = "seven_wonders"\ngmaes = 3\n', "field gmaes: unknown field (found: 'gmaes'); did you mean 'games'?"),
        ('game = "seven_wonders"\ngames = "3"\n', "field games: not allowed here (found: '3'); allowed: a whole"),
        ('game = "seven_wonders"\nplayers = true\n', "field players: not allowed here (found: True)"),
        ('game = "seven_wonders"\nstrategies = "balanced"\n', "field strategies: not allowed here (found: 'balanced')"),
        ('game = "seven_wonders"\nassign = "turn"\n', "field assign: unknown value (found: 'turn')"),
        ("games = 3\n", "field game: this field is missing"),
    ]),
    (("run", "run.toml"), f"{RUN}games =\n", "run.toml: not valid TOML: Invalid value (at line 2"),
    (("run", "runs.toml"), RUN, "runs.toml: no such file (found: 'runs.toml'); did you mean 'run.toml'?"),
    (("run", "run.toml", "--quiet"), f"{RUN}games = 8\njobs = 0\n", "impossible number of jobs"),
    (("run", "run.toml"), f"{RUN}settings = {{ discount_add_up = true }}\n", "did you mean 'discounts_add_up'?"),
    *((("run", "run.toml"), SEVERAL + text, message.replace("several", "run")) for text, message in [
        (
            '[[run]]\nname = "a"\n[[run]]\nname = "b"\nstrategies = ["balaced"]\n',
            "several.toml, row run b, field strategies: unknown strategy",
        ),
        (
            '[[run]]\nname = "a"\n[[run]]\nname = "b"\nfactions = ["Rodos B"]\n',
            "several.toml, row run b: unknown board (found: 'Rodos B')",
        ),
        (
            '[[run]]\nname = "a"\n[[run]]\nname = "b"\nsettings = {nope = 1}\n',
            "several.toml, row run b: unknown setting",
        ),
        ('[[run]]\nname = "a"\n[[run]]\nname = "b"\nplayers = 99\n', "(found: 99)"),
        ('[[run]]\nname = "a"\n[[run]]\nname = "b"\nplayrs = 3\n', "row run b, field playrs: unknown field"),
        ('[[run]]\nname = "a"\n[[run]]\nname = "A"\n', "row run 2, field name: two runs have this name (found: 'A')"),
        ('[[run]]\nname = "a"\n[[run]]\nseed = 2\n', "row run 2, field name: this field is missing"),
        ('[[run]]\nname = "../a"\n', "row run 1, field name: not allowed here (found: '../a')"),
        ('[[run]]\nname = "a"\nout = "b"\n', "field out: this key belongs above the [[run]] tables, for all runs"),
        ('run = "a"\n', "field run: not a list of runs (found: 'a'); allowed: one or more [[run]] tables"),
        ("run = []\n", "field run: not a list of runs"),
    ]),
    *(((command, "run.toml"), f"{RUN}{text}\n{'[[vary]]' if command == 'sweep' else ''}\n", message)
      for command in ("run", "sweep") for text, message in [
        (f"settings = {NEST}", "nested too deep; allowed: a few lists and tables inside each other"),
        (f"settings{'.a' * DEPTH} = 1", "nested too deep"),
        (f"settings = {{ {'a.' * 15}b = {{ {'a.' * 15}b = 1 }} }}", "field settings.a"),
        (f"# {NEST}\ngames = '{NEST}'", "field games: not allowed here"),
        (f"settings = {'[' * 100}1{']' * 100}", "field settings: not allowed here"),
        (f"games = {'9' * DEPTH}", "not valid TOML"),
    ]),
    (("sweep", "run.toml", "--games", HUGE), RUN + VARY, "field games: not allowed here"),
    (("sweep", "run.toml", "--jobs", 0), RUN + VARY, "field jobs: impossible number of jobs"),
    (("sweep", "run.toml"), f"{RUN}{VARY}".replace("altar", "altr"), "did you mean 'Altar 1'"),
    *((("sweep", "run.toml", "--games", 10), f"{RUN}{text}\n{VARY}", "run.toml, field ")
      for text in ('strategies = ["randm"]', 'watch = ["Gizah C"]')),
    *((("inspect", GAME, "run.toml"), text, message) for text, message in [
        ("{ not json", "run.toml"), ("", "the file is empty"), ("[]", "not a JSON object"), ("{}", "missing"),
        (f'{{"cities": {NEST}}}', "nested too deep"),
    ]),
    *((("verify", GAME, "run.toml"), text, message) for text, message in [
        ("{ not json", "not valid JSON"), ("", "the file is empty"), ("[]", "not a JSON object"), ("{}", "missing"),
        (f'{{"cities": {NEST}}}', "nested too deep"),
    ]),
    *((("simulate", GAME, "--games", 3, "--players", 3, "--strategies", "far-sighted,random", "--code", "run.toml"),
       far_sighted(line), message) for line, message in [
        ("rollouts = 0", "rollouts"),
        ('decisions = ["plya"]', "no such decision (found: 'plya'); did you mean 'play'?"),
        ("each = { plya = { options = 2 } }", "no such decision (found: 'plya'); did you mean 'play'?"),
        ("each = { play = { options = 1 } }", "options"),
        ("outlook = [{ points = 0.1 }]", "has no such feature at a horizon (found: 'points')"),
        ("options = 1", "options"),
        ("depth = 3", "unknown field"),
    ]),
    (("simulate", GAME, "--change", "@run.toml", "--out", "out"), "change = 3\n", "not a file of changes"),
    (("compare", GAME, "--change", "@run.toml"), "changes = []\n", "field change: the file holds no change: nothing"),
    (("simulate", GAME, "--code", "run.toml", "--strategies", "all"),
     'name = "all"\ndescription = "x"\nbase = "greedy"\n', "this name stands for all strategies (found: 'all')"),
    (("simulate", GAME, "--code", "run.toml", "--strategies", "mine"),
     'name = "mine"\nbase = "gone.py"\ndescription = "Based on nothing."\n', "gone.py"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "message"), [*OPTIONS, *COMMANDS])
def test_what_cannot_be_asked_for_is_refused_with_one_message(
    complaint: Callable[..., str], words: tuple[object, ...], message: str
) -> None:
    assert message in complaint(*words)


@pytest.mark.parametrize(("words", "text", "message"), FILES)
def test_a_file_that_cannot_be_is_refused_with_one_message(
    complaint: Callable[..., str], tmp_path: Path, words: tuple[object, ...], text: str, message: str
) -> None:
    (tmp_path / "run.toml").write_text(text)
    assert message in complaint(*words)


@pytest.mark.parametrize(
    ("command", "file", "message"),
    [
        (
            "sweep",
            "runs/demo.toml",
            "a run, not a sweep; allowed: empirelab run {file}",
        ),
        ("run", "sweeps/rhodos-coins.toml", "a sweep, not a run; allowed: empirelab sweep {file}"),
        (
            "run",
            "strategies/seven_wonders/greedy.toml",
            "describes a player, not a run; allowed: --code {file} with any command",
        ),
        (
            "sweep",
            "strategies/seven_wonders/greedy.toml",
            "a player, not a sweep; allowed: --code {file} with any command",
        ),
    ],
)
def test_a_file_for_another_command_is_recognised(
    complaint: Callable[..., str], command: str, file: str, message: str
) -> None:
    path = ROOT / "configs" / file
    assert message.format(file=path) in complaint(command, path)


USAGE: list[Refused] = [
    (("simulate", GAME, "--games", "x"), "field games: 'x' is not a whole number, such as 20000 or 2e4"),
    (("simulate", GAME, "--games"), "option '--games' needs a value"),
    (("simulate", GAME, "--jobs", "all"), "field jobs: not a whole number"),
    (("simulate", GAME, "--gmaes", "3"), "simulate: unknown option (found: '--gmaes'); did you mean '--games'?"),
    (("simulate", GAME, "other"), "simulate: too many words: other"),
    (("simulate",), "simulate: GAME is missing; `empirelab simulate --help` shows the options"),
    (("merge", "runs/x"), "merge: --out is missing"),
    (("replay", "runs/x", "--game", "first"), "field game: not a whole number"),
    (("simulat",), "unknown command (found: 'simulat'); did you mean 'simulate'?"),
    (("--vesion",), "unknown option (found: '--vesion'); did you mean '--version'?"),
    (("games", "chess"), "unknown game (found: 'chess'); allowed: seven_wonders"),
    (("bench", "--runs", "0"), "field runs: must be greater than or equal to 1"),
    (("bench", "--whole", "-1"), "field whole: too few games (found: -1)"),
    (("bench", "--seconds", "-1"), "field seconds: not a length of time (found: -1.0)"),
]


@pytest.mark.parametrize(("words", "message"), USAGE)
def test_wrong_usage_is_told_like_any_other_mistake(
    complaint: Callable[..., str], words: tuple[str, ...], message: str
) -> None:
    assert f"empirelab: {message}" in complaint(*words)

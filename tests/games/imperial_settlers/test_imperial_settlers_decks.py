"""Decks that users build: the rule they are built by, what is said of mistakes, and games with them."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reports.data.load import load_run
from reports.studies.compare.compare import compare_runs
from reports.studies.parts.intervene import choose_pieces, play_intervention
from sim import simulate
from sim.compiler.kernel import compiled
from sim.data.changes import Addition, parse_change, read_addition
from sim.engine.result_rows import FACTION
from sim.engine.rng import start_streams
from sim.errors import UserError
from sim.game import Data, choose_factions, load_game, with_additions
from sim.games.imperial_settlers.data.models import HINTS
from sim.games.imperial_settlers.rules import constants
from sim.games.imperial_settlers.rules.setup import deal_factions
from sim.games.imperial_settlers.rules.tables import MAX_FACTIONS
from sim.runs.config import RunConfig, make_plan
from sim.runs.replay import manifest_plan, replay
from sim.runs.simulate import command_of
from sim.runs.store.manifest import load_manifest
from tests.games.imperial_settlers.hidden import pieces
from tests.kit.hidden import dealt_anew
from tests.kit.laws import check_games
from tests.kit.plans import plan_for
from tests.kit.steps import steps_of

EXAMPLE = Path("docs/examples/my_deck.toml").resolve()
TEXT = EXAMPLE.read_text(encoding="utf-8")
DECK = TEXT[TEXT.index("[[deck]]") : TEXT.index("# Rows of cards")]
CARDS = TEXT[TEXT.index("# Rows of cards") :]
GAME = load_game("imperial_settlers")


def loaded(*texts: str, changes: tuple[str, ...] = ()) -> Data:
    """The game's data with files of these texts: first.toml, second.toml."""
    added = [Addition(Path(f"{name}.toml"), text) for name, text in zip(("first", "second"), texts, strict=False)]
    return with_additions(GAME, added).load({}, [parse_change(text) for text in changes])


def complaint(*texts: str, changes: tuple[str, ...] = ()) -> str:
    with pytest.raises(UserError) as error:
        loaded(*texts, changes=changes)
    return str(error.value)


def changed(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new, 1)


# ---- What a deck is ----


def test_a_deck_is_a_faction_more_with_the_board_of_its_empire() -> None:
    data = loaded(TEXT)
    t, printed = data.tables, GAME.load({})
    assert [faction.name for faction in data.factions][4:] == ["Romans at the Coast"]
    assert data.factions[4].attributes == {"empire": "Romans", "deck": "Romans at the Coast"}
    assert data.factions[2].attributes == {"empire": "Romans", "deck": "printed"}
    assert (t.factions, t.empire[4], t.deck_size[4]) == (5, constants.ROMANS, 30)
    for field in ("board", "stores", "samurai", "own_deck_razeable", "hint"):
        assert t[field][4].tolist() == t[field][constants.ROMANS].tolist()
    assert data.digest != printed.digest
    assert (data.certainty["stand-in"], printed.certainty["stand-in"]) == (4, 0)


def test_new_cards_stand_where_those_stood_that_they_take_the_place_of() -> None:
    data = loaded(TEXT)
    t, catalog = data.tables, data.catalog
    first, printed = int(t.deck_first[4]), int(t.deck_first[constants.ROMANS])
    pairs = [(catalog.cards[printed + n].name, catalog.cards[first + n].name) for n in range(30)]
    assert Counter(pair for pair in pairs if pair[0] != pair[1]) == {
        ("Legion", "Aqueduct"): 2, ("Colossus", "Lighthouse Keeper"): 1, ("Gardens", "Vineyard"): 1,
    }  # fmt: skip
    assert all(int(t.name[first + n]) == int(t.name[printed + n]) for n in range(30) if pairs[n][0] == pairs[n][1])
    aqueduct = next(card for card in range(first, first + 30) if catalog.cards[card].name == "Aqueduct")
    assert (catalog.codes[aqueduct], catalog.files[aqueduct]) == ("ROM031", "first.toml")
    assert (t.deck[aqueduct], t.points_end[aqueduct]) == (4, 2)
    assert len(data.pieces) == 126 + 3
    assert t.attack_first == 204 + 30


def test_a_deck_may_have_hints_of_its_own() -> None:
    t = loaded(changed('empire = "romans"\n', 'empire = "romans"\nhints = { food = 0.9 }\n')).tables
    assert [t.hint[4, HINTS.index(good)] for good in ("food", "stone")] == [0.9, 0]


def test_a_printed_deck_may_be_named_anew() -> None:
    printed = [card.name for card in GAME.load({}).catalog.decks[constants.ROMANS].cards]
    text = f'name = "Again"\nempire = "romans"\ncards = {json.dumps(printed[::-1])}\ncertainty = "confirmed"'
    t = loaded(f"[[deck]]\n{text}").tables
    one, other = (t.name[t.deck_first[faction] :][:30].tolist() for faction in (constants.ROMANS, 4))
    assert one == other


def test_several_decks_of_a_file_and_of_several_files() -> None:
    second = TEXT.replace("at the Coast", "in the Hills")
    assert loaded(TEXT + DECK.replace("Coast", "Lake"), second).tables.factions == 7


def test_changes_reach_own_cards_and_printed_cards_in_both_decks() -> None:
    data = loaded(TEXT, changes=("first.toml#Aqueduct.cost.stone=1", "romans.toml#Spies.cost.stone=3"))
    t, cards = data.tables, data.catalog.cards
    costs = [(cards[card].name, int(t.cost[card, constants.STONE])) for card in range(len(cards))]
    assert costs.count(("Aqueduct", 1)) == 2
    assert costs.count(("Spies", 3)) == 2


def test_a_name_of_a_faction_means_it_alone_and_others_what_several_share() -> None:
    data = loaded(TEXT)
    assert choose_factions(GAME, data, ["romans"]) == (2,)
    assert choose_factions(GAME, data, ["printed"]) == (0, 1, 2, 3)
    assert choose_factions(GAME, data, ["romans at the coast"]) == (4,)
    assert choose_factions(GAME, data, ["all"]) == (0, 1, 2, 3, 4)


# ---- Mistakes ----


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["first.toml: the table deck is missing"]),
        ("deck = 3", ["first.toml, field deck: no rows"]),
        (f"card = 3\n{DECK}", ["first.toml, field card: no rows"]),
        (f"{TEXT}\n[[crad]]\n", ["unknown table (found: 'crad'); did you mean 'card'?"]),
        (f"{TEXT}\n[[", ["first.toml: not valid TOML"]),
        (
            changed('"Spies"', '"Spise"'),
            ["row Romans at the Coast, field cards.12: no card of the Romans", "did you mean 'Spies'?"],
        ),
        (changed('empire = "romans"', 'empire = "egyptians"'), ["field cards.1: no card of the Egyptians"]),
        (changed('empire = "romans"', 'empire = "greeks"'), ["field empire: unknown value (found: 'greeks')"]),
        (changed('"Spies", ', '"Spies", "Spies", '), ["field cards: named twice (found: 'Spies')"]),
        (
            changed('"Spies", ', ""),
            ["8 names x1, 6 names x2, 3 names x3: 29 cards", "allowed: 9 names x1, 6 names x2, 3 names x3: 30 cards"],
        ),
        (changed('"Spies", ', '"Spies", "Colossus", '), ["10 names x1, 6 names x2, 3 names x3: 31 cards"]),
        (changed('"Aqueduct", "Builder"', '"Colossus", "Builder"'), ["10 names x1, 5 names x2, 3 names x3: 29 cards"]),
        (changed("[31, 32]", "[31, 32, 35, 36]"), ["row Aqueduct, field numbers: wrong number of copies (found: 4)"]),
        (changed('name = "Romans at the Coast"', 'name = "ROMANS"'), ["field name: name of another faction"]),
        (changed('name = "Vineyard"', 'name = "Gardens"'), ["row Gardens, field name: a printed card of the Romans"]),
        (TEXT.replace('"Vineyard"', '"Quarry"'), ["row Quarry, field name: another card of common.toml has this name"]),
        (changed("[34]", "[30]"), ["row Vineyard, field numbers: number of Colossus (found: 30); allowed: from 31 on"]),
        (changed("[34]", "[33]"), ["row Vineyard, field numbers: number of Lighthouse Keeper (found: 33)"]),
        (changed('deal = "gold"', 'deal = "silver"'), ["row Lighthouse Keeper, field deal: unknown value"]),
        (changed('["draw", "faction", 1]', '["drow", "faction", 1]'), ["field action.do.1: unknown operation"]),
        (
            changed("cost = { stone = 2, location = 1 }", "cost = {}\nraze = { wood = 1 }"),
            ["row Aqueduct, field raze: cards of the Romans have no raze field"],
        ),
        (changed('certainty = "stand-in"\n', ""), ["row Romans at the Coast, field certainty: this field is missing"]),
    ],
)
def test_mistakes_in_a_deck_are_named(text: str, parts: list[str]) -> None:
    message = complaint(text)
    for part in parts:
        assert part in message


def test_two_files_may_share_a_card_but_not_call_two_cards_alike_nor_two_decks() -> None:
    other = TEXT.replace("at the Coast", "in the Hills")
    assert loaded(TEXT, other).tables.factions == 6
    message = complaint(TEXT, other.replace("numbers = [34]", "numbers = [35]"))
    assert "second.toml, row Vineyard, field name: another card of first.toml has this name" in message
    assert "second.toml, row Romans at the Coast, field name: name of another faction" in complaint(TEXT, TEXT)


def test_decks_and_cards_that_do_not_fit_the_tables_are_refused() -> None:
    decks = [DECK.replace("at the Coast", f"of Hill {number}") for number in range(MAX_FACTIONS - 3)]
    t = loaded("".join(decks[:-1]) + CARDS).tables
    assert (t.factions, t.cards) == (MAX_FACTIONS, 220 + 30 * 12)
    message = complaint("".join(decks) + CARDS)
    assert "field deck: too many decks (found: 17); allowed: at most 16" in message
    many = ("attack.toml#wood.copies=99",)
    assert "too many cards (found: 676); allowed: at most 640" in complaint("".join(decks[:-1]) + CARDS, changes=many)


def test_a_file_needs_a_name_of_its_own_and_a_game_that_takes_decks(tmp_path: Path) -> None:
    file = tmp_path / "romans.toml"
    file.write_text(TEXT, "utf-8")
    with pytest.raises(UserError, match="another file of the game has this name"):
        with_additions(GAME, [read_addition(file)])
    with pytest.raises(UserError, match="another file of the game has this name"):
        with_additions(GAME, [read_addition(EXAMPLE), read_addition(EXAMPLE)])
    with pytest.raises(UserError, match="7 Wonders takes no user decks"):
        with_additions(load_game("seven_wonders"), [read_addition(EXAMPLE)])
    file = tmp_path / "balanced.toml"
    file.write_text(TEXT, "utf-8")
    with pytest.raises(UserError, match=r"balanced.toml: a strategy file has the same name"):
        make_plan(RunConfig(game="imperial_settlers", decks=[str(file)]))
    with pytest.raises(UserError, match="no such file"):
        make_plan(RunConfig(game="imperial_settlers", decks=[str(tmp_path / "none.toml")]))


# ---- Games ----


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Simulate a few games of four players that keep their cards; return the folder of the run."""

    def run(name: str, **options: Any) -> Path:
        out = tmp_path_factory.mktemp(name) / "run"
        options |= {"games": 24, "players": 4, "strategies": "random", "jobs": 1, "progress": False, "detail": "cards"}
        return simulate("imperial_settlers", out=out, **options)

    return run


@pytest.fixture(scope="module")
def run(simulated: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a deck whose file has since been deleted."""
    file = tmp_path_factory.mktemp("decks") / "coast.toml"
    file.write_text(TEXT, "utf-8")
    folder = simulated("all", decks=[file], changes=["coast.toml#Vineyard.cost={}"])
    file.unlink()
    return folder


def test_the_manifest_holds_the_deck_and_a_game_is_told_again_without_its_file(run: Path) -> None:
    manifest = load_manifest(run)
    assert [(deck.file, deck.text) for deck in manifest.decks] == [("coast.toml", TEXT)]
    assert manifest.factions_dealt[4] == "Romans at the Coast"
    seats = load_run(run).seats.collect()
    game = seats.filter(seats["faction"] == "Romans at the Coast")["game"][0]
    assert any("Romans at the Coast" in line for line in replay(run, game))
    assert manifest_plan(run, manifest).data.digest == manifest.tables


def test_a_manifest_whose_deck_was_edited_is_refused(run: Path) -> None:
    manifest = load_manifest(run)
    decks = [deck.model_copy(update={"text": deck.text.replace("stone = 2", "stone = 3")}) for deck in manifest.decks]
    with pytest.raises(UserError, match="tables have changed since this run"):
        manifest_plan(run, manifest.model_copy(update={"decks": decks}))


def test_no_table_has_two_decks_of_one_empire_and_both_are_dealt(run: Path) -> None:
    seats = load_run(run).seats.collect()
    met = {frozenset(group["faction"]) for _, group in seats.group_by("game")}
    romans = {"Romans", "Romans at the Coast"}
    assert all(len(table & romans) < 2 for table in met)
    assert all(any(name in table for table in met) for name in romans)


def test_every_seat_is_as_likely_to_get_an_empire_with_two_decks() -> None:
    game = with_additions(GAME, [read_addition(EXAMPLE)])
    plan = plan_for("imperial_settlers", "standard", 2, decks=[str(EXAMPLE)])
    g = game.new_games(1)[0]
    with_romans = np.zeros(2)
    for number in range(2000):
        start_streams(g, 1, number, number)
        g.players = 2
        deal_factions(g, plan.data.tables, np.arange(5), 0)
        with_romans += plan.data.tables.empire[g.faction[:2]] == constants.ROMANS
    # Where the seat dealt to first kept its faction it would have 40 %, the other one 30.
    assert abs(with_romans[0] - with_romans[1]) / 2000 < 0.05


def test_copies_of_a_card_share_a_row_of_the_results(run: Path) -> None:
    parts = load_run(run).pieces
    assert parts is not None
    rows = parts[0].collect()
    assert not rows.select("game", "seat", "card").is_duplicated().any()
    assert "Aqueduct" in rows["card"].cast(str).to_list()


def test_a_deck_in_place_of_the_printed_one_is_compared_as_its_faction(
    run: Path, simulated: Callable[..., Path]
) -> None:
    names = ["Barbarians", "Japanese", "Romans at the Coast", "Egyptians"]
    printed, own = simulated("printed"), simulated("own", decks=[EXAMPLE], factions=names)
    found = compare_runs(printed, own)
    assert found.apart == ""
    assert sorted(found.tables["faction"].frame["level"]) == ["Barbarians", "Egyptians", "Japanese", "Romans"]
    assert found.tables["faction"].frame["change"].null_count() == 0
    assert compare_runs(printed, run).apart == "factions"


def test_a_card_of_a_users_deck_can_be_changed_for_those_who_play_it() -> None:
    plan = plan_for(
        "imperial_settlers", players=2, decks=[str(EXAMPLE)], factions=["Romans at the Coast", "Barbarians"]
    )
    pieces = choose_pieces(plan.game, plan.data, ["aqueduct", "Castle"])
    assert [plan.data.pieces[piece] for piece in pieces] == ["Aqueduct", "Castle"]
    assert play_intervention(plan, 4, pieces, "free", jobs=1).frame.height == 2


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "players"), [("standard", 4), ("alternative", 2), ("solo", 1)])
def test_all_laws_hold_in_games_with_decks(variant: str, players: int) -> None:
    factions = ["Romans at the Coast", *(["Barbarians", "Japanese", "Egyptians"] if players > 1 else [])]
    plan = plan_for("imperial_settlers", variant, players, decks=[str(EXAMPLE)], factions=factions)
    rows = check_games(plan, 0, 15 if compiled() else 1)
    assert 4 in rows[:, :, FACTION]
    for step in steps_of(plan, 1, 40):
        other = dealt_anew(plan.game, step.before, plan.data.tables, 0, 1)
        assert pieces(step.before[0], plan.data.tables) == pieces(other[0], plan.data.tables)


def test_the_command_of_a_run_names_its_decks() -> None:
    config = RunConfig(game="imperial_settlers", decks=["mine.toml", "yours.toml"])
    assert command_of(config) == "empirelab simulate imperial_settlers --deck mine.toml --deck yours.toml"

"""Names and indices of the weights, notes and prepared numbers of Imperium's scripted players.

Weights (`w.weight`) are tunable parameters. Notes (`g.notes`) cache values within a decision; a blank note is NaN.
Prepared numbers (`w.prepared`) are computed once per run.
"""

from __future__ import annotations

from sim.engine.script import weight_names
from sim.games.imperium.rules.tables import MAX_CARDS, MAX_FACTIONS, MAX_ZONE

(
    # Worth of a token of each kind, in points; for progress, beyond the point that it scores
    P_MATERIAL, P_POPULATION, P_PROGRESS,
    # Number of tokens of a kind (except progress) at which one more token is worth half as much as the first
    P_PLENTY,
    # Worth of drawing a card, and of an action
    P_DRAW, P_ACTION,
    # Factor on the worth of coming closer to the next reshuffle, which brings a nation or development card
    P_CYCLE,
    # Worth of the next nation card, and of the next development card
    P_ADVANCE, P_DEVELOP,
    # Points for owning a card of a suit, beyond its printed points
    P_REGION, P_TRIBUTARY, P_UNCIVILISED, P_CIVILISED, P_FAME,
    # Factor on the worth of playing a card
    P_USE,
    # Factor on the worth of the effects of a card in play
    P_LASTING,
    # Deduction for the place that a card takes in the deck, each time that it is drawn
    P_DILUTION,
    # Factor on the points of cards with variable points
    P_VARIABLE,
    # Factor on the gain from moving a card out of the deck's cycle, into history or a garrison
    P_HISTORY,
    # Factor on the worth of keeping a card in hand
    P_KEEP,
    # Factor on what other players gain or lose
    P_ATTACK,
    # Harm of an unrest card to its owner, far from the end of the game
    P_UNREST,
    # Points at stake in a collapse; they count more, the fewer cards the unrest pile has
    P_COLLAPSE,
    # Factors on the worth of innovating and of revolting
    P_INNOVATE, P_REVOLT,
    # Factor on the lead in points, when the end of the game can be triggered
    P_RUSH,
    # Extra worth of a card of a group, such as masks, if the price of an ability is to garrison a card of this group
    P_KIND,
    # Factor on the worth of making a quest active
    P_QUEST,
    # Factor on the lead in points, for a step of a journey. The end of the journey also ends the game.
    P_JOURNEY,
    # Number of cards in the deck's cycle above which fewer cards are better
    P_THIN,
    # Loss if a card that can pay for abilities leaves the deck's cycle
    P_KIN,
    # Factor on the share of a quest's price that a garrisoned card pays
    P_PAWN,
    # Points for a quest, because the last quest (the Graal) comes closer
    P_GRAAL,
    # Factor on the loss from putting an unrest card where it can no longer be returned
    P_BURY,
    # Factor on the extra worth of playable cards if the deck's cycle has hardly more cards than the seat has actions
    P_SCARCE,
    # Factor on the lessons (learned corrections) of cards
    P_LESSONS,
    # How strongly the hints of a nation change the worth of things
    P_HINT,
) = range(37)  # fmt: skip
PARAMETERS = weight_names(globals())

# Columns of `t.faction_hint`, in the order of `HINTS` in the game's catalog.py.
(
    H_CYCLE, H_DEVELOP, H_REGIONS, H_TRIBUTARIES, H_UNCIVILISED, H_CIVILISED, H_FAME, H_HISTORY, H_MATERIAL,
    H_POPULATION, H_PROGRESS, H_ATTACK, H_UNREST, H_THIN, H_PINNED,
) = range(15)  # fmt: skip

# Notes of a decision. Those with an index below `KEPT_NOTES` need not be reset to NaN: every decision writes them
# before reading them.
SCRATCH = 0
SCRATCH_PLACES = 39
"""Number of notes in which an appraisal stores, for each instruction, its worth together with what follows it."""
N_WORTH = SCRATCH + SCRATCH_PLACES  # worth of a token of each resource: three numbers
N_HORIZON = N_WORTH + 3  # factor on later gains: nearly 1 far from the end of the game, and lower towards the end
N_UNREST_GIVEN = N_WORTH + 4  # gain if every other player takes an unrest card; valid once `N_UNREST` is set
N_DRAW = N_WORTH + 5
N_PLAYS = N_WORTH + 6  # how many times a card in the deck will still be played
N_ACTION = N_WORTH + 7
N_ADVANCE = N_WORTH + 8  # worth of the next nation or development card
N_FAME = N_WORTH + 9
N_ACCESSION = N_WORTH + 10  # turns until the seat's state card is turned over; 0 for an empire
N_ONE = N_WORTH + 11  # worths of the three best plays found in this turn; N_FREE: sum over plays without action
N_TWO, N_THREE, N_FREE = N_ONE + 1, N_ONE + 2, N_ONE + 3
N_AS_BARBARIAN = N_ONE + 4  # share of the remaining turns that the seat plays as a barbarian
N_STAYS = N_ONE + 5  # turns that a card in play will stay there; N_STAYS_LATER: the same for a card still to be played
N_STAYS_LATER = N_ONE + 6
N_HAND = N_ONE + 7
"""Worth of each hand card, in the order of the hand, valid once `N_HAND_NOTED` is set: `MAX_ZONE` numbers."""
KEPT_NOTES = N_HAND + MAX_ZONE
N_TURNS = KEPT_NOTES
"""Turns that the seat has left, including the current one.

It is NaN until all notes that follow from it have been computed.
"""
N_HAND_NOTED = N_TURNS + 1
N_THIN_HAND = N_TURNS + 2  # worth of putting the best hand card into history
N_THIN_DISCARD = N_TURNS + 3
N_WORST_HAND = N_TURNS + 4  # smallest loss from discarding a hand card
N_LEAD = N_TURNS + 5
N_UNREST = N_TURNS + 6  # harm of an unrest card to this seat
N_RELIEF = N_TURNS + 7  # gain from moving a card out of the deck's cycle: into history; at N_RELIEF + 1: elsewhere
N_SLOT = N_TURNS + 9  # worth of gaining each market card without its unrest card: five numbers

# Numbers prepared once per run.
USE = 0
"""Worth of playing a card once in the middle of a game: one number per card."""
LASTING = MAX_CARDS
"""Worth of a card in play per round: one number per card."""
ONCE = 2 * MAX_CARDS
"""1 for each card that can be played only once, because its own effect removes it from the deck."""
SUIT_USE = 3 * MAX_CARDS
"""Three means over the common cards of each suit: worth of playing a card, worth in play per round, and points."""
KIN = SUIT_USE + 12
"""1 for each card that can be discarded to pay for abilities, such as a mask."""
SUIT_CYCLE = KIN + MAX_CARDS
"""For each of the four suits that can be gained: share of its common cards that cycle through the deck."""
PAWN = SUIT_CYCLE + 4
"""Share of a quest's price that each card pays when garrisoned: one number per card."""
TASTE = PAWN + MAX_CARDS
"""Points for owning a card far from the end of the game, beyond its printed points, by nation and set of suits."""
TASTES = 32
"""Number of possible sets of suits for each nation; unrest is not counted as a suit."""
PREPARED = TASTE + MAX_FACTIONS * TASTES

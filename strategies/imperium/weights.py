"""Names and indices of the weights, notes and prepared numbers of Imperium's scripted players."""

from __future__ import annotations

from sim.engine.script import weight_names
from sim.games.imperium.rules.tables import MAX_CARDS, MAX_FACTIONS, MAX_ZONE

(
    # Worth of a token of each kind, in points; how slowly it falls as a seat has more tokens
    P_MATERIAL, P_POPULATION, P_PROGRESS, P_PLENTY,
    # Worth of drawing a card, of an action, of cycling the deck, and of the next nation or development card
    P_DRAW, P_ACTION, P_CYCLE, P_ADVANCE, P_DEVELOP,
    # Points for owning a card of a suit, beyond its printed points
    P_REGION, P_TRIBUTARY, P_UNCIVILISED, P_CIVILISED, P_FAME,
    # Cards: their use, their effects in play, their place in the deck, variable points, history, keeping them in hand
    P_USE, P_LASTING, P_DILUTION, P_VARIABLE, P_HISTORY, P_KEEP,
    # Others' gains and losses, unrest, a collapse, innovating, revolting, ending the game
    P_ATTACK, P_UNREST, P_COLLAPSE, P_INNOVATE, P_REVOLT, P_RUSH,
    # Features of some nations: cards of a group that pay for abilities, quests, journeys, small decks
    P_KIND, P_QUEST, P_JOURNEY, P_THIN, P_KIN, P_PAWN, P_GRAAL,
    # Loss from unrest in zones from which it can no longer be returned
    P_BURY,
    # Playable cards, if the deck's cycle has hardly more cards than the seat has actions
    P_SCARCE,
    # Weight of the lessons of cards
    P_LESSONS,
    # Weight of the nation's hints
    P_HINT,
) = range(37)  # fmt: skip
PARAMETERS = weight_names(globals())

# Columns of `t.faction_hint`, in the order of `HINTS` in the game's catalog.py.
(
    H_CYCLE, H_DEVELOP, H_REGIONS, H_TRIBUTARIES, H_UNCIVILISED, H_CIVILISED, H_FAME, H_HISTORY, H_MATERIAL,
    H_POPULATION, H_PROGRESS, H_ATTACK, H_UNREST, H_THIN, H_PINNED,
) = range(15)  # fmt: skip

# Notes of a decision. Those before `KEPT_NOTES` are written before they are read, so they need not be blanked.
SCRATCH = 0
SCRATCH_PLACES = 39
"""Number of notes in which an appraisal stores, for each instruction, its worth together with what follows it."""
N_WORTH = SCRATCH + SCRATCH_PLACES  # worth of a token of each resource: three numbers
N_HORIZON = N_WORTH + 3  # factor on what pays later; nearly 1 far from the end
N_UNREST_GIVEN = N_WORTH + 4  # worth of every other player taking an unrest card, valid once `N_UNREST` is set
N_DRAW = N_WORTH + 5
N_PLAYS = N_WORTH + 6  # number of times that a card in the deck will still be played
N_ACTION = N_WORTH + 7
N_ADVANCE = N_WORTH + 8  # worth of one more nation or development card
N_FAME = N_WORTH + 9
N_ACCESSION = N_WORTH + 10  # turns that the seat has until its state card is turned over, 0 for an empire
N_ONE = N_WORTH + 11  # worths of the three best plays of the turn so far, and the sum of those that need no action
N_TWO, N_THREE, N_FREE = N_ONE + 1, N_ONE + 2, N_ONE + 3
N_AS_BARBARIAN = N_ONE + 4  # share of the remaining turns that the seat plays as a barbarian
N_STAYS = N_ONE + 5  # turns that a card stays in play: now in play; N_STAYS_LATER: coming into play next turn
N_STAYS_LATER = N_ONE + 6
N_HAND = N_ONE + 7
"""Worth of each hand card, in the order of the hand, valid once `N_HAND_NOTED` is set: `MAX_ZONE` numbers."""
KEPT_NOTES = N_HAND + MAX_ZONE
N_TURNS = KEPT_NOTES
"""Turns that the seat has left, including the current one.

It is set once everything derived from it is noted, and NaN before.
"""
N_HAND_NOTED = N_TURNS + 1
N_THIN_HAND = N_TURNS + 2  # worth of putting the best hand card into history
N_THIN_DISCARD = N_TURNS + 3
N_WORST_HAND = N_TURNS + 4  # smallest loss from discarding a hand card
N_LEAD = N_TURNS + 5
N_UNREST = N_TURNS + 6  # harm of one unrest card to its owner
N_RELIEF = N_TURNS + 7  # gain from one card fewer in the deck's cycle, into history; the next note: garrisoned or sunk
N_SLOT = N_TURNS + 9  # worth of gaining each market card, not counting its unrest: five numbers

# Numbers prepared once per run.
USE = 0
"""Worth of playing a card once in the middle of a game: one number per card."""
LASTING = MAX_CARDS
"""Worth of a card in play per round: one number per card."""
ONCE = 2 * MAX_CARDS
"""1 for a card that leaves the deck by its own effect and so is played only once: one number per card."""
SUIT_USE = 3 * MAX_CARDS
"""Means over the commons of each suit that can be gained: use, worth in play per round, and points."""
KIN = SUIT_USE + 12
"""1 for a card that is discarded to pay for abilities, such as a mask: one number per card."""
SUIT_CYCLE = KIN + MAX_CARDS
"""Share of the commons that cycle through the deck, for each of the four suits that can be gained."""
PAWN = SUIT_CYCLE + 4
"""Share of a quest's price that each card pays when garrisoned: one number per card."""
TASTE = PAWN + MAX_CARDS
"""Points, beyond the printed ones, for owning a card far from the end of the game, by nation and set of suits."""
TASTES = 32
"""Number of sets of suits for each nation; unrest is not counted as a suit."""
PREPARED = TASTE + MAX_FACTIONS * TASTES

"""Rows of the TOML files: numbers of the rulebook, the board, characters, trade cards, missions and events."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from sim.data.catalog import Name, NoRepeats, Number, Positive, Row, Sourced, fault
from sim.data.lessons import Learnt
from sim.games.glory_of_rome.data.language import Building, Condition, Count, Direction, Effect, Reward, TradeType, When
from sim.games.glory_of_rome.rules.constants import FOLLOWERS_TOLD_APART, LEVELS, SENATE_SIZE
from sim.games.glory_of_rome.rules.state import HAND_PLACES
from sim.games.glory_of_rome.rules.tables import MAX_MILESTONES, MAX_POPULATION, MAX_ROUNDS, MAX_TRACK

Tiles = Annotated[list[Number], Field(min_length=LEVELS, max_length=LEVELS)]
Points = Annotated[list[Number], Field(min_length=3, max_length=3)]
"""Points for first, second and third place."""
Metals = Annotated[list[Number], Field(min_length=3, max_length=3)]
"""Numbers of gold, silver and bronze pieces."""
SenateValues = Annotated[list[Number], Field(min_length=SENATE_SIZE, max_length=SENATE_SIZE)]
TABLES_OF = ("1 player", "2 players", "3 players", "4 players")
Space = Literal["military", "political", "commercial", "none"]
Region = Literal["Epirus", "Macedonia", "Thrace"]
Variant = Literal["Spies and Alliances", "Truce", "Clockwork", "Heroes", "Hard Times"]
OwnIntrigue = Literal["Defection", "Deception", "Re-vote", "Invalid vote", "Sold", "Custom duty"]


LearntByRound = Annotated[list[Learnt], Field(min_length=MAX_ROUNDS, max_length=MAX_ROUNDS)]
LearntByFollowers = Annotated[list[Learnt], Field(min_length=FOLLOWERS_TOLD_APART, max_length=FOLLOWERS_TOLD_APART)]


# ---- Learned bonuses ----


LearntTable = Literal["2", "3 or 4"]
Place = Literal["military", "political", "commercial", "religious", "economic", "Colosseum", "intrigue"]


class FollowerLesson(Row):
    """Learned bonus, in points, for placing a follower, by round and followers left."""

    players: LearntTable
    place: Place
    bonus: bool
    points: Annotated[list[LearntByFollowers], Field(min_length=MAX_ROUNDS, max_length=MAX_ROUNDS)]


class TileLesson(Row):
    """Learned bonus, in points, for building a tile, by round."""

    players: LearntTable
    type: Building
    level: Annotated[int, Field(ge=1, le=LEVELS)]
    points: LearntByRound


# ---- Numbers of the rulebook ----


class Constants(Sourced):
    """Numbers of the rulebook."""

    rounds: Annotated[int, Field(ge=1, le=MAX_ROUNDS)]
    legion_limit: Positive
    vote_limit: Positive
    intrigue_tokens: Annotated[int, Field(ge=0, le=9)]
    discord_tokens: Number
    # A hand must have room for 3 cards: an anchor card, and the two that the commercial action draws with its bonus.
    hand_limit: Annotated[int, Field(ge=3, le=HAND_PLACES)]
    set_limit: Number
    missions_dealt: Annotated[int, Field(ge=1, le=9)]
    missions_kept: Annotated[int, Field(ge=1, le=9)]
    majority_glory: Number
    majority_glory_with_medal: Number
    colosseum_glory: Number
    economic_medal_denarii: Number
    card_price: Number
    slander_glory: Number
    invalid_vote_glory: Number
    sold_denarii: Number
    denarii_for_point: Positive
    denarii_for_point_with_medal: Positive


class Box(Sourced):
    """Numbers of cards in the box, and of building tiles by level. The cards in other files must match them."""

    missions: Positive
    trade_cards: Positive
    events: Positive
    negative_events: Number
    tiles: Tiles
    tiles_2_players: Tiles

    @model_validator(mode="after")
    def _no_more_tiles_with_two(self) -> Box:
        for level, (few, all_of_them) in enumerate(zip(self.tiles_2_players, self.tiles, strict=True), start=1):
            if few > all_of_them:
                field, allowed = f"tiles_2_players.{level}", f"at most {all_of_them}, those of the box"
                fault("more tiles than the box has", field=field, found=few, allowed=allowed)
        return self


# ---- The board ----


class BuildingSite(Sourced):
    """A building at one level: its price in denarii, and the glory that it brings."""

    type: Building
    level: Annotated[int, Field(ge=1, le=LEVELS)]
    price: Number
    glory: Number


class Penalty(Sourced):
    """Glory that double taxing costs, by population."""

    population: Annotated[int, Field(ge=1, le=MAX_POPULATION - 1)]
    glory: Number


class BattleRegion(Sourced):
    """A region: number of legions that conquer it, and points by place. `_2_players` fields are for 1 and 2 players."""

    name: Region
    shield: Positive
    shield_2_players: Positive | None = None
    points: Points
    points_2_players: Points


class Senate(Sourced):
    """Values of the places in the senate column, lowest place first, for each value of the setting `senate_order`."""

    ascending: SenateValues
    as_in_the_picture: SenateValues


class SetPoints(Sourced):
    """Points for a set of three trade cards."""

    type: Literal["tools", "weapons", "textiles", "jewels"]
    points: Number


class Pantheon(Sourced):
    """Number of a player's own pieces in a level, and points of each piece."""

    base: Positive
    roof: Positive
    own: Number
    gold: Number
    silver: Number
    bronze: Number


class CommonPieces(Sourced):
    """Number of common pieces of gold, silver and bronze in each Pantheon level, for a number of players."""

    name: Literal["1 player", "2 players", "3 players", "4 players"]
    base: Metals
    roof: Metals

    @property
    def players(self) -> int:
        """Return the number of players."""
        return TABLES_OF.index(self.name) + 1

    @model_validator(mode="after")
    def _one_for_each_player(self) -> CommonPieces:
        for field, pieces in (("base", self.base), ("roof", self.roof)):
            if sum(pieces) < self.players:
                fault("too few pieces", field=field, found=pieces, allowed="one for each player, or more")
        return self


class Milestones(Sourced):
    """Spaces of the milestones at the start. The first `fixed` milestones never move."""

    spaces: Annotated[
        list[Annotated[int, Field(ge=2, le=60)]], Field(min_length=MAX_MILESTONES, max_length=MAX_MILESTONES)
    ]
    fixed: Annotated[int, Field(ge=0, le=MAX_MILESTONES)]

    @model_validator(mode="after")
    def _ascend(self) -> Milestones:
        if sorted(set(self.spaces)) != self.spaces:
            fault(
                "milestones must ascend", field="spaces", found=self.spaces, allowed="each higher than the one before"
            )
        return self


class Economic(Sourced):
    """Denarii gained by the economic action in each round."""

    denarii: Annotated[list[Number], Field(min_length=1, max_length=MAX_ROUNDS)]


# ---- Characters ----


class Character(Sourced):
    """A character and its starting position.

    `numbers` are its two printed numbers: legions and denarii, in the order given by the setting `character_numbers`.
    """

    name: Name
    glory: Positive
    numbers: Annotated[list[Number], Field(min_length=2, max_length=2)]
    votes: Number
    discord: Number
    anchor: bool
    own_intrigue: OwnIntrigue
    track: Annotated[list[Space], Field(min_length=1, max_length=MAX_TRACK - 1)]

    @model_validator(mode="after")
    def _track_holds_the_tokens(self) -> Character:
        if self.discord > len(self.track):
            fault("more discord than spaces", field="discord", found=self.discord, allowed=f"at most {len(self.track)}")
        bonuses = [space for space in self.track if space != "none"]
        if len(set(bonuses)) < len(bonuses):
            fault("a bonus is listed twice", field="track", found=self.track, allowed="each bonus once")
        return self


# ---- Cards ----


class Card(Sourced):
    """Fields of all cards. All cards with the same name are one row."""

    name: Name
    copies: Positive = 1


class TradeCard(Card):
    """A trade card. Cards with a star are removed in games with 1 or 2 players."""

    star: bool = False
    type: TradeType
    when: When = "never"
    effect: Effect = Field(default_factory=Effect)

    @model_validator(mode="after")
    def _an_effect_has_its_time(self) -> TradeCard:
        if self.when == "never" and any(self.effect.numbers()):
            fault("an effect needs a condition of play", field="when", found=self.when, allowed="another one")
        return self


def check_mission(mission: Any) -> Any:
    """Check that a mission has either a condition or a count, and return the mission."""
    if (mission.condition is None) == (mission.per is None):
        given = [name for name, found in (("if", mission.condition), ("per", mission.per)) if found is not None]
        fault("a mission has either a condition or a count", found=given, allowed="if, or per")
    return mission


class Mission(Card):
    """A mission: its points, and either a condition or a count that multiplies them."""

    star: bool = False
    removed_in: Annotated[list[Variant], NoRepeats] = Field(default_factory=list)
    points: Number
    condition: Condition | None = Field(default=None, alias="if")
    per: Count | None = None

    _has_a_condition_or_a_count = model_validator(mode="after")(check_mission)


class Event(Card):
    """An event: its direction and arrows, and the reward of players that meet its condition."""

    turn: Direction
    arrows: Annotated[int, Field(ge=1, le=2)]
    negative: bool = False
    condition: Condition | None = Field(default=None, alias="if")
    reward: Reward = Field(default_factory=Reward)

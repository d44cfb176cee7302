"""A person who plays: one negotiation at a time against a player, and the score."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from negotiation_tui.game.negotiation import Player, Position, Transcript, draw_limits, tell_end
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.runtime.records import dataclass
from negotiation_tui.runtime.text import cleaned, visible
from negotiation_tui.runtime.validate import integer, number, one_of
from negotiation_tui.sessions.extras import Extras
from negotiation_tui.solvers.best_response import BestResponse, best_response
from negotiation_tui.solvers.subgame_perfect import EQUAL, spe_price

PERSON = "person"  # the name of a person's seat in a recording
LONGEST_NAME = 40  # characters of a person's name
_ROLES = tuple(map(str, Role))
_LONGEST = 200  # characters of an opponent, or of a scenario
_MOST = 10**9  # no number in a file is beyond ± this


class PersonGame(NamedTuple):
    """A finished negotiation of a person, as a transcript holds it; rewards are not discounted."""

    name: str  # of the person; empty if none was given
    role: str
    opponent: str
    scenario: str  # its name, and δ if there are time costs
    limits: tuple[int, int]  # of seller and buyer
    price: int | None  # None without a deal
    rounds: int
    share: float  # the person's reward
    best: float | None
    """Mean reward of a best response by opener and own limit; None if the opponent has no table."""
    score: float  # the person's rewards so far
    gained: float  # the rewards of both roles
    possible: float  # the most that both roles could gain
    theory: int | None  # price in equilibrium if both limits are known; None if it is no deal

    @property
    def regret(self) -> float | None:
        """The reward that a best response would have earned more; less than 0 with luck."""
        return None if self.best is None else self.best - self.share

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Self:
        """Return the negotiation in a line of a file; raise ValueError or KeyError for others."""
        numbers: dict[str, Any] = {name: values[name] for name in cls._fields[5:]}
        for name, value in numbers.items():
            if value is not None or name not in {"price", "best", "theory"}:
                check = integer if name in {"price", "rounds", "theory"} else number
                check(name, value, -_MOST, _MOST)
        seller, buyer = (integer("limit", limit, -_MOST, _MOST) for limit in values["limits"])
        role = one_of("role", values["role"], _ROLES)
        told = (values.get(key, "?") for key in ("opponent", "scenario"))  # not in older files
        opponent, scenario = (cleaned(each, _LONGEST) for each in told)
        name = cleaned(visible(values["name"]), LONGEST_NAME)
        return cls(name, role, opponent, scenario, (seller, buyer), **numbers)


class RatedMove(NamedTuple):
    """A move of a person, and the best one instead; worths are expected rewards."""

    position: Position
    action: int
    worth: float  # if the rest is played best
    best: int  # itself if no other is better
    most: float  # the worth of the best


@dataclass(frozen=True, slots=True)
class Score:
    """The sums of a person's results over finished negotiations; rewards are not discounted."""

    role: Role
    negotiations: int = 0
    deals: int = 0
    possible: int = 0  # number of negotiations with a price that both accept
    wallet: int = 0  # money gained
    earned: float = 0.0  # sum of rewards
    expected: float | None = 0.0
    """Mean sum of rewards of a best response in the same negotiations, which knows its own limit
    alone; None if the opponent has no table."""
    last: PersonGame | None = None  # the last negotiation; None before the first
    exact: bool = True  # False if what is expected is an upper bound
    moves: tuple[RatedMove, ...] = ()  # of the last negotiation; none if no best response is known


class HumanPlayer:
    """A person in a seat; the opponent answers at once, and no move changes hidden limits."""

    def __init__(
        self,
        scenario: Scenario,
        role: Role,
        opponent: Player,
        rng: "np.random.Generator",
        name: str = "",
        spec: str = "",
        extra: Extras | None = None,
    ) -> None:
        self._name, self._spec = name, spec  # of the person and of the opponent
        self._extra = extra or Extras()
        self._scenario, self._role, self._opponent, self._rng = scenario, role, opponent, rng
        self._limits = rng.spawn(1)[0]
        self.score = Score(role, expected=0.0 if isinstance(opponent, TabularPolicy) else None)

    @cached_property
    def _best(self) -> BestResponse | None:
        if not isinstance(self._opponent, TabularPolicy):
            return None
        return best_response(self._scenario, self._role, self._opponent, discount_rate=1.0)

    def new_negotiation(self, opener: Role) -> Transcript:
        """Return a negotiation up to the person's first turn."""
        return self.answered(Transcript(draw_limits(self._scenario, self._limits), opener))

    def answered(self, transcript: Transcript) -> Transcript:
        """Return the negotiation after the opponent's answer, if it is the opponent's turn."""
        position = transcript.position
        if position is not None and position.role is not self._role:
            transcript = transcript.followed_by(self._opponent.act(position, self._rng))
        if not transcript.over:
            return transcript
        tell_end((self._opponent, self._opponent), transcript)
        price, score, game = transcript.outcome.price, self.score, transcript.scenario
        earned = transcript.reward(self._role)
        gain = 0 if price is None else price if self._role is Role.SELLER else -price
        judged = self._extra("best answers", self._judged, transcript)
        expected, exact, moves = judged or (None, True, ())
        possible = score.possible + (len(game.possible_deals) > 0)
        counts = score.negotiations + 1, score.deals + (price is not None), possible
        total = None if score.expected is None or expected is None else score.expected + expected
        sums = score.wallet + gain, score.earned + earned, total
        last = PersonGame(
            self._name,
            str(self._role),
            self._spec,
            game.name + game.delta_text,
            game.reservation_values,
            price,
            transcript.outcome.round + 1,
            earned,
            expected,
            score.earned + earned,
            sum(map(transcript.reward, Role)),
            _possible_gain(game),
            self._extra("equilibrium", spe_price, game, transcript.opener),
        )
        self.score = Score(self._role, *counts, *sums, last, exact, moves)
        return transcript

    def _judged(self, transcript: Transcript) -> tuple[float, bool, tuple[RatedMove, ...]] | None:
        """Return the mean reward of a best response, if it is exact, and the person's moves."""
        best, limit = self._best, transcript.scenario.limit_index(self._role)
        if best is None:
            return None
        expected = best.interim[transcript.opener, limit].item()
        return expected, best.exact, tuple(self._moves(best, transcript))

    def _moves(self, response: BestResponse, transcript: Transcript) -> Iterator[RatedMove]:
        for n, turn in enumerate(transcript.turns):
            position = transcript.first(n).position
            if turn.role is self._role and position is not None:
                values = response.action_value(position)
                best, worth = int(values.argmax()), float(values[turn.action])
                best = turn.action if values[best] - worth < EQUAL else best
                yield RatedMove(position, turn.action, worth, best, float(values[best]))


def _possible_gain(game: Scenario) -> float:
    """Return the most that both roles can gain together, which is equal at all prices."""
    prices = [game.prices[action] for action in game.possible_deals[:1]]
    return max([0.0, *(sum(game.reward(role, price) for role in Role) for price in prices)])

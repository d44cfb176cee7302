"""The settings of an examination, and its marks per role."""

from dataclasses import dataclass
from typing import Any

from negotiation_tui.examination.consistency import Consistency
from negotiation_tui.examination.defaults import ASK, MINUTES, OPPONENTS
from negotiation_tui.examination.disclosure import Calibration, Disclosure
from negotiation_tui.examination.elicit import Follows
from negotiation_tui.examination.marks import Exploitability, Names, Regret
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.players.program import Manners
from negotiation_tui.runtime.validate import integer, number, string
from negotiation_tui.solvers.subgame_perfect import DISCOUNT


@dataclass(frozen=True)
class Setup:
    """The settings of an examination, all that a cassette needs besides its lines."""

    spec: str
    scenario: Scenario
    roles: tuple[Role, ...] = tuple(Role)
    ask: int = ASK
    minutes: float = MINUTES
    seed: int = 0
    discount_rate: float = DISCOUNT
    against: Names = OPPONENTS

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, from which `from_dict` makes an equal setup."""
        roles = [str(role) for role in self.roles]
        plain = {"scenario": self.scenario.to_dict(), "roles": roles, "against": [*self.against]}
        return {**vars(self), **plain}

    @classmethod
    def from_dict(cls, table: dict[str, Any]) -> "Setup":
        """Return the setup of plain values, or raise an error for invalid ones."""
        return cls(
            string("spec", table["spec"]),
            Scenario.from_dict(table["scenario"]),
            tuple(map(Role.of, table["roles"])),
            integer("ask", table["ask"], 2),
            number("minutes", table["minutes"], 0),
            integer("seed", table["seed"], 0),
            number("discount_rate", table["discount_rate"], 0, 1),
            tuple(string("against", name) for name in table["against"]),
        )


@dataclass(frozen=True, eq=False)
class Answered:
    """The behaviour of a program that was asked, besides its answers."""

    manners: Manners  # of all its processes together
    asked: int  # decisions with an answer
    reachable: int  # decisions that its answers lead to
    fewest: int  # answers to one of the decisions asked
    consistency: Consistency
    follows: tuple[Follows, ...]
    calibrations: tuple[tuple[str, Calibration], ...]  # by opponent, of the beliefs that it stated


@dataclass(frozen=True, eq=False)
class Marks:
    """The marks of a player in a role."""

    role: Role
    table: TabularPolicy | None  # None for a player that remembers the offers
    answered: Answered | None  # None for a player that hands over its probabilities
    regrets: tuple[Regret, ...]
    exploitability: Exploitability | None  # None if its answers are not consistent
    yardstick: tuple[tuple[str, Exploitability], ...]  # of the named players
    disclosures: tuple[Disclosure, ...]  # with hidden limits

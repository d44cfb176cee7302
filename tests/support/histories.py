"""Every history of a tiny game, one by one."""

from collections.abc import Iterator, Sequence

from negotiation_tui import Position, Role, Scenario, TabularPolicy

Decision = tuple[int, int, int]
"""The part of a role (0: opener), its earlier decisions, and the index of the standing offer."""


class Histories:
    """All histories of two tables, seller first, over opener-aware states."""

    def __init__(self, scenario: Scenario, tables: Sequence[TabularPolicy]) -> None:
        self.scenario, self.tables = scenario, tables

    def decisions(self, role: Role) -> Iterator[tuple[Decision, float, float, Position]]:
        """Each path to a decision of a role, with the probabilities of both roles' choices."""
        for opener in Role:
            start = Position(self.scenario, opener, opened=True)
            for at, chances in self._paths(start, (1.0, 1.0)):
                if at.role is role:
                    decision = int(not at.opened), at.ply // 2, at.standing_offer_index
                    yield decision, chances[role], chances[role.other], at

    def chance(self, at: Position, action: int) -> float:
        table = self.tables[at.role]
        return float(table.probabilities[table.row(at), action])

    def worth(self, role: Role, at: Position, rate: float) -> float:
        """The value of a position for a role, discounted by its own later decisions."""
        return sum(self.chance(at, a) * self.gain(role, at, a, rate) for a in at.legal)

    def gain(self, role: Role, at: Position, action: int, rate: float) -> float:
        if action == self.scenario.walk_away:
            return 0.0
        if action == self.scenario.accept:
            assert at.standing_offer is not None
            return self.scenario.reward(role, at.standing_offer, at.ply - 1)
        after = self._after(at, action)
        again = after.role is role and after.ply > 1
        return (rate if again else 1.0) * self.worth(role, after, rate)

    def _paths(
        self, at: Position, chances: tuple[float, float]
    ) -> Iterator[tuple[Position, tuple[float, float]]]:
        yield at, chances
        for action in at.legal:
            if action < self.scenario.n_prices:
                new = list(chances)
                new[at.role] *= self.chance(at, action)
                yield from self._paths(self._after(at, action), (new[0], new[1]))

    def _after(self, at: Position, action: int) -> Position:
        opener = at.role if at.opened else at.role.other
        return Position.after(self.scenario, opener, (*at.offers, self.scenario.prices[action]))

"""The protocol `haggle 1` between this table and a program: one message per line.

The table asks, the program answers. docs/programs.md has all messages. These functions make the
table's lines and read the program's; a seat (`players.program`) sends and receives them.
"""

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from negotiation_tui.game.negotiation import Position, Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.spec import MOST_SAID
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.text import cleaned

VERSION = 1
SECONDS = 30.0  # the time for an answer
START_SECONDS = 60.0  # the time for `ready`
_NONE = "-"
SUM = 1e-3  # the greatest difference between 1 and the sum of odds
STATED = ("id", "model", "prompt", "temperature", "date")  # of a program by itself, before `ready`
_MOST_STATED = 60  # characters of each
_INTEGER = re.compile(r"-?[0-9]{1,18}")
_MOST_CHANCE = 1e18  # of a belief, whose chances need not have a sum of 1
_CLOSING = ("accept", "walk")
_ALMOST = re.compile(r"(?i)(move|odds|offer|accept|walk|ask|bid|price|propose|reject)\b|-?\d+$")
"""The beginning of an answer that lacks its first word, or has another."""


class Answer(NamedTuple):
    """The answer to a question: the probability of each action, one of which may be certain."""

    chances: Floats  # shape (n_actions,)
    by_odds: bool = False
    said: str = ""
    belief: Floats | None = None
    why: str = ""  # the reason why the program gave no answer, and the table did in its place

    def drawn(self, rng: "np.random.Generator") -> int:
        """Return an action; only odds need a random number."""
        if not self.by_odds:
            return int(self.chances.argmax())
        likely = np.flatnonzero(self.chances)
        sums = np.cumsum(self.chances[likely])
        return int(likely[min(len(likely) - 1, int(np.searchsorted(sums, rng.random(), "right")))])


class RefusedError(ValueError):
    """An answer that the rules or the protocol do not allow, and the reason."""


class IllegalError(RefusedError):
    """An answer that can be read, but is not legal in its position."""


def game_line(scenario: Scenario, role: Role, discount_rate: float, seconds: float) -> str:
    """Describe the rules as a role sees them; hidden limits and time costs too, if any."""
    worth, other = (() if scenario.limits[r] else (scenario.limit(r),) for r in (role, role.other))
    hidden = costs = ""
    for key, each in (("worths", role), ("other-worths", role.other)):
        if limits := scenario.limits[each]:
            pairs = zip(limits.values, limits.weights, strict=True)
            hidden += f" {key} " + ",".join(f"{value}:{weight:.12g}" for value, weight in pairs)
    if scenario.time_costs:
        costs = f" delta {scenario.delta[role]:.12g} other-delta {scenario.delta[role.other]:.12g}"
    return (
        f"game role {role} prices {_numbers(scenario.prices)} rounds {scenario.rounds}"
        f" range {_range(scenario, role)} worth {_numbers(worth)} other-worth {_numbers(other)}"
        f" width {scenario.width} discount {discount_rate:g} seconds {seconds:g}{hidden}{costs}"
    )


def question_line(word: str, position: Position) -> str:
    """Ask for a move: `turn` in a negotiation, `ask` off any path."""
    role, standing = position.role, position.standing_offer
    opener = role if position.opened else role.other
    return (
        f"{word} round {position.ply // 2 + 1} opener {opener}"
        f" range {_range(position.scenario, role)} worth {position.limit}"
        f" standing {_NONE if standing is None else standing} offers {_numbers(position.offers)}"
    )


def heard_line(text: str) -> str:
    """Tell what the other side said, cleaned, whoever said it."""
    return f"heard {cleaned(text, MOST_SAID)}"


def end_line(transcript: Transcript, role: Role) -> str:
    """Tell a role how a negotiation ended, and what it earned."""
    outcome, price = transcript.outcome, transcript.outcome.price
    reward = transcript.reward(role)
    how = "failure" if transcript.turns[-1].failed else "walk" if price is None else f"deal {price}"
    return f"end {how} {outcome.closer} round {outcome.round + 1} reward {reward:.6g}"


def answer_of(line: str, position: Position) -> Answer | None:
    """Return the answer of a `move` or `odds`; None for another line. Raises RefusedError."""
    word, *words = line.split(" ")
    if word not in {"move", "odds"}:
        if _ALMOST.match(line):
            raise RefusedError("expected move or odds as the first word")
        return None
    found = np.zeros(position.scenario.n_actions)
    for action, chance in _moves(word, words or [""], position.scenario):
        if action not in position.legal:
            raise IllegalError(f"it is not legal in round {position.ply // 2 + 1}")
        found[action] += chance
    if abs(found.sum() - 1) > SUM:
        raise RefusedError(f"expected odds with a sum of 1, got {found.sum():g}")
    return Answer(found / found.sum(), word == "odds")


def _moves(word: str, words: list[str], scenario: Scenario) -> Iterator[tuple[int, float]]:
    rest, expected = iter(words), "expected one of the prices, accept or walk"
    for kind in rest:
        price = next(rest, "") if kind == "offer" else ""
        if kind in _CLOSING:
            action = scenario.accept + _CLOSING.index(kind)
        elif _INTEGER.fullmatch(price) and int(price) in scenario.prices:
            action = scenario.prices.index(int(price))
        else:
            raise RefusedError(expected)
        chance = _chance(next(rest, "")) if word == "odds" else 1.0
        if not 0 <= chance <= 1 + SUM:
            raise RefusedError("expected a chance from 0 to 1 after each move")
        if word == "move" and next(rest, None) is not None:
            raise RefusedError(expected)
        yield action, chance


def stated_of(line: str) -> tuple[str, str] | None:
    """Return the key and the text of an `id` or `about`, cleaned; None for another line."""
    word, _, rest = line.partition(" ")
    key, _, text = (line if word == "id" else rest if word == "about" else "").partition(" ")
    return (key, cleaned(text, _MOST_STATED)) if key in STATED and text.strip() else None


def words_said(line: str) -> str:
    """Return the words of a `say`, cleaned; empty for another line."""
    word, _, text = line.partition(" ")
    return cleaned(text, MOST_SAID) if word == "say" else ""


def belief_of(line: str, values: Sequence[int]) -> Floats | None:
    """Return the probability of each of the other's limits by a `belief`; None if unreadable."""
    first, *words = line.split(" ")
    if first != "belief" or len(words) % 2:
        return None
    found = np.zeros(len(values))
    for word, chance in zip(words[::2], map(_chance, words[1::2]), strict=True):
        limit = int(word) if _INTEGER.fullmatch(word) else None
        if limit not in values or not 0 <= chance <= _MOST_CHANCE:
            return None
        found[values.index(limit)] += chance
    return found / found.sum() if found.sum() > 0 else None


def _chance(word: str) -> float:
    try:
        return float(word) if word.isascii() and "_" not in word else math.nan
    except ValueError:
        return math.nan


def _range(scenario: Scenario, role: Role) -> str:
    offers = scenario.offers(role)
    return _numbers((scenario.prices[offers[0]], scenario.prices[offers[-1]])) if offers else _NONE


def _numbers(values: Sequence[int]) -> str:
    return ",".join(map(str, values)) or _NONE

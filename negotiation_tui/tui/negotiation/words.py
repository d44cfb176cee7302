"""Names of players and actions, the ways in which learners choose, and pages of captions. Pure."""

import re
import textwrap
from functools import lru_cache

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Position, Transcript, Turn
from negotiation_tui.game.roles import Role
from negotiation_tui.learning.algorithms.base import Algorithm, ExactAlgorithm, TabularAlgorithm
from negotiation_tui.learning.learner_registry import learner
from negotiation_tui.learning.spec import LEARNED, learns
from negotiation_tui.sessions.snapshot import Negotiation, Snapshot
from negotiation_tui.sessions.story.fact import Fact
from negotiation_tui.tui.widgets.words import percent, short


def player(snapshot: Snapshot, role: Role, shown: Negotiation | None) -> str:
    """Name the player of a role in the game shown, without one in its seat: learned (sarsa)."""
    if snapshot.score is not None and snapshot.score.role is role:
        return "you"
    spec = snapshot.seating.specs[role] if shown is None else shown.specs[role]
    if not learns(spec):
        return short(spec)
    learner = learner_name(spec)
    return ("learned" if snapshot.finished else "learning") + f" ({learner})" * (learner != LEARNED)


def said(transcript: Transcript) -> tuple[Role, str] | None:
    """Return the role that spoke last, and its words."""
    turn = next((turn for turn in reversed(transcript.turns) if turn.said), None)
    return (turn.role, turn_text(turn)) if turn else None


def turn_text(turn: Turn) -> str:
    """Return the words of a turn, or the reason why the table acted in place of the player."""
    if not turn.failed:
        return turn.said
    why = turn.said.removesuffix("]").rpartition("[")[2].partition(";")[0]
    did = "walked away" if turn.price is None else f"the table offered {turn.price}"
    return f"{did}: {why}"


def learner_name(spec: str) -> str:
    """Return the name of a learner without its settings; `learned` for plain Q-learning."""
    return short(spec).partition(":")[0]


def seated(snapshot: Snapshot, role: Role, thing: str) -> str:
    """Name the strategy in a seat, or the plan or table of its learner: wolf-phc table."""
    spec = snapshot.seating.strategies[role]
    return short(spec) if spec else f"{learner_name(snapshot.seating.algorithms[role])} {thing}"


def _way(snapshot: Snapshot, role: Role, epsilon: float) -> tuple[str, str]:
    """Return texts for the way in which a learner chooses: for one, and if both choose so."""
    match _algorithm(snapshot.seating.algorithms[role]):
        case ExactAlgorithm(counts_as=n):
            every = f"every {n:,} negotiations" if n > 1 else "after each negotiation"
            return f"computes its answer {every}", f"compute their answers {every}"
        case TabularAlgorithm(explores_itself=True):
            return "tries by its own chances", "try by their own chances"
    of_moves = f"{percent(epsilon)} of {{}} moves (ε {epsilon:.2f})"
    return f"guesses {of_moves.format('its')}", f"guess {of_moves.format('their')}"


def exploration_text(snapshot: Snapshot, shown: Negotiation) -> str:
    """Return how those who learn from an episode choose: guesses, own chances, computed answers."""
    learners = shown.learners
    ways = [_way(snapshot, role, shown.epsilon) for role in learners]
    if len(ways) == len(Role) and len({*ways}) == 1:
        return f"both {ways[0][1]}"
    return " · ".join(f"the {role} {one}" for role, (one, _) in zip(learners, ways, strict=True))


@lru_cache(maxsize=16)
def _algorithm(spec: str) -> Algorithm | None:
    try:
        return learner(spec)
    except BadInputError:
        return None


def moves(position: Position, actions: list[int], most: int) -> str:
    """Describe actions of equal value, at most `most` of them: accept 3 or ask 4/5, ask 4 to 9."""
    scenario = position.scenario
    accept, walk_away = scenario.accept, scenario.walk_away
    closing = {accept: f"accept {position.standing_offer}", walk_away: "walk away"}
    words = [closing[action] for action in closing if action in actions]
    offers = sorted({action for action in actions if action not in closing})
    prices, room = [scenario.prices[offer] for offer in offers], most - len(words)
    more = "/…" if len(prices) > max(0, room) or len(words) > most else ""
    if prices and room > 0:
        named = "/".join(map(str, prices[:room]))
        if more and offers[-1] - offers[0] == len(offers) - 1:
            named, more = f"{prices[0]} to {prices[-1]}", ""
        words.append(f"{'ask' if position.role is Role.SELLER else 'offer'} {named}")
    return " or ".join(words[:most]) + more


def command_of(here: Snapshot) -> str:
    """Return the command that opens a moment, or the reason why none does."""
    from negotiation_tui.sessions.saving import opening_command

    try:
        return opening_command(here)
    except BadInputError as error:
        return str(error)


_LEAST = 20  # the narrowest page in columns
_ON = " …"  # the end of a page in mid-sentence
_MARGINS = 4  # the columns of the mark and of the margins


def pages(fact: Fact, width: int, rows: int = 1, visible: int = 0) -> list[str]:
    """Return the sentences of a fact on pages of up to `rows` lines; long ones divided.

    A negotiation that is told slowly has other sentences once turns are `visible`.
    """
    sentences = fact.says
    if fact.per_turn and visible:
        sentences = tuple(re.split(r"(?<=\.) ", fact.per_turn[:visible][-1]))
    room, filled = max(_LEAST, width - _MARGINS), list[str]()
    for sentence in sentences:
        alone = textwrap.wrap(sentence, room)
        after = textwrap.wrap(" ".join([*filled[-1:], sentence]), room)
        if filled and len(after) <= rows:
            filled[-1] = "\n".join(after)
        elif len(alone) <= rows:
            filled.append("\n".join(alone))
        else:
            lines = textwrap.wrap(sentence, room - len(_ON))
            *begun, last = ("\n".join(lines[at : at + rows]) for at in range(0, len(lines), rows))
            filled += [*(part + _ON for part in begun), last]
    return filled

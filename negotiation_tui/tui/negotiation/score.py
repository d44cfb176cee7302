"""A person's game as text: the stake, the running score, and the end of a negotiation. Pure."""

from collections.abc import Iterator

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.runtime.text import plural
from negotiation_tui.sessions.human_player import Score
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.words import learned, sit_does
from negotiation_tui.tui.widgets.announcement import VERBS
from negotiation_tui.tui.widgets.words import percent, signed


def stake(scenario: Scenario, role: Role) -> str:
    """Return what a role wants: You buy. It is worth 5 to you. 5 rounds. Pay little."""
    return " ".join(_stake(scenario, role))


def _stake(scenario: Scenario, role: Role) -> tuple[str, str, str, str]:
    worth, rounds = scenario.reservation_values[role], f"{plural(scenario.rounds, 'round')}."
    if role is Role.BUYER:
        return "You buy.", f"It is worth {worth} to you.", rounds, "Pay little."
    return "You sell.", f"It costs you {worth}.", rounds, "Get much."


def running(model: Model, width: int) -> Iterator[str]:
    """Yield the score so far, then the stake, both shorter if `width` is small, and the rewards."""
    score, scenario = model.latest.score, model.latest.scenario
    if score is None:
        return
    if score.negotiations:
        so_far = _so_far(score)
        yield so_far if len(so_far) <= width else f"you earned {_amounts(score)}"
    whole = stake(scenario, score.role)
    yield whole if len(whole) <= width else " ".join(_stake(scenario, score.role)[1::2])
    offers = scenario.offers(score.role)
    best = scenario.prices[offers[-1] if score.role is Role.SELLER else offers[0]]
    yield f"A deal at {best} earns {scenario.reward(score.role, best):.2f}, no deal 0"
    if not score.negotiations:
        yield "Type a price"


def score_lines(model: Model) -> tuple[str, ...]:
    """Return the outcome of the last negotiation, the score, and the transcript."""
    score, shown = model.latest.score, model.latest.negotiation
    if score is None or shown is None or score.last_earned is None:
        return ("no negotiation has ended yet",)
    transcript, opponent = shown.transcript, score.role.other
    spec = model.latest.strategies[opponent]
    name = spec or learned(model.latest.algorithms[opponent], "table")
    return (
        _shares(transcript, score.role),
        _best(score, f"the {opponent}'s {name} when the {transcript.opener} opens"),
        "",
        _so_far(score),
        f"{plural(score.deals, 'deal')}, wallet {signed(score.wallet)}",
        "",
        *_transcript(transcript, score.role),
        "",
        model.keys.format("{take} begins the next · {save} saves the transcripts · {sit} ")
        + sit_does(score.role),
    )


def _shares(transcript: Transcript, you: Role) -> str:
    price = transcript.outcome.price
    if price is None:
        return f"NO DEAL: you, the {you}, gain nothing, and neither does the {you.other}"
    yours, other = (percent(transcript.scenario.reward(role, price)) for role in (you, you.other))
    return f"DEAL at {price}: you, the {you}, gain {yours} of the surplus, the {you.other} {other}"


def _best(score: Score, against: str) -> str:
    earned = f"you earn {score.last_earned:.2f}"
    if score.last_expected is None:
        return f"{earned}; no best answer is known to {against}: its moves depend on all offers"
    return f"{earned}; the best answer to {against} earns {score.last_expected:.2f} on average"


def _so_far(score: Score) -> str:
    n = plural(score.negotiations, "negotiation")
    return f"{n}: you earned {_amounts(score)}"


def _amounts(score: Score) -> str:
    best = "" if score.expected is None else f", the best possible {score.expected:.2f}"
    return f"{score.earned:.2f}{best}"


def _transcript(transcript: Transcript, you: Role) -> tuple[str, ...]:
    lines = []
    for turn in transcript.turns:
        verb, price = VERBS[turn.role], f" {turn.price}"
        if turn.action >= transcript.scenario.accept:
            verb, price = ("walks away", "") if turn.price is None else ("accepts", price)
        does = f"the {turn.role} {verb}"
        if turn.role is you:
            does = "you walk away" if turn.price is None else f"you {verb[:-1]}"
        lines.append(f"round {turn.round + 1:<3} {does}{price}")
    return tuple(lines)

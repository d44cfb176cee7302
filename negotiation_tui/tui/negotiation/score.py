"""The score of a person: earnings, and those of a best response, as lines of text. Pure."""

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.sessions.human_player import Score
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.words import sit_does
from negotiation_tui.tui.widgets.price_bar import VERBS
from negotiation_tui.tui.widgets.words import signed


def score_lines(model: Model) -> tuple[str, ...]:
    """Return the outcome of the last negotiation, the score, and the transcript."""
    score, shown = model.latest.score, model.latest.negotiation
    if score is None or shown is None or score.last_earned is None:
        return ("no negotiation has ended yet",)
    transcript, opponent = shown.transcript, score.role.other
    price = transcript.outcome.price
    name = model.latest.strategies[opponent] or "learned table"
    n = score.negotiations
    ended = "NO DEAL" if price is None else f"DEAL at {price}"
    mean = f"mean earned {score.earned / n:.2f}"
    if score.expected is not None:
        mean += f", by a best response {score.expected / n:.2f}"
    deals = f"so far {n} negotiation{'s' if n > 1 else ''}, {score.deals} with a deal"
    return (
        f"{ended}: you, the {score.role}, earn {score.last_earned:.2f}",
        _best(score, f"the {opponent}'s {name} when the {transcript.opener} opens"),
        "",
        f"{deals}, wallet {signed(score.wallet)}",
        mean,
        "",
        *_transcript(transcript, score.role),
        "",
        model.keys.format("{take} begins the next · {save} saves the transcripts · {sit} ")
        + sit_does(score.role),
    )


def _best(score: Score, against: str) -> str:
    if score.last_expected is None:
        return f"no best response is known against {against}: its moves depend on all offers"
    return f"a best response earns {score.last_expected:.2f} on average against {against}"


def _transcript(transcript: Transcript, you: Role) -> tuple[str, ...]:
    lines = []
    for turn in transcript.turns:
        verb, price = VERBS[turn.role], f" {turn.price}"
        if turn.action >= transcript.scenario.accept:
            verb, price = ("quits", "") if turn.price is None else ("accepts", price)
        does = f"you {verb[:-1]}" if turn.role is you else f"the {turn.role} {verb}"
        lines.append(f"round {turn.round + 1:<3} {does}{price}")
    return tuple(lines)

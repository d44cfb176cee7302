"""What a person at the table earned, and what could have been earned. Text. Pure."""

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.sessions.human_player import Score
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.words import p_does
from negotiation_tui.tui.widgets.words import signed

_VERBS = {Role.SELLER: "asks", Role.BUYER: "offers"}


def score_lines(model: Model) -> tuple[str, ...]:
    """How the last negotiation ended, the score, and the transcript."""
    score, shown = model.latest.score, model.latest.negotiation
    if score is None or shown is None or score.last_earned is None:
        return ("no negotiation is over yet",)
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
        + p_does(score.role),
    )


def _best(score: Score, against: str) -> str:
    if score.last_expected is None:
        return f"no best response is known against {against}: it heeds the whole negotiation"
    return f"a best response earns {score.last_expected:.2f} on average against {against}"


def _transcript(transcript: Transcript, you: Role) -> tuple[str, ...]:
    lines = []
    for turn in transcript.turns:
        yours = turn.role is you
        who = "you" if yours else f"the {turn.role}"
        said = "quit" if turn.price is None else f"accept {turn.price}"
        if turn.action < transcript.scenario.accept:
            verb = _VERBS[turn.role]
            said = f"{verb[:-1] if yours else verb} {turn.price}"
        elif not yours:
            said = said.replace("quit", "quits").replace("accept", "accepts")
        lines.append(f"round {turn.round + 1:<3} {who} {said}")
    return tuple(lines)

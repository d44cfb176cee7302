"""A person's game as text: the stake, the running score, and the end of a negotiation. Pure."""

from collections.abc import Iterator

from negotiation_tui.game.negotiation import Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.runtime.text import plural
from negotiation_tui.sessions.human_player import Move, Score
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.words import moves, seated, told
from negotiation_tui.tui.widgets.words import VERBS, earnings, no_deal, percent, signed

_MEAN = " on average"


def game_seen(snapshot: Snapshot, role: Role) -> Scenario:
    """Return the game that a person sees, with its own limit in it."""
    shown = snapshot.negotiation
    if shown is None or shown.person is None:
        return snapshot.scenario
    return shown.transcript.scenario.seen_by(role)


def stake(game: Scenario, role: Role) -> str:
    """Return what a role wants: You buy. It is worth 5 to you. 5 rounds. Pay little.

    `game` is what the role sees. Hidden limits may not be drawn yet.
    """
    return " ".join(_stake(game, role))


def _stake(game: Scenario, role: Role) -> tuple[str, str, str, str]:
    worth, rounds = game.limit(role), f"{plural(game.rounds, 'round')}."
    buys = role is Role.BUYER
    does, wants = ("You buy.", "Pay little.") if buys else ("You sell.", "Get much.")
    text = f"It is worth {worth} to you." if buys else f"It costs you {worth}."
    if game.lottery:
        text = f"Your limit is {worth}, theirs is hidden."
    elif game.hidden:
        text = "Each negotiation draws your limit and theirs."
    return does, text, rounds, wants


def running(model: Model, width: int) -> Iterator[str]:
    """Yield the score so far, then the stake, both shorter if `width` is small, and the rewards."""
    score = model.latest.score
    if score is None:
        return
    role, game = score.role, game_seen(model.latest, score.role)
    own = f"Your limit is {game.limit(role)}." if game.lottery and score.negotiations else ""
    if score.negotiations:
        so_far = _so_far(score, game)
        yield own
        short = f"you earned {_amounts(score, game).removesuffix(_MEAN)}"
        yield so_far if len(own) + 3 + len(so_far) <= width else short
    if not own:
        whole = stake(game, role)
        yield whole if len(whole) <= width else " ".join(_stake(game, role)[1::2])
    offers = game.offers(role)
    best = game.prices[offers[-1] if role is Role.SELLER else offers[0]]
    earns = "earns you" if game.lottery else "earns"
    yield f"A deal at {best} {earns} {earnings(game, game.reward(role, best))}, no deal 0"
    if not score.negotiations:
        yield "Type a price"


def score_lines(model: Model) -> tuple[str, ...]:
    """Return the outcome of the last negotiation, the score, and the transcript."""
    score, shown = model.latest.score, model.latest.negotiation
    if score is None or shown is None or score.last_earned is None:
        return ("no negotiation has ended yet",)
    transcript, opponent = shown.transcript, score.role.other
    game = transcript.scenario
    name = seated(model.latest, opponent, "table")
    against = f"the {opponent}'s {name} when the {transcript.opener} opens"
    return (
        *_outcome(transcript, score.role),
        _best(score, game, against),
        "",
        _so_far(score, game),
        _deals(score, game),
        "",
        *_transcript(transcript, score),
        "",
        model.keys.format("{take} begins the next · {save} saves the transcripts · {close} leaves"),
    )


def _outcome(transcript: Transcript, you: Role) -> Iterator[str]:
    price, game = transcript.outcome.price, transcript.scenario
    if game.lottery:
        yield f"your limit was {game.limit(you)}, the {you.other}'s {game.limit(you.other)}"
    if price is None:
        nothing = f"you, the {you}, gain nothing, and neither does the {you.other}"
        yield f"NO DEAL: {no_deal(game) if game.lottery else nothing}"
        return
    rewards = [game.reward(role, price) for role in (you, you.other)]
    if game.lottery:
        yours, other, all_ = (earnings(game, reward) for reward in (*rewards, sum(rewards)))
        of_all = f"{yours} of the {all_} between both limits"
    else:
        yours, other = map(percent, rewards)
        of_all = f"{yours} of the surplus"
    yield f"DEAL at {price}: you, the {you}, gain {of_all}, the {you.other} {other}"


def _best(score: Score, game: Scenario, against: str) -> str:
    earned = f"you earn {earnings(game, score.last_earned or 0.0)}"
    if score.last_expected is None:
        return f"{earned}; no best answer is known to {against}: its moves depend on all offers"
    with_limit = f"with limit {game.limit(score.role)} " if game.lottery else ""
    most = _expected(score, game, score.last_expected)
    return f"{earned}; {with_limit}the best answer to {against} earns {most} on average"


def _so_far(score: Score, game: Scenario) -> str:
    n = plural(score.negotiations, "negotiation")
    return f"{n}: you earned {_amounts(score, game)}"


def _deals(score: Score, game: Scenario) -> str:
    deals = plural(score.deals, "deal")
    if not game.lottery:
        return f"{deals}, wallet {signed(score.wallet)}"
    return f"{deals} of {score.possible:,} possible; a deal earns its distance from your limit"


def _amounts(score: Score, game: Scenario) -> str:
    earned = earnings(game, score.earned)
    if score.expected is None:
        return earned
    expected = _expected(score, game, score.expected)
    best = f"the best answers {expected}{_MEAN}" if game.lottery else ""
    return f"{earned}, {best or f'the best possible {expected}'}"


def _expected(score: Score, game: Scenario, reward: float) -> str:
    return "at most " * (not score.exact) + earnings(game, reward)


def better(move: Move) -> str:
    """Return the better move and what it would have earned; empty if the move was a best one."""
    game, position = move.position.scenario, move.position
    earned, most = earnings(game, move.worth), earnings(game, move.most)
    if move.action == move.best or earned == most:
        return ""
    words = moves(position, [move.best], 1)
    return f"to {words} would have earned {most} on average, this {earned}"


def _transcript(transcript: Transcript, score: Score) -> tuple[str, ...]:
    lines, you = [], score.role
    instead = {move.position.ply: better(move) for move in score.moves}
    for ply, turn in enumerate(transcript.turns):
        verb, price = VERBS[turn.role], f" {turn.price}"
        if turn.action >= transcript.scenario.accept:
            verb, price = ("walks away", "") if turn.price is None else ("accepts", price)
        does = f"the {turn.role} {verb}"
        if turn.role is you:
            does = "you walk away" if turn.price is None else f"you {verb[:-1]}"
        more = instead.get(ply, "") if turn.role is you else told(turn)
        lines.append(f"round {turn.round + 1:<3} {does}{price}" + f": {more}" * bool(more))
    return tuple(lines)

"""A person's game: its commands, its stake and score, and the end of a negotiation. Pure."""

from collections.abc import Iterator
from dataclasses import replace

from negotiation_tui.game.negotiation import Position, Transcript
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.players.spec import MOST_SAID
from negotiation_tui.runtime.text import cleaned, coins, first_fitting, money, plural, waiting_cost
from negotiation_tui.sessions.commands import Act, Play, Sit
from negotiation_tui.sessions.human_player import PersonGame, RatedMove, Score
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.time_travel import present
from negotiation_tui.tui.negotiation.words import moves, said, seated, turn_text
from negotiation_tui.tui.toolkit.timeline import Wish, pause, wished
from negotiation_tui.tui.widgets.words import VERBS, deed, earnings, no_deal

_MEAN = " on average"


def game_seen(snapshot: Snapshot, role: Role) -> Scenario:
    """Return the game that a person sees, with its own limit in it."""
    shown = snapshot.negotiation
    if shown is None or shown.person is None:
        return snapshot.scenario
    return shown.transcript.scenario.seen_by(role)


def stake(game: Scenario, role: Role) -> str:
    """Return a role's limit and its aim, such as: Pay as little as you can.

    `game` is what the role sees. Hidden limits may not be drawn yet.
    """
    return " ".join(_stake(game, role))


def _stake(game: Scenario, role: Role) -> tuple[str, str, str]:
    worth, buys = game.limit(role), role is Role.BUYER
    wants = "Pay as little as you can." if buys else "Get as much as you can."
    text = f"The item is worth {worth} to you." if buys else f"The item costs you {worth}."
    if game.lottery:
        text = f"Your limit is {worth}; theirs is hidden."
    elif game.hidden:
        text = "Each game draws a limit for you and one for the other side."
    return f"You are the {role}.", text, wants


def running(model: Model, width: int) -> Iterator[str]:
    """Yield the score so far, then the stake, both shorter if `width` is small, and the rewards."""
    score = model.latest.score
    if score is None:
        return
    role, game = score.role, game_seen(model.latest, score.role)
    yield from _with_time_costs(model, width)
    limit = f"Your limit is {game.limit(role)}." if game.lottery and score.negotiations else ""
    if score.negotiations:
        so_far = _so_far(score, game)
        yield limit
        short = f"you earned {_amounts(score, game).removesuffix(_MEAN)}"
        yield so_far if len(limit) + 3 + len(so_far) <= width else short
    offers = game.offers(role)
    best = game.prices[offers[-1] if role is Role.SELLER else offers[0]]
    earns = "earns you" if game.lottery else "earns"
    at_once = " at once" * game.time_costs
    deal = f"A deal at {best}{at_once} {earns} {_coins(game, game.reward(role, best))}, no deal 0"
    if not limit:
        whole = stake(game, role)
        fits = len(f"{whole} · {deal}") <= width
        yield whole if fits else " ".join(_stake(game, role)[1:])
    yield deal
    if not score.negotiations:
        yield "Type a price"


def _with_time_costs(model: Model, width: int) -> Iterator[str]:
    """Yield what accepting pays now and the chosen offer later, and the price of a refusal."""
    position = your_turn(model)
    if position is None or position.standing_offer is None or not position.scenario.time_costs:
        return
    game, role, standing = position.scenario, position.role, position.standing_offer
    now = coins(game.gains(standing, position.ply - 1)[role])
    accept = f"Accept {standing} now: {now}. " * (game.accept in position.legal)
    if position.last_decision:
        yield accept.rstrip()
        return
    price = game.prices[cursor(model, position)]
    later = game.gains(price, position.ply)[role]
    pays = money(later) if accept else coins(later)
    yours, theirs = (f"{100 * (1 - game.delta[each]):.3g}%" for each in (role, role.other))
    verb, takes = VERBS[role][:-1], f" A refusal takes {yours}"
    long = f"{verb.capitalize()} {price} and earn {pays} if the {role.other} accepts."
    offers = long, f"{verb.capitalize()} {price}, if accepted: {pays}."
    both = f"{takes} of what you would get, {theirs} of the {role.other}'s."
    forms = [accept + offer + cost for cost in (both, f"{takes}.", "") for offer in offers]
    yield first_fitting(forms, width)


def score_lines(model: Model) -> tuple[str, ...]:
    """Return the outcome of the last negotiation, the score, and the transcript."""
    score, shown = model.latest.score, model.latest.negotiation
    if score is None or shown is None or score.last is None:
        return ("no game has ended yet",)
    transcript, opponent = shown.transcript, score.role.other
    game = transcript.scenario
    name = seated(model.latest, opponent, "table")
    against = f"the {opponent}'s {name} when the {transcript.opener} opens"
    deals = f"{plural(score.deals, 'deal')} of {score.possible:,} possible"
    earns = (
        "the price minus your limit" if score.role is Role.SELLER else "your limit minus the price"
    )
    waits = f", less what waiting cost (δ {game.delta[score.role]:g})" * game.time_costs
    return (
        *_outcome(transcript, score.role),
        _best(score, score.last, game, against),
        "",
        _so_far(score, game),
        f"{deals}; a deal earns you {earns}" + waits,
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
    yours, other = (transcript.gains[role] for role in (you, you.other))
    whole = sum(game.gains(price))
    both = f"{money(yours)} of the {coins(whole)}, the {you.other}"
    cost = waiting_cost(transcript.lost_to_time, whole)
    yield f"DEAL at {price}: you, the {you}, gain {both} {money(other)}" + f"; {cost}" * bool(cost)


def _best(score: Score, last: PersonGame, game: Scenario, against: str) -> str:
    earned = f"you earn {_coins(game, last.share)}"
    if last.best is None:
        return f"{earned}; no best answer to {against} is known, because it depends on all offers"
    with_limit = f"with limit {game.limit(score.role)} " if game.lottery else ""
    most = _expected(score, game, last.best)
    return f"{earned}; {with_limit}the best answer to {against} earns {most} on average"


def _so_far(score: Score, game: Scenario) -> str:
    return f"{plural(score.negotiations, 'game')}: you earned {_amounts(score, game)}"


def _amounts(score: Score, game: Scenario) -> str:
    earned = _coins(game, score.earned)
    if score.expected is None:
        return earned
    return f"{earned}, the best answers {_expected(score, game, score.expected)}{_MEAN}"


def _coins(game: Scenario, reward: float) -> str:
    return coins(reward * game.origin.width)


def _expected(score: Score, game: Scenario, reward: float) -> str:
    return "at most " * (not score.exact) + earnings(game, reward)


def better(move: RatedMove) -> str:
    """Return the better move and what it would have earned; empty if the move was a best one."""
    game, position = move.position.scenario, move.position
    earned, most = earnings(game, move.worth), earnings(game, move.most)
    if move.action == move.best or earned == most:
        return ""
    verb, _, rest = moves(position, [move.best], 1).partition(" ")
    return f"{verb}ing {rest} would have earned {most} on average; this earned {earned}"


def _transcript(transcript: Transcript, score: Score) -> tuple[str, ...]:
    lines, you = [], score.role
    instead = {move.position.ply: better(move) for move in score.moves}
    for ply, turn in enumerate(transcript.turns):
        does, who = deed(turn, transcript.scenario), f"the {turn.role}"
        if turn.role is you:
            does, who = does.replace("s ", " ", 1), "you"
        more = instead.get(ply, "") if turn.role is you else turn_text(turn)
        lines.append(f"round {turn.round + 1:<3} {who} {does}" + f": {more}" * bool(more))
    return tuple(lines)


_NEXT = {None: Role.BUYER, Role.BUYER: Role.SELLER, Role.SELLER: None}


def sit(model: Model) -> Model:
    """Play as the buyer, then as the seller, then stop playing."""
    score = model.latest.score
    if model.waiting:
        return model.with_message("the opponent is still to answer; then press {sit} again")
    role = _NEXT[None if score is None else score.role]
    if role is None:
        return leave(model)
    model = wished(present(pause(model)), Wish(0), Sit(role))
    model = replace(model, modal=None, cursor=None, chosen=model.base_pane, peeks=False)
    said = "" if "caption" in model.layout().lines else stake(model.latest.scenario, role)
    return replace(model, words="", message=said)


def leave(model: Model) -> Model:
    model = replace(present(pause(model)).send(Sit(None)), modal=None, price_typed="", words="")
    return model.with_message("you left the game: {sit} plays again, {run} goes on without you")


def your_turn(model: Model) -> Position | None:
    """Return the position in which the person must act, None if it is not the person's turn."""
    playback, score = model.playback, model.latest.score
    if not model.human_playing or model.waiting or playback is None or not playback.ended:
        return None
    position = model.position
    return position if position and score and position.role is score.role else None


def cursor(model: Model, position: Position) -> int:
    """Return the action whose price is chosen on the bar, at first the person's last offer."""
    offers = position.scenario.offers(position.role)
    if model.cursor is not None:
        return min(max(model.cursor, offers[0]), offers[-1])
    if position.own_last_offer is not None:
        return position.scenario.prices.index(position.own_last_offer)
    return offers[-1] if position.role is Role.SELLER else offers[0]


def choose_price(model: Model, position: Position, rows: int, columns: int) -> Model:
    """Choose another price: the next one by ← and →, a tenth of all prices further by ↑ and ↓."""
    offers = position.scenario.offers(position.role)
    if position.last_decision:
        return _last_word(model, position)
    far = max(1, position.scenario.n_prices // 10)
    wanted = cursor(model, position) + columns - rows * far
    chosen = min(max(wanted, offers[0]), offers[-1])
    text = own_range(position) if chosen != wanted else ""
    return replace(model, cursor=chosen, message=text)


def own_range(position: Position) -> str:
    """Return the prices that a role may offer, as text."""
    prices, offers = position.scenario.prices, position.scenario.offers(position.role)
    return f"your range is {prices[offers[0]]} to {prices[offers[-1]]}"


def _refusal(position: Position, price: int) -> str:
    """Return the reason for which a role may not offer or accept a price."""
    limit, buys = position.scenario.limit(position.role), position.role is Role.BUYER
    if price > limit if buys else price < limit:
        return f"{price} is {'above' if buys else 'below'} your limit {limit}"
    return f"no price {price}: {own_range(position)}"


def prices_typed(position: Position) -> dict[str, int]:
    """Return the action of each price that may be offered, by the price as text."""
    offers = () if position.last_decision else position.scenario.offers(position.role)
    return {str(position.scenario.prices[action]): action for action in offers}


def edits(model: Model, key: str) -> bool:
    """True if a key writes or deletes a digit of a price."""
    digit = key.isascii() and key.isdecimal()
    return key == "backspace" or (digit and model.keys.commands.get(key) in {None, "pane"})


def type_price(model: Model, key: str) -> Model | None:
    """Return the model after a key of a price that is typed; None for any other key."""
    position, typed = your_turn(model), model.price_typed
    if position is None or model.modal or (key == "backspace" and not typed):
        return None
    if not edits(model, key):
        refused = typed and model.keys.commands.get(key) == "take"
        wrong = refused and typed not in prices_typed(position)
        return replace(model, message=_refusal(position, int(typed))) if wrong else None
    if position.last_decision:
        return _last_word(model, position)
    longer = (typed[:-1],) if key == "backspace" else (typed + key, key)
    every = {*map(str, position.scenario.prices)}
    prices = prices_typed(position)
    beginnings = {price[:n] for price in prices for n in range(len(price) + 1)}
    written = next((text for text in longer if text in beginnings | every), None)
    if written is None:
        return replace(model, message=f"no price begins with {key}: {own_range(position)}")
    if written not in beginnings:
        return replace(model, message=_refusal(position, int(written)))
    chosen = prices.get(written, model.cursor)
    return replace(model, price_typed=written, cursor=chosen)


def peek(model: Model) -> Model:
    if model.latest.score is None:
        return model.with_message("no plan is hidden: {sit} lets you play")
    return replace(model, peeks=not model.peeks)


SAY = "say"  # name of the box, and of its command


def type_words(model: Model) -> Model:
    """Let the person type what to say with the next move."""
    if not model.snapshot.scenario.talk:
        return replace(model, message="nobody hears words here; start the program with --talk")
    if your_turn(model) is None:
        return _not_now(model, SAY)
    return replace(model, modal=SAY, modal_row=0, typed=model.words)


def say_lines(model: Model) -> tuple[str, ...]:
    """Return what was said last, as a whole, and what is typed."""
    heard = said(model.shown) if model.shown else None
    return (*((f"{heard[0]}: {heard[1]}", "") if heard else ()), f"{model.typed}_")


def take_words(model: Model) -> Model:
    """Hold what was typed until the next move."""
    model = replace(model, modal=None, words=cleaned(model.typed, MOST_SAID))
    text = "your words go with your next move: {take}, {accept} or {reject} makes it"
    return model.with_message(text * bool(model.words))


def act(model: Model, command: str) -> Model:
    """Offer the chosen price, accept or walk away; if the negotiation is over, begin the next."""
    position, text = your_turn(model), ""
    if position is None:
        if command == "take" and model.human_playing and model.over and not model.waiting:
            return replace(wished(model, Wish(0), Play()), modal=None, cursor=None)
        return _not_now(model, command)
    game, standing = position.scenario, position.standing_offer
    action = {"accept": game.accept, "reject": game.walk_away}.get(command)
    if action is None:
        if position.last_decision:
            return _last_word(model, position)
        action = cursor(model, position)
    elif standing is None and command == "accept":
        text = "there is nothing to accept yet, because you make the first offer"
    elif standing is None:
        text = "you cannot walk away before the first offer: {close} leaves"
    elif action not in position.legal:
        text = _refusal(position, standing)
    if text:
        return model.with_message(text)
    return replace(model.send(Act(action, model.words)), words="")


def _last_word(model: Model, position: Position) -> Model:
    accepts = f"{{accept}} accepts {position.standing_offer}"
    return model.with_message(f"this is the last decision; {accepts}, {{reject}} walks away")


def _not_now(model: Model, command: str) -> Model:
    text = "wait for the opponent's answer"
    if model.latest.score is None:
        text = f"{{{command}}} works only while you play: {{sit}} lets you play"
    elif not model.human_playing or (model.playback and model.playback.rewound):
        text = "this is an earlier offer" if model.human_playing else "this is the past"
        text += ": {offer} goes forward until it is your turn"
    elif model.over:
        text = "this game is over: {take} begins the next, {close} leaves"
    return model.with_message(text)

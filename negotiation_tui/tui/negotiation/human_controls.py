"""The commands of a person who plays; a command that is not possible now says why. Pure."""

from dataclasses import replace

from negotiation_tui.game.negotiation import Position
from negotiation_tui.game.roles import Role
from negotiation_tui.sessions.commands import Act, Play, Sit
from negotiation_tui.tui.negotiation.model import Model
from negotiation_tui.tui.negotiation.score import stake
from negotiation_tui.tui.negotiation.time_travel import present
from negotiation_tui.tui.toolkit.timeline import pause

_NEXT = {None: Role.BUYER, Role.BUYER: Role.SELLER, Role.SELLER: None}


def sit(model: Model) -> Model:
    """Play as the buyer, then as the seller, then stop playing."""
    score = model.latest.score
    if model.waiting:
        return model.with_message("wait for the opponent, then press {sit} again")
    role = _NEXT[None if score is None else score.role]
    if role is None:
        return leave(model)
    model = present(pause(model)).send(Sit(role))
    model = replace(model, reveal=0, modal=None, cursor=None, chosen=model.base_pane, peeks=False)
    return replace(model, message=stake(model.latest.scenario, role))


def leave(model: Model) -> Model:
    """Stop playing."""
    model = replace(present(pause(model)).send(Sit(None)), modal=None, price_typed="")
    return model.with_message("you no longer play: {sit} plays again, {run} goes on without you")


def your_turn(model: Model) -> Position | None:
    """Return the position in which the person must act, None if it is not the person's turn."""
    playback, score = model.playback, model.latest.score
    if not model.human_playing or model.waiting or playback is None or not playback.ended:
        return None
    position = playback.position
    return position if position and score and position.role is score.role else None


def cursor(model: Model, position: Position) -> int:
    """Return the action whose price is chosen on the bar, at first the person's last offer."""
    offers = position.scenario.offers(position.role)
    if model.cursor is not None:
        return min(max(model.cursor, offers[0]), offers[-1])
    if position.own_last_offer is not None:
        return position.scenario.prices.index(position.own_last_offer)
    return offers[-1] if position.role is Role.SELLER else offers[0]


def choose(model: Model, position: Position, rows: int, columns: int) -> Model:
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


def prices_typed(position: Position) -> dict[str, int]:
    """Return the action of each price that may be offered, by the price as text."""
    offers = () if position.last_decision else position.scenario.offers(position.role)
    return {str(position.scenario.prices[action]): action for action in offers}


def edits(model: Model, key: str) -> bool:
    """True if a key writes or deletes a digit of a price."""
    digit = key.isascii() and key.isdecimal()
    return key == "backspace" or (digit and model.keys.commands.get(key) in {None, "pane"})


def type_price(model: Model, key: str) -> Model | None:
    """Return the model after a key of a price that is typed; None for any other key.

    A digit that continues no price begins another one.
    """
    position, typed = your_turn(model), model.price_typed
    if position is None or model.modal or (key == "backspace" and not typed):
        return None
    if not edits(model, key):
        refused = typed and model.keys.commands.get(key) == "take"
        wrong = refused and typed not in prices_typed(position)
        return replace(model, message=f"no price {typed}: {own_range(position)}") if wrong else None
    if position.last_decision:
        return _last_word(model, position)
    longer = (typed[:-1],) if key == "backspace" else (typed + key, key)
    prices = prices_typed(position)
    beginnings = {price[:n] for price in prices for n in range(len(price) + 1)}
    written = next((text for text in longer if text in beginnings), None)
    if written is None:
        return replace(model, message=f"no price begins with {key}: {own_range(position)}")
    chosen = prices.get(written, model.cursor)
    return replace(model, price_typed=written, cursor=chosen)


def peek(model: Model) -> Model:
    """Show or hide the plans of both seats."""
    if model.latest.score is None:
        return model.with_message("nothing is hidden: press {sit} to play")
    return replace(model, peeks=not model.peeks)


def offer(model: Model) -> Model:
    """Offer the chosen price; if the negotiation is over, begin the next."""
    position, playback = your_turn(model), model.playback
    if position is None:
        if model.human_playing and playback and playback.over and not model.waiting:
            return replace(model.send(Play()), reveal=0, modal=None, cursor=None)
        return _not_now(model, "take")
    if position.last_decision:
        return _last_word(model, position)
    return model.send(Act(cursor(model, position)))


def accept(model: Model) -> Model:
    """Accept the opponent's offer."""
    position = your_turn(model)
    if position is None:
        return _not_now(model, "accept")
    if position.standing_offer is None:
        return replace(model, message="there is nothing to accept yet: you make the first offer")
    if position.scenario.accept not in position.legal:
        range_ = position.scenario.acceptable_range(position.role)
        limits = f"{range_.minimum} to {range_.maximum}"
        text = f"{position.standing_offer} is not in your range, {limits}"
        return replace(model, message=text)
    return model.send(Act(position.scenario.accept))


def quit_negotiation(model: Model) -> Model:
    """End the negotiation without a deal."""
    position = your_turn(model)
    if position is None:
        return _not_now(model, "reject")
    if position.standing_offer is None:
        return model.with_message("you cannot walk away before the first offer; {close} leaves")
    return model.send(Act(position.scenario.walk_away))


def _last_word(model: Model, position: Position) -> Model:
    accepts = f"{{accept}} accepts {position.standing_offer}"
    return model.with_message(f"the last decision: {accepts}, {{reject}} walks away")


def _not_now(model: Model, command: str) -> Model:
    text = "wait for the opponent's answer"
    if model.latest.score is None:
        text = f"{{{command}}} works only while you play: press {{sit}} to play"
    elif not model.human_playing or (model.playback and model.playback.rewound):
        text = "this is the past: {offer} goes forward until it is your turn"
    elif model.playback and model.playback.over:
        text = "this negotiation is over: {take} begins the next, {close} leaves"
    return model.with_message(text)

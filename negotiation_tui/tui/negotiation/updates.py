"""The updates of the game on the bar in words: the value before and after, and its sum. Pure.

Results have two digits, the numbers that they come from three: two would often not add up.
"""

from typing import TYPE_CHECKING

from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import START
from negotiation_tui.learning.learner_registry import LEARNERS, learner, name_of
from negotiation_tui.learning.spec import learns
from negotiation_tui.runtime.text import shortened
from negotiation_tui.sessions.snapshot import Negotiation, Snapshot

if TYPE_CHECKING:
    from negotiation_tui.learning.updates import Update


def updates_of_turns(here: Snapshot, width: int, rows: int) -> list[list[str]]:
    """Return, for each turn of a moment's game, a page of up to `rows` lines per update.

    No pages at all if the session did not note the updates of that game.
    """
    shown = here.negotiation
    if shown is None or here.updates is None or shown.test:
        return []
    pages: list[list[str]] = [[] for _ in shown.transcript.turns]
    for update in here.updates:
        what, why = in_words(shown, update)
        lines = [what, why] if rows > 1 or not why else [f"{what} {why}"]
        pages[update.turn].append("\n".join(shortened(line, width) for line in lines if line))
    told = {update.role for update in here.updates}
    for role in shown.learners:
        spec = shown.specs[role]
        if role not in told and learns(spec) and name_of(spec) in LEARNERS and pages:
            pages[-1].append(shortened(f"{role}: {learner(spec).summary}", width))
    return pages


def in_words(shown: Negotiation, update: "Update") -> tuple[str, str]:
    """Return the state, the action and both values of an update, and where the new one is from."""
    game, how = shown.transcript.scenario, update.how
    width, turn = game.origin.width, shown.transcript.turns[update.decision]
    before, after = (f"{each * width:.2f}" for each in (update.before, update.after))
    does = f"{'ask' if turn.role is Role.SELLER else 'offer'} {turn.price}"
    if turn.action >= game.accept:
        does = f"accept {turn.price}" if turn.price is not None else "walk away"
    what = f"{update.role}, {_state(shown, update.role, update.row)}, {does}"
    what += f" stays {before}" if before == after else f": {before} → {after}"
    if how is None:
        return what, ""
    if not how.rate:
        return what, "a worse result is forgiven as long as the state and the action are new"
    told = update.amount, update.old, update.before
    amount, old, plain = (f"{each * width:.3f}" for each in told)
    factor = "" if how.factor == 1 else f"{how.factor:g}·"
    if how.amount:
        why = f"{how.amount} {amount}"
        if update.following is not None:
            why += f" ({_state(shown, update.role, update.following)})"
    else:
        why = f"the deal pays {amount}" if shown.transcript.outcome.deal else "nothing comes of it"
    sums = f"{1 - how.rate:.3g}·{old} + {how.rate:.3g}·{factor}{amount}"
    return what, f"{'of two tables one: ' if old != plain else ''}= {sums}   {why}"


def _state(shown: Negotiation, role: Role, row: int) -> str:
    game = shown.transcript.scenario
    state = row % game.n_states
    if state == START:
        return "opening"
    offer, time = game.offer_and_time(state)
    deed = "offered" if role is Role.SELLER else "asked"
    return f"{deed} {game.prices[offer]} in round {time + 1}"

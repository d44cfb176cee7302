"""The reason for a number: the negotiations that an entry of a Q-table comes from. Pure."""

from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING

from negotiation_tui.game.learned import WithPolicy, WithValues
from negotiation_tui.game.plan import Kind
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.learner import position_of
from negotiation_tui.runtime.text import coins, waiting_cost
from negotiation_tui.runtime.text import table as text_table
from negotiation_tui.sessions.commands import Explain
from negotiation_tui.sessions.snapshot import Snapshot
from negotiation_tui.solvers.best_response import best_response
from negotiation_tui.tui.negotiation import time_travel
from negotiation_tui.tui.negotiation.model import TABLES, Model
from negotiation_tui.tui.negotiation.panes.q_tables import RoleTable, policy_of
from negotiation_tui.tui.toolkit.timeline import ALL, stop
from negotiation_tui.tui.widgets.q_table import never
from negotiation_tui.tui.widgets.words import VERBS, state_words

if TYPE_CHECKING:
    from negotiation_tui.learning.ancestry import Ancestry, Entry, Source

WHY = "why"
ANSWERS = "answers"  # name of the box with the answers in a state
_MOST = 500  # the most negotiations in the list; the others are one line
_MAIN = 0.8  # share of the value that the first line counts negotiations for


def open_why(model: Model) -> Model:
    """Ask where the number under the cursor of the chosen plan comes from."""
    from negotiation_tui.learning.ancestry import Entry

    shown, learned = RoleTable(model, model.chosen), model.pane_snapshot
    role, game, agent = shown.role, shown.game, learned.agents[shown.role]
    if shown.plan is None or learned.seating.strategies[role] is not None:
        return model.with_message("this plan is a fixed rule, so nothing was learned here")
    program = model.latest.seating.has_program  # nothing can be played again
    if program or not isinstance(agent, WithValues) or isinstance(agent, WithPolicy):
        other = ", and not against a program" * program
        return model.with_message(f"reasons are kept for Q-learning only{other}")
    state, action = shown.entry
    decision, legal = shown.plan.decision(state), game.legal_actions(state, role)
    if not decision.kinds or never(game, role, state, shown.opened):
        return model.with_message(f"the {role} never decides here")
    untried = Kind.UNTRIED in decision.kinds
    if untried or (action is not None and action not in legal):
        what = "nothing was learned here yet" if untried else "not possible"
        return model.with_message(f"{state_words(game, state, shown.opened)}: {what}")
    if action is None:
        row = agent.values[shown.limit * game.n_states + state]
        action = max(legal, key=lambda each: float(row[each]))
    return _ask(stop(model), Entry(role, state, action, learned.negotiations, shown.limit))


def open_answers(model: Model) -> Model | None:
    """Show what was answered in the state under the cursor; None if nobody is asked."""
    shown = RoleTable(model, model.chosen)
    found, role, game = shown.answers, shown.role, shown.game
    if found is None:
        return None
    state, opened = shown.entry[0], shown.opened
    name, why_not = state_words(game, state, opened), never(game, role, state, opened)
    counts = found.halves[0, shown.limit * game.n_states + state]
    if why_not or not counts.any():
        return model.with_message(f"{name}: {why_not or 'not asked yet'}")
    costs, note = _costs(model.latest, role, game, state)
    given = [each for each in counts.argsort(kind="stable")[::-1].tolist() if counts[each]]
    texts = [f"{cost:.1f}" for cost in costs] or [""] * len(counts)
    rows = [("answer", "times", "costs" * bool(costs))]
    rows += [(_does(game, role, each), f"{counts[each]:,}", texts[each]) for each in given]
    if costs:
        mean = sum(counts[each] * costs[each] for each in given) / counts.sum()
        note = f"{coins(mean)} on average; best: it {_does(game, role, costs.index(0))}, {note}"
    answer = f"The {role}'s answers, {name}", *text_table(rows, "<", ">"), "", note
    return replace(model, modal=ANSWERS, modal_row=0, answer=answer)


def _costs(now: Snapshot, role: Role, game: Scenario, state: int) -> tuple[list[float], str]:
    """Return the coins that each action costs against the table opposite, if known, and a note."""
    other = role.other
    if now.scenario.hidden:
        return [], "costs are left out, because with hidden limits they depend on earlier offers"
    fixed = now.seating.strategies[other] is not None
    policy = now.policies[other] if fixed else policy_of(now, other)
    if policy is None:
        return [], f"the {other} has no table, so the cost is not known"
    response = best_response(now.scenario, role, policy, now.parameters.discount_rate)
    values = response.action_value(position_of(game, role, state))
    lost = (values.max() - values) * now.scenario.width
    return lost.tolist(), f"if the {other} plays on as it would now"


def other_action(model: Model, step: int) -> Model:
    """Ask about the next (1) or previous action of that state."""
    entry = model.why
    assert entry is not None
    legal = list(_game(model, entry).legal_actions(entry.state, entry.role))
    action = legal[(legal.index(entry.action) + step) % len(legal)]
    return _ask(model, replace(entry, action=action))


def go_there(model: Model) -> Model:
    """Show the marked negotiation, as it was played."""
    found = _found(model)
    if found is None or not 1 <= model.modal_row <= min(_MOST, len(found.sources)):
        return model.with_message("choose a game to jump to")
    episode = found.sources[model.modal_row - 1].episode
    return time_travel.go_to(replace(model, modal=None), episode + 1, ALL)


def why_lines(model: Model) -> tuple[str, ...]:
    """Return the lines of the box: the sum, then a negotiation each, the greatest part first."""
    from negotiation_tui.learning.ancestry import MAX_EPISODES

    found = _found(model)
    if found is None:
        return ("replaying the training …",)
    listed = found.sources[:_MOST]
    width = model.snapshot.scenario.width
    lines = [_sum(found, width), *(_line(found, source, width) for source in listed)]
    others = found.sources[len(listed) :]
    if others:
        amount = sum(source.amount for source in others)
        lines.append(f"{len(others):,} other games {_part(found, amount, width)}")
    if found.since:
        before = f"the values before game #{found.since + 1:,}"
        part = _part(found, found.initial, width)
        lines.append(f"{before}; only {MAX_EPISODES:,} games are played again {part}")
    elif found.initial or not found.sources:
        lines.append(f"the initial value {_part(found, found.initial, width)}")
    whole = sum(source.at_once for source in found.sources)
    left = sum(source.amount for source in found.sources)
    lost = 1 - left / whole if whole > 0 else 0.0
    if cost := waiting_cost(lost, whole * width, f"the {found.entry.role}"):
        lines.append(f"made at once, these deals would be worth {coins(whole * width)}; {cost}")
    if any(source.expected for source in found.sources):
        lines.append("expected: the mean over all answers that the opponent may give")
    return tuple(lines)


def _game(model: Model, entry: "Entry") -> Scenario:
    return model.snapshot.scenario.views[entry.role][entry.limit]


def _ask(model: Model, entry: "Entry") -> Model:
    asked = replace(model, why=entry, modal=WHY, modal_row=1)
    return asked if _found(asked) else asked.send(Explain(entry))


def _found(model: Model) -> "Ancestry | None":
    """Return the answer of the session; None while it works."""
    found = model.latest.replies.ancestry
    return found if found and found.entry == model.why else None


def why_title(model: Model) -> str:
    """Return the title, such as `Why the seller asks 4: offered 3, round 2`."""
    entry = model.why
    assert entry is not None
    pane = next(pane for pane, role in TABLES.items() if role is entry.role)
    scenario, opened = _game(model, entry), RoleTable(model, pane).opened
    agent, state = model.pane_snapshot.agents[entry.role], entry.state
    assert isinstance(agent, WithValues)
    row = agent.values[entry.limit * scenario.n_states + state]
    tied = [each for each in scenario.legal_actions(state, entry.role) if row[each] == row.max()]
    others = [each for each in tied if each != entry.action] * (entry.action in tied)
    does = " or ".join(_does(scenario, entry.role, each) for each in (entry.action, *others))
    limit = f" of limit {scenario.limit(entry.role)}" if scenario.lottery else ""
    return f"Why the {entry.role}{limit} {does}: {state_words(scenario, entry.state, opened)}"


def _does(scenario: Scenario, role: Role, action: int) -> str:
    closing = {scenario.accept: "accepts", scenario.walk_away: "walks away"}
    return closing.get(action) or f"{VERBS[role]} {scenario.prices[action]}"


def _sum(found: "Ancestry", width: int) -> str:
    """Say how few negotiations make most of the value."""
    value = f"worth {coins(found.value * width)}"
    if not found.sources:
        return f"{value}, because no game with a deal led here"
    sums = accumulate(source.amount for source in found.sources)
    shares = [amount / found.value for amount in sums]
    n = next((n for n, share in enumerate(shares, 1) if share >= _MAIN), len(shares))
    part = "all" if n == len(shares) else f"{shares[n - 1]:.0%}"
    of = "" if n == len(shares) else f", all of it from {len(shares):,}"
    return f"{value}, {part} learned from {'one game' if n == 1 else f'{n:,} games'}{of}"


def _line(found: "Ancestry", source: "Source", width: int) -> str:
    number = f"#{source.episode + 1:,}"
    ended = "no deal" if source.price is None else f"deal at {source.price}"
    expected = "  expected" if source.expected else ""
    return f"{number:<8} {ended:<12} {_part(found, source.amount, width)}{expected}"


def _part(found: "Ancestry", amount: float, width: int) -> str:
    """Return an amount in coins, and its share of the value."""
    share = amount / found.value if found.value else 0.0
    return f"{amount * width:+.3f} {share:6.1%}".replace("-", "−")

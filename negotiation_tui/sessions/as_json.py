"""A snapshot as plain values, for JSON. Pure."""

from typing import Any

from negotiation_tui.game.negotiation import Turn
from negotiation_tui.game.plan import Kind, Plan
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.sessions.snapshot import Negotiation, Snapshot

_NAMES = {Kind.ACCEPT: "accept", Kind.ASK: "offer"}
_NAMES |= {Kind.WALK_AWAY: "walk away", Kind.UNTRIED: "untried"}


def as_json(snapshot: Snapshot) -> dict[str, Any]:
    """Return scenario, seed, progress, plans, statistics, NashConv and the last negotiation."""
    statistics, nash_conv = snapshot.statistics, snapshot.theory.nash_conv
    reached = {
        "reached": [each._asdict() for each in snapshot.reached],
        "ceiling": snapshot.theory.ceiling,
        "ceiling_with_waits": snapshot.theory.ceiling_with_waits,
    }
    return {
        "scenario": snapshot.scenario.to_dict(),
        "parameters": snapshot.parameters.to_dict(),
        "seed": snapshot.seed,
        "players": {str(role): snapshot.seating.specs[role] for role in Role},
        "opener": str(snapshot.opener),
        "cycle": snapshot.negotiations // snapshot.parameters.episodes,
        "negotiations": snapshot.negotiations,
        "plans": {str(role): _plans(snapshot, role) for role in Role},
        "totals": statistics.total.to_dict(),
        "cycles": statistics.to_dict(snapshot.scenario),
        "nash_conv": nash_conv
        and {
            "total": nash_conv.total,
            **{str(role): nash_conv.exploitability[role] for role in Role},
            **({} if nash_conv.exact else {"at_least": nash_conv.bounds[0]}),
        },
        "nash_convs": [list(pair) for pair in snapshot.nash_convs],
        **(reached if snapshot.scenario.hidden else {}),
        "negotiation": snapshot.negotiation and _negotiation(snapshot, snapshot.negotiation),
    }


def _plans(snapshot: Snapshot, role: Role) -> list[dict[str, Any]] | None:
    limits = snapshot.scenario.limits[role]
    if limits is None:
        return _plan(snapshot, role)
    values = enumerate(limits.values)
    return [{"limit": limit, "plan": _plan(snapshot, role, n)} for n, limit in values]


def _plan(snapshot: Snapshot, role: Role, limit: int = 0) -> list[dict[str, Any]] | None:
    plan = snapshot.plan(role, limit=limit)
    states = () if plan is None else plan.kinds.nonzero()[0].tolist()
    return None if plan is None else [_decision(plan, state) for state in states]


def _decision(plan: Plan, state: int) -> dict[str, Any]:
    decision, scenario = plan.decision(state), plan.scenario
    if plan.opener_aware:
        scenario = scenario.with_opener
    return {
        "state": scenario.state_label(state),
        "does": [name for kind, name in _NAMES.items() if kind in decision.kinds],
        "lowest": decision.lowest,
        "highest": decision.highest,
        "prices": decision.n_prices,
        "value": decision.value,
        "chance": decision.chance,
    }


def _negotiation(snapshot: Snapshot, negotiation: Negotiation) -> dict[str, Any]:
    transcript, learners = negotiation.transcript, negotiation.learners
    before = max(0, negotiation.key.episode - 1)
    cycle, episode = divmod(before, snapshot.parameters.episodes)
    scenario = transcript.scenario
    limits = {str(role): scenario.limit(role) for role in Role}
    return {
        "key": list(negotiation.key),
        "cycle": cycle + 1,
        "episode": episode + 1,
        "learner": str(learners[0]) if learners else None,
        "together": len(learners) > 1,
        "epsilon": negotiation.epsilon,
        "test": negotiation.test,
        "opener": str(transcript.opener),
        **({"limits": limits} if scenario.lottery else {}),
        "turns": [_turn(turn, scenario) for turn in transcript.turns],
        "deal": transcript.outcome.price,
        "shares": {str(role): transcript.reward(role) for role in Role},
    }


def _turn(turn: Turn, scenario: Scenario) -> dict[str, Any]:
    kind = Kind.WALK_AWAY if turn.price is None else Kind.ASK
    return {
        "role": str(turn.role),
        "round": turn.round + 1,
        "does": _NAMES[Kind.ACCEPT if turn.action == scenario.accept else kind],
        "price": turn.price,
        "explored": turn.explored,
        **({"said": turn.words} if scenario.talk else {}),
    }

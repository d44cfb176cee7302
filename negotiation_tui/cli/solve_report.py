"""The report of `solve`, as text and as plain values."""

from typing import TYPE_CHECKING, Any

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.negotiation import Transcript, Turn
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.runtime.text import between, table
from negotiation_tui.solvers.payoffs import ceiling, first_best, known_ceiling
from negotiation_tui.solvers.subgame_perfect import EQUAL, Equilibrium

if TYPE_CHECKING:
    from negotiation_tui.cli.distance import Distance
    from negotiation_tui.solvers.best_response import NashConv

_ROUNDING = 1e-9  # a surplus above the ceiling by less may be a rounding error
_LONG = 12  # greatest number of turns that are printed in full, and of limits of a role in one line


_NO_EQUILIBRIUM = "No equilibrium: backward induction needs limits that both roles know"


def as_text(
    scenario: Scenario, rate: float, solutions: list[Equilibrium], distance: "Distance | None"
) -> str:
    size = f"{scenario.n_prices:,} prices × {scenario.rounds:,} rounds"
    discount = f"γ = {rate:g} between a role's own decisions"
    if rate == 1:
        discount = "nothing else discounts" if scenario.time_costs else "undiscounted"
    lines = [f"scenario {scenario.name}, {size}{scenario.delta_text}, {discount}", ""]
    if distance is not None:
        lines += [*_distance_lines(scenario, rate, distance), ""]
    lines += _limits_lines(scenario, rate) if scenario.hidden else ["Equilibrium"]
    for solution in solutions:
        seller, buyer = solution.values
        rule = f"an indifferent player {solution.tie_break}s"
        worth = f"worth {seller:.4f} to the seller and {buyer:.4f} to the buyer"
        lines += ["", f"  the {solution.opener} opens; {rule}", f"    {turns_text(solution.path)}"]
        more = f"the {Role.SELLER if seller > buyer else Role.BUYER} gains more"
        if abs(seller - buyer) < EQUAL:
            more = "neither gains more"
        lines.append(f"    {worth}, {more}")
    return "\n".join(lines)


def _distance_lines(scenario: Scenario, rate: float, distance: "Distance") -> list[str]:
    conv = distance.nash_conv
    openers = scenario.opener.roles
    who = "both openers equally often" if len(openers) > 1 else f"the {scenario.opener} opens"
    name = "Bayesian NashConv" if scenario.hidden else "NashConv"
    lines = [f"{name} {between(*conv.bounds, 4)} ({who})"]
    for role in Role:
        gain = between(*conv.gain_bounds[role], 4)
        lines += ["", f"  the {role} plays {distance.players[role]}"]
        lines.append(f"    it gets {conv.values[role]:.4f}; its best response gets {gain} more")
        if scenario.hidden:
            lines += ["", *(f"    {line}" for line in _returns_lines(conv, role, rate)), ""]
        for opener in openers:
            best = conv.responses[role].values[opener]
            response = f"    best response when the {opener} opens, worth"
            if not distance.examples:
                lines.append(f"{response} at most {best:.4f}")
                continue
            example = distance.examples[role][opener]
            limits = " and ".join(str(example.scenario.limit(each)) for each in Role)
            drawn = f" with limits {limits}" if scenario.hidden else ""
            lines += [f"{response} {best:.4f}, for example{drawn}:", f"      {turns_text(example)}"]
    return [*lines, *_surplus_lines(conv)]


def turns_text(transcript: Transcript) -> str:
    """Describe a negotiation turn by turn; the middle of a long one is left out."""
    parts, last = [], 0
    turns = transcript.turns
    for n, turn in enumerate(turns):
        if _LONG // 2 <= n < len(turns) - 4 and len(turns) > _LONG:
            if n == _LONG // 2:
                parts.append("…")
            continue
        if turn.round + 1 != last:
            last = turn.round + 1
            parts.append(f"round {last}:")
        parts.append(f"{turn.role} {_action(transcript.scenario, turn)},")
    return " ".join(parts).rstrip(",")


def _action(scenario: Scenario, turn: Turn) -> str:
    if turn.action == scenario.accept:
        return f"accepts {turn.price}"
    if turn.action == scenario.walk_away:
        return "quits"
    return f"{'asks' if turn.role is Role.SELLER else 'offers'} {turn.price}"


def as_dict(
    scenario: Scenario, rate: float, solutions: list[Equilibrium], distance: "Distance | None"
) -> dict[str, Any]:
    result: dict[str, Any] = {
        "scenario": scenario.to_dict(),
        "discount_rate": rate,
        "equilibria": [
            {
                "opener": str(solution.opener),
                "tie_break": solution.tie_break.value,
                "seller": solution.values[Role.SELLER],
                "buyer": solution.values[Role.BUYER],
                "price": solution.path.outcome.price,
                "turns": _turns(solution.path),
            }
            for solution in solutions
        ],
    }
    if scenario.hidden:
        result |= {
            "first_best": first_best(scenario),
            "ceiling": known_ceiling(scenario),
            "ceiling_with_waits": known_ceiling(scenario, rate),
        }
    if distance is not None:
        conv = distance.nash_conv
        result["nash_conv"], examples = conv.total, distance.examples
        result["roles"] = {
            str(role): {
                "value": conv.values[role],
                "gain": conv.exploitability[role],
                "best_response": {
                    f"{opener}_opens": {
                        "value": conv.responses[role].values[opener],
                        "turns": _turns(examples[role][opener]) if examples else None,
                    }
                    for opener in Role
                },
                **({"limits": returns(conv, role, rate)} if scenario.hidden else {}),
            }
            for role in Role
        }
        if scenario.hidden:
            assert conv.play is not None
            result["nash_conv_at_least"] = conv.bounds[0]
            result |= {"surplus": conv.play.surplus, "efficiency": conv.play.efficiency}
    return result


def _turns(transcript: Transcript) -> list[dict[str, Any]]:
    label = transcript.scenario.action_label
    return [
        {"role": str(turn.role), "round": turn.round + 1, "action": label(turn.action)}
        for turn in transcript.turns
    ]


def _limits_lines(scenario: Scenario, rate: float) -> list[str]:
    lines = ["Hidden limits", ""]
    lines += [f"  {str(role) + ':':7} {_limits_text(scenario, role)}" for role in Role]
    surplus = "Surplus: both rewards together" + ", undiscounted" * (not scenario.time_costs)
    lines += ["", surplus, ""]
    best = first_best(scenario)
    if best > 0:
        lines.append(f"  first best: {best:.4f}, if every pair of limits trades that can")
        try:
            most = ceiling(scenario)
            rule = "the most of a rule without outside money by which no limit"
            lines.append(f"  ceiling:    {most:.4f}, {most / best:.1%} of it: {rule}")
            lines.append("              gains by pretending or loses, without discounting")
            if scenario.time_costs and rate == 1:
                return [*lines, "", _NO_EQUILIBRIUM]
            waiting = ceiling(scenario, rate)
            rule = f"likewise, if a deal may wait and a round counts γ = {rate:g} for both"
            lines.append(f"  with waits: {waiting:.4f}, {waiting / best:.1%} of it: {rule}")
        except BadInputError as error:  # scipy is not installed
            lines.append(f"  ceiling:    {error}")
    else:
        lines.append("  first best: 0, because no pair of limits gains by trading")
    return [*lines, "", _NO_EQUILIBRIUM]


def _limits_text(scenario: Scenario, role: Role) -> str:
    limits = scenario.limits[role]
    if limits is None:
        return f"{scenario.limit(role)}, known to both"
    equal, pairs = limits.equally_likely, zip(limits.values, limits.chances.tolist(), strict=True)
    parts = [f"{limit}" if equal else f"{limit} ({chance:.1%})" for limit, chance in pairs]
    if len(parts) > _LONG:
        parts[_LONG // 2 : -2] = ["…"]
    return ", ".join(parts) + (", equally likely" if equal and len(parts) > 1 else "")


def _returns_lines(conv: "NashConv", role: Role, rate: float) -> list[str]:
    rows = [("limit", "drawn", "it gets", "best response", "by pretending")]
    for each in returns(conv, role, rate):
        best = between(each["at_least"], each["best_response"], 4)
        drawn, gets, other = f"{each['chance']:.1%}", f"{each['value']:.4f}", each["pretending"]
        rows.append((str(each["limit"]), drawn, gets, best, f"+{other:.4f}"))
    return table(rows, ">")


def _surplus_lines(conv: "NashConv") -> list[str]:
    play = conv.play
    if play is None or play.efficiency is None:
        return []
    reached = f"Surplus {play.surplus:.4f}, {play.efficiency:.1%} of first best, undiscounted"
    most = known_ceiling(play.scenario)
    if most is not None and play.surplus > most + _ROUNDING:
        reached += "; above the undiscounted ceiling, because some limit gains by pretending"
    seller, buyer = map(play.mean_pretending, Role)
    pretending = f"{seller:.4f} for the seller, {buyer:.4f} for the buyer"
    return ["", reached, f"  gain by pretending, even with prices outside its limit: {pretending}"]


def returns(conv: "NashConv", role: Role, rate: float) -> list[dict[str, Any]]:
    """Return a mapping per limit of a role: its chance and its returns, means over the openers."""
    play, response = conv.play, conv.responses[role]
    assert play is not None
    scenario = play.scenario
    openers = list(scenario.opener.roles)
    at_least, best = response.bounds[:, openers].mean(axis=1)
    columns = {
        "chance": scenario.chances(role),
        "value": play.interim(role, rate)[openers].mean(axis=0),
        "best_response": best,
        "at_least": at_least,
        "pretending": play.pretending(role, rate),
        "beyond": play.pretending(role, 1.0, beyond=True),
    }
    rows = np.column_stack(list(columns.values())).tolist()
    return [
        {"limit": view.limit(role), **dict(zip(columns, row, strict=True))}
        for view, row in zip(scenario.views[role], rows, strict=True)
    ]

"""The part of the report of `solve` that is about hidden limits, as text and as plain values."""

from typing import Any

import numpy as np

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.runtime.text import between, table
from negotiation_tui.solvers.best_response import NashConv
from negotiation_tui.solvers.payoffs import ceiling, first_best, known_ceiling

EQUAL = 1e-9
"""A surplus above the ceiling by less may be a rounding error."""
SHOWN = 12
"""The most limits of a role that are printed in one line."""


def scenario_text(scenario: Scenario) -> list[str]:
    """Return lines on the limits, and on the surplus that can be reached between them."""
    lines = ["Hidden limits", ""]
    lines += [f"  {str(role) + ':':7} {_limits_text(scenario, role)}" for role in Role]
    lines += ["", "Surplus: both rewards together, undiscounted", ""]
    best = first_best(scenario)
    if best > 0:
        lines.append(f"  first best: {best:.4f}, if every pair of limits trades that can")
        lines.append(f"  ceiling:    {_ceiling_text(scenario, best)}")
    else:
        lines.append("  first best: 0, because no pair of limits gains by trading")
    return [*lines, "", "No equilibrium: backward induction needs limits that both roles know"]


def _limits_text(scenario: Scenario, role: Role) -> str:
    limits = scenario.limits[role]
    if limits is None:
        return f"{scenario.limit(role)}, known to both"
    equal = limits.equally_likely
    parts = [
        f"{limit}" if equal else f"{limit} ({chance:.1%})"
        for limit, chance in zip(limits.values, limits.chances.tolist(), strict=True)
    ]
    if len(parts) > SHOWN:
        parts[SHOWN // 2 : -2] = ["…"]
    return ", ".join(parts) + (", equally likely" if equal and len(parts) > 1 else "")


def _ceiling_text(scenario: Scenario, best: float) -> str:
    try:
        most = ceiling(scenario)
    except BadInputError as error:  # scipy is not installed
        return str(error)
    share = f"{most:.4f}, {most / best:.1%} of it"
    return f"{share}, the most of any rule by which no limit pretends to be another"


def players_text(conv: NashConv, role: Role, rate: float) -> list[str]:
    """Return a table of the returns of each limit of a role."""
    rows = [("limit", "drawn", "it gets", "best response", "by pretending")]
    for each in returns(conv, role, rate):
        best = between(each["at_least"], each["best_response"], 4)
        drawn, gets, other = f"{each['chance']:.1%}", f"{each['value']:.4f}", each["pretending"]
        rows.append((str(each["limit"]), drawn, gets, best, f"+{other:.4f}"))
    return table(rows, ">")


def play_text(conv: NashConv) -> list[str]:
    """Return a line on the surplus that two players reach, if there is any."""
    play = conv.play
    if play is None or play.efficiency is None:
        return []
    reached = f"Surplus {play.surplus:.4f}, {play.efficiency:.1%} of first best, undiscounted"
    most = known_ceiling(play.scenario)
    if most is not None and play.surplus > most + EQUAL:
        reached += "; above the ceiling, because some limit gains by pretending"
    seller, buyer = map(play.mean_pretending, Role)
    pretending = f"{seller:.4f} for the seller, {buyer:.4f} for the buyer"
    return ["", reached, f"  gain by pretending, even beyond the own limit: {pretending}"]


def scenario_dict(scenario: Scenario) -> dict[str, Any]:
    """Return the surplus that can be reached; the ceiling is None if scipy is not installed."""
    return {"first_best": first_best(scenario), "ceiling": known_ceiling(scenario)}


def play_dict(conv: NashConv) -> dict[str, Any]:
    """Return the surplus that two players reach, and the least that NashConv can be."""
    assert conv.play is not None
    return {
        "nash_conv_at_least": conv.bounds[0],
        "surplus": conv.play.surplus,
        "efficiency": conv.play.efficiency,
    }


def returns(conv: NashConv, role: Role, rate: float) -> list[dict[str, Any]]:
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

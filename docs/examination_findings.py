"""Check the bounds of `examine` on random players: `python docs/examination_findings.py`.

Each player mixes in every decision, by a Dirichlet distribution. It is asked N times per decision.
Prints the share of players whose true exploitability lies within the bounds, the mean width of the
bounds, and the bias of the naive estimate and of regret. Then, for other noisy players, the shares
of the intervals of bits told, gains and regret that hold the truth. Takes half an hour.
"""

from dataclasses import replace

import numpy as np

from negotiation_tui import STRATEGIES
from negotiation_tui.examination.answers import Answers
from negotiation_tui.examination.defaults import OPPONENTS
from negotiation_tui.examination.examine import with_opener
from negotiation_tui.examination.marks import Examinee, disclosures, exploitability, regrets
from negotiation_tui.game.roles import Role, States
from negotiation_tui.game.scenario import Scenario, ScenarioLike
from negotiation_tui.game.tabular_policy import TabularPolicy, legal_rows
from negotiation_tui.runtime.arrays import Floats
from negotiation_tui.runtime.estimate import Estimate
from negotiation_tui.runtime.interrupts import run

PLAYERS = 200
SMALL = {
    "name": "small",
    "prices": [0, 2, 3, 7],
    "rounds": 3,
    "opener": "buyer",
    "seller": {"limits": [1, 3], "weights": [2, 1]},
    "buyer": {"min": 2, "max": 6},
}
GAMES: tuple[ScenarioLike, ...] = ("original", "hidden", SMALL)
NAMED = "boulware", "linear", "conceder", "midpoint"
ASKED = (1, 10, 50)  # below four answers there are no bounds: nan


def mixed(scenario: Scenario, role: Role, rng: np.random.Generator) -> Floats:
    """The chances of a player that mixes in every decision."""
    legal = legal_rows(scenario, role)
    weights = (rng.gamma(0.5, size=legal.shape) + 1e-9) * legal
    sums = weights.sum(axis=1, keepdims=True)
    return np.asarray(weights / np.where(sums > 0, sums, 1.0))


def answers(
    scenario: Scenario, role: Role, chances: Floats, n: int, rng: np.random.Generator
) -> Answers:
    """The answers of a player with these chances, asked n times per decision."""
    halves = np.zeros((2, *chances.shape), np.int64)
    for row in np.flatnonzero(chances.any(axis=1)).tolist():
        for half, number in enumerate((n - n // 2, n // 2)):
            halves[half, row] = rng.multinomial(number, chances[row])
    return Answers(scenario, role, halves)


def noisy(scenario: Scenario, role: Role, kind: int, rng: np.random.Generator) -> Floats:
    """The chances of a noisy player: of any legal move, of one more likely, or of a strategy."""
    legal = legal_rows(scenario, role)
    uniform = legal / np.maximum(legal.sum(axis=1, keepdims=True), 1)
    if kind == 0:
        return np.asarray(uniform)
    if kind == 1:
        return mixed(scenario, role, rng)
    if kind == 2:
        first = np.eye(scenario.n_actions)[(rng.random(legal.shape) * legal).argmax(axis=1)]
        return np.where(legal.any(axis=1, keepdims=True), 0.8 * first + 0.2 * uniform, 0.0)
    table = STRATEGIES[str(rng.choice(NAMED))].tabulated(scenario, role)
    assert table is not None
    share = rng.choice([0.1, 0.2, 0.4])
    chances = with_opener(scenario, role, table).probabilities
    return np.asarray(legal.any(axis=1, keepdims=True) * ((1 - share) * chances + share * uniform))


def coverage(scenario: Scenario, players: int, rng: np.random.Generator) -> dict[str, float]:
    """The shares of 95% intervals that hold the truth, of players that were asked 10 times."""
    found: dict[str, list[bool]] = {"bits": [], "gains": [], "regret": []}

    def compare(name: str, one: Estimate | None, truth: Estimate | None) -> None:
        if one and truth and one.error:
            found[name].append(abs(one.mean - truth.mean) <= one.error)

    for number in range(players):
        role, against = Role(number % 2), (OPPONENTS[number % len(OPPONENTS)],)
        chances = noisy(scenario, role, number // 2 % 4, rng)
        known = Examinee(scenario, role, TabularPolicy.of_probabilities(scenario, role, chances))
        asked = Examinee(scenario, role, answers(scenario, role, chances, 10, rng))
        (one,), (truth,) = (disclosures(each, against) for each in (asked, known))
        (regret,), (true_regret,) = (regrets(each, against) for each in (asked, known))
        compare("bits", one.bits, truth.bits)
        compare("regret", regret.regret, true_regret.regret)
        for pair in zip(one.pretending or (), truth.pretending or (), strict=True):
            compare("gains", *pair)
    return {name: float(np.mean(each)) for name, each in found.items()}


def main() -> None:
    print(f"{'scenario':10}{'N':>4}{'covered':>9}{'width':>8}{'naive bias':>12}{'regret bias':>13}")
    for game in GAMES:
        scenario = replace(Scenario.of(game), states=States.OPENER_AWARE)
        for n in ASKED:
            rng, rows = np.random.default_rng(n), list[list[float]]()
            for number in range(PLAYERS):
                role = Role(number % 2)
                chances = mixed(scenario, role, rng)
                table = TabularPolicy.of_probabilities(scenario, role, chances)
                known = Examinee(scenario, role, table)
                asked = Examinee(scenario, role, answers(scenario, role, chances, n, rng))
                truth, found = exploitability(known).earned, exploitability(asked)
                least, most = found.least, found.most
                bounds = [np.nan] * 2
                if least is not None and most is not None:
                    bounds = [float(least <= truth <= most), most - least]
                pairs = zip(regrets(asked), regrets(known), strict=True)
                off = float(np.mean([one.regret.mean - other.regret.mean for one, other in pairs]))
                rows.append([*bounds, found.earned - truth, off])
            covered, width, naive, bias = np.mean(rows, axis=0).tolist()
            error = np.std(rows, axis=0)[3] / np.sqrt(PLAYERS)
            print(
                f"{scenario.name:10}{n:4}{covered:9.1%}{width:8.3f}{naive:12.4f}"
                f"{bias:+9.4f} ± {error:.4f}",
                flush=True,
            )
    aware_states = replace(Scenario.of("hidden"), states=States.OPENER_AWARE)
    shares = coverage(aware_states, 300, np.random.default_rng(0))
    print("intervals that hold the truth:", *(f"{n} {each:.1%}" for n, each in shares.items()))


if __name__ == "__main__":
    run(main)

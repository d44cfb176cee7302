"""Automata against the other solvers, and against sums over all histories."""

from itertools import product

import numpy as np
import pytest

from negotiation_tui import Position, Role, Scenario, TabularPolicy
from negotiation_tui.examination.reply import Play, fixed_reply, table_automaton
from negotiation_tui.solvers.belief_induction import Tables
from negotiation_tui.solvers.best_response import BestResponse, best_response
from negotiation_tui.solvers.expected_play import expected_play
from tests.support.lotteries import lottery, stack


@pytest.mark.parametrize("known", [False, True], ids=["hidden", "known"])
@pytest.mark.parametrize("seed", range(15))
def test_values_are_those_of_the_other_solvers(seed: int, known: bool) -> None:
    rng = np.random.default_rng(seed)
    scenario, role, rate = lottery(rng, 4, 3, known), Role(seed % 2), 0.9
    table, opponent = stack(scenario, role, rng)[0], stack(scenario, role.other, rng)[0]
    pair = (table, opponent) if role is Role.SELLER else (opponent, table)
    met, best = expected_play(scenario, *pair), best_response(scenario, role.other, table, rate)
    for opener in Role:
        player = Tables(scenario, role.other, table, opener is role.other)
        meeting = table_automaton(scenario, role, player, opponent, opener is role)
        for each in Role:
            found, _ = Play(meeting, player).values(each, rate)
            if each is role:
                found = found.T
            by_limit = found @ scenario.chances(each.other)
            assert by_limit == pytest.approx(met.interim(each, rate)[opener], abs=1e-12)
        reply, most = fixed_reply(scenario, role, player, rate, opener is role)
        play = Play(reply, player)
        earned = play.values(role.other, rate)[0] @ scenario.chances(role)
        assert earned == pytest.approx(most, abs=1e-12)
        if scenario.hidden:
            assert earned == pytest.approx(best.interim[opener], abs=1e-12)
        else:
            assert earned == pytest.approx(best.values[opener], abs=1e-12)


def left(scenario: Scenario, role: Role, table: TabularPolicy, opener: Role, rate: float) -> float:
    """The return of a player, history by history, with the replies of `best_response`."""
    best = best_response(scenario, role.other, table, rate)
    total = 0.0
    for limits in product(*(range(scenario.n_tables(each)) for each in Role)):
        chance = np.prod([scenario.chances(each)[n] for each, n in zip(Role, limits, strict=True)])
        game = scenario.drawn(*limits)
        pending: list[tuple[tuple[int, ...], float]] = [((), float(chance))]
        while pending:
            offers, mass = pending.pop()
            at = Position.after(game, opener, offers)
            if at.role is role:
                chances = dict(enumerate(table.probabilities[table.row(at)].tolist()))
            else:
                chances = {reply_of(best, at): 1.0}
            for action, share in chances.items():
                if action < game.accept and share:
                    pending.append(((*offers, game.prices[action]), mass * share))
                elif action == game.accept and share:
                    n = len(offers) // 2 if at.role is role else (len(offers) - 1) // 2
                    reward = game.seen_by(role).reward(role, offers[-1])
                    total += mass * share * rate**n * reward
    return total


def reply_of(best: BestResponse, at: Position) -> int:
    """The action that is documented: accept, or the offer best for the role, or walk away."""
    actions, accept = best.best(at), at.scenario.accept
    offers = [action for action in actions if action < accept]
    if accept in actions:
        return accept
    if offers:
        return offers[-1] if at.role is Role.SELLER else offers[0]
    return actions[0]


@pytest.mark.parametrize("known", [False, True], ids=["hidden", "known"])
@pytest.mark.parametrize("seed", range(10))
def test_a_player_is_left_with_its_return_against_the_reply(seed: int, known: bool) -> None:
    rng = np.random.default_rng(100 + seed)
    scenario, role, rate = lottery(rng, 3, 3, known), Role(seed % 2), 0.9
    table = stack(scenario, role, rng)[0]
    for opener in Role:
        player = Tables(scenario, role.other, table, opener is role.other)
        reply, _ = fixed_reply(scenario, role, player, rate, opener is role)
        expected = left(scenario, role, table, opener, rate)
        assert Play(reply, player).mean(role, rate) == pytest.approx(expected, abs=1e-12)

"""A lesson on time costs: who can wait gets more."""

from dataclasses import replace

from negotiation_tui.game.roles import Opener, Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import reverse_curriculum
from negotiation_tui.learning.rewind import NewOpener
from negotiation_tui.players.run import Run
from negotiation_tui.runtime.text import coins, money
from negotiation_tui.sessions.tour_session import Task
from negotiation_tui.sessions.training_session import TrainingSession
from negotiation_tui.solvers.subgame_perfect import solve
from negotiation_tui.tui.tour.lesson import choices, lesson

GAME = replace(Scenario.of("impatience"), delta=(0.8, 0.4))  # a refusal costs more than a coin
PATIENT = replace(GAME, delta=(GAME.delta[Role.SELLER],) * 2)
BUYER_OPENS = ((0, NewOpener(Opener.BUYER)),)
CURRICULUM = replace(reverse_curriculum(GAME), cycles=50, episodes=400, curriculum_shift_every=3)
STUDENT_SEED = 7
_SHOWN, REFUSALS = 3, 2  # offers that are seen; refusals that are asked about


def solve_with_patience() -> Task:
    """Solve the game that the buyer opens, for a patient and for an impatient buyer."""
    yield 0.0
    half = GAME.prices[GAME.n_prices // 2]
    at_once, later = (GAME.gains(half, offer)[Role.BUYER] for offer in (0, REFUSALS))
    patient, hurried = (solve(game, Role.BUYER, 1.0).path for game in (PATIENT, GAME))
    prices = [path.outcome.price or 0 for path in (patient, hurried)]
    amounts = choices(at_once, later, at_once - later, digits=1)
    return {
        **choices(*prices, half),
        **{name.replace("choice", "left"): text for name, text in amounts.items()},
        **{f"{role}_delta": f"{GAME.delta[role]:g}" for role in Role},
        **{f"{role}_loses": f"{100 * (1 - GAME.delta[role]):.0f}%" for role in Role},
        "cycles": f"{CURRICULUM.cycles}",
        "middle": f"{half}",
        "whole": coins(GAME.width),
        "at_once": money(at_once),
        "remains": f"{later:.1f}",
        "patient_price": f"{prices[0]}",
        "patient_gain": coins(patient.gains[Role.BUYER]),
        "price": f"{prices[1]}",
        "gain": money(hurried.gains[Role.BUYER]),
    }


LESSON = lesson(
    {"seen": lambda model: model.playback is not None and model.playback.visible >= _SHOWN},
    lambda: TrainingSession(Run(GAME, CURRICULUM, STUDENT_SEED, changes=BUYER_OPENS)),
    solve_with_patience,
    """
patience | Patience | predict how the split changes when one side is less patient
- say price
Here waiting costs. Each refusal leaves the seller {seller_delta} and the buyer {buyer_delta} of
what a deal would pay (time costs, δ). Prices stay as they are.
- do seen
Both follow a fixed rule. Press {offer} three times: waiting takes the {whole} from both ends of the
bar, from each side by its own δ.
- ask remains: {left_1} | {left_2} | {left_3}
At a price of {middle} the buyer gets {at_once} of the {whole} at once. How many are left for it at
this price after two refusals?
→ {at_once} × {buyer_delta} × {buyer_delta} = {remains}. The seller, who loses only {seller_loses}
each time, has far more left.
- guess price: {choice_1} | {choice_2} | {choice_3}
Now both play perfectly, and the buyer opens. If it were as patient as the seller, they would agree
on {patient_price}, nearly the middle, which is just what refusing would bring the seller. But each
refusal costs the buyer {buyer_loses}. Which price now? Guess: the mark ▲ then shows it.
→ {price}: the buyer gets {gain} instead of {patient_gain}. A refusal hurts the buyer more, so the
seller could ask for more next, and is offered more now. Whoever can wait gets more.
- do finished price
Two learners find this price by playing alone. Press {cycle} again and again, or {faster} up to
flat out and {run}, until all {cycles} cycles are done.
""",
    pace="story",
)

"""`negotiation-tui watch`: two agents learn and negotiate on the screen."""

from dataclasses import replace
from pathlib import Path

from negotiation_tui.cli import screen_options as screen
from negotiation_tui.cli.options import (
    add_parameter,
    add_trained,
    add_training,
    run_of,
    scenario_of,
)
from negotiation_tui.cli.parser import Options, Parser

EXAMPLES = """\
watch # a training as a story
--recipe published # as the original
--scenario fine --pace flat # as fast as it goes
--seller boulware --buyer conceder # two known strategies
--record run.jsonl # save what is shown
--film film.svg --seconds 60 # an animated picture
--theme light --no-animation # light, and no motion"""


STORY_DEFAULTS = "opener-aware", "reverse-curriculum"
"""The states and the recipe of the bare command, and of a scenario alone that has hidden limits or
time costs: of those that converge, the one that tells best (docs/story.md)."""
_LONGEST = 50_000
"""Negotiations per cycle of the largest of these scenarios that opens with a story."""
_TRAINING = ["states", "seller", "buyer", "learner", "opener", "recipe", "cycles", "episodes"]
_TRAINING += ["train_both", "train_agent"]
"""Options about the training; without them there may be a story."""


_ABOUT = """\
watch two agents learn and negotiate

Without options about the game or the training it is the story: opener-aware
states, the recipe reverse-curriculum, 120 cycles, and the pace of the story.
The defaults in brackets are those of all other trainings"""


def add_arguments(parser: Parser) -> None:
    parser.description = _ABOUT
    add_training(parser)
    for name in ("cycles", "episodes"):
        add_parameter(parser, name)
    add_trained(parser)
    screen.add_screen(parser)
    screen.add_once(parser)
    parser.value("--record", "write every negotiation shown to FILE, for replay", "FILE")


def run(options: Options) -> int:
    from negotiation_tui.sessions.training_session import TrainingSession
    from negotiation_tui.tui.negotiation import watch

    once, story = screen.once_of(options), _is_story(options)
    if story:
        options.states, options.recipe = STORY_DEFAULTS
    appearance = screen.appearance_of(options)
    begin = screen.begin_of(options, "story" if story else None)
    training = TrainingSession(run_of(options))
    if options.record is not None:
        from negotiation_tui.sessions.recorder import record_to

        record_to(training, Path(options.record))
    status = watch.watch(training, appearance, begin, once, screen.open_tour)
    training.tell_lost()
    return status


def _is_story(options: Options) -> bool:
    """True if the options about the game and the training leave room for a story."""
    from negotiation_tui.game.roles import States
    from negotiation_tui.game.tabular_policy import fits
    from negotiation_tui.learning.hyperparameters import recipe

    if any(getattr(options, name) is not None for name in _TRAINING):
        return False
    scenario, (states, name) = scenario_of(options), STORY_DEFAULTS
    if not (scenario.hidden or scenario.time_costs):
        return options.scenario is options.delta is None
    fit = fits(replace(scenario, states=States(states)))
    return fit and recipe(name)(scenario).episodes <= _LONGEST

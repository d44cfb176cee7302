"""`negotiation-tui watch`: two agents learn and negotiate on the screen."""

from argparse import ArgumentTypeError
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from negotiation_tui.cli import screen_options as screen
from negotiation_tui.cli.options import (
    add_parameter,
    add_trained,
    add_training,
    run_of,
    scenario_of,
)
from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.errors import BadInputError
from negotiation_tui.learning.spec import learns
from negotiation_tui.runtime.text import quoted
from negotiation_tui.runtime.validate import refusal

if TYPE_CHECKING:
    from negotiation_tui.players.run import Run
    from negotiation_tui.sessions.transcripts import Recording

EXAMPLES = """\
watch # a training as a story
--recipe published # as the original
--scenario fine --pace flat # as fast as it goes
--seller boulware --buyer conceder # two known strategies
--record run.jsonl # save what is shown
--seed 7 --recipe published --at 12 # a moment
--film film.svg --seconds 60 # an animated picture
--theme light --no-animation # light, and no motion"""


STORY_DEFAULTS = "opener-aware", "reverse-curriculum"
"""The states and the recipe of the bare command, and of a scenario alone: of those that converge,
the one that tells best (docs/story.md)."""
_LONGEST = 50_000
"""Negotiations per cycle of the largest of these scenarios that opens with a story."""
_TRAINING = ["states", "seller", "buyer", "learner", "opener", "recipe", "cycles", "episodes"]
_TRAINING += ["train_both", "train_agent"]
"""Options about the training; without them there may be a story."""


_ABOUT = """\
watch two agents learn and negotiate

Without options about the game or the training, the story runs. It has
opener-aware states, the recipe reverse-curriculum, 120 cycles, and a pace of
its own. The defaults in brackets hold for all other trainings"""


def add_arguments(parser: Parser) -> None:
    parser.description = _ABOUT
    add_training(parser)
    for name in ("cycles", "episodes"):
        add_parameter(parser, name)
    add_trained(parser)
    screen.add_screen(parser)
    screen.add_once(parser)
    parser.value("--record", "write every negotiation shown to FILE, for replay", "FILE")
    meaning = "open it, paused, after a cycle, and a game of the next; q and w name both"
    parser.value("--at", meaning, "CYCLE[:GAME]", screen.moment_option)
    meaning = "a change on the way, such as 5,learning_rate=0.5 or 8:40,seller=boulware"
    parser.value("--change", meaning, "CYCLE[:GAME],NAME=VALUE", _change, action="append")


def run(options: Options) -> int:
    from negotiation_tui.players.spec import is_program
    from negotiation_tui.sessions.training_session import TrainingSession
    from negotiation_tui.tui.negotiation import watch

    once, story = screen.once_of(options), _is_story(options)
    if story:
        options.states, options.recipe = STORY_DEFAULTS
    appearance = screen.appearance_of(options)
    run = run_of(options)
    rules = not any(learns(spec) or is_program(spec) for spec in run.players)
    begin = screen.begin_of(options, "story" if story or rules else None)
    run = replace(run, game=(*run.game, *["--pace", "story"] * story))
    recording = None
    if options.at is not None or options.change:
        recording = up_to(options, run)
        begin = begin._replace(moment=recording.episodes, paused=True)
    training = TrainingSession(run, recording)
    if options.record is not None:
        from negotiation_tui.sessions.recorder import record_to

        record_to(training, Path(options.record))
    status = watch.watch(training, appearance, begin, once, screen.open_tour)
    training.tell_lost()
    return status


def _change(word: str) -> tuple[str, int, int, str]:
    """Return the word of a change, the cycles and games before it, and the change as text."""
    moment, comma, change = word.partition(",")
    if not comma:
        expected = "a moment and a change, such as 5,learning_rate=0.5"
        raise ArgumentTypeError(f"expected {expected}, got {quoted(word)}")
    return word, *screen.moment_option(moment)[1:], change


def up_to(options: Options, run: "Run") -> "Recording":
    """Return a run up to its moment of `--at`, or of the last change, with all changes.

    A change that is not possible is refused before anything is played: each is made once.
    """
    from negotiation_tui.players.change import change_of, moment_text
    from negotiation_tui.players.spec import is_program
    from negotiation_tui.sessions.timeline import RunTimeline
    from negotiation_tui.sessions.transcripts import Recording

    per, timeline, changes = run.parameters.episodes, RunTimeline(run), list[Any]()
    if program := next(filter(is_program, run.players), ""):
        raise refusal("--at", program, "players of this program: others are not played again")
    for word, cycles, games, text in options.change or ():
        try:
            change = change_of(text)
            timeline.change(change)
        except BadInputError as error:
            raise BadInputError(f"--change {word}: {error}") from None
        changes.append((cycles * per + games, change))
    last, total = (changes[-1][0] if changes else 0), timeline.training.parameters.total
    word, cycles, games = options.at or ("", 0, last)
    moments = [*(at for at, _ in changes), cycles * per + games]
    if moments != sorted(moments):
        raise BadInputError("--change: expected the moments in order, none after --at")
    if moments[-1] > total:
        raise refusal("--at", word, f"a moment of the training, 0 to {moment_text(total, per)}")
    return Recording("", replace(run, changes=tuple(changes)), moments[-1], ())


def _is_story(options: Options) -> bool:
    """True if the options about the game and the training leave room for a story."""
    from negotiation_tui.game.roles import States
    from negotiation_tui.game.tabular_policy import fits
    from negotiation_tui.learning.hyperparameters import recipe

    if any(getattr(options, name) is not None for name in _TRAINING):
        return False
    scenario, (states, name) = scenario_of(options), STORY_DEFAULTS
    fit = fits(replace(scenario, states=States(states)))
    return fit and recipe(name)(scenario).episodes <= _LONGEST

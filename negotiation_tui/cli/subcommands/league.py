"""`negotiation-tui league`: every learner against every other, judged exactly."""

import argparse

from negotiation_tui.cli import contests
from negotiation_tui.cli.arguments import positive
from negotiation_tui.cli.training_arguments import add_recipe
from negotiation_tui.contest.defaults import GAMES, LEAGUE_RECIPE, SEEDS

EXAMPLES = (
    ("league --out league.csv", "all; resumable"),
    ("league --learners sarsa,cfr --seeds 5", "only these"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this subcommand."""
    add = parser.add_argument
    add(
        "--learners",
        metavar="A,B,…",
        help="participants, with settings such as wolf-phc:delta_win=0.02+delta_lose=0.1"
        " (default: every learner)",
    )
    add(
        "--games",
        default=",".join(GAMES),
        metavar="G,H,…",
        help="scenarios: in the first each learner meets each, in the others itself (%(default)s)",
    )
    add("--seeds", type=positive, default=SEEDS, metavar="N", help="runs per pair (%(default)s)")
    add_recipe(parser, "recipe of every training", default=LEAGUE_RECIPE)
    add(
        "--episodes",
        type=positive,
        metavar="N",
        help="negotiations of each run, in whole cycles (default: the recipe's)",
    )
    contests.add_output(parser, "run")


def run(options: argparse.Namespace) -> int:
    """Hold the league on the screen, or without it and print the results."""
    from negotiation_tui.contest.league import LearnerContest

    learners, games = _words(options.learners), _words(options.games)
    league = LearnerContest.of(learners, games, options.seeds, options.recipe, options.episodes)
    return contests.run(options, league)


def _words(text: str | None) -> list[str]:
    """Return the words between commas."""
    return [] if text is None else [word.strip() for word in text.split(",")]

"""`negotiation-tui league`: every learner against every other, judged exactly."""

from negotiation_tui.cli.options import add_recipe, positive
from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.cli.screen_options import add_output, run_contest
from negotiation_tui.contest.defaults import GAMES, LEAGUE_RECIPE, SEEDS

EXAMPLES = """\
league --out league.csv # all; resumable
league --learners sarsa,cfr --seeds 5 # only these"""


def add_arguments(parser: Parser) -> None:
    settings = "with settings such as wolf-phc:delta_win=0.02+delta_lose=0.1"
    parser.value("--learners", f"participants, {settings} (default: every learner)", "A,B,…")
    meaning = "scenarios: in the first each learner meets each, in the others itself (%(default)s)"
    parser.value("--games", meaning, "G,H,…", default=",".join(GAMES))
    parser.value("--seeds", "runs per pair (%(default)s)", "N", positive, SEEDS)
    add_recipe(parser, "recipe of every training", default=LEAGUE_RECIPE)
    meaning = "negotiations of each run, in whole cycles (default: the recipe's)"
    parser.value("--episodes", meaning, "N", positive)
    add_output(parser, "run")


def run(options: Options) -> int:
    from negotiation_tui.contest.league import LearnerContest

    learners, games = _words(options.learners), _words(options.games)
    league = LearnerContest.of(learners, games, options.seeds, options.recipe, options.episodes)
    return run_contest(options, league)


def _words(text: str | None) -> list[str]:
    return [] if text is None else [word.strip() for word in text.split(",")]

"""Single runs of tournaments and leagues, and the first columns of their rows."""

from negotiation_tui.contest.league import LearnerContest
from negotiation_tui.contest.tournament import StrategyContest
from negotiation_tui.players.run import Run
from negotiation_tui.runtime.result_file import ResultRow


def pairing_row(run: Run, negotiations: int, jobs: int = 1) -> ResultRow:
    contest = StrategyContest((run,), run.players, negotiations)
    return contest.runner(saved=True, jobs=jobs)(run)


def pairing_key(run: Run, negotiations: int) -> ResultRow:
    return StrategyContest((run,), run.players, negotiations).key(run)


def league_row(run: Run, jobs: int = 1) -> ResultRow:
    return LearnerContest((run,), ()).runner(saved=True, jobs=jobs)(run)

"""Write the table of docs/league.md and print all tables: `python docs/league.py`.

Plays the league into league.csv, on all processors, or what that file lacks; then more seeds of
learners with themselves into league-alone.csv. It writes a summary between the page's marks, and
prints the tables behind it. Takes half an hour on two cores.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import negotiation_tui as nt
from negotiation_tui.contest.league import LearnerContest, LearnerStanding
from negotiation_tui.runtime.estimate import Rate, with_error
from negotiation_tui.runtime.interrupts import run

FILE, ALONE = "league.csv", "league-alone.csv"
SIZES = "original", "10x10", "fine"
LEARNERS, SCENARIOS, RUNS, EPISODES = (), SIZES, 20, None  # all learners, as long as the recipe
MORE = 100  # seeds of a learner with itself: all in the first game, in others the undecided
PAGE = Path(__file__).with_name("league.md")
BEGIN, END = "<!-- table: python docs/league.py -->\n", "<!-- end of table -->"


def with_more(league: nt.League, games: Sequence[str]) -> tuple[list[LearnerStanding], int]:
    """Return the leaderboard with more seeds of learners with themselves, and their number.

    In the first game all have them; in others those that came close with some of the first seeds.
    """
    board, first = league.leaderboard, games[0]
    chosen = [
        (each.name, game)
        for game in games
        for each in board
        if game == first or 0 < each.games[game].close < each.games[game].runs
    ]
    contests = [LearnerContest.of([name], [game], MORE, episodes=EPISODES) for name, game in chosen]
    names = tuple(dict.fromkeys(name for name, _ in chosen))
    again = LearnerContest(tuple(job for each in contests for job in each.jobs), names)
    rows = again.rows(again.file(Path(ALONE)), os.cpu_count() or 1)
    alone = {each.name: each.games for each in again.leaderboard(rows)}
    more = []
    for each in board:  # times stay those of the first seeds, as those of the other learners
        new = {game: alone[name][game] for name, game in chosen if name == each.name}
        timed = {game: replace(new[game], seconds=each.games[game].seconds) for game in new}
        more.append(replace(each, games={**each.games, **timed}))
    return more, len(rows)


def summary(board: Sequence[LearnerStanding], games: Sequence[str]) -> str:
    """Return the table of the page: a line per learner, in the first and the last game."""
    first, larger = games[0], games[1:][-1:]
    head = ("learner", f"`{first}`, with itself", f"close, of {MORE}", "with others")
    rows = []
    for each in board:
        own = each.games[first]
        values = own.nash_conv, each.others, *(each.games[game].nash_conv for game in larger)
        mean, *means = (with_error(value, ".4f").removesuffix(" ± 0.0000") for value in values)
        rows.append((f"`{each.name}`", mean, str(own.close), *means))
    return table((*head, *(f"`{game}`, with itself" for game in larger)), rows) + "\n"


def tables(
    league: nt.League, board: Sequence[LearnerStanding], games: Sequence[str], more: int
) -> str:
    """Return all tables; `more` is the number of runs with more seeds."""
    first, refused = games[0], sum(row["refused"] is not None for row in league.rows)
    head = (
        f"Runs: {len(league.rows):,}, of which {refused:,} were refused, and {more:,} more alone."
    )
    parts = [head, f"### Every learner on `{first}`", on_first(board, first)]
    for game in games[1:]:
        parts += [f"### Each with itself on `{game}`", alone(board, game)]
    parts += [f"### NashConv of every pair on `{first}`", pairs(league, board)]
    return "\n\n".join(parts) + "\n"


def on_first(board: Sequence[LearnerStanding], game: str) -> str:
    """Return a line per learner: alone, then with the others."""
    head = ("learner", "NashConv with itself", "close", "episodes until then")
    rows = []
    for each in board:
        own = each.games[game]
        means = with_error(own.nash_conv, ".4f"), str(Rate(own.close, own.runs))
        others = with_error(each.others, ".4f"), with_error(each.share, ".3f")
        time = "–" if own.seconds is None else f"{own.seconds:.2f}"
        rows.append((f"`{each.name}`", *means, with_error(own.reached, ",.0f"), *others, time))
    return table((*head, "NashConv with others", "share of the surplus", "seconds"), rows)


def alone(board: Sequence[LearnerStanding], game: str) -> str:
    """Return a line per learner with itself in another game."""
    rows = []
    for each in board:
        own = each.games[game]
        time = "–" if own.seconds is None else f"{own.seconds:.2f}"
        means = with_error(own.nash_conv, ".4f"), str(Rate(own.close, own.runs))
        reached, deals = with_error(own.reached, ",.0f"), with_error(own.deals, ".3f")
        rows.append((f"`{each.name}`", *means, reached, deals, time))
    return table(("learner", "NashConv", "close", "episodes until then", "deals", "seconds"), rows)


def pairs(league: nt.League, board: Sequence[LearnerStanding]) -> str:
    """Return the matrix of mean NashConv; columns have the numbers of the lines."""
    found, names = league.contest.cells(league.rows), [each.name for each in board]
    rows = []
    for n, one in enumerate(names, 1):
        values = [found.get((one, other), {}).get("nash_conv") for other in names]
        rows.append((f"{n} `{one}`", *("–" if v is None else f"{v:.2f}" for v in values)))
    return table(("learner", *(str(n + 1) for n in range(len(names)))), rows)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = (head, ["---"] * len(head), *rows)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def main() -> None:
    played = nt.run_league(
        LEARNERS,
        games=SCENARIOS,
        seeds=RUNS,
        episodes=EPISODES,
        workers=os.cpu_count() or 1,
        out=FILE,
    )
    games = [*dict.fromkeys(each.scenario.name for each in played.contest.jobs)]
    board, more = with_more(played, games)
    if PAGE.exists():
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{BEGIN}\n{summary(board, games)}\n{END}{after}", encoding="utf-8")
    print(tables(played, board, games, more))


if __name__ == "__main__":
    run(main)

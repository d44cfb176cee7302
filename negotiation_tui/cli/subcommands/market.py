"""`negotiation-tui market`: many sellers and buyers in one room."""

import argparse
import json
import sys
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from negotiation_tui.cli.arguments import (
    add_scenario,
    agents_a_side,
    positive,
    scenario_of,
    seat,
    seed,
    seed_of,
)
from negotiation_tui.cli.screen_arguments import add_look, look_of
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.market.agents import LEARNING, USUAL_COUNT
from negotiation_tui.market.limit import USUAL
from negotiation_tui.players.spec import LEARNED
from negotiation_tui.tui.configuration import ENTRIES, read
from negotiation_tui.tui.market.pace import DEFAULT, NAMES
from negotiation_tui.tui.toolkit.run_screen import RenderOptions, on_terminal

if TYPE_CHECKING:
    from negotiation_tui.market.agents import Agent
    from negotiation_tui.market.simulation import MarketSimulation

EXAMPLES = (
    ("market --costs 1,2,3 --values 5,4,3", ""),
    ("market --limit steps=5000 --pace flat", "time is the budget"),
    ("market --team ours=seller-1,buyer-1", "two share a wallet"),
    ("market --compare", "beside chance"),
    ("market --seed 7 --save a.npz", "--resume goes on"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The words of this command."""
    add = parser.add_argument
    add("file", nargs="?", metavar="FILE.toml", help="who takes part, instead of the words below")
    for role in Role:
        of = "costs" if role is Role.SELLER else "values"
        add(f"--{role}s", type=agents_a_side, metavar="N", help=f"how many ({USUAL_COUNT})")
        add(f"--{role}", type=seat, metavar="NAME", help="learned, or a strategy (learned)")
        add(f"--{of}", metavar="SOURCE", help=f"the {role}s' {of}: 3; 1,2,3 in turn; 1..9 drawn")
    for name in LEARNING:
        word = "--" + name.replace("_", "-")
        add(word, metavar="SOURCE", help="of every learner: 0.1; 0.1,0.2 in turn; 0.1..0.2 drawn")
    add("--team", action="append", metavar="NAME=A,B", help="agents who share a wallet; repeatable")
    add("--team-reward", action="store_true", help="a deal inside a team is worth what both gain")
    add(
        "--limit",
        metavar="LIMIT",
        help=f"negotiations=N negotiations or steps=N ticks ({USUAL})",
    )
    add_scenario(parser)
    add("--rounds", type=positive, metavar="T", help="rounds of a negotiation (the scenario's)")
    add("--seed", type=seed, help="of everything random, 0 or greater (default: a new one)")
    add(
        "--compare",
        nargs="?",
        const="zero-intelligence",
        type=seat,
        metavar="NAME",
        help="print beside it the same room where all play this strategy (zero-intelligence)",
    )
    add("--text", action="store_true", help="trade to the end and print, without the screen")
    add("--json", action="store_true", help="print everything as JSON, without the screen")
    add("--out", metavar="FILE.csv", help="write a row for each stretch of ticks in the end")
    add("--save", metavar="FILE.npz", help="keep the room there, each minute and in the end")
    add("--resume", metavar="FILE.npz", help="go on with a room that was kept")
    add(
        "--pace",
        choices=NAMES,
        metavar="PACE",
        help="offers a second in every pair, ticks a second (t), or flat out:"
        f" {', '.join(NAMES)} ({NAMES[DEFAULT]})",
    )
    paused = ENTRIES["paused"].meaning
    add("--paused", action=argparse.BooleanOptionalAction, help=paused)
    add_look(parser)


def run(options: argparse.Namespace) -> int:
    """Open the room; show it, or trade to the end and print; write what is to be kept."""
    from negotiation_tui.runtime.files import check_writable

    look, held = look_of(options), read()
    for path in (options.out, options.save):
        if path is not None:
            check_writable(path)
    without = options.text or options.json or options.compare is not None
    if without or not on_terminal():
        return _print(options)
    pace, paused = (held.chosen(name, getattr(options, name)) for name in ("pace", "paused"))
    return _show(options, look, NAMES.index(pace) if pace in NAMES else DEFAULT, paused)


def _show(options: argparse.Namespace, look: RenderOptions, pace: int, paused: bool) -> int:
    """The screen, until it is left."""
    from negotiation_tui.sessions.market_session import MarketSession
    from negotiation_tui.tui.market.watch import watch

    if options.seed is None and options.resume is None:
        options.seed = seed_of(options)  # `r` opens the same room
    runner = MarketSession(lambda: _room(options), options.save)
    try:
        watch(runner, look, pace, paused)
    finally:  # on Ctrl-C too
        with runner.at_rest() as room:
            _keep(options, room)
    return 0


def _print(options: argparse.Namespace) -> int:
    """Trade to the end and print."""
    from negotiation_tui.market import summary
    from negotiation_tui.market.headless import trade

    room = _room(options)
    rival = None if options.compare is None else _compared(room, options.compare)
    try:
        trade(room, path=options.save)
        if rival is not None:
            trade(rival)
    finally:  # on Ctrl-C too
        _keep(options, room)
    if options.json:
        found = summary.market_dict(room)
        if rival is not None:
            found["compared"] = {"strategy": options.compare, **summary.summary(rival)}
        print(json.dumps(found))
        return 0
    print(summary.text(room))
    if rival is not None:
        print("\n" + summary.compared(room, rival, options.compare))
    return 0


def _keep(options: argparse.Namespace, room: "MarketSimulation") -> None:
    """Write what is asked for of a room, and say where."""
    from negotiation_tui.market.checkpoint import save_simulation
    from negotiation_tui.market.summary import write_periods

    done = []
    if options.save:
        save_simulation(options.save, room)
        done.append(f"market saved to {options.save}")
    if options.out and room.tick:
        write_periods(options.out, room)
        done.append(f"rows written to {options.out}")
    if done:
        with suppress(OSError):  # the terminal may be gone
            print(", ".join(done), file=sys.stderr)


def _room(options: argparse.Namespace) -> "MarketSimulation":
    from negotiation_tui.market.engine import LARGE
    from negotiation_tui.market.headless import warm

    room = _opened(options)
    if len(room.agents) >= LARGE:  # it goes on compiled
        warm()
    return room


def _opened(options: argparse.Namespace) -> "MarketSimulation":
    from negotiation_tui.market.checkpoint import load_simulation
    from negotiation_tui.market.engine import LARGE
    from negotiation_tui.market.limit import Limit
    from negotiation_tui.market.simulation import MarketSimulation
    from negotiation_tui.players.resolve import resolve_trusted, strategy_from_spec

    if options.resume is not None:
        _refuse_others(options)
        return load_simulation(
            options.resume, None if options.limit is None else Limit.of(options.limit)
        )
    scenario = scenario_of(options)
    if options.rounds is not None:
        scenario = replace(scenario, rounds=options.rounds)
    limit = Limit.of(USUAL if options.limit is None else options.limit)
    number = seed_of(options)
    from_words = options.file is None
    agents = (_from_words if from_words else _from_file)(options, scenario, number)
    # A strategy of the user's own runs where the command line names it, never where a file does.
    known = strategy_from_spec if from_words else resolve_trusted
    if len(agents) >= LARGE and sys.stderr.isatty():
        print(f"opening a market of {len(agents):,} agents …", file=sys.stderr)
    return MarketSimulation(scenario, agents, limit, number, options.team_reward, known)


_CREATING = (
    *("file", "sellers", "buyers", "seller", "buyer", "costs", "values", *LEARNING, "team"),
    *("scenario", "states", "rounds", "seed"),
)


def _refuse_others(options: argparse.Namespace) -> None:
    given = [name for name in _CREATING if getattr(options, name) is not None]
    if given or options.team_reward:
        word = given[0] if given else "team_reward"
        shown = "a file of agents" if word == "file" else "--" + word.replace("_", "-")
        raise BadInputError(
            f"--resume {options.resume}: the room is as it was kept, leave out {shown}"
        )


def _from_file(options: argparse.Namespace, scenario: Scenario, number: int) -> "list[Agent]":
    from negotiation_tui.market.roster import from_file
    from negotiation_tui.market.simulation import population_generator

    words = ("sellers", "buyers", "seller", "buyer", "costs", "values", *LEARNING, "team")
    for name in words:
        if getattr(options, name) is not None:
            word = "--" + name.replace("_", "-")
            raise BadInputError(f"{word}: who takes part is in {options.file}, write it there")
    return from_file(options.file, scenario, population_generator(number))


def _from_words(options: argparse.Namespace, scenario: Scenario, number: int) -> "list[Agent]":
    from negotiation_tui.market.agents import (
        Distribution,
        parse_distribution,
        two_populations,
        with_teams,
    )
    from negotiation_tui.market.simulation import population_generator

    def source(option: str) -> Distribution | None:
        words = getattr(options, option)
        return None if words is None else parse_distribution(f"--{option}", words)

    learning = {
        name: parse_distribution(f"--{name.replace('_', '-')}", getattr(options, name))
        for name in LEARNING
        if getattr(options, name) is not None
    }
    agents = two_populations(
        scenario,
        (options.sellers or USUAL_COUNT, options.buyers or USUAL_COUNT),
        (options.seller or LEARNED, options.buyer or LEARNED),
        (source("costs"), source("values")),
        learning,
        population_generator(number),
    )
    teams: dict[str, list[str]] = {}
    for words in options.team or ():
        name, equals, members = words.partition("=")
        if not equals or not name:
            raise BadInputError(f"--team {words!r} cannot be used: write NAME=agent,agent")
        if name in teams:
            raise BadInputError(f"--team {name}: it is there twice, name all its members in one")
        teams[name] = [member for member in members.split(",") if member]
    return with_teams(agents, teams)


def _compared(room: "MarketSimulation", words: str) -> "MarketSimulation":
    from negotiation_tui.market.simulation import MarketSimulation
    from negotiation_tui.players.resolve import strategy_from_spec

    agents = [replace(agent, strategy=words) for agent in room.agents]
    return MarketSimulation(
        room.scenario, agents, room.limit, room.seed, room.team_reward, strategy_from_spec
    )

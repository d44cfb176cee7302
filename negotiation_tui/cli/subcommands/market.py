"""`negotiation-tui market`: many sellers and buyers in one market."""

import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from negotiation_tui.cli import options as common
from negotiation_tui.cli.options import integer_from, positive, seat, tables_file
from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.cli.screen_options import add_appearance, appearance_of
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.learning.hyperparameters import Learning
from negotiation_tui.market.agents import (
    LEARNING,
    MAX_AGENTS,
    USUAL_COUNT,
    parse_distribution,
    two_populations,
    with_teams,
)
from negotiation_tui.market.run_length import USUAL, RunLength
from negotiation_tui.runtime.output import notice
from negotiation_tui.runtime.signals import uninterrupted
from negotiation_tui.runtime.validate import refusal
from negotiation_tui.tui.configuration import ENTRIES, read
from negotiation_tui.tui.market.pace import NAMES
from negotiation_tui.tui.toolkit.pace import STORY
from negotiation_tui.tui.toolkit.run_screen import RenderOptions, on_terminal

if TYPE_CHECKING:
    from negotiation_tui.market.agents import Agent
    from negotiation_tui.market.simulation import MarketSimulation

EXAMPLES = """\
market --costs 1,2,3 --values 5,4,3
market --limit steps=5000 --pace flat # a limited time
market --team ours=seller-1,buyer-1 # a shared wallet
market --compare # beside random offers
market --seed 7 --save a.npz # --resume goes on"""


def add_arguments(parser: Parser) -> None:
    add, flag = parser.value, parser.flag
    add("file", "the agents, instead of the options below", "FILE.toml", nargs="?")
    for role in Role:
        of = "costs" if role is Role.SELLER else "values"
        add(f"--{role}s", f"number of {role}s ({USUAL_COUNT})", "N", integer_from(1, MAX_AGENTS))
        meaning = f"what the {role}s play: learned, learned:LEARNER or a strategy (learned)"
        add(f"--{role}", meaning, "NAME", seat)
        meaning = f"the {role}s' {of}: 3; 1,2,3 in turn; 1..9 random (the scenario's)"
        add(f"--{of}", meaning, "SOURCE")
    common.add_learner(parser, "all")
    for name in LEARNING:
        usual = getattr(Learning(), name)
        meaning = f"the learners' own: 0.1; 0.1,0.2 in turn; 0.1..0.2 random ({usual:g})"
        add("--" + name.replace("_", "-"), meaning, "SOURCE")
    add("--team", "agents who share a wallet; repeatable", "NAME=A,B", action="append")
    flag("--team-reward", "reward a deal inside a team with the gain of both")
    add("--limit", f"end of the market: negotiations=N, or steps=N ticks ({USUAL})", "LIMIT")
    common.add_scenario(parser)
    add("--rounds", "rounds per negotiation (the scenario's)", "T", positive)
    add("--seed", common.SEED_MEANING, kind=common.seed)
    other = "the same market in which all agents play this strategy (zero-intelligence)"
    meaning = f"print the results beside those of {other}"
    add("--compare", meaning, "NAME", seat, nargs="?", const="zero-intelligence")
    form, meaning = parser.add_mutually_exclusive_group(), "trade to the end and print the results"
    form.add_argument("--text", action="store_true", help=f"{meaning}, without the screen")
    form.add_argument("--json", action="store_true", help=f"{meaning}, all as JSON")
    add("--out", "at the end write a row per stretch of ticks", "FILE.csv")
    add("--save", "save the market, every minute and at the end", "FILE.npz", tables_file)
    add("--resume", "continue a saved market", "FILE.npz")
    meaning = "offers per second in every pair, ticks per second (t), or flat out"
    meaning = f"{meaning}: {', '.join(NAMES)} ({NAMES[STORY]})"
    parser.choice("--pace", NAMES, meaning, metavar="PACE")
    parser.switch("--paused", ENTRIES["paused"].meaning)
    add_appearance(parser)


def run(options: Options) -> int:
    from negotiation_tui.runtime.files import check_writable

    appearance, configuration = appearance_of(options), read()
    for path in (options.out, options.save):
        if path is not None:
            check_writable(path)
    without = options.text or options.json or options.compare is not None
    if without or not on_terminal(appearance):
        return _print(options)
    paused = configuration.chosen("paused", options.paused)
    pace = options.pace or configuration.entries.get("pace")
    return _show(options, appearance, NAMES.index(pace) if pace in NAMES else STORY, paused)


def _show(options: Options, appearance: RenderOptions, pace: int, paused: bool) -> int:
    from negotiation_tui.sessions.market_session import MarketSession
    from negotiation_tui.tui.market.update import watch

    if options.seed is None and options.resume is None:
        options.seed = common.seed_of(options)  # `r` opens the same market
    session = MarketSession(lambda: _market(options), options.save)
    try:
        watch(session, appearance, pace, paused)
    finally:  # on Ctrl-C too
        with uninterrupted(), session.at_rest() as market:
            _save(options, market)
    return 0


def _print(options: Options) -> int:
    from negotiation_tui.examination.elicit import tabular_strategy
    from negotiation_tui.market import summary
    from negotiation_tui.market.headless import trade
    from negotiation_tui.market.simulation import MarketSimulation

    market = _market(options)
    rival = None
    if options.compare is not None:
        agents = [replace(agent, strategy=options.compare) for agent in market.agents]
        run = market.limit, market.seed, market.team_reward
        rival = MarketSimulation(market.scenario, agents, *run, tabular_strategy)
    try:
        trade(market, path=options.save)
        if rival is not None:
            trade(rival)
        if options.json:
            result = summary.market_dict(market)
            if rival is not None:
                result["compared"] = {"strategy": options.compare, **summary.summarize(rival)}
            print(json.dumps(result))
        else:
            print(summary.text(market))
            if rival is not None:
                print("\n" + summary.compared(market, rival, options.compare))
    finally:  # on Ctrl-C too
        with uninterrupted():
            _save(options, market)
    return 0


def _save(options: Options, market: "MarketSimulation") -> None:
    from negotiation_tui.market.checkpoint import save_simulation
    from negotiation_tui.market.summary import write_periods

    done = []
    if options.save:
        save_simulation(options.save, market)
        done.append(f"market saved to {options.save}")
    if options.out and market.tick:
        write_periods(options.out, market)
        done.append(f"rows written to {options.out}")
    if done:
        notice(", ".join(done))


def _market(options: Options) -> "MarketSimulation":
    from negotiation_tui.examination.elicit import tabular_strategy
    from negotiation_tui.market.checkpoint import load_simulation
    from negotiation_tui.market.simulation import COMPILED_FROM, MarketSimulation
    from negotiation_tui.players.resolve import resolve_trusted

    limit = None if options.limit is None else RunLength.of(options.limit)
    if options.resume is not None:
        given = [name for name in _CREATING if getattr(options, name) is not None]
        if given or options.team_reward:
            option = _option(given[0] if given else "team_reward")
            hint = f"leave out {option}"
            raise BadInputError(f"--resume continues the market as it was saved; {hint}")
        return load_simulation(options.resume, limit)
    scenario, number = common.scenario_of(options), common.seed_of(options)
    if options.rounds is not None:
        scenario = replace(scenario, rounds=options.rounds)
    agents = _agents(options, scenario, number)
    if len(agents) >= COMPILED_FROM and sys.stderr.isatty():
        notice(f"opening a market of {len(agents):,} agents …")
    # The user's own code runs only if the command line names it, never because a file does.
    resolve = tabular_strategy if options.file is None else resolve_trusted
    return MarketSimulation(
        scenario, agents, limit or RunLength.of(USUAL), number, options.team_reward, resolve
    )


_ROLES = ("sellers", "buyers", "seller", "buyer", "learner", "costs", "values")
_AGENTS = ("file", *_ROLES, *LEARNING, "team")
_CREATING = (*_AGENTS, "scenario", "delta", "states", "rounds", "seed")


def _option(name: str) -> str:
    return "the file of agents" if name == "file" else "--" + name.replace("_", "-")


def _agents(options: Options, scenario: Scenario, number: int) -> "list[Agent]":
    from negotiation_tui.market.roster import read_roster
    from negotiation_tui.market.simulation import population_generator

    rng = population_generator(number)
    given = [name for name in _AGENTS if getattr(options, name) is not None]
    if options.file is not None:
        if given[1:]:
            hint = "write it there"
            raise BadInputError(f"{_option(given[1])}: {options.file} describes the agents; {hint}")
        return read_roster(options.file, scenario, rng)
    sources = {
        name: parse_distribution(_option(name), getattr(options, name))
        for name in (*LEARNING, "costs", "values")
        if name in given
    }
    reservations = sources.pop("costs", None), sources.pop("values", None)
    counts = options.sellers or USUAL_COUNT, options.buyers or USUAL_COUNT
    agents = two_populations(
        scenario, counts, common.both_specs(options), reservations, sources, rng
    )
    teams: dict[str, list[str]] = {}
    for text in options.team or ():
        name, equals, members = text.partition("=")
        if not equals or not name:
            raise refusal("--team", text, "NAME=agent,agent")
        if name in teams:
            raise BadInputError(f"--team {name} is given twice; list all its members at once")
        teams[name] = [member for member in members.split(",") if member]
    return with_teams(agents, teams)

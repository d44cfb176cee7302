"""Options that several subcommands share, the types of their values, and what they stand for."""

import os
from argparse import ArgumentTypeError
from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Opener, Role, States
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.scenario_file import PRESETS, deltas
from negotiation_tui.learning.hyperparameters import RECIPES, Parameters
from negotiation_tui.learning.spec import LEARNED, PREFIX, learns
from negotiation_tui.runtime.validate import parse_integer, parse_number

if TYPE_CHECKING:
    from negotiation_tui.players.run import Run

_PARAMETERS = {field.name: field for field in fields(Parameters)}
SEED_MEANING = "random seed, 0 or greater (default: a random one)"


def _parsed(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """Let argparse report BadInputError, after the name of the option."""

    def parsed(word: str) -> Any:
        try:
            return parse(word)
        except BadInputError as error:
            raise ArgumentTypeError(str(error)) from None

    return parsed


def integer_from(low: float, high: float) -> Callable[[str], Any]:
    return _parsed(lambda word: parse_integer("", word, low, high))


def number_from(low: float, high: float) -> Callable[[str], Any]:
    return _parsed(lambda word: parse_number("", word, low, high))


seed, positive, at_least_two = integer_from(0, inf), integer_from(1, 10**9), integer_from(2, 10**9)
fraction = number_from(0, 1)


@_parsed
def seat(word: str) -> str:
    """Return the full spec of a strategy or of a learner."""
    if word == LEARNED:  # the default of most commands; nothing need be loaded to know it
        return word
    from negotiation_tui.players.resolve import player_from_spec, spec_of_player

    return spec_of_player(player_from_spec(word))


def replacement(word: str) -> Any:
    """Return the full spec of a strategy; `learned` is the player saved in a file."""
    if word.startswith(PREFIX):
        reason = "which has learned nothing yet; train it first"
        raise ArgumentTypeError(f"expected a strategy, got {word}, {reason}")
    return seat(word)


def tables_file(word: str) -> str:
    """Return the name of a file of tables with its ending, without which it can take no seat."""
    from negotiation_tui.runtime.files import is_device
    from negotiation_tui.runtime.folders import located

    return word if word.endswith(".npz") or is_device(located(word)) else f"{word}.npz"


@_parsed
def _scenario(word: str) -> str:
    Scenario.of(word)
    return word


def _learner(word: str) -> Any:
    try:
        return seat(word if learns(word) else PREFIX + word)
    except ArgumentTypeError as error:  # the option is named already
        raise ArgumentTypeError(str(error).removeprefix("learner: ")) from None


def add_scenario(parser: Parser, states: bool = True) -> None:
    """Add the options `--scenario` and, unless they are fixed, `--states`."""
    rules = f"{', '.join(PRESETS)}, a size such as 10x7, or a TOML file (default: original)"
    meaning = f"the negotiation's rules: {rules}"
    parser.value("--scenario", meaning, "NAME|FILE", _scenario)
    left = "what is left of a payoff after one more offer: for both, or the seller's first"
    meaning = f"δ, {left} (default: the scenario's)"
    parser.value("--delta", meaning, "D[,D]", _parsed(partial(deltas, name="")))
    if states:
        meaning = "states of the Q-tables; opener-aware: with who opened (default: the scenario's)"
        parser.choice("--states", States, meaning)


def add_talk(parser: Parser, meaning: str = "programs and persons hear each other's words") -> None:
    parser.flag("--talk", meaning)


def scenario_of(options: Options, usual: Scenario | None = None) -> Scenario:
    """Return the scenario of the options; `usual` without `--scenario`, by default `original`."""
    scenario = Scenario.of(options.scenario or usual or "original")
    kinds: dict[str, Any] = {"states": States, "delta": tuple, "opener": Opener, "talk": bool}
    given = {name: value for name in kinds if (value := getattr(options, name, None))}
    changed = {name: kinds[name](value) for name, value in given.items()}
    return replace(scenario, **changed) if changed else scenario


def seed_of(options: Options) -> int:
    """Return the chosen seed, or a random one of at most 32 bits."""
    return int.from_bytes(os.urandom(4), "big") if options.seed is None else int(options.seed)


def add_parameter(parser: Parser, name: str) -> None:
    default, meaning = _PARAMETERS[name].default, _PARAMETERS[name].metadata["help"]
    option = "--" + name.replace("_", "-")
    if isinstance(default, bool):
        parser.switch(option, meaning)
        return
    whole = isinstance(default, int)
    kind = (integer_from if whole else number_from)(-inf, inf)
    parser.value(option, f"{meaning} (published: {default})", "N" if whole else "X", kind)


def refuse(options: Options, why: str, *names: str) -> None:
    """Raise BadInputError if an option was given that has no use here."""
    for name in names:
        if not any(getattr(options, name) is each for each in (None, False)):
            raise BadInputError(f"--{name.replace('_', '-')}: {why}")


def add_replacements(parser: Parser) -> None:
    for role in Role:
        meaning = f"strategy that plays the {role} (default: the player saved in the file)"
        parser.value(f"--{role}", meaning, "NAME", replacement, LEARNED)


def add_training(parser: Parser) -> None:
    add_scenario(parser)
    add_talk(parser)
    who = "learned, learned:LEARNER or a strategy; the commands learners and strategies list them"
    for role in Role:
        parser.value(f"--{role}", f"who plays the {role}: {who} ({LEARNED})", "NAME", seat)
    add_learner(parser, "both")
    add_course(parser)


def add_learner(parser: Parser, who: str) -> None:
    """Add the option that says how all learn who are just `learned`."""
    meaning = f"how {who} learn; the command learners lists the ways (q-learning)"
    parser.value("--learner", meaning, "NAME", _learner)


def add_course(parser: Parser) -> None:
    parser.choice("--opener", Opener, "who opens (default: the scenario's)")
    parser.value("--seed", SEED_MEANING, kind=seed)
    add_recipe(parser, "set of training parameters")


def add_recipe(parser: Parser, meaning: str, default: str | None = None) -> None:
    meaning = f"{meaning}: {', '.join(RECIPES)} ({default or 'published, or that of the learner'})"
    parser.choice("--recipe", RECIPES, meaning, default=default, metavar="NAME")


def add_trained(parser: Parser) -> None:
    """Add the options that say which agents are trained, by the original's names."""
    parser.switch("--train-both", "train both agents, or --train-agent alone (both)")
    meaning = "agent that is trained first, or alone (seller)"
    parser.choice("--train-agent", Role, meaning, type=str.lower)


def run_of(options: Options, players: tuple[str, str] | None = None) -> "Run":
    """Return the run that the options ask for, with other players if they are given."""
    from negotiation_tui.players.run import Run

    names = {*_PARAMETERS, "states", "recipe", "train_both", "train_agent"}
    given = {n: value for n, value in vars(options).items() if n in names and value is not None}
    run = scenario_of(options), seed_of(options), players or both_specs(options)
    return Run.of_options(*run, **given, game=_game_words(options))


def _game_words(options: Options) -> tuple[str, ...]:
    """Return the options of the game as they were typed."""
    words = ["--scenario", options.scenario] if options.scenario else []
    words += ["--delta", ",".join(map(str, options.delta))] if options.delta else []
    return *words, *["--talk"] * options.talk


def both_specs(options: Options) -> tuple[str, str]:
    """Return both specs, seller first; who is not named, or just `learned`, is of --learner."""
    learner, unnamed = options.learner or LEARNED, {None, LEARNED}
    one, other = options.seller, options.buyer
    if not unnamed & {one, other}:
        refuse(options, "both players are named; leave it out", "learner")
    return learner if one in unnamed else one, learner if other in unnamed else other


def add_workers(parser: Parser) -> None:
    place = parser.add_mutually_exclusive_group()
    meaning = "worker processes on this machine (default: one per core where that pays)"
    place.add_argument("--workers", help=meaning, metavar="W", type=positive)
    meaning = "run on the Dask cluster whose scheduler has this address instead"
    place.add_argument("--cluster", help=meaning, metavar="ADDRESS")

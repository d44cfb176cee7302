"""The command line: words in, calls out."""

import argparse
import io
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import fields

from negotiation_tui.arguments import LEARNED, Command, parser
from negotiation_tui.errors import BadInputError
from negotiation_tui.learning import ConcurrentTraining, Parameters
from negotiation_tui.roles import Opener, Role
from negotiation_tui.storage import TrainedTables
from negotiation_tui.strategies import STRATEGIES
from negotiation_tui.tui.pace import NAMES as PACES

_ABOUT = {"-h", "--help", "--version"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; returns the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if not words or (words[0].startswith("-") and words[0] not in _ABOUT):
        words.insert(0, "watch")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # ε and × where the encoding has none
    try:
        options = parser({"watch": _watch, "train": _train, "test": _test}).parse_args(words)
        run: Command = options.run
        status = run(options)
        sys.stdout.flush()
    except BadInputError as error:
        print(f"negotiation-tui: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # whoever read the output has gone
        _leave_output()
        return 1
    except OSError as error:
        _leave_output()
        print(f"negotiation-tui: output cannot be written: {error.strerror}", file=sys.stderr)
        return 1
    return status


def _leave_output() -> None:
    """Let what could not be written go, at exit too."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _watch(options: argparse.Namespace) -> int:
    from negotiation_tui.tui import watch

    return watch.watch(
        scenario=options.scenario,
        parameters=Parameters(cycles=options.cycles, episodes=options.episodes),
        seed=_seed_of(options),
        strategies=_strategies(options),
        opener=None if options.opener is None else Opener(options.opener),
        look=watch.Look(options.ascii, options.color, options.fps),
        pace=PACES.index(options.pace),
        paused=options.paused,
        once=options.once,
    )


def _train(options: argparse.Namespace) -> int:
    from negotiation_tui import plots, progress
    from negotiation_tui.storage import check_writable, save_tables

    if options.display_plot is not None:
        plots.check_plot(options.display_plot)
    for path in (options.display_plot, options.save):
        if path is not None:
            check_writable(path)
    training = _training(options)
    progress.train(training)
    tables = TrainedTables.of(training)
    if options.save:
        save_tables(options.save, tables)
    if options.display_plot:
        plots.save_plot(options.display_plot, tables.statistics)
    _print_training(options, tables)
    return 0


def _training(options: argparse.Namespace) -> ConcurrentTraining:
    given = {field.name: getattr(options, field.name) for field in fields(Parameters)}
    seller, buyer = (STRATEGIES[name] if name else None for name in _strategies(options))
    training = ConcurrentTraining(
        options.scenario,
        Parameters(**given),
        _seed_of(options),
        options.train_both,
        options.train_agent,
        seller,
        buyer,
    )
    if options.opener is not None:
        training.opener = Opener(options.opener)
    return training


def _print_training(options: argparse.Namespace, tables: TrainedTables) -> None:
    from negotiation_tui import report

    if options.json:
        print(json.dumps(report.training_dict(tables)))
        return
    parts = []
    if options.verbose:
        parts += [report.training_text(tables), report.q_tables_text(tables)]
    if options.display_normalized:
        parts.append(report.normalized_text(tables))
    if options.save:
        parts.append(f"tables saved to {options.save}")
    if options.display_plot:
        parts.append(f"plots saved to {options.display_plot}")
    if parts:
        print("\n\n".join(parts))


def _test(options: argparse.Namespace) -> int:
    from negotiation_tui import evaluation, report
    from negotiation_tui.learning.seeds import generators
    from negotiation_tui.policy import greedy
    from negotiation_tui.storage import load_tables

    tables = load_tables(options.file)
    seller, buyer = (greedy(tables.scenario, role, tables.q_tables[role]) for role in Role)
    rng = generators(tables.seed if options.seed is None else options.seed).test
    if options.as_published:
        result = evaluation.test_as_published(
            tables.scenario, seller, buyer, rng, options.negotiations, tables.left_over
        )
    else:
        result = evaluation.test(tables.scenario, seller, buyer, rng, options.negotiations)
    print(json.dumps(result.to_dict()) if options.json else report.result_text(result))
    return 0


def _strategies(options: argparse.Namespace) -> tuple[str | None, str | None]:
    seller, buyer = (None if name == LEARNED else name for name in (options.seller, options.buyer))
    return seller, buyer


def _seed_of(options: argparse.Namespace) -> int:
    """The seed asked for, or a new one short enough to be typed again."""
    if options.seed is not None:
        return int(options.seed)
    return int.from_bytes(os.urandom(4), "big")

"""`negotiation-tui completion`: a script for tab completion in a shell."""

from argparse import Action
from typing import Any

from negotiation_tui.cli.options import replacement, seat
from negotiation_tui.cli.parser import Options, Parser
from negotiation_tui.errors import BadInputError, how_to_install
from negotiation_tui.game.scenario_file import PRESETS
from negotiation_tui.learning.spec import LEARNED, PREFIX

EXAMPLES = """\
completion bash > ~/.negotiation-tui.bash # then source it
completion zsh > ~/.zfunc/_negotiation-tui # in $fpath
completion fish | source # in config.fish"""
SHELLS = ("bash", "zsh", "fish")


def add_arguments(parser: Parser) -> None:
    parser.choice("shell", SHELLS, ", ".join(SHELLS), metavar="SHELL")


def run(options: Options) -> int:
    from negotiation_tui.cli.main import parser
    from negotiation_tui.cli.subcommands import watch

    try:
        import shtab
    except ImportError:
        raise BadInputError(f"completion needs shtab: {how_to_install('completion')}") from None
    program = parser()
    watch.add_arguments(program)  # the default subcommand: its options can come first
    tables = [action.choices for action in program._actions if isinstance(action.choices, dict)]
    for each in (program, *(each for table in tables for each in table.values())):
        for action in each._actions:
            if not action.choices:
                action.complete = _completion(action, shtab.FILE)
    script = shtab.complete(program, options.shell)
    if options.shell == "zsh":  # shtab completes only the first of several arguments
        script = script.replace('"(*)::', '"*:')
    print(script)
    return 0


def _completion(action: Action, file: Any) -> Any:
    """Return the possible values of an argument for shtab: names, presets or files."""
    from negotiation_tui.learning.learner_registry import LEARNERS
    from negotiation_tui.strategies.registry import STRATEGIES

    if action.type is seat:
        return _or_file("seat", [LEARNED, *(PREFIX + name for name in LEARNERS), *STRATEGIES])
    if action.type is replacement or action.dest in {"entrants", "strategy"}:
        return _or_file("strategy", [LEARNED, *STRATEGIES])
    if action.dest == "learner":
        return _or_file("learner", list(LEARNERS))
    if action.dest == "scenario":
        return _or_file("scenario", list(PRESETS))
    return file if "FILE" in str(action.metavar) else {}


def _or_file(name: str, choices: list[str]) -> dict[str, Any]:
    """Return the completion to one of the choices or a file, in the language of each shell."""
    function, listed = f"_negotiation_tui_{name}", " ".join(choices)
    bash = f'{function}() {{ compgen -W "{listed}" -- "$1"; compgen -f -- "$1"; }}'
    zsh = f"{function}() {{ _alternative 'words:{name}:({listed})' 'files:file:_files'; }}"
    return {
        "bash": function,
        "zsh": function,
        "fish": f"{listed} (__fish_complete_path (commandline -ct))",
        "preamble": {"bash": bash, "zsh": zsh},
    }

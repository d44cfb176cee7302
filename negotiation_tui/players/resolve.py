"""Resolve specs to players: built-in strategies, saved tables, the user's code, NegMAS.

The modules of players from outside are loaded when one is named: most commands name none.
"""

import re
import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.learned import LearnedOfBoth
from negotiation_tui.game.roles import Role, pair
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy
from negotiation_tui.learning.algorithms.base import Algorithm, Occupant
from negotiation_tui.learning.learner import Learner
from negotiation_tui.learning.learner_registry import LEARNERS, learner, spec_of_learner
from negotiation_tui.learning.spec import LEARNED, PREFIX, learns
from negotiation_tui.players.spec import NEGMAS, NPZ, is_negmas, is_program, own_code, runs_code
from negotiation_tui.runtime import restricted
from negotiation_tui.runtime.files import refuse_file
from negotiation_tui.runtime.validate import refusal, unknown_name
from negotiation_tui.strategies import registry
from negotiation_tui.strategies.base import ReadyPlayer, Strategy, UserSupplied, built_in
from negotiation_tui.strategies.matchup import ready_players, require_table

if TYPE_CHECKING:
    from negotiation_tui.learning.checkpoint import TrainedTables

Resolve = Callable[[str], Strategy | None]  # such as `strategy_from_spec`


def player_from_spec(spec: str) -> Occupant:
    """Return the strategy or the learner of a spec.

    A strategy is built in or of an installed package, a file of tables (`.npz`), a NegMAS
    negotiator (`negmas:…`), a program (`cmd:…`), a Python file (`.py`) or a callable
    (`module:callable`). A learner is `learned:NAME:setting=value,…` or the user's own (see
    `user_learner`). The user's code is run: pass only what the user typed. Raises BadInputError.
    """
    code = own_code(spec)
    if learns(spec) and not code:
        return learner(spec)
    if not spec.isprintable():  # it is written in reports, tables and rows
        raise refusal("learner" if learns(spec) else "strategy", spec, "one line of text")
    if runs_code(spec):
        restricted.forbid(f"{spec}: code")
    if code and learns(spec):
        from negotiation_tui.players import user_learner

        return user_learner.from_code(code)
    return _strategy(spec, code)


def _strategy(spec: str, code: re.Match[str] | None) -> Strategy:
    name = spec.partition(":")[0]
    if name in registry.STRATEGIES and not spec.endswith(NPZ):
        return registry.strategy(spec)
    from negotiation_tui.learning.checkpoint import load_tables
    from negotiation_tui.players import negmas_player, program, saved_table, user_strategy

    makers: tuple[tuple[bool, Callable[[str], Strategy]], ...] = (
        (is_program(spec), program.from_spec),
        (is_negmas(spec), negmas_player.from_spec),
        (spec.endswith(NPZ), lambda file: saved_table.SavedTable(file, load_tables(file))),
    )
    for applies, make in makers:
        if applies:
            return make(spec)
    if code and code["file"]:
        return user_strategy.from_file(code)
    if installed := user_strategy.installed(spec):
        return installed
    if code:
        return user_strategy.from_callable(spec)
    refuse_file("strategy", spec, f"tables ({NPZ}), Python code (.py) or cmd:COMMAND")
    hint = f"{name} is a learner: write {PREFIX}{name}" if name in LEARNERS else ""
    raise unknown_name("strategy", name, (*registry.STRATEGIES, *installed_names()), hint)


def is_learner(spec: str) -> bool:
    """True for `learned:…`, and for code, which is run, with a learner and no strategy."""
    code = own_code(spec)
    if learns(spec) or code is None:
        return learns(spec)
    restricted.forbid(f"{spec}: code")
    from negotiation_tui.players.user_code import classes_in, imported

    file = code["file"]
    found = classes_in(file, object, "strategy")[0].values() if file else [imported(spec)]
    kinds = [kind for kind in found if isinstance(kind, type)]
    learners = [kind for kind in kinds if issubclass(kind, Learner)]
    return bool(learners) and not any(issubclass(kind, Strategy) for kind in kinds)


def spec_of_player(player: Occupant) -> str:
    """Return the spec from which `player_from_spec` makes an equal strategy or learner."""
    if isinstance(player, Algorithm):
        return spec_of_learner(player)
    return registry.spec_of(player)


def strategy_from_spec(spec: Strategy | str) -> Strategy | None:
    """Return the strategy of a spec or an object as `as_player` does; None for a learner."""
    player = None if isinstance(spec, str) and learns(spec) else as_player(spec)
    assert not isinstance(player, Algorithm)
    return player


def as_player(
    player: Occupant | type[Learner] | str, way: Algorithm | type[Learner] | str = LEARNED
) -> Occupant:
    """Return the player of a spec, an object or a class, guarded; `learned` learns in this way."""
    if player == LEARNED:
        player = way
        if isinstance(way, str) and not learns(way):
            player = PREFIX + way
    if isinstance(player, str):
        return player_from_spec(player)
    if isinstance(player, type):
        from negotiation_tui.players import user_learner

        return user_learner.from_class(player)
    if isinstance(player, Algorithm | UserSupplied) or built_in(player):
        return player
    if not isinstance(player, Strategy):
        got = f"got {player!r}; pass saved tables by their file name"
        raise BadInputError(f"expected a strategy or its name, {got}")
    from negotiation_tui.players import user_strategy

    return user_strategy.from_object(player)


def installed_names() -> list[str]:
    """Return the names of other packages' strategies that mean nothing else; imports none."""
    from negotiation_tui.players import user_strategy

    known = {LEARNED, NEGMAS, *registry.STRATEGIES}
    names = (name for name in user_strategy.listed_names() if not name.endswith(NPZ))
    return [n for n in names if n not in known and ":" not in n and not runs_code(n)]


def identity(player: Occupant) -> str:
    """Return a text that is equal for all specs of one player with its settings."""
    from negotiation_tui.players.saved_table import SavedTable
    from negotiation_tui.players.user_strategy import UserStrategy

    if isinstance(player, UserStrategy) and player.strategy:
        rule = player.strategy
        path, kind = Path(player.file).resolve(), type(rule).__qualname__
        return repr((path, kind, registry.settings_of(rule)))
    if isinstance(player, SavedTable):
        return repr(Path(player.spec).resolve())
    return spec_of_player(player)


def trained_players(
    scenario: Scenario,
    strategies: Sequence[Strategy | None],
    learned: LearnedOfBoth,
    discount_rate: float,
) -> tuple[ReadyPlayer, ReadyPlayer]:
    """Return both players of a training, ready to negotiate; raises as `check_pair` does.

    A learner (None) plays what it learned.
    """
    one, other = (
        strategy or known.policy_in(scenario, role)
        for role, strategy, known in zip(Role, strategies, learned, strict=True)
    )
    return ready_players(scenario, one, other, discount_rate)


def players_of(
    tables: "TrainedTables", seller: Strategy | None = None, buyer: Strategy | None = None
) -> tuple[ReadyPlayer, ReadyPlayer]:
    """Return the players of saved tables, or those in place of them, ready to negotiate."""
    strategies = []
    for role, instead, spec in zip(Role, (seller, buyer), tables.strategies, strict=True):
        use = f"; add --{role} {shlex.quote(spec or '')} or another strategy"
        strategies.append(instead or (spec and resolve_trusted(spec, f"{role}: ", use)) or None)
    return trained_players(
        tables.scenario, strategies, tables.agents, tables.parameters.discount_rate
    )


def policies_of(
    tables: "TrainedTables", seller: Strategy | None = None, buyer: Strategy | None = None
) -> tuple[TabularPolicy, TabularPolicy]:
    """Return the players of `players_of` as tables. Raise BadInputError if one has no table."""
    return pair(map(require_table, Role, players_of(tables, seller, buyer)))


def resolve_trusted(spec: str, where: str = "", use: str = "") -> Strategy | None:
    """Return the strategy of a spec in a file as `strategy_from_spec` does.

    A file must not run code that the user did not name. Raises BadInputError if it would.
    """
    name = spec.partition(":")[0]
    ours = learns(spec) or name in registry.STRATEGIES
    if runs_code(spec) or (not ours and name in installed_names()):
        why = "is not built in and runs only if you name it yourself"
        raise BadInputError(f"{where}{spec} {why}{use}")
    return strategy_from_spec(spec)

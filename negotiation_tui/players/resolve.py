"""Who sits in a seat: from the words that name it to a player."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.errors import BadInputError
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, greedy
from negotiation_tui.learning.checkpoint import TrainedTables
from negotiation_tui.learning.q_table import zeros
from negotiation_tui.players import external_policy, negmas_player, user_strategy
from negotiation_tui.players.saved_table import SUFFIX, SavedTable, saved_table
from negotiation_tui.players.spec import LEARNED
from negotiation_tui.strategies.base import ReadyPlayer, Strategy, UserSupplied, built_in
from negotiation_tui.strategies.matchup import ready_players, require_table
from negotiation_tui.strategies.registry import (
    STRATEGIES,
    settings_of,
    spec_of,
    strategy,
    unknown,
)

_BY_FORM: tuple[tuple[Callable[[str], bool], Callable[[str], Strategy]], ...] = (
    (negmas_player.names_one, negmas_player.from_words),
    (lambda words: words.endswith(SUFFIX), saved_table),
    (user_strategy.is_file, user_strategy.from_file),
)
"""What words look like that name a file or a class, and what they seat."""


def strategy_from_spec(words: str) -> Strategy | None:
    """The strategy that these words describe, None for the learner (`learned`).

    A name of the list or of an installed package, a file of tables (`.npz`), a negotiator of
    NegMAS (`negmas:…`), a file of one's own strategy (`.py`) or a callable (`module:callable`);
    the last three are run: give it only what the user typed. Raises BadInputError, naming what is
    wrong.
    """
    if words == LEARNED:
        return None
    for says_so, seated in _BY_FORM:
        if says_so(words):
            return seated(words)
    name = words.partition(":")[0]
    if name in STRATEGIES:
        return strategy(words)
    found = user_strategy.installed(words)
    if found is not None:
        return found
    if external_policy.is_outside(words):
        return external_policy.outside(words)
    raise unknown(name, (*STRATEGIES, *installed_names()))


def seated(given: Strategy | str) -> Strategy | None:
    """The same for words or for a strategy itself; one of the user's is watched over."""
    if isinstance(given, str):
        return strategy_from_spec(given)
    if not isinstance(given, Strategy):
        raise BadInputError(
            f"{given!r} cannot sit here, use words or a strategy: learned tables take a seat by"
            " the name of their file"
        )
    if isinstance(given, UserSupplied) or built_in(given):
        return given
    return user_strategy.from_object(given)


def installed_names() -> list[str]:
    """The names by which strategies of other packages can be seated; none is imported.

    A name that says something else already seats that.
    """
    known = {LEARNED, negmas_player.NAME, *STRATEGIES}
    return [
        name
        for name in user_strategy.installed_names()
        if not (
            name in known or name.endswith(SUFFIX) or user_strategy.is_file(name) or ":" in name
        )
    ]


def file_of(words: str) -> str | None:
    """The file that an occupant comes from, None for those that come from none.

    That of a callable is known once it is loaded.
    """
    if negmas_player.names_one(words):
        return None
    return (
        words
        if words.endswith(SUFFIX)
        else user_strategy.file_in(words) or external_policy.file_in(words)
    )


def identity(held: Strategy | None) -> str:
    """The same for one occupant and its settings, whichever words seat it; None is the learner."""
    if isinstance(held, user_strategy.UserStrategy):
        rule = held.within
        return repr((Path(held.file).resolve(), type(rule).__qualname__, settings_of(rule)))
    if isinstance(held, SavedTable):
        return repr(Path(held.spec).resolve())
    return LEARNED if held is None else spec_of(held)


def trained_players(
    scenario: Scenario,
    strategies: Sequence[Strategy | None],
    q_tables: Sequence[NDArray[np.float64] | None] | NDArray[np.float64],
    discount_rate: float,
) -> tuple[ReadyPlayer, ReadyPlayer]:
    """Return both players of a training, ready to meet, seller first.

    A learner (None) plays greedily by its Q-table, untrained if that is None. Raises BadInputError
    as `check_pair` does.
    """
    one, other = (
        strategy or greedy(scenario, role, zeros(scenario) if table is None else table)
        for role, strategy, table in zip(Role, strategies, q_tables, strict=True)
    )
    return ready_players(scenario, one, other, discount_rate)


def players_of(
    tables: TrainedTables, seller: Strategy | None = None, buyer: Strategy | None = None
) -> tuple[ReadyPlayer, ReadyPlayer]:
    """How the seats of saved tables play: by their table, or as the strategy that sat there.

    A strategy that is given sits there instead.
    """
    strategies = [seller or _kept(tables, Role.SELLER), buyer or _kept(tables, Role.BUYER)]
    rate = tables.parameters.discount_rate
    return trained_players(tables.scenario, strategies, tables.q_tables, rate)


def policies_of(
    tables: TrainedTables, seller: Strategy | None = None, buyer: Strategy | None = None
) -> tuple[TabularPolicy, TabularPolicy]:
    """The same as tables; BadInputError where there is none."""
    one, other = map(require_table, Role, players_of(tables, seller, buyer))
    return one, other


def resolve_trusted(words: str) -> Strategy | None:
    """The occupant that a file names: one of ours, a saved table, or the learner.

    Nobody else's code runs because a file says so. Raises BadInputError for what would, and as
    `strategy_from_spec` does.
    """
    if _is_code(words):
        raise BadInputError(f"{words} is {_NOT_OURS}")
    return strategy_from_spec(words)


_NOT_OURS = "not built in, and runs only where you name it"


def _is_code(words: str) -> bool:
    """Whether words seat a strategy whose code is not ours."""
    name = words.partition(":")[0]
    given = (negmas_player.names_one, user_strategy.is_file, external_policy.is_outside)
    if any(says(words) for says in given):
        return True
    return name not in STRATEGIES and name in installed_names()


def _kept(tables: TrainedTables, role: Role) -> Strategy | None:
    """The strategy that sat in a seat."""
    words = tables.strategies[role]
    if words is None:
        return None
    if _is_code(words):
        raise BadInputError(
            f"the {role} played {words}, which is {_NOT_OURS}: add --{role} {words}, or whoever is"
            " to play instead"
        )
    return resolve_trusted(words)

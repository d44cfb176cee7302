"""The arrays of `loop.Agents`, laid from a description of each kind of agent.

A market has many agents of a kind. Two agents are a market of two. With hidden limits each limit is
an agent, of its own kind.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from negotiation_tui.game.draws import UNIFORM
from negotiation_tui.game.roles import Role
from negotiation_tui.game.scenario import Scenario
from negotiation_tui.game.tabular_policy import TabularPolicy, actions_in, legal_kinds
from negotiation_tui.learning import loop
from negotiation_tui.learning.algorithms.base import TabularAlgorithm
from negotiation_tui.learning.algorithms.rows import Legal, Row
from negotiation_tui.learning.backend import Form
from negotiation_tui.learning.hyperparameters import Learning
from negotiation_tui.runtime.arrays import Floats

AnyInts = NDArray[np.integer[Any]]


class AgentKind(NamedTuple):
    """Agents that begin alike. Static agents of a kind share their table."""

    game: Scenario  # with the limit of these agents
    role: Role
    player: TabularAlgorithm | TabularPolicy  # a learner, or a table that is played
    rewards: Floats  # of a deal, per price
    number: int = loop.STATIC  # of a learner's functions
    inside: bool = False  # True if a learner learns within the episode
    settings: Sequence[float] = (0.0,)  # of a learner: `TabularAlgorithm.settings`
    initial_value: float = 0.0  # of an action

    @property
    def learns(self) -> bool:
        return self.number != loop.STATIC

    def columns(self, row: int, cell: int) -> list[int]:
        """Return the columns of these agents, without the rows of learners.

        A table that is played begins at `row`, its actions at `cell`.
        """
        game, player, offers = self.game, self.player, self.game.offers(self.role)
        about = [0] * loop.N_ABOUT
        about[loop.ROLE], about[loop.KIND], about[loop.INSIDE] = self.role, self.number, self.inside
        about[loop.FIRST], about[loop.OFFERS] = offers.start, len(offers)
        about[loop.LIMIT] = game.limit(self.role)
        if isinstance(player, TabularPolicy):
            width = player.actions.shape[1]
            about[loop.ROW], about[loop.KEPT], about[loop.SHIFT] = row, row, cell - row * width
            about[loop.STRIDE], about[loop.MEMORY] = player.stride, player.memory
            about[loop.WIDTH], about[loop.RESPONDER] = width, player.responder_offset
        else:
            about[loop.STRIDE], about[loop.WIDTH] = 1, game.n_actions
            about[loop.RESPONDER] = game.opener_aware * game.n_prices * game.rounds
            about[loop.EXPLORES], about[loop.DRAWS] = player.explores_itself, player.draws
        return about


def lay(
    kinds: Sequence[AgentKind],
    of: AnyInts,
    learning: Sequence[Learning],
    form: Form,
    keeps: bool = False,
    before: loop.Agents | None = None,
) -> loop.Agents:
    """Return the arrays of agents in a form; `of` has the index of each agent's kind.

    Sellers who learn come before buyers who learn. With `keeps` they have rows for the policies
    that they keep; otherwise those that are asked for each action have no rows of policies.
    `before` are the arrays of the same learners, who go on with what they learned.
    """
    game, n_states = kinds[0].game, kinds[0].game.n_states
    policies = [kind.player for kind in kinds if isinstance(kind.player, TabularPolicy)]
    asked = any(kind.learns and not kind.inside for kind in kinds)
    learners = np.array([kind.learns for kind in kinds])[of].nonzero()[0]
    size, copies = len(learners) * n_states, 2 if keeps else int(not asked)
    n_rows, n_cells = copies * size, copies * size * game.n_actions
    columns, row, cell = [], n_rows, n_cells  # static agents' tables are behind
    for kind in kinds:
        columns.append(kind.columns(row, cell))
        if isinstance(kind.player, TabularPolicy):
            row, cell = row + len(kind.player.n_actions), cell + kind.player.actions.size
    about = np.array(columns)[of]
    about[learners, loop.ROW] = first_rows = n_states * np.arange(len(learners))
    about[learners, loop.KEPT] = first_rows + keeps * size

    if before is None:
        first = legal_of(kinds, np.tile(of[learners], max(1, copies)))
        actions, n_actions = [first.actions[:n_cells]], [first.n_actions[:n_rows]]
        chances = np.array([UNIFORM])
    else:
        actions, n_actions = [before.actions[:n_cells]], [before.n_actions[:n_rows]]
        chances = np.asarray(before.chances[:n_cells])
    weights = [np.array([UNIFORM])]  # for all rows
    if (asked and keeps) or any(each.weights is not None for each in policies):
        weights = [np.broadcast_to(each.cumulative, each.actions.size) for each in policies]
        weights.insert(0, np.broadcast_to(chances, n_cells))
    laid = {
        "about": about.ravel(),
        "rates": _rates(kinds, of, learning),
        "rewards": np.array([kind.rewards for kind in kinds])[of].ravel(),
        "actions": _joined(*actions, *(each.actions.ravel() for each in policies)),
        "n_actions": _joined(*n_actions, *(each.n_actions for each in policies)),
        "chances": np.concatenate(weights),
    }
    if before is not None:
        return before._replace(**{name: form(array) for name, array in laid.items()})
    roles, width = about[learners, loop.ROLE], game.n_actions
    parts = n_states * np.searchsorted(roles, range(3))
    values = np.array([kind.initial_value for kind in kinds])[of[learners]]
    laid |= {
        "best": np.where(first.n_actions[:size] > 0, np.repeat(values, n_states), 0.0),
        "changed": np.zeros(2 * max(1, *keeps * np.diff(parts)), np.int64),
        "parts": parts,
        "decisions": np.zeros((4, game.rounds), np.int64),
        "made": np.zeros(2, np.int64),
        "firsts": np.append(learners, 0)[np.searchsorted(roles, range(2))],
    }
    tables = form(_tables(kinds, of[learners]))
    return loop.Agents(
        **{name: form(array) for name, array in laid.items()},
        q=tables[0],
        tables=tables,
        legal=legal_in(form, legal_of(kinds, of[learners]) if asked else Legal([0], [0], width)),
        scratch=Row(form(np.zeros(width, np.int64)), form(np.zeros(width))),
    )


def legal_of(kinds: Sequence[AgentKind], of: AnyInts) -> Legal:
    """Return the legal actions of learners; `of` has the index of each learner's kind."""
    width, laid = kinds[0].game.n_actions, [np.zeros((0, kinds[0].game.n_actions), bool)]
    states = np.zeros((len(kinds), kinds[0].game.n_states), np.intp)
    for k, kind in enumerate(kinds):
        if kind.learns:
            legal, states[k] = legal_kinds(kind.game, kind.game.offers(kind.role))
            states[k] += len(legal) * (len(laid) - 1)
            laid.append(legal)
    actions, n_actions = (each.astype(np.int16) for each in actions_in(np.concatenate(laid)))
    rows = states[of].ravel()
    return Legal(actions.take(rows, axis=0).ravel(), n_actions[rows], width)


def legal_in(form: Form, legal: Legal) -> Legal:
    actions, n_actions = np.asarray(legal.actions, np.int16), np.asarray(legal.n_actions, np.int64)
    return Legal(form(actions), form(n_actions), legal.width)


def _rates(kinds: Sequence[AgentKind], of: AnyInts, learning: Sequence[Learning]) -> Floats:
    """Return α, γ and own settings of each agent; α is that of `learning` if its learner has 0."""
    settings = zip_longest(*(kind.settings for kind in kinds), fillvalue=0.0)
    alphas, *more = np.array([*settings])[:, of]
    others = np.array([each.learning_rate for each in learning])
    discounts = np.array([each.discount_rate for each in learning])
    return np.array([np.where(alphas > 0, alphas, others), discounts, *more]).T


def _tables(kinds: Sequence[AgentKind], of: AnyInts) -> Floats:
    """Return the first tables of learners, shape (tables, entries of all learners)."""
    game, players = kinds[0].game, [kind.player for kind in kinds]
    most = max((each.n_tables for each in players if isinstance(each, TabularAlgorithm)), default=1)
    tables = np.zeros((most, len(of), game.n_states * game.n_actions))
    for k, (kind, player) in enumerate(zip(kinds, players, strict=True)):
        if isinstance(player, TabularAlgorithm):
            alike = (of == k).nonzero()[0]
            first = tables[: player.n_tables, alike[0]]
            player.write_first(first, kind.game, kind.role, kind.initial_value)
            if len(alike) > 1 and first.any():  # new memory takes no room until it is written
                tables[: len(first), alike[1:]] = first[:, None]
    return tables.reshape(most, -1)


def _joined(*rows: Any) -> NDArray[np.int16]:
    """Return rows of actions, or of their numbers, end to end: a single one as it is."""
    if len(rows) == 1:
        return np.asarray(rows[0], np.int16)
    return np.concatenate(rows, dtype=np.int16, casting="unsafe")

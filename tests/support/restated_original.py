"""A restatement of the original's training, to compare speeds with.

It follows the published text and its snippets (the same classes, dictionaries, assertions and
copies, one step at a time). Bodies that the text leaves out are written in the simplest way. It
was measured to be 1.8 times as fast as the original, so 200 and 8 times the original's speed are
110 and 4.5 times the speed of this.
"""

import math
import random
from copy import deepcopy
from typing import Any

QTable = list[list[float]]
StepReturn = dict[str, Any]


class Agent:
    def __init__(self, state_space_size: int, action_space_size: int) -> None:
        self.state_space_size = state_space_size
        self.action_space_size = action_space_size
        self.learning_rate = 0.1
        self.discount_rate = 0.99
        self.exploration_rate = 1.0
        self.max_exploration_rate = 1.0
        self.min_exploration_rate = 0.1
        self.exploration_decay_rate = 0.001
        self.q_table: QTable = [[0.0] * action_space_size for _ in range(state_space_size)]
        self.validated: list[int] = []
        self.rejected: list[int] = []
        self.wallets: list[int] = []
        self.state = 0
        self.last_action_index: int | None = None
        self.reset_cycle()

    def reset_cycle(self) -> None:
        self.exploration_rate = self.max_exploration_rate
        self.n_validated = self.n_rejected = self.wallet = 0

    def end_cycle(self) -> None:
        self.validated.append(self.n_validated)
        self.rejected.append(self.n_rejected)
        self.wallets.append(self.wallet)

    def dynamic_action_space(self) -> tuple[int, int]:
        # Must do an offer at first
        # Must accept or reject if last round
        from_action, to_action = 0, self.action_space_size
        if self.state == 0:  # Start
            to_action -= 2  # Remove Validate and Reject
        elif (
            self.state_space_size + 1 - self.action_space_size
            <= self.state
            < self.state_space_size - 1
        ):  # Last round
            from_action += self.action_space_size - 2  # Remove offer action
        return from_action, to_action

    def act(self) -> int:
        if random.random() < self.exploration_rate:
            from_action, to_action = self.dynamic_action_space()
            self.last_action_index = random.randrange(from_action, to_action)
            return self.last_action_index
        return self.exploit()

    def exploit(self, overwrite_q_table: QTable | None = None) -> int:
        q_table = self.q_table if overwrite_q_table is None else overwrite_q_table
        from_action, to_action = self.dynamic_action_space()
        row = q_table[self.state]
        highest = max(row[from_action:to_action])
        self.last_action_index = random.choice(
            [i for i in range(from_action, to_action) if row[i] == highest]
        )
        return self.last_action_index

    def update_state(self, step_return: StepReturn) -> None:
        if self.last_action_index is None:
            raise ValueError("Cannot update Q-Table if no action has been made")

        new_state = step_return["new_state"]
        # Update Q-table Q(state, action) -- Bellman's Equation
        self.q_table[self.state][self.last_action_index] = self.q_table[self.state][
            self.last_action_index
        ] * (1 - self.learning_rate) + self.learning_rate * (
            step_return["reward"] + self.discount_rate * max(self.q_table[new_state])
        )

        self.state = new_state

    def decay_exploration(self, episode: int) -> None:
        self.exploration_rate = self.min_exploration_rate + (
            self.max_exploration_rate - self.min_exploration_rate
        ) * math.exp(-self.exploration_decay_rate * episode)

    def get_reward(self, step_return_without_reward: StepReturn) -> float:
        raise NotImplementedError


class Seller(Agent):
    def get_reward(self, step_return_without_reward: StepReturn) -> float:
        info = step_return_without_reward["info"]
        if info.get("type") == "validated":
            assert 1 <= info.get("offer", 0) <= 5
            return float(info["offer"] / 5)
        return 0


class Buyer(Agent):
    def get_reward(self, step_return_without_reward: StepReturn) -> float:
        info = step_return_without_reward["info"]
        if info.get("type") == "validated":
            assert 1 <= info.get("offer", 0) <= 5
            return float(1 - info["offer"] / 5)
        return 0


class Environment:
    def __init__(self, num_cycles: int = 50, num_episodes: int = 100) -> None:
        # Training Information
        self.num_cycles = num_cycles
        self.num_episodes = num_episodes

        # Complexity : price_space_size = P , time_space_size = T
        self.price_space_size = 5
        self.time_space_size = 5

        # The actions, P + 2 of them
        # 1 <= i <= n : offer ; 0 : accept : -1 : reject
        self.action_space = [i + 1 for i in range(self.price_space_size)] + [0, -1]
        self.action_space_size = len(self.action_space)

        # The states, P times T and two more
        # price.time (for each price and for each time)
        # Start state s
        offer_states = [
            f"{price + 1}.{time}"
            for time in range(self.time_space_size)
            for price in range(self.price_space_size)
        ]
        self.state_space = ["s", *offer_states, "d"]
        self.state_space_size = len(self.state_space)

        # Buyer and Seller
        self.buyer = Buyer(self.state_space_size, self.action_space_size)
        self.seller = Seller(self.state_space_size, self.action_space_size)
        self.offer = 0
        self.actions_done = 0

    def step(self, action: int, agent: Agent) -> StepReturn:
        """Return the result of an action of either party, with the reward of `agent`."""
        time = self.actions_done // 2
        self.actions_done += 1
        step_return: StepReturn
        if action > 0:
            self.offer = action
            step_return = {
                "new_state": 1 + time * self.price_space_size + action - 1,
                "info": {"type": "offer", "offer": action},
            }
        elif action == 0:
            step_return = {
                "new_state": self.state_space_size - 1,
                "info": {"type": "validated", "offer": self.offer},
            }
        else:
            step_return = {"new_state": self.state_space_size - 1, "info": {"type": "rejected"}}
        step_return["reward"] = agent.get_reward(step_return)
        return step_return

    def close(self, step_return: StepReturn, agent: Agent) -> None:
        info = step_return["info"]
        if info["type"] == "validated":
            agent.n_validated += 1
            self.seller.wallet += info["offer"]
            self.buyer.wallet -= info["offer"]
        else:
            agent.n_rejected += 1

    def train(self, train_agent: str = "Seller") -> None:
        trainee: Agent = self.seller if train_agent == "Seller" else self.buyer
        trainer: Agent = self.buyer if train_agent == "Seller" else self.seller
        trainee_q_table = deepcopy(trainee.q_table)
        trainer_q_table = deepcopy(trainer.q_table)
        final_state = self.state_space_size - 1

        for _cycle in range(self.num_cycles):
            trainee.reset_cycle()
            trainer.reset_cycle()
            for episode in range(self.num_episodes):
                # Reset
                self.offer = 0
                self.actions_done = 0
                trainee.state = trainer.state = 0
                # Determine do the first offer
                is_trainer_first = episode % 2 == 0
                if is_trainer_first:
                    action_index = trainer.exploit(overwrite_q_table=trainer_q_table)
                    step_return = self.step(self.action_space[action_index], trainee)
                    trainee.state = step_return["new_state"]

                for _step in range(self.time_space_size):
                    # Get Trainee action
                    action_index = trainee.act()
                    step_return = self.step(self.action_space[action_index], trainee)
                    # Check if the action terminates the transaction
                    if step_return["new_state"] == final_state:
                        trainee.update_state(step_return)
                        self.close(step_return, trainee)
                        break
                    trainer.state = step_return["new_state"]

                    # Get Trainer action
                    action_index = trainer.exploit(overwrite_q_table=trainer_q_table)
                    step_return = self.step(self.action_space[action_index], trainee)
                    # Update Trainee states and Q-Tables
                    trainee.update_state(step_return)
                    # Check if the action terminate the transaction
                    if step_return["new_state"] == final_state:
                        self.close(step_return, trainer)
                        break

                # Q-Learning Algorithm Exploration Decay
                trainee.decay_exploration(episode)

            trainee.end_cycle()
            trainer.end_cycle()
            # Switch Trainee and Trainer
            trainer_q_table = deepcopy(trainer.q_table)
            trainee, trainer = trainer, trainee
            trainee_q_table, trainer_q_table = trainer_q_table, trainee_q_table

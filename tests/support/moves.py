"""Call a strategy offer by offer."""

from negotiation_tui import Position, PriceRange, Role, Scenario, Strategy, strategy

_WHOLE = PriceRange(1, 9)
SCENARIOS = {
    "original": Scenario.original(),
    "legacy": Scenario.of("legacy"),
    "gaps": Scenario("gaps", (1, 2, 3, 5, 8, 9), 4, _WHOLE, _WHOLE),
}


def position_of(scenario: Scenario, role: Role, offers: tuple[int, ...]) -> Position:
    return Position.after(scenario, role if len(offers) % 2 == 0 else role.other, offers)


def answers(
    spec: Strategy | str, name: str | Scenario, role: str, opens: bool, opponent: str
) -> str:
    """Return the labels of a strategy's actions against an opponent's offers, until it closes.

    `4|3` are two equally likely actions, of which the first is played; the last label may close.
    """
    rule = strategy(spec) if isinstance(spec, str) else spec
    scenario = SCENARIOS[name] if isinstance(name, str) else name
    opponent_offers = [int(price) for price in opponent.split()]
    offers: list[int] = []
    labels = []
    while True:
        if len(offers) % 2 == (0 if opens else 1):
            actions = rule.support(position_of(scenario, Role.of(role), tuple(offers)))
            labels.append("|".join(map(scenario.action_label, actions)))
            if actions[0] >= scenario.accept:
                break
            offers.append(scenario.prices[actions[0]])
        elif opponent_offers:
            offers.append(opponent_offers.pop(0))
        else:
            break
    return " ".join(labels)

"""When to accept: by the bid, by worth, by the clock, by what is to be hoped for."""

import pytest

from tests.support.moves import answers


@pytest.mark.parametrize(
    ("words", "where", "role", "opens", "heard", "said"),
    [
        ("hardliner:accept=next", "original", "seller", True, "4 5", "5 5 0"),
        ("linear:accept=next", "original", "buyer", False, "5 3 3", "1 2 0"),
        # worth ¾ of the range 1 … 5 is 4 for the seller, 2 for the buyer
        ("hardliner:accept=const,alpha=0.75", "original", "seller", True, "3 4", "5 5 0"),
        ("hardliner:accept=const,alpha=0.75", "original", "buyer", False, "3 2", "1 0"),
        # of 20 … 100 it is 80, of 0 … 80 it is 20
        ("hardliner:accept=const,alpha=0.75", "legacy", "seller", False, "79 80", "100 0"),
        ("hardliner:accept=const,alpha=0.75", "legacy", "buyer", True, "21 20", "0 0 0"),
        ("hardliner:accept=const", "gaps", "seller", False, "5 8", "9 0"),
        # 0.8 is asked for even where one asks less oneself
        ("conceder:accept=const", "original", "seller", True, "3 3 3 3", "5 2 2 2 1"),
        # half of the time is over in the third of five rounds
        ("hardliner:accept=time,time=0.5", "original", "seller", True, "1 1", "5 5 0"),
        ("hardliner:accept=time,time=0.5", "original", "buyer", False, "5 5 5", "1 1 0"),
        ("hardliner:accept=time", "original", "seller", True, "1 1 1 1", "5 5 5 5 0"),
        ("hardliner:accept=time,time=0", "legacy", "seller", False, "10 20", "100 0"),
        # the best of the last two, with two rounds left
        ("hardliner:accept=combi,time=0.5", "original", "seller", True, "1 2", "5 5 0"),
        ("hardliner:accept=combi,time=0.5", "original", "seller", True, "2 1 1", "5 5 5 0"),
        ("hardliner:accept=combi,time=0.5", "original", "buyer", False, "5 4 5 5", "1 1 1 0"),
        ("hardliner:accept=combi,time=0.5", "original", "buyer", False, "5 4 4", "1 1 0"),
        ("linear:accept=combi", "original", "seller", True, "2 3", "5 4 0"),
        ("hardliner:accept=combi,time=0", "gaps", "seller", False, "3 2 5", "0"),
    ],
)
def test_moves(words: str, where: str, role: str, opens: bool, heard: str, said: str) -> None:
    assert answers(words, where, role, opens, heard) == said

"""Frozen dataclasses for values within the program, defined in a quarter of the usual time.

The standard library compiles six methods per class, which took a third of the time to the first
frame. Here only `__init__` is compiled, and the other methods are shared. Type checkers see the
standard `dataclass` and refuse to assign to a field; at run time nothing refuses. So a value that
the user's code receives, or a class that it inherits from, has the standard one.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import field, fields, replace
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass", "field", "fields", "replace"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(*, frozen: bool, eq: bool = True, **options: bool) -> Callable[[type], type]:
        assert frozen

        def made(cls: type) -> type:
            shared = {"__repr__": _repr} | ({"__eq__": _eq, "__hash__": _hash} if eq else {})
            for name in shared.keys() - vars(cls).keys():
                setattr(cls, name, shared[name])
            return dataclasses.dataclass(eq=False, repr=False, **options)(cls)

        return made


@cache
def _compared(cls: Any) -> "attrgetter[Any]":
    """Return what reads the class of an instance, and its fields that are compared."""
    return attrgetter("__class__", *(each.name for each in fields(cls) if each.compare))


def _eq(self: Any, other: Any) -> Any:
    values = _compared(self.__class__)
    return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented


def _hash(self: Any) -> int:
    return hash(_compared(self.__class__)(self))


def _repr(self: Any) -> str:
    shown = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"

"""Frozen dataclasses, defined in a quarter or a half of the usual time.

The standard library compiles six methods per class, which took a third of the time to the first
frame. Here `__eq__`, `__hash__` and `__repr__` are shared. Type checkers see the standard
`dataclass`, and refuse to assign to a field. At run time only those that are `sealed` refuse: the
values that the user's code receives, and the classes that it inherits from.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import field, fields, replace
from functools import cache, partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass", "field", "fields", "replace", "sealed"]

if TYPE_CHECKING:
    from dataclasses import dataclass
    from dataclasses import dataclass as sealed
else:

    def dataclass(
        *, frozen: bool, eq: bool = True, refuse: bool = False, **options: bool
    ) -> Callable[[type], type]:
        assert frozen

        def made(cls: type) -> type:
            shared = {"__repr__": _repr} | ({"__eq__": _eq, "__hash__": _hash} if eq else {})
            for name in shared.keys() - vars(cls).keys():
                setattr(cls, name, shared[name])
            cls.__doc__ = cls.__doc__ or cls.__name__  # or it would be written from the signature
            return dataclasses.dataclass(eq=False, repr=False, frozen=refuse, **options)(cls)

        return made

    sealed = partial(dataclass, refuse=True)


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

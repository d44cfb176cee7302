"""A table of objects whose modules are loaded on first use: a command names few of them."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TypeVar

V = TypeVar("V")


class LazyTable(Mapping[str, V]):
    """Objects by name, each made without arguments by a class `module.Class` of a package."""

    def __init__(self, package: str, classes: Mapping[str, str]) -> None:
        self._package, self._classes = package, classes
        self._made: dict[str, V] = {}

    def __getitem__(self, name: str) -> V:
        if name not in self._made:
            module, _, kind = self._classes[name].partition(".")
            self._made[name] = getattr(import_module(f"{self._package}.{module}"), kind)()
        return self._made[name]

    def __contains__(self, name: object) -> bool:  # without loading its module
        return name in self._classes

    def __iter__(self) -> Iterator[str]:
        return iter(self._classes)

    def __len__(self) -> int:
        return len(self._classes)

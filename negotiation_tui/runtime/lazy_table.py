"""A table of objects whose modules are loaded on first use: a command names few of them."""

from collections import UserDict
from collections.abc import Mapping
from importlib import import_module
from typing import Any, TypeVar

V = TypeVar("V")


class LazyTable(UserDict[str, V]):
    """Objects by name, each made without arguments by a class `module.Class` of a package."""

    def __init__(self, package: str, classes: Mapping[str, Any]) -> None:
        super().__init__(classes)
        self._package = package

    def __getitem__(self, name: str) -> V:
        if isinstance(named := self.data[name], str):
            module, _, kind = named.partition(".")
            self.data[name] = getattr(import_module(f"{self._package}.{module}"), kind)()
        return self.data[name]

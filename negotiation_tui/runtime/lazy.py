"""Names of a package whose modules are loaded on first use (PEP 562)."""

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any


def on_first_use(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package; `modules` maps each name to its module.

    A name equal to the last part of its module stands for the module itself.
    """

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = importlib.import_module(f"{package}.{modules[name]}")
        is_module = modules[name].rpartition(".")[2] == name
        value = module if is_module else getattr(module, name)
        setattr(sys.modules[package], name, value)
        return value

    return load

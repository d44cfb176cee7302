"""Build as setuptools does, with a README whose links work on a package index.

With `Source` among the `[project.urls]`, links and pictures lead there, to the tag of this version.
Without it, links become text and pictures are left out. Everything else is in pyproject.toml.
"""

import re
import runpy
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from setuptools import build_meta

README = Path("build", "README.md")
TARGET = r'(\]\(|src="|srcset=")(?!\w+:|#)([^)"#\s]+)'
"""The beginning of a link or picture with the path of a file, and the path."""


def description(readme: str, source: str | None, version: str) -> str:
    """Return a README whose every link works anywhere."""
    if source is None:
        readme = re.sub(r"<picture>.*?</picture>\s*", "", readme, flags=re.DOTALL)
        return re.sub(r"\[([^]]*)\]\((?!\w+:|#)[^)]*\)", r"\1", readme)

    def absolute(found: re.Match[str]) -> str:
        picture = "?raw=true" if found[1].startswith("src") else ""
        return f"{found[1]}{source}/blob/v{version}/{found[2]}{picture}"

    return re.sub(TARGET, absolute, readme)


def with_readme(hook: Callable[..., Any]) -> Callable[..., Any]:
    """Return a hook of setuptools that writes the README first."""

    def run(*arguments: Any, **options: Any) -> Any:
        project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
        version = runpy.run_path("negotiation_tui/_version.py")["__version__"]
        readme = Path("README.md").read_text(encoding="utf-8")
        source = project.get("urls", {}).get("Source")
        README.parent.mkdir(exist_ok=True)
        README.write_text(description(readme, source, version), encoding="utf-8")
        return hook(*arguments, **options)

    return run


get_requires_for_build_sdist = build_meta.get_requires_for_build_sdist
get_requires_for_build_wheel = build_meta.get_requires_for_build_wheel
get_requires_for_build_editable = build_meta.get_requires_for_build_editable
prepare_metadata_for_build_wheel = with_readme(build_meta.prepare_metadata_for_build_wheel)
prepare_metadata_for_build_editable = with_readme(build_meta.prepare_metadata_for_build_editable)
build_sdist = with_readme(build_meta.build_sdist)
build_wheel = with_readme(build_meta.build_wheel)
build_editable = with_readme(build_meta.build_editable)

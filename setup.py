"""Write the README for a package index, where links to files beside it lead nowhere.

Everything else is in pyproject.toml. With `Source` among its `[project.urls]`, links and pictures
lead there, to the tag of this version. Without it, links become text and pictures are left out.
"""

import re
import runpy
import tomllib
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).resolve().parent
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


if __name__ == "__main__":
    project = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    setup(
        long_description=description(
            (HERE / "README.md").read_text(encoding="utf-8"),
            project.get("urls", {}).get("Source"),
            runpy.run_path(str(HERE / "negotiation_tui" / "_version.py"))["__version__"],
        ),
        long_description_content_type="text/markdown",
    )

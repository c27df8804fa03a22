"""The oldest releases that the project says it works with, as constraints for pip: ``python -m tests.oldest``."""

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def oldest(text: str) -> list[str]:
    """A ``name==version`` for each dependency of a pyproject.toml. Raises ValueError for one without a floor."""
    found = []
    for dependency in tomllib.loads(text)["project"]["dependencies"]:
        floor = re.fullmatch(r"([\w-]+)>=([\d.]+)(,<[\d.]+)?", dependency)
        if floor is None:
            raise ValueError(f"{dependency} does not name its oldest release")
        found.append(f"{floor[1]}=={floor[2]}")
    return found


if __name__ == "__main__":
    sys.stdout.write("\n".join([*oldest(PROJECT.read_text()), ""]))

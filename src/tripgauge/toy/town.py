"""Where the toy town lies: its tasks, its sandbox and one good answer to every turn, shipped with the package.

Home is Aldmoor, the destination Briskhaven. Both are made up and small enough to know by heart; the page
`docs/toy-town.md` has the whole of them. The files are laid out as the released ones (Trip+ 2.2, A.2), so whatever
reads the benchmark reads the town.
"""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path


def queries_file() -> Path:
    """The eight tasks of the town, in the shape of the released query file."""
    return _town() / "query.json"


def data_folder() -> Path:
    """The folder that holds the sandbox; every task's `base_query_id` names the one folder in it."""
    return _town() / "database"


def answers_folder() -> Path:
    """Where the recorded good answers lie, one file a turn."""
    return _town() / "answers"


def answers() -> Mapping[str, str]:
    """One complete and right answer to every turn, by turn id such as "mt_toy_couple_turn_0".

    The texts are written in the official notation (Trip+ A.4), tags included.
    """
    folder = _town() / "answers"
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt"))}


def _town() -> Path:
    return Path(str(files("tripgauge.toy"))) / "trip_plus"

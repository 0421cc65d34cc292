"""The pages of the documentation that are made from the code."""

from collections.abc import Mapping
from pathlib import Path

from tripgauge.codec import write_text


def generated_pages() -> Mapping[str, str]:
    """Text by file name."""
    from tripgauge.trip_plus.manual import checks_page, requirements_page
    from tripgauge.trip_plus.tools.commands import docs_tools

    return {"checks.md": checks_page(), "requirements.md": requirements_page(), "tools.md": docs_tools()}


def write_pages(pages: Mapping[str, str], folder: Path) -> None:
    """Write them all."""
    for name, text in pages.items():
        write_text(folder / name, text)


def stale_pages(pages: Mapping[str, str], folder: Path) -> list[str]:
    """The pages that differ from what the code would write, or are missing."""
    return [
        name
        for name, text in pages.items()
        if not (folder / name).exists() or (folder / name).read_text(encoding="utf-8") != text
    ]

"""The pages of the documentation that are made from the code."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from tripgauge.codec import write_text

PACKAGE = Path(__file__).parent


def generated_pages() -> Mapping[str, str]:
    """Text by file name."""
    from tripgauge.trip_plus.manual import checks_page, requirements_page
    from tripgauge.trip_plus.tools.commands import docs_tools

    return {
        "checks.md": checks_page(),
        "modules.md": modules_page(),
        "requirements.md": requirements_page(),
        "tools.md": docs_tools(),
    }


def modules_page() -> str:
    """The text of docs/modules.md: every module with the sentence it says of itself."""
    head = """# Modules

Made from the modules themselves: `make docs`. How they hang together is told in [architecture.md](architecture.md).
"""
    return "\n".join([head, *_listed(PACKAGE, "tripgauge"), ""])


def _listed(folder: Path, name: str) -> Iterator[str]:
    """A folder's modules, then its folders."""
    modules = [path for path in sorted(folder.glob("*.py")) if path.name != "__init__.py"]
    if modules:
        yield f"## {name}\n"
        yield from (f"- `{path.name}`: {_sentence(path)}" for path in modules)
        yield ""
    for inner in sorted(path for path in folder.iterdir() if (path / "__init__.py").exists()):
        yield from _listed(inner, f"{name}.{inner.name}")


def _sentence(path: Path) -> str:
    """The first paragraph of a module's docstring, on one line."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(docstring.split("\n\n")[0].split())


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

"""When two spellings mean the same place: the one rule for names in the sandbox.

Width, case, blanks, accents, the style of quotes, dashes and dots, and brackets around the whole name do not matter.
Everything else does: a name that is contained in another, or close to it, is another place.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Generic, TypeVar

_STYLES = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛ʼ`´′ʹ", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—―−﹘﹣", "-"),
        **dict.fromkeys("•‧∙⋅・", "·"),
        **dict.fromkeys("【〔〖「『", "["),
        **dict.fromkeys("】〕〗」』", "]"),
    }
)
_ACCENTS = re.compile("[\u0300-\u036f]")
_BLANKS = re.compile(r"[\s\u200b-\u200f\u2060\ufeff]+")
_AROUND = {"[": "]", "(": ")", '"': '"', "'": "'"}


@lru_cache(maxsize=65536)
def folded(name: str) -> str:
    """The form in which names are compared; equal for spellings of one name."""
    # Styles are unified before decomposing, which would turn an acute accent standing alone into a blank.
    plain = unicodedata.normalize("NFKD", name.translate(_STYLES)).translate(_STYLES)
    plain = unicodedata.normalize("NFKC", _ACCENTS.sub("", plain)).casefold()
    plain = _BLANKS.sub("", plain)
    while len(plain) > 2 and _AROUND.get(plain[0]) == plain[-1] and _closes_at_end(plain):
        plain = plain[1:-1]
    return plain


def _closes_at_end(name: str) -> bool:
    """Whether the bracket or quote the name starts with is the one it ends with."""
    opening, closing = name[0], name[-1]
    if opening == closing:
        return opening not in name[1:-1]
    depth = 0
    for position, character in enumerate(name):
        depth += (character == opening) - (character == closing)
        if depth == 0:
            return position == len(name) - 1
    return False


_Record = TypeVar("_Record")


class NameIndex(Generic[_Record]):
    """Records by name, and by the aliases of their names. Of several with one name the first counts."""

    def __init__(self, named: Iterable[tuple[str, _Record]]) -> None:
        self._records: dict[str, list[_Record]] = {}
        for name, record in named:
            if folded(name):
                self._records.setdefault(folded(name), []).append(record)

    def add_aliases(self, aliases: Iterable[tuple[str, str]]) -> None:
        """Makes records found by further names. A name that stands for a record already is not taken from it."""
        waiting = dict(reversed([(folded(alias), folded(name)) for alias, name in aliases]))
        for alias in waiting:
            if alias in self._records:
                continue
            name, seen = alias, {alias}
            while name in waiting and name not in self._records and waiting[name] not in seen:
                name = waiting[name]
                seen.add(name)
            if alias and name in self._records:
                self._records[alias] = self._records[name]

    def all(self, name: str) -> tuple[_Record, ...]:
        """Every record of that name."""
        return tuple(self._records.get(folded(name), ()))

    def get(self, name: str) -> _Record | None:
        """The record of that name; None if there is none."""
        found = self._records.get(folded(name))
        return found[0] if found else None

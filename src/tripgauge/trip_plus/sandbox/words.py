"""Whole words and phrases in the texts of records: "park" is found in "Lake Park", not in "parking"."""

import re
from collections.abc import Iterable


class Phrases:
    """Words and phrases to look for, in any case and with or without a plural s."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self.listed = tuple(dict.fromkeys(phrase.casefold().strip() for phrase in phrases if phrase.strip()))
        # What a phrase may hold beside letters, blanks and hyphens alike, is one or more of either.
        patterns = (r"[\s\-]+".join(map(re.escape, re.split(r"[\s\-]+", phrase))) for phrase in self.listed)
        self._pattern = re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?:s|es)?(?!\w)") if self.listed else None

    def found_in(self, *texts: str) -> str:
        """The first phrase found, as it stands there; "" if there is none."""
        if self._pattern is None:
            return ""
        for text in texts:
            match = self._pattern.search(text.casefold())
            if match:
                return match[0]
        return ""

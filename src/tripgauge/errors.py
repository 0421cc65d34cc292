"""What the operator did wrong, told in one line."""

from collections.abc import Iterator
from contextlib import contextmanager


class UsageError(Exception):
    """A fault of the person who runs the program: a missing folder, an unknown task, an unreadable file.

    The command line prints its message as one line on standard error and exits with code 2. The message names the
    thing, its value and the way out.
    """


@contextmanager
def told_at(place: str) -> Iterator[None]:
    """Puts a place, such as "calls.jsonl, line 2", before the message of a UsageError raised within."""
    try:
        yield
    except UsageError as error:
        raise UsageError(f"{place}: {error}") from None

"""Were runs held under the same conditions? Only then may they be ranked. (R28)

What is measured may differ: the agent with its options and file, the model, where it is served and how it is asked.
Everything else that can move a score has to be equal.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tripgauge.codec import encode, shown
from tripgauge.errors import UsageError
from tripgauge.runs import Key, Settings

MEASURED = frozenset({"agent", "agent_options", "model", "base_url", "model_settings", "digests.agent"})
"""What a comparison is about, and so may differ."""

WITH_A_MODEL = frozenset({"engine"})
"""What agents without a model do not have."""

DIGEST_SHOWN = 8


@dataclass(frozen=True)
class Held:
    """How one set of answers came about."""

    name: str
    settings: Settings | None
    """None where nobody recorded them."""

    conversations: frozenset[Key]
    """The tasks and trials that are there to be scored."""


def unequal(runs: Sequence[Held]) -> tuple[str, ...]:
    """What differs between the runs, in words; nothing if they may be ranked."""
    return (*_settings(runs), *_conversations(runs))


def refuse_unequal(runs: Sequence[Held]) -> None:
    """Raises UsageError saying what differs, if anything does."""
    if differing := unequal(runs):
        raise UsageError(
            f"These were not held under the same conditions, so they are not ranked: {'; '.join(differing)}. "
            "Show them side by side without ranks with: --allow-unequal"
        )


def refuse_unequal_settings(runs: Sequence[Held]) -> None:
    """The same for runs of which only what they have in common is looked at."""
    if differing := tuple(_settings(runs)):
        raise UsageError(
            f"These were not held under the same conditions: {'; '.join(differing)}. "
            "To compare them all the same: --allow-unequal"
        )


def _settings(runs: Sequence[Held]) -> Iterator[str]:
    known = [(run.name, dict(_flat(encode(run.settings)))) for run in runs if run.settings is not None]
    if known and len(known) < len(runs):
        unknown = ", ".join(run.name for run in runs if run.settings is None)
        yield f"settings: not recorded of {unknown}"
    for key in dict.fromkeys(key for _, settings in known for key in settings):
        values = [(name, settings.get(key)) for name, settings in known]
        compared = [value for _, value in values if value is not None or key not in WITH_A_MODEL]
        if not _is_measured(key) and any(value != compared[0] for value in compared[1:]):
            yield f"{key}: {', '.join(f'{_short(key, value)} ({name})' for name, value in values)}"


def _conversations(runs: Sequence[Held]) -> Iterator[str]:
    common = frozenset.intersection(*(run.conversations for run in runs)) if runs else frozenset()
    if any(run.conversations != common for run in runs):
        counts = ", ".join(f"{len(run.conversations)} ({run.name})" for run in runs)
        yield f"tasks and trials: {counts}, of which {len(common)} in common"


def _is_measured(key: str) -> bool:
    return any(key == name or key.startswith(f"{name}.") for name in MEASURED)


def _flat(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    if not isinstance(value, Mapping):
        yield path, value
        return
    for key, item in value.items():
        yield from _flat(item, f"{path}.{key}".removeprefix("."))


def _short(key: str, value: object) -> str:
    return value[:DIGEST_SHOWN] if key.startswith("digests.") and isinstance(value, str) else shown(value)

"""Every kind of requirement there is, and loading one from its id and parameters."""

from collections.abc import Mapping
from types import ModuleType

from tripgauge.codec import decode, encode, unknown_fields
from tripgauge.errors import UsageError
from tripgauge.trip_plus.requirements import environment
from tripgauge.trip_plus.requirements.constraints import attractions, budget, dining, lodging, transport, trip
from tripgauge.trip_plus.requirements.preferences import budget as value
from tripgauge.trip_plus.requirements.preferences import comfort, interest
from tripgauge.trip_plus.requirements.preferences import transport as convenience
from tripgauge.trip_plus.requirements.requirement import Kind, Requirement, registered_kinds

MODULES: tuple[ModuleType, ...] = (
    trip, transport, lodging, dining, attractions, budget,
    comfort, convenience, value, interest,
    environment,
)  # fmt: skip
"""Where requirements are defined. A kind is known once its module is loaded."""


def requirement_kinds() -> tuple[Kind, ...]:
    """All kinds: hard constraints, soft preferences, environment conditions, and any defined elsewhere."""
    order = {module.__name__: place for place, module in enumerate(MODULES)}
    return tuple(sorted(registered_kinds().values(), key=lambda kind: order.get(kind.type.__module__, len(order))))


def requirement_kind(id_: str) -> Kind:
    """The kind of that id. Raises UsageError if there is none."""
    kinds = registered_kinds()
    if id_ not in kinds:
        raise UsageError(f"No requirement {id_!r}. `tripgauge checks` lists {len(kinds)} of them.")
    return kinds[id_]


def requirement(id_: str, parameters: Mapping[str, object]) -> Requirement:
    """The requirement of that kind with these parameters, as a file has them.

    Raises UsageError naming the kind and the parameter if one is missing, wrong or superfluous.
    """
    kind = requirement_kind(id_)
    given = encode(parameters) | ({} if isinstance(kind.type.__dict__.get("id"), str) else {"kind": id_})
    made = decode(kind.type, given, id_)
    if superfluous := unknown_fields(kind.type, given):
        raise UsageError(f"{id_}: has no parameter {', '.join(superfluous)}.")
    return made

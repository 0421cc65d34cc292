"""What an agent is told before the first turn: how to plan, and what is visible of the traveler. (Trip+ A.4)"""

import json
from functools import cache
from importlib.resources import files
from string import Template

from tripgauge.codec import encode
from tripgauge.trip_plus.tasks.task import Brief, Profile, TripFrame

PROMPTS = ("system.md", "profile.md", "frame.md")
"""The files in `prompts/`, in the order in which an agent reads them."""


def instructions(brief: Brief) -> str:
    """The system prompt of a task."""
    told = {"profile": _profile(brief.profile), **_frame(brief.frame)}
    return "\n\n".join(Template(prompt_text(name)).substitute(told) for name in PROMPTS)


@cache
def prompt_text(name: str) -> str:
    """The text of a prompt file."""
    return (files("tripgauge.trip_plus") / "prompts" / name).read_text(encoding="utf-8").strip()


def _profile(profile: Profile) -> str:
    """The profile as JSON under its published names, without what is empty."""
    shown = encode(profile)
    shown["party_composition"] = shown.pop("party")
    return json.dumps(_without_empty(shown), ensure_ascii=False, indent=2, sort_keys=True)


def _without_empty(value: object) -> object:
    if isinstance(value, dict):
        kept = {key: _without_empty(item) for key, item in value.items()}
        return {key: item for key, item in kept.items() if item not in (None, "", [], {})}
    return [_without_empty(item) for item in value] if isinstance(value, list) else value


def _frame(frame: TripFrame) -> dict[str, str]:
    return {
        "origin": frame.origin,
        "destination": ", ".join(frame.destinations),
        "depart": frame.depart.isoformat(),
        "return_": frame.return_.isoformat(),
        "cities": " and ".join((frame.origin, *frame.destinations)),
    }

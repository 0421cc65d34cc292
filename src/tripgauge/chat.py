"""What a conversation is made of: messages, the tool calls in them, and the tools on offer.

One form for every engine: provider formats are read into these records at the border and written from them there.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True)
class ToolCall:
    """One call of a tool, as the model sent it."""

    id: str
    """What the answer refers to. May be empty or repeated, as models send it; the toolbox makes it unique."""

    name: str
    arguments: str = ""
    """The argument text exactly as sent, well formed or not. Only the toolbox reads it."""

    @classmethod
    def of(cls, id: str, name: str, arguments: Mapping[str, object]) -> "ToolCall":
        """The call of an engine that has read the arguments already."""
        return cls(id, name, json.dumps(arguments, ensure_ascii=False, separators=(",", ":")))


@dataclass(frozen=True)
class Message:
    """One message of a conversation."""

    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    """Calls the assistant makes with this message, in order."""

    tool_call_id: str | None = None
    """Of a tool's message: the call it answers."""

    name: str | None = None
    """Of a tool's message: the tool that answers."""


@dataclass(frozen=True)
class ToolSpec:
    """A tool as it is shown to a model."""

    name: str
    description: str
    parameters: Mapping[str, object]
    """JSON Schema of the argument object."""

    def as_function(self) -> dict[str, object]:
        """The form function-calling interfaces take."""
        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": dict(self.parameters),
            },
        }

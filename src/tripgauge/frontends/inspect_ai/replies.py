"""What a provider sends, made harmless before Inspect reads it, with the argument texts kept as the model wrote them.

Inspect parses arguments before our code runs, guesses at texts that are no JSON object, and writes everything into its
log, which cannot hold every value that JSON can. So Chat Completions are cleaned as they come in from the client, and
the texts of the arguments go past Inspect. Of the Responses interface they are read from the model call that Inspect
records; where a provider sends objects (Anthropic, Google), or a mock model makes them, there is no text to be had.
"""

import functools
import json
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, NoReturn

from inspect_ai.model import Model as NativeModel

from tripgauge.conversation import writable
from tripgauge.tools import is_too_deep

MOST_DIGITS = 300
"""Of a whole number in arguments: more cannot be read, and some logs cannot hold it."""


class NoReplyError(Exception):
    """The provider's answer holds no reply."""


@dataclass
class Sent:
    """What the model wrote as arguments in the reply that is under way, call by call."""

    arguments: list[str] = field(default_factory=list)


_sent: ContextVar[Sent] = ContextVar("sent")


def begin_attempt() -> Sent:
    """Where the argument texts of the next reply of this task will be found; empty if there are none to be had."""
    sent = Sent()
    _sent.set(sent)
    return sent


def watch(native: NativeModel) -> None:
    """Has the model's replies cleaned and their argument texts kept; a second time changes nothing."""
    api: Any = native.api
    if not getattr(api.generate, "is_watched", False):
        api.generate = _watched(api.generate, _keep_recorded)
    completions = getattr(getattr(getattr(api, "client", None), "chat", None), "completions", None)
    if completions is not None and not getattr(completions.create, "is_watched", False):
        completions.create = _watched(completions.create, _cleaned)


def _watched(ask: Any, then: Any) -> Any:
    @functools.wraps(ask)
    async def asked(*args: Any, **kwargs: Any) -> Any:
        return then(await ask(*args, **kwargs))

    asked.is_watched = True  # type: ignore[attr-defined]
    return asked


def object_in(text: str) -> dict[str, Any] | None:
    """The JSON object in an argument text; None if there is none, or none that a log can hold."""
    try:
        value = json.loads(text or "{}", parse_constant=_refused, parse_int=_whole)
        if not isinstance(value, dict) or is_too_deep(value):
            return None
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except (ValueError, RecursionError):
        return None
    return value


def _refused(constant: str) -> NoReturn:
    raise ValueError(constant)


def _whole(digits: str) -> int:
    return int(digits) if len(digits) <= MOST_DIGITS else _refused("too many digits")


# --- Chat Completions -----------------------------------------------------------------------------------------------


def _cleaned(completion: Any) -> Any:
    """A completion that Inspect can read and write. Raises NoReplyError if there is no choice in it."""
    if not hasattr(completion, "choices") or not hasattr(completion, "model_dump"):
        return completion  # a stream, or what is no completion at all, of which Inspect complains itself
    values = _writable(completion.model_dump(warnings=False))
    choices = values.get("choices")
    if not isinstance(choices, list) or not choices:
        error = values.get("error")
        reason = error.get("message") if isinstance(error, dict) else error
        raise NoReplyError(f"the provider's answer has no choices{f': {reason}' if reason else ''}")
    for index, choice in enumerate(choices):
        choice["index"] = index
        message = choice["message"] = choice.get("message") or {"role": "assistant", "content": None}
        message["content"] = _text(message.get("content"))
        calls = [call for call in message.get("tool_calls") or () if isinstance(call.get("function"), dict)]
        texts = [_arguments(call["function"].get("arguments")) for call in calls]
        if index == 0 and (sent := _sent.get(None)) is not None:
            sent.arguments = texts
        message["tool_calls"] = [_call(call, text) for call, text in zip(calls, texts, strict=True)] or None
    return type(completion).model_construct(**values)


def _call(call: Mapping[str, Any], arguments: str) -> dict[str, Any]:
    """A call with arguments that Inspect reads as they are; those that are no object stand in one as a text."""
    shown = arguments if object_in(arguments) is not None else json.dumps({"unreadable": writable(arguments)})
    function = {**call["function"], "name": call["function"].get("name") or "", "arguments": shown}
    return {**call, "id": call.get("id") or "", "type": "function", "function": function}


def _arguments(sent: Any) -> str:
    """The text of arguments; some servers send the object itself."""
    return sent if isinstance(sent, str) else "" if sent is None else json.dumps(sent, ensure_ascii=False)


def _text(content: Any) -> Any:
    """A content as one text; some servers send a list of parts."""
    if not isinstance(content, list):
        return content
    return "".join(str(part.get("text") or "") if isinstance(part, dict) else str(part) for part in content)


def _writable(value: Any) -> Any:
    match value:
        case str():
            return writable(value)
        case list():
            return [_writable(item) for item in value]
        case dict():
            # What is no argument text has no depth of its own, and arguments are read as they came.
            return {key: item if key == "arguments" else _writable(item) for key, item in value.items()}
        case _:
            return value


# --- What Inspect records of a call ---------------------------------------------------------------------------------


def _keep_recorded(answer: Any) -> Any:
    """Keeps the argument texts of a recorded answer, where they did not come past already."""
    sent = _sent.get(None)
    if sent is not None and not sent.arguments and isinstance(answer, tuple):
        response = getattr(answer[1], "response", None)
        if isinstance(response, Mapping):
            sent.arguments = list(_recorded(response))
    return answer


def _recorded(response: Mapping[str, Any]) -> Iterable[str]:
    """The argument texts in an answer of the Responses interface."""
    items = response.get("output")
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict) and item.get("type") == "function_call" and isinstance(item.get("arguments"), str):
            yield item["arguments"]

"""Any model that Inspect AI knows, as a model of ours.

Messages and tool calls go over in both directions; the agents, tools and limits are our own. Failed attempts are
repeated here, since Inspect's own repetition does not look at Retry-After.
"""

import asyncio
import json
import random
import re
import time
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    ContentReasoning,
    GenerateConfig,
    ModelOutput,
    RetryDecision,
)
from inspect_ai.model import Model as NativeModel
from inspect_ai.tool import ToolCall as NativeCall
from inspect_ai.tool import ToolInfo, ToolParams
from inspect_ai.util import LimitExceededError

from tripgauge.chat import Message, ToolCall, ToolSpec
from tripgauge.conversation import EngineLimitError, InfrastructureError, ModelReply, Usage, writable
from tripgauge.frontends.inspect_ai.replies import NoReplyError, Sent, begin_attempt, object_in, watch
from tripgauge.prices import Price


@dataclass(frozen=True)
class Patience:
    """How often and how long a model is asked again. The defaults are the published client's. (Trip+ A.4)"""

    attempts: int = 30
    seconds: float = 180
    """Of one attempt."""

    first_wait: float = 1.5
    """Seconds; doubled each time."""

    longest_wait: float = 30
    jitter: float = 0.25
    """Share of the wait that chance adds or takes."""

    def wait(self, failed: int, retry_after: float | None) -> float:
        """Seconds until the next attempt, after so many failed ones; never less than the server asks for."""
        wait = min(self.first_wait * 2.0 ** (failed - 1), self.longest_wait)
        wait *= 1 + random.uniform(-self.jitter, self.jitter)
        return max(wait, retry_after or 0)


@dataclass
class _Natives:
    """The messages of one conversation as the provider sent them, by the id of their first tool call.

    Providers want their own reasoning back together with the calls it led to.
    """

    trial: int = 0
    by_call: dict[str, ChatMessageAssistant] = field(default_factory=dict)
    ids: set[str] = field(default_factory=set)

    def unique(self, calls: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
        """The calls with ids that no earlier message of the conversation used."""
        renamed = []
        for call in calls:
            call_id, number = call.id, 2
            while not call_id or call_id in self.ids:
                call_id, number = f"{call.id or 'call'}_{number}", number + 1
            renamed.append(replace(call, id=call_id))
        self.ids |= {call.id for call in renamed}
        return tuple(renamed)


_natives: ContextVar[_Natives] = ContextVar("natives")


def begin_conversation(trial: int) -> None:
    """What providers sent in the conversation before is forgotten. To be called in the conversation's own task.

    Where a seed is sent, each trial sends the next one: with one seed for all, they would be the same conversation.
    """
    _natives.set(_Natives(trial))


@dataclass(frozen=True)
class InspectModel:
    """A model of Inspect AI as an async function of messages and tools."""

    native: NativeModel
    price: Price | None = None
    patience: Patience = Patience()

    async def __call__(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelReply:
        """The model's next message. Raises InfrastructureError when it cannot be had, EngineLimitError at a limit."""
        natives = _natives.get(None) or _Natives()
        chat = [_native_message(message, natives) for message in messages]
        offered = [_native_tool(tool) for tool in tools]
        started = time.perf_counter()
        output, sent = await self._attempts(chat, offered, natives.trial)
        taken = time.perf_counter() - started
        if output.error and not output.choices:
            raise InfrastructureError(one_line(output.error))
        return self._reply(output, sent, natives, max(0.0, taken - (output.time or taken)))

    async def _attempts(self, chat: list[ChatMessage], tools: list[ToolInfo], trial: int) -> tuple[ModelOutput, Sent]:
        seed = self.native.config.seed
        once = GenerateConfig(max_retries=0, seed=None if seed is None else seed + trial)
        for failed in range(1, self.patience.attempts + 1):
            sent = begin_attempt()
            try:
                async with asyncio.timeout(self.patience.seconds) as limit:
                    return await self.native.generate(chat, tools, config=once), sent
            except LimitExceededError as error:
                raise EngineLimitError(f"{error.type} limit") from None
            except Exception as error:  # whatever a provider raises is the provider's failure
                if _is_too_long(error):
                    return ModelOutput.from_content(str(self.native), "", "model_length"), sent
                again = self._again(error, timed_out=limit.expired())
                if not again.retry or failed == self.patience.attempts:
                    raise InfrastructureError(_reason(error)) from error
                await asyncio.sleep(self.patience.wait(failed, again.retry_after))
        raise AssertionError("the last attempt returns or raises")  # pragma: no cover

    def _again(self, error: Exception, *, timed_out: bool) -> RetryDecision:
        """Whether another attempt may help."""
        if timed_out or any(isinstance(beneath, json.JSONDecodeError | NoReplyError) for beneath in _chain(error)):
            return RetryDecision.transient()
        for beneath in _chain(error):
            decision = self.native.api.should_retry(beneath) if isinstance(beneath, Exception) else False
            if decision:
                return decision if isinstance(decision, RetryDecision) else RetryDecision.transient()
        return RetryDecision.no()

    def _reply(self, output: ModelOutput, sent: Sent, natives: _Natives, waited: float) -> ModelReply:
        message = output.message
        calls = natives.unique(_own_calls(message.tool_calls or (), sent))
        if calls:
            natives.by_call[calls[0].id] = message
        usage = _usage(output)
        cost = "unknown" if self.price is None else self.price.cost(usage)
        return ModelReply(message.text, calls, _stop(output), usage, cost, waited)


def prepared(native: NativeModel) -> NativeModel:
    """The model as it is to be asked.

    Tools are offered in plain form: "strict" is refused by many servers, and not what the papers measure. And the
    provider's own client repeats nothing, since its waiting would count as the time of an attempt.
    Replies are cleaned before Inspect reads them.
    """
    if hasattr(native.api, "strict_tools"):
        native.api.strict_tools = False
    client: Any = getattr(native.api, "client", None)
    if hasattr(client, "max_retries"):
        client.max_retries = 0
    watch(native)
    return native


# --- From ours to theirs --------------------------------------------------------------------------------------------


def _native_message(message: Message, natives: _Natives) -> ChatMessage:
    content = writable(message.content)
    match message.role:
        case "system":
            return ChatMessageSystem(content=content)
        case "user":
            return ChatMessageUser(content=content)
        case "tool":
            return ChatMessageTool(content=content, tool_call_id=message.tool_call_id, function=message.name)
        case "assistant":
            return _native_assistant(message, natives)


def _native_assistant(message: Message, natives: _Natives) -> ChatMessageAssistant:
    calls = [_native_call(call) for call in message.tool_calls]
    sent = natives.by_call.get(message.tool_calls[0].id) if message.tool_calls else None
    if sent is not None and not isinstance(sent.content, str):
        reasoning = [part for part in sent.content if isinstance(part, ContentReasoning)]
        return sent.model_copy(update={"content": reasoning or message.content, "tool_calls": calls})
    return ChatMessageAssistant(content=message.content, tool_calls=calls or None)


def _native_call(call: ToolCall) -> NativeCall:
    return NativeCall(id=call.id, function=writable(call.name), arguments=object_in(call.arguments) or {})


def _native_tool(tool: ToolSpec) -> ToolInfo:
    return ToolInfo(
        name=tool.name, description=tool.description, parameters=ToolParams.model_validate(dict(tool.parameters))
    )


# --- From theirs to ours --------------------------------------------------------------------------------------------

_UNREADABLE = "Error parsing the following tool call arguments:\n\n"
_DETAILS = "\n\nError details: "


def _own_calls(calls: Sequence[NativeCall], sent: Sent) -> list[ToolCall]:
    """Calls with the arguments as the model wrote them, where those are to be had; else as Inspect read them."""
    own = [_own_call(call) for call in calls]
    if len(sent.arguments) != len(own):
        return own
    return [replace(call, arguments=text) for call, text in zip(own, sent.arguments, strict=True)]


def _own_call(call: NativeCall) -> ToolCall:
    """A call as the model sent it. Of arguments that Inspect could not parse, it keeps the text in its complaint."""
    if call.parse_error is None:
        return ToolCall.of(call.id, call.function, call.arguments)
    text = call.parse_error.removeprefix(_UNREADABLE).rpartition(_DETAILS)[0]
    return ToolCall(call.id, call.function, text or call.parse_error)


def _usage(output: ModelOutput) -> Usage:
    """Inspect counts tokens read from or written to a cache apart; ours are all of them."""
    used = output.usage
    if used is None:
        return Usage()
    read, written = used.input_tokens_cache_read, used.input_tokens_cache_write
    return Usage(used.input_tokens + (read or 0) + (written or 0), used.output_tokens, read, used.reasoning_tokens)


def _stop(output: ModelOutput) -> Literal["stop", "length", "filter", "context"]:
    match output.stop_reason:
        case "max_tokens":
            return "length"
        case "model_length":
            return "context"
        case "content_filter":
            return "filter"
        case _:
            return "stop"


_TOO_LONG = re.compile(
    r"context.{0,20}(length|window|size)|(prompt|input|conversation).{0,30}too long|too many (input )?tokens"
    r"|(prompt|input) (length|token count).{0,60}exceed",
    re.IGNORECASE,
)


def _is_too_long(error: Exception) -> bool:
    """Whether a provider refuses a conversation for its length. Many local servers say so in words only."""
    return getattr(error, "status_code", None) in (400, 413, 422) and _TOO_LONG.search(str(error)) is not None


def _reason(error: BaseException) -> str:
    """Why a provider failed, in one line: the error beneath whatever Inspect wrapped it in."""
    *_, first = _chain(error)
    return one_line(f"{type(first).__name__}: {first}")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error and what it was raised from: Inspect wraps the provider's own."""
    while error is not None:
        yield error
        error = error.__cause__


def one_line(text: str) -> str:
    """A provider's words in one line of bearable length."""
    line = " ".join(text.split())
    return line if len(line) <= 300 else f"{line[:299]}…"

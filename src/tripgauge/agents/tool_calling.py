"""The plain function-calling scaffold that both papers evaluate, around any async model function. (Trip+ A.4)

It sends the conversation with all tools, runs the calls the model makes, appends their answers, and so on until the
model writes text instead. Words beside tool calls are dropped, as the published loop does.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tripgauge.chat import Message, ToolCall, ToolSpec
from tripgauge.conversation import Model, ModelReply, OpenTurn, OwnTool


@dataclass(frozen=True)
class ToolCallingAgent:
    """Answers with what a model says after it has made its tool calls."""

    model: Model

    async def respond(self, turn: OpenTurn) -> str:
        """The model's first text without tool calls."""
        return await tool_calling(self.model, turn)


async def tool_calling(model: Model, turn: OpenTurn, own: OwnTool | None = None) -> str:
    """The model's first text without tool calls; with `own` it may also run programs."""
    messages = list(turn.messages)
    empty = 0
    while True:
        tools = turn.tools
        if not tools:
            return (await turn.ask(model, messages, tools)).text
        if own is not None:
            tools = (*tools, own.spec)
        reply = await turn.ask(model, messages, tools)
        calls = reply.tool_calls or tuple(text_calls(reply.text, turn, tools))
        if calls:
            answers = await turn.answer_with(own, calls) if own is not None else turn.answer(calls)
            made = tuple(result.call for result in answers.results)
            messages.append(Message("assistant", "", made))
            messages += [result.message for result in answers.results]
            messages += [Message("user", note) for note in answers.notes]
        elif not _is_silent(reply) or (empty := empty + 1) >= turn.limits.empty_replies:
            return reply.text


def _is_silent(reply: ModelReply) -> bool:
    return not reply.text.strip() and reply.stop == "stop"


# --- Calls that a model writes as text ------------------------------------------------------------------------------

_MARKED = re.compile(r"<\|tool_call>\s*call:(?P<name>[\w.-]+)\s*(?P<arguments>\{.*?\})\s*<tool_call\|>", re.DOTALL)
_QUOTE = '<|"|>'
_TOKEN = re.compile(r'<\|"\|>(?P<text>.*?)<\|"\|>|(?P<json>"(?:[^"\\]|\\.)*")|(?P<key>[A-Za-z_]\w*)(?=\s*:)', re.DOTALL)
_BEFORE_ARGUMENTS = re.compile(r"[\s:=(]{0,80}(?=\{)")


def text_calls(text: str, turn: OpenTurn, tools: Sequence[ToolSpec] | None = None) -> Iterator[ToolCall]:
    """The tool calls a model wrote into its text, for models and servers without a native form.

    `tools` are those it was shown; without them, the turn's.

    Either between the marks `<|tool_call>` and `<tool_call|>`, or the name of a tool with a JSON object behind it. A
    text that clearly is an answer has none.
    """
    if turn.is_final(text):
        return
    marked = [(match["name"], _plain_json(match["arguments"])) for match in _MARKED.finditer(text)]
    for name, arguments in marked or _named_calls(text, turn.tools if tools is None else tools):
        yield ToolCall(turn.new_id(), name, arguments)


def _plain_json(arguments: str) -> str:
    """Arguments with bare keys and quote marks of their own, as JSON."""

    def plain(match: re.Match[str]) -> str:
        if match["text"] is not None:
            return json.dumps(match["text"], ensure_ascii=False)
        return match["json"] or f'"{match["key"]}"'

    return _TOKEN.sub(plain, arguments)


def _named_calls(text: str, tools: Sequence[ToolSpec]) -> Iterator[tuple[str, str]]:
    if "{" not in text:
        return
    names = "|".join(re.escape(tool.name) for tool in tools)
    position = 0
    for match in re.finditer(rf"(?<!\w)(?:{names})(?!\w)", text):
        opening = _BEFORE_ARGUMENTS.match(text, match.end())
        if match.start() < position or opening is None:
            continue
        end = _end_of_object(text, opening.end())
        if end is not None:
            yield match[0], text[opening.end() : end]
            position = end


def _end_of_object(text: str, start: int) -> int | None:
    """Where the braces that open at `start` are closed again; None if they never are."""
    depth = 0
    for match in re.compile(r'"(?:[^"\\]|\\.)*"|[{}]', re.DOTALL).finditer(text, start):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth == 0 and match[0] == "}":
            return match.end()
    return None

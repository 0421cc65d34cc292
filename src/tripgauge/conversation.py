"""How an agent and a user talk: the one turn loop, its limits, and the transcript it leaves. (Trip+ A.4, agent loop)

An agent gets an `OpenTurn` and answers with a text. Whatever it does on the way, asking a model or calling tools, goes
through the open turn, which keeps the limits and writes down what happened. So every kind of agent, on every engine,
leaves the same records, and no agent reports on itself.
"""

import asyncio
import hashlib
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from typing import Literal, NoReturn, Protocol

from tripgauge.chat import Message, ToolCall, ToolSpec
from tripgauge.tools import Toolbox, ToolResult, compact_json, unique_ids

# --- What is recorded -----------------------------------------------------------------------------------------------


class EndReason(StrEnum):
    """Why a turn ended: the whole list."""

    ANSWERED = "answered"
    """The agent gave its answer."""

    FORCED_ANSWER = "forced_answer"
    """The agent answered after the tools had been taken away at the limit of tool calls."""

    CUT_OFF = "cut_off"
    """The answer stops at the model's output limit; it counts as far as it goes."""

    FILTERED = "filtered"
    """The model's provider withheld the answer for its content; what came of it counts."""

    EMPTY_ANSWER = "empty_answer"
    """There was no text in the answer."""

    MODEL_CALL_LIMIT = "model_call_limit"
    """The agent wanted to ask its model once more than allowed."""

    TOOL_CALL_LIMIT = "tool_call_limit"
    """The agent went on calling tools long after it was told that there are no calls left."""

    ERROR_ROUNDS = "error_rounds"
    """Too many rounds one after the other had a tool call that could not be served."""

    CONTEXT_EXCEEDED = "context_exceeded"
    """The conversation no longer fits into the model."""

    TIME_LIMIT = "time_limit"
    """The task took longer than allowed, waiting for a provider's repeated attempts not counted."""

    ENGINE_LIMIT = "engine_limit"
    """A limit that the operator set on the engine, such as tokens a task, was reached."""

    SKIPPED = "skipped"
    """A turn before failed, and this edition does not go on after that."""

    CALL_TIMEOUT = "call_timeout"
    """A model call brought nothing in the time allowed. Not a result: the task is run again."""

    INFRASTRUCTURE = "infrastructure"
    """The model could not be reached or broke down. Not a result: the task is run again."""

    ERRORED = "errored"
    """The code of the agent or of this program raised an exception. Not a result: the task is run again."""

    @property
    def is_result(self) -> bool:
        """Whether the turn says something about the agent, and so counts."""
        return self not in (EndReason.CALL_TIMEOUT, EndReason.INFRASTRUCTURE, EndReason.ERRORED)


Goodbye = Literal["all_said", "accepted", "turn_limit", "agent_stopped"]
"""Why a user says nothing more: the written lines are over; a recommendation was accepted; enough turns; no answer."""

CallError = Literal["name", "parameter", "content", "repeated", "over_limit", "program"]
"""What was wrong with a tool call: its three faults (COMPASS, tool-call errors), the limits of the turn, or that a
program the agent wrote ended in an error."""

Cost = Decimal | Literal["unknown"]
"""US dollars."""


@dataclass(frozen=True)
class Usage:
    """Tokens of one or more model calls; None where the provider does not tell."""

    input_tokens: int | None = None
    """All of them, those read from a cache included."""

    output_tokens: int | None = None
    """All of them, reasoning included."""

    cached_tokens: int | None = None
    reasoning_tokens: int | None = None

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            _sum(self.input_tokens, other.input_tokens),
            _sum(self.output_tokens, other.output_tokens),
            _sum(self.cached_tokens, other.cached_tokens),
            _sum(self.reasoning_tokens, other.reasoning_tokens),
        )


def _sum(first: int | None, second: int | None) -> int | None:
    return second if first is None else first if second is None else first + second


@dataclass(frozen=True)
class ToolUse:
    """One tool call of a turn and what came of it."""

    round: int
    """Calls made together, such as in one message, are one round; from 1."""

    tool: str
    arguments: str
    """As the agent wrote them."""

    answer: str
    """What the agent read."""

    error: CallError | None = None
    repairs: tuple[str, ...] = ()
    """What was mended without changing the meaning."""

    signature: str | None = None
    """Equal for calls that ask the same; None for one that could not be served."""

    seen: tuple[str, ...] = ()
    """Ids in the answer, as far as the agent had them before it; which ones is for the benchmark to say."""

    in_program: bool = False
    """Whether a program the agent wrote made the call. The run of the program itself stands before its calls."""


@dataclass(frozen=True)
class Rejected:
    """What a simulated user's model said and was not let through."""

    text: str
    faults: tuple[str, ...]


@dataclass(frozen=True)
class UserLog:
    """How an utterance of a simulated user came about. None of it reaches the agent."""

    orders: Mapping[str, object]
    """What the utterance had to say, as the benchmark records it."""

    rejected: tuple[Rejected, ...] = ()
    """Attempts of its model that did not keep to the orders: the simulator's faults, never the agent's."""

    scripted: bool = True
    """Whether the words are the script's; False if they are a model's."""

    model_calls: int = 0
    usage: Usage = Usage()
    cost: Cost = Decimal(0)


@dataclass(frozen=True)
class Said:
    """An utterance with how it came about."""

    text: str
    log: UserLog


@dataclass(frozen=True)
class Turn:
    """One user utterance and everything the agent did about it."""

    utterance: str
    answer: str
    """The agent's last words as they came; "" for none."""

    mode: str
    """What kind of answer the benchmark reads in it; "none" for none."""

    end: EndReason
    detail: str = ""
    """More on the end reason, such as the provider's message."""

    model_calls: int = 0
    usage: Usage = Usage()
    cost: Cost = "unknown"
    tool_uses: tuple[ToolUse, ...] = ()
    first_answer: str = ""
    """What the agent wrote before it was asked once for an answer that can be read; "" if it was not asked."""

    user: UserLog | None = None
    """How the utterance came about; None if it was written beforehand."""

    @property
    def failed(self) -> bool:
        """Whether there is no answer."""
        return self.mode == NO_MODE


NO_MODE = "none"


@dataclass(frozen=True)
class Transcript:
    """The turns of one conversation."""

    task: str
    trial: int
    """From 0."""

    turns: tuple[Turn, ...]
    goodbye: Goodbye | None
    """Why it ended; None if it broke off."""

    @property
    def is_result(self) -> bool:
        """Whether the conversation counts; otherwise it is to be run again."""
        return self.goodbye is not None and all(turn.end.is_result for turn in self.turns)


@dataclass(frozen=True)
class Held:
    """A conversation that was held, and what of it depends on the clock."""

    transcript: Transcript
    seconds: tuple[float, ...]
    """Of each turn."""


# --- The parties ----------------------------------------------------------------------------------------------------


class Agent(Protocol):
    """What is measured. One object lives for one conversation."""

    async def respond(self, turn: "OpenTurn") -> str:
        """The answer to the turn's utterance."""
        ...


class User(Protocol):
    """Who the agent talks with."""

    async def say(self, turns: Sequence[Turn]) -> "str | Said | End":
        """The next utterance after these turns, or the end."""
        ...


@dataclass(frozen=True)
class End:
    """The user's last word."""

    goodbye: Goodbye


@dataclass(frozen=True)
class ScriptedUser:
    """Says the written lines, whatever the answers."""

    lines: tuple[str, ...]

    async def say(self, turns: Sequence[Turn]) -> str | End:
        """The line of this turn."""
        return self.lines[len(turns)] if len(turns) < len(self.lines) else End("all_said")


@dataclass(frozen=True)
class ModelReply:
    """What a model answered to one call."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    stop: Literal["stop", "length", "filter", "context"] = "stop"
    """Why it stopped: by itself, at its output limit, withheld for its content, or the conversation does not fit."""

    usage: Usage = Usage()
    cost: Cost = "unknown"
    waited: float = 0
    """Seconds spent on failed attempts and on waiting between them."""


class Model(Protocol):
    """A language model: any async function with these parameters.

    Raises InfrastructureError if it cannot answer, EngineLimitError if it may not any more.
    """

    async def __call__(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelReply:
        """The model's next message."""
        ...


class EngineLimitError(Exception):
    """A limit that the operator set on the engine beneath a model was reached."""


class InfrastructureError(Exception):
    """A model or service could not be reached, refused to serve, or broke down: nothing the agent did."""


# --- What is to be talked about -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Limits:
    """How far an agent may go. The first is the paper's, the next four are the published code's. (Trip+ A.4)"""

    model_calls: int = 100
    """A turn."""

    tool_calls: int = 64
    """A turn; after that the tools are taken away and an answer is due."""

    tool_call_warning: int = 45
    """From this many tool calls on the agent is told once to come to an end."""

    program_calls: int = 5000
    """A turn, made by programs that the agent writes, beside its own tool calls. Ours. (COMPASS, agents with code)"""

    repeats: int | None = 3
    """This repetition of one call within a turn is refused; those before are answered with a note. None: every call
    is answered, as it must be where a tool remembers things."""

    error_rounds: int = 5
    """Rounds in a row with a call that could not be served."""

    empty_replies: int = 3
    """A model that says nothing is asked this many times."""

    seconds_per_call: float = 1200
    """Of one model call with all its repeated attempts."""

    seconds_per_task: float = 4 * 3600


@dataclass(frozen=True)
class Reading:
    """What a benchmark reads in an answer."""

    mode: str
    """"none" if there is no answer."""

    report: str
    """The answer as later turns are to remember it."""


@dataclass(frozen=True)
class Dialogue:
    """A conversation to be held: everything of the task that the agent may meet, and the user."""

    task: str
    instructions: str
    """The system prompt."""

    user: User
    toolbox: Toolbox
    read: Callable[[str], Reading]
    brief: Callable[[Sequence[str]], object] = lambda said: None
    """The visible part of the task as a record, given the utterances so far: for agents without a model."""

    is_final: Callable[[str], bool] = lambda text: False
    """Whether a text is so clearly an answer that nothing in it may be taken for a tool call."""

    answer_forms: tuple[str, ...] = ()
    """Names of kinds of answer that models mistake for tools."""

    failure_report: str = "(no answer)"
    """What later turns remember of a turn without an answer."""

    skips_after_failure: bool = False
    """Whether the turns after a failed one are skipped, as in published Trip+ code."""

    complaint: Callable[[str], str] = lambda text: ""
    """What to tell an agent whose answer cannot be read, once a turn; "" if it can."""

    seen: Callable[[ToolResult, bool], tuple[str, ...]] = lambda result, whole: ()
    """The ids to remember of an answer: of the whole of it, as programs get it, or of the text a model reads."""

    error_rounds_answer: str = ""
    """What counts as the answer of a turn that ended in `error_rounds`: published Trip+ code has a text there."""


# --- A turn in progress ---------------------------------------------------------------------------------------------


class TurnOver(Exception):
    """The turn has ended. Raised inside the agent, which need not catch it: the turn is over in any case."""

    def __init__(self, end: EndReason, detail: str = "") -> None:
        super().__init__(end.value)
        self.end = end
        self.detail = detail


class CallsSpent(Exception):
    """There are no tool calls left for a program the agent wrote: it is to be stopped."""


class OwnTool(Protocol):
    """A tool that an agent brings along to run programs, which may call the tools of the benchmark."""

    @property
    def spec(self) -> ToolSpec:
        """The tool as shown to a model."""
        ...

    async def run(self, call: ToolCall, ask: Callable[[ToolCall], ToolResult]) -> ToolResult:
        """What came of a program; a content fault if it ended in an error.

        `ask` answers the calls the program makes. It raises CallsSpent, after which the program must end, and
        TurnOver, which must pass through.
        """
        ...


@dataclass(frozen=True)
class Answers:
    """The answers to the calls of one round."""

    results: tuple[ToolResult, ...]
    notes: tuple[str, ...] = ()
    """What the agent is to be told besides, as a user's message each."""


MOST_REFUSED = 1000
"""Tool calls beyond the limit that are answered with a refusal, in one turn: an agent that goes on is in a loop."""


class OpenTurn:
    """The turn an agent is to answer: what has been said, the tools, and the way to a model."""

    def __init__(
        self,
        dialogue: Dialogue,
        turns: Sequence[Turn],
        utterance: str,
        limits: Limits,
        *,
        seed: int = 0,
        waiting: Callable[[float], None] = lambda seconds: None,
    ) -> None:
        self.task = dialogue.task
        self.number = len(turns)
        """From 0."""
        self.utterance = utterance
        self.messages = _history(dialogue, turns, utterance)
        """The instructions, earlier utterances with the answers they got, and the utterance."""
        self.brief = dialogue.brief([*(turn.utterance for turn in turns), utterance])
        """The visible part of the task."""
        self.limits = limits
        self.seed = seed
        """For an agent's own chances: the same for the same run, task, trial and turn."""
        self._dialogue = dialogue
        self._specs = dialogue.toolbox.specs
        self._waiting = waiting
        self._meter = _Meter()
        self._first_answer = ""

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        """The tools on offer; none once too many calls were made."""
        return () if self._meter.tools_withdrawn else self._specs

    def tool_name(self, name: str) -> str | None:
        """The tool's own name, if there is such a tool."""
        tool = self._dialogue.toolbox.tool(name)
        return tool.name if tool else None

    def is_final(self, text: str) -> bool:
        """Whether a text is so clearly an answer that nothing in it may be taken for a tool call."""
        return self._dialogue.is_final(text)

    async def ask(self, model: Model, messages: Sequence[Message], tools: Sequence[ToolSpec] = ()) -> ModelReply:
        """One call of a model, counted and timed.

        Raises TurnOver at the limit of calls or time, when the model cannot be reached, and when the conversation
        does not fit into it.
        """
        meter = self._meter
        meter.still_open()
        if meter.model_calls >= self.limits.model_calls:
            meter.close(EndReason.MODEL_CALL_LIMIT)
        meter.model_calls += 1
        try:
            async with asyncio.timeout(self.limits.seconds_per_call) as patience:
                reply = await model(messages, tools)
        except TimeoutError:
            if not patience.expired():
                raise
            meter.close(EndReason.CALL_TIMEOUT, f"no reply in {self.limits.seconds_per_call:g} s")
        except InfrastructureError as error:
            meter.close(EndReason.INFRASTRUCTURE, str(error))
        except EngineLimitError as error:
            meter.close(EndReason.ENGINE_LIMIT, str(error))
        self._waiting(reply.waited)
        self.note(reply.usage, reply.cost)
        meter.last_stop = reply.stop
        if reply.stop == "context":
            meter.close(EndReason.CONTEXT_EXCEEDED)
        return reply

    def note(self, usage: Usage, cost: Cost) -> None:
        """Adds tokens and dollars: of a model asked in another way, or nothing for an agent that has none."""
        meter = self._meter
        meter.usage = meter.usage + usage
        meter.cost = _add(meter.cost, cost)

    def answer(self, calls: Sequence[ToolCall]) -> Answers:
        """The answers to the tool calls of one round, each exactly once and in order, as far as the limits allow.

        Put the results' calls into the assistant's message. Raises TurnOver after too many rounds with errors, and
        when calls do not stop although there are none left.
        """
        self._begin_round()
        pairs = zip(calls, unique_ids(calls), strict=True)
        return self._end_round([self._answered(sent, call) for sent, call in pairs])

    async def answer_with(self, own: OwnTool, calls: Sequence[ToolCall]) -> Answers:
        """As `answer`, for an agent that brings a tool along: programs run in their place among the calls.

        What a program calls is recorded and counted one by one, after the program itself; it counts towards
        `program_calls`, not towards `tool_calls` or the rounds with errors.
        """
        self._begin_round()
        results = []
        for sent, call in zip(calls, unique_ids(calls), strict=True):
            is_own = call.name == own.spec.name
            results.append(await self._program_run(own, sent, call) if is_own else self._answered(sent, call))
        return self._end_round(results)

    def call(self, name: str, arguments: Mapping[str, object]) -> ToolResult:
        """The answer to a single call by an agent without a model. A repeated one still has its `value`."""
        self._begin_round()
        call = ToolCall.of(self.new_id(), name, arguments)
        return self._end_round([self._answered(call, call, whole=True)]).results[0]

    def _begin_round(self) -> None:
        self._meter.still_open()
        self._meter.rounds += 1

    def _end_round(self, results: Sequence[ToolResult]) -> Answers:
        meter = self._meter
        self._count_error_rounds()
        if meter.counted > self.limits.tool_calls + MOST_REFUSED:
            meter.close(EndReason.TOOL_CALL_LIMIT)
        return Answers(tuple(results), tuple(self._notes()))

    def _answered(self, sent: ToolCall, call: ToolCall, *, whole: bool = False) -> ToolResult:
        result, error = self._answer_one(call)
        if call.id != sent.id:
            result = replace(result, repairs=("call id", *result.repairs))
        self._meter.uses.append(self._use(sent, result, error, whole=whole))
        return result

    def _use(self, sent: ToolCall, result: ToolResult, error: CallError | None, *, whole: bool = False) -> ToolUse:
        return ToolUse(
            round=self._meter.rounds,
            tool=writable(result.tool),
            arguments=writable(sent.arguments),
            answer=writable(result.text),
            error=error,
            repairs=result.repairs,
            signature=result.signature,
            seen=() if error == "over_limit" else self._dialogue.seen(result, whole),
        )

    async def _program_run(self, own: OwnTool, sent: ToolCall, call: ToolCall) -> ToolResult:
        uses = self._meter.uses
        place = len(uses)
        # This is what stands in the transcript if the turn ends while the program runs.
        uses.append(ToolUse(self._meter.rounds, writable(call.name), writable(sent.arguments), "", "program"))
        result = await own.run(call, self._answer_program)
        if call.id != sent.id:
            result = replace(result, repairs=("call id", *result.repairs))
        kind = result.fault.kind if result.fault else None
        uses[place] = replace(
            uses[place],
            answer=writable(result.text),
            error="program" if kind == "content" else kind,
            repairs=result.repairs,
        )
        return result

    def _answer_program(self, call: ToolCall) -> ToolResult:
        """The answer to one call of a program, which gets the `value` or the fault, of a repeated call too."""
        meter, most = self._meter, self.limits.program_calls
        meter.still_open()
        meter.program_calls += 1
        error: CallError | None
        if meter.program_calls > most:
            result, error = _refused(call, f"There are no tool calls left: {most} were made."), "over_limit"
        else:
            result = self._served(call)
            error = result.fault.kind if result.fault else None
        if result.signature is not None and self.limits.repeats is not None:
            meter.made_by_programs[result.signature] += 1
            if meter.made_by_programs[result.signature] > 1:
                result = replace(result, text=compact_json({"duplicate": True, "tool": result.tool}))
                error = "repeated"
        meter.uses.append(replace(self._use(call, result, error, whole=True), in_program=True))
        if error == "over_limit":
            raise CallsSpent(f"there are no tool calls left, {most} were made")
        return result

    def new_id(self) -> str:
        """An id for a call that comes without one."""
        self._meter.ids += 1
        return f"call_{self._meter.ids}"

    def _answer_one(self, call: ToolCall) -> tuple[ToolResult, CallError | None]:
        meter, limits = self._meter, self.limits
        if self._dialogue.toolbox.tool(call.name) is None:
            return self._hinted(self._served(call)), "name"
        meter.counted += 1
        if meter.counted > limits.tool_calls:
            return _refused(call, f"There are no tool calls left: {limits.tool_calls} were made."), "over_limit"
        result = self._served(call)
        key = result.signature or f"{result.tool} {result.call.arguments}"
        meter.made[key] += 1
        if limits.repeats is not None and meter.made[key] > 1:
            if meter.made[key] > limits.repeats:
                meter.refused_repeat = True
                refusal = _refused(call, f"{result.tool} was called with the same arguments before: use that answer.")
                return replace(refusal, answer=result.answer, signature=result.signature), "repeated"
            text = compact_json({"duplicate": True, "tool": result.tool})
            return replace(result, text=text, fault=None), "repeated"
        return result, result.fault.kind if result.fault else None

    def _served(self, call: ToolCall) -> ToolResult:
        try:
            return self._dialogue.toolbox.answer_one(call)
        except Exception as error:  # noqa: BLE001  (an exception of ours inside an agent of theirs: keep whose it is)
            self._meter.close(EndReason.ERRORED, _where(error))

    def _hinted(self, result: ToolResult) -> ToolResult:
        """A fault of the name, with a hint where an answer was mistaken for a tool."""
        fault = result.fault
        if fault is None or result.call.name.lower() not in self._dialogue.answer_forms:
            return result
        hint = f"{result.call.name.lower()} is a kind of answer, not a tool: write the answer as text, in its tags."
        fault = replace(fault, message=hint)
        return replace(result, text=fault.text, fault=fault)

    def _count_error_rounds(self) -> None:
        meter = self._meter
        latest = {use.error for use in meter.uses if use.round == meter.rounds and not use.in_program}
        meter.error_rounds = meter.error_rounds + 1 if {"parameter", "content", "program"} & latest else 0
        if meter.error_rounds >= self.limits.error_rounds:
            meter.close(EndReason.ERROR_ROUNDS)

    def _notes(self) -> Sequence[str]:
        meter, limits = self._meter, self.limits
        notes = []
        if meter.counted >= limits.tool_call_warning and not meter.warned:
            meter.warned = True
            notes.append(
                f"You have made {meter.counted} tool calls, and {limits.tool_calls} are allowed."
                " Search no further than you must, and write the final answer soon."
            )
        if meter.refused_repeat:
            meter.refused_repeat = False
            notes.append("Do not repeat calls: their answers are above. Use them, or ask something new.")
        if meter.counted > limits.tool_calls and not meter.tools_withdrawn:
            meter.tools_withdrawn = True
            notes.append("No more tool calls are possible. Write the final answer now, from what you know.")
        return notes

    def asks_again(self, answer: str) -> bool:
        """Whether the answer cannot be read and the agent is to be asked once more: then it is in `messages`."""
        complaint = self._dialogue.complaint(answer) if answer.strip() and self._meter.over is None else ""
        if not complaint:
            return False
        self._first_answer = answer
        self.messages = (*self.messages, Message("assistant", answer), Message("user", complaint))
        return True

    def closed(self, answer: str) -> Turn:
        """The record of this turn, given what the agent returned."""
        meter = self._meter
        over = meter.over
        if over is not None:
            answer = self._dialogue.error_rounds_answer if over.end is EndReason.ERROR_ROUNDS else ""
        reading = self._dialogue.read(answer)
        end, detail = (over.end, over.detail) if over is not None else (self._end_of(reading), "")
        return Turn(
            utterance=self.utterance,
            answer=writable(answer),
            mode=reading.mode,
            end=end,
            detail=_one_line(detail),
            model_calls=meter.model_calls,
            usage=meter.usage,
            cost="unknown" if meter.cost is None else meter.cost,
            tool_uses=tuple(meter.uses),
            first_answer=writable(self._first_answer),
        )

    def _end_of(self, reading: Reading) -> EndReason:
        if self._meter.last_stop == "length":
            return EndReason.CUT_OFF
        if self._meter.last_stop == "filter":
            return EndReason.FILTERED
        if reading.mode == NO_MODE:
            return EndReason.EMPTY_ANSWER
        return EndReason.FORCED_ANSWER if self._meter.tools_withdrawn else EndReason.ANSWERED

    def close(self, end: EndReason, detail: str = "") -> None:
        """Ends the turn from outside; the first end counts."""
        if self._meter.over is None:
            self._meter.over = TurnOver(end, detail)


@dataclass
class _Meter:
    """What has been used up in a turn."""

    model_calls: int = 0
    usage: Usage = Usage()
    cost: Cost | None = None
    """None while nothing is noted."""

    ids: int = 0
    rounds: int = 0
    counted: int = 0
    """Calls of tools there are."""

    program_calls: int = 0
    error_rounds: int = 0
    made: Counter[str] = field(default_factory=Counter)
    made_by_programs: Counter[str] = field(default_factory=Counter)
    uses: list[ToolUse] = field(default_factory=list)
    warned: bool = False
    refused_repeat: bool = False
    tools_withdrawn: bool = False
    last_stop: str = "stop"
    over: TurnOver | None = None

    def close(self, end: EndReason, detail: str = "") -> NoReturn:
        self.over = TurnOver(end, detail)
        raise self.over

    def still_open(self) -> None:
        """An agent that has caught the end of its turn gets it again."""
        if self.over is not None:
            raise self.over


def _add(first: Cost | None, second: Cost) -> Cost:
    if first is None:
        return second
    return "unknown" if first == "unknown" or second == "unknown" else first + second


def _refused(call: ToolCall, message: str) -> ToolResult:
    return ToolResult(call, call.name, compact_json({"error": {"type": "refused", "message": message}}))


def _history(dialogue: Dialogue, turns: Sequence[Turn], utterance: str) -> tuple[Message, ...]:
    """Earlier turns are remembered by what was said, not by how the agent got there."""
    messages = [Message("system", dialogue.instructions)]
    for turn in turns:
        report = dialogue.failure_report if turn.failed else dialogue.read(turn.answer).report
        messages += [Message("user", turn.utterance), Message("assistant", report)]
    return (*messages, Message("user", utterance))


def writable(text: str) -> str:
    """The text with halves of surrogate pairs, which no file could hold, replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _one_line(text: str) -> str:
    return writable(" ".join(text.split()))


def _where(error: BaseException) -> str:
    """An exception in one line, with the place it came from."""
    frames = traceback.extract_tb(error.__traceback__)
    place = (
        f" ({frames[-1].name} in {frames[-1].filename.rsplit('/', 1)[-1]}, line {frames[-1].lineno})" if frames else ""
    )
    return f"{type(error).__name__}: {error}{place}"


# --- The loop -------------------------------------------------------------------------------------------------------


async def converse(
    agent: Agent,
    dialogue: Dialogue,
    limits: Limits,
    *,
    trial: int = 0,
    seed: int = 0,
    on_turn: Callable[[Turn], None] = lambda turn: None,
) -> Held:
    """The conversation of an agent with the dialogue's user, to its end; `on_turn` is told of each turn as it ends.

    It breaks off, without a goodbye, at the first turn that is no result: that task is to be run again.
    """
    turns: list[Turn] = []
    seconds: list[float] = []
    clock = _TaskClock(limits.seconds_per_task)
    while True:
        asked = time.perf_counter()
        try:
            said = await dialogue.user.say(turns)
        except InfrastructureError as error:
            broken = Turn("", "", NO_MODE, EndReason.INFRASTRUCTURE, _one_line(f"the user: {error}"))
            return _held(dialogue, trial, [*turns, broken], [*seconds, 0], None)
        if isinstance(said, End):
            return _held(dialogue, trial, turns, seconds, said.goodbye)
        said, log = (said.text, said.log) if isinstance(said, Said) else (said, None)
        started = time.perf_counter()
        clock.pause(started - asked)
        if dialogue.skips_after_failure and any(turn.failed for turn in turns):
            turns.append(Turn(said, "", NO_MODE, EndReason.SKIPPED, cost=Decimal(0)))
        else:
            waiting = clock.extend
            own_seed = derived_seed(seed, dialogue.task, trial, len(turns))
            open_turn = OpenTurn(dialogue, turns, said, limits, seed=own_seed, waiting=waiting)
            turns.append(replace(await _turn(agent, open_turn, clock), user=log))
        seconds.append(time.perf_counter() - started)
        on_turn(turns[-1])
        if not turns[-1].end.is_result:
            return _held(dialogue, trial, turns, seconds, None)


def _held(
    dialogue: Dialogue, trial: int, turns: Sequence[Turn], seconds: Sequence[float], goodbye: Goodbye | None
) -> Held:
    return Held(Transcript(dialogue.task, trial, tuple(turns), goodbye), tuple(seconds))


async def _turn(agent: Agent, turn: OpenTurn, clock: "_TaskClock") -> Turn:
    answer = ""
    try:
        async with clock.running() as patience:
            answer = await agent.respond(turn)
            if isinstance(answer, str) and turn.asks_again(answer):
                answer = await agent.respond(turn) or answer
    except TurnOver as over:
        turn.close(over.end, over.detail)
    except InfrastructureError as error:
        turn.close(EndReason.INFRASTRUCTURE, str(error))
    except (Exception, asyncio.CancelledError, SystemExit) as error:  # the agent's code: its exceptions are data
        if isinstance(error, asyncio.CancelledError) and _is_cancelled():
            raise
        if isinstance(error, TimeoutError) and patience.expired():
            turn.close(EndReason.TIME_LIMIT, f"{clock.seconds:g} s for the whole task")
        else:
            turn.close(EndReason.ERRORED, _where(error))
    else:
        if not isinstance(answer, str):
            turn.close(EndReason.ERRORED, f"respond() returned {type(answer).__name__}, not a text")
            answer = ""
    return turn.closed(answer)


def _is_cancelled() -> bool:
    """Whether somebody wants the conversation to stop, rather than the agent having raised the exception itself."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


class _TaskClock:
    """How long a task has run, over all its turns."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._deadline = asyncio.get_running_loop().time() + seconds
        self._timeout: asyncio.Timeout | None = None

    def running(self) -> asyncio.Timeout:
        """A block that ends with TimeoutError when the time is up."""
        self._timeout = asyncio.timeout_at(self._deadline)
        return self._timeout

    def pause(self, seconds: float) -> None:
        """Gives back time that passed between turns."""
        self._deadline += seconds

    def extend(self, seconds: float) -> None:
        """Gives back time that was spent on waiting for a provider, during a turn."""
        self._deadline += seconds
        if seconds and self._timeout is not None and not self._timeout.expired():
            self._timeout.reschedule(self._deadline)


def derived_seed(*parts: object) -> int:
    """A seed that depends on all the parts and on nothing else, below 2**31."""
    digest = hashlib.sha256("\n".join(map(str, parts)).encode("utf-8")).digest()
    return int.from_bytes(digest[:4], "big") >> 1

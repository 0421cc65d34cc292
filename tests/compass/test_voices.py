"""The words of the simulated user: the script, a model over HTTP, and what is let through."""

import asyncio
import json
import threading
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from tests.compass.talking import ELK_LODGE, PINE_INN, QUIET, reply, talk, toy_compass, toy_task

from tripgauge.chat import Message, ToolSpec
from tripgauge.codec import decode
from tripgauge.compass.agents import CheapestSeen
from tripgauge.compass.benchmark import LIMITS, Compass
from tripgauge.compass.constraints import Constraint
from tripgauge.compass.defaults import default_catalogue, default_tasks
from tripgauge.compass.index import Index
from tripgauge.compass.objectives import FeatureCount
from tripgauge.compass.orders import Assignment, Complaint, Exchange, Orders
from tripgauge.compass.personas import STYLES, Trust
from tripgauge.compass.utterance_check import Fault, slips
from tripgauge.compass.voices import ATTEMPTS, ModelVoice, ScriptedVoice, order_lines, prompt, scripted_text
from tripgauge.conversation import InfrastructureError, ModelReply, Said, Usage, converse, derived_seed

POOL = Constraint("has_pool", True)
BREAKFAST = Constraint("breakfast_included", True)
KNOWN = {
    "c1": Constraint("location", ("Toy",)),
    "c3": Constraint("dates", ((10, 12), (20, 22))),
    "c4": Constraint("guests", 2),
    "c5": Constraint("budget", 100_000),
    "c6": POOL,
    "c7": Constraint("min_review_score", 75),
}


def assignment(*, told: Sequence[str] = ("c1", "c3", "c4", "c5"), more: bool = True, **orders: object) -> Assignment:
    """Turn 3 of a conversation in which park and budget are known."""
    found = Orders(turn=3, persona=QUIET.number, probability=0.9, told=tuple(told), **orders)  # type: ignore[arg-type]
    known = {id_: KNOWN[id_] for id_ in (*found.told, *found.tell)}
    objective = FeatureCount((Constraint("has_spa", True),))
    history = (Exchange("Hello.", "Do you like the $240 lodge?"),)
    return Assignment(found, QUIET, 1, "Ana likes it quiet.", objective, known, history, more, 0)


def faults(text: str, given: Assignment) -> set[Fault]:
    return {slip.fault for slip in slips(text, given)}


# --- What is let through


TELL_POOL = assignment(tell=("c6",))
TELL_SCORE = assignment(tell=("c7",))
NOTHING = assignment()
COMPLAIN = assignment(told=("c1", "c5", "c6"), complaints=(Complaint("c6", "that is not so"),))
CORRECT = replace(COMPLAIN, orders=replace(COMPLAIN.orders, ask_correction=True))


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("The hotel must have a pool.", TELL_POOL),
        ("We need somewhere we can swim, that is a must!", TELL_POOL),
        ("It has to be rated 7.5 or better.", TELL_SCORE),
        ("Reviews of at least 7.5 out of ten, please.", TELL_SCORE),
        ("Please go on, I am curious.", NOTHING),
        ("Stay within $1,000 altogether, and go on. The $240 one sounds dear.", NOTHING),
        ("A spa would make us happy, as I said. Go on.", NOTHING),
        ("That does not fit: we need a pool, and there is none.", COMPLAIN),
        ("Please send your formal recommendation.", assignment(ask_recommendation=True)),
        ("Could you double-check all of it?", assignment(ask_check=True)),
        ("Two nights for the two of us, as I said. Go on.", NOTHING),
        ("Again: Toy, for $1000 at most. Please verify.", assignment(told=("c1", "c5"), ask_check=True, restate=True)),
    ],
)  # fmt: skip
def test_words_that_keep_to_the_orders_pass(text: str, given: Assignment) -> None:
    assert slips(text, given) == ()


@pytest.mark.parametrize(
    ("text", "given", "fault"),
    [
        ("", NOTHING, Fault.EMPTY),
        ("  \n", NOTHING, Fault.EMPTY),
        ("The hotel must have a pool and free parking.", TELL_POOL, Fault.INVENTED),
        ("Go on. By the way, breakfast has to be included.", NOTHING, Fault.INVENTED),
        ("We can spend $1,200 altogether.", NOTHING, Fault.INVENTED),
        ("By the way, there are three of us.", NOTHING, Fault.INVENTED),
        ("A room for 4 adults, as I said.", NOTHING, Fault.INVENTED),
        ("We stay five nights.", NOTHING, Fault.INVENTED),
        ("Or perhaps we rather go to Yosemite.", NOTHING, Fault.INVENTED),
        ("It has to be 8.5 out of 10.", TELL_SCORE, Fault.NOT_REVEALED),
        ("Please go on.", TELL_POOL, Fault.NOT_REVEALED),
        ("A pool would be nice if possible.", TELL_POOL, Fault.UNCLEAR),
        ("Ideally the hotel has a pool.", TELL_POOL, Fault.UNCLEAR),
        ("That does not meet my requirements at all.", NOTHING, Fault.WRONG_CHECK),
        ("Thank you, go on.", COMPLAIN, Fault.WRONG_CHECK),
        ("Please verify all of it.", assignment(ask_check=True, restate=True), Fault.NOT_REPEATED),
        ("Well, tell me more.", assignment(ask_recommendation=True), Fault.NOT_ASKED),
        ("That does not fit, we need a pool.", CORRECT, Fault.NOT_ASKED),
        ("We must have a pool. Nothing else matters, that is all.", TELL_POOL, Fault.DENIED),
        ("I have no further requirements.", NOTHING, Fault.DENIED),
        ("We don't really need a pool any more.", assignment(told=("c1", "c5", "c6")), Fault.DENIED),
        ("Perfect, I'll take it. Goodbye!", NOTHING, Fault.ENDED),
        ("###STOP###", NOTHING, Fault.ENDED),
    ],
)  # fmt: skip
def test_words_that_do_not_are_caught(text: str, given: Assignment, fault: Fault) -> None:
    assert fault in faults(text, given)


def test_when_everything_is_told_one_may_say_so() -> None:
    assert slips("That is all. Please go on.", assignment(more=False)) == ()


# --- The script


def test_the_script_keeps_to_its_orders() -> None:
    """Errors 1 to 5 of the human evaluation, checked mechanically, over every twentieth task."""
    assert _slips_of_the_script(every=20) == []


@pytest.mark.slow
def test_the_script_keeps_to_its_orders_in_every_conversation_about_every_task() -> None:
    assert _slips_of_the_script(every=1) == []


def _slips_of_the_script(every: int) -> list[tuple[str, object]]:
    found = []

    class Watched(ScriptedVoice):
        async def say(self, assignment: Assignment) -> Said:
            said = await super().say(assignment)
            found.append((assignment, said.text))
            return said

    compass = Compass(Index(default_catalogue()), default_tasks(), Watched())
    for place, task in enumerate(compass.task_ids[::every]):
        agent = _Nosy() if place % 2 else _Nosy(proposes="pkg_1_5_8_1")
        dialogue = compass.dialogue(task, derived_seed(place, task))
        asyncio.run(converse(agent, dialogue, LIMITS))
    assert len(found) > 2000 / every
    return [(text, slips(text, given)) for given, text in found if slips(text, given)]


class _Nosy:
    """Asks about everything and proposes what will not do."""

    def __init__(self, proposes: str | None = None) -> None:
        self._proposes = proposes

    async def respond(self, turn: object) -> str:
        ids = (self._proposes, "flight_1_5_8", "permit_1_6_1") if self._proposes else ()
        return reply(*ids, message="Do you need parking, a direct flight, breakfast or a permit on a Monday?")


@pytest.mark.parametrize("style", STYLES)
def test_every_style_says_the_same_in_words_of_its_own(style: int) -> None:
    texts = {
        scripted_text(replace(TELL_POOL, persona=replace(QUIET, style=style), wording_seed=seed))  # type: ignore[arg-type]
        for seed in range(40)
    }

    assert len(texts) > 10
    assert all("a pool" in text for text in texts)


def test_no_two_styles_share_a_line() -> None:
    lines = [scripted_text(replace(TELL_POOL, persona=replace(QUIET, style=style))) for style in STYLES]

    assert len(set(lines)) == 9


# --- A model over HTTP


def bad_and_good(kind: str) -> Callable[[str], str]:
    """A simulator that answers badly in one way, given its prompt."""
    return {
        "reveals too much": lambda orders: f"{orders} And the hotel has free parking and breakfast.",
        "invents": lambda orders: f"{orders} We can pay $9,999 altogether, and our dog comes along.",
        "denies": lambda orders: f"{orders} That is all, no further requirements.",
        "empty": lambda orders: "",
        "ends early": lambda orders: f"{orders} I'll take it, goodbye!",
        "keeps silent": lambda orders: "Please go on.",
        "sounds optional": lambda orders: "Perhaps a pool, it would be nice to have. " + orders,
        "good": lambda orders: orders,
    }[kind]


class _Stub(ThreadingHTTPServer):
    """A chat endpoint whose model repeats its orders, and before that so many bad answers of a kind."""

    def __init__(self, kind: str, bad: int) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.kind = kind
        self.bad = bad
        self.requests: list[list[dict[str, str]]] = []


class _Handler(BaseHTTPRequestHandler):
    server: _Stub

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        messages = body["messages"]
        self.server.requests.append(messages)
        retries = sum(message["content"].startswith("That message cannot be sent") for message in messages)
        kind = self.server.kind if retries < self.server.bad else "good"
        text = bad_and_good(kind)(_orders_in(messages[0]["content"]))
        answer = {
            "choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 20},
        }
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        pass


def _orders_in(system: str) -> str:
    """The lines of the prompt that say what to say: repeating them carries the orders out."""
    section = system.split("# What this message has to say")[1].split("# Rules")[0]
    return " ".join(line.removeprefix("- ") for line in section.strip().splitlines())


@contextmanager
def stub(kind: str, bad: int) -> Iterator[_Stub]:
    with _Stub(kind, bad) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def model_at(server: _Stub) -> Callable[..., object]:
    """An async model function that asks the endpoint."""

    def post(messages: Sequence[Message]) -> ModelReply:
        body = {"messages": [{"role": message.role, "content": message.content} for message in messages]}
        request = urllib.request.Request(
            f"http://127.0.0.1:{server.server_port}/v1/chat/completions",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=10) as response:
            answer = json.load(response)
        usage = answer["usage"]
        text = answer["choices"][0]["message"]["content"]
        return ModelReply(text, usage=Usage(usage["prompt_tokens"], usage["completion_tokens"]))

    async def model(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelReply:
        return await asyncio.to_thread(post, messages)

    return model


BAD = {
    "reveals too much": "invented",
    "invents": "invented",
    "denies": "denied",
    "empty": "empty",
    "ends early": "ended",
    "keeps silent": "not_revealed",
    "sounds optional": "unclear",
}


@pytest.mark.parametrize("kind", BAD)
def test_a_simulator_that_never_keeps_to_its_orders_is_caught_and_the_script_speaks(kind: str) -> None:
    """R17 and R23."""
    with stub(kind, bad=99) as server:
        voice = ModelVoice(model_at(server), "stub")  # type: ignore[arg-type]
        transcript = talk(toy_compass(toy_task(1, POOL, BREAKFAST), voice=voice), reply(ELK_LODGE))
        scripted = talk(toy_compass(toy_task(1, POOL, BREAKFAST)), reply(ELK_LODGE))

    told = [turn for turn in transcript.turns if turn.user and "c6" in turn.user.orders["tell"]]  # type: ignore[operator]
    (turn,) = told
    assert turn.user is not None
    assert turn.user.scripted
    assert len(turn.user.rejected) == ATTEMPTS
    assert all(any(fault.startswith(BAD[kind]) for fault in rejected.faults) for rejected in turn.user.rejected)
    assert turn.utterance in [turn.utterance for turn in scripted.turns]
    assert transcript.goodbye == scripted.goodbye == "accepted"


@pytest.mark.parametrize("kind", BAD)
def test_a_simulator_that_mends_its_words_is_heard_and_its_slips_are_kept_apart_from_the_agent(kind: str) -> None:
    """R22."""
    with stub(kind, bad=1) as server:
        voice = ModelVoice(model_at(server), "stub")  # type: ignore[arg-type]
        compass = toy_compass(toy_task(1, POOL, BREAKFAST), voice=voice)
        transcript = talk(compass, reply(ELK_LODGE))

    (turn,) = [turn for turn in transcript.turns if turn.user and "c6" in turn.user.orders["tell"]]  # type: ignore[operator]
    assert turn.user is not None
    assert not turn.user.scripted
    assert len(turn.user.rejected) == 1
    assert turn.user.usage == Usage(200, 40)
    measured = compass.measure(transcript)
    assert measured.simulator.rejected >= 1
    assert measured.simulator.fallbacks == 0
    assert BAD[kind] in measured.simulator.kinds
    assert (measured.score.is_feasible, measured.unreadable, measured.repaired) == (True, 0, 0)
    assert compass.grade(transcript).numbers["or_5"] == 1


def test_no_request_to_the_simulator_holds_what_is_still_to_be_told() -> None:
    with stub("reveals too much", bad=1) as server:
        voice = ModelVoice(model_at(server), "stub")  # type: ignore[arg-type]
        task = toy_task(1, Constraint("has_balcony", True), POOL)
        compass = toy_compass(task, voice=voice)
        transcript = talk(compass, reply(ELK_LODGE))
        requests = list(server.requests)

    told_at = next(turn for turn in transcript.turns if turn.user and "c7" in turn.user.orders["tell"])  # type: ignore[operator]
    place = next(number for number, messages in enumerate(requests) if "a pool" in str(messages))
    assert place > 0
    assert all("pool" not in str(messages) for messages in requests[:place])
    assert "a pool" in told_at.utterance


def test_a_simulator_out_of_reach_is_no_result_and_nobodys_score() -> None:
    async def unreachable(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelReply:
        raise InfrastructureError("connection refused")

    transcript = talk(toy_compass(toy_task(1), voice=ModelVoice(unreachable, "gone")), reply(PINE_INN))

    assert not transcript.is_result
    assert transcript.turns[-1].detail == "the user: connection refused"


def test_scripted_and_model_voice_carry_out_the_same_decisions() -> None:
    task = toy_task(1, POOL, Constraint("breakfast_included", True))
    questioning = replace(QUIET, trust=Trust.QUESTIONING)
    with stub("good", bad=0) as server:
        voice = ModelVoice(model_at(server), "stub")  # type: ignore[arg-type]
        spoken = talk(toy_compass(task, voice=voice, persona=questioning), reply(PINE_INN), seed=5)
    scripted = talk(toy_compass(task, persona=questioning), reply(PINE_INN), seed=5)

    assert [turn.user and turn.user.orders for turn in spoken.turns] == [
        t.user and t.user.orders for t in scripted.turns
    ]
    assert not any(turn.user and (turn.user.scripted or turn.user.rejected) for turn in spoken.turns)


def test_the_name_of_a_voice_tells_its_prompts_and_its_model() -> None:
    async def model(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelReply:
        return ModelReply("")

    assert ScriptedVoice().name.startswith("scripted ")
    assert ModelVoice(model, "acme/talker").name.startswith("acme/talker ")
    assert ModelVoice(model, "a").name != ModelVoice(model, "b").name


def test_a_prompt_tells_role_orders_and_conversation() -> None:
    messages = prompt(TELL_POOL)

    assert "Tell this requirement: the hotel has a pool." in messages[0].content
    assert "terse and organized" in messages[0].content
    assert [message.role for message in messages[1:]] == ["assistant", "user"]
    assert order_lines(NOTHING) == ("Say something neutral, so that the agent goes on. Tell nothing new.",)


def test_the_agents_without_a_model_are_at_home_with_every_style() -> None:
    compass = Compass(Index(default_catalogue()), default_tasks()[:1])
    for style in STYLES:
        compass._persona = replace(QUIET, style=style)
        dialogue = compass.dialogue(compass.task_ids[0], 1)
        transcript = asyncio.run(converse(CheapestSeen(), dialogue, LIMITS)).transcript
        recommended = [turn.mode for turn in transcript.turns]
        assert set(recommended) == {"recommendation"}
        assert decode(Orders, transcript.turns[0].user.orders, "").turn == 0  # type: ignore[union-attr]

"""Trip+ conversations: what an agent meets in each edition, and what its answers get."""

import asyncio
import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tripgauge.agents.replay import ReplayAgent
from tripgauge.agents.tool_calling import ToolCallingAgent
from tripgauge.chat import Message, ToolCall, ToolSpec
from tripgauge.conversation import EndReason, Limits, ModelReply, Transcript, converse
from tripgauge.errors import UsageError
from tripgauge.toy import town
from tripgauge.trip_plus.agents import HotelNightsAgent, IdleAgent
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.dialogues import TripPlusDialogues
from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.itinerary import HotelStop, Mode, Plan
from tripgauge.trip_plus.notation.plan_text import parse_response

GOLDEN = Path(__file__).parent.parent / "golden"


def benchmark(edition: Edition = Edition.STRICT, queries: Path | None = None) -> TripPlusDialogues:
    return TripPlusDialogues(TripPlus([queries or town.queries_file()], town.data_folder()), edition)


def hold(agent: object, trip_plus: TripPlusDialogues, task: str = "mt_toy_couple") -> Transcript:
    return asyncio.run(converse(agent, trip_plus.dialogue(task), Limits())).transcript  # type: ignore[arg-type]


class Speaker:
    """A model that says its lines in turn and keeps every byte it was sent."""

    def __init__(self, *replies: ModelReply) -> None:
        self._replies = list(replies)
        self.sent: list[str] = []

    async def __call__(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> ModelReply:
        self.sent += [repr(message) for message in messages] + [json.dumps(tool.as_function()) for tool in tools]
        return self._replies.pop(0) if self._replies else ModelReply("<clarification>Pardon?</clarification>")


def test_the_instructions_are_the_golden_ones() -> None:
    said = benchmark().dialogue("mt_toy_family").instructions + "\n"

    assert said == (GOLDEN / "trip_plus_instructions.md").read_text(encoding="utf-8")


def test_a_plan_written_as_the_instructions_ask_is_read_without_a_fault() -> None:
    told = benchmark().dialogue("mt_toy_couple").instructions
    example = told[told.index("<plan>\nDay 1") : told.index("</plan>") + len("</plan>")]
    example = example.replace("YYYY-MM-DD", "2026-07-14").replace("HH:MM-HH:MM", "10:00-11:00").replace("\n...", "")

    response = parse_response(example)

    assert isinstance(response, Plan)
    assert [len(day.activities) for day in response.itinerary.days] == [6, 0]
    assert [activity.faults for day in response.itinerary.days for activity in day.activities] == [()] * 6
    assert response.itinerary.budget is not None


def test_a_toy_conversation_gets_full_marks_for_the_right_answers() -> None:
    trip_plus = benchmark()
    agent = ReplayAgent(str(town.queries_file().parent / "answers"))

    for task in trip_plus.task_ids:
        transcript = hold(agent, trip_plus, task)
        grades = trip_plus.grade(transcript).turns

        assert {turn.end for turn in transcript.turns} == {EndReason.ANSWERED}
        assert all(grade.numbers["mode"] == 1 for grade in grades), task
        assert {number for grade in grades for number in grade.numbers.values()} <= {None, 1}, task


@pytest.mark.parametrize("edition", list(Edition))
def test_a_turn_that_was_not_reached_counts_as_not_answered(edition: Edition) -> None:
    trip_plus = benchmark(edition)
    whole = hold(IdleAgent(), trip_plus)
    grades = trip_plus.grade(Transcript("mt_toy_couple", 0, whole.turns[:1], None)).turns

    assert len(grades) == 3
    assert [grade.numbers["mode"] for grade in grades] == [
        1,
        0 if edition is Edition.STRICT else grades[1].numbers["mode"],
    ] * 1 + [grades[2].numbers["mode"]]
    assert [grade.numbers["feasibility_due"] for grade in grades][1:] == [0, 0]


@pytest.mark.parametrize("edition", list(Edition))
def test_every_turn_has_the_same_names_of_scores(edition: Edition) -> None:
    trip_plus = benchmark(edition)
    names = {
        tuple(g.numbers)
        for task in trip_plus.task_ids
        for g in trip_plus.grade(hold(IdleAgent(), trip_plus, task)).turns
    }

    qualities = ("feasibility", "feasibility_due", "hard", "hard_due", "soft", "soft_due")
    assert names == {("mode", *qualities, "content", "fulfillment", "preservation")}


@pytest.mark.parametrize("edition", list(Edition))
def test_a_plan_that_was_due_and_did_not_come_gets_0_for_everything_asked_of_it(edition: Edition) -> None:
    trip_plus = benchmark(edition)
    for task in trip_plus.trip_plus.tasks.values():
        silent = trip_plus.grade(Transcript(task.task_id, 0, (), None)).turns
        for state, grade in zip(task.key.states, silent, strict=True):
            wants_plan = state.mode is Mode.PLAN
            delivered = [grade.numbers[name] for name in ("feasibility", "hard", "soft")]
            assert edition is Edition.RELEASE or delivered == [None, None, None]
            assert grade.numbers["feasibility_due"] == (0 if wants_plan else None)
            assert grade.numbers["hard_due"] == (0 if wants_plan and state.hard else None)
            assert grade.numbers["soft_due"] == (0 if wants_plan and state.soft else None)


def test_a_question_that_names_nothing_scores_less_in_content_than_the_right_one() -> None:
    trip_plus = benchmark()
    task, turn = next(
        (task, turn)
        for task in trip_plus.trip_plus.tasks.values()
        for turn, state in enumerate(task.key.states)
        if state.mode is Mode.CLARIFICATION
    )
    right = hold(ReplayAgent(str(town.queries_file().parent / "answers")), trip_plus, task.task_id)
    vague = replace(right.turns[turn], answer="<clarification>Pardon?</clarification>")
    asked = replace(right, turns=(*right.turns[:turn], vague, *right.turns[turn + 1 :]))

    best, poor = (trip_plus.grade(held).turns[turn].numbers for held in (right, asked))

    assert best["content"] == 1
    assert poor["mode"] == 1
    assert poor["content"] is not None
    assert poor["content"] < 1


@pytest.mark.parametrize(
    ("text", "strict", "release"),
    [
        ("<plan>\nDay 1:\n10:00-11:00 | meal | lunch, Pepper Yard, ¥60/person\n</plan>", "plan", "plan"),
        ("<clarification>Which day?</clarification>", "clarification", "clarification"),
        ("<no_solution>It cannot be.</no_solution>", "no_solution", "no_solution"),
        ("Could you please tell me the day?", "unreadable", "clarification"),
        ("<plan>\nDay 1:\n</plan><clarification>Which?</clarification>", "unreadable", "clarification"),
        ("gibberish", "unreadable", "plan"),
        ("<think>hm</think>", "none", "none"),
        ("  ", "none", "none"),
    ],
)
def test_the_mode_of_an_answer_is_read_as_each_edition_reads_it(text: str, strict: str, release: str) -> None:
    assert benchmark(Edition.STRICT).dialogue("mt_toy_couple").read(text).mode == strict
    assert benchmark(Edition.RELEASE).dialogue("mt_toy_couple").read(text).mode == release


def test_after_a_failed_turn_strict_goes_on_and_release_skips() -> None:
    def ends(edition: Edition) -> list[EndReason]:
        model = Speaker(ModelReply(""), ModelReply(""), ModelReply(""))
        return [turn.end for turn in hold(ToolCallingAgent(model), benchmark(edition)).turns]

    assert ends(Edition.STRICT) == [EndReason.EMPTY_ANSWER, EndReason.ANSWERED, EndReason.ANSWERED]
    assert ends(Edition.RELEASE) == [EndReason.EMPTY_ANSWER, EndReason.SKIPPED, EndReason.SKIPPED]


def test_a_final_answer_that_quotes_a_tool_is_an_answer_in_strict_and_a_call_in_release() -> None:
    text = '<clarification>Shall I call query_city_weather {"city": "Briskhaven"}?</clarification>'

    def uses(edition: Edition) -> int:
        return len(hold(ToolCallingAgent(Speaker(ModelReply(text))), benchmark(edition)).turns[0].tool_uses)

    assert (uses(Edition.STRICT), uses(Edition.RELEASE)) == (0, 1)


def test_there_is_a_digest_of_tasks_data_and_prompts_and_it_does_not_depend_on_the_place(tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere"
    shutil.copytree(town.data_folder(), copy)
    digests = benchmark().digests()
    moved = TripPlusDialogues(TripPlus([town.queries_file()], copy)).digests()
    (copy / "briskhaven" / "weather" / "weather_daily.csv").write_text("date\n", encoding="utf-8")
    changed = TripPlusDialogues(TripPlus([town.queries_file()], copy)).digests()

    assert set(digests) == {"tasks", "data", "prompts"}
    assert moved == digests
    assert changed["data"] != digests["data"]
    assert changed["tasks"] == digests["tasks"]


def test_an_unknown_task_is_refused() -> None:
    with pytest.raises(UsageError, match="No task 'mt_nowhere'"):
        benchmark().dialogue("mt_nowhere")


# --- Agents without a model


@pytest.mark.parametrize("edition", list(Edition))
def test_the_idle_agent_plans_the_days_of_the_trip_and_nothing_in_them(edition: Edition) -> None:
    for turn in hold(IdleAgent(), benchmark(edition)).turns:
        response = parse_response(turn.answer)
        assert isinstance(response, Plan)
        assert [day.number for day in response.itinerary.days] == [1, 2, 3]
        assert [day.lodging for day in response.itinerary.days] == [None] * 3
        assert turn.cost == 0


@pytest.mark.parametrize("edition", list(Edition))
def test_the_hotel_nights_agent_sleeps_in_a_hotel_the_tools_know(edition: Edition) -> None:
    turn = hold(HotelNightsAgent(), benchmark(edition)).turns[0]

    response = parse_response(turn.answer)
    assert isinstance(response, Plan)
    hotels = [day.lodging.hotel for day in response.itinerary.days if day.lodging]
    assert len(hotels) == 2
    assert hotels[0] in turn.tool_uses[0].answer
    assert sum(isinstance(activity, HotelStop) for day in response.itinerary.days for activity in day.activities) == 2


# --- What must never reach an agent

MARKER = "ZQMARKER"


def planted(value: object, path: tuple[str, ...] = ()) -> object:
    """The record with a marker in every text, and in every key of free mappings, that an agent may not see."""
    if isinstance(value, dict):
        return {key: planted(item, (*path, key)) for key, item in value.items()}
    if isinstance(value, list):
        return [planted(item, path) for item in value]
    if isinstance(value, str) and not _is_visible(path) and not _is_fixed(path):
        return f"{value} {MARKER}-{'-'.join(path[-3:])}"
    return value


def _is_visible(path: tuple[str, ...]) -> bool:
    """What the protocol shows: the utterances, the visible profile, where, when and how long. (Trip+ A.4, Table 6)"""
    shown = (("turns", "utterance"), ("observable_profile",), ("org",), ("dest",), ("depart_date",), ("return_date",))
    return any(all(step in path for step in steps) for steps in shown)


def _is_fixed(path: tuple[str, ...]) -> bool:
    """Words of closed lists, names of files, and numbers written as text, which a marker would make unreadable."""
    return path[-1] in CLOSED_LISTS or path[-1].endswith("_number")


CLOSED_LISTS = (
    *("id", "base_query_id", "interaction_type", "feasibility_status", "response_expectation", "route_mode"),
    *("check", "rule_ids", "rule_id", "preference_variants", "active_hard_constraints"),
)


@pytest.mark.parametrize("edition", list(Edition))
def test_nothing_hidden_reaches_a_model_a_tool_or_a_prompt(edition: Edition, tmp_path: Path) -> None:
    records = json.loads(town.queries_file().read_text(encoding="utf-8"))
    hidden = [planted(record) for record in records]
    queries = tmp_path / "query.json"
    queries.write_text(json.dumps(hidden, ensure_ascii=False), encoding="utf-8")
    assert json.dumps(hidden).count(MARKER) > 300
    trip_plus = benchmark(edition, queries)
    briefs: list[str] = []

    class Curious(ToolCallingAgent):
        async def respond(self, turn):  # type: ignore[no-untyped-def]
            briefs.append(repr((turn.brief, turn.messages, turn.utterance, turn.tools, turn.task)))
            return await super().respond(turn)

    for task in trip_plus.task_ids:
        model = Speaker(_every_tool())
        transcript = hold(Curious(model), trip_plus, task)
        told = [use.answer for turn in transcript.turns for use in turn.tool_uses]

        assert len(told) == 11
        if edition is Edition.STRICT:
            assert [use for turn in transcript.turns for use in turn.tool_uses if use.error] == []
        assert [text for text in (*model.sent, *told, *briefs) if MARKER in text] == []
        sent = " ".join((*model.sent, *told, *briefs))
        assert [word for word in HIDDEN_WORDS | _hidden_ids(records) if word in sent] == []


HIDDEN_WORDS = {"must_preserve", "must_update", "oracle", "rule_id", "blocking", "expectation", "archetype"}


def _hidden_ids(value: object, key: str = "") -> set[str]:
    """Ids of hidden rules, of constraints, and of what is to be kept or changed."""
    if isinstance(value, dict):
        keys = set(value) if key == "hard_constraints" else set()
        return keys.union(*(_hidden_ids(item, name) for name, item in value.items()))
    if isinstance(value, list):
        return set().union(*(_hidden_ids(item, key) for item in value))
    listed = ("rule_ids", "active_hard_constraints", "must_preserve", "must_update", "deactivates_hard_constraints")
    return {value} if isinstance(value, str) and key in listed else set()


def _every_tool() -> ModelReply:
    place, city = "Quay Inn", "Briskhaven"
    arguments: dict[str, dict[str, object]] = {
        "query_train_info": {"origin": "Aldmoor", "destination": city, "depDate": "2026-07-14"},
        "query_flight_info": {"origin": "Aldmoor", "destination": city, "depDate": "2026-07-14"},
        "query_hotel_info": {"destination": city},
        "query_attraction_details": {"attraction_name": "Fort Museum"},
        "recommend_attractions": {"city": city},
        "recommend_restaurants": {"nearby_attraction_name": "Fort Museum"},
        "query_restaurant_details": {"restaurant_name": "Pepper Yard"},
        "search_location": {"place_name": place},
        "query_road_route_info": {"origin": place, "destination": "Fort Museum"},
        "query_city_transport_plan": {"city": city, "origin_place": place, "destination_place": "Fort Museum"},
        "query_city_weather": {"city": city, "date": "2026-07-14"},
    }
    return ModelReply("", tuple(ToolCall.of(name, name, given) for name, given in arguments.items()))

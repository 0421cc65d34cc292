"""Reading query files: the schema, and the tasks made from it."""

import copy
import json
import os
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tripgauge import codec
from tripgauge.errors import UsageError
from tripgauge.trip_plus.itinerary import Mode
from tripgauge.trip_plus.tasks.queries import QueryRecord, raw_records, read_queries
from tripgauge.trip_plus.tasks.task import Archetype, Elder, Party

CONFORMANCE = os.environ.get("TRIPGAUGE_CONFORMANCE")
needs_conformance = pytest.mark.skipif(
    not CONFORMANCE or not Path(CONFORMANCE).is_dir(), reason="TRIPGAUGE_CONFORMANCE names no folder"
)


def turn(number: int, *deltas: object, **other: object) -> dict[str, Any]:
    return {
        "turn_id": number,
        "utterance": f"Words of turn {number}.",
        "must_preserve": [],
        "must_update": [],
        "feasibility_status": "solved",
        "response_expectation": "plan",
        "oracle_state_after_turn": {"active_hard_constraints": [], "active_user_state_deltas": list(deltas)},
        **other,
    }


def record(*turns: dict[str, Any], **meta: object) -> dict[str, Any]:
    return {
        "id": "mt_single_9001",
        "base_query_id": "single_9001",
        "query": "Words of turn 0.",
        "interaction_type": "user_state_evolution",
        "turns": list(turns or (turn(0),)),
        "meta_info": {
            "base_query_meta": {
                "org": "Aldmoor",
                "dest": ["Briskhaven"],
                "days": 3,
                "depart_date": "2026-07-14",
                "return_date": "2026-07-16",
                "depart_weekday": 2,
                "people_number": 2,
                "room_number": 1,
                "route_mode": "train",
                "observable_profile": {
                    "party_composition": {
                        "adults": 1,
                        "children": [],
                        "elders": [{"age": 70, "mobility_note": "slow"}],
                    },
                    "budget_range": [1000, 2500],
                    "accommodation_style": "comfort",
                    "interest_tags": ["food", "park"],
                },
                "user_profile": {"party_type": "family_with_elder", "rule_ids": ["interest_local_food"], "rules": []},
                "hard_constraints": {"hotel_price_range": {"min_price": 200, "max_price": 240}},
                **meta,
            }
        },
    }


def written(tmp_path: Path, *records: object) -> Path:
    path = tmp_path / "query.json"
    codec.write_json(path, list(records))
    return path


def party_update(**values: object) -> dict[str, object]:
    return {"party_update": {"party_subtype": "friend_added", **values}}


def test_a_record_becomes_a_task_with_visible_and_hidden_parts_apart(tmp_path: Path) -> None:
    value = record()

    (task,) = read_queries(written(tmp_path, value))

    assert task.task_id == "mt_single_9001"
    assert task.brief.utterances == ("Words of turn 0.",)
    assert task.brief.profile.party == Party(adults=1, elders=(Elder(70, "slow"),))
    assert task.brief.profile.interest_tags == ("food", "park")
    assert (task.brief.frame.depart, task.brief.frame.return_) == (date(2026, 7, 14), date(2026, 7, 16))
    assert task.key.archetype is Archetype.USER_STATE_EVOLUTION
    assert task.key.base_query_id == "single_9001"
    assert task.key.record == value


def test_nothing_hidden_is_in_the_brief(tmp_path: Path) -> None:
    (task,) = read_queries(written(tmp_path, record()))

    shown = codec.to_json(task.brief)
    assert "interest_local_food" not in shown
    assert "hotel_price_range" not in shown


def test_party_and_rooms_follow_every_update_so_far(tmp_path: Path) -> None:
    joined = party_update(new_people_number=3, new_room_number=2)
    left = party_update(new_people_number=1)
    path = written(tmp_path, record(turn(0), turn(1, joined), turn(2, joined, left)))

    (task,) = read_queries(path)

    assert [(state.frame.people, state.frame.rooms) for state in task.key.states] == [(2, 1), (3, 2), (1, 2)]
    assert task.brief.frame.people == 2


def test_the_last_change_of_duration_moves_the_return(tmp_path: Path) -> None:
    longer = {"duration_update": {"new_days": 5}}
    odd = {"duration_update": {"new_days": 4, "new_return_date": "2026-07-20"}}
    path = written(tmp_path, record(turn(0), turn(1, longer), turn(2, longer, odd)))

    (task,) = read_queries(path)

    assert [(state.frame.days, state.frame.return_) for state in task.key.states] == [
        (3, date(2026, 7, 16)),
        (5, date(2026, 7, 18)),
        (4, date(2026, 7, 20)),
    ]


def test_counts_may_be_text_and_missing_rooms_follow_from_the_party(tmp_path: Path) -> None:
    (task,) = read_queries(written(tmp_path, record(people_number="3", room_number=None)))

    assert (task.brief.frame.people, task.brief.frame.rooms) == (3, 2)


@pytest.mark.parametrize(
    ("expectation", "status", "mode"),
    [
        ("plan", "solved", Mode.PLAN),
        ("clarification", "solved", Mode.CLARIFICATION),
        ("conflict_resolution", "solved", Mode.CLARIFICATION),
        ("no_solution", "unsolved", Mode.NO_SOLUTION),
        ("infeasible", "solved", Mode.NO_SOLUTION),
        ("plan", "unsolved", Mode.NO_SOLUTION),
        ("clarification", "unsolved", Mode.NO_SOLUTION),
    ],
)
def test_the_right_mode_follows_from_expectation_and_status(
    tmp_path: Path, expectation: str, status: str, mode: Mode
) -> None:
    value = record(turn(0, response_expectation=expectation, feasibility_status=status))

    (task,) = read_queries(written(tmp_path, value))

    assert task.key.states[0].mode is mode


def test_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "query.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps([record()], indent=2).replace("\n", "\r\n").encode())

    assert len(read_queries(path)) == 1


def edited(edit: str, value: object = None) -> dict[str, Any]:
    """The record with one place set to a value, or deleted where none is given."""
    result: dict[str, Any] = copy.deepcopy(record(turn(0), turn(1, party_update(new_people_number=3))))
    *steps, last = edit.split("/")
    place: Any = result
    for step in steps:
        place = place[int(step) if step.isdigit() else step]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return result


META = "meta_info/base_query_meta"
STATE = "turns/1/oracle_state_after_turn"


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (edited("id"), "record [0], id: is missing."),
        (edited("id", ""), "record [0], id: is empty."),
        (edited("turns", []), "record mt_single_9001, turns: is empty."),
        (edited("turns/1/turn_id", 2), "record mt_single_9001, turns[1].turn_id: should be 1, but is 2."),
        (
            edited("turns/1/turn_id", "1"),
            'record mt_single_9001, turns[1].turn_id: should be a valid integer, but is "1".',
        ),
        (edited("turns/0/utterance"), "record mt_single_9001, turns[0].utterance: is missing."),
        (
            edited("turns/1/response_expectation", "Plan"),
            "record mt_single_9001, turns[1].response_expectation: should be 'plan', 'clarification', 'no_solution', "
            "'conflict_resolution' or 'infeasible', but is \"Plan\".",
        ),
        (
            edited(f"{STATE}/active_user_state_deltas", [{"party_update": {"new_people_number": "many"}}]),
            "record mt_single_9001, turns[1].oracle_state_after_turn.active_user_state_deltas[0].party_update."
            'new_people_number: should be a valid integer, but is "many".',
        ),
        (
            edited(f"{STATE}/active_environment_events", [{"factor": "x", "expected_adjustments": [{"target": "y"}]}]),
            "record mt_single_9001, turns[1].oracle_state_after_turn.active_environment_events[0]."
            "expected_adjustments[0].check: is missing.",
        ),
        (
            edited(f"{META}/hard_constraints/hotel_price_range/max_price", "cheap"),
            "record mt_single_9001, meta_info.base_query_meta.hard_constraints.hotel_price_range.max_price: "
            'should be a valid decimal, but is "cheap".',
        ),
        (
            edited(f"{META}/depart_date", "14 July"),
            "record mt_single_9001, meta_info.base_query_meta.depart_date: should be a valid date in the format "
            'YYYY-MM-DD, input is too short, but is "14 July".',
        ),
        (
            edited(f"{META}/observable_profile/budget_range", [1000]),
            "record mt_single_9001, meta_info.base_query_meta.observable_profile.budget_range[1]: is missing.",
        ),
        (
            edited("interaction_type", "chat"),
            "record mt_single_9001, interaction_type: should be 'user_state_evolution', 'request_resolution', "
            "'environment_driven_replanning' or 'long_horizon_alignment', but is \"chat\".",
        ),
    ],
)
def test_a_bad_record_is_refused_with_the_path_of_the_field(tmp_path: Path, bad: dict[str, Any], message: str) -> None:
    """R18: one schema per file kind, checked on load with the path of the bad field."""
    path = written(tmp_path, bad)

    with pytest.raises(UsageError) as caught:
        read_queries(path)
    assert str(caught.value) == f"{path}, {message}"


def test_an_event_that_no_check_knows_is_kept_and_never_applies(tmp_path: Path) -> None:
    event = {"factor": "x", "expected_adjustments": [{"check": "tell_a_joke"}]}
    path = written(tmp_path, edited(f"{STATE}/active_environment_events", [event]))

    state = read_queries(path)[0].key.states[-1]

    assert [(condition.id, condition.sentence()) for condition in state.environment] == [
        ("tell_a_joke", "tell_a_joke cannot be checked: no adjustment of that name is known.")
    ]


def test_an_id_may_occur_only_once(tmp_path: Path) -> None:
    path = written(tmp_path, record(), record())

    with pytest.raises(UsageError) as caught:
        read_queries(path)
    assert str(caught.value) == f"{path}, record mt_single_9001: a record before has the same id."


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "holds no records."),
        ("{}", "a query file is a list of records, each an object."),
        ('["mt_single_0001"]', "a query file is a list of records, each an object."),
    ],
)
def test_a_file_of_another_shape_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "query.json"
    path.write_text(content, encoding="utf-8")

    with pytest.raises(UsageError) as caught:
        read_queries(path)
    assert str(caught.value) == f"{path}: {message}"


@needs_conformance
class TestReleasedFile:
    """The published file. (data reference, section 3)"""

    @staticmethod
    def path(name: str = "query/query.json") -> Path:
        return Path(str(CONFORMANCE)) / name

    def test_it_holds_153_tasks_with_570_turns(self) -> None:
        tasks = read_queries(self.path())

        assert len(tasks) == 153
        assert Counter(len(task.key.states) for task in tasks) == {3: 79, 4: 37, 5: 37}
        assert Counter(state.mode for task in tasks for state in task.key.states) == {
            Mode.PLAN: 512,
            Mode.CLARIFICATION: 53,
            Mode.NO_SOLUTION: 5,
        }

    def test_the_schema_reads_every_key_of_it(self) -> None:
        """R3: no task carries graded content that nothing reads."""
        assert [path for raw in raw_records(self.path()) for path in codec.unknown_fields(QueryRecord, raw)] == []

    @pytest.mark.parametrize("name", ["query/query.json", "synthetic_queries.json"])
    def test_every_turn_state_agrees_with_the_published_evaluator(self, name: str) -> None:
        states = {
            (task.task_id, n): state
            for task in read_queries(self.path(name))
            for n, state in enumerate(task.key.states)
        }
        lines = self.path("turn_state.jsonl").read_text(encoding="utf-8").splitlines()
        expected = {(line["record_id"], line["turn_id"]): line for line in map(json.loads, lines)}

        compared = 0
        for key, state in states.items():
            line, frame = expected[key], state.frame
            if key[0] == "syn_odd_dates":  # its people are text and its rooms null, which the published code keeps
                assert (frame.people, frame.rooms) == (2, 1)
                continue
            assert (frame.people, frame.rooms, frame.days) == (line["people"], line["rooms"], line["days"]), key
            assert (frame.depart.isoformat(), frame.return_.isoformat()) == (line["depart"], line["return"]), key
            assert frame.route_mode == line["mode"]
            assert state.mode == {"conflict_resolution": "clarification"}.get(line["reply"], line["reply"]), key
            compared += 1
        assert compared == len(states) - (name == "synthetic_queries.json")

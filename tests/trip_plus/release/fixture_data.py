"""A trip from Alpha to Beta and back: an invented sandbox, a record with one turn, a good plan, single changes to it.

Everything lies in `fixture/`, laid out like a released sandbox. The scores expected here are those that the published
evaluator gives this trip.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tripgauge.trip_plus.sandbox.files import SandboxFiles, read_sample

FOLDER = Path(__file__).parent / "fixture"

Json = dict[str, Any]


def fixture_files() -> SandboxFiles:
    """The invented sandbox: two sights, three restaurants, four hotels, two trains; no flights, no distance matrix."""
    return SandboxFiles(read_sample(FOLDER))


def fixture_plan() -> Json:
    """A fresh copy of the plan, free to be changed."""
    return json.loads((FOLDER / "plan.json").read_text(encoding="utf-8"))


def fixture_record() -> Json:
    """A fresh copy of the record; its base meta are `record["meta_info"]["base_query_meta"]`."""
    return json.loads((FOLDER / "record.json").read_text(encoding="utf-8"))


def base_meta(record: Json) -> Json:
    """The base meta fields of the record."""
    return record["meta_info"]["base_query_meta"]


def activity(plan: Json, day: int, slot: str) -> Json:
    """The activity of a day (from 1) at a time slot."""
    return next(item for item in plan["daily_plans"][day - 1]["activities"] if item["time_slot"] == slot)


@dataclass(frozen=True)
class SingleChange:
    """One change to plan or record, and what the published evaluator then says."""

    name: str
    apply: Callable[[Json, Json], None]
    """Called with plan and record."""
    failing: frozenset[str]
    """Ids of the feasibility checks that fail."""
    feasibility: float
    hard: float
    soft: float


def _drop(plan: Json, day: int, slot: str) -> None:
    plan["daily_plans"][day - 1]["activities"].remove(activity(plan, day, slot))


def _label_with_capital(plan: Json, record: Json) -> None:
    plan["daily_plans"][0]["current_city"] = "From Alpha to Beta"


def _no_first_buffer(plan: Json, record: Json) -> None:
    _drop(plan, 1, "07:30-08:00")


def _lunch_one_yuan_dearer(plan: Json, record: Json) -> None:
    activity(plan, 1, "12:35-13:35")["details"]["cost"] = 51


def _total_too_high(plan: Json, record: Json) -> None:
    plan["budget_summary"]["total_estimated_budget"] = 1700


def _only_total(amount: int) -> Callable[[Json, Json], None]:
    def apply(plan: Json, record: Json) -> None:
        plan["budget_summary"] = {"total_estimated_budget": amount}

    return apply


def _leaves_on_sunday(plan: Json, record: Json) -> None:
    base_meta(record)["depart_weekday"] = 7


def _no_walk_to_lunch(plan: Json, record: Json) -> None:
    _drop(plan, 1, "12:30-12:35")


def _no_taxi_to_park(plan: Json, record: Json) -> None:
    _drop(plan, 1, "13:35-13:55")


def _no_taxi_and_five_minutes(plan: Json, record: Json) -> None:
    _drop(plan, 1, "13:35-13:55")
    activity(plan, 1, "13:55-16:55")["time_slot"] = "13:40-16:55"


def _taxi_declared_in_five_minutes(plan: Json, record: Json) -> None:
    taxi = activity(plan, 1, "13:35-13:55")
    taxi["time_slot"] = "13:35-13:40"
    taxi["details"]["duration"] = "8min"
    activity(plan, 1, "13:55-16:55")["time_slot"] = "13:40-16:55"


def _distance_in_metres(plan: Json, record: Json) -> None:
    activity(plan, 1, "16:55-17:00")["details"]["distance"] = "800m"


def _duration_in_hours(plan: Json, record: Json) -> None:
    activity(plan, 2, "15:50-16:30")["details"]["duration"] = "1h 10min"


def _fare_with_currency_sign(plan: Json, record: Json) -> None:
    activity(plan, 2, "17:00-19:00")["details"]["cost"] = "¥110"


def _hotel_price_as_text(plan: Json, record: Json) -> None:
    plan["daily_plans"][0]["accommodation"]["price_per_night"] = "300"


def _no_date_on_day_two(plan: Json, record: Json) -> None:
    plan["daily_plans"][1]["date"] = ""


def _five_people(plan: Json, record: Json) -> None:
    base_meta(record)["people_number"] = 5


def _change(
    name: str,
    apply: Callable[[Json, Json], None],
    failing: str,
    feasibility: float,
    hard: float = 0.7778,
    soft: float = 0.7292,
) -> SingleChange:
    return SingleChange(name, apply, frozenset(failing.split()), feasibility, hard, soft)


BASE = _change("nothing changed", lambda plan, record: None, "", 1.0)

SINGLE_CHANGES = (
    _change(
        "day label with a capital From",
        _label_with_capital,
        "closed_loop_route_structure seamless_intercity_transfers",
        0.9555555555555555,
    ),
    _change(
        "no buffer before the train",
        _no_first_buffer,
        "intercity_buffer_adequacy",
        0.9166666666666666,
        soft=0.7708,
    ),
    _change("lunch one yuan dearer", _lunch_one_yuan_dearer, "validated_meals", 0.9444444444444444),
    _change("total above its parts", _total_too_high, "cost_calculation_correctness", 0.9166666666666666),
    _change("only a total, nine percent high", _only_total(1650), "", 1.0, hard=0.5556),
    _change(
        "only a total, just too high",
        _only_total(1668),
        "cost_calculation_correctness",
        0.9166666666666666,
        hard=0.5556,
    ),
    _change("the second day is a Monday", _leaves_on_sunday, "avoidance_of_closure_days", 0.9833333333333333),
    _change("no walk to lunch", _no_walk_to_lunch, "", 1.0),
    _change("no taxi to the park, time enough", _no_taxi_to_park, "", 1.0, hard=0.6667),
    _change(
        "no taxi to the park and five minutes",
        _no_taxi_and_five_minutes,
        "reasonable_transfer_time",
        0.9583333333333333,
        hard=0.6667,
    ),
    _change("a taxi written into five minutes", _taxi_declared_in_five_minutes, "", 1.0),
    _change("distance in metres", _distance_in_metres, "local_move_sanity", 0.9166666666666665),
    _change("duration in hours", _duration_in_hours, "local_move_sanity", 0.9166666666666665),
    _change("fare with a currency sign", _fare_with_currency_sign, "", 1.0),
    _change("hotel price as text", _hotel_price_as_text, "validated_accommodation", 0.9444444444444444),
    _change("no date on the second day", _no_date_on_day_two, "", 1.0, hard=0.6667),
    _change(
        "five people",
        _five_people,
        "cost_calculation_correctness",
        0.9166666666666666,
        hard=0.5556,
    ),
)
"""Single changes with their scores; the hard and soft scores are for the parts of the evaluation that use them."""

"""Rules about what the traveler says: the words must say what the task is graded by. (Trip+ 2.2, 2.3)"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from tripgauge.trip_plus.data.rules.names import constraint_field, new_deltas, new_events
from tripgauge.trip_plus.data.rules.rule import Problem, RuleBook, some
from tripgauge.trip_plus.data.tables import WEEKDAYS
from tripgauge.trip_plus.tasks.queries import QueryRecord

TEXTS: RuleBook[QueryRecord] = RuleBook("what the traveler says")

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBER = rf"(\d+|{'|'.join(NUMBER_WORDS)})"
_DATE = re.compile(
    rf"\b({'|'.join(MONTHS)}) (\d{{1,2}})(?:st|nd|rd|th)?(?:,? (\d{{4}}))?(?: \((\w+)\))?|\b(\d{{4}})-(\d\d)-(\d\d)\b"
)
_DAYS = re.compile(rf"\b{_NUMBER}[- ](day|night)s?\b", re.IGNORECASE)
_PARTY = (
    re.compile(rf"\b{_NUMBER} of us\b", re.IGNORECASE),
    re.compile(rf"\b(?:family|group|party) of {_NUMBER}\b", re.IGNORECASE),
    re.compile(rf"\b{_NUMBER} (?:people|travell?ers|persons|adults in total)\b", re.IGNORECASE),
)
_COMPANIONS = re.compile(rf"\bmy {_NUMBER} (?:friends|roommates|classmates|colleagues) and (?:I|me)\b", re.IGNORECASE)
_MODE_WORDS = {
    "flight": re.compile(
        r"\b(flights?|fly|flies|flying|flown|planes?|airplanes?|airport|airline|by air)\b", re.IGNORECASE
    ),
    "train": re.compile(r"\b(trains?|rail|railway|high-speed)\b", re.IGNORECASE),
}
_JOURNEYS = {
    "flight": re.compile(
        r"\b(fly|flying (out|from|to|back|home)|(return |outbound |round-trip )?flights?)\b", re.IGNORECASE
    ),
    "train": re.compile(r"\b((take|by|return|outbound|round-trip) (the |a )?trains?)\b", re.IGNORECASE),
}


def value_of(word: str) -> int:
    """The number that a numeral or number word means."""
    return int(word) if word.isdigit() else NUMBER_WORDS.index(word.lower())


@dataclass(frozen=True)
class SaidDate:
    """A date that a text names."""

    date: date
    weekday: str
    """As the text says in brackets behind it; "" if it does not."""


def dates_in(text: str, year: int | None) -> Iterator[SaidDate]:
    """Dates that a text names. One without a year is in `year`, or passed over: it may be part of a name."""
    for match in _DATE.finditer(text):
        month, day, stated_year, weekday, *iso = match.groups()
        numbers = (stated_year or year or 0, MONTHS.index(month) + 1, day) if month else iso
        try:
            yield SaidDate(date(*(int(number) for number in numbers)), weekday or "")
        except ValueError:
            continue


@TEXTS.error
def cities_are_said(record: QueryRecord) -> Iterator[Problem]:
    """The first utterance names the city of origin and the destination."""
    for city in (record.base.org, *record.base.dest):
        if city not in record.query:
            yield Problem("query", f"{city} is not named", "the trip starts or ends there")


@TEXTS.error
def dates_are_said(record: QueryRecord) -> Iterator[Problem]:
    """The first utterance names the dates of departure and return."""
    said = {found.date for found in dates_in(record.query, record.base.depart_date.year)}
    for field, right in (("depart_date", record.base.depart_date), ("return_date", record.base.return_date)):
        if right not in said:
            yield Problem(
                "query", f"{field} {right} is not named", f"it names {some(map(str, sorted(said))) or 'no date'}"
            )


@TEXTS.error
def no_other_date_is_said(record: QueryRecord) -> Iterator[Problem]:
    """Every date with a year in what the traveler says lies within the trip."""
    for turn in record.turns:
        for found in dates_in(turn.utterance, None):
            if not record.base.depart_date <= found.date <= record.base.return_date:
                why = f"the trip is from {record.base.depart_date} to {record.base.return_date}"
                yield Problem(f"turns[{turn.turn_id}].utterance", str(found.date), why)


@TEXTS.error
def weekday_said_fits_the_date(record: QueryRecord) -> Iterator[Problem]:
    """A weekday in brackets behind a date is the right one."""
    for turn in record.turns:
        for said in dates_in(turn.utterance, record.base.depart_date.year):
            right = WEEKDAYS[said.date.weekday()]
            if said.weekday in WEEKDAYS and said.weekday != right:
                yield Problem(f"turns[{turn.turn_id}].utterance", f"{said.date} ({said.weekday})", f"it is a {right}")


@TEXTS.error
def days_said_are_the_days(record: QueryRecord) -> Iterator[Problem]:
    """A number of days or nights in the first utterance is that of the trip."""
    for word, unit in _DAYS.findall(record.query):
        right = record.base.days - (unit.lower() == "night")
        if value_of(word) != right:
            yield Problem("query", f"{word} {unit}s", f"the trip has {right}")


@TEXTS.error
def party_said_is_the_party(record: QueryRecord) -> Iterator[Problem]:
    """Where the first utterance numbers people, one of the numbers is the whole party ("the two of us and our son, 3
    people in total")."""
    said = {match[0]: value_of(match[1]) for pattern in _PARTY for match in pattern.finditer(record.query)}
    said |= {match[0]: value_of(match[1]) + 1 for match in _COMPANIONS.finditer(record.query)}
    if said and record.base.people_number not in said.values():
        yield Problem("query", some(said), f"{record.base.people_number} people travel")


@TEXTS.warning
def mode_is_said(record: QueryRecord) -> Iterator[Problem]:
    """The first utterance says whether the journey is by flight or by train, since that is graded."""
    is_graded = "intercity_round_trip_mode_required" in record.base.hard_constraints
    if is_graded and not any(pattern.search(record.query) for pattern in _MODE_WORDS.values()):
        yield Problem("query", "no word of flights or trains", f"the journey must be by {record.base.route_mode}")


@TEXTS.warning
def no_other_mode_is_said(record: QueryRecord) -> Iterator[Problem]:
    """The first utterance does not speak of a journey by the other mode of travel."""
    for mode, pattern in _JOURNEYS.items():
        match = pattern.search(record.query)
        if mode != record.base.route_mode and match:
            yield Problem("query", f'"{match[0]}"', f"the journey must be by {record.base.route_mode}")


@TEXTS.warning
def budget_is_said(record: QueryRecord) -> Iterator[Problem]:
    """A required budget's cap is in the first utterance."""
    for key, it in record.base.hard_constraints.items():
        if it.max_budget is not None and f"{it.max_budget:f}" not in record.query.replace(",", ""):
            yield Problem(constraint_field(key), f"{it.max_budget:g}", "the first utterance does not name it")


@TEXTS.error
def required_name_is_said(record: QueryRecord) -> Iterator[Problem]:
    """An attraction that must be visited by name, or near which a meal must be, is in the first utterance."""
    for key, it in record.base.hard_constraints.items():
        names = (it.attraction_names or ()) if key in NAMED_KEYS else ()
        anchor = (it.attraction_name,) if key.startswith("restaurant_") and it.attraction_name else ()
        for name in (*names, *anchor):
            if name not in record.query:
                yield Problem(constraint_field(key), f'"{name}"', "the first utterance does not name it")


NAMED_KEYS = (
    "attraction_must_visit_named",
    "attraction_initial_must_visit_before_availability",
    "attraction_crowd_queue_initial_must_visit",
)
"""Constraints that a traveler can only state by names."""


@TEXTS.warning
def new_head_count_is_said(record: QueryRecord) -> Iterator[Problem]:
    """The traveler says how many they are after somebody joined or left."""
    for turn, _, delta in new_deltas(record):
        people = delta.party_update.new_people_number if delta.party_update else None
        if people is not None and not _says(turn.utterance, people):
            yield Problem(f"turns[{turn.turn_id}].utterance", "no head count", f"they are {people} from now on")


@TEXTS.warning
def new_room_count_is_said(record: QueryRecord) -> Iterator[Problem]:
    """The traveler says how many rooms are needed after somebody joined or left, since that is graded."""
    for turn, _, delta in new_deltas(record):
        rooms = delta.party_update.new_room_number if delta.party_update else None
        if rooms is not None and not re.search(
            rf"\b{_either(rooms)}\b[\w -]{{0,12}}\brooms?\b", turn.utterance, re.IGNORECASE
        ):
            yield Problem(f"turns[{turn.turn_id}].utterance", "no room count", f"{_counted(rooms, 'room')} graded")


def _says(text: str, number: int) -> bool:
    words = rf"{_either(number)}|solo|alone|myself|single|just me" if number == 1 else _either(number)
    return re.search(rf"\b({words})\b", text, re.IGNORECASE) is not None


def _either(number: int) -> str:
    """A number as numeral or word, for a pattern."""
    return f"({number}|{NUMBER_WORDS[number]})" if 0 <= number < len(NUMBER_WORDS) else str(number)


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing} is" if number == 1 else f"{number} {thing}s are"


@TEXTS.error
def requested_name_is_said(record: QueryRecord) -> Iterator[Problem]:
    """An attraction or restaurant that is asked for on the way is named in that utterance."""
    for turn, _, delta in new_deltas(record):
        names = [delta.add_attraction.name] if delta.add_attraction else []
        names += [delta.restaurant_requirement.restaurant_name] if delta.restaurant_requirement else []
        for name in names:
            if name and name not in turn.utterance:
                yield Problem(f"turns[{turn.turn_id}].utterance", f'"{name}" is not named', "the turn is graded by it")


@TEXTS.error
def closed_place_is_said(record: QueryRecord) -> Iterator[Problem]:
    """A place that becomes unavailable is named in that utterance."""
    for turn, event in new_events(record):
        if event.unavailable_entity and event.unavailable_entity not in turn.utterance:
            yield Problem(
                f"turns[{turn.turn_id}].utterance",
                f'"{event.unavailable_entity}" is not named',
                "the turn is graded by it",
            )


@TEXTS.error
def new_budget_is_said(record: QueryRecord) -> Iterator[Problem]:
    """A new cap is in that utterance."""
    for turn, _, delta in new_deltas(record):
        cap = delta.budget_update.new_max_budget if delta.budget_update else None
        if cap is not None and f"{cap:f}" not in turn.utterance.replace(",", ""):
            yield Problem(f"turns[{turn.turn_id}].utterance", f"{cap:g} is not named", "the turn is graded by it")

"""Rules about flights and trains. (Trip+ A.2; published tables `flights.csv`, `trains.csv`)

Rows of a timetable that break a rule by the hundred are told in one line with a count, since their number is the news.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator

from tripgauge.trip_plus.data.rules.folder import Folder, Service
from tripgauge.trip_plus.data.rules.rule import Problem, RuleBook, some

TIMETABLES: RuleBook[Folder] = RuleBook("flights and trains of a sandbox")

UNCOUNTED = ("route_index", "sample_id")
"""Columns in which rows of one and the same service may differ."""


def _count(folder: Folder, field: str, is_odd: Callable[[Service], bool], why: str) -> Iterator[Problem]:
    """One problem for each timetable with odd rows."""
    for file, services in folder.services.items():
        odd = [service for service in services if is_odd(service)]
        if odd:
            place = odd[0].place.removeprefix(f"{file}, ")
            yield Problem(field, f"{len(odd)} of {len(services)} rows, such as {place}", why, file=file)


@TIMETABLES.error
def journey_leads_to_another_city(folder: Folder) -> Iterator[Problem]:
    """Origin and destination of a journey differ."""
    return _count(folder, "destination_city", lambda it: it.origin == it.destination, "the journey starts in that city")


@TIMETABLES.error
def service_leads_to_another_station(folder: Folder) -> Iterator[Problem]:
    """A flight or train does not end where it starts."""
    return _count(folder, "arr_station_name", lambda it: it.stations[0] == it.stations[1], "it starts at that station")


@TIMETABLES.error
def arrival_is_after_departure(folder: Folder) -> Iterator[Problem]:
    """A service arrives after it departs."""
    return _count(
        folder,
        "arr_datetime",
        lambda it: bool(it.departs and it.arrives and it.arrives <= it.departs),
        "it arrives before it departs",
    )


@TIMETABLES.error
def duration_is_arrival_less_departure(folder: Folder) -> Iterator[Problem]:
    """The duration of a service is the time from departure to arrival."""
    return _count(folder, "duration", _has_other_duration, "departure and arrival are another time apart")


def _has_other_duration(service: Service) -> bool:
    if not service.departs or not service.arrives or service.minutes is None:
        return False
    return (service.arrives - service.departs).total_seconds() != float(service.minutes) * 60


@TIMETABLES.error
def departure_is_on_its_date(folder: Folder) -> Iterator[Problem]:
    """The date of a service is the day it departs."""
    return _count(
        folder,
        "dep_date",
        lambda it: bool(it.dep_date and it.departs and it.departs.date() != it.dep_date),
        "it departs on another day",
    )


@TIMETABLES.warning
def service_is_listed_once(folder: Folder) -> Iterator[Problem]:
    """No two rows of a timetable differ in nothing but their route index."""
    for file, services in folder.services.items():
        rows = Counter(_content(service) for service in services)
        repeated = sum(times - 1 for times in rows.values())
        if repeated:
            what = f"{repeated} of {len(services)} rows repeat another"
            yield Problem("", what, "they differ in nothing but their route index", file=file)


def _content(service: Service) -> tuple[str, ...]:
    return tuple(cell for name, cell in service.row.items() if name not in UNCOUNTED)


@TIMETABLES.warning
def route_index_names_one_journey(folder: Folder) -> Iterator[Problem]:
    """A route index stands for one journey of the table: one pair of cities on one day."""
    for file, services in folder.services.items():
        journeys: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        for service in services:
            journeys[service.index].add(service.journey)
        shared = [index for index, found in journeys.items() if len(found) > 1]
        if shared:
            what = f"{len(shared)} of {len(journeys)} indexes stand for several journeys, such as {some(shared)}"
            yield Problem("route_index", what, "it is unique only within two cities and a date, if at all", file=file)


@TIMETABLES.warning
def route_index_names_one_service_a_day(folder: Folder) -> Iterator[Problem]:
    """Between two cities on one day, the rows of a route index start with one flight or train."""
    for file, services in folder.services.items():
        numbers: dict[tuple[str, ...], set[str]] = defaultdict(set)
        for service in services:
            if service.segment == "1":
                numbers[service.route].add(service.number)
        mixed = {route: found for route, found in numbers.items() if len(found) > 1}
        if mixed:
            route, found = next(iter(mixed.items()))
            such = f"index {route[-1]} on {route[-2]}: {some(sorted(found))}"
            what = f"{len(mixed)} of {len(numbers)} routes, such as {such}"
            yield Problem("route_index", what, "unrelated services share it", file=file)


@TIMETABLES.warning
def second_segment_is_another_service(folder: Folder) -> Iterator[Problem]:
    """A second segment leads on from the first; it is no other class of the same service."""
    firsts = {(first.route, first.number, first.stations) for first in _segments(folder, "1")}
    return _count(
        folder,
        "segment_index",
        lambda it: it.segment == "2" and (it.route, it.number, it.stations) in firsts,
        "the first segment is the same service between the same stations: this is a class, not a change",
    )


@TIMETABLES.warning
def second_segment_has_a_first(folder: Folder) -> Iterator[Problem]:
    """A second segment has a first one under its route index, on its own date."""
    routes = {first.route for first in _segments(folder, "1")}
    return _count(
        folder,
        "route_index",
        lambda it: it.segment == "2" and it.route not in routes,
        "no first segment has its route index, cities and date",
    )


@TIMETABLES.warning
def fare_of_a_connection_is_stated_by_segment(folder: Folder) -> Iterator[Problem]:
    """The segments of a connection do not all carry the fare of the whole."""
    firsts = {(first.route, first.price, first.stations[1]) for first in _segments(folder, "1")}
    return _count(
        folder,
        "price",
        lambda it: it.segment == "2" and (it.route, it.price, it.stations[0]) in firsts,
        "the first segment has the same fare: summed, the whole counts double",
    )


def _segments(folder: Folder, segment: str) -> Iterator[Service]:
    return (service for rows in folder.services.values() for service in rows if service.segment == segment)


@TIMETABLES.warning
def station_lies_in_one_city(folder: Folder) -> Iterator[Problem]:
    """A station lies in one city; where trains are changed, rows name the cities of the whole route instead."""
    for file, services in folder.services.items():
        cities: dict[str, set[str]] = defaultdict(set)
        for service in services:
            cities[service.stations[0]].add(service.origin)
            cities[service.stations[1]].add(service.destination)
        several = sorted(name for name, found in cities.items() if len(found) > 1)
        if several:
            what = f"{len(several)} of {len(cities)} stations, such as {some(several)}"
            yield Problem("dep_station_name, arr_station_name", what, "rows place them in two cities", file=file)


@TIMETABLES.warning
def station_of_the_city_can_be_found(folder: Folder) -> Iterator[Problem]:
    """A station or airport at which a journey starts or ends in the city is in the location index."""
    lost = [name for name, city in _end_stations(folder) if city == folder.city and not folder.can_locate(name)]
    if lost:
        yield Problem(
            "stations", f"{some(lost)} of the city", "the location index and its aliases lack it", file=folder.name
        )


@TIMETABLES.warning
def station_of_the_origin_can_be_found(folder: Folder) -> Iterator[Problem]:
    """A station or airport of the city the traveler comes from is in the location index."""
    lost = [name for name, city in _end_stations(folder) if city != folder.city and not folder.can_locate(name)]
    if lost and not folder.is_city:
        yield Problem("stations", f"{some(lost)} of the origin", "no way to it can be found", file=folder.name)


def _end_stations(folder: Folder) -> list[tuple[str, str]]:
    """Stations with their city, without those where trains or planes are changed."""
    cities: dict[str, set[str]] = defaultdict(set)
    for rows in folder.services.values():
        for service in rows:
            cities[service.stations[0]].add(service.origin)
            cities[service.stations[1]].add(service.destination)
    return sorted((name, min(found)) for name, found in cities.items() if len(found) == 1)

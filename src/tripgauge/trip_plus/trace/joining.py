"""From an itinerary to its execution trace: every name looked up once, every line put at its instant."""

from collections.abc import Iterator
from datetime import datetime, time, timedelta

from tripgauge.trip_plus.frame import ExpectedWeather, TripFrame
from tripgauge.trip_plus.itinerary import Activity, Day, HotelStop, IntercityLeg, Itinerary, LocalTransfer, Meal, Visit
from tripgauge.trip_plus.sandbox.exposure import exposure
from tripgauge.trip_plus.sandbox.names import folded
from tripgauge.trip_plus.sandbox.records import Service
from tripgauge.trip_plus.sandbox.store import Sandbox
from tripgauge.trip_plus.trace.days import in_place
from tripgauge.trip_plus.trace.events import Event, HotelEvent, LegEvent, MealEvent, Spot, TransferEvent, VisitEvent
from tripgauge.trip_plus.trace.execution import ExecutionTrace
from tripgauge.trip_plus.trace.journeys import is_seat

GENERIC_HOTEL = frozenset({"", "hotel", "thehotel", "accommodation", "lodging", "ourhotel", "myhotel", "yourhotel"})
"""What stands for the hotel of the day, in the form names are compared."""

FOLLOWS_WITHIN = timedelta(hours=6)
"""So near the end of the line before, across midnight, a line is read as of the later day."""


def execution_trace(
    itinerary: Itinerary,
    frame: TripFrame,
    sandbox: Sandbox,
    rest_days: frozenset[int] = frozenset(),
    expected_weather: frozenset[ExpectedWeather] = frozenset(),
) -> ExecutionTrace:
    """The plan joined to the sandbox. What the sandbox does not know stays without a record."""
    events = tuple(_events(itinerary, frame, sandbox))
    return ExecutionTrace(itinerary, frame, sandbox, events, rest_days, expected_weather)


def _events(itinerary: Itinerary, frame: TripFrame, sandbox: Sandbox) -> Iterator[Event]:
    lodged = ""
    city = frame.origin
    for position, day in enumerate(in_place(itinerary.days, frame.days), 1):
        join = _Joining(frame, sandbox, position, day, lodged, city)
        yield from [join.event(activity) for activity in day.activities]
        lodged, city = join.tonight, join.city


class _Joining:
    """Joins the lines of one day."""

    def __init__(self, frame: TripFrame, sandbox: Sandbox, position: int, day: Day, lodged: str, city: str) -> None:
        self.sandbox = sandbox
        self.position = position
        self.midnight = datetime.combine(frame.date_of(position), time())
        self.label = day.city
        self.city = city
        """Where the traveler has got to, line by line: of two places of one name the one there is meant."""

        if day.city is not None and not day.city.is_journey:
            self.city = day.city.destination
        self.lodged = lodged
        """Where the traveler slept, for "the hotel" in the morning and on the last day."""

        self.tonight = day.lodging.hotel if day.lodging and day.lodging.hotel else ""
        self.reached = self.midnight
        """When the line before ends."""

        self.paid: set[str] = set()

    def event(self, activity: Activity) -> Event:
        """The line at its place in time, with the record it names."""
        start, end = self._span(activity)
        event = self._joined(activity, start, end)
        self.reached = event.end or self.reached
        return event

    def _joined(self, activity: Activity, start: datetime | None, end: datetime | None) -> Event:
        match activity:
            case Visit():
                return self._visit(activity, start, end)
            case Meal():
                name = activity.restaurant
                restaurant = self.sandbox.restaurant(name, self.city) or self.sandbox.restaurant(name)
                return MealEvent(activity, self.position, start, end, restaurant)
            case HotelStop():
                name = self._hotel_named(activity.hotel)
                hotel = self.sandbox.hotel(name, self.city) or self.sandbox.hotel(name)
                return HotelEvent(activity, self.position, start, end, name, hotel)
            case LocalTransfer():
                origin, destination = self._spot(activity.origin), self._spot(activity.destination)
                return TransferEvent(activity, self.position, start, end, origin, destination)
            case IntercityLeg():
                return self._leg(activity, start, end)
            case _:
                return Event(activity, self.position, start, end)

    def _span(self, activity: Activity) -> tuple[datetime | None, datetime | None]:
        if activity.slot is None:
            return None, None
        start = self._on_its_day(self.midnight + timedelta(minutes=activity.slot.start))
        return start, start + timedelta(minutes=activity.slot.minutes)

    def _on_its_day(self, start: datetime) -> datetime:
        """A line after one that has run past midnight is on the later day, though it is listed on the earlier."""
        later = start + timedelta(days=(self.reached - self.midnight).days)
        return later if abs(later - self.reached) < FOLLOWS_WITHIN else start

    def _visit(self, activity: Visit, start: datetime | None, end: datetime | None) -> VisitEvent:
        name = activity.attraction
        attraction = self.sandbox.attraction(name, self.city) or self.sandbox.attraction(name)
        name = folded(attraction.name if attraction else activity.attraction)
        paid_before = name in self.paid
        if activity.price:
            self.paid.add(name)
        where = exposure(attraction, activity.attraction)
        return VisitEvent(activity, self.position, start, end, attraction, paid_before, where)

    def _hotel_named(self, name: str) -> str:
        return (self.tonight or self.lodged) if folded(name) in GENERIC_HOTEL else name

    def _spot(self, name: str) -> Spot:
        place = self.sandbox.place(self._hotel_named(name) if name else name)
        return Spot(place.name if place else name, place.coordinates if place else None)

    def _leg(self, activity: IntercityLeg, start: datetime | None, end: datetime | None) -> LegEvent:
        runs = self.sandbox.services(activity.number)
        departs = (start or self.midnight).date()
        service = self._service(activity, runs, start, end)
        end = service.arrival if service is not None and end is not None else end
        leaves = start or (service.departure if service else self.reached)
        arrives = end or (service.arrival if service else self.reached)
        origin = self._station(activity.origin, service.origin.name if service else "")
        destination = self._station(activity.destination, service.destination.name if service else "")
        left = self._city(origin, self.label.origin if self.label else "")
        self.city = self._city(destination, self.label.destination if self.label else "")
        return LegEvent(
            activity,
            self.position,
            start,
            end,
            departs,
            runs,
            service,
            origin,
            destination,
            left,
            self.city,
            leaves,
            arrives,
            service or next((run for run in runs if run.date == departs and self._serves(run, activity)), None),
        )

    def _service(
        self, leg: IntercityLeg, runs: tuple[Service, ...], start: datetime | None, end: datetime | None
    ) -> Service | None:
        """The run the plan describes; among seat classes the one it names, else the one it pays for."""
        fitting = [
            run
            for run in runs
            if (run.departure == start if start else run.date == self.midnight.date())
            and _ends_by_the_clock(run, end)
            and self._serves(run, leg)
        ]
        named = [run for run in fitting if leg.seat_class and is_seat(leg.seat_class, run.seat_class)]
        paid = [run for run in named or fitting if run.price == leg.price]
        return next(iter(paid or named or fitting), None)

    def _serves(self, run: Service, leg: IntercityLeg) -> bool:
        """Whether a run goes between the stations that the plan names."""
        return self._is_stop(leg.origin, run.origin.name, run.origin.code) and self._is_stop(
            leg.destination, run.destination.name, run.destination.code
        )

    def _is_stop(self, text: str, name: str, code: str) -> bool:
        if folded(text) in (folded(name), folded(code)):
            return True
        station = self.sandbox.station(text)
        return station is not None and code != "" and station.code == code

    def _station(self, text: str, served: str) -> Spot:
        station = self.sandbox.station(served or text)
        if station is not None:
            return Spot(station.name, station.coordinates)
        place = self.sandbox.place(text)
        return Spot(text, place.coordinates if place else None)

    def _city(self, spot: Spot, label: str) -> str:
        """The city of a stop; the stop's own name where connections only change; else as the day is headed."""
        station = self.sandbox.station(spot.name)
        if station is None:
            return label
        return station.city or station.name


def _ends_by_the_clock(run: Service, end: datetime | None) -> bool:
    """Whether a run arrives at that time of day; how many nights it takes a plan does not write."""
    return end is None or (run.arrival - end) % timedelta(days=1) == timedelta()

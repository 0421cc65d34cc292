"""Algorithm 1 of the paper: lists every feasible plan, one park and one stay at a time.

Readable and slow. The faster solver is compared with it; nothing else uses it.
"""

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from tripgauge.compass.filters import Component, Filter
from tripgauge.compass.objectives import Objective, Part
from tripgauge.compass.offers import Choice, FlightPackage, HotelPackage, PermitPackage, Stay
from tripgauge.compass.ranking import Histogram
from tripgauge.compass.task import Task


class FeasiblePlan(NamedTuple):
    """One member of the feasible set. Without a flight or permit their numbers are 0."""

    utility: int
    cost_cents: int
    config_id: int
    stay: Stay
    rooms: int
    template_id: int
    permit_id: int
    permit_start: int
    permit_days: int

    @property
    def choice(self) -> Choice:
        flight = FlightPackage(self.template_id, self.stay) if self.template_id else None
        permit = PermitPackage(self.permit_id, self.permit_start, self.permit_days) if self.permit_id else None
        return Choice(HotelPackage(self.config_id, self.stay, self.rooms), flight, permit)


def utilities_of(plans: list[FeasiblePlan]) -> Histogram:
    """The utilities of the plans, ready for ranking."""
    return Histogram.of_each(np.array([plan.utility for plan in plans], dtype=np.int64))


def feasible_plans(task: Task, connection: sqlite3.Connection) -> list[FeasiblePlan]:
    """Every feasible plan of a task, with its utility."""
    search = _Search(task, connection)
    budget = task.budget_cents if task.budget_cents is not None else 2**62
    return [plan for plan in search.plans() if plan.cost_cents <= budget]


class _Lodging(NamedTuple):
    config_id: int
    rooms: int
    price_cents: int
    utility: int


class _Flight(NamedTuple):
    template_id: int
    fare_cents: int
    """All travelers, there and back."""

    utility: int


class _Permit(NamedTuple):
    permit_id: int
    start: int
    days: int
    fee_cents: int
    utility: int


class _Query(NamedTuple):
    """SQL with named parameters, and those that stay the same from stay to stay."""

    text: str
    values: dict[str, int | str]


class _Search:
    """The loop of Algorithm 1 over one task."""

    def __init__(self, task: Task, connection: sqlite3.Connection) -> None:
        self.task = task
        self.connection = connection
        filters = [asked for stated in task.constraints for asked in stated.constraint.filters(task.guests)]
        self.park_filters = [asked for asked in filters if asked.attribute.component == Component.PARK]
        booked = [asked for asked in filters if asked.attribute.component != Component.PARK]
        parts = {part: [asked for asked in booked if Part.of(asked.attribute.component) == part] for part in Part}
        self.lodging_query = _lodging_query(task.objective, parts[Part.LODGING])
        self.flight_query = _flight_query(task.objective, parts[Part.FLIGHT])
        self.permit_query = _permit_query(task.objective, parts[Part.PERMIT])

    def plans(self) -> Iterator[FeasiblePlan]:
        """All combinations that meet every constraint but the budget."""
        for park_id in self.parks():
            for stay in self.task.stays:
                lodgings = [_Lodging(*row) for row in self.rows(self.lodging_query, park_id, stay)]
                flights = [_Flight(0, 0, 0)]
                permits = [_Permit(0, 0, 0, 0, 0)]
                if lodgings and self.task.level >= 2:
                    flights = [_Flight(*row) for row in self.rows(self.flight_query, park_id, stay)]
                if lodgings and self.task.level == 3:
                    permits = [_Permit(*row) for row in self.rows(self.permit_query, park_id, stay)]
                yield from self.combined(stay, lodgings, flights, permits)

    def combined(
        self, stay: Stay, lodgings: list[_Lodging], flights: list[_Flight], permits: list[_Permit]
    ) -> Iterator[FeasiblePlan]:
        is_cost = self.task.objective.is_cost
        for lodging in lodgings:
            for flight in flights:
                for permit in permits:
                    cost = lodging.price_cents + flight.fare_cents + permit.fee_cents
                    utility = -cost if is_cost else lodging.utility + flight.utility + permit.utility
                    yield FeasiblePlan(
                        utility,
                        cost,
                        lodging.config_id,
                        stay,
                        lodging.rooms,
                        flight.template_id,
                        permit.permit_id,
                        permit.start,
                        permit.days,
                    )

    def parks(self) -> list[int]:
        query = _where("SELECT k.park_id FROM parks k WHERE TRUE", self.park_filters)
        return [park_id for (park_id,) in self.connection.execute(query.text + " ORDER BY 1", query.values)]

    def rows(self, query: _Query, park_id: int, stay: Stay) -> sqlite3.Cursor:
        here = {"park": park_id, "start": stay.start, "end": stay.end}
        asked = {"guests": self.task.guests, "buffer": self.task.buffer_days}
        return self.connection.execute(query.text, {**query.values, **here, **asked})


def _lodging_query(objective: Objective, filters: list[Filter]) -> _Query:
    utility = _named(objective.sql(Part.LODGING).text, objective.sql(Part.LODGING).values, "u")
    start = f"""
        SELECT c.config_id, (:guests + r.max_occupancy - 1) / r.max_occupancy AS rooms_needed,
               (:guests + r.max_occupancy - 1) / r.max_occupancy * SUM(o.price_cents), {utility.text}
        FROM configs c JOIN rooms r USING (room_id) JOIN hotels h ON h.hotel_id = c.hotel_id
             JOIN offers o ON o.config_id = c.config_id AND o.day >= :start AND o.day < :end
        WHERE c.park_id = :park"""
    of_records = [asked for asked in filters if asked.attribute.component != Component.HOTEL_OFFER]
    of_nights = [asked for asked in filters if asked.attribute.component == Component.HOTEL_OFFER]
    before = _where(start, of_records)
    grouped = """
        GROUP BY c.config_id
        HAVING COUNT(*) = :end - :start
           AND MIN(o.rooms_available) >= (:guests + r.max_occupancy - 1) / r.max_occupancy"""
    after = _where(grouped.replace("HAVING", "HAVING TRUE AND"), of_nights, "n")
    # The aggregate has a name of its own in the vocabulary; here it is spelled out.
    text = after.text.replace("dearest_night_cents", "MAX(o.price_cents)")
    return _Query(before.text + text, {**before.values, **after.values, **utility.values})


def _flight_query(objective: Objective, filters: list[Filter]) -> _Query:
    utility = _named(objective.sql(Part.FLIGHT).text, objective.sql(Part.FLIGHT).values, "u")
    start = f"""
        SELECT f.template_id, :guests * (p1.out_price_cents + p2.back_price_cents), {utility.text}
        FROM park_airports d JOIN airports a USING (code) JOIN flights f ON f.destination = d.code
             JOIN flight_prices p1 ON p1.template_id = f.template_id AND p1.day = :start
             JOIN flight_prices p2 ON p2.template_id = f.template_id AND p2.day = :end
        WHERE d.park_id = :park AND p1.out_seats >= :guests AND p2.back_seats >= :guests"""
    query = _where(start, filters)
    return _Query(query.text, {**query.values, **utility.values})


def _permit_query(objective: Objective, filters: list[Filter]) -> _Query:
    utility = _named(objective.sql(Part.PERMIT).text, objective.sql(Part.PERMIT).values, "u")
    fee = "m.fee_group_cents + :guests * (m.fee_person_cents + (w.days - 1) * m.fee_person_night_cents)"
    start = f"""
        SELECT m.permit_id, w.start, w.days, {fee}, {utility.text}
        FROM permits m JOIN permit_windows w USING (permit_id)
             JOIN permit_days t ON t.permit_id = m.permit_id AND t.day >= w.start AND t.day < w.start + w.days
        WHERE m.park_id = :park AND w.start >= :start + :buffer AND w.start + w.days <= :end - :buffer
          AND COALESCE(m.max_group, :guests) >= :guests"""
    query = _where(start, filters)
    grouped = """
        GROUP BY m.permit_id, w.start, w.days
        HAVING COUNT(*) = w.days AND MIN(t.remaining) >= :guests"""
    return _Query(query.text + grouped, {**query.values, **utility.values})


def _where(start: str, filters: list[Filter], prefix: str = "f") -> _Query:
    """A query with the filters behind it."""
    text, values = start, {}
    for place, asked in enumerate(filters):
        named = _named(asked.sql.text, asked.sql.values, f"{prefix}{place}_")
        text += f"\n  AND {named.text}"
        values.update(named.values)
    return _Query(text, values)


def _named(text: str, values: tuple[int | str, ...], prefix: str) -> _Query:
    """The question marks of a piece of SQL as named parameters."""
    pieces = text.split("?")
    names = [f"{prefix}{place}" for place in range(len(values))]
    named = pieces[0] + "".join(f":{name}{piece}" for name, piece in zip(names, pieces[1:], strict=True))
    return _Query(named, dict(zip(names, values, strict=True)))

"""An independent answer: one SQL statement for a whole task, in DuckDB, written from docs/compass-data.md.

It shares neither SQL nor code with the solvers; only the columns of the catalogue are the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import duckdb
import numpy as np

from tripgauge.compass.catalogue import Catalogue, DayTable, Table, Words
from tripgauge.compass.constraints import Constraint
from tripgauge.compass.objectives import FeatureCount, SingleMetric
from tripgauge.compass.task import Task


@dataclass(frozen=True)
class Answer:
    size: int
    optimum: int | None
    better: tuple[int, ...]
    """For each utility asked about: how many plans are better,"""

    as_good: tuple[int, ...]
    """and how many are at least as good."""


class Oracle:
    """The catalogue in DuckDB."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.connection = duckdb.connect()
        for name in ("parks", "airports", "drives", "hotels", "rooms", "configs", "flights", "permits"):
            self._fill(name, _columns(getattr(catalogue, name)))
        self._fill("offers", _days(price_cents=catalogue.night_prices, rooms_available=catalogue.rooms_available))
        out = {"out_price": catalogue.out_prices, "out_seats": catalogue.out_seats}
        back = {"back_price": catalogue.back_prices, "back_seats": catalogue.back_seats}
        self._fill("fares", _days(**out, **back))
        self._fill("permit_days", _days(remaining=catalogue.remaining))

    def _fill(self, name: str, columns: dict[str, object]) -> None:
        given = columns  # DuckDB finds it by the name of the variable
        self.connection.execute(f"CREATE TABLE {name} AS SELECT * FROM given")
        del given

    def ask(self, task: Task, utilities: Sequence[int]) -> Answer:
        """How many plans are feasible, the best utility, and where some utilities rank."""
        sums = ", ".join(f"count(*) FILTER (u > {u}), count(*) FILTER (u >= {u})" for u in utilities)
        query = f"{plans_sql(task)} SELECT count(*), max(u){', ' + sums if sums else ''} FROM plans"
        size, optimum, *counts = self.connection.execute(query).fetchall()[0]
        return Answer(size, optimum, tuple(counts[::2]), tuple(counts[1::2]))


def _columns(table: Table[object]) -> dict[str, object]:
    found: dict[str, object] = {}
    for name in table.names:
        column = table.column(name)
        found[name] = np.array(column.texts(), dtype=object) if isinstance(column, Words) else column
    return found


def _days(**tables: DayTable) -> dict[str, object]:
    first, *_ = tables.values()
    day, item = np.nonzero(first.values >= 0)
    return {"item": item + 1, "day": day + 1, **{name: table.values[day, item] for name, table in tables.items()}}


# ---------------------------------------------------------------------------------------------------------------
# SQL of one task; missing numbers are stored as -1, which no lower bound lets through and which `metric` reads as 0

LODGING = {
    "min_star_rating": "h.star_rating_x10 >= {}",
    "min_review_score": "h.review_score_x10 >= {}",
    "min_review_count": "h.review_count >= {}",
    "max_distance": "h.entrance_km_x100 <= {}",
    "brand_in": "h.brand IN {}",
    "brand_not_in": "h.brand NOT IN {}",
    "same_hotel_brand": "h.brand = {}",
    "property_type_in": "h.property_type IN {}",
    "room_occupancy": "r.max_occupancy >= {}",
    "free_cancellation": "c.free_cancellation = 1",
    "breakfast_included": "c.breakfast_included = 1",
    "no_prepayment_needed": "c.no_prepayment_needed = 1",
    "location": "p.name IN {}",
}
FLIGHT = {
    "origin": "f.origin = {}",
    "direct_only": "f.stops = 0",
    "airline_in": "f.airline IN {}",
    "booking_class": "f.booking_class = {}",
    "max_flight_minutes": "greatest(f.out_minutes, f.back_minutes) <= {}",
    "depart_after": "f.out_depart >= {0} AND f.back_depart >= {0}",
    "arrive_before": "f.out_arrive <= {0} AND f.back_arrive <= {0}",
    "flight_wifi": "f.has_wifi = 1",
    "flight_power": "f.has_power = 1",
    "flight_meal": "f.has_meal = 1",
    "carry_on_included": "f.carry_on_included = 1",
    "checked_bag_included": "f.checked_bag_included = 1",
    "pets_allowed": "f.pets_allowed = 1",
    "is_refundable": "f.is_refundable = 1",
    "is_changeable": "f.is_changeable = 1",
    "airport_type": "a.airport_type = {}",
    "max_drive_hours": "d.drive_hours_x100 <= {}",
}
PERMIT = {
    "permit_template": "m.template_name IN {}",
    "permit_kind": "m.kind = {}",
    "permit_on_weekday": "dayname(DATE '2025-07-31' + CAST(w.start AS INTEGER)) IN {}",
    "permit_days": "w.days = {}",
}
METRICS = {
    "review_score": ("lodging", "greatest(h.review_score_x10, 0)"),
    "review_count": ("lodging", "h.review_count"),
    "distance": ("lodging", "-h.entrance_km_x100"),
    "drive_time": ("flight", "-d.drive_hours_x100"),
}


def literal(value: object) -> str:
    if isinstance(value, tuple):
        return "(" + ", ".join(literal(item) for item in value) + ")"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)


def condition(constraint: Constraint, part: str) -> str | None:
    """The constraint as SQL over one part of a plan; None if it is about another part."""
    rules = {"lodging": LODGING, "flight": FLIGHT, "permit": PERMIT}[part]
    type_, value = constraint.type, constraint.value
    if type_ in rules:
        return rules[type_].format(literal(value))
    if part == "lodging" and type_ == "bed_type":
        kind, least = value  # type: ignore[misc]
        return f"r.bed_type = {literal(kind)} AND r.bed_count >= {least}"
    if part == "lodging" and type_.startswith(("has_", "is_")) and type_ not in FLIGHT:
        room = ("kitchenette", "air_conditioning", "private_bathroom", "balcony", "view", "tv", "coffee_maker")
        of_room = type_.removeprefix("has_") in (*room, "refrigerator")
        return f"{'r' if of_room else 'h'}.{type_} = 1"
    return None


def where(task: Task, part: str) -> str:
    found = [condition(stated.constraint, part) for stated in task.constraints]
    return "".join(f" AND ({text})" for text in found if text)


def worth(task: Task, part: str) -> str:
    if isinstance(task.objective, SingleMetric):
        of, text = METRICS.get(task.objective.metric.name, ("", ""))
        return text if of == part else "0"
    assert isinstance(task.objective, FeatureCount)
    found = [condition(wish, part) for wish in task.objective.wishes]
    return " + ".join(f"coalesce(CAST(({text}) AS INTEGER), 0)" for text in found if text) or "0"


def plans_sql(task: Task) -> str:
    g = task.guests
    stays = ", ".join(f"({stay.start}, {stay.end})" for stay in task.stays)
    nightly = next((s.constraint.value for s in task.constraints if s.constraint.type == "max_nightly_price"), None)
    one_room = any(s.constraint.type == "one_room_only" for s in task.constraints)
    rooms = f"CAST(ceil({g} / max(r.max_occupancy)) AS INTEGER)"
    having = f"count(*) = s.fin - s.start AND min(o.rooms_available) >= {rooms}"
    having += f" AND max(o.price_cents) <= {nightly}" if nightly is not None else ""
    having += f" AND {rooms} = 1" if one_room else ""
    parts = [f"s(start, fin) AS (VALUES {stays})"]
    parts.append(f"""lodging AS (
        SELECT c.config_id, h.park_id, s.start, s.fin, {rooms} * sum(o.price_cents) AS cost,
               any_value({worth(task, "lodging")}) AS u
        FROM s, configs c JOIN rooms r USING (room_id) JOIN hotels h ON h.hotel_id = c.hotel_id
             JOIN parks p ON p.park_id = h.park_id JOIN offers o ON o.item = c.config_id
        WHERE o.day >= s.start AND o.day < s.fin {where(task, "lodging")}
        GROUP BY c.config_id, h.park_id, s.start, s.fin HAVING {having})""")
    tables, joins, cost, utility = ["lodging l"], "", "l.cost", "l.u"
    if task.level >= 2:
        parts.append(f"""flight AS (
            SELECT d.park_id, s.start, s.fin, {g} * (x.out_price + y.back_price) AS cost, {worth(task, "flight")} AS u
            FROM s, flights f JOIN airports a ON a.code = f.destination JOIN drives d ON d.code = a.code
                 JOIN fares x ON x.item = f.template_id JOIN fares y ON y.item = f.template_id
            WHERE x.day = s.start AND y.day = s.fin AND x.out_seats >= {g} AND y.back_seats >= {g}
                  {where(task, "flight")})""")
        joins += " JOIN flight t ON t.park_id = l.park_id AND t.start = l.start AND t.fin = l.fin"
        cost, utility = cost + " + t.cost", utility + " + t.u"
    if task.level == 3:
        b = task.buffer_days
        parts.append("""w AS (
            SELECT q.item AS permit_id, q.day AS start, n.days FROM permit_days q, range(1, 32) n(days))""")
        parts.append(f"""permit AS (
            SELECT m.park_id, s.start, s.fin,
                   m.fee_group_cents + {g} * (m.fee_person_cents + (w.days - 1) * m.fee_person_night_cents) AS cost,
                   {worth(task, "permit")} AS u
            FROM s, permits m JOIN w USING (permit_id)
            WHERE w.days BETWEEN m.min_days AND m.max_days
              AND w.start >= s.start + {b} AND w.start + w.days <= s.fin - {b}
              AND (m.max_group < 0 OR m.max_group >= {g})
              AND (SELECT count(*) FROM permit_days z WHERE z.item = m.permit_id AND z.day >= w.start
                   AND z.day < w.start + w.days AND z.remaining >= {g}) = w.days {where(task, "permit")})""")
        joins += " JOIN permit e ON e.park_id = l.park_id AND e.start = l.start AND e.fin = l.fin"
        cost, utility = cost + " + e.cost", utility + " + e.u"
    budget = f"WHERE {cost} <= {task.budget_cents}" if task.budget_cents is not None else ""
    if task.objective.is_cost:
        utility = f"-({cost})"
    parts.append(f"plans AS (SELECT {utility} AS u FROM {tables[0]} {joins} {budget})")
    return "WITH " + ", ".join(parts)

"""SQL about a single plan: the other reading of every constraint, for whoever looks into the database by hand."""

from tripgauge.compass.filters import Sql


def coupled_sql(level: int) -> Sql:
    """The same as SQL, with the names that `plan_query` gives."""
    parts = ["TRUE"]
    parts += ["x.departure = x.start", "x.homeward = x.end", "d.code IS NOT NULL"] if level >= 2 else []
    parts += ["m.park_id = h.park_id", "w.start >= x.start", "w.start + w.days <= x.end"] if level == 3 else []
    return Sql(" AND ".join(parts))


def plan_query(level: int, predicate: Sql) -> Sql:
    """The query that counts one plan if a predicate holds for it, and else none.

    Its first question marks are guests, configuration, start, end and rooms; then flight, departure and return at
    levels II and III; then permit, start and days at level III.
    """
    names = ["guests", "config_id", "start", "end", "rooms"]
    names += ["template_id", "departure", "homeward"] if level >= 2 else []
    names += ["permit_id", "permit_start", "permit_days"] if level == 3 else []
    columns = ["COUNT(o.day) AS nights_sold", "MIN(o.rooms_available) AS rooms_free"]
    columns += ["(x.guests + r.max_occupancy - 1) / r.max_occupancy AS rooms_needed"]
    columns += ["MAX(o.price_cents) AS dearest_night_cents"]
    cost = "x.rooms * COALESCE(SUM(o.price_cents), 0)"
    joins = [
        "JOIN configs c ON c.config_id = x.config_id JOIN rooms r ON r.room_id = c.room_id",
        "JOIN hotels h ON h.hotel_id = c.hotel_id JOIN parks k ON k.park_id = h.park_id",
        "LEFT JOIN offers o ON o.config_id = c.config_id AND o.day >= x.start AND o.day < x.end",
    ]
    if level >= 2:
        joins += [
            "JOIN flights f ON f.template_id = x.template_id JOIN airports a ON a.code = f.destination",
            "JOIN flight_prices p1 ON p1.template_id = f.template_id AND p1.day = x.departure",
            "JOIN flight_prices p2 ON p2.template_id = f.template_id AND p2.day = x.homeward",
            "LEFT JOIN park_airports d ON d.park_id = h.park_id AND d.code = f.destination",
        ]
        columns += ["MIN(p1.out_seats, p2.back_seats) AS seats_free"]
        cost += " + x.guests * (p1.out_price_cents + p2.back_price_cents)"
    if level == 3:
        joins += [
            "JOIN permits m ON m.permit_id = x.permit_id",
            "JOIN permit_windows w ON w.permit_id = m.permit_id",
            "AND w.start = x.permit_start AND w.days = x.permit_days",
        ]
        days = "t.permit_id = m.permit_id AND t.day >= w.start AND t.day < w.start + w.days"
        columns += [f"(SELECT MIN(t.remaining) FROM permit_days t WHERE {days}) AS places_free"]
        cost += " + m.fee_group_cents + x.guests * m.fee_person_cents"
        cost += " + x.guests * (w.days - 1) * m.fee_person_night_cents"
    plan = "SELECT " + ", ".join(f'? AS "{name}"' for name in names)
    text = f"""
        SELECT COUNT(*) FROM (
            SELECT {", ".join([*columns, f"{cost} AS cost_cents"])}
            FROM ({plan}) x {" ".join(joins)}
            GROUP BY c.config_id HAVING {predicate.text})"""
    return Sql(text, predicate.values)

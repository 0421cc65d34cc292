"""Rules about the tables of a sandbox: cells, places, names. (Trip+ A.2)"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from datetime import timedelta
from decimal import Decimal

from tripgauge.trip_plus.data.rules.folder import CheckedTable, Folder, Point, point_of
from tripgauge.trip_plus.data.rules.rule import Problem, RuleBook, some
from tripgauge.trip_plus.data.tables import (
    ALIASES,
    ATTRACTIONS,
    DISTANCES,
    HOTELS,
    LOCATIONS,
    RESTAURANTS,
    WEATHER,
    listed,
    number,
)

TABLES: RuleBook[Folder] = RuleBook("tables of a sandbox")

FARTHEST_KM = 150.0
"""No place of a city is farther from its middle; the outermost genuine ones of the published cities are at 114 km."""

NEAR_KM = 2.0
"""Stations of one name that are no farther apart are one place."""

COMMON_PRICE_SHARE = 0.2
NEEDED = (HOTELS, ATTRACTIONS, RESTAURANTS, LOCATIONS, DISTANCES)
"""Tables without which no plan can be held against a sandbox, whatever it travels by."""

DRY_MM = Decimal(1)
"""Below it a day without rain may still have a trace of it."""


@TABLES.error
def file_is_readable(folder: Folder) -> Iterator[Problem]:
    """Every file can be read."""
    return (Problem("", gap.what, gap.why, file=gap.file) for gap in folder.broken)


@TABLES.error
def needed_file_is_there(folder: Folder) -> Iterator[Problem]:
    """Every table that plans are held against is there: without it nothing is scored."""
    return _missing(folder, needed=True)


@TABLES.warning
def file_is_there(folder: Folder) -> Iterator[Problem]:
    """Every other file of a sandbox is there."""
    return _missing(folder, needed=False)


def _missing(folder: Folder, *, needed: bool) -> Iterator[Problem]:
    """A timetable is needed by tasks that travel by it, which the rules about legs tell."""
    needed_files = () if folder.is_city else tuple(f"{folder.name}/{kind.path}" for kind in NEEDED)
    return (
        Problem("", gap.what, gap.why, file=gap.file) for gap in folder.missing if (gap.file in needed_files) is needed
    )


@TABLES.error
def column_is_there(folder: Folder) -> Iterator[Problem]:
    """A table has every column of its schema."""
    for table in folder.tables:
        for column in table.kind.columns:
            if column.name not in table.table.columns and not column.optional:
                yield Problem(
                    column.name, "no such column", f"the columns are {some(table.table.columns, 30)}", file=table.file
                )


@TABLES.warning
def column_is_known(folder: Folder) -> Iterator[Problem]:
    """A table has no column that its schema does not name."""
    for table in folder.tables:
        known = {column.name for column in table.kind.columns}
        for name in table.table.columns:
            if name not in known:
                yield Problem(name, "unknown column", "nothing reads it", file=table.file)


@TABLES.warning
def table_has_rows(folder: Folder) -> Iterator[Problem]:
    """A table has at least one row."""
    return (
        Problem("", "no rows", "nothing can be looked up", file=table.file) for table in folder.tables if not len(table)
    )


@TABLES.error
def needed_cell_is_filled(folder: Folder) -> Iterator[Problem]:
    """A cell that the schema needs is not empty."""
    return _empty_cells(folder, needed=True)


@TABLES.warning
def wanted_cell_is_filled(folder: Folder) -> Iterator[Problem]:
    """A cell that tools or constraints look at is not empty."""
    return _empty_cells(folder, needed=False)


def _empty_cells(folder: Folder, *, needed: bool) -> Iterator[Problem]:
    for table in folder.tables:
        for column in table.kind.columns:
            if column.name in table.table.columns and (column.needed if needed else column.wanted):
                empty = [index for index, row in enumerate(table) if not row[column.name].strip()]
                if empty:
                    yield Problem(
                        column.name,
                        f"empty in {len(empty)} of {len(table)} rows, such as {table.row_name(empty[0])}",
                        "a value is needed" if needed else "it is not known there",
                        file=table.file,
                    )


@TABLES.error
def cell_fits_its_format(folder: Folder) -> Iterator[Problem]:
    """A cell holds what its column may hold: readable hours and dates, ratings in range, no negative price."""
    for table in folder.tables:
        for column in table.kind.columns:
            if column.name not in table.table.columns:
                continue
            cells = Counter(row[column.name] for row in table)
            for cell, times in cells.items():
                if cell.strip() and not column.format.fits(cell):
                    first = next(index for index, row in enumerate(table) if row[column.name] == cell)
                    more = f" and {times - 1} more" if times > 1 else ""
                    yield Problem(
                        column.name,
                        f'"{cell}"{more}',
                        _as_reason(column.format.sentence),
                        table.row_name(first),
                        table.file,
                    )


def _as_reason(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:].rstrip(".")


@TABLES.error
def place_is_listed_once(folder: Folder) -> Iterator[Problem]:
    """A hotel, restaurant or attraction of one name and city stands in its table once."""
    for kind in (HOTELS, RESTAURANTS, ATTRACTIONS):
        yield from _repeated(folder.of(kind), (kind.key, "city"))


@TABLES.error
def day_of_weather_is_listed_once(folder: Folder) -> Iterator[Problem]:
    """A date stands in the weather table once."""
    return _repeated(folder.of(WEATHER), ("date",))


@TABLES.error
def way_is_listed_once(folder: Folder) -> Iterator[Problem]:
    """A pair of points stands in the distance matrix once."""
    return _repeated(folder.of(DISTANCES), ("origin", "destination"))


def _repeated(table: CheckedTable, key: tuple[str, ...]) -> Iterator[Problem]:
    rows: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for index, row in enumerate(table):
        rows[tuple(row.get(name, "") for name in key)].append(index)
    for value, found in rows.items():
        if len(found) > 1:
            yield Problem(
                ", ".join(key),
                f'"{", ".join(value)}" in {len(found)} rows',
                f"row {found[0] + 1} has it already",
                table.row_name(found[1]),
                table.file,
            )


@TABLES.warning
def rows_are_of_one_city(folder: Folder) -> Iterator[Problem]:
    """All rows of a table of places are of one city."""
    for kind in (HOTELS, RESTAURANTS, ATTRACTIONS):
        table = folder.of(kind)
        cities = Counter(row.get("city", "") for row in table)
        for city, times in cities.most_common()[1:]:
            usual = cities.most_common(1)[0][0]
            yield Problem("city", f'"{city}" in {times} rows', f"the others are of {usual}", file=table.file)


@TABLES.error
def place_lies_in_its_city(folder: Folder) -> Iterator[Problem]:
    """A place lies within 150 km of the middle of its city."""
    for kind in (HOTELS, ATTRACTIONS):
        for name, row in folder.of(kind).named():
            if row.get("city", "") == folder.city:
                yield from _far_off(folder, folder.of(kind).file, name, point_of(row))
    told = {*folder.hotels, *folder.attractions, *folder.restaurants}
    for name, row in folder.of(LOCATIONS).named():
        if row.get("poi_name") not in told:
            yield from _far_off(folder, folder.of(LOCATIONS).file, name, point_of(row))
    for name, row in folder.of(RESTAURANTS).named():
        for point in folder.locations.get(row.get("restaurant_name", ""), ()):
            yield from _far_off(folder, folder.of(RESTAURANTS).file, name, point)


def _far_off(folder: Folder, file: str, record: str, point: Point | None) -> Iterator[Problem]:
    if point and folder.center:
        distance = folder.center.distance_km(point)
        if distance > FARTHEST_KM:
            what = f"at {point.latitude:g}, {point.longitude:g}"
            yield Problem(
                "latitude, longitude", what, f"that is {distance:.0f} km from the middle of the city", record, file
            )


@TABLES.error
def place_is_in_the_location_index(folder: Folder) -> Iterator[Problem]:
    """A hotel, restaurant or attraction is in the location index, where its table says it lies."""
    if not len(folder.of(LOCATIONS)):
        return
    for kind in (HOTELS, RESTAURANTS, ATTRACTIONS):
        table = folder.of(kind)
        for name, row in table.named():
            listed_points = folder.locations.get(row.get(kind.key, ""), ())
            own = point_of(row)
            if not listed_points:
                yield Problem(kind.key, "not in the location index", "no way to it can be found", name, table.file)
            elif own and own not in listed_points and row.get("city", "") == folder.city:
                what = f"at {own.latitude:g}, {own.longitude:g}"
                other = f"the location index has {listed_points[0].latitude:g}, {listed_points[0].longitude:g}"
                yield Problem("latitude, longitude", what, other, name, table.file)


@TABLES.warning
def location_name_is_listed_once(folder: Folder) -> Iterator[Problem]:
    """A name stands in the location index once."""
    repeated = [name for name, points in folder.locations.items() if len(points) > 1 and len(set(points)) == 1]
    if repeated:
        what = f"{len(repeated)} names in several rows, such as {some(repeated)}"
        yield Problem("poi_name", what, "the rows agree on the place, not on its type", file=folder.of(LOCATIONS).file)


@TABLES.error
def location_name_is_one_place(folder: Folder) -> Iterator[Problem]:
    """A name in the location index stands for one place."""
    for name, points in folder.locations.items():
        apart = max((points[0].distance_km(point) for point in points), default=0.0)
        if len(set(points)) > 1:
            why = f"its rows are {apart:.1f} km apart"
            yield Problem(
                "poi_name", f'"{name}" stands for {len(set(points))} places', why, file=folder.of(LOCATIONS).file
            )


@TABLES.error
def alias_leads_to_a_place(folder: Folder) -> Iterator[Problem]:
    """An alias stands for a name that the location index has."""
    table = folder.of(ALIASES)
    for name, row in table.named():
        target = row.get("canonical_name", "")
        if target not in folder.locations:
            yield Problem("canonical_name", f'"{target}"', "the location index has no such name", name, table.file)


@TABLES.error
def alias_has_one_meaning(folder: Folder) -> Iterator[Problem]:
    """An alias stands for one name."""
    table = folder.of(ALIASES)
    for name, row in table.named():
        first = folder.aliases[row.get("alias", "")]
        if row.get("canonical_name", "") != first:
            yield Problem(
                "canonical_name", f'"{row.get("canonical_name", "")}"', f'a row before says "{first}"', name, table.file
            )


@TABLES.warning
def alias_is_no_city_name(folder: Folder) -> Iterator[Problem]:
    """The bare name of a city is no alias of a station: who asks for the city would get the station."""
    table = folder.of(ALIASES)
    cities = {row.get("city", "") for kind in (HOTELS, ATTRACTIONS) for row in folder.of(kind)}
    for name, row in table.named():
        if row.get("alias", "") in cities:
            why = f"the city would be found at {row.get('canonical_name', '')}"
            yield Problem("alias", f'"{row["alias"]}"', why, name, table.file)


@TABLES.warning
def opening_and_closing_differ(folder: Folder) -> Iterator[Problem]:
    """A place does not close at the minute it opens."""
    for kind in (ATTRACTIONS, RESTAURANTS):
        table = folder.of(kind)
        for name, row in table.named():
            if row.get("opening_time", "") and row["opening_time"] == row.get("closing_time", ""):
                what = f"{row['opening_time']}-{row['closing_time']}"
                yield Problem(
                    "closing_time", what, "it is open never or always, and nothing says which", name, table.file
                )


@TABLES.error
def shortest_visit_is_no_longer_than_the_longest(folder: Folder) -> Iterator[Problem]:
    """The shortest visit of an attraction is no longer than the longest."""
    table = folder.of(ATTRACTIONS)
    for name, row in table.named():
        low, high = number(row.get("min_visit_hours", "")), number(row.get("max_visit_hours", ""))
        if low is not None and high is not None and low > high:
            yield Problem("min_visit_hours", f"{low} h", f"the longest visit takes {high} h", name, table.file)


@TABLES.error
def anchor_of_a_restaurant_is_an_attraction(folder: Folder) -> Iterator[Problem]:
    """The attraction that a restaurant is said to be near is in the table of attractions."""
    table = folder.of(RESTAURANTS)
    for name, row in table.named():
        anchor = row.get("nearby_attraction_name", "")
        if anchor and anchor not in folder.attractions:
            yield Problem("nearby_attraction_name", f'"{anchor}"', "no attraction has that name", name, table.file)


@TABLES.warning
def price_is_no_default(folder: Folder) -> Iterator[Problem]:
    """No single price above 0 fills a fifth of a table: it would be a default, not a price."""
    for kind, column in ((RESTAURANTS, "price_per_person"), (HOTELS, "price"), (ATTRACTIONS, "ticket_price")):
        table = folder.of(kind)
        prices = Counter(price for row in table if (price := number(row.get(column, ""))))
        for price, times in prices.most_common(1):
            if len(table) >= 20 and times >= COMMON_PRICE_SHARE * len(table):
                share = f"{times} of {len(table)} rows"
                yield Problem(column, f"{price:g} in {share}", "that looks filled in, not found out", file=table.file)


@TABLES.warning
def label_is_spelled_one_way(folder: Folder) -> Iterator[Problem]:
    """A service or tag is spelled one way: case, blanks and a plural s make no other label."""
    for kind, column in ((HOTELS, "services"), (RESTAURANTS, "tags")):
        table = folder.of(kind)
        spellings: dict[str, set[str]] = defaultdict(set)
        for row in table:
            for label in listed(row.get(column, "")):
                spellings[_plain(label)].add(label)
        for labels in spellings.values():
            if len(labels) > 1:
                yield Problem(column, " / ".join(sorted(labels)), "these are one label", file=table.file)


def _plain(label: str) -> str:
    return "".join(label.casefold().split()).removesuffix("s")


@TABLES.warning
def weather_has_no_gap(folder: Folder) -> Iterator[Problem]:
    """No single day is missing between two days with weather."""
    for found in sorted(folder.weather):
        gap, after = found + timedelta(days=1), found + timedelta(days=2)
        if gap not in folder.weather and after in folder.weather:
            why = f"{found} and {after} have a row"
            yield Problem("date", f"no row for {gap}", why, file=folder.of(WEATHER).file)


@TABLES.error
def highest_temperature_is_not_below_the_lowest(folder: Folder) -> Iterator[Problem]:
    """The highest temperature of a day is not below the lowest."""
    table = folder.of(WEATHER)
    for name, row in table.named():
        high, low = number(row.get("temperature_max_c", "")), number(row.get("temperature_min_c", ""))
        if high is not None and low is not None and high < low:
            yield Problem("temperature_max_c", f"{high} °C", f"the lowest is {low} °C", name, table.file)


@TABLES.warning
def dry_weather_is_dry(folder: Folder) -> Iterator[Problem]:
    """A day called clear or cloudy has less than 1 mm of rain."""
    table = folder.of(WEATHER)
    for name, row in table.named():
        rain = number(row.get("precipitation_mm", ""))
        if row.get("weather_condition") in ("Clear", "Cloudy") and rain is not None and rain >= DRY_MM:
            yield Problem("weather_condition", row["weather_condition"], f"{rain} mm of rain fell", name, table.file)


@TABLES.warning
def metro_line_is_listed_once(folder: Folder) -> Iterator[Problem]:
    """A metro line stands in the file once; branches would be taken for one line."""
    for line, times in Counter(line.name for line in folder.subway).items():
        if times > 1:
            yield Problem("lines", f'"{line}" {times} times', "one name, several lines", file=_subway(folder))


@TABLES.warning
def metro_station_is_one_place(folder: Folder) -> Iterator[Problem]:
    """Metro stations of one name lie within 2 km of each other."""
    for name, points in _stations(folder).items():
        apart = max(one.distance_km(other) for one in points for other in points)
        if apart > NEAR_KM:
            yield Problem(
                "stations", f'"{name}"', f"two stations of that name are {apart:.1f} km apart", file=_subway(folder)
            )


@TABLES.error
def metro_station_lies_in_its_city(folder: Folder) -> Iterator[Problem]:
    """A metro station lies within 150 km of the middle of its city."""
    for name, points in _stations(folder).items():
        for point in points[:1]:
            yield from _far_off(folder, _subway(folder), f"station {name}", point)


def _subway(folder: Folder) -> str:
    return f"{folder.name}/subway/subway.json"


def _stations(folder: Folder) -> Mapping[str, list[Point]]:
    found: dict[str, list[Point]] = defaultdict(list)
    for line in folder.subway:
        for stop in line.stops:
            point = point_of({"latitude": stop.latitude, "longitude": stop.longitude})
            if point:
                found[stop.name].append(point)
    return found


@TABLES.error
def metro_station_has_coordinates(folder: Folder) -> Iterator[Problem]:
    """Every metro station says where it lies."""
    for line in folder.subway:
        lost = [
            stop.name for stop in line.stops if not point_of({"latitude": stop.latitude, "longitude": stop.longitude})
        ]
        if lost:
            yield Problem("stations", f"{some(lost)} of {line.name}", "no readable coordinates", file=_subway(folder))


@TABLES.error
def way_leads_between_known_places(folder: Folder) -> Iterator[Problem]:
    """A point of the distance matrix is a point of the location index."""
    table, places = folder.of(DISTANCES), folder.of(LOCATIONS)
    if not len(table) or not len(places):
        return
    known = {f"{row['latitude']},{row['longitude']}" for row in places}
    used = {row.get(column, "") for row in table for column in ("origin", "destination")}
    unknown = sorted(used - known)
    if unknown:
        what = f"{len(unknown)} of {len(used)} points, such as {some(unknown, 1)}"
        yield Problem("origin, destination", what, "no place lies exactly there", file=table.file)


@TABLES.error
def way_leads_somewhere_else(folder: Folder) -> Iterator[Problem]:
    """A way of the distance matrix does not end where it starts."""
    table = folder.of(DISTANCES)
    for name, row in table.named():
        if row.get("origin") == row.get("destination"):
            yield Problem("destination", str(row.get("destination")), "the way starts there", name, table.file)

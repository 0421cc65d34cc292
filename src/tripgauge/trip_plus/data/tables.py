"""The tables of a sandbox as files: which columns they have and what a cell may hold. (Trip+ A.2, Table 5)

This is the schema (version 1) that `tripgauge schema` prints and `tripgauge data check` holds the files against. Cells
are text; an empty cell says that the value is not known.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation

VERSION = 1
"""Version of the table schemas."""

MINUTES_PER_DAY = 24 * 60
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
SEAT_CLASSES = (
    *("Economy", "Business Class", "First Class"),
    *("Second Class Seat", "First Class Seat", "Business Class Seat", "Special Class Seat"),
    *("Hard Seat", "Hard Sleeper", "Soft Sleeper", "High-Class Soft Sleeper", "EMU Sleeper", "No Seat"),
)
RISKS = ("high", "medium", "low")


def number(cell: str) -> Decimal | None:
    """The number in a cell; None if there is none. Infinite values are none."""
    try:
        value = Decimal(cell.strip())
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def minute_of_day(cell: str) -> int | None:
    """A clock time HH:MM as minutes after midnight, 24:00 included; None if it is none."""
    match = re.fullmatch(r"(\d{2}):(\d{2})", cell.strip())
    if not match:
        return None
    minutes = int(match[1]) * 60 + int(match[2])
    return minutes if int(match[2]) < 60 and minutes <= MINUTES_PER_DAY else None


def day(cell: str) -> date | None:
    """A date YYYY-MM-DD; None if it is none."""
    try:
        return date.fromisoformat(cell) if re.fullmatch(r"\d{4}-\d{2}-\d{2}", cell) else None
    except ValueError:
        return None


def moment(cell: str) -> datetime | None:
    """A date and time YYYY-MM-DD HH:MM:SS, local and without a zone; None if it is none."""
    try:
        return datetime.fromisoformat(cell) if re.fullmatch(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}", cell) else None
    except ValueError:
        return None


def listed(cell: str) -> tuple[str, ...]:
    """The values of a cell that lists several, divided by semicolons."""
    return tuple(part.strip() for part in cell.split(";") if part.strip())


@dataclass(frozen=True)
class Format:
    """What a cell may hold."""

    id: str
    sentence: str
    """As a rule: "A price is a number of yuan, not below 0"."""

    fits: Callable[[str], bool]


def _between(low: int, high: int) -> Callable[[str], bool]:
    def fits(cell: str) -> bool:
        value = number(cell)
        return value is not None and low <= value <= high

    return fits


def _one_of(words: tuple[str, ...]) -> Callable[[str], bool]:
    return lambda cell: cell in words


def _is_date_list(cell: str) -> bool:
    return all(name.strip() in WEEKDAYS for name in cell.split(","))


TEXT = Format("text", "A text is anything.", lambda cell: True)
PRICE = Format("price", "A price is a number of yuan, not below 0.", _between(0, 10**6))
FARE = Format(
    "fare", "A fare is a number of yuan above 0.", lambda cell: _between(0, 10**6)(cell) and number(cell) != 0
)
RATING = Format("rating", "A rating is a number from 0 to 5.", _between(0, 5))
STARS = Format("stars", "Stars are a whole number from 1 to 5.", _one_of(("1", "2", "3", "4", "5")))
YEAR = Format("year", "A year has four digits and lies between 1900 and 2100.", _between(1900, 2100))
LATITUDE = Format("latitude", "A latitude is a number of degrees from -90 to 90.", _between(-90, 90))
LONGITUDE = Format("longitude", "A longitude is a number of degrees from -180 to 180.", _between(-180, 180))
CLOCK = Format("clock", "A time of day is HH:MM, up to 24:00.", lambda cell: minute_of_day(cell) is not None)
DATE = Format("date", "A date is YYYY-MM-DD.", lambda cell: day(cell) is not None)
DATETIME = Format("datetime", "A date and time is YYYY-MM-DD HH:MM:SS.", lambda cell: moment(cell) is not None)
WEEKDAY_LIST = Format("weekdays", "Closing days are English weekday names divided by commas.", _is_date_list)
HOURS = Format(
    "hours",
    "A length in hours is a number above 0, up to 24.",
    lambda cell: _between(0, 24)(cell) and number(cell) != 0,
)
MINUTES = Format("minutes", "A length in minutes is a whole number, not below 0.", lambda cell: cell.isdigit())
COUNT = Format("count", "A count is a whole number, not below 0.", lambda cell: cell.isdigit())
SEGMENT = Format("segment", "A segment of a route is 1 or 2.", _one_of(("1", "2")))
LIST = Format(
    "list",
    "A list is divided by semicolons and repeats nothing.",
    lambda cell: len(set(listed(cell))) == len(listed(cell)),
)
RISK = Format("risk", "A risk is high, medium or low.", _one_of(RISKS))
SEAT_CLASS = Format("seat_class", "A seat class is one of the published names.", _one_of(SEAT_CLASSES))
AMOUNT = Format("amount", "An amount is a number, not below 0.", _between(0, 10**6))
MEASURE = Format("measure", "A measurement is a number.", lambda cell: number(cell) is not None)
POINT = Format(
    "point",
    'A point is "latitude,longitude" in degrees.',
    lambda cell: (
        (parts := cell.split(",")) is not None
        and len(parts) == 2
        and LATITUDE.fits(parts[0])
        and LONGITUDE.fits(parts[1])
    ),
)

FORMATS = (
    *(TEXT, PRICE, FARE, RATING, STARS, YEAR, LATITUDE, LONGITUDE, CLOCK, DATE, DATETIME, WEEKDAY_LIST, HOURS),
    *(MINUTES, COUNT, SEGMENT, LIST, RISK, SEAT_CLASS, AMOUNT, MEASURE, POINT),
)


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    format: Format = TEXT
    needed: bool = False
    """Whether every row must have a value there."""

    wanted: bool = False
    """Whether tools or constraints look at it, so that an empty cell loses something."""

    optional: bool = False
    """Whether a table may lack it."""


def _needed(name: str, form: Format = TEXT) -> Column:
    return Column(name, form, needed=True)


def _wanted(name: str, form: Format = TEXT) -> Column:
    return Column(name, form, wanted=True)


@dataclass(frozen=True)
class TableKind:
    """A kind of CSV file."""

    name: str
    meaning: str
    path: str
    """Where it lies in a sandbox folder."""

    key: str
    """The column that names a row in messages."""

    columns: tuple[Column, ...]
    sample: bool = True
    """Whether each task's sandbox has one."""

    city: bool = True
    """Whether city-level data has one."""


_JOURNEY = (
    _needed("origin_city"),
    _needed("destination_city"),
    _needed("dep_date", DATE),
    Column("dep_station_code"),
    _needed("dep_station_name"),
    Column("arr_station_code"),
    _needed("arr_station_name"),
    _needed("dep_datetime", DATETIME),
    _needed("arr_datetime", DATETIME),
    _needed("duration", MINUTES),
)
_ROUTE = (
    _needed("price", FARE),
    _needed("segment_index", SEGMENT),
    _needed("route_index"),
    Column("sample_id"),
)
_SEATS = Column("seat_status", optional=True)

ATTRACTIONS = TableKind(
    "attractions",
    "Sights of the destination.",
    "attractions/attractions.csv",
    "attraction_name",
    (
        _needed("city"),
        _needed("attraction_name"),
        Column("description"),
        _needed("attraction_type"),
        Column("address"),
        _needed("latitude", LATITUDE),
        _needed("longitude", LONGITUDE),
        _wanted("rating", RATING),
        _needed("opening_time", CLOCK),
        _needed("closing_time", CLOCK),
        Column("closing_dates", WEEKDAY_LIST),
        _needed("min_visit_hours", HOURS),
        _needed("max_visit_hours", HOURS),
        _needed("ticket_price", PRICE),
        Column("popularity_tags", LIST),
        Column("crowd_risk", RISK),
        Column("queue_risk", RISK),
        Column("peak_crowd_windows", LIST),
    ),
)
HOTELS = TableKind(
    "hotels",
    "Hotels of the destination; prices are for a room and night.",
    "hotels/hotels.csv",
    "name",
    (
        _needed("city"),
        _needed("name"),
        Column("address"),
        _needed("latitude", LATITUDE),
        _needed("longitude", LONGITUDE),
        _wanted("decoration_time", YEAR),
        _wanted("hotel_star", STARS),
        _needed("price", PRICE),
        _wanted("score", RATING),
        _wanted("brand"),
        Column("services", LIST),
    ),
)
RESTAURANTS = TableKind(
    "restaurants",
    "Restaurants of the destination; where they lie is in the location index.",
    "restaurants/restaurants.csv",
    "restaurant_name",
    (
        _needed("restaurant_name"),
        _needed("city"),
        _needed("price_per_person", PRICE),
        _needed("cuisine"),
        _needed("opening_time", CLOCK),
        _needed("closing_time", CLOCK),
        _needed("nearby_attraction_name"),
        _wanted("rating", RATING),
        Column("tags", LIST),
    ),
)
LOCATIONS = TableKind(
    "locations",
    "Coordinates by name.",
    "locations/locations_coords.csv",
    "poi_name",
    (
        _needed("poi_name"),
        _needed("latitude", LATITUDE),
        _needed("longitude", LONGITUDE),
        Column("address"),
        _needed("poi_type"),
    ),
)
ALIASES = TableKind(
    "location_aliases",
    "Other names of places, such as station codes.",
    "locations/location_aliases.csv",
    "alias",
    (_needed("alias"), _needed("canonical_name"), Column("entity_type"), Column("source")),
)
ENTITIES = TableKind(
    "location_entities",
    "Places of a whole city, for city-level data.",
    "locations/location_entities.csv",
    "canonical_name",
    (
        _needed("canonical_name"),
        _needed("latitude", LATITUDE),
        _needed("longitude", LONGITUDE),
        Column("address"),
        Column("entity_type"),
        Column("source"),
    ),
    sample=False,
)
FLIGHTS = TableKind(
    "flights",
    "Flights by date and class; fares are per person.",
    "flights/flights.csv",
    "flight_no",
    (
        *_JOURNEY,
        _needed("flight_no"),
        Column("airline"),
        _needed("seat_class", SEAT_CLASS),
        _SEATS,
        Column("equip_type"),
        Column("equip_size"),
        Column("manufacturer"),
        *_ROUTE,
    ),
)
TRAINS = TableKind(
    "trains",
    "Trains by date and class; fares are per person.",
    "trains/trains.csv",
    "train_no",
    (*_JOURNEY, _needed("train_no"), _needed("train_type"), _needed("seat_class", SEAT_CLASS), _SEATS, *_ROUTE),
)
DISTANCES = TableKind(
    "distance_matrix",
    "Ways between points of the city, one direction a row; a cost of 0 marks a walk.",
    "transportation/distance_matrix.csv",
    "origin",
    (
        _needed("origin", POINT),
        _needed("destination", POINT),
        _needed("distance_meters", COUNT),
        _needed("duration_minutes", MEASURE),
        _needed("cost", PRICE),
    ),
)
WEATHER = TableKind(
    "weather",
    "The weather of the destination by day.",
    "weather/weather_daily.csv",
    "date",
    (
        _needed("date", DATE),
        _needed("weather_code", COUNT),
        _needed("weather_condition"),
        _needed("temperature_max_c", MEASURE),
        _needed("temperature_min_c", MEASURE),
        _needed("precipitation_mm", AMOUNT),
        Column("precipitation_hours", AMOUNT),
    ),
)

TABLE_KINDS = (
    *(ATTRACTIONS, HOTELS, RESTAURANTS, LOCATIONS, ALIASES, ENTITIES),
    *(FLIGHTS, TRAINS, DISTANCES, WEATHER),
)

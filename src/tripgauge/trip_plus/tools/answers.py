"""What the Trip+ tools answer in. A field that is not known is left out of the answer an agent reads."""

from dataclasses import dataclass
from datetime import date as Day
from datetime import timedelta
from decimal import Decimal
from typing import Literal

from tripgauge.tools import Listing
from tripgauge.trip_plus.sandbox.records import (
    MINUTES_PER_DAY,
    WEEKDAYS,
    Attraction,
    Coordinates,
    Hotel,
    Hours,
    Journey,
    Place,
    Restaurant,
    distance_km,
)
from tripgauge.trip_plus.sandbox.transit import (
    WALKING_KM_PER_HOUR,
    MetroRide,
    Mode,
    NoMetro,
    Preference,
    RoadRide,
    minutes_for,
    recommended_mode,
)
from tripgauge.trip_plus.sandbox.weather_risk import Advisory


@dataclass(frozen=True)
class Leg:
    """One flight or train of a journey."""

    number: str
    carrier: str
    from_station: str
    departure: str
    to_station: str
    arrival: str
    duration_minutes: int
    seat_class: str
    seats_left: str | None


@dataclass(frozen=True)
class Offer:
    """A journey on sale."""

    price_per_person: Decimal | None
    direct: bool
    duration_minutes: int
    segments: tuple[Leg, ...]


@dataclass(frozen=True)
class HotelOffer:
    """A hotel."""

    name: str
    city: str
    address: str | None
    coordinates: str | None
    star: int | None
    price_per_room_night: Decimal | None
    score: Decimal | None
    brand: str | None
    decoration_year: int | None
    services: tuple[str, ...] | None


@dataclass(frozen=True)
class OpeningTimes:
    """When a place is open."""

    opens: str
    closes: str
    closed_on: tuple[str, ...] | None


@dataclass(frozen=True)
class Sight:
    """A sight, at a glance."""

    name: str
    type: str | None
    rating: Decimal | None
    price_per_person: Decimal | None
    opening_times: OpeningTimes | None
    description: str | None
    popularity_tags: tuple[str, ...] | None
    crowd_risk: str | None
    queue_risk: str | None
    peak_crowd_windows: tuple[str, ...] | None


@dataclass(frozen=True)
class SightDetails(Sight):
    """All that is known of a sight."""

    city: str | None
    address: str | None
    coordinates: str | None
    min_visit_minutes: timedelta | None
    max_visit_minutes: timedelta | None


@dataclass(frozen=True)
class Meal:
    """A restaurant."""

    name: str
    price_per_person: Decimal | None
    rating: Decimal | None
    cuisine: str | None
    opening_times: OpeningTimes | None
    nearby_attraction: str | None
    tags: tuple[str, ...] | None
    coordinates: str | None = None
    distance_meters: int | None = None


@dataclass(frozen=True)
class Meals:
    """Restaurants near a place."""

    near: str
    found_by: str
    restaurants: Listing[Meal]


@dataclass(frozen=True)
class FoundPlace:
    """Where a place is."""

    name: str
    kind: str | None
    city: str | None
    coordinates: str
    address: str | None


@dataclass(frozen=True)
class RoadAnswer:
    """The way between two points."""

    mode: Literal["walking", "taxi"]
    distance_meters: int
    duration_minutes: int
    cost_per_vehicle: int | float
    source: Literal["distance matrix", "estimate from the distance as the crow flies"]


@dataclass(frozen=True)
class MetroAnswer:
    """The way by metro."""

    duration_minutes: int
    cost_per_person: int | float
    lines: tuple[str, ...]
    stations: tuple[str, ...]
    changes: int
    walk_to_station_meters: int
    walk_from_station_meters: int


@dataclass(frozen=True)
class TransportPlan:
    """How to get from one place to another."""

    city: str
    origin_place: str
    destination_place: str
    direct_distance_meters: int
    recommended_mode: Mode
    duration_minutes: int
    cost: int | float
    cost_is: Literal["free", "per vehicle", "per person"]
    traveler_preference: Preference
    road: RoadAnswer
    metro: MetroAnswer | None
    no_metro: str | None


@dataclass(frozen=True)
class DayWeather:
    """A day's weather."""

    city: str
    date: Day
    requested_date: Day | None
    note: str | None
    weather_code: int | None
    condition: str
    temperature_min_c: float | None
    temperature_max_c: float | None
    precipitation_mm: float | None
    precipitation_hours: float | None
    travel_advisory: Advisory


def _text(point: Coordinates | None) -> str | None:
    return point.text if point else None


def offer_of(journey: Journey) -> Offer:
    """A journey as it is offered."""
    legs = tuple(
        Leg(
            number=leg.number,
            carrier=leg.carrier,
            from_station=leg.origin.name,
            departure=leg.departure.isoformat(sep=" ", timespec="minutes"),
            to_station=leg.destination.name,
            arrival=leg.arrival.isoformat(sep=" ", timespec="minutes"),
            duration_minutes=leg.duration // timedelta(minutes=1),
            seat_class=leg.seat_class,
            seats_left=leg.seat_status,
        )
        for leg in journey.legs
    )
    return Offer(journey.fare, journey.is_direct, journey.duration // timedelta(minutes=1), legs)


def hotel_offer(hotel: Hotel) -> HotelOffer:
    """A hotel as it is offered."""
    return HotelOffer(
        name=hotel.name,
        city=hotel.city,
        address=hotel.address or None,
        coordinates=_text(hotel.coordinates),
        star=hotel.star,
        price_per_room_night=hotel.price,
        score=hotel.score,
        brand=hotel.brand or None,
        decoration_year=hotel.decoration_year,
        services=hotel.services or None,
    )


def _opening_times(hours: Hours | None) -> OpeningTimes | None:
    if hours is None:
        return None
    closed = tuple(WEEKDAYS[day - 1] for day in sorted(hours.closed_on)) or None
    late = " (next day)" if hours.closes > MINUTES_PER_DAY and not hours.always else ""
    if hours.always:
        return OpeningTimes("00:00", "24:00", closed)
    return OpeningTimes(_hour(hours.opens), _hour(hours.closes) + late, closed)


def _hour(minutes: int) -> str:
    within = minutes if minutes <= MINUTES_PER_DAY else minutes - MINUTES_PER_DAY
    return f"{within // 60:02d}:{within % 60:02d}"


def sight_at_a_glance(sight: Attraction) -> Sight:
    """What a list of sights says of one."""
    return Sight(
        name=sight.name,
        type=sight.type or None,
        rating=sight.rating,
        price_per_person=sight.price,
        opening_times=_opening_times(sight.hours),
        description=sight.description or None,
        popularity_tags=sight.popularity_tags or None,
        crowd_risk=sight.crowd_risk or None,
        queue_risk=sight.queue_risk or None,
        peak_crowd_windows=sight.peak_crowd_windows or None,
    )


def meal_at(restaurant: Restaurant, meters: int | None, *, with_coordinates: bool = False) -> Meal:
    """A restaurant as it is shown, `meters` away from the place asked for."""
    return Meal(
        name=restaurant.name,
        price_per_person=restaurant.price,
        rating=restaurant.rating,
        cuisine=restaurant.cuisine or None,
        opening_times=_opening_times(restaurant.hours),
        nearby_attraction=restaurant.nearby_attraction or None,
        tags=restaurant.tags or None,
        coordinates=_text(restaurant.coordinates) if with_coordinates else None,
        distance_meters=meters,
    )


_NO_METRO = {
    "no_subway_data": "no metro is known in this city",
    "same_station": "the nearest metro station to both is the same",
    "no_path": "no metro line connects their nearest stations",
}


def transport_plan(
    city: str, start: Place, end: Place, preference: Preference, road: RoadAnswer, metro: MetroRide | NoMetro
) -> TransportPlan:
    """Every way from one place to another, with the one to take."""
    meters = distance_km(start.coordinates, end.coordinates) * 1000
    by_road = RoadRide(road.mode == "walking", road.distance_meters, road.duration_minutes, road.cost_per_vehicle)
    mode = recommended_mode(meters, preference, by_road, metro)
    by_metro = _metro_answer(metro) if isinstance(metro, MetroRide) else None
    minutes, cost = minutes_for(meters, WALKING_KM_PER_HOUR), 0.0
    if mode == "taxi":
        minutes, cost = road.duration_minutes, road.cost_per_vehicle
    elif mode == "subway" and by_metro is not None:
        minutes, cost = by_metro.duration_minutes, by_metro.cost_per_person
    elif road.mode == "walking":
        minutes = road.duration_minutes
    return TransportPlan(
        city=city,
        origin_place=start.name,
        destination_place=end.name,
        direct_distance_meters=round(meters),
        recommended_mode=mode,
        duration_minutes=minutes,
        cost=int(cost) if float(cost).is_integer() else cost,
        cost_is="free" if mode == "walking" else "per vehicle" if mode == "taxi" else "per person",
        traveler_preference=preference,
        road=road,
        metro=by_metro,
        no_metro=_NO_METRO[metro] if isinstance(metro, str) else None,
    )


def _metro_answer(metro: MetroRide) -> MetroAnswer:
    return MetroAnswer(
        duration_minutes=metro.minutes,
        cost_per_person=metro.fare,
        lines=metro.path.rides,
        stations=metro.path.stations,
        changes=metro.path.changes,
        walk_to_station_meters=metro.walk_start_meters,
        walk_from_station_meters=metro.walk_end_meters,
    )


def sight_details(sight: Attraction) -> SightDetails:
    """All that is known of a sight."""
    return SightDetails(
        **vars(sight_at_a_glance(sight)),
        city=sight.city or None,
        address=sight.address or None,
        coordinates=_text(sight.coordinates),
        min_visit_minutes=sight.min_visit,
        max_visit_minutes=sight.max_visit,
    )

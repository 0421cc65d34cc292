"""The fixed evidence of a task, indexed for the questions asked of it. (Trip+ 2.2)

Read-only, and the same for tools, execution trace and checks: what a tool shows is what a check compares with.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Protocol, TypeVar

from tripgauge.trip_plus.sandbox.files import CityFiles, MatrixEntry, Row, SandboxFiles, SubwayLine, Table
from tripgauge.trip_plus.sandbox.names import NameIndex, folded
from tripgauge.trip_plus.sandbox.price_levels import PriceLevels, price_levels
from tripgauge.trip_plus.sandbox.records import (
    Attraction,
    Coordinates,
    Hotel,
    Journey,
    Place,
    Restaurant,
    Ride,
    Service,
    ServiceKind,
    Station,
    Stop,
    Weather,
    amount,
    distance_km,
    hours,
    listed,
    measure,
    moment,
    visit_length,
    weekdays,
    whole,
)
from tripgauge.trip_plus.sandbox.transit import (
    DRIVING_KM_PER_HOUR,
    WALKING_KM_PER_HOUR,
    MetroMap,
    minutes_for,
    taxi_fare,
)

LONGEST_WALK_KM = 1.5
"""Up to here a way that the distance matrix lacks is taken on foot."""

LONGEST_CHANGE = timedelta(hours=24)
"""Legs further apart are no connection, though they bear the same route number on other days."""


class Located(Protocol):
    """What stands somewhere: a place, hotel, restaurant, attraction or station."""

    @property
    def coordinates(self) -> Coordinates | None:
        """Where."""
        ...


_Named = TypeVar("_Named", Hotel, Restaurant, Attraction)


class Sandbox:
    """What one task's world holds, and its answers to questions."""

    def __init__(self, files: SandboxFiles) -> None:
        self.files = files
        sample = files.sample
        self.hotels = tuple(_hotel(row) for row in sample.hotels)
        self.attractions = tuple(_attraction(row) for row in sample.attractions)
        self.restaurants = tuple(self._restaurant(row) for row in sample.restaurants)
        aliases = tuple(self._aliases)
        self._hotels = _index(self.hotels, aliases)
        self._attractions = _index(self.attractions, aliases)
        self._restaurants = _index(self.restaurants, aliases)

    @classmethod
    def of(cls, files: SandboxFiles) -> "Sandbox":
        """The sandbox in some files."""
        return cls(files)

    # --- Cities and places

    @cached_property
    def destination(self) -> str:
        """The city the sandbox describes; the empty text if it does not say."""
        meta = self.files.sample.meta
        if meta and meta.dest:
            return meta.dest[0]
        cities = [*(hotel.city for hotel in self.hotels), *(sight.city for sight in self.attractions)]
        return next(filter(None, cities), "")

    @cached_property
    def origin(self) -> str:
        """The city the trip starts in; the empty text if the sandbox does not say."""
        meta = self.files.sample.meta
        return meta.org if meta else ""

    def hotels_in(self, city: str) -> tuple[Hotel, ...]:
        """The hotels of a city: the highest score first, equal ones by price and name; what is not known last."""
        return self._hotels_by_city.get(_bare_city(city), ())

    def attractions_in(self, city: str) -> tuple[Attraction, ...]:
        """The sights of a city in table order."""
        return self._attractions_by_city.get(_bare_city(city), ())

    def restaurants_listed_for(self, place: str) -> tuple[Restaurant, ...]:
        """The restaurants whose row names that place as the sight nearby, in table order."""
        return self._restaurants_by_anchor.get(folded(place), ())

    @cached_property
    def _hotels_by_city(self) -> Mapping[str, tuple[Hotel, ...]]:
        return _grouped(sorted(self.hotels, key=_hotel_order), lambda hotel: _bare_city(hotel.city))

    @cached_property
    def _attractions_by_city(self) -> Mapping[str, tuple[Attraction, ...]]:
        return _grouped(self.attractions, lambda sight: _bare_city(sight.city))

    @cached_property
    def _restaurants_by_anchor(self) -> Mapping[str, tuple[Restaurant, ...]]:
        return _grouped(self.restaurants, lambda restaurant: folded(restaurant.nearby_attraction))

    def hotel(self, name: str, city: str | None = None) -> Hotel | None:
        """The hotel of that name in that city; without a city, in the destination before others."""
        return _in_city(self._hotels.all(name), city, self.destination)

    def restaurant(self, name: str, city: str | None = None) -> Restaurant | None:
        """The restaurant of that name in that city; without a city, in the destination before others."""
        return _in_city(self._restaurants.all(name), city, self.destination)

    def attraction(self, name: str, city: str | None = None) -> Attraction | None:
        """The sight of that name in that city; without a city, in the destination before others."""
        return _in_city(self._attractions.all(name), city, self.destination)

    def place(self, name: str) -> Place | None:
        """Anything of that name or alias with known coordinates: in the destination first, then in other cities."""
        found = self._places.get(name)
        if found is None and self.files.cities is not None:
            found = next((place for index in self._places_elsewhere for place in index.all(name)), None)
        return found

    def place_in(self, name: str, city: str) -> Place | None:
        """Anything of that name or alias with known coordinates in that city."""
        if same_city(city, self.destination):
            found = self._places.get(name)
            if found is not None:
                return found
        elsewhere = (place for index in self._places_elsewhere for place in index.all(name))
        return next((place for place in elsewhere if place.city and same_city(place.city, city)), None)

    @cached_property
    def place_names(self) -> tuple[str, ...]:
        """The names of the destination's places, for hints."""
        named = (place.name for place in _places(self.files.sample.locations, self.destination))
        return tuple(dict.fromkeys(named))

    def same_place(self, a: str, b: str) -> bool:
        """Whether two names are spellings or aliases of one place."""
        if folded(a) == folded(b):
            return True
        first, second = self.place(a), self.place(b)
        return first is not None and second is not None and folded(first.name) == folded(second.name)

    @cached_property
    def _located(self) -> NameIndex[Place]:
        """The location index alone, needed before the other tables are read."""
        return NameIndex((place.name, place) for place in _places(self.files.sample.locations, self.destination))

    @cached_property
    def _places(self) -> NameIndex[Place]:
        records: Iterable[Hotel | Restaurant | Attraction] = (*self.hotels, *self.restaurants, *self.attractions)
        in_tables = (
            Place(record.name, type(record).__name__.lower(), record.city or None, record.coordinates)
            for record in records
            if record.coordinates
        )
        known = [*_places(self.files.sample.locations, self.destination), *in_tables]
        known.extend(_metro_places(self.files.sample.subway, self.destination))
        index = NameIndex((place.name, place) for place in known)
        index.add_aliases(self._aliases)
        return index

    @cached_property
    def _places_elsewhere(self) -> tuple[NameIndex[Place], ...]:
        if self.files.cities is None:
            return ()
        cities = (self.files.cities.city(name) for name in (self.origin, self.destination) if name)
        return tuple(_city_places(city) for city in cities if city is not None)

    @cached_property
    def _aliases(self) -> tuple[tuple[str, str], ...]:
        """Alias and name. A bare city name listed as alias of a station is none: a city is not a station."""
        cities = {folded(self.destination), folded(self.origin)}
        rows = ((row["alias"], row["canonical_name"]) for row in self.files.sample.aliases)
        return tuple((alias, name) for alias, name in rows if folded(alias) not in cities)

    def _restaurant(self, row: Row) -> Restaurant:
        name = row["restaurant_name"]
        places = self._located.all(name)
        place = next((place for place in places if place.kind == "restaurant"), next(iter(places), None))
        return Restaurant(
            name=name,
            city=row.get("city", ""),
            coordinates=place.coordinates if place else None,
            price=amount(row.get("price_per_person", "")),
            rating=amount(row.get("rating", "")),
            cuisine=row.get("cuisine", ""),
            hours=hours(row.get("opening_time", ""), row.get("closing_time", "")),
            nearby_attraction=row.get("nearby_attraction_name", ""),
            tags=listed(row.get("tags", "")),
            source=row,
        )

    @cached_property
    def hotel_prices(self) -> PriceLevels | None:
        """What a night costs in the destination; None if no price is known."""
        return price_levels(hotel.price for hotel in self.hotels if self._is_there(hotel.city))

    @cached_property
    def meal_prices(self) -> PriceLevels | None:
        """What a meal costs in the destination; None if no price is known."""
        return price_levels(restaurant.price for restaurant in self.restaurants if self._is_there(restaurant.city))

    def _is_there(self, city: str) -> bool:
        return not city or not self.destination or same_city(city, self.destination)

    # --- Ways

    def ride(self, start: Located, end: Located) -> Ride | None:
        """The way between two points: the matrix's, else walked up to 1.5 km and driven beyond. None if one is lost."""
        if start.coordinates is None or end.coordinates is None:
            return None
        a, b = start.coordinates, end.coordinates
        if a == b:
            return Ride(0, 0, 0, measured=False)
        entry = self._matrix.get((a.text, b.text))
        ride = _measured(entry) if entry else None
        return ride or estimated_ride(distance_km(a, b), self.destination)

    def travel_minutes(self, start: Located, end: Located) -> int | None:
        """How long the way between two points takes. None if the coordinates of one are unknown."""
        ride = self.ride(start, end)
        return ride.minutes if ride else None

    @cached_property
    def _matrix(self) -> Mapping[tuple[str, str], MatrixEntry]:
        """The matrix by coordinates with six decimals, however the file writes them."""
        given = self.files.sample.distance_matrix
        distinct = {start for start, _ in given} | {end for _, end in given}
        texts = {text: _six_decimals(text) for text in distinct}
        if all(text == plain for text, plain in texts.items()):
            return given
        return {(texts[start], texts[end]): entry for (start, end), entry in given.items()}

    def metro(self, city: str) -> MetroMap | None:
        """The metro of a city: the sandbox's own for its destination, else that of the city-level data."""
        key = folded(city)
        if key not in self._metros:
            own = self.files.sample.subway if same_city(city, self.destination) else ()
            files = self.files.cities.city(city) if not own and self.files.cities is not None else None
            lines = own or (files.subway if files else ())
            self._metros[key] = MetroMap(lines) if lines else None
        return self._metros[key]

    @cached_property
    def _metros(self) -> dict[str, MetroMap | None]:
        return {}

    # --- Services between cities

    @cached_property
    def all_services(self) -> tuple[Service, ...]:
        """Every leg in the timetables, in table order, flights first. Rows without readable times are left out."""
        flights = _services(self.files.sample.flights, "flight", "flight_no", "airline")
        return (*flights, *_services(self.files.sample.trains, "train", "train_no", "train_type"))

    def services(self, number: str) -> tuple[Service, ...]:
        """Every dated leg of a flight or train number, each day and seat class once."""
        return self._services_by_number.get(_number(number), ())

    def services_on(self, number: str, day: date) -> tuple[Service, ...]:
        """The legs of a number that depart on that day, one for each seat class and pair of stations."""
        return tuple(service for service in self.services(number) if service.date == day)

    @cached_property
    def _services_by_number(self) -> Mapping[str, tuple[Service, ...]]:
        by_number: dict[str, dict[object, Service]] = defaultdict(dict)
        for service in self.all_services:
            by_number[_number(service.number)].setdefault((service.segment, *_offer_key(service)), service)
        return {number: tuple(services.values()) for number, services in by_number.items()}

    def journeys(self, kind: ServiceKind, origin: str, destination: str, day: date) -> tuple[Journey, ...]:
        """What is sold from city to city by that kind of service with departure on that day, each offer once.

        In the order of departure, then price, arrival, numbers and seat classes; without a price last.
        """
        return self._journeys_by_day.get((kind, folded(origin), folded(destination), day), ())

    def journeys_with(self, number: str, day: date) -> tuple[Journey, ...]:
        """The journeys that have the leg of that number departing on that day."""
        return self._journeys_by_leg.get((_number(number), day), ())

    @cached_property
    def cities(self) -> Mapping[str, str]:
        """Every city that services start from or go to, by its folded name."""
        named = {city for leg in self.all_services for city in (leg.origin_city, leg.destination_city)}
        return {folded(city): city for city in sorted({*named, self.origin, self.destination} - {""})}

    def days_with_journeys(self, kind: ServiceKind, origin: str, destination: str) -> tuple[date, ...]:
        """The days on which any such journey departs, in order."""
        wanted = (kind, folded(origin), folded(destination))
        return tuple(sorted(day for *key, day in self._journeys_by_day if tuple(key) == wanted))

    @cached_property
    def all_journeys(self) -> tuple[Journey, ...]:
        """Every journey the timetables make, in table order."""
        routes: dict[tuple[str, ...], list[Service]] = defaultdict(list)
        for leg in self.all_services:
            routes[leg.kind, leg.origin_city, leg.destination_city, leg.route].append(leg)
        found: dict[object, Journey] = {}
        for legs in routes.values():
            for journey in _connections(legs):
                first, last = self._city_of(journey[0], departs=True), self._city_of(journey[-1], departs=False)
                if first == journey[0].origin_city and last == journey[0].destination_city:
                    key = tuple(_offer_key(leg) for leg in journey)
                    found.setdefault(key, Journey(journey, _fare(journey)))
        return tuple(found.values())

    @cached_property
    def _journeys_by_day(self) -> Mapping[tuple[ServiceKind, str, str, date], tuple[Journey, ...]]:
        by_day: dict[tuple[ServiceKind, str, str, date], list[Journey]] = defaultdict(list)
        for journey in self.all_journeys:
            cities = folded(journey.origin_city), folded(journey.destination_city)
            by_day[journey.kind, *cities, journey.departure.date()].append(journey)
        return {key: tuple(sorted(journeys, key=_journey_order)) for key, journeys in by_day.items()}

    @cached_property
    def _journeys_by_leg(self) -> Mapping[tuple[str, date], tuple[Journey, ...]]:
        by_leg: dict[tuple[str, date], list[Journey]] = defaultdict(list)
        for journey in self.all_journeys:
            for leg in journey.legs:
                by_leg[_number(leg.number), leg.date].append(journey)
        return {key: tuple(journeys) for key, journeys in by_leg.items()}

    # --- Stations

    def station(self, name: str) -> Station | None:
        """The station or airport of that name, code or alias."""
        return self._stations.get(name)

    def city_of_station(self, name: str) -> str | None:
        """The city a station belongs to; None if it is unknown or connections only change there."""
        station = self.station(name)
        return station.city if station else None

    @cached_property
    def _stations(self) -> NameIndex[Station]:
        stops: dict[tuple[ServiceKind, str], Stop] = {}
        names: dict[tuple[ServiceKind, str], list[str]] = defaultdict(list)
        for service in self.all_services:
            for stop in (service.origin, service.destination):
                key = service.kind, _stop_key(stop)
                names[key].append(stop.name)
                if key not in stops or len(stop.name) < len(stops[key].name):
                    stops[key] = stop
        stations = {}
        for key, stop in stops.items():
            place = self.place(stop.name) or (self.place(stop.code) if stop.code else None)
            coordinates = place.coordinates if place else None
            stations[key] = Station(stop.name, stop.code, key[0], self._station_cities.get(key), coordinates)
        named = [(name, stations[key]) for key, all_names in names.items() for name in dict.fromkeys(all_names)]
        coded = [(station.code, station) for station in stations.values() if station.code]
        index = NameIndex([*named, *coded])
        index.add_aliases(self._aliases)
        return index

    def _city_of(self, leg: Service, *, departs: bool) -> str | None:
        stop = leg.origin if departs else leg.destination
        return self._station_cities.get((leg.kind, _stop_key(stop)))

    @cached_property
    def _station_cities(self) -> Mapping[tuple[ServiceKind, str], str]:
        """City by station: where routes start, and where they end.

        Every leg of a connection names the cities of the whole route, so a hub on the way says nothing.
        """
        cities: dict[tuple[ServiceKind, str], str] = {}
        onward = set()
        for leg in self.all_services:
            if leg.segment == 1:
                cities.setdefault((leg.kind, _stop_key(leg.origin)), leg.origin_city)
            else:
                onward.add((*_route_key(leg), leg.segment, _stop_key(leg.origin)))
        for leg in self.all_services:
            if (*_route_key(leg), leg.segment + 1, _stop_key(leg.destination)) not in onward:
                cities.setdefault((leg.kind, _stop_key(leg.destination)), leg.destination_city)
        return cities

    # --- Weather

    def weather(self, city: str, day: date) -> Weather | None:
        """The weather of that city on that day; None if it is not known."""
        return self._weather_of(city).get(day)

    def weather_days(self, city: str) -> tuple[date, ...]:
        """The days whose weather in that city is known, in order."""
        return tuple(sorted(self._weather_of(city)))

    def _weather_of(self, city: str) -> Mapping[date, Weather]:
        key = _bare_city(city)
        if key not in self._weather:
            files = self.files.cities.city(city) if self.files.cities is not None else None
            self._weather[key] = _weather(files.weather, files.city_name) if files else {}
        return self._weather[key]

    @cached_property
    def _weather(self) -> dict[str, Mapping[date, Weather]]:
        known = _weather(self.files.sample.weather, self.destination)
        return {_bare_city(self.destination): known} if known else {}


def same_city(a: str, b: str) -> bool:
    """Whether two texts name one city; "City" behind a name does not matter."""
    return _bare_city(a) == _bare_city(b)


def _bare_city(name: str) -> str:
    plain = folded(name)
    return plain.removesuffix("city") or plain


def estimated_ride(kilometers: float, city: str) -> Ride:
    """The way between points that far apart in a city, where no matrix tells."""
    meters = round(kilometers * 1000)
    if kilometers <= LONGEST_WALK_KM:
        return Ride(meters, max(1, minutes_for(meters, WALKING_KM_PER_HOUR)), 0, measured=False)
    return Ride(meters, minutes_for(meters, DRIVING_KM_PER_HOUR), taxi_fare(city, meters), measured=False)


def _measured(entry: MatrixEntry) -> Ride | None:
    distance, minutes = measure(entry.distance_meters), measure(entry.duration_minutes)
    cost = measure(entry.cost)
    if distance is None or minutes is None or cost is None:
        return None
    return Ride(round(distance), round(minutes), round(cost), measured=True)


def _six_decimals(text: str) -> str:
    latitude, _, longitude = text.partition(",")
    point = Coordinates.read(latitude, longitude)
    return point.text if point else text


def _in_city(records: Sequence[_Named], city: str | None, destination: str) -> _Named | None:
    found = next((record for record in records if same_city(record.city, city or destination)), None)
    return found or (next(iter(records), None) if city is None else None)


def _index(records: Iterable[_Named], aliases: Sequence[tuple[str, str]]) -> NameIndex[_Named]:
    index = NameIndex((record.name, record) for record in records)
    index.add_aliases(aliases)
    return index


def _places(locations: Table, city: str) -> Iterator[Place]:
    for row in locations:
        point = Coordinates.read(row["latitude"], row["longitude"])
        if point is not None:
            yield Place(row["poi_name"], row.get("poi_type", ""), city or None, point, row.get("address", ""))


def _metro_places(lines: Iterable[SubwayLine], city: str) -> Iterator[Place]:
    for line in lines:
        for stop in line.stops:
            point = Coordinates.read(stop.latitude, stop.longitude)
            if point is not None:
                yield Place(stop.name, "subway_station", city or None, point)


def _city_places(city: CityFiles) -> NameIndex[Place]:
    known = [*_places(city.locations, city.city_name)]
    for row in city.entities:
        point = Coordinates.read(row["latitude"], row["longitude"])
        if point is not None:
            known.append(Place(row["canonical_name"], row.get("entity_type", ""), city.city_name, point))
    known.extend(_metro_places(city.subway, city.city_name))
    index = NameIndex((place.name, place) for place in known)
    rows = ((row["alias"], row["canonical_name"]) for row in city.aliases)
    index.add_aliases((alias, name) for alias, name in rows if not same_city(alias, city.city_name))
    return index


def _hotel(row: Row) -> Hotel:
    return Hotel(
        name=row["name"],
        city=row.get("city", ""),
        address=row.get("address", ""),
        coordinates=Coordinates.read(row.get("latitude", ""), row.get("longitude", "")),
        price=amount(row["price"]) or None,
        score=amount(row.get("score", "")),
        star=whole(row.get("hotel_star", "")),
        decoration_year=whole(row.get("decoration_time", "")),
        brand=row.get("brand", ""),
        services=listed(row.get("services", "")),
        source=row,
    )


def _attraction(row: Row) -> Attraction:
    closed_on = weekdays(row.get("closing_dates", ""))
    return Attraction(
        name=row["attraction_name"],
        city=row.get("city", ""),
        address=row.get("address", ""),
        coordinates=Coordinates.read(row.get("latitude", ""), row.get("longitude", "")),
        description=row.get("description", ""),
        type=row.get("attraction_type", ""),
        price=amount(row.get("ticket_price", "")),
        rating=amount(row.get("rating", "")),
        hours=hours(row.get("opening_time", ""), row.get("closing_time", ""), closed_on),
        min_visit=visit_length(row.get("min_visit_hours", "")),
        max_visit=visit_length(row.get("max_visit_hours", "")),
        popularity_tags=listed(row.get("popularity_tags", "")),
        crowd_risk=row.get("crowd_risk", ""),
        queue_risk=row.get("queue_risk", ""),
        peak_crowd_windows=listed(row.get("peak_crowd_windows", "")),
        source=row,
    )


def _services(table: Table, kind: ServiceKind, number: str, carrier: str) -> Iterator[Service]:
    tells_seats = "seat_status" in table.columns
    for row in table:
        departure, arrival = moment(row["dep_datetime"]), moment(row["arr_datetime"])
        if departure is None or arrival is None:
            continue
        yield Service(
            kind=kind,
            number=row[number],
            departure=departure,
            arrival=arrival,
            origin=Stop(row.get("dep_station_name", ""), row.get("dep_station_code", "")),
            destination=Stop(row.get("arr_station_name", ""), row.get("arr_station_code", "")),
            carrier=row.get(carrier, ""),
            seat_class=row.get("seat_class", ""),
            price=amount(row.get("price", "")) or None,
            segment=whole(row.get("segment_index", "")) or 1,
            route=row.get("route_index", ""),
            origin_city=row.get("origin_city", ""),
            destination_city=row.get("destination_city", ""),
            seat_status=(row["seat_status"] or None) if tells_seats else None,
            source=row,
        )


def _number(number: str) -> str:
    return folded(number)


def _stop_key(stop: Stop) -> str:
    return stop.code or folded(stop.name)


def _route_key(leg: Service) -> tuple[str, ...]:
    return leg.kind, leg.origin_city, leg.destination_city, leg.route


def _offer_key(leg: Service) -> tuple[object, ...]:
    """Equal for rows that sell the same leg at the same price, under whatever route number."""
    cities = leg.origin_city, leg.destination_city
    return leg.number, leg.departure, leg.arrival, leg.origin, leg.destination, leg.seat_class, leg.price, cities


def _connections(legs: Sequence[Service]) -> Iterator[tuple[Service, ...]]:
    """What the legs of one route number make: each leg that none leads to, with all that follows from it."""
    if all(leg.segment == legs[0].segment for leg in legs):
        yield from ((leg,) for leg in legs)
        return
    joined = {leg: _next_legs(leg, legs) for leg in legs}
    followers = {follower for followers in joined.values() for follower in followers}
    for leg in joined:
        if leg not in followers:
            yield from _continued((leg,), joined)


def _continued(
    journey: tuple[Service, ...], joined: Mapping[Service, Sequence[Service]]
) -> Iterator[tuple[Service, ...]]:
    followers = joined[journey[-1]]
    if not followers:
        yield journey
    for follower in followers:
        yield from _continued((*journey, follower), joined)


def _next_legs(leg: Service, legs: Sequence[Service]) -> Sequence[Service]:
    """The legs that continue a leg: the next to depart from where it arrives, in the same seat class if there is one.

    The table's dates do not say which legs belong together, since a leg after midnight has a date of its own.
    """
    following = [
        other
        for other in legs
        if other.segment == leg.segment + 1
        and _stop_key(other.origin) == _stop_key(leg.destination)
        and timedelta(0) <= other.departure - leg.arrival < LONGEST_CHANGE
    ]
    alike = [other for other in following if other.seat_class == leg.seat_class] or following
    earliest = min((other.departure for other in alike), default=None)
    return [other for other in alike if other.departure == earliest]


def _fare(legs: Sequence[Service]) -> Decimal | None:
    """What a traveler pays for the whole journey.

    Some tables repeat the fare of the whole route on every leg, others give each leg its own: equal prices on all legs
    are one fare, others are added.
    """
    prices = [leg.price for leg in legs]
    known = [price for price in prices if price is not None]
    if len(known) < len(prices):
        return None
    return known[0] if len(set(known)) == 1 else sum(known, Decimal(0))


def _grouped(records: Iterable[_Named], key: Callable[[_Named], str]) -> Mapping[str, tuple[_Named, ...]]:
    groups: dict[str, list[_Named]] = defaultdict(list)
    for record in records:
        groups[key(record)].append(record)
    return {name: tuple(group) for name, group in groups.items()}


def _hotel_order(hotel: Hotel) -> tuple[object, ...]:
    return hotel.score is None, -(hotel.score or 0), hotel.price is None, hotel.price or 0, hotel.name


def _journey_order(journey: Journey) -> tuple[object, ...]:
    fare = journey.fare
    names = [(leg.number, leg.seat_class) for leg in journey.legs]
    return journey.departure, fare is None, fare or 0, journey.arrival, names


def _weather(table: Table, city: str) -> Mapping[date, Weather]:
    days = {}
    for row in table:
        day = moment(row["date"])
        if day is not None:
            code = measure(row.get("weather_code", ""))
            days[day.date()] = Weather(
                city=city,
                date=day.date(),
                code=int(code) if code is not None else None,
                condition=row.get("weather_condition", ""),
                temperature_max_c=measure(row.get("temperature_max_c", "")),
                temperature_min_c=measure(row.get("temperature_min_c", "")),
                precipitation_mm=measure(row.get("precipitation_mm", "")),
                precipitation_hours=measure(row.get("precipitation_hours", "")),
                source=row,
            )
    return days

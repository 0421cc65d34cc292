"""The eleven tools through which a Trip+ agent sees its sandbox. (Trip+ A.2; edition `strict`)

Each asks the sandbox one question and shapes the answer. Names and arguments are the published ones; what is answered
otherwise than by the published code, and why, is told in docs/decisions/0100-tools-strict.md.
"""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Annotated

from pydantic import Field

from tripgauge.tools import Listing, ToolError, tool
from tripgauge.trip_plus.sandbox.names import folded
from tripgauge.trip_plus.sandbox.records import Coordinates, Place, ServiceKind, distance_km
from tripgauge.trip_plus.sandbox.store import Sandbox, same_city
from tripgauge.trip_plus.sandbox.transit import metro_ride
from tripgauge.trip_plus.sandbox.weather_risk import advisory, condition_of
from tripgauge.trip_plus.tools.answers import (
    DayWeather,
    FoundPlace,
    HotelOffer,
    Meal,
    Meals,
    Offer,
    RoadAnswer,
    Sight,
    SightDetails,
    TransportPlan,
    hotel_offer,
    meal_at,
    offer_of,
    sight_at_a_glance,
    sight_details,
    transport_plan,
)
from tripgauge.trip_plus.tools.filters import (
    End,
    SortHotels,
    SortJourneys,
    SortRestaurants,
    Wanted,
    Window,
    hotel_conditions,
    hotels_in_order,
    in_order,
    preference_named,
    restaurant_order,
    sights_in_order,
)

Clock = Annotated[str, Field(pattern=r"^(([01]?\d|2[0-3]):[0-5]\d|24:00)$", json_schema_extra={"format": "time"})]

NEARBY_KM = (3.0, 5.0)
"""Within what of a place restaurants are looked for where the table names none; the wider only if the first fails."""

NEAREST_WEATHER = timedelta(days=3)
"""How far from the day asked for another day's weather is given instead."""

_TIMES = {
    "dep_time_start": "depTimeStart",
    "dep_time_end": "depTimeEnd",
    "arr_time_start": "arrTimeStart",
    "arr_time_end": "arrTimeEnd",
}
_JOURNEY = {
    "dep_date": "depDate",
    "seat_class": "seatClassName",
    "train_type": "trainType",
    "direct_only": "directOnly",
    "sort_by": "sortBy",
    **_TIMES,
}
_TIME_SPELLINGS = {
    "dep_time_start": ("departureTimeStart",),
    "dep_time_end": ("departureTimeEnd",),
    "arr_time_start": ("arrivalTimeStart",),
    "arr_time_end": ("arrivalTimeEnd",),
}


class TripPlusTools:
    """The tools over one task's sandbox."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    @tool(published=_JOURNEY, spellings=_TIME_SPELLINGS)
    def query_train_info(
        self,
        origin: str,
        destination: str,
        dep_date: date,
        seat_class: str | None = None,
        train_type: str | None = None,
        direct_only: bool = False,
        sort_by: SortJourneys | None = None,
        dep_time_start: Clock | None = None,
        dep_time_end: Clock | None = None,
        arr_time_start: Clock | None = None,
        arr_time_end: Clock | None = None,
    ) -> Listing[Offer] | str:
        """Train journeys from one city to another on a day, with changes where they are sold so.

        The price is per person for the whole journey. Without sorting, the order is by departure. Equal ones are
        ordered by departure, price, arrival, number and seat class.

        Args:
            origin: City to leave from, or a station's exact name or code.
            destination: City to go to, or a station's exact name or code.
            dep_date: Day of departure, as YYYY-MM-DD.
            seat_class: Only this class on every leg, such as "Second Class Seat".
            train_type: Only this type on every leg: its name such as "High-Speed Rail", or the first letter of the
                number such as "G".
            direct_only: Only journeys without a change.
            sort_by: What to order by.
            dep_time_start: Earliest time of departure, as HH:MM.
            dep_time_end: Latest time of departure, as HH:MM; before the earliest, it means past midnight.
            arr_time_start: Earliest time of arrival, as HH:MM.
            arr_time_end: Latest time of arrival, as HH:MM; before the earliest, it means past midnight.
        """
        wanted = Wanted(
            seat_class,
            train_type,
            direct_only,
            Window.of(dep_time_start, dep_time_end),
            Window.of(arr_time_start, arr_time_end),
        )
        return self._journeys("train", origin, destination, dep_date, wanted, sort_by)

    @tool(published=_JOURNEY, spellings=_TIME_SPELLINGS)
    def query_flight_info(
        self,
        origin: str,
        destination: str,
        dep_date: date,
        seat_class: str | None = None,
        direct_only: bool = False,
        sort_by: SortJourneys | None = None,
        dep_time_start: Clock | None = None,
        dep_time_end: Clock | None = None,
        arr_time_start: Clock | None = None,
        arr_time_end: Clock | None = None,
    ) -> Listing[Offer] | str:
        """Flights from one city to another on a day, with changes where they are sold so.

        The price is per person for the whole journey. Without sorting, the order is by departure. Equal ones are
        ordered by departure, price, arrival, number and seat class.

        Args:
            origin: City to leave from, or an airport's exact name or code.
            destination: City to go to, or an airport's exact name or code.
            dep_date: Day of departure, as YYYY-MM-DD.
            seat_class: Only this class on every leg, such as "Economy".
            direct_only: Only journeys without a change.
            sort_by: What to order by.
            dep_time_start: Earliest time of departure, as HH:MM.
            dep_time_end: Latest time of departure, as HH:MM; before the earliest, it means past midnight.
            arr_time_start: Earliest time of arrival, as HH:MM.
            arr_time_end: Latest time of arrival, as HH:MM; before the earliest, it means past midnight.
        """
        wanted = Wanted(
            seat_class,
            None,
            direct_only,
            Window.of(dep_time_start, dep_time_end),
            Window.of(arr_time_start, arr_time_end),
        )
        return self._journeys("flight", origin, destination, dep_date, wanted, sort_by)

    def _journeys(
        self,
        kind: ServiceKind,
        origin: str,
        destination: str,
        day: date,
        wanted: Wanted,
        sort_by: SortJourneys | None,
    ) -> Listing[Offer] | str:
        start, end = self._end(kind, origin, "origin"), self._end(kind, destination, "destination")
        every = self._sandbox.journeys(kind, start.city, end.city, day)
        there = every
        if start.station or end.station:
            there = tuple(
                journey
                for journey in every
                if start.is_at(journey.legs[0], departs=True) and end.is_at(journey.legs[-1], departs=False)
            )
        if not there:
            return self._no_journey(kind, start, end, day, every=len(every))
        found = there
        for holds in wanted.conditions(there):
            found = tuple(journey for journey in found if holds(journey))
        if not found:
            return f"None of the {len(there)} journeys by {kind} on {day} meets all of: {wanted.words}."
        return Listing(in_order(found, sort_by), offer_of)

    def _no_journey(self, kind: ServiceKind, start: End, end: End, day: date, *, every: int) -> str:
        """Why there is none, and when there would be some."""
        nothing = f"No {kind} from {start} to {end} departs on {day}."
        if every:
            return f"{nothing} From {start.city} to {end.city} there are {every}, at other stations."
        days = self._sandbox.days_with_journeys(kind, start.city, end.city)
        nearest = ", ".join(str(other) for other in sorted(days, key=lambda other: (abs(other - day), other))[:8])
        return f"{nothing} There are some on: {nearest}." if nearest else f"{nothing} None is known on any day."

    def _end(self, kind: ServiceKind, name: str, field: str) -> End:
        """Where a journey starts or ends: a city, or one station of it."""
        cities = {key: city for key, city in self._sandbox.cities.items() if same_city(city, name)}
        if cities:
            return End(next(iter(cities.values())), None)
        station = self._sandbox.station(name)
        if station is None or station.kind != kind:
            known = ", ".join(self._sandbox.cities.values())
            what = "station" if kind == "train" else "airport"
            raise ToolError(f"No city or {what} {name!r} is known. The cities are: {known}.", field)
        if station.city is None:
            raise ToolError(f"At {station.name} one only changes; nothing is sold from or to there.", field)
        return End(station.city, station)

    @tool(
        published={
            "hotel_star": "hotelStar",
            "hotel_name": "hotelName",
            "hotel_brands": "hotelBrands",
            "min_price": "minPrice",
            "max_price": "maxPrice",
            "required_service": "requiredService",
            "sort_by": "sortBy",
        },
        spellings={
            "hotel_name": ("name",),
            "min_price": ("priceMin",),
            "max_price": ("priceMax",),
            "required_service": ("service",),
        },
    )
    def query_hotel_info(
        self,
        destination: str,
        hotel_star: str | None = None,
        hotel_name: str | None = None,
        hotel_brands: str | None = None,
        min_price: float | None = None,
        max_price: float | None = None,
        required_service: str | None = None,
        sort_by: SortHotels | None = None,
    ) -> Listing[HotelOffer] | str:
        """Hotels of a city.

        The order is by score, the highest first, unless another is asked for. Equal ones are ordered by score, price
        and name; what is not known comes last.

        Args:
            destination: City to stay in.
            hotel_star: Only hotels of this many stars, from 2 to 5.
            hotel_name: Only the hotel of this name; if there is none, those whose names contain it.
            hotel_brands: Only hotels of these brands, with commas between.
            min_price: Lowest price of a room per night, in yuan.
            max_price: Highest price of a room per night, in yuan.
            required_service: Only hotels that offer this, such as "Gym"; several with "and" or commas between.
            sort_by: What to order by; by decoration puts the newest first.
        """
        hotels = self._sandbox.hotels_in(destination)
        if not hotels:
            cities = ", ".join(dict.fromkeys(hotel.city for hotel in self._sandbox.hotels))
            raise ToolError(f"No hotel is known in {destination}. There are hotels in: {cities}.", "destination")
        conditions = hotel_conditions(
            hotels,
            name=hotel_name,
            star=hotel_star,
            brands=hotel_brands,
            min_price=min_price,
            max_price=max_price,
            service=required_service,
        )
        found = hotels
        for holds in conditions:
            found = tuple(hotel for hotel in found if holds(hotel))
        if not found:
            return f"None of the {len(hotels)} hotels in {destination} meets all of these conditions."
        return Listing(hotels_in_order(found, sort_by), hotel_offer)

    @tool(spellings={"attraction_name": ("name",)})
    def query_attraction_details(self, attraction_name: str) -> SightDetails:
        """Everything known of a sight: opening times and closing days, ticket price, how long visits take, crowds.

        Args:
            attraction_name: Its exact name, as other tools give it.
        """
        sight = self._sandbox.attraction(attraction_name)
        if sight is None:
            names = (attraction.name for attraction in self._sandbox.attractions)
            raise _unknown("sight", attraction_name, names, "attraction_name")
        return sight_details(sight)

    @tool
    def recommend_attractions(self, city: str, attraction_type: str | None = None) -> Listing[Sight]:
        """Sights of a city, all of them or all of one type.

        Those with a rating come first, the highest first, equal ones by price and name; then those without, in the
        order of the data, where the better known stand before the others.

        Args:
            city: City to visit.
            attraction_type: Only this type, spelled as in the answers, such as "Park" or "Natural Scenery".
        """
        sights = self._sandbox.attractions_in(city)
        if not sights:
            cities = ", ".join(dict.fromkeys(sight.city for sight in self._sandbox.attractions))
            raise ToolError(f"No sight is known in {city}. There are sights in: {cities}.", "city")
        if attraction_type is not None:
            wanted = folded(attraction_type)
            found = tuple(sight for sight in sights if folded(sight.type) == wanted)
            if not found:
                types = "; ".join(sorted({sight.type for sight in sights}))
                raise ToolError(
                    f"No sight in {city} is of the type {attraction_type!r}. The types are: {types}.",
                    "attraction_type",
                )
            sights = found
        return Listing(sights_in_order(sights), sight_at_a_glance)

    @tool(spellings={"nearby_attraction_name": ("attraction_name", "place_name")})
    def recommend_restaurants(self, nearby_attraction_name: str, sort_by: SortRestaurants = "auto") -> Meals | str:
        """Restaurants near a place: those the data list for it, else those within 3 km, else within 5 km.

        All of them are given. "auto" orders by price. Equal ones are ordered by price, distance, rating and name; what
        is not known comes last.

        Args:
            nearby_attraction_name: Exact name of a sight, hotel, station or other place.
            sort_by: What to order by: the cheapest, nearest or best rated first.
        """
        place = self._sandbox.place(nearby_attraction_name)
        names = dict.fromkeys((nearby_attraction_name, place.name if place else nearby_attraction_name))
        listed = [restaurant for name in names for restaurant in self._sandbox.restaurants_listed_for(name)]
        if not listed and place is None:
            sights = (attraction.name for attraction in self._sandbox.attractions)
            raise _unknown("place", nearby_attraction_name, sights, "nearby_attraction_name")
        name = place.name if place else nearby_attraction_name
        found_by = "listed for this place"
        measured = [(restaurant, _meters(restaurant.coordinates, place)) for restaurant in listed]
        if not listed:
            every = [(restaurant, _meters(restaurant.coordinates, place)) for restaurant in self._sandbox.restaurants]
            for radius in NEARBY_KM:
                measured = [(r, meters) for r, meters in every if meters is not None and meters <= radius * 1000]
                found_by = f"within {radius:g} km"
                if measured:
                    break
            else:
                return f"No restaurant is listed for {name}, and none is known within {NEARBY_KM[-1]:g} km of it."
        ranked = sorted(measured, key=restaurant_order(sort_by))
        return Meals(name, found_by, Listing(ranked, lambda found: meal_at(*found)))

    @tool(spellings={"restaurant_name": ("name",)})
    def query_restaurant_details(self, restaurant_name: str) -> Meal:
        """Everything known of a restaurant: price per person, cuisine, opening times, rating, what is near.

        Args:
            restaurant_name: Its exact name, as other tools give it.
        """
        restaurant = self._sandbox.restaurant(restaurant_name)
        if restaurant is None:
            names = (restaurant.name for restaurant in self._sandbox.restaurants)
            raise _unknown("restaurant", restaurant_name, names, "restaurant_name")
        return meal_at(restaurant, None, with_coordinates=True)

    @tool(spellings={"place_name": ("query", "name", "location")})
    def search_location(self, place_name: str) -> FoundPlace:
        """Where a place is: its coordinates as "latitude,longitude".

        Args:
            place_name: Exact name of a sight, hotel, restaurant, station, airport or metro station, or a station code.
        """
        place = self._place(place_name, None, "place_name")
        return FoundPlace(place.name, place.kind or None, place.city, place.coordinates.text, place.address or None)

    @tool
    def query_road_route_info(self, origin: str, destination: str) -> RoadAnswer:
        """The way by road between two points: distance, time and cost of a taxi, or a walk where it is short.

        Args:
            origin: Where to start, as "latitude,longitude" with six decimals, or a place's exact name.
            destination: Where to go, as "latitude,longitude" with six decimals, or a place's exact name.
        """
        return self._road(self._point(origin, "origin"), self._point(destination, "destination"))

    @tool
    def query_city_transport_plan(
        self, city: str, origin_place: str, destination_place: str, traveler_preference: str | None = None
    ) -> TransportPlan:
        """How to get from one place of a city to another: on foot, by metro or by taxi, with the one recommended.

        A taxi costs what it says per vehicle, the metro per person. Metro times leave out waiting and changing.

        Args:
            city: The city both places are in.
            origin_place: Exact name of the place to start from.
            destination_place: Exact name of the place to go to.
            traveler_preference: What matters most: balanced, budget_first, min_walking or time_first.
        """
        preference = preference_named(traveler_preference)
        known = dict.fromkeys(filter(None, (self._sandbox.destination, self._sandbox.origin)))
        name = next((other for other in known if same_city(other, city)), None)
        if name is None:
            raise ToolError(f"Nothing is known of {city}. The cities are: {', '.join(known)}.", "city")
        start = self._place(origin_place, name, "origin_place")
        end = self._place(destination_place, name, "destination_place")
        metro = metro_ride(self._sandbox.metro(name), name, start.coordinates, end.coordinates)
        return transport_plan(name, start, end, preference, self._road(start, end), metro)

    @tool
    def query_city_weather(self, city: str, date: date) -> DayWeather:
        """The weather of a city on a day. Where that day is not known, the nearest within three days is given and
        said so; of two as near, the earlier.

        Args:
            city: The city.
            date: The day, as YYYY-MM-DD.
        """
        days = self._sandbox.weather_days(city)
        if not days:
            raise ToolError(f"The weather of {city} is not known.{self._weather_hint()}", "city")
        nearest = min(days, key=lambda day: (abs(day - date), day))
        weather = self._sandbox.weather(city, nearest)
        if weather is None or abs(nearest - date) > NEAREST_WEATHER:
            raise ToolError(f"The weather of {city} is known from {days[0]} to {days[-1]}, not on {date}.", "date")
        return DayWeather(
            city=weather.city or city,
            date=nearest,
            requested_date=date if nearest != date else None,
            note=f"Not known for {date}; this is {nearest}." if nearest != date else None,
            weather_code=weather.code,
            condition=weather.condition or condition_of(weather.code),
            temperature_min_c=weather.temperature_min_c,
            temperature_max_c=weather.temperature_max_c,
            precipitation_mm=weather.precipitation_mm,
            precipitation_hours=weather.precipitation_hours,
            travel_advisory=advisory(weather.code, weather.precipitation_mm, weather.precipitation_hours),
        )

    def _weather_hint(self) -> str:
        known = [name for name in (self._sandbox.destination, self._sandbox.origin) if self._sandbox.weather_days(name)]
        return f" It is of: {', '.join(dict.fromkeys(known))}." if known else ""

    def _place(self, name: str, city: str | None, field: str) -> Place:
        place = self._sandbox.place(name) if city is None else self._sandbox.place_in(name, city)
        if place is None:
            raise _unknown(f"place in {city}" if city else "place", name, self._sandbox.place_names, field)
        return place

    def _point(self, text: str, field: str) -> Place:
        latitude, comma, longitude = text.partition(",")
        point = Coordinates.read(latitude, longitude) if comma else None
        return Place(text, "", None, point) if point else self._place(text, None, field)

    def _road(self, start: Place, end: Place) -> RoadAnswer:
        ride = self._sandbox.ride(start, end)
        if ride is None:
            raise LookupError(f"{start.name} or {end.name} has lost its coordinates.")
        return RoadAnswer(
            mode="walking" if ride.is_walk else "taxi",
            distance_meters=ride.distance_meters,
            duration_minutes=ride.minutes,
            cost_per_vehicle=ride.cost,
            source="distance matrix" if ride.measured else "estimate from the distance as the crow flies",
        )


def _unknown(what: str, name: str, known: Iterable[str], field: str) -> ToolError:
    """Names are compared whole; some that contain what was asked for are shown, since one of them may be meant."""
    wanted = folded(name)
    near = [other for other in known if wanted and (wanted in folded(other) or folded(other) in wanted)][:3]
    hint = f" Names like it: {'; '.join(near)}." if near else ""
    return ToolError(f"No {what} has the name {name!r}. Use names exactly as tools give them.{hint}", field)


def _meters(point: Coordinates | None, place: Place | None) -> int | None:
    return round(distance_km(point, place.coordinates) * 1000) if point and place else None

"""The 18 tools of COMPASS (Table 1, Appendix D).

Seventeen are published; `get_permit_details` is the missing counterpart of the detail tools for hotels and flights and
can be left out. Names are those of Appendix D, those of Table 1 are understood too. Money is in US dollars.

Every answer follows from the catalogue and the arguments alone; only the notebook remembers, for one conversation.
"""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from math import ceil, floor
from typing import Annotated, Literal

from pydantic import Field

from tripgauge.compass import arithmetic
from tripgauge.compass.catalogue import Integers, field_types
from tripgauge.compass.index import Index
from tripgauge.compass.offers import (
    LAST_DAY,
    MONTH,
    YEAR,
    FlightPackage,
    Hotel,
    HotelPackage,
    Permit,
    PermitPackage,
    Room,
    Stay,
    calendar_date,
    great_circle_km,
    rooms_needed,
    weekday,
)
from tripgauge.compass.search import FlightQuestion, LodgingQuestion, Place, Search
from tripgauge.tools import Tool, ToolError, tool, tools_of

MOST_FOUND = 50
"""Packages in one answer; how many there are is told beside."""

LEAST_CONFIDENCE = 0.3
"""Names less similar than this are not taken for each other."""

EXTENSION = "get_permit_details"


def compass_tools(index: Index, *, extension: bool = True) -> tuple[Tool, ...]:
    """The tools of one conversation; without the extension, the published ones only."""
    return tuple(found for found in tools_of(CompassTools(Search(index))) if extension or found.name != EXTENSION)


# ---------------------------------------------------------------------------------------------------------------
# What the tools answer


@dataclass(frozen=True)
class HotelPackageFound:
    package_id: str
    hotel_id: int
    hotel_name: str
    park: str
    town: str
    star_rating: float | None
    review_score: float | None
    review_count: int
    entrance_km: float
    room_type: str
    max_occupancy: int
    rooms: int
    """Rooms the party takes."""
    price: float
    """All rooms, all nights."""
    price_nightly: float
    """Mean of one room and night."""
    breakfast_included: bool
    free_cancellation: bool
    no_prepayment_needed: bool


@dataclass(frozen=True)
class HotelPackagesFound:
    total_matches: int
    truncated: bool
    packages: tuple[HotelPackageFound, ...]


@dataclass(frozen=True)
class HotelDetails:
    hotel_id: int
    name: str
    confidence_score: float
    """How well the name asked for fits; 1 for an id."""
    park: str
    town: str
    state: str
    latitude: float
    longitude: float
    entrance_km: float
    """To the nearest park entrance."""
    center_km: float
    star_rating: float | None
    review_score: float | None
    review_count: int
    brand: str | None
    property_type: str
    amenities: tuple[str, ...]
    missing_amenities: tuple[str, ...]
    other_matches: tuple[str, ...]


@dataclass(frozen=True)
class NightDetails:
    date: date
    price: float
    """One room."""
    rooms_available: int


@dataclass(frozen=True)
class RoomDetails:
    package_id: str
    hotel_id: int
    hotel_name: str
    room_type: str
    bed_type: str
    bed_count: int
    max_occupancy: int
    size_m2: int
    amenities: tuple[str, ...]
    missing_amenities: tuple[str, ...]
    meal_plan: str
    breakfast_included: bool
    free_cancellation: bool
    no_prepayment_needed: bool
    rooms: int
    price: float
    nights: tuple[NightDetails, ...]


@dataclass(frozen=True)
class LocationFound:
    name: str
    location_type: str
    confidence_score: float
    code: str | None
    hotel_id: int | None


@dataclass(frozen=True)
class AirportFound:
    airport_code: str
    airport_name: str
    city: str
    state: str
    airport_type: str
    drive_hours: float


@dataclass(frozen=True)
class AirportCoordinates:
    airport_code: str
    name: str
    latitude: float
    longitude: float


@dataclass(frozen=True)
class LegDetails:
    flight_number: str
    origin: str
    destination: str
    date: date
    depart: str
    arrive: str
    minutes: int
    price: float
    """One passenger."""
    seats: int


@dataclass(frozen=True)
class FlightPackageFound:
    package_id: str
    airline: str
    booking_class: str
    stops: int
    layover_code: str | None
    price: float
    """All passengers, there and back."""
    price_per_passenger: float
    outbound: LegDetails
    inbound: LegDetails
    has_wifi: bool
    has_power: bool
    has_meal: bool
    carry_on_included: bool
    checked_bag_included: bool
    pets_allowed: bool
    is_refundable: bool
    is_changeable: bool


@dataclass(frozen=True)
class FlightPackagesFound:
    total_matches: int
    truncated: bool
    packages: tuple[FlightPackageFound, ...]


@dataclass(frozen=True)
class PermitType:
    template_name: str
    min_days: int
    max_days: int
    hours: float | None
    max_group: int | None
    lottery: bool
    fee_group: float
    fee_person: float
    fee_person_night: float


@dataclass(frozen=True)
class PermitKind:
    kind: str
    permits: tuple[PermitType, ...]


@dataclass(frozen=True)
class PermitWindow:
    package_id: str
    start_date: date
    start_weekday: str
    days: int
    remaining: int


@dataclass(frozen=True)
class PermitDetails:
    package_id: str
    park: str
    template_name: str
    kind: str
    start_date: date
    start_weekday: str
    end_date: date
    """The last day."""
    days: int
    remaining: int
    """Places left on every day."""
    max_group: int | None
    lottery: bool
    fee_group: float
    fee_person: float
    """One person, nights included."""


@dataclass(frozen=True)
class Distance:
    driving_time: str
    distance_km: float


@dataclass(frozen=True)
class Note:
    index: int
    content: str


@dataclass(frozen=True)
class NotebookAnswer:
    message: str
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class Validity:
    id: str
    valid: bool
    problem: str | None


Ids = Annotated[list[str], Field(min_length=1, max_length=3)]
Guests = Annotated[int, Field(ge=1, le=30)]


# ---------------------------------------------------------------------------------------------------------------


class CompassTools:
    """The tools of one conversation, one method each."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.catalogue = search.catalogue
        self.notes: list[str] = []

    # -- Lodging

    @tool(other_names=("search_hotel",))
    def AccommodationSearch(
        self,
        location: str,
        start_date: date,
        end_date: date,
        num_guests: Guests,
        min_price_nightly: float | None = None,
        max_price_nightly: float | None = None,
        min_review_score: float | None = None,
        free_cancellation: bool = False,
        no_prepayment_needed: bool = False,
        has_parking: bool = False,
        breakfast_included: bool = False,
        is_pet_friendly: bool = False,
    ) -> HotelPackagesFound:
        """Search hotel packages for the whole group in a park or town, the cheapest first.

        Each package is so many rooms of one kind as the group needs, free on every night. At most 50 are shown;
        total_matches tells how many there are.

        Args:
            location: Name of a park or of a town near one, such as "Zion" or "Springdale".
            start_date: Check-in, as YYYY-MM-DD, in August 2025.
            end_date: Check-out, as YYYY-MM-DD, at the latest 2025-09-01.
            num_guests: How many people stay.
            min_price_nightly: Least mean price per room and night, in US dollars.
            max_price_nightly: Greatest mean price per room and night, in US dollars.
            min_review_score: Least review score of the hotel, from 0 to 10.
            free_cancellation: Only what can be cancelled free of charge.
            no_prepayment_needed: Only what needs no prepayment.
            has_parking: Only hotels with parking.
            breakfast_included: Only with breakfast.
            is_pet_friendly: Only hotels that take pets.
        """
        question = LodgingQuestion(
            stay=_stay(start_date, end_date, "end_date"),
            guests=num_guests,
            min_nightly_cents=_cents(min_price_nightly, up=True),
            max_nightly_cents=_cents(max_price_nightly, up=False),
            min_review_score_x10=_up(min_review_score, 10),
            free_cancellation=free_cancellation,
            no_prepayment_needed=no_prepayment_needed,
            has_parking=has_parking,
            breakfast_included=breakfast_included,
            is_pet_friendly=is_pet_friendly,
        )
        place = self._area(location)
        configs = self._configs(place)
        found = self.search.lodgings(configs, question)
        rows = zip(found.configs[:MOST_FOUND].tolist(), found.cost.tolist(), strict=False)
        packages = tuple(self._package_found(config, question.stay, num_guests, cost) for config, cost in rows)
        return HotelPackagesFound(len(found.configs), len(found.configs) > MOST_FOUND, packages)

    @tool
    def get_hotel_details(self, hotel_identifier: str) -> HotelDetails:
        """Look up a hotel: where it lies, its stars, reviews, brand and amenities.

        Args:
            hotel_identifier: The hotel's id, or its name or part of it; the most similar name is taken.
        """
        number, confidence, others = self._hotel(hotel_identifier)
        hotel = self.search.index.hotel(number - 1)
        town = self.catalogue.towns.row(hotel.town_id - 1)
        has, lacks = _amenities(hotel)
        return HotelDetails(
            hotel_id=hotel.hotel_id,
            name=hotel.name,
            confidence_score=confidence,
            park=self.catalogue.parks.row(hotel.park_id - 1).name,
            town=town.name,
            state=town.state,
            latitude=hotel.lat,
            longitude=hotel.lon,
            entrance_km=hotel.entrance_km_x100 / 100,
            center_km=hotel.center_km_x100 / 100,
            star_rating=_tenths(hotel.star_rating_x10),
            review_score=_tenths(hotel.review_score_x10),
            review_count=hotel.review_count,
            brand=hotel.brand,
            property_type=hotel.property_type,
            amenities=has,
            missing_amenities=lacks,
            other_matches=others,
        )

    @tool
    def get_room_details(self, package_id: str) -> RoomDetails:
        """Look up the room of a hotel package: beds, amenities, booking terms, and the price of every night.

        Args:
            package_id: A hotel package, such as "pkg_120_5_8_1".
        """
        package = HotelPackage.parse(package_id)
        offer = self.catalogue.hotel_offer(package) if package else None
        if package is None or offer is None:
            raise ToolError(f"There is no hotel package {_shown(package_id)}. Use AccommodationSearch.", "package_id")
        has, lacks = _amenities(offer.room)
        nights = tuple(
            NightDetails(calendar_date(night.day), night.price_cents / 100, night.rooms_available)
            for night in offer.nights
        )
        return RoomDetails(
            package_id=package_id,
            hotel_id=offer.hotel.hotel_id,
            hotel_name=offer.hotel.name,
            room_type=offer.room.room_type,
            bed_type=offer.room.bed_type,
            bed_count=offer.room.bed_count,
            max_occupancy=offer.room.max_occupancy,
            size_m2=offer.room.size_m2,
            amenities=has,
            missing_amenities=lacks,
            meal_plan=offer.config.meal_plan,
            breakfast_included=offer.config.breakfast_included,
            free_cancellation=offer.config.free_cancellation,
            no_prepayment_needed=offer.config.no_prepayment_needed,
            rooms=package.rooms,
            price=offer.price_cents / 100,
            nights=nights,
        )

    @tool
    def search_location_name(self, query: str) -> list[LocationFound]:
        """Find parks, towns, airports and hotels whose names are similar to a text, the most similar first.

        Args:
            query: A name, perhaps misspelled or only part of one.
        """
        return [
            LocationFound(
                match.place.name,
                match.place.location_type,
                match.confidence,
                match.place.code,
                match.place.number if match.place.location_type == "hotel" else None,
            )
            for match in self.search.places.find(query[:200], most=10)
        ]

    # -- Flights

    @tool
    def search_airports(self, park_name: str) -> list[AirportFound]:
        """List the airports that serve a park, with the hours by car from each, the nearest first.

        Args:
            park_name: Name of the park, such as "Yosemite".
        """
        drives = self.catalogue.drives_to(self._park(park_name, "park_name"))
        found = []
        for drive in sorted(drives, key=lambda drive: (drive.drive_hours_x100, drive.code)):
            port = self.catalogue.airport(drive.code)
            hours = drive.drive_hours_x100 / 100
            found.append(AirportFound(port.code, port.name, port.city, port.state, port.airport_type, hours))
        return found

    @tool
    def search_flights(
        self,
        origin: str,
        destination: str,
        departure_date: date,
        return_date: date,
        passengers: Guests = 1,
        max_price: float | None = None,
        airline_preference: str | None = None,
        booking_class: Literal["economy", "premium_economy", "business"] | None = None,
        direct_flights_only: bool = False,
    ) -> FlightPackagesFound:
        """Search round trips with enough free seats, the cheapest first.

        All flights land on the day they leave. At most 50 are shown; total_matches tells how many there are.

        Args:
            origin: Code of the airport to fly from, such as "ORD".
            destination: Code of an airport that serves the park, from search_airports.
            departure_date: Day of the flight out, as YYYY-MM-DD, in August 2025.
            return_date: Day of the flight back, as YYYY-MM-DD, in August 2025.
            passengers: How many people fly.
            max_price: Greatest price for all passengers together, in US dollars.
            airline_preference: Only this airline.
            booking_class: Only this class.
            direct_flights_only: Only flights without a stop.
        """
        home, away = self._airport(origin, "origin"), self._airport(destination, "destination")
        airline = self._airline(airline_preference) if airline_preference else None
        stay = _stay(departure_date, return_date, "return_date", last=LAST_DAY)
        most = _cents(max_price, up=False)
        question = FlightQuestion(home, away, stay, passengers, most, airline, booking_class, direct_flights_only)
        found = self.search.flights(question)
        packages = tuple(
            self._flight_found(FlightPackage(row + 1, stay), passengers) for row in found.flights[:MOST_FOUND].tolist()
        )
        return FlightPackagesFound(len(found.flights), len(found.flights) > MOST_FOUND, packages)

    @tool
    def get_flight_details(self, package_id: str) -> FlightPackageFound:
        """Look up a flight package: route, times, terms, and the price and seats of each leg for one passenger.

        Args:
            package_id: A flight package, such as "flight_33_5_8".
        """
        package = FlightPackage.parse(package_id)
        if package is None or self.catalogue.flight_offer(package) is None:
            raise ToolError(f"There is no flight package {_shown(package_id)}. Use search_flights.", "package_id")
        return self._flight_found(package, 1)

    @tool(other_names=("get_airport_location",))
    def get_airport_coordinates(self, airport_code: str) -> AirportCoordinates:
        """Look up where an airport lies.

        Args:
            airport_code: Code of the airport, such as "FAT".
        """
        port = self.catalogue.airport(self._airport(airport_code, "airport_code"))
        return AirportCoordinates(port.code, port.name, port.lat, port.lon)

    # -- Permits

    @tool
    def list_permits(self, park: str) -> list[PermitKind]:
        """List the hikes, tours and backpacking trips of a park that need a permit, by kind, with their fees.

        Args:
            park: Name of the park.
        """
        rows = self.catalogue.permits_of(self._park(park, "park"))
        permits = [self.catalogue.permits.row(row) for row in rows]
        kinds = sorted({permit.kind for permit in permits})
        return [PermitKind(kind, tuple(_permit_type(p) for p in permits if p.kind == kind)) for kind in kinds]

    @tool
    def search_permit_availability(
        self,
        park: str,
        template_name: str,
        date_range: Annotated[list[date], Field(min_length=2, max_length=2)] | None = None,
        duration_days: Annotated[int, Field(ge=1)] | None = None,
    ) -> list[PermitWindow]:
        """List the days on which a permit has places left, each with its package id.

        Args:
            park: Name of the park.
            template_name: Name of the permit, from list_permits.
            date_range: First and last day, as YYYY-MM-DD, that the permit must lie within; all of August without it.
            duration_days: Only permits of this length in days.
        """
        row = self._permit(self._park(park, "park"), template_name)
        first, last = _days(date_range) if date_range else (1, LAST_DAY)
        windows = self.search.index.windows
        end = windows.start + windows.days - 1
        kept = (windows.permit == row) & (windows.start >= first) & (end <= last)
        if duration_days is not None:
            kept &= windows.days == duration_days
        found = zip(*(column[kept].tolist() for column in (windows.start, windows.days, windows.places)), strict=True)
        return [
            PermitWindow(str(PermitPackage(row + 1, start, days)), calendar_date(start), weekday(start), days, places)
            for start, days, places in sorted(found)
        ]

    @tool
    def get_permit_details(self, package_id: str) -> PermitDetails:
        """Look up a permit package: kind, dates, fees and the places left.

        Args:
            package_id: A permit package, such as "permit_9_6_1".
        """
        package = PermitPackage.parse(package_id)
        offer = self.catalogue.permit_offer(package) if package else None
        if package is None or offer is None:
            raise ToolError(
                f"There is no permit package {_shown(package_id)}. Use search_permit_availability.", "package_id"
            )
        permit = offer.permit
        return PermitDetails(
            package_id=package_id,
            park=self.catalogue.parks.row(permit.park_id - 1).name,
            template_name=permit.template_name,
            kind=permit.kind,
            start_date=calendar_date(package.start),
            start_weekday=offer.start_weekday,
            end_date=calendar_date(package.start + package.days - 1),
            days=package.days,
            remaining=offer.remaining,
            max_group=permit.max_group,
            lottery=permit.lottery,
            fee_group=permit.fee_group_cents / 100,
            fee_person=(offer.fee_cents(1) - permit.fee_group_cents) / 100,
        )

    # -- Utilities

    @tool(other_names=("calendar",))
    def get_weekday(self, date_str: date) -> str:
        """Tell the weekday of a date.

        Args:
            date_str: The date, as YYYY-MM-DD, in August 2025.
        """
        return weekday(_day(date_str, "date_str", LAST_DAY + 1))

    @tool(other_names=("calculator",))
    def calculate(self, expression: str) -> int | float:
        """Calculate with numbers.

        Args:
            expression: Arithmetic with + - * / % ** and parentheses, such as "2 * (129.5 + 80)".
        """
        try:
            return arithmetic.calculate(expression)
        except arithmetic.NotCalculable as error:
            raise ToolError(str(error), "expression") from None

    @tool(other_names=("calculate_driving_distance",))
    def calculate_distance(self, lat1: float, lon1: float, lat2: float, lon2: float) -> Distance:
        """Estimate the way between two points: the distance as the crow flies and the time by car.

        Args:
            lat1: Latitude of the first point, in degrees.
            lon1: Longitude of the first point, in degrees.
            lat2: Latitude of the second point, in degrees.
            lon2: Longitude of the second point, in degrees.
        """
        for name, degrees, most in (("lat1", lat1, 90), ("lat2", lat2, 90), ("lon1", lon1, 180), ("lon2", lon2, 180)):
            if abs(degrees) > most:
                raise ToolError(f"{degrees} is no {'latitude' if most == 90 else 'longitude'}.", name)
        km = great_circle_km(lat1, lon1, lat2, lon2)
        minutes = round(60 * driving_hours(km))
        return Distance(f"{minutes // 60}h {minutes % 60}m", round(km, 2))

    @tool(other_names=("notebook",))
    def Notebook(
        self,
        action: Literal["write", "read", "delete", "list_all"],
        input_data: str | None = None,
        index: int | None = None,
    ) -> NotebookAnswer:
        """Keep notes during the conversation. Nobody else reads them.

        Args:
            action: "write" adds a note, or replaces the one with this index; "read" and "delete" take an index.
            input_data: What to write.
            index: Number of the note, from 1.
        """
        if action == "write":
            return self._write(input_data, index)
        if action == "list_all":
            notes = tuple(Note(place, content) for place, content in enumerate(self.notes, start=1))
            return NotebookAnswer(f"{len(notes)} notes.", notes)
        place = self._note(index)
        note = Note(place, self.notes[place - 1])
        if action == "read":
            return NotebookAnswer(f"Note {place}.", (note,))
        del self.notes[place - 1]
        return NotebookAnswer(f"Note {place} is deleted; later notes move up.", (note,))

    def _write(self, content: str | None, index: int | None) -> NotebookAnswer:
        if content is None:
            raise ToolError("There is nothing to write: input_data is missing.", "input_data")
        place = len(self.notes) + 1 if index is None else self._note(index)
        self.notes[place - 1 : place] = [content]
        return NotebookAnswer(f"Note {place} is written.", (Note(place, content),))

    def _note(self, index: int | None) -> int:
        if index is None or not 1 <= index <= len(self.notes):
            raise ToolError(f"There is no note {index}; there are {len(self.notes)} notes, counted from 1.", "index")
        return index

    # -- Recommendations

    @tool(other_names=("validate_hotel_id",), may_be_empty=("reasoning",))
    def recommend_hotel(self, package_ids: Ids, reasoning: str) -> list[Validity]:
        """Check hotel packages before recommending them. Says whether they exist, not whether they suit.

        Args:
            package_ids: One to three hotel packages, the best first.
            reasoning: Why these.
        """
        return [self._validity(text, self._is_hotel(text)) for text in package_ids]

    @tool(other_names=("validate_flight_id",), may_be_empty=("reasoning",))
    def recommend_flight(self, flight_ids: Ids, reasoning: str) -> list[Validity]:
        """Check flight packages before recommending them. Says whether they exist, not whether they suit.

        Args:
            flight_ids: One to three flight packages, the best first.
            reasoning: Why these.
        """
        parsed = [FlightPackage.parse(text) for text in flight_ids]
        found = [package is not None and self.catalogue.flight_offer(package) is not None for package in parsed]
        return [self._validity(text, there) for text, there in zip(flight_ids, found, strict=True)]

    @tool(other_names=("validate_permit_id",), may_be_empty=("reasoning",))
    def recommend_permit(self, permit_ids: Ids, reasoning: str) -> list[Validity]:
        """Check permit packages before recommending them. Says whether they exist, not whether they suit.

        Args:
            permit_ids: One to three permit packages, the best first.
            reasoning: Why these.
        """
        parsed = [PermitPackage.parse(text) for text in permit_ids]
        found = [package is not None and self.catalogue.permit_offer(package) is not None for package in parsed]
        return [self._validity(text, there) for text, there in zip(permit_ids, found, strict=True)]

    def _is_hotel(self, text: str) -> bool:
        package = HotelPackage.parse(text)
        offer = self.catalogue.hotel_offer(package) if package else None
        return offer is not None and offer.is_sold_every_night

    @staticmethod
    def _validity(text: str, there: bool) -> Validity:
        return Validity(text, there, None if there else "There is no such package.")

    # -- Reading arguments

    def _area(self, name: str) -> Place:
        place = self.search.area(name)
        if place is None:
            raise ToolError(
                f"{_shown(name)} is no park or town that is known here. Look for its name with search_location_name.",
                "location",
            )
        return place

    def _configs(self, place: Place) -> slice | Integers:
        if place.location_type == "park":
            return self.catalogue.configs_of(place.number)
        return self.search.configs_by_town[place.number]

    def _park(self, name: str, field: str) -> int:
        place = self.search.area(name)
        if place is None or place.location_type != "park":
            names = ", ".join(self.catalogue.park_ids)
            raise ToolError(f"There is no park {_shown(name)}. The parks are: {names}.", field)
        return place.number

    def _airport(self, code: str, field: str) -> str:
        known = {airport.code for airport in self.catalogue.airports.rows()}
        if code.strip().upper() not in known:
            raise ToolError(f"There is no airport {_shown(code)}. The airports are: {', '.join(sorted(known))}.", field)
        return code.strip().upper()

    def _airline(self, name: str) -> str:
        airlines = self.catalogue.flights.words("airline").words
        found = next((airline for airline in airlines if airline.casefold() == name.strip().casefold()), None)
        if found is None:
            raise ToolError(
                f"There is no airline {_shown(name)}. The airlines are: {', '.join(airlines)}.", "airline_preference"
            )
        return found

    def _permit(self, park_id: int, template_name: str) -> int:
        names = {self.catalogue.permits.row(row).template_name: row for row in self.catalogue.permits_of(park_id)}
        wanted = template_name.strip().casefold()
        row = next((row for name, row in names.items() if name.casefold() == wanted), None)
        if row is None:
            raise ToolError(
                f"The park has no permit {_shown(template_name)}. It has: {'; '.join(names)}.", "template_name"
            )
        return row

    def _hotel(self, identifier: str) -> tuple[int, float, tuple[str, ...]]:
        """The number of a hotel, how sure that is, and other names that are similar."""
        text = identifier.strip()
        if text.isascii() and text.isdigit() and len(text) < 9 and 1 <= int(text) <= len(self.catalogue.hotels):
            return int(text), 1.0, ()
        matches = self.search.hotels.find(text[:200], most=4)
        if not matches or matches[0].confidence < LEAST_CONFIDENCE:
            raise ToolError(
                f"No hotel is called {_shown(identifier)}. Look for its name with search_location_name.",
                "hotel_identifier",
            )
        best, *others = matches
        return best.place.number, best.confidence, tuple(other.place.name for other in others)

    # -- Shaping answers

    def _package_found(self, config: int, stay: Stay, guests: int, cost: int) -> HotelPackageFound:
        index = self.search.index
        rate = index.config(config)
        hotel, room = index.hotel(rate.hotel_id - 1), index.room(rate.room_id - 1)
        rooms = rooms_needed(guests, room.max_occupancy)
        return HotelPackageFound(
            package_id=str(HotelPackage(rate.config_id, stay, rooms)),
            hotel_id=hotel.hotel_id,
            hotel_name=hotel.name,
            park=index.park_names[hotel.park_id - 1],
            town=index.town_names[hotel.town_id - 1],
            star_rating=_tenths(hotel.star_rating_x10),
            review_score=_tenths(hotel.review_score_x10),
            review_count=hotel.review_count,
            entrance_km=hotel.entrance_km_x100 / 100,
            room_type=room.room_type,
            max_occupancy=room.max_occupancy,
            rooms=rooms,
            price=cost / 100,
            price_nightly=round(cost / (100 * rooms * stay.nights), 2),
            breakfast_included=rate.breakfast_included,
            free_cancellation=rate.free_cancellation,
            no_prepayment_needed=rate.no_prepayment_needed,
        )

    def _flight_found(self, package: FlightPackage, passengers: int) -> FlightPackageFound:
        offer = self.catalogue.flight_offer(package)
        assert offer is not None, package
        flight, out, back = offer.flight, offer.departure, offer.returning
        outbound = LegDetails(
            flight.out_number,
            flight.origin,
            flight.destination,
            calendar_date(package.stay.start),
            flight.out_depart,
            flight.out_arrive,
            flight.out_minutes,
            out.out_price_cents / 100,
            out.out_seats,
        )
        inbound = LegDetails(
            flight.back_number,
            flight.destination,
            flight.origin,
            calendar_date(package.stay.end),
            flight.back_depart,
            flight.back_arrive,
            flight.back_minutes,
            back.back_price_cents / 100,
            back.back_seats,
        )
        return FlightPackageFound(
            package_id=str(package),
            airline=flight.airline,
            booking_class=flight.booking_class,
            stops=flight.stops,
            layover_code=flight.layover_code,
            price=passengers * offer.fare_cents / 100,
            price_per_passenger=offer.fare_cents / 100,
            outbound=outbound,
            inbound=inbound,
            has_wifi=flight.has_wifi,
            has_power=flight.has_power,
            has_meal=flight.has_meal,
            carry_on_included=flight.carry_on_included,
            checked_bag_included=flight.checked_bag_included,
            pets_allowed=flight.pets_allowed,
            is_refundable=flight.is_refundable,
            is_changeable=flight.is_changeable,
        )


def _permit_type(permit: Permit) -> PermitType:
    return PermitType(
        permit.template_name,
        permit.min_days,
        permit.max_days,
        permit.hours,
        permit.max_group,
        permit.lottery,
        permit.fee_group_cents / 100,
        permit.fee_person_cents / 100,
        permit.fee_person_night_cents / 100,
    )


def _amenities(record: Hotel | Room) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Which flags are set, and which are not."""
    flags = [field.name for field in field_types(type(record)) if field.base is bool]
    has = tuple(name for name in flags if getattr(record, name))
    return has, tuple(name for name in flags if name not in has)


def driving_hours(km: float) -> float:
    """Hours by car for a distance as the crow flies: fitted on the ways from airports to park entrances."""
    return 0.43 + km / 86 if km >= 5 else km / 30


def _tenths(value: int | None) -> float | None:
    return None if value is None else value / 10


def _up(value: float | None, factor: int) -> int | None:
    """A least value in units of the catalogue: rounded up, so that nothing below it gets through."""
    return None if value is None else ceil(Fraction(repr(value)) * factor)


def _cents(dollars: float | None, *, up: bool) -> int | None:
    if dollars is None:
        return None
    cents = Fraction(repr(dollars)) * 100
    return ceil(cents) if up else floor(cents)


def _shown(text: str) -> str:
    return f'"{text[:60]}"'


def _day(day: date, field: str, last: int = LAST_DAY) -> int:
    """The number of a day of August 2025."""
    number = (day - date(YEAR, MONTH, 1)).days + 1
    if not 1 <= number <= last:
        raise ToolError(f"{day} is not in August 2025, the only month that is sold here.", field)
    return number


def _stay(start: date, end: date, end_field: str, last: int = LAST_DAY + 1) -> Stay:
    start_field = end_field.replace("end", "start").replace("return", "departure")
    stay = Stay(_day(start, start_field), _day(end, end_field, last))
    if stay.end <= stay.start:
        raise ToolError(f"{end} is not after {start}.", end_field)
    return stay


def _days(range_: list[date]) -> tuple[int, int]:
    first, last = (_day(day, "date_range") for day in range_)
    if last < first:
        raise ToolError(f"{range_[1]} is before {range_[0]}.", "date_range")
    return first, last

"""What COMPASS sells: hotels, flights and permits, the packages made of them, and travel plans.

Units are in the names: money in cents, ratings in tenths, distances in hundredths of a kilometer, drive times in
hundredths of an hour. Days are days of August 2025; day 32 is the first of September, a possible check-out.
"""

import math
import re
from dataclasses import dataclass
from datetime import date
from typing import Self

FIRST_DAY = 1
LAST_DAY = 31
YEAR, MONTH = 2025, 8
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
WEEKEND = ("Friday", "Saturday", "Sunday")


def weekday(day: int) -> str:
    """The name of the weekday of a day of August 2025; the first is a Friday."""
    return WEEKDAYS[(day + 3) % 7]


def is_weekend(day: int) -> bool:
    """Whether the night of this day counts as weekend: Friday, Saturday and Sunday do."""
    return weekday(day) in WEEKEND


def calendar_date(day: int) -> date:
    """The calendar date of a day number."""
    return date.fromordinal(date(YEAR, MONTH, 1).toordinal() + day - 1)


@dataclass(frozen=True, order=True)
class Stay:
    """Nights at one place: check-in on `start`, check-out on `end`. Also a flight's departure and return day."""

    start: int
    end: int

    @property
    def nights(self) -> int:
        return self.end - self.start

    @property
    def days(self) -> range:
        """The day numbers of its nights."""
        return range(self.start, self.end)

    @property
    def is_in_calendar(self) -> bool:
        return FIRST_DAY <= self.start < self.end <= LAST_DAY + 1


# ---------------------------------------------------------------------------------------------------------------
# Places


@dataclass(frozen=True)
class Park:
    park_id: int
    name: str
    official_name: str
    states: str
    lat: float
    lon: float


@dataclass(frozen=True)
class Entrance:
    park_id: int
    name: str
    lat: float
    lon: float


@dataclass(frozen=True)
class Town:
    town_id: int
    name: str
    state: str
    lat: float
    lon: float


@dataclass(frozen=True)
class ParkTown:
    """A town near a park."""

    park_id: int
    town_id: int
    entrance_km_x100: int


@dataclass(frozen=True)
class Airport:
    code: str
    name: str
    city: str
    state: str
    lat: float
    lon: float
    tz: str
    airport_type: str
    """`regional` or `large`."""
    is_origin: bool
    is_destination: bool


@dataclass(frozen=True)
class Drive:
    """An airport that serves a park, and the drive from one to the other."""

    park_id: int
    code: str
    drive_hours_x100: int


# ---------------------------------------------------------------------------------------------------------------
# What is sold


@dataclass(frozen=True)
class Hotel:
    hotel_id: int
    name: str
    park_id: int
    town_id: int
    lat: float
    lon: float
    entrance_km_x100: int
    """To the nearest entrance of its park; the distance objective and constraint use this one."""
    center_km_x100: int
    star_rating_x10: int | None
    review_score_x10: int | None
    review_count: int
    brand: str | None
    property_type: str
    has_pool: bool
    has_restaurant: bool
    has_bar: bool
    has_parking: bool
    has_free_parking: bool
    has_wifi: bool
    has_fitness_center: bool
    has_spa: bool
    has_hot_tub: bool
    has_airport_shuttle: bool
    has_ev_charging: bool
    has_24h_front_desk: bool
    has_laundry: bool
    is_pet_friendly: bool
    is_wheelchair_accessible: bool
    has_family_rooms: bool
    is_non_smoking: bool


@dataclass(frozen=True)
class Room:
    room_id: int
    hotel_id: int
    room_type: str
    bed_type: str
    bed_count: int
    max_occupancy: int
    size_m2: int
    has_kitchenette: bool
    has_air_conditioning: bool
    has_private_bathroom: bool
    has_balcony: bool
    has_view: bool
    has_tv: bool
    has_coffee_maker: bool
    has_refrigerator: bool


@dataclass(frozen=True)
class Config:
    """A room at one rate: the meal plan and the terms it is booked under."""

    config_id: int
    room_id: int
    hotel_id: int
    park_id: int
    meal_plan: str
    breakfast_included: bool
    free_cancellation: bool
    no_prepayment_needed: bool


@dataclass(frozen=True)
class Night:
    """A configuration on one night: what a room costs and how many are free."""

    config_id: int
    day: int
    price_cents: int
    rooms_available: int


@dataclass(frozen=True)
class Flight:
    """A round trip that is flown every day: one ticket from home to the park's airport and back."""

    template_id: int
    airline: str
    origin: str
    destination: str
    stops: int
    layover_code: str | None
    booking_class: str
    out_number: str
    out_depart: str
    """Local time as HH:MM, as all times of flights."""
    out_arrive: str
    out_minutes: int
    back_number: str
    back_depart: str
    back_arrive: str
    back_minutes: int
    has_wifi: bool
    has_power: bool
    has_meal: bool
    carry_on_included: bool
    checked_bag_included: bool
    pets_allowed: bool
    is_refundable: bool
    is_changeable: bool

    @property
    def longest_minutes(self) -> int:
        """The longer of the two legs."""
        return max(self.out_minutes, self.back_minutes)

    @property
    def earliest_depart(self) -> str:
        """The earlier of the two departures, each in its local time."""
        return min(self.out_depart, self.back_depart)

    @property
    def latest_arrive(self) -> str:
        """The later of the two arrivals, each in its local time."""
        return max(self.out_arrive, self.back_arrive)


@dataclass(frozen=True)
class Fare:
    """What a flight costs per passenger on one day, each way, and the seats left."""

    template_id: int
    day: int
    out_price_cents: int
    back_price_cents: int
    out_seats: int
    back_seats: int


@dataclass(frozen=True)
class Permit:
    permit_id: int
    park_id: int
    template_name: str
    kind: str
    """`day_hikes`, `guided_tours` or `backpacking`."""
    min_days: int
    max_days: int
    hours: float | None
    max_group: int | None
    """The largest group it is given to; None means any."""
    lottery: bool
    fee_group_cents: int
    fee_person_cents: int
    fee_person_night_cents: int


@dataclass(frozen=True)
class PermitDay:
    """Places left on one day; a day on which the permit is not given has no such record."""

    permit_id: int
    day: int
    remaining: int


# ---------------------------------------------------------------------------------------------------------------
# Package ids

_ID = {
    kind: re.compile(rf"{kind}{r'_([1-9][0-9]{0,8})' * fields}", re.ASCII)
    for kind, fields in {"pkg": 4, "flight": 3, "permit": 3}.items()
}


def _numbers(kind: str, text: str) -> tuple[int, ...] | None:
    match = _ID[kind].fullmatch(text)
    return tuple(map(int, match.groups())) if match else None


@dataclass(frozen=True, order=True)
class HotelPackage:
    """`pkg_{config}_{start}_{end}_{rooms}`: so many rooms of one configuration for one stay."""

    config_id: int
    stay: Stay
    rooms: int

    def __str__(self) -> str:
        return f"pkg_{self.config_id}_{self.stay.start}_{self.stay.end}_{self.rooms}"

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """The package an id names; None if the text is no such id."""
        numbers = _numbers("pkg", text)
        return cls(numbers[0], Stay(numbers[1], numbers[2]), numbers[3]) if numbers else None


@dataclass(frozen=True, order=True)
class FlightPackage:
    """`flight_{template}_{departure}_{return}`: a round trip on two days."""

    template_id: int
    stay: Stay

    def __str__(self) -> str:
        return f"flight_{self.template_id}_{self.stay.start}_{self.stay.end}"

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """The package an id names; None if the text is no such id."""
        numbers = _numbers("flight", text)
        return cls(numbers[0], Stay(numbers[1], numbers[2])) if numbers else None


@dataclass(frozen=True, order=True)
class PermitPackage:
    """`permit_{permit}_{start}_{days}`: a permit from one day on, for so many days."""

    permit_id: int
    start: int
    days: int

    def __str__(self) -> str:
        return f"permit_{self.permit_id}_{self.start}_{self.days}"

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """The package an id names; None if the text is no such id."""
        numbers = _numbers("permit", text)
        return cls(*numbers) if numbers else None


@dataclass(frozen=True)
class Choice:
    """The package ids of one plan; what a level does not need is None."""

    hotel: HotelPackage
    flight: FlightPackage | None = None
    permit: PermitPackage | None = None

    def __str__(self) -> str:
        return " + ".join(str(part) for part in (self.hotel, self.flight, self.permit) if part)


def parse_choice(hotel: str, flight: str | None = None, permit: str | None = None) -> Choice | None:
    """The choice that some ids make; None if one of them is no such id."""
    rooms = HotelPackage.parse(hotel)
    trip = FlightPackage.parse(flight) if flight is not None else None
    permitted = PermitPackage.parse(permit) if permit is not None else None
    if rooms is None or (flight is not None and trip is None) or (permit is not None and permitted is None):
        return None
    return Choice(rooms, trip, permitted)


# ---------------------------------------------------------------------------------------------------------------
# Offers: packages joined to what they name


@dataclass(frozen=True)
class HotelOffer:
    """A hotel package with the records behind it."""

    package: HotelPackage
    park: Park
    hotel: Hotel
    room: Room
    config: Config
    nights: tuple[Night, ...]
    """The nights of the stay that are sold; fewer than the stay has when one is missing."""

    @property
    def price_cents(self) -> int:
        """All rooms, all nights."""
        return self.package.rooms * sum(night.price_cents for night in self.nights)

    @property
    def dearest_night_cents(self) -> int | None:
        """The price of one room on the dearest night; None if no night is sold."""
        return max((night.price_cents for night in self.nights), default=None)

    @property
    def is_sold_every_night(self) -> bool:
        return len(self.nights) == self.package.stay.nights

    @property
    def rooms_free(self) -> int:
        """Rooms free on every night of the stay."""
        if not self.is_sold_every_night:
            return 0
        return min((night.rooms_available for night in self.nights), default=0)


@dataclass(frozen=True)
class FlightOffer:
    """A flight package with the records behind it."""

    package: FlightPackage
    flight: Flight
    airport: Airport
    """Where it lands."""
    departure: Fare
    returning: Fare

    @property
    def fare_cents(self) -> int:
        """One passenger, there and back."""
        return self.departure.out_price_cents + self.returning.back_price_cents

    @property
    def seats_free(self) -> int:
        """Seats free on both legs."""
        return min(self.departure.out_seats, self.returning.back_seats)


@dataclass(frozen=True)
class PermitOffer:
    """A permit package with the records behind it."""

    package: PermitPackage
    permit: Permit
    remaining: int
    """Places left on every day it covers."""

    @property
    def days(self) -> int:
        return self.package.days

    @property
    def start_weekday(self) -> str:
        return weekday(self.package.start)

    def fee_cents(self, guests: int) -> int:
        """What a group pays: per group, per person, and per person and night."""
        nights = self.package.days - 1
        per_person = self.permit.fee_person_cents + nights * self.permit.fee_person_night_cents
        return self.permit.fee_group_cents + guests * per_person


@dataclass(frozen=True)
class TravelPlan:
    """A choice joined to the records it names: what every constraint and objective looks at."""

    hotel: HotelOffer
    flight: FlightOffer | None = None
    drive: Drive | None = None
    """From the airport of the flight to the hotel's park; None when that airport does not serve it."""
    permit: PermitOffer | None = None

    @property
    def choice(self) -> Choice:
        return Choice(
            self.hotel.package,
            self.flight.package if self.flight else None,
            self.permit.package if self.permit else None,
        )

    def cost_cents(self, guests: int) -> int:
        """Rooms, fares for everybody and permit fees."""
        fares = guests * self.flight.fare_cents if self.flight else 0
        fees = self.permit.fee_cents(guests) if self.permit else 0
        return self.hotel.price_cents + fares + fees


def rooms_needed(guests: int, max_occupancy: int) -> int:
    """How many rooms of this size the party takes: exactly this many, never more."""
    return -(-guests // max_occupancy)


def great_circle_km(lat1: float, lon1: float, lat2: float, lon2: float) -> float:
    """Kilometers between two points, in degrees, on a sphere of the Earth's mean radius (haversine)."""
    south, north = math.radians(lat1), math.radians(lat2)
    half = math.sin((north - south) / 2) ** 2
    half += math.cos(south) * math.cos(north) * math.sin(math.radians(lon2 - lon1) / 2) ** 2
    return 2 * 6371.0088 * math.asin(min(1.0, math.sqrt(half)))

"""Small catalogues: a toy park that can be known by heart, and random ones that are small enough to list every plan."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from random import Random

import numpy as np

from tripgauge.compass.catalogue import NULL, Catalogue, DayTable, Table
from tripgauge.compass.constraints import HOTEL_FLAGS, ROOM_FLAGS, VOCABULARY, WISHES, Constraint
from tripgauge.compass.objectives import METRICS, FeatureCount, Objective, SingleMetric
from tripgauge.compass.offers import (
    LAST_DAY,
    Airport,
    Config,
    Drive,
    Entrance,
    Flight,
    FlightOffer,
    FlightPackage,
    Hotel,
    HotelPackage,
    Park,
    ParkTown,
    Permit,
    PermitOffer,
    PermitPackage,
    Room,
    Stay,
    Town,
    TravelPlan,
    rooms_needed,
)
from tripgauge.compass.task import Level, StatedConstraint, Task

NO_HOTEL_FLAGS = dict.fromkeys(HOTEL_FLAGS, False)
NO_ROOM_FLAGS = dict.fromkeys(ROOM_FLAGS, False)
NO_FLIGHT_FLAGS = dict.fromkeys(
    (
        "has_wifi",
        "has_power",
        "has_meal",
        "carry_on_included",
        "checked_bag_included",
        "pets_allowed",
        "is_refundable",
        "is_changeable",
    ),
    False,
)


def days(*series: Sequence[int]) -> DayTable:
    """A table by day, from one series of 31 numbers for each item."""
    return DayTable(np.array(series, dtype=np.int32).reshape(-1, LAST_DAY).T.copy())


def always(number: int, **on: int) -> list[int]:
    """The same number on every day but some: `always(100, day_5=200)`."""
    series = [number] * LAST_DAY
    for name, other in on.items():
        series[int(name.removeprefix("day_")) - 1] = other
    return series


def hotel(hotel_id: int, name: str, park_id: int = 1, **fields: object) -> Hotel:
    plain = Hotel(
        hotel_id, name, park_id, park_id, 40.0, -110.0, 500, 900, 30, 80, 100, None, "hotel", **NO_HOTEL_FLAGS
    )
    return replace(plain, **fields)  # type: ignore[arg-type]


def room(room_id: int, hotel_id: int, sleeps: int, **fields: object) -> Room:
    plain = Room(room_id, hotel_id, "standard", "queen", 1, sleeps, 20, **NO_ROOM_FLAGS)
    return replace(plain, **fields)  # type: ignore[arg-type]


def flight(template_id: int, origin: str, destination: str, **fields: object) -> Flight:
    out, back = ("X1", "08:00", "10:00", 120), ("X2", "18:00", "20:00", 130)
    plain = Flight(template_id, "Canyon Air", origin, destination, 0, None, "economy", *out, *back, **NO_FLIGHT_FLAGS)
    return replace(plain, **fields)  # type: ignore[arg-type]


def toy_park() -> Catalogue:
    """One park, two hotels, two flights, one hike. On most days:

    - Pine Inn: a room for two at $100, with parking, $80 at a rate without cancellation; review score 7.0.
    - Elk Lodge: a room for four at $150, with a pool; review score 9.0. On the 5th it is sold out, on the 6th dear.
    - From HOM to TOY: $200 there and back, direct; $150 with a stop.
    - The Ridge Hike: $10 a group, $5 a person; on the 4th nothing is left.
    """
    return Catalogue(
        parks=Table.of(Park, [Park(1, "Toy", "Toy National Park", "UT", 40.0, -110.0)]),
        entrances=Table.of(Entrance, [Entrance(1, "Main Gate", 40.05, -110.0)]),
        towns=Table.of(Town, [Town(1, "Toyville", "UT", 40.1, -110.1)]),
        park_towns=Table.of(ParkTown, [ParkTown(1, 1, 700)]),
        airports=Table.of(
            Airport,
            [
                Airport("HOM", "Home Airport", "Home", "IL", 41.0, -87.0, "America/Chicago", "large", True, False),
                Airport(
                    "TOY", "Toy Airport", "Toyville", "UT", 40.2, -110.2, "America/Denver", "regional", False, True
                ),
            ],
        ),
        drives=Table.of(Drive, [Drive(1, "TOY", 50)]),
        hotels=Table.of(
            Hotel,
            [
                hotel(1, "Pine Inn", review_score_x10=70, review_count=50, property_type="inn", has_parking=True),
                hotel(2, "Elk Lodge", review_score_x10=90, review_count=20, property_type="lodge", has_pool=True),
            ],
        ),
        rooms=Table.of(Room, [room(1, 1, 2), room(2, 2, 4, bed_type="double", bed_count=2)]),
        configs=Table.of(
            Config,
            [
                Config(1, 1, 1, 1, "none", False, True, True),
                Config(2, 1, 1, 1, "none", False, False, False),
                Config(3, 2, 2, 1, "breakfast", True, True, True),
            ],
        ),
        night_prices=days(always(10000), always(8000), always(15000, day_6=30000)),
        rooms_available=days(always(3), always(2), always(4, day_5=0)),
        flights=Table.of(Flight, [flight(1, "HOM", "TOY"), flight(2, "HOM", "TOY", stops=1, layover_code="HOM")]),
        out_prices=days(always(12000), always(9000)),
        back_prices=days(always(8000), always(6000)),
        out_seats=days(always(9), always(2)),
        back_seats=days(always(9), always(2)),
        permits=Table.of(Permit, [Permit(1, 1, "Ridge Hike", "day_hikes", 1, 1, 4.0, 6, False, 1000, 500, 0)]),
        remaining=days(always(8, day_4=0)),
    )


def task(level: Level, objective: Objective | str, *constraints: Constraint) -> Task:
    """A task; an objective may be given as the name of a metric."""
    goal = SingleMetric(METRICS[objective]) if isinstance(objective, str) else objective
    stated = tuple(StatedConstraint(f"c{n}", c, "initial") for n, c in enumerate(constraints, start=1))
    return Task("toy", level, "Toy", goal, stated, "", 0)


# ---------------------------------------------------------------------------------------------------------------


def random_catalogue(dice: Random) -> Catalogue:
    """Two parks with a few hotels, flights and permits; numbers are small, so that many plans tie."""
    hotels, rooms, configs = [], [], []
    for park_id in (1, 2):
        for _ in range(dice.randint(1, 3)):
            hotels.append(_random_hotel(dice, len(hotels) + 1, park_id))
            for _ in range(dice.randint(1, 2)):
                rooms.append(_random_room(dice, len(rooms) + 1, len(hotels)))
                for _ in range(dice.randint(1, 2)):
                    configs.append(_random_config(dice, len(configs) + 1, rooms[-1], park_id))
    codes = [(start, end) for start in ("HOM", "TWO") for end in ("AAA", "TWO") if start != end]
    flights = [_random_flight(dice, start, end) for start, end in sorted(codes) for _ in range(dice.randint(0, 3))] or [
        _random_flight(dice, "HOM", "AAA")
    ]
    flights = [replace(found, template_id=number) for number, found in enumerate(flights, start=1)]
    permits = [_random_permit(dice, number) for number in (1, 2, 3)]
    sold = [[dice.random() < 0.9 for _ in range(LAST_DAY)] for _ in configs]

    def series(count: int, low: int, high: int) -> list[list[int]]:
        return [[dice.randint(low, high) for _ in range(LAST_DAY)] for _ in range(count)]

    def listed(numbers: list[list[int]]) -> list[list[int]]:
        return [
            [n if there else NULL for n, there in zip(*rows, strict=True)] for rows in zip(numbers, sold, strict=True)
        ]

    return Catalogue(
        parks=Table.of(Park, [Park(n, f"Park {n}", f"Park {n}", "UT", 40.0, -110.0) for n in (1, 2)]),
        entrances=Table.of(Entrance, []),
        towns=Table.of(Town, [Town(n, f"Town {n}", "UT", 40.0, -110.0) for n in (1, 2)]),
        park_towns=Table.of(ParkTown, []),
        airports=Table.of(Airport, [_airport(code) for code in ("HOM", "AAA", "TWO")]),
        drives=Table.of(Drive, [Drive(1, "AAA", 100), Drive(1, "TWO", 250), Drive(2, "TWO", dice.choice([50, 100]))]),
        hotels=Table.of(Hotel, hotels),
        rooms=Table.of(Room, rooms),
        configs=Table.of(Config, configs),
        night_prices=days(*listed(series(len(configs), 5, 9))),
        rooms_available=days(*listed(series(len(configs), 0, 3))),
        flights=Table.of(Flight, flights),
        out_prices=days(*series(len(flights), 5, 8)),
        back_prices=days(*series(len(flights), 5, 8)),
        out_seats=days(*series(len(flights), 0, 5)),
        back_seats=days(*series(len(flights), 0, 5)),
        permits=Table.of(Permit, permits),
        remaining=days(*series(len(permits), -1, 5)),
    )


def _airport(code: str) -> Airport:
    kind = "regional" if code == "AAA" else "large"
    return Airport(code, code, code, "UT", 40.0, -110.0, "America/Denver", kind, code != "AAA", code != "HOM")


def _maybe(dice: Random, *values: object) -> object:
    return dice.choice([None, *values])


def _random_hotel(dice: Random, number: int, park_id: int) -> Hotel:
    flags = {name: dice.random() < 0.5 for name in HOTEL_FLAGS}
    return hotel(
        number,
        f"Hotel {number}",
        park_id,
        entrance_km_x100=dice.randint(1, 5) * 100,
        star_rating_x10=_maybe(dice, 20, 30, 40),
        review_score_x10=_maybe(dice, 70, 80, 90),
        review_count=dice.randint(0, 3) * 100,
        brand=_maybe(dice, "One", "Two"),
        property_type=dice.choice(["inn", "hotel"]),
        **flags,
    )


def _random_room(dice: Random, number: int, hotel_id: int) -> Room:
    flags = {name: dice.random() < 0.5 for name in ROOM_FLAGS}
    beds = {"bed_type": dice.choice(["king", "queen"]), "bed_count": dice.randint(1, 2)}
    return room(number, hotel_id, dice.randint(1, 4), **beds, **flags)


def _random_config(dice: Random, number: int, of: Room, park_id: int) -> Config:
    breakfast, cancel, later = (dice.random() < 0.5 for _ in range(3))
    return Config(
        number, of.room_id, of.hotel_id, park_id, "breakfast" if breakfast else "none", breakfast, cancel, later
    )


def _random_flight(dice: Random, origin: str, destination: str) -> Flight:
    times = [f"{dice.randint(6, 21):02}:00" for _ in range(4)]
    return flight(
        1,
        origin,
        destination,
        airline=dice.choice(["Canyon Air", "Coastal Jet"]),
        stops=dice.randint(0, 1),
        booking_class=dice.choice(["economy", "business"]),
        out_depart=times[0],
        out_arrive=times[1],
        back_depart=times[2],
        back_arrive=times[3],
        out_minutes=dice.randint(1, 4) * 60,
        back_minutes=dice.randint(1, 4) * 60,
        **{name: dice.random() < 0.5 for name in NO_FLIGHT_FLAGS},
    )


def _random_permit(dice: Random, number: int) -> Permit:
    kind = dice.choice(["day_hikes", "guided_tours", "backpacking"])
    longest = dice.randint(1, 3)
    fees = [dice.randint(0, 2) for _ in range(3)]
    least = dice.randint(1, longest)
    return Permit(
        number,
        (1, 1, 2)[number - 1],
        f"Permit {number}",
        kind,
        least,
        longest,
        None,
        dice.choice([None, 2, 4]),
        False,
        *fees,
    )


def random_constraint(dice: Random, type_: str) -> Constraint:
    """A constraint of a type with a value that fits the random catalogues, and the default one to some degree."""
    values: dict[str, Sequence[object]] = {
        "location": [("Park 1",), ("Park 2",), ("Park 1", "Park 2"), ("Zion", "Arches", "Yosemite")],
        "room_occupancy": [1, 2, 3],
        "guests": [1, 2, 3, 4],
        "budget": [40, 60, 90, 50000, 150000],
        "min_star_rating": [20, 30, 40],
        "min_review_score": [70, 80, 90],
        "min_review_count": [100, 200, 500],
        "max_distance": [200, 300, 1000],
        "brand_in": [("One",), ("One", "Two"), ("Old Station Hotel", "Silver Birch Suites")],
        "brand_not_in": [("One",), ("Nowhere",), ("Roadrunner Motel",)],
        "same_hotel_brand": ["One", "Two", "Timberline Inn"],
        "property_type_in": [("inn",), ("inn", "hotel"), ("lodge", "resort")],
        "max_nightly_price": [6, 7, 8, 15000, 30000],
        "bed_type": [("king", 1), ("queen", 1), ("queen", 2), ("double", 2)],
        "origin": ["HOM", "TWO", "ORD", "DEN"],
        "airline_in": [("Canyon Air",), ("Coastal Jet", "Canyon Air")],
        "booking_class": ["economy", "business"],
        "max_flight_minutes": [120, 180, 400],
        "depart_after": ["07:00", "09:00", "12:00"],
        "arrive_before": ["15:00", "20:00", "22:00"],
        "airport_type": ["regional", "large"],
        "max_drive_hours": [50, 100, 200],
        "permit_template": [("Permit 1",), ("Permit 2", "Permit 3"), ("Angels Landing chains section",)],
        "permit_kind": ["day_hikes", "guided_tours", "backpacking"],
        "permit_on_weekday": [("Friday", "Saturday"), ("Monday",), ("Tuesday", "Wednesday", "Thursday")],
        "permit_days": [1, 2, 3],
        "permit_buffer_days": [1, 2],
    }
    if type_ == "dates":
        stays = [Stay(start, start + dice.randint(1, 5)) for start in dice.sample(range(1, 28), dice.randint(1, 3))]
        return Constraint(type_, tuple((stay.start, stay.end) for stay in stays))
    return Constraint(type_, dice.choice(values.get(type_, [True])))  # type: ignore[arg-type]


def random_task(dice: Random, level: Level) -> Task:
    """A task over a random catalogue."""
    fundamentals = ["location", "dates", "room_occupancy", "guests", "budget"]
    optional = [type_ for type_, kind in VOCABULARY.items() if kind.level <= level and type_ not in fundamentals]
    types = [type_ for type_ in fundamentals if dice.random() < 0.85 or type_ in ("dates", "guests")]
    types += dice.sample(optional, dice.choice([0, 0, 1, 2]))
    return task(level, random_objective(dice, level), *(random_constraint(dice, type_) for type_ in types))


def random_objective(dice: Random, level: Level) -> Objective:
    if dice.random() < 0.6:
        return SingleMetric(dice.choice([metric for metric in METRICS.values() if level in metric.levels]))
    wishes = [type_ for type_ in WISHES if VOCABULARY[type_].level <= level]
    return FeatureCount(tuple(random_constraint(dice, type_) for type_ in dice.sample(wishes, dice.randint(1, 5))))


def every_plan(catalogue: Catalogue, task: Task) -> list[TravelPlan]:
    """Every plan that could be named for a task's stays, feasible or not, with as many rooms as it takes."""
    found = []
    for stay in task.stays:
        hotels = [catalogue.hotel_offer(package) for package in _hotel_packages(catalogue, stay, task.guests)]
        flights: list[FlightOffer | None] = [None]
        permits: list[PermitOffer | None] = [None]
        if task.level >= 2:
            tickets = (FlightPackage(number, stay) for number in range(1, len(catalogue.flights) + 1))
            flights = [offer for package in tickets if (offer := catalogue.flight_offer(package))]
        if task.level == 3:
            windows = (PermitPackage(n, day, length) for n in (1, 2, 3) for day in stay.days for length in (1, 2, 3))
            permits = [offer for package in windows if (offer := catalogue.permit_offer(package))]
        for hotel_, flight_, permit in product(hotels, flights, permits):
            assert hotel_
            drive = catalogue.drive(hotel_.hotel.park_id, flight_.airport.code) if flight_ else None
            found.append(TravelPlan(hotel_, flight_, drive, permit))
    return found


def _hotel_packages(catalogue: Catalogue, stay: Stay, guests: int) -> list[HotelPackage]:
    rooms = {config.config_id: catalogue.rooms.row(config.room_id - 1) for config in catalogue.configs.rows()}
    return [HotelPackage(number, stay, rooms_needed(guests, of.max_occupancy)) for number, of in rooms.items()]

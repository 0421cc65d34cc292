"""Makes a catalogue: invented hotels, flights and places on real parks, airports and permits.

`generate_catalogue(seed, scale)` is a pure function: the same arguments give the same rows everywhere. A larger scale
has that many times the hotels of each park and the flights of each route; parks, airports and permits stay as they are.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tripgauge.compass.catalogue import NULL, Catalogue, Column, DayTable, Integers, Table, Words
from tripgauge.compass.draws import Draws, Numbers, pick_at
from tripgauge.compass.generation.facts import AirportFact, Facts, PermitFact, facts
from tripgauge.compass.generation.markets import (
    AIRLINE_CODES,
    AIRLINE_PRICE,
    AIRLINES,
    BOOKING_CLASSES,
    BRAND_STARS,
    BRAND_TYPES,
    BRANDS,
    CLASS_PRICE,
    CLASS_WEIGHTS,
    DIRECT_SHARE,
    FIRST_DEPARTURE,
    FLIGHT_FLAGS,
    HOTEL_FLAGS,
    HUBS,
    LARGE_ROUTE_FLIGHTS,
    LAST_ARRIVAL,
    LAST_DEPARTURE,
    MARKETS,
    MODEST_TYPES,
    MOST_PLACES,
    NAME_FIRST,
    NAME_SECOND,
    NIGHT_CENTS,
    PROPERTY_NAMES,
    PROPERTY_TYPES,
    RATES,
    REGIONAL_ROUTE_FLIGHTS,
    ROOM_FLAGS,
    ROOM_KINDS,
    ROOM_WEIGHTS,
    ROOMS_AND_RATES,
    SOLD_SHARE,
    TYPE_PRICE,
    UPSCALE_TYPES,
    UTC_OFFSET_HOURS,
    FlagChance,
)
from tripgauge.compass.offers import (
    LAST_DAY,
    Airport,
    Config,
    Drive,
    Entrance,
    Flight,
    Hotel,
    Park,
    ParkTown,
    Permit,
    Room,
    Town,
    is_weekend,
)

DEFAULT_SEED = 0

DAYS = range(1, LAST_DAY + 1)


def generate_catalogue(seed: int = DEFAULT_SEED, scale: int = 1) -> Catalogue:
    """The catalogue of a seed. `scale` multiplies hotels and flights, and with them the offers."""
    draws, real = Draws(seed), facts()
    parks = _parks(real)
    towns, park_towns = _towns(real)
    entrances = _entrances(real)
    lodging = _hotels(draws, real, towns, scale)
    rooms, room_price = _rooms(draws, lodging)
    configs, config_price = _configs(draws, lodging, rooms, room_price)
    night_prices, rooms_available = _nights(draws, configs, config_price)
    flights, leg_price = _flights(draws, real, scale)
    out_prices, back_prices, out_seats, back_seats = _fares(draws, leg_price)
    return Catalogue(
        parks=parks,
        entrances=entrances,
        towns=Table.of(Town, towns),
        park_towns=Table.of(ParkTown, park_towns),
        airports=Table.of(Airport, [_airport(airport) for airport in real.airports]),
        drives=_drives(real),
        hotels=lodging.hotels,
        rooms=rooms,
        configs=configs,
        night_prices=night_prices,
        rooms_available=rooms_available,
        flights=flights,
        out_prices=out_prices,
        back_prices=back_prices,
        out_seats=out_seats,
        back_seats=back_seats,
        permits=_permits(real),
        remaining=_permit_days(draws, real),
    )


# -- Places


def _park_ids(real: Facts) -> dict[str, int]:
    return {park.name: place for place, park in enumerate(real.parks, start=1)}


def _parks(real: Facts) -> Table[Park]:
    ids = _park_ids(real)
    rows = [Park(ids[park.name], park.name, park.official_name, park.states, park.lat, park.lon) for park in real.parks]
    return Table.of(Park, rows)


def _entrances(real: Facts) -> Table[Entrance]:
    ids = _park_ids(real)
    return Table.of(Entrance, [Entrance(ids[gate.park], gate.name, gate.lat, gate.lon) for gate in real.entrances])


def _towns(real: Facts) -> tuple[list[Town], list[ParkTown]]:
    """Every town once, and which parks it serves."""
    ids, town_ids = _park_ids(real), {}
    towns: list[Town] = []
    park_towns = []
    for town in real.towns:
        if (town.name, town.state) not in town_ids:
            town_ids[town.name, town.state] = len(towns) + 1
            towns.append(Town(len(towns) + 1, town.name, town.state, town.lat, town.lon))
        distance = _entrance_km(real, town.park, np.array([town.lat]), np.array([town.lon]))
        park_towns.append(ParkTown(ids[town.park], town_ids[town.name, town.state], int(_hundredths(distance)[0])))
    return towns, park_towns


def _airport(airport: AirportFact) -> Airport:
    place = (airport.code, airport.name, airport.city, airport.state, airport.lat, airport.lon)
    comes, goes = airport.role in ("destination", "both"), airport.role in ("origin", "both")
    return Airport(*place, airport.tz, airport.airport_type, is_origin=goes, is_destination=comes)


def _drives(real: Facts) -> Table[Drive]:
    ids = _park_ids(real)
    return Table.of(
        Drive, [Drive(ids[drive.park], drive.code, round(drive.drive_hours * 100)) for drive in real.drives]
    )


def great_circle_km(lat1: Any, lon1: Any, lat2: Any, lon2: Any) -> Numbers:
    """Kilometers between points on a sphere of the Earth's mean radius (haversine)."""
    lat1, lon1, lat2, lon2 = (np.radians(np.asarray(degrees, dtype=np.float64)) for degrees in (lat1, lon1, lat2, lon2))
    half = np.sin((lat2 - lat1) / 2) ** 2 + np.cos(lat1) * np.cos(lat2) * np.sin((lon2 - lon1) / 2) ** 2
    return np.asarray(2 * 6371.0088 * np.arcsin(np.sqrt(half)))


def _entrance_km(real: Facts, park: str, lat: Numbers, lon: Numbers) -> Numbers:
    gates = [gate for gate in real.entrances if gate.park == park]
    return np.asarray(np.min([great_circle_km(lat, lon, gate.lat, gate.lon) for gate in gates], axis=0))


def _hundredths(values: Numbers) -> NDArray[np.int64]:
    return np.floor(values * 100 + 0.5).astype(np.int64)


# -- Lodging


@dataclass(frozen=True)
class _Lodging:
    """The hotels with what their rooms and prices follow from."""

    hotels: Table[Hotel]
    quality: Numbers
    """0 for two stars and below, 1 for four stars and above."""

    price: Numbers
    """What the hotel contributes to the price of a night."""


def _hotels(draws: Draws, real: Facts, towns: Sequence[Town], scale: int) -> _Lodging:
    counts = [MARKETS[park.name].hotels * scale for park in real.parks]
    park = np.repeat(np.arange(len(counts)), counts)
    place = np.concatenate([np.arange(count) for count in counts])
    size = len(park)

    def each(values: list[float]) -> Numbers:
        return np.array(values)[park]

    level = each([MARKETS[fact.name].price_level for fact in real.parks])
    upscale = draws.happens(each([MARKETS[fact.name].four_star_share for fact in real.parks]), "upscale", park, place)
    brand = np.where(draws.happens(0.45, "branded", park, place), _brands(draws, upscale, park, place), NULL)
    stars = np.where(upscale, 40, 20) + 5 * draws.pick((0.4, 0.35, 0.25, 0.0), "stars", park, place)
    stars = np.where((brand != NULL) & ~upscale, np.array(BRAND_STARS)[brand], stars)
    quality = np.clip((stars - 20) / 20, 0.0, 1.0)
    kind = np.where(
        upscale, draws.pick(UPSCALE_TYPES, "type", park, place), draws.pick(MODEST_TYPES, "type", park, place)
    )
    kind = np.where(brand != NULL, np.array([PROPERTY_TYPES.index(name) for name in BRAND_TYPES])[brand], kind)
    town, lat, lon = _sites(draws, real, towns, park, place)
    reviewed = ~draws.happens(0.03, "unreviewed", park, place)
    rating = 68 + 14 * quality + draws.between(-9, 15, "review", park, place)
    uniform = draws.uniform("reviews", park, place)
    reviews = 12 + np.floor(2600 * uniform * uniform * (0.5 + quality)).astype(np.int64)
    rated = ~draws.happens(0.05, "unrated", park, place)
    noise = draws.between(0.82, 1.22, "hotel price", park, place)
    distances = [_distances(real, number, lat, lon) for number in range(len(real.parks))]
    entrance, center = (np.choose(park, [pair[which] for pair in distances]) for which in (0, 1))
    flags = [_flag(draws, name, chance, quality, park, place) for name, chance in HOTEL_FLAGS.items()]
    parking, free_parking = list(HOTEL_FLAGS).index("has_parking"), list(HOTEL_FLAGS).index("has_free_parking")
    flags[free_parking] &= flags[parking]
    columns: tuple[Column, ...] = (
        np.arange(1, size + 1),
        Words.of(_hotel_names(draws, [towns[number - 1].name for number in town.tolist()], brand, kind, park, place)),
        park + 1,
        town,
        lat,
        lon,
        entrance,
        center,
        np.where(rated, stars, NULL),
        np.where(reviewed, np.clip(np.floor(rating), 50, 98).astype(np.int64), NULL),
        np.where(reviewed, reviews, 0),
        Words.chosen(BRANDS, brand),
        Words.chosen(PROPERTY_TYPES, kind),
        *(flag.astype(np.int64) for flag in flags),
    )
    price = NIGHT_CENTS * level * (0.7 + 0.3 * quality + 0.45 * quality * quality) * TYPE_PRICE[kind] * noise
    return _Lodging(Table(Hotel, columns), quality, price)


def _brands(draws: Draws, upscale: NDArray[np.bool_], park: Integers, place: Integers) -> NDArray[np.int64]:
    modest = [1.0 if stars < 40 else 0.0 for stars in BRAND_STARS]
    fine = [0.0 if stars < 40 else 1.0 for stars in BRAND_STARS]
    return np.where(upscale, draws.pick(fine, "brand", park, place), draws.pick(modest, "brand", park, place))


def _sites(
    draws: Draws, real: Facts, towns: Sequence[Town], park: Integers, place: Integers
) -> tuple[NDArray[np.int64], Numbers, Numbers]:
    """In which town each hotel stands, and where: within about three kilometers of the town's center."""
    ids = {(town.name, town.state): town.town_id for town in towns}
    of_park = [[ids[town.name, town.state] for town in real.towns if town.park == fact.name] for fact in real.parks]
    uniform = draws.uniform("town", park, place)
    town = np.zeros(len(park), dtype=np.int64)
    for number, choices in enumerate(of_park):
        here = park == number
        town[here] = np.array(choices)[pick_at([1.0] * len(choices), uniform[here])]
    lat = np.array([site.lat for site in towns])[town - 1] + draws.between(-0.025, 0.025, "lat", park, place)
    lon = np.array([site.lon for site in towns])[town - 1] + draws.between(-0.03, 0.03, "lon", park, place)
    return town, np.round(lat, 4), np.round(lon, 4)


def _distances(real: Facts, park: int, lat: Numbers, lon: Numbers) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """To the nearest entrance and to the center of a park."""
    fact = real.parks[park]
    center = great_circle_km(lat, lon, fact.lat, fact.lon)
    return _hundredths(_entrance_km(real, fact.name, lat, lon)), _hundredths(center)


def _flag(draws: Draws, name: str, chance: FlagChance, quality: Numbers, *keys: Integers) -> NDArray[np.bool_]:
    return draws.happens(chance.modest + (chance.upscale - chance.modest) * quality, name, *keys)


def _hotel_names(
    draws: Draws, towns: list[str], brand: Integers, kind: Integers, park: Integers, place: Integers
) -> list[str]:
    first = draws.pick([1.0] * len(NAME_FIRST), "first name", park, place).tolist()
    second = draws.pick([1.0] * len(NAME_SECOND), "second name", park, place).tolist()
    seen: Counter[str] = Counter()
    names = []
    for town, chain, sort, one, two in zip(towns, brand.tolist(), kind.tolist(), first, second, strict=True):
        own = f"{NAME_FIRST[one]} {NAME_SECOND[two]} {PROPERTY_NAMES[sort]}"
        name = own if chain == NULL else f"{BRANDS[chain]} {town}"
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} {seen[name]}")
    return names


def _rooms(draws: Draws, lodging: _Lodging) -> tuple[Table[Room], Numbers]:
    """The rooms of all hotels, and what a room contributes to the price of a night."""
    hotel_ids = lodging.hotels.codes("hotel_id")
    size = draws.pick((0.3, 0.4, 0.3), "hotel size", hotel_ids)
    counts = np.array([len(rates) for rates in ROOMS_AND_RATES])[size]
    hotel = np.repeat(np.arange(len(hotel_ids)), counts)
    place = np.arange(len(hotel)) - np.repeat(np.cumsum(counts) - counts, counts)
    uniform = draws.uniform("room kind", hotel, place)
    kind = np.choose(place, [pick_at(weights, uniform) for weights in ROOM_WEIGHTS])
    quality = lodging.quality[hotel]
    square = np.array([room.size_m2 for room in ROOM_KINDS])[kind] * (0.9 + 0.3 * quality)
    flags = [_flag(draws, name, chance, quality, hotel, place) for name, chance in ROOM_FLAGS.items()]
    columns: tuple[Column, ...] = (
        np.arange(1, len(hotel) + 1),
        hotel_ids[hotel],
        Words.chosen([room.name for room in ROOM_KINDS], kind),
        Words.chosen([room.bed_type for room in ROOM_KINDS], kind),
        np.array([room.bed_count for room in ROOM_KINDS])[kind],
        np.array([room.max_occupancy for room in ROOM_KINDS])[kind],
        np.floor(square).astype(np.int64),
        *(flag.astype(np.int64) for flag in flags),
    )
    kitchenette, balcony, view = (
        flags[list(ROOM_FLAGS).index(name)] for name in ("has_kitchenette", "has_balcony", "has_view")
    )
    extras = 1 + 0.05 * kitchenette + 0.04 * balcony + 0.05 * view
    price = (
        np.array([room.price for room in ROOM_KINDS])[kind] * extras * draws.between(0.95, 1.05, "room", hotel, place)
    )
    return Table(Room, columns), price * lodging.price[hotel]


def _configs(draws: Draws, lodging: _Lodging, rooms: Table[Room], room_price: Numbers) -> tuple[Table[Config], Numbers]:
    """The rates of all rooms, and the cents of a night before the day's own movement."""
    hotel = rooms.codes("hotel_id") - 1
    size = draws.pick((0.3, 0.4, 0.3), "hotel size", lodging.hotels.codes("hotel_id"))[hotel]
    place = np.arange(len(hotel)) - np.searchsorted(hotel, hotel)
    counts = np.array([(*rates, 0, 0)[:4] for rates in ROOMS_AND_RATES])[size, place]
    order = np.argsort(
        draws.uniform("rate", np.arange(len(hotel))[:, None], np.arange(len(RATES))), axis=1, kind="stable"
    )
    taken = np.argsort(order, axis=1, kind="stable") < counts[:, None]
    room, rate = np.nonzero(taken)
    breakfast = np.array([choice.meal_plan != "none" for choice in RATES])
    columns: tuple[Column, ...] = (
        np.arange(1, len(room) + 1),
        room + 1,
        hotel[room] + 1,
        lodging.hotels.codes("park_id")[hotel[room]],
        Words.chosen([choice.meal_plan for choice in RATES], rate),
        breakfast[rate].astype(np.int64),
        np.array([int(choice.free_cancellation) for choice in RATES])[rate],
        np.array([int(choice.no_prepayment_needed) for choice in RATES])[rate],
    )
    return Table(Config, columns), room_price[room] * np.array([choice.price for choice in RATES])[rate]


def _nights(draws: Draws, configs: Table[Config], price: Numbers) -> tuple[DayTable, DayTable]:
    """Prices and free rooms by night."""
    config, park = configs.codes("config_id"), configs.codes("park_id")
    weekend = 1 + draws.between(0.12, 0.35, "weekend", park)
    prices = np.full((len(DAYS), len(config)), NULL, dtype=np.int32)
    free = np.full((len(DAYS), len(config)), NULL, dtype=np.int32)
    for row, day in enumerate(DAYS):
        sold = draws.happens(SOLD_SHARE, "sold", config, day)
        movement = _trend(day) * draws.between(0.96, 1.04, "night", config, day)
        cents = np.floor(price * movement * (weekend if is_weekend(day) else 1.0) + 0.5)
        rooms = draws.poisson(2.4 if is_weekend(day) else 4.6, "free", config, day)
        prices[row] = np.where(sold, cents, NULL)
        free[row] = np.where(sold, rooms, NULL)
    return DayTable(prices), DayTable(free)


def _trend(day: int) -> float:
    """Late August stays dear: up to a tenth above the first half of the month."""
    return 1 + 0.10 * min(max((day - 16) / 15, 0.0), 1.0)


# -- Flights


@dataclass(frozen=True)
class _Leg:
    """One direction of all flights."""

    depart: Integers
    arrive: Integers
    minutes: Integers


def _flights(draws: Draws, real: Facts, scale: int) -> tuple[Table[Flight], Numbers]:
    """All flights, and the cents of one leg before the day's own movement."""
    airports = real.airports
    origin, destination, place = _routes(airports, scale)
    route = origin * len(airports) + destination
    lat, lon = np.array([port.lat for port in airports]), np.array([port.lon for port in airports])
    direct_share = np.array([DIRECT_SHARE[port.airport_type] for port in airports])[destination]
    direct = draws.happens(direct_share, "direct", route, place)
    layover = np.where(direct, NULL, _layovers(draws, airports, origin, destination, route, place))
    via = np.where(direct, destination, layover)
    km = great_circle_km(lat[origin], lon[origin], lat[via], lon[via])
    km = km + great_circle_km(lat[via], lon[via], lat[destination], lon[destination])
    airline = draws.pick((0.3, 0.25, 0.25, 0.2), "airline", route, place)
    booking = draws.pick(CLASS_WEIGHTS, "class", route, place)
    quality = (booking > 0).astype(np.float64)
    zone = np.array([UTC_OFFSET_HOURS[port.tz] * 60 for port in airports])
    shift = zone[destination] - zone[origin]
    out = _leg(draws, "out", km, ~direct, shift, route, place)
    back = _leg(draws, "back", km, ~direct, -shift, route, place)
    number = np.arange(len(route))
    codes = [port.code for port in airports]
    columns: tuple[Column, ...] = (
        number + 1,
        Words.chosen(AIRLINES, airline),
        Words.chosen(codes, origin),
        Words.chosen(codes, destination),
        (~direct).astype(np.int64),
        Words.chosen(codes, layover),
        Words.chosen(BOOKING_CLASSES, booking),
        _numbers(airline, 1000 + 2 * number),
        _clock(out.depart),
        _clock(out.arrive),
        out.minutes,
        _numbers(airline, 1001 + 2 * number),
        _clock(back.depart),
        _clock(back.arrive),
        back.minutes,
        *(_flag(draws, name, chance, quality, route, place).astype(np.int64) for name, chance in FLIGHT_FLAGS.items()),
    )
    straight = great_circle_km(lat[origin], lon[origin], lat[destination], lon[destination])
    regional = np.array([port.airport_type == "regional" for port in airports])[destination]
    cents = (3800 + 3.1 * straight) * AIRLINE_PRICE[airline] * CLASS_PRICE[booking]
    cents = cents * np.where(direct, 1.12, 0.92) * np.where(regional, 1.15, 1.0)
    return Table(Flight, columns), cents * draws.between(0.8, 1.25, "flight price", route, place)


def _routes(airports: Sequence[AirportFact], scale: int) -> tuple[Integers, Integers, Integers]:
    """Origin, destination and place in its route of every flight, route by route."""
    origins, destinations, counts = [], [], []
    for start, home in enumerate(airports):
        for end, away in enumerate(airports):
            if home.role in ("origin", "both") and away.role in ("destination", "both") and start != end:
                regional = REGIONAL_ROUTE_FLIGHTS[(start + end) % 2]
                origins.append(start)
                destinations.append(end)
                counts.append(scale * (regional if away.airport_type == "regional" else LARGE_ROUTE_FLIGHTS))
    places = np.concatenate([np.arange(count) for count in counts])
    return np.repeat(origins, counts), np.repeat(destinations, counts), places


def _layovers(
    draws: Draws, airports: Sequence[AirportFact], origin: Integers, destination: Integers, *keys: Integers
) -> NDArray[np.int64]:
    """One of the three hubs that lie best on the way."""
    hubs = np.array([place for place, port in enumerate(airports) if port.code in HUBS])
    lat, lon = np.array([port.lat for port in airports]), np.array([port.lon for port in airports])
    every = np.arange(len(airports))
    to_hub = great_circle_km(lat[every, None], lon[every, None], lat[hubs], lon[hubs])
    nearest = np.zeros((len(airports), len(airports), 3), dtype=np.int64)
    for start in every:
        for end in every:
            detour = np.where((hubs == start) | (hubs == end), np.inf, to_hub[start] + to_hub[end])
            nearest[start, end] = hubs[np.argsort(detour, kind="stable")[:3]]
    return nearest[origin, destination, draws.pick((0.5, 0.3, 0.2), "layover", *keys)]


def _leg(
    draws: Draws, way: str, km: Numbers, stops: NDArray[np.bool_], shift: Integers, route: Integers, place: Integers
) -> _Leg:
    """One direction: as long as the distance takes, landing on the day it leaves."""
    flying = 40 + km / 13.0 + draws.between(-5, 15, f"{way} air", route, place)
    waiting = np.where(stops, draws.between(75, 190, f"{way} layover", route, place), 0.0)
    minutes = np.floor(flying + waiting).astype(np.int64)
    latest = np.minimum(LAST_DEPARTURE, LAST_ARRIVAL - minutes - shift)
    steps = (latest - FIRST_DEPARTURE) // 5
    depart = FIRST_DEPARTURE + 5 * draws.whole(0, steps, f"{way} departure", route, place)
    return _Leg(depart, depart + minutes + shift, minutes)


def _clock(minutes: Integers) -> Words:
    """Minutes after midnight as HH:MM."""
    return Words(
        minutes.astype(np.int32), tuple(f"{hour:02}:{minute:02}" for hour in range(24) for minute in range(60))
    )


def _numbers(airline: Integers, number: Integers) -> Words:
    return Words.of(
        [f"{AIRLINE_CODES[code]}{digits}" for code, digits in zip(airline.tolist(), number.tolist(), strict=True)]
    )


def _fares(draws: Draws, price: Numbers) -> tuple[DayTable, DayTable, DayTable, DayTable]:
    """Prices and free seats by day: out and back each."""
    flight = np.arange(len(price))
    tables = [np.zeros((len(DAYS), len(price)), dtype=np.int32) for _ in range(4)]
    for row, day in enumerate(DAYS):
        for way, (prices, seats) in {"out": (tables[0], tables[2]), "back": (tables[1], tables[3])}.items():
            busy = 1.16 if is_weekend(day) else 1.0
            surge = 0.85 / np.sqrt(1 - 0.85 * draws.uniform(f"{way} surge", flight, day))
            prices[row] = np.floor(price * _trend(day) * busy * surge + 0.5)
            seats[row] = draws.poisson(4.5 if is_weekend(day) else 7.0, f"{way} seats", flight, day)
    out_prices, back_prices, out_seats, back_seats = (DayTable(table) for table in tables)
    return out_prices, back_prices, out_seats, back_seats


# -- Permits


def _permits(real: Facts) -> Table[Permit]:
    ids = _park_ids(real)
    rows = [
        Permit(
            permit_id=place,
            park_id=ids[fact.park],
            template_name=fact.name,
            kind=fact.kind,
            min_days=fact.min_days,
            max_days=fact.max_days,
            hours=fact.hours,
            max_group=fact.max_group,
            lottery=fact.lottery,
            fee_group_cents=fact.fee_group_usd * 100,
            fee_person_cents=fact.fee_person_usd * 100,
            fee_person_night_cents=fact.fee_person_night_usd * 100,
        )
        for place, fact in enumerate(real.permits, start=1)
    ]
    return Table.of(Permit, rows)


def _permit_days(draws: Draws, real: Facts) -> DayTable:
    """Places left by day: more permits are gone on weekend days, and where a lottery is needed."""
    day, permit = np.array(DAYS)[:, None], np.arange(len(real.permits))
    gone = np.array([0.40 if fact.lottery else 0.18 for fact in real.permits])
    gone = gone + np.array([0.18 if is_weekend(number) else 0.0 for number in DAYS])[:, None]
    most = np.array([min(_places(fact), MOST_PLACES) for fact in real.permits])
    left = draws.whole(1, most, "places", permit, day)
    left = np.where(draws.happens(gone, "gone", permit, day), 0, left)
    given = np.array([[number in fact.open_days for fact in real.permits] for number in DAYS])
    return DayTable(np.where(given, left, NULL).astype(np.int32))


def _places(fact: PermitFact) -> int:
    """People the quota of one day admits; a vehicle takes four."""
    unit = fact.quota_unit.partition("/")[0]
    people = {"vehicles": 4, "sites": fact.max_group or 4, "groups": fact.max_group or 4}
    return fact.quota * people.get(unit, 1)

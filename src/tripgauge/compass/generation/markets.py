"""What the invented market is like: prices by park, kinds of hotels, rooms and rates, brands, airlines."""

from dataclasses import dataclass

import numpy as np

# ---------------------------------------------------------------------------------------------------------------
# How parks differ: prices, with Rocky Mountain clearly highest, and the share of four-star hotels


@dataclass(frozen=True)
class ParkMarket:
    hotels: int = 20
    price_level: float = 1.0
    four_star_share: float = 0.1


MARKETS = {
    "Yosemite": ParkMarket(price_level=1.25, four_star_share=0.25),
    "Grand Canyon": ParkMarket(price_level=1.10, four_star_share=0.15),
    "Yellowstone": ParkMarket(price_level=1.20, four_star_share=0.10),
    "Zion": ParkMarket(price_level=1.05, four_star_share=0.25),
    "Rocky Mountain": ParkMarket(price_level=2.0, four_star_share=0.35),
    "Death Valley": ParkMarket(hotels=9, price_level=0.95, four_star_share=0.10),
    "Everglades": ParkMarket(hotels=8, price_level=0.85, four_star_share=0.0),
    "Glacier": ParkMarket(price_level=1.15, four_star_share=0.15),
    "Joshua Tree": ParkMarket(price_level=0.90, four_star_share=0.20),
    "Grand Teton": ParkMarket(price_level=1.30, four_star_share=0.35),
    "Acadia": ParkMarket(price_level=1.15, four_star_share=0.30),
    "Great Smoky Mountains": ParkMarket(price_level=0.80, four_star_share=0.25),
    "Olympic": ParkMarket(price_level=0.90, four_star_share=0.05),
    "Mount Rainier": ParkMarket(price_level=0.90, four_star_share=0.0),
    "Arches": ParkMarket(price_level=0.95, four_star_share=0.15),
    "Bryce Canyon": ParkMarket(price_level=0.90, four_star_share=0.0),
    "Shenandoah": ParkMarket(price_level=0.75, four_star_share=0.10),
    "Sequoia": ParkMarket(price_level=0.85, four_star_share=0.10),
    "Canyonlands": ParkMarket(price_level=0.90, four_star_share=0.0),
    "Capitol Reef": ParkMarket(price_level=0.80, four_star_share=0.0),
}

NIGHT_CENTS = 10_800
"""What a room costs at price level 1 before stars, room, rate and night."""


# ---------------------------------------------------------------------------------------------------------------
# Kinds of hotels, rooms, rates and airlines. All names are invented.

BRANDS = (
    "Timberline Inn",
    "Canyon Crest Hotel",
    "Roadrunner Motel",
    "Silver Birch Suites",
    "Granite Peak Resort",
    "Lakeshore Lodge",
    "Blue Mesa Inn & Suites",
    "Old Station Hotel",
)
BRAND_TYPES = ("inn", "hotel", "motel", "hotel", "resort", "lodge", "inn", "hotel")
BRAND_STARS = (25, 35, 20, 30, 45, 35, 30, 40)

PROPERTY_TYPES = ("hotel", "motel", "lodge", "inn", "resort", "cabin", "hostel", "bed_and_breakfast")
PROPERTY_NAMES = ("Hotel", "Motel", "Lodge", "Inn", "Resort", "Cabins", "Hostel", "Bed & Breakfast")
MODEST_TYPES = (0.22, 0.24, 0.16, 0.18, 0.0, 0.10, 0.04, 0.06)
UPSCALE_TYPES = (0.35, 0.0, 0.25, 0.05, 0.30, 0.05, 0.0, 0.0)
TYPE_PRICE = np.array([1.0, 0.85, 1.1, 0.95, 1.3, 1.05, 0.55, 1.05])

NAME_FIRST: tuple[str, ...] = (
    "Red",
    "Cedar",
    "Eagle",
    "Whispering",
    "Silver",
    "Elk",
    "Juniper",
    "Lone",
    "Painted",
    "Granite",
)
NAME_FIRST += ("Sunset", "Bear", "Wild", "Hidden", "Copper", "Aspen", "Falcon", "Stony", "Golden", "Willow")
NAME_SECOND: tuple[str, ...] = (
    "Rock",
    "Creek",
    "Ridge",
    "Pines",
    "Meadow",
    "Mesa",
    "Springs",
    "Hollow",
    "Canyon",
    "Peak",
)
NAME_SECOND += ("River", "Trail", "View", "Bluff", "Crossing", "Falls")


@dataclass(frozen=True)
class FlagChance:
    """How likely a hotel has something: at two stars and below, and at four stars and above."""

    modest: float
    upscale: float


HOTEL_FLAGS = {
    "has_pool": FlagChance(0.30, 0.85),
    "has_restaurant": FlagChance(0.25, 0.90),
    "has_bar": FlagChance(0.15, 0.85),
    "has_parking": FlagChance(0.85, 0.95),
    "has_free_parking": FlagChance(0.75, 0.60),
    "has_wifi": FlagChance(0.88, 0.98),
    "has_fitness_center": FlagChance(0.12, 0.85),
    "has_spa": FlagChance(0.02, 0.60),
    "has_hot_tub": FlagChance(0.25, 0.70),
    "has_airport_shuttle": FlagChance(0.08, 0.45),
    "has_ev_charging": FlagChance(0.12, 0.60),
    "has_24h_front_desk": FlagChance(0.45, 0.95),
    "has_laundry": FlagChance(0.45, 0.75),
    "is_pet_friendly": FlagChance(0.40, 0.40),
    "is_wheelchair_accessible": FlagChance(0.45, 0.85),
    "has_family_rooms": FlagChance(0.50, 0.65),
    "is_non_smoking": FlagChance(0.70, 0.90),
}


@dataclass(frozen=True)
class RoomKind:
    name: str
    bed_type: str
    bed_count: int
    max_occupancy: int
    size_m2: int
    price: float


ROOM_KINDS = (
    RoomKind("standard", "queen", 1, 2, 22, 1.00),
    RoomKind("standard", "king", 1, 2, 24, 1.06),
    RoomKind("economy", "twin", 2, 2, 20, 0.90),
    RoomKind("double", "double", 2, 4, 28, 1.20),
    RoomKind("double queen", "queen", 2, 4, 32, 1.30),
    RoomKind("deluxe", "king", 1, 3, 34, 1.38),
    RoomKind("family", "bunk", 3, 5, 38, 1.55),
    RoomKind("family", "queen", 3, 6, 44, 1.75),
    RoomKind("suite", "king", 2, 4, 52, 1.95),
)
ROOM_WEIGHTS = (  # by the room's place in its hotel
    (0.40, 0.30, 0.30, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    (0.0, 0.10, 0.0, 0.45, 0.45, 0.0, 0.0, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.10, 0.10, 0.45, 0.35, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5),
)
ROOM_FLAGS = {
    "has_kitchenette": FlagChance(0.20, 0.25),
    "has_air_conditioning": FlagChance(0.65, 0.95),
    "has_private_bathroom": FlagChance(0.88, 1.00),
    "has_balcony": FlagChance(0.15, 0.55),
    "has_view": FlagChance(0.25, 0.60),
    "has_tv": FlagChance(0.70, 0.92),
    "has_coffee_maker": FlagChance(0.50, 0.85),
    "has_refrigerator": FlagChance(0.50, 0.75),
}


@dataclass(frozen=True)
class Rate:
    meal_plan: str
    free_cancellation: bool
    no_prepayment_needed: bool
    price: float


RATES = (
    Rate("none", False, False, 1.00),
    Rate("none", True, False, 1.07),
    Rate("none", True, True, 1.11),
    Rate("breakfast", False, False, 1.12),
    Rate("breakfast", True, True, 1.24),
    Rate("half_board", True, False, 1.48),
)

ROOMS_AND_RATES = ((5, 4), (3, 3, 3), (3, 2, 2, 2))
"""Rates of each room, for the three sizes of hotel: nine configurations a hotel, whichever it is."""

SOLD_SHARE = 0.97
"""Share of configurations and nights that are listed."""

AIRLINES = ("Canyon Air", "Northern Pine Airways", "Coastal Jet", "Blue Ridge Airlines")
AIRLINE_CODES = ("CQ", "NP", "CJ", "BR")
AIRLINE_PRICE = np.array([0.94, 1.08, 0.88, 1.02])
BOOKING_CLASSES = ("economy", "premium_economy", "business")
CLASS_PRICE = np.array([1.0, 1.55, 3.2])
CLASS_WEIGHTS = (0.70, 0.17, 0.13)
FLIGHT_FLAGS = {  # in economy, and in the dearer classes
    "has_wifi": FlagChance(0.55, 0.80),
    "has_power": FlagChance(0.50, 0.90),
    "has_meal": FlagChance(0.20, 0.85),
    "carry_on_included": FlagChance(0.75, 1.00),
    "checked_bag_included": FlagChance(0.35, 0.90),
    "pets_allowed": FlagChance(0.45, 0.50),
    "is_refundable": FlagChance(0.25, 0.60),
    "is_changeable": FlagChance(0.45, 0.80),
}
LARGE_ROUTE_FLIGHTS = 15
REGIONAL_ROUTE_FLIGHTS = (9, 10)
DIRECT_SHARE = {"large": 0.55, "regional": 0.25}
HUBS = ("ORD", "DEN", "ATL", "SLC", "LAX", "SEA", "IAD", "LAS")
UTC_OFFSET_HOURS = {  # in August
    "America/New_York": -4,
    "America/Chicago": -5,
    "America/Denver": -6,
    "America/Phoenix": -7,
    "America/Los_Angeles": -7,
}
FIRST_DEPARTURE, LAST_DEPARTURE, LAST_ARRIVAL = 5 * 60 + 30, 21 * 60 + 30, 24 * 60 - 1

MOST_PLACES = 24
"""Places of a permit that are put on sale on one day, at most."""

"""Plans that do next to nothing: what every score is to be read beside."""

from decimal import Decimal

from tripgauge.trip_plus.frame import TripFrame
from tripgauge.trip_plus.itinerary import (
    Activity,
    Budget,
    Buffer,
    CityLabel,
    Day,
    HotelStop,
    Itinerary,
    Lodging,
    TimeSlot,
)
from tripgauge.trip_plus.sandbox.records import Hotel

FREE_TIME = TimeSlot(10 * 60, 18 * 60)
EVENING = TimeSlot(20 * 60, 22 * 60)
NOTHING = Decimal(0)


def idle(frame: TripFrame) -> Itinerary:
    """The right number of days with free time and nothing else, at no cost."""
    days = (_day(frame, position, (_free_time(),), None) for position in range(1, frame.days + 1))
    return Itinerary(tuple(days), Budget(NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING))


def hotel_nights_only(frame: TripFrame, hotel: Hotel) -> Itinerary:
    """Free time and a paid hotel every night, without ever travelling there."""
    stop = HotelStop(slot=EVENING, purpose="rest", hotel=hotel.name)
    nights = frame.days - 1
    days = [
        _day(frame, position, (_free_time(), stop), Lodging(hotel.name, hotel.price))
        for position in range(1, nights + 1)
    ]
    days.append(_day(frame, frame.days, (_free_time(),), None))
    price = (hotel.price or NOTHING) * nights * frame.rooms
    return Itinerary(tuple(days), Budget(NOTHING, price, NOTHING, NOTHING, NOTHING, price))


def _free_time() -> Activity:
    return Buffer(slot=FREE_TIME, description="free time")


def _day(frame: TripFrame, position: int, activities: tuple[Activity, ...], lodging: Lodging | None) -> Day:
    city = frame.destinations[0]
    return Day(position, frame.date_of(position), CityLabel(city, city), lodging, activities)

"""The hard constraints of the published files as requirements. (Trip+ A.3, `hard_constraints`)"""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from tripgauge.trip_plus.requirements.constraints.attractions import AllAttractions, NoneOfAttractions, OneOfAttractions
from tripgauge.trip_plus.requirements.constraints.budget import BudgetCap
from tripgauge.trip_plus.requirements.constraints.dining import RestaurantAmong
from tripgauge.trip_plus.requirements.constraints.lodging import HotelAmong, HotelPriceRange
from tripgauge.trip_plus.requirements.constraints.transport import (
    Direction,
    DirectService,
    HourWindow,
    SeatClass,
    ServiceChoice,
)
from tripgauge.trip_plus.requirements.requirement import HardConstraint, UncheckedConstraint
from tripgauge.trip_plus.sandbox.records import moment

if TYPE_CHECKING:
    from tripgauge.trip_plus.tasks.queries import ConstraintRecord, ServiceOption

OF_THE_TRIP = frozenset({
    "trip_date_range_required", "party_size_required", "party_composition_required", "room_count_required",
    "intercity_round_trip_mode_required",
})  # fmt: skip
"""Keys whose parameters are those of the trip as it stands, whatever the record says."""


def hard_constraint(key: str, record: "ConstraintRecord") -> HardConstraint:
    """The constraint under a key; an unchecked one if the key is not known, or a parameter is missing."""
    if key == BudgetCap.id:
        return BudgetCap(record.max_budget) if record.max_budget is not None else _without(key, "max_budget")
    if key == HotelPriceRange.id:
        return _price_range(key, record)
    if key in HotelAmong.rules:
        return HotelAmong(key, _names(record.acceptable_hotel_names, record.hotel_name), _hotel_detail(record))
    if key in RestaurantAmong.rules:
        names = _names(record.acceptable_restaurant_names, record.restaurant_name)
        return RestaurantAmong(key, names, record.attraction_name or "", record.cuisine_type or "")
    if key.startswith("attraction_"):
        return _of_attractions(key, record)
    if key.startswith(("flight_", "train_")):
        return _of_transport(key, record)
    return _unknown(key)


_RANGE = re.compile(r"\s*(\d+)\s*-\s*(\d+)\s*")


def _price_range(key: str, record: "ConstraintRecord") -> HardConstraint:
    """By its two prices, or as written: "200-240"."""
    written = _RANGE.fullmatch(record.price_range or "")
    low = record.min_price if record.min_price is not None else written and Decimal(written[1])
    high = record.max_price if record.max_price is not None else written and Decimal(written[2])
    return _without(key, "min_price or max_price") if low is None or high is None else HotelPriceRange(low, high)


def _without(key: str, field: str) -> UncheckedConstraint:
    return UncheckedConstraint(key, f"it has no {field}")


def _unknown(key: str) -> UncheckedConstraint:
    return UncheckedConstraint(key, "no hard constraint of that name is known")


def _names(acceptable: Iterable[str] | None, single: str | None) -> frozenset[str]:
    names = frozenset(name.strip() for name in acceptable or () if name.strip())
    return names or frozenset((single,) if single else ())


def _hotel_detail(record: "ConstraintRecord") -> str:
    stars = f"{record.hotel_star} stars" if record.hotel_star else ""
    year = f"{record.year_threshold} or later" if record.year_threshold else ""
    return ", ".join(filter(None, (record.brand, stars, year, record.required_service_label)))


def _of_attractions(key: str, record: "ConstraintRecord") -> HardConstraint:
    if key == NoneOfAttractions.id:
        return NoneOfAttractions(_names(record.banned_attraction_names, None))
    detail = record.attraction_type_label or ", ".join(record.required_tags or ())
    if key in OneOfAttractions.rules:
        names = _names(record.acceptable_attraction_names or record.attraction_names, record.attraction_name)
        return OneOfAttractions(key, names, detail)
    if key in AllAttractions.rules:
        return AllAttractions(key, _names(record.attraction_names, record.attraction_name), detail)
    return _unknown(key)


def _of_transport(key: str, record: "ConstraintRecord") -> HardConstraint:
    choices = {direction: _choices(key, record, direction) for direction in Direction}
    directions = frozenset(direction for direction, found in choices.items() if found)
    if key in SeatClass.rules:
        return SeatClass(key, record.seat_class or "", directions)
    direction = next((direction for direction in Direction if direction in directions), Direction.OUTBOUND)
    if key in HourWindow.rules:
        if record.start_hour is None or record.end_hour is None:
            return _without(key, "start_hour or end_hour")
        return HourWindow(key, direction, record.start_hour, record.end_hour)
    if key in DirectService.rules:
        detail = record.train_type or ""
        return DirectService(key, direction, choices[direction], detail)
    return _unknown(key)


def _choices(key: str, record: "ConstraintRecord", direction: Direction) -> frozenset[ServiceChoice]:
    """The services that are as asked for, one way; by price only where the price is what is asked about."""
    options, numbers, single = _acceptable(key, record, direction)
    if options:
        by_price = "cheapest" in key
        return frozenset(
            ServiceChoice(
                option.flight_no or option.train_no, moment(option.dep_datetime), option.price if by_price else None
            )
            for option in options
        )
    return frozenset(ServiceChoice(number) for number in numbers or (filter(None, (single,))))


def _acceptable(
    key: str, record: "ConstraintRecord", direction: Direction
) -> "tuple[Sequence[ServiceOption], Sequence[str], str | None]":
    match key.startswith("flight_"), direction:
        case True, Direction.OUTBOUND:
            options, numbers = record.acceptable_outbound_flight_options, record.acceptable_outbound_flight_nos
            single = record.outbound_flight_no
        case True, Direction.INBOUND:
            options, numbers = record.acceptable_inbound_flight_options, record.acceptable_inbound_flight_nos
            single = record.inbound_flight_no
        case False, Direction.OUTBOUND:
            options, numbers = record.acceptable_outbound_train_options, record.acceptable_outbound_train_nos
            single = record.outbound_train_no
        case _:
            options, numbers = record.acceptable_inbound_train_options, record.acceptable_inbound_train_nos
            single = record.inbound_train_no
    return options or (), numbers or (), single

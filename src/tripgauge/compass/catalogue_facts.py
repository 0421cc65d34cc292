"""What a catalogue looks like from outside: how much it holds, and the shapes it has to have."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tripgauge.compass.catalogue import NULL, Catalogue
from tripgauge.compass.offers import LAST_DAY, is_weekend
from tripgauge.report.table import Table

Numbers = NDArray[np.float64]

_DAYS = np.arange(1, LAST_DAY + 1)
_WEEKEND = np.array([is_weekend(day) for day in range(1, LAST_DAY + 1)])


@dataclass(frozen=True)
class Shape:
    """How prices and availability move, and how things are spread."""

    price_availability_correlation: float
    """Pearson, of daily mean price and daily mean of free rooms, each without its centered seven-day mean."""

    weekend_price_ratio: float
    """Mean price on weekend nights by that on weekday nights."""

    weekend_availability_ratio: float
    late_price_ratio: float
    """Mean weekday price of the last eleven days by that of the first ten."""

    late_availability_ratio: float
    fare_skewness: float
    fare_tail: float
    """The 99th percentile of fares by their median."""

    four_star_shares: dict[str, float]
    """Share of hotels with four stars and more, by park."""

    mean_prices: dict[str, float]
    """Dollars per room and night, by park."""


@dataclass(frozen=True)
class Counts:
    """How much a catalogue holds."""

    parks: int
    airports: int
    origins: int
    airlines: int
    hotels: int
    configurations: int
    hotel_offers: int
    flights: int
    flight_offers: int
    permits: int
    permit_days: int


def counts(catalogue: Catalogue) -> Counts:
    """How much a catalogue holds; offers are counted by night and day."""
    return Counts(
        parks=len(catalogue.parks),
        airports=len(catalogue.airports),
        origins=int(catalogue.airports.codes("is_origin").sum()),
        airlines=len(set(catalogue.flights.words("airline").texts())),
        hotels=len(catalogue.hotels),
        configurations=len(catalogue.configs),
        hotel_offers=int((catalogue.night_prices.values != NULL).sum()),
        flights=len(catalogue.flights),
        flight_offers=int((catalogue.out_prices.values != NULL).sum()),
        permits=len(catalogue.permits),
        permit_days=int((catalogue.remaining.values != NULL).sum()),
    )


def shape(catalogue: Catalogue) -> Shape:
    """The shape of a catalogue."""
    prices, free = _known(catalogue.night_prices.values), _known(catalogue.rooms_available.values)
    price, rooms = np.nanmean(prices, axis=1), np.nanmean(free, axis=1)
    early, late = (_DAYS <= 10) & ~_WEEKEND, (_DAYS > 20) & ~_WEEKEND
    fares = (catalogue.out_prices.values + catalogue.back_prices.values).ravel().astype(np.float64)
    parks = catalogue.parks.rows()
    stars, park = catalogue.hotels.codes("star_rating_x10"), catalogue.hotels.codes("park_id")
    return Shape(
        price_availability_correlation=float(np.corrcoef(_without_week(price), _without_week(rooms))[0, 1]),
        weekend_price_ratio=float(price[_WEEKEND].mean() / price[~_WEEKEND].mean()),
        weekend_availability_ratio=float(rooms[_WEEKEND].mean() / rooms[~_WEEKEND].mean()),
        late_price_ratio=float(price[late].mean() / price[early].mean()),
        late_availability_ratio=float(rooms[late].mean() / rooms[early].mean()),
        fare_skewness=float(((fares - fares.mean()) ** 3).mean() / fares.std() ** 3),
        fare_tail=float(np.percentile(fares, 99) / np.median(fares)),
        four_star_shares={fact.name: float((stars[park == fact.park_id] >= 40).mean()) for fact in parks},
        mean_prices={
            fact.name: float(np.nanmean(prices[:, catalogue.configs_of(fact.park_id)])) / 100 for fact in parks
        },
    )


def _known(values: NDArray[np.int32]) -> Numbers:
    return np.where(values == NULL, np.nan, values)


def _without_week(series: Numbers) -> Numbers:
    """A daily series without its centered seven-day mean; three days at each end are lost."""
    return series[3:-3] - np.convolve(series, np.ones(7) / 7, "valid")


def tables(catalogue: Catalogue) -> tuple[Table, ...]:
    """Counts, shapes and parks, to look at."""
    held, found = counts(catalogue), shape(catalogue)
    figures = [(name, value) for name, value in vars(found).items() if isinstance(value, float)]
    hotels = np.bincount(catalogue.hotels.codes("park_id"), minlength=len(catalogue.parks) + 1)
    parks = [
        (
            park.name,
            int(hotels[park.park_id]),
            found.mean_prices[park.name],
            found.four_star_shares[park.name],
            " ".join(drive.code for drive in catalogue.drives_to(park.park_id)),
            len(catalogue.permits_of(park.park_id)),
        )
        for park in catalogue.parks.rows()
    ]
    columns = ("park", "hotels", "mean price per night, $", "share with 4 stars and up", "airports", "permits")
    return (
        Table("Content", ("what", "how many"), tuple((name.replace("_", " "), n) for name, n in vars(held).items())),
        Table("Shape", ("figure", "value"), tuple((name.replace("_", " "), value) for name, value in figures)),
        Table("Parks", columns, tuple(parks), (f"digest {catalogue.digest}",)),
    )


# ---------------------------------------------------------------------------------------------------------------


def faults(catalogue: Catalogue) -> list[str]:
    """What is wrong with a catalogue, each in a sentence; empty if it is sound."""
    found = []
    for name, table, target, size in _references(catalogue):
        if not ((table >= 1) & (table <= size)).all():
            found.append(f"{name} names {target} that are not there.")
    for name, sorted_by in (
        ("configurations", catalogue.configs.codes("park_id")),
        ("rooms", catalogue.rooms.codes("hotel_id")),
    ):
        if (np.diff(sorted_by) < 0).any():
            found.append(f"The {name} of one park or hotel do not stand together.")
    for name, days in (("A night", catalogue.night_prices), ("A flight", catalogue.out_prices)):
        if ((days.values <= 0) & (days.values != NULL)).any():
            found.append(f"{name} costs nothing.")
    if ((catalogue.night_prices.values == NULL) != (catalogue.rooms_available.values == NULL)).any():
        found.append("A night has a price without a number of free rooms, or the other way round.")
    codes = {airport.code for airport in catalogue.airports.rows()}
    used = {drive.code for drive in catalogue.drives.rows()}
    used |= {code for name in ("origin", "destination") for code in catalogue.flights.words(name).texts() if code}
    if used - codes:
        found.append(f"Airports are used that are not listed: {', '.join(sorted(used - codes))}.")
    for park in catalogue.parks.rows():
        if not catalogue.drives_to(park.park_id):
            found.append(f"No airport serves {park.name}.")
    late = catalogue.flights.words("out_arrive").texts(), catalogue.flights.words("out_depart").texts()
    if any(not (text and len(text) == 5) for column in late for text in column):
        found.append("A flight has no time of day.")
    return found


def _references(catalogue: Catalogue) -> list[tuple[str, NDArray[np.int64], str, int]]:
    """Columns that hold ids, with the table they point to and its size."""
    return [
        ("hotels", catalogue.hotels.codes("park_id"), "parks", len(catalogue.parks)),
        ("hotels", catalogue.hotels.codes("town_id"), "towns", len(catalogue.towns)),
        ("rooms", catalogue.rooms.codes("hotel_id"), "hotels", len(catalogue.hotels)),
        ("configs", catalogue.configs.codes("room_id"), "rooms", len(catalogue.rooms)),
        ("configs", catalogue.configs.codes("hotel_id"), "hotels", len(catalogue.hotels)),
        ("permits", catalogue.permits.codes("park_id"), "parks", len(catalogue.parks)),
        ("park_airports", catalogue.drives.codes("park_id"), "parks", len(catalogue.parks)),
    ]

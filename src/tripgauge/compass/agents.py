"""Agents without a model: what every COMPASS score is to be read beside.

They know what any agent knows: the user's words and the tools. They understand the scripted voice, and no other.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from tripgauge.compass.constraints import Constraint, stays_of
from tripgauge.compass.objectives import FeatureCount, Objective, Part, SingleMetric
from tripgauge.compass.offers import LAST_DAY, Stay, calendar_date
from tripgauge.compass.phrases import heard_constraints, heard_level, heard_objective
from tripgauge.conversation import OpenTurn, Usage

Facts = dict[str, Any]
"""What the tools tell of one offer, by the attribute names of the catalogue and in its units."""


# ---------------------------------------------------------------------------------------------------------------
# What was heard


@dataclass(frozen=True)
class Wanted:
    """Everything the user has said so far."""

    level: int
    parks: tuple[str, ...]
    stays: tuple[Stay, ...]
    guests: int
    origin: str | None
    budget_cents: int | None
    buffer_days: int
    objective: Objective | None
    constraints: tuple[Constraint, ...]

    @classmethod
    def heard(cls, said: Sequence[str]) -> "Wanted":
        """What some utterances of the scripted voice say, taken together."""
        text = "\n".join(said)
        constraints = heard_constraints(text)
        values = {constraint.type: constraint.value for constraint in constraints}
        return cls(
            level=heard_level(text) or 1,
            parks=tuple(map(str, values.get("location", ()))),  # type: ignore[arg-type]
            stays=stays_of(values["dates"]) if "dates" in values else (),
            guests=int(values.get("guests", 1)),  # type: ignore[arg-type]
            origin=str(values["origin"]) if "origin" in values else None,
            budget_cents=int(values["budget"]) if "budget" in values else None,  # type: ignore[arg-type]
            buffer_days=int(values.get("permit_buffer_days", 0)),  # type: ignore[arg-type]
            objective=heard_objective(text),
            constraints=constraints,
        )

    def of(self, part: Part) -> tuple[Constraint, ...]:
        """The constraints on one part of a plan that its facts decide."""
        return tuple(found for found in self.constraints if found.kind.level == part.value and found.type not in _WHOLE)

    def accepts(self, part: Part, facts: Facts) -> bool:
        """Whether an offer meets the constraints on its part."""
        return all(_meets(constraint, facts, self.guests) for constraint in self.of(part))

    def worth(self, part: Part, facts: Facts) -> int:
        """What an offer adds to the objective besides its cost."""
        match self.objective:
            case FeatureCount():
                return sum(_meets(wish, facts, self.guests) for wish in self.objective.by_part[part])
            case SingleMetric(metric) if metric.attribute and Part.of(metric.attribute.component) == part:
                return metric.sign * (facts.get(metric.attribute.name) or 0)
            case _:
                return 0


_WHOLE = ("location", "dates", "guests", "budget", "permit_buffer_days")
"""Constraints on more than the facts of one offer: they decide what is looked for in the first place."""


def _meets(constraint: Constraint, facts: Facts, guests: int) -> bool:
    return all(asked.accepts(facts.get(asked.attribute.name)) for asked in constraint.filters(guests))


# ---------------------------------------------------------------------------------------------------------------
# What was found


@dataclass(frozen=True)
class Offer:
    """One package with what it costs the party, and what it is worth."""

    id: str
    cost: int
    """In cents."""
    worth: int


@dataclass(frozen=True)
class Plan:
    """Packages that go together."""

    parts: tuple[Offer, ...]

    @property
    def cost(self) -> int:
        return sum(part.cost for part in self.parts)

    @property
    def worth(self) -> int:
        return sum(part.worth for part in self.parts)


class Desk:
    """The tools as one agent uses them in one conversation; what was asked once is not asked again."""

    def __init__(self) -> None:
        self._known: dict[str, Any] = {}

    def ask(self, turn: OpenTurn, name: str, **arguments: object) -> Any:
        """What a tool answers, as JSON values; an empty list if it could not."""
        key = f"{name} {json.dumps(arguments, sort_keys=True)}"
        if key not in self._known:
            result = turn.call(name, arguments)
            self._known[key] = [] if result.fault else result.value
        return self._known[key]

    def packages(self, turn: OpenTurn, park: str, stay: Stay, guests: int, **filters: object) -> list[Any]:
        """Hotel packages, the cheapest first, as far as one answer goes."""
        found = self.ask(
            turn,
            "AccommodationSearch",
            location=park,
            start_date=_written(stay.start),
            end_date=_written(stay.end),
            num_guests=guests,
            **filters,
        )
        return found["packages"] if found else []

    def flights(self, turn: OpenTurn, wanted: Wanted, airport: str, stay: Stay, **filters: object) -> list[Any]:
        """Round trips, the cheapest first."""
        if wanted.origin is None or stay.end > LAST_DAY:
            return []
        found = self.ask(
            turn,
            "search_flights",
            origin=wanted.origin,
            destination=airport,
            departure_date=_written(stay.start),
            return_date=_written(stay.end),
            passengers=wanted.guests,
            **filters,
        )
        return found["packages"] if found else []

    def permits(self, turn: OpenTurn, park: str) -> Iterator[tuple[str, Any]]:
        """The permits of a park, each with its kind."""
        for kind in self.ask(turn, "list_permits", park=park):
            for permit in kind["permits"]:
                yield kind["kind"], permit

    def windows(self, turn: OpenTurn, park: str, template: str) -> list[Any]:
        """When a permit can be had."""
        found: list[Any] = self.ask(turn, "search_permit_availability", park=park, template_name=template)
        return found

    def recommend(self, turn: OpenTurn, ids: Sequence[str], message: str) -> str:
        """The answer that recommends some packages, once they are validated."""
        for name, argument, id_ in zip(_VALIDATORS, _VALIDATED, ids, strict=False):
            self.ask(turn, name, **{argument: [id_]}, reasoning=message)
        named = dict(zip(("hotel", "flight", "permit"), ([id_] for id_ in ids), strict=False))
        return _answer(message, named)


_VALIDATORS = ("recommend_hotel", "recommend_flight", "recommend_permit")
_VALIDATED = ("package_ids", "flight_ids", "permit_ids")


def _answer(message: str, recommendation: object = None) -> str:
    return json.dumps({"message": message, "recommendation": recommendation}, ensure_ascii=False)


def _written(day: int) -> str:
    return calendar_date(day).isoformat()


def _day(text: str) -> int:
    """The number of a day in August."""
    return int(text[8:]) + (LAST_DAY if text[5:7] == "09" else 0)


def _cents(dollars: float) -> int:
    return round(dollars * 100)


def _heard(turn: OpenTurn) -> Wanted:
    turn.note(Usage(0, 0), Decimal(0))
    return Wanted.heard([message.content for message in turn.messages if message.role == "user"])


NOTHING = "I have found nothing that meets all your requirements yet."


# ---------------------------------------------------------------------------------------------------------------
# Two that hardly look


class FirstFound:
    """Takes the first hotel, flight and permit it comes across, whatever is asked of them."""

    def __init__(self) -> None:
        self._desk = Desk()

    async def respond(self, turn: OpenTurn) -> str:
        """The same at every turn, unless the dates change."""
        wanted = _heard(turn)
        for park in wanted.parks:
            for stay in wanted.stays:
                ids = self._first(turn, wanted, park, stay)
                if ids:
                    return self._desk.recommend(turn, ids, "This is the first that I have found for you.")
        return _answer(NOTHING)

    def _first(self, turn: OpenTurn, wanted: Wanted, park: str, stay: Stay) -> Sequence[str]:
        parts = [[found["package_id"] for found in self._desk.packages(turn, park, stay, wanted.guests)]]
        if wanted.level >= 2:
            airports = self._desk.ask(turn, "search_airports", park_name=park)
            codes = [airport["airport_code"] for airport in airports]
            flights = (found for code in codes for found in self._desk.flights(turn, wanted, code, stay))
            parts.append([found["package_id"] for found in flights])
        if wanted.level == 3:
            parts.append([window["package_id"] for window in _inside(self._desk, turn, park, stay)])
        return [part[0] for part in parts] if all(parts) else ()


def _inside(desk: Desk, turn: OpenTurn, park: str, stay: Stay) -> Iterator[Any]:
    """The permits that lie inside a stay."""
    for _, permit in desk.permits(turn, park):
        for window in desk.windows(turn, park, permit["template_name"]):
            start = _day(window["start_date"])
            if stay.start <= start and start + window["days"] <= stay.end:
                yield window


class CheapestSeen:
    """Takes the cheapest that the search tools give when all their filters are used, and looks at no details."""

    def __init__(self) -> None:
        self._desk = Desk()

    async def respond(self, turn: OpenTurn) -> str:
        """The cheapest plan over all parks and dates."""
        wanted = _heard(turn)
        plans = [
            plan for park in wanted.parks for stay in wanted.stays if (plan := self._cheapest(turn, wanted, park, stay))
        ]
        if not plans:
            return _answer(NOTHING)
        ids = [part.id for part in min(plans, key=lambda plan: plan.cost).parts]
        return self._desk.recommend(turn, ids, "This is the cheapest that I have seen.")

    def _cheapest(self, turn: OpenTurn, wanted: Wanted, park: str, stay: Stay) -> Plan | None:
        parts = [self._hotels(turn, wanted, park, stay)]
        if wanted.level >= 2:
            parts.append(self._flights(turn, wanted, park, stay))
        if wanted.level == 3:
            found = _inside(self._desk, turn, park, stay)
            parts.append([Offer(window["package_id"], 0, 0) for window in found])
        return Plan(tuple(min(part, key=lambda offer: offer.cost) for part in parts)) if all(parts) else None

    def _hotels(self, turn: OpenTurn, wanted: Wanted, park: str, stay: Stay) -> list[Offer]:
        filters: dict[str, object] = {}
        for constraint in wanted.constraints:
            if constraint.type in _HOTEL_FILTERS:
                filters[constraint.type] = True
            elif constraint.type == "min_review_score" and isinstance(constraint.value, int):
                filters["min_review_score"] = constraint.value / 10
        found = self._desk.packages(turn, park, stay, wanted.guests, **filters)
        return [Offer(package["package_id"], _cents(package["price"]), 0) for package in found]

    def _flights(self, turn: OpenTurn, wanted: Wanted, park: str, stay: Stay) -> list[Offer]:
        filters: dict[str, object] = {}
        for constraint in wanted.constraints:
            if constraint.type == "direct_only":
                filters["direct_flights_only"] = True
            elif constraint.type == "booking_class":
                filters["booking_class"] = constraint.value
            elif constraint.type == "airline_in" and isinstance(constraint.value, tuple):
                filters["airline_preference"] = constraint.value[0]
        airports = self._desk.ask(turn, "search_airports", park_name=park)
        found = (
            package
            for airport in airports
            for package in self._desk.flights(turn, wanted, airport["airport_code"], stay, **filters)
        )
        return [Offer(package["package_id"], _cents(package["price"]), 0) for package in found]


_HOTEL_FILTERS = ("free_cancellation", "no_prepayment_needed", "has_parking", "breakfast_included", "is_pet_friendly")


# ---------------------------------------------------------------------------------------------------------------
# One that looks at everything


class Exhaustive:
    """Looks at every package of every park and stay through the tools, and takes the best that meets everything said.

    For as many tool calls as it takes: the limits of a run have to allow it.
    """

    def __init__(self) -> None:
        self._desk = Desk()
        self._rooms: dict[str, Facts] = {}

    async def respond(self, turn: OpenTurn) -> str:
        """The best plan by what has been said so far."""
        wanted = _heard(turn)
        best = max(self._plans(turn, wanted), key=lambda plan: self._rank(wanted, plan), default=None)
        if best is None:
            return _answer(NOTHING)
        ids = [part.id for part in best.parts]
        return self._desk.recommend(turn, ids, "I have looked at everything, and this is the best.")

    @staticmethod
    def _rank(wanted: Wanted, plan: Plan) -> tuple[int, int]:
        worth = 0 if wanted.objective is None or wanted.objective.is_cost else plan.worth
        return worth, -plan.cost

    def _plans(self, turn: OpenTurn, wanted: Wanted) -> Iterator[Plan]:
        """The plans worth considering: of each park and stay, those that no other beats in both cost and worth."""
        for park in wanted.parks:
            for stay in wanted.stays:
                plans = [Plan((offer,)) for offer in _undominated(self._hotels(turn, wanted, park, stay))]
                if plans and wanted.level >= 2:
                    plans = _joined(plans, _undominated(self._flights(turn, wanted, park, stay)))
                if plans and wanted.level == 3:
                    plans = _joined(plans, _undominated(self._permits(turn, wanted, park, stay)))
                most = wanted.budget_cents
                yield from (plan for plan in plans if most is None or plan.cost <= most)

    # -- Hotels

    def _hotels(self, turn: OpenTurn, wanted: Wanted, park: str, stay: Stay) -> Iterator[Offer]:
        for package in self._all_packages(turn, wanted, park, stay):
            facts = self._lodging_facts(turn, wanted, package)
            if wanted.accepts(Part.LODGING, facts):
                yield Offer(package["package_id"], _cents(package["price"]), wanted.worth(Part.LODGING, facts))

    def _all_packages(self, turn: OpenTurn, wanted: Wanted, park: str, stay: Stay) -> Iterator[Any]:
        """All packages of a stay, however many: where one answer does not hold them, prices are searched in halves."""
        dearest = 100_000_00 if wanted.budget_cents is None else wanted.budget_cents // stay.nights
        ranges = [(0, dearest)]
        while ranges:
            low, high = ranges.pop()
            found = self._desk.ask(
                turn,
                "AccommodationSearch",
                location=park,
                start_date=_written(stay.start),
                end_date=_written(stay.end),
                num_guests=wanted.guests,
                min_price_nightly=low / 100,
                max_price_nightly=high / 100,
            )
            if found and found["truncated"] and low < high:
                middle = (low + high) // 2
                # The mean of a room and night need not be whole cents: the halves share their border.
                ranges += [(low, middle), (middle, high)] if high - low > 1 else []
            elif found:
                yield from found["packages"]

    def _lodging_facts(self, turn: OpenTurn, wanted: Wanted, package: Any) -> Facts:
        """What is known of a package, details included where anything asks for them."""
        facts: Facts = {
            "star_rating_x10": _times(package.get("star_rating"), 10),
            "review_score_x10": _times(package.get("review_score"), 10),
            "review_count": package["review_count"],
            "entrance_km_x100": _times(package["entrance_km"], 100),
            "max_occupancy": package["max_occupancy"],
            **{name: package[name] for name in _HOTEL_FILTERS if name in package},
        }
        needed = self._needed(wanted)
        if needed - set(facts):
            hotel = self._desk.ask(turn, "get_hotel_details", hotel_identifier=str(package["hotel_id"]))
            facts |= {"brand": hotel.get("brand"), "property_type": hotel["property_type"], **_flags(hotel)}
        if needed - set(facts):
            facts |= self._room_facts(turn, package["package_id"], "dearest_night_cents" in needed)
        return facts

    def _room_facts(self, turn: OpenTurn, package_id: str, of_this_stay: bool) -> Facts:
        """What is known of a room. It is the same for all stays of a configuration, but for its price."""
        config = package_id.split("_")[1]
        if of_this_stay or config not in self._rooms:
            room = self._desk.ask(turn, "get_room_details", package_id=package_id)
            self._rooms[config] = {
                "bed_type": room["bed_type"],
                "bed_count": room["bed_count"],
                "dearest_night_cents": max(_cents(night["price"]) for night in room["nights"]),
                **_flags(room),
            }
        return self._rooms[config]

    @staticmethod
    def _needed(wanted: Wanted) -> set[str]:
        """The attributes of lodgings that something depends on."""
        wishes = wanted.objective.by_part[Part.LODGING] if isinstance(wanted.objective, FeatureCount) else ()
        asked = (*wanted.of(Part.LODGING), *wishes)
        return {asked_.attribute.name for constraint in asked for asked_ in constraint.filters(wanted.guests)}

    # -- Flights

    def _flights(self, turn: OpenTurn, wanted: Wanted, park: str, stay: Stay) -> Iterator[Offer]:
        for airport in self._desk.ask(turn, "search_airports", park_name=park):
            ground = {
                "airport_type": airport["airport_type"],
                "drive_hours_x100": _times(airport["drive_hours"], 100),
            }
            for package in self._desk.flights(turn, wanted, airport["airport_code"], stay):
                facts = {**package, **ground, **_times_of(package), "origin": package["outbound"]["origin"]}
                if wanted.accepts(Part.FLIGHT, facts):
                    yield Offer(package["package_id"], _cents(package["price"]), wanted.worth(Part.FLIGHT, facts))

    # -- Permits

    def _permits(self, turn: OpenTurn, wanted: Wanted, park: str, stay: Stay) -> Iterator[Offer]:
        first, end = stay.start + wanted.buffer_days, stay.end - wanted.buffer_days
        for kind, permit in self._desk.permits(turn, park):
            if permit.get("max_group", wanted.guests) < wanted.guests:
                continue
            for window in self._desk.windows(turn, park, permit["template_name"]):
                facts = {**window, "kind": kind, "template_name": permit["template_name"]}
                start = _day(window["start_date"])
                inside = first <= start and start + window["days"] <= end
                if inside and window["remaining"] >= wanted.guests and wanted.accepts(Part.PERMIT, facts):
                    cost = _fee(permit, window["days"], wanted.guests)
                    yield Offer(window["package_id"], cost, wanted.worth(Part.PERMIT, facts))


def _undominated(offers: Iterable[Offer]) -> list[Offer]:
    """The cheapest offer of each worth, without those that cost no less than one of more worth."""
    kept: list[Offer] = []
    for offer in sorted(offers, key=lambda offer: (-offer.worth, offer.cost, offer.id)):
        if not kept or offer.cost < kept[-1].cost:
            kept.append(offer)
    return kept


def _joined(plans: Iterable[Plan], offers: Sequence[Offer]) -> list[Plan]:
    return [Plan((*plan.parts, offer)) for plan in plans for offer in offers]


def _flags(details: Any) -> Facts:
    flags = dict.fromkeys(details["missing_amenities"], False)
    return flags | dict.fromkeys(details["amenities"], True)


def _times(value: float | None, factor: int) -> int | None:
    return None if value is None else round(value * factor)


def _times_of(package: Any) -> Facts:
    legs = (package["outbound"], package["inbound"])
    return {
        "longest_minutes": max(leg["minutes"] for leg in legs),
        "earliest_depart": min(leg["depart"] for leg in legs),
        "latest_arrive": max(leg["arrive"] for leg in legs),
    }


def _fee(permit: Any, days: int, guests: int) -> int:
    person = _cents(permit["fee_person"]) + (days - 1) * _cents(permit["fee_person_night"])
    return _cents(permit["fee_group"]) + guests * person

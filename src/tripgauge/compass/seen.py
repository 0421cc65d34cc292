"""The best plan an agent could have made of what its tools had shown it so far (spec 11, search).

Whatever was offered for one of the task's parks and stays is kept by park and stay: for each part, the cheapest offer
of each worth. The best plan of a park and stay is found among the few that are left.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from tripgauge.compass.catalogue import Catalogue
from tripgauge.compass.objectives import FeatureCount, Part, SingleMetric
from tripgauge.compass.offers import FlightPackage, HotelOffer, HotelPackage, PermitPackage, Stay, TravelPlan
from tripgauge.compass.task import Task

_WHOLE = ("dates", "budget", "permit_buffer_days")
"""Constraints decided when parts are put together, not of a part alone."""


@dataclass
class _Group:
    """What was seen for one park and stay: for each part, the least cost of each worth."""

    parts: dict[Part, dict[int, int]] = field(default_factory=lambda: {part: {} for part in Part})

    def add(self, part: Part, worth: int, cost: int) -> bool:
        """Whether this is news."""
        there = self.parts[part].get(worth)
        if there is not None and there <= cost:
            return False
        self.parts[part][worth] = cost
        return True


class SeenPlans:
    """Grows with every offer seen; knows the best utility of the feasible plans made of them."""

    def __init__(self, task: Task, catalogue: Catalogue) -> None:
        self.task = task
        self.catalogue = catalogue
        self.best: int | None = None
        """Utility of the best plan; None while there is none."""
        self._guests = task.guests
        self._groups: dict[tuple[int, Stay], _Group] = {}
        self._seen: set[str] = set()
        self._stand_ins: dict[int, HotelOffer] = {}

    def add(self, ids: Iterable[str]) -> None:
        """Takes in package ids."""
        for text in ids:
            if text in self._seen:
                continue
            self._seen.add(text)
            if hotel := HotelPackage.parse(text):
                self._add_hotel(hotel)
            elif flight := FlightPackage.parse(text):
                self._add_flight(flight)
            elif permit := PermitPackage.parse(text):
                self._add_permit(permit)

    def _add_hotel(self, package: HotelPackage) -> None:
        offer = self.catalogue.hotel_offer(package)
        if offer is None or package.stay not in self.task.stays:
            return
        plan = TravelPlan(offer)
        if self._accepts(Part.LODGING, plan):
            self._keep(offer.park.park_id, package.stay, Part.LODGING, plan, offer.price_cents)

    def _add_flight(self, package: FlightPackage) -> None:
        offer = self.catalogue.flight_offer(package) if self.task.level >= 2 else None
        if offer is None or package.stay not in self.task.stays or offer.seats_free < self._guests:
            return
        for park_id in self._parks:
            drive = self.catalogue.drive(park_id, offer.airport.code)
            if drive is not None:
                plan = TravelPlan(self._any_hotel(park_id), offer, drive)
                if self._accepts(Part.FLIGHT, plan):
                    self._keep(park_id, package.stay, Part.FLIGHT, plan, self._guests * offer.fare_cents)

    def _add_permit(self, package: PermitPackage) -> None:
        offer = self.catalogue.permit_offer(package) if self.task.level == 3 else None
        if offer is None or offer.remaining < self._guests or offer.permit.park_id not in self._parks:
            return
        if offer.permit.max_group is not None and offer.permit.max_group < self._guests:
            return
        plan = TravelPlan(self._any_hotel(offer.permit.park_id), permit=offer)
        if not self._accepts(Part.PERMIT, plan):
            return
        buffer = self.task.buffer_days
        for stay in self.task.stays:
            if stay.start + buffer <= package.start and package.start + package.days <= stay.end - buffer:
                self._keep(offer.permit.park_id, stay, Part.PERMIT, plan, offer.fee_cents(self._guests))

    def _accepts(self, part: Part, plan: TravelPlan) -> bool:
        """Whether a part meets the constraints on it alone."""
        return all(
            stated.constraint.holds(plan, self._guests)
            for stated in self.task.constraints
            if stated.constraint.kind.level == part.value and stated.constraint.type not in _WHOLE
        )

    def _worth(self, part: Part, plan: TravelPlan) -> int:
        """What a part adds to the utility besides its cost."""
        match self.task.objective:
            case FeatureCount() as wishes:
                return sum(wish.holds(plan, self._guests) for wish in wishes.by_part[part])
            case SingleMetric(metric) if metric.attribute and Part.of(metric.attribute.component) == part:
                value = metric.attribute.of(plan)
                return metric.sign * (value if isinstance(value, int) else 0)
        return 0

    def _keep(self, park_id: int, stay: Stay, part: Part, plan: TravelPlan, cost: int) -> None:
        group = self._groups.setdefault((park_id, stay), _Group())
        if group.add(part, self._worth(part, plan), cost):
            found = self._best_of(group)
            if found is not None and (self.best is None or found > self.best):
                self.best = found

    def _best_of(self, group: _Group) -> int | None:
        """The best utility of the plans of one park and stay."""
        sums = {0: 0}
        for part in list(Part)[: self.task.level]:
            joined: dict[int, int] = {}
            for worth, cost in sums.items():
                for more, price in group.parts[part].items():
                    least = joined.get(worth + more)
                    joined[worth + more] = cost + price if least is None else min(least, cost + price)
            sums = joined
        most = self.task.budget_cents
        affordable = {worth: cost for worth, cost in sums.items() if most is None or cost <= most}
        if not affordable:
            return None
        return -min(affordable.values()) if self.task.objective.is_cost else max(affordable)

    @cached_property
    def _parks(self) -> frozenset[int]:
        ids = self.catalogue.park_ids
        return frozenset(ids.values() if self.task.parks is None else (ids[name] for name in self.task.parks))

    def _any_hotel(self, park_id: int) -> HotelOffer:
        """Something to stand for the hotel in a plan of which only another part is looked at."""
        if park_id not in self._stand_ins:
            self._stand_ins[park_id] = self._first_hotel(park_id)
        return self._stand_ins[park_id]

    def _first_hotel(self, park_id: int) -> HotelOffer:
        first = self.catalogue.configs_of(park_id).start + 1
        offer = self.catalogue.hotel_offer(HotelPackage(first, self.task.stays[0], 1))
        assert offer is not None, park_id
        return offer

"""Can the plan be carried out as timed and paid for? (Trip+ Table 11, execution operability)"""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal

from tripgauge.checks import Finding
from tripgauge.trip_plus.feasibility.dimension import Dimension
from tripgauge.trip_plus.itinerary import Budget, clock
from tripgauge.trip_plus.notation.money import yuan
from tripgauge.trip_plus.sandbox.records import MINUTES_PER_DAY, Hours, Ride
from tripgauge.trip_plus.trace.costs import is_walk
from tripgauge.trip_plus.trace.events import MINUTE, Event, MealEvent, Spot, TransferEvent, VisitEvent
from tripgauge.trip_plus.trace.execution import Content, ExecutionTrace
from tripgauge.trip_plus.trace.journeys import Boarding
from tripgauge.trip_plus.trace.moves import Move

operability = Dimension("execution_operability")

SHORTEST_MEAL, LONGEST_MEAL = timedelta(minutes=30), timedelta(minutes=150)

WALKING_KM_PER_HOUR = 5

COST_SLACK_SHARE = Decimal("0.10")
"""What the budget states may be off by a tenth from what the plan's own prices come to."""

SUM_SLACK, SUM_SLACK_SHARE = Decimal(5), Decimal("0.02")
"""Its parts may miss the total by five yuan or two percent, whichever is more."""


@operability.check("time_and_transfer_feasible", about=Content.TIMES, each=lambda trace: trace.consecutive)
def no_time_overlaps(pair: tuple[Event, Event]) -> Iterator[Finding]:
    """Nothing starts before what is listed before it has ended, across midnight too."""
    earlier, later = pair
    if earlier.end is None or later.start is None or later.start >= earlier.end:
        return
    minutes = (earlier.end - later.start) // MINUTE
    if isinstance(later, TransferEvent) and isinstance(earlier, VisitEvent):
        name = earlier.activity.attraction
        reason = f"leaves {name} at {later.start:%H:%M}, {minutes} minutes before its visit ends"
    else:
        reason = f"{later.label} starts {minutes} minutes before {earlier.label} has ended"
    yield Finding(reason, later.day, later.label, f"from {earlier.end:%H:%M}", f"from {later.start:%H:%M}")


@operability.check("time_and_transfer_feasible", about=Content.TIMES, each=lambda trace: trace.moves)
def reasonable_transfer_time(move: Move) -> Iterator[Finding]:
    """Between two places lies the time the way takes, and the rides between lead from the one to the other."""
    if move.lost_before or move.lost_after:
        lost = move.destination.name if move.lost_before else move.origin.name
        where = "there" if move.lost_before else "on from there"
        yield Finding(f"{lost or 'a place without a name'} is on no map, so no way leads {where}", move.later.day, lost)
        return
    findings = [*_chain(move)]
    for transfer, way in zip(move.transfers, move.transfer_ways, strict=True):
        findings.extend(_ride_time(transfer, way))
    yield from findings or _whole_way(move)


def _whole_way(move: Move) -> Iterator[Finding]:
    """Where each ride is as long as it has to be, or there is none."""
    if move.needed_minutes is None:
        return
    least = _tolerated(move.needed_minutes)
    if move.available_minutes + move.buffer_minutes >= 0 and move.available_minutes < least:
        yield Finding(
            f"from {move.origin.name} to {move.destination.name} takes about {move.needed_minutes} minutes, "
            f"but there are {max(0, move.available_minutes)}",
            move.later.day,
            move.later.label,
            f"{move.needed_minutes} min",
            f"{max(0, move.available_minutes)} min",
        )


def _chain(move: Move) -> Iterator[Finding]:
    here: Spot = move.origin
    for transfer in move.transfers:
        if not transfer.origin.is_same_as(here) and _are_known(transfer.origin, here):
            yield Finding(
                f"{transfer.label} starts at {transfer.origin.name}, but the traveler is at {here.name}",
                transfer.day,
                transfer.label,
                here.name,
                transfer.origin.name,
            )
        here = transfer.destination
    if move.transfers and not here.is_same_as(move.destination) and _are_known(here, move.destination):
        last = move.transfers[-1]
        yield Finding(
            f"{last.label} ends at {here.name}, but next is {move.destination.name}",
            last.day,
            last.label,
            move.destination.name,
            here.name,
        )


def _are_known(one: Spot, other: Spot) -> bool:
    return bool(one.name and other.name) and one.coordinates is not None and other.coordinates is not None


def _ride_time(transfer: TransferEvent, way: Ride | None) -> Iterator[Finding]:
    if way is None or transfer.minutes is None or transfer.origin.is_same_as(transfer.destination):
        return
    needed = way.minutes
    if is_walk(transfer.activity) and not way.is_walk:
        needed = round(way.distance_meters / 1000 / WALKING_KM_PER_HOUR * 60)
    if transfer.minutes < _tolerated(needed):
        yield Finding(
            f"{transfer.label} takes about {needed} minutes, not {transfer.minutes}",
            transfer.day,
            transfer.label,
            f"{needed} min",
            f"{transfer.minutes} min",
        )


def _tolerated(minutes: int) -> int:
    """The least that passes for a way of that length: five minutes less, and never more than full tens."""
    return min(max(0, minutes - 5), minutes // 10 * 10)


@operability.check("venue_and_duration_feasible", about=Content.TIMED_SIGHTS, each=lambda trace: trace.timed_visits)
def attraction_visit_within_opening_hours(visit: VisitEvent) -> Iterator[Finding]:
    """A visit lies within the opening hours, also of places open past midnight."""
    if visit.attraction is not None:
        yield from _opening(visit, visit.attraction.hours, visit.attraction.name)


@operability.check("venue_and_duration_feasible", about=Content.TIMED_MEALS, each=lambda trace: trace.timed_meals)
def dining_within_service_hours(meal: MealEvent) -> Iterator[Finding]:
    """A meal lies within the hours of the restaurant, also of one open past midnight."""
    if meal.restaurant is not None:
        yield from _opening(meal, meal.restaurant.hours, meal.restaurant.name)


def _opening(event: Event, hours: Hours | None, name: str) -> Iterator[Finding]:
    if hours is None or event.start is None or event.end is None or _lies_within(event.start, event.end, hours):
        return
    times = f"{_clock(hours.opens)}-{_clock(hours.closes)}"
    yield Finding(
        f"{name} is open {times}, not {event.activity.slot}", event.day, event.label, times, str(event.activity.slot)
    )


def _clock(minutes: int) -> str:
    """A time of day; midnight at its end is 24:00."""
    return "24:00" if minutes == MINUTES_PER_DAY else clock(minutes)


def _lies_within(start: datetime, end: datetime, hours: Hours) -> bool:
    """By the clock alone; on which days a place opens is another question."""
    begins = start.hour * 60 + start.minute
    ends = begins + (end - start) // MINUTE
    spans = ((begins, ends), (begins + MINUTES_PER_DAY, ends + MINUTES_PER_DAY))
    return hours.always or any(hours.opens <= first and last <= hours.closes for first, last in spans)


def _opening_day(moment: datetime, hours: Hours) -> date:
    """The day whose opening a moment belongs to: after midnight in a place still open, the day before."""
    minutes = moment.hour * 60 + moment.minute
    belongs_to_evening = minutes < hours.opens and minutes + MINUTES_PER_DAY <= hours.closes
    return (moment - timedelta(days=belongs_to_evening)).date()


@operability.check("venue_and_duration_feasible", about=Content.TIMED_SIGHTS, each=lambda trace: trace.timed_visits)
def avoidance_of_closure_days(visit: VisitEvent) -> Iterator[Finding]:
    """No sight is visited on a weekday on which it is closed, told by the date."""
    hours = visit.attraction.hours if visit.attraction else None
    if hours is None or visit.start is None:
        return
    opening_day = _opening_day(visit.start, hours)
    if opening_day.isoweekday() in hours.closed_on:
        name = visit.activity.attraction
        yield Finding(f"{name} is closed on {opening_day:%A}s", visit.day, visit.label, found=f"{opening_day:%A}")


@operability.check("venue_and_duration_feasible", about=Content.TIMED_SIGHTS, each=lambda trace: trace.timed_visits)
def reasonable_duration_at_attractions(visit: VisitEvent) -> Iterator[Finding]:
    """A visit takes as long as the sight is worth: between its least and its most time."""
    if visit.attraction is None or visit.start is None or visit.end is None:
        return
    spent, least, most = visit.end - visit.start, visit.attraction.min_visit, visit.attraction.max_visit
    if (least is not None and spent < least) or (most is not None and spent > most):
        expected, found = _span(least, most), _minutes(spent)
        yield Finding(f"{visit.attraction.name} takes {expected}, not {found}", visit.day, visit.label, expected, found)


def _span(least: timedelta | None, most: timedelta | None) -> str:
    if least is None or most is None:
        return f"at least {_minutes(least)}" if least else f"at most {_minutes(most or timedelta())}"
    return f"{_minutes(least)} to {_minutes(most)}"


def _minutes(length: timedelta) -> str:
    return f"{length // MINUTE} minutes"


@operability.check("venue_and_duration_feasible", about=Content.TIMED_MEALS, each=lambda trace: trace.timed_meals)
def reasonable_meal_duration(meal: MealEvent) -> Iterator[Finding]:
    """A meal takes between half an hour and two and a half hours."""
    if meal.start is None or meal.end is None:
        return
    spent = meal.end - meal.start
    if not SHORTEST_MEAL <= spent <= LONGEST_MEAL:
        found = _minutes(spent)
        yield Finding(f"{meal.label} takes {found}", meal.day, meal.label, "30 to 150 minutes", found)


@operability.check("intercity_buffer_feasible", about=Content.TIMED_TRAVEL, each=lambda trace: trace.boardings)
def intercity_buffer_adequacy(boarding: Boarding) -> Iterator[Finding]:
    """Time is kept free before and after a flight or train, and between the legs of a connection."""
    if boarding.minutes < boarding.needed:
        yield Finding(
            f"{boarding.minutes} minutes kept free {boarding.when} {boarding.leg.label}, {boarding.needed} needed",
            boarding.leg.day,
            boarding.leg.label,
            f"{boarding.needed} min",
            f"{boarding.minutes} min",
        )


@operability.check("budget_arithmetic_feasible", about=Content.COSTS, each=lambda trace: (trace,))
def cost_calculation_correctness(trace: ExecutionTrace) -> Iterator[Finding]:
    """The budget adds up: each part is what the plan's own prices come to, and the total is the sum of the parts."""
    budget, cost = trace.itinerary.budget, trace.cost
    if budget is None:
        yield Finding("there is no budget summary", expected=yuan(cost.total))
        return
    for fault in budget.faults:
        yield Finding(
            f"the {fault.field} of the budget cannot be read: {fault.text!r} is {fault.reason}", found=fault.text
        )
    parts = (
        ("transportation comes", budget.transportation, cost.transportation),
        ("accommodation comes", budget.accommodation, cost.accommodation),
        ("meals come", budget.meals, cost.meals),
        ("attractions come", budget.attractions, cost.attractions),
    )
    for name, stated, computed in parts:
        yield from _amount(name, stated, computed)
    if budget.total is None:
        yield Finding("the budget has no total that can be read", expected=yuan(cost.total))
        return
    yield from _amount("everything comes", budget.total, cost.total + (budget.other or Decimal()))
    yield from _sum(budget)


def _amount(name: str, stated: Decimal | None, computed: Decimal) -> Iterator[Finding]:
    if stated is not None and abs(stated - computed) > max(SUM_SLACK, COST_SLACK_SHARE * computed):
        yield Finding(f"{name} to {yuan(computed)}, not {yuan(stated)}", expected=yuan(computed), found=yuan(stated))


def _sum(budget: Budget) -> Iterator[Finding]:
    """The parts that are stated against the total; a budget may also state the total alone."""
    parts = (budget.transportation, budget.accommodation, budget.meals, budget.attractions, budget.other)
    stated = [part for part in parts if part is not None]
    total, summed = budget.total or Decimal(), sum(stated, Decimal())
    if stated and abs(summed - total) > max(SUM_SLACK, SUM_SLACK_SHARE * total):
        yield Finding(
            f"the parts of the budget come to {yuan(summed)}, its total is {yuan(total)}",
            expected=yuan(summed),
            found=yuan(total),
        )

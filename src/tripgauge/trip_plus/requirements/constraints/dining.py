"""Where and what the traveler eats. (Trip+ Table 12, dining)"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from tripgauge.checks import Finding
from tripgauge.trip_plus.notation.money import yuan
from tripgauge.trip_plus.requirements.requirement import Component, HardConstraint, listed
from tripgauge.trip_plus.requirements.wanted import wanted_restaurants
from tripgauge.trip_plus.sandbox.words import Phrases
from tripgauge.trip_plus.trace.events import MealEvent
from tripgauge.trip_plus.trace.execution import Content, ExecutionTrace


def _is_meal(event: MealEvent, meal: str) -> bool:
    """Whether it is the lunch or dinner asked for; anything else must be called so; "" is any meal."""
    match meal.strip().lower():
        case "":
            return True
        case "lunch":
            return event.is_lunch
        case "dinner" | "supper":
            return event.is_dinner
        case other:
            return other in event.activity.meal.lower()


@dataclass(frozen=True)
class RestaurantAmong(HardConstraint):
    """A meal is taken at one of the restaurants that are as asked for, on the day and at the time of day asked for.

    Which these are was found out when the task was made, from tables that knew more ratings and places than ours.
    """

    rules = {
        "restaurant_closest_to_attraction": "A meal is taken at the restaurant closest to the sight.",
        "restaurant_highest_rated": "A meal is taken at the best rated restaurant near the sight.",
        "restaurant_cheapest_nearby_attraction": "A meal is taken at the cheapest restaurant near the sight.",
        "restaurant_specific_cuisine_nearby": "A meal is taken at a restaurant near the sight with the cuisine.",
        "restaurant_specific_tag_nearby": "A meal is taken at a restaurant near the sight with the feature.",
        "restaurant_must_eat_named": "A meal is taken at the restaurant the traveler names.",
        "restaurant_turn_added": "The meal the traveler adds is taken at the restaurant named, or one like it.",
    }
    group = Component.RESTAURANTS
    source = "Trip+ Table 12"

    kind: str
    restaurants: frozenset[str]
    near: str = ""
    """The sight."""

    detail: str = ""
    """Cuisine or feature."""

    day: int | None = None
    meal: str = ""
    """"lunch" or "dinner"; None and "" where the traveler does not say when."""

    @property
    def id(self) -> str:
        """Which of the kinds."""
        return self.kind

    def sentence(self) -> str:
        """With sight, detail, restaurants and when."""
        told = ", ".join(filter(None, (self.near, self.detail)))
        when = f" {self._when()}" if self._when() else ""
        return f"{self.rule.removesuffix('.')}{f' ({told})' if told else ''}: {listed(self.restaurants)}{when}."

    def _when(self) -> str:
        parts = (f"for {self.meal.lower()}" if self.meal else "", f"on day {self.day}" if self.day else "")
        return " ".join(filter(None, parts))

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """That no such meal is taken, or not when it was asked for."""
        wanted = wanted_restaurants(self.restaurants, trace)
        there = [meal for meal in trace.meals if wanted.has(meal.activity.restaurant, meal.restaurant)]
        if any(self._is_then(meal) for meal in there):
            return
        asked = f"{listed(self.restaurants)} {self._when()}".strip()
        if not there:
            yield Finding(f"no meal at {listed(self.restaurants)}", self.day, expected=asked)
        for meal in there:
            reason = f"{meal.label} on day {meal.day} is not {self._when()}"
            yield Finding(reason, meal.day, meal.label, asked, f"{meal.activity.meal} on day {meal.day}")

    def _is_then(self, meal: MealEvent) -> bool:
        return self.day in (None, meal.day) and _is_meal(meal, self.meal)


@dataclass(frozen=True)
class MealWithinPrice(HardConstraint):
    """The meal that was left open is taken on the day and at the time settled on, within the price.

    By the price the tables know; what a plan claims of a restaurant that does not exist is none.
    """

    id = "resolved_restaurant_preference"
    group = Component.RESTAURANTS
    source = "Trip+ 2.3, Table 9"

    day: int
    meal: str
    highest_price: Decimal
    """Yuan per person."""

    def sentence(self) -> str:
        """With day, meal and price."""
        return f"On day {self.day} there is {self.meal.lower()} for no more than {yuan(self.highest_price)} a head."

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """That there is no such meal, or only a dearer one."""
        meals = [meal for meal in trace.meals if meal.day == self.day and _is_meal(meal, self.meal)]
        prices = [meal.restaurant.price if meal.restaurant else None for meal in meals]
        if any(price is not None and price <= self.highest_price for price in prices):
            return
        if not meals:
            yield Finding(f"no {self.meal.lower()} on this day", self.day, expected=f"up to {yuan(self.highest_price)}")
        for meal, price in zip(meals, prices, strict=True):
            found = "no known price" if price is None else yuan(price)
            yield Finding(f"{meal.label} has {found}", self.day, meal.label, f"up to {yuan(self.highest_price)}", found)


_SAYS_NOTHING = frozenset({"cuisine", "food", "dish", "dishes"})
"""Words that belong to any kitchen: who does not eat Sichuan cuisine does not eat Sichuan dishes."""

_LONGEST_KEYWORD = 3
"""What has more words is a sentence that strayed into the list."""


@dataclass(frozen=True)
class NothingBanned(HardConstraint):
    """No meal is at a restaurant whose name, cuisine or tags tell of what the traveler does not eat."""

    id = "dietary_update"
    group = Component.RESTAURANTS
    source = "Trip+ 2.3, Table 9"
    about = Content.RESTAURANTS

    banned: frozenset[str]

    def sentence(self) -> str:
        """With what is banned."""
        return f"No meal is at a restaurant that stands for {listed(self.words) or 'something not told'}."

    @property
    def words(self) -> tuple[str, ...]:
        """What to look for: the keywords without words that say nothing, and without what is no keyword."""
        kept = (
            " ".join(word for word in keyword.lower().split() if word not in _SAYS_NOTHING)
            for keyword in self.banned
            if len(keyword.split()) <= _LONGEST_KEYWORD and not keyword.rstrip().endswith(".")
        )
        return tuple(sorted({keyword for keyword in kept if keyword}))

    def not_applicable(self, trace: ExecutionTrace) -> str:
        """Where the list of what is banned holds nothing that could be looked for."""
        return "" if self.words else "the list of what is not eaten holds no keyword"

    def find(self, trace: ExecutionTrace) -> Iterator[Finding]:
        """Meals at such places."""
        banned = Phrases(self.words)
        for meal in trace.meals:
            record = meal.restaurant
            tells = (record.name, record.cuisine, *record.tags) if record else (meal.activity.restaurant,)
            if word := banned.found_in(*tells, meal.activity.meal):
                yield Finding(f"{meal.label} stands for {word!r}", meal.day, meal.label, f"nothing {word}", word)

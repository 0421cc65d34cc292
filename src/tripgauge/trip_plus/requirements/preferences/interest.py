"""Interest match: sights and meals of the kinds the traveler likes. (Trip+ Table 8, last family)

A place counts by what the sandbox says of it, in whole words, and each place once. Two are enough, or all if the plan
has fewer.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tripgauge.checks import Finding
from tripgauge.trip_plus.requirements.requirement import Component, Severity, Signal, SoftPreference
from tripgauge.trip_plus.sandbox.exposure import described
from tripgauge.trip_plus.sandbox.words import Phrases
from tripgauge.trip_plus.trace.execution import Content, ExecutionTrace

ENOUGH = 2

LOCAL_FOOD = Phrases((
    "local", "specialty", "specialties", "traditional", "heritage", "snack", "street food", "signature", "regional",
    "time-honored", "time honoured", "old brand", "noodle", "hot pot",
))  # fmt: skip

# "Center" is no theme: it is in the names of shopping, science and service centers alike.
THEMES: Mapping[str, Phrases] = {
    "interest_outdoor_nature": Phrases((
        "mountain", "lake", "bay", "sea", "seaside", "beach", "park", "forest", "grassland", "wetland", "canyon",
        "nature", "natural", "garden",
    )),
    "interest_culture": Phrases((
        "ancient", "history", "historic", "historical", "museum", "ruins", "memorial", "culture", "cultural", "temple",
        "city wall", "exhibition", "gallery", "galleries", "science",
    )),
    "interest_art": Phrases(("art", "gallery", "galleries", "exhibition")),
    "interest_shopping": Phrases(("mall", "pedestrian street", "commercial", "shopping", "square", "market")),
    "interest_landmark": Phrases((
        "tower", "building", "square", "landmark", "city wall", "ancient city", "lookout", "observation deck",
    )),
    "interest_amusement": Phrases(("amusement", "theme park", "ocean park", "aquarium", "zoo")),
}  # fmt: skip


def _matches(places: Mapping[str, Iterable[str]], theme: Phrases, what: str) -> Signal:
    """How many of the places, given with the texts about them, are of the theme."""
    found = sum(bool(theme.found_in(*texts)) for texts in places.values())
    target = max(1, min(ENOUGH, len(places)))
    severity = Severity.NONE if found >= target else Severity.MINOR if found else Severity.MAJOR
    finding = Finding(f"{found} of {len(places)} {what}", expected=str(target), found=str(found))
    return Signal("profile_interest_matched_items", found, severity, finding)


@dataclass(frozen=True)
class InterestLocalFood(SoftPreference):
    """Meals are at restaurants with local food."""

    id = "interest_local_food"
    group = Component.INTEREST_MATCH
    about = Content.MEALS

    def signals(self, trace: ExecutionTrace) -> Iterator[Signal]:
        """How many restaurants are."""
        places: dict[str, tuple[str, ...]] = {}
        for meal in trace.meals:
            record = meal.restaurant
            name = record.name if record else meal.activity.restaurant
            places[name] = (record.name, record.cuisine, *record.tags) if record else ()
        yield _matches(places, LOCAL_FOOD, "restaurants serve local food")


@dataclass(frozen=True)
class InterestInSights(SoftPreference):
    """Sights are of the kind the traveler likes."""

    rules = {
        "interest_outdoor_nature": "Sights are out in nature: parks, lakes, hills, beaches, gardens.",
        "interest_culture": "Sights are of culture and history: museums, temples, ancient places.",
        "interest_art": "Sights are of art: galleries and exhibitions.",
        "interest_shopping": "Sights are for shopping: malls, markets, pedestrian streets, squares.",
        "interest_landmark": "Sights are landmarks: towers, squares, city walls.",
        "interest_amusement": "Sights are for amusement: theme parks, aquariums, zoos.",
    }
    group = Component.INTEREST_MATCH
    about = Content.VISITS

    kind: str

    @property
    def id(self) -> str:
        """Which of the kinds."""
        return self.kind

    def signals(self, trace: ExecutionTrace) -> Iterator[Signal]:
        """How many sights are."""
        places: dict[str, tuple[str, ...]] = {}
        for visit in trace.visits:
            record = visit.attraction
            name = record.name if record else visit.activity.attraction
            places[name] = (record.name, described(record)) if record else ()
        theme = self.kind.removeprefix("interest_").replace("_", " ")
        yield _matches(places, THEMES[self.kind], f"sights are of {theme}")

"""Is a sight under a roof, and is it strenuous? (Trip+ Table 8: outdoor exposure)

What the tables say of a sight decides: its type, description, tags and name. Only whole words count, and what tells
neither way is neither: it is no shelter from the rain and no exposure to the sun.
"""

from enum import StrEnum
from functools import lru_cache

from tripgauge.trip_plus.sandbox.records import Attraction
from tripgauge.trip_plus.sandbox.words import Phrases


class Exposure(StrEnum):
    """Where a visitor of a sight is."""

    INDOORS = "indoors"
    OUTDOORS = "outdoors"
    UNKNOWN = "unknown"


INDOORS = Phrases((
    "museum", "memorial", "gallery", "galleries", "exhibition", "exhibit", "mall", "shopping center", "shopping centre",
    "indoor", "theater", "theatre", "science", "library", "libraries", "aquarium", "art center", "art centre",
    "concert hall",
))  # fmt: skip

OUTDOORS = Phrases((
    "mountain", "canyon", "lake", "bay", "island", "sea", "seaside", "beach", "park", "forest", "grassland", "wetland",
    "trail", "boardwalk", "ancient town", "ancient city", "old town", "street", "temple", "square", "viewpoint",
    "scenic", "scenery", "natural", "nature", "garden", "outdoor", "open-air", "waterfall", "river",
))  # fmt: skip

STRENUOUS = Phrases((
    "boardwalk", "trail", "hike", "hiking", "mountain", "climb", "climbing", "canyon", "peak", "ridge", "great wall",
    "forest park", "highland", "cable car", "steep",
))  # fmt: skip


@lru_cache(maxsize=16384)
def _exposure(known: str, name: str) -> Exposure:
    if INDOORS.found_in(known, name):
        return Exposure.INDOORS
    return Exposure.OUTDOORS if OUTDOORS.found_in(known, name) else Exposure.UNKNOWN


def exposure(attraction: Attraction | None, name: str) -> Exposure:
    """Where a visitor of the sight is, by its record and the name the plan gives it."""
    return _exposure(described(attraction), attraction.name if attraction else name)


def described(attraction: Attraction | None) -> str:
    """All that the tables say of a sight, in one text; "" if they do not know it."""
    if attraction is None:
        return ""
    return " | ".join((attraction.type, attraction.description, *attraction.popularity_tags)).replace("_", " ")

"""Ways to spoil a good plan of Trip+, each with what it must cost.

A damage makes something clearly wrong that was right: a hotel that does not exist, a taxi that leaves before the visit
ends, a day left out. It knows what a traveler knows and no threshold of any check. Where a plan offers nothing to
spoil, it gives None. Whatever a damage does not mean to touch it leaves right: where prices change, the budget is added
up anew, unless the budget is what is spoiled.

Damages to the text of an answer are in `TEXT_DAMAGES`: after them there is no plan to be graded.
"""

from tests.trip_plus.damages import answers, days, journeys, money, places, program, times, ways
from tests.trip_plus.damages.answers import TEXT_DAMAGES, TextDamage
from tests.trip_plus.damages.plans import DAMAGES, EVERY_SIGHT, Damage, GoodPlan

THEMES = (places, journeys, money, days, program, times, ways, answers)
"""Where the damages are. A damage is in the list once its module is loaded."""

__all__ = ["DAMAGES", "EVERY_SIGHT", "TEXT_DAMAGES", "THEMES", "Damage", "GoodPlan", "TextDamage"]

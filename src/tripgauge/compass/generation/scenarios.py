"""The kinds of trips tasks are about: who travels, what they tend to ask for, and how their story is told.

A story names the traveler, the party and the park. It says nothing about constraints that are told later.
"""

from dataclasses import dataclass
from typing import Literal

from tripgauge.compass.objectives import ObjectiveKind
from tripgauge.compass.task import Level


@dataclass(frozen=True)
class Scenario:
    """A kind of trip."""

    id: str
    title: str
    level: Level
    kind: ObjectiveKind
    stories: tuple[str, ...]
    """With places for `name`, `party` and `park`."""

    metrics: tuple[str, ...] = ()
    """Its objectives, for single metrics."""

    asks: tuple[str, ...] = ()
    """Constraints that its travelers ask for first."""

    wishes: tuple[str, ...] = ()
    """Wishes that come first on their lists."""

    guests: tuple[int, ...] = (1, 2, 2, 3, 4)
    """Sizes of the party, each as likely as it is often."""

    party: Literal["any", "family", "group"] = "any"
    """Who comes along; a group is not said to be friends or relatives."""


SCENARIOS = (
    # -- Level I, one metric
    Scenario(
        "budget_hiking_trip",
        "Budget Hiking Trip",
        1,
        "single_metric",
        (
            "{name} saves every dollar for gear and hikes around {park} {party}. The room is only for sleeping.",
            "After a long semester {name} is off to {park} {party}, with boots, a stove and very little money.",
        ),
        metrics=("price",),
        asks=("free_cancellation", "max_distance", "has_parking"),
    ),
    Scenario(
        "budget_chain_loyalist",
        "Budget Chain Loyalist",
        1,
        "single_metric",
        (
            "{name} likes chain hotels, where one knows what to expect. This time the road leads to {park}, {party}.",
            "{name} sells farm machinery and collects points. A few days at {park}, {party}, should cost little.",
        ),
        metrics=("price",),
        asks=("brand_in", "brand_not_in", "same_hotel_brand"),
    ),
    Scenario(
        "family_value_stay",
        "Family Value Stay",
        1,
        "single_metric",
        (
            "{name} plans the yearly trip, this year to {park} {party}, and has promised to keep it within reason.",
            "The cousins have voted for {park}. {name} books, {party}, and everybody will look at the bill.",
        ),
        metrics=("price",),
        asks=("breakfast_included", "has_family_rooms", "has_pool", "one_room_only"),
        guests=(3, 4, 4, 5, 6),
        party="family",
    ),
    Scenario(
        "top_rated_getaway",
        "Top-Rated Getaway",
        1,
        "single_metric",
        (
            "{name} reads every review before booking. For a few days at {park}, {party}, it has to be a loved place.",
            "A disappointing hotel spoiled the last vacation. {name} wants this one, at {park} {party}, to be right.",
        ),
        metrics=("review_score",),
        asks=("min_review_count", "free_cancellation", "property_type_in"),
    ),
    Scenario(
        "crowd_favorite_seeker",
        "Crowd Favorite Seeker",
        1,
        "single_metric",
        (
            "{name} trusts the crowd: the more people have written about a place, the better. Next: {park}, {party}.",
            "{name} works in market research and believes in large samples, also for a hotel near {park}, {party}.",
        ),
        metrics=("review_count",),
        asks=("min_review_score", "min_star_rating", "has_wifi"),
    ),
    Scenario(
        "closest_base_camp",
        "Closest Base Camp",
        1,
        "single_metric",
        (
            "{name} photographs sunrises and wants to be at the gate of {park} before anybody else, {party}.",
            "{name} hates driving on vacation. The bed should be as close to {park} as it gets, {party}.",
        ),
        metrics=("distance",),
        asks=("max_nightly_price", "has_parking", "has_coffee_maker"),
    ),
    # -- Level I, features
    Scenario(
        "business_luxury_retreat",
        "Business Luxury Retreat",
        1,
        "feature_count",
        (
            "{name} runs a small consulting firm and takes the partners out to think, near {park}, {party}.",
            "After closing a large deal {name} treats the team to a few quiet days at {park}, {party}.",
        ),
        asks=("min_star_rating", "free_cancellation", "min_review_score"),
        guests=(2, 3, 3, 4, 5),
        party="group",
        wishes=("has_spa", "has_fitness_center", "has_bar", "has_restaurant", "has_wifi", "has_ev_charging"),
    ),
    Scenario(
        "brand_loyalty_maximizer",
        "Brand Loyalty Maximizer",
        1,
        "feature_count",
        (
            "{name} holds gold cards of hotel chains and expects something for them, this time at {park} {party}.",
            "{name} travels for work all year and stays with chains in private too. Next stop: {park}, {party}.",
        ),
        asks=("brand_in", "same_hotel_brand", "brand_not_in"),
        wishes=("has_wifi", "has_fitness_center", "breakfast_included", "has_coffee_maker", "has_parking"),
    ),
    Scenario(
        "family_amenity_collector",
        "Family Amenity Collector",
        1,
        "feature_count",
        (
            "The children are under ten, and {name} knows what a rainy afternoon means. They go to {park} {party}.",
            "{name} is a teacher with a list for everything, also for the hotel at {park}, {party}.",
        ),
        asks=("has_family_rooms", "has_parking", "one_room_only"),
        wishes=("has_pool", "has_hot_tub", "has_kitchenette", "has_refrigerator", "has_laundry", "has_tv"),
        guests=(3, 4, 4, 5),
        party="family",
    ),
    Scenario(
        "pet_friendly_retreat",
        "Pet-Friendly Retreat",
        1,
        "feature_count",
        (
            "{name} wants a few slow days in the woods around {park}, {party}, and never leaves anybody behind.",
            "After a loud year in the city {name} longs for {park}, {party}, and for patient neighbors.",
        ),
        asks=("is_pet_friendly", "max_nightly_price"),
        wishes=("has_parking", "has_free_parking", "has_kitchenette", "has_refrigerator", "has_balcony"),
    ),
    Scenario(
        "remote_work_escape",
        "Remote Work Escape",
        1,
        "feature_count",
        (
            "{name} writes software and can do so anywhere, so why not near {park}, {party}?",
            "{name} has a book to finish and thinks that {park} is the place for it, {party}.",
        ),
        asks=("has_wifi", "has_24h_front_desk", "no_prepayment_needed"),
        wishes=("has_view", "has_coffee_maker", "has_air_conditioning", "has_laundry", "has_restaurant"),
    ),
    Scenario(
        "accessible_comfort_stay",
        "Accessible Comfort Stay",
        1,
        "feature_count",
        (
            "{name}'s father has always dreamed of {park}. Now they go, {party}, and it should be easy on him.",
            "{name} had a knee operation in spring and looks forward to the views of {park}, {party}.",
        ),
        asks=("is_wheelchair_accessible", "max_distance", "has_private_bathroom"),
        guests=(2, 2, 3, 4),
        party="group",
        wishes=("has_restaurant", "has_air_conditioning", "has_24h_front_desk", "is_non_smoking", "has_parking"),
    ),
    # -- Level II, one metric
    Scenario(
        "fly_in_weekend_saver",
        "Fly-In Weekend Saver",
        2,
        "single_metric",
        (
            "{name} has a few days between two jobs and wants to see {park} {party}, for as little as possible.",
            "{name} found {park} on a postcard and books at once, {party}. The account is nearly empty.",
        ),
        metrics=("total_cost",),
        asks=("checked_bag_included", "direct_only", "free_cancellation"),
    ),
    Scenario(
        "cross_country_saver",
        "Cross-Country Saver",
        2,
        "single_metric",
        (
            "{name} meets old friends at {park} once a year. They travel {party}, and everybody pays the same share.",
            "{name} is getting married next year and saves. One trip is still in the plan: {park}, {party}.",
        ),
        metrics=("total_cost",),
        guests=(2, 2, 3, 4),
        party="group",
        asks=("depart_after", "max_drive_hours", "has_parking"),
    ),
    Scenario(
        "airport_drive_time_optimizer",
        "Airport Drive Time Optimizer",
        2,
        "single_metric",
        (
            "{name} gets car-sick on mountain roads. Any of these parks is fine: {park}. They travel {party}.",
            "The rental car is the part {name} likes least. They travel {party}, to {park}.",
        ),
        metrics=("drive_time",),
        asks=("direct_only", "has_parking", "arrive_before"),
    ),
    Scenario(
        "well_reviewed_fly_in",
        "Well-Reviewed Fly-In",
        2,
        "single_metric",
        (
            "{name} flies in for an anniversary at {park}, {party}. The hotel has to be a good one.",
            "{name} takes the grandparents to {park}, {party}, and wants no surprises at the front desk.",
        ),
        metrics=("review_score", "review_count", "distance"),
        guests=(2, 2, 3, 4),
        party="group",
        asks=("free_cancellation", "airline_in", "depart_after"),
    ),
    # -- Level II, features
    Scenario(
        "smooth_journey_maximizer",
        "Smooth Journey Maximizer",
        2,
        "feature_count",
        (
            "{name} finds traveling tiring and would like every bit of comfort on the way to {park}, {party}.",
            "{name} has never liked airports. They travel {party}, to {park}, and whatever makes it easier is welcome.",
        ),
        asks=("depart_after", "max_flight_minutes", "has_wifi"),
        wishes=("direct_only", "flight_wifi", "flight_power", "flight_meal", "carry_on_included", "has_pool"),
    ),
    Scenario(
        "frequent_flyer_comfort",
        "Frequent Flyer Comfort",
        2,
        "feature_count",
        (
            "{name} spends half the year in airplanes. This flight, to {park} {party}, is for fun.",
            "{name} has an upgrade habit and a free week. The trip goes to {park}, {party}.",
        ),
        asks=("airline_in", "booking_class", "min_star_rating"),
        wishes=(
            "is_changeable",
            "is_refundable",
            "checked_bag_included",
            "flight_power",
            "has_fitness_center",
            "has_bar",
        ),
    ),
    # -- Level III, one metric
    Scenario(
        "permit_hunter_on_a_budget",
        "Permit Hunter on a Budget",
        3,
        "single_metric",
        (
            "{name} has tried for years to get a permit at {park}. This August it has to work, {party}, and cheaply.",
            "{name} collects permits the way others collect stamps. {park} is next, {party}.",
        ),
        metrics=("total_cost",),
        asks=("permit_template", "permit_on_weekday", "permit_kind"),
        guests=(1, 2, 2, 3, 4),
    ),
    Scenario(
        "wilderness_saver",
        "Wilderness Saver",
        3,
        "single_metric",
        (
            "{name} would rather spend nights outside than money on rooms. {park} is the plan, {party}.",
            "A ranger friend told {name} about {park}. They travel {party} and count every dollar.",
        ),
        metrics=("total_cost",),
        asks=("permit_kind", "checked_bag_included", "permit_buffer_days"),
        guests=(1, 2, 2, 3),
    ),
    Scenario(
        "adventure_base_optimizer",
        "Adventure Base Optimizer",
        3,
        "single_metric",
        (
            "One big day at {park}, and a good place to come back to: that is what {name} wants, {party}.",
            "{name} has trained all year for {park}. They travel {party}, and the hotel must not get in the way.",
        ),
        metrics=("review_score", "review_count", "distance"),
        asks=("permit_template", "has_parking", "permit_on_weekday"),
    ),
    # -- Level III, features
    Scenario(
        "senior_comfort_tour_maximizer",
        "Senior Comfort Tour Maximizer",
        3,
        "feature_count",
        (
            "{name} has just retired and goes to {park} at last, {party}, with time to enjoy it.",
            "For the parents' golden wedding {name} has planned {park}, {party}. They are seventy-five and curious.",
        ),
        party="group",
        asks=("permit_kind", "max_drive_hours", "depart_after"),
        wishes=("has_restaurant", "is_non_smoking", "direct_only", "has_air_conditioning", "has_24h_front_desk"),
        guests=(2, 2, 2, 3, 4),
    ),
    Scenario(
        "guided_adventure_collector",
        "Guided Adventure Collector",
        3,
        "feature_count",
        (
            "{name} likes to be shown things by people who know them. {park} is next on the list, {party}.",
            "{name} teaches geology and wants to see {park} with fresh eyes, {party}.",
        ),
        asks=("permit_on_weekday", "permit_template", "free_cancellation"),
        wishes=("permit_kind", "flight_power", "has_wifi", "has_bar", "breakfast_included", "has_view"),
    ),
    Scenario(
        "backcountry_comfort_maximizer",
        "Backcountry Comfort Maximizer",
        3,
        "feature_count",
        (
            "Out in the wild {name} needs nothing; before and after, everything. {park} it is, {party}.",
            "{name} leads a small hiking group to {park}, {party}, and wants them to come home happy.",
        ),
        guests=(2, 2, 3, 4),
        party="group",
        asks=("permit_days", "checked_bag_included", "permit_kind"),
        wishes=("has_hot_tub", "has_laundry", "has_pool", "checked_bag_included", "has_restaurant", "has_spa"),
    ),
)

NAMES: tuple[str, ...] = ("Maya", "Daniel", "Priya", "Tomás", "Grace", "Hiro", "Leila", "Owen", "Carmen", "Felix")
NAMES += ("Nadia", "Samuel", "Ingrid", "Andre", "Yuki", "Rosa", "Elliot", "Amara", "Victor", "Hannah")

PARTIES = {
    1: ("alone",),
    2: ("with a partner", "with a friend", "with a sister", "as a party of two"),
    3: ("with two friends", "as a family of three", "with both parents"),
    4: ("as a family of four", "with three friends", "as two couples"),
    5: ("as a family of five", "with four friends"),
    6: ("as a party of six", "with the whole family of six"),
}
NUMBERS = ("one", "two", "three", "four", "five", "six")


def parties(scenario: Scenario, guests: int) -> tuple[str, ...]:
    """How so many travelers may be described."""
    if scenario.party == "any":
        return PARTIES[guests]
    return (f"as a {'family' if scenario.party == 'family' else 'party'} of {NUMBERS[guests - 1]}",)

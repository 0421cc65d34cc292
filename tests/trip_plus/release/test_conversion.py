"""What an answer's text becomes, quirk by quirk, in a made-up town."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripgauge.trip_plus.release.conversion import Conversion, Method, convert, read_answer_agent, read_answer_direct
from tripgauge.trip_plus.release.entity_names import NO_NAMES, DatabaseNames

NAMES = DatabaseNames.of(
    [
        "Demo Inn",
        "Sample House - River Side",
        "Demo Park",
        "Demo Garden",
        "Noodle Corner",
        "Soup, Bread & Co",
        "Mockton North",
        "Testville South",
        "Testville Airport",
        "Testville",
        "Mockton",
    ]
)

DAY = "Day 1 (2030-05-01):\nCurrent City: from Mockton to Testville\nAccommodation: Demo Inn, ¥200/room/night\n"


def plan(text: str, names: DatabaseNames = NAMES) -> dict:
    conversion = convert(text, names)
    assert conversion.method is Method.DETERMINISTIC
    return conversion.converted


def activities(rows: str, head: str = DAY, names: DatabaseNames = NAMES) -> list[dict]:
    days = plan(f"<plan>\n{head}{rows}\n</plan>", names)["daily_plans"]
    assert len(days) == 1
    return days[0]["activities"]


def details(row: str, head: str = DAY, names: DatabaseNames = NAMES) -> dict:
    """What becomes of one row."""
    (activity,) = activities(f"09:00-10:00 | {row}", head, names)
    return activity["details"]


def ride(detail: str, **settings) -> dict:
    return details(f"travel_city | {detail}", **settings)


def service(detail: str) -> dict:
    return details(f"travel_intercity_public | {detail}")


def budget(text: str) -> dict | None:
    return plan(f"<plan>\n{DAY}09:00-10:00 | buffer | x\n{text}\n</plan>").get("budget_summary")


class TestWholePlans:
    def test_a_plan_becomes_days_and_a_budget(self):
        text = f"""<plan>
{DAY}08:00-09:30 | travel_intercity_public | train G12, Mockton North - Testville South, Second Class Seat, ¥70/person
09:30-09:45 | buffer | leaving the station
12:00-13:00 | meal | lunch, Noodle Corner, ¥26.5/person
13:00-13:20 | travel_city | Noodle Corner - Demo Park, taxi, 4.8km, 20min, ¥17
13:20-15:00 | attraction | Demo Park (free entry), ¥0/person
15:00-15:30 | hotel | check-in, Demo Inn

Day 2 (2030-05-02):
Current City: Testville
Accommodation: -
10:00-11:00 | hotel | check-out, Demo Inn

**Budget Summary**:
**Transportation: 1,040 RMB**
**Total Estimated Budget: 1,300.5 RMB**
</plan>"""

        assert plan(text) == {
            "daily_plans": [
                {
                    "day_number": 1,
                    "current_city": "from Mockton to Testville",
                    "activities": [
                        {
                            "time_slot": "08:00-09:30",
                            "type": "travel_intercity_public",
                            "details": {
                                "mode": "train",
                                "number": "G12",
                                "from": "Mockton North",
                                "to": "Testville South",
                                "cost": 70,
                                "seat_class": "Second Class Seat",
                            },
                        },
                        {
                            "time_slot": "09:30-09:45",
                            "type": "buffer",
                            "details": {"description": "leaving the station"},
                        },
                        {
                            "time_slot": "12:00-13:00",
                            "type": "meal",
                            "details": {"meal_type": "lunch", "name": "Noodle Corner", "cost": 26.5},
                        },
                        {
                            "time_slot": "13:00-13:20",
                            "type": "travel_city",
                            "details": {
                                "from": "Noodle Corner",
                                "to": "Demo Park",
                                "mode": "taxi",
                                "distance": "4.8km",
                                "duration": "20min",
                                "cost": 17,
                            },
                        },
                        {
                            "time_slot": "13:20-15:00",
                            "type": "attraction",
                            "details": {"name": "Demo Park", "city": "Testville", "cost": 0},
                        },
                        {
                            "time_slot": "15:00-15:30",
                            "type": "hotel",
                            "details": {"activity": "check-in", "name": "Demo Inn"},
                        },
                    ],
                    "date": "2030-05-01",
                    "accommodation": {"name": "Demo Inn", "price_per_night": 200},
                },
                {
                    "day_number": 2,
                    "current_city": "Testville",
                    "activities": [
                        {
                            "time_slot": "10:00-11:00",
                            "type": "hotel",
                            "details": {"activity": "check-out", "name": "Demo Inn"},
                        }
                    ],
                    "date": "2030-05-02",
                },
            ],
            "budget_summary": {
                "currency": "CNY",
                "transportation": 1040,
                "other": 0,
                "total_estimated_budget": 1300.5,
            },
        }

    def test_a_plan_without_a_sandbox_keeps_its_own_names(self):
        text = f"<plan>{DAY}09:00-10:00 | attraction | Demo Park (free entry), ¥0/person</plan>"

        assert plan(text, NO_NAMES)["daily_plans"][0]["activities"][0]["details"]["name"] == "Demo Park (free entry)"


class TestWhichPartCounts:
    QUESTION = "<clarification>Which day?</clarification>"
    REFUSAL = "<no_solution>Too dear.</no_solution>"
    PLAN = f"<plan>\n{DAY}09:00-10:00 | buffer | x\n</plan>"

    def test_a_question_or_refusal_counts_if_it_closes_last(self):
        assert plan(self.PLAN + self.QUESTION) == {"status": "clarification", "clarification": "Which day?"}
        assert plan(self.PLAN + self.REFUSAL) == {"status": "unsat", "unsat_explanation": "Too dear."}
        assert plan(self.QUESTION + self.REFUSAL) == {"status": "unsat", "unsat_explanation": "Too dear."}
        assert "daily_plans" in plan(self.QUESTION + self.REFUSAL + self.PLAN)

    def test_a_refusal_before_an_empty_question_counts_if_no_plan_closes_behind_it(self):
        assert plan(self.REFUSAL + "<clarification> </clarification>")["status"] == "unsat"

    def test_a_stray_closing_tag_with_a_blank_moves_the_place_where_a_kind_ends(self):
        assert "daily_plans" in plan(self.PLAN + self.QUESTION + "</plan >")

    def test_of_several_blocks_of_a_kind_the_last_counts(self):
        assert plan(self.QUESTION + "<clarification>Or two?</clarification>")["clarification"] == "Or two?"

    def test_a_block_runs_from_its_first_opening_tag(self):
        assert plan("<clarification>a <clarification>b</clarification>")["clarification"] == "a <clarification>b"

    def test_a_refusal_inside_the_counted_question_decides(self):
        nested = "<clarification>Or <no_solution>Too dear.</no_solution></clarification>"

        assert plan(nested) == {"status": "unsat", "unsat_explanation": "Too dear."}

    def test_a_refusal_inside_the_counted_plan_decides(self):
        nested = f"<plan>\n{DAY}09:00-10:00 | buffer | x\n{self.REFUSAL}\n</plan>"

        assert plan(nested) == {"status": "unsat", "unsat_explanation": "Too dear."}

    def test_tags_with_attributes_bound_no_block(self):
        refusal = '<no_solution why="cost">Too dear.</no_solution>'

        assert "daily_plans" in plan(self.PLAN + refusal)
        assert convert(refusal, NAMES).method is Method.NEEDS_MODEL

    def test_a_second_undated_first_day_starts_the_plan_anew(self):
        text = "<plan>\nDay 1:\n09:00-10:00 | buffer | draft\n**day 1:**\n11:00-12:00 | buffer | final\n</plan>"

        assert [day["activities"][0]["time_slot"] for day in plan(text)["daily_plans"]] == ["11:00-12:00"]

    def test_a_second_dated_first_day_is_just_another_day(self):
        text = self.PLAN.replace("</plan>", f"{DAY}11:00-12:00 | buffer | again\n</plan>")

        assert [day["day_number"] for day in plan(text)["daily_plans"]] == [1, 1]

    @pytest.mark.parametrize(
        "body",
        [
            "I would rather not.",
            "Day 1:\nCurrent City: Testville",
            "09:00-10:00 | buffer | x",
            "Day 1:\n09:00–10:00 | buffer | x",
            "Day 1 - Arrival\n09:00-10:00 | buffer | x",
        ],
    )
    def test_a_tagged_plan_without_day_or_timed_row_is_malformed(self, body):
        conversion = convert(f"< plan >\n{body}\n</plan>", NAMES)

        assert conversion.method is Method.MALFORMED_GUARD
        assert conversion.converted["status"] == "malformed"
        assert conversion.converted["malformed_explanation"]

    def test_without_the_tag_only_a_model_could_read_it(self):
        assert convert("ERROR: five tools failed", NAMES) == Conversion(Method.NEEDS_MODEL, None)
        assert convert("Day 1:\nnothing", NAMES) == Conversion(Method.NEEDS_MODEL, None)

    def test_a_plan_needs_no_tag_to_be_read(self):
        assert "daily_plans" in plan(f"{DAY}09:00-10:00 | buffer | x")

    def test_the_runner_extracts_a_report_first_and_so_understands_untagged_questions(self):
        assert read_answer_agent("Should I?", NAMES).converted == {
            "status": "clarification",
            "clarification": "Should I?",
        }
        assert read_answer_direct("Should I?", NAMES).method is Method.NEEDS_MODEL
        assert read_answer_agent("", NAMES).method is Method.MALFORMED_GUARD


class TestDays:
    ROW = "\n09:00-10:00 | buffer | x\n"

    @pytest.mark.parametrize(
        "heading",
        [
            "Day 2",
            "day 2:",
            "DAY 2：Old Town",
            "Day 2 (Friday)",
            "## Day 2",
            "### **Day 2: x**",
            "**Day 2**",
            "- Day 2:",
        ],
    )
    def test_a_heading_may_be_decorated(self, heading):
        assert [day["day_number"] for day in plan(heading + self.ROW)["daily_plans"]] == [2]

    @pytest.mark.parametrize("heading", ["Day 2 - Old Town", "Day two:", "The Day 2:", "####### Day 2:", "2nd Day"])
    def test_what_is_no_heading_starts_no_day(self, heading):
        days = plan(f"Day 1:{self.ROW}{heading}{self.ROW}")["daily_plans"]

        assert [len(day["activities"]) for day in days] == [2]

    def test_a_date_is_taken_only_in_full(self):
        assert plan(f"Day 1 (2030-05-01):{self.ROW}")["daily_plans"][0]["date"] == "2030-05-01"
        assert "date" not in plan(f"Day 1 (May 1):{self.ROW}")["daily_plans"][0]

    def test_day_numbers_are_taken_as_they_come(self):
        days = plan(f"Day 7:{self.ROW}Day 3:{self.ROW}")["daily_plans"]

        assert [day["day_number"] for day in days] == [7, 3]

    def test_what_stands_before_the_first_day_is_passed_over(self):
        text = f"Accommodation: Demo Inn\n09:00-10:00 | buffer | early\nDay 1:{self.ROW}"

        assert plan(text)["daily_plans"] == [
            {
                "day_number": 1,
                "current_city": "",
                "activities": [{"time_slot": "09:00-10:00", "type": "buffer", "details": {"description": "x"}}],
            }
        ]

    @pytest.mark.parametrize(
        "line",
        [
            "Current City: Testville",
            "current city: Testville",
            "- Current City: Testville",
            "* **Current City:** Testville",
            "**Current City**: Testville",
            "***Current City：*** Testville",
        ],
    )
    def test_a_label_may_be_bulleted_and_starred(self, line):
        assert plan(f"Day 1:\n{line}{self.ROW}")["daily_plans"][0]["current_city"] == "Testville"

    @pytest.mark.parametrize("line", ["**Current City: Testville**", "Current City：Testville", "City: Testville"])
    def test_stars_around_the_whole_line_or_a_wide_colon_lose_it(self, line):
        assert plan(f"Day 1:\n{line}{self.ROW}")["daily_plans"][0]["current_city"] == ""

    def test_a_repeated_stay_overwrites_the_first(self):
        head = DAY + "Accommodation: Sample House - River Side\n"

        assert plan(f"{head}{self.ROW}")["daily_plans"][0]["accommodation"] == {"name": "Sample House - River Side"}

    @pytest.mark.parametrize(
        ("stay", "accommodation"),
        [
            ("Demo Inn, ¥1,200/room/night", {"name": "Demo Inn", "price_per_night": 1200}),
            ("Demo Inn (2 rooms), ￥200.5", {"name": "Demo Inn", "price_per_night": 200.5}),
            ("Demo Inn, 200 RMB", {"name": "Demo Inn"}),
            ("stay at Demo Inn", {"name": "Demo Inn"}),
            ("-", None),
        ],
    )
    def test_a_stay_is_a_name_and_a_price_with_a_yuan_sign(self, stay, accommodation):
        day = plan(f"Day 1:\nAccommodation: {stay}{self.ROW}")["daily_plans"][0]

        assert day.get("accommodation") == accommodation


class TestRows:
    @pytest.mark.parametrize(
        ("row", "slot"),
        [
            ("09:00-10:00 | buffer | x", "09:00-10:00"),
            ("9:00 - 10:00|buffer|x", "9:00-10:00"),
            ("- 09:00-10:00 | buffer | x", "09:00-10:00"),
            ("*09:00-10:00 | buffer | x", "09:00-10:00"),
            ("09:00-10:00 ｜ **buffer** ｜ x", "09:00-10:00"),
            ("23:30-00:30 | Buffer | x", "23:30-00:30"),
        ],
    )
    def test_a_row_is_a_slot_a_type_and_a_detail(self, row, slot):
        assert activities(row) == [{"time_slot": slot, "type": "buffer", "details": {"description": "x"}}]

    @pytest.mark.parametrize(
        "row",
        [
            "09:00–10:00 | buffer | x",
            "**09:00-10:00** | buffer | x",
            "| 09:00-10:00 | buffer | x |",
            "09:00 | buffer | x",
            "09:00-10:00 buffer x",
            "09:00-10:00 | buffer 2 | x",
            "09:00-10:00 | buffer",
        ],
    )
    def test_other_rows_vanish(self, row):
        assert activities(f"{row}\n11:00-12:00 | buffer | y") == [
            {"time_slot": "11:00-12:00", "type": "buffer", "details": {"description": "y"}}
        ]

    def test_an_unknown_type_keeps_its_text(self):
        assert activities("09:00-10:00 | Free Time | tea, ¥9") == [
            {"time_slot": "09:00-10:00", "type": "free time", "details": {"description": "tea, ¥9"}}
        ]


class TestIntercity:
    @pytest.mark.parametrize(
        ("field", "mode", "number"),
        [
            ("flight XX1393", "flight", "XX1393"),
            ("Plane xx1393", "flight", "xx1393"),
            ("high-speed rail G12", "train", "G12"),
            ("gaotie 12", "train", "12"),
            ("XX1393", "", "XX1393"),
            ("G123", "train", "G123"),
            ("C76", "train", "C76"),
            ("9C8888", "", "9C8888"),
            ("by air with XX1393", "flight", "XX1393"),
            ("night train no. 77", "train", "77"),
            ("Flight", "flight", "Flight"),
            ("airport bus", "", "airport bus"),
            ("xx1393", "", "xx1393"),
        ],
    )
    def test_mode_and_number_come_from_the_first_field(self, field, mode, number):
        found = service(f"{field}, Mockton North - Testville South")

        assert (found["mode"], found["number"]) == (mode, number)

    @pytest.mark.parametrize(("kind", "mode"), [("flight", "flight"), ("train", "train"), ("High Speed Rail", "train")])
    def test_a_mode_as_the_type_is_put_in_front(self, kind, mode):
        (activity,) = activities(f"09:00-10:00 | {kind} | X12, Mockton North - Testville South")

        assert activity["type"] == "travel_intercity_public"
        assert (activity["details"]["mode"], activity["details"]["number"]) == (mode, "X12")

    @pytest.mark.parametrize("separator", [" - ", "->", " → "])
    def test_a_route_is_split_at_a_dash_or_arrow(self, separator):
        found = service(f"train G1, Mockton North{separator}Testville South")

        assert (found["from"], found["to"]) == ("Mockton North", "Testville South")

    @pytest.mark.parametrize(
        ("route", "origin", "destination"),
        [
            ("Mockton - Pier - Testville South", "Mockton - Pier", "Testville South"),
            ("Mockton North - Pier - Elsewhere", "Mockton North", "Pier - Elsewhere"),
            ("Here - Pier - There", "Here", "Pier - There"),
            ("Mockton-Testville", "Mockton-Testville", ""),
            ("mockton north - TESTVILLE SOUTH", "Mockton North", "Testville South"),
        ],
    )
    def test_of_several_dashes_the_one_between_known_names_counts(self, route, origin, destination):
        found = service(f"train G1, {route}")

        assert (found["from"], found["to"]) == (origin, destination)

    def test_without_a_route_both_ends_are_empty(self):
        assert service("train G1") == {"mode": "train", "number": "G1", "from": "", "to": ""}

    def test_the_seat_is_the_first_later_field_without_a_price(self):
        found = service("train G1, Mockton North - Testville South, ¥70/person, Second Class Seat, quiet")

        assert (found["cost"], found["seat_class"]) == (70, "Second Class Seat")

    def test_the_tail_of_a_price_with_a_comma_can_become_the_seat(self):
        found = service("flight XX1, Mockton North - Testville South, ¥1,000")

        assert (found["cost"], found["seat_class"]) == (1000, "000")


class TestRides:
    def test_a_dash_inside_a_known_name_does_not_split_it(self):
        assert ride("Demo Park - Sample House - River Side, taxi, 4km, 9min, ¥12") == {
            "from": "Demo Park",
            "to": "Sample House - River Side",
            "mode": "taxi",
            "distance": "4km",
            "duration": "9min",
            "cost": 12,
        }

    def test_a_comma_inside_a_known_name_does_not_split_it(self):
        assert ride("Demo Park → soup, bread & co, walking, 300 meters") == {
            "from": "Demo Park",
            "to": "Soup, Bread & Co",
            "mode": "walking",
            "distance": "300 meters",
        }

    def test_a_name_from_another_row_of_the_plan_is_known(self):
        rows = "09:00-09:20 | travel_city | Demo Inn - Cake - Hut, taxi\n12:00-13:00 | meal | lunch, Cake - Hut, ¥9"

        assert activities(rows)[0]["details"] == {"from": "Demo Inn", "to": "Cake - Hut", "mode": "taxi"}

    @pytest.mark.parametrize(
        "line",
        [
            "Accommodation: Tea - Hut, ¥100",
            "08:00-08:30 | attraction | Tea - Hut, ¥0",
            "08:00-08:30 | meal | lunch, Tea - Hut",
            "08:00-08:30 | hotel | check-in, Tea - Hut",
            "08:00-08:30 | train | G1, Tea - Hut -> Demo Park",
        ],
    )
    def test_stays_sights_restaurants_hotels_and_stations_of_the_plan_are_known(self, line):
        rows = f"{line}\n09:00-09:20 | travel_city | Old Mill - tea - hut, taxi"

        assert activities(rows)[-1]["details"] == {"from": "Old Mill", "to": "Tea - Hut", "mode": "taxi"}

    def test_between_unknown_ends_the_first_dash_of_the_first_field_splits(self):
        assert ride("Old Mill - New Mill - Far Mill, taxi") == {
            "from": "Old Mill",
            "to": "New Mill - Far Mill",
            "mode": "taxi",
        }

    def test_an_unknown_end_beside_a_known_one_is_taken_whole(self):
        assert ride("Old Mill, east - Demo Park, taxi")["from"] == "Old Mill, east"
        assert ride("Demo Park - Old Mill, taxi") == {"from": "Demo Park", "to": "Old Mill", "mode": "taxi"}

    def test_unknown_ends_collapse_to_a_city_they_touch(self):
        assert ride("Old Mill Testville - Demo Park, taxi")["from"] == "Testville"
        assert ride("Demo Park - Testville Old Mill, taxi") == {
            "from": "Demo Park",
            "to": "Testville",
            "mode": "Old Mill",
        }

    def test_without_a_separator_everything_is_the_origin(self):
        assert ride("around Demo Park, on foot") == {"from": "Demo Park", "to": "", "mode": "on foot"}

    def test_words_for_the_hotel_mean_the_days_stay(self):
        assert ride("the hotel - Demo Park, taxi")["from"] == "Demo Inn"
        assert ride("Demo Park - Lodging, taxi")["to"] == "Demo Inn"
        assert ride("Hotel - Demo Park, taxi", head="Day 1:\n")["from"] == "Hotel"

    @pytest.mark.parametrize(
        ("fields", "found"),
        [
            ("taxi, 800m", {"mode": "taxi"}),
            ("800m", {"mode": "800m"}),
            ("taxi, 1,200 meters", {"mode": "taxi", "distance": "200 meters"}),
            ("Line 1, 2 km, 3 km, 5min, 1 hour", {"mode": "Line 1", "distance": "3 km", "duration": "1 hour"}),
            ("Shimin Line, 2km", {"duration": "Shimin Line", "distance": "2km"}),
            ("taxi ¥12, 2km", {"distance": "2km", "cost": 12}),
            ("2 km (9 min)", {"distance": "2 km (9 min)"}),
            ("bus, tram", {"mode": "bus"}),
            ("taxi, 17 RMB", {"mode": "taxi"}),
        ],
    )
    def test_fields_are_told_apart_by_their_units(self, fields, found):
        assert ride(f"Demo Inn - Demo Park, {fields}") == {"from": "Demo Inn", "to": "Demo Park"} | found


class TestPlaces:
    @pytest.mark.parametrize(
        ("detail", "name"),
        [
            ("Demo Park, ¥40/person", "Demo Park"),
            ("Demo Park, 2h visit, ¥40/person", "Demo Park, 2h visit"),
            ("Demo Park, 40/person", "Demo Park, 40/person"),
            ("Demo Park, free entry", "Demo Park"),
            ("visit Demo Park, ¥40", "Demo Park"),
            ("demo park, ¥40", "Demo Park"),
            ("Old Gate, ¥0", "Old Gate"),
            ("¥40, Demo Park", "¥40"),
        ],
    )
    def test_an_attraction_is_named_by_what_stands_before_its_price(self, detail, name):
        assert details(f"attraction | {detail}")["name"] == name

    @pytest.mark.parametrize(
        ("label", "city"),
        [
            ("from Mockton to Testville", "Testville"),
            ("From Mockton TO Testville", "Testville"),
            ("Mockton -> Testville", "Testville"),
            ("Mockton→Testville", "Testville"),
            ("Testville", "Testville"),
            ("from Testville", "from Testville"),
            ("a to b to c", "b to c"),
            ("Stockton", "Stockton"),
        ],
    )
    def test_an_attraction_lies_where_the_day_leads(self, label, city):
        assert details("attraction | Demo Park, ¥0", head=f"Day 1:\nCurrent City: {label}\n")["city"] == city

    @pytest.mark.parametrize(
        ("detail", "found"),
        [
            ("lunch, Noodle Corner, ¥26/person", {"meal_type": "lunch", "name": "Noodle Corner", "cost": 26}),
            ("lunch at Noodle Corner", {"meal_type": "lunch at Noodle Corner", "name": "Noodle Corner"}),
            ("dinner, Soup, Bread & Co, ¥9", {"meal_type": "dinner", "name": "Soup", "cost": 9}),
            ("dinner, Noodle Corner, 26 RMB", {"meal_type": "dinner", "name": "Noodle Corner"}),
        ],
    )
    def test_a_meal_is_a_kind_and_a_restaurant(self, detail, found):
        assert details(f"meal | {detail}") == found

    @pytest.mark.parametrize(
        ("detail", "activity", "name"),
        [
            ("check-in, Demo Inn", "check-in", "Demo Inn"),
            ("check-in, drop bags, Demo Inn", "check-in, drop bags", "Demo Inn"),
            ("check-in, Demo Inn, ¥200", "check-in, Demo Inn", "¥200"),
            ("rest at Sample House - River Side", "rest at Sample House - River Side", "Sample House - River Side"),
            ("check-in", "check-in", "Demo Inn"),
        ],
    )
    def test_a_hotel_row_ends_in_its_name_or_means_the_days_stay(self, detail, activity, name):
        assert details(f"hotel | {detail}") == {"activity": activity, "name": name}

    def test_a_hotel_row_without_name_or_stay_has_none(self):
        assert details("hotel | rest", head="Day 1:\n") == {"activity": "rest", "name": ""}

    @pytest.mark.parametrize(
        ("price", "cost"),
        [("¥40", 40), ("￥ 40", 40), ("¥1,065.50", 1065.5), ("¥-5", -5), ("¥12,34", 12), ("¥1,2345", 1), ("¥40.0", 40)],
    )
    def test_a_price_is_a_number_behind_a_yuan_sign(self, price, cost):
        found = details(f"meal | lunch, Noodle Corner, {price}")["cost"]

        assert found == cost
        assert type(found) is type(cost)

    def test_a_price_without_end_is_none(self):
        assert "cost" not in details(f"meal | lunch, Noodle Corner, ¥{'9' * 400}")


class TestBudget:
    def test_only_what_is_stated_is_there_but_other_costs_default_to_nothing(self):
        assert budget("Budget Summary\nMeals: 40 RMB") == {"currency": "CNY", "meals": 40, "other": 0}

    def test_without_the_words_there_is_no_summary(self):
        assert budget("Meals: 40 RMB") is None

    def test_numbers_may_be_starred_signed_and_have_text_before_their_label(self):
        assert budget(
            "# Budget Summary:\n* **Meals**: ¥1,040.5\nLocal Transportation: 5\n**Attractions & Tickets:** 7\nOther:-2"
        ) == {
            "currency": "CNY",
            "transportation": 5,
            "meals": 1040.5,
            "attractions_and_tickets": 7,
            "other": -2,
        }

    def test_the_last_mention_of_a_label_counts_and_tickets_need_their_sign(self):
        assert budget("Budget Summary\nMeals: 1\nMeals: 2\nAttractions and Tickets: 3\nMeals：4") == {
            "currency": "CNY",
            "meals": 2,
            "other": 0,
        }

    def test_only_what_follows_the_last_heading_counts_days_included(self):
        text = "Budget Summary\nMeals: 1\nBudget Summary\nOther: 2\nDay 2:\n09:00-10:00 | buffer | Transportation: 3"

        assert budget(text) == {"currency": "CNY", "transportation": 3, "other": 2}

    def test_a_second_summary_with_a_total_of_the_trip_replaces_everything(self):
        text = (
            "Budget Summary\nMeals: 1\nTotal Trip Estimated Budget: 5\nBudget Summary\nTotal Trip Estimated Budget: 6"
        )

        assert budget(text) == {"currency": "CNY", "total_estimated_budget": 6, "other": 0}
        assert budget("Budget Summary\nMeals: 1\nTotal Trip Estimated Budget: 5") == {
            "currency": "CNY",
            "meals": 1,
            "other": 0,
        }
        assert budget("Budget Summary\nBudget Summary\nMeals: 1\nTotal Trip Estimated Budget: ¥5") == {
            "currency": "CNY",
            "meals": 1,
            "other": 0,
        }

    def test_a_budget_between_days_ends_at_the_next_real_day(self):
        text = (
            f"{DAY}09:00-10:00 | buffer | x\n**Budget Summary**:\nAccommodation: 789 RMB\n"
            "Day 1: 900 RMB\nDay 1: hotel and taxi\n10:00-11:00 | buffer | lost\n"
            "Day 2: Old Town\n11:00-12:00 | buffer | y"
        )

        days = plan(text)["daily_plans"]

        assert [(day["day_number"], len(day["activities"])) for day in days] == [(1, 1), (2, 1)]
        assert days[0]["accommodation"]["name"] == "Demo Inn"

    @pytest.mark.parametrize("heading", ["Budget Summary (CNY)", "**Budget Summary**", "### **Budget Summary:**"])
    def test_a_budget_heading_with_more_to_it_leaves_its_lodging_as_the_last_stay(self, heading):
        text = f"{DAY}09:00-10:00 | buffer | x\n{heading}\nAccommodation: 789 RMB"

        assert plan(text)["daily_plans"][0]["accommodation"] == {"name": "789 RMB"}
        assert plan(text)["budget_summary"]["accommodation"] == 789


PIECES = [
    "<plan>",
    "</plan>",
    "<clarification>",
    "</clarification>",
    "<no_solution>",
    "</no_solution>",
    "\nDay 1:",
    "\nDay ٣ (2030-05-01)",
    "\nBudget Summary\n",
    "\nAccommodation: ",
    "\nCurrent City: ",
    "\n09:00-10:00 | travel_city | ",
    "\n9:00 - 9:30 | **meal** ｜",
    "\n- 09:00-10:00 | hotel | ",
    "\n09:00-10:00 | train | ",
    "\n09:00-10:00 | attraction | ",
    "Demo Inn",
    " - ",
    "->",
    "→",
    ", ",
    "¥12,345.6",
    "¥" + "9" * 400,
    "(",
    ")",
    "[",
    "]",
    "4km",
    "Meals: 5",
    " to ",
    "İstanbul",
    "**",
    ":",
    "\u2028",
]


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=40).map("".join)))
def test_every_text_is_read_or_left_to_a_model(text):
    for conversion in (read_answer_agent(text, NAMES), read_answer_direct(text, NAMES), convert(text, NO_NAMES)):
        assert (conversion.converted is None) == (conversion.method is Method.NEEDS_MODEL)

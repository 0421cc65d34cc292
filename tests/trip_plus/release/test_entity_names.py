"""Names recognized in any case, cleaned of the words around them, never guessed."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripgauge.trip_plus.release.entity_names import NO_NAMES, DatabaseNames, KnownNames, NameIndex, database_names
from tripgauge.trip_plus.sandbox.files import SandboxFiles, read_sample

DEMO = DatabaseNames.of(["Demo Inn", "Demo Inn (North Gate)", "Demo Park", "Noodle Corner", "Testville"])


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Demo Inn", "Demo Inn"),
        ("  Demo \t Inn ", "Demo Inn"),
        ("[Demo Inn]", "Demo Inn"),
        ("[Demo Inn", "Demo Inn"),
        ("Demo Inn]", "Demo Inn"),
        ("Demo Inn (2 rooms)", "Demo Inn"),
        ("Demo Inn (¥200/night)", "Demo Inn"),
        ("Demo Inn (200 RMB)", "Demo Inn"),
        ("Demo Inn (twin room)", "Demo Inn"),
        ("Demo Park, free entry", "Demo Park"),
        ("Demo Park, Free Admission", "Demo Park"),
        ("Demo Park, no ticket", "Demo Park"),
        ("Demo Park, ticket: 40", "Demo Park"),
        ("Demo Park, ¥40/person", "Demo Park"),
        ("check-in at Demo Inn", "Demo Inn"),
        ("Hotel: Demo Inn", "Demo Inn"),
        ("hotel Demo Inn", "Demo Inn"),
        ("lunch at Noodle Corner", "Noodle Corner"),
        ("visit Demo Park", "Demo Park"),
        ("visit to Demo Park", "Demo Park"),
        ("Go to Demo Park (east side)", "Demo Park"),
        ("Demo Park (by the river", "Demo Park"),
        ("near Demo Park", "Demo Park"),
        ("vicinity of Demo Park", "Demo Park"),
        ("Demo Park area", "Demo Park"),
        ("Demo Park (free entry)", "Demo Park"),
    ],
)
def test_words_around_a_name_of_the_sandbox_fall_off(written, name):
    assert KnownNames(DEMO).clean(written) == name


def test_a_name_of_the_sandbox_keeps_its_own_parenthesis():
    assert KnownNames(DEMO).clean("Demo Inn (North Gate)") == "Demo Inn (North Gate)"
    assert KnownNames(DEMO).clean("stay at Demo Inn (South Gate)") == "Demo Inn"


@pytest.mark.parametrize(
    "written",
    ["demo inn (annex)", "Demo In", "near the Demo Park", "check-in at stay at Demo Inn", "Other Inn (annex)"],
)
def test_what_leads_to_no_exact_name_stays_as_written(written):
    assert KnownNames(DEMO).clean(written) == written


def test_notes_on_price_fall_off_names_the_sandbox_lacks_too():
    assert KnownNames(DEMO).clean("Other Inn (2 rooms)") == "Other Inn"
    assert KnownNames(DEMO).clean("Other Park, ¥1,200") == "Other Park"


def test_without_a_sandbox_the_plans_own_names_are_what_a_text_is_cleaned_towards():
    known = KnownNames(NO_NAMES, ["Other Inn"])

    assert known.clean("near OTHER INN") == "Other Inn"
    assert KnownNames(NO_NAMES).clean("near Other Inn") == "near Other Inn"
    assert KnownNames(DEMO, ["Other Inn"]).clean("near Other Inn") == "near Other Inn"


def test_of_two_spellings_the_sandboxes_is_taken():
    known = KnownNames(DEMO, ["demo park", "demo park hill"])

    assert known.get("DEMO PARK") == "Demo Park"
    assert known.starting("Demo Park Hill, by taxi") == "demo park hill"


def test_the_longest_name_is_found_even_within_a_word():
    known = KnownNames(DEMO)

    assert known.starting("demo inn (north gate)house") == "Demo Inn (North Gate)"
    assert known.ending("Old Mill Testville") == "Testville"
    assert known.within("rest at the Demo Inn, then") == "Demo Inn"
    assert known.starting("the Demo Inn") is None


@given(st.lists(st.text("abA", max_size=4), max_size=12), st.text("abAB", max_size=8))
def test_finding_a_name_agrees_with_trying_them_all(names, text):
    index = NameIndex(names)
    lower = text.lower()
    words = [name.lower() for name in names if name]

    def length(found):
        return len(found) if found else 0

    assert length(index.starting(text)) == max((len(w) for w in words if lower.startswith(w)), default=0)
    assert length(index.ending(text)) == max((len(w) for w in words if lower.endswith(w)), default=0)
    assert length(index.within(text)) == max((len(w) for w in words if w in lower), default=0)


@given(st.text())
def test_every_text_can_be_cleaned_and_searched(text):
    known = KnownNames(DEMO, [text])

    assert known.get(text) == text or not text or known.get(text) in DEMO.exact
    assert isinstance(known.clean(text), str)
    assert known.within(text) or not text


def test_names_come_from_all_tables_of_a_sandbox_with_blanks_collapsed(tmp_path):
    tables = {
        "hotels/hotels.csv": [["name", "price"], ["Demo  Inn", "200"]],
        "attractions/attractions.csv": [["attraction_name"], ["Demo Park"]],
        "restaurants/restaurants.csv": [["restaurant_name"], ["Noodle Corner"]],
        "locations/locations_coords.csv": [["poi_name", "latitude", "longitude"], ["Old Gate", "1.0", "2.0"]],
        "locations/location_aliases.csv": [["alias", "canonical_name"], ["TST", "Testville Airport"]],
        "flights/flights.csv": [
            ["flight_no", "dep_datetime", "arr_datetime", "dep_station_name", "arr_station_name"],
            ["XX100", "", "", "Mockton Airport", "Testville Airport"],
        ],
        "trains/trains.csv": [
            ["train_no", "dep_datetime", "arr_datetime", "origin_city", "destination_city"],
            ["G1", "", "", "Mockton", "Testville"],
        ],
    }
    for path, rows in tables.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        with open(tmp_path / path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)

    names = database_names(SandboxFiles(read_sample(tmp_path)))

    assert names.exact == {
        "Demo Inn",
        "Demo Park",
        "Noodle Corner",
        "Old Gate",
        "TST",
        "Testville Airport",
        "Mockton Airport",
        "Mockton",
        "Testville",
    }

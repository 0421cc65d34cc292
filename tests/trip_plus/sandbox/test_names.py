"""When two spellings are one place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tripgauge.trip_plus.sandbox.names import NameIndex, folded


@pytest.mark.parametrize(
    ("name", "spelling"),
    [
        ("Annie's Kitchen", "Annie’s Kitchen"),
        ("Annie's Kitchen", "ANNIE`S  KITCHEN"),
        ("Fort - Museum", "fort–museum"),
        ("Fort Museum (East Wing)", "Ｆｏｒｔ Ｍｕｓｅｕｍ（East Wing）"),
        ("Fort Museum", "[Fort Museum]"),
        ("Fort Museum", "【Fort Museum】"),
        ("Fort Museum", '"Fort Museum"'),
        ("Fort Museum", " Fort\u00a0Museum\u200b"),
        ("Café Pépin", "CAFE PEPIN"),
        ("Café", "Cafe\u0301"),
        ("Garden · Pond", "Garden•Pond"),
        ('"Old" Gate', "“Old” Gate"),
    ],
)
def test_other_spellings_of_one_name(name, spelling):
    assert folded(name) == folded(spelling)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Fort Museum", "Fort Museum East"),
        ("Fort Museum", "Museum"),
        ("Fort Museum (East Wing)", "Fort Museum"),
        ("Quay Inn", "Key Inn"),
        ("Line 1", "Line 11"),
        ("(Old) Gate (New)", "Old) Gate (New"),
        ("が", "か"),
    ],
)
def test_near_names_are_other_places(name, other):
    assert folded(name) != folded(other)


@given(st.text(max_size=20))
def test_folding_again_changes_nothing(name):
    assert folded(folded(name)) == folded(name)


def test_an_alias_leads_to_its_name_also_through_others_but_takes_no_name_away():
    index = NameIndex([("Fort Museum", 1), ("Old Gate", 2)])

    index.add_aliases(
        [("FM", "Fort Museum"), ("Fort", "FM"), ("Old Gate", "Fort Museum"), ("A", "B"), ("B", "A"), ("FM", "Old Gate")]
    )

    assert [index.get(name) for name in ("fm", "FORT", "Old Gate", "A", "")] == [1, 1, 2, None, None]


def test_of_several_records_with_one_name_the_first_counts_and_all_are_known():
    index = NameIndex([("Quay Inn", "Aldmoor"), ("QUAY INN", "Briskhaven")])

    assert index.get("Quay Inn") == "Aldmoor"
    assert index.all("quay inn") == ("Aldmoor", "Briskhaven")

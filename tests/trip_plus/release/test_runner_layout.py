"""Result folders of the published runner, with files named in all the ways its evaluator accepts."""

import pytest

from tripgauge.errors import UsageError
from tripgauge.trip_plus.release.runner_layout import FoundPlan, FoundReport, RecordTurns, TurnFiles, read_result_folder

RECORD = RecordTurns("mt_demo_0007", "demo_0007", (2,))


def write(folder, path, text="{}"):
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(text, encoding="utf-8")
    return folder / path


def only_turn(folder, record=RECORD) -> TurnFiles:
    (turn,) = read_result_folder(folder, [record])
    return turn


def test_a_turn_has_a_report_a_converted_plan_and_a_trajectory(tmp_path):
    report = write(tmp_path, "reports/mt_demo_0007_turn_2.txt", "<plan>é</plan>")
    plan = write(tmp_path, "converted_plans/id_mt_demo_0007_turn_2_converted.json", '{"status": "unsat"}')
    trajectory = write(tmp_path, "trajectories/mt_demo_0007_turn_2.json")

    assert only_turn(tmp_path) == TurnFiles(
        record_id="mt_demo_0007",
        turn_id=2,
        report=FoundReport(report, "<plan>é</plan>"),
        plan=FoundPlan(plan, {"status": "unsat"}),
        trajectory=trajectory,
    )


def test_turns_come_in_the_order_asked_and_may_be_missing(tmp_path):
    write(tmp_path, "converted_plans/id_mt_demo_0007_turn_1_converted.json")
    records = [RecordTurns("mt_demo_0007", "demo_0007", (0, 1)), RecordTurns("mt_demo_0008", "demo_0008", (0,))]

    turns = read_result_folder(tmp_path, records)

    assert [(turn.record_id, turn.turn_id, turn.missing_turn_plan) for turn in turns] == [
        ("mt_demo_0007", 0, True),
        ("mt_demo_0007", 1, False),
        ("mt_demo_0008", 0, True),
    ]


def test_a_report_without_a_converted_plan_is_still_there(tmp_path):
    write(tmp_path, "reports/mt_demo_0007_turn_2.txt", "ERROR: five tools failed")

    turn = only_turn(tmp_path)

    assert turn.missing_turn_plan
    assert turn.report.text == "ERROR: five tools failed"


IN_ORDER = [
    f"converted_plans/{name}"
    for spelling in ("id_7", "7", "id_id_7", "id_demo", "demo", "id_id_demo")
    for name in (
        f"{spelling}_turn_2_converted.json",
        f"{spelling}_t2_converted.json",
        f"{spelling}.turn_2.converted.json",
        f"{spelling}/turn_2_converted.json",
        f"{spelling}/t2_converted.json",
    )
]


@pytest.mark.parametrize("place", range(len(IN_ORDER)))
def test_of_several_converted_plans_the_first_in_the_published_order_counts(tmp_path, place):
    paths = [write(tmp_path, name) for name in IN_ORDER[place:]]

    assert only_turn(tmp_path, RecordTurns("id_7", "id_demo", (2,))).plan.path == paths[0]


def test_an_id_without_prefix_is_found_bare_before_prefixed(tmp_path):
    write(tmp_path, "converted_plans/id_demo_turn_2_converted.json")
    bare = write(tmp_path, "converted_plans/demo/t2_converted.json")

    assert only_turn(tmp_path, RecordTurns("demo", "", (2,))).plan.path == bare


def test_reports_of_records_with_a_mere_number_bear_a_prefix(tmp_path):
    report = write(tmp_path, "reports/id_7_turn_2.txt")
    trajectory = write(tmp_path, "trajectories/id_7_turn_2.json")

    turn = only_turn(tmp_path, RecordTurns("7", "", (2,)))

    assert (turn.report.path, turn.trajectory) == (report, trajectory)


def test_turn_12_is_not_taken_for_turn_2(tmp_path):
    write(tmp_path, "converted_plans/id_mt_demo_0007_turn_12_converted.json")

    assert only_turn(tmp_path).missing_turn_plan


def test_a_null_is_a_converted_plan_too(tmp_path):
    write(tmp_path, "converted_plans/id_mt_demo_0007_turn_2_converted.json", "null")

    assert not only_turn(tmp_path).missing_turn_plan


def test_a_folder_of_another_kind_is_refused_with_a_hint(tmp_path):
    with pytest.raises(UsageError, match="No result folder at"):
        read_result_folder(tmp_path / "nowhere", [RECORD])
    with pytest.raises(UsageError, match="has neither reports/ nor converted_plans/ nor trajectories/"):
        read_result_folder(tmp_path, [RECORD])
    write(tmp_path, "demo-model_en/reports/mt_demo_0007_turn_2.txt")
    with pytest.raises(UsageError, match="Its folder demo-model_en does: name that one"):
        read_result_folder(tmp_path, [RECORD])


def test_a_damaged_file_is_named(tmp_path):
    plan = write(tmp_path, "converted_plans/id_mt_demo_0007_turn_2_converted.json", '{"daily_plans": [')
    with pytest.raises(UsageError, match=r"turn_2_converted\.json, line 1, column 18: not JSON"):
        read_result_folder(tmp_path, [RECORD])

    plan.unlink()
    write(tmp_path, "reports/mt_demo_0007_turn_2.txt").write_bytes(b"caf\xe9")
    with pytest.raises(UsageError, match=r"turn_2\.txt: not UTF-8 at byte 3"):
        read_result_folder(tmp_path, [RECORD])

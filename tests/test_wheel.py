"""The wheel works in any directory, with all data it needs inside. (R45)"""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the wheel, and nothing else, is installed."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True, timeout=300)
    (wheel,) = folder.glob("*.whl")
    target = folder / "site"
    install = [*pip, "install", "--no-deps", "--no-index", "--target", str(target), str(wheel)]
    subprocess.run(install, check=True, capture_output=True, timeout=300)
    return target


def run(installed: Path, cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def test_the_wheel_is_what_runs(installed, tmp_path):
    shown = run(installed, tmp_path, "-c", "import tripgauge; print(tripgauge.__file__)")

    assert Path(shown.stdout.strip()).is_relative_to(installed)


def test_a_score_comes_out_in_an_empty_directory(installed, tmp_path):
    shown = run(installed, tmp_path, "-m", "tripgauge", "demo", "--format", "json")

    assert shown.returncode == 0, shown.stderr
    boards = json.loads(shown.stdout)
    assert boards["strict"]["rows"][0]["agent"] == "good answers"
    assert not list(tmp_path.iterdir())


def test_what_agents_are_told_comes_with_it(installed, tmp_path):
    code = "from tripgauge.trip_plus.instructions import PROMPTS, prompt_text; print(*map(prompt_text, PROMPTS))"
    shown = run(installed, tmp_path, "-c", code)

    assert "$profile" in shown.stdout, shown.stderr


def test_the_rows_of_the_papers_table_come_with_it(installed, tmp_path):
    code = "from tripgauge.trip_plus.results.paper_rows import paper_rows; print(len(paper_rows()))"
    shown = run(installed, tmp_path, "-c", code)

    assert shown.stdout.strip() == "18", shown.stderr


def test_checks_cases_schemas_and_tasks_come_with_it(installed, tmp_path):
    page = run(installed, tmp_path, "-m", "tripgauge", "checks", "no_time_overlaps")
    schema = run(installed, tmp_path, "-m", "tripgauge", "schema", "queries")
    tasks = run(installed, tmp_path, "-m", "tripgauge", "tasks", "compass", "--json")

    assert "**fails**" in page.stdout, page.stderr
    assert json.loads(schema.stdout)["title"] == "queries"
    assert len(json.loads(tasks.stdout)) == 281


def test_nothing_but_the_package_is_in_it(installed):
    (wheel,) = installed.parent.glob("*.whl")
    roots = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}

    assert {root for root in roots if not root.endswith(".dist-info")} == {"tripgauge"}

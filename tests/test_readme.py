"""What the README shows is what the commands print. (R19)"""

import re
from pathlib import Path

from tests.test_cli import run

from tripgauge.toy import town

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.strip().splitlines() if line.strip()]


def test_the_demo_prints_what_the_readme_shows():
    (shown,) = re.findall(r"```text\n(.*?)```", README, re.DOTALL)

    assert lines(shown) == lines(run("demo").stdout)


def test_a_graded_plan_reads_as_the_readme_shows(tmp_path: Path):
    answer = (town.answers_folder() / "mt_toy_couple_turn_0.txt").read_text(encoding="utf-8")
    for right, wrong in (
        ("train T12", "train T99"),
        ("lunch, Ferry Noodles, ¥35", "lunch, Ferry Noodles, ¥30"),
        ("13:30-15:45 | attraction | Tide Aquarium", "13:20-18:45 | attraction | Tide Aquarium"),
    ):
        assert right in answer
        answer = answer.replace(right, wrong)
    plan = tmp_path / "plan.txt"
    plan.write_text(answer, encoding="utf-8")

    (shown,) = re.findall(r"--task mt_toy_couple\n(.*?)```", README, re.DOTALL)
    printed = lines(run("check", str(plan), "--task", "mt_toy_couple").stdout)

    assert [line for line in lines(shown) if line != "..." and line not in printed] == []


def test_every_page_the_readme_links_is_there():
    links = re.findall(r"\]\(([^)#:]+)\)", README)

    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []

"""How fast Trip+ answers are scored, on one core.

    python benchmarks/scoring.py --data CONFORMANCE_FOLDER [--edition release|strict|both] [--profile] [--json]

Prints measurements and judges nothing. The plans are those of the conformance data, which stand for two sandboxes.
Three figures are taken: plans per second when everything is warm; the time to score a run of 570 turns from files, from
the start of Python to the last score; and, as a part of that, the first reading of the sandboxes. Beside them stands
the time of a fixed loop on the same machine, by which figures from different machines can be compared.
"""

import argparse
import cProfile
import json
import os
import pstats
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from tripgauge.errors import UsageError
from tripgauge.trip_plus.benchmark import TripPlus
from tripgauge.trip_plus.notation.plan_json import read_converted
from tripgauge.trip_plus.release.evaluator import ReleaseSandbox, evaluate_turn, release_sandbox, release_turn
from tripgauge.trip_plus.sandbox.files import SandboxLibrary
from tripgauge.trip_plus.tasks.task import Task

Json = dict[str, Any]
Job = Callable[[], object]
"""Scores one answer, everything else being prepared."""

RUN_TURNS = 570
"""Turns in the released tasks."""


# --- Editions --------------------------------------------------------------------------------------------------------


class ReleaseEdition:
    """The published scores, from converted plans."""

    def __init__(self, data: Path) -> None:
        self.library = SandboxLibrary(data / "database")
        self.records = read_records(data)
        self.sandboxes: dict[Path, ReleaseSandbox] = {}
        self.reading_seconds = 0.0

    def job(self, case: Json) -> Job:
        """The scoring of one case; reads its sandbox if no case before did."""
        record = self.records[case["record_id"]]
        turn, sandbox = release_turn(record, case["turn_id"]), self._sandbox(record)
        plan = case["plan"]
        return lambda: evaluate_turn(plan, turn, sandbox)

    def _sandbox(self, record: Json) -> ReleaseSandbox:
        folder = self.library.folder(record["id"], record["base_query_id"])
        if folder is None:
            raise UsageError(f"No sandbox for {record['id']} under {self.library.root}.")
        if folder not in self.sandboxes:
            start = time.perf_counter()
            self.sandboxes[folder] = release_sandbox(self.library.files(record["id"], record["base_query_id"]))
            self.reading_seconds += time.perf_counter() - start
        return self.sandboxes[folder]


class StrictEdition:
    """The strict scores, from converted plans: reading the JSON, joining, checks and requirements, all means."""

    def __init__(self, data: Path) -> None:
        start = time.perf_counter()
        queries = [data / "query" / "query.json", data / "synthetic_queries.json"]
        self.trip_plus = TripPlus(queries, data / "database")
        self.loading_seconds = time.perf_counter() - start
        self.reading_seconds = 0.0
        self.read: set[str] = set()

    def job(self, case: Json) -> Job:
        """The scoring of one case; reads its sandbox if no case before did."""
        task = self.trip_plus.task(case["record_id"])
        if task.key.base_query_id not in self.read:
            start = time.perf_counter()
            self.warm(task)
            self.reading_seconds += time.perf_counter() - start
            self.read.add(task.key.base_query_id)
        turn, plan = case["turn_id"], case["plan"]
        return lambda: self.score(task, turn, plan)

    def warm(self, task: Task) -> None:
        """Read the task's sandbox."""
        _ = self.trip_plus.world(task).sandbox

    def score(self, task: Task, turn: int, plan: object) -> object:
        """Every number of one answer."""
        score = self.trip_plus.score(task, turn, read_converted(plan))
        return score.feasibility, score.hard, score.soft, score.fulfillment, score.preservation


class BothEditions(StrictEdition):
    """Strict and release scores of each plan."""

    def warm(self, task: Task) -> None:
        """Read the task's sandbox for both."""
        super().warm(task)
        _ = self.trip_plus.world(task).release

    def score(self, task: Task, turn: int, plan: object) -> object:
        """Every number of one answer in both editions."""
        return super().score(task, turn, plan), self.trip_plus.score_release(task, turn, plan)


EDITIONS: Mapping[str, type[ReleaseEdition | StrictEdition]] = {
    "release": ReleaseEdition,
    "strict": StrictEdition,
    "both": BothEditions,
}


def read_records(data: Path) -> Mapping[str, Json]:
    """All task records of the conformance data by id."""
    found = {}
    for path in (data / "query" / "query.json", data / "synthetic_queries.json"):
        found.update({record["id"]: record for record in json.loads(path.read_text(encoding="utf-8"))})
    return found


def read_cases(data: Path) -> list[Json]:
    """The cases in which a plan was wanted and came. Raises UsageError if the folder has none."""
    path = data / "cases.jsonl"
    if not path.exists():
        raise UsageError(f"No cases.jsonl in {data}; --data names the folder with the conformance data.")
    with path.open(encoding="utf-8") as file:
        cases = [json.loads(line) for line in file]
    return [case for case in cases if case["expected"]["outcome"] == "scored" and case["expected"]["mode"] is None]


# --- Measurements ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measurements:
    """What was measured; all times in seconds."""

    edition: str
    python: str
    plans: int
    plans_per_second: float
    """Best of several rounds, warm, on one core."""
    run_turns: int
    run_seconds: float
    """From the start of a new Python to the last score."""
    run_reading_seconds: float
    """Of these, the first reading and indexing of the sandboxes."""
    run_scoring_seconds: float
    """Of these, preparing turns, reading plan files and scoring."""
    calibration_seconds: float
    """A fixed loop, for comparing machines."""


def calibration_seconds() -> float:
    """The best time of a loop over dictionaries, texts and floats that never changes."""

    def loop() -> float:
        total = 0.0
        table = {f"key {number}": number * 0.5 for number in range(1000)}
        for _ in range(300):
            for key, value in table.items():
                total += value if key.endswith("7") else 1.0
        return total

    return best_seconds(loop, rounds=5)


def best_seconds(work: Job, rounds: int) -> float:
    """The shortest time the work takes in so many rounds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def jobs(edition: str, data: Path) -> list[Job]:
    """The scoring of every case, ready to be timed."""
    prepared = EDITIONS[edition](data)
    return [prepared.job(case) for case in read_cases(data)]


def run_all(work: list[Job]) -> None:
    """Every answer scored once."""
    for job in work:
        job()


def measure(edition: str, data: Path, rounds: int) -> Measurements:
    """All measurements of an edition."""
    work = jobs(edition, data)
    run_all(work)
    warm = best_seconds(lambda: run_all(work), rounds)
    with tempfile.TemporaryDirectory() as folder:
        write_run(Path(folder), data)
        start = time.perf_counter()
        command = [sys.executable, __file__, "--data", str(data), "--edition", edition, "--run", folder]
        finished = subprocess.run(command, check=True, capture_output=True, encoding="utf-8")
        run_seconds = time.perf_counter() - start
    parts = json.loads(finished.stdout)
    return Measurements(
        edition=edition,
        python=sys.version.split()[0],
        plans=len(work),
        plans_per_second=len(work) / warm,
        run_turns=RUN_TURNS,
        run_seconds=run_seconds,
        run_reading_seconds=parts["reading"],
        run_scoring_seconds=parts["scoring"],
        calibration_seconds=calibration_seconds(),
    )


def write_run(folder: Path, data: Path) -> None:
    """A run of as many turns as the released tasks have, one file each, from the cases in turn."""
    for number, case in enumerate(islice(cycle(read_cases(data)), RUN_TURNS)):
        text = json.dumps({key: case[key] for key in ("record_id", "turn_id", "plan")}, ensure_ascii=False)
        (folder / f"{number:03}.json").write_text(text, encoding="utf-8")


def score_run(folder: Path, edition: str, data: Path) -> None:
    """Scores the files of a run and prints how long the parts took."""
    start = time.perf_counter()
    prepared = EDITIONS[edition](data)
    for path in sorted(folder.glob("*.json")):
        prepared.job(json.loads(path.read_text(encoding="utf-8")))()
    scoring = time.perf_counter() - start - prepared.reading_seconds
    print(json.dumps({"reading": prepared.reading_seconds, "scoring": scoring}))


def print_profile(edition: str, data: Path, lines: int) -> None:
    """Where the time goes when everything is warm."""
    work = jobs(edition, data)
    run_all(work)
    profile = cProfile.Profile()
    profile.runcall(run_all, work)
    pstats.Stats(profile).strip_dirs().sort_stats("tottime").print_stats(lines)


def print_measurements(found: Measurements) -> None:
    """The figures for people."""
    print(f"edition {found.edition}, Python {found.python}, one core")
    print(f"{found.plans_per_second:10.0f} plans per second, warm ({found.plans} plans)")
    print(f"{found.run_seconds:10.2f} s for {found.run_turns} turns from files, start of Python included")
    print(f"{found.run_reading_seconds:10.2f} s of them to read and index the sandboxes for the first time")
    print(f"{found.run_scoring_seconds:10.2f} s of them to read tasks and plans and to score")
    print(f"{found.calibration_seconds:10.4f} s for the calibration loop")


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Measures how fast Trip+ answers are scored, on one core.")
    parser.add_argument(
        "--data",
        type=Path,
        default=os.environ.get("TRIPGAUGE_CONFORMANCE"),
        help="folder with the conformance data; default: $TRIPGAUGE_CONFORMANCE",
    )
    parser.add_argument("--edition", choices=sorted(EDITIONS), default="release", help="whose scores to compute")
    parser.add_argument("--rounds", type=int, default=5, help="how often to repeat the warm measurement")
    parser.add_argument("--profile", action="store_true", help="show where the time goes instead")
    parser.add_argument("--json", action="store_true", help="print the figures as one JSON object")
    parser.add_argument("--run", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    try:
        if options.data is None:
            raise UsageError("No data: give --data or set TRIPGAUGE_CONFORMANCE.")
        if options.run is not None:
            score_run(options.run, options.edition, options.data)
        elif options.profile:
            print_profile(options.edition, options.data, lines=30)
        else:
            found = measure(options.edition, options.data, options.rounds)
            if options.json:
                print(json.dumps(asdict(found)))
            else:
                print_measurements(found)
    except UsageError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()

"""How long a tool takes to answer: median and 95th percentile for each tool and edition, loading told apart.

    python benchmarks/tools.py SAMPLE_FOLDER... [--city-data DIR] [--rounds 3] [--json]

For each sandbox folder every tool is asked a few hundred different questions made from what the sandbox holds, as an
agent's call: arguments as text in, text out. The first round meets cold caches and counts like the others.
"""

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tripgauge.chat import ToolCall
from tripgauge.tools import Toolbox
from tripgauge.trip_plus.edition import Edition
from tripgauge.trip_plus.sandbox.files import SampleFiles, SandboxFiles, read_city_data, read_sample
from tripgauge.trip_plus.tools.commands import toolbox

QUESTIONS = 200


def questions(files: SampleFiles, draw: random.Random) -> Iterator[tuple[str, dict[str, object]]]:
    """Questions an agent may ask of this sandbox; most name something there is."""
    cities = [*(files.meta.dest if files.meta else ()), files.meta.org if files.meta else ""]
    places = [row["poi_name"] for row in files.locations]
    points = [f"{row['latitude']},{row['longitude']}" for row in files.locations]
    sights = [row["attraction_name"] for row in files.attractions]
    meals = [row["restaurant_name"] for row in files.restaurants]
    types = sorted({row["attraction_type"] for row in files.attractions})
    days = [row["date"] for row in files.weather]

    def journey(kind: str) -> dict[str, object]:
        table = files.trains if kind == "train" else files.flights
        row = draw.choice(table.rows)
        asked: dict[str, object] = {
            "origin": row["origin_city"],
            "destination": row["destination_city"],
            "depDate": row["dep_date"],
        }
        if draw.random() < 0.5:
            asked["sortBy"] = draw.choice(["price", "departure_time", "arrival_time", "latest_arrival", "duration"])
        if draw.random() < 0.3:
            asked["seatClassName"] = row["seat_class"]
        if draw.random() < 0.3:
            asked |= {"depTimeStart": "08:00", "depTimeEnd": "18:00"}
        return asked

    def hotel() -> dict[str, object]:
        asked: dict[str, object] = {"destination": cities[0]}
        if draw.random() < 0.5:
            asked["sortBy"] = draw.choice(["price", "rating", "decoration"])
        if draw.random() < 0.5:
            asked |= {"minPrice": draw.randint(100, 300), "maxPrice": draw.randint(300, 900)}
        return asked

    kinds: dict[str, Callable[[], dict[str, object]]] = {
        "query_train_info": lambda: journey("train"),
        "query_flight_info": lambda: journey("flight"),
        "query_hotel_info": hotel,
        "query_attraction_details": lambda: {"attraction_name": draw.choice(sights)},
        "recommend_attractions": lambda: {"city": cities[0], "attraction_type": draw.choice(types)},
        "recommend_restaurants": lambda: {"nearby_attraction_name": draw.choice(sights)},
        "query_restaurant_details": lambda: {"restaurant_name": draw.choice(meals)},
        "search_location": lambda: {"place_name": draw.choice(places)},
        "query_road_route_info": lambda: {"origin": draw.choice(points), "destination": draw.choice(points)},
        "query_city_transport_plan": lambda: {
            "city": cities[0],
            "origin_place": draw.choice(places),
            "destination_place": draw.choice(places),
        },
        "query_city_weather": lambda: {"city": cities[0], "date": draw.choice(days)},
    }
    for name, question in kinds.items():
        for _ in range(QUESTIONS):
            yield name, question()


def timed(tools: Toolbox, asked: list[tuple[str, dict[str, object]]], rounds: int) -> dict[str, list[float]]:
    """Milliseconds of every call, by tool."""
    calls = [ToolCall.of("call_1", name, arguments) for name, arguments in asked]
    spent: dict[str, list[float]] = {name: [] for name, _ in asked}
    for _ in range(rounds):
        for call in calls:
            start = time.thread_time()
            tools.answer([call])
            spent[call.name].append((time.thread_time() - start) * 1000)
    return spent


def measured(folder: Path, edition: Edition, city_data: Path | None, rounds: int) -> dict[str, object]:
    """What one sandbox takes in one edition."""
    start = time.thread_time()
    files = SandboxFiles(read_sample(folder), read_city_data(city_data) if city_data else None)
    read = time.thread_time()
    tools = toolbox(edition, files)
    asked = list(questions(files.sample, random.Random(7)))
    built = time.thread_time()
    for name in dict(asked):
        tools.call(name, dict(asked)[name])
    ready = time.thread_time()
    spent = timed(tools, asked, rounds)
    return {
        "sandbox": folder.name,
        "edition": edition.value,
        "read_ms": (read - start) * 1000,
        "index_ms": (ready - built) * 1000,
        "tools": {
            name: {
                "median_ms": statistics.median(times),
                "p95_ms": statistics.quantiles(times, n=20)[-1],
                "max_ms": max(times),
            }
            for name, times in spent.items()
        },
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="SAMPLE_FOLDER")
    parser.add_argument("--city-data", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    results = [
        measured(folder, edition, options.city_data, options.rounds)
        for folder in options.folders
        for edition in Edition
    ]
    if options.json:
        print(json.dumps(results, indent=2))
        return
    for result in results:
        print(f"{result['sandbox']}, {result['edition']}: read {result['read_ms']:.0f} ms, ", end="")
        print(f"first answer of every tool {result['index_ms']:.0f} ms")
        print(f"{'tool':<28}{'median ms':>10}{'p95 ms':>10}{'max ms':>10}")
        for name, times in result["tools"].items():  # type: ignore[attr-defined]
            print(f"{name:<28}{times['median_ms']:>10.3f}{times['p95_ms']:>10.3f}{times['max_ms']:>10.3f}")


if __name__ == "__main__":
    main()

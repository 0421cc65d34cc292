"""The files of a sandbox as they stand: text cells, nothing judged yet. (Trip+ 2.2, A.2)

Everything that is later indexed, joined or echoed by a tool is read here, once. Cells stay text, since the published
tools echo many of them verbatim; `records.py` gives them types.
"""

import csv
import gzip
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tripgauge.errors import UsageError

Row = Mapping[str, str]
"""One line of a table: cell by column name. A cell the line lacks is the empty text."""


@dataclass(frozen=True)
class Table:
    """A CSV file: its columns in order and its rows in file order. A file that does not exist has neither."""

    path: Path
    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    exists: bool = True

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


def read_table(path: Path, required: Sequence[str] = ()) -> Table:
    """The table at `path`, or the same with `.gz` behind it; an empty table if neither exists.

    Reads UTF-8 with or without a byte order mark, LF or CRLF, quoted as RFC 4180. Short lines are filled with empty
    cells. Raises UsageError, naming file and line, for bytes that are no UTF-8, for missing `required` columns and
    for lines with more cells than the head line.
    """
    source = path if path.exists() else path.with_name(path.name + ".gz")
    if not source.exists():
        return Table(path, exists=False)
    text = _text(source)
    lines = csv.reader(io.StringIO(text, newline=""))
    columns = tuple(name.strip() for name in next(lines, []))
    missing = [name for name in required if name not in columns]
    if missing:
        raise UsageError(f"{source}: no column {', '.join(missing)}; the columns are {', '.join(columns) or 'none'}.")
    width = len(columns)
    rows = []
    for cells in lines:
        if not cells:
            continue
        if len(cells) > width:
            raise UsageError(f"{source}, line {lines.line_num}: {len(cells)} cells, but the head line names {width}.")
        cells.extend([""] * (width - len(cells)))
        rows.append(dict(zip(columns, cells, strict=True)))
    return Table(source, columns, tuple(rows))


def _text(source: Path) -> str:
    data = source.read_bytes()
    if source.suffix == ".gz":
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError) as error:
            raise UsageError(f"{source}: not a readable gzip file ({error}).") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{source}: not UTF-8 at byte {error.start}.") from None


def read_json(path: Path) -> object:
    """The JSON value in the file. Raises UsageError, naming file and place, if there is none."""
    try:
        return json.loads(_text(path))
    except FileNotFoundError:
        raise UsageError(f"No file at {path}.") from None
    except json.JSONDecodeError as error:
        raise UsageError(f"{path}, line {error.lineno}, column {error.colno}: not JSON ({error.msg}).") from None


@dataclass(frozen=True)
class SubwayStop:
    """A station as one line lists it; coordinates are text, as in the file."""

    name: str
    latitude: str
    longitude: str


@dataclass(frozen=True)
class SubwayLine:
    """A metro line with its stations in line order."""

    name: str
    stops: tuple[SubwayStop, ...]


def read_subway(path: Path) -> tuple[SubwayLine, ...]:
    """The metro lines in the file, in either published form; none if there is no file."""
    if not path.exists():
        return ()
    value = read_json(path)
    if not isinstance(value, dict):
        raise UsageError(f"{path}: expected an object with metro lines.")
    lines = []
    for line in value.get("lines") or value.get("l") or []:
        stops = tuple(_stop(stop) for stop in line.get("stations") or line.get("st") or [])
        lines.append(SubwayLine(str(line.get("name") or line.get("ln") or ""), stops))
    return tuple(lines)


def _stop(stop: Mapping[str, object]) -> SubwayStop:
    place = str(stop.get("position") or stop.get("sl") or "")
    longitude, _, latitude = place.partition(",")
    return SubwayStop(
        name=str(stop.get("name") or stop.get("n") or ""),
        latitude=str(stop.get("latitude") or latitude),
        longitude=str(stop.get("longitude") or longitude),
    )


@dataclass(frozen=True)
class MatrixEntry:
    """A row of the distance matrix: metres, minutes, yuan per vehicle as text. A cost of 0 marks a walk."""

    distance_meters: str
    duration_minutes: str
    cost: str


@dataclass(frozen=True)
class BuildMeta:
    """What `.build_meta.json` says of a sandbox folder."""

    sample_id: str
    org: str
    dest: tuple[str, ...]
    city_db_root: str


@dataclass(frozen=True)
class SampleFiles:
    """The folder of one task's sandbox: destination places, services both ways, matrix, metro, weather."""

    folder: Path
    meta: BuildMeta | None
    hotels: Table
    attractions: Table
    restaurants: Table
    flights: Table
    trains: Table
    locations: Table
    aliases: Table
    weather: Table
    subway: tuple[SubwayLine, ...]

    @cached_property
    def distance_matrix(self) -> Mapping[tuple[str, str], MatrixEntry]:
        """Entries by the coordinate texts of origin and destination ("lat,lon"); the last row of a pair counts."""
        table = read_table(
            self.distance_matrix_path,
            required=("origin", "destination", "distance_meters", "duration_minutes", "cost"),
        )
        return {
            (row["origin"], row["destination"]): MatrixEntry(
                row["distance_meters"], row["duration_minutes"], row["cost"]
            )
            for row in table
        }

    @property
    def distance_matrix_path(self) -> Path:
        """Where the matrix lies, if it is not gzipped."""
        return self.folder / "transportation" / "distance_matrix.csv"

    @property
    def has_distance_matrix(self) -> bool:
        """Whether the folder holds a matrix at all, plain or gzipped."""
        path = self.distance_matrix_path
        return path.exists() or path.with_name(path.name + ".gz").exists()


def require_tables(sample: SampleFiles, route_modes: Iterable[str]) -> None:
    """Raises UsageError, naming the file, if the folder lacks a table that every plan of a task is held against.

    These are the places, where they lie, the ways between them, and the timetable of each mode of travel, "flight" or
    "train": a plan would be charged with having invented what is only missing from the data.
    """
    timetables = {"flight": sample.flights, "train": sample.trains}
    needed = [sample.hotels, sample.attractions, sample.restaurants, sample.locations]
    needed += [timetables[mode] for mode in sorted(set(route_modes)) if mode in timetables]
    missing = [table.path for table in needed if not table.exists]
    if not sample.has_distance_matrix:
        missing.append(sample.distance_matrix_path)
    if missing:
        names = ", ".join(path.relative_to(sample.folder).as_posix() for path in missing)
        raise UsageError(f"The sandbox {sample.folder} lacks {names}; without it no plan can be held against the data.")


def read_sample(folder: Path) -> SampleFiles:
    """The sandbox in `folder`. Tables that are absent are empty; raises UsageError if the folder is."""
    if not folder.is_dir():
        raise UsageError(f"No sandbox folder at {folder}.")
    return SampleFiles(
        folder=folder,
        meta=_build_meta(folder / ".build_meta.json"),
        hotels=read_table(folder / "hotels" / "hotels.csv", ("name", "price")),
        attractions=read_table(folder / "attractions" / "attractions.csv", ("attraction_name",)),
        restaurants=read_table(folder / "restaurants" / "restaurants.csv", ("restaurant_name",)),
        flights=read_table(folder / "flights" / "flights.csv", ("flight_no", "dep_datetime", "arr_datetime")),
        trains=read_table(folder / "trains" / "trains.csv", ("train_no", "dep_datetime", "arr_datetime")),
        locations=read_table(folder / "locations" / "locations_coords.csv", ("poi_name", "latitude", "longitude")),
        aliases=read_table(folder / "locations" / "location_aliases.csv", ("alias", "canonical_name")),
        weather=read_table(folder / "weather" / "weather_daily.csv", ("date",)),
        subway=read_subway(folder / "subway" / "subway.json"),
    )


def _build_meta(path: Path) -> BuildMeta | None:
    if not path.exists():
        return None
    value = read_json(path)
    if not isinstance(value, dict):
        raise UsageError(f"{path}: expected an object.")
    signature = value.get("sample_signature") or {}
    return BuildMeta(
        sample_id=str(value.get("sample_id") or ""),
        org=str(signature.get("org") or ""),
        dest=tuple(str(city) for city in signature.get("dest") or ()),
        city_db_root=str(value.get("city_db_root") or ""),
    )


@dataclass(frozen=True)
class CityFiles:
    """One city of the city-level data: its places, names, metro and weather."""

    city_name: str
    folder: Path
    locations: Table
    entities: Table
    aliases: Table
    weather: Table
    subway: tuple[SubwayLine, ...]

    @cached_property
    def distance_matrix(self) -> Mapping[tuple[str, str], MatrixEntry]:
        """As of a sample; empty where the city has none."""
        table = read_table(self.folder / "transportation" / "distance_matrix.csv")
        return {
            (row["origin"], row["destination"]): MatrixEntry(
                row["distance_meters"], row["duration_minutes"], row["cost"]
            )
            for row in table
        }


@dataclass(frozen=True)
class CityData:
    """City-level data behind a `city_index.json`; its presence switches on metro routes and weather of any city."""

    roots: tuple[Path, ...]
    """Where the city folders lie; the first that has a city counts."""

    names: Mapping[str, str]
    """Folder by every accepted spelling of a city: key, folder, name, and each of them in lower case."""

    city_names: Mapping[str, str]
    """City name by folder."""

    _read: dict[str, CityFiles] = field(default_factory=dict, repr=False, compare=False)

    def city(self, name: str) -> CityFiles | None:
        """The files of a city found by its name, folder or slug; None if the index does not know it."""
        folder = self.names.get(name) or self.names.get(name.lower()) or self.names.get(slug(name))
        if folder is None:
            return None
        if folder not in self._read:
            found = next((root / folder for root in self.roots if (root / folder).is_dir()), self.roots[0] / folder)
            self._read[folder] = _read_city(found, self.city_names[folder])
        return self._read[folder]


def slug(city: str) -> str:
    """The folder name of a city: lower case, with runs of anything but letters and digits as one underscore."""
    return re.sub(r"[^a-z0-9]+", "_", city.lower()).strip("_")


def read_city_data(root: Path, *beside: Path) -> CityData:
    """The city-level data under `root` (the folder with `city_index.json`). Raises UsageError if there is none.

    Cities of the index that have no folder there are looked for in the folders `beside`.
    """
    path = root / "city_index.json"
    if not path.exists():
        raise UsageError(f"No city_index.json in {root}; --city-data names the folder that holds it.")
    value = read_json(path)
    if not isinstance(value, dict):
        raise UsageError(f"{path}: expected an object keyed by city folder.")
    names: dict[str, str] = {}
    city_names: dict[str, str] = {}
    for key, entry in value.items():
        folder = str(entry.get("folder_name") or key)
        name = str(entry.get("city_name") or key)
        city_names[folder] = name
        for spelling in (key, folder, name, key.lower(), folder.lower(), name.lower(), slug(name)):
            names.setdefault(spelling, folder)
    return CityData((root, *beside), names, city_names)


def _read_city(folder: Path, city_name: str) -> CityFiles:
    return CityFiles(
        city_name=city_name,
        folder=folder,
        locations=read_table(folder / "locations" / "locations_coords.csv"),
        entities=read_table(folder / "locations" / "location_entities.csv"),
        aliases=read_table(folder / "locations" / "location_aliases.csv"),
        weather=read_table(folder / "weather" / "weather_daily.csv"),
        subway=read_subway(folder / "subway" / "subway.json"),
    )


@dataclass(frozen=True)
class SandboxFiles:
    """What one task can see: its own folder and, where given, the city-level data."""

    sample: SampleFiles
    cities: CityData | None = None


class SandboxLibrary:
    """The sandbox folders under one data directory, each read once.

    `root` may hold the `id_NNNN` folders itself or below `sample/en`, `en` or `database/sample/en`.
    """

    def __init__(self, root: Path, city_root: Path | None = None) -> None:
        if not root.is_dir():
            raise UsageError(f"No data folder at {root}.")
        self._roots = [
            folder
            for folder in (root, root / "sample" / "en", root / "en", root / "database" / "sample" / "en")
            if folder.is_dir()
        ]
        beside = [folder.parent.parent / "en" for folder in self._roots] + [folder / "en" for folder in self._roots]
        self._cities = read_city_data(city_root, *beside) if city_root is not None else None
        self._samples: dict[Path, SampleFiles] = {}

    @property
    def root(self) -> Path:
        """The folder given."""
        return self._roots[0]

    def folder(self, record_id: str, base_query_id: str = "") -> Path | None:
        """The folder of a record, found by its ids as the published runner does; None if there is none."""
        for root in self._roots:
            for sample_id in filter(None, (record_id, base_query_id)):
                digits = re.search(r"(\d+)$", sample_id)
                names = [sample_id, f"id_{int(digits[1]):04d}" if digits else "", f"id_{sample_id}"]
                for name in filter(None, names):
                    if (root / name).is_dir():
                        return root / name
        return None

    def files(self, record_id: str, base_query_id: str = "", *, with_cities: bool = True) -> SandboxFiles:
        """The files of a record's sandbox. Raises UsageError if no folder fits."""
        folder = self.folder(record_id, base_query_id)
        if folder is None:
            raise UsageError(f"No sandbox for {record_id} ({base_query_id or 'no base id'}) under {self.root}.")
        if folder not in self._samples:
            self._samples[folder] = read_sample(folder)
        return SandboxFiles(self._samples[folder], self._cities if with_cities else None)

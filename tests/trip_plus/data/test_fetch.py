"""Downloading the public sandboxes, against a hub that runs on this very machine."""

import gzip
import hashlib
import json
import socket
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from tripgauge.errors import UsageError
from tripgauge.trip_plus.data.fetch import EXTRA_HINT, REPOSITORY, fetch_trip_plus
from tripgauge.trip_plus.sandbox.files import SandboxLibrary

COMMIT = "0123456789abcdef0123456789abcdef01234567"
FILES = {
    "README.md": b"About the data.\n",
    "database/sample/en/id_0001/hotels/hotels.csv": "﻿name,price\r\nQuay Inn,300\r\n".encode(),
    "database/sample/en/id_0001/transportation/distance_matrix.csv.gz": gzip.compress(
        b'origin,destination,distance_meters,duration_minutes,cost\n"1.0,2.0","1.0,2.5",900,11,0\n', mtime=0
    ),
}


class Hub(ThreadingHTTPServer):
    """As much of the hub as a download of a data set asks for."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.files = dict(FILES)
        self.broken: set[str] = set()
        self.downloads: list[str] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Answer(BaseHTTPRequestHandler):
    """Answers one request."""

    server: Hub

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        prefix, _, rest = path.partition(REPOSITORY)
        if prefix == "/api/datasets/" and rest in ("/revision/main", f"/revision/{COMMIT}"):
            return self.send_json(
                {"id": REPOSITORY, "sha": COMMIT, "siblings": [{"rfilename": n} for n in self.server.files]}
            )
        if prefix == "/api/datasets/" and rest.startswith(f"/tree/{COMMIT}"):
            return self.send_json(
                [
                    {"type": "file", "path": name, "size": len(data), "oid": hashlib.sha1(data).hexdigest()}
                    for name, data in self.server.files.items()
                ]
            )
        name = rest.removeprefix(f"/resolve/{COMMIT}/")
        if prefix == "/datasets/" and name in self.server.files:
            return self.send_file(name)
        self.send_response(404)
        self.send_header("X-Error-Code", "RevisionNotFound")
        self.send_header("Content-Length", "0")
        return self.end_headers()

    def send_json(self, value: Any) -> None:
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def send_file(self, name: str) -> None:
        data = self.server.files[name]
        self.send_response(200)
        self.send_header("ETag", f'"{hashlib.sha1(data).hexdigest()}"')
        self.send_header("X-Repo-Commit", COMMIT)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command == "GET":
            self.server.downloads.append(name)
            if name in self.server.broken:
                self.wfile.write(data[: len(data) // 2])
                self.wfile.flush()
                self.connection.shutdown(socket.SHUT_RDWR)
            else:
                self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def hub() -> Iterator[Hub]:
    pytest.importorskip("huggingface_hub", reason="needs the extra `data`")
    with Hub() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()


def test_the_sandboxes_arrive_as_they_are_and_can_be_read(hub: Hub, tmp_path: Path) -> None:
    fetched = fetch_trip_plus(tmp_path / "data", endpoint=hub.address)

    assert (fetched.revision, fetched.files, fetched.new_files) == (COMMIT, 2, 2)
    assert fetched.bytes == sum(len(data) for name, data in FILES.items() if name.startswith("database/"))
    for name, data in FILES.items():
        assert (tmp_path / "data" / name).exists() == name.startswith("database/")
        if name.startswith("database/"):
            assert (tmp_path / "data" / name).read_bytes() == data
    files = SandboxLibrary(tmp_path / "data").files("mt_single_0001", "single_0001")
    assert [row["name"] for row in files.sample.hotels] == ["Quay Inn"]
    assert files.sample.distance_matrix["1.0,2.0", "1.0,2.5"].distance_meters == "900"


def test_nothing_is_downloaded_twice(hub: Hub, tmp_path: Path) -> None:
    fetch_trip_plus(tmp_path, endpoint=hub.address)
    hub.downloads.clear()

    again = fetch_trip_plus(tmp_path, endpoint=hub.address)

    assert (again.files, again.new_files) == (2, 0)
    assert hub.downloads == []


@pytest.mark.slow
def test_a_broken_download_leaves_no_half_file_and_is_carried_on(hub: Hub, tmp_path: Path) -> None:
    hotels, matrix = (name for name in FILES if name.startswith("database/"))
    hub.broken.add(matrix)

    with pytest.raises(UsageError) as caught:
        fetch_trip_plus(tmp_path, endpoint=hub.address)

    assert "\n" not in str(caught.value)
    assert not (tmp_path / matrix).exists()

    hub.broken.clear()
    fetched = fetch_trip_plus(tmp_path, endpoint=hub.address)
    assert fetched.files == 2
    assert (tmp_path / matrix).read_bytes() == FILES[matrix]
    assert (tmp_path / hotels).read_bytes() == FILES[hotels]


def test_a_dead_address_is_told_in_one_line(hub: Hub, tmp_path: Path) -> None:
    address = hub.address
    hub.shutdown()
    hub.server_close()

    with pytest.raises(UsageError) as caught:
        fetch_trip_plus(tmp_path / "data", endpoint=address)

    assert str(caught.value).startswith(f"No connection to {address}: ")
    assert "\n" not in str(caught.value)


def test_a_dead_address_is_no_success_although_files_are_there(hub: Hub, tmp_path: Path) -> None:
    fetch_trip_plus(tmp_path, endpoint=hub.address)
    hub.shutdown()
    hub.server_close()

    with pytest.raises(UsageError, match="No connection"):
        fetch_trip_plus(tmp_path, endpoint=hub.address)


def test_an_unknown_revision_is_named(hub: Hub, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        fetch_trip_plus(tmp_path, revision="v99", endpoint=hub.address)

    assert str(caught.value).startswith(f"{hub.address} does not give {REPOSITORY} at v99: ")
    assert "\n" not in str(caught.value)


def test_a_file_in_the_way_is_named(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("", encoding="utf-8")

    with pytest.raises(UsageError, match="is a file; a folder is needed"):
        fetch_trip_plus(tmp_path / "data", endpoint=hub.address)


def test_without_the_extra_the_message_tells_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)

    with pytest.raises(UsageError) as caught:
        fetch_trip_plus(tmp_path)
    assert str(caught.value) == EXTRA_HINT

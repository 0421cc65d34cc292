"""A small local page on which people judge simulated users: one utterance at a time, its orders beside it (spec 12).

It serves this machine only, needs nothing from elsewhere, and stores every judgment as soon as it is made.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from threading import Lock
from urllib.parse import parse_qs, unquote

from jinja2 import Environment, StrictUndefined

from tripgauge.codec import decode, write_json_lines
from tripgauge.compass.annotation.judgments import DUTIES, ERRORS, GRADES, SCALES, Judgment, read_judgments
from tripgauge.compass.annotation.packets import Packet
from tripgauge.errors import UsageError

MOST_BYTES = 100_000
"""Of a form that is sent."""


class Book:
    """The judgments of one person about some packets, in a file."""

    def __init__(self, packets: Sequence[Packet], path: Path, annotator: str) -> None:
        """Raises UsageError if the file is there and holds something else."""
        self.packets = tuple(packets)
        self.annotator = annotator
        self._path = path
        self._lock = Lock()
        found = read_judgments([path], packets) if path.exists() else ()
        others = {judgment.annotator for judgment in found} - {annotator}
        if others:
            raise UsageError(f"{path} holds the judgments of {', '.join(sorted(others))}. Use a file for each person.")
        self._judgments = {judgment.packet: judgment for judgment in found}

    def judgment(self, packet: Packet) -> Judgment | None:
        return self._judgments.get(packet.id)

    @property
    def done(self) -> int:
        return len(self._judgments)

    def next_after(self, place: int) -> int | None:
        """The place of the next packet that is not judged yet; None if all are."""
        order = (*range(place + 1, len(self.packets)), *range(place + 1))
        return next((here for here in order if self.packets[here].id not in self._judgments), None)

    def add(self, judgment: Judgment) -> None:
        """Stores a judgment, in place of an earlier one of the same utterance."""
        with self._lock:
            self._judgments[judgment.packet] = judgment
            ordered = (self._judgments.get(packet.id) for packet in self.packets)
            write_json_lines(self._path, [found for found in ordered if found])


class AnnotationServer(ThreadingHTTPServer):
    """The page, at an address of this machine only."""

    daemon_threads = True

    def __init__(self, book: Book, port: int = 0) -> None:
        """Raises UsageError if the port is taken. With 0, any free one."""
        try:
            super().__init__(("127.0.0.1", port), Handler)
        except OSError as error:
            raise UsageError(f"Port {port} cannot be used ({error.strerror}). Choose another with --port.") from None
        self.book = book
        self.token = secrets.token_urlsafe(16)
        """Sent along with every form, so that no other page can send one."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


@dataclass(frozen=True)
class _Answer:
    status: HTTPStatus
    body: str = ""
    location: str = ""


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: AnnotationServer

    def do_GET(self) -> None:
        self._send(self._get(unquote(self.path.partition("?")[0])))

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        if length > MOST_BYTES:
            self._send(_Answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "That is too long."))
            return
        form = parse_qs(self.rfile.read(length).decode("utf-8", "replace"), keep_blank_values=True)
        self._send(self._post(unquote(self.path), {name: values[-1] for name, values in form.items()}))

    def _get(self, path: str) -> _Answer:
        if not self._is_local():
            return _Answer(HTTPStatus.FORBIDDEN, "Only for this machine.")
        if path == "/":
            return _Answer(HTTPStatus.OK, _rendered("list.html", book=self.server.book))
        place = self._place(path)
        if place is None:
            return _Answer(HTTPStatus.NOT_FOUND, "There is no such page.")
        return _Answer(HTTPStatus.OK, self._form(place, {}, ""))

    def _post(self, path: str, form: Mapping[str, str]) -> _Answer:
        if not self._is_local() or not secrets.compare_digest(
            form.get("token", "").encode(), self.server.token.encode()
        ):
            return _Answer(HTTPStatus.FORBIDDEN, "Open the page anew and try again.")
        place = self._place(path)
        if place is None:
            return _Answer(HTTPStatus.NOT_FOUND, "There is no such page.")
        book = self.server.book
        try:
            judgment = _judgment(book.packets[place].id, book.annotator, form)
        except UsageError as error:
            return _Answer(HTTPStatus.UNPROCESSABLE_ENTITY, self._form(place, form, str(error)))
        book.add(judgment)
        following = book.next_after(place)
        return _Answer(HTTPStatus.SEE_OTHER, location="/" if following is None else f"/utterance/{following + 1}")

    def _is_local(self) -> bool:
        """Whether the page was asked for by its own address: a foreign name that points here is refused."""
        return (self.headers.get("Host") or "").partition(":")[0] in ("127.0.0.1", "localhost")

    def _place(self, path: str) -> int | None:
        kind, _, number = path.removeprefix("/").partition("/")
        is_place = kind == "utterance" and number.isascii() and number.isdigit() and len(number) < 7
        return int(number) - 1 if is_place and 1 <= int(number) <= len(self.server.book.packets) else None

    def _form(self, place: int, form: Mapping[str, str], fault: str) -> str:
        book = self.server.book
        packet = book.packets[place]
        return _rendered(
            "utterance.html",
            book=book,
            packet=packet,
            place=place,
            values=form or _values(book.judgment(packet)),
            fault=fault,
            token=self.server.token,
            errors=ERRORS,
            scales=SCALES,
            grades=GRADES,
            duties=DUTIES,
        )

    def _send(self, answer: _Answer) -> None:
        body = answer.body.encode()
        self.send_response(answer.status)
        if answer.location:
            self.send_header("Location", answer.location)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the page is for one person."""


def _judgment(packet: str, annotator: str, form: Mapping[str, str]) -> Judgment:
    """The judgment in a form. Raises UsageError, in words for the page, if a grade is missing."""
    grades = {}
    for scale in SCALES:
        if form.get(scale) not in {str(grade) for grade in GRADES}:
            raise UsageError(f"Please grade the {scale}.")
        grades[scale] = int(form[scale])
    found = {
        "packet": packet,
        "annotator": annotator,
        **{error: form.get(error) == "yes" for error in ERRORS},
        "critical": form.get("critical", "").strip(),
        **grades,
        "remark": form.get("remark", "").strip(),
    }
    return decode(Judgment, found, "the form")


def _values(judgment: Judgment | None) -> Mapping[str, str]:
    """An earlier judgment as the values of the form."""
    if judgment is None:
        return {}
    values = {error: "yes" for error in ERRORS if judgment.has(error)}
    values |= {"clarity": str(judgment.clarity), "appropriateness": str(judgment.appropriateness)}
    return values | {"critical": judgment.critical, "remark": judgment.remark}


@cache
def _environment() -> Environment:
    return Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def _rendered(name: str, **given: object) -> str:
    folder = files("tripgauge.compass.annotation") / "templates"
    style = (folder / "style.css").read_text(encoding="utf-8")
    return _environment().from_string((folder / name).read_text(encoding="utf-8")).render(style=style, **given)

"""People judge simulated users: packets, the page, and the figures of what they say."""

import http.client
import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from html import unescape
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest
from tests.compass.talking import ELK_LODGE, PINE_INN, QUIET, reply, talk, toy_compass, toy_task

from tripgauge.codec import decode_json_lines, write_json_lines
from tripgauge.compass.annotation.judgments import (
    ERRORS,
    Judgment,
    agreement,
    critical_rate,
    error_rate,
    mechanical_rate,
    misleading_rate,
    read_judgments,
    tables,
)
from tripgauge.compass.annotation.packets import Packet, chosen, packets, read_packets, write_packets
from tripgauge.compass.annotation.page import AnnotationServer, Book, Handler
from tripgauge.compass.benchmark import Compass
from tripgauge.compass.constraints import Constraint
from tripgauge.compass.personas import Trust
from tripgauge.conversation import Transcript
from tripgauge.errors import UsageError

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def some_packets() -> tuple[Packet, ...]:
    """Of two conversations: what is told later, a complaint, and a check of everything."""
    task = toy_task(1, Constraint("has_pool", True))
    compass = toy_compass(task, persona=replace(QUIET, trust=Trust.QUESTIONING))
    answers = (reply(PINE_INN), reply(PINE_INN), reply(ELK_LODGE))
    talks = [talk(compass, lambda turn: answers[min(turn.number, 2)], seed=seed) for seed in (0, 1)]
    return packets(compass, [talks[0], replace(talks[1], trial=1)])


def judged(packet: Packet, annotator: str = "ana", **found: object) -> Judgment:
    plain = Judgment(packet.id, annotator, False, False, False, False, False, "", 5, 4)
    return replace(plain, **found)  # type: ignore[arg-type]


# --- Packets


def test_a_packet_shows_an_utterance_beside_what_it_was_to_say() -> None:
    found = some_packets()
    told = next(packet for packet in found if "Tell this requirement: the hotel has a pool." in packet.orders)

    assert "has a pool" in told.utterance
    assert told.persona == "terse and organized; fast to tell, questioning, attention high"
    assert [line.speaker for line in told.history[:2]] == ["user", "agent"]
    assert told.history[1].text == f"Here you are. [recommends {PINE_INN}]"
    assert told.known[0] == "we visit Toy"
    assert all(packet.turn > 0 for packet in found)


def test_the_script_makes_none_of_the_five_errors() -> None:
    assert [mechanical_rate(some_packets(), error).numerator for error in ERRORS] == [0] * 5


def test_what_a_model_said_wrong_is_found_mechanically() -> None:
    compass, transcript = _one_talk()
    turns = tuple(
        replace(turn, utterance="Breakfast must be included, and we will pay $7,000 altogether.")
        for turn in transcript.turns
    )

    found = packets(compass, [replace(transcript, turns=turns)])

    assert mechanical_rate(found, "hallucination").value == 1


def _one_talk() -> tuple[Compass, Transcript]:
    compass = toy_compass(toy_task(1, Constraint("has_pool", True)))
    return compass, talk(compass, reply(ELK_LODGE))


def test_packets_are_written_and_read_as_they_are(tmp_path: Path) -> None:
    found = some_packets()

    write_packets(tmp_path / "packets.jsonl", found)

    assert read_packets(tmp_path / "packets.jsonl") == found


def test_without_an_answer_of_the_user_there_is_nothing_to_judge(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="There is nothing to judge"):
        write_packets(tmp_path / "packets.jsonl", ())


def test_so_many_conversations_are_drawn_in_their_order() -> None:
    _, transcript = _one_talk()
    talks = [replace(transcript, trial=trial) for trial in range(30)]

    drawn = chosen(talks, 10, seed=3)

    assert len(drawn) == 10
    assert [talk.trial for talk in drawn] == sorted(talk.trial for talk in drawn)
    assert drawn == chosen(talks, 10, seed=3) != chosen(talks, 10, seed=4)
    assert chosen(talks, 99, seed=3) == tuple(talks)


# --- Figures


def test_the_published_error_rates_come_out() -> None:
    """Of 198 responses: 8 not revealed (4.04 %), 1 wrong check (0.51 %), 12 hallucinations (6.06 %)."""
    (packet, *_) = some_packets()
    found = [judged(packet, f"person {number}") for number in range(198)]
    found = [replace(judgment, not_revealed=number < 8, wrong_check=number < 1, hallucination=number < 12)
             for number, judgment in enumerate(found)]  # fmt: skip

    percents = {error: round(100 * (error_rate(found, error).value or 0), 2) for error in ERRORS}
    assert percents == {
        "hallucination": 6.06, "not_revealed": 4.04, "unclear": 0, "wrong_check": 0.51, "not_repeated": 0,
    }  # fmt: skip
    assert error_rate(found, "not_revealed").shown == "8/198"


def test_grades_are_summed_up() -> None:
    first, second = some_packets()[:2]
    found = [judged(first, clarity=5), judged(second, clarity=2, critical="It swears."), judged(first, "bo", clarity=5)]

    scales, errors = tables(some_packets(), found)

    clarity = dict(zip(scales.columns, scales.rows[0], strict=True))
    assert (clarity["mean"], clarity["median"], clarity["least"], clarity["agreement"]) == (4, 5, 2, 1)
    assert critical_rate(found).shown == misleading_rate(found).shown == "1/3"
    assert agreement(found, lambda judgment: judgment.annotator).value == 0
    assert json.dumps(errors.json())


def test_judgments_are_read_from_a_file_of_each_person(tmp_path: Path) -> None:
    found = some_packets()
    write_json_lines(tmp_path / "ana.jsonl", [judged(found[0])])
    write_json_lines(tmp_path / "bo.jsonl", [judged(found[0], "bo")])

    read = read_judgments([tmp_path / "ana.jsonl", tmp_path / "bo.jsonl"], found)

    assert [judgment.annotator for judgment in read] == ["ana", "bo"]


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (lambda p: [judged(p), judged(p)], "ana has judged"),
        (lambda p: [replace(judged(p), packet="moon.0.1")], "there is no packet moon.0.1"),
        (lambda p: [replace(judged(p), clarity=6)], "clarity"),
    ],
    ids=["twice", "no packet", "no grade"],
)
def test_judgments_that_cannot_be_are_refused(tmp_path: Path, lines: object, fault: str) -> None:
    found = some_packets()
    write_json_lines(tmp_path / "ana.jsonl", lines(found[0]))  # type: ignore[operator]

    with pytest.raises(UsageError, match=fault):
        read_judgments([tmp_path / "ana.jsonl"], found)


# --- The page


@contextmanager
def serving(book: Book, handler: type[Handler] = Handler) -> Iterator[AnnotationServer]:
    with AnnotationServer(book) as server:
        server.RequestHandlerClass = handler
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(
    server: AnnotationServer, path: str, form: dict[str, str] | None = None, host: str = ""
) -> tuple[int, str, str]:
    """Status, text and where it leads on to."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    headers = {"Content-Type": "application/x-www-form-urlencoded"} | ({"Host": host} if host else {})
    connection.request("POST" if form is not None else "GET", path, urlencode(form or {}), headers)
    response = connection.getresponse()
    return response.status, response.read().decode(), response.getheader("Location") or ""


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(some_packets(), tmp_path / "ana.jsonl", "ana")


GRADES = {"clarity": "2", "appropriateness": "5"}


def test_the_page_shows_orders_and_utterance_and_keeps_what_is_said(book: Book, tmp_path: Path) -> None:
    with serving(book) as server:
        status, text, _ = ask(server, "/utterance/1")
        assert status == HTTPStatus.OK
        assert book.packets[0].orders[0] in text
        sent = {"token": server.token, "unclear": "yes", "remark": "Hm & <b>so</b>", **GRADES}
        status, _, following = ask(server, "/utterance/1", sent)
        assert (status, following) == (HTTPStatus.SEE_OTHER, "/utterance/2")
        again = ask(server, "/utterance/1")[1]

    (stored,) = decode_json_lines(Judgment, tmp_path / "ana.jsonl")
    assert stored == judged(book.packets[0], unclear=True, clarity=2, appropriateness=5, remark="Hm & <b>so</b>")
    assert 'name="unclear" value="yes" checked' in again
    assert "Hm &amp; &lt;b&gt;so&lt;/b&gt;" in again


def test_a_form_without_a_grade_is_given_back_as_it_was(book: Book, tmp_path: Path) -> None:
    with serving(book) as server:
        status, text, _ = ask(server, "/utterance/1", {"token": server.token, "unclear": "yes", "clarity": "9"})

    assert status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Please grade the clarity." in text
    assert 'name="unclear" value="yes" checked' in text
    assert not (tmp_path / "ana.jsonl").exists()


def test_after_the_last_judgment_everything_is_judged(book: Book) -> None:
    with serving(book) as server:
        for number in range(1, len(book.packets) + 1):
            _, _, following = ask(server, f"/utterance/{number}", {"token": server.token, **GRADES})
        assert following == "/"
        assert "Everything is judged." in ask(server, "/")[1]


def test_a_book_goes_on_where_it_was_left_and_belongs_to_one_person(book: Book, tmp_path: Path) -> None:
    book.add(judged(book.packets[1]))

    again = Book(book.packets, tmp_path / "ana.jsonl", "ana")

    assert (again.done, again.next_after(0)) == (1, 2)
    with pytest.raises(UsageError, match="holds the judgments of ana"):
        Book(book.packets, tmp_path / "ana.jsonl", "bo")


def test_other_pages_and_names_cannot_send_or_read(book: Book) -> None:
    with serving(book) as server:
        assert ask(server, "/utterance/1", {"token": "guess", **GRADES})[0] == HTTPStatus.FORBIDDEN
        assert ask(server, "/utterance/1", GRADES)[0] == HTTPStatus.FORBIDDEN
        assert ask(server, "/", host="evil.example")[0] == HTTPStatus.FORBIDDEN
        for path in ("/utterance/0", "/utterance/99", "/utterance/x", "/etc/passwd", "/utterance/1/2"):
            assert ask(server, path)[0] == HTTPStatus.NOT_FOUND
        assert urlsplit(server.url).hostname == "127.0.0.1"


def test_a_port_that_is_taken_is_the_operators_fault(book: Book) -> None:
    with serving(book) as server, pytest.raises(UsageError, match="cannot be used"):
        AnnotationServer(book, server.server_port)


DRIVER = """<!doctype html><title>driver</title><iframe width="1200" height="900"></iframe><pre id="result"></pre>
<script>
const frame = document.querySelector("iframe");
const page = () => frame.contentDocument;
const loaded = () => new Promise(done => frame.addEventListener("load", done, {once: true}));
const find = what => page().querySelector(what);
async function go(click) { const next = loaded(); click(); await next; }
async function drive() {
  const seen = {};
  await go(() => find("#start").click());
  seen.orders = find("#orders").innerText;
  seen.visible = ["#orders", "#utterance"].every(what => find(what).getBoundingClientRect().height > 0);
  seen.beside = find("form").getBoundingClientRect().left > find("#utterance").getBoundingClientRect().left;
  seen.incomplete = find("form").checkValidity();
  find("[name=hallucination]").click();
  find("[name=clarity][value='2']").click();
  find("[name=appropriateness][value='5']").click();
  find("#remark").value = "seen in a browser";
  seen.complete = find("form").checkValidity();
  await go(() => find("#save").click());
  seen.after = page().title;
  document.querySelector("#result").textContent = JSON.stringify(seen);
}
frame.addEventListener("load", drive, {once: true});
frame.src = "/";
</script>"""


class _Driven(Handler):
    """The page, and beside it one that works it as a person would."""

    def do_GET(self) -> None:
        if self.path != "/driver":
            super().do_GET()
            return
        body = DRIVER.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: install the package chromium")
def test_the_page_is_worked_in_a_real_browser(book: Book, tmp_path: Path) -> None:
    assert CHROMIUM is not None
    with serving(book, _Driven) as server:
        command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions"]
        command += [f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=20000", "--dump-dom"]
        done = subprocess.run([*command, f"{server.url}driver"], capture_output=True, timeout=120, check=True)

    dom = done.stdout.decode()
    seen = json.loads(unescape(dom.split('<pre id="result">')[1].split("</pre>")[0]))
    assert seen == {
        "orders": "\n".join(book.packets[0].orders), "visible": True, "beside": True, "incomplete": False,
        "complete": True, "after": f"Utterance 2 of {len(book.packets)}",
    }  # fmt: skip
    (stored,) = decode_json_lines(Judgment, tmp_path / "ana.jsonl")
    assert stored == judged(
        book.packets[0], hallucination=True, clarity=2, appropriateness=5, remark="seen in a browser"
    )

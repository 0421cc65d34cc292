"""A server on loopback that speaks Chat Completions and misbehaves as told."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Say:
    """A text."""

    text: str
    finish: str = "stop"


@dataclass(frozen=True)
class Call:
    """Tool calls, each a name and the text of its arguments, beside a text."""

    calls: tuple[tuple[str, str], ...]
    text: str | None = None


@dataclass(frozen=True)
class Fail:
    """A status instead of an answer."""

    status: int
    message: str = "no"
    retry_after: int | None = None


@dataclass(frozen=True)
class Stall:
    """Nothing for so many seconds, then a closed connection."""

    seconds: float


@dataclass(frozen=True)
class HalfReply:
    """Half the bytes that were announced, then a closed connection."""


@dataclass(frozen=True)
class Reply:
    """Anything at all, put over a usual completion; a `message` in it becomes the only choice."""

    values: dict[str, Any]


Step = Say | Call | Fail | Stall | HalfReply | Reply
Script = Callable[[list[dict[str, Any]]], Step]
"""What to answer to these messages."""


@dataclass
class Request:
    """One request as it came."""

    at: float
    body: dict[str, Any]
    key: str
    answered: float = 0
    """When the answer began to leave."""


@dataclass
class ChatStub:
    """The server's address, and what it was asked."""

    url: str
    requests: list[Request] = field(default_factory=list)


@contextmanager
def chat_stub(script: Script) -> Iterator[ChatStub]:
    """A running server."""
    stub = ChatStub("")
    stop = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.request_record = Request(time.monotonic(), body, self.headers.get("Authorization", ""))
            stub.requests.append(self.request_record)
            if not self.path.endswith("/chat/completions"):
                return self._send(404, {"error": {"message": f"no {self.path}"}})
            match script(body["messages"]):
                case Fail(status, message, retry_after):
                    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
                    return self._send(status, {"error": {"message": message, "code": status}}, headers)
                case Stall(seconds):
                    stop.wait(seconds)
                    self.close_connection = True
                    return None
                case HalfReply():
                    whole = json.dumps(_completion(body, Say("x" * 500))).encode()
                    self._head(200, len(whole), {})
                    self.wfile.write(whole[: len(whole) // 2])
                    self.close_connection = True
                    return None
                case Reply(values):
                    return self._send(200, _any_completion(body, values))
                case step:
                    return self._send(200, _completion(body, step))

        def _send(self, status: int, value: object, headers: dict[str, str] | None = None) -> None:
            content = json.dumps(value).encode()
            self._head(status, len(content), headers or {})
            self.wfile.write(content)

        def _head(self, status: int, length: int, headers: dict[str, str]) -> None:
            self.request_record.answered = time.monotonic()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(length))
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    stub.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        stop.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _any_completion(body: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    whole = {**_completion(body, Say("")), **values}
    if "message" in whole:
        whole["choices"][0]["message"] |= whole.pop("message")
    return whole


def _completion(body: dict[str, Any], step: Step) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": None}
    finish = "stop"
    match step:
        case Say(text, finish):
            message["content"] = text
        case Call(calls, text):
            message["content"], finish = text, "tool_calls"
            message["tool_calls"] = [
                {"id": f"call_{index}", "type": "function", "function": {"name": name, "arguments": arguments}}
                for index, (name, arguments) in enumerate(calls)
            ]
    return {
        "id": "x",
        "object": "chat.completion",
        "created": 0,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }

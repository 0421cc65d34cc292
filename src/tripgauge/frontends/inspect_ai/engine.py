"""Runs through Inspect AI: a model by name, our records in the run folder, and its own log for `inspect view`."""

import asyncio
import json
from collections.abc import Callable, Collection, Sequence
from typing import Any

import inspect_ai
from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.model import Model as NativeModel
from rich.text import Text

from tripgauge.chat import Message, ToolSpec
from tripgauge.conversation import NO_MODE, EndReason, Held, InfrastructureError, Transcript, Turn
from tripgauge.errors import UsageError
from tripgauge.frontends.inspect_ai.model import InspectModel, Patience, one_line, prepared
from tripgauge.frontends.inspect_ai.task import NOT_BEGUN, dialogue, inspect_task
from tripgauge.prices import Price
from tripgauge.runs import Key, ModelSettings, RunFolder, Work

PAPER_SETTINGS = ModelSettings()
PUBLISHED_PATIENCE = Patience()

PROBE = (Message("user", "Answer with one word: ready?"),)
PROBE_TOOL = ToolSpec("noop", "Does nothing.", {"type": "object", "properties": {}, "required": []})
PROBE_TOKENS = 16
PROBE_PATIENCE = Patience(attempts=2, seconds=60, first_wait=1)

LOGS = "inspect"
"""The folder of Inspect's logs inside a run folder."""


class InspectEngine:
    """Asks a model through Inspect AI."""

    version: str | None = f"inspect-ai {inspect_ai.__version__}"

    def __init__(
        self,
        model: str | NativeModel,
        settings: ModelSettings = PAPER_SETTINGS,
        base_url: str | None = None,
        price: Price | None = None,
        patience: Patience = PUBLISHED_PATIENCE,
    ) -> None:
        """`model` is a name as Inspect knows it, such as "openai/gpt-5" or "openai-api/local/qwen3".

        Raises UsageError if there is no such provider, or its key or package is missing.
        """
        self._name, self._settings, self._base_url = model, settings, base_url
        self._native = self._make(settings.max_tokens)
        self.model: InspectModel = InspectModel(self._native, price, patience)

    def _make(self, max_tokens: int | None) -> NativeModel:
        if not isinstance(self._name, str):
            return prepared(self._name)
        settings = self._settings
        options = {name: _value(text) for name, text in (settings.options or {}).items()}
        arguments = {name: value for name, value in options.items() if name not in GenerateConfig.model_fields}
        sampling = {name: value for name, value in options.items() if name in GenerateConfig.model_fields}
        try:
            config = GenerateConfig(
                temperature=settings.temperature, top_p=settings.top_p, max_tokens=max_tokens, seed=settings.seed
            ).merge(GenerateConfig(**sampling))
            native = get_model(self._name, config=config, base_url=self._base_url, memoize=False, **arguments)
        except Exception as error:
            raise UsageError(f"{self._name} cannot be asked: {_plain(error)}") from error
        return prepared(native)

    def probe(self) -> None:
        """Asks the model once, with a tool. Raises UsageError with the reason if it does not answer."""
        try:
            asyncio.run(self._probe())
        except InfrastructureError as error:
            raise UsageError(f"{self._name} cannot be asked: {error}") from None

    async def _probe(self) -> None:
        tokens = min(self._settings.max_tokens or PROBE_TOKENS, PROBE_TOKENS)
        async with self._make(tokens) as native:
            await InspectModel(native, patience=PROBE_PATIENCE)(PROBE, [PROBE_TOOL])

    def carry_out(self, folder: RunFolder, work: Work) -> None:
        """Holds what is missing in the folder, as one evaluation of Inspect."""
        refusals: list[UsageError] = []
        stored: set[Key] = set()

        def on_held(held: Held) -> None:
            stored.add((held.transcript.task, held.transcript.trial))
            folder.keep(held)
            work.on_held(held)

        solving = dialogue(
            benchmark=work.benchmark,
            new_agent=lambda model: work.new_agent(),
            limits=work.limits,
            seed=work.seed,
            on_held=on_held,
            may_start=_noting(work.may_start, refusals),
        )
        logs = inspect_ai.eval(
            inspect_task(work.benchmark, solving, folder.missing()),
            model=self._native,
            log_dir=str(folder.path / LOGS),
            display="none",
            max_samples=work.max_connections,
            max_connections=work.max_connections,
        )
        for held in _broken(logs, stored):
            on_held(held)
        if refusals:
            raise refusals[0]
        if not logs or logs[0].status == "cancelled":
            raise KeyboardInterrupt
        if logs[0].status == "error" and logs[0].error is not None:
            raise RuntimeError(f"Inspect AI stopped: {logs[0].error.message}")


def _broken(logs: Sequence[EvalLog], stored: Collection[Key]) -> Sequence[Held]:
    """Conversations that Inspect ended outside our loop, with its reason."""
    broken = []
    for sample in (sample for log in logs for sample in log.samples or ()):
        key = (sample.metadata["task"], sample.metadata["trial"])
        if sample.error is not None and key not in stored and NOT_BEGUN not in sample.error.message:
            turn = Turn("", "", NO_MODE, EndReason.ERRORED, one_line(sample.error.message))
            broken.append(Held(Transcript(*key, (turn,), None), (0.0,)))
    return broken


def _noting(may_start: Callable[[], bool], refusals: list[UsageError]) -> Callable[[], bool]:
    """Inspect takes an exception for the failure of one sample; a fault of the operator is kept for all of them."""

    def noted() -> bool:
        try:
            return not refusals and may_start()
        except UsageError as error:
            refusals.append(error)
            return False

    return noted


def _value(text: str) -> Any:
    """An argument as JSON where it is that: a number, true or false; else as text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _plain(error: Exception) -> str:
    """What Inspect says, in one line and without its markup."""
    line = " ".join(Text.from_markup(str(error)).plain.split()).removeprefix("ERROR: ")
    return line or type(error).__name__

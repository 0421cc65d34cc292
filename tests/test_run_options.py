"""The options of `tripgauge run`: what does not go together is refused in one line before anything is run."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from tripgauge.cli import app
from tripgauge.errors import UsageError

AGENT = ("--agent", "tripgauge.trip_plus.agents:IdleAgent")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ((*AGENT, "--temperature", "0.7"), "--temperature goes with --model"),
        ((*AGENT, "--top-p", "0.5"), "--top-p goes with --model"),
        ((*AGENT, "--no-sampling"), "--no-sampling goes with --model"),
        ((*AGENT, "--max-tokens", "5"), "--max-tokens goes with --model"),
        ((*AGENT, "--model-option", "a=b"), "--model-option goes with --model"),
        (("compass", *AGENT, "--edition", "release"), "--edition is for Trip"),
        (("compass", *AGENT, "--queries", "query.json", "--data", "here"), "--queries is for Trip"),
        (("compass", *AGENT, "--city-data", "here"), "--city-data is for Trip"),
        ((*AGENT, "--seconds-per-task", "nan"), "--seconds-per-task nan: expected seconds above 0"),
        ((*AGENT, "--seconds-per-task", "-1"), "--seconds-per-task -1"),
        ((*AGENT, "--seconds-per-call", "0"), "--seconds-per-call 0"),
        (("--model", "openai/some", "--temperature", "-5"), "--temperature -5: expected a number from 0"),
        (("--model", "openai/some", "--temperature", "nan"), "--temperature nan"),
        (("--model", "openai/some", "--top-p", "1.5"), "--top-p 1.5"),
        ((*AGENT, "--agent-option", "k=a", "--agent-option", "k=b"), "k is given 2 times"),
    ],
)
def test_options_that_mean_nothing_here_are_refused_not_ignored(
    tmp_path: Path, arguments: tuple[str, ...], reason: str
) -> None:
    result = CliRunner().invoke(app, ["run", *arguments, "--out", str(tmp_path / "run")])

    assert isinstance(result.exception, UsageError)
    assert reason in str(result.exception)
    assert not (tmp_path / "run").exists()


def test_trip_plus_files_named_in_the_environment_do_not_disturb_a_compass_run(tmp_path: Path) -> None:
    arguments = ["run", "compass", "--agent", "tripgauge.compass.agents:CheapestSeen", "--limit", "1"]
    environment = {"TRIPGAUGE_QUERIES": "query.json", "TRIPGAUGE_DATA": "database"}

    result = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "run")], env=environment)

    assert result.exit_code == 0, result.output
    assert "tripgauge analyze" in result.output, "what goes on with a COMPASS run"
    assert "tripgauge score" not in result.output

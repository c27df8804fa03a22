# Each target sets up the virtual environment that it needs, where there is only Python and make.
SHELL := /bin/sh
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && exit; done; echo python3)
BIN := .venv/bin
QUESTION := $(shell head -n 1 two_loops/samples/questions.txt)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

RELEASES := -m pip list --disable-pip-version-check | grep -E '^(anthropic|pydantic|structlog|rich|typer|genai-prices) '

.PHONY: ask demo bench bench-evals bench-search prove test coverage test-oldest test-newest check static format clean

ask: .venv/runs  ## ask the first sample question through both agents, without a key
	@$(BIN)/two-loops ask "$(QUESTION)" --model offline --agent manual
	@$(BIN)/two-loops ask "$(QUESTION)" --model offline --agent runner

demo: .venv/runs  ## play three scripted runs through both agents, step by step, without a key
	@$(BIN)/two-loops demo

bench: .venv/tests  ## measure what the guards cost
	$(BIN)/python -m tests.benchmarks.overhead

bench-evals: .venv/tests  ## run a thousand cases through both agents
	$(BIN)/python -m tests.benchmarks.evals

bench-search: .venv/tests  ## measure how well and how fast the search finds, beside the plainest one
	$(BIN)/python -m tests.benchmarks.search $(DATA)

prove: .venv/tests  ## try 20,000 generated conversations in every way, and hold each run to every property
	$(BIN)/python -m tests.prove

test: .venv/tests  ## run the tests
	$(BIN)/python -m pytest -n 2

coverage: .venv/tests  ## run the tests with branch coverage, which takes a third longer
	$(BIN)/python -m pytest -n 2 --cov --cov-report=term --cov-fail-under=98

test-oldest: .venv/python  ## run the tests on the oldest releases that pyproject.toml allows
	@"$(PYTHON)" -m venv --clear .venv-oldest
	@"$(PYTHON)" -m tests.oldest > .venv-oldest/constraints.txt
	@.venv-oldest/bin/python -m pip install --quiet --disable-pip-version-check -c .venv-oldest/constraints.txt -e '.[dev]'
	@.venv-oldest/bin/python $(RELEASES)
	.venv-oldest/bin/python -m pytest -n 2 -p no:cacheprovider

test-newest: .venv/python  ## run the tests on the newest releases that pyproject.toml allows
	@"$(PYTHON)" -m venv --clear .venv-newest
	@.venv-newest/bin/python -m pip install --quiet --disable-pip-version-check --upgrade --upgrade-strategy eager -e '.[dev]'
	@.venv-newest/bin/python $(RELEASES)
	.venv-newest/bin/python -m pytest -n 2 -p no:cacheprovider

check: static test  ## format, lint, types and tests

static: .venv/tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: .venv/tests
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf .venv .venv-oldest .venv-newest .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis

.venv/python:
	@"$(PYTHON)" -c '' 2>/dev/null || { echo "two-loops needs Python 3.11 or newer, and there is no $(PYTHON)" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "two-loops needs Python 3.11 or newer; $(PYTHON) is older: make PYTHON=/path/to/a/newer/python" >&2; exit 1; }
	@"$(PYTHON)" -c 'import venv, ensurepip' 2>/dev/null || \
		{ echo "two-loops needs Python's venv module (on Debian: apt install python3-venv)" >&2; exit 1; }
	@"$(PYTHON)" -m venv .venv && touch $@

.venv/runs: .venv/python pyproject.toml
	@$(PIP) -e . && touch $@

.venv/tests: .venv/python pyproject.toml
	@$(PIP) -e '.[dev]' && touch $@ .venv/runs

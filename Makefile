# Everything runs in a virtual environment made here; a machine with Python 3.11, gcc and make needs nothing else.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help demo studio lint-studio test test-slow test-peers validate bench lint types docs clean

help:  ## what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 13

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $@

$(VENV)/bench: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[bench]'
	touch $@

$(VENV)/docs: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	touch $@

demo: $(VENV)/installed  ## simulate a double pendulum, plot and animate it (results in out/)
	$(BIN)/bielle run double_pendulum --out out/double_pendulum
	@echo "To open it in the studio: make studio"

# The page of the studio: built again when its sources have changed.
PAGE := src/bielle/studio/static/index.html
PAGE_SOURCES := $(shell find studio/web -type f -not -path '*/node_modules/*') studio/build.py

$(PAGE): $(PAGE_SOURCES)
	$(PYTHON) studio/build.py
	touch $@

studio: $(VENV)/installed $(PAGE)  ## build the studio's page once and open it (needs node)
	$(BIN)/bielle studio

lint-studio: $(PAGE)  ## style and types of the studio's page, and its own tests
	cd studio/web && npm run --silent lint && npm run --silent check && npm test --silent

test: $(VENV)/installed $(PAGE)  ## all tests of the default run
	$(BIN)/bielle warmup --quiet
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m "not slow and not peers"

test-slow: $(VENV)/installed $(PAGE)  ## the long ones too
	$(BIN)/python -m pytest -n 2 -m "not peers"

test-peers: $(VENV)/bench  ## comparisons with other programs, which are installed for them
	$(BIN)/python -m pytest -n 2 -m peers

validate: $(VENV)/installed  ## published problems, with every solver
	$(BIN)/bielle validate --solvers

bench: $(VENV)/bench  ## bielle beside other programs, in one run
	$(BIN)/bielle warmup --quiet
	$(BIN)/bielle bench

lint: $(VENV)/installed  ## style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/installed  ## types
	$(BIN)/pyright

docs: $(VENV)/docs  ## HTML documentation in docs/_build
	$(BIN)/sphinx-build -q -W -b html docs docs/_build/html

clean:  ## remove everything that was made
	rm -rf $(VENV) src/bielle/studio/static studio/web/node_modules out docs/_build .pytest_cache .ruff_cache .hypothesis

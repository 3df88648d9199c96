# make serve   a sandbox on this machine, set up on first use
# make test    every check and test of the project
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin

.PHONY: serve test install develop check docs model-card bench wheel lock clean

serve: install
	$(BIN)/credence serve

install: $(VENV)/.run

develop: $(VENV)/.dev

test: develop
	$(BIN)/python -m tests.provision
	$(MAKE) check
	$(BIN)/pytest

check: develop
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m tools.generate --check

docs: develop
	$(BIN)/python -m tools.generate

model-card: develop
	$(BIN)/python -m training validate --card docs

bench: develop
	$(BIN)/python -m bench

# Builds the wheel into dist/, from this source and without a download.
wheel: install
	$(BIN)/pip wheel -q --disable-pip-version-check --no-build-isolation --no-deps --no-index --wheel-dir dist .

# Rewrites the locked and hashed dependencies; they hold no index address.
COMPILE := $(BIN)/pip-compile -q --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
	--no-header --allow-unsafe --strip-extras --upgrade
lock: $(VENV)/bin/python
	$(BIN)/python -c 'import piptools' || $(BIN)/pip install -q pip-tools
	$(COMPILE) --build-deps-for editable -o requirements/run.txt pyproject.toml
	$(COMPILE) --extra dev --extra training --constraint requirements/run.txt -o requirements/dev.txt pyproject.toml

clean:
	rm -rf $(VENV) dist .mypy_cache .ruff_cache .pytest_cache

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: $(VENV)/bin/python requirements/run.txt pyproject.toml
	$(BIN)/pip install -q --disable-pip-version-check --require-hashes -r requirements/run.txt
	$(BIN)/pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/.dev: $(VENV)/.run requirements/dev.txt
	$(BIN)/pip install -q --disable-pip-version-check --require-hashes -r requirements/dev.txt
	touch $@

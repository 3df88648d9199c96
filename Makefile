# make serve      a sandbox on this machine, set up on first use
# make test       every check and test that decides on a change
# make test-long  the same tests with much larger samples, those that take minutes, and their coverage: for the night
PYTHON ?=
VENV := .venv
BIN := $(VENV)/bin

# Processes that run tests at once. Many tests wait, so there are more than the processor has cores.
TEST_WORKERS ?= $(shell echo $$(( $$(nproc) * 2 )))

# Without compiled files each program that a test starts would compile everything again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: serve test test-long test-pythons run-tests mutants install develop check docs model-card pictures bench release wheel lock clean

# With the operator console, on a port of its own.
serve: export CREDENCE_MANAGE_PORT ?= 8444
serve: install
	$(BIN)/credence serve

install: $(VENV)/.run

develop: $(VENV)/.dev

test: develop
	$(BIN)/python -m tests.provision
	$(MAKE) --no-print-directory --jobs=2 check run-tests

# A file's tests stay together, for they share what they start. A process that dies is not replaced: xdist would give its test
# to the next, without end.
PYTEST := pytest --numprocesses=$(TEST_WORKERS) --dist=loadfile --no-loadscope-reorder --max-worker-restart=0

# Up to three tests that failed run once more, alone, if the run was a whole one; see tests/once_more.py.
run-tests: develop
	$(BIN)/$(PYTEST) || { test $$? -eq 1 && $(BIN)/python -m tests.once_more; }

test-long: export CREDENCE_TEST_LONG := 1
test-long: develop
	$(BIN)/python -m tests.provision
	$(BIN)/coverage erase
	$(BIN)/coverage run -m $(PYTEST) -m ""
	$(BIN)/coverage combine -q
	$(BIN)/coverage report
	$(BIN)/python -m tests.long.histories
	$(BIN)/python -m tests.long.failover
	$(BIN)/python -m tests.long.regions
	$(MAKE) --no-print-directory test-pythons

# The whole run on each other Python of the classifiers, in an environment of its own. One that the machine lacks is named, and
# the command fails: a run that did not take place is no success.
PYTHONS ?= 3.11 3.12 3.13
test-pythons: develop
	$(BIN)/python -m tests.provision
	for version in $(PYTHONS); do \
		case "$$($(BIN)/python -V)" in *" $$version."*) continue;; esac; \
		found="$$(ls -d "$$HOME"/.pyenv/versions/$$version.*/bin/python 2>/dev/null | tail -1)"; \
		if python$$version -c '' 2>/dev/null; then found=python$$version; fi; \
		if [ -z "$$found" ]; then echo "Python $$version is missing: nothing was run on it"; failed=1; continue; fi; \
		$(MAKE) --no-print-directory VENV=$(VENV)/pythons/$$version PYTHON="$$found" run-tests || failed=1; \
	done; exit $${failed:-0}

# Plants faults in these packages and counts those at which a test fails, some hours if every mutant is tried.
MUTANTS ?= 200
mutants: develop
	$(BIN)/pip install -q --disable-pip-version-check --no-deps mutmut==3.8.1 libcst==1.9.0
	for package in crypto ratelimit screening access oauth store; do \
		$(BIN)/python -m tests.mutation $$package --sample $(MUTANTS) || failed=1; \
	done; exit $${failed:-0}

check: develop
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m tools.generate --check

docs: develop
	$(BIN)/python -m tools.generate

model-card: develop
	$(BIN)/python -m training validate --card docs

# Takes the pictures of the README again, from a new sandbox: needs Chromium.
pictures: develop
	$(BIN)/python -m tests.pictures

bench: develop
	$(BIN)/python -m bench

# Builds the release of the commit that is checked out into dist/, on Debian 12 with Python 3.11 (docs/releasing.md).
# SIGN_WITH=FILE signs it with a private key.
release: install
	$(BIN)/python -m tools.release build $(if $(SIGN_WITH),--sign-with "$(SIGN_WITH)")

# The part of a release that needs no download, from this source as it is: the wheel, the hashed versions of what it needs,
# the files for systemd and the man page.
wheel: install
	$(BIN)/pip wheel -q --disable-pip-version-check --no-build-isolation --no-deps --no-index --wheel-dir dist .
	cp requirements/run.txt dist/requirements.txt
	cp requirements/otel.txt dist/requirements-otel.txt
	cp deploy/systemd/credence.service deploy/systemd/credence.env deploy/systemd/credence.sysusers docs/credence.1 dist/

# Rewrites the locked and hashed dependencies; they hold no index address. Run it with the oldest Python 3.11 at hand (PYTHON=):
# the newest version of a package may refuse an older one.
COMPILE := $(BIN)/pip-compile -q --generate-hashes --no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
	--no-header --allow-unsafe --strip-extras --upgrade
lock: $(VENV)/bin/python
	$(BIN)/python -c 'import piptools' || $(BIN)/pip install -q pip-tools
	$(COMPILE) --build-deps-for editable -o requirements/run.txt pyproject.toml
	$(COMPILE) --extra otel --constraint requirements/run.txt -o requirements/otel.txt pyproject.toml
	$(COMPILE) --extra dev --extra otel --extra training --constraint requirements/run.txt -o requirements/dev.txt pyproject.toml

clean:
	rm -rf $(VENV) dist .mypy_cache .ruff_cache .pytest_cache

$(VENV)/bin/python:
	python="$(or $(PYTHON),$$(sh tools/choose_python.sh))" && "$$python" -m venv $(VENV)

$(VENV)/.run: $(VENV)/bin/python requirements/run.txt pyproject.toml
	$(BIN)/pip install -q --disable-pip-version-check --require-hashes -r requirements/run.txt
	$(BIN)/pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/.dev: $(VENV)/.run requirements/dev.txt
	$(BIN)/pip install -q --disable-pip-version-check --require-hashes -r requirements/dev.txt
	touch $@

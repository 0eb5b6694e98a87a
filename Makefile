# empirelab: `make demo` shows what it does, `make test` checks that it does it.
.DEFAULT_GOAL := help
.PHONY: help install install-dev hooks demo test test-quick slow-tests test-full test-nojit lint type format bench picture golden digests digests-renew notebooks api docs lock clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# The matrices are small: threads of numpy's linear algebra would wait for each other longer than they work.
export OPENBLAS_NUM_THREADS ?= 1
# Kept bytecode saves each process seconds: pytest would write every assertion anew in each of its workers.
unexport PYTHONDONTWRITEBYTECODE
# So would the threads of Polars, of which each of the workers of pytest would have as many as there are cores.
PYTEST := POLARS_MAX_THREADS=1 $(BIN)/python -m pytest --numprocesses logical --dist worksteal
DEMO := runs/demo

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(VENV)/installed  ## make .venv with the pinned dependencies; the program is then .venv/bin/empirelab

install-dev: $(VENV)/installed-dev  ## the same with what tests and linters need

$(VENV)/installed: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; name one with: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || { echo "This Python comes without venv; on Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@echo "making $(VENV) and installing pinned packages (once)"
	$(PYTHON) -m venv --clear $(VENV)
	$(PIP) install --require-hashes -r requirements.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/installed-dev: requirements-dev.lock $(VENV)/installed
	$(PIP) install --require-hashes -r requirements-dev.lock
	@touch $@

hooks: install-dev  ## let git run the linters before each commit
	$(BIN)/pre-commit install

# The report shows what the ladder found, so the ladder's own tables are not printed.
demo: install  ## simulate 100,000 games and a ladder of 25,200, and write runs/demo.html
	$(BIN)/empirelab run configs/runs/demo.toml --out $(DEMO) --overwrite
	$(BIN)/empirelab ladder seven_wonders --rungs balanced,expert+8 --out $(DEMO)-ladder --overwrite > /dev/null
	$(BIN)/empirelab report $(DEMO) --ladder $(DEMO)-ladder --html $(DEMO).html --csv $(DEMO).csv

test: install-dev  ## all tests, on all cores
	$(PYTEST)

test-quick: install-dev  ## what to run at every step: all tests that take no time
	$(PYTEST) -m "not slow"

slow-tests: install-dev  ## note anew which tests `make test-quick` leaves out, by how long they take here
	$(PYTEST) --note-slow

test-full: install-dev  ## all tests, with broad sweeps where `make test` tries samples
	$(PYTEST) --full

test-nojit: install-dev  ## the rules' tests with nothing compiled
	NUMBA_DISABLE_JIT=1 $(PYTEST) tests/engine tests/games tests/kit

lint: install-dev  ## ruff: style and layout
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

type: install-dev  ## mypy
	$(BIN)/mypy

format: install-dev  ## let ruff lay out the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: install  ## measure the speed of all games, keep it in benchmarks/, compare it with what was kept last, and write the README's table
	$(BIN)/empirelab bench all --no-start --whole 0 --keep benchmarks
	$(BIN)/python docs/make_speed_table.py

picture: install-dev demo  ## take the README's picture of a page, docs/report.png, with chromium
	$(BIN)/python docs/make_picture.py $(DEMO).html

golden: install-dev  ## write the golden games, pages of messages and kept pages of reports again; review the diff
	EMPIRELAB_GOLDEN=write $(PYTEST) tests/kit/test_kit_golden.py tests/kit/test_kit_positions.py tests/games/test_games_mistakes.py tests/cli/test_cli_refused.py tests/reports -k "golden or positions or mistakes or page_says or as_kept"

digests: install-dev  ## play the reference runs and compare them with the digests that are kept
	$(BIN)/python -m tests.kit.reference_runs

digests-renew: install-dev  ## write the digests again, after a change that is to change results
	$(BIN)/python -m tests.kit.reference_runs --renew

notebooks: install-dev  ## execute the notebooks in place, at full size
	$(BIN)/python notebooks/execute.py

api: install-dev  ## write docs/api/, the reference of all functions, from their docstrings
	$(BIN)/python docs/make_api.py

docs: api  ## write the page of all commands, and site/: the documentation and that reference; a broken link is an error
	$(BIN)/python docs/make_command_line.py
	$(BIN)/python docs/make_site.py

COMPILE = $(BIN)/pip-compile --quiet --upgrade --generate-hashes --strip-extras --no-header --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options
lock: install-dev  ## resolve the dependencies again
	$(PIP) install pip-tools
	$(COMPILE) --extra build -o requirements.lock pyproject.toml
	$(COMPILE) --extra build --extra dev -c requirements.lock -o requirements-dev.lock pyproject.toml
	$(COMPILE) -o - requirements-elsewhere.in | sed -E \
	    -e '/^appnope==/s/ / ; sys_platform == "darwin" /' -e '/^(colorama|tzdata)==/s/ / ; sys_platform == "win32" /' \
	    | tee -a requirements-dev.lock | sed '/^appnope==/,/# via/d' >> requirements.lock

clean:  ## remove the environment, caches and demo results
	rm -rf site $(VENV) $(DEMO) $(DEMO)-ladder $(DEMO).html $(DEMO).csv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

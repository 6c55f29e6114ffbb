# Everything runs in .venv, which is made when missing and renewed when pyproject.toml changes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2

.DEFAULT_GOAL := help
.PHONY: help demo test test-long cover lint format type ci clean

help: ## show these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "lethal needs Python 3.11 or newer; name one: make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)

# One stamp for each set of dependencies, so that a newcomer's demo does not wait for the developers' tools.
$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install -q -e .
	@touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install -q -e '.[test]'
	@touch $@ $(VENV)/.demo

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install -q -e '.[dev]'
	@touch $@ $(VENV)/.test $(VENV)/.demo

# Before 2010 a trampler could not count on another creature's deathtouch: all 6 past the guard is refused.
TEMPTING := Acidic Slime → Palace Guard 2; Yavimaya Wurm → player 6

demo: $(VENV)/.demo ## list a combat's legal assignments, then check a tempting illegal one
	$(BIN)/python -m lethal solve examples/palace-guard.toml
	@echo
	$(BIN)/python -m lethal list examples/palace-guard.toml
	@echo
	@echo 'lethal check examples/palace-guard.toml --rules stack --assignment "$(TEMPTING)"'
	@$(BIN)/python -m lethal check examples/palace-guard.toml --rules stack --assignment "$(TEMPTING)"; \
	status=$$?; test $$status -eq 1 || { echo "expected the answer no (exit 1), got exit $$status" >&2; exit 1; }

test: $(VENV)/.test ## the tests, but for those that take minutes
	$(BIN)/python -m pytest -q -n $(JOBS)

test-long: $(VENV)/.test ## only the tests that take minutes
	$(BIN)/python -m pytest -q -n $(JOBS) -m slow

cover: $(VENV)/.test ## the tests with branch coverage
	$(BIN)/python -m pytest -q -n $(JOBS) --cov --cov-report=term

lint: $(VENV)/.dev ## ruff: rules and format
	$(BIN)/ruff check
	$(BIN)/ruff format --check

format: $(VENV)/.dev ## let ruff mend what it can
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

type: $(VENV)/.dev ## mypy --strict
	$(BIN)/mypy --strict

ci: ## all that must hold before a change lands
	.ci/run

clean: ## remove the venv and everything generated
	rm -rf $(VENV) build dist lethal.egg-info .pytest_cache .ruff_cache .mypy_cache .hypothesis .coverage .coverage.* htmlcov
	find src solver models tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

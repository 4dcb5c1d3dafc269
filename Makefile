# Copyright 2026 The pyspark-lineage authors
# SPDX-License-Identifier: Apache-2.0
#
#   make demo          a small pipeline with the agent attached; its lineage as a tree
#   make test          lint, unit tests, integration tests on the oldest and the newest Spark
#
# Everything sets itself up in .venv/ (see scripts/venv.sh). Needed on the machine: Python >= 3.10 and Java 17.

OLDEST = 3.5.9
NEWEST = 4.3.0
MATRIX = $(OLDEST) 4.0.5 4.1.4 4.2.1 $(NEWEST)
# Which Sparks `make test` runs the integration tests on:  make test SPARK="4.1.4"
SPARK  = $(OLDEST) $(NEWEST)
# The slow tier (minutes a test) is left out unless asked for:  make test SLOW=1
SLOW   =
# More arguments for pytest:  make unit PYTEST="-k naming -x"
PYTEST =

in_newest = @scripts/venv.sh $(NEWEST) dev

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test test-matrix lint unit bench clean

help:  ## what there is
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 24

demo:  ## a small pipeline with the agent attached; its lineage as a tree
	@scripts/venv.sh $(NEWEST) runtime pyspark-lineage demo --keep .demo

test: lint unit $(SPARK:%=integration-%)  ## lint, unit tests, integration tests (SPARK="3.5.9 4.3.0")

test-matrix: $(MATRIX:%=integration-%)  ## integration tests on every Spark we know

lint:  ## ruff and mypy --strict
	$(in_newest) ruff check .
	$(in_newest) ruff format --check .
	$(in_newest) mypy

unit:  ## unit tests: no JVM, seconds
	$(in_newest) python -m pytest tests/unit $(PYTEST)

integration-%:
	@echo "integration tests on Spark $*"
	@scripts/venv.sh $* dev python -m pytest tests/integration $(if $(SLOW),,-m "not slow") --durations=8 $(PYTEST)

bench:  ## what the agent costs, side by side with no agent
	$(in_newest) python -m benchmarks

clean:  ## remove environments and everything that was made
	rm -rf .venv .demo build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

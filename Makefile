# Needs make and Python 3.11 or newer with venv; everything else comes from deploy/locks, checked by hash.
SHELL := /bin/bash
PYTHON ?= python3
ARGS ?=
WORKERS ?= auto

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_REQUIRE_VIRTUALENV := 1

DEBIAN_PACKAGES = $(shell sed 's/\#.*//' deploy/debian-packages.txt)

.PHONY: help demo test check mutate soak adversity format locks clean debian-packages
.DELETE_ON_ERROR:

help: ## show this list
	@grep -hE '^[a-z.-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 17

demo: .venv-demo ## play linked tables against a server of their own; ARGS="--tables 4 --rounds 250"
	@.venv-demo/bin/jackpot demo $(ARGS)

# Each worker runs an embedded Postgres of its own, so files are spread whole (tests/conftest.py) and over few workers.
test: .venv debian-packages ## run all tests; ARGS="tests/rules -k royal" WORKERS=0
	.venv/bin/python -m pytest --numprocesses=$(WORKERS) --maxprocesses=4 --dist=loadgroup $(ARGS)

check: .venv ## format, lint, types, tidy
	.venv/bin/ruff format --check
	.venv/bin/ruff check
	.venv/bin/mypy
	.venv/bin/python -m pytest -q tests/tidy

N ?= 50
SEED ?= 1
mutate: .venv ## take N cited lines of rules/COVERAGE.md away, chosen by SEED: the tests named must go red
	@.venv/bin/python -m tests.mutate -n $(N) --seed $(SEED) $(ARGS)

SECONDS ?= 60
soak: .venv ## play random histories of a link under every fault for SECONDS, a new seed each; ends with one line
	@.venv/bin/python -m tests.sim --seconds $(SECONDS) $(ARGS)

adversity: .venv ## break the real programs in every known way while tables play, and compare by id; ARGS="--json --times 2"
	@.venv/bin/python -m tests.adversity.matrix $(ARGS)

format: .venv ## rewrite the sources in the one format
	.venv/bin/ruff format
	.venv/bin/ruff check --fix

.venv: .venv/.complete ## the environment of developers, with jackpot and tablelink in .venv/bin
.venv-demo: .venv-demo/.complete

.venv/.complete: deploy/locks/development.txt
.venv-demo/.complete: deploy/locks/runtime.txt

# The stamp is written last: what stopped half way is taken up again. Made in place, so that an upgrade does not pull
# the environment from under a running program; `make clean` first gives one without leftovers.
.venv/.complete .venv-demo/.complete: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "$(PYTHON) is older than Python 3.11; name another: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --require-hashes --only-binary=:all: -r $(filter deploy/locks/%,$^)
	$(@D)/bin/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# The locks hold for every platform and Python from 3.11 on, and name no index.
COMPILE := .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate

locks: ## write deploy/locks anew from pyproject.toml; ARGS="--upgrade"
	$(COMPILE) $(ARGS) --extra server --extra table --group build --output-file deploy/locks/runtime.txt pyproject.toml
	$(COMPILE) $(ARGS) --extra table --group build --output-file deploy/locks/table.txt pyproject.toml
	$(COMPILE) $(ARGS) --extra development --group build --output-file deploy/locks/development.txt pyproject.toml

# Not root, or not Debian: the tests that need a program say which one is not there.
# Packages of servers are kept from starting them, and from making a cluster that nobody asked for.
debian-packages: ## install what the tests need of Debian, where it is missing and we are root
	@missing=; for package in $(DEBIAN_PACKAGES); do \
	  dpkg-query --show --showformat='$${db:Status-Status}\n' $$package 2>/dev/null | grep -qx installed \
	    || missing+=" $$package"; \
	done; \
	if [ -n "$$missing" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "installing$$missing"; export DEBIAN_FRONTEND=noninteractive; \
	  conf=/etc/postgresql-common; [ -e $$conf ] || { mkdir -p $$conf/createcluster.d; \
	    echo 'create_main_cluster = false' > $$conf/createcluster.d/none-by-itself.conf; }; \
	  policy=/usr/sbin/policy-rc.d; [ -e $$policy ] || { printf '#!/bin/sh\nexit 101\n' > $$policy; \
	    chmod +x $$policy; trap 'rm -f /usr/sbin/policy-rc.d' EXIT; }; \
	  apt-get -qq update && apt-get -qq install --yes --no-install-recommends $$missing >/dev/null; \
	elif [ -n "$$missing" ]; then echo "not installed here:$$missing; tests that need them will fail"; fi

clean: ## remove what make made
	rm -rf .venv .venv-demo .mypy_cache .ruff_cache .pytest_cache .hypothesis

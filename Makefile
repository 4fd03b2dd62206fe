# Two commands do everything on a fresh machine: make demo, make test.
PYTHON ?= python3
BIN := .venv/bin
# Tests of a module on one worker, in the order of tests/conftest.py.
WORKERS := -n 2 --dist loadscope --no-loadscope-reorder

.PHONY: demo studio test quick bench lint format native page wheel browser fortran latex coverage measures clean

demo: .venv/runtime page
	$(BIN)/python scripts/demo.py out

# The same machine live, in the browser.
studio: .venv/runtime page
	$(BIN)/pliant studio examples/crank_rocker.yaml

test: .venv/development page browser fortran latex lint
	cd web && npm test
	$(BIN)/pytest $(WORKERS)

# Before every commit: lint, types, and the tests that matter most, in less than three minutes.
QUICK := tests/broken tests/conformance/test_joints.py tests/unit/reading tests/unit/code tests/unit/bonds \
	tests/unit/graphs tests/unit/model tests/unit/results tests/unit/solve tests/unit/spatial \
	tests/unit/analysis/test_forces.py tests/unit/analysis/test_large_angles.py \
	tests/unit/analysis/test_steady_modes.py
VERDICTS := pendulum planar_slider_crank crank_rocker rotating_beam two_link_chain

quick: .venv/development lint
	$(BIN)/pytest $(WORKERS) -m "not slow" $(QUICK) \
		$(foreach name,$(VERDICTS),"tests/cross/test_examples.py::test_all_ways_give_one_answer[$(name)]")

# Side by side with other programs, which are installed for this alone.
bench:
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/pip install --quiet --disable-pip-version-check -e . exudyn==1.13.6 pin
	.venv-bench/bin/python -m benchmarks -o docs/benchmarks.md

# Which lines the tests reach, room by room; below 85 % in a room it fails.
coverage: .venv/development page browser fortran latex
	$(BIN)/pip install --quiet --disable-pip-version-check pytest-cov
	$(BIN)/pytest $(WORKERS) --cov=pliant --cov-report=json:.coverage.json
	$(BIN)/python scripts/coverage_by_room.py .coverage.json

# How much there is to read, and how far a run wanders through it.
measures: .venv/development
	$(BIN)/python -W ignore scripts/measures.py

lint: .venv/development
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports

# LLVM IR of the integrators, shipped with the package: run after changing src/pliant/solve.
native: .venv/development
	$(BIN)/python -W ignore scripts/native_build.py

# The scripts of the moving page and of the studio, built from web/ and shipped inside the wheel.
page: src/pliant/show/page/page.js src/pliant/show/page/sweep.js src/pliant/studio/page/studio.js

src/pliant/show/page/sweep.js src/pliant/studio/page/studio.js: src/pliant/show/page/page.js
	@test -f $@ || (cd web && npm run build)
	@touch $@

src/pliant/show/page/page.js: web/node_modules/.package-lock.json web/vite.config.ts web/vite.sweep.config.ts web/vite.studio.config.ts web/tsconfig.json $(shell find web/src web/studio -type f)
	@command -v npm >/dev/null || { apt-get update && apt-get install -y nodejs npm; }
	cd web && npm run build
	@touch $@

web/node_modules/.package-lock.json: web/package.json web/package-lock.json web/.npmrc
	@command -v npm >/dev/null || { apt-get update && apt-get install -y nodejs npm; }
	cd web && npm ci
	@touch $@

# A wheel with everything in it.
wheel: .venv/development page
	$(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	@ls dist/*.whl

# The browser that tests the page.
browser:
	@command -v chromium >/dev/null || { apt-get update && apt-get install -y chromium; }

# The compiler that tests exported source; it brings gcc along.
fortran:
	@command -v gfortran >/dev/null || { apt-get update && apt-get install -y gfortran; }

# What tests compile written equations with.
latex:
	@command -v pdflatex >/dev/null || { apt-get update && apt-get install -y texlive-latex-base; }

format: .venv/development
	$(BIN)/ruff check --fix src tests benchmarks
	$(BIN)/ruff format src tests benchmarks

.venv/runtime: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	$(BIN)/python -m compileall -q src
	@touch $@

.venv/development: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e ".[test,lint]"
	$(BIN)/python -m compileall -q src
	@touch .venv/runtime $@

clean:
	rm -rf .venv .venv-bench out dist web/node_modules src/pliant/show/page/page.js src/pliant/show/page/sweep.js src/pliant/studio/page/studio.js src/pliant/studio/page/studio.css
	find src tests benchmarks -name __pycache__ -exec rm -rf {} +

# Two commands do everything on a fresh machine: make demo, make test.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint format native clean

demo: .venv/runtime
	@mkdir -p out
	$(BIN)/pliant check examples/planar_slider_crank.yaml
	$(BIN)/pliant run examples/planar_slider_crank.yaml -o out/slider_crank.csv -o out/slider_crank.png
	$(BIN)/pliant verify examples/planar_slider_crank.yaml
	@echo
	@echo "Look at out/slider_crank.png (plot) and out/slider_crank.csv (numbers)."

test: .venv/development lint
	$(BIN)/pytest -n 2

lint: .venv/development
	$(BIN)/ruff check src tests
	$(BIN)/ruff format --check src tests
	$(BIN)/mypy
	$(BIN)/lint-imports

# LLVM IR of the integrators, shipped with the package: run after changing src/pliant/solve.
native: .venv/development
	$(BIN)/python -W ignore -m pliant.solve.native_build

format: .venv/development
	$(BIN)/ruff check --fix src tests
	$(BIN)/ruff format src tests

.venv/runtime: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	@touch $@

.venv/development: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e ".[test,lint]"
	@touch .venv/runtime $@

clean:
	rm -rf .venv out dist
	find src tests -name __pycache__ -exec rm -rf {} +

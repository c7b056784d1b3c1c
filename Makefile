PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
QUICKSTART := $(VENV)/.quickstart
JOBS ?= 2
TESTS ?= tests

# The build of torch to install, such as `cpu`, where the package index has it; empty for the index's own choice.
TORCH ?=
TORCH_BUILD := $(if $(TORCH),'$(shell grep '^torch==' constraints.txt)+$(TORCH)')

# An installation shows its progress, but not in the logs of continuous integration.
PIP_INSTALL := -m pip install $(if $(CI),-q) -c constraints.txt

# One thread per process: the tests run side by side, and small arrays gain nothing from more.
export OMP_NUM_THREADS ?= 1

.DEFAULT_GOAL := help
.PHONY: help venv quickstart test test-all test-fast test-matrix lint type format bench docs docs-check site serve golden stubs stubs-check clients original-tests dist fuzz

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

venv: $(STAMP) ## Create .venv and install the project with everything its checks need

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP_INSTALL) $(TORCH_BUILD) -e '.[dev,docs,examples,images,onnx,plot,safetensors,tensorboard]'
	@touch $@ $(QUICKSTART)

# Less than `make venv` installs: the package and what its example draws with.
$(QUICKSTART): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP_INSTALL) $(TORCH_BUILD) -e '.[examples]'
	@touch $@

quickstart: $(QUICKSTART) ## Train on the example digits and plot what was learnt
	$(BIN)/python examples/quickstart.py

test: venv ## Run the tests, but for the slow ones
	$(BIN)/python -m pytest -n $(JOBS) $(TESTS)

test-all: venv ## Run all tests
	$(BIN)/python -m pytest -n $(JOBS) -m "" $(TESTS)

test-fast: venv ## Run the tests, last failures first, up to the first failure
	$(BIN)/python -m pytest -n $(JOBS) -x --failed-first $(TESTS)

test-matrix: venv ## Run the tests with the oldest and newest torch and NumPy for each Python; MATRIX=options
	$(BIN)/python tools/test_matrix.py --jobs $(JOBS) $(MATRIX)

clients: ## Install libraries built on MXNet into .clients/ and run a program with each; CLIENTS=names, SUITES=clones
	$(PYTHON) -m tools.try_clients $(CLIENTS)
	$(if $(SUITES),$(PYTHON) -m tools.try_client_suites $(SUITES))

original-tests: venv ## Run MXNet's own tests: make original-tests MXNET=checkout; TAG=master; ORIGINAL=options
	@test -n "$(MXNET)" || { echo "give a checkout of apache/mxnet: make original-tests MXNET=path/to/mxnet"; exit 2; }
	$(BIN)/python -m tools.try_original_tests $(MXNET) $(if $(TAG),--tag $(TAG)) --jobs $(JOBS) $(ORIGINAL)

fuzz: venv ## Feed damaged files to every reader: make fuzz MINUTES=30; findings go to build/findings
	$(BIN)/python -m tools.fuzz_files --minutes $(or $(MINUTES),30) --seed $$(date +%Y%m%d) --keep build/findings

dist: venv ## Build source distribution, wheel and bill of materials into dist/
	rm -rf dist
	$(BIN)/python $(PIP_INSTALL) build
	$(BIN)/python -m build --outdir dist
	$(BIN)/python -m tools.make_sbom --output dist/glueball-$$($(BIN)/python -c "from tools.release_notes import read_version; print(read_version())").cdx.json

lint: venv ## Check style, layers, sizes, counts, how files are opened and that all functions have examples
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-logo
	$(BIN)/python tools/check_sizes.py
	$(BIN)/python -m tools.check_rooms
	$(BIN)/python -m tools.check_openers
	$(BIN)/python -m tools.check_examples

type: venv ## Check types
	$(BIN)/mypy

format: venv ## Format the code and mend what can be mended
	$(BIN)/ruff check --fix-only
	$(BIN)/ruff format

bench: venv ## Measure operators, networks and loading; ORACLE=python adds the original
	$(BIN)/python benchmarks/dispatch.py $(if $(ORACLE),--oracle $(ORACLE))
	set -e; for name in training hybrid pooling loading records; do \
		OMP_NUM_THREADS= $(BIN)/python benchmarks/$$name.py $(if $(ORACLE),--oracle $(ORACLE)); done

docs: venv ## Write the generated pages of the documentation
	$(BIN)/python tools/make_docs.py
	$(BIN)/python tools/make_support_table.py
	$(BIN)/python tools/make_scan_names.py
	$(BIN)/python tools/make_zoo_table.py
	$(BIN)/python tools/make_onnx_table.py
	$(BIN)/python tools/make_chinese_pages.py
	$(BIN)/python tools/make_notebooks.py
	$(BIN)/python -m tools.make_public_names

docs-check: venv ## Check that the generated pages are up to date
	$(BIN)/python tools/make_docs.py --check
	$(BIN)/python tools/make_support_table.py --check
	$(BIN)/python tools/make_scan_names.py --check
	$(BIN)/python tools/make_zoo_table.py --check
	$(BIN)/python tools/make_onnx_table.py --check
	$(BIN)/python tools/make_chinese_pages.py --check
	$(BIN)/python tools/make_notebooks.py --check

site: venv ## Build the site of the documentation in build/site; no network is needed
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

serve: site ## Show the site at http://localhost:8000; PORT=number
	$(BIN)/python -m http.server $(or $(PORT),8000) --bind 127.0.0.1 --directory build/site

stubs: venv ## Write the generated type stubs
	$(BIN)/python -m tools.make_stubs

stubs-check: venv ## Check that the generated type stubs are up to date
	$(BIN)/python -m tools.make_stubs --check

golden: ## Write the golden files with the original: make golden ORACLE=path/to/python
	@test -n "$(ORACLE)" || { echo "give the original's interpreter: make golden ORACLE=path/to/python"; exit 2; }
	set -e; for script in tests/golden/make_*.py; do $(ORACLE) $$script; done

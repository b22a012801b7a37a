# The course in two commands: `make lab` to read it, `make test` to check all of it.

PYTHON ?= python3
PY := .venv/bin/python
LAB := .venv/.lab
INSTALLED := .venv/.installed

# Jupyter refuses to run as root unless told; without a display there is no browser to open.
LAB_FLAGS := $(shell [ "$$(id -u)" = 0 ] && echo --allow-root)
LAB_FLAGS += $(shell [ "$$(uname)" = Linux ] && [ -z "$$DISPLAY$$WAYLAND_DISPLAY" ] && echo --no-browser)

# In the order in which they use each other.
PROOFS := inner_product perceptron duality

# One thread: the small systems of the course are faster.
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: help lab test test-machines test-browser prove notebooks book slides homework course grade bench lint format clean

help:  ## list these commands (the default)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-13s %s\n", $$1, $$2}' Makefile

lab: $(LAB)  ## open the course in JupyterLab; Ctrl-C ends it
	@$(PY) -m jupyter trust notebooks/*.ipynb > /dev/null
	$(PY) -m jupyterlab --ip=127.0.0.1 --ServerApp.root_dir="$(CURDIR)" --ServerApp.answer_yes=True --LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb $(LAB_FLAGS)

test: $(INSTALLED)  ## check style, library and every notebook
	$(PY) -m tests.run_all

test-machines: $(INSTALLED)  ## the same as on every processor this one can imitate: half an hour
	$(PY) -m tests.machines

test-browser: book  ## the site in a real chromium, and notebooks running there; ALL=1: all of them
	@$(PY) -c 'import playwright' 2> /dev/null || $(PY) -m pip install --disable-pip-version-check -q -c constraints.txt -e ".[browser]"
	$(PY) -m pytest -q -rs -m browser tests/homework tests/test_site.py tests/test_slides.py tests/test_exhibits.py tests/test_lab.py tests/test_lite.py

prove:  ## check the theorems in the proof assistant Coq, where it is installed
	@command -v coqc > /dev/null || { echo "This needs Coq, which is not Python: apt install coq, brew install coq, or opam install coq. Then: make prove"; exit 2; }
	@rm -rf build/proofs && mkdir -p build/proofs && cp proofs/*.v build/proofs
	@cd build/proofs && for name in $(PROOFS); do coqc -Q . lectures $$name.v > $$name.txt || exit 1; done
	@awk '/^[^ ]/ && $$1 != "Axioms:" {print $$1}' build/proofs/*.txt | sort -u > build/proofs/axioms
	@! grep -Ev '^(ClassicalDedekindReals|FunctionalExtensionality)\.' build/proofs/axioms || { echo "These are assumed, and must not be."; exit 1; }
	@echo "proved: $(PROOFS). Assumed are only the axioms of Coq's real numbers:"; sed 's/^/  /' build/proofs/axioms

notebooks: $(INSTALLED)  ## re-execute all notebooks and store them in normal form
	$(PY) -m tools.nbexecute

book: $(INSTALLED)  ## build the course as a web site in build/book/html, to read and to run
	@$(PY) -c 'import myst_nb, jupyterlite_pyodide_kernel, sphinx_revealjs' 2> /dev/null || $(PY) -m pip install -q --disable-pip-version-check -c constraints.txt -e ".[book]"
	$(PY) -m tools.book

slides: $(INSTALLED)  ## the lectures as slides for a projector in build/slides; one: make slides ARGS=02
	@$(PY) -c 'import myst_nb, sphinx_revealjs' 2> /dev/null || $(PY) -m pip install -q --disable-pip-version-check -c constraints.txt -e ".[book]"
	$(PY) -m tools.slides $(ARGS)

homework: $(INSTALLED)  ## write what students get to build/homework
	$(PY) -m lectures_homework make --nbgrader

course: $(INSTALLED)  ## write the course for students, without the solved homework
	$(PY) -m lectures_homework course

grade: $(INSTALLED)  ## grade a folder: make grade HW=hw1 SUBMISSIONS=folder ARGS="--secret words"
	@[ -n "$(HW)" ] && [ -n "$(SUBMISSIONS)" ] || { echo "Say which: make grade HW=hw1 SUBMISSIONS=folder"; exit 2; }
	$(PY) -m lectures_homework grade $(HW) "$(SUBMISSIONS)" $(ARGS)

bench: $(INSTALLED)  ## time the library beside others: ten minutes; one row: make bench ARGS=gram
	@$(PY) -c 'import pycrfsuite, snapml, liblinear' 2> /dev/null || $(PY) -m pip install -q --disable-pip-version-check -c constraints.txt -e ".[bench]"
	$(PY) -m benchmarks $(ARGS)

lint: $(INSTALLED)  ## report style problems in code and notebooks, and types that do not hold
	$(PY) -m ruff check . && $(PY) -m ruff format --check . && $(PY) -m mypy

format: $(INSTALLED)  ## repair what can be repaired automatically
	$(PY) -m ruff check --fix . && $(PY) -m ruff format .

clean:  ## remove everything that can be made again
	rm -rf .venv .figure-diffs .pytest_cache .ruff_cache .mypy_cache .hypothesis build *.egg-info

# Set-up: only when pyproject.toml or constraints.txt is newer than the last one.
.venv/bin/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if (3, 11) <= v <= (3, 14) else "The course needs Python 3.11 to 3.14, but $(PYTHON) is Python %d.%d. Name another one like this: make lab PYTHON=python3.12" % v)'
	@echo "Setting up .venv: a few minutes the first time."
	@$(PYTHON) -m venv .venv

# what a student needs to read and run the course
$(LAB): pyproject.toml constraints.txt $(wildcard lab/* lab/*/* lab/*/*/*) | .venv/bin/python
	@$(PY) -m tools.install lab
	@touch $@

# and what checks and grades it
$(INSTALLED): pyproject.toml constraints.txt | .venv/bin/python
	@$(PY) -m tools.install lab test grading nbgrader
	@touch $(LAB) $@

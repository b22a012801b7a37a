# The course in two commands: `make lab` to read it, `make test` to check all of it.

PYTHON ?= python3
PY := .venv/bin/python
# makes or repairs .venv, and installs what is missing there; does nothing where nothing is
INSTALL = @$(PYTHON) start.py install

# In the order in which they use each other.
PROOFS := inner_product perceptron duality

# One thread: the small systems of the course are faster.
export OPENBLAS_NUM_THREADS ?= 1

.PHONY: help python installed lab test quick test-machines test-browser prove notebooks book slides pdf epub homework course autograder grade bench lint format clean

help:  ## list these commands (the default)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-13s %s\n", $$1, $$2}' Makefile

lab: python  ## open the course in JupyterLab; Ctrl-C ends it
	@$(PYTHON) start.py

test: installed  ## check style, types, library, grading, every notebook; a part: make test STAGE=notebooks
	$(PY) -m tools.run_all $(if $(STAGE),"$(STAGE)")

quick: installed  ## a minute: the tests and notebooks that concern what changed since main
	$(PY) -m tools.concerned --run $(ARGS)

test-machines: installed  ## library uncompiled, notebooks as on an old processor; ALL=1: on all it can imitate
	$(PY) -m tools.machines $(if $(ALL),all)

test-browser: book  ## the site in a real chromium, and notebooks running there; ALL=1: all of them
	$(INSTALL) browser
	$(PY) -m pytest -q -rs -m browser tests/homework tests/site/test_site.py tests/site/test_slides.py tests/widgets tests/site/test_lab.py tests/site/test_lite.py

prove:  ## check the theorems in the proof assistant Coq, where it is installed
	@command -v coqc > /dev/null || { echo "This needs Coq, which is not Python: apt install coq, brew install coq, or opam install coq. Then: make prove"; exit 2; }
	@rm -rf build/proofs && mkdir -p build/proofs && cp proofs/*.v build/proofs
	@cd build/proofs && for name in $(PROOFS); do coqc -Q . lectures $$name.v > $$name.txt || exit 1; done
	@awk '/^[^ ]/ && $$1 != "Axioms:" {print $$1}' build/proofs/*.txt | sort -u > build/proofs/axioms
	@! grep -Ev '^(ClassicalDedekindReals|FunctionalExtensionality)\.' build/proofs/axioms || { echo "These are assumed, and must not be."; exit 1; }
	@echo "proved: $(PROOFS). Assumed are only the axioms of Coq's real numbers:"; sed 's/^/  /' build/proofs/axioms

notebooks: installed  ## re-execute all notebooks and store them in normal form
	$(PY) -m tools.nbexecute

book: python  ## build the course as a web site in build/book/html, to read and to run
	$(INSTALL) test grading book
	$(PY) -m tools.book

slides: python  ## the lectures as slides for a projector in build/slides; one: make slides ARGS=02
	$(INSTALL) test grading book
	$(PY) -m tools.slides $(ARGS)

pdf: book  ## the course on paper, build/course.pdf, where chromium is installed
	$(INSTALL) test grading book browser
	$(PY) -m tools.pdf

epub: book  ## the course as a book, build/course.epub, where chromium is installed
	$(INSTALL) test grading book browser
	$(PY) -m tools.epub

homework: installed  ## write what students get to build/homework
	$(PY) -m lectures_homework make --nbgrader

course: installed  ## write the course for students, unsolved; to a folder: ARGS="--folder ../students"
	$(PY) -m lectures_homework course $(ARGS)

autograder: installed  ## the archive for Gradescope: make autograder HW=hw1 ARGS="--secret words"
	@[ -n "$(HW)" ] || { echo "Say which: make autograder HW=hw1"; exit 2; }
	$(PY) -m lectures_homework autograder $(HW) $(ARGS)

grade: installed  ## grade a folder: make grade HW=hw1 SUBMISSIONS=folder ARGS="--secret words"
	@[ -n "$(HW)" ] && [ -n "$(SUBMISSIONS)" ] || { echo "Say which: make grade HW=hw1 SUBMISSIONS=folder"; exit 2; }
	$(PY) -m lectures_homework grade $(HW) "$(SUBMISSIONS)" $(ARGS)

bench: python  ## time the library beside others; one row: make bench ARGS=gram
	$(INSTALL) test grading bench unseen
	$(PY) -m benchmarks $(ARGS)
	$(if $(ARGS),,$(PY) -m benchmarks.unseen)
	$(if $(ARGS),,$(PY) -m benchmarks.certify)

lint: installed  ## report style problems in code and notebooks, and types that do not hold
	$(PY) -m ruff check . && $(PY) -m ruff format --check . && $(PY) -m mypy

format: installed  ## repair what can be repaired automatically
	$(PY) -m ruff check --fix . && $(PY) -m ruff format .

clean:  ## remove everything that can be made again
	rm -rf .venv .figure-diffs .pytest_cache .ruff_cache .mypy_cache .hypothesis build *.egg-info

# Set-up is the work of start.py, which needs Python alone; here only: is there one?
python:
	@command -v $(PYTHON) > /dev/null || { echo "There is no $(PYTHON) here. Install Python 3.11 to 3.14, or name yours like this: make lab PYTHON=python3.12"; exit 2; }

# what checks and grades the course
installed: python
	$(INSTALL)
